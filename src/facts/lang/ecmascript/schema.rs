//! Settings declared by schema builders: `z.object({ port: z.number().default(3000) })` and its like in zod, yup, joi, valibot.

use serde_json::Value;

use super::File;
use super::value::{Step, arguments, chain};
use crate::facts::written::{Projection, is_option_name, type_text};
use crate::facts::{FactSink, NewFact};
use crate::model::FactKind;
use crate::syntax::{Node, NodeExt};

/// How deep objects are read.
const MAX_OBJECTS: usize = 6;

/// Most calls of one chain that are looked at.
const MAX_CHAIN: usize = 32;

/// Names under which the builders are imported.
const ROOTS: &[&str] = &["z", "zod", "yup", "Yup", "Joi", "joi", "v", "s", "t"];

/// Records the keys of a schema; tells whether the value is one.
pub(super) fn read(file: &File<'_>, name: &str, value: Node<'_>, public: bool, sink: &mut FactSink<'_>) -> bool {
    match builder(file, value).and_then(|steps| shape(file, &steps)) {
        Some(object) => {
            collect(file, name, object, public, MAX_OBJECTS, sink);
            true
        }
        None => false,
    }
}

/// The calls of a chain that starts at a builder.
fn builder<'t, 's>(file: &File<'s>, value: Node<'t>) -> Option<Vec<Step<'t, 's>>> {
    let (root, steps) = chain(value, file.values.text(), MAX_CHAIN);
    let root = root.filter(|r| r.kind() == "identifier")?;
    (ROOTS.contains(&file.text(root)) && !steps.is_empty()).then_some(steps)
}

/// The object literal of `object({…})`.
fn shape<'t>(file: &File<'_>, steps: &[Step<'t, '_>]) -> Option<Node<'t>> {
    let (method, call) = steps.iter().find(|(m, _)| !matches!(*m, "coerce" | "lazy"))?;
    matches!(*method, "object" | "strictObject" | "looseObject")
        .then(|| file.values.object(arguments(*call).first().copied()?))
        .flatten()
}

fn collect(file: &File<'_>, prefix: &str, object: Node<'_>, public: bool, depth: usize, sink: &mut FactSink<'_>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (key, value) in file.values.entries(object) {
        if !is_option_name(&key) {
            continue;
        }
        let name = format!("{prefix}.{key}");
        let Some(steps) = builder(file, value) else {
            let value = Projection::default().text("type", type_text(value, file.values.text())).build();
            sink.push(NewFact::new(FactKind::ConfigKey, &file.owner, name, value, object.span()).visible(public));
            continue;
        };
        let has = |names: &[&str]| steps.iter().any(|(method, _)| names.contains(method));
        let argument = |names: &[&str]| {
            steps.iter().rev().find(|(method, _)| names.contains(method)).and_then(|(_, call)| arguments(*call).first().copied())
        };
        let default = argument(&["default", "prefault"]).map(|d| file.values.read(d));
        let is_required = default.is_none() && !has(&["optional", "nullish", "notRequired"]);
        let projection = Projection::default()
            .text("type", steps.first().map(|(method, _)| *method).unwrap_or_default())
            .written("default", default)
            .yes("required", is_required)
            .list("choices", choices(file, &steps));
        sink.push(NewFact::new(FactKind::ConfigKey, &file.owner, &name, projection.build(), value.span()).visible(public));
        if let Some(inner) = shape(file, &steps) {
            collect(file, &name, inner, public, depth, sink);
        }
    }
}

/// `enum(["a", "b"])`, `oneOf([…])`, `valid("a", "b")`, `literal("a")`.
fn choices(file: &File<'_>, steps: &[Step<'_, '_>]) -> Vec<Value> {
    for (method, call) in steps {
        let given = arguments(*call);
        match *method {
            "enum" | "oneOf" | "picklist" => return given.first().map(|list| file.values.items(*list)).unwrap_or_default(),
            "valid" | "literal" => {
                return given.into_iter().filter_map(|node| file.values.read(node).literal().cloned()).collect();
            }
            _ => {}
        }
    }
    Vec::new()
}
