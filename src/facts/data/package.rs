//! The facts every manifest states, built in one place: own package, runtimes, dependencies, tasks, programs.

use serde_json::{Value, json};

use super::tree::Item;
use crate::facts::reading::{Object, fold_text, minimum_version, unquoted, version_key};
use crate::facts::{FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind};

/// Writes the facts of one manifest.
pub(super) struct Manifest<'a, 's> {
    owner: String,
    sink: &'a mut FactSink<'s>,
    ecosystem: &'static str,
}

impl<'a, 's> Manifest<'a, 's> {
    /// A manifest of an ecosystem, by its name in package URLs.
    pub(super) fn new(source: &Source<'_>, sink: &'a mut FactSink<'s>, ecosystem: &'static str) -> Self {
        Self { owner: source.file_owner(), sink, ecosystem }
    }

    /// The package that the manifest declares.
    pub(super) fn own(&mut self, name: &str, version: Option<&str>, span: ByteSpan) {
        self.own_or_kept(name, version, false, span);
    }

    /// The same, where the manifest may keep the package from being published: then readers cannot install that version yet.
    pub(super) fn own_or_kept(&mut self, name: &str, version: Option<&str>, kept: bool, span: ByteSpan) {
        let mut value = Object::new();
        value.insert("ecosystem".to_owned(), self.ecosystem.into());
        let mut purl = format!("pkg:{}/{}", self.ecosystem, name.replace('@', "%40").replace(':', "/"));
        if let Some(version) = version {
            value.insert("version".to_owned(), version.into());
            purl = format!("{purl}@{version}");
        }
        value.insert("purl".to_owned(), purl.into());
        if kept {
            value.insert("published".to_owned(), false.into());
        }
        self.push(FactKind::Package, self.owner.clone(), name, value, span);
    }

    /// The version that the packages of a workspace share; there is no package of that name.
    pub(super) fn shared_version(&mut self, version: &str, span: ByteSpan) {
        let mut value = Object::new();
        value.insert("ecosystem".to_owned(), self.ecosystem.into());
        value.insert("version".to_owned(), version.into());
        self.push(FactKind::Package, self.owner.clone(), "workspace", value, span);
    }

    /// A runtime's minimum version and its constraint as written.
    pub(super) fn runtime(&mut self, runtime: &str, constraint: &str, span: ByteSpan) {
        self.runtime_of(self.owner.clone(), runtime, constraint, minimum_version(constraint), span);
    }

    /// The version of Java: `1.8` is 8.
    pub(super) fn java(&mut self, constraint: &str, span: ByteSpan) {
        let minimum = minimum_version(constraint.strip_prefix("1.").unwrap_or(constraint));
        self.runtime_of(self.owner.clone(), "java", constraint, minimum, span);
    }

    /// The smallest of several versions, for a matrix of builds.
    pub(super) fn builds(&mut self, runtime: &str, versions: &[String], span: ByteSpan) {
        let minimum = versions.iter().filter(|v| v.starts_with(|c: char| c.is_ascii_digit())).filter_map(|v| minimum_version(v));
        let minimum = minimum.min_by_key(|v| version_key(v));
        self.runtime_of(format!("{}#ci", self.owner), runtime, &versions.join(", "), minimum, span);
    }

    fn runtime_of(&mut self, owner: String, runtime: &str, constraint: &str, minimum: Option<String>, span: ByteSpan) {
        let mut value = Object::new();
        if let Some(minimum) = minimum {
            value.insert("minimum".to_owned(), minimum.into());
        }
        value.insert("constraint".to_owned(), constraint.into());
        self.push(FactKind::Package, owner, runtime, value, span);
    }

    /// A dependency; a constraint that is not written is left out.
    pub(super) fn dependency(&mut self, group: &str, name: &str, constraint: Option<&str>, span: ByteSpan) {
        let mut value = Object::new();
        if let Some(constraint) = constraint.map(str::trim).filter(|c| !c.is_empty()) {
            value.insert("constraint".to_owned(), constraint.into());
        }
        value.insert("group".to_owned(), group.into());
        self.push(FactKind::Package, format!("{}#{group}", self.owner), name, value, span);
    }

    /// A Python requirement: `name[extra] >= 1 ; marker`.
    pub(super) fn requirement(&mut self, group: &str, requirement: &str, span: ByteSpan) {
        let requirement = requirement.split(';').next().unwrap_or("").trim();
        let end = requirement.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(requirement.len());
        let (name, rest) = requirement.split_at(end);
        let rest = match (rest.find('['), rest.find(']')) {
            (Some(0), Some(close)) => &rest[close + 1..],
            _ => rest,
        };
        let rest = rest.trim().trim_start_matches('(').trim_end_matches(')');
        if !name.is_empty() && !name.starts_with(['-', '.']) {
            self.dependency(group, name, Some(rest).filter(|r| !r.starts_with('@')), span);
        }
    }

    /// Something people run by name.
    pub(super) fn task(&mut self, runner: &str, name: &str, command: Option<&str>, span: ByteSpan) {
        self.task_as(runner, name, command, &[], span);
    }

    /// The same with further names.
    pub(super) fn task_as(&mut self, runner: &str, name: &str, command: Option<&str>, aliases: &[String], span: ByteSpan) {
        let mut value = Object::new();
        value.insert("runner".to_owned(), runner.into());
        if let Some(command) = command.map(fold_text).filter(|c| !c.is_empty()) {
            value.insert("command".to_owned(), command.into());
        }
        self.sink
            .push(NewFact::new(FactKind::Task, &self.owner, name, Value::Object(value), span).aliases(aliases.iter().cloned()));
    }

    /// A program that the package installs.
    pub(super) fn program(&mut self, name: &str, span: ByteSpan) {
        self.push(FactKind::CliCommand, format!("command:{name}"), name, Object::new(), span);
    }

    /// A configuration key of the file.
    pub(super) fn key(&mut self, name: &str, value: impl Into<Value>, span: ByteSpan) {
        let value = json!({ "value": value.into() });
        self.sink.push(NewFact::new(FactKind::ConfigKey, &self.owner, name, value, span));
    }

    fn push(&mut self, kind: FactKind, owner: String, name: &str, value: Object, span: ByteSpan) {
        if !name.trim().is_empty() {
            self.sink.push(NewFact::new(kind, owner, name, Value::Object(value), span));
        }
    }
}

/// A scalar as it is written, without quotes: `3.10` stays `3.10`.
pub(super) fn written<'t>(item: &Item, text: &'t str) -> &'t str {
    unquoted(item.span.of(text).trim())
}

/// The lines of a text with their spans, line feeds left out.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (ByteSpan, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let span = ByteSpan::new(start, start + line.len());
        start += line.len() + 1;
        (span, line.strip_suffix('\r').unwrap_or(line))
    })
}
