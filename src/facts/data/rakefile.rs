//! Rakefiles: tasks with their namespaces.

use super::package::Manifest;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Reads `Rakefile` and `*.rake`.
pub struct Rakefile;

impl Extractor for Rakefile {
    fn name(&self) -> &'static str {
        "rakefile"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "Rakefile" || path.extension() == "rake"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let text = tree.text();
        let mut manifest = Manifest::new(source, sink, "gem");
        let mut spaces: Vec<(String, ByteSpan)> = Vec::new();
        for call in tree.root().preorder().filter(|n| n.kind() == "call") {
            let Some(method) = call.field("method").filter(|_| call.field("receiver").is_none()) else { continue };
            let method = method.text(text);
            if !matches!(method, "task" | "namespace" | "multitask") {
                continue;
            }
            let Some(first) = call.field("arguments").and_then(|a| a.named_child(0)) else { continue };
            let Some(name) = name(first, text) else { continue };
            spaces.retain(|(_, span)| span.contains(call.span()));
            let path = spaces.iter().map(|(n, _)| n.as_str()).chain([name.as_str()]).collect::<Vec<_>>().join(":");
            if method == "namespace" {
                if spaces.len() < 16 {
                    spaces.push((name, call.span()));
                }
            } else {
                manifest.task("rake", &path, None, call.span());
            }
        }
    }
}

/// The name in `:build`, `"build"`, `build: [:a]` and `:build => :a`.
fn name(node: Node<'_>, text: &str) -> Option<String> {
    let node = if node.kind() == "pair" { node.field("key")? } else { node };
    let name = match node.kind() {
        "simple_symbol" => node.text(text).strip_prefix(':')?,
        "hash_key_symbol" => node.text(text),
        "string" => node.child_of_kind("string_content")?.text(text),
        _ => return None,
    };
    (!name.is_empty() && !name.contains("#{")).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "task default: %w[build]\ntask :build do\nend\ntask \"lint\" => :build\ntask :deploy, [:env] => :build\nnamespace :db do\n  task :migrate do\n  end\n  namespace :seed do\n    task(:all) { }\n  end\nend\nfoo.task :no\ntask name\n";

    #[test]
    fn reads_tasks() {
        check(
            &Rakefile,
            "Rakefile",
            FULL,
            &[
                r#"task default {"runner":"rake"}"#,
                r#"task build {"runner":"rake"}"#,
                r#"task lint {"runner":"rake"}"#,
                r#"task deploy {"runner":"rake"}"#,
                r#"task db:migrate {"runner":"rake"}"#,
                r#"task db:seed:all {"runner":"rake"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Rakefile, "lib/tasks/x.rake", FULL);
    }
}
