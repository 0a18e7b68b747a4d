//! Definitions: the exact name, bare where it is telling, qualified by what contains it, or anchored where it is a plain word.

use std::sync::LazyLock;

use regex::Regex;

use super::key::family;
use super::{Place, Project, Resolved};
use crate::model::{CitationForm, Fact, FactKind, RegionKind};
use crate::syntax::Grammar;
use crate::value::name;

/// Longest title, command or class of an exception that is read as one, in bytes.
const MAX_TITLE: usize = 200;
/// Longest code block that is searched for what else it calls, in bytes.
const MAX_BLOCK: usize = 20_000;

pub(super) fn resolve(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    if fact.is_word() {
        return word(place, fact);
    }
    if place.word() != fact.leaf() || place.is_hyphenated() || place.is_hidden() {
        return None;
    }
    let (before, after) = (place.before(place.span.start), place.after(place.span.end));
    if matches!(before, Some('-' | '/' | '$' | '@')) && before != Some('@') || matches!(after, Some('/')) {
        return None;
    }
    // `{Distance}`, `<Distance>`: what is to be put there.
    let text = place.text();
    let outer = place.span.start.checked_sub(1).and_then(|at| text.get(..at)).and_then(|t| t.chars().next_back());
    let bare = !outer.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '>' | ')'));
    if place.fence().is_none() && bare && matches!((before, after), (Some('{'), Some('}')) | (Some('<'), Some('>'))) {
        return None;
    }
    // `:Command` of an editor, unless it is the second of two colons.
    if before == Some(':')
        && !place.text()[..place.span.start].ends_with("::")
        && place.role().is_none()
        && place.code().is_some()
    {
        return None;
    }
    // `name.md`, `Foo.yml`: a file.
    let extension =
        |e: &&str| place.text()[place.span.end..].strip_prefix(*e).is_some_and(|t| !t.starts_with(char::is_alphanumeric));
    if [".yml", ".yaml", ".json", ".toml", ".md", ".txt", ".rst", ".xml", ".html", ".ini", ".cfg", ".sh"].iter().any(extension) {
        return None;
    }
    if let Some((lang, _)) = place.fence()
        && !language_fits(lang, fact)
    {
        return None;
    }
    if is_standard_package(place, fact) || is_in_output(place) || is_made_by_new(place, fact) {
        return None;
    }
    if is_parameter(place, fact) || is_manual_page(place, project) {
        return None;
    }
    // `JavaPot` alone is the project of that name, as a class it is called or qualified.
    let alone = before != Some('.') && !matches!(after, Some('.' | '(' | ':')) && place.role().is_none();
    if alone && place.fence().is_none() && project.is_own_tool(fact.leaf()) {
        return None;
    }
    // `form.potHeaders()`: a function that is not handed out is no object's.
    let scripted =
        Grammar::for_path(&fact.path).is_some_and(|g| matches!(g, Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx));
    if scripted && function_of(fact) && fact.visibility == crate::model::Visibility::Internal {
        let called = format!(".{}(", fact.leaf());
        let short = |content: &crate::model::ByteSpan| content.len() <= MAX_BLOCK;
        let block = place.fence().map(|(_, content)| content).filter(short);
        if before == Some('.') || block.is_some_and(|content| place.of(content).contains(&called)) {
            return None;
        }
    }
    // `from kettle.lids.hot import Lid` goes through a module, not a function of its name.
    if function_of(fact) && fact.path.extension() == "py" && place.fence().is_some() && place.is_qualifier() {
        return None;
    }
    // A program of a package that is not published is nobody's interface outside of it.
    if place.fence().is_some() && project.is_unpublished(&fact.path, &place.document.path) {
        return None;
    }
    // `mg.decode(x)` is a binding's; a function of C is called by its name.
    if matches!(fact.path.extension(), "c" | "h") && !fact.name.contains('.') && before == Some('.') {
        return None;
    }
    let telling = name::is_distinctive(fact.leaf());
    let form = match place.form() {
        CitationForm::LinkTarget => return None,
        other => other,
    };
    // `:func:` of Sphinx is no method, `:meth:` no function of a module.
    let declared = fact.value.get("declared").and_then(|d| d.as_str()).unwrap_or("");
    if matches!((place.role().map(|r| r.rsplit(':').next().unwrap_or(r)), declared), (Some("func"), "method")) {
        return None;
    }
    let qualifiers = place.qualifiers();
    if !telling && is_argument(place) || is_of_another_module(fact, &qualifiers) {
        return None;
    }
    let fits = match (fact.name.rsplit_once('.'), qualifiers.last()) {
        (Some((container, _)), Some(q)) => member_fits(container, q, telling),
        (Some((container, _)), None) => {
            // A plain word in a program needs a call to be a method.
            let called = place.fence().is_none() || place.after(place.span.end) == Some('(');
            (telling && !is_variant(fact)) || called && named_above(place, container)
        }
        // `Integer.parseInt` is a class's, where a class is not a module.
        (None, Some(q)) if q.starts_with(char::is_uppercase) && has_classes(fact) => module_named(fact, q, project),
        (None, Some(q)) => !is_of_another_package(fact, q) && (telling && !matches!(*q, "") || module_named(fact, q, project)),
        (None, None) => telling || (place.is_code() && plain_fits(place, fact, project)),
    };
    if !fits || is_title_of_another(place, fact) {
        return None;
    }
    match form {
        CitationForm::Prose => {
            let meant = looks_like_code(fact.leaf()) || !qualifiers.is_empty() || is_alone(place);
            (telling && meant).then_some((place.span, form, true))
        }
        CitationForm::Heading if !place.is_code() && !is_whole_heading(place) => {
            (telling && looks_like_code(fact.leaf())).then_some((place.span, form, true))
        }
        CitationForm::TableCell | CitationForm::LinkText if !place.is_code() => {
            (telling && looks_like_code(fact.leaf())).then_some((place.span, form, true))
        }
        _ => Some((place.span, form, qualifiers.is_empty() || !telling)),
    }
}

/// Whether a declaration takes a parameter of the name, or a list explains it: `.. py:class:: Pot(lid, spout)`,
/// `:param spout:`. A type may stand there, a function or a variable of a module is another thing.
fn is_parameter(place: &Place<'_>, fact: &Fact) -> bool {
    static FIELD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r":(?:param|parameter|arg|argument|key|keyword|kwarg)(?:\s+[\w.\[\]]+)?\s+$").expect("valid pattern")
    });
    if fact.leaf().starts_with(char::is_uppercase) || place.role().is_some() {
        return false;
    }
    let before = place.text().get(place.line().start..place.span.start).unwrap_or("");
    if FIELD.is_match(before) {
        return true;
    }
    let declares = matches!(&place.region.kind, RegionKind::Directive { argument, .. } if argument.contains(place.span));
    declares && before.contains("::") && before.contains('(') && !place.text()[place.span.end..].starts_with('(')
}

/// Whether the name with a section behind it, `kettle_open(3)`, is that of a manual page that is still there.
fn is_manual_page(place: &Place<'_>, project: &Project<'_>) -> bool {
    static SECTION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\((\d)[a-z]{0,2}\)").expect("valid pattern"));
    let behind = place.text().get(place.span.end..).unwrap_or("");
    SECTION.captures(behind).is_some_and(|section| {
        let page = format!("{}.{}", place.word(), &section[1]);
        project.head_names.range(page.as_str()..).next().is_some_and(|name| name.starts_with(&page))
    })
}

/// Whether a definition is a function of no type.
fn function_of(fact: &Fact) -> bool {
    fact.value.get("declared").is_some_and(|d| d == "function") && !fact.name.contains('.')
}

/// A name that is no definition: only where inline code is that name, perhaps with its value.
fn word(place: &Place<'_>, fact: &Fact) -> Resolved {
    let code = place.code().filter(|_| place.word() == fact.name && !place.is_hidden() && place.role().is_none())?;
    let text = place.of(code).trim_matches(['`', ' ', '"', '\'']);
    let rest = text.strip_prefix(fact.name.as_str())?.trim_start_matches(['"', '\'']).trim_start();
    (rest.is_empty() || rest.starts_with([':', '='])).then_some((place.span, place.form(), true))
}

/// Whether a name stands in what a program printed: a line behind a prompt is a command, `File "x", line 3, in name` a trace.
fn is_in_output(place: &Place<'_>) -> bool {
    let line = place.of(place.line()).trim();
    // `requests.exceptions.Timeout: Pool(...)`: the last line of a trace.
    let raised = line.split_once(": ").is_some_and(|(kind, _)| {
        let last = kind.rsplit('.').next().unwrap_or(kind);
        kind.len() <= MAX_TITLE
            && kind.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
            && ["Error", "Exception", "Timeout", "Warning"].iter().any(|w| last.ends_with(w))
    });
    // `pot.rb:45:in `lift'`: a line of a trace of Ruby.
    let raised = raised || place.text()[..place.span.start].ends_with(":in `");
    // `at app.tea.Pot.lift(Pot.kt:240)`: a frame of the JVM or of Node.
    let raised = raised || line.starts_with("at ") && line.ends_with(')') && line.contains(':');
    // `github.com/a/kettle/pot.(*Lid).lift`: how the runtime of Go names a method.
    let traced = place.text()[..place.span.start].ends_with(").") && line.contains(".(*");
    place.fence().is_some()
        && (line.starts_with("$ ") || line.starts_with("File \"") && line.contains(", line ") || raised || traced)
}

/// Whether inline code is a command or a sentence in which the word comes later: `bundle install`.
fn is_argument(place: &Place<'_>) -> bool {
    let Some(code) = place.code().filter(|_| place.role().is_none()) else { return false };
    let before = crate::model::ByteSpan::new(code.start, place.span.start);
    let before = place.of(before).trim_start_matches(['`', ' ']);
    before.len() <= MAX_TITLE
        && before.ends_with(' ')
        && before.split_whitespace().all(|w| w.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_')))
        && !matches!(
            before.trim(),
            "new"
                | "await"
                | "async"
                | "def"
                | "fn"
                | "func"
                | "function"
                | "class"
                | "struct"
                | "enum"
                | "trait"
                | "interface"
                | "type"
                | "import"
                | "use"
                | "static"
                | "const"
                | "pub"
                | "pub fn"
                | "async fn"
                | "export"
        )
}

/// Whether `json.Marshal` in a program of Go is the standard library's: nobody outside the module can import what it keeps in
/// `internal`.
fn is_standard_package(place: &Place<'_>, fact: &Fact) -> bool {
    const STANDARD: [&str; 38] = [
        "atomic", "base64", "big", "binary", "bufio", "bytes", "context", "csv", "errors", "exec", "filepath", "flag", "fmt",
        "fs", "gzip", "hash", "hex", "http", "io", "json", "log", "maps", "math", "net", "os", "path", "rand", "reflect",
        "regexp", "runtime", "slices", "sort", "strconv", "strings", "sync", "template", "time", "url",
    ];
    let internal = fact.path.extension() == "go" && fact.path.directory().split('/').any(|s| s == "internal");
    internal && place.fence().is_some() && place.qualifiers().last().is_some_and(|q| STANDARD.contains(q))
}

/// `new WebSocket(url)` in an example of a language that has no `new`: a script inside a text.
fn is_made_by_new(place: &Place<'_>, fact: &Fact) -> bool {
    let without =
        matches!(Grammar::for_path(&fact.path), Some(Grammar::Python | Grammar::Rust | Grammar::Go | Grammar::Ruby | Grammar::C));
    without && place.fence().is_some() && place.text()[..place.span.start].ends_with("new ")
}

fn has_classes(fact: &Fact) -> bool {
    matches!(Grammar::for_path(&fact.path), Some(Grammar::Java | Grammar::Kotlin))
}

/// Whether a page has the bare name of a member for its title and never says what it is a member of: then its subject only
/// shares the name.
fn is_title_of_another(place: &Place<'_>, fact: &Fact) -> bool {
    let title = matches!(place.region.kind, RegionKind::Heading { level: 1 })
        && place.region.span.len() <= MAX_TITLE
        && place.qualifiers().is_empty();
    let Some((container, _)) = fact.name.rsplit_once('.').filter(|_| title) else { return false };
    let container = container.rsplit('.').next().unwrap_or(container);
    !place.text().split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word.eq_ignore_ascii_case(container))
}

fn is_variant(fact: &Fact) -> bool {
    fact.value.get("declared").and_then(|d| d.as_str()) == Some("variant")
}

/// Whether a list item is nothing but the name.
fn is_alone(place: &Place<'_>) -> bool {
    let text = place.of(place.region.span).trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '-' | '+'));
    matches!(place.region.kind, RegionKind::ListItem) && text == place.word()
}

/// Whether a heading is the name alone, with what qualifies it or what it takes.
fn is_whole_heading(place: &Place<'_>) -> bool {
    let heading = place.of(place.region.span);
    let title = heading.lines().next().unwrap_or(heading).trim_start_matches(['#', '=', ' ']).trim_end_matches(['#', '=', ' ']);
    let (before, behind) = title.split_once(place.word()).unwrap_or(("", title));
    let qualifies = before.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#' | '$'));
    let takes = behind.trim().is_empty() || behind.trim_start().starts_with(['(', '[', '<', '{']);
    qualifies && takes
}

/// A word that running text would not use: a separator, or capitals inside a word that begins small or has three parts. Two
/// capitalised parts are the name of many a product.
fn looks_like_code(leaf: &str) -> bool {
    let inner = leaf.chars().skip(1).any(char::is_uppercase) && leaf.chars().any(char::is_lowercase);
    let small = leaf.starts_with(char::is_lowercase);
    (leaf.contains('_') || inner && (small || name::words(leaf).len() >= 3)) && leaf.len() >= 7
}

fn language_fits(lang: &str, fact: &Fact) -> bool {
    let fence = Grammar::for_fence(lang);
    match fence {
        None => matches!(lang, "" | "text" | "txt" | "diff" | "vue" | "svelte" | "groovy" | "scala" | "gradle"),
        Some(Grammar::Bash) => false,
        Some(g) if g.is_data() => false,
        some => {
            let own = family(Grammar::for_path(&fact.path));
            own.is_none() || own == family(some)
        }
    }
}

/// `Thing.method` cited as `thing.method` or `Thing::method`; for a telling method any receiver will do, since documents
/// name their variables as they like.
fn member_fits(container: &str, qualifier: &str, telling: bool) -> bool {
    let last = container.rsplit('.').next().unwrap_or(container);
    if name::fold(last) == name::fold(qualifier) {
        return true;
    }
    let receiver = qualifier.is_empty() || qualifier.chars().next().is_some_and(char::is_lowercase);
    telling && receiver
}

/// Whether the container of a member is named in a heading or list item above, or on the same line.
fn named_above(place: &Place<'_>, container: &str) -> bool {
    let last = name::fold(container.rsplit('.').next().unwrap_or(container));
    let has = |text: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|t| name::fold(t) == last);
    place.is_code() && (has(place.of(place.line())) || place.scope_texts().any(has))
}

/// Whether a qualifier is the module, package or crate of the definition.
fn module_named(fact: &Fact, qualifier: &str, project: &Project<'_>) -> bool {
    let q = name::fold(qualifier);
    !q.is_empty()
        && (name::fold(fact.path.stem()) == q
            || fact.path.directory().split('/').any(|d| name::fold(d) == q)
            || fact.path.directory().is_empty() && project.repository == qualifier.to_lowercase()
            || is_root_module(fact, &q) && project.packages.iter().any(|p| name::fold(p) == q))
}

/// Whether a qualifier of Go is a package other than that of the definition: it is the name of the folder, perhaps with more.
fn is_of_another_package(fact: &Fact, qualifier: &str) -> bool {
    let go = Grammar::for_path(&fact.path) == Some(Grammar::Go);
    let q = name::fold(qualifier);
    let plain = qualifier.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    // `kettle/v2` is the package `kettle`.
    let is_version = |s: &str| s.strip_prefix('v').is_some_and(|v| !v.is_empty() && v.chars().all(|c| c.is_ascii_digit()));
    let folder = fact.path.directory().split('/').rev().find(|s| !is_version(s)).map(name::fold).unwrap_or_default();
    go && plain && folder.len() > 1 && !folder.contains(&q) && !q.contains(&folder)
}

/// Whether a dotted path in front of the name leads to another module of Python or another package of the JVM:
/// `kettle.lids.Lid` is not in `kettle/hot/lids.py`, `tea.kotlin.pot.brew` not in the package `tea.pot`.
fn is_of_another_module(fact: &Fact, qualifiers: &[&str]) -> bool {
    let folders: Vec<&str> = fact.path.directory().split('/').collect();
    match (Grammar::for_path(&fact.path), qualifiers) {
        (Some(Grammar::Python), [.., package, module]) => {
            *module == fact.path.stem() && folders.last() != Some(package) && folders.contains(package)
        }
        // Packages are small; a class, and what it contains, is not.
        (Some(Grammar::Java | Grammar::Kotlin), [_, _, _, ..]) => {
            let package: Vec<&str> = qualifiers
                .iter()
                .take_while(|q| q.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
                .copied()
                .collect();
            let declared = folders.iter().position(|f| matches!(*f, "java" | "kotlin")).map(|at| folders[at + 1..].join("."));
            package.len() >= 3
                && declared.is_some_and(|declared| {
                    let declared = if declared.is_empty() { return false } else { declared };
                    let package = package.join(".");
                    // Kotlin may leave out the root that all its packages have.
                    !package.ends_with(&declared) && !declared.ends_with(&package)
                })
        }
        _ => false,
    }
}

/// Whether a definition stands where users of the package get it from by the package's name.
fn is_root_module(fact: &Fact, package: &str) -> bool {
    let stem = fact.path.stem().to_lowercase();
    matches!(stem.as_str(), "index" | "main" | "lib" | "mod" | "__init__" | "api")
        || name::fold(&stem) == package
        || Grammar::for_path(&fact.path).is_some_and(|g| matches!(g, Grammar::Go | Grammar::Java | Grammar::Kotlin | Grammar::C))
}

/// A plain word as code: its signature is written out, or its module or package is named above it.
fn plain_fits(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> bool {
    if fact.leaf().len() < 3 || !matches!(fact.kind, FactKind::Symbol | FactKind::Signature | FactKind::Constant) {
        return false;
    }
    if matches!(place.region.kind, RegionKind::CodeBlock { .. }) {
        return false;
    }
    let called = place.after(place.span.end) == Some('(');
    let parameters = fact.value.get("parameters").and_then(|p| p.as_array());
    let spelled = called
        && parameters.is_some_and(|list| {
            let rest: String = place.text()[place.span.end..].chars().take_while(|c| *c != ')').collect();
            !list.is_empty()
                && list
                    .iter()
                    .filter_map(|p| p.get("name")?.as_str())
                    .all(|n| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|t| t == n))
        });
    let named = |text: &str| {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|t| {
            t.len() > 2 && t != fact.leaf() && module_named(fact, t, project) && !project.packages.contains(&t.to_lowercase())
        })
    };
    spelled || place.scope_texts().any(named)
}
