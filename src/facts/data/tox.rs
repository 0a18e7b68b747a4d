//! Environments of tox, in `tox.ini`, `setup.cfg`, `tox.toml` and `pyproject.toml`. Braces in the list are expanded.

use std::collections::BTreeMap;

use super::ini::{self, Setting};
use super::package::Manifest;
use super::tree::{self, Item};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};

/// Most environments one list expands to.
const MAX_ENVIRONMENTS: usize = 512;

/// Reads tox.
pub struct Tox;

impl Extractor for Tox {
    fn name(&self) -> &'static str {
        "tox"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.file_name(), "tox.ini" | "setup.cfg" | "tox.toml" | "pyproject.toml")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if !source.text().contains("tox") && !source.text().contains("env") {
            return;
        }
        let mut found = Environments::default();
        match source.path().file_name() {
            "tox.ini" | "setup.cfg" => found.ini(&ini::read(source.text())),
            name => {
                let Some(root) = tree::document(source) else { return };
                let table = if name == "tox.toml" { Some(&root) } else { root.at(&["tool", "tox"]) };
                let Some(table) = table else { return };
                if let Some(legacy) = table.entry("legacy_tox_ini") {
                    let text = legacy.item.text().unwrap_or_default().to_owned();
                    found.ini(&ini::read(&text));
                    // Spans inside the text are not those of the file.
                    found.list.values_mut().for_each(|(_, span)| *span = legacy.span);
                } else {
                    found.table(table);
                }
            }
        }
        let mut manifest = Manifest::new(source, sink, "pypi");
        for (name, (command, span)) in found.list {
            manifest.task("tox", &name, command.as_deref(), span);
        }
    }
}

#[derive(Default)]
struct Environments {
    list: BTreeMap<String, (Option<String>, ByteSpan)>,
}

impl Environments {
    fn add(&mut self, name: &str, span: ByteSpan) {
        if !name.is_empty() && self.list.len() < MAX_ENVIRONMENTS {
            self.list.entry(name.to_owned()).or_insert((None, span));
        }
    }

    fn ini(&mut self, settings: &[Setting]) {
        for setting in settings {
            let tox = matches!(setting.section.as_str(), "tox" | "tox:tox");
            if tox && matches!(setting.key.as_str(), "envlist" | "env_list") {
                for name in setting.lines.iter().flat_map(|line| split(line)).flat_map(|name| expand(&name)) {
                    self.add(&name, setting.span);
                }
            }
            let Some(names) = setting.section.strip_prefix("testenv:").or_else(|| setting.section.strip_prefix("tox:testenv:"))
            else {
                continue;
            };
            for name in split(names).into_iter().flat_map(|n| expand(&n)) {
                if setting.key.is_empty() {
                    self.list.entry(name).or_insert((None, setting.span)).1 = setting.span;
                } else if setting.key == "commands" {
                    let command = setting.lines.join("; ");
                    self.list.entry(name).or_insert((None, setting.span)).0 = Some(command);
                }
            }
        }
    }

    fn table(&mut self, table: &Item) {
        for key in ["env_list", "envlist"] {
            if let Some(entry) = table.entry(key) {
                for name in entry.item.texts().iter().flat_map(|name| expand(name)) {
                    self.add(&name, entry.span);
                }
            }
        }
        for entry in table.at(&["env"]).map(Item::entries).unwrap_or_default() {
            self.add(&entry.key, entry.span);
            let commands = entry.item.at(&["commands"]).map(Item::elements).unwrap_or_default();
            let lines: Vec<String> = commands.iter().map(|c| c.texts().join(" ")).filter(|line| !line.is_empty()).collect();
            if let Some((command, span)) = self.list.get_mut(&entry.key) {
                *span = entry.span;
                *command = (!lines.is_empty()).then(|| lines.join("; "));
            }
        }
    }
}

/// Splits a list at commas and blanks outside of braces.
fn split(list: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0_usize;
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c == ',' || c.is_whitespace()) {
            out.push(String::new());
        } else if !c.is_whitespace()
            && let Some(last) = out.last_mut()
        {
            last.push(c);
        }
    }
    out.retain(|name| !name.is_empty());
    out
}

/// `py{38,39}-{a,b}` gives four names; `py3{8-10}` is tox's range. Bounded.
fn expand(name: &str) -> Vec<String> {
    let mut done = vec![String::new()];
    let mut rest = name;
    while let Some((before, tail)) = rest.split_once('{') {
        let Some((inside, after)) = tail.split_once('}') else { return Vec::new() };
        let range =
            inside.split_once('-').and_then(|(a, b)| Some((a.trim().parse::<u32>().ok()?, b.trim().parse::<u32>().ok()?)));
        let choices: Vec<String> = match range {
            Some((first, last)) if first <= last && last - first < 64 => (first..=last).map(|n| n.to_string()).collect(),
            _ => inside.split(',').map(|c| c.trim().to_owned()).collect(),
        };
        done = done
            .iter()
            .flat_map(|prefix| choices.iter().map(move |choice| format!("{prefix}{before}{choice}")))
            .take(MAX_ENVIRONMENTS)
            .collect();
        rest = after;
    }
    // An empty choice leaves a dash behind: `py38-{,old}`.
    done.into_iter().map(|prefix| format!("{prefix}{rest}").trim_matches('-').to_owned()).filter(|n| !n.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "[tox]\nenvlist =\n    py{38,39}-{a,b}\n    lint, docs\nskipsdist = true\n[testenv]\ncommands = pytest\n[testenv:lint]\ncommands =\n    ruff check\n    ruff format\n[testenv:extra]\ndeps = x\n";

    #[test]
    fn reads_environments() {
        check(
            &Tox,
            "tox.ini",
            FULL,
            &[
                r#"task docs {"runner":"tox"}"#,
                r#"task extra {"runner":"tox"}"#,
                r#"task lint {"runner":"tox","command":"ruff check; ruff format"}"#,
                r#"task py38-a {"runner":"tox"}"#,
                r#"task py38-b {"runner":"tox"}"#,
                r#"task py39-a {"runner":"tox"}"#,
                r#"task py39-b {"runner":"tox"}"#,
            ],
        );
        check(
            &Tox,
            "tox.toml",
            "env_list = [\"3.12\", \"fix\"]\n[env.fix]\ncommands = [[\"pre-commit\", \"run\"]]",
            &[r#"task 3.12 {"runner":"tox"}"#, r#"task fix {"runner":"tox","command":"pre-commit run"}"#],
        );
        check(
            &Tox,
            "pyproject.toml",
            "[tool.tox]\nlegacy_tox_ini = \"\"\"\n[tox]\nenvlist = a,b\n\"\"\"",
            &[r#"task a {"runner":"tox"}"#, r#"task b {"runner":"tox"}"#],
        );
        check(&Tox, "pyproject.toml", "[project]\nname = \"environment\"", &[]);
    }

    #[test]
    fn survives_broken_text() {
        survives(&Tox, "tox.ini", FULL);
        survives(&Tox, "tox.ini", &format!("[tox]\nenvlist = {}", "{a,b,c}".repeat(40)));
    }
}
