//! Old values in code blocks: help output, annotated listings and blocks that show the defaults. Any other value in code is an
//! argument that the example chooses.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::super::super::{Project, fence};
use super::super::{Subject, Verdict, arguments};
use super::Target;
use crate::model::{ByteSpan, ClaimRule, FactKind, RegionKind, Strength};
use crate::syntax::Grammar;
use crate::value::literal::Forms;
use crate::value::name;

/// Most lines of a code block that are compared with a table of settings.
const MAX_ENTRIES: usize = 400;

static DEFAULT_REMARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\bdefaults?(?:\s+(?:value|is|to))*\b").expect("valid pattern"));

impl Target<'_, '_> {
    pub(super) fn in_code(&self, lang: &str, content: ByteSpan) -> Verdict {
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

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
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
