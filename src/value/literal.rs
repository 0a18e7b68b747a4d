//! Literals: how extractors write them, and which spellings of a value are equal.

/// The text extractors give a duration: the largest unit that divides it, `400ms`, `20m`, `1h`; `0s` for none.
pub fn duration_text(nanoseconds: u128) -> String {
    const UNITS: [(&str, u128); 6] =
        [("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1)];
    if nanoseconds == 0 {
        return "0s".to_owned();
    }
    UNITS
        .iter()
        .find(|(_, size)| nanoseconds.is_multiple_of(*size))
        .map_or_else(|| format!("{nanoseconds}ns"), |(unit, size)| format!("{}{unit}", nanoseconds / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_durations() {
        for (ns, text) in
            [(0, "0s"), (400_000_000, "400ms"), (1_200_000_000_000, "20m"), (3_600_000_000_000, "1h"), (1_500_000_000, "1500ms")]
        {
            assert_eq!(duration_text(ns), text);
        }
    }
}
