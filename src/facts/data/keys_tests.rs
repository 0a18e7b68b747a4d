//! Tests of configuration keys: each format's syntax, what is left out, schemas.

use super::ConfigKeys;
use crate::facts::Extractor;
use crate::facts::testing::{self, survives};

fn check(path: &str, text: &str, expected: &[&str]) {
    let found: Vec<String> = testing::lines(&ConfigKeys, path, text)
        .iter()
        .map(|l| l.trim_start_matches("config-key ").trim_end().to_owned())
        .collect();
    assert_eq!(found, expected, "in {path}:\n{text}\nfound:\n{}", found.join("\n"));
}

#[test]
fn reads_json() {
    check(
        "a.json",
        "// c\n{\"a\": {\"b\": [1, 2.5], \"c\": null}, \"d\": \"x\\u00e9\", \"e\": [{\"f\": true}], \"g\": {},}",
        &[
            r#"a {"type":"object"}"#,
            r#"a.b {"value":[1,2.5]}"#,
            r#"a.c {"value":null}"#,
            r#"d {"value":"xé"}"#,
            r#"e {"type":"array"}"#,
            r#"e.f {"value":true}"#,
            r#"g {"type":"object"}"#,
        ],
    );
    check("a.jsonc", "[{\"a\": 1}, {\"a\": 2, \"b\": 3}]", &[r#"a {"type":"number"}"#, r#"b {"value":3}"#]);
}

#[test]
fn reads_toml() {
    check(
        "a.toml",
        "top = 1_000\n\"q u\" = 'lit\\'\n[a.b]\nx = {y = \"z\", w.v = [\"p\"]}\nd = 1979-05-27\nm = \"\"\"\nl1\nl2\"\"\"\n[[arr]]\nname = \"n1\"\n[[arr]]\nname = \"n2\"\n[[arr.sub]]\ny = 0xff\n[c]\nk.l = true",
        &[
            r#"top {"value":1000}"#,
            r#"q u {"value":"lit\\"}"#,
            r#"a {"type":"object"}"#,
            r#"a.b {"type":"object"}"#,
            r#"a.b.x {"type":"object"}"#,
            r#"a.b.x.y {"value":"z"}"#,
            r#"a.b.x.w {"type":"object"}"#,
            r#"a.b.x.w.v {"value":["p"]}"#,
            r#"a.b.d {"value":"1979-05-27"}"#,
            r#"a.b.m {"value":"l1\nl2"}"#,
            r#"arr {"type":"array"}"#,
            r#"arr.name {"type":"string"}"#,
            r#"arr.sub {"type":"array"}"#,
            r#"arr.sub.y {"value":255}"#,
            r#"c {"type":"object"}"#,
            r#"c.k {"type":"object"}"#,
            r#"c.k.l {"value":true}"#,
        ],
    );
}

#[test]
fn reads_yaml() {
    check(
        "a.yaml",
        "# c\nbase: &b\n  x: 1\n  \"q k\": 'it''s'\nuse:\n  <<: *b\n  x: 2\nref: *b\nl: [1, a, \"b\\n\"]\nf: {a: 1, \"b\": ~, c}\ntxt: |\n  one\n  two\nfold: >-\n  one\n  two\nempty:\nn: !!str 5\nlist:\n  - name: a\n    on: true\n  - name: a\n---\nsecond: 1.5\nempty: x",
        &[
            r#"base {"type":"object"}"#,
            r#"base.x {"value":1}"#,
            r#"base.q k {"value":"it's"}"#,
            r#"use {"type":"object"}"#,
            r#"use.x {"value":2}"#,
            r#"use.q k {"value":"it's"}"#,
            r#"ref {"type":"object"}"#,
            r#"ref.x {"value":1}"#,
            r#"ref.q k {"value":"it's"}"#,
            r#"l {"value":[1,"a","b\n"]}"#,
            r#"f {"type":"object"}"#,
            r#"f.a {"value":1}"#,
            r#"f.b {"value":null}"#,
            r#"f.c {"value":null}"#,
            r#"txt {"value":"one\ntwo"}"#,
            r#"fold {"value":"one two"}"#,
            r#"empty {"type":"null"}"#,
            r#"n {"value":"5"}"#,
            r#"list {"type":"array"}"#,
            r#"list.name {"value":"a"}"#,
            r#"list.on {"value":true}"#,
            r#"second {"value":1.5}"#,
        ],
    );
}

#[test]
fn leaves_out_what_others_read() {
    for path in [
        "Cargo.lock",
        "package-lock.json",
        "pnpm-lock.yaml",
        "uv.lock",
        ".github/workflows/ci.yml",
        "action.yml",
        ".travis.yml",
        "a.rs",
        "Taskfile.yml",
        "rust-toolchain.toml",
    ] {
        assert!(!ConfigKeys.accepts(&path.into()), "{path}");
    }
    check("openapi.yaml", "openapi: 3.0.0\npaths: {}", &[]);
    check("min.json", &format!("{{\"a\": \"{}\"}}", "x".repeat(6_000)), &[]);
    check(
        "package.json",
        "{\"name\": \"x\", \"lint\": {\"max\": 5}, \"contributes\": {\"configuration\": {\"pots\": 5}}}",
        &[r#"contributes.configuration {"type":"object"}"#, r#"contributes.configuration.pots {"value":5}"#],
    );
    check(
        "Cargo.toml",
        "[package]\nname = \"x\"\n[profile.dist]\nlto = \"thin\"\n[workspace]\nmembers = [\"a\"]\n[workspace.package]\nversion = \"1\"",
        &[
            r#"profile {"type":"object"}"#,
            r#"profile.dist {"type":"object"}"#,
            r#"profile.dist.lto {"value":"thin"}"#,
            r#"workspace {"type":"object"}"#,
        ],
    );
}

#[test]
fn reads_json_schemas() {
    check(
        "config.schema.json",
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "required": ["level"], "properties": {
            "level": {"type": "string", "enum": ["a", "b"], "default": "a"},
            "aws": {"$ref": "#/definitions/Aws"},
            "list": {"type": "array", "items": {"$ref": "#/definitions/Aws"}},
            "mode": {"oneOf": [{"const": "x"}, {"enum": ["y"]}, {"type": "null"}]},
            "self": {"$ref": "#"},
            "map": {"type": ["object", "null"], "default": {"k": 1}, "additionalProperties": {"properties": {"n": {"type": "number"}}}}
          }, "definitions": {"Aws": {"allOf": [{"properties": {"style": {"default": "bold"}}}], "properties": {"on": {"type": "boolean", "default": true}}}}}"##,
        &[
            r#"level {"type":"string","default":"a","choices":["a","b"],"required":true}"#,
            "aws {}",
            r#"aws.on {"type":"boolean","default":true}"#,
            r#"aws.style {"default":"bold"}"#,
            r#"list {"type":"array"}"#,
            r#"list.on {"type":"boolean","default":true}"#,
            r#"list.style {"default":"bold"}"#,
            r#"mode {"choices":["x","y"]}"#,
            r#"self {"type":"object"}"#,
            r#"map {"type":"object | null","defaultExpr":"{\"k\": 1}"}"#,
            r#"map.*.n {"type":"number"}"#,
        ],
    );
    check(
        "d.json",
        r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "#/$defs/P", "$defs": {"P": {"properties": {"a": {"const": 1}}}}}"##,
        &[r#"a {"choices":[1]}"#],
    );
    check("c.json", "{\"$schema\": \"https://json.schemastore.org/x\", \"a\": 1}", &[r#"a {"value":1}"#]);
}

#[test]
fn survives_broken_text() {
    survives(&ConfigKeys, "a.json", "{\"a\": [1, {\"b\": null}], \"c\": \"x\\u12\"}");
    survives(&ConfigKeys, "a.toml", "a.b = [1, {c = 'é'}]\n[x.\"y\"]\nz = \"\"\"\nq\"\"\"\n[[l]]\nm = 1");
    survives(&ConfigKeys, "a.yaml", "a: &x\n  - b: 'c'\n    d: \"é\\n\"\ne: *x\nf: {g: [1, h: 2]}\n---\ni: |\n  j\n");
    survives(
        &ConfigKeys,
        "s.json",
        r##"{"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}}"##,
    );
    let laughs: Vec<String> = (1..30).map(|i| format!("a{i}: &a{i} [*a{0}, *a{0}, *a{0}]", i - 1)).collect();
    let laughs = laughs.join("\n");
    testing::lines(&ConfigKeys, "a.yaml", &format!("a0: &a0 {{x: 1}}\n{laughs}"));
}
