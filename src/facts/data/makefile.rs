//! Makefiles: targets that people run. A rule for every target is the target `%`; other pattern rules, special targets and targets with variables in their name are left out.

use super::package::{Manifest, lines};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};

/// Reads Makefiles.
pub struct Makefile;

impl Extractor for Makefile {
    fn name(&self) -> &'static str {
        "makefile"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(path.file_name(), "Makefile" | "makefile" | "GNUmakefile") || path.extension() == "mk"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        // What automake and the like write is no source.
        let head: String = source.text().lines().take(5).collect::<Vec<_>>().join(" ").to_ascii_lowercase();
        if head.contains("generated ") {
            return;
        }
        let mut manifest = Manifest::new(source, sink, "generic");
        let mut rule: Option<Rule<'_>> = None;
        let mut continued = false;
        for (span, line) in lines(source.text()) {
            let was_continued = std::mem::replace(&mut continued, line.ends_with('\\'));
            if line.starts_with('\t') || was_continued {
                if let Some(rule) = rule.as_mut().filter(|_| line.starts_with('\t')) {
                    rule.recipe.push(line.trim());
                }
                continue;
            }
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let next = targets(line).map(|names| Rule { names, recipe: Vec::new(), span });
            if let Some(done) = std::mem::replace(&mut rule, next) {
                done.emit(&mut manifest);
            }
        }
        if let Some(done) = rule {
            done.emit(&mut manifest);
        }
    }
}

struct Rule<'t> {
    names: Vec<&'t str>,
    recipe: Vec<&'t str>,
    span: ByteSpan,
}

impl Rule<'_> {
    fn emit(self, manifest: &mut Manifest<'_, '_>) {
        let command = self.recipe.join("; ");
        for name in self.names {
            manifest.task("make", name, Some(&command), self.span);
        }
    }
}

/// The targets of a rule's line; `None` for anything else.
fn targets(line: &str) -> Option<Vec<&str>> {
    let (left, right) = line.split_once(':')?;
    // `:=`, `::=` and `x = a:b` assign.
    if right.trim_start_matches(':').starts_with('=') || left.contains(['=', '#', '?', '!', '(', '"']) {
        return None;
    }
    let word = left.split_whitespace().next()?;
    if matches!(word, "include" | "ifeq" | "ifneq" | "define" | "export" | "override" | "unexport" | "else" | "endif" | "vpath") {
        return None;
    }
    // A target-specific variable: `debug: CFLAGS += -g`. What stands in brackets is a reference: `all: $(ALL:%=build/%)`.
    let mut depth = 0_usize;
    let assigns = right.chars().any(|c| {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '=' && depth == 0
    });
    if assigns && !right.contains(';') {
        return None;
    }
    let names: Vec<&str> =
        left.split_whitespace().filter(|n| !n.starts_with('.') && (*n == "%" || !n.contains(['%', '$', '/']))).collect();
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "# c\nCC := gcc\nX = a:b\nSRC ?= a \\\n\tb: c\n.PHONY: build\n\nbuild: a b\n\t@echo hi\n\tgo build\ntest lint::\n\tgo test\n%.o: %.c\n\tcc\n$(OUT): x\ndebug: CFLAGS += -g\nout/x.bin: y\nhelp:\n";

    #[test]
    fn reads_targets() {
        check(
            &Makefile,
            "Makefile",
            FULL,
            &[
                r#"task build {"runner":"make","command":"@echo hi; go build"}"#,
                r#"task test {"runner":"make","command":"go test"}"#,
                r#"task lint {"runner":"make","command":"go test"}"#,
                r#"task help {"runner":"make"}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&Makefile, "Makefile", FULL);
    }
}
