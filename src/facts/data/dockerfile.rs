//! Dockerfiles: `ENV` and `ARG` with their defaults.

use serde_json::Value;

use super::package::lines;
use crate::facts::reading::{Object, Reading, unquoted};
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind, RepoPath};

/// Reads Dockerfiles.
pub struct Dockerfile;

impl Extractor for Dockerfile {
    fn name(&self) -> &'static str {
        "dockerfile"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        let name = path.file_name();
        matches!(name, "Dockerfile" | "Containerfile")
            || name.starts_with("Dockerfile.") && !matches!(path.extension(), "md" | "txt" | "rst")
            || path.extension().eq_ignore_ascii_case("dockerfile")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        for (instruction, span) in instructions(source.text()) {
            let Some((word, rest)) = instruction.split_once([' ', '\t']) else { continue };
            if word.eq_ignore_ascii_case("ARG") || word.eq_ignore_ascii_case("ENV") {
                for (name, value) in variables(rest.trim(), word.eq_ignore_ascii_case("ENV")) {
                    push(&name, value, span, sink);
                }
            }
        }
    }
}

/// The instructions with their continuation lines joined.
fn instructions(text: &str) -> Vec<(String, ByteSpan)> {
    let mut out: Vec<(String, ByteSpan)> = Vec::new();
    let mut continued = false;
    for (span, line) in lines(text) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (part, goes_on) = line.strip_suffix('\\').map_or((line, false), |part| (part.trim_end(), true));
        match out.last_mut().filter(|_| continued) {
            Some((whole, at)) => {
                whole.push(' ');
                whole.push_str(part);
                *at = ByteSpan::new(at.start, span.end);
            }
            None => out.push((part.to_owned(), span)),
        }
        continued = goes_on;
    }
    out
}

/// `A=1 B="x y"`, `A`, and the older `ENV A one value`.
fn variables(text: &str, environment: bool) -> Vec<(String, Option<String>)> {
    let words = shlex::split(text).unwrap_or_else(|| text.split_whitespace().map(str::to_owned).collect());
    if environment
        && let Some((name, value)) = text.split_once([' ', '\t'])
        && !name.contains('=')
    {
        return vec![(name.to_owned(), Some(unquoted(value.trim()).to_owned()))];
    }
    words
        .into_iter()
        .map(|word| match word.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (word, None),
        })
        .collect()
}

fn push(name: &str, default: Option<String>, span: ByteSpan, sink: &mut FactSink<'_>) {
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return;
    }
    let mut value = Object::new();
    if let Some(default) = default {
        let reading = if default.contains('$') { Reading::computed(&default) } else { Reading::Literal(default.into()) };
        reading.store(&mut value, "default");
    }
    sink.push(NewFact::new(FactKind::EnvVar, "env", name, Value::Object(value), span));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "# c\nFROM x AS y\nARG VERSION=1.2\nARG bare\nENV PORT=8080 \\\n    HOST=\"0.0 0\"\nENV OLD some value\nenv PATH=/x:$PATH\nRUN echo ENV=1\n";

    #[test]
    fn reads_variables() {
        check(
            &Dockerfile,
            "Dockerfile",
            FULL,
            &[
                r#"env-var VERSION {"default":"1.2"}"#,
                "env-var bare {}",
                r#"env-var PORT {"default":"8080"}"#,
                r#"env-var HOST {"default":"0.0 0"}"#,
                r#"env-var OLD {"default":"some value"}"#,
                r#"env-var PATH {"defaultExpr":"/x:$PATH"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Dockerfile, "a.Dockerfile", FULL);
    }
}
