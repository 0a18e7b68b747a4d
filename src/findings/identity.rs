//! Identity (`design.md` section 8): never a line, revision, time or file hash.

use serde_json::{Value, json};

use crate::model::Assertion;
use crate::value::canonical;

/// What makes two findings the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relevant {
    /// A fact whose value changed.
    Changed {
        /// The fact's id.
        target: String,
        /// Hash of its projection at base.
        before: String,
        /// Hash of its projection at head.
        after: String,
    },
    /// A fact that is gone.
    Removed {
        /// The fact's id.
        target: String,
    },
    /// A name with several owners.
    Ambiguous {
        /// Ids of the owners.
        candidates: Vec<String>,
    },
}

impl Relevant {
    /// The JSON that is hashed.
    pub fn projection(&self) -> Value {
        match self {
            Self::Changed { target, before, after } => {
                json!({"changedTargetId": target, "beforeValueHash": before, "afterValueHash": after})
            }
            Self::Removed { target } => json!({"removedTargetId": target}),
            Self::Ambiguous { candidates } => {
                let mut sorted = candidates.clone();
                sorted.sort();
                sorted.dedup();
                json!({"candidateIds": sorted})
            }
        }
    }
}

/// `finding:` and the hash of category, assertion and relevant evidence.
pub fn finding_id(category: &str, assertion: &Assertion, relevant: &Relevant) -> String {
    let projection = json!({
        "category": category,
        "assertion": {"document": assertion.document, "key": assertion.key},
        "relevantEvidence": relevant.projection(),
    });
    format!("finding:{}", canonical::hash(&projection))
}

/// Hash of the relevant evidence.
pub fn evidence_hash(relevant: &Relevant) -> String {
    canonical::hash(&relevant.projection())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_follows_the_value_pair() {
        let assertion = Assertion { document: "a.md".into(), key: "x".into() };
        let changed = |after: &str| Relevant::Changed { target: "t".into(), before: "1".into(), after: after.into() };
        let id = |r: &Relevant| finding_id("changed-reference", &assertion, r);
        assert_eq!(id(&changed("2")), id(&changed("2")));
        assert_ne!(id(&changed("2")), id(&changed("3")));
        let ambiguous = |list: &[&str]| Relevant::Ambiguous { candidates: list.iter().map(|s| (*s).to_owned()).collect() };
        assert_eq!(id(&ambiguous(&["b", "a"])), id(&ambiguous(&["a", "b", "a"])));
    }
}
