//! Fact changes between base and head.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Fact, FactKind};

/// How a fact changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeOp {
    /// Only at head.
    Added,
    /// Only at base.
    Removed,
    /// At both under the same identity, with another value.
    Changed,
    /// At base under one name, at head under another, proven.
    Renamed,
}

/// One part of a projection that differs, as a JSON pointer with the value on each side.
#[derive(Clone, Debug, PartialEq)]
pub struct Aspect {
    /// JSON pointer into the projection; arrays of named objects are addressed by name (`/parameters/timeout/default`).
    pub pointer: String,
    /// The value at base; `None` where the part is new.
    pub before: Option<Value>,
    /// The value at head; `None` where the part is gone.
    pub after: Option<Value>,
}

impl Aspect {
    /// The last segment of the pointer.
    pub fn leaf(&self) -> &str {
        self.pointer.rsplit('/').next().unwrap_or("")
    }

    /// Segments of the pointer, unescaped.
    pub fn segments(&self) -> Vec<String> {
        self.pointer.split('/').skip(1).map(|s| s.replace("~1", "/").replace("~0", "~")).collect()
    }
}

/// Why a removed and an added fact are taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RenameProof {
    /// Equal projection and equal body, one candidate on each side.
    EqualBody,
    /// Git paired the two files.
    GitRename,
}

/// One fact change.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// How.
    pub op: ChangeOp,
    /// The fact at base; absent for an addition.
    pub before: Option<Fact>,
    /// The fact at head; absent for a removal.
    pub after: Option<Fact>,
    /// What differs in the projection, in pointer order; empty for additions and removals.
    pub aspects: Vec<Aspect>,
    /// Every use that was right at base is still right at head.
    pub compatible: bool,
    /// Set for a rename.
    pub proof: Option<RenameProof>,
    /// For a removal: names at head that may be its successor, most likely first, unproven.
    pub candidates: Vec<String>,
}

impl Change {
    /// The fact documents cite: the one at base, or the added one.
    ///
    /// # Panics
    /// Never for a change built by this crate: one side is always set.
    pub fn cited(&self) -> &Fact {
        self.before.as_ref().or(self.after.as_ref()).expect("invariant: a change has a side")
    }

    /// The kind of the fact.
    pub fn kind(&self) -> FactKind {
        self.cited().kind
    }

    /// Whether the name is gone under its old spelling.
    pub fn removes_name(&self) -> bool {
        matches!(self.op, ChangeOp::Removed | ChangeOp::Renamed)
    }
}

/// All fact changes of one range, sorted by kind, owner and name.
#[derive(Clone, Debug, Default)]
pub struct ChangeSet {
    /// The changes.
    pub changes: Vec<Change>,
}
