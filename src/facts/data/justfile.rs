//! Justfiles: recipes and their aliases. Recipes that begin with `_` and private ones are left out.

use super::package::{Manifest, lines};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};

/// Reads justfiles.
pub struct Justfile;

impl Extractor for Justfile {
    fn name(&self) -> &'static str {
        "justfile"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        let name = path.file_name().to_ascii_lowercase();
        matches!(name.as_str(), "justfile" | ".justfile") || path.extension() == "just"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let mut recipes: Vec<Recipe<'_>> = Vec::new();
        let mut aliases: Vec<(&str, &str)> = Vec::new();
        let (mut private, mut open) = (false, false);
        for (span, line) in lines(source.text()) {
            if line.starts_with([' ', '\t']) {
                if let Some(recipe) = recipes.last_mut().filter(|_| open) {
                    recipe.lines.push(line.trim());
                }
                continue;
            }
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            open = false;
            if let Some(attributes) = line.strip_prefix('[') {
                private |= attributes.contains("private");
                continue;
            }
            if let Some((name, target)) = line.strip_prefix("alias ").and_then(|rest| rest.split_once(":=")) {
                aliases.push((name.trim(), target.trim()));
            } else if let Some(name) = recipe_name(line) {
                recipes.push(Recipe { name, lines: Vec::new(), span, private: private || name.starts_with('_') });
                open = true;
            }
            private = false;
        }
        let mut manifest = Manifest::new(source, sink, "generic");
        for recipe in recipes.iter().filter(|r| !r.private) {
            let names: Vec<String> =
                aliases.iter().filter(|(_, target)| *target == recipe.name).map(|(name, _)| (*name).to_owned()).collect();
            manifest.task_as("just", recipe.name, Some(&recipe.lines.join("; ")), &names, recipe.span);
        }
    }
}

struct Recipe<'t> {
    name: &'t str,
    lines: Vec<&'t str>,
    span: ByteSpan,
    private: bool,
}

/// The name of `@name parameter='x': dependency`; `None` for settings and assignments.
fn recipe_name(line: &str) -> Option<&str> {
    let line = line.trim_start_matches('@');
    let end = line.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    if name.is_empty() || matches!(name, "set" | "export" | "import" | "mod" | "unexport") {
        return None;
    }
    let colon = rest.find(':')?;
    (!rest[colon..].starts_with(":=") && !name.starts_with('-')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "set shell := [\"bash\"]\nversion := \"1\"\nalias b := build\n\n# c\nbuild target='all': deps\n    cargo build {{target}}\n    echo\n\n[private]\nhidden:\n  x\n_dep:\n@quiet *args:\n  echo\n";

    #[test]
    fn reads_recipes() {
        check(
            &Justfile,
            "justfile",
            FULL,
            &[
                r#"task build {"runner":"just","command":"cargo build {{target}}; echo"} b"#,
                r#"task quiet {"runner":"just","command":"echo"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Justfile, "justfile", FULL);
    }
}
