//! Options that a document passes through a script to the program behind it, when the script runs another program now:
//! `npm run test -- --runInBand`.

use super::{Subject, Verdict};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, Strength};

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let Some(aspect) = subject.change.aspects.iter().find(|a| a.pointer == "/command") else { return Verdict::Mention };
    let (Some(old), Some(new)) = (text(aspect.before.as_ref()), text(aspect.after.as_ref())) else { return Verdict::Mention };
    if !runs_another(old, new) {
        return Verdict::Mention;
    }
    passed(subject, new).map_or(Verdict::Mention, |stale| claim(subject, stale, aspect))
}

fn text(value: Option<&serde_json::Value>) -> Option<&str> {
    value?.as_str()
}

fn claim(subject: &Subject<'_>, stale: ByteSpan, aspect: &Aspect) -> Verdict {
    let line = subject.document.lines.span_of(subject.document.lines.line(stale.start));
    if (subject.background.is_new)(subject.of(line)) {
        return Verdict::WrittenNow;
    }
    Verdict::Claims(vec![Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::Example,
        strength: Strength::Strong,
        stale,
        aspect: Some(aspect.clone()),
    }])
}

/// Whether no program of the old command line is in the new one. A line that runs several programs passes its options to the
/// last; what the others were says nothing.
fn runs_another(old: &str, new: &str) -> bool {
    let (old, new) = (programs(old), programs(new));
    !old.is_empty() && !new.is_empty() && old.iter().all(|p| !new.contains(p))
}

/// Programs of the last command of a line, wrappers and variables left out; none where it is a script of the project's own,
/// which takes what it takes.
fn programs(command: &str) -> Vec<String> {
    const WRAPPERS: [&str; 14] =
        ["cross-env", "env", "npx", "node", "nodejs", "bun", "deno", "pnpm", "npm", "yarn", "run", "exec", "dotenv", "ts-node"];
    // What stands in quotes is no command of its own.
    let mut quote = None;
    let separates = |c: char| {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        quote.is_none() && matches!(c, '&' | ';' | '|')
    };
    let last = command.split(separates).next_back().unwrap_or(command);
    let words = last.split_whitespace().filter(|w| !w.starts_with('-') && !w.contains('='));
    words
        .map(|w| (w, w.rsplit('/').next().unwrap_or(w).to_lowercase()))
        .find(|(_, name)| !WRAPPERS.contains(&name.as_str()))
        // What runs other scripts hands them nothing.
        .filter(|(_, name)| {
            !matches!(
                name.as_str(),
                "run-s" | "run-p" | "npm-run-all" | "npm-run-all2" | "concurrently" | "wireit" | "turbo" | "lerna" | "nx"
            )
        })
        .filter(|(word, name)| word.contains("node_modules/") || !is_script(name))
        .map(|(_, name)| name)
        .into_iter()
        .collect()
}

fn is_script(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ext)| matches!(ext, "js" | "mjs" | "cjs" | "ts" | "mts" | "py" | "sh" | "rb" | "pl"))
}

/// The first long option behind ` -- ` on the line of the citation that the new command does not itself have.
fn passed(subject: &Subject<'_>, new: &str) -> Option<ByteSpan> {
    let text = &subject.document.text;
    let start = subject.citation.span.end;
    let end = text[start..].find(['\n', '`']).map_or(text.len(), |at| start + at);
    let rest = text.get(start..end)?;
    let at = rest.strip_prefix(" -- ").map(|_| start + 4)?;
    let option = text.get(at..end)?.split_whitespace().next().filter(|w| w.starts_with("--") && w.len() > 3)?;
    let name = option.split('=').next().unwrap_or(option);
    // Every runner has these.
    if matches!(name, "--watch" | "--coverage" | "--help" | "--verbose" | "--silent" | "--debug" | "--version" | "--bail") {
        return None;
    }
    (!new.contains(name)).then(|| ByteSpan::new(at, at + name.len()))
}

#[cfg(test)]
mod tests {
    use super::runs_another;

    #[test]
    fn tells_another_program() {
        for (old, new, expected) in [
            ("cross-env A=1 node --inspect ./node_modules/.bin/jest", "cross-env A=1 vitest run -c x", true),
            ("jest --ci", "node ./node_modules/.bin/jest", false),
            ("npm run build && mocha", "npm run build && mocha --exit", false),
            ("mocha", "", false),
            ("prettier 'static/*[!.min].js'", "prettier 'static/*[!.min|bundle].js'", false),
            ("node scripts/run.mjs", "node scripts/run-system.mjs", false),
            ("jest", "node scripts/test.js", false),
            ("run-p lint-js lint-text", "eslint '**/*.js'", false),
        ] {
            assert_eq!(runs_another(old, new), expected, "{old} -> {new}");
        }
    }
}
