//! Settings declared by nested builders (`Namespace(control=Namespace(queue_exclusive=Option(False, type="bool")))`) and
//! by calls that register them one by one (`conf.add_config("recreate", of_type=bool, default=False)`).

use super::value::{Arguments, callee, leaf};
use super::{File, is_public};
use crate::facts::written::{Projection, Written, is_option_name, type_text};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// How deep namespaces are read.
const MAX_NAMESPACES: usize = 6;

/// Calls that declare one option.
const OPTIONS: &[&str] = &["Option", "Setting", "Opt", "ConfigOption", "ConfigItem", "ConfigValue", "Parameter", "Param"];

/// Records the options of a builder; tells whether the value is one.
pub(super) fn read(file: &File<'_>, value: Node<'_>, sink: &mut FactSink<'_>) -> bool {
    let Some(arguments) = namespace(file, value) else { return false };
    let is_builder = arguments.keywords.iter().any(|(_, inner)| is_option(file, *inner) || namespace(file, *inner).is_some());
    if is_builder {
        collect(file, "", &arguments, MAX_NAMESPACES, sink);
    }
    is_builder
}

/// The arguments of a call of a class that are all named and hold an option or a namespace.
fn namespace<'t, 's>(file: &File<'s>, value: Node<'t>) -> Option<Arguments<'t, 's>> {
    let name = leaf(callee(value, file.values.text()));
    if value.kind() != "call" || !name.starts_with(char::is_uppercase) || OPTIONS.contains(&name) {
        return None;
    }
    let arguments = Arguments::of(value, file.values.text());
    let holds = arguments.keywords.iter().any(|(_, inner)| {
        is_option(file, *inner) || (inner.kind() == "call" && leaf(callee(*inner, file.values.text())) == name)
    });
    (arguments.positional.is_empty() && holds).then_some(arguments)
}

fn is_option(file: &File<'_>, value: Node<'_>) -> bool {
    value.kind() == "call" && OPTIONS.contains(&leaf(callee(value, file.values.text())))
}

fn collect(file: &File<'_>, prefix: &str, arguments: &Arguments<'_, '_>, depth: usize, sink: &mut FactSink<'_>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (key, value) in &arguments.keywords {
        if key.starts_with("__") || !is_option_name(key) {
            continue;
        }
        let path = if prefix.is_empty() { (*key).to_owned() } else { format!("{prefix}.{key}") };
        if is_option(file, *value) {
            option(file, &path, *value, sink);
        } else if let Some(inner) = namespace(file, *value) {
            collect(file, &path, &inner, depth, sink);
        }
    }
}

/// Records the settings that calls anywhere in the file register.
pub(super) fn registered(file: &File<'_>, root: Node<'_>, sink: &mut FactSink<'_>) {
    let text = file.values.text();
    if !["add_config", "addini"].iter().any(|hint| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some()) {
        return;
    }
    for call in root.preorder().filter(|n| n.kind() == "call") {
        if !matches!(leaf(callee(call, text)), "add_config" | "addini") {
            continue;
        }
        let arguments = Arguments::of(call, text);
        let Some(keys) = arguments.nth_or(0, "keys").or_else(|| arguments.get("name")) else { continue };
        let mut keys = match file.values.read(keys) {
            Written::Literal(serde_json::Value::String(key)) => vec![key],
            Written::Literal(serde_json::Value::Array(keys)) => {
                keys.iter().filter_map(|k| k.as_str()).map(str::to_owned).collect()
            }
            Written::Literal(_) | Written::Expression(_) => Vec::new(),
        };
        keys.retain(|key| is_option_name(key));
        if keys.is_empty() {
            continue;
        }
        let kind = arguments.get("of_type").or_else(|| arguments.get("type"));
        let kind = kind.map(|t| file.values.string(t).unwrap_or_else(|| type_text(t, text)));
        let value = Projection::default()
            .text("type", kind.unwrap_or_default())
            .written("default", arguments.get("default").map(|d| file.values.read(d)));
        let name = keys.remove(0);
        sink.push(
            NewFact::new(FactKind::ConfigKey, &file.owner, &name, value.build(), call.span())
                .aliases(keys)
                .visible(is_public(&name)),
        );
    }
}

fn option(file: &File<'_>, path: &str, call: Node<'_>, sink: &mut FactSink<'_>) {
    let arguments = Arguments::of(call, file.values.text());
    let default = arguments.nth_or(0, "default").map(|node| file.values.read(node));
    let kind = arguments.get("type").map(|t| file.values.string(t).unwrap_or_else(|| file.text(t).to_owned()));
    let mut aliases: Vec<String> = vec![path.replace('.', "_")];
    for key in ["alias", "aliases", "old"] {
        let Some(node) = arguments.get(key) else { continue };
        match file.values.read(node) {
            Written::Literal(serde_json::Value::String(text)) => aliases.push(text),
            Written::Literal(serde_json::Value::Array(items)) => {
                aliases.extend(items.iter().filter_map(|v| v.as_str()).map(str::to_owned));
            }
            Written::Literal(_) | Written::Expression(_) => {}
        }
    }
    aliases.retain(|alias| is_option_name(alias));
    let value = Projection::default()
        .text("type", kind.unwrap_or_default())
        .written("default", default)
        .list("choices", arguments.get("choices").map(|n| file.values.items(n)).unwrap_or_default());
    sink.push(
        NewFact::new(FactKind::ConfigKey, &file.owner, path, value.build(), call.span())
            .aliases(aliases)
            .visible(is_public(path)),
    );
}
