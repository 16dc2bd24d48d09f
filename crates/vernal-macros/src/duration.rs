//! Durations written as text.

const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

/// The milliseconds of a whole number and a unit, such as `5s`, or what is wrong with it.
pub(crate) fn milliseconds(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let unit_begins = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_begins);
    let unit = unit.trim_start();
    if number.is_empty() {
        return Err(format!("`{text}` does not begin with a number"));
    }
    if unit.is_empty() {
        return Err(format!("`{text}` has no unit"));
    }
    let Some((_, factor)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err(format!("`{unit}` is no unit"));
    };
    let milliseconds = number
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(*factor));
    match milliseconds {
        None => Err(format!("`{text}` is too long")),
        Some(0) => Err(format!("`{text}` leaves no time")),
        Some(milliseconds) => Ok(milliseconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_a_unit_are_milliseconds() {
        for (text, expected) in [
            ("1ms", 1),
            ("500ms", 500),
            ("5s", 5_000),
            (" 5 s ", 5_000),
            ("2m", 120_000),
            ("1h", 3_600_000),
        ] {
            assert_eq!(milliseconds(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn everything_else_is_explained() {
        for (text, problem) in [
            ("", "`` does not begin with a number"),
            ("s", "`s` does not begin with a number"),
            ("-1s", "`-1s` does not begin with a number"),
            ("5", "`5` has no unit"),
            ("5sec", "`sec` is no unit"),
            ("1.5s", "`.5s` is no unit"),
            ("5S", "`S` is no unit"),
            ("0s", "`0s` leaves no time"),
            (
                "99999999999999999999ms",
                "`99999999999999999999ms` is too long",
            ),
            ("9999999999999999h", "`9999999999999999h` is too long"),
        ] {
            assert_eq!(milliseconds(text), Err(problem.to_owned()), "{text}");
        }
    }
}
