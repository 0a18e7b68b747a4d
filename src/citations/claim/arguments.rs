//! A parenthesised list behind a name, as a signature or a call writes it, in any of the languages.

use crate::model::ByteSpan;

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    /// The whole item, trimmed.
    pub(super) span: ByteSpan,
    /// The name it starts with or passes by: `path` of `path: str`, `path string`, `path="x"`, `path`.
    pub(super) name: Option<String>,
    /// What follows `=`.
    pub(super) value: Option<ByteSpan>,
    /// The item is spread (`*args`, `...rest`, `**kw`).
    pub(super) spread: bool,
    /// The item is nothing but an identifier, perhaps typed; no literal, call or operator.
    pub(super) plain: bool,
}

/// A list and what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) items: Vec<Argument>,
    /// From the opening to the closing parenthesis.
    pub(super) span: ByteSpan,
    /// The list was cut off or stands for more: `...`, `…`.
    pub(super) elided: bool,
}

/// Longest list that is read, in bytes.
const MAX_LENGTH: usize = 4_000;

/// The list that opens right behind a byte; type arguments between are skipped.
pub(super) fn after(text: &str, at: usize) -> Option<Arguments> {
    let mut open = at;
    let rest = text.get(at..)?;
    if let Some(generic) = rest.strip_prefix('<').or_else(|| rest.strip_prefix("::<")) {
        let close = generic.find('>')?;
        open = at + (rest.len() - generic.len()) + close + 1;
    }
    if text.as_bytes().get(open) != Some(&b'(') {
        return None;
    }
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut cuts = vec![open + 1];
    let mut close = None;
    for (i, c) in
        text.get(open..text.len().min(open + MAX_LENGTH).max(open)).or_else(|| text.get(open..))?.char_indices().take(MAX_LENGTH)
    {
        let here = open + i;
        if let Some(q) = quote {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == q || c == '\n' && q != '`' {
                quote = None;
            }
            continue;
        }
        match c {
            '"' => quote = Some(c),
            // A lifetime or an apostrophe opens no string.
            '\'' if text[here + 1..].chars().take(120).take_while(|c| *c != '\n').any(|c| c == '\'')
                && !text[here + 1..].starts_with("a ")
                && !text[here + 1..].starts_with("static") =>
            {
                quote = Some(c);
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    close = Some(here);
                    break;
                }
            }
            ',' if depth == 1 => cuts.push(here + 1),
            _ => {}
        }
    }
    let close = close?;
    let mut items = Vec::new();
    let mut elided = false;
    for (i, start) in cuts.iter().enumerate() {
        let end = cuts.get(i + 1).map_or(close, |next| next - 1);
        let raw = &text[*start..end];
        let lead = raw.len() - raw.trim_start().len();
        let item = strip_comments(raw.trim());
        if item.is_empty() {
            continue;
        }
        if matches!(item, "..." | "…" | "/* ... */") {
            elided = true;
            continue;
        }
        if matches!(item, "*" | "/") {
            continue;
        }
        items.push(read(item, start + lead));
    }
    Some(Arguments { items, span: ByteSpan::new(open, close + 1), elided })
}

fn strip_comments(item: &str) -> &str {
    let item = item.trim();
    match item.strip_prefix("//") {
        Some(rest) => rest.split_once('\n').map_or("", |(_, code)| code.trim()),
        None => item,
    }
}

fn read(item: &str, start: usize) -> Argument {
    let span = ByteSpan::new(start, start + item.len());
    let spread = item.starts_with('*') || item.starts_with("...") || item.starts_with('&') && item.contains("...");
    // Optional markers of usage lines: `[, options]`.
    let core = item.trim_start_matches(['*', '.', '&', '[', ' ', ',']);
    let core = core
        .strip_prefix("mut ")
        .or_else(|| core.strip_prefix("final "))
        .or_else(|| core.strip_prefix("readonly "))
        .unwrap_or(core);
    let first: String = core.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '$').collect();
    let behind = core[first.len()..].trim_start_matches(['?', ']']).trim_start();
    let begins = first.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
    let assignment = find_assignment(item);
    let value = assignment.map(|at| {
        let tail = &item[at + 1..];
        let lead = tail.len() - tail.trim_start().len();
        ByteSpan::new(start + at + 1 + lead, start + item.len())
    });
    let literal = matches!(
        first.as_str(),
        "true"
            | "false"
            | "None"
            | "null"
            | "nil"
            | "True"
            | "False"
            | "undefined"
            | "new"
            | "await"
            | "lambda"
            | "function"
            | "async"
    );
    let named = begins && !literal && (behind.is_empty() || behind.starts_with(':') || assignment.is_some() || is_typed(behind));
    let plain = named
        && (behind.is_empty()
            || behind.starts_with(':') && !behind.starts_with("::")
            || is_typed(behind)
            || assignment.is_some());
    Argument { span, name: named.then_some(first), value, spread, plain }
}

/// `path string`, `ctx context.Context`: a type follows the name.
fn is_typed(behind: &str) -> bool {
    behind.starts_with(|c: char| c.is_alphabetic() || matches!(c, '*' | '[')) && !behind.contains(['(', '+', '"', '\''])
}

fn find_assignment(item: &str) -> Option<usize> {
    let bytes = item.as_bytes();
    (0..bytes.len()).find(|&i| {
        bytes[i] == b'='
            && !matches!(bytes.get(i + 1), Some(b'=' | b'>'))
            && !matches!(i.checked_sub(1).map(|p| bytes[p]), Some(b'=' | b'!' | b'<' | b'>' | b':'))
            && !item[..i].contains(['(', '{', '"', '\''])
    })
}

/// Whether the text in front of a name on its line makes it a declaration.
pub(super) fn declares(before: &str) -> bool {
    let before = before.trim_end();
    let last = before.rsplit(|c: char| c.is_whitespace() || c == ')').next().unwrap_or("");
    matches!(
        last,
        "def"
            | "fn"
            | "func"
            | "function"
            | "fun"
            | "class"
            | "interface"
            | "type"
            | "struct"
            | "enum"
            | "declare"
            | "method"
            | "trait"
            | "sub"
    ) || before.starts_with("func (")
        || matches!(last, "public" | "static" | "void" | "async")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let at = text.find('(').or_else(|| text.find('<')).unwrap_or(0);
        let at = text.find('<').filter(|a| *a < at).unwrap_or(at);
        let found = after(text, at).map_or("none".to_owned(), |list| {
            let items: Vec<String> = list
                .items
                .iter()
                .map(|a| {
                    format!(
                        "{}{}{}{}",
                        if a.spread { "*" } else { "" },
                        a.name.as_deref().unwrap_or("-"),
                        if a.plain { "!" } else { "" },
                        a.value.map_or(String::new(), |v| format!("={}", v.of(text)))
                    )
                })
                .collect();
            format!("{}{}", items.join(" "), if list.elided { " ..." } else { "" })
        });
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn reads_lists() {
        check("f(path string) error", "path!");
        check("f(baseUrl: string, options?: Opts): S", "baseUrl! options!");
        check("f(\"a, b\", { x: 1, y: [2, 3] })", "- -");
        check("f(path, encoding=\"utf-8\", *, delimiter=\",\")", "path! encoding!=\"utf-8\" delimiter!=\",\"");
        check("f(buf: &[u8], n: usize) -> X", "buf! n!");
        check("f(a.b, g(c), *rest, ...)", "- - *rest! ...");
        check("f<T>(x: T)", "x!");
        check("f(plan, workers=2", "none");
        check("f()", "");
        check("f(x == 1, y => y + 1)", "- -");
    }
}
