//! Whom a page is for, by its path.

use crate::model::RepoPath;

/// Whether a page is for those who work on the project, by its path.
pub fn is_for_contributors(page: &RepoPath) -> bool {
    let path = page.as_str().to_lowercase();
    let stem = page.stem().to_lowercase();
    matches!(stem.as_str(), "contributing" | "development" | "developing" | "hacking" | "maintaining" | "maintainers")
        || path.split('/').any(|s| matches!(s, "contributing" | "contribute"))
}
