//! Environment variables, whatever the language that reads them.

use std::collections::BTreeMap;

use super::written::{Projection, Written};
use super::{FactSink, NewFact};
use crate::model::{ByteSpan, FactKind};

/// A read of a variable.
pub(crate) struct Variable {
    /// Its name.
    pub(crate) name: String,
    /// What stands in for it.
    pub(crate) default: Option<Written>,
    /// Where it is read.
    pub(crate) span: ByteSpan,
}

/// Pushes each variable once, in order of its first read.
pub(crate) fn record(found: Vec<Variable>, sink: &mut FactSink<'_>) {
    let mut order: Vec<String> = Vec::new();
    let mut best: BTreeMap<String, Variable> = BTreeMap::new();
    for variable in found {
        if !is_variable_name(&variable.name) {
            continue;
        }
        match best.get(&variable.name) {
            None => {
                order.push(variable.name.clone());
                best.insert(variable.name.clone(), variable);
            }
            Some(known) if known.default.is_none() && variable.default.is_some() => {
                best.insert(variable.name.clone(), variable);
            }
            Some(_) => {}
        }
    }
    for name in order {
        let Some(variable) = best.remove(&name) else { continue };
        let value = Projection::default().written("default", variable.default).build();
        sink.push(NewFact::new(FactKind::EnvVar, "env", name, value, variable.span));
    }
}

/// Whether a text can be the name of a variable.
pub(crate) fn is_variable_name(name: &str) -> bool {
    name.len() >= 2
        && name.len() <= 128
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
