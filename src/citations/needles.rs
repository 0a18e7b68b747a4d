//! The names of changed facts as one search over raw bytes.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use super::form::member;
use super::is_citable;
use crate::model::{ByteSpan, ChangeSet, Fact, FactKind};
use crate::value::name;

/// A name of a changed fact in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// Where.
    pub span: ByteSpan,
    /// Which change.
    pub change: usize,
}

/// Most hits of one document; a page that names changed facts more often is a listing.
const MAX_HITS: usize = 20_000;

/// The names to look for.
pub struct Needles {
    automaton: Option<AhoCorasick>,
    changes: Vec<Vec<usize>>,
}

impl Needles {
    /// The names of all changes that can make a document wrong.
    pub fn new(changes: &ChangeSet) -> Self {
        let mut table: std::collections::BTreeMap<String, Vec<usize>> = std::collections::BTreeMap::new();
        for (index, change) in changes.changes.iter().enumerate() {
            if !is_citable(change) {
                continue;
            }
            let members = member::lost(change).map_or_else(Vec::new, |(gone, _)| gone.iter().map(|m| m.to_lowercase()).collect());
            let names =
                if change.cited().is_value_only() && !members.is_empty() { Vec::new() } else { needles_of(change.cited()) };
            for needle in names.into_iter().chain(members) {
                if needle.len() >= 2 {
                    let list = table.entry(needle).or_default();
                    if !list.contains(&index) {
                        list.push(index);
                    }
                }
            }
        }
        let (patterns, changes): (Vec<String>, Vec<Vec<usize>>) = table.into_iter().unzip();
        let automaton = (!patterns.is_empty())
            .then(|| AhoCorasickBuilder::new().ascii_case_insensitive(true).match_kind(MatchKind::Standard).build(&patterns).ok())
            .flatten();
        Self { automaton, changes }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.automaton.is_none()
    }

    /// Whether any name stands in the bytes.
    pub fn any(&self, bytes: &[u8]) -> bool {
        self.automaton.as_ref().is_some_and(|a| a.is_match(bytes))
    }

    /// Every place of every name, whole words only, in order.
    pub fn hits(&self, text: &str) -> Vec<Hit> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let bytes = text.as_bytes();
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        let mut out = Vec::new();
        for found in automaton.find_overlapping_iter(text) {
            let (start, end) = (found.start(), found.end());
            let left = start == 0 || !is_word(bytes[start - 1]) || !is_word(bytes[start]);
            let right = end == bytes.len() || !is_word(bytes[end]) || !is_word(bytes[end - 1]);
            if !left || !right {
                continue;
            }
            for &change in &self.changes[found.pattern().as_usize()] {
                out.push(Hit { span: ByteSpan::new(start, end), change });
            }
            if out.len() > MAX_HITS {
                break;
            }
        }
        out.sort();
        out.dedup();
        out
    }
}

/// Words by which running text names a runtime.
pub(super) fn runtime_words(runtime: &str) -> &'static [&'static str] {
    match runtime {
        "python" => &["python", "cpython", "python3"],
        "pypy" => &["pypy"],
        "node" => &["node", "nodejs", "node.js"],
        "rust" => &["rust", "rustc", "msrv"],
        "go" => &["go", "golang"],
        "ruby" => &["ruby", "mri"],
        "java" => &["java", "jdk", "jre", "openjdk"],
        "php" => &["php"],
        "npm" => &["npm"],
        "pnpm" => &["pnpm"],
        "yarn" => &["yarn"],
        "kotlin" => &["kotlin"],
        "gradle" => &["gradle"],
        "dotnet" => &[".net", "dotnet"],
        "swift" => &["swift"],
        _ => &[],
    }
}

/// Whether a package fact states the minimum version of a runtime.
pub(super) fn is_runtime(fact: &Fact) -> bool {
    fact.kind == FactKind::Package && fact.value.get("minimum").is_some()
}

fn needles_of(fact: &Fact) -> Vec<String> {
    match fact.kind {
        FactKind::Module | FactKind::DocPath => {
            let base = fact.leaf().to_lowercase();
            let stem = fact.path.stem().to_lowercase();
            // A page is also linked without its extension, and an index page by its directory.
            let directory = matches!(stem.as_str(), "index" | "readme" | "_index" | "mod" | "__init__")
                .then(|| fact.path.directory().rsplit('/').next().unwrap_or("").to_lowercase());
            [Some(base), Some(stem), directory].into_iter().flatten().collect()
        }
        FactKind::Package if is_runtime(fact) => {
            let words = runtime_words(&fact.name);
            if words.is_empty() { vec![fact.name.to_lowercase()] } else { words.iter().map(|w| (*w).to_owned()).collect() }
        }
        FactKind::Package | FactKind::EnvVar | FactKind::Task => vec![fact.name.to_lowercase()],
        FactKind::Symbol | FactKind::Signature | FactKind::Constant => vec![fact.leaf().to_lowercase()],
        FactKind::CliFlag => fact.spellings().filter(|s| s.trim_start_matches('-').len() > 1).flat_map(flag_variants).collect(),
        FactKind::CliCommand => fact.spellings().map(str::to_lowercase).collect(),
        FactKind::ConfigKey | FactKind::ActionInput => {
            let leaf = name::search_variants(fact.leaf());
            let aliases = fact.aliases.iter().flat_map(|alias| {
                let tail = alias.rsplit('.').next().unwrap_or(alias);
                name::search_variants(tail)
            });
            leaf.into_iter().chain(aliases).collect()
        }
    }
}

fn flag_variants(spelling: &str) -> Vec<String> {
    name::search_variants(spelling.trim_start_matches('-'))
}
