use super::*;

fn error(text: &str) -> (Option<usize>, String, Option<String>) {
    let error = Config::parse(text, PathBuf::from("refdrift.yml")).expect_err("an error");
    (error.line, error.message, error.suggestion)
}

#[test]
fn empty_files_are_the_defaults() {
    let config = Config::parse("# nothing\n\n", PathBuf::from("refdrift.yml")).expect("valid");
    assert!(config.includes_document(&"docs/a.md".into()));
    assert_eq!(config.fail_on, FailOn::Never);
    assert_eq!(config.severity("broken-reference"), Severity::Warn);
}

#[test]
fn reads_every_key() {
    let text = r#"
documents: {include: ["docs/**"], exclude: ["docs/old/**"]}
sources: {exclude: ["gen/**"]}
classify:
  - {paths: ["docs/v1/**"], lifecycle: archived}
severity: {broken-reference: error}
fail-on: error
min-confidence: 0.7
facts:
  - {paths: ["conf/*.def"], pattern: '^(?P<name>\w+) -> (?P<value>\w+)$'}
suppress:
  - {category: changed-reference, fact: timeout, reason: documented elsewhere, until: 2030-01-01}
"#;
    let config = Config::parse(text, PathBuf::from("refdrift.yml")).expect("valid");
    assert!(config.includes_document(&"docs/a.md".into()) && !config.includes_document(&"docs/old/a.md".into()));
    assert!(!config.includes_document(&"README.md".into()) && !config.includes_source(&"gen/a.rs".into()));
    assert_eq!((config.severity("broken-reference"), config.min_confidence), (Severity::Error, Some(0.7)));
    assert_eq!((config.facts.len(), config.suppress.len(), config.classify.len()), (1, 1, 1));
}

#[test]
fn errors_have_a_line_and_a_suggestion() {
    let (line, message, suggestion) = error("fail-on: never\nsuppres: []\n");
    assert_eq!(line, Some(2), "{message}");
    assert_eq!(suggestion.as_deref(), Some("did you mean `suppress`?"));
    let (line, message, _) = error("min-confidence: 0.5\ndocuments:\n  include: docs\n");
    assert_eq!(line, Some(3), "{message}");
    let (line, message, _) = error("documents:\n  include: ['docs/[']\n");
    assert_eq!(line, Some(2), "{message}");
    let (_, message, suggestion) = error("facts:\n  - {paths: ['*'], pattern: '(?P<name>x)'}\n");
    assert!(message.contains("no group `value`") && suggestion.is_some(), "{message}");
    let (line, message, _) = error("fail-on: never\nmin-confidence: 2\n");
    assert_eq!(line, Some(2), "{message}");
    let (line, message, suggestion) = error("severity:\n  brokn-reference: error\n");
    assert_eq!(line, Some(2), "{message}");
    assert!(suggestion.is_some_and(|s| s.contains("`broken-reference`")), "{message}");
    let (_, _, suggestion) = error("fail-on: errors\n");
    assert_eq!(suggestion.as_deref(), Some("did you mean `error`?"));
}

#[test]
fn deep_nesting_is_an_error_at_once() {
    let (line, message, _) = error(&format!("documents: {}", "[".repeat(100_000)));
    assert_eq!(line, Some(1));
    assert!(message.contains("nested"), "{message}");
}
