//! `action.yml`: the inputs and outputs of a GitHub action.

use serde_json::Value;

use super::tree::{self, Item};
use crate::facts::reading::Object;
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};

/// Reads `action.yml` and `action.yaml`.
pub struct Action;

impl Extractor for Action {
    fn name(&self) -> &'static str {
        "action"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.file_name(), "action.yml" | "action.yaml")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(root) = tree::document(source) else { return };
        let owner = source.file_owner();
        for (key, direction) in [("inputs", "input"), ("outputs", "output")] {
            for entry in root.at(&[key]).map(Item::entries).unwrap_or_default() {
                let mut value = Object::new();
                value.insert("direction".to_owned(), direction.into());
                if let Some(default) = entry.item.at(&["default"]).and_then(Item::value).filter(|_| direction == "input") {
                    let computed = default.as_str().is_some_and(|text| text.contains("${{"));
                    value.insert(if computed { "defaultExpr" } else { "default" }.to_owned(), default.clone());
                }
                if let Some(required) = entry.item.at(&["required"]).and_then(Item::value) {
                    value.insert("required".to_owned(), (*required == Value::Bool(true) || required == "true").into());
                }
                if entry.item.entry("deprecationMessage").is_some() {
                    value.insert("deprecated".to_owned(), true.into());
                }
                sink.push(NewFact::new(FactKind::ActionInput, &owner, &entry.key, Value::Object(value), entry.span));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "name: x\ninputs:\n  fail-fast:\n    description: d\n    required: false\n    default: true\n  token:\n    default: ${{ github.token }}\n    required: \"true\"\n  old:\n    deprecationMessage: use new\n  bare:\noutputs:\n  exit:\n    value: ${{ x }}\nruns:\n  using: node20";

    #[test]
    fn reads_inputs_and_outputs() {
        check(
            &Action,
            "action.yml",
            FULL,
            &[
                r#"action-input fail-fast {"direction":"input","default":true,"required":false}"#,
                r#"action-input token {"direction":"input","defaultExpr":"${{ github.token }}","required":true}"#,
                r#"action-input old {"direction":"input","deprecated":true}"#,
                r#"action-input bare {"direction":"input"}"#,
                r#"action-input exit {"direction":"output"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Action, "a/action.yaml", FULL);
    }
}
