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
            let own = found[2].starts_with(['.', '@', '~', '#', '/']) && !found[2].contains("node_modules");
            let package = found[2].split('/').next().unwrap_or("");
            note(&found[1], own || is_ours(package, project), &mut theirs, &mut ours);
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

/// Whether a package or module root may be the project's: its name, one of its packages, or a folder of it.
fn is_ours(root: &str, project: &Project<'_>) -> bool {
    let folded = crate::value::name::fold(root);
    project.repository == root.to_lowercase()
        || project.packages.iter().any(|p| crate::value::name::fold(p) == folded)
        || project.parts.contains(root)
}
