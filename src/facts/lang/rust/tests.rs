//! Tests of the Rust extractor.

use super::Rust;
use crate::facts::testing::{self, survives};

fn check(text: &str, expected: &[&str]) {
    testing::check(&Rust, "src/a.rs", text, expected);
}

#[test]
fn reads_symbols_and_signatures() {
    check(
        "pub async fn run<'a, T: Foo>(mut x: &'a str, (a, b): (u8,\n u8), o: Option<u8>) -> Result<(), E> {}",
        &[
            r#"symbol run {"declared":"function"}"#,
            r#"signature run {"parameters":[{"name":"x","kind":"positional","type":"&'a str"},{"name":"(a, b)","kind":"positional","type":"(u8, u8)"},{"name":"o","kind":"positional","type":"Option<u8>"}],"returns":"Result<(), E>","typeParameters":["'a","T: Foo"],"async":true}"#,
        ],
    );
    check(
        "pub(crate) struct A<T> { pub a: Option<u8>, b: T }\nstruct U;\npub struct V(u8);",
        &[
            r#"-symbol A {"declared":"class"}"#,
            r#"-signature A {"members":[{"name":"a","type":"Option<u8>","optional":true},{"name":"b","type":"T"}],"typeParameters":["T"]}"#,
            r#"-symbol U {"declared":"class"}"#,
            r#"symbol V {"declared":"class"}"#,
            r#"-config-key A.a {"type":"Option<u8>"}"#,
            r#"-config-key A.b {"type":"T"}"#,
        ],
    );
    check(
        "pub trait Q { const N: u8 = 5; type O; fn f(&self, n: u8) -> u8; }",
        &[
            r#"symbol Q {"declared":"interface"}"#,
            r#"symbol Q.N {"declared":"constant"}"#,
            r#"constant Q.N {"value":5,"type":"u8"}"#,
            r#"symbol Q.O {"declared":"type"}"#,
            r#"symbol Q.f {"declared":"method"}"#,
            r#"signature Q.f {"parameters":[{"name":"n","kind":"positional","type":"u8"}],"returns":"u8"}"#,
        ],
    );
    check(
        "impl<T> a::B<T> { pub fn new() -> Self { fn local() {} } fn hidden(&self) {} }\nimpl Run for B { fn run(&self) {} }",
        &[
            r#"symbol B.new {"declared":"method"}"#,
            r#"signature B.new {"parameters":[],"returns":"Self"}"#,
            r#"-symbol B.hidden {"declared":"method"}"#,
            r#"-signature B.hidden {"parameters":[]}"#,
            r#"symbol B.run {"declared":"method"}"#,
            r#"signature B.run {"parameters":[]}"#,
        ],
    );
    check(
        "pub type R<T> = Result<T, E>;\n#[macro_export]\nmacro_rules! m { () => {} }\npub mod x { pub fn y() {} }\nmod z;",
        &[
            r#"symbol R {"declared":"type"}"#,
            r#"signature R {"typeParameters":["T"],"type":"Result<T, E>"}"#,
            r#"symbol m {"declared":"macro"}"#,
            r#"symbol x {"declared":"module"}"#,
            r#"symbol x.y {"declared":"function"}"#,
            r#"signature x.y {"parameters":[]}"#,
            r#"-symbol z {"declared":"module"}"#,
        ],
    );
    check(
        "extern \"C\" { pub fn q(a: i32, ...); }",
        &[
            r#"symbol q {"declared":"function"}"#,
            r#"signature q {"parameters":[{"name":"a","kind":"positional","type":"i32"},{"name":"...","kind":"variadic"}]}"#,
        ],
    );
}

#[test]
fn reads_enums_with_their_other_names() {
    check(
        "#[derive(Deserialize, ValueEnum)]\n#[serde(rename_all = \"kebab-case\")]\npub enum Mode {\n    #[default]\n    SmartCase,\n    #[serde(rename = \"no\", alias = \"never\")]\n    #[value(name = \"off\", alias = \"none\")]\n    Off,\n    With(u8),\n}",
        &[
            r#"symbol Mode {"declared":"enum"}"#,
            r#"symbol Mode.SmartCase {"declared":"variant"} smart-case"#,
            r#"symbol Mode.Off {"declared":"variant"} no,never,off,none"#,
            r#"symbol Mode.With {"declared":"variant"} with"#,
            r#"signature Mode {"variants":["SmartCase","Off","With"],"default":"SmartCase"}"#,
        ],
    );
}

#[test]
fn reads_reexports() {
    check(
        "pub use a::{b::C as D, e::{self, F}, G};\npub use x::y;\npub use z::*;\nuse q::r;\npub(crate) use s::t;",
        &[
            r#"symbol D {"declared":"reexport"}"#,
            r#"symbol e {"declared":"reexport"}"#,
            r#"symbol F {"declared":"reexport"}"#,
            r#"symbol G {"declared":"reexport"}"#,
            r#"symbol y {"declared":"reexport"}"#,
        ],
    );
}

#[test]
fn reads_constants() {
    check(
        "pub const MAX: u64 = 60 * 60;\nstatic S: &[&str] = &[\"a\"];\nconst _: () = ();\npub const T: Duration = Duration::from_millis(400);\nimpl X { pub const N: i8 = -1; }",
        &[
            r#"symbol MAX {"declared":"constant"}"#,
            r#"constant MAX {"valueExpr":"60 * 60","type":"u64"}"#,
            r#"-symbol S {"declared":"constant"}"#,
            r#"-constant S {"value":["a"],"type":"&[&str]"}"#,
            r#"symbol T {"declared":"constant"}"#,
            r#"constant T {"value":"400ms","type":"Duration"}"#,
            r#"symbol X.N {"declared":"constant"}"#,
            r#"constant X.N {"value":-1,"type":"i8"}"#,
        ],
    );
}

#[test]
fn leaves_out_test_code() {
    check(
        "#[cfg(test)]\nmod tests { fn x() { std::env::var(\"X\"); } }\n#[test]\nfn t() {}\n#[cfg(all(test, unix))]\nuse a::b;\n#[cfg(feature = \"test\")]\nfn kept() {}",
        &[r#"-symbol kept {"declared":"function"}"#, r#"-signature kept {"parameters":[]}"#],
    );
}

fn keys(text: &str, expected: &[&str]) {
    let found: Vec<String> = testing::lines(&Rust, "src/a.rs", text)
        .into_iter()
        .filter(|l| l.trim_start_matches('-').starts_with("config-key"))
        .collect();
    assert_eq!(found, expected, "{text}\nfound:\n{}", found.join("\n"));
}

#[test]
fn reads_field_defaults() {
    keys(
        "#[derive(Deserialize)]\n#[serde(rename_all = \"kebab-case\", default)]\npub struct Config<'a> { pub idle_timeout: Duration, #[serde(alias = \"sz\")] max_size: usize, pub name: &'a str, pub session: Session }\n\
         impl<'a> Default for Config<'a> { fn default() -> Self { Config { idle_timeout: Duration::from_millis(400), max_size: MAX, name: \"x\".into(), session: Session { mode: \"a\", ..Session::new() }, ..Default::default() } } }\n\
         const MAX: usize = 1_000;\n\
         struct Session { mode: String }",
        &[
            r#"config-key Config.idle_timeout {"type":"Duration","default":"400ms"} idle-timeout"#,
            r#"config-key Config.max_size {"type":"usize","default":1000} max-size,sz"#,
            r#"config-key Config.name {"type":"&'a str","default":"x"} name"#,
            r#"config-key Config.session {"type":"Session"} session"#,
            r#"-config-key Session.mode {"type":"String"}"#,
            r#"config-key Config.session.mode {"default":"a"} session.mode"#,
        ],
    );
}

#[test]
fn composes_paths_through_types() {
    keys(
        "#[derive(Deserialize)] struct A { #[serde(rename = \"log\")] b: Option<B> }\n#[derive(Deserialize)] #[serde(rename_all = \"kebab-case\")] struct B { max_size: Option<u8> }",
        &[r#"config-key A.b {"type":"Option<B>"} log"#, r#"config-key B.max_size {"type":"Option<u8>"} max-size,log.max-size"#],
    );
}

#[test]
fn reads_serde_default_functions_and_required() {
    keys(
        "#[derive(Deserialize)]\npub struct C { #[serde(default = \"port\")] port: u16, #[serde(default)] mode: Mode, host: String, opt: Option<u8>, #[serde(default = \"C::size\")] size: u8, #[serde(default = \"far::away\")] far: u8 }\n\
         fn port() -> u16 { 8080 }\nimpl C { fn size() -> u8 { 5 } }\n\
         #[derive(Deserialize, Default)] enum Mode { #[default] #[serde(rename = \"auto\")] Auto, Off }",
        &[
            r#"config-key C.port {"type":"u16","default":8080} port"#,
            r#"config-key C.mode {"type":"Mode","default":"auto","choices":["auto","Off"]} mode"#,
            r#"config-key C.host {"type":"String","required":true} host"#,
            r#"config-key C.opt {"type":"Option<u8>"} opt"#,
            r#"config-key C.size {"type":"u8","default":5} size"#,
            r#"config-key C.far {"type":"u8","defaultExpr":"far::away()"} far"#,
        ],
    );
}

#[test]
fn composes_constant_struct_literals() {
    keys(
        "pub static DEFAULT_CONFIG: Config = Config { session: Some(Session { idle_timeout: Duration::from_secs(5) }), n: num() };\n\
         static PRESET: Theme = Theme { dark: true };\npub struct Theme { pub dark: bool }\nstatic OTHER: Gone = Gone { x: 1 };",
        &[
            r#"config-key Theme.dark {"type":"bool"}"#,
            r#"config-key Config.n {"defaultExpr":"num()"}"#,
            r#"config-key Config.session.idle_timeout {"default":"5s"}"#,
            r#"config-key PRESET.dark {"default":true}"#,
        ],
    );
}

#[test]
fn reads_environment_variables() {
    check(
        "const NAME: &str = \"APP_HOME\";\nfn f() { env::var(\"A\").unwrap_or(\"d\".to_string()); std::env::var(\"B\").ok().as_deref().unwrap_or(\"e\"); env::var_os(NAME); env!(\"C\"); option_env!(\"D\").unwrap_or(\"x\"); env::var(\"E\").unwrap_or_else(|_| \"g\".into()); env::var(format!(\"{x}\")); env::var(\"F\").unwrap_or_else(|_| home()); other::var(\"G\"); context.get_env(\"H_X\"); get_env(\"low\"); cmd.env(\"I_X\", \"1\") }",
        &[
            r#"-symbol NAME {"declared":"constant"}"#,
            r#"-constant NAME {"value":"APP_HOME","type":"&str"}"#,
            r#"-symbol f {"declared":"function"}"#,
            r#"-signature f {"parameters":[]}"#,
            r#"env-var A {"default":"d"}"#,
            r#"env-var B {"default":"e"}"#,
            "env-var APP_HOME {}",
            "env-var C {}",
            r#"env-var D {"default":"x"}"#,
            r#"env-var E {"default":"g"}"#,
            r#"env-var F {"defaultExpr":"home()"}"#,
            "env-var H_X {}",
        ],
    );
}

#[test]
fn survives_broken_text() {
    survives(
        &Rust,
        "src/a.rs",
        "#[derive(Deserialize)]\n#[serde(rename_all = \"kebab-case\", default = \"é\")]\npub struct A<'a> { #[serde(alias = \"x\")] pub a: Option<Vec<u8>>, b: bool }\nimpl Default for A { fn default() -> Self { Self { a: Some(vec![1, 2]), b: X::new(5) } } }\npub use a::{b as c, self};\nenum E { A = 1, B(u8), C { x: u8 } }\nfn f() { env::var(\"X\").unwrap_or_else(|_| \"d\".into()) }",
    );
}
