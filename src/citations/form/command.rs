//! Commands and tasks: only on a command line, behind the tool or runner that has them.

use super::super::fence;
use super::{Place, Project, Resolved};
use crate::model::{CitationForm, Fact, RepoPath};
use crate::value::name;

/// `tool [parents] name`, in inline code or a code block.
pub(super) fn resolve_command(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    if !fact.spellings().any(|s| s == place.word()) || place.is_hyphenated() || place.is_hidden() {
        return None;
    }
    // What every framework of command lines brings by itself.
    if matches!(fact.name.as_str(), "version" | "help" | "completion") {
        return None;
    }
    // `[command]`, `<name>`: a placeholder of a usage line; `--name` a flag.
    if matches!(place.before(place.span.start), Some('[' | '<' | '{' | '-')) {
        return None;
    }
    let words = line_words(place)?;
    let owner: Vec<&str> = fact.owner.trim_start_matches("command:").split_whitespace().collect();
    let is_parent = |word: &str| owner.iter().any(|o| o.eq_ignore_ascii_case(word)) || project.is_own_tool(word);
    if words.is_empty() {
        // The tool itself at the start of a command line.
        let is_tool = owner.iter().all(|o| o.is_empty() || *o == fact.name);
        let shell = place.fence().is_some();
        return (is_tool && shell && name::is_distinctive(&fact.name)).then_some((place.span, CitationForm::Shell, true));
    }
    let last = words.last().map_or("", String::as_str);
    let runner = words.iter().position(|w| is_parent(w));
    // Everything between the tool and the command is a parent command or a flag of it.
    let reaches = runner.is_some_and(|at| {
        words[at..].iter().skip(1).all(|w| w.starts_with('-') || w.chars().all(|c| c.is_alphanumeric() || c == '-'))
    });
    // A command of a parent that the line does not name is another one of the same name.
    if runner.is_some_and(|at| is_of_another_program(&words[at], fact, project)) {
        return None;
    }
    let parent_named = owner.len() < 2 || owner.last().is_some_and(|o| words.iter().any(|w| w == o));
    (reaches && parent_named && !last.starts_with("--")).then_some((place.span, CitationForm::Shell, true))
}

/// Whether the tool of a command line has a program of its own, and the command is declared in that of another.
fn is_of_another_program(tool: &str, fact: &Fact, project: &Project<'_>) -> bool {
    let folder = format!("cmd/{}/", tool.rsplit('/').next().unwrap_or(tool));
    let within = |path: &RepoPath| path.as_str().starts_with(&folder) || path.as_str().contains(&format!("/{folder}"));
    fact.path.stem() == "main" && !within(&fact.path) && project.head.iter().any(within)
}

/// `npm run name`, `make name`, `tox -e name` ...
pub(super) fn resolve_task(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    if place.word() != fact.name || place.is_hyphenated() || place.is_hidden() || is_of_sibling(place, fact, project) {
        return None;
    }
    if place.after(place.span.end).is_some_and(|c| matches!(c, ':' | '/' | '.'))
        && place.text()[place.span.end + 1..].chars().next().is_some_and(char::is_alphanumeric)
    {
        return None;
    }
    // `nox -s "tests(django='5')"`: a parameter of the task.
    if matches!(place.before(place.span.start), Some('/' | '.' | ':' | '@' | '(')) || place.after(place.span.end) == Some('=') {
        return None;
    }
    // `cd /usr/ports/net/kettle && make install`: what is run stands elsewhere.
    let line = place.of(crate::model::ByteSpan::new(place.line().start, place.span.start));
    if ["cd /", "cd ~", "cd $"].iter().any(|cd| line.contains(cd)) {
        return None;
    }
    let runner = fact.value.get("runner").and_then(|r| r.as_str()).unwrap_or("");
    // Every project has a `build`: in a product's manual it is the reader's own.
    if !matches!(runner, "make" | "just" | "cargo") && is_common_task(&fact.name) && !is_for_contributors(place) {
        return None;
    }
    if place.code().is_some_and(|code| place.of(code) == fact.name) && called_by_kind(place, runner) {
        return Some((place.span, CitationForm::InlineCode, true));
    }
    let words = line_words(place)?;
    let first = words.first().map_or("", String::as_str);
    let rest: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    // `yarn kettle` runs the reader's installed program of that name.
    let is_program = runner == "npm" && project.is_own_tool(&fact.name);
    let run_like = |rest: &[&str]| {
        matches!(rest.iter().find(|w| !w.starts_with('-')), Some(&"run" | &"run-script"))
            && rest.last().is_some_and(|w| matches!(*w, "run" | "run-script") || w.starts_with('-'))
    };
    let direct = |rest: &[&str]| rest.iter().all(|w| w.starts_with('-'));
    let fits = match runner {
        "npm" => match first {
            "npm" | "pnpm" | "yarn" | "bun" => {
                run_like(&rest)
                    || (!is_program
                        && direct(&rest)
                        && (first != "npm" || matches!(fact.name.as_str(), "test" | "start" | "stop" | "restart")))
            }
            _ => false,
        },
        "tox" => first == "tox" && (rest.contains(&"-e") || rest.last().is_some_and(|w| *w == "run" || w.starts_with("-e"))),
        "nox" => first == "nox" && rest.iter().any(|w| matches!(*w, "-s" | "-e" | "--session" | "--sessions")),
        "cargo" => first == "cargo" && direct(&rest),
        "poe" | "pdm" | "hatch" | "rye" | "uv" => first == runner || rest.first().is_some_and(|w| *w == runner),
        "make" => matches!(first, "make" | "gmake") && rest.iter().all(|w| !w.contains('/')),
        other => first == other || (other == "task" && first == "go-task"),
    };
    fits.then_some((place.span, CitationForm::Shell, true))
}

/// Whether a task is that of another package than the one the document lies in: what runs there is read from the nearest file
/// of that name, unless the document names the folder.
fn is_of_sibling(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> bool {
    const MANIFESTS: [&str; 6] = ["package.json", "Cargo.toml", "pyproject.toml", "setup.py", "go.mod", "Makefile"];
    let tasks = fact.path.directory();
    // In the middle of an address it names nothing.
    let within = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    let folder = format!("{tasks}/");
    let written = || place.text().match_indices(&folder).any(|(at, _)| !place.text()[..at].ends_with(within));
    let named = || written() || place.text().contains(&format!("cd {tasks}"));
    if !tasks.is_empty() && named() {
        return false;
    }
    let document = place.document.path.as_str();
    let manual = |folder: &&str| {
        matches!(folder.rsplit('/').next().unwrap_or(folder), "docs" | "doc" | "documentation" | "website" | "site")
    };
    let folders = || document.match_indices('/').map(|(at, _)| &document[..at]).rev().filter(|f| !manual(f));
    let has = |folder: &str, name: &str| {
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let made = || {
            ["Makefile.in", "Makefile.am", "CMakeLists.txt", "configure.ac"].iter().any(|from| {
                let path = if folder.is_empty() { (*from).to_owned() } else { format!("{folder}/{from}") };
                project.head.contains(&RepoPath::new(path))
            })
        };
        project.head.contains(&RepoPath::new(path)) || name == "Makefile" && made()
    };
    // The file may be gone with its tasks; then it is the nearest that there was.
    let nearest = folders().chain([""]).find(|folder| *folder == tasks || has(folder, fact.path.file_name()));
    if nearest.is_some_and(|folder| folder != tasks) {
        return true;
    }
    let home = folders().find(|folder| MANIFESTS.iter().any(|name| has(folder, name)));
    home.is_some_and(|home| {
        !tasks.is_empty() && tasks != home && !tasks.starts_with(&format!("{home}/")) && !home.starts_with(&format!("{tasks}/"))
    })
}

fn is_common_task(name: &str) -> bool {
    let python = name.strip_prefix("py").is_some_and(|v| !v.is_empty() && v.chars().all(|c| c.is_ascii_digit() || c == '.'));
    python
        || matches!(
            name,
            "test"
                | "tests"
                | "build"
                | "lint"
                | "dev"
                | "start"
                | "serve"
                | "docs"
                | "doc"
                | "format"
                | "fmt"
                | "check"
                | "clean"
                | "all"
                | "install"
                | "release"
                | "watch"
                | "preview"
                | "deploy"
                | "run"
                | "coverage"
                | "bench"
                | "style"
                | "type"
                | "ci"
                | "prepare"
                | "default"
        )
}

/// Whether the page or its headings speak to people who work on the project.
fn is_for_contributors(place: &Place<'_>) -> bool {
    let speaks = |text: &str| {
        let text = text.to_lowercase();
        ["contribut", "develop", "hacking", "readme", "maintain", "agents.md", "claude.md", "building"]
            .iter()
            .any(|w| text.contains(w))
    };
    speaks(place.document.path.as_str()) || place.scope_texts().any(speaks)
}

/// `the py310 environment`, `the build target`: the name alone, with the word for what it is beside it.
fn called_by_kind(place: &Place<'_>, runner: &str) -> bool {
    let Some(code) = place.code() else { return false };
    let nouns: &[&str] = match runner {
        "tox" | "hatch" => &["environment", "environments", "env"],
        "nox" => &["session", "sessions"],
        "make" | "cmake" => &["target", "targets"],
        "just" => &["recipe", "recipes"],
        "npm" | "poe" | "pdm" => &["script", "scripts"],
        _ => &["task", "tasks"],
    };
    let text = place.text();
    let word_behind: String =
        text[code.end..].trim_start_matches(['`', '*', ' ', '\n']).chars().take_while(|c| c.is_alphabetic()).collect();
    let before = text[..code.start].trim_end_matches(['`', '*', ' ']);
    let word_before: String =
        before.chars().rev().take_while(|c| c.is_alphabetic()).collect::<Vec<_>>().into_iter().rev().collect();
    nouns.contains(&word_behind.to_lowercase().as_str()) || nouns.contains(&word_before.to_lowercase().as_str())
}

/// The words in front of the name on its command line; `None` outside code.
fn line_words(place: &Place<'_>) -> Option<Vec<String>> {
    let within = match place.fence() {
        Some((lang, content)) if fence::is_shell_like(lang) => content,
        Some(_) => return None,
        None => place.code()?,
    };
    let start = within.start.min(place.span.start);
    // In configuration a line that begins with `#` is prose.
    let configured = place.fence().is_some_and(|(lang, _)| matches!(lang, "yaml" | "yml" | "toml" | "ini" | "dockerfile"));
    let line = crate::model::ByteSpan::new(place.line().start.max(start), place.span.start);
    if configured && place.of(line).trim_start().starts_with('#') {
        return None;
    }
    Some(fence::command_words(&place.text()[start..place.span.start]))
}
