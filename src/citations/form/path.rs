//! Paths: link targets resolved as a reader's browser would, path tokens in code and text, and drawn directory trees.
//! A bare common basename is the user's own file and cites nothing (`corpus/README.md`, family 7).

use std::sync::LazyLock;

use regex::Regex;

use super::{Place, Project, Resolved, tree};
use crate::model::{ByteSpan, CitationForm, Fact, RegionKind, RepoPath};
use crate::syntax::Grammar;

/// Names that projects of every kind have: cited bare, they are the reader's.
const COMMON_NAMES: &[&str] = &[
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "requirements.txt",
    "tox.ini",
    "cargo.toml",
    "cargo.lock",
    "go.mod",
    "go.sum",
    "main.go",
    "main.py",
    "main.rs",
    "lib.rs",
    "mod.rs",
    "build.rs",
    "index.js",
    "index.ts",
    "index.html",
    "index.md",
    "main.js",
    "main.ts",
    "app.py",
    "app.js",
    "app.ts",
    "makefile",
    "dockerfile",
    "docker-compose.yml",
    "docker-compose.yaml",
    "compose.yaml",
    "license",
    "readme",
    "readme.md",
    "readme.rst",
    "changelog.md",
    "contributing.md",
    "gemfile",
    "rakefile",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "config.yml",
    "config.yaml",
    "config.json",
    "config.toml",
    "config.js",
    "config.ts",
    "config.py",
    ".gitignore",
    ".env",
    ".npmrc",
    ".travis.yml",
    ".editorconfig",
    "action.yml",
    "__init__.py",
    "__main__.py",
    "conftest.py",
    "test.js",
    "test.py",
    "test.sh",
    "styles.css",
    "style.css",
    "schema.json",
    "manifest.in",
    "data.json",
    "input.txt",
    "output.txt",
    "example.py",
    "example.js",
    "hello.py",
    "utils.py",
    "utils.js",
    "utils.ts",
    "types.ts",
];

static OWN_BLOB: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^https?://github\.com/([^/\s]+)/([^/\s]+)/(?:blob|tree|raw|edit)/(main|master|HEAD|develop|dev|trunk|next)/([^?#\s]+)",
    )
    .expect("valid pattern")
});
static OWN_RAW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^https?://raw\.githubusercontent\.com/([^/\s]+)/([^/\s]+)/(main|master|HEAD|develop|dev|trunk|next)/([^?#\s]+)")
        .expect("valid pattern")
});

pub(super) fn resolve(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    let gone = &fact.path;
    if let Some((span, target, in_text)) = place.link() {
        let here = target_of(place, target, gone, project);
        // The text of a link to another site names what is there.
        if here || !in_text || target.contains("://") {
            return here.then_some((target_span(place, span, target), CitationForm::LinkTarget, true));
        }
    }
    if let RegionKind::Directive { name, argument, .. } = &place.region.kind
        && matches!(name.as_str(), "literalinclude" | "include" | "image" | "figure" | "toctree" | "download" | "csv-table")
        && argument.contains(place.span)
    {
        let target = place.of(*argument).trim();
        return target_of(place, target, gone, project).then_some((*argument, CitationForm::Directive, true));
    }
    if let Some((lang, content)) = place.fence()
        && let Some(found) = tree::path_at(place.text(), content, place.span)
    {
        let hit = !lang.starts_with("diff") && tree_names(&found, gone, place, project);
        return hit.then_some((place.span, CitationForm::DirectoryTree, true));
    }
    token(place, gone, project)
}

/// Where the target stands in the source of the link; the whole link where it is a reference or encoded.
fn target_span(place: &Place<'_>, link: ByteSpan, target: &str) -> ByteSpan {
    match place.of(link).rfind(target) {
        Some(at) if !target.is_empty() => ByteSpan::new(link.start + at, link.start + at + target.len()),
        _ => link,
    }
}

/// Whether a link target led to the path at base and leads nowhere at head.
fn target_of(place: &Place<'_>, target: &str, gone: &RepoPath, project: &Project<'_>) -> bool {
    let own = OWN_BLOB.captures(target).or_else(|| OWN_RAW.captures(target));
    let target = match &own {
        Some(parts) if project.is_own_slug(&parts[1], &parts[2]) || is_only_ours(&parts[4], project) => format!("/{}", &parts[4]),
        Some(_) => return false,
        None if target.contains("://")
            || target.starts_with("//")
            || target.starts_with('#')
            || target.starts_with("mailto:") =>
        {
            return false;
        }
        None => target.split(['#', '?']).next().unwrap_or("").to_owned(),
    };
    let target = percent_decode(target.split(['#', '?']).next().unwrap_or(""));
    let target = target.trim();
    if target.is_empty() {
        return false;
    }
    let candidates = candidates(&place.document.path, target);
    candidates.iter().any(|c| c == gone && project.existed(c)) && !candidates.iter().any(|c| project.exists(c))
}

/// Whether a path on the forge is this repository's although nothing says what the forge calls it: it is long, and was here.
fn is_only_ours(path: &str, project: &Project<'_>) -> bool {
    project.slug.is_none() && path.trim_end_matches('/').matches('/').count() >= 2 && project.existed(&RepoPath::new(path))
}

/// The paths a link may mean: from the document's directory, from the root, from the root of the site the document belongs to;
/// as written, with a document's extension, or a directory's index page.
fn candidates(document: &RepoPath, target: &str) -> Vec<RepoPath> {
    let mut bases: Vec<&str> = vec![document.directory()];
    if target.starts_with('/') {
        bases = document.as_str().match_indices('/').map(|(at, _)| &document.as_str()[..at]).collect();
        bases.insert(0, "");
    }
    let relative = target.trim_start_matches('/');
    let mut out = Vec::new();
    for base in bases {
        let Some(path) = RepoPath::resolve(base, if target.starts_with('/') { relative } else { target }) else { continue };
        let text = path.as_str().to_owned();
        let mut push = |t: String| out.push(RepoPath::new(t));
        if path.extension().is_empty() || !matches!(path.extension(), "md" | "mdx" | "rst" | "adoc") {
            for extension in ["md", "mdx", "rst", "adoc"] {
                push(format!("{text}.{extension}"));
            }
            for index in ["index.md", "README.md", "index.mdx", "_index.md", "index.rst"] {
                push(format!("{text}/{index}"));
            }
        }
        if let Some(stem) = text.strip_suffix(".html") {
            for extension in ["md", "mdx", "rst", "adoc"] {
                push(format!("{stem}.{extension}"));
            }
        }
        push(text);
    }
    out
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let decoded =
            (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten().and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(byte) = decoded {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether a path read off a drawn tree is the one that is gone. The drawing's root may be the repository's root, the
/// document's directory or any directory above the path.
fn tree_names(drawn: &tree::Drawn, gone: &RepoPath, place: &Place<'_>, project: &Project<'_>) -> bool {
    let found = drawn.path.trim_matches('/');
    let direct =
        [place.document.path.directory(), ""].iter().filter_map(|base| RepoPath::resolve(base, found)).any(|p| p == *gone);
    let tail =
        (drawn.rooted || found.matches('/').count() >= 2) && found.contains('/') && gone.as_str().ends_with(&format!("/{found}"));
    // What is drawn for readers is their own tree, however like our templates and tests.
    let theirs = is_for_users(gone) || is_of_tests(gone);
    // Without a root line the drawing starts somewhere above; then the name must be gone from the whole tree.
    let bare = !project.head_names.contains(gone.file_name())
        && gone.file_name() == found.rsplit('/').next().unwrap_or(found)
        && crate::value::name::is_distinctive(gone.stem());
    // What stands beside the document is drawn, whatever else has such a place.
    let beside = [place.document.path.directory(), ""];
    let elsewhere = beside.iter().filter_map(|base| RepoPath::resolve(base, found)).any(|p| project.exists(&p));
    (direct || !theirs && (tail || bare)) && !elsewhere
}

fn is_common(name: &str) -> bool {
    COMMON_NAMES.contains(&name.to_lowercase().as_str()) || name.len() < 5
}

/// A path written out in code or text.
fn token(place: &Place<'_>, gone: &RepoPath, project: &Project<'_>) -> Resolved {
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
    if is_title_of_example(place) || is_note_of_release(gone) || is_made_when_needed(place.text(), clean) {
        return None;
    }
    if clean.contains('/') {
        let mut bases: Vec<&str> =
            place.document.path.as_str().match_indices('/').map(|(at, _)| &place.document.path.as_str()[..at]).collect();
        bases.push("");
        let resolved: Vec<RepoPath> =
            bases.iter().filter_map(|base| RepoPath::resolve(base, clean.trim_start_matches('/'))).collect();
        let hit = resolved.contains(gone) && !resolved.iter().any(|p| project.exists(p));
        // A module path without extension (`src/foo`) reads like a directory; only a directory may be cited so.
        let plain_word = !clean.contains('.') && !directory && !place.is_code();
        return (hit && !plain_word).then_some((span, form, true));
    }
    // A bare directory name: a module or package of that name, set as code, of which nothing of that name is left.
    if !clean.contains('.') {
        let module = clean == gone.file_name()
            && place.code().is_some()
            && crate::value::name::words(clean).len() >= 3
            && clean.contains('-');
        let left = project.head_directories.contains(clean) || project.packages.contains(&clean.to_lowercase());
        return (module && !left).then_some((span, form, false));
    }
    // A bare file name: only where the name is telling and nothing of that name is left.
    let code = place.code().is_some();
    let telling = clean.contains('.')
        && (!is_common(clean) || is_ours_to_contributors(place, gone))
        && Grammar::for_path(gone).is_none_or(|g| g.is_data() || crate::value::name::is_distinctive(gone.stem()));
    let gone_everywhere = clean == gone.file_name()
        && (!project.head_names.contains(clean) || is_ours_to_contributors(place, gone) && is_left_to_tests(clean, project));
    // A piece of the changelog is there until the release that takes it up.
    let piece =
        gone.directory().split('/').any(|s| matches!(s, "news" | "newsfragments" | "changelog.d" | ".changeset" | ".changes"));
    // `.coveragerc` without its place is the reader's.
    let settings = clean.starts_with('.') && !is_ours_to_contributors(place, gone);
    if is_for_users(gone) || is_of_tests(gone) || piece || settings || tells_to_create(place) {
        return None;
    }
    let at_root = gone.directory().is_empty() || gone.directory() == place.document.path.directory();
    (code
        && !directory
        && gone_everywhere
        && telling
        && (at_root || crate::value::name::is_distinctive(gone.stem()) || RepoPath::new(clean).extension() != "md"))
        .then_some((span, form, at_root))
}

/// Whether a page for contributors names a file of the root that every project may have: there it is the project's own.
fn is_ours_to_contributors(place: &Place<'_>, gone: &RepoPath) -> bool {
    let path = place.document.path.as_str().to_lowercase();
    let stem = place.document.path.stem().to_lowercase();
    let page = matches!(stem.as_str(), "contributing" | "development" | "developing" | "hacking" | "maintaining" | "maintainers")
        || path.split('/').any(|s| matches!(s, "contributing" | "contribute"));
    page && gone.directory().is_empty() && gone.extension() != ""
}

/// Whether a path only titles an example: in the info string, or behind `// file:`. The reader makes that file.
fn is_title_of_example(place: &Place<'_>) -> bool {
    static TITLE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s*(?://|#|--|/\*|<!--)\s*@?(?:file|filename|file name|title)\s*:").expect("valid pattern")
    });
    place.fence().is_some_and(|(_, content)| !content.contains(place.span) || TITLE.is_match(place.of(place.line())))
}

/// A note that each change brings and the release takes up again, as release tools read it.
fn is_note_of_release(path: &RepoPath) -> bool {
    path.stem() == "RELEASE" && matches!(path.extension(), "md" | "rst")
}

/// Whether a path is that of a test or of what tests read.
fn is_of_tests(path: &RepoPath) -> bool {
    path.directory().split('/').any(|s| {
        matches!(s, "test" | "tests" | "testdata" | "fixtures" | "__fixtures__") || crate::value::name::is_test_folder(s)
    })
}

/// Whether every file of a name that is left belongs to tests.
fn is_left_to_tests(name: &str, project: &Project<'_>) -> bool {
    let tests = |p: &RepoPath| p.directory().split('/').any(|s| matches!(s, "test" | "tests" | "fixtures" | "testdata"));
    project.head.iter().filter(|p| p.file_name() == name).all(tests)
}

/// Files that users get as a copy: what a document says of the name is about the copy.
fn is_for_users(path: &RepoPath) -> bool {
    path.directory().split('/').any(|s| {
        let s = s.to_lowercase();
        s.contains("template")
            || s.contains("example")
            || s.contains("playground")
            || s.contains("fixture")
            || matches!(s.as_str(), "demo" | "demos" | "samples" | "sample" | "skeleton" | "scaffold" | "boilerplate")
    })
}

/// Whether the line tells readers to make a file of that name.
fn tells_to_create(place: &Place<'_>) -> bool {
    static CREATE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:creat\w+|add|adding|make|your|write|writing|put|save|generat\w+|called|named|new)\b")
            .expect("valid pattern")
    });
    CREATE.is_match(place.of(place.line()))
}

/// Whether a document tells in any place to make the file that it names: `Add changes/note.md only for ...`.
fn is_made_when_needed(text: &str, path: &str) -> bool {
    static MAKE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:creat|add|writ|generat)(?:e|es|ing|ed)?\s+(?:(?:a|an|the|your|new|empty)\s+)*[`*\x22']*$")
            .expect("valid pattern")
    });
    path.contains('.')
        && text.match_indices(path).take(64).any(|(at, _)| {
            // A few words are enough; a line may be as long as the document.
            let start = (0..=at.saturating_sub(80)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
            MAKE.is_match(text[start..at].rsplit('\n').next().unwrap_or(""))
        })
}

/// Whether a path in a code block stands in a program's output, not in a command, a comment or program text.
fn is_output(place: &Place<'_>, path: ByteSpan) -> bool {
    static PROMPT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?m)^\s*(?:\$|>|%|#|❯|λ|PS [^>]*>)\s+\S").expect("valid pattern"));
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
        Some(_) => false,
    }
}
