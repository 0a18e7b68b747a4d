//! `setup.py`: the literal arguments of `setup(..)`. The file is not run.

use std::collections::BTreeMap;

use super::package::Manifest;
use crate::facts::reading::unescape;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;
use crate::syntax::{Node, NodeExt};

/// Reads `setup.py`.
pub struct SetupPy;

impl Extractor for SetupPy {
    fn name(&self) -> &'static str {
        "setup-py"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "setup.py"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if !source.text().contains("setup(") {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let reader = Reader::new(tree.root(), tree.text());
        let calls = tree.root().preorder().filter(|n| n.kind() == "call");
        let setup = calls.into_iter().find(|n| {
            n.field("function").is_some_and(|f| matches!(f.text(tree.text()), "setup" | "setuptools.setup" | "core.setup"))
        });
        if let Some(arguments) = setup.and_then(|call| call.field("arguments")) {
            reader.setup(arguments, &mut Manifest::new(source, sink, "pypi"));
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    /// Names assigned once at the top level.
    names: BTreeMap<&'t str, Node<'t>>,
}

impl<'t> Reader<'t> {
    fn new(root: Node<'t>, text: &'t str) -> Self {
        let mut names = BTreeMap::new();
        for statement in root.named().into_iter().filter(|n| n.kind() == "expression_statement") {
            let assignment = statement.named_child(0).filter(|n| n.kind() == "assignment");
            if let Some((left, right)) = assignment.and_then(|a| Some((a.field("left")?, a.field("right")?))) {
                names.entry(left.text(text)).or_insert(right);
            }
        }
        Self { text, names }
    }

    fn setup(&self, arguments: Node<'t>, manifest: &mut Manifest<'_, '_>) {
        let keywords: Vec<(&str, Node<'t>, Node<'t>)> = arguments
            .named()
            .into_iter()
            .filter(|n| n.kind() == "keyword_argument")
            .filter_map(|n| Some((n.field("name")?.text(self.text), n.field("value")?, n)))
            .collect();
        let version = keywords.iter().find(|(key, _, _)| *key == "version").and_then(|(_, value, _)| self.string(*value));
        for (key, value, node) in keywords {
            let value = self.resolve(value);
            match key {
                "name" => {
                    if let Some(name) = self.string(value) {
                        manifest.own(&name, version.as_deref(), node.span());
                    }
                }
                "python_requires" => {
                    if let Some(constraint) = self.string(value) {
                        manifest.runtime("python", &constraint, node.span());
                    }
                }
                "install_requires" => self.strings(value).iter().for_each(|r| manifest.requirement("runtime", r, node.span())),
                "setup_requires" => self.strings(value).iter().for_each(|r| manifest.requirement("build", r, node.span())),
                "tests_require" => self.strings(value).iter().for_each(|r| manifest.requirement("dev", r, node.span())),
                "extras_require" => {
                    for (extra, list) in self.pairs(value) {
                        let requirements = self.strings(list);
                        manifest.key(&format!("extras.{extra}"), requirements.clone(), list.span());
                        for requirement in requirements {
                            manifest.requirement("optional", &requirement, list.span());
                        }
                    }
                }
                "entry_points" => {
                    for (group, list) in self.pairs(value) {
                        if matches!(group.as_str(), "console_scripts" | "gui_scripts") {
                            for line in self.strings(list) {
                                if let Some((name, _)) = line.split_once('=') {
                                    manifest.program(name.trim(), list.span());
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn resolve(&self, node: Node<'t>) -> Node<'t> {
        if node.kind() == "identifier" { self.names.get(node.text(self.text)).copied().unwrap_or(node) } else { node }
    }

    /// A plain string: no prefix but `r`, nothing interpolated.
    fn string(&self, node: Node<'t>) -> Option<String> {
        let node = self.resolve(node);
        let source = node.text(self.text);
        if node.kind() != "string" || node.named().iter().any(|n| n.kind() == "interpolation") {
            return None;
        }
        let raw = source.starts_with(['r', 'R']);
        let quoted = source.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|q| quoted.starts_with(q))?;
        let inner = quoted.strip_prefix(quotes)?.strip_suffix(quotes)?;
        Some(if raw { inner.to_owned() } else { unescape(inner) })
    }

    fn strings(&self, node: Node<'t>) -> Vec<String> {
        let node = self.resolve(node);
        match node.kind() {
            "list" | "tuple" | "set" => node.named().into_iter().filter_map(|n| self.string(n)).collect(),
            // One requirement for each line.
            _ => self
                .string(node)
                .map(|text| text.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect())
                .unwrap_or_default(),
        }
    }

    fn pairs(&self, node: Node<'t>) -> Vec<(String, Node<'t>)> {
        let node = self.resolve(node);
        let pairs = node.named().into_iter().filter(|n| node.kind() == "dictionary" && n.kind() == "pair");
        pairs.filter_map(|n| Some((self.string(n.field("key")?)?, n.field("value")?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "from setuptools import setup\nVERSION = \"1.5\"\nreqs = ['click>=7', f'x{y}', 'attrs']\nsetup(\n    name='tool', version=VERSION, python_requires='>=3.7, <4',\n    install_requires=reqs, extras_require={'d': ['aiohttp'], 'e': compute()},\n    entry_points={'console_scripts': ['tool=tool:main']},\n    long_description=read(),\n)\n";

    #[test]
    fn reads_literal_arguments() {
        check(
            &SetupPy,
            "setup.py",
            FULL,
            &[
                r#"package tool {"ecosystem":"pypi","version":"1.5","purl":"pkg:pypi/tool@1.5"}"#,
                r#"package python {"minimum":"3.7","constraint":">=3.7, <4"}"#,
                r#"package [file:setup.py#runtime] click {"constraint":">=7","group":"runtime"}"#,
                r#"package [file:setup.py#runtime] attrs {"group":"runtime"}"#,
                r#"config-key extras.d {"value":["aiohttp"]}"#,
                r#"package [file:setup.py#optional] aiohttp {"group":"optional"}"#,
                r#"config-key extras.e {"value":[]}"#,
                "cli-command [command:tool] tool {}",
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&SetupPy, "setup.py", FULL);
    }
}
