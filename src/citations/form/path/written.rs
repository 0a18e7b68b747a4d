//! Paths written out in code or text.

use std::sync::LazyLock;

use regex::Regex;

use super::super::{Place, Project, Resolved};
use super::whose;
use crate::model::{ByteSpan, CitationForm, RepoPath};
use crate::syntax::Grammar;

/// A path written out in code or text.
pub(super) fn token(place: &Place<'_>, gone: &RepoPath, project: &Project<'_>) -> Resolved {
    let text = place.text();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '@' | '+' | '~');
    let region = place.region.span;
    let start = text[region.start..place.span.start]
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_path(*c))
        .last()
        .map_or(place.span.start, |(i, _)| region.start + i);
    let tail: usize = text[place.span.end..region.end].chars().take_while(|c| is_path(*c)).map(char::len_utf8).sum();
    let mut span = ByteSpan::new(start, place.span.end + tail);
    let mut token = place.of(span);
    // Sentence punctuation and emphasis are not part of the path.
    let trimmed = token.trim_end_matches(['.', '-', '~', '_', '+']);
    span.end -= token.len() - trimmed.len();
    token = trimmed;
    let directory = token.ends_with('/');
    let clean = token.strip_prefix("./").unwrap_or(token).trim_end_matches('/');
    if clean.is_empty()
        || clean.starts_with("//")
        || text[..span.start].ends_with("://")
        || text[..span.start].ends_with(':') && clean.starts_with('/') && text[..span.start].ends_with("https:")
    {
        return None;
    }
    // `@scope/package`, `~/file` and option-like tokens are no paths of the repository.
    if clean.starts_with(['@', '~', '-'])
        || matches!(place.before(span.start), Some('$' | '{' | '<' | '@' | '~' | '*' | '=')) && !clean.contains('/')
    {
        return None;
    }
    if matches!(text[span.end..].chars().next(), Some('*' | '<' | '{' | '(')) {
        return None;
    }
    if place.fence().is_some() && is_output(place, span) {
        return None;
    }
    let form = if place.fence().is_some() { CitationForm::FencedCode } else { place.form() };
    // `/docs` is a directory of the reader's machine, `host:/docs` of a container's.
    if clean.starts_with('/')
        && (clean.matches('/').count() < 2 || matches!(place.before(span.start), Some(':' | '>' | '}' | ')')))
    {
        return None;
    }
    let made = whose::is_made_when_needed(place.text(), clean) || whose::is_listed_as_made(place);
    // A workflow, the settings of a service or a tool in a hidden folder: every repository has its own.
    let hidden = gone.as_str().starts_with('.') && !gone.directory().is_empty();
    if hidden && !whose::is_for_contributors(place) && !whose::is_of_this_repository(place) {
        return None;
    }
    let built = project.ignored.contains(gone) || gone.segments().rev().skip(1).any(|s| s == "generated");
    if whose::is_title_of_example(place) || whose::is_note_of_release(gone) || made || built {
        return None;
    }
    // A piece of the changelog is there until the release that takes it up; a hidden folder of the project's own name is how it
    // is used, here as elsewhere.
    if whose::is_piece_of_changelog(gone) || whose::is_own_use(gone, project) {
        return None;
    }
    if clean.contains('/') {
        let mut bases: Vec<&str> =
            place.document.path.as_str().match_indices('/').map(|(at, _)| &place.document.path.as_str()[..at]).collect();
        bases.push("");
        let resolved: Vec<RepoPath> =
            bases.iter().filter_map(|base| RepoPath::resolve(base, clean.trim_start_matches('/'))).collect();
        let theirs =
            !whose::is_for_contributors(place) && (whose::is_of_site(gone, place) || whose::is_layout_of_frameworks(clean));
        let hit = !theirs && resolved.contains(gone) && !resolved.iter().any(|p| project.exists(p));
        // A module path without extension (`src/foo`) reads like a directory; only a directory may be cited so.
        let plain_word = !clean.contains('.') && !directory && !place.is_code();
        return (hit && !plain_word).then_some((span, form, true));
    }
    // A bare directory name: a module or package of that name, set as code, of which nothing of that name is left.
    if !clean.contains('.') {
        // Behind a colon it is the artifact of a group: `com.tea:kettle-grpc-server`.
        let artifact = place.before(span.start) == Some(':');
        let module = clean == gone.file_name()
            && !artifact
            && place.code().is_some()
            && crate::value::name::words(clean).len() >= 3
            && clean.contains('-');
        let left = project.head_directories.contains(clean) || project.packages.contains(&clean.to_lowercase());
        // What is built from a folder keeps its name where its files have moved, or where a file has it now: `Dockerfile.x`.
        let folder = format!("{gone}/");
        let moved = || project.moved.iter().any(|p| p.as_str().starts_with(&folder));
        let named = || project.head_names.iter().any(|n| n.split('.').any(|part| part == clean));
        return (module && !left && !moved() && !named()).then_some((span, form, false));
    }
    // A bare file name: only where the name is telling and nothing of that name is left.
    let code = place.code().is_some();
    let telling = clean.contains('.')
        && (!whose::is_common(clean) || whose::is_ours_to_contributors(place, gone))
        && Grammar::for_path(gone).is_none_or(|g| g.is_data() || crate::value::name::is_distinctive(gone.stem()));
    let gone_everywhere = clean == gone.file_name()
        && (!project.head_names.contains(clean)
            || whose::is_ours_to_contributors(place, gone) && whose::is_left_to_tests(clean, project));
    // `.coveragerc` without its place is the reader's.
    let settings = clean.starts_with('.') && !whose::is_ours_to_contributors(place, gone);
    // A database or a log that is named alone is the one that the page works with.
    let data = matches!(gone.extension(), "db" | "sqlite" | "sqlite3" | "csv" | "log" | "sock" | "pid");
    // The copy of another project's file that is named alone is no file of ours.
    let copied = gone.segments().any(|s| matches!(s, "vendor" | "third_party" | "third-party" | "node_modules"));
    if whose::is_for_users(gone)
        || data
        || copied
        || whose::is_of_tests(gone)
        || settings
        || whose::tells_to_create(place)
        || whose::is_for_instance(place)
    {
        return None;
    }
    let at_root = gone.directory().is_empty() || gone.directory() == place.document.path.directory();
    (code && !directory && gone_everywhere && telling && (at_root || whose::is_of_one_project(gone, project)))
        .then_some((span, form, at_root))
}

/// Whether a path in a code block stands in a program's output, not in a command, a comment or program text.
fn is_output(place: &Place<'_>, path: ByteSpan) -> bool {
    static PROMPT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^\s*(?:\$|>>>|>|\.\.\.|%|#|❯|λ|PS [^>]*>)\s+\S").expect("valid pattern"));
    static RUNS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^(?:\w+=\S+\s+)*(?:sudo |\./|python\d?|node|bash|sh|zsh|cd|cp|mv|cat|less|source|\.|make|npm|npx|pnpm|yarn|bun|deno|go|cargo|uv|pipx?|ruby|perl|java|docker|git|vim?|nano|code|rm|ln|chmod|tox|nox|pytest|hatch|poetry|curl|wget|\{\{#)\b").expect("valid pattern")
    });
    let Some((lang, content)) = place.fence() else { return false };
    let line = place.of(place.line());
    let text = place.of(content);
    match Grammar::for_fence(lang) {
        Some(Grammar::Bash) | None => {
            let prompted = PROMPT.is_match(text);
            if prompted {
                return !PROMPT.is_match(line);
            }
            let starts =
                place.of(ByteSpan::new(place.line().start, path.start)).trim().is_empty() && line.split_whitespace().count() > 1;
            Grammar::for_fence(lang).is_none()
                && !RUNS.is_match(line.trim_start())
                && !starts
                && !line.trim_start().starts_with(['#', '/'])
                && !line.contains("{{#")
                && !line.contains("include")
        }
        // A session of Python answers without a prompt.
        Some(_) => {
            let session = |line: &str| line.trim_start().starts_with(">>> ");
            text.lines().any(session) && !session(line) && !line.trim_start().starts_with("... ")
        }
    }
}
