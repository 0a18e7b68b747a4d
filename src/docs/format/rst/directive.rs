//! Directives: code, tables, listings of files, and everything else as a name with an argument and a body.

use super::super::html;
use super::super::lines;
use super::inline;
use super::scan::{At, Scan};
use super::syntax;
use crate::model::{ByteSpan, Mark, MarkKind, RegionKind};

/// How a directive is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Code in the language its argument names.
    Code,
    /// Code in a language of its own.
    CodeOf(&'static str),
    /// Sets the language of what follows.
    Highlight,
    /// Text of another format.
    Raw,
    ListTable,
    CsvTable,
    Toctree,
    /// The argument is a path.
    File,
    /// The argument is running text that may go on below.
    Prose,
    /// A version, then perhaps running text.
    Version,
    /// The argument names something.
    Named,
}

fn reading(name: &str) -> Reading {
    match name {
        "code-block" | "code" | "sourcecode" | "code-cell" | "prompt" | "parsed-literal" => Reading::Code,
        "doctest" => Reading::CodeOf("pycon"),
        "testcode" | "testsetup" | "testcleanup" | "ipython" | "jupyter-execute" | "plot" => Reading::CodeOf("python"),
        "testoutput" => Reading::CodeOf(""),
        "math" => Reading::CodeOf("math"),
        "graphviz" | "digraph" | "graph" => Reading::CodeOf("dot"),
        "mermaid" => Reading::CodeOf("mermaid"),
        "uml" | "plantuml" => Reading::CodeOf("plantuml"),
        "productionlist" => Reading::CodeOf("productionlist"),
        "highlight" | "highlightlang" => Reading::Highlight,
        "raw" => Reading::Raw,
        "list-table" => Reading::ListTable,
        "csv-table" => Reading::CsvTable,
        "toctree" => Reading::Toctree,
        "include" | "literalinclude" | "image" | "figure" | "thumbnail" | "download" => Reading::File,
        "note" | "warning" | "tip" | "hint" | "important" | "caution" | "danger" | "error" | "attention" | "seealso" | "todo"
        | "admonition" | "topic" | "sidebar" | "rubric" | "table" | "centered" => Reading::Prose,
        "versionadded" | "versionchanged" | "versionremoved" | "deprecated" | "deprecated-removed" => Reading::Version,
        _ => Reading::Named,
    }
}

/// One option of a directive: its lines and where name and value stand.
struct Field {
    first: usize,
    end: usize,
    name: ByteSpan,
    value: ByteSpan,
}

impl<'t> Scan<'t> {
    /// A directive whose first line is the current one; `argument` is what stands behind the colons.
    pub(super) fn directive(&mut self, at: At<'t>, name: &'t str, argument: &'t str) {
        let words = argument.trim();
        let start = at.start + at.rest.len() - argument.trim_start().len();
        let argument = ByteSpan::new(start, start + words.len());
        let end = self.body_end(self.row + 1, at.column);
        match reading(name) {
            Reading::Code => {
                let lang = words.split_whitespace().next().unwrap_or(if name == "parsed-literal" { "" } else { &self.highlight });
                let lang = if name == "parsed-literal" { String::new() } else { lang.to_lowercase() };
                self.code(at, &lang, end);
            }
            Reading::CodeOf(lang) => self.code(at, lang, end),
            Reading::Highlight => {
                self.highlight = match words.split_whitespace().next().unwrap_or("").to_lowercase().as_str() {
                    "none" | "text" => String::new(),
                    lang => lang.to_owned(),
                };
                self.row = end;
            }
            Reading::Raw => {
                let span = self.rows_span(self.row + 1, end);
                if words.contains("html") {
                    let marks = html::marks(self.text, span);
                    self.outline.push(RegionKind::Html, span, marks);
                }
                self.row = end;
            }
            Reading::ListTable | Reading::CsvTable => {
                let fields = self.fields(self.row + 1, at.column);
                let region = self.named(at, name, argument, true);
                self.enter(region, at.column);
                let header = self.option(&fields, "header-rows").and_then(|v| v.of(self.text).parse().ok()).unwrap_or(0);
                let body = fields.last().map_or(self.row + 1, |field| field.end);
                self.row = end;
                if reading(name) == Reading::ListTable {
                    self.list_table(body, end, header);
                } else {
                    let titles = self.option(&fields, "header");
                    let delimiter = self.option(&fields, "delim").map_or("", |v| v.of(self.text));
                    self.csv_table((body, end), header, titles, delimiter);
                }
            }
            Reading::Toctree => {
                let body = self.fields(self.row + 1, at.column).last().map_or(self.row + 1, |field| field.end);
                for row in body..end {
                    self.entry(row);
                }
                self.row = end;
            }
            Reading::File => {
                let body = self.fields(self.row + 1, at.column).last().map_or(self.row + 1, |field| field.end);
                let region = self.file(at, name, argument);
                self.enter(region, at.column);
                self.row = body;
            }
            Reading::Prose => self.prose(at, name, argument),
            Reading::Version if words.contains(' ') => self.prose(at, name, argument),
            Reading::Version => {
                let region = self.named(at, name, argument, true);
                self.enter(region, at.column);
                self.row += 1;
            }
            Reading::Named => self.object(at, name, argument),
        }
    }

    fn code(&mut self, at: At<'t>, lang: &str, end: usize) {
        let fields = self.fields(self.row + 1, at.column);
        let mut first = fields.last().map_or(self.row + 1, |field| field.end);
        let meta: Vec<&str> = fields.iter().map(|f| self.span_to(f.name.start, f.end).of(self.text)).collect();
        let meta = meta.join(" ");
        while first < end && self.is_blank(first) {
            first += 1;
        }
        if first < end {
            let content = self.rows_span(first, end);
            let span = ByteSpan::new(at.start, content.end);
            self.outline.push(RegionKind::CodeBlock { lang: lang.to_owned(), meta, content }, span, Vec::new());
        }
        self.row = end.max(self.row + 1);
    }

    /// A region for the directive's own line.
    fn named(&mut self, at: At<'t>, name: &str, argument: ByteSpan, is_prose: bool) -> Option<usize> {
        let marks = if is_prose { inline::marks(self.text, argument, &self.targets) } else { Vec::new() };
        let span = ByteSpan::new(at.start, at.start + at.rest.len());
        self.outline.push(RegionKind::Directive { name: name.to_owned(), argument, prose: is_prose }, span, marks)
    }

    fn file(&mut self, at: At<'t>, name: &str, argument: ByteSpan) -> Option<usize> {
        let target = argument.of(self.text).to_owned();
        let span = ByteSpan::new(at.start, at.start + at.rest.len());
        let marks = if target.is_empty() { Vec::new() } else { vec![Mark { kind: MarkKind::Link { target }, span: argument }] };
        self.outline.push(RegionKind::Directive { name: name.to_owned(), argument, prose: false }, span, marks)
    }

    /// An admonition: the first paragraph is its argument, also where it goes on in the next lines.
    fn prose(&mut self, at: At<'t>, name: &str, argument: ByteSpan) {
        let mut end = self.row + 1;
        if !argument.is_empty() {
            while !self.is_blank(end) && self.indent(end) > at.column && syntax::field(self.line(end).trim()).is_none() {
                end += 1;
            }
        }
        let argument = if argument.is_empty() { argument } else { self.span_to(argument.start, end) };
        let marks = inline::marks(self.text, argument, &self.targets);
        let span = ByteSpan::new(at.start, argument.end.max(at.start + at.rest.len()));
        let kind = RegionKind::Directive { name: name.to_owned(), argument, prose: true };
        let region = self.outline.push(kind, span, marks);
        self.enter(region, at.column);
        self.row = self.fields(end, at.column).last().map_or(end, |field| field.end);
    }

    /// A directive that names something. Further signatures stand below the first, aligned with it; options are items
    /// beneath it, for they may state values (`:default:`).
    fn object(&mut self, at: At<'t>, name: &str, argument: ByteSpan) {
        let region = self.named(at, name, argument, false);
        self.enter(region, at.column);
        let column = argument.start - self.lines[self.row].start;
        self.row += 1;
        while !argument.is_empty() && !self.is_blank(self.row) && self.indent(self.row) == column {
            let span = lines::trimmed(self.text, self.lines[self.row].span());
            let kind = RegionKind::Directive { name: name.to_owned(), argument: span, prose: false };
            let region = self.outline.push(kind, span, Vec::new());
            self.enter(region, at.column);
            self.row += 1;
        }
        for field in self.fields(self.row, at.column) {
            if field.value.is_empty() {
                self.row = field.end;
                continue;
            }
            let span = self.span_to(field.name.start, field.end);
            let marks = inline::marks(self.text, field.value, &self.targets);
            self.outline.push(RegionKind::ListItem, span, marks);
            self.row = field.end;
        }
    }

    /// One entry of a toctree: `path` or `title <path>`.
    fn entry(&mut self, row: usize) {
        let Some(line) = self.lines.get(row) else { return };
        let span = lines::trimmed(self.text, line.span());
        let words = span.of(self.text);
        if words.is_empty() || words.starts_with("..") {
            return;
        }
        let argument = match words.strip_suffix('>').and_then(|rest| rest.rfind('<')) {
            Some(open) => ByteSpan::new(span.start + open + 1, span.end - 1),
            None => span,
        };
        self.outline.push(RegionKind::Directive { name: "toctree".to_owned(), argument, prose: false }, span, Vec::new());
    }

    /// The options of a directive: fields from `first` on, without a blank line between.
    fn fields(&self, first: usize, outer: usize) -> Vec<Field> {
        let mut out = Vec::new();
        let mut row = first;
        while !self.is_blank(row) && self.indent(row) > outer {
            let line = self.lines[row];
            let content = line.of(self.text);
            let start = line.start + (content.len() - content.trim_start().len());
            let Some(length) = syntax::field(content.trim()) else { break };
            let mut end = row + 1;
            while !self.is_blank(end) && self.indent(end) > self.indent(row) {
                end += 1;
            }
            let name = ByteSpan::new(start, start + length);
            out.push(Field { first: row, end, name, value: self.span_to(name.end, end) });
            row = end;
        }
        out
    }

    fn option(&self, fields: &[Field], name: &str) -> Option<ByteSpan> {
        fields
            .iter()
            .find(|field| field.first < field.end && field.name.of(self.text).trim_matches(':') == name)
            .map(|field| field.value)
    }
}
