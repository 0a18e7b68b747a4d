//! Shell scripts: functions, upper-case variables, environment variables with their fallbacks, and the script's own flags.

use serde_json::Value;

use crate::facts::cli::declared::{Flag, is_flag};
use crate::facts::environment::{Variable, record};
use crate::facts::written::{Projection, Written, is_upper, number, without_name};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Scripts of bash, zsh and sh.
pub struct Shell;

/// Variables that every shell sets.
const BUILT_IN: &[&str] =
    &["HOME", "PATH", "PWD", "OLDPWD", "USER", "SHELL", "IFS", "OPTARG", "OPTIND", "RANDOM", "UID", "BASH_SOURCE"];

impl Extractor for Shell {
    fn name(&self) -> &'static str {
        "shell"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.extension(), "sh" | "bash" | "zsh")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(tree) = source.tree() else { return };
        let text = source.text();
        let owner = source.module_owner();
        for node in tree.root().named() {
            definition(&owner, node, text, sink);
        }
        let mut variables = Vec::new();
        let script = source.path().file_name();
        for node in tree.root().preorder() {
            match node.kind() {
                "expansion" => variables.extend(expansion(node, text)),
                "case_item" => case_item(node, text, script, sink),
                "command" => getopts(node, text, script, sink),
                _ => {}
            }
        }
        record(variables, sink);
    }
}

fn definition(owner: &str, node: Node<'_>, text: &str, sink: &mut FactSink<'_>) {
    match node.kind() {
        "function_definition" => {
            let Some(name) = node.field("name").map(|n| n.text(text)) else { return };
            sink.push(
                NewFact::new(FactKind::Symbol, owner, name, Projection::declared("function"), node.span())
                    .internal()
                    .body(&without_name(node.text(text), name)),
            );
        }
        "variable_assignment" => variable(owner, node, text, sink),
        "declaration_command" => {
            for inner in node.named().into_iter().filter(|n| n.kind() == "variable_assignment") {
                variable(owner, inner, text, sink);
            }
        }
        _ => {}
    }
}

/// `NAME=value` at the top level.
fn variable(owner: &str, node: Node<'_>, text: &str, sink: &mut FactSink<'_>) {
    let (Some(name), Some(value)) = (node.field("name").map(|n| n.text(text)), node.field("value")) else { return };
    if !is_upper(name) {
        return;
    }
    sink.push(
        NewFact::new(FactKind::Symbol, owner, name, Projection::declared("constant"), node.span())
            .internal()
            .body(&without_name(node.text(text), name)),
    );
    let written = literal(value, text).map_or_else(|| Written::expression(value, text), Written::Literal);
    let value = Projection::default().written("value", Some(written)).build();
    sink.push(NewFact::new(FactKind::Constant, owner, name, value, node.span()).internal());
}

/// A word or string without expansions.
fn literal(node: Node<'_>, text: &str) -> Option<Value> {
    if node
        .preorder()
        .any(|n| matches!(n.kind(), "expansion" | "simple_expansion" | "command_substitution" | "arithmetic_expansion" | "array"))
    {
        return None;
    }
    let raw = node.text(text);
    match node.kind() {
        "number" => number(raw),
        "string" => Some(Value::from(raw.trim_matches('"'))),
        "raw_string" => Some(Value::from(raw.trim_matches('\''))),
        "word" => Some(Value::from(raw)),
        _ => None,
    }
}

/// `${NAME:-fallback}` of an upper-case name. In a test it only says what is compared where there is none.
fn expansion(node: Node<'_>, text: &str) -> Option<Variable> {
    if std::iter::successors(node.parent(), Node::parent).take(8).any(|n| n.kind() == "test_command") {
        return None;
    }
    let name_node = node.child_of_kind("variable_name")?;
    let name = name_node.text(text);
    if !is_upper(name) || BUILT_IN.contains(&name) {
        return None;
    }
    let inside = text.get(name_node.end_byte()..node.end_byte().checked_sub(1)?)?;
    let operator = [":-", ":=", "-", "="].into_iter().find(|operator| inside.starts_with(operator))?;
    let fallback = inside.get(operator.len()..)?.trim();
    let default = if fallback.contains('$') || fallback.contains('`') {
        Written::Expression(fallback.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect())
    } else {
        let plain = fallback.trim_matches(['"', '\'']);
        let is_number = plain.starts_with(|c: char| c.is_ascii_digit());
        let value = if is_number && plain.bytes().all(|b| b.is_ascii_digit()) { number(plain) } else { None };
        Written::Literal(value.unwrap_or_else(|| Value::from(plain)))
    };
    Some(Variable { name: name.to_owned(), default: Some(default), span: node.span() })
}

/// `-f | --flag)` and `--size=*)`.
fn case_item(node: Node<'_>, text: &str, script: &str, sink: &mut FactSink<'_>) {
    let mut cursor = node.walk();
    let mut flag = Flag::default();
    for value in node.children_by_field_name("value", &mut cursor) {
        let pattern = value.text(text).trim_matches(['"', '\'']);
        let name = match pattern.split_once('=') {
            Some((name, _)) => {
                flag.takes_value = Some(true);
                name
            }
            None => pattern,
        };
        if name.len() > 1 && is_flag(name) && !name.ends_with(['?', '*']) && !flag.spellings.iter().any(|s| s == name) {
            flag.spellings.push(name.to_owned());
        }
    }
    if !flag.spellings.is_empty() {
        flag.record(script, node.span(), "", sink);
    }
}

/// `getopts "ab:" name`.
fn getopts(node: Node<'_>, text: &str, script: &str, sink: &mut FactSink<'_>) {
    if node.field("name").is_none_or(|n| n.text(text) != "getopts") {
        return;
    }
    let Some(spec) = node.field("argument").map(|a| a.text(text).trim_matches(['"', '\'']).trim_start_matches(':')) else {
        return;
    };
    let letters: Vec<char> = spec.chars().collect();
    for (i, letter) in letters.iter().enumerate().filter(|(_, c)| c.is_ascii_alphanumeric()) {
        let takes_value = letters.get(i + 1) == Some(&':');
        let flag = Flag { spellings: vec![format!("-{letter}")], takes_value: Some(takes_value), ..Flag::default() };
        flag.record(script, node.span(), "", sink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    fn check(text: &str, expected: &[&str]) {
        checking::check(&Shell, "install.sh", text, expected);
    }

    #[test]
    fn reads_definitions() {
        check(
            "VERSION=1.2\nreadonly LIMIT=5\nNAME=\"a b\"\nMADE=\"$(date)\"\nlower=x\nrun() { LOCAL=1; }\nfunction go { :; }\n",
            &[
                r#"symbol VERSION {"declared":"constant"} internal"#,
                r#"constant VERSION {"value":"1.2"} internal"#,
                r#"symbol LIMIT {"declared":"constant"} internal"#,
                r#"constant LIMIT {"value":5} internal"#,
                r#"symbol NAME {"declared":"constant"} internal"#,
                r#"constant NAME {"value":"a b"} internal"#,
                r#"symbol MADE {"declared":"constant"} internal"#,
                r#"constant MADE {"valueExpr":"\"$(date)\""} internal"#,
                r#"symbol run {"declared":"function"} internal"#,
                r#"symbol go {"declared":"function"} internal"#,
            ],
        );
    }

    #[test]
    fn reads_environment_variables() {
        check(
            "X=\"${PORT:-80}\"\n: ${DIR:=/usr/local}\necho ${NAME-\"a b\"} ${lower:-x} ${PATH:-y} ${ZONE:-$PORT} ${PLAIN}\n",
            &[
                r#"env-var PORT {"default":80}"#,
                r#"env-var DIR {"default":"/usr/local"}"#,
                r#"env-var NAME {"default":"a b"}"#,
                r#"env-var ZONE {"defaultExpr":"$PORT"}"#,
            ],
        );
    }

    #[test]
    fn reads_flags() {
        check(
            "while getopts \":ab:\" opt; do :; done\ncase \"$1\" in\n  -f | --flag) ;;\n  --size=*) ;;\n  start) ;;\n  -*) ;;\n  *) ;;\nesac\n",
            &[
                r#"cli-flag [install.sh] -a {"takesValue":false}"#,
                r#"cli-flag [install.sh] -b {"takesValue":true}"#,
                r"cli-flag [install.sh] --flag {} = -f",
                r#"cli-flag [install.sh] --size {"takesValue":true}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(&Shell, "a.sh", "É=${X:-é}\ncase $1 in -é|--é=*) ;; esac\ngetopts \"é:\" o\nf() { :; }\n");
    }
}
