//! Flags that annotations declare on the fields of Java and Kotlin classes: `JCommander`'s `@Parameter(names = …)` and
//! picocli's `@Option(names = …)`, with the commands of their classes.

use serde_json::Value;

use super::declared::{Command, Flag};
use crate::facts::lang::java::value::Values as JavaValues;
use crate::facts::lang::kotlin::value::{self as kotlin, Values as KotlinValues};
use crate::facts::written::Written;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Annotated command lines.
pub struct Annotated;

impl Extractor for Annotated {
    fn name(&self) -> &'static str {
        "annotated-flags"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.extension(), "java" | "kt")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        if !["jcommander", "picocli"].iter().any(|hint| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some()) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let root = tree.root();
        let mut found = if source.path().extension() == "java" {
            java(root, &JavaValues::of_file(root, text))
        } else {
            kotlin(root, &KotlinValues::of_file(root, text))
        };
        found.commands.reverse();
        for (command, span) in found.commands.iter().rev() {
            command.clone().record(*span, sink);
        }
        for (flag, span) in found.flags {
            let owner = found.commands.iter().find(|(_, class)| class.contains(span)).map(|(c, _)| c.name.as_str());
            flag.record(owner.unwrap_or_default(), span, span.of(text), sink);
        }
    }
}

/// Commands with the span of their class, outer ones first, and flags.
#[derive(Default)]
struct Found {
    commands: Vec<(Command, ByteSpan)>,
    flags: Vec<(Flag, ByteSpan)>,
}

/// What an annotation says, language apart.
#[derive(Default)]
struct Annotation {
    names: Vec<String>,
    aliases: Vec<String>,
    default: Option<Written>,
    required: bool,
    arity: Option<i64>,
}

impl Annotation {
    /// One `key = value` of the annotation.
    fn set(&mut self, key: &str, texts: Vec<String>, written: Written) {
        match key {
            "names" | "name" | "value" | "commandNames" => self.names.extend(texts),
            "aliases" => self.aliases.extend(texts),
            "defaultValue" => self.default = Some(written),
            "required" => self.required = written.literal() == Some(&Value::Bool(true)),
            "arity" => self.arity = written.literal().and_then(|v| v.as_i64().or_else(|| v.as_str()?.parse().ok())),
            _ => {}
        }
    }

    fn command(self, span: ByteSpan) -> Option<(Command, ByteSpan)> {
        let mut names = self.names.into_iter();
        let name = names.next().filter(|name| !name.starts_with('-'))?;
        Some((Command { name, aliases: names.chain(self.aliases).collect(), ..Command::default() }, span))
    }

    fn flag(self, type_text: &str, initial: Option<Written>, span: ByteSpan) -> Option<(Flag, ByteSpan)> {
        let default = self.default.or(initial);
        let is_bool = matches!(type_text.trim_end_matches('?'), "boolean" | "Boolean")
            || (type_text.is_empty() && default.as_ref().and_then(Written::literal).is_some_and(Value::is_boolean));
        let flag = Flag {
            spellings: self.names.into_iter().filter(|name| name.starts_with('-')).collect(),
            takes_value: Some(self.arity.map_or(!is_bool, |arity| arity > 0)),
            default,
            required: self.required,
            multiple: ["List", "Set", "Collection", "[]", "Array"].iter().any(|kind| type_text.contains(kind)),
            ..Flag::default()
        };
        (!flag.spellings.is_empty()).then_some((flag, span))
    }
}

fn java(root: Node<'_>, values: &JavaValues<'_>) -> Found {
    let text = values.text();
    let mut found = Found::default();
    for node in root.preorder() {
        let is_class = node.kind() == "class_declaration";
        if !is_class && node.kind() != "field_declaration" {
            continue;
        }
        for annotation in node.child_of_kind("modifiers").map(|m| m.named()).unwrap_or_default() {
            let name = annotation.field("name").map(|n| n.text(text)).unwrap_or_default();
            let name = name.rsplit('.').next().unwrap_or(name);
            let mut read = Annotation::default();
            for pair in annotation.field("arguments").map(|a| a.named()).unwrap_or_default() {
                let (key, value) = match (pair.field("key"), pair.field("value")) {
                    (Some(key), Some(value)) => (key.text(text), value),
                    _ => ("value", pair),
                };
                read.set(key, values.texts(value), values.read(value));
            }
            match name {
                "Command" | "Parameters" if is_class => found.commands.extend(read.command(node.span())),
                "Parameter" | "Option" if !is_class => {
                    let initial = node.field("declarator").and_then(|d| d.field("value")).map(|v| values.read(v));
                    let type_text = node.field("type").map(|t| t.text(text)).unwrap_or_default();
                    found.flags.extend(read.flag(type_text, initial, node.span()));
                }
                _ => {}
            }
        }
    }
    found
}

fn kotlin(root: Node<'_>, values: &KotlinValues<'_>) -> Found {
    let text = values.text();
    let mut found = Found::default();
    for node in root.preorder() {
        let is_class = node.kind() == "class_declaration";
        if !is_class && !matches!(node.kind(), "property_declaration" | "class_parameter") {
            continue;
        }
        for (name, call) in kotlin::annotations(node, text) {
            let mut read = Annotation::default();
            for (key, value) in call.map(|c| kotlin::arguments(c, text)).unwrap_or_default() {
                read.set(key.unwrap_or("value"), values.texts(value), values.read(value));
            }
            match name {
                "Command" | "Parameters" if is_class => found.commands.extend(read.command(node.span())),
                "Parameter" | "Option" if !is_class => {
                    let initial = kotlin::assigned(node).map(|v| values.read(v));
                    let variable = node.child_of_kind("variable_declaration").unwrap_or(node);
                    let type_node = variable.named().into_iter().find(|n| matches!(n.kind(), "user_type" | "nullable_type"));
                    let type_text = type_node.map(|t| t.text(text)).unwrap_or_default();
                    found.flags.extend(read.flag(type_text, initial, node.span()));
                }
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_java() {
        checking::check(
            &Annotated,
            "src/Args.java",
            r#"
import picocli.CommandLine.*;
@Command(name = "tool", aliases = {"t"})
class Args {
  @Option(names = {"--output", "-o"}, required = true) private File output;
  @Option(names = "--verbose") boolean verbose = false;
  @Option(names = "--size", defaultValue = "5") int size;
  @Parameter(names = "--list", arity = 2) List<String> list;
  @Parameters int positional;
}
"#,
            &[
                r#"cli-command [tool] tool {"arguments":[]} = t"#,
                r#"cli-flag [tool] --output {"takesValue":true,"required":true} = -o"#,
                r#"cli-flag [tool] --verbose {"takesValue":false,"default":false}"#,
                r#"cli-flag [tool] --size {"takesValue":true,"default":"5"}"#,
                r#"cli-flag [tool] --list {"takesValue":true,"multiple":true}"#,
            ],
        );
    }

    #[test]
    fn reads_kotlin() {
        checking::check(
            &Annotated,
            "src/CliArgs.kt",
            r#"
import com.beust.jcommander.Parameter
class CliArgs {
    @Parameter(
        names = ["--input", "-i"],
        description = "x"
    )
    var input: List<Path> = emptyList()

    @Parameter(names = ["--parallel"])
    var parallel: Boolean = false

    @Parameter(names = ["--max"], arity = 1)
    var max = 5
}
"#,
            &[
                r#"cli-flag [CliArgs] --input {"takesValue":true,"default":[],"multiple":true} = -i"#,
                r#"cli-flag [CliArgs] --parallel {"takesValue":false,"default":false}"#,
                r#"cli-flag [CliArgs] --max {"takesValue":true,"default":5}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        let java = "import picocli.X;\n@Command(name = \"é\") class A { @Option(names = {\"-é\"}) int a = 1; }\n";
        checking::survives(&Annotated, "A.java", java);
        let kotlin = "import com.beust.jcommander.X\nclass A(@Parameter(names = [\"--é\"]) val a: Int = 1)\n";
        checking::survives(&Annotated, "A.kt", kotlin);
    }
}
