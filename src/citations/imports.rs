//! Names that a document's own examples import from somewhere else: `from other.library import Name` makes `Name` the other
//! library's, whatever this project had under that name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::Project;
use crate::model::{Document, RegionKind};

/// Most packages of one document that are looked for.
const MAX_PACKAGES: usize = 64;

static PYTHON: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^[\s>.]*from\s+([A-Za-z_][\w.]*)\s+import\s+(\([^()]*\)|[^\n#(]+)").expect("valid pattern")
});
static ECMASCRIPT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?m)^\s*(?:import\s+(?:type\s+)?(?:\w+\s*,\s*)?|const\s+)\{([^}]*)\}\s*(?:from|=\s*require\()\s*['"]([^'"]+)['"]"#,
    )
    .expect("valid pattern")
});
static NAMESPACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^\s*(?:import\s+(?:\*\s*as\s+)?|(?:const|let|var)\s+)(\w+)\s*(?:from|=\s*require\()\s*['"]([^'"]+)['"]"#)
        .expect("valid pattern")
});
static JVM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*import\s+(?:static\s+)?([a-z][\w]*(?:\.\w+)*)\.(\w+)\s*;?\s*$").expect("valid pattern")
});

/// The names that code blocks of a document import from elsewhere and from nowhere in the project.
pub(super) fn foreign(document: &Document, project: &Project<'_>) -> BTreeSet<String> {
    let (mut theirs, mut ours) = (BTreeSet::new(), BTreeSet::new());
    let mut packages: BTreeMap<String, bool> = BTreeMap::new();
    for region in &document.regions {
        let RegionKind::CodeBlock { content, .. } = &region.kind else { continue };
        let text = content.of(&document.text);
        if !text.contains("import") && !text.contains("require") {
            continue;
        }
        for found in PYTHON.captures_iter(text) {
            let root = found[1].split('.').next().unwrap_or("");
            note(&found[2], is_ours(root, project), &mut theirs, &mut ours);
        }
        for found in ECMASCRIPT.captures_iter(text) {
            note(&found[1], is_our_package(&found[2], project), &mut theirs, &mut ours);
        }
        for found in NAMESPACE.captures_iter(text) {
            note(&found[1], is_our_package(&found[2], project), &mut theirs, &mut ours);
        }
        for found in JVM.captures_iter(text) {
            // Asking for a package walks every path: a document names few.
            let known = packages.len();
            let own = match packages.get(&found[1]) {
                Some(own) => *own,
                None if known >= MAX_PACKAGES => continue,
                None => {
                    let path = found[1].replace('.', "/");
                    let own = project.base.iter().chain(project.head).any(|p| p.directory().contains(&path));
                    packages.insert(found[1].to_owned(), own);
                    own
                }
            };
            note(&found[2], own, &mut theirs, &mut ours);
        }
    }
    theirs.difference(&ours).cloned().collect()
}

fn note(names: &str, own: bool, theirs: &mut BTreeSet<String>, ours: &mut BTreeSet<String>) {
    let names = names.trim_matches(['(', ')', ' ']).split(',').filter_map(|n| n.split_whitespace().next());
    for name in names {
        if own {
            ours.insert(name.to_owned())
        } else {
            theirs.insert(name.to_owned())
        };
    }
}

/// Whether what a script imports may be the project's: a file, an alias of a folder, or a package of its name or scope.
fn is_our_package(target: &str, project: &Project<'_>) -> bool {
    if target.starts_with(['.', '~', '#', '/']) || target.starts_with("@/") {
        return !target.contains("node_modules");
    }
    match target.split_once('/') {
        Some((scope, _)) if scope.starts_with('@') => {
            let within = format!("{}/", scope.to_lowercase());
            let named = project.repository == scope[1..].to_lowercase();
            named || project.packages.is_empty() || project.packages.iter().any(|p| p.starts_with(&within))
        }
        // A folder of the project is named with what lies in it.
        Some((root, _)) => is_ours(root, project),
        None => is_our_name(target, project),
    }
}

/// Whether a package or module root may be the project's: its name, one of its packages, or a folder of it.
fn is_ours(root: &str, project: &Project<'_>) -> bool {
    is_our_name(root, project) || project.parts.contains(root)
}

/// Whether a name is the project's or one of its packages'.
fn is_our_name(name: &str, project: &Project<'_>) -> bool {
    let folded = crate::value::name::fold(name);
    project.repository == name.to_lowercase() || project.packages.iter().any(|p| crate::value::name::fold(p) == folded)
}
