//! `Taskfile.yml`: tasks of go-task.

use super::package::Manifest;
use super::tree::{self, Item, Shape};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `Taskfile.yml` and its variants.
pub struct Taskfile;

impl Extractor for Taskfile {
    fn name(&self) -> &'static str {
        "taskfile"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name().to_ascii_lowercase().starts_with("taskfile.") && matches!(path.extension(), "yml" | "yaml")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(root) = tree::document(source) else { return };
        let mut manifest = Manifest::new(source, sink, "generic");
        for entry in root.at(&["tasks"]).map(Item::entries).unwrap_or_default() {
            if entry.item.at(&["internal"]).and_then(Item::plain).as_deref() == Some("true") {
                continue;
            }
            let aliases = entry.item.at(&["aliases"]).map(Item::texts).unwrap_or_default();
            manifest.task_as("task", &entry.key, Some(&command(&entry.item)), &aliases, entry.span);
        }
    }
}

fn command(task: &Item) -> String {
    let list = match &task.shape {
        Shape::Map(_) => task.at(&["cmds"]).or_else(|| task.at(&["cmd"])),
        _ => Some(task),
    };
    let step = |item: &Item| {
        let inner = item.at(&["cmd"]).and_then(Item::plain);
        item.plain().or(inner).or_else(|| item.at(&["task"]).and_then(Item::plain))
    };
    match list {
        Some(item) if matches!(item.shape, Shape::List(_)) => {
            item.elements().iter().filter_map(step).collect::<Vec<_>>().join("; ")
        }
        Some(item) => step(item).unwrap_or_default(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "version: '3'\ntasks:\n  build:\n    aliases: [b]\n    cmds:\n      - go build\n      - task: lint\n      - cmd: echo\n  lint: golangci-lint run\n  docs:\n    - a\n  hidden:\n    internal: true\n";

    #[test]
    fn reads_tasks() {
        check(
            &Taskfile,
            "Taskfile.yml",
            FULL,
            &[
                r#"task build {"runner":"task","command":"go build; lint; echo"} b"#,
                r#"task lint {"runner":"task","command":"golangci-lint run"}"#,
                r#"task docs {"runner":"task","command":"a"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Taskfile, "taskfile.dist.yaml", FULL);
    }
}
