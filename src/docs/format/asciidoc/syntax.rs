//! How lines of `AsciiDoc` begin. Everything here looks at one line without blanks at its end.

/// Level and words of a heading (`== Words`).
pub(super) fn heading(line: &str) -> Option<(u8, &str)> {
    let mark = line.chars().next().filter(|c| matches!(c, '=' | '#'))?;
    let level = line.chars().take_while(|c| *c == mark).count();
    let words = line.get(level..)?.strip_prefix([' ', '\t'])?.trim();
    let level = u8::try_from(level).ok().filter(|level| *level <= 6)?;
    (!words.is_empty()).then_some((level, words))
}

/// Level of a two-line heading, by the line under it; the lengths may differ by one.
pub(super) fn underline(title: &str, under: &str) -> Option<u8> {
    let mark = under.bytes().next()?;
    let level = match mark {
        b'=' => 1,
        b'-' => 2,
        b'~' => 3,
        b'^' => 4,
        b'+' => 5,
        _ => return None,
    };
    let fits = under.len() >= 3
        && under.bytes().all(|b| b == mark)
        && under.len().abs_diff(title.chars().count()) <= 1
        && title.contains(char::is_alphanumeric);
    fits.then_some(level)
}

/// What a delimiter line opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimiter {
    /// `----`, `....` and fences.
    Verbatim,
    /// `====`, `****`, `____`, `--`.
    Transparent,
    /// `++++`.
    Pass,
    /// `////`.
    Comment,
    /// `|===`, `,===`, `:===`.
    Table,
}

/// Reads a delimiter line.
pub(super) fn delimiter(line: &str) -> Option<Delimiter> {
    if line == "--" {
        return Some(Delimiter::Transparent);
    }
    if line.starts_with("```") && !line[3..].contains('`') {
        return Some(Delimiter::Verbatim);
    }
    if line.len() >= 4 && line.starts_with(['|', ',', ':']) && line[1..].bytes().all(|b| b == b'=') {
        return Some(Delimiter::Table);
    }
    let mark = line.bytes().next()?;
    if line.len() < 4 || !line.bytes().all(|b| b == mark) {
        return None;
    }
    match mark {
        b'-' | b'.' => Some(Delimiter::Verbatim),
        b'=' | b'*' | b'_' => Some(Delimiter::Transparent),
        b'+' => Some(Delimiter::Pass),
        b'/' => Some(Delimiter::Comment),
        _ => None,
    }
}

/// Marker of a list item and how many bytes it takes with the blanks after it: `**`, `.`, `1.`, `<1>`.
pub(super) fn item(line: &str) -> Option<(String, usize)> {
    let first = line.chars().next()?;
    let count = line.chars().take_while(|c| *c == first).count();
    let (marker, end) = match first {
        '*' | '.' | '-' | '•' => {
            if first == '-' && count > 1 {
                return None;
            }
            (first.to_string().repeat(count), count * first.len_utf8())
        }
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            if digits > 9 || line.as_bytes().get(digits) != Some(&b'.') {
                return None;
            }
            ("1.".to_owned(), digits + 1)
        }
        'a'..='z' | 'A'..='Z' if line.as_bytes().get(1) == Some(&b'.') => ("a.".to_owned(), 2),
        '<' => {
            let close = line.bytes().take(6).position(|b| b == b'>')?;
            if !line[1..close].bytes().all(|b| b.is_ascii_digit() || b == b'.') || close < 2 {
                return None;
            }
            ("<1>".to_owned(), close + 1)
        }
        _ => return None,
    };
    let after = line.get(end..)?;
    let words = after.trim_start();
    (after.len() > words.len() && !words.is_empty()).then(|| (marker, line.len() - words.len()))
}

/// Term of a description list: its marker, bytes of the term, and where its text begins.
pub(super) fn term(line: &str) -> Option<(&str, usize, usize)> {
    let bytes = line.as_bytes();
    let mut at = 1;
    while let Some(found) = line.get(at..).and_then(|rest| rest.find([':', ';'])).map(|f| at + f) {
        let mark = bytes[found];
        let count = bytes[found..].iter().take_while(|b| **b == mark).count();
        let end = found + count;
        let fits = if mark == b':' { (2..=4).contains(&count) } else { count == 2 };
        if fits && bytes.get(end).is_none_or(|b| matches!(b, b' ' | b'\t')) && !line[..found].ends_with(' ') {
            let rest = &line[end..];
            return Some((&line[found..end], end, line.len() - rest.trim_start().len()));
        }
        at = end;
    }
    None
}

/// A macro that is a line of its own: name, target, and what stands in the brackets.
pub(super) fn block_macro(line: &str) -> Option<(&str, &str, &str)> {
    let at = line.find("::")?;
    let name = &line[..at];
    let rest = line[at + 2..].strip_suffix(']')?;
    let open = rest.find('[')?;
    let target = &rest[..open];
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    (is_name && !target.starts_with([' ', '\t', ':'])).then(|| (name, target, &rest[open + 1..]))
}

/// An attribute entry: `:name: value`, `:!name:`.
pub(super) fn attribute(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(':')?;
    let end = rest.find(':')?;
    let name = &rest[..end];
    let after = &rest[end + 1..];
    let is_name = name.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '!' | '_'))
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'!'));
    (is_name && (after.is_empty() || after.starts_with([' ', '\t']))).then(|| (name, after.trim()))
}

/// Whether a line is a list of attributes for the next block.
pub(super) fn is_attribute_list(line: &str) -> bool {
    line.len() >= 2 && line.starts_with('[') && line.ends_with(']') && !line.starts_with("[ ") && !line.starts_with("[[[")
}

/// The attributes of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Attributes {
    /// First positional value without shorthand (`source`, `NOTE`).
    pub(super) style: String,
    /// Second positional value: the language of a listing.
    pub(super) second: String,
    /// What follows the language, as written.
    pub(super) rest: String,
    /// `cols`.
    pub(super) cols: Option<String>,
    /// Whether a header row is asked for; `Some(false)` where it is ruled out.
    pub(super) header: Option<bool>,
    /// `format` or `separator` of a table.
    pub(super) format: String,
}

impl Attributes {
    /// Takes the content of the brackets.
    pub(super) fn read(&mut self, list: &str) {
        if list.starts_with('[') {
            return;
        }
        let parts = split_list(list);
        let mut positional = 0;
        for part in &parts {
            if let Some((name, value)) = part.split_once('=').filter(|(name, _)| is_name(name.trim())) {
                let value = value.trim().trim_matches(['"', '\'']);
                match name.trim() {
                    "cols" => self.cols = Some(value.to_owned()),
                    "options" | "opts" => self.options(value),
                    "format" | "separator" => value.clone_into(&mut self.format),
                    "lang" | "language" => value.clone_into(&mut self.second),
                    _ => {}
                }
                continue;
            }
            let word = part.trim().trim_matches(['"', '\'']);
            match positional {
                0 => {
                    let end = word.find(['%', '#', '.']).unwrap_or(word.len());
                    if end > 0 {
                        word[..end].clone_into(&mut self.style);
                    }
                    word[end..].split(['%', '#', '.']).for_each(|option| self.options(option));
                }
                1 => word.clone_into(&mut self.second),
                _ => {}
            }
            positional += 1;
        }
        let rest: Vec<&str> = parts.iter().skip(2).map(|p| p.trim()).collect();
        self.rest = rest.join(", ");
    }

    fn options(&mut self, list: &str) {
        for option in list.split(',') {
            match option.trim() {
                "header" => self.header = Some(true),
                "noheader" => self.header = Some(false),
                _ => {}
            }
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// Splits at commas outside of quotes.
fn split_list(list: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut quote = None;
    let mut start = 0;
    for (at, byte) in list.bytes().enumerate() {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if byte == open => quote = None,
            (b',', None) => {
                out.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&list[start..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_beginnings() {
        assert_eq!(heading("== A b"), Some((2, "A b")));
        assert_eq!(heading("==A"), None);
        assert_eq!(underline("Title", "====="), Some(1));
        assert_eq!(underline("Title", "----------"), None);
        assert_eq!(delimiter("--"), Some(Delimiter::Transparent));
        assert_eq!(delimiter("|==="), Some(Delimiter::Table));
        assert_eq!(delimiter("---"), None);
        for (line, expected) in [
            ("** a", Some(("**", 3))),
            ("1. a", Some(("1.", 3))),
            ("<1> a", Some(("<1>", 4))),
            ("*bold* x", None),
            (". a", Some((".", 2))),
            ("...", None),
            ("-- a", None),
        ] {
            assert_eq!(item(line), expected.map(|(m, n): (&str, usize)| (m.to_owned(), n)), "{line}");
        }
        assert_eq!(term("a b:: c"), Some(("::", 5, 6)));
        assert_eq!(term("a::b"), None);
        assert_eq!(term("a::b;; c"), Some((";;", 6, 7)));
        assert_eq!(block_macro("image::a b.png[x,y]"), Some(("image", "a b.png", "x,y")));
        assert_eq!(attribute(":a-b: c"), Some(("a-b", "c")));
        assert_eq!(attribute(":a b: c"), None);
    }

    #[test]
    fn attribute_lists() {
        let read = |list: &str| {
            let mut attributes = Attributes::default();
            attributes.read(list);
            attributes
        };
        let a = read("source%nowrap, java , subs=\"a,b\", indent=0");
        assert_eq!((a.style.as_str(), a.second.as_str(), a.rest.as_str()), ("source", "java", "subs=\"a,b\", indent=0"));
        let a = read("cols=\"1,2a\", options=\"header,footer\"");
        assert_eq!((a.cols.as_deref(), a.header), (Some("1,2a"), Some(true)));
        let a = read("%header,cols=2*");
        assert_eq!((a.cols.as_deref(), a.header, a.style.as_str()), (Some("2*"), Some(true), ""));
        assert_eq!(read(",ruby").second, "ruby");
    }
}
