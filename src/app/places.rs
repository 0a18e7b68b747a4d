//! What the place of a file says of it: example, site, build script, vendored code. One list of names per question.

use std::sync::LazyLock;

use regex::Regex;

use crate::model::RepoPath;
use crate::syntax::Grammar;

/// Programs that show how the project is used: their names are the reader's to choose.
pub(super) fn is_example(path: &RepoPath) -> bool {
    // `com/example` is a package of Java, not a folder of examples.
    let first = path.segments().next().unwrap_or("").to_ascii_lowercase();
    let singular = path.segments().count() > 1
        && matches!(first.as_str(), "example" | "sample" | "demo" | "quickstart" | "quickstarts" | "getting-started");
    // `demo-app`, `sample-project`; a script to play with.
    let app = |s: &str| {
        let words: Vec<&str> = s.split(['-', '_']).collect();
        words.iter().any(|w| matches!(*w, "demo" | "sample" | "example"))
            && words.iter().any(|w| matches!(*w, "app" | "apps" | "application" | "project" | "projects"))
    };
    // `kettle-sample-android`, a module beside the library's.
    let module = |s: &str| s.contains('-') && s.split('-').any(|w| matches!(w, "demo" | "sample" | "example"));
    let beside = path.directory().split('/').next().is_some_and(|s| module(&s.to_ascii_lowercase()));
    let stem = path.stem().to_ascii_lowercase();
    let at_root = path.directory().is_empty();
    // What the templates of Android call the first screen of every application.
    let first_screen = stem == "mainactivity";
    let script = first_screen
        || matches!(stem.as_str(), "playground" | "sandbox" | "scratch")
        || at_root && (matches!(stem.as_str(), "play" | "demo") || stem.ends_with("-demo"));
    // `a.js` beside the README was left there.
    let left = at_root && stem.len() == 1;
    let package = |s: &&str| !matches!(*s, "java" | "kotlin" | "scala" | "groovy" | "com" | "org" | "net" | "io");
    let nested = path
        .directory()
        .split('/')
        .take_while(package)
        .any(|s| matches!(s.to_ascii_lowercase().as_str(), "example" | "sample" | "demo"));
    singular
        || nested
        || beside
        || script
        || left
        || path.directory().split('/').any(|s| app(&s.to_ascii_lowercase()))
        || path.directory().split('/').any(|s| {
            let s = s.to_ascii_lowercase();
            matches!(s.as_str(), "_example" | "playground")
                || s.split(['-', '_']).any(|w| matches!(w, "examples" | "samples" | "demos" | "tutorials"))
        })
}

/// Whether a file lies among documents or examples.
pub(super) fn is_documentation_folder(path: &RepoPath) -> bool {
    path.directory().split('/').any(|s| {
        matches!(
            s.to_ascii_lowercase().as_str(),
            "docs"
                | "doc"
                | "documentation"
                | "website"
                | "site"
                | "www"
                | "examples"
                | "example"
                | "samples"
                | "sample"
                | "demo"
                | "playground"
                | "content"
                | "i18n"
                | "locales"
                | "locale"
                | "translations"
        )
    })
}

/// Whether a program belongs to the site that shows the documents, not to what they are about.
pub(super) fn is_site(path: &RepoPath) -> bool {
    path.directory().split('/').enumerate().any(|(depth, s)| {
        let s = s.to_ascii_lowercase();
        matches!(s.as_str(), ".vitepress" | ".vuepress" | ".docusaurus" | "_theme" | "docs-theme")
            || depth == 0 && matches!(s.split(['_', '-']).next(), Some("docs" | "documentation" | "website"))
            || depth == 0 && ["-site", "-website", "-docs"].iter().any(|end| s.ends_with(end))
    })
}

/// Programs that build, install or configure the project: their names are their own, though their tasks and packages are facts.
pub(super) fn is_build_script(path: &RepoPath) -> bool {
    const CONFIGURED: [&str; 24] = [
        "astro",
        "babel",
        "commitlint",
        "cypress",
        "docusaurus",
        "esbuild",
        "eslint",
        "jest",
        "karma",
        "metro",
        "next",
        "nuxt",
        "playwright",
        "postcss",
        "prettier",
        "rollup",
        "rspack",
        "stylelint",
        "svelte",
        "tailwind",
        "tsup",
        "vite",
        "vitest",
        "webpack",
    ];
    if path.segments().any(|s| matches!(s, "buildSrc" | "build-logic")) {
        return true;
    }
    let name = path.file_name().to_ascii_lowercase();
    match name.split('.').collect::<Vec<_>>().as_slice() {
        ["setup" | "noxfile" | "fabfile" | "conf", "py"]
        | ["build", "rs"]
        | ["gulpfile" | "gruntfile" | "jakefile", "js" | "mjs" | "cjs" | "ts" | "coffee"]
        | ["gemfile" | "rakefile" | "podfile" | "fastfile" | "brewfile" | "guardfile" | "vagrantfile" | "dangerfile"] => true,
        [tool, "config" | "conf", "js" | "mjs" | "cjs" | "ts" | "mts"] => CONFIGURED.contains(tool),
        _ => false,
    }
}

/// Programs that measure the project: their names are nobody's interface.
pub(super) fn is_benchmark(path: &RepoPath) -> bool {
    path.directory()
        .split('/')
        .any(|s| matches!(s.to_ascii_lowercase().as_str(), "bench" | "benches" | "benchmark" | "benchmarks" | "testbench"))
}

/// Whether a manifest is that of a module for tests, benchmarks, samples or the site: what it is built with says nothing of what
/// users need.
pub(super) fn is_side_project(path: &RepoPath) -> bool {
    path.directory().split(['/', '-', '_']).any(|word| {
        matches!(
            word.to_ascii_lowercase().as_str(),
            "test"
                | "tests"
                | "testing"
                | "sample"
                | "samples"
                | "example"
                | "examples"
                | "demo"
                | "demos"
                | "bench"
                | "benches"
                | "benchmark"
                | "benchmarks"
                | "fuzz"
                | "e2e"
                | "it"
                | "integration"
                | "smoke"
                | "playground"
                | "website"
                | "site"
                | "www"
                | "docs"
                | "xtask"
        )
    })
}

/// Files by which a project configures the tools it is built with: a change there says nothing to its readers.
pub(super) fn configures_another_tool(path: &RepoPath) -> bool {
    let name = path.file_name().to_lowercase();
    let stem = name.split('.').find(|s| !s.is_empty()).unwrap_or("");
    path.as_str().starts_with(".github/")
        || path.directory().split('/').any(|s| {
            matches!(
                s,
                ".vscode" | ".idea" | ".devcontainer" | ".circleci" | ".travis" | ".husky" | ".changeset" | ".cargo" | "ci"
            )
        })
        || name.starts_with("tsconfig")
        || name.starts_with("docker-compose")
        || name.starts_with("compose.")
        || matches!(
            stem,
            "jsconfig"
                | "mkdocs"
                | "eslintrc"
                | "prettierrc"
                | "babelrc"
                | "stylelintrc"
                | "renovate"
                | "dependabot"
                | "netlify"
                | "vercel"
                | "lerna"
                | "nx"
                | "turbo"
                | "biome"
                | "codecov"
                | "readthedocs"
                | "pre-commit-config"
                | "pnpm-workspace"
                | "travis"
                | "gitlab-ci"
                | "drone"
                | "woodpecker"
                | "circleci"
                | "cirrus"
                | "appveyor"
                | "azure-pipelines"
                | "rustfmt"
                | "ruff"
                | "mypy"
                | "pytest"
                | "flake8"
                | "pylintrc"
                | "pyrightconfig"
                | "coveragerc"
                | "golangci"
                | "goreleaser"
                | "clippy"
                | "deny"
                | "commitlintrc"
                | "lintstagedrc"
                | "markdownlint"
                | "cspell"
                | "typedoc"
                | "jest"
                | "nycrc"
                | "mocharc"
                | "swcrc"
                | "browserslistrc"
                | "release-please-config"
                | "semgrep"
                | "sonar-project"
                | "yamllint"
                | "hugo"
                | "book"
                | "typos"
                | "_typos"
                | "wrangler"
                | "snapcraft"
        )
}

/// Whether a file is how this repository uses some tool, perhaps itself: what it sets there is no default of anything.
pub(super) fn is_own_use(path: &RepoPath) -> bool {
    path.file_name().starts_with('.') && Grammar::for_path(path).is_some_and(Grammar::is_data)
}

/// Whether a file is another project's, copied in, or what a build wrote.
pub(super) fn is_vendored(path: &RepoPath) -> bool {
    path.directory().split('/').any(|s| {
        matches!(
            s,
            "vendor" | "_vendor" | "vendored" | "_vendored" | "third_party" | "third-party" | "node_modules" | "dist" | ".yarn"
        ) || s.ends_with("-dist")
            || s.split(['-', '_']).any(|word| word == "vendored")
    }) || path.file_name().contains(".min.")
        || is_released_copy(path)
}

/// Whether a program is a copy of one release, by its name: `kettle-1.17.3.js`.
fn is_released_copy(path: &RepoPath) -> bool {
    static RELEASED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[A-Za-z][\w.]*(?:-[A-Za-z]+)*-v?\d+\.\d+\.\d+[\w.-]*\.(?:js|mjs|cjs|css)$").expect("valid pattern")
    });
    RELEASED.is_match(path.file_name())
}
