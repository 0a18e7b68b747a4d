use serde_json::{Value, json};

use super::*;
use crate::model::{ByteSpan, LineNumber, LineSpan, Visibility};

fn fact(kind: FactKind, path: &str, name: &str, value: Value, body: Option<&str>) -> Fact {
    let line = LineNumber::from_row(0);
    Fact {
        kind,
        owner: format!("module:{path}"),
        name: name.to_owned(),
        value,
        path: path.into(),
        span: ByteSpan::new(0, 1),
        lines: LineSpan { start: line, end: line },
        aliases: Vec::new(),
        visibility: Visibility::Public,
        body_hash: body.map(str::to_owned),
    }
}

fn symbol(path: &str, name: &str, body: &str) -> Fact {
    fact(FactKind::Symbol, path, name, json!({"declared": "function"}), Some(body))
}

fn check(base: &[Fact], head: &[Fact], expected: &[&str]) {
    let found: Vec<String> = diff(base, head, &BTreeMap::new())
        .changes
        .iter()
        .map(|c| {
            let to = c.after.as_ref().map_or(String::new(), |a| format!(" => {}", a.name));
            let tail = if c.candidates.is_empty() { String::new() } else { format!(" ?{}", c.candidates.join(",")) };
            let pointers = c.aspects.iter().fold(String::new(), |all, a| all + " " + &a.pointer);
            format!("{:?}{} {}{to}{pointers}{tail}", c.op, if c.compatible { "*" } else { "" }, c.cited().name)
        })
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn equal_sets_give_nothing() {
    let facts = [symbol("a", "x", "1"), symbol("b", "y", "2")];
    check(&facts, &facts, &[]);
}

#[test]
fn a_move_is_no_removal() {
    check(&[symbol("a", "x", "1")], &[symbol("b", "x", "2")], &[]);
}

#[test]
fn a_rename_needs_one_equal_body_on_each_side() {
    check(&[symbol("a", "x", "1")], &[symbol("a", "y", "1")], &["Renamed x => y"]);
    check(
        &[symbol("a", "x", "1")],
        &[symbol("a", "y", "1"), symbol("a", "z", "1")],
        &["Removed x", "Added* y => y", "Added* z => z"],
    );
}

#[test]
fn an_unproven_successor_is_a_candidate() {
    let key = |name: &str| fact(FactKind::ConfigKey, "a", name, json!({"value": 16}), None);
    check(
        &[key("up.max_idle")],
        &[key("up.pool_size")],
        &["Removed up.max_idle ?up.pool_size", "Added* up.pool_size => up.pool_size"],
    );
}

#[test]
fn compatible_signatures() {
    let sig = |parameters: Value| fact(FactKind::Signature, "a", "f", json!({ "parameters": parameters }), None);
    let a = json!({"name": "a", "kind": "positional"});
    let optional = json!({"name": "b", "kind": "positional", "optional": true});
    let required = json!({"name": "b", "kind": "positional"});
    check(&[sig(json!([a]))], &[sig(json!([a, optional]))], &["Changed* f => f /parameters/b"]);
    check(&[sig(json!([a]))], &[sig(json!([a, required]))], &["Changed f => f /parameters/b"]);
    check(&[sig(json!([a]))], &[sig(json!([optional, a]))], &["Changed f => f /parameters/b"]);
}

#[test]
fn directories_go_when_nothing_is_left() {
    let file = |b: &str, a: &str| PathChange { before: Some(b.into()), after: (!a.is_empty()).then(|| a.into()) };
    let head: std::collections::BTreeSet<RepoPath> = ["new/a.rs", "new/b.md", "keep/x"].into_iter().map(RepoPath::from).collect();
    let changes = path_changes(&[file("old/a.rs", "new/a.rs"), file("old/b.md", "new/b.md"), file("keep/y", "")], &head);
    let found: Vec<String> = changes
        .iter()
        .map(|c| format!("{:?} {} {}", c.op, c.cited().name, c.after.as_ref().map_or("-", |a| a.name.as_str())))
        .collect();
    assert_eq!(found, ["Renamed old/a.rs new/a.rs", "Renamed old/b.md new/b.md", "Removed keep/y -", "Renamed old new"]);
}

#[test]
fn other_words_for_the_same() {
    let at = |path: &str, value: Value| {
        let mut made = fact(FactKind::Signature, path, "f", value, None);
        made.path = path.into();
        made
    };
    let go = |returns: &str| at("a.go", json!({ "parameters": [], "returns": returns }));
    check(&[go("(n int, err error)")], &[go("(int, error)")], &[]);
    check(&[go("(n int, err error)")], &[go("(n int64, err error)")], &["Changed f => f /returns"]);
    let typed = |path: &str, kind: &str| at(path, json!({ "parameters": [{ "name": "x", "type": kind }] }));
    check(&[typed("a.py", "Union[A, B]")], &[typed("a.py", "\"Union[A, B]\"")], &[]);
    check(&[typed("a.ts", "'a' | 'b'")], &[typed("a.ts", "\"a\" | \"b\"")], &[]);
}
