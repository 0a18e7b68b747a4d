//! `refdrift demo`: a small sample repository from an embedded fixture in a temporary folder, checked and reported.

use std::path::Path;

use super::Error;

/// One file of the sample: path, text at base, text at head. An empty text means that the file is not there.
const SAMPLE: &[(&str, &str, &str)] = &[
    ("README.md", include_str!("../../fixtures/demo/before/README.md"), include_str!("../../fixtures/demo/after/README.md")),
    (
        "docs/settings.md",
        include_str!("../../fixtures/demo/before/docs/settings.md"),
        include_str!("../../fixtures/demo/after/docs/settings.md"),
    ),
    (
        "CHANGELOG.md",
        include_str!("../../fixtures/demo/before/CHANGELOG.md"),
        include_str!("../../fixtures/demo/after/CHANGELOG.md"),
    ),
    (
        "package.json",
        include_str!("../../fixtures/demo/before/package.json"),
        include_str!("../../fixtures/demo/after/package.json"),
    ),
    ("src/cli.js", include_str!("../../fixtures/demo/before/src/cli.js"), include_str!("../../fixtures/demo/after/src/cli.js")),
    (
        "src/fetch.js",
        include_str!("../../fixtures/demo/before/src/fetch.js"),
        include_str!("../../fixtures/demo/after/src/fetch.js"),
    ),
];

/// Writes the sample as a repository with two commits. Nothing of the user's git configuration is read.
///
/// # Errors
/// The folder cannot be written.
pub fn demo(directory: &Path) -> Result<(), Error> {
    let failed =
        |message: String| Error::Invalid { message: format!("the sample repository cannot be written: {message}"), help: None };
    let write = |side: fn(&(&'static str, &'static str, &'static str)) -> &'static str| -> Vec<(&'static str, &'static str)> {
        SAMPLE.iter().map(|file| (file.0, side(file))).filter(|(_, text)| !text.is_empty()).collect()
    };
    crate::git::write_sample(directory, &[("before", write(|f| f.1)), ("after", write(|f| f.2))])
        .map_err(|e| failed(e.to_string()))
}
