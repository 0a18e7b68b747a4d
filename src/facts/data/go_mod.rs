//! `go.mod`: module, Go version, direct requirements.

use super::package::{Manifest, lines};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `go.mod`.
pub struct GoMod;

impl Extractor for GoMod {
    fn name(&self) -> &'static str {
        "go-mod"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "go.mod"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let mut manifest = Manifest::new(source, sink, "golang");
        let mut block = "";
        for (span, line) in lines(source.text()) {
            let (code, comment) = line.split_once("//").unwrap_or((line, ""));
            let mut words: Vec<&str> = code.split_whitespace().collect();
            match words.as_slice() {
                [")"] => block = "",
                [directive, "("] => block = directive,
                [] => {}
                _ => {
                    if !block.is_empty() {
                        words.insert(0, block);
                    }
                    match words.as_slice() {
                        ["module", path] => manifest.own(path.trim_matches('"'), None, span),
                        ["go", version] => manifest.runtime("go", version, span),
                        ["require", path, version] if !comment.contains("indirect") => {
                            manifest.dependency("runtime", path.trim_matches('"'), Some(version), span);
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "module example.com/tool/v2 // c\n\ngo 1.22.1\n\nrequire example.com/one v1.0.0\nrequire (\n\texample.com/two v2.0.0\n\texample.com/far v3.0.0 // indirect\n)\nreplace (\n\ta => b v1\n)";

    #[test]
    fn reads_a_module() {
        check(
            &GoMod,
            "go.mod",
            FULL,
            &[
                r#"package example.com/tool/v2 {"ecosystem":"golang","purl":"pkg:golang/example.com/tool/v2"}"#,
                r#"package go {"minimum":"1.22.1","constraint":"1.22.1"}"#,
                r#"package [file:go.mod#runtime] example.com/one {"constraint":"v1.0.0","group":"runtime"}"#,
                r#"package [file:go.mod#runtime] example.com/two {"constraint":"v2.0.0","group":"runtime"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&GoMod, "go.mod", FULL);
    }
}
