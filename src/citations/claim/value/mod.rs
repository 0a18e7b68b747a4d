//! The old value stated next to the name, and the aspect in words without a value.
//!
//! A value belongs to a name when nothing else is nearer: in a table row, under a heading or in a list item that is the name,
//! by position; in running text by distance, where a clause boundary counts as far.

mod code;
mod nearest;

use std::sync::LazyLock;

use regex::Regex;

use super::window::{self, Window, speaks_of_default};
use super::{Subject, Verdict, arguments};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, FactKind, MarkKind, RegionKind, Strength};
use crate::syntax::Grammar;
use crate::value::literal::Forms;

/// Owners of facts that a program states, as against a data file.
const PROGRAM_OWNERS: [&str; 2] = ["module:", "command:"];

static INSTRUCTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:opt(?:ing)?[- ](?:in|out)|via|by passing|set(?:ting)?|use|using|add|pass(?:ing)?|specify|specifying|configure|try|change|changing|enable|disable|increase|decrease|raise|lower|run|e\.g\.|for example|such as|like|example|if you|to (?:disable|enable|turn|make|get)|override|overrid\w+|instead)\b").expect("valid pattern")
});
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?i)^[\s`*"'(:=|,]*(?:(?:is|are|of|to|as|at|be|set|equals|holds|defaults?|by|currently|the|a|an|that|which|value|this|limit(?:ed)?|up|most|least|about|only|with)[\s`*"'(:=]+){0,4}[`*"'(]*$"#).expect("valid pattern")
});

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let mut rest = Verdict::Mention;
    let mut found = Vec::new();
    for aspect in &subject.change.aspects {
        let Some(target) = Target::new(subject, aspect) else { continue };
        match target.judge() {
            Verdict::Claims(claims) => found.extend(claims),
            Verdict::Mention => {}
            other => rest = other,
        }
    }
    if found.is_empty() { rest } else { Verdict::Claims(found) }
}

/// One value aspect with its readings.
struct Target<'a, 's> {
    subject: &'s Subject<'a>,
    aspect: &'s Aspect,
    old: Forms,
    new: Option<Forms>,
    /// For a parameter's default: the parameter, which must be named where the value stands.
    parameter: Option<String>,
}

impl<'a, 's> Target<'a, 's> {
    fn new(subject: &'s Subject<'a>, aspect: &'s Aspect) -> Option<Self> {
        let segments = aspect.segments();
        let parts: Vec<&str> = segments.iter().map(String::as_str).collect();
        let (key, parameter) = match parts.as_slice() {
            ["default" | "value"] => (subject.change.cited().leaf().to_owned(), None),
            ["parameters", name, "default"] => ((*name).to_owned(), Some((*name).to_owned())),
            _ => return None,
        };
        let old = Forms::new(aspect.before.as_ref()?, &key)?;
        // `<next>` stands for what is put there.
        if aspect.before.as_ref().and_then(serde_json::Value::as_str).is_some_and(|s| s.starts_with('<') && s.ends_with('>')) {
            return None;
        }
        // What a release writes anew each time is no default.
        let stem = subject.change.cited().path.stem().trim_matches('_').to_lowercase();
        if subject.change.kind() == FactKind::Constant && matches!(stem.as_str(), "version" | "versions") {
            return None;
        }
        // `None` in a program, or nothing in Go, stands for a value that is found later, often the old one.
        let go = Grammar::for_path(&subject.change.cited().path) == Some(Grammar::Go);
        let nothing = match &aspect.after {
            Some(serde_json::Value::Null) => true,
            Some(serde_json::Value::String(text)) => go && (text.is_empty() || text == "0s"),
            Some(serde_json::Value::Number(number)) => go && number.as_f64() == Some(0.0),
            _ => false,
        };
        if nothing
            && (subject.change.kind() == FactKind::EnvVar
                || PROGRAM_OWNERS.iter().any(|o| subject.change.cited().owner.starts_with(o)))
        {
            return None;
        }
        let required = subject.change.after.as_ref().and_then(|f| f.value.get("required")).and_then(serde_json::Value::as_bool)
            == Some(true);
        let new = match &aspect.after {
            Some(value) => Some(Forms::new(value, &key)?),
            None if required => None,
            // A default that is no longer written down may still hold.
            None => return None,
        };
        // The same value in another spelling is no change of it, nor is one that is put in quotes once more.
        let bare = |value: Option<&serde_json::Value>| {
            value.and_then(serde_json::Value::as_str).map(|s| s.trim_matches(['"', '\'']).to_owned()).filter(|s| !s.is_empty())
        };
        let quoted = bare(aspect.before.as_ref()).is_some_and(|old| Some(old) == bare(aspect.after.as_ref()));
        if quoted || new.as_ref().is_some_and(|n| n.equals(&old)) {
            return None;
        }
        let surroundings = subject.document.region_text(subject.region());
        let (old, new) = (old.in_unit_of(surroundings), new.map(|n| n.in_unit_of(surroundings)));
        Some(Self { subject, aspect, old, new, parameter })
    }

    fn judge(&self) -> Verdict {
        if let RegionKind::CodeBlock { lang, content, .. } = &self.subject.region().kind {
            return self.in_code(lang, *content);
        }
        if let Some(verdict) = self.in_arguments() {
            return verdict;
        }
        let windows = window::windows(self.subject.document, self.subject.citation);
        let mut explicit = false;
        let mut worded = None;
        for window in &windows {
            let text = self.subject.of(window.span);
            let default = window.promises_default || speaks_of_default(text);
            if window.default_only && !default {
                continue;
            }
            if let Some(parameter) = &self.parameter
                && !default
                && !text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|t| t == parameter)
            {
                continue;
            }
            let old = self.stated(&self.old, *window, default);
            let new = self.new.as_ref().map(|n| self.stated(n, *window, default)).unwrap_or_default();
            // A name that took the old one's place and stands beside it is no news to the document.
            let beside =
                self.new.as_ref().filter(|n| !n.is_common()).is_some_and(|n| n.find(text, false).iter().any(|s| s.marked));
            if beside && !window.promises_default {
                return Verdict::Current;
            }
            match (old.first(), new.is_empty()) {
                (None, false) => return Verdict::Current,
                (Some(_), false) if !window.promises_default || window.owned => {
                    // Both are stated: "30, was 60 before", or an enumeration. Which one is meant is not ours to guess.
                    return Verdict::Current;
                }
                (Some(span), _) => match self.weigh(*window, *span, default) {
                    Some(strength) => return self.claim(*span, strength, ClaimRule::OldValue),
                    None => explicit = true,
                },
                (None, true) => {
                    if default
                        && worded.is_none()
                        && window.span.len() < 200
                        && (window.owned || window.span.contains(self.subject.citation.span))
                    {
                        worded = Some(*window);
                    }
                }
            }
        }
        if explicit {
            return Verdict::ExplicitArgument;
        }
        match worded.filter(|w| !w.promises_default || w.span.contains(self.subject.citation.span)) {
            Some(_) => self.claim(self.subject.citation.span, Strength::Weak, ClaimRule::AspectInWords),
            None => Verdict::Mention,
        }
    }

    fn claim(&self, stale: ByteSpan, strength: Strength, rule: ClaimRule) -> Verdict {
        // `.pot-version` is no value of `pot-version` that stands within it.
        if stale != self.subject.citation.span && stale.contains(self.subject.citation.span) && rule == ClaimRule::OldValue {
            let name = self.subject.of(self.subject.citation.span);
            if self.subject.of(stale).trim_matches(['`', '"', '\'', '.']) == name {
                return Verdict::Mention;
            }
        }
        Verdict::Claims(vec![Claim {
            citation: self.subject.citation.clone(),
            rule,
            strength,
            stale,
            aspect: Some(self.aspect.clone()),
        }])
    }

    fn in_own_code(&self, span: ByteSpan) -> bool {
        self.own_code().is_some_and(|code| code.contains(span))
    }

    fn own_code(&self) -> Option<ByteSpan> {
        let region = self.subject.region();
        region
            .marks
            .iter()
            .filter(|m| matches!(m.kind, MarkKind::Code) && m.span.contains(self.subject.citation.span))
            .map(|m| m.span)
            .next()
    }

    /// How sure a stated old value is; `None` where it is an argument the text passes itself.
    fn weigh(&self, window: Window, value: ByteSpan, default: bool) -> Option<Strength> {
        let text = self.subject.of(window.span);
        if self.in_own_code(value) {
            // `key = old` in running text says what the value is, unless the sentence tells the reader to write it.
            // So do a flag with its value and an argument that is passed. A switch is on or off in what is shown.
            let flag = self.subject.change.kind() == FactKind::CliFlag || self.parameter.is_some();
            let told = INSTRUCTION.is_match(text) || self.old.is_truth();
            return match (default, flag || told) {
                (true, _) | (false, false) => Some(Strength::Strong),
                (false, true) => None,
            };
        }
        if window.owned || default || window.promises_default {
            return Some(Strength::Strong);
        }
        let between = nearest::between(&self.subject.document.text, self.subject.citation.span, value);
        let linked = LINK.is_match(between) && value.start >= self.subject.citation.span.end;
        let gap = self.gap(value);
        let common = self.old.is_common();
        let instructed = INSTRUCTION.is_match(text) && (common || self.subject.change.kind() == FactKind::CliFlag);
        if instructed {
            return None;
        }
        if linked || (!common && gap <= nearest::MAX_DISTANCE) || (common && !self.old.is_truth() && gap <= 40) {
            Some(Strength::Strong)
        } else {
            None
        }
    }

    /// `name(a, b=old)` written out in inline code, a heading or a cell.
    fn in_arguments(&self) -> Option<Verdict> {
        let parameter = self.parameter.as_deref()?;
        let list = arguments::after(&self.subject.document.text, self.subject.citation.span.end)?;
        let argument = list.items.iter().find(|a| a.name.as_deref() == Some(parameter))?;
        let value = argument.value?;
        let text = self.subject.of(value);
        if !self.old.find(text, true).is_empty() || self.old_text_equals(text) {
            return Some(self.claim(
                ByteSpan::new(argument.span.start, argument.span.end),
                Strength::Strong,
                ClaimRule::SpelledOut,
            ));
        }
        Some(Verdict::Current)
    }

    fn old_text_equals(&self, text: &str) -> bool {
        let bare = text.trim().trim_matches(['"', '\'', '`']);
        self.aspect.before.as_ref().and_then(|v| v.as_str()).is_some_and(|s| s == bare)
    }
}
