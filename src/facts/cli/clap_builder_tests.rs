//! Tests of the extractor for clap's builder.

use super::ClapBuilder;
use crate::facts::testing::{self, survives};

fn check(text: &str, expected: &[&str]) {
    testing::check(&ClapBuilder, "src/cli.rs", text, expected);
}

const TOOL: &str = "use clap::{Arg, Command};\nfn cli() -> Command {\n  Command::new(\"tool\").about(\"x\")\n    .arg(Arg::new(\"jobs\").long(\"jobs\").short('j').alias(\"threads\").visible_alias(\"workers\").default_value(\"5\").env(\"TOOL_JOBS\"))\n    .arg(Arg::new(\"color\").long(\"color\").value_parser([\"a\", \"b\"]).required(true))\n    .arg(Arg::new(\"quiet\").long(\"quiet\").action(ArgAction::SetTrue))\n    .arg(Arg::new(\"PATH\"))\n    .subcommand(Command::new(\"serve\").alias(\"s\").arg(arg!(-p --port <PORT> \"the port\")).arg(arg!([dir])))\n    .subcommand(prune())\n}\nfn prune() -> Command { Command::new(\"prune\").about(\"y\").args([Arg::new(\"all\").long(\"all\").action(clap::ArgAction::Count)]) }\nfn run() { std::process::Command::new(\"git\").arg(\"x\").status(); }";

#[test]
fn reads_commands_and_arguments() {
    check(
        TOOL,
        &[
            r#"cli-command [command:tool] tool {"arguments":["PATH"]}"#,
            r#"env-var TOOL_JOBS {"default":"5"}"#,
            r#"cli-flag [command:tool] --jobs {"takesValue":true,"default":"5"} -j,--threads,--workers"#,
            r#"cli-flag [command:tool] --color {"choices":["a","b"],"required":true,"takesValue":true}"#,
            r#"cli-flag [command:tool] --quiet {"takesValue":false}"#,
            r#"cli-command [command:tool] serve {"arguments":["dir"]} s"#,
            r#"cli-flag [command:tool serve] --port {"takesValue":true} -p"#,
            r#"cli-command [command:tool] prune {"arguments":[]}"#,
            r#"cli-flag [command:tool prune] --all {"takesValue":false,"multiple":true}"#,
        ],
    );
}

#[test]
fn reads_older_builders() {
    check(
        "use clap::*;\nconst LEVELS: &[&str] = &[\"1\", \"2\"];\nfn main() { App::new(\"old\").arg(Arg::with_name(\"x\").long(\"x\")).arg(Arg::with_name(\"y\").short(\"y\").takes_value(true).possible_values(LEVELS).multiple(true)).subcommand(SubCommand::with_name(\"sub\")); }",
        &[
            r#"cli-command [command:old] old {"arguments":[]}"#,
            r#"cli-flag [command:old] --x {"takesValue":false}"#,
            r#"cli-flag [command:old] -y {"choices":["1","2"],"takesValue":true,"multiple":true}"#,
            r#"cli-command [command:old] sub {"arguments":[]}"#,
        ],
    );
}

#[test]
fn gives_loose_arguments_to_the_file() {
    check(
        "use clap::Arg;\nfn verbose() -> Arg { Arg::new(\"v\").long(\"verbose\").action(ArgAction::SetTrue) }",
        &[r#"cli-flag [command:cli] --verbose {"takesValue":false}"#],
    );
    check(
        "use clap::Arg;\nfn f() { let mut app = Command::new(crate_name!()).about(\"x\"); app = app.arg(Arg::new(\"a\").long(\"a\")); app.subcommand(Command::new(\"cache\").about(\"y\")) }",
        &[r#"cli-flag [command:cli] --a {"takesValue":true}"#, r#"cli-command [command:cli] cache {"arguments":[]}"#],
    );
    check("fn f() { Command::new(\"git\").arg(\"x\"); }", &[]);
}

#[test]
fn survives_broken_text() {
    survives(&ClapBuilder, "src/cli.rs", TOOL);
}
