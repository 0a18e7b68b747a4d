//! Configuration keys, settings fields and action inputs: by qualified name modulo case style, by a telling leaf, or by a
//! plain leaf whose owner is named above it (heading, parent item, table, example).

use super::super::fence;
use super::{Place, Project, Resolved};
use crate::model::{ByteSpan, CitationForm, Fact, FactKind, RegionKind, Visibility};
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

/// Whether the owner of a plain word is named where the word stands: its container in a heading, a parent item, the table's
/// key column or the same sentence; or its file by name.
fn anchored(place: &Place<'_>, fact: &Fact) -> bool {
    let containers: Vec<String> = container_names(fact);
    let named = |text: &str| {
        let tokens: Vec<String> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
            .filter(|t| !t.is_empty())
            .map(name::fold)
            .collect();
        containers.iter().any(|c| tokens.iter().any(|t| t == c))
    };
    let file = fact.path.file_name();
    let mut above: Vec<&str> = place.scope_texts().collect();
    let line = place.of(place.line());
    above.push(line);
    if above.iter().any(|t| named(t) || t.contains(file)) {
        return true;
    }
    if fact.kind == FactKind::ActionInput {
        let head = table_head(place);
        return head.is_some_and(|h| h.to_lowercase().contains(if is_output(fact) { "output" } else { "input" }))
            || above.iter().any(|t| {
                let t = t.to_lowercase();
                t.contains(if is_output(fact) { "output" } else { "input" })
                    || (t.contains("parameter") && place.region.scope.headings.len() < 3)
            });
    }
    false
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

fn table_head<'d>(place: &Place<'d>) -> Option<&'d str> {
    match &place.region.kind {
        RegionKind::TableRow { header: Some(header), .. } => {
            place.document.regions.get(*header).map(|r| place.document.region_text(r))
        }
        _ => None,
    }
}

/// Folded names of what holds the key: the segments before the leaf, also without a trailing `Config`/`Settings`/`Options`.
fn container_names(fact: &Fact) -> Vec<String> {
    let mut out = Vec::new();
    for spelling in fact.spellings() {
        let parts = name::segments(spelling);
        for part in parts.iter().rev().skip(1) {
            let folded = name::fold(part);
            for suffix in ["config", "configuration", "settings", "options", "opts"] {
                if let Some(stem) = folded.strip_suffix(suffix).filter(|s| s.len() > 2) {
                    out.push(stem.to_owned());
                }
            }
            if folded.len() > 2 && !is_general(&folded) || fact.visibility == Visibility::Public && parts.len() == 2 {
                out.push(folded);
            }
        }
    }
    out.sort();
    out.dedup();
    out
}

/// Names that any type may have: that one stands above says nothing.
fn is_general(container: &str) -> bool {
    matches!(
        container,
        "config"
            | "options"
            | "settings"
            | "defaults"
            | "default"
            | "request"
            | "response"
            | "input"
            | "output"
            | "params"
            | "args"
            | "data"
            | "item"
            | "entry"
            | "result"
            | "body"
            | "message"
            | "event"
    )
}

fn in_fence(place: &Place<'_>, fact: &Fact, project: &Project<'_>, lang: &str, content: ByteSpan) -> Resolved {
    // The info string belongs to the region and names nothing.
    if !content.contains(place.span) {
        return None;
    }
    let grammar = Grammar::for_fence(lang);
    match grammar {
        Some(Grammar::Bash) => None,
        Some(g) if g.is_data() => in_data(place, fact, project, g, content),
        Some(g) => in_program(place, fact, g),
        None if matches!(
            lang,
            "" | "text" | "txt" | "ini" | "cfg" | "conf" | "config" | "properties" | "dotenv" | "hcl" | "tf"
        ) =>
        {
            in_listing(place, fact)
        }
        None => None,
    }
}

/// A key at its place in YAML, JSON or TOML: the path above it must fit.
fn in_data(place: &Place<'_>, fact: &Fact, project: &Project<'_>, grammar: Grammar, content: ByteSpan) -> Resolved {
    let text = content.of(place.text());
    let at = ByteSpan::new(place.span.start - content.start, place.span.end - content.start);
    if fact.kind == FactKind::ActionInput {
        let used = step_of(text, at.start)
            .is_some_and(|target| target.starts_with("./") || target.split(['@', '/']).any(|part| project.is_own_tool(part)));
        let under_with = fence::keys(grammar, text).into_iter().any(|k| k.key.overlaps(at) && k.path.iter().any(|p| p == "with"));
        return (used && under_with && place.word() == fact.name).then_some((place.span, CitationForm::ConfigExample, true));
    }
    // The keys of a manifest for Kubernetes are those of Kubernetes, unless the code calls them settings.
    let manifest = text.contains("apiVersion:") && text.contains("kind:");
    let setting = fact.name.rsplit_once('.').is_none_or(|(container, _)| name::holds_settings(container));
    let of_cluster = matches!(place.word(), "apiVersion" | "kind" | "metadata" | "spec");
    if manifest && (of_cluster || !setting && fact.owner.starts_with("module:")) {
        return None;
    }
    let Some(found) = fence::keys(grammar, text).into_iter().find(|k| k.key.overlaps(at)) else {
        // Commented-out settings (`# key: value`) are read by line.
        return in_listing(place, fact);
    };
    let level = spellings(fact).filter_map(|s| matches(&found.path, &s, fact)).max()?;
    let exact = place.word() == fact.leaf() || fact.aliases.iter().any(|a| a.rsplit('.').next() == Some(place.word()));
    let accepted = match level {
        Match::Qualified => true,
        Match::TellingLeaf => exact || !fact.owner.starts_with("file:"),
        // A file's own top-level key in an example of that file.
        Match::PlainLeaf => exact && found.path.len() == 1 && (names_file(place, fact) || among_siblings(fact, text, project)),
    };
    accepted.then_some((place.span, CitationForm::ConfigExample, exact))
}

/// The action that the step around a byte of a workflow uses. A step is an item of its list.
fn step_of(text: &str, at: usize) -> Option<&str> {
    let opens = |line: &str| line.trim_start().starts_with("- ");
    let (above, below) = text.split_at_checked(at)?;
    let before = above.lines().rev().scan(false, |done, line| {
        let seen = std::mem::replace(done, *done || opens(line));
        (!seen).then_some(line)
    });
    let behind = below.lines().skip(1).take_while(|line| !opens(line));
    let line = before.chain(behind).find(|l| l.trim_start().trim_start_matches("- ").trim_start().starts_with("uses:"))?;
    line.split_once("uses:").map(|(_, target)| target.trim().trim_matches(['"', '\'']))
}

/// Whether a text shows the table that the key belongs to: at least three other keys of it stand there as keys.
fn among_siblings(fact: &Fact, text: &str, project: &Project<'_>) -> bool {
    let Some(siblings) = project.tables.get(&Project::table_of(fact)) else { return false };
    let keys = text.lines().filter_map(|line| {
        let line = line.trim_start_matches([' ', '#', '-', '"', '\'', '|', '`', '*']);
        let key: String = line.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
        (!key.is_empty()).then(|| name::fold(&key))
    });
    let own = name::fold(fact.leaf());
    let mut found: Vec<String> = keys.filter(|k| *k != own && siblings.contains_key(k)).collect();
    found.sort();
    found.dedup();
    found.len() >= 3
}

/// Whether the rows of the table around a place name at least three other keys of the fact's own table.
fn in_table_of_siblings(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> bool {
    if place.cell().is_none_or(|(index, _)| index != 0) {
        return false;
    }
    let rows = |step: fn(usize) -> Option<usize>| {
        let mut at = place.region_index();
        let mut out = Vec::new();
        while let Some(region) =
            step(at).and_then(|i| place.document.regions.get(i)).filter(|r| matches!(r.kind, RegionKind::TableRow { .. }))
        {
            out.push(place.document.region_text(region));
            if out.len() > 40 {
                break;
            }
            at = step(at).unwrap_or(at);
        }
        out
    };
    let mut text = rows(|i| i.checked_sub(1));
    text.extend(rows(|i| Some(i + 1)));
    among_siblings(fact, &text.join("\n"), project)
}

/// Whether the place is a heading that is the key alone, beside at least three headings of its level that are other keys of the
/// fact's own table.
fn among_sibling_headings(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> bool {
    let RegionKind::Heading { level, .. } = place.region.kind else { return false };
    let title =
        |region| place.document.region_text(region).trim_matches(['#', '=', '-', '~', '^', '`', '*', '"', ' ', '\n']).to_owned();
    if title(place.region) != place.word() {
        return false;
    }
    let Some(siblings) = project.tables.get(&Project::table_of(fact)) else { return false };
    let peers = place.document.regions.iter().filter(|r| matches!(r.kind, RegionKind::Heading { level: l, .. } if l == level));
    let mut found: Vec<String> = peers.map(|r| name::fold(&title(r))).filter(|t| siblings.contains_key(t)).collect();
    found.sort();
    found.dedup();
    found.len() >= 4
}

/// Whether the example says which file it shows: in its info string, first comment, or the text just above.
fn names_file(place: &Place<'_>, fact: &Fact) -> bool {
    let file = fact.path.file_name();
    let above = place
        .region_index()
        .checked_sub(1)
        .and_then(|i| place.document.regions.get(i))
        .map_or("", |r| place.document.region_text(r));
    let own = place.document.region_text(place.region).lines().next().unwrap_or("");
    above.contains(file) || own.contains(file) || place.scope_texts().any(|t| t.contains(file))
}

/// An object key or a keyword in program text: `key: value`, `key = value`, `.key(value)`, a field of a type literal.
fn in_program(place: &Place<'_>, fact: &Fact, grammar: Grammar) -> Resolved {
    let leaf_fits = spellings(fact).any(|s| s.last().is_some_and(|o| o == place.word()));
    if !leaf_fits || !name::is_distinctive(place.word()) {
        return None;
    }
    let rest = place.text()[place.span.end..].trim_start();
    let before = place.before(place.span.start);
    let as_key = rest.starts_with(':') && !rest.starts_with("::") && !rest.starts_with(":=")
        || rest.starts_with("?:")
        || (rest.starts_with('=') && !rest.starts_with("=="));
    let as_method = before == Some('.') && rest.starts_with('(');
    // `Other.key`: a member of another type.
    let of_another = place.qualifiers().last().is_some_and(|q| {
        q.starts_with(char::is_uppercase) && fact.name.rsplit_once('.').is_some_and(|(c, _)| name::fold(c) != name::fold(q))
    });
    if of_another {
        return None;
    }
    let as_member = before == Some('.') && !place.text()[..place.span.start].ends_with("..");
    let same_family = family(Grammar::for_path(&fact.path)) == family(Some(grammar));
    ((as_key || as_member) && (same_family || fact.path.extension().is_empty() || as_key) || as_method).then_some((
        place.span,
        CitationForm::FencedCode,
        true,
    ))
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

/// A line of a listing: `key = value`, `key: value`, `[ key: <type> | default = x ]`.
fn in_listing(place: &Place<'_>, fact: &Fact) -> Resolved {
    let word = place.word();
    let telling = name::is_distinctive(word);
    let fits = spellings(fact).any(|s| s.last().is_some_and(|o| name::fold(o) == name::fold(word)));
    let rest = place.text()[place.span.end..].trim_start_matches(['"', '\'']).trim_start();
    let line = place.line();
    let lead = place.text()[line.start..place.span.start].trim();
    let leads = lead.chars().all(|c| matches!(c, '#' | '[' | '-' | '/' | ';' | '"' | '\'' | ' '));
    (fits && telling && leads && rest.starts_with([':', '=', '?'])).then_some((
        place.span,
        CitationForm::ConfigExample,
        word == fact.leaf(),
    ))
}

#[cfg(test)]
mod tests {
    use super::step_of;

    #[test]
    fn steps_of_a_workflow() {
        let text = "steps:\n- uses: a/one@v1\n  with:\n    x: 1\n- with:\n    y: 2\n  uses: \"a/two\"\n- run: z\n";
        let of = |key: &str| step_of(text, text.find(key).unwrap_or(0));
        assert_eq!(of("x:"), Some("a/one@v1"));
        assert_eq!(of("y:"), Some("a/two"));
        assert_eq!(of("z"), None);
        assert_eq!(step_of("uses: a/b@v1\nwith:\n  x: 1\n", 25), Some("a/b@v1"));
    }
}
