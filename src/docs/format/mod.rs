//! The document formats, one file each.

use super::Format;

pub(super) static ALL: &[&dyn Format] = &[];
