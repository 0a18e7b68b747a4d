//! `pom.xml`: own version, Java version, dependencies. A small reader of XML is enough: a POM has no attributes that matter.

use std::collections::BTreeMap;

use super::package::Manifest;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};

/// Deepest element that is read.
const MAX_DEPTH: usize = 64;

/// Reads `pom.xml`.
pub struct Maven;

impl Extractor for Maven {
    fn name(&self) -> &'static str {
        "maven"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "pom.xml"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let elements = elements(source.text());
        let properties: BTreeMap<&str, &str> = elements
            .iter()
            .filter_map(|e| Some((e.path.strip_prefix("project/properties/")?, e.text)))
            .filter(|(name, _)| !name.contains('/'))
            .collect();
        let resolved = |text: &str| -> Option<String> {
            let Some(name) = text.strip_prefix("${").and_then(|t| t.strip_suffix('}')) else { return Some(text.to_owned()) };
            properties.get(name).map(|value| (*value).to_owned())
        };
        let find = |path: &str| elements.iter().find(|e| e.path == path);
        let mut manifest = Manifest::new(source, sink, "maven");
        if let Some(artifact) = find("project/artifactId") {
            let group = find("project/groupId").or_else(|| find("project/parent/groupId")).map_or("", |e| e.text);
            let version = find("project/version").or_else(|| find("project/parent/version"));
            let name = if group.is_empty() { artifact.text.to_owned() } else { format!("{group}:{}", artifact.text) };
            let number = version.and_then(|v| resolved(v.text)).filter(|v| !v.contains("${"));
            manifest.own(&name, number.as_deref(), version.map_or(artifact.span, |v| v.span));
        }
        let java = elements.iter().find(|e| {
            let leaf = e.path.rsplit('/').next().unwrap_or_default();
            e.path.starts_with("project/properties/")
                && matches!(
                    leaf,
                    "maven.compiler.release" | "maven.compiler.source" | "java.version" | "maven.compiler.target" | "jdk.version"
                )
                || e.path.ends_with("/configuration/release")
                || e.path.ends_with("/configuration/source")
        });
        if let Some(element) = java
            && let Some(version) = resolved(element.text)
        {
            manifest.java(&version, element.span);
        }
        for dependency in elements.iter().filter(|e| e.path == "project/dependencies/dependency" || e.path == MANAGED) {
            let inner = |leaf: &str| {
                elements
                    .iter()
                    .find(|e| e.span.start > dependency.span.start && e.span.end <= dependency.span.end && e.path.ends_with(leaf))
            };
            let (Some(group), Some(artifact)) = (inner("/dependency/groupId"), inner("/dependency/artifactId")) else { continue };
            let scope = match inner("/dependency/scope").map(|e| e.text) {
                Some("test") => "dev",
                Some("provided") => "peer",
                _ => "runtime",
            };
            let version = inner("/dependency/version").and_then(|e| resolved(e.text));
            manifest.dependency(scope, &format!("{}:{}", group.text, artifact.text), version.as_deref(), dependency.span);
        }
    }
}

const MANAGED: &str = "project/dependencyManagement/dependencies/dependency";

/// An element: the path of names to it, its text up to the first child, and its bytes.
struct Element<'t> {
    path: String,
    text: &'t str,
    span: ByteSpan,
}

fn elements(text: &str) -> Vec<Element<'_>> {
    /// Most elements of one file.
    const MAX_ELEMENTS: usize = 4_096;
    let mut out: Vec<Element<'_>> = Vec::new();
    // Each open element with its place in the list.
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|n| at + n) {
        let rest = &text[start..];
        if let Some(end) =
            ["<!--", "<![CDATA["].iter().zip(["-->", "]]>"]).find(|(begin, _)| rest.starts_with(**begin)).map(|(_, end)| end)
        {
            at = rest.find(end).map_or(text.len(), |n| start + n + end.len());
            continue;
        }
        let Some(close) = rest.find('>').map(|n| start + n) else { break };
        let tag = text[start + 1..close].trim();
        at = close + 1;
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            if let Some(found) = open.iter().rposition(|(n, _)| *n == name.trim()) {
                let (_, index) = open[found];
                open.truncate(found);
                out[index].span = ByteSpan::new(out[index].span.start, at);
            }
            continue;
        }
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        if open.len() >= MAX_DEPTH || out.len() >= MAX_ELEMENTS {
            break;
        }
        let path = open.iter().map(|(n, _)| *n).chain([name]).collect::<Vec<_>>().join("/");
        let content = text[at..].find('<').map_or("", |n| text[at..at + n].trim());
        out.push(Element { path, text: content, span: ByteSpan::new(start, at) });
        if !tag.ends_with('/') {
            open.push((name, out.len() - 1));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "<?xml version=\"1.0\"?>\n<project xmlns=\"x\">\n<!-- <a> -->\n<parent><groupId>org.p</groupId><version>9</version></parent>\n<artifactId>tool</artifactId>\n<version>1.2</version>\n<properties><java.version>17</java.version><x.version>3.1</x.version></properties>\n<dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${x.version}</version></dependency>\n<dependency><groupId>t</groupId><artifactId>u</artifactId><scope>test</scope></dependency></dependencies>\n</project>";

    #[test]
    fn reads_a_project() {
        check(
            &Maven,
            "pom.xml",
            FULL,
            &[
                r#"package org.p:tool {"ecosystem":"maven","version":"1.2","purl":"pkg:maven/org.p/tool@1.2"}"#,
                r#"package java {"minimum":"17","constraint":"17"}"#,
                r#"package [file:pom.xml#runtime] a:b {"constraint":"3.1","group":"runtime"}"#,
                r#"package [file:pom.xml#dev] t:u {"group":"dev"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Maven, "pom.xml", FULL);
    }
}
