//! Versions by prefix: `1.20` states `1.20.0`, `3.8+` states `>=3.8` (`design.md` section 7).

/// The numeric components of a version, without a leading `v`; `None` where there is none.
pub fn components(version: &str) -> Option<Vec<u64>> {
    let digits: String = version
        .trim()
        .trim_start_matches(['v', 'V', '^', '~', '>', '=', ' '])
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let parts: Option<Vec<u64>> = digits.trim_end_matches('.').split('.').map(|p| p.parse().ok()).collect();
    parts.filter(|p| !p.is_empty())
}

/// Whether a cited version states the actual one: equal up to the shorter of the two, a longer rest being zeros, and never
/// coarser than `least` components.
pub fn states(cited: &str, actual: &str, least: usize) -> bool {
    let (Some(c), Some(a)) = (components(cited), components(actual)) else { return false };
    let shared = c.len().min(a.len());
    c[..shared] == a[..shared] && c[shared..].iter().all(|n| *n == 0) && (c.len() >= least.min(a.len()))
}

/// Whether a caret range from one version lets another in: the same leftmost part that is not zero, and not older.
pub fn is_compatible(from: &str, to: &str) -> bool {
    let (Some(from), Some(to)) = (components(from), components(to)) else { return false };
    let fixed = from.iter().position(|n| *n != 0).map_or(from.len(), |at| at + 1);
    from.len() >= fixed && to.get(..fixed) == from.get(..fixed) && to >= from
}

/// Whether the version is a preview: a snapshot, development, alpha, beta or release candidate.
pub fn is_preview(version: &str) -> bool {
    let lower = version.to_lowercase();
    ["snapshot", "dev", "alpha", "beta", "rc", "pre", "nightly", "canary", "next"].iter().any(|w| lower.contains(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caret_ranges() {
        for (from, to, expected) in [
            ("0.1.6", "0.1.7", true),
            ("0.2", "0.3.0", false),
            ("1.2", "1.3.0", true),
            ("1.2.0", "2.0.0", false),
            ("0.0.3", "0.0.4", false),
            ("1.3", "1.2", false),
        ] {
            assert_eq!(is_compatible(from, to), expected, "{from} {to}");
        }
    }

    #[test]
    fn compares_by_prefix() {
        for (cited, actual, least, expected) in [
            ("1.20", "1.20.0", 2, true),
            ("1.20.0", "1.20", 2, true),
            ("1.24", "1.24.6", 2, true),
            ("3.8", "3.9", 2, false),
            ("3", "3.9", 2, false),
            ("18", "18.12.0", 1, true),
            ("18", "18", 2, true),
            ("1.65.1", "1.65", 2, false),
        ] {
            assert_eq!(states(cited, actual, least), expected, "{cited} {actual}");
        }
    }
}
