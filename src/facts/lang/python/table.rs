//! Constant tables of options: `DEFAULTS = {"host": "0.0.0.0"}`, `dict(host="0.0.0.0")`, nested.

use serde_json::Value;

use super::value::{Arguments, callee};
use super::{File, is_public};
use crate::facts::written::{Projection, Written, is_option_name};
use crate::facts::{FactSink, NewFact};
use crate::model::{ByteSpan, FactKind};
use crate::syntax::{Node, NodeExt};

/// How deep nested tables are read.
const MAX_TABLES: usize = 6;

/// One row: path, value, where it stands.
type Row = (String, Written, ByteSpan);

/// Records the keys of a table; nothing where no value of it is a literal.
pub(super) fn read(file: &File<'_>, name: &str, value: Node<'_>, sink: &mut FactSink<'_>) {
    let mut rows = Vec::new();
    collect(file, name, value, MAX_TABLES, &mut rows);
    if !rows.iter().any(|(_, written, _)| written.literal().is_some()) {
        return;
    }
    for (path, written, span) in rows {
        let public = is_public(&path);
        let value: Value = Projection::default().written("default", Some(written)).build();
        sink.push(NewFact::new(FactKind::ConfigKey, &file.owner, path, value, span).visible(public));
    }
}

fn collect(file: &File<'_>, prefix: &str, value: Node<'_>, depth: usize, rows: &mut Vec<Row>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (key, value, span) in entries(file, value) {
        let path = format!("{prefix}.{key}");
        if is_table(file, value) {
            collect(file, &path, value, depth, rows);
        } else {
            rows.push((path, file.values.read(value), span));
        }
    }
}

fn is_table(file: &File<'_>, value: Node<'_>) -> bool {
    !entries(file, value).is_empty()
}

/// The keys of a dictionary display or `dict(…)`; none where a key is not a plain text.
fn entries<'t>(file: &File<'_>, value: Node<'t>) -> Vec<(String, Node<'t>, ByteSpan)> {
    match value.kind() {
        "dictionary" => {
            let mut out = Vec::new();
            for pair in value.named().into_iter().filter(|n| n.kind() == "pair") {
                let (Some(key), Some(value)) = (pair.field("key"), pair.field("value")) else { return Vec::new() };
                let Some(key) = file.values.string(key).filter(|_| key.kind() == "string") else { return Vec::new() };
                if !is_option_name(&key) {
                    return Vec::new();
                }
                out.push((key, value, pair.span()));
            }
            out
        }
        "call"
            if matches!(
                callee(value, file.values.text()),
                "dict"
                    | "OrderedDict"
                    | "collections.OrderedDict"
                    | "MappingProxyType"
                    | "types.MappingProxyType"
                    | "SimpleNamespace"
            ) =>
        {
            let arguments = Arguments::of(value, file.values.text());
            if let [only] = arguments.positional.as_slice() {
                return if only.kind() == "dictionary" { entries_of_dictionary(file, *only) } else { Vec::new() };
            }
            arguments.keywords.into_iter().map(|(key, value)| (key.to_owned(), value, value.span())).collect()
        }
        _ => Vec::new(),
    }
}

fn entries_of_dictionary<'t>(file: &File<'_>, value: Node<'t>) -> Vec<(String, Node<'t>, ByteSpan)> {
    entries(file, value)
}
