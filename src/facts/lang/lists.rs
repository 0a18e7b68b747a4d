//! Lists of texts in any language: `return "wheel", "sdist"`, `const LEVELS = ["low", "high"]`. What a program lists, documents
//! list too; each is a constant with `variants`, named after the definition it stands in.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{Fact, FactKind, RepoPath};
use crate::syntax::{Grammar, Node, NodeExt};

/// Fewest and most texts of a list.
const SIZES: std::ops::RangeInclusive<usize> = 3..=64;
/// Longest text, in bytes.
const MAX_TEXT: usize = 40;
/// Most lists of one file; a file with more is data.
const MAX_LISTS: usize = 300;
/// How many nodes above a list are asked for a name.
const MAX_ABOVE: usize = 40;

/// Reads lists of texts.
pub struct Lists;

impl Extractor for Lists {
    fn name(&self) -> &'static str {
        "lists"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        Grammar::for_path(path).is_some_and(|g| !g.is_data() && g != Grammar::Bash)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        let lists = tree.root().preorder().filter_map(|node| Some((node, texts(node, source.text())?)));
        for (node, texts) in lists.take(MAX_LISTS) {
            let name = owner(node, source.text());
            let count = times.entry(name.clone()).or_default();
            *count += 1;
            let name = if *count > 1 { format!("{name}#{count}") } else { name };
            let value = json!({ "declared": Fact::LIST, "variants": texts });
            sink.push(
                NewFact::new(FactKind::Constant, format!("{}#list", source.module_owner()), name, value, node.span()).internal(),
            );
        }
    }
}

fn texts(node: Node<'_>, text: &str) -> Option<Vec<Value>> {
    let is_list = matches!(
        node.kind(),
        "array"
            | "list"
            | "tuple"
            | "set"
            | "expression_list"
            | "array_expression"
            | "literal_value"
            | "array_initializer"
            | "value_arguments"
            | "argument_list"
    );
    if !is_list || !SIZES.contains(&node.named_child_count()) {
        return None;
    }
    let mut out: Vec<Value> = Vec::new();
    for item in node.named() {
        if item.kind().contains("comment") {
            continue;
        }
        // Wrappers that some grammars put around an item.
        let inner = match (item.kind(), item.named_child_count()) {
            ("literal_element" | "value_argument", 1) => item.named_child(0)?,
            _ => item,
        };
        let quoted = inner.text(text);
        let plain = quoted.trim_matches(['"', '\'', '`']);
        let string = inner.kind().contains("string") && quoted.len() == plain.len() + 2;
        let word = !plain.is_empty()
            && plain.len() <= MAX_TEXT
            && plain.starts_with(|c: char| c.is_alphanumeric())
            && plain.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '+'));
        if !string || !word {
            return None;
        }
        let value = Value::from(plain);
        if out.contains(&value) {
            return None;
        }
        out.push(value);
    }
    SIZES.contains(&out.len()).then_some(out)
}

/// The names of the definitions around a list, outermost first.
fn owner(node: Node<'_>, text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut at = node.parent();
    for _ in 0..MAX_ABOVE {
        let Some(parent) = at else { break };
        let name = parent.field("name").or_else(|| match parent.kind() {
            "assignment" | "assignment_expression" => parent.field("left"),
            "pair" => parent.field("key"),
            _ => None,
        });
        if let Some(name) = name.filter(|n| !n.span().contains(node.span())) {
            let name = name.text(text).trim_matches(['"', '\'']);
            if name.len() <= 60 && !name.contains(char::is_whitespace) {
                names.push(name);
            }
        }
        at = parent.parent();
    }
    names.truncate(4);
    names.reverse();
    if names.is_empty() { "list".to_owned() } else { names.join(".") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    #[test]
    fn reads_lists_of_texts() {
        for (path, text, expected) in [
            (
                "a.py",
                "class Run:\n    def kinds(self):\n        return \"wheel\", \"sdist\", \"skip\"\n",
                r#"-constant [module:{path}#list] Run.kinds {"declared":"list","variants":["wheel","sdist","skip"]}"#,
            ),
            (
                "a.js",
                "const LEVELS = ['low', 'mid', 'high']",
                r#"-constant [module:{path}#list] LEVELS {"declared":"list","variants":["low","mid","high"]}"#,
            ),
            (
                "a.go",
                "package a\nvar Kinds = []string{\"x1\", \"x2\", \"x3\"}\n",
                r#"-constant [module:{path}#list] Kinds {"declared":"list","variants":["x1","x2","x3"]}"#,
            ),
            (
                "a.rs",
                "const K: [&str; 3] = [\"x1\", \"x2\", \"x3\"];",
                r#"-constant [module:{path}#list] K {"declared":"list","variants":["x1","x2","x3"]}"#,
            ),
        ] {
            check(&Lists, path, text, &[&expected.replace("{path}", path)]);
        }
        check(&Lists, "a.py", "x = ['a', 'b', f()]\ny = ['a b', 'c', 'd']\nz = ['a', 'a', 'b']\n", &[]);
    }

    #[test]
    fn survives_broken_text() {
        survives(&Lists, "a.py", "x = ['é', 'b', 'c'\n");
    }
}
