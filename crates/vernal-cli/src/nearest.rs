//! Guessing which known name was meant.

/// The known name that is nearest to `written`, if any is near enough to have been meant.
pub(crate) fn nearest<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let written = written.to_lowercase();
    let nearest = known
        .into_iter()
        .map(|name| (edits(&written, &name.to_lowercase()), name))
        .min_by_key(|(edits, _)| *edits);
    // A third of the letters may be wrong, and one always may.
    let allowed = (written.chars().count() / 3).max(1);
    nearest
        .filter(|(edits, _)| *edits <= allowed)
        .map(|(_, name)| name)
}

/// How many letters must be inserted, left out, replaced, or swapped with their neighbour to turn one
/// text into the other.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut two_above: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    let mut before = None;
    for (row, from) in a.chars().enumerate() {
        let mut current = vec![row + 1];
        let mut left = row + 1;
        for (column, to) in b.iter().enumerate() {
            let at =
                |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX / 2);
            let replaced = at(&above, column) + usize::from(from != *to);
            left = replaced.min(at(&above, column + 1) + 1).min(left + 1);
            let neighbour = column
                .checked_sub(1)
                .filter(|before| b.get(*before) == Some(&from));
            if let Some(column) = neighbour.filter(|_| before == Some(*to)) {
                left = left.min(at(&two_above, column) + 1);
            }
            current.push(left);
        }
        before = Some(from);
        two_above = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_guessed_from_a_typo() {
        let known = ["--model", "--max-rounds", "--base-url", "--json"];
        for (written, meant) in [
            ("--modle", Some("--model")),
            ("--maxrounds", Some("--max-rounds")),
            ("--JSON", Some("--json")),
            ("--weather", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, known), meant, "{written}");
        }
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn edits_are_counted() {
        for (a, b, count) in [
            ("", "", 0),
            ("", "ab", 2),
            ("ab", "", 2),
            ("kitten", "sitting", 3),
            ("chta", "chat", 1),
        ] {
            assert_eq!(edits(a, b), count, "{a} {b}");
        }
    }
}
