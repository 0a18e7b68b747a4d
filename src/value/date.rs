//! Calendar days as `YYYY-MM-DD`, in which order of text is order of time. No clock is read here.

/// Whether a text is a day of the calendar.
pub fn is_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10
        && bytes.iter().enumerate().all(|(i, b)| if matches!(i, 4 | 7) { *b == b'-' } else { b.is_ascii_digit() });
    if !shaped {
        return false;
    }
    let number = |from: usize, to: usize| text[from..to].parse::<u32>().unwrap_or(0);
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    (1..=days_in(year, month)).contains(&day)
}

fn is_leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Days of a month; none where there is no such month.
fn days_in(year: u32, month: u32) -> u32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => 0,
    }
}

/// The day (UTC) of a number of seconds since 1970.
pub fn day_of(seconds: u64) -> String {
    let mut days = u32::try_from(seconds / 86_400).unwrap_or(0);
    let mut year = 1970;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        // What lies behind the four digits of a year is no day this tool meets.
        if days < length || year == 9999 {
            break;
        }
        days -= length;
        year += 1;
    }
    let mut month = 1;
    while month < 12 && days >= days_in(year, month) {
        days -= days_in(year, month);
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days.min(30) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_calendar() {
        for (text, expected) in [
            ("2024-02-29", true),
            ("2023-02-29", false),
            ("1900-02-29", false),
            ("2000-02-29", true),
            ("2026-13-01", false),
            ("2026-00-10", false),
            ("2026-04-31", false),
            ("2026-4-1", false),
            ("2026-04-01T", false),
            ("２026-04-1", false),
        ] {
            assert_eq!(is_day(text), expected, "{text}");
        }
    }

    #[test]
    fn reads_seconds() {
        for (seconds, expected) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_709_164_800, "2024-02-29"),
            (1_798_675_200, "2026-12-31"),
            (1_798_761_600, "2027-01-01"),
        ] {
            assert_eq!(day_of(seconds), expected);
        }
    }
}
