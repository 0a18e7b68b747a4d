//! Configuration keys, settings fields and action inputs: by qualified name modulo case style, by a telling leaf, or by a
//! plain leaf whose owner is named above it (heading, parent item, table, example).

mod anchor;
mod block;

use anchor::{among_sibling_headings, anchored, in_table_of_siblings};
use block::in_fence;

use super::{Place, Project, Resolved};
use crate::model::{ByteSpan, Fact, FactKind, RegionKind, Visibility};
use crate::syntax::Grammar;
use crate::value::name;

pub(super) fn resolve(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    if place.is_hidden() || place.is_qualifier() || place.is_hyphenated() {
        return None;
    }
    if fact.kind == FactKind::ActionInput && (is_of_the_other_side(place, fact) || is_hidden_file(place)) {
        return None;
    }
    // Prose as a key (navigation, titles) is no setting that text could cite.
    if fact.name.contains(' ') {
        return None;
    }
    // A type is not its field: `BulkheadConfig` and `bulkheadConfig`.
    if is_type_name(place.word()) && fact.spellings().all(|s| !is_type_name(s.rsplit('.').next().unwrap_or(s))) {
        return None;
    }
    // `gitconfig` is a word of its own, not the key `git_config`.
    let words = name::words(place.word()).len();
    if words == 1 && spellings(fact).all(|s| s.last().is_some_and(|leaf| name::words(leaf).len() > 1)) {
        return None;
    }
    // `APPNAME` is a placeholder, not the field `AppName`.
    let shouted = !place.word().contains('_') && !place.word().chars().any(char::is_lowercase);
    if shouted && fact.leaf().chars().any(char::is_lowercase) {
        return None;
    }
    // `${X}` is a shell's variable, `SUB_FLOW` no field `subFlow`.
    let constant = place.word().contains('_') && !place.word().chars().any(char::is_lowercase);
    let camel = fact.spellings().all(|s| {
        let leaf = s.rsplit('.').next().unwrap_or(s);
        !leaf.contains(['_', '-']) && leaf.chars().any(char::is_lowercase)
    });
    if shouted_variable(place) || constant && camel {
        return None;
    }
    // The properties of styles and elements are those of CSS and HTML, whoever gives them a type.
    let container = fact.name.rsplit_once('.').map_or("", |(container, _)| container);
    if container
        .rsplit('.')
        .next()
        .is_some_and(|c| c.contains("CSS") || c.contains("HTML") || c.contains("SVG") || c.contains("Aria"))
    {
        return None;
    }
    // A struct of Go without tags is never read in another case style.
    let underscored = place.word().contains(['_', '-']) && !fact.leaf().contains(['_', '-']);
    if underscored && fact.path.extension() == "go" && fact.aliases.is_empty() {
        return None;
    }
    // `--x` is a flag's, `X=` an environment variable's.
    if place.before(place.span.start) == Some('-') && (place.code().is_some() || place.text()[..place.span.start].ends_with("--"))
    {
        return None;
    }
    // What code passes to a library is told by examples only; text about the option is about the library.
    if place.fence().is_none() && fact.is_value_only() {
        return None;
    }
    // What a class keeps to itself is no setting; of a settings class, a sample may show it all the same.
    if is_private_state(fact) {
        return None;
    }
    if let Some((lang, content)) = place.fence() {
        return in_fence(place, fact, project, lang, content);
    }
    let mut cited: Vec<String> = place.qualifiers().iter().map(|q| (*q).to_owned()).collect();
    if cited.first().is_some_and(String::is_empty) {
        cited.remove(0);
    }
    cited.push(place.word().to_owned());
    let form = place.form();
    let level = spellings(fact).filter_map(|s| matches(&cited, &s, fact)).max()?;
    if level != Match::Qualified && stands_under_another(place, container) {
        return None;
    }
    let accepted = match level {
        Match::Qualified => true,
        Match::TellingLeaf => visible_as_name(place, fact),
        Match::PlainLeaf => {
            visible_as_name(place, fact) && !within_command(place) && {
                anchored(place, fact)
                    || in_table_of_siblings(place, fact, project)
                    || among_sibling_headings(place, fact, project)
            }
        }
    };
    let exact = place.word() == fact.leaf() || fact.aliases.iter().any(|a| a.rsplit('.').next() == Some(place.word()));
    // Two spellings of a plain word mean two things; of a telling one, one. A key of a file is spelled as the file spells it.
    if (level == Match::PlainLeaf || fact.owner.starts_with("file:")) && !exact {
        return None;
    }
    accepted.then_some((place.span, form, exact && level == Match::Qualified))
}

/// Whether the headings above name another of the things that have such keys: `Tea/Lid` above a key of `Tea/Pot`.
fn stands_under_another(place: &Place<'_>, container: &str) -> bool {
    if !container.contains('/') {
        return false;
    }
    let own = name::fold(container);
    let mut named = place
        .scope_texts()
        .flat_map(str::split_whitespace)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|word| word.contains('/') && !word.contains(':'))
        .peekable();
    named.peek().is_some() && !named.any(|word| name::fold(word) == own)
}

fn shouted_variable(place: &Place<'_>) -> bool {
    let before = &place.text()[..place.span.start];
    (before.ends_with('$') || before.ends_with("${")) && !place.word().chars().any(char::is_lowercase)
}

/// Whether a key is a field that only its own module reads, of a type that does not hold settings.
fn is_private_state(fact: &Fact) -> bool {
    let Some((container, _)) = fact.name.rsplit_once('.') else { return false };
    fact.visibility == Visibility::Internal
        && fact.owner.starts_with("module:")
        && fact.aliases.is_empty()
        && !fact.is_value_only()
        && !name::holds_settings(container.rsplit('.').next().unwrap_or(container))
}

/// How well a cited name fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    PlainLeaf,
    TellingLeaf,
    Qualified,
}

fn spellings(fact: &Fact) -> impl Iterator<Item = Vec<String>> + '_ {
    fact.spellings().map(|s| name::segments(s).iter().map(|p| (*p).to_owned()).collect())
}

/// Compares from the last segment outwards. A cited qualifier that the fact does not have is a container the code does
/// not show (`settings.x`, `.Values.x`): then the fact's own segments must all fit.
fn matches(cited: &[String], own: &[String], fact: &Fact) -> Option<Match> {
    let equal = |a: &str, b: &str| name::fold(a) == name::fold(b);
    let (Some(c), Some(o)) = (cited.last(), own.last()) else { return None };
    if !equal(c, o) {
        return None;
    }
    let shared = cited
        .iter()
        .rev()
        .zip(own.iter().rev())
        .enumerate()
        .take_while(|(i, (a, b))| equal(a, b) || (*i > 0 && contains_alike(a, b)))
        .count();
    let whole = shared == cited.len().min(own.len());
    if cited.len() > 1 && !whole {
        // Another container than ours. A value of this leaf in another section is another key, unless the key belongs to a
        // type, whose name in the wire form the code need not show, and the leaf is telling.
        return (fact.owner.starts_with("module:") && name::is_distinctive(o)).then_some(Match::TellingLeaf);
    }
    if shared >= 2
        || (own.len() == 1
            && cited.len() == 1
            && fact.kind == FactKind::ConfigKey
            && fact.path.file_name().contains('.')
            && name::is_distinctive(o))
    {
        return Some(if shared >= 2 { Match::Qualified } else { Match::TellingLeaf });
    }
    Some(if name::is_distinctive(o) { Match::TellingLeaf } else { Match::PlainLeaf })
}

fn is_type_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase)
}

/// Two containers that differ only in what types add to the name of a section: `build` and `BuildOptions`.
fn contains_alike(a: &str, b: &str) -> bool {
    let plain = |text: &str| {
        let folded = name::fold(text);
        let stem = ["configuration", "config", "settings", "options", "opts"]
            .iter()
            .find_map(|s| folded.strip_suffix(s).filter(|t| t.len() > 2).map(str::to_owned));
        stem.unwrap_or(folded)
    };
    plain(a) == plain(b)
}

/// Whether the place shows the name as a name: code, a heading, the key cell of a table, a directive; or running text
/// where the word can be nothing else.
fn visible_as_name(place: &Place<'_>, fact: &Fact) -> bool {
    if place.is_code() || matches!(place.region.kind, RegionKind::Heading { .. }) {
        return true;
    }
    if place.cell().is_some_and(|(index, cell)| index == 0 && place.of(cell).trim_matches(['`', '*', ' ', '"']) == place.word()) {
        return true;
    }
    let set_apart = place.mark(|k| matches!(k, crate::model::MarkKind::Emphasis | crate::model::MarkKind::LinkText)).is_some();
    if set_apart && name::is_distinctive(place.word()) {
        return true;
    }
    place.word().contains('_') && place.word() == fact.leaf()
}

/// Whether inline code is a command or a sentence rather than a name with or without its value.
fn within_command(place: &Place<'_>) -> bool {
    let Some(code) = place.code().filter(|_| place.role().is_none()) else { return false };
    let rest = ByteSpan::new(place.span.end, code.end.max(place.span.end));
    let before = ByteSpan::new(code.start, place.span.start);
    let assigned = place.of(rest).trim_start_matches(['"', '\'']).trim_start().starts_with([':', '=']);
    place.of(before).trim_start_matches(['`', ' ']).contains(' ')
        || place.of(rest).trim_matches(['`', ' ']).contains(' ') && !assigned
}

/// Whether the name is that of a hidden file: `.pot-version`.
fn is_hidden_file(place: &Place<'_>) -> bool {
    let before = &place.text()[..place.span.start];
    before.strip_suffix('.').is_some_and(|b| b.is_empty() || b.ends_with([' ', '`', '"', '\'', '/', '(', '*', '\n']))
}

/// Whether the nearest heading that tells inputs from outputs names the other ones.
fn is_of_the_other_side(place: &Place<'_>, fact: &Fact) -> bool {
    let headings: Vec<&str> = place.scope_texts().collect();
    let side = |text: &&str| {
        let text = text.to_lowercase();
        Some(text.contains("output")).filter(|output| *output != text.contains("input"))
    };
    headings.iter().rev().find_map(side).is_some_and(|output| output != is_output(fact))
}

fn is_output(fact: &Fact) -> bool {
    fact.value.get("direction").and_then(|d| d.as_str()) == Some("output")
}

/// Grammars that share names: a TypeScript definition is cited in JavaScript.
pub(super) fn family(grammar: Option<Grammar>) -> Option<u8> {
    grammar.map(|g| match g {
        Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx => 1,
        Grammar::Java | Grammar::Kotlin => 2,
        Grammar::Python => 3,
        Grammar::Rust => 4,
        Grammar::Go => 5,
        Grammar::Ruby => 6,
        Grammar::C => 7,
        Grammar::Bash => 8,
        Grammar::Json | Grammar::Yaml | Grammar::Toml => 9,
    })
}
