//! Sessions of a `noxfile.py`, and tasks that `invoke` runs from `tasks.py`: Python functions that people run by name.

use crate::facts::lang::python::value::{Arguments, Values, callee, decorators, leaf};
use crate::facts::written::Projection;
use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{FactKind, RepoPath};
use crate::syntax::{Node, NodeExt};

/// Sessions of nox.
pub struct Nox;

impl Extractor for Nox {
    fn name(&self) -> &'static str {
        "nox"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "noxfile.py"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        read(source, "nox", "session", sink);
    }
}

/// Tasks of invoke.
pub struct Invoke;

impl Extractor for Invoke {
    fn name(&self) -> &'static str {
        "invoke"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension() == "py" && path.segments().any(|segment| matches!(segment, "tasks.py" | "tasks"))
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        if memchr::memmem::find(source.text().as_bytes(), b"invoke").is_some() {
            read(source, "invoke", "task", sink);
        }
    }
}

/// Records the functions that a decorator of the given last name marks.
fn read(source: &Source<'_>, runner: &str, mark: &str, sink: &mut FactSink<'_>) {
    let Some(tree) = source.tree() else { return };
    let text = source.text();
    let values = Values::of_module(tree.root(), text);
    for statement in tree.root().named() {
        let Some(marked) = decorators(statement).into_iter().find(|d| leaf(callee(*d, text)) == mark) else { continue };
        let Some(function) = statement.field("definition").and_then(|d| d.field("name")) else { continue };
        let arguments = Arguments::of(marked, text);
        let given = arguments.get("name").and_then(|n| values.string(n));
        let own = function.text(text);
        let name = given.unwrap_or_else(|| if runner == "invoke" { own.replace('_', "-") } else { own.to_owned() });
        let aliases: Vec<String> = arguments
            .get("aliases")
            .map(|node: Node<'_>| values.items(node))
            .unwrap_or_default()
            .iter()
            .filter_map(|v| v.as_str().map(str::to_owned))
            .collect();
        let value = Projection::default().text("runner", runner).build();
        sink.push(NewFact::new(FactKind::Task, source.file_owner(), name, value, function.span()).aliases(aliases));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_sessions() {
        checking::check(
            &Nox,
            "noxfile.py",
            "@nox.session(python='3.9')\ndef tests(session): ...\n\n@session(name='type-check')\ndef mypy(s): ...\n\ndef other(): ...\n",
            &[r#"task tests {"runner":"nox"}"#, r#"task type-check {"runner":"nox"}"#],
        );
    }

    #[test]
    fn reads_invoke_tasks() {
        checking::check(
            &Invoke,
            "tasks.py",
            "from invoke import task\n@task\ndef build_docs(c): ...\n\n@task(aliases=('t',))\ndef test(c): ...\n",
            &[r#"task build-docs {"runner":"invoke"}"#, r#"task test {"runner":"invoke"} = t"#],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(&Nox, "noxfile.py", "@nox.session(name='é')\ndef f(s): ...\n");
        checking::survives(&Invoke, "tasks.py", "import invoke\n@task(aliases=['é'])\ndef f(s): ...\n");
    }
}
