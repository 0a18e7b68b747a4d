//! Flags that JavaScript reads by hand: `case "--x":`, `args.includes("--x")`, `arg === "--x"`, `arg.startsWith("--x=")`.

use std::collections::BTreeSet;

use super::declared::{Flag, is_flag};
use crate::facts::lang::ecmascript::value::{Values, arguments};
use crate::facts::lang::ecmascript::{is_ecmascript, is_minified};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Flags compared with the words of the command line.
pub struct Compared;

impl Extractor for Compared {
    fn name(&self) -> &'static str {
        "compared-flags"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        is_ecmascript(path)
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let text = source.text();
        let has = |hint: &str| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some();
        if !["'-", "\"-", "`-"].iter().any(|hint| has(hint)) || !(has("arg") || has("Arg")) || is_minified(source.path(), text) {
            return;
        }
        let Some(tree) = source.tree() else { return };
        let reads_line = ["process.argv", "Deno.args", "Bun.argv"].iter().any(|hint| has(hint));
        let mut reader = Reader { values: Values::of_module(tree.root(), text), reads_line, seen: BTreeSet::new() };
        for node in tree.root().preorder() {
            match node.kind() {
                "switch_statement" => reader.switch(node, sink),
                "binary_expression" => reader.comparison(node, sink),
                "call_expression" => reader.call(node, sink),
                _ => {}
            }
        }
    }
}

struct Reader<'s> {
    values: Values<'s>,
    /// The file itself reads the command line.
    reads_line: bool,
    seen: BTreeSet<String>,
}

impl Reader<'_> {
    /// Whether an expression holds words of the command line.
    fn is_word(&self, node: Node<'_>) -> bool {
        if node.byte_range().len() > 60 {
            return false;
        }
        let text = node.text(self.values.text());
        if text.contains("execArgv") {
            return false;
        }
        let lower = text.to_ascii_lowercase();
        lower.contains("arg") || (self.reads_line && ["flag", "opt", "token", "param", "cmd"].iter().any(|w| lower.contains(w)))
    }

    fn flag(&self, node: Node<'_>) -> Option<String> {
        matches!(node.kind(), "string" | "template_string")
            .then(|| self.values.string(node))
            .flatten()
            .filter(|text| is_flag(text))
    }

    fn push(&mut self, name: String, takes_value: Option<bool>, span: ByteSpan, sink: &mut FactSink<'_>) {
        if self.seen.insert(name.clone()) {
            let flag = Flag { spellings: vec![name], takes_value, ..Flag::default() };
            flag.record("", span, "", sink);
        }
    }

    fn switch(&mut self, node: Node<'_>, sink: &mut FactSink<'_>) {
        let Some(body) = node.field("body") else { return };
        if !node.field("value").is_some_and(|v| self.is_word(v)) {
            return;
        }
        for case in body.named() {
            if let Some((value, name)) = case.field("value").and_then(|v| Some((v, self.flag(v)?))) {
                self.push(name, None, value.span(), sink);
            }
        }
    }

    fn comparison(&mut self, node: Node<'_>, sink: &mut FactSink<'_>) {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else { return };
        if !node.field("operator").is_some_and(|o| matches!(o.kind(), "===" | "==" | "!==" | "!=")) {
            return;
        }
        for (word, literal) in [(left, right), (right, left)] {
            if let Some(name) = self.flag(literal).filter(|_| self.is_word(word)) {
                self.push(name, None, literal.span(), sink);
            }
        }
    }

    fn call(&mut self, node: Node<'_>, sink: &mut FactSink<'_>) {
        let Some(function) = node.field("function").filter(|f| f.kind() == "member_expression") else { return };
        let (Some(object), Some(method)) = (function.field("object"), function.field("property")) else { return };
        let Some(first) = arguments(node).first().copied() else { return };
        match method.text(self.values.text()) {
            "includes" | "indexOf" | "has" | "lastIndexOf" => {
                if let Some(name) = self.flag(first).filter(|_| self.is_word(object)) {
                    self.push(name, None, first.span(), sink);
                } else if object.kind() == "array" && self.is_word(first) {
                    for item in object.named() {
                        if let Some(name) = self.flag(item) {
                            self.push(name, None, item.span(), sink);
                        }
                    }
                }
            }
            "startsWith" if self.is_word(object) => {
                let Some(text) = self.values.string(first).filter(|_| first.kind() == "string") else { return };
                if let Some(name) = text.strip_suffix('=').filter(|name| is_flag(name)) {
                    self.push(name.to_owned(), Some(true), first.span(), sink);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_comparisons() {
        checking::check(
            &Compared,
            "bin/tool.js",
            r"
const args = process.argv.slice(2)
if (args.includes('--watch')) {}
if (['-q', '--quiet'].includes(arg)) {}
for (const arg of args) {
  switch (arg) { case '-h': case '--help': break; case 'serve': break; default: }
  if (arg === '--one' || '--two' == arg) {}
  if (arg.startsWith('--port=')) {}
}
if (name === '--no') {}
process.execArgv.includes('--inspect')
",
            &[
                "cli-flag [tool] --watch {}",
                "cli-flag [tool] -q {}",
                "cli-flag [tool] --quiet {}",
                "cli-flag [tool] -h {}",
                "cli-flag [tool] --help {}",
                "cli-flag [tool] --one {}",
                "cli-flag [tool] --two {}",
                r#"cli-flag [tool] --port {"takesValue":true}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(&Compared, "a.js", "switch (arg) { case '--é': }\nif (args.includes('--x') === arg) {}\n");
    }
}
