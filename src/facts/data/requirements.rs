//! `requirements*.txt`: dependencies of a Python project.

use super::package::{Manifest, lines};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `requirements*.txt`, also in a folder of that name.
pub struct Requirements;

impl Extractor for Requirements {
    fn name(&self) -> &'static str {
        "requirements"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        let directory = path.directory().rsplit('/').next().unwrap_or_default();
        path.extension() == "txt" && (path.stem().contains("requirements") || directory == "requirements")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let mut manifest = Manifest::new(source, sink, "pypi");
        let stem = source.path().stem().to_ascii_lowercase();
        let dev = ["dev", "test", "doc", "lint", "typing", "ci"].iter().any(|word| stem.contains(word));
        let group = if dev { "dev" } else { "runtime" };
        for (span, line) in lines(source.text()) {
            let requirement = line.split(" #").next().unwrap_or("").trim().trim_end_matches('\\').trim();
            if requirement.is_empty() || requirement.starts_with(['#', '-']) || requirement.contains("://") {
                continue;
            }
            let plain = requirement.split(" --").next().unwrap_or(requirement);
            manifest.requirement(group, plain, span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "# c\n-r base.txt\nflask>=2.0 # web\nx[a,b]==1.0 ; python_version < '3.8' \\\n    --hash=sha256:00\ngit+https://x/y\nplain\n";

    #[test]
    fn reads_requirements() {
        check(
            &Requirements,
            "requirements.txt",
            FULL,
            &[
                r#"package [file:requirements.txt#runtime] flask {"constraint":">=2.0","group":"runtime"}"#,
                r#"package [file:requirements.txt#runtime] x {"constraint":"==1.0","group":"runtime"}"#,
                r#"package [file:requirements.txt#runtime] plain {"group":"runtime"}"#,
            ],
        );
        check(
            &Requirements,
            "requirements/test.txt",
            "pytest",
            &[r#"package [file:requirements/test.txt#dev] pytest {"group":"dev"}"#],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Requirements, "requirements.txt", FULL);
    }
}
