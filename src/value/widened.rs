//! Types that take all that another one takes: a union with one more part, `Optional`, a trait in place of its commonest type.

/// Whether a parameter of the second type takes every argument that one of the first took.
pub fn is_widened(before: &str, after: &str) -> bool {
    if before.is_empty() || after.is_empty() || before == after {
        return false;
    }
    let (old, new) = (parts(before), parts(after));
    let takes_all = matches!(after, "any" | "Any" | "unknown" | "object" | "interface{}" | "typing.Any");
    takes_all || old.iter().all(|part| new.iter().any(|n| n == part || is_trait_of(n, part)))
}

/// The parts of a union: `A | B`, `Union[A, B]`, `Optional[A]`.
fn parts(text: &str) -> Vec<String> {
    let text = text.trim().trim_start_matches("typing.");
    if let Some(inner) = text.strip_prefix("Optional[").and_then(|t| t.strip_suffix(']')) {
        let mut out = parts(inner);
        out.push("None".to_owned());
        return out;
    }
    if let Some(inner) = text.strip_prefix("Union[").and_then(|t| t.strip_suffix(']')) {
        return split(inner, ',');
    }
    split(text, '|')
}

fn split(text: &str, separator: char) -> Vec<String> {
    let mut out = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if matches!(previous, '=' | '-') => {}
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ if c == separator && depth == 0 => {
                out.push(text[start..at].trim().to_owned());
                start = at + c.len_utf8();
            }
            _ => {}
        }
        previous = c;
    }
    out.push(text[start..].trim().to_owned());
    out.retain(|part| !part.is_empty());
    out
}

/// The standard conversions of Rust that keep every call right.
fn is_trait_of(wide: &str, narrow: &str) -> bool {
    matches!(
        (wide, narrow),
        ("impl AsRef<str>" | "impl Into<String>", "&str" | "String" | "&String")
            | ("impl AsRef<Path>" | "impl Into<PathBuf>", "&Path" | "PathBuf" | "&PathBuf")
    ) || wide.strip_prefix("impl Into<").and_then(|t| t.strip_suffix('>')) == Some(narrow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widens() {
        for (before, after, expected) in [
            ("string", "string | number", true),
            ("string | number", "number | string | Date", true),
            ("string | number", "string", false),
            ("str", "Optional[str]", true),
            ("str", "str | None", true),
            ("Optional[str]", "Union[str, int, None]", true),
            ("Union[str, int]", "str", false),
            ("&str", "impl AsRef<str>", true),
            ("Config", "impl Into<Config>", true),
            ("String", "Option<String>", false),
            ("int", "interface{}", true),
            ("(a: A | B) => C", "(a: A) => C", false),
            ("A<B | C>", "A<B>", false),
            ("string", "number", false),
        ] {
            assert_eq!(is_widened(before, after), expected, "{before} -> {after}");
        }
    }
}
