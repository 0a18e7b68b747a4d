//! Confidence by rule: a table, not a feeling. `docs/confidence.md` gives the figures behind each number.

use super::{Absence, Proof};
use crate::model::{Change, CitationForm, Claim, ClaimRule, Fact, FactKind, Strength, Visibility};
use crate::value::{name, version};

/// Findings below are kept in the sidecar and counted, not shown.
pub const DEFAULT_MIN_CONFIDENCE: f64 = 0.5;

/// How likely a claim is stale; `word` is the name as the document spells it.
pub fn confidence(claim: &Claim, change: &Change, proof: Proof, word: &str) -> f64 {
    let citation = &claim.citation;
    let fact = change.cited();
    match claim.rule {
        ClaimRule::Existence => {
            if proof.absence == Absence::Unproven {
                return 0.4;
            }
            // What another package may have now is as it was to readers.
            let movable = !fact.kind.is_path() && !matches!(fact.kind, FactKind::Task | FactKind::ActionInput);
            if proof.may_have_moved && movable {
                return 0.45;
            }
            match (fact.kind, citation.form) {
                (FactKind::Module | FactKind::DocPath, CitationForm::LinkTarget | CitationForm::Directive) => 0.95,
                (FactKind::Module | FactKind::DocPath, CitationForm::DirectoryTree) => 0.8,
                (FactKind::Module | FactKind::DocPath, _) => {
                    if citation.exact {
                        0.85
                    } else {
                        0.6
                    }
                }
                // No definition is gone, only every use of the name in code.
                _ if fact.is_word() => 0.45,
                (FactKind::EnvVar | FactKind::Task | FactKind::ActionInput | FactKind::CliFlag, _) => 0.9,
                (FactKind::CliCommand, _) => 0.85,
                // An example imports for the reader, whether or not the project depends on it.
                // A name in running text is as often what the readers use.
                (FactKind::Package, CitationForm::LinkTarget) => 0.55,
                (FactKind::Package, _) => 0.45,
                (FactKind::ConfigKey, _) => match (citation.exact, is_setting(fact)) {
                    (true, _) => 0.85,
                    // Its type went with the file: a plain word or another case style is as easily a name of what took its place.
                    (false, true) => {
                        let own = word == fact.leaf() && name::words(word).len() > 1;
                        if proof.file_gone && !own { 0.45 } else { 0.7 }
                    }
                    // A bare word that is a field of some type is as easily the field of another.
                    (false, false) => 0.45,
                },
                (_, CitationForm::Prose | CitationForm::TableCell) if fact.visibility == Visibility::Internal => 0.6,
                (_, _) => {
                    if fact.visibility == Visibility::Public {
                        0.85
                    } else {
                        0.75
                    }
                }
            }
        }
        ClaimRule::OldValue => {
            // A default that is empty now is found out later; it may be what it was.
            if claim.aspect.as_ref().is_some_and(|a| a.after.as_ref().is_some_and(|v| v.as_str() == Some(""))) {
                return 0.45;
            }
            if citation.exact { 0.9 } else { 0.8 }
        }
        // What CI happens to test is a promise where it lists what it tests, or pins a language's oldest toolchain on purpose.
        ClaimRule::MinimumVersion if fact.owner.ends_with("#ci") && fact.name != "rust" => {
            let old = fact.listed_versions();
            // A list that lost newer versions as well is a job arranged anew.
            let kept = change.after.as_ref().is_some_and(|new| {
                let new = new.listed_versions();
                let least = new.iter().filter_map(|v| version::components(v)).min();
                old.iter().all(|v| version::components(v) < least || new.contains(v))
            });
            if old.len() > 1 && kept { 0.6 } else { 0.45 }
        }
        // A list of texts has no name by which the document could mean it.
        ClaimRule::SpelledOut if fact.is_value_only() => 0.7,
        ClaimRule::SpelledOut | ClaimRule::MinimumVersion => 0.85,
        ClaimRule::Example => 0.8,
        // A release that is compatible with the pinned one leaves the command as good as it was.
        ClaimRule::VersionPin => {
            if claim.strength == Strength::Strong {
                0.7
            } else {
                0.45
            }
        }
        ClaimRule::AspectInWords => {
            if claim.strength == Strength::Strong {
                0.5
            } else {
                0.3
            }
        }
        ClaimRule::Ambiguous => 0.4,
        // A list that does not say that it is complete may be a choice of its author's.
        ClaimRule::Incomplete => {
            if claim.strength == Strength::Strong {
                0.6
            } else {
                0.45
            }
        }
    }
}

/// Whether the code says that a key is a setting: by the file that holds it, or by the name of its type.
fn is_setting(fact: &Fact) -> bool {
    fact.owner.starts_with("file:") || fact.name.rsplit_once('.').is_some_and(|(container, _)| name::holds_settings(container))
}
