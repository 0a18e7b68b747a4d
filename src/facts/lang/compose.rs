//! Paths of settings through the types of one file: a field of `Session` that stands in `Config` under `session` is also
//! known as `session.idle`.

use std::collections::BTreeMap;

/// Most levels of containers.
const MAX_DEPTH: usize = 6;
/// Most paths given for one type.
const MAX_PATHS: usize = 4;

/// Which types of a file hold which others, and under which key.
#[derive(Default)]
pub(crate) struct Containers<'t> {
    holders: BTreeMap<&'t str, Vec<(&'t str, String)>>,
}

impl<'t> Containers<'t> {
    /// Notes that `outer` has a field of type `inner` under the key.
    pub(crate) fn add(&mut self, outer: &'t str, key: String, inner: &'t str) {
        if outer != inner {
            self.holders.entry(inner).or_default().push((outer, key));
        }
    }

    /// The paths under which a field of a type is found, its own key last; none where nothing holds the type.
    pub(crate) fn paths(&self, kind: &str, key: &str) -> Vec<String> {
        let mut out = Vec::new();
        let mut pending = vec![(vec![kind], key.to_owned())];
        while let Some((way, path)) = pending.pop() {
            let Some(holders) = way.last().and_then(|kind| self.holders.get(kind)) else {
                if way.len() > 1 && out.len() < MAX_PATHS {
                    out.push(path);
                }
                continue;
            };
            for (outer, key) in holders.iter().take(MAX_PATHS) {
                if way.len() <= MAX_DEPTH && !way.contains(outer) {
                    let mut way = way.clone();
                    way.push(outer);
                    pending.push((way, format!("{key}.{path}")));
                }
            }
        }
        out.sort();
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composes_paths() {
        let mut containers = Containers::default();
        containers.add("Config", "session".to_owned(), "Session");
        containers.add("Session", "store".to_owned(), "Store");
        containers.add("Other", "store".to_owned(), "Store");
        assert_eq!(containers.paths("Store", "path"), ["session.store.path", "store.path"]);
        assert!(containers.paths("Config", "x").is_empty());
        containers.add("Store", "config".to_owned(), "Config");
        assert_eq!(containers.paths("Store", "path"), ["store.path"]);
    }
}
