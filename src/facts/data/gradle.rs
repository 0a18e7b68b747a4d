//! `build.gradle` and `build.gradle.kts`: Java version, own version, dependencies written as text, registered tasks.

use super::package::{Manifest, lines};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

const CONFIGURATIONS: [(&str, &str); 12] = [
    ("implementation", "runtime"),
    ("api", "runtime"),
    ("compile", "runtime"),
    ("runtimeOnly", "runtime"),
    ("compileOnly", "peer"),
    ("compileOnlyApi", "peer"),
    ("annotationProcessor", "build"),
    ("kapt", "build"),
    ("ksp", "build"),
    ("testImplementation", "dev"),
    ("testRuntimeOnly", "dev"),
    ("testCompile", "dev"),
];

/// Reads Gradle's build scripts.
pub struct Gradle;

impl Extractor for Gradle {
    fn name(&self) -> &'static str {
        "gradle"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.file_name(), "build.gradle" | "build.gradle.kts")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let mut manifest = Manifest::new(source, sink, "maven");
        for (span, line) in lines(source.text()) {
            let code = line.split(" //").next().unwrap_or(line).trim();
            if code.starts_with("//") || code.starts_with('*') {
                continue;
            }
            if let Some(version) = java(code) {
                manifest.java(&version, span);
            }
            let word = code.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
            if let Some((_, group)) = CONFIGURATIONS.iter().find(|(name, _)| *name == word)
                && let Some(coordinates) = quoted(&code[word.len()..])
            {
                let mut parts = coordinates.split(':');
                if let (Some(owner), Some(name)) =
                    (parts.next().filter(|o| !o.is_empty()), parts.next().filter(|n| !n.is_empty()))
                {
                    let version = parts.next().filter(|v| !v.contains('$'));
                    manifest.dependency(group, &format!("{owner}:{name}"), version, span);
                }
            }
            let registered = ["tasks.register(", "tasks.register<", "tasks.create(", "task(", "task "]
                .iter()
                .find_map(|p| code.strip_prefix(p));
            if let Some(rest) = registered {
                let bare: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let name = if code.starts_with("task ") { bare } else { quoted(rest).unwrap_or_default() };
                if !name.is_empty() {
                    manifest.task("gradle", &name, None, span);
                }
            }
        }
    }
}

/// The version a line sets for Java: `JavaLanguageVersion.of(17)`, `JavaVersion.VERSION_1_8`, `jvmToolchain(21)`.
fn java(code: &str) -> Option<String> {
    for prefix in ["JavaLanguageVersion.of(", "jvmToolchain("] {
        if let Some((_, rest)) = code.split_once(prefix) {
            let number: String = rest.trim_start_matches('"').chars().take_while(char::is_ascii_digit).collect();
            return (!number.is_empty()).then_some(number);
        }
    }
    let rest = ["sourceCompatibility", "targetCompatibility"].iter().find_map(|key| code.strip_prefix(key))?;
    let value = rest.trim().trim_start_matches('=').trim();
    let version = value
        .strip_prefix("JavaVersion.VERSION_")
        .map_or_else(|| value.trim_matches(['"', '\'']).to_owned(), |v| v.replace('_', "."));
    version.chars().all(|c| c.is_ascii_digit() || c == '.').then_some(version).filter(|v| !v.is_empty())
}

/// The first quoted text.
fn quoted(text: &str) -> Option<String> {
    let at = text.find(['"', '\''])?;
    let quote = text[at..].chars().next()?;
    let inner = &text[at + 1..];
    Some(inner[..inner.find(quote)?].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "plugins { id 'java' }\n// sourceCompatibility = 6\nsourceCompatibility = JavaVersion.VERSION_1_8\njava { toolchain { languageVersion = JavaLanguageVersion.of(17) } }\ndependencies {\n    implementation 'a.b:c:1.0' // x\n    testImplementation(\"d:e:$v\")\n    api(project(\":x\"))\n    implementation(libs.foo)\n}\ntasks.register(\"docs\") {}\ntask clean2(type: Delete) {}\n";

    #[test]
    fn reads_a_script() {
        check(
            &Gradle,
            "build.gradle",
            FULL,
            &[
                r#"package java {"minimum":"8","constraint":"1.8"}"#,
                r#"package java {"minimum":"17","constraint":"17"}"#,
                r#"package [file:build.gradle#runtime] a.b:c {"constraint":"1.0","group":"runtime"}"#,
                r#"package [file:build.gradle#dev] d:e {"group":"dev"}"#,
                r#"task docs {"runner":"gradle"}"#,
                r#"task clean2 {"runner":"gradle"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Gradle, "build.gradle.kts", FULL);
    }
}
