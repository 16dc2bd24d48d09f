/// The known name that is nearest to `written`, if it is near enough to have been meant: a third of the
/// letters may be wrong, and one always may.
pub(super) fn nearest<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let allowed = (written.chars().count() / 3).max(1);
    let distances = known.into_iter().map(|name| (edits(written, name), name));
    let (edits, name) = distances.min_by_key(|(edits, _)| *edits)?;
    (edits <= allowed).then_some(name)
}

/// How many letters must be inserted, left out or replaced to turn one text into the other.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (row, from) in a.chars().enumerate() {
        let mut left = row + 1;
        let mut corner = row;
        if let Some(first) = above.first_mut() {
            *first = left;
        }
        for (cell, to) in above.iter_mut().skip(1).zip(&b) {
            let replaced = corner + usize::from(from != *to);
            corner = *cell;
            left = replaced.min(*cell + 1).min(left + 1);
            *cell = left;
        }
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_what_is_nearly_it() {
        let known = ["openai", "ollama", "groq", "anthropic"];
        for (written, meant) in [
            ("opnai", Some("openai")),
            ("antropic", Some("anthropic")),
            ("grok", Some("groq")),
            ("olama", Some("ollama")),
            ("cohere", None),
            ("", None),
        ] {
            assert_eq!(nearest(written, known), meant, "{written}");
        }
        assert_eq!((edits("ab", "ba"), edits("kitten", "sitting")), (2, 3));
    }
}
