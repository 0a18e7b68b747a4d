//! Types of Go without the names that callers never write: a parameter or result is known by its place alone.

/// A type with the names of parameters and results left out: `(n int, err error)` is `(int, error)`.
pub fn unnamed(text: &str) -> String {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("func(") {
        let (list, behind) = closed(rest);
        return format!("func({}) {}", types(list).join(", "), unnamed(behind)).trim_end().to_owned();
    }
    match text.strip_prefix('(') {
        Some(rest) => {
            let (list, behind) = closed(rest);
            format!("({}){behind}", types(list).join(", "))
        }
        None => text.to_owned(),
    }
}

/// What stands up to the bracket that closes, and what is behind it.
fn closed(text: &str) -> (&str, &str) {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => return (&text[..at], &text[at + 1..]),
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (text, "")
}

/// The types of a list in order. Where one item has a name, all have: `a, b int` is two of `int`.
fn types(list: &str) -> Vec<String> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(list[start..].trim());
    items.retain(|item| !item.is_empty());
    if !items.iter().any(|item| behind_name(item).is_some()) {
        return items.into_iter().map(unnamed).collect();
    }
    let mut out: Vec<String> = Vec::new();
    let mut last = String::new();
    for item in items.into_iter().rev() {
        if let Some(kind) = behind_name(item) {
            last = unnamed(kind);
        }
        out.push(last.clone());
    }
    out.reverse();
    out
}

/// The type of an item that begins with a name.
fn behind_name(item: &str) -> Option<&str> {
    let (name, kind) = item.split_once(' ')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !matches!(name, "chan" | "func" | "struct" | "interface" | "map")).then_some(kind.trim())
}

#[cfg(test)]
mod tests {
    use super::unnamed;

    #[test]
    fn leaves_names_out() {
        for (text, expected) in [
            ("(deadline time.Time, ok bool)", "(time.Time, bool)"),
            ("(time.Time, bool)", "(time.Time, bool)"),
            ("func(c fiber.Ctx, key string) (bool, error)", "func(fiber.Ctx, string) (bool, error)"),
            ("func(a, b int, f func(x int) error)", "func(int, int, func(int) error)"),
            ("chan int", "chan int"),
            ("(chan int, error)", "(chan int, error)"),
            ("map[string]int", "map[string]int"),
            ("func(", "func()"),
            ("", ""),
        ] {
            assert_eq!(unnamed(text), expected, "{text}");
        }
    }
}
