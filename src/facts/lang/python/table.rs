//! Constant tables of options: `DEFAULTS = {"host": "0.0.0.0"}`, `dict(host="0.0.0.0")`, nested.

use serde_json::Value;

use super::value::{Arguments, callee, leaf};
use super::{File, is_public};
use crate::facts::written::{Projection, Written, is_option_name, is_upper};
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
    let is_constant = is_upper(prefix.rsplit('.').next().unwrap_or(prefix));
    for (key, value, span) in entries(file, value, is_constant) {
        let path = format!("{prefix}.{key}");
        if entries(file, value, false).is_empty() {
            rows.push((path, file.values.read(value), span));
        } else {
            collect(file, &path, value, depth, rows);
        }
    }
}

/// The keys of a dictionary display or `dict(…)`; none where a key is not a plain text.
fn entries<'t>(file: &File<'_>, value: Node<'t>, is_constant: bool) -> Vec<(String, Node<'t>, ByteSpan)> {
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
                return if only.kind() == "dictionary" { entries(file, *only, is_constant) } else { Vec::new() };
            }
            arguments.keywords.into_iter().map(|(key, value)| (key.to_owned(), value, value.span())).collect()
        }
        // `LIMITS = Limits(max_connections=100)`
        "call" if is_constant && leaf(callee(value, file.values.text())).starts_with(char::is_uppercase) => {
            let arguments = Arguments::of(value, file.values.text());
            if !arguments.positional.is_empty() {
                return Vec::new();
            }
            arguments.keywords.into_iter().map(|(key, value)| (key.to_owned(), value, value.span())).collect()
        }
        _ => Vec::new(),
    }
}
