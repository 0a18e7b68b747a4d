//! Tests of the Go extractor.

use super::Go;
use crate::facts::testing::{self, survives};

fn check(text: &str, expected: &[&str]) {
    testing::check(&Go, "pkg/a.go", &format!("package a\n{text}"), expected);
}

#[test]
fn reads_functions_and_methods() {
    check(
        "func Run[T any](a, b int, c ...string) (n int, err error) { var local = 1; return }\nfunc init() {}\nfunc f(func(int), string) error { return nil }",
        &[
            r#"symbol Run {"declared":"function"}"#,
            r#"signature Run {"parameters":[{"name":"a","kind":"positional","type":"int"},{"name":"b","kind":"positional","type":"int"},{"name":"c","kind":"variadic","type":"string"}],"returns":"(n int, err error)","typeParameters":["T any"]}"#,
            r#"-symbol f {"declared":"function"}"#,
            r#"-signature f {"parameters":[{"kind":"positional","type":"func(int)"},{"kind":"positional","type":"string"}],"returns":"error"}"#,
        ],
    );
    check(
        "func (s *Store[T]) Get(k string) T { }\nfunc (s store) Get() {}",
        &[
            r#"symbol Store.Get {"declared":"method"}"#,
            r#"signature Store.Get {"parameters":[{"name":"k","kind":"positional","type":"string"}],"returns":"T"}"#,
            r#"-symbol store.Get {"declared":"method"}"#,
            r#"-signature store.Get {"parameters":[]}"#,
        ],
    );
}

#[test]
fn reads_constants_and_variables() {
    check(
        "const (\n\tA = iota\n\tB\n\tC Mode = \"x\"\n\td, E = 1, 2.5\n)\nvar ErrX = errors.New(\"x\")\nvar (\n\tn int = 5\n)",
        &[
            r#"symbol A {"declared":"constant"}"#,
            r#"constant A {"valueExpr":"iota"}"#,
            r#"symbol B {"declared":"constant"}"#,
            r#"constant B {"valueExpr":"iota"}"#,
            r#"symbol C {"declared":"constant"}"#,
            r#"constant C {"value":"x","type":"Mode"}"#,
            r#"-symbol d {"declared":"constant"}"#,
            r#"-constant d {"value":1}"#,
            r#"symbol E {"declared":"constant"}"#,
            r#"constant E {"value":2.5}"#,
            r#"symbol ErrX {"declared":"constant"}"#,
            r#"-symbol n {"declared":"constant"}"#,
            r#"-constant n {"value":5,"type":"int"}"#,
        ],
    );
}

#[test]
fn reads_types() {
    check(
        "type Mode string\nconst (\n\tOn Mode = \"on\"\n\tOff Mode = \"off\"\n)\ntype Al = other.T\ntype I interface {\n\tDo(a int) error\n\tEmb\n}",
        &[
            r#"symbol Mode {"declared":"type"}"#,
            r#"signature Mode {"type":"string","variants":["on","off"]}"#,
            r#"symbol On {"declared":"constant"}"#,
            r#"constant On {"value":"on","type":"Mode"}"#,
            r#"symbol Off {"declared":"constant"}"#,
            r#"constant Off {"value":"off","type":"Mode"}"#,
            r#"symbol Al {"declared":"type"}"#,
            r#"signature Al {"type":"other.T"}"#,
            r#"symbol I {"declared":"interface"}"#,
            r#"symbol I.Do {"declared":"method"}"#,
            r#"signature I.Do {"parameters":[{"name":"a","kind":"positional","type":"int"}],"returns":"error"}"#,
            r#"signature I {"members":[{"name":"Do","type":"(a int) error"}]}"#,
        ],
    );
    check(
        "type S struct {\n\tA, B int `yaml:\"a,omitempty\" json:\"aa\"`\n\tEmb\n\thidden bool\n}",
        &[
            r#"symbol S {"declared":"class"}"#,
            r#"signature S {"members":[{"name":"A","type":"int"},{"name":"B","type":"int"},{"name":"Emb","type":"Emb"},{"name":"hidden","type":"bool"}]}"#,
            r#"config-key S.A {"type":"int"} a,aa"#,
            r#"config-key S.B {"type":"int"} a,aa"#,
            r#"-config-key S.hidden {"type":"bool"}"#,
        ],
    );
}

fn keys(text: &str, expected: &[&str]) {
    let found: Vec<String> = testing::lines(&Go, "pkg/a.go", &format!("package a\n{text}"))
        .into_iter()
        .filter(|l| l.trim_start_matches('-').starts_with("config-key") || l.starts_with("env-var"))
        .collect();
    assert_eq!(found, expected, "{text}\nfound:\n{}", found.join("\n"));
}

#[test]
fn reads_defaults_of_composite_literals() {
    keys(
        "type X struct {\n\tMaxShards int `yaml:\"max_shards\"`\n\tNested Y `yaml:\"nested\"`\n}\ntype Y struct { Z time.Duration `yaml:\"z\"` }\nvar DefaultX = X{MaxShards: 1_000, Nested: Y{Z: 5 * time.Second}, Gone: f()}\nvar other = X{MaxShards: 3}",
        &[
            r#"config-key X.MaxShards {"type":"int","default":1000} max_shards"#,
            r#"config-key X.Nested {"type":"Y"} nested"#,
            r#"config-key Y.Z {"type":"time.Duration"} z,nested.z"#,
            r#"config-key X.Gone {"defaultExpr":"f()"}"#,
            r#"config-key X.Nested.Z {"default":"5s"} nested.z"#,
        ],
    );
    keys(
        "func NewDefaultConfig() *cfg.Config {\n\tc := &cfg.Config{Port: 80, Log: cfg.Log{Level: \"info\"}}\n\t_ = Other{A: 1}\n\treturn c\n}",
        &[r#"config-key Config.Log.Level {"default":"info"}"#, r#"config-key Config.Port {"default":80}"#],
    );
    keys(
        "type C struct { A struct { B int `toml:\"b\"` } `toml:\"a\"`\n D string `default:\"q\"`\n E int }\nfunc (c *C) SetDefaults() {\n\tc.A.B = 3\n\tif c.E == 0 {\n\t\tc.E = 7\n\t}\n\tif runtime.GOOS == \"x\" { c.D = \"z\" }\n}",
        &[
            r#"config-key C.A.B {"type":"int","default":3} a.b"#,
            r#"config-key C.A {"type":"struct { B int `toml:\"b\"` }"} a"#,
            r#"config-key C.D {"type":"string","default":"q"}"#,
            r#"config-key C.E {"type":"int","default":7}"#,
        ],
    );
}

#[test]
fn reads_environment_variables() {
    keys(
        "const name = \"APP\"\nfunc f() { os.Getenv(\"A\"); os.LookupEnv(name); envOr(\"B\", \"d\"); getEnvInt(\"C\", 5); cmp.Or(os.Getenv(\"D\"), \"e\"); env.Get(\"x\"); v.BindEnv(\"k\", \"F\"); os.Getenv(x) }\ntype E struct { P int `env:\"PORT\" envDefault:\"80\"` }",
        &[
            r#"config-key E.P {"type":"int","default":"80"}"#,
            "env-var A {}",
            "env-var APP {}",
            r#"env-var B {"default":"d"}"#,
            r#"env-var C {"default":5}"#,
            r#"env-var D {"default":"e"}"#,
            "env-var F {}",
            r#"env-var PORT {"default":"80"}"#,
        ],
    );
}

#[test]
fn survives_broken_text() {
    survives(
        &Go,
        "pkg/a.go",
        "package a\nconst ( A Mode = \"é\"; B )\ntype S[T any] struct { A, B int `yaml:\"a,omitempty\"`; N struct { Q int } }\nvar DefaultS = &S{A: 1, N: struct{Q int}{Q: 5 * time.Second}, L: []string{\"a\"}}\nfunc (s *S[T]) SetDefaults(a ...int) (x, y int) { s.A = 5; if s.B == 0 { s.B = 1 }; os.Getenv(\"X\") }\ntype I interface { Do(a int) error }",
    );
}
