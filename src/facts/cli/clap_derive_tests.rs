//! Tests of the extractor for clap's derive macros.

use super::ClapDerive;
use crate::facts::testing::{self, survives};

fn check(text: &str, expected: &[&str]) {
    testing::check(&ClapDerive, "src/cli.rs", text, expected);
}

const TOOL: &str = r#"
#[derive(Parser)]
#[command(name = "tool", version, about = "it's")]
struct Opts {
    #[arg(long, short, default_value_t = 5, env = "TOOL_JOBS", alias = "threads", visible_aliases = ["workers", "w"])]
    jobs: usize,
    #[arg(long = "no-ignore", short = 'I', overrides_with = "ignore")]
    no_ignore_vcs: bool,
    #[arg(long, value_enum, default_value_t = ColorWhen::Auto, value_name = "when")]
    color: ColorWhen,
    #[arg(long, value_parser = ["a", "b"])]
    kind: Option<Vec<String>>,
    #[arg(long, action = ArgAction::Count)]
    verbose: u8,
    #[arg(long, env)]
    must_have: PathBuf,
    pattern: Option<String>,
    #[arg(value_name = "path", num_args = 0..)]
    paths: Vec<PathBuf>,
    #[arg(skip)]
    nothing: u8,
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Option<Commands>,
}
#[derive(Args)]
struct Common { #[arg(long, default_value = "x")] level: String }
#[derive(Subcommand)]
enum Commands {
    /// Docs
    #[command(alias = "rm", visible_alias = "del")]
    RemoveAll { #[arg(long)] force: bool, what: String },
    Build(BuildArgs),
    #[command(name = "serve", subcommand)]
    Server(Nested),
    #[command(flatten)]
    More(More),
    #[command(external_subcommand)]
    Other(Vec<String>),
}
#[derive(Args)]
struct BuildArgs { #[arg(long, hide = true)] release: bool, target: String, #[command(flatten)] common: Common }
#[derive(Subcommand)]
enum Nested { Start }
#[derive(Subcommand)]
enum More { Extra }
#[derive(Clone, ValueEnum)]
enum ColorWhen { Auto, #[value(name = "always", alias = "yes")] On, NotNow, #[value(skip)] Secret }
"#;

#[test]
fn reads_a_whole_tool() {
    check(
        TOOL,
        &[
            r#"cli-command [command:tool] tool {"arguments":["pattern","path"]}"#,
            r#"env-var TOOL_JOBS {"default":5}"#,
            r#"cli-flag [command:tool] --jobs {"takesValue":true,"default":5} -j,--threads,--workers,--w"#,
            r#"cli-flag [command:tool] --no-ignore {"takesValue":false} -I"#,
            r#"cli-flag [command:tool] --color {"takesValue":true,"default":"auto","choices":["auto","always","not-now"],"choiceAliases":["yes"]}"#,
            r#"cli-flag [command:tool] --kind {"takesValue":true,"choices":["a","b"],"multiple":true}"#,
            r#"cli-flag [command:tool] --verbose {"takesValue":false,"multiple":true}"#,
            "env-var MUST_HAVE {}",
            r#"cli-flag [command:tool] --must-have {"takesValue":true,"required":true}"#,
            r#"cli-flag [command:tool] --level {"takesValue":true,"default":"x"}"#,
            r#"cli-command [command:tool] remove-all {"arguments":["what"]} rm,del"#,
            r#"cli-flag [command:tool remove-all] --force {"takesValue":false}"#,
            r#"cli-command [command:tool] build {"arguments":["target"]}"#,
            r#"cli-flag [command:tool build] --release {"takesValue":false}"#,
            r#"cli-flag [command:tool build] --level {"takesValue":true,"default":"x"}"#,
            r#"cli-command [command:tool] serve {"arguments":[]}"#,
            r#"cli-command [command:tool serve] start {"arguments":[]}"#,
            r#"cli-command [command:tool] extra {"arguments":[]}"#,
        ],
    );
}

#[test]
fn reads_parts_and_older_spellings() {
    check(
        "#[derive(Args)]\npub struct LintArgs { #[clap(long, default_values = [\"a\", \"b\"])] rules: Vec<String>, #[arg(long, default_value_t = num())] n: u8, #[arg(long, default_value_t)] mode: Mode, #[arg(long, default_value_t)] port: u16, #[arg(long, num_args(0..=1), default_missing_value = \"x\")] fix: bool }\n#[derive(ValueEnum, Default)] enum Mode { A, #[default] BigB }",
        &[
            r#"cli-flag [command:cli] --rules {"takesValue":true,"default":["a","b"],"multiple":true}"#,
            r#"cli-flag [command:cli] --n {"takesValue":true,"defaultExpr":"num()"}"#,
            r#"cli-flag [command:cli] --mode {"takesValue":true,"default":"big-b","choices":["a","big-b"]}"#,
            r#"cli-flag [command:cli] --port {"takesValue":true,"defaultExpr":"Default::default()"}"#,
            r#"cli-flag [command:cli] --fix {"takesValue":true}"#,
        ],
    );
    check(
        "#[derive(StructOpt)]\n#[structopt(name = \"old\")]\nstruct O { #[structopt(short = \"v\", long = \"verbose\", parse(from_occurrences))] v: u64, #[structopt(long, possible_values = &[\"x\"])] m: String }",
        &[
            r#"cli-command [command:old] old {"arguments":[]}"#,
            r#"cli-flag [command:old] --verbose {"takesValue":false,"multiple":true} -v"#,
            r#"cli-flag [command:old] --m {"takesValue":true,"choices":["x"],"required":true}"#,
        ],
    );
    check(
        "#[derive(Subcommand)]\n#[command(rename_all = \"snake_case\")]\nenum C { AddOne, Two { #[arg(long, id = \"deep\")] x: Option<u8> } }",
        &[
            r#"cli-command [command:cli] add_one {"arguments":[]}"#,
            r#"cli-command [command:cli] two {"arguments":[]}"#,
            r#"cli-flag [command:cli two] --deep {"takesValue":true}"#,
        ],
    );
}

#[test]
fn values_are_no_commands() {
    assert!(
        testing::lines(&ClapDerive, "src/cli.rs", "#[derive(clap::Parser, ValueEnum)]\nenum Shell { Bash, Fish }").is_empty()
    );
}

#[test]
fn survives_broken_and_circular_text() {
    survives(&ClapDerive, "src/cli.rs", TOOL);
    let circle = "#[derive(Args)] struct A { #[command(flatten)] b: B, #[arg(long)] x: u8 }\n#[derive(Args)] struct B { #[command(flatten)] a: A }";
    assert!(!testing::lines(&ClapDerive, "src/cli.rs", circle).is_empty());
}
