//! Generated documents and regions, by marker.

use crate::model::{GeneratedRegion, Region, RepoPath};

/// Finds text that a program wrote.
pub(super) fn find(_path: &RepoPath, _text: &str, _regions: &[Region]) -> Vec<GeneratedRegion> {
    Vec::new()
}
