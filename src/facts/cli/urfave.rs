//! Command lines of urfave/cli: `&cli.Command{Name: "x", Flags: []cli.Flag{&cli.StringFlag{Name: "y"}}}`.

use std::collections::BTreeMap;

use super::{Flag, command, unnamed_command};
use crate::facts::lang::go::is_go;
use crate::facts::lang::go::literal::{Call, Literals, element};
use crate::facts::reading::Object;
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Reads urfave/cli.
pub struct Urfave;

impl Extractor for Urfave {
    fn name(&self) -> &'static str {
        "urfave-cli"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_go(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if !source.text().contains("urfave/cli") && !source.text().contains("codegangsta/cli") {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let (root, text) = (tree.root(), tree.text());
        let literals = Literals::new(root, text);
        let unnamed = vec![unnamed_command(source)];
        // Literals are met from the outside in: a command is known before what stands inside it.
        let mut owners: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for node in root.preorder() {
            let kind = match node.kind() {
                "composite_literal" => node.field("type").map_or("", |t| t.text(text)),
                // The type of an element may be left out: `[]*cli.Command{{Name: "x"}}`.
                "literal_value" if owners.contains_key(&node.id()) => "cli.Command",
                _ => continue,
            };
            let owner = owners.get(&node.id()).cloned();
            match kind.strip_prefix("cli.") {
                Some("App" | "Command") => {
                    let name = element(node, "Name", text).and_then(|n| literals.string(n)).filter(|n| !n.is_empty());
                    let parent = owner.unwrap_or_default();
                    let mut path = parent.clone();
                    if let Some(name) = &name {
                        let names = element(node, "Aliases", text).map(|a| literals.strings(a)).unwrap_or_default();
                        path.push(name.clone());
                        sink.push(command(&parent, name, arguments(node, text, &literals), node.span()).aliases(names));
                    } else if path.is_empty() {
                        path.clone_from(&unnamed);
                    }
                    for key in ["Commands", "Subcommands", "Flags"] {
                        if let Some(list) = element(node, key, text) {
                            inside(list, &path, &mut owners);
                        }
                    }
                }
                Some(kind) if kind.ends_with("Flag") => {
                    flag(node, kind, owner.as_ref().unwrap_or(&unnamed), text, &literals, sink);
                }
                _ => {}
            }
        }
    }
}

/// Notes the command that the elements of a list belong to.
fn inside(list: Node<'_>, path: &[String], owners: &mut BTreeMap<usize, Vec<String>>) {
    for element in list.field("body").map(|b| b.named()).unwrap_or_default() {
        let Some(mut inner) = element.named_child(0) else { continue };
        if inner.kind() == "unary_expression" {
            inner = inner.field("operand").unwrap_or(inner);
        }
        owners.insert(inner.id(), path.to_vec());
    }
}

fn arguments<'t>(node: Node<'t>, text: &'t str, literals: &Literals<'t>) -> Vec<String> {
    let usage = element(node, "ArgsUsage", text).and_then(|u| literals.string(u)).unwrap_or_default();
    usage
        .split_whitespace()
        .map(|word| word.trim_matches(['[', ']', '<', '>', '.']).to_owned())
        .filter(|word| !word.is_empty() && !word.starts_with('-'))
        .collect()
}

fn flag<'t>(node: Node<'t>, kind: &str, owner: &[String], text: &'t str, literals: &Literals<'t>, sink: &mut FactSink<'_>) {
    let Some(name) = element(node, "Name", text).and_then(|n| literals.string(n)) else { return };
    let mut flag = Flag::default();
    // The first version of the library lists every spelling in the name.
    let mut names: Vec<String> = name.split(',').map(|n| n.trim().to_owned()).collect();
    names.extend(element(node, "Aliases", text).map(|a| literals.strings(a)).unwrap_or_default());
    for name in &names {
        if name.chars().count() == 1 { flag.short(name) } else { flag.long(name) }
    }
    let switch = kind.starts_with("Bool");
    flag.set("takesValue", !switch);
    flag.mark("multiple", kind.contains("Slice") || kind.contains("Map"));
    let required = element(node, "Required", text).is_some_and(|r| r.kind() == "true");
    flag.mark("required", required);
    let default = element(node, "Value", text).map(|v| literals.read(v));
    for variable in variables(node, text, literals) {
        let mut value = Object::new();
        if let Some(default) = default.clone() {
            default.store(&mut value, "default");
        }
        sink.push(NewFact::new(FactKind::EnvVar, "env", variable, value.into(), node.span()));
    }
    if let Some(default) = default {
        default.store(&mut flag.value, "default");
    }
    if let Some(fact) = flag.fact(owner, node.span()) {
        sink.push(fact);
    }
}

/// `EnvVar: "A,B"`, `EnvVars: []string{"A"}`, `Sources: cli.EnvVars("A")`.
fn variables<'t>(node: Node<'t>, text: &'t str, literals: &Literals<'t>) -> Vec<String> {
    let mut out = element(node, "EnvVars", text).map(|l| literals.strings(l)).unwrap_or_default();
    let one = element(node, "EnvVar", text).and_then(|v| literals.string(v)).unwrap_or_default();
    out.extend(one.split(',').map(|v| v.trim().to_owned()));
    if let Some(call) = element(node, "Sources", text).and_then(|s| Call::read(s, text)).filter(|c| c.name() == "EnvVars") {
        out.extend(call.arguments.iter().filter_map(|a| literals.string(*a)));
    }
    out.retain(|name| !name.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const TOOL: &str = "package main\nimport \"github.com/urfave/cli/v2\"\nfunc main() {\n\tapp := &cli.App{\n\t\tName: \"tool\",\n\t\tFlags: []cli.Flag{\n\t\t\t&cli.StringFlag{Name: \"config\", Aliases: []string{\"c\", \"conf\"}, Value: \"a.yml\", EnvVars: []string{\"TOOL_CONFIG\"}, Required: true},\n\t\t\t&cli.BoolFlag{Name: \"debug\"},\n\t\t\tcli.IntFlag{Name: \"n, number\", EnvVar: \"N\"},\n\t\t},\n\t\tCommands: []*cli.Command{\n\t\t\t{Name: \"add\", Aliases: []string{\"a\"}, ArgsUsage: \"<task> [note]\", Flags: []cli.Flag{&cli.StringSliceFlag{Name: \"tag\"}}},\n\t\t\t{Name: \"db\", Subcommands: []*cli.Command{{Name: \"up\"}}},\n\t\t},\n\t}\n}\nvar loose = &cli.DurationFlag{Name: \"wait\", Value: 5 * time.Second, Sources: cli.EnvVars(\"WAIT\")}";

    #[test]
    fn reads_commands_and_flags() {
        check(
            &Urfave,
            "cmd/x/main.go",
            TOOL,
            &[
                r#"cli-command [command:tool] tool {"arguments":[]}"#,
                r#"env-var TOOL_CONFIG {"default":"a.yml"}"#,
                r#"cli-flag [command:tool] --config {"takesValue":true,"required":true,"default":"a.yml"} -c,--conf"#,
                r#"cli-flag [command:tool] --debug {"takesValue":false}"#,
                "env-var N {}",
                r#"cli-flag [command:tool] --number {"takesValue":true} -n"#,
                r#"cli-command [command:tool] add {"arguments":["task","note"]} a"#,
                r#"cli-flag [command:tool add] --tag {"takesValue":true,"multiple":true}"#,
                r#"cli-command [command:tool] db {"arguments":[]}"#,
                r#"cli-command [command:tool db] up {"arguments":[]}"#,
                r#"env-var WAIT {"default":"5s"}"#,
                r#"cli-flag [command:x] --wait {"takesValue":true,"default":"5s"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Urfave, "cmd/x/main.go", TOOL);
    }
}
