//! JSX and ESM of MDX. Lines that hold nothing but tags, `import`/`export` statements and `{/* comments */}` are taken
//! out as raw regions, and what JSX elements indent is moved back, so that the Markdown between them is read as such.

use super::super::html;
use super::super::lines::{self, Line};
use super::prepare::{Edit, Fence, Raw};
use crate::model::{ByteSpan, Mark, MarkKind};

/// Longest statement that is followed over lines.
const MAX_STATEMENT_LINES: usize = 500;

/// One open element.
struct Element {
    /// Indent of the line with its tag.
    indent: usize,
    /// Columns its content is moved back by; known from the first line of the content.
    shift: Option<usize>,
}

/// What happens to each line, and what was taken out.
pub(super) fn take_out(text: &str, all: &[Line]) -> (Vec<Edit>, Vec<Raw>) {
    let mut edits = vec![Edit::default(); all.len()];
    let mut raw = Vec::new();
    let mut elements: Vec<Element> = Vec::new();
    let mut fence = Fence::default();
    let mut patience = text.len().saturating_mul(4);
    // Lines that may be looked at in vain for the end of a statement.
    let mut lines_left = all.len().saturating_mul(4);
    let mut after_blank = true;
    let mut row = 0;
    while row < all.len() {
        let line = all[row];
        let content = line.of(text);
        let strip = shift_for(&mut elements, content);
        edits[row].strip = strip;
        if fence.step(content) || content.trim().is_empty() {
            after_blank = content.trim().is_empty();
            row += 1;
            continue;
        }
        let limit = if patience > 0 { html::LONGEST_TAG } else { html::SHORT_TAG };
        let taken = if after_blank && elements.is_empty() { statement(text, all, row, &mut lines_left) } else { None }
            .or_else(|| comment(text, all, row))
            .or_else(|| tags(text, all, row, limit, &mut patience, &mut elements));
        if let Some((rows, marks)) = taken {
            for edit in &mut edits[row..row + rows] {
                edit.blank = true;
            }
            let span = ByteSpan::new(line.start, all[row + rows - 1].end);
            raw.push(Raw { span, marks });
            row += rows;
            after_blank = true;
        } else {
            after_blank = false;
            row += 1;
        }
    }
    (edits, raw)
}

/// Columns to take away from a line of content; sets the shift of elements that saw no content yet.
fn shift_for(elements: &mut [Element], content: &str) -> usize {
    if content.trim().is_empty() {
        return 0;
    }
    let indent = lines::indent(content, 4);
    let outer: usize = elements.iter().filter_map(|e| e.shift).sum();
    let is_tag = content.trim_start().starts_with("</");
    match elements.last_mut() {
        Some(Element { indent: opener, shift: shift @ None }) if !is_tag => {
            let own = indent.saturating_sub(*opener);
            *shift = Some(own);
            outer + own
        }
        _ => outer,
    }
}

type Taken = (usize, Vec<Mark>);

/// `import` and `export`, to the next blank line outside of brackets.
fn statement(text: &str, all: &[Line], row: usize, lines_left: &mut usize) -> Option<Taken> {
    let first = all[row].of(text);
    let word = first.split(|c: char| !c.is_ascii_alphabetic()).next()?;
    let after = &first[word.len()..];
    if !matches!(word, "import" | "export") || !after.starts_with([' ', '{', '\t', '"', '\'', '*']) {
        return None;
    }
    let is_code = match word {
        "import" => after.contains(['"', '\'', '{']) || after.contains(" from") || after.trim_end().ends_with(','),
        _ => ["const ", "let ", "var ", "function", "default ", "class ", "async ", "type ", "interface ", "{", "*"]
            .iter()
            .any(|start| after.trim_start().starts_with(start)),
    };
    if !is_code {
        return None;
    }
    let mut marks = Vec::new();
    let mut depth = 0i32;
    let mut rows = 0;
    for line in all[row..].iter().take(MAX_STATEMENT_LINES.min(*lines_left)) {
        let content = line.of(text);
        if content.trim().is_empty() && depth <= 0 {
            break;
        }
        for byte in content.bytes() {
            match byte {
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => depth -= 1,
                _ => {}
            }
        }
        marks.extend(module_path(text, *line));
        rows += 1;
    }
    // Brackets that never close: the statement is its first paragraph.
    if depth > 0 || rows == 0 {
        *lines_left = lines_left.saturating_sub(rows);
        rows = all[row..].iter().take_while(|line| !line.of(text).trim().is_empty()).count().min(MAX_STATEMENT_LINES);
        let end = all[row + rows - 1].end;
        marks.retain(|mark| mark.span.end <= end);
    }
    Some((rows, marks))
}

/// The relative module a line of an import or export names.
fn module_path(text: &str, line: Line) -> Option<Mark> {
    let content = line.of(text);
    let at = content.find(" from ").map(|at| at + 6).or_else(|| {
        let trimmed = content.trim_start();
        let rest = trimmed.strip_prefix("import ").or_else(|| trimmed.strip_prefix("} from "))?;
        Some(content.len() - rest.len())
    })?;
    let rest = content[at..].trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let target = rest[1..].split(quote).next()?;
    if !target.starts_with(['.', '/', '@']) {
        return None;
    }
    let span = lines::trimmed(text, line.span());
    Some(Mark { kind: MarkKind::Link { target: target.to_owned() }, span })
        .filter(|_| target.starts_with(['.', '/']) || target.starts_with("@site/"))
}

/// `{/* … */}` that begins a line and ends one.
fn comment(text: &str, all: &[Line], row: usize) -> Option<Taken> {
    let first = all[row].of(text).trim_start();
    if !first.starts_with("{/*") {
        return None;
    }
    all[row..]
        .iter()
        .take(MAX_STATEMENT_LINES)
        .position(|line| line.of(text).trim_end().ends_with("*/}"))
        .map(|last| (last + 1, Vec::new()))
}

/// Lines that hold tags and nothing else; opens and closes elements.
fn tags(text: &str, all: &[Line], row: usize, limit: usize, patience: &mut usize, elements: &mut Vec<Element>) -> Option<Taken> {
    let first = all[row].of(text);
    let mut at = all[row].start + (first.len() - first.trim_start().len());
    let mut last = row;
    let mut opened = 0usize;
    let mut closed = 0usize;
    let start = at;
    loop {
        if text.as_bytes().get(at) != Some(&b'<') {
            return None;
        }
        let tag = match html::tag_at(text, at, limit) {
            Ok(tag) => tag,
            Err(looked) => {
                *patience = patience.saturating_sub(looked);
                return None;
            }
        };
        if tag.closing {
            if opened > 0 {
                opened -= 1;
            } else {
                closed += 1;
            }
        } else if !tag.empty && !is_void(tag.name) {
            opened += 1;
        }
        while all[last].next < tag.span.end {
            last += 1;
        }
        let rest = text.get(tag.span.end..all[last].end).unwrap_or("");
        let blanks = rest.len() - rest.trim_start().len();
        at = tag.span.end + blanks;
        if blanks == rest.len() {
            break;
        }
    }
    elements.truncate(elements.len().saturating_sub(closed));
    let indent = lines::indent(first, 4);
    for _ in 0..opened.min(64usize.saturating_sub(elements.len())) {
        elements.push(Element { indent, shift: None });
    }
    // Only the innermost of several elements on one line sees the content's indent.
    let inner = elements.len().saturating_sub(1);
    for element in elements.iter_mut().take(inner) {
        element.shift = element.shift.or(Some(0));
    }
    Some((last - row + 1, html::marks(text, ByteSpan::new(start, all[last].end))))
}

fn is_void(name: &str) -> bool {
    matches!(name, "br" | "hr" | "img" | "input" | "source" | "link" | "meta" | "col" | "wbr" | "area" | "embed" | "track")
}
