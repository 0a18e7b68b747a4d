//! The schemas under `schemas/` are those of the types.
//!
//! `UPDATE_SCHEMAS=1 cargo test schemas` writes them anew; read the diff before you commit it.
#![allow(clippy::disallowed_methods, clippy::panic, reason = "tests read their own fixtures")]

use std::collections::BTreeMap;
use std::path::Path;

use refdrift::config::ConfigFile;
use refdrift::contracts::{self, KINDS};
use serde_json::Value;

/// Every published file with its content.
fn published() -> BTreeMap<String, Value> {
    let mut out: BTreeMap<String, Value> = KINDS.iter().map(|row| (row.file.to_owned(), contracts::schema(row.kind))).collect();
    let config = contracts::published::<ConfigFile>("urn:refdrift:schema:config:1", "Configuration of refdrift");
    out.insert("config.v1.json".to_owned(), config);
    out
}

fn text(schema: &Value) -> String {
    serde_json::to_string_pretty(schema).expect("JSON") + "\n"
}

#[test]
fn schemas_are_fresh() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::create_dir_all(&folder).expect("a folder");
        for (name, schema) in published() {
            std::fs::write(folder.join(name), text(&schema)).expect("written");
        }
    }
    let stale: Vec<String> = published()
        .into_iter()
        .filter(|(name, schema)| {
            let committed = std::fs::read_to_string(folder.join(name)).unwrap_or_default().replace("\r\n", "\n");
            committed != text(schema)
        })
        .map(|(name, _)| name)
        .collect();
    assert!(stale.is_empty(), "the types changed: {stale:?}; run `UPDATE_SCHEMAS=1 cargo test schemas` and commit the result");
    let known = published();
    for entry in std::fs::read_dir(&folder).expect("schemas").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(known.contains_key(&name), "schemas/{name} belongs to no type");
    }
}

#[test]
fn schemas_are_schemas() {
    for (name, schema) in published() {
        jsonschema::draft202012::meta::validate(&schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
    }
}
