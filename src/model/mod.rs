//! Shared vocabulary: plain values that every stage may use, and nothing that computes a verdict.

mod change;
mod citation;
mod document;
mod fact;
mod finding;
mod notice;
mod path;
mod sidecar;
mod span;

pub use change::{Aspect, Change, ChangeOp, ChangeSet, RenameProof};
pub use citation::{Citation, CitationForm, Claim, ClaimRule, Strength};
pub use document::{DocFormat, Document, Frontmatter, GeneratedRegion, Mark, MarkKind, Region, RegionKind, Remark, Scope};
pub use fact::{Fact, FactKind, Visibility};
pub use finding::{
    Assertion, CATEGORIES, Coverage, CoverageStatus, DocumentationUpdate, Evidence, EvidenceSource, Finding, Layer, Priority,
    Provenance, Routing, Severity, Status,
};
pub use notice::{Notice, NoticeCode};
pub use path::RepoPath;
pub(crate) use sidecar::present;
pub use sidecar::{
    AspectRecord, ChangedFact, CitedPlace, CodeLocation, Counts, EffectiveConfiguration, FileDiff, Groups, Impact,
    ImpactedDocument, LineEdit, Policy, PullRequest, Revisions, Sidecar, Suppression, Tool,
};
pub use span::{ByteSpan, LineIndex, LineNumber, LineSpan};
