//! Counts, sizes and durations as the screen says them.

/// A count with separators: `1,204,332`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count with its noun: `1 table`, `1,204 tables`.
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// Bytes in KiB, MiB …, with one digit after the point below ten: `4.1 KiB`, `412 MiB`.
pub fn size(bytes: u64) -> String {
    let mut unit = "B";
    let mut whole = bytes;
    let mut tenths = 0;
    for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if whole < 1024 {
            break;
        }
        tenths = whole % 1024 * 10 / 1024;
        whole /= 1024;
        unit = next;
    }
    if unit != "B" && whole < 10 {
        format!("{whole}.{tenths} {unit}")
    } else {
        format!("{} {unit}", count(whole))
    }
}

/// A duration: `12 ms`, `2.1 s`, `3 min 05 s`.
pub fn duration(millis: u64) -> String {
    match millis {
        0..=999 => format!("{millis} ms"),
        1_000..=59_999 => format!("{}.{} s", millis / 1000, millis % 1000 / 100),
        _ => format!("{} min {:02} s", millis / 60_000, millis % 60_000 / 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_separators() {
        for (n, said) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_204_332, "1,204,332")] {
            assert_eq!(count(n), said);
        }
        assert_eq!(counted(1, "table", "tables"), "1 table");
        assert_eq!(counted(1204, "table", "tables"), "1,204 tables");
    }

    #[test]
    fn sizes_are_binary() {
        for (bytes, said) in [
            (0, "0 B"),
            (1023, "1,023 B"),
            (1024, "1.0 KiB"),
            (4200, "4.1 KiB"),
            (412 << 20, "412 MiB"),
            (u64::MAX, "15 EiB"),
        ] {
            assert_eq!(size(bytes), said);
        }
    }

    #[test]
    fn durations_change_unit() {
        for (millis, said) in [(12, "12 ms"), (2_150, "2.1 s"), (185_000, "3 min 05 s")] {
            assert_eq!(duration(millis), said);
        }
    }
}
