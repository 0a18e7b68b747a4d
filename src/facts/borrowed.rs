//! What a program takes from other packages: a type that it no longer declares may be one of theirs now.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::Source;
use crate::model::Fact;
use crate::syntax::Grammar;
use crate::value::name;

/// Names that a file takes from other packages, as those call them, and the packages it takes as a whole; [`EVERYTHING`] where
/// it hands on all that a package has.
pub type Borrowed = BTreeSet<String>;

/// Names that a program of Python imports in a block, where it may do without: `try: from time import x`.
pub(super) fn tried(source: &Source<'_>) -> BTreeSet<String> {
    if Grammar::for_path(source.path()) != Some(Grammar::Python) {
        return BTreeSet::new();
    }
    let mut out = BTreeSet::new();
    for found in PYTHON.captures_iter(source.text()).filter(|f| f[0].starts_with([' ', '\t'])) {
        for item in found.get(2).map_or("", |m| m.as_str()).trim_matches(['(', ')']).split(',') {
            // `A as B` binds `B`.
            out.extend(item.split_whitespace().last().map(str::to_owned));
        }
    }
    out
}

/// What stands for all that another package has: `export * from 'tea'`.
const EVERYTHING: &str = "*";

/// Whether a file hands on all that another package has: what it lost may be there.
pub fn hands_on_everything(borrowed: &Borrowed) -> bool {
    borrowed.contains(EVERYTHING)
}

/// Most names of one file.
const MAX_NAMES: usize = 2_000;

static ECMASCRIPT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^(?:import|export)\s+(?:type\s+)?(?:(\w+)\s*,?\s*)?(?:\{([^}]*)\}|\*(?:\s*as\s+\w+)?)?\s*from\s*['"]([^'".][^'"]*)['"]"#)
        .expect("valid pattern")
});
static PYTHON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*(?:from\s+([A-Za-z_][\w.]*)\s+import\s+(\([^()]*\)|[^\n#(]+)|import\s+([A-Za-z_][\w., ]*))")
        .expect("valid pattern")
});

/// What a program of JavaScript, TypeScript or Python imports that is no file beside it.
pub(super) fn read(source: &Source<'_>) -> Borrowed {
    let text = source.text();
    let mut out = Borrowed::new();
    match Grammar::for_path(source.path()) {
        Some(Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx) => {
            for found in ECMASCRIPT.captures_iter(text) {
                out.extend(found.get(1).map(|m| m.as_str().to_owned()));
                note(found.get(2).map_or("", |m| m.as_str()), &mut out);
                out.extend(found[3].rsplit('/').next().map(str::to_owned));
                let all = found[0].strip_prefix("export").is_some_and(|rest| rest.trim_start().starts_with('*'));
                if all && !found[0].contains(" as ") {
                    out.insert(EVERYTHING.to_owned());
                }
            }
        }
        Some(Grammar::Python) => {
            // A package of the project is imported by its whole name as well.
            let own = |package: &str| source.path().segments().any(|s| s == package.split('.').next().unwrap_or(package));
            for found in PYTHON.captures_iter(text).filter(|f| !f.get(1).is_some_and(|m| own(m.as_str()))) {
                let list = found.get(2).map_or("", |m| m.as_str());
                if list.trim() == EVERYTHING && imports_only(text) {
                    out.insert(EVERYTHING.to_owned());
                }
                note(list, &mut out);
                for package in [1, 3].into_iter().filter_map(|i| found.get(i)).flat_map(|m| m.as_str().split(',')) {
                    out.extend(package.split_whitespace().next().map(str::to_owned));
                }
            }
        }
        _ => {}
    }
    out.into_iter().take(MAX_NAMES).collect()
}

/// Whether a program of Python has nothing but imports: it hands on what it takes.
fn imports_only(text: &str) -> bool {
    let starts = ["from ", "import ", "#", ")", " ", "\t", "__all__", "\"\"\""];
    text.lines().all(|line| line.is_empty() || starts.iter().any(|s| line.starts_with(s)))
}

/// The own names of a list: `a, type B, C as D`.
fn note(list: &str, out: &mut Borrowed) {
    for item in list.trim_matches(['(', ')']).split(',') {
        let mut words = item.split_whitespace().filter(|w| *w != "type");
        out.extend(words.next().filter(|w| w.chars().all(|c| c.is_alphanumeric() || c == '_')).map(str::to_owned));
    }
}

/// Whether a definition may be one that its file borrows now: the last words of its type's name, or the file's own name, are
/// among what is borrowed.
pub fn may_be_borrowed(fact: &Fact, borrowed: &Borrowed) -> bool {
    if hands_on_everything(borrowed) {
        return true;
    }
    let own = fact.name.split('.').next().unwrap_or(&fact.name);
    let own: Vec<String> = name::words(own);
    borrowed.iter().any(|taken| {
        let words = name::words(taken);
        let type_like = taken.starts_with(char::is_uppercase);
        !words.is_empty() && type_like && own.ends_with(&words) || name::fold(taken) == name::fold(fact.path.stem())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: &[&str]) {
        let path = crate::model::RepoPath::new(path);
        let found = read(&Source::new(&path, text));
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn an_import_that_may_fail_is_tried() {
        let path = crate::model::RepoPath::new("a.py");
        let text = "from tea import Pot as PotBase\ntry:\n    from time import ns as now, more\nexcept ImportError:\n    pass\n";
        let found = tried(&Source::new(&path, text));
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["more", "now"]);
    }

    #[test]
    fn reads_what_comes_from_other_packages() {
        check(
            "a.ts",
            "import type {Leaf, Options as O} from 'tea-parser';\nimport {own} from './own';\n",
            &["Leaf", "Options", "tea-parser"],
        );
        check("a.js", "import pot, { lid } from \"@tea/pot\";\nexport * from 'kettle'\n", &["*", "kettle", "lid", "pot"]);
        check("a.js", "export * as lids from 'kettle'\nexport * from './own'\n", &["kettle"]);
        check("a.py", "from tea import *\n", &["*", "tea"]);
        check("a.py", "from tea import *\n\n\ndef lid():\n    pass\n", &["tea"]);
        check(
            "a.py",
            "from tea.pot import (\n    Lid,\n    Spout as S,\n)\nfrom .own import x\nimport mediafile, os.path\n",
            &["Lid", "Spout", "mediafile", "os.path", "tea.pot"],
        );
        check("pot/a.py", "from pot.lids import Lid\n", &[]);
        check("a.go", "import \"tea\"\n", &[]);
    }
}
