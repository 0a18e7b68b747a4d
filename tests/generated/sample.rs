//! Records that are valid, made from dice: first what the schema says, then what no schema can say.

use std::collections::BTreeMap;

use refdrift::contracts::{RecordKind, content_hash, fingerprint, schema};
use refdrift::value::canonical;
use serde_json::{Map, Value, json};

/// Numbers from a seed (splitmix64).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(n.max(1)).expect("small")).expect("small")
    }

    fn coin(&mut self) -> bool {
        self.next() & 1 == 0
    }

    fn pick<'t, T>(&mut self, list: &'t [T]) -> &'t T {
        &list[self.below(list.len())]
    }

    fn hash(&mut self) -> String {
        canonical::hash(&self.next())
    }

    /// Text of some units, also of letters that take two.
    fn text(&mut self, least: usize, most: usize) -> String {
        const LETTERS: [char; 16] =
            ['a', 'Z', '0', ' ', '`', '"', '\\', '/', '\n', 'é', 'ß', '漢', '😀', '\u{200b}', '\u{7f}', '.'];
        let length = if self.below(20) == 0 { most.min(600) } else { least + self.below(12.min(most - least + 1)) };
        let mut out = String::new();
        let mut units = 0;
        while units < length.max(least) {
            let letter = *self.pick(&LETTERS);
            let letter = if units + letter.len_utf16() > most { 'x' } else { letter };
            units += letter.len_utf16();
            out.push(letter);
        }
        out
    }
}

/// A valid record.
pub(crate) fn record(kind: RecordKind, dice: &mut Dice) -> Value {
    let schema = schema(kind);
    match kind {
        RecordKind::Finding => finding(value(&schema, &schema, dice), None, dice),
        RecordKind::ChangeSet => change_set(value(&schema, &schema, dice), dice),
        RecordKind::Sidecar => sidecar(value(&schema, &schema, dice), dice),
        RecordKind::Decision => value(&schema, &schema, dice),
        RecordKind::AgentFinding => agent_finding(value(&schema, &schema, dice), dice),
        RecordKind::Baseline => baseline(value(&schema, &schema, dice)),
    }
}

/// A value that a schema allows, its conditions aside.
fn value(root: &Value, schema: &Value, dice: &mut Dice) -> Value {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return value(root, root.pointer(target.trim_start_matches('#')).expect("a definition"), dice);
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return dice.pick(words).clone();
    }
    let number = |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => object(root, schema, dice),
        Some("array") => {
            let least = number("minItems").unwrap_or(0);
            let count = least + dice.below(3.min(number("maxItems").unwrap_or(3)) + 1 - least.min(1));
            (0..count).map(|_| value(root, &schema["items"], dice)).collect()
        }
        Some("string") => match schema.get("pattern").and_then(Value::as_str) {
            Some("^[a-f0-9]{64}$") => json!(dice.hash()),
            Some("^[a-f0-9]{40,64}$") => json!(dice.hash()[..40]),
            Some("^finding:[a-f0-9]{64}$") => json!(format!("finding:{}", dice.hash())),
            Some(r"^\d{4}-\d{2}-\d{2}$") => json!("2026-11-30"),
            Some(other) => panic!("no text is known for {other}"),
            None => json!(dice.text(number("minLength").unwrap_or(0), number("maxLength").unwrap_or(40))),
        },
        Some("integer") => json!(number("minimum").unwrap_or(0) + dice.below(200)),
        #[expect(clippy::cast_precision_loss, reason = "small")]
        Some("number") => json!(dice.below(65) as f64 / 64.0),
        Some("boolean") => json!(dice.coin()),
        // Any value of the code.
        _ => dice.pick(&[json!(null), json!(30), json!("text"), json!(true), json!([1, "a"]), json!({"name": "b"})]).clone(),
    }
}

fn object(root: &Value, schema: &Value, dice: &mut Dice) -> Value {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut out = Map::new();
    for (name, part) in schema["properties"].as_object().into_iter().flatten() {
        if required.contains(&name.as_str()) || dice.coin() {
            out.insert(name.clone(), value(root, part, dice));
        }
    }
    if let Some(part) = schema.get("additionalProperties").filter(|p| p.is_object()) {
        for name in ["go", "python"] {
            if dice.coin() {
                out.insert(name.to_owned(), value(root, part, dice));
            }
        }
    }
    if out.is_empty() && schema.get("minProperties").is_some() {
        let (name, part) = schema["properties"].as_object().and_then(|p| p.iter().next()).expect("a property");
        out.insert(name.clone(), value(root, part, dice));
    }
    Value::Object(out)
}

/// Last lines stand behind first ones, wherever they are.
fn lines(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if let (Some(start), Some(end)) =
                (map.get("lineStart").and_then(Value::as_u64), map.get("lineEnd").and_then(Value::as_u64))
            {
                map.insert("lineEnd".to_owned(), json!(start.max(end)));
            }
            map.values_mut().for_each(lines);
        }
        Value::Array(list) => list.iter_mut().for_each(lines),
        _ => {}
    }
}

fn put(value: &mut Value, name: &str, new: Value) {
    value.as_object_mut().expect("an object").insert(name.to_owned(), new);
}

fn remove(value: &mut Value, name: &str) {
    value.as_object_mut().expect("an object").shift_remove(name);
}

const CATEGORIES: [&str; 4] = ["broken-reference", "changed-reference", "ambiguous-reference", "something-of-another-tool"];

/// The fact that a finding is about.
struct Fact {
    id: String,
    name: String,
    candidates: Vec<String>,
}

fn fact(dice: &mut Dice) -> Fact {
    let name = dice.text(1, 60);
    let kind = *dice.pick(&["config-key", "symbol", "doc-path", "env-var"]);
    let candidates = (0..dice.below(3)).map(|_| dice.text(1, 40)).collect();
    // Ids of this length are cut in a finding's entities.
    let owner = if dice.below(6) == 0 { "o".repeat(300) } else { dice.text(1, 20) };
    Fact { id: format!("{kind}:{owner}:{name}"), name, candidates }
}

fn cut(text: &str, units: usize) -> String {
    let mut length = 0;
    text.chars()
        .take_while(|c| {
            length += c.len_utf16();
            length <= units
        })
        .collect()
}

/// A finding about a fact: with identity, status and routing.
fn finding(mut value: Value, of: Option<&Fact>, dice: &mut Dice) -> Value {
    lines(&mut value);
    let own = of.is_none().then(|| fact(dice));
    let fact = of.or(own.as_ref()).expect("a fact");
    let category = if of.is_some() { *dice.pick(&CATEGORIES[..3]) } else { *dice.pick(&CATEGORIES) };
    put(&mut value, "category", json!(category));
    let assertion = json!({"document": value["assertion"]["document"], "key": fact.name});
    put(&mut value, "assertion", assertion.clone());
    let mut entities = vec![json!("document:x"), json!(cut(&fact.id, 256))];
    entities.extend(value["entities"].as_array().expect("entities").iter().cloned());
    put(&mut value, "entities", Value::Array(entities));
    let (before, after) = (dice.hash(), dice.hash());
    let relevant = match category {
        "broken-reference" => json!({"removedTargetId": fact.id}),
        "changed-reference" => json!({"changedTargetId": fact.id, "beforeValueHash": before, "afterValueHash": after}),
        "ambiguous-reference" => {
            let mut sorted = fact.candidates.clone();
            sorted.sort();
            sorted.dedup();
            json!({"candidateIds": sorted})
        }
        _ => json!({"other": 1}),
    };
    for (side, hash) in [("Base", &before), ("Head", &after)] {
        if category == "changed-reference" {
            let item =
                json!({"source": "code", "path": "a.js", "context": format!("{side} target valueHash: {hash} (30 -> 60)")});
            value["evidence"].as_array_mut().expect("evidence").push(item);
        }
    }
    let status: &[&str] = match category {
        "broken-reference" => &["conflict", "stale-or-unverified"],
        "changed-reference" => &["stale-or-unverified"],
        "ambiguous-reference" => &["unresolved"],
        _ => &["confirmed", "not-analyzed"],
    };
    put(&mut value, "status", json!(dice.pick(status)));
    let routing: &[&str] = if value.get("generator").is_some() {
        &["excluded"]
    } else if category == "changed-reference" {
        &["routed-to-L2", "excluded", "pending-version"]
    } else {
        &["proposed", "routed-to-L2", "excluded", "pending-version"]
    };
    put(&mut value, "routing", json!(dice.pick(routing)));
    put(&mut value, "evidenceHash", json!(canonical::hash(&relevant)));
    let id = canonical::hash(&json!({"category": category, "assertion": assertion, "relevantEvidence": relevant}));
    put(&mut value, "id", json!(format!("finding:{id}")));
    value
}

fn sort_canonical(value: &mut Value, name: &str) {
    let list = value[name].as_array_mut().expect("a list");
    list.sort_by_cached_key(canonical::to_string);
    list.dedup();
}

fn change_set(mut value: Value, dice: &mut Dice) -> Value {
    lines(&mut value);
    if value["release"]["state"] == "released" {
        for (name, text) in [("version", "1"), ("eventId", "e"), ("purl", "pkg:x/y")] {
            put(&mut value["release"], name, json!(text));
        }
    } else {
        for name in ["version", "eventId", "purl"] {
            remove(&mut value["release"], name);
        }
    }
    for change in value["changes"].as_array_mut().expect("changes") {
        let id =
            |dice: &mut Dice| json!({"id": dice.text(1, 30), "name": dice.text(1, 30), "valueHash": dice.hash(), "evidence": []});
        let op = change["op"].as_str().expect("a word").to_owned();
        for side in ["before", "after"] {
            let is_there = !matches!((op.as_str(), side), ("added", "before") | ("removed", "after"));
            if is_there && change.get(side).is_none() {
                put(change, side, id(dice));
            } else if !is_there {
                remove(change, side);
            }
        }
        if op != "renamed" {
            remove(change, "renameProof");
        } else if change["before"]["id"] == change["after"]["id"] {
            // Two short texts may be the same by chance; a renamed fact has two ids.
            let other = format!("{}x", cut(change["after"]["id"].as_str().expect("text"), 255));
            put(&mut change["after"], "id", json!(other));
        }
        if change.get("compatibility").is_some() {
            if dice.coin() && op == "changed" {
                put(change, "kind", json!("signature"));
            } else {
                remove(change, "compatibility");
            }
        }
        for aspect in change.get_mut("aspects").and_then(Value::as_array_mut).into_iter().flatten() {
            let pointer = format!("/{}", cut(aspect["pointer"].as_str().expect("text"), 1023));
            put(aspect, "pointer", json!(pointer));
            if aspect.get("before").is_none() && aspect.get("after").is_none() {
                put(aspect, "after", Value::Null);
            }
        }
    }
    sort_canonical(&mut value, "changes");
    sort_canonical(&mut value, "coverage");
    let hash = content_hash(&value);
    put(&mut value, "contentHash", json!(hash));
    value
}

fn baseline(mut value: Value) -> Value {
    let names = ["document", "category", "key", "id", "evidenceHash"];
    let list = value["findings"].as_array_mut().expect("findings");
    list.sort_by_key(|entry| names.map(|n| entry[n].as_str().expect("text").to_owned()));
    value
}

fn agent_finding(mut value: Value, dice: &mut Dice) -> Value {
    fn files(value: &mut Value) {
        match value {
            Value::Object(map) => {
                if map.contains_key("file") {
                    map.insert("file".to_owned(), json!("src/a.rs"));
                }
                map.values_mut().for_each(files);
            }
            Value::Array(list) => list.iter_mut().for_each(files),
            _ => {}
        }
    }
    files(&mut value);
    put(&mut value, "fingerprint", json!(fingerprint(&dice.text(1, 150), &dice.text(0, 150))));
    let schema = schema(RecordKind::AgentFinding);
    let needs: &[&str] = match value["verdict"].as_str().expect("a verdict") {
        "confirmed" => &["severity", "confidence"],
        "needs_validation" => &["blockers", "validation_plan"],
        _ => &["reason"],
    };
    for name in needs {
        if value.get(*name).is_none() {
            let part = self::value(&schema, &schema["properties"][*name], dice);
            put(&mut value, name, part);
        }
    }
    if value["verdict"] == "needs_validation" {
        remove(&mut value, "severity");
    }
    if value.get("severity").is_some() {
        let impact = value["severity"]["impact"].clone();
        put(&mut value["severity"], "overall_severity", impact);
    }
    value
}

fn sidecar(mut value: Value, dice: &mut Dice) -> Value {
    lines(&mut value);
    let own = schema(RecordKind::Sidecar);
    let part = |name: &str, dice: &mut Dice| self::value(&own, &own["$defs"][name], dice);
    let hash = value["configuration"]["hash"].clone();
    let mut set = change_set(part("ChangeSetV1", dice), dice);
    for side in ["base", "head"] {
        put(&mut set["analysis"][side], "configurationHash", hash.clone());
        put(&mut set, &format!("{side}Revision"), value["revisions"][side].clone());
    }
    let content = content_hash(&set);
    put(&mut set, "contentHash", json!(content));
    put(&mut value, "changeSet", set);
    let provenance =
        json!({"repository": value["repository"], "revision": value["revisions"]["head"], "configurationHash": hash});

    let mut findings: BTreeMap<String, Value> = BTreeMap::new();
    let mut facts: BTreeMap<String, Value> = BTreeMap::new();
    for _ in 0..dice.below(4) {
        let about = fact(dice);
        let mut changed = part("ChangedFact", dice);
        lines(&mut changed);
        let mut places = Vec::new();
        for _ in 0..=dice.below(2) {
            let mut one = finding(part("FindingV1", dice), Some(&about), dice);
            put(&mut one, "provenance", provenance.clone());
            // Two short documents may be the same by chance; then the finding is there already.
            if findings.contains_key(one["id"].as_str().expect("an id")) {
                continue;
            }
            let document = one["assertion"]["document"].clone();
            for _ in 0..=dice.below(2) {
                let mut place = part("CitedPlace", dice);
                for (name, new) in [("finding", one["id"].clone()), ("document", document.clone())] {
                    put(&mut place, name, new);
                }
                let end = place["columnEnd"].as_u64().max(place["columnStart"].as_u64());
                put(&mut place, "columnEnd", json!(end));
                let line = place["line"].clone();
                let seen = json!({"source": "documentation", "path": document, "lineStart": line, "lineEnd": line});
                one["evidence"].as_array_mut().expect("evidence").push(seen);
                places.push(place);
            }
            findings.insert(one["id"].as_str().expect("an id").to_owned(), one);
        }
        places.sort_by_key(|p| (p["document"].as_str().map(str::to_owned), p["line"].as_u64(), p["columnStart"].as_u64()));
        let location = part("CodeLocation", dice);
        let op = changed["op"].as_str().expect("a word").to_owned();
        for side in ["before", "after"] {
            let is_there = !matches!((op.as_str(), side), ("added", "before") | ("removed", "after"));
            if is_there && changed.get(side).is_none() {
                put(&mut changed, side, location.clone());
            } else if !is_there {
                remove(&mut changed, side);
            }
        }
        if op != "renamed" {
            for name in ["renamedTo", "proof"] {
                remove(&mut changed, name);
            }
        }
        let kind = about.id.split(':').next().expect("a kind").to_owned();
        for (name, new) in [
            ("id", json!(about.id)),
            ("name", json!(about.name)),
            ("kind", json!(kind)),
            ("candidates", json!(about.candidates)),
            ("places", Value::Array(places)),
        ] {
            put(&mut changed, name, new);
        }
        lines(&mut changed);
        facts.insert(about.id.clone(), changed);
    }
    let all: Vec<Value> = findings.into_values().collect();
    settle(&mut value, all, dice);
    put(&mut value, "changedFacts", facts.into_values().collect());
    for name in ["documentsToReview", "changedDocumentation"] {
        let list = value["impact"][name].as_array_mut().expect("a list");
        list.sort_by_key(|d| d["path"].as_str().map(str::to_owned));
        list.dedup_by_key(|d| d["path"].as_str().map(str::to_owned));
    }
    by_type::<refdrift::model::Coverage>(&mut value["coverage"]);
    by_type::<refdrift::model::Notice>(&mut value["notices"]);
    value
}

fn by_type<T: Ord + serde::Serialize + serde::de::DeserializeOwned>(list: &mut Value) {
    let mut typed: Vec<T> = serde_json::from_value(list.take()).expect("the type reads it");
    typed.sort();
    typed.dedup();
    *list = serde_json::to_value(typed).expect("JSON");
}

/// Lists, groups, counts and suppressions that follow from the findings.
fn settle(value: &mut Value, all: Vec<Value>, dice: &mut Dice) {
    let enabled = value["policy"]["enabled"] == json!(true);
    let is_visible = |f: &Value| !enabled || f["routing"] == "proposed" || f["routing"] == "routed-to-L2";
    let shown: Vec<Value> = all.iter().filter(|f| is_visible(f)).cloned().collect();
    let ids = |updated: bool| -> Value {
        shown.iter().filter(|f| f.get("documentationUpdate").is_some() == updated).map(|f| f["id"].clone()).collect()
    };
    put(&mut value["groups"], "pending", ids(false));
    put(&mut value["groups"], "updatedInThisChange", ids(true));
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut suppressions = Vec::new();
    for one in &all {
        let routing = one["routing"].as_str().expect("a word");
        let name =
            ["proposed", "excluded", "routed-to-L2", "pending-version"].into_iter().find(|n| *n == routing).expect("known");
        *counts.entry(name).or_default() += 1;
        if name != "excluded" {
            continue;
        }
        if one.get("generator").is_some() {
            *counts.entry("generator").or_default() += 1;
        } else {
            let name = *dice.pick(&["historical", "suppressed", "below-min-confidence"]);
            *counts.entry(name).or_default() += 1;
            if name == "suppressed" {
                let source = *dice.pick(&["comment", "config", "decision", "baseline"]);
                suppressions.push(json!({"finding": one["id"], "source": source, "reason": dice.text(0, 1024)}));
            }
        }
    }
    for (name, count) in value["policy"]["counts"].as_object_mut().expect("counts") {
        *count = json!(counts.get(name.as_str()).copied().unwrap_or_default());
    }
    put(value, "suppressions", Value::Array(suppressions));
    by_type::<refdrift::model::Suppression>(&mut value["suppressions"]);
    put(value, "findings", Value::Array(shown));
    put(&mut value["policy"], "findings", Value::Array(all));
}
