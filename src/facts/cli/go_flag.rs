//! Flags of Go's `flag` package and of pflag, also under cobra and behind functions that wrap a flag set.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::cobra::Commands;
use super::{Flag, unnamed_command};
use crate::facts::lang::go::is_go;
use crate::facts::lang::go::literal::{Call, Literals, assignments, last_part, walk};
use crate::facts::reading::{Object, Reading};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Reads flags of `flag` and pflag.
pub struct GoFlag;

impl Extractor for GoFlag {
    fn name(&self) -> &'static str {
        "go-flag"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_go(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        let standard = text.contains("\"flag\"");
        let own = text.contains("pflag\"") || text.contains("/cobra\"");
        if !standard && !own {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let (root, text) = (tree.root(), tree.text());
        let literals = Literals::new(root, text);
        let commands = Commands::new(root, text, &literals, &unnamed_command(source));
        let mut file = File {
            text,
            literals: &literals,
            commands,
            sets: BTreeMap::new(),
            required: BTreeSet::new(),
            single_dash: standard && !own,
        };
        file.prepare(root);
        let owner = source.module_owner();
        walk(root, text, |node, function| {
            if let Some(call) = Call::read(node, text)
                && let Some((found, default)) = file.flag(&call, function)
            {
                let command = found.command.clone();
                if let Some(key) = found.key {
                    let mut value = Object::new();
                    if let Some(default) = default {
                        default.store(&mut value, "default");
                    }
                    sink.push(NewFact::new(FactKind::ConfigKey, &owner, key, Value::Object(value), node.span()));
                }
                if let Some(fact) = found.flag.fact(&command, node.span()) {
                    sink.push(fact);
                }
            }
        });
    }
}

/// A flag with its command and the configuration key it is bound to.
struct Found {
    flag: Flag,
    command: Vec<String>,
    key: Option<String>,
}

/// What the name of a method says: `StringVarP` points to a variable and has a short form.
#[derive(Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "five independent properties, each read once")]
struct Method {
    switch: bool,
    many: bool,
    pointer: bool,
    short: bool,
    default: bool,
}

struct File<'a, 't> {
    text: &'t str,
    literals: &'a Literals<'t>,
    commands: Commands<'t>,
    /// Function (empty at the top level) and variable: the command of its flags.
    sets: BTreeMap<(&'t str, &'t str), Vec<String>>,
    required: BTreeSet<(Vec<String>, String)>,
    single_dash: bool,
}

impl<'t> File<'_, 't> {
    /// Notes flag sets in variables and flags marked as required.
    fn prepare(&mut self, root: Node<'t>) {
        let text = self.text;
        let mut sets = BTreeMap::new();
        let mut required = BTreeSet::new();
        walk(root, text, |node, function| {
            for (left, right) in assignments(node) {
                if let Some(command) = self.set(right, function) {
                    sets.insert((function, left.text(text)), command);
                }
            }
            if node.kind() == "parameter_declaration"
                && node.field("type").is_some_and(|t| t.text(text).ends_with("FlagSet"))
                && let Some(name) = node.field("name")
            {
                sets.insert((function, name.text(text)), self.commands.fallback(""));
            }
            if let Some(call) = Call::read(node, text)
                && matches!(call.name(), "MarkFlagRequired" | "MarkPersistentFlagRequired")
                && let Some(command) = call.receiver.and_then(|r| self.commands.path_of(r, function))
                && let Some(name) = call.arguments.first().and_then(|a| self.literals.string(*a))
            {
                required.insert((command, name));
            }
        });
        self.sets = sets;
        self.required = required;
    }

    /// The command whose flags an expression of a flag set adds to.
    fn set(&self, node: Node<'t>, function: &str) -> Option<Vec<String>> {
        let call = Call::read(node, self.text)?;
        match call.name() {
            "Flags" | "PersistentFlags" | "LocalFlags" | "InheritedFlags" => {
                let known = call.receiver.and_then(|r| self.commands.path_of(r, function));
                Some(known.unwrap_or_else(|| self.commands.fallback(function)))
            }
            "NewFlagSet" => {
                let name = call.arguments.first().and_then(|a| self.literals.string(*a)).filter(|n| !n.is_empty());
                Some(name.map_or_else(|| self.commands.fallback(function), |n| n.split_whitespace().map(str::to_owned).collect()))
            }
            _ => None,
        }
    }

    /// The command of a receiver, where the receiver is a flag set.
    fn receiver(&self, node: Node<'t>, function: &str) -> Option<Vec<String>> {
        if node.kind() == "call_expression" {
            return self.set(node, function);
        }
        let written = node.text(self.text);
        if let Some(command) = self.sets.get(&(function, written)).or_else(|| self.sets.get(&("", written))) {
            return Some(command.clone());
        }
        let last = last_part(written).to_ascii_lowercase();
        (last.contains("flag") || matches!(last.as_str(), "fs" | "commandline")).then(|| self.commands.fallback(function))
    }

    fn flag(&self, call: &Call<'t>, function: &str) -> Option<(Found, Option<Reading>)> {
        if let Some(receiver) = call.receiver
            && let Some(method) = method(call.name())
            && let Some(command) = self.receiver(receiver, function)
        {
            let skip = usize::from(method.pointer);
            let expected = skip + 2 + usize::from(method.short) + usize::from(method.default);
            let fits = call.arguments.len() == expected || call.name().ends_with("Func") && call.arguments.len() == expected + 1;
            return if fits { self.described(method, &call.arguments[skip..], command, false) } else { None };
        }
        self.wrapped(call, function)
    }

    /// A function that is given a flag set and a flag's name: `AddFlagAndBind(v, fs, fs.Bool, "x", "key.x", false, "")`.
    fn wrapped(&self, call: &Call<'t>, function: &str) -> Option<(Found, Option<Reading>)> {
        for (i, argument) in call.arguments.iter().enumerate().filter(|(_, a)| a.kind() == "selector_expression") {
            let Some(method) = argument.field("field").and_then(|f| method(f.text(self.text))) else { continue };
            let Some(command) = argument.field("operand").and_then(|o| self.receiver(o, function)) else { continue };
            let rest = &call.arguments[i + 1..];
            // Name, short form, key, default and usage.
            return if rest.len() >= 3 { self.described(method, rest, command, true) } else { None };
        }
        let [set, name, ..] = call.arguments.as_slice() else { return None };
        let kind = call.name();
        let typed = ["String", "Bool", "Int", "Duration", "Slice", "Flag"].iter().any(|word| kind.contains(word));
        if !typed || set.kind() != "identifier" || !self.sets.contains_key(&(function, set.text(self.text))) {
            return None;
        }
        let command = self.receiver(*set, function)?;
        let mut flag = Flag::default();
        let name = self.literals.string(*name).filter(|n| is_name(n))?;
        flag.long(&name);
        if kind.ends_with('P')
            && let Some(short) = call.arguments.get(2).and_then(|s| self.literals.string(*s))
        {
            flag.short(&short);
        }
        flag.set("takesValue", !kind.contains("Bool"));
        flag.mark("multiple", kind.contains("Slice") || kind.contains("Array"));
        Some((Found { flag, command, key: None }, None))
    }

    /// Reads `name, [short], [key], [default], usage`.
    fn described(
        &self,
        method: Method,
        arguments: &[Node<'t>],
        command: Vec<String>,
        bound: bool,
    ) -> Option<(Found, Option<Reading>)> {
        let mut rest = arguments.iter().copied();
        let name = self.literals.string(rest.next()?).filter(|n| is_name(n))?;
        let mut flag = Flag::default();
        let short = if method.short { self.literals.string(rest.next()?).unwrap_or_default() } else { String::new() };
        if self.single_dash {
            if name.chars().count() > 1 {
                flag.long(&name);
            }
            flag.short(&name);
        } else {
            flag.long(&name);
            flag.short(&short);
        }
        let mut key = None;
        if bound && rest.len() >= 3 {
            key = rest.next().and_then(|k| self.literals.string(k));
        }
        flag.set("takesValue", !method.switch);
        let mut default = None;
        if method.default {
            let reading = self.literals.read(rest.next()?);
            reading.clone().store(&mut flag.value, "default");
            default = Some(reading);
        }
        flag.mark("required", self.required.contains(&(command.clone(), name)));
        flag.mark("multiple", method.many);
        Some((Found { flag, command, key }, default))
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphanumeric())
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'))
}

/// Reads the name of a method that declares a flag.
fn method(name: &str) -> Option<Method> {
    const KINDS: [&str; 36] = [
        "Bool",
        "Int",
        "Int8",
        "Int16",
        "Int32",
        "Int64",
        "Uint",
        "Uint8",
        "Uint16",
        "Uint32",
        "Uint64",
        "Float32",
        "Float64",
        "String",
        "Duration",
        "Count",
        "StringSlice",
        "StringArray",
        "IntSlice",
        "Int32Slice",
        "Int64Slice",
        "UintSlice",
        "Float32Slice",
        "Float64Slice",
        "BoolSlice",
        "DurationSlice",
        "StringToString",
        "StringToInt",
        "StringToInt64",
        "IP",
        "IPSlice",
        "IPNet",
        "IPMask",
        "BytesHex",
        "BytesBase64",
        "Text",
    ];
    match name {
        "Var" | "VarP" | "VarPF" => {
            return Some(Method { switch: false, many: false, pointer: true, short: name != "Var", default: false });
        }
        "Func" | "BoolFunc" | "FuncP" | "BoolFuncP" => {
            let (switch, short) = (name.starts_with("Bool"), name.ends_with('P'));
            return Some(Method { switch, many: false, pointer: false, short, default: false });
        }
        _ => {}
    }
    let find = |kind: &str| KINDS.contains(&kind);
    let (kind, pointer, short) = if find(name) {
        (name, false, false)
    } else if let Some(kind) = name.strip_suffix("VarP").filter(|k| find(k)) {
        (kind, true, true)
    } else if let Some(kind) = name.strip_suffix("Var").filter(|k| find(k)) {
        (kind, true, false)
    } else {
        (name.strip_suffix('P').filter(|k| find(k))?, false, true)
    };
    let many = ["Slice", "Array", "Count", "StringTo"].iter().any(|word| kind.contains(word));
    Some(Method { switch: matches!(kind, "Bool" | "Count"), many, pointer, short, default: kind != "Count" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{self, survives};

    fn check(text: &str, expected: &[&str]) {
        testing::check(&GoFlag, "cmd/tool/main.go", text, expected);
    }

    const COBRA: &str = "package cmd\nimport \"github.com/spf13/cobra\"\nconst defaultName = \"anon\"\nfunc newCmd() *cobra.Command {\n\troot := &cobra.Command{Use: \"tool\"}\n\tcmd := &cobra.Command{Use: \"run FILE\"}\n\troot.AddCommand(cmd)\n\troot.PersistentFlags().BoolP(\"verbose\", \"v\", false, \"usage\")\n\tcmd.Flags().StringVarP(&v, \"name\", \"n\", defaultName, \"usage\")\n\tfs := cmd.Flags()\n\tfs.DurationVar(&d, \"timeout\", 5*time.Second, \"usage\")\n\tfs.StringSlice(\"id\", nil, \"usage\")\n\tfs.CountP(\"level\", \"l\", \"usage\")\n\tfs.IntVar(&i, \"jobs\", runtime.NumCPU(), \"usage\")\n\tfs.Var(&x, \"mode\", \"usage\")\n\t_ = cmd.MarkFlagRequired(\"timeout\")\n\tzap.String(\"key\", \"value\")\n\tattr.String(\"key\", \"value\", \"x\")\n}";

    #[test]
    fn reads_flags_of_cobra_commands() {
        check(
            COBRA,
            &[
                r#"cli-flag [command:tool] --verbose {"takesValue":false,"default":false} -v"#,
                r#"cli-flag [command:tool run] --name {"takesValue":true,"default":"anon"} -n"#,
                r#"cli-flag [command:tool run] --timeout {"takesValue":true,"default":"5s","required":true}"#,
                r#"cli-flag [command:tool run] --id {"takesValue":true,"default":null,"multiple":true}"#,
                r#"cli-flag [command:tool run] --level {"takesValue":false,"multiple":true} -l"#,
                r#"cli-flag [command:tool run] --jobs {"takesValue":true,"defaultExpr":"runtime.NumCPU()"}"#,
                r#"cli-flag [command:tool run] --mode {"takesValue":true}"#,
            ],
        );
    }

    #[test]
    fn reads_the_flag_package() {
        check(
            "package main\nimport \"flag\"\nvar addr = flag.String(\"listen-address\", \":8080\", \"usage\")\nfunc main() { flag.BoolVar(&v, \"v\", false, \"usage\"); s := flag.NewFlagSet(\"serve\", flag.ExitOnError); s.Int(\"port\", 80, \"usage\"); s.Func(\"f\", \"usage\", func(string) error { return nil }) }",
            &[
                r#"cli-flag [command:tool] --listen-address {"takesValue":true,"default":":8080"} -listen-address"#,
                r#"cli-flag [command:tool] -v {"takesValue":false,"default":false}"#,
                r#"cli-flag [command:serve] --port {"takesValue":true,"default":80} -port"#,
                r#"cli-flag [command:serve] -f {"takesValue":true}"#,
            ],
        );
    }

    #[test]
    fn reads_functions_around_a_flag_set() {
        check(
            "package c\nimport \"github.com/spf13/pflag\"\nfunc setup(v *viper.Viper, fs *pflag.FlagSet) {\n\tinternal.AddFlagAndBind(v, fs, fs.Bool, \"disable-all\", \"linters.disable-all\", false, color.S(\"x\"))\n\tinternal.AddFlagAndBindP(v, fs, fs.StringSliceP, \"enable\", \"E\", \"linters.enable\", nil, \"x\")\n\tinternal.AddHackedStringSliceP(fs, \"tags\", \"t\", \"x\")\n\tother(fs, \"no\")\n}",
            &[
                r#"config-key linters.disable-all {"default":false}"#,
                r#"cli-flag [command:tool] --disable-all {"takesValue":false,"default":false}"#,
                r#"config-key linters.enable {"default":null}"#,
                r#"cli-flag [command:tool] --enable {"takesValue":true,"default":null,"multiple":true} -E"#,
                r#"cli-flag [command:tool] --tags {"takesValue":true,"multiple":true} -t"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&GoFlag, "cmd/tool/main.go", COBRA);
    }
}
