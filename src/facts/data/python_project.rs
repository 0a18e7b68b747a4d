//! `pyproject.toml`: PEP 621 and poetry metadata, extras, programs, dependencies, tasks of poe, pdm, hatch and taskipy.

use serde_json::Value;

use super::package::Manifest;
use super::tree::{self, Entry, Item, Shape};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `pyproject.toml`.
pub struct PythonProject;

impl Extractor for PythonProject {
    fn name(&self) -> &'static str {
        "pyproject"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "pyproject.toml"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let Some(root) = tree::document(source) else { return };
        let mut manifest = Manifest::new(source, sink, "pypi");
        if let Some(project) = root.at(&["project"]) {
            own(project, &mut manifest);
            if let Some(entry) = project.entry("requires-python") {
                manifest.runtime("python", entry.item.text().unwrap_or_default(), entry.span);
            }
            programs(project, &["scripts", "gui-scripts"], &mut manifest);
            requirements(project.at(&["dependencies"]), "runtime", &mut manifest);
            for entry in entries(project, &["optional-dependencies"]) {
                manifest.key(&format!("extras.{}", entry.key), entry.item.texts(), entry.span);
                requirements(Some(&entry.item), "optional", &mut manifest);
            }
        }
        requirements(root.at(&["build-system", "requires"]), "build", &mut manifest);
        for entry in entries(&root, &["dependency-groups"]) {
            requirements(Some(&entry.item), "dev", &mut manifest);
        }
        if let Some(poetry) = root.at(&["tool", "poetry"]) {
            read_poetry(poetry, &mut manifest);
        }
        tasks(&root, &mut manifest);
    }
}

fn entries<'i>(item: &'i Item, path: &[&str]) -> &'i [Entry] {
    item.at(path).map(Item::entries).unwrap_or_default()
}

fn own(project: &Item, manifest: &mut Manifest<'_, '_>) {
    let Some(name) = project.entry("name") else { return };
    let version = project.entry("version").filter(|v| v.item.text().is_some());
    let span = version.map_or(name.span, |v| v.span);
    manifest.own(name.item.text().unwrap_or_default(), version.and_then(|v| v.item.text()), span);
}

fn programs(project: &Item, keys: &[&str], manifest: &mut Manifest<'_, '_>) {
    for key in keys {
        for entry in entries(project, &[key]) {
            manifest.program(&entry.key, entry.span);
        }
    }
}

fn requirements(list: Option<&Item>, group: &str, manifest: &mut Manifest<'_, '_>) {
    for item in list.map(Item::elements).unwrap_or_default() {
        if let Some(requirement) = item.text() {
            manifest.requirement(group, requirement, item.span);
        }
    }
}

fn read_poetry(poetry: &Item, manifest: &mut Manifest<'_, '_>) {
    own(poetry, manifest);
    programs(poetry, &["scripts"], manifest);
    for entry in entries(poetry, &["extras"]) {
        manifest.key(&format!("extras.{}", entry.key), entry.item.texts(), entry.span);
    }
    table(entries(poetry, &["dependencies"]), "runtime", manifest);
    table(entries(poetry, &["dev-dependencies"]), "dev", manifest);
    for group in entries(poetry, &["group"]) {
        table(entries(&group.item, &["dependencies"]), "dev", manifest);
    }
}

/// Dependencies as a table of names and constraints.
fn table(entries: &[Entry], group: &str, manifest: &mut Manifest<'_, '_>) {
    for Entry { key, item, span } in entries {
        let constraint = item.text().or_else(|| item.at(&["version"]).and_then(Item::text));
        if key == "python" {
            manifest.runtime("python", constraint.unwrap_or_default(), *span);
            continue;
        }
        let optional = item.at(&["optional"]).and_then(Item::value) == Some(&Value::Bool(true));
        manifest.dependency(if optional { "optional" } else { group }, key, constraint, *span);
    }
}

fn tasks(root: &Item, manifest: &mut Manifest<'_, '_>) {
    for (path, runner) in [
        (["tool", "poe", "tasks"].as_slice(), "poe"),
        (&["tool", "pdm", "scripts"], "pdm"),
        (&["tool", "taskipy", "tasks"], "taskipy"),
    ] {
        for entry in entries(root, path).iter().filter(|e| e.key != "_") {
            manifest.task(runner, &entry.key, command(&entry.item).as_deref(), entry.span);
        }
    }
    for environment in entries(root, &["tool", "hatch", "envs"]) {
        for entry in entries(&environment.item, &["scripts"]) {
            let name =
                if environment.key == "default" { entry.key.clone() } else { format!("{}:{}", environment.key, entry.key) };
            manifest.task("hatch", &name, command(&entry.item).as_deref(), entry.span);
        }
    }
}

/// The command line of a task: text, a list of steps, or a table with one of the known keys.
fn command(item: &Item) -> Option<String> {
    match &item.shape {
        Shape::Map(_) => {
            let keys = ["cmd", "shell", "script", "call", "composite", "sequence", "expr", "help"];
            keys.iter().filter(|k| **k != "help").find_map(|key| item.at(&[key])).and_then(command_text)
        }
        _ => command_text(item),
    }
}

fn command_text(item: &Item) -> Option<String> {
    let texts = item.texts();
    (!texts.is_empty()).then(|| texts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "[build-system]\nrequires = [\"hatchling>=1.18\"]\n[project]\nname = \"tool\"\nversion = \"2.0\"\nrequires-python = \">=3.8\"\ndependencies = [\"click>=8.0.0\", \"tomli (>=1.1) ; python_version < '3.11'\", \"uvicorn[standard]==0.2\", \"pkg @ https://x\"]\n[project.scripts]\ntool = \"tool:main\"\n[project.optional-dependencies]\nd = [\"aiohttp>=3\"]\n[dependency-groups]\ntest = [\"pytest\"]\n[tool.poe.tasks]\nlint = \"ruff check\"\nall = { sequence = [\"lint\", \"test\"] }\n[tool.pdm.scripts]\nstart = { cmd = \"flask run\" }\n[tool.hatch.envs.default.scripts]\ncov = [\"a\", \"b\"]\n[tool.hatch.envs.docs.scripts]\nbuild = \"mkdocs build\"";

    #[test]
    fn reads_a_project() {
        check(
            &PythonProject,
            "pyproject.toml",
            FULL,
            &[
                r#"package tool {"ecosystem":"pypi","version":"2.0","purl":"pkg:pypi/tool@2.0"}"#,
                r#"package python {"minimum":"3.8","constraint":">=3.8"}"#,
                "cli-command [command:tool] tool {}",
                r#"package [file:pyproject.toml#runtime] click {"constraint":">=8.0.0","group":"runtime"}"#,
                r#"package [file:pyproject.toml#runtime] tomli {"constraint":">=1.1","group":"runtime"}"#,
                r#"package [file:pyproject.toml#runtime] uvicorn {"constraint":"==0.2","group":"runtime"}"#,
                r#"package [file:pyproject.toml#runtime] pkg {"group":"runtime"}"#,
                r#"config-key extras.d {"value":["aiohttp>=3"]}"#,
                r#"package [file:pyproject.toml#optional] aiohttp {"constraint":">=3","group":"optional"}"#,
                r#"package [file:pyproject.toml#build] hatchling {"constraint":">=1.18","group":"build"}"#,
                r#"package [file:pyproject.toml#dev] pytest {"group":"dev"}"#,
                r#"task lint {"runner":"poe","command":"ruff check"}"#,
                r#"task all {"runner":"poe","command":"lint; test"}"#,
                r#"task start {"runner":"pdm","command":"flask run"}"#,
                r#"task cov {"runner":"hatch","command":"a; b"}"#,
                r#"task docs:build {"runner":"hatch","command":"mkdocs build"}"#,
            ],
        );
    }

    #[test]
    fn reads_poetry() {
        check(
            &PythonProject,
            "pyproject.toml",
            "[tool.poetry]\nname = \"p\"\nversion = \"1\"\n[tool.poetry.dependencies]\npython = \"^3.9\"\nx = { version = \"^2\", optional = true }\ny = \"*\"\n[tool.poetry.group.dev.dependencies]\nz = \"1\"\n[tool.poetry.extras]\nall = [\"x\"]\n[tool.poetry.scripts]\np = \"p:m\"",
            &[
                r#"package p {"ecosystem":"pypi","version":"1","purl":"pkg:pypi/p@1"}"#,
                "cli-command [command:p] p {}",
                r#"config-key extras.all {"value":["x"]}"#,
                r#"package python {"minimum":"3.9","constraint":"^3.9"}"#,
                r#"package [file:pyproject.toml#optional] x {"constraint":"^2","group":"optional"}"#,
                r#"package [file:pyproject.toml#runtime] y {"constraint":"*","group":"runtime"}"#,
                r#"package [file:pyproject.toml#dev] z {"constraint":"1","group":"dev"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&PythonProject, "pyproject.toml", FULL);
    }
}
