//! `*.gemspec`: own version, Ruby version, programs, dependencies. Read line by line: a specification is assignments.

use super::package::{Manifest, lines};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `*.gemspec`.
pub struct Gemspec;

impl Extractor for Gemspec {
    fn name(&self) -> &'static str {
        "gemspec"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension() == "gemspec"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let mut manifest = Manifest::new(source, sink, "gem");
        let found: Vec<_> = lines(source.text()).filter_map(|(span, line)| Some((span, statement(line)?))).collect();
        let version = found.iter().find(|(_, s)| s.key == "version").and_then(|(_, s)| s.strings.first());
        for (span, statement) in &found {
            let Some(first) = statement.strings.first() else { continue };
            match statement.key {
                "name" => manifest.own(first, version.map(String::as_str), *span),
                "required_ruby_version" => manifest.runtime("ruby", &statement.strings.join(", "), *span),
                "executables" => statement.strings.iter().for_each(|name| manifest.program(name, *span)),
                "add_dependency" | "add_runtime_dependency" => {
                    manifest.dependency("runtime", first, Some(&statement.strings[1..].join(", ")), *span);
                }
                "add_development_dependency" => {
                    manifest.dependency("dev", first, Some(&statement.strings[1..].join(", ")), *span);
                }
                _ => {}
            }
        }
    }
}

/// `spec.key = "a", "b"` or `spec.key("a")`: the key and the strings behind it.
struct Statement<'t> {
    key: &'t str,
    strings: Vec<String>,
}

fn statement(line: &str) -> Option<Statement<'_>> {
    let line = line.trim();
    let (object, rest) = line.split_once('.')?;
    if object.is_empty() || !object.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (key, value) = rest.split_at(end);
    let value = value.trim_start().trim_start_matches(['=', '(', '+']);
    Some(Statement { key, strings: strings(value) })
}

/// The quoted strings of a line, and the words of `%w[a b]`.
fn strings(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '%', '#']) {
        let tail = &rest[at..];
        if tail.starts_with('#') {
            break;
        }
        if let Some(words) = tail.strip_prefix("%w").and_then(|w| w.get(1..)) {
            let end = words.find([']', ')', '}', '>']).unwrap_or(words.len());
            out.extend(words[..end].split_whitespace().map(str::to_owned));
            rest = &words[end..];
            continue;
        }
        let quote = &tail[..1];
        let Some(end) = tail[1..].find(quote).filter(|_| quote != "%") else {
            rest = &tail[1..];
            continue;
        };
        let inner = &tail[1..=end];
        // An interpolated string is not a literal.
        if !inner.contains("#{") {
            out.push(inner.to_owned());
        }
        rest = &tail[end + 2..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "Gem::Specification.new do |s|\n  s.name = \"tool\"\n  s.version = \"1.2.0\"\n  s.summary = \"it's\"\n  s.required_ruby_version = Gem::Requirement.new(\">= 2.7.0\")\n  s.executables = %w[tool toolctl]\n  s.add_dependency \"rack\", \">= 2.2\", \"< 4\" # c\n  s.add_runtime_dependency('x')\n  s.add_development_dependency 'rspec', \"~> 3\"\nend";

    #[test]
    fn reads_a_specification() {
        check(
            &Gemspec,
            "tool.gemspec",
            FULL,
            &[
                r#"package tool {"ecosystem":"gem","version":"1.2.0","purl":"pkg:gem/tool@1.2.0"}"#,
                r#"package ruby {"minimum":"2.7.0","constraint":">= 2.7.0"}"#,
                "cli-command [command:tool] tool {}",
                "cli-command [command:toolctl] toolctl {}",
                r#"package [file:tool.gemspec#runtime] rack {"constraint":">= 2.2, < 4","group":"runtime"}"#,
                r#"package [file:tool.gemspec#runtime] x {"group":"runtime"}"#,
                r#"package [file:tool.gemspec#dev] rspec {"constraint":"~> 3","group":"dev"}"#,
            ],
        );
        check(
            &Gemspec,
            "t.gemspec",
            "s.name = 't'\ns.version = Tool::VERSION",
            &[r#"package t {"ecosystem":"gem","purl":"pkg:gem/t"}"#],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Gemspec, "tool.gemspec", FULL);
        survives(&Gemspec, "tool.gemspec", "s.name = 'é%w%wé'\ns.version = %wé\n.x\ns.é = %");
    }
}
