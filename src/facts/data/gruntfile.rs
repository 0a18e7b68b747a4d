//! Gruntfiles: `grunt.registerTask("name", ..)`.

use super::package::Manifest;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Reads `Gruntfile.js`.
pub struct Gruntfile;

impl Extractor for Gruntfile {
    fn name(&self) -> &'static str {
        "gruntfile"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.stem().eq_ignore_ascii_case("gruntfile") && matches!(path.extension(), "js" | "cjs" | "mjs" | "ts")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let text = tree.text();
        let mut manifest = Manifest::new(source, sink, "npm");
        for call in tree.root().preorder().filter(|n| n.kind() == "call_expression") {
            let method = call.field("function").and_then(|f| f.field("property")).map_or("", |p| p.text(text));
            if !matches!(method, "registerTask" | "registerMultiTask") {
                continue;
            }
            let arguments = call.field("arguments").map(|a| a.named()).unwrap_or_default();
            let Some(name) = arguments.first().and_then(|a| string(*a, text)) else { continue };
            let steps = arguments.iter().find(|a| a.kind() == "array").map(NodeExt::named).unwrap_or_default();
            let command = steps.into_iter().filter_map(|s| string(s, text)).collect::<Vec<_>>().join("; ");
            manifest.task("grunt", &name, Some(&command), call.span());
        }
    }
}

fn string(node: Node<'_>, text: &str) -> Option<String> {
    (node.kind() == "string").then(|| node.text(text).trim_matches(['"', '\'']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "module.exports = function (grunt) {\n  grunt.registerTask('default', ['lint', 'test']);\n  grunt.registerTask(\"lint\", \"desc\", function () {});\n  grunt.registerTask(name, []);\n};";

    #[test]
    fn reads_tasks() {
        check(
            &Gruntfile,
            "Gruntfile.js",
            FULL,
            &[r#"task default {"runner":"grunt","command":"lint; test"}"#, r#"task lint {"runner":"grunt"}"#],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Gruntfile, "Gruntfile.js", FULL);
    }
}
