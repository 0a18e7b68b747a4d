//! Flags of hand-made tables in Rust: one type per flag whose `impl` gives `name_long`, `name_short`, `aliases`.

use serde_json::Value;

use super::{Flag, unnamed_command};
use crate::facts::lang::rust::attributes::items;
use crate::facts::lang::rust::literal::Literals;
use crate::facts::lang::rust::shapes::{MAX_MODULES, tail_expression};
use crate::facts::reading::Reading;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Reads types that describe one flag each.
pub struct RustFlagTable;

impl Extractor for RustFlagTable {
    fn name(&self) -> &'static str {
        "rust-flag-table"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension() == "rs"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if !source.text().contains("fn name_long") {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let (root, text) = (tree.root(), tree.text());
        let literals = Literals::new(root, text);
        let command = [unnamed_command(source)];
        let mut pending = vec![(root, 0)];
        while let Some((parent, depth)) = pending.pop() {
            for item in items(parent, text) {
                let Some(body) = item.node.field("body") else { continue };
                match item.node.kind() {
                    "mod_item" if depth < MAX_MODULES => pending.push((body, depth + 1)),
                    "impl_item" => {
                        if let Some(fact) = flag(body, text, &literals).fact(&command, item.node.span()) {
                            sink.push(fact);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
}

fn flag<'t>(body: Node<'t>, text: &'t str, literals: &Literals<'t>) -> Flag {
    let mut flag = Flag::default();
    let returns = |method: &str| -> Option<Value> {
        let function = items(body, text)
            .into_iter()
            .find(|i| i.node.kind() == "function_item" && i.node.field("name").is_some_and(|n| n.text(text) == method))?;
        match literals.read(tail_expression(function.node.field("body")?)?) {
            Reading::Literal(value) => Some(value),
            Reading::Computed(_) => None,
        }
    };
    let Some(Value::String(long)) = returns("name_long") else { return flag };
    flag.long(&long);
    if let Some(Value::String(short)) = returns("name_short") {
        flag.short(&short);
    }
    for name in texts(returns("aliases")) {
        flag.long(&name);
    }
    if let Some(Value::String(negated)) = returns("name_negated") {
        flag.long(&negated);
    }
    if let Some(Value::Bool(switch)) = returns("is_switch") {
        flag.set("takesValue", !switch);
    }
    let choices = texts(returns("doc_choices"));
    if !choices.is_empty() {
        flag.set("choices", choices);
    }
    flag
}

fn texts(value: Option<Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const TABLE: &str = "struct Files;\nimpl Flag for Files {\n  fn is_switch(&self) -> bool { false }\n  fn name_short(&self) -> Option<u8> { Some(b'f') }\n  fn name_long(&self) -> &'static str { \"files\" }\n  fn aliases(&self) -> &'static [&'static str] { &[\"list\"] }\n  fn name_negated(&self) -> Option<&'static str> { Some(\"no-files\") }\n  fn doc_choices(&self) -> &'static [&'static str] { &[\"a\", \"b\"] }\n}\nimpl Flag for Computed { fn name_long(&self) -> &'static str { name() } }";

    #[test]
    fn reads_a_type_per_flag() {
        check(
            &RustFlagTable,
            "src/defs.rs",
            TABLE,
            &[r#"cli-flag [command:defs] --files {"takesValue":true,"choices":["a","b"]} -f,--list,--no-files"#],
        );
        check(&RustFlagTable, "src/defs.rs", "trait Flag { fn name_long(&self) -> &'static str; }", &[]);
    }

    #[test]
    fn survives_broken_text() {
        survives(&RustFlagTable, "src/defs.rs", TABLE);
    }
}
