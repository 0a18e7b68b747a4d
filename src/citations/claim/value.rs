//! The old value stated next to the name, and the aspect in words without a value.
//!
//! A value belongs to a name when nothing else is nearer: in a table row, under a heading or in a list item that is the name,
//! by position; in running text by distance, where a clause boundary counts as far.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::super::{Project, fence};
use super::window::{self, Window, speaks_of_default};
use super::{Subject, Verdict, arguments};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, FactKind, MarkKind, RegionKind, Strength};
use crate::syntax::Grammar;
use crate::value::literal::{Forms, Stated};
use crate::value::name;

/// A value this far from its name, in bytes, is about something else.
const MAX_DISTANCE: usize = 90;
/// Owners of facts that a program states, as against a data file.
const PROGRAM_OWNERS: [&str; 2] = ["module:", "command:"];
/// Most lines of a code block that are compared with a table of settings.
const MAX_ENTRIES: usize = 400;
/// What a clause boundary adds to the distance.
const CLAUSE: usize = 40;

static INSTRUCTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:opt(?:ing)?[- ](?:in|out)|via|by passing|set(?:ting)?|use|using|add|pass(?:ing)?|specify|specifying|configure|try|change|changing|enable|disable|increase|decrease|raise|lower|run|e\.g\.|for example|such as|like|example|if you|to (?:disable|enable|turn|make|get)|override|overrid\w+|instead)\b").expect("valid pattern")
});
static CONDITION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:if|when|otherwise|unless|depending|else|except)\b").expect("valid pattern"));
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
        if nothing && PROGRAM_OWNERS.iter().any(|o| subject.change.cited().owner.starts_with(o)) {
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
        // The same value in another spelling is no change of it.
        if new.as_ref().is_some_and(|n| n.equals(&old)) {
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

    /// Places in a window that state a value and belong to the cited name.
    fn stated(&self, forms: &Forms, window: Window, default: bool) -> Vec<ByteSpan> {
        let document = self.subject.document;
        let text = self.subject.of(window.span);
        let bare = default || window.promises_default;
        forms
            .find(text, bare)
            .into_iter()
            .map(|s| Stated {
                span: ByteSpan::new(s.span.start + window.span.start, s.span.end + window.span.start),
                marked: s.marked,
            })
            .filter(|s| !s.span.overlaps(self.subject.citation.span))
            .filter(|s| window.owned || self.belongs(s.span, window))
            // `true` and `on` in running text are ordinary words unless the sentence is about the default.
            .filter(|s| s.marked || !forms.is_truth() || default || self.in_own_code(s.span) || window.promises_default)
            .filter(|s| !forms.is_truth() || window.owned || self.truth_is_close(s.span, default))
            .filter(|s| s.marked || !self.is_preposition(s.span))
            .filter(|s| !self.is_second_choice(s.span, window) && !self.is_condition(s.span, window))
            .map(|s| s.span)
            .filter(|s| s.end <= document.text.len())
            .collect()
    }

    /// Whether a sentence gives another value first: `"idle"` if the server allows it, `false` otherwise. Then neither is the
    /// default as such.
    fn is_second_choice(&self, value: ByteSpan, window: Window) -> bool {
        let region = self.subject.document.region_at(window.span.start).and_then(|i| self.subject.document.regions.get(i));
        if region.is_none_or(|r| matches!(r.kind, RegionKind::TableRow { .. })) {
            return false;
        }
        let text = &self.subject.document.text;
        let marks = region.into_iter().flat_map(|r| &r.marks).filter(|m| matches!(m.kind, MarkKind::Code)).map(|m| m.span);
        let earlier = marks
            .filter(|m| window.span.contains(*m) && m.end <= value.start && !m.overlaps(self.subject.citation.span))
            .any(|m| {
                let code = m.of(text);
                !window::is_name(code) && !code.trim().is_empty()
            });
        earlier && CONDITION.is_match(ByteSpan::new(window.span.start, window.span.end).of(text))
    }

    /// Whether the value is what a reader would have to set for something to happen: `unless X is set to false`.
    fn is_condition(&self, value: ByteSpan, window: Window) -> bool {
        static SET: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"(?is)\b(?:if|when|whenever|unless|until|once|where)\b.*\b(?:set|setting|changed|switched) to\W*$")
                .expect("valid pattern")
        });
        let start = window.span.start.min(self.subject.citation.span.start);
        let sentence = window::sentence(self.subject.document, self.subject.citation);
        let start = if sentence.contains(value) { sentence.start } else { start };
        self.subject.document.text.get(start..value.start).is_some_and(|before| SET.is_match(before))
    }

    /// What stands in front of a value on its line, as far as the given number of bytes; a line may be as long as the document.
    fn lead(&self, value: ByteSpan, reach: usize) -> &'a str {
        let text: &'a str = &self.subject.document.text;
        let start = (0..=value.start.saturating_sub(reach)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let before = text.get(start..value.start).unwrap_or("");
        before.rsplit('\n').next().unwrap_or(before)
    }

    /// `work on the results`: a preposition, no switch, unless something is said to be or to be turned so.
    fn is_preposition(&self, value: ByteSpan) -> bool {
        static SWITCHED: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"(?i)(?:\b(?:is|are|be|was|were|stays?|turned|switched|set|to|defaults?|always|now)|[:=(|.;!?])[\s`*_]*$")
                .expect("valid pattern")
        });
        let line = self.lead(value, 80);
        // `on by default` says what is, `on the results` where.
        if self.subject.document.text.get(value.end..).is_some_and(|behind| behind.trim_start().starts_with("by default")) {
            return false;
        }
        matches!(self.subject.of(value).to_lowercase().as_str(), "on" | "off") && !line.is_empty() && !SWITCHED.is_match(line)
    }

    fn truth_is_close(&self, value: ByteSpan, default: bool) -> bool {
        self.gap(value) <= if default { MAX_DISTANCE } else { 30 }
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

    /// Distance between the cited name and a value, in bytes, clause boundaries counted as far.
    fn gap(&self, value: ByteSpan) -> usize {
        distance(self.subject.document.text.as_str(), self.subject.citation.span, value)
    }

    /// Whether the cited name is the nearest name to the value.
    fn belongs(&self, value: ByteSpan, window: Window) -> bool {
        let text = &self.subject.document.text;
        let own = self.gap(value);
        if own > MAX_DISTANCE + CLAUSE {
            return false;
        }
        let region = self.subject.region();
        let code = self.own_code();
        let rivals = region
            .marks
            .iter()
            .filter(|m| matches!(m.kind, MarkKind::Code | MarkKind::Role { .. }))
            .map(|m| m.span)
            .filter(|s| {
                window.span.contains(*s) && !s.contains(self.subject.citation.span) && !s.overlaps(value) && Some(*s) != code
            })
            .filter(|s| window::is_name(s.of(text)));
        let others = self
            .subject
            .all
            .iter()
            .filter(|c| {
                c.change != self.subject.citation.change
                    && !c.span.overlaps(self.subject.citation.span)
                    && window.span.contains(c.span)
            })
            .filter(|c| {
                self.subject.changes.changes.get(c.change).is_some_and(|o| o.cited().leaf() != self.subject.change.cited().leaf())
            })
            .map(|c| c.span);
        rivals.chain(others).all(|rival| distance(text, rival, value) >= own)
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
        let between = between(&self.subject.document.text, self.subject.citation.span, value);
        let linked = LINK.is_match(between) && value.start >= self.subject.citation.span.end;
        let gap = self.gap(value);
        let common = self.old.is_common();
        let instructed = INSTRUCTION.is_match(text) && (common || self.subject.change.kind() == FactKind::CliFlag);
        if instructed {
            return None;
        }
        if linked || (!common && gap <= MAX_DISTANCE) || (common && !self.old.is_truth() && gap <= 40) {
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

    fn in_code(&self, lang: &str, content: ByteSpan) -> Verdict {
        // What must be given now was given in an example already.
        if self.new.is_none() {
            return Verdict::Mention;
        }
        let document = self.subject.document;
        let citation = self.subject.citation.span;
        let line = document.lines.span_of(document.lines.line(citation.start));
        let line = ByteSpan::new(line.start.max(content.start), line.end.min(content.end));
        // Help output and annotated listings say so themselves.
        if let Some(verdict) = self.in_default_remark(line, content) {
            return verdict;
        }
        let grammar = Grammar::for_fence(lang);
        let text = content.of(&document.text);
        let value = match grammar {
            Some(g) if g.is_data() => {
                let at = ByteSpan::new(citation.start - content.start, citation.end - content.start);
                fence::keys(g, text)
                    .into_iter()
                    .find(|k| k.key.overlaps(at))
                    .and_then(|k| k.value)
                    .map(|v| ByteSpan::new(v.start + content.start, v.end + content.start))
            }
            Some(Grammar::Bash) => None,
            _ => assigned(&document.text, citation, line),
        };
        let Some(value) = value else {
            return if self.parameter.is_some() { self.in_arguments_of_definition(line) } else { Verdict::Mention };
        };
        let cited = self.subject.of(value);
        let states = |forms: &Forms| {
            !forms.find(cited, true).is_empty() && forms.find(cited, true)[0].span.len() + 2 >= cited.trim().len()
        };
        let definition = self.subject.change.kind() == FactKind::Constant;
        if self.new.as_ref().is_some_and(&states) {
            return Verdict::Current;
        }
        if !states(&self.old) {
            return if cited.trim().is_empty() { Verdict::Mention } else { Verdict::ExplicitArgument };
        }
        // A marked line of a before-and-after example is what one should write, or should not.
        let marked = self.subject.of(line).contains("[!code") || lang.starts_with("diff");
        if marked {
            return Verdict::ExplicitArgument;
        }
        // What a workflow hands to an action is its own choice, whatever the text around speaks of.
        let chosen = self.subject.change.kind() == FactKind::ActionInput;
        if definition || !chosen && described_as_defaults(self.subject) || restates_table(self.subject, content) {
            return self.claim(value, Strength::Strong, ClaimRule::OldValue);
        }
        Verdict::ExplicitArgument
    }

    fn in_arguments_of_definition(&self, line: ByteSpan) -> Verdict {
        let before = ByteSpan::new(line.start, self.subject.citation.span.start).of(&self.subject.document.text);
        if arguments::declares(before) { self.in_arguments().unwrap_or(Verdict::Mention) } else { Verdict::Mention }
    }

    /// `# default: 30`, `| default = 1000 ]`, `[default: 30]` on the line, on lines indented beneath it, or in the comment above.
    fn in_default_remark(&self, line: ByteSpan, content: ByteSpan) -> Option<Verdict> {
        let document = self.subject.document;
        let text = &document.text;
        let own_indent = indent(line.of(text));
        let mut spans = vec![ByteSpan::new(self.subject.citation.span.end.min(line.end), line.end)];
        let first = document.lines.line(line.start).get();
        for row in first..first.saturating_add(4) {
            let next = document.lines.span_of(crate::model::LineNumber::from_row(row as usize));
            let next_text = next.of(text);
            if next.start >= content.end
                || next_text.trim().is_empty()
                || indent(next_text) <= own_indent.max(1) + 2
                || next_text.trim_start().starts_with('-')
            {
                break;
            }
            spans.push(next);
        }
        if first > 1 {
            let above = document.lines.span_of(crate::model::LineNumber::from_row(first as usize - 2));
            let comment = above.of(text).trim_start();
            if above.start >= content.start
                && (comment.starts_with('#') || comment.starts_with("//") || comment.starts_with('*') || comment.starts_with(';'))
            {
                spans.push(above);
            }
        }
        for span in spans {
            let words = span.of(text);
            let Some(at) = DEFAULT_REMARK.find(words) else { continue };
            let tail_start = span.start + at.end();
            // The value stands right behind the word; a line may go on with other things.
            let tail = ByteSpan::new(tail_start, span.end.min(tail_start + 60));
            let first_value = |forms: &Forms| {
                forms.find(tail.of(text), true).first().map(|s| ByteSpan::new(s.span.start + tail.start, s.span.end + tail.start))
            };
            let near = |s: ByteSpan| s.start < tail.start + 24;
            if self.new.as_ref().and_then(first_value).is_some_and(near) {
                return Some(Verdict::Current);
            }
            if let Some(stale) = first_value(&self.old).filter(|s| near(*s)) {
                return Some(self.claim(stale, Strength::Strong, ClaimRule::OldValue));
            }
        }
        None
    }
}

static DEFAULT_REMARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bdefaults?(?:\s+(?:value|is|to))*\b").expect("valid pattern"));

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn between(text: &str, a: ByteSpan, b: ByteSpan) -> &str {
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    text.get(first.end.min(second.start)..second.start).unwrap_or("")
}

fn distance(text: &str, a: ByteSpan, b: ByteSpan) -> usize {
    let gap = between(text, a, b);
    if gap.len() > MAX_DISTANCE + CLAUSE {
        return gap.len();
    }
    let clauses = gap.matches(';').count()
        + gap.matches(" and ").count()
        + gap.matches(" but ").count()
        + gap.matches(" while ").count()
        + gap.matches(". ").count();
    gap.len() + clauses * CLAUSE + usize::from(b.start < a.start)
}

/// The value assigned to a name on its line: behind `=`, `:` or `=>`, up to the end of the value.
fn assigned(text: &str, name: ByteSpan, line: ByteSpan) -> Option<ByteSpan> {
    let rest = text.get(name.end..line.end)?;
    let lead = rest.trim_start_matches(['"', '\'', ' ', '\t', ']', '?']);
    // A typed definition: `NAME: usize = 5`, `name: Type = value`.
    let operator = ["=>", ":=", "=", ":"].iter().find(|o| lead.starts_with(**o))?;
    let mut start = name.end + (rest.len() - lead.len()) + operator.len();
    if *operator == ":"
        && let Some(eq) = text.get(start..line.end)?.find(" = ")
    {
        start += eq + 3;
    }
    let tail = text.get(start..line.end)?;
    let skipped = tail.len() - tail.trim_start().len();
    let tail = tail.trim_start();
    let quoted = tail.chars().next().filter(|c| matches!(c, '"' | '\''));
    let length = match quoted {
        Some(quote) => tail[1..].find(quote).map(|at| at + 2)?,
        None => tail.find([',', ';', '#', '}', ')', ']']).unwrap_or(tail.len()),
    };
    let value = tail[..length].trim_end();
    (!value.is_empty()).then(|| ByteSpan::new(start + skipped, start + skipped + value.len()))
}

/// Whether a code block repeats the table that the key belongs to: at least three other keys of it with the values they had at
/// base, and none with another.
fn restates_table(subject: &Subject<'_>, content: ByteSpan) -> bool {
    static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"^[\s#/*-]*["']?([A-Za-z_][\w.-]*)["']?\s*(?::|=>?|:=)\s*(\S.*?)[,;]?\s*$"#).expect("valid pattern")
    });
    let Some(table) = subject.background.tables.get(&Project::table_of(subject.change.cited())) else { return false };
    let own = name::fold(subject.change.cited().leaf());
    let (mut same, mut other) = (BTreeSet::new(), false);
    for line in subject.of(content).lines().take(MAX_ENTRIES) {
        let Some(found) = ENTRY.captures(line) else { continue };
        let key = name::fold(&found[1]);
        let Some(Some(value)) = table.get(&key).filter(|_| key != own) else { continue };
        let written = found[2].trim();
        let states = Forms::new(value, &found[1])
            .is_some_and(|forms| forms.find(written, true).first().is_some_and(|s| s.span.len() + 2 >= written.len()));
        if states {
            same.insert(key);
        } else {
            other = true;
        }
    }
    !other && same.len() >= 3
}

/// Whether a code block shows the defaults: the text around it, its heading, its info string or its first comment says so.
fn described_as_defaults(subject: &Subject<'_>) -> bool {
    static SHOWS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\bdefaults?\b|\bout of the box\b|\bwithout writing anything\b").expect("valid pattern")
    });
    let document = subject.document;
    let index = subject.citation.region;
    let RegionKind::CodeBlock { meta, content, .. } = &subject.region().kind else { return false };
    let around = [index.checked_sub(1), Some(index + 1)];
    let near = around.into_iter().flatten().filter_map(|i| document.regions.get(i)).any(|r| {
        matches!(r.kind, RegionKind::Paragraph | RegionKind::ListItem | RegionKind::Heading { .. }) && {
            let text = document.region_text(r);
            let behind = r.span.start > subject.region().span.start;
            let points = !behind || text.to_lowercase().contains("above");
            points && SHOWS.is_match(text)
        }
    });
    let headings =
        subject.region().scope.headings.iter().rev().take(1).any(|&h| SHOWS.is_match(document.region_text(&document.regions[h])));
    let comment = content
        .of(&document.text)
        .lines()
        .take_while(|l| l.trim_start().starts_with(['#', '/', ';']) || l.trim().is_empty())
        .any(|l| SHOWS.is_match(l));
    near || headings || comment || SHOWS.is_match(meta)
}
