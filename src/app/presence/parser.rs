//! How programs accept names that they do not write down as they are called: tables, prefixes, negations, factors.

use super::answer::without_prefix;
use super::word::{Probe, is_string};
use crate::model::{Fact, FactKind};
use crate::syntax::Grammar;

/// A string literal that is the flag, or starts with it: hand-written parsers, wrappers and macros accept it. `dashes` is what
/// stands in front of the name.
pub(super) fn quoted(probe: &Probe<'_>, fact: &Fact, dashes: &str) -> bool {
    let text = probe.text;
    if probe.grammar.is_none_or(Grammar::is_data) {
        return false;
    }
    // A table of options that a program hands to its parser: `exact: { type: "boolean" }`.
    let scripted = matches!(probe.grammar, Some(Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx));
    let described = |name: &str| {
        text.match_indices(name).any(|(at, _)| {
            let behind = text[at + name.len()..].trim_start_matches(['"', '\'']).trim_start();
            let starts = text[..at].trim_end_matches(['"', '\'']).ends_with([' ', '\t', '\n', '{', ',']);
            starts && behind.strip_prefix(':').is_some_and(|t| t.trim_start().starts_with('{'))
        })
    };
    fact.spellings().filter_map(|s| s.strip_prefix("--")).any(|name| {
        dashes.is_empty() && scripted && described(name)
            // `"-p, --port <port>"`: a table of options that a program hands over.
            || !dashes.is_empty() && text.match_indices(&format!(", {dashes}{name}")).any(|(at, found)| {
                let short = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
                    && text[..at - 1].ends_with('-')
                    && text[..at - 2].ends_with(['"', '\'', '`']);
                short && text[at + found.len()..].chars().next().is_some_and(|c| matches!(c, '=' | ' ' | '"' | '\'' | '`'))
            })
            || ['"', '\'', '`'].iter().any(|quote| {
                text.match_indices(&format!("{quote}{dashes}{name}")).any(|(at, found)| {
                    let next = text[at + found.len()..].chars().next();
                    next.is_none_or(|c| c == *quote || !dashes.is_empty() && matches!(c, '=' | ' ' | ','))
                })
            })
    })
}

/// Whether tox still puts an environment together from the parts of its name: `py311-integration`, where the file has
/// `integration:` and `311`.
pub(super) fn is_made_of_factors(probe: &Probe<'_>, fact: &Fact) -> bool {
    let tox = fact.value.get("runner").is_some_and(|r| r == "tox") && probe.file.path == fact.path;
    let split = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'));
    let conditions = || probe.text.lines().filter(|l| !l.starts_with('[')).filter_map(|l| l.split_once(':')).map(|(c, _)| c);
    let stands = |factor: &str| {
        let version = factor.trim_start_matches("pypy").trim_start_matches("py");
        let python = !version.is_empty() && version.chars().all(|c| c.is_ascii_digit());
        let all = || probe.text.split(split);
        if python {
            all().any(|w| w == factor || w == version)
        } else {
            conditions().filter(|c| !c.contains(['=', '#'])).any(|c| c.split(split).any(|w| w == factor))
        }
    };
    tox && fact.name.contains('-') && fact.name.split('-').all(stands)
}

/// Whether a flag only turns off one that is declared: parsers of Node take `--no-x` for every `--x`. Commander does not.
pub(super) fn is_negation(probe: &Probe<'_>, fact: &Fact, known: &[Fact]) -> bool {
    let scripted = matches!(probe.grammar, Some(Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx));
    scripted
        && !probe.text.contains("commander")
        && fact.spellings().filter_map(|s| s.strip_prefix("--no-")).any(|rest| {
            rest.contains('-') && is_string(probe, rest)
                || known
                    .iter()
                    .filter(|f| f.kind == FactKind::CliFlag)
                    .any(|f| f.spellings().any(|s| s.strip_prefix("--") == Some(rest)))
        })
}

/// Whether a program puts the flag's name together from a prefix and the rest: `prefix + "cert-dir"`.
pub(super) fn is_put_together(probe: &Probe<'_>, fact: &Fact) -> bool {
    fact.spellings().filter_map(|s| without_prefix(s.strip_prefix("--")?)).any(|rest| {
        ["\"", "'", "`"].iter().any(|quote| {
            probe
                .text
                .match_indices(&format!("{quote}{rest}{quote}"))
                .any(|(at, _)| probe.text[..at].trim_end().ends_with(['+', '.']))
        })
    })
}

/// Whether a string of a program is the flag's name in another case style: a table of options from which flags are made.
pub(super) fn names_in_table(probe: &Probe<'_>, fact: &Fact) -> bool {
    fact.spellings().filter_map(|s| s.strip_prefix("--")).any(|name| {
        name.contains('-') && [name.replace('-', "_"), name.replace('-', ".")].iter().any(|variant| is_string(probe, variant))
    })
}

/// Whether a program names a prefix and an option from which a framework makes the variable: `FLASK` and `--app`.
pub(super) fn is_made_of_option(probe: &Probe<'_>, name: &str, rest: &str) -> bool {
    let prefix = name.split('_').next().unwrap_or(name);
    is_string(probe, prefix) && is_string(probe, &format!("--{}", rest.to_lowercase().replace('_', "-")))
}
