//! Flags of C programs: tables for `getopt_long`, tables of option macros (`{"name", OPT_INT(field)}`), and literals that are
//! compared with `argv`. Read as text: such tables stand inside macros that no C grammar resolves.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::declared::{Flag, is_flag};
use crate::facts::written::{Written, negate, number, unescape};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};

/// Option tables and comparisons of C.
pub struct COptions;

/// Longest row of a table that is read.
const MAX_ROW: usize = 4_000;

/// `{"name", KIND` and the name of a macro or constant.
static ROW: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\{\s*"([A-Za-z0-9][A-Za-z0-9_.*-]*)"\s*,\s*([A-Za-z_][A-Za-z0-9_]*|[012])"#).ok());

/// `.field = value,`
static FIELD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*\.([A-Za-z_][A-Za-z0-9_.]*)\s*=\s*([^,{}\n]+),").ok());

/// A value of an option's choices.
static CHOICE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"\{\s*"([^"\n]*)"\s*,\s*([^{}\n]*?)\s*\}"#).ok());

/// A call that compares with a flag.
static COMPARED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"\b[A-Za-z_]*(?:str[a-z]*cmp|streq|equals?[0-9]?|matches|prefix|startswith|starts_with)\s*\(([^()"\n]*(?:\[[^\]\n]*\])?[^()"\n]*)"(--?[A-Za-z][A-Za-z0-9_-]*)(=?)"([^()\n]*)\)"#)
        .ok()
});

impl Extractor for COptions {
    fn name(&self) -> &'static str {
        "c-options"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.extension(), "c" | "h")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        let has = |hint: &str| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some();
        if ["OPT_", "_argument", "ARG_", "getopt"].iter().any(|hint| has(hint)) {
            tables(text, sink);
        }
        if has("\"-") && (has("arg") || has("ARG")) {
            compared(text, sink);
        }
    }
}

fn tables(text: &str, sink: &mut FactSink<'_>) {
    let Some(row) = ROW.as_ref() else { return };
    let defaults = defaults(text);
    let mut flags: Vec<(Flag, ByteSpan)> = Vec::new();
    let mut aliases: Vec<(String, String, ByteSpan)> = Vec::new();
    for found in row.captures_iter(text) {
        let (Some(whole), Some(name), Some(kind)) = (found.get(0), found.get(1), found.get(2)) else { continue };
        let body = balanced(&text[whole.start()..]);
        let span = ByteSpan::new(whole.start(), whole.start() + body.len());
        let (name, kind) = (name.as_str(), kind.as_str());
        let rest = body.get(whole.len()..).unwrap_or_default();
        if kind.starts_with("OPT_REPLACED") || kind.starts_with("OPT_ALIAS") {
            let target = rest.split('"').nth(1).unwrap_or_default();
            aliases.push((format!("--{target}"), format!("--{name}"), span));
        } else if let Some(flag) = read_row(name, kind, rest, &defaults) {
            flags.push((flag, span));
        }
    }
    for (target, alias, span) in aliases {
        match flags.iter_mut().find(|(flag, _)| flag.spellings.first() == Some(&target)) {
            Some((flag, _)) => flag.spellings.push(alias),
            // Its target stands in another file; the name is accepted all the same.
            None => flags.push((Flag { spellings: vec![alias], ..Flag::default() }, span)),
        }
    }
    for (flag, span) in flags {
        flag.record("", span, span.of(text), sink);
    }
}

/// One row behind its kind.
fn read_row(name: &str, kind: &str, rest: &str, defaults: &BTreeMap<&str, Option<Written>>) -> Option<Flag> {
    let mut flag = Flag { spellings: vec![format!("--{name}")], ..Flag::default() };
    match kind {
        "no_argument" | "0" | "required_argument" | "1" | "optional_argument" | "2" => {
            // `{name, has_arg, flag, val}`
            let parts: Vec<&str> = rest.trim_start_matches([',', ' ']).trim_end_matches(['}', ' ']).split(',').collect();
            if !matches!(parts.len(), 2 | 3) {
                return None;
            }
            flag.takes_value = Some(!matches!(kind, "no_argument" | "0"));
            flag.spellings.extend(short(parts.get(1).copied().unwrap_or_default()));
        }
        _ if kind.starts_with("ARG_") => {
            flag.takes_value = Some(!matches!(kind, "ARG_NONE" | "ARG_BOOL"));
            flag.spellings.extend(short(rest.split(',').nth(1).unwrap_or_default()));
            if kind == "ARG_BOOL" {
                flag.spellings.push(format!("--no-{name}"));
            }
        }
        "OPT_REMOVED" => return None,
        _ if kind.starts_with("OPT_") => {
            let is_switch = ["OPT_BOOL", "OPT_FLAG", "OPT_PRINT", "OPT_SUBSTRUCT"].iter().any(|k| kind.starts_with(k));
            if kind.starts_with("OPT_SUBSTRUCT") {
                return None;
            }
            flag.takes_value = Some(!is_switch);
            let inside = rest.trim_start().strip_prefix('(').unwrap_or_default();
            let field = inside.split([',', ')']).next().unwrap_or_default().trim();
            flag.default = defaults.get(field).cloned().flatten();
            flag.multiple = kind.contains("LIST");
            if let Some(choice) = CHOICE.as_ref().filter(|_| kind.starts_with("OPT_CHOICE") || kind.starts_with("OPT_FLAGS")) {
                for (name, value) in choice.captures_iter(inside).filter_map(|c| Some((c.get(1)?.as_str(), c.get(2)?.as_str()))) {
                    flag.choices.push(name.into());
                    // A choice is set by its number and given by its name.
                    if literal(value).is_some_and(|value| flag.default.as_ref() == Some(&value)) {
                        flag.default = Some(Written::Literal(name.into()));
                    }
                }
            }
        }
        _ => return None,
    }
    Some(flag)
}

/// `-p` of `'p'`.
fn short(text: &str) -> Option<String> {
    let mut chars = text.trim().strip_prefix('\'')?.chars();
    let letter = chars.next().filter(|c| c.is_ascii_alphanumeric() || *c == '#')?;
    (chars.next() == Some('\'')).then(|| format!("-{letter}"))
}

/// The literals that fields are set to, by the field's name; a field that is set in several ways has none.
fn defaults(text: &str) -> BTreeMap<&str, Option<Written>> {
    let mut out = BTreeMap::new();
    let Some(field) = FIELD.as_ref() else { return out };
    for found in field.captures_iter(text) {
        let (Some(name), Some(value)) = (found.get(1), found.get(2)) else { continue };
        let written = literal(value.as_str().trim());
        out.entry(name.as_str())
            .and_modify(|known| {
                if *known != written {
                    *known = None;
                }
            })
            .or_insert(written);
    }
    out
}

fn literal(text: &str) -> Option<Written> {
    let quoted = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')).filter(|t| !t.contains('"'));
    let value = match (text, quoted) {
        ("true", _) => true.into(),
        ("false", _) => false.into(),
        ("NULL", _) => Value::Null,
        (_, Some(inside)) => unescape(inside).into(),
        _ => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let is_number = digits.starts_with(|c: char| c.is_ascii_digit()) && !digits.contains([' ', '*', '+', '(']);
            let value = is_number.then(|| number(digits)).flatten()?;
            if text.starts_with('-') { negate(&value)? } else { value }
        }
    };
    Some(Written::Literal(value))
}

/// The text from an opening brace to the one that closes it; brackets in strings do not count.
fn balanced(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut quote: Option<u8> = None;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().take(MAX_ROW) {
        if let Some(open) = quote {
            if escaped {
                escaped = false;
            } else if byte == b'\\' {
                escaped = true;
            } else if byte == open {
                quote = None;
            }
            continue;
        }
        match byte {
            b'"' | b'\'' => quote = Some(byte),
            b'{' | b'(' => depth += 1,
            b'}' | b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return &text[..=at];
                }
            }
            _ => {}
        }
    }
    text.lines().next().unwrap_or_default()
}

fn compared(text: &str, sink: &mut FactSink<'_>) {
    let Some(compared) = COMPARED.as_ref() else { return };
    let mut seen = std::collections::BTreeSet::new();
    for found in compared.captures_iter(text) {
        let (Some(before), Some(name), Some(value), Some(after)) = (found.get(1), found.get(2), found.get(3), found.get(4))
        else {
            continue;
        };
        let is_word = [before.as_str(), after.as_str()].iter().any(|side| side.to_ascii_lowercase().contains("arg"));
        if is_word && is_flag(name.as_str()) && seen.insert(name.as_str()) {
            let takes_value = (!value.as_str().is_empty()).then_some(true);
            let flag = Flag { spellings: vec![name.as_str().to_owned()], takes_value, ..Flag::default() };
            flag.record("", ByteSpan::new(name.start(), name.end()), "", sink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_tables() {
        checking::check(
            &COptions,
            "src/tool.c",
            r#"
static const struct option longopts[] = {
    {"help", no_argument, NULL, 'h'},
    {"output", required_argument, NULL, 'o'},
    {"level", 2, 0, 1},
    {0, 0, 0, 0}
};
static const struct LongShort aliases[] = {
  {"abstract-unix-socket", ARG_FILE, ' ', C_ABSTRACT},
  {"append",               ARG_BOOL, 'a', C_APPEND},
};
const m_option_t opts[] = {
    {"volume", OPT_FLOAT(softvol_volume), .flags = UPDATE_VOL, M_RANGE(-1, 1000)},
    {"mute", OPT_BOOL(softvol_mute)},
    {"fit", OPT_CHOICE(fit, {"no", 0},
        {"yes", 1})},
    {"old-volume", OPT_REPLACED("volume")},
    {"gone", OPT_REMOVED("x")},
    {"", OPT_SUBSTRUCT(sub, sub_opts)},
};
const struct opts defaults = {
    .softvol_volume = 100,
    .softvol_mute = false,
    .fit = 1,
};
"#,
            &[
                r#"cli-flag [tool] --help {"takesValue":false} = -h"#,
                r#"cli-flag [tool] --output {"takesValue":true} = -o"#,
                r#"cli-flag [tool] --level {"takesValue":true}"#,
                r#"cli-flag [tool] --abstract-unix-socket {"takesValue":true}"#,
                r#"cli-flag [tool] --append {"takesValue":false} = -a --no-append"#,
                r#"cli-flag [tool] --volume {"takesValue":true,"default":100} = --old-volume"#,
                r#"cli-flag [tool] --mute {"takesValue":false,"default":false}"#,
                r#"cli-flag [tool] --fit {"takesValue":true,"default":"yes","choices":["no","yes"]}"#,
            ],
        );
    }

    #[test]
    fn reads_comparisons() {
        checking::check(
            &COptions,
            "src/tool.c",
            "int main() { if (!strcmp(argv[1], \"--verbose\")) {} if (strncmp(\"--out=\", arg, 6)) {} if (!strcmp(name, \"--no\")) {} }\n",
            &[r"cli-flag [tool] --verbose {}", r#"cli-flag [tool] --out {"takesValue":true}"#],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(
            &COptions,
            "a.c",
            "{\"é\", OPT_INT(x)}, {\"a\", OPT_CHOICE(b, {\"c\", 0})}, {\"d\", no_argument, 0, 'é'},\n .x = \"\\\",\nstrcmp(arg, \"--é\")\n",
        );
    }
}
