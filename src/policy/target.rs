//! Version targets: a page about a released version is not wrong about the branch (reference, section 4).

use serde_json::Value;

use crate::model::{Frontmatter, RepoPath};

/// Most declared targets that are looked at (reference, section 4).
const MAX_TARGETS: usize = 32;

/// Why a document waits for a version; `None` where it speaks of the branch.
pub(super) fn pending(path: &RepoPath, frontmatter: &Frontmatter) -> Option<String> {
    for key in ["refdrift", "docbridge"] {
        let Some(targets) = frontmatter.values.get(key).and_then(|v| v.get("targets")) else { continue };
        let Some(map) = targets.as_object() else { return Some("the declared version targets cannot be read".to_owned()) };
        if map.len() > MAX_TARGETS {
            return Some(format!("more than {MAX_TARGETS} version targets"));
        }
        for (purl, range) in map {
            let text = match range {
                Value::String(s) => s.as_str(),
                Value::Number(_) => "",
                _ => return Some(format!("the target of {purl} is unresolved")),
            };
            let branch = text == "default-branch" || text.starts_with("workspace:");
            if !branch {
                let shown = if text.is_empty() { range.to_string() } else { text.to_owned() };
                return Some(format!("the page targets {purl} {shown}, and this change is not released"));
            }
        }
    }
    released_folder(path)
}

/// Why a page waits whose folder holds the pages of a released version.
pub(super) fn released_folder(path: &RepoPath) -> Option<String> {
    let versioned = path.segments().rev().skip(1).find(|s| is_version_folder(s) || *s == "versioned_docs");
    versioned.map(|folder| format!("the folder `{folder}` holds the pages of a released version"))
}

fn is_version_folder(segment: &str) -> bool {
    let name = segment.strip_prefix("version-").or_else(|| segment.strip_prefix('v')).unwrap_or(segment);
    let parts: Vec<&str> = name.split('.').collect();
    parts.len() >= 2 && parts.iter().all(|p| !p.is_empty() && (p.chars().all(|c| c.is_ascii_digit()) || *p == "x"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(path: &str, value: Value, expected: bool) {
        let mut frontmatter = Frontmatter::default();
        frontmatter.values.insert("refdrift".to_owned(), value);
        assert_eq!(pending(&path.into(), &frontmatter).is_some(), expected, "{path}");
    }

    #[test]
    fn waits_for_versions() {
        check("docs/a.md", json!({"targets": {"pkg:npm/x": "2.4.1"}}), true);
        check("docs/a.md", json!({"targets": {"pkg:npm/x": null}}), true);
        check("docs/a.md", json!({"targets": {"pkg:npm/x": "default-branch"}}), false);
        check("docs/a.md", json!({}), false);
        check("versioned_docs/version-1.2/a.md", json!({}), true);
        check("docs/2.x/a.md", json!({}), true);
        check("docs/v1/a.md", json!({}), false);
    }
}
