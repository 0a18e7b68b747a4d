//! Flags declared as tables of option descriptions. yargs' `.options({…})` and `parseArgs({ options: {…} })` use the reader;
//! a constant table of `{ description, shorthand, argument }` is a command line of its own.

use serde_json::Value;

use super::declared::{Flag, kebab};
use crate::facts::lang::ecmascript::is_ecmascript;
use crate::facts::lang::ecmascript::value::Values;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Constant tables of `{ description, shorthand, argument }`.
pub struct OptionsTable;

/// How deep options lie inside options.
const MAX_TABLES: usize = 4;

impl Extractor for OptionsTable {
    fn name(&self) -> &'static str {
        "options-table"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ecmascript(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if !["shorthand", "argument:"].iter().any(|hint| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some()) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let values = Values::of_module(tree.root(), text);
        for statement in tree.root().named() {
            let declaration = statement.field("declaration").unwrap_or(statement);
            if declaration.kind() != "lexical_declaration" {
                continue;
            }
            for value in declaration.named().into_iter().filter_map(|d| d.field("value")) {
                table(&values, "", value, MAX_TABLES, sink);
            }
        }
    }
}

/// Records the options of a table, if one of them shows a short form or an argument.
fn table(values: &Values<'_>, prefix: &str, object: Node<'_>, depth: usize, sink: &mut FactSink<'_>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let entries = values.entries(object);
    let is_own = !prefix.is_empty()
        || entries.iter().any(|(_, value)| {
            let has = |key: &str| values.entry(*value, key).is_some_and(|n| values.string(n).is_some());
            has("description") && (has("shorthand") || has("argument"))
        });
    if !is_own {
        return;
    }
    for (key, value) in entries {
        if values.object(value).is_none() {
            continue;
        }
        let name = if prefix.is_empty() { key } else { format!("{prefix}.{key}") };
        let mut flag = describe(values, &name, Some(value));
        if prefix.is_empty() {
            flag.spellings.extend(values.entry(value, "shorthand").and_then(|s| values.string(s)).map(|s| dashed(&s)));
        }
        let argument = values.entry(value, "argument").and_then(|a| values.string(a)).unwrap_or_default();
        flag.takes_value = Some(!argument.is_empty());
        let span = value.parent().unwrap_or(value).span();
        flag.record("", span, span.of(values.text()), sink);
        if let Some(inner) = values.entry(value, "subcommands") {
            table(values, &name, inner, depth, sink);
        }
    }
}

/// Reads one description: `{ alias: "p", type: "number", default: 80, choices: […] }`.
pub(super) fn describe(values: &Values<'_>, key: &str, description: Option<Node<'_>>) -> Flag {
    let entries = description.map(|d| values.entries(d)).unwrap_or_default();
    let get = |names: &[&str]| entries.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, value)| *value);
    let is_true = |names: &[&str]| get(names).is_some_and(|n| n.kind() == "true" || n.kind() == "string");
    let mut spellings = vec![dashed(key)];
    for alias in get(&["alias", "short", "shortFlag", "char"]).map(|n| values.texts(n)).unwrap_or_default() {
        spellings.push(dashed(&alias));
    }
    let kebab = key.split('.').map(kebab).collect::<Vec<_>>().join(".");
    if key.len() > 1 && kebab != key {
        spellings.push(dashed(&kebab));
    }
    let kind = get(&["type"]).and_then(|t| values.string(t));
    let default = get(&["default"]).map(|d| values.read(d));
    let is_bool = default.as_ref().and_then(|d| d.literal()).is_some_and(Value::is_boolean);
    let is_switch = match kind.as_deref() {
        Some("boolean" | "count") => true,
        Some(_) => false,
        None => is_true(&["boolean", "count"]) || is_bool,
    };
    Flag {
        spellings,
        takes_value: Some(!is_switch),
        default,
        choices: get(&["choices"]).map(|c| values.items(c)).unwrap_or_default(),
        required: is_true(&["demandOption", "demand", "required", "isRequired", "require"]),
        multiple: kind.as_deref() == Some("array") || is_true(&["array", "multiple", "isMultiple"]),
    }
}

/// A name with the dashes it is called by.
pub(super) fn dashed(name: &str) -> String {
    if name.starts_with('-') {
        name.to_owned()
    } else if name.chars().count() == 1 {
        format!("-{name}")
    } else {
        format!("--{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_a_table() {
        checking::check(
            &OptionsTable,
            "cli-config.ts",
            r"
export const options: Options = {
  root: { description: 'Root', shorthand: 'r', argument: '<path>' },
  hideAll: { description: 'Hide' },
  reporter: null,
  coverage: { description: 'x', argument: '', subcommands: { reportsDirectory: { description: 'd', argument: '<path>', array: true } } },
};
const other = { a: { description: 'x' } };
",
            &[
                r#"cli-flag [cli-config] --root {"takesValue":true} = -r"#,
                r#"cli-flag [cli-config] --hideAll {"takesValue":false} = --hide-all"#,
                r#"cli-flag [cli-config] --coverage {"takesValue":false}"#,
                r#"cli-flag [cli-config] --coverage.reportsDirectory {"takesValue":true,"multiple":true} = --coverage.reports-directory"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(
            &OptionsTable,
            "a.ts",
            "const é = { é: { description: 'x', shorthand: 'r', argument: '<path>', subcommands: { a: {} } } };\n",
        );
    }
}
