//! Whose file a path means: the project's own, or one that the reader has, makes or gets.

use std::sync::LazyLock;

use regex::Regex;

use super::super::super::readers::is_for_contributors as is_for_contributors_by_path;
use super::super::{Place, Project};
use crate::model::RepoPath;

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

pub(super) fn is_common(name: &str) -> bool {
    // What a package manager pins, the reader has as well: `Gopkg.lock`, `Pipfile.lock`.
    let lock = name.rsplit_once('.').is_some_and(|(_, extension)| extension == "lock");
    COMMON_NAMES.contains(&name.to_lowercase().as_str()) || name.len() < 5 || lock
}

/// Whether a file name says which project it is of: `release.yml` and `tailwind.config.js` are files of many. What several
/// folders of the project had is a kind of file of its own.
pub(super) fn is_of_one_project(path: &RepoPath, project: &Project<'_>) -> bool {
    let stem = path.stem();
    let stem = stem.strip_suffix(".config").or_else(|| stem.strip_suffix(".conf")).unwrap_or(stem);
    crate::value::name::is_distinctive(stem) || project.base.iter().filter(|p| p.file_name() == path.file_name()).nth(1).is_some()
}

/// Whether a file belongs to the site that shows the documents: what they say of such a path is about the reader's site.
pub(super) fn is_of_site(gone: &RepoPath, place: &Place<'_>) -> bool {
    let site = gone.segments().next().is_some_and(|s| matches!(s, "docs" | "doc" | "website" | "site" | "documentation" | "www"));
    let document = matches!(gone.extension(), "md" | "mdx" | "rst" | "adoc" | "txt");
    // From the root, or from beside the document, the path is written whole.
    let token = place.of(place.line());
    site && !document && gone.directory() != place.document.path.directory() && !token.contains(gone.as_str())
}

/// Whether a path has only folders and files that frameworks give every project: `app/assets/stylesheets`, `src/index.ts`.
pub(super) fn is_layout_of_frameworks(path: &str) -> bool {
    path.split('/').all(|segment| {
        // `commonMain` and `jvmTest` of Kotlin.
        segment.ends_with("Main")
            || segment.ends_with("Test")
            || matches!(
                segment.split('.').next().unwrap_or(""),
                "app"
                    | "assets"
                    | "components"
                    | "config"
                    | "controllers"
                    | "helpers"
                    | "images"
                    | "groovy"
                    | "index"
                    | "java"
                    | "javascripts"
                    | "kotlin"
                    | "layouts"
                    | "lib"
                    | "main"
                    | "models"
                    | "pages"
                    | "partials"
                    | "public"
                    | "resources"
                    | "routes"
                    | "scala"
                    | "src"
                    | "static"
                    | "styles"
                    | "stylesheets"
                    | "templates"
                    | "test"
                    | "views"
            )
            || path.starts_with("config/")
                && matches!(
                    segment.split('.').next().unwrap_or(""),
                    "certmanager" | "crd" | "default" | "kustomization" | "manager" | "rbac" | "samples" | "webhook"
                )
    })
}

/// Whether a page for contributors names a file of the root that every project may have: there it is the project's own.
pub(super) fn is_ours_to_contributors(place: &Place<'_>, gone: &RepoPath) -> bool {
    is_for_contributors(place) && gone.directory().is_empty() && gone.extension() != ""
}

/// Whether a page speaks of this repository's own machinery: it lies among it, or has a name that says so.
pub(super) fn is_of_this_repository(place: &Place<'_>) -> bool {
    let path = place.document.path.as_str().to_lowercase();
    let stem = place.document.path.stem().to_lowercase();
    path.starts_with(".github/")
        || ["releas", "maintain", "contribut", "develop", "agents", "claude", "copilot", "architecture", "testing"]
            .iter()
            .any(|w| stem.contains(w))
        || place.scope_texts().any(|t| {
            let t = t.to_lowercase();
            ["releas", "contribut", "develop", "maintain"].iter().any(|w| t.contains(w))
        })
}

/// Whether a page is for those who work on the project.
pub(super) fn is_for_contributors(place: &Place<'_>) -> bool {
    is_for_contributors_by_path(&place.document.path)
}

/// Whether a path only titles an example: in the info string, or behind `// file:` or `# in`. The reader makes that file.
pub(super) fn is_title_of_example(place: &Place<'_>) -> bool {
    static TITLE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\s*(?://|#|--|/\*|<!--)\s*(?:@?(?:file|filename|file name|title)\s*:|(?:in|inside)\s+[\w./-]+\s*$)")
            .expect("valid pattern")
    });
    place.fence().is_some_and(|(_, content)| !content.contains(place.span) || TITLE.is_match(place.of(place.line())))
}

/// A note that each change brings and the release takes up again, as release tools read it.
pub(super) fn is_note_of_release(path: &RepoPath) -> bool {
    path.stem() == "RELEASE" && matches!(path.extension(), "md" | "rst")
}

/// Whether a path is that of a piece of the changelog.
pub(super) fn is_piece_of_changelog(path: &RepoPath) -> bool {
    path.directory().split('/').any(|s| {
        matches!(
            s.to_lowercase().trim_start_matches(['.', '_']),
            "news" | "newsfragments" | "changelog.d" | "changeset" | "changesets" | "changes"
        )
    })
}

/// Whether a path lies in a hidden folder that is called as the project: `.kettle/state.json`.
pub(super) fn is_own_use(path: &RepoPath, project: &Project<'_>) -> bool {
    path.segments().rev().skip(1).filter_map(|s| s.strip_prefix('.')).any(|s| {
        let s = s.to_lowercase();
        project.packages.contains(&s) || project.tools.contains(&s) || project.repository == s
    })
}

/// Whether a path is that of a test or of what tests read.
pub(super) fn is_of_tests(path: &RepoPath) -> bool {
    path.directory().split('/').any(|s| {
        matches!(s, "test" | "tests" | "testdata" | "fixtures" | "__fixtures__" | "spec" | "dummy")
            || crate::value::name::is_test_folder(s)
    })
}

/// Whether every file of a name that is left belongs to tests.
pub(super) fn is_left_to_tests(name: &str, project: &Project<'_>) -> bool {
    let tests = |p: &RepoPath| p.directory().split('/').any(|s| matches!(s, "test" | "tests" | "fixtures" | "testdata"));
    project.head.iter().filter(|p| p.file_name() == name).all(tests)
}

/// Files that users get as a copy: what a document says of the name is about the copy.
pub(super) fn is_for_users(path: &RepoPath) -> bool {
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
pub(super) fn tells_to_create(place: &Place<'_>) -> bool {
    static CREATE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:creat\w+|add|adding|make|your|write|writing|put|save|generat\w+|called|named|new)\b")
            .expect("valid pattern")
    });
    CREATE.is_match(place.of(place.line()))
}

/// Whether a file is named as an example: `your script (e.g. .travis.yml)`.
pub(super) fn is_for_instance(place: &Place<'_>) -> bool {
    static INSTANCE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:e\.g\.,?|for example,?|for instance,?|such as|like)\s*[`*\x22']*$").expect("valid pattern")
    });
    let line = place.line();
    INSTANCE.is_match(place.text().get(line.start..place.span.start).unwrap_or(""))
}

/// Whether a document tells in any place to make the file that it names, or to take it away: `Add changes/note.md only for ...`.
pub(super) fn is_made_when_needed(text: &str, path: &str) -> bool {
    static MAKE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:creat|add|writ|generat)(?:e|es|ing|ed)?\s+(?:(?:a|an|the|your|new|empty)\s+)*[`*\x22']*$|\b(?:git rm|git mv|rm|mkdir)\s+(?:-\w+\s+)*$|\s--[\w-]*(?:write|generate|create|out|output|save|dump)[\w-]*[= ]$")
            .expect("valid pattern")
    });
    path.contains(['.', '/'])
        && text.match_indices(path).take(64).any(|(at, _)| {
            // A few words are enough; a line may be as long as the document.
            let start = (0..=at.saturating_sub(80)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
            MAKE.is_match(text[start..at].rsplit('\n').next().unwrap_or(""))
        })
}

/// Whether a path stands in a list of what something makes: `The generator adds these files:`.
pub(super) fn is_listed_as_made(place: &Place<'_>) -> bool {
    /// Lines of a list that are looked back over, and the bytes they may have.
    const BACK: (usize, usize) = (24, 4_000);
    static MAKES: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:creat|add|writ|generat|install|mak|scaffold)(?:es|e|s|ed)\b[^.]*:\s*$").expect("valid pattern")
    });
    let is_item = |line: &str| line.trim_start().starts_with(['*', '-', '+']);
    if !is_item(place.of(place.line())) {
        return false;
    }
    let from = (0..=place.line().start.saturating_sub(BACK.1)).rev().find(|i| place.text().is_char_boundary(*i)).unwrap_or(0);
    let before = &place.text()[from..place.line().start];
    before.lines().rev().take(BACK.0).find(|l| !l.trim().is_empty() && !is_item(l)).is_some_and(|lead| MAKES.is_match(lead))
}
