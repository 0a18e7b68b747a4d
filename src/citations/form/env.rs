//! Environment variables: the exact name as a whole word. A name of two words or more almost never collides
//! (`corpus/README.md`, case 7); a single word needs code markup and the word "environment" or an assignment nearby.

use super::{Place, Project, Resolved};
use crate::model::Fact;

/// Variables that the system, the shell or a convention of many tools defines: a program that stops reading one takes nothing
/// from what documents say of it.
pub(super) fn is_foreign(name: &str) -> bool {
    matches!(
        name,
        "PATH"
            | "HOME"
            | "USER"
            | "SHELL"
            | "TERM"
            | "COLORTERM"
            | "LANG"
            | "LANGUAGE"
            | "TZ"
            | "PWD"
            | "TMPDIR"
            | "TEMP"
            | "TMP"
            | "EDITOR"
            | "VISUAL"
            | "PAGER"
            | "DISPLAY"
            | "HOSTNAME"
            | "CI"
            | "NO_COLOR"
            | "FORCE_COLOR"
            | "CLICOLOR"
            | "LS_COLORS"
            | "APPDATA"
            | "LOCALAPPDATA"
            | "USERPROFILE"
            | "SYSTEMROOT"
            | "COLUMNS"
            | "DEBUG"
            | "LINES"
            | "NODE_ENV"
            | "NODE_OPTIONS"
            | "NODE_PATH"
            | "PYTHONPATH"
            | "VIRTUAL_ENV"
            | "GOPATH"
            | "GOROOT"
            | "GOBIN"
            | "GOFLAGS"
            | "GO111MODULE"
            | "CARGO_HOME"
            | "RUST_LOG"
            | "RUST_BACKTRACE"
            | "RUSTFLAGS"
            | "JAVA_HOME"
            | "HTTP_PROXY"
            | "HTTPS_PROXY"
            | "NO_PROXY"
            | "ALL_PROXY"
            | "SSL_CERT_FILE"
            | "SSL_CERT_DIR"
            | "DOCKER_HOST"
            | "KUBECONFIG"
            | "GITHUB_TOKEN"
            | "MANPATH"
            | "LD_LIBRARY_PATH"
    ) || ["LC_", "XDG_", "GITHUB_", "RUNNER_", "ACTIONS_", "DBUS_", "CLICOLOR"].iter().any(|prefix| name.starts_with(prefix))
}

/// Tools and platforms whose variables their own libraries read, whoever else does.
const PLATFORMS: [&str; 27] = [
    "aws",
    "azure",
    "cargo",
    "circle",
    "django",
    "docker",
    "flask",
    "gcp",
    "git",
    "google",
    "heroku",
    "java",
    "jenkins",
    "kubernetes",
    "mysql",
    "node",
    "npm",
    "otel",
    "pip",
    "postgres",
    "python",
    "redis",
    "rust",
    "ssh",
    "travis",
    "uv",
    "vercel",
];

/// Whether a variable is by its first word that of a platform which is not the project itself.
fn is_platforms(name: &str, project: &Project<'_>) -> bool {
    let first = name.split('_').next().unwrap_or(name).to_lowercase();
    let own = |known: &String| known.split(['-', '_', '/', '.', '@']).any(|part| part == first);
    PLATFORMS.contains(&first.as_str()) && !project.names().iter().any(own)
}

pub(super) fn resolve(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    if is_foreign(&fact.name) || is_platforms(&fact.name, project) {
        return None;
    }
    if place.word() != fact.name || place.is_hyphenated() || place.is_hidden() {
        return None;
    }
    let (before, after) = (place.before(place.span.start), place.after(place.span.end));
    if matches!(before, Some('.' | '/')) && !place.qualifiers().iter().any(|q| matches!(*q, "env" | "environ" | "ENV")) {
        return None;
    }
    if place.fence().is_some() && is_of_workflow(place) {
        return None;
    }
    if !fact.name.contains('_') {
        let line = place.of(place.line()).to_lowercase();
        let assigned = after == Some('=') || before == Some('$') || line.contains("export ");
        let named = line.contains("environment")
            || line.contains("env var")
            || place.scope_texts().any(|t| t.to_lowercase().contains("environment"));
        if !(place.is_code() && (assigned || named)) {
            return None;
        }
    }
    Some((place.span, place.form(), true))
}

/// Whether a workflow sets a variable for its own steps, or reads one that it set: `${{ env.TITLE }}`.
fn is_of_workflow(place: &Place<'_>) -> bool {
    let line = place.of(place.line());
    let before = &place.text()[..place.span.start];
    before.ends_with("env.") && line.contains("${{") || line.contains("::set-env name=") || line.contains("GITHUB_ENV")
}
