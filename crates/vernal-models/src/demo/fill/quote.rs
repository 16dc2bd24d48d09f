//! Texts in quotation marks.

use std::ops::Range;

/// The most characters between two quotation marks.
const LONGEST_QUOTE: usize = 4000;

/// Texts in quotation marks, with the span that includes the marks.
pub(crate) fn quoted(text: &str) -> Vec<(String, Range<usize>)> {
    const PAIRS: &[(char, &[char])] = &[
        ('"', &['"']),
        ('“', &['”', '“']),
        ('„', &['“', '”', '"']),
        ('«', &['»']),
        ('「', &['」']),
        ('『', &['』']),
        ('`', &['`']),
        ('‘', &['’']),
        ('\'', &['\'']),
    ];
    let mut found = Vec::new();
    let mut from = 0;
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    for (index, (at, c)) in chars.iter().enumerate() {
        let Some((_, closing)) = PAIRS
            .iter()
            .find(|(open, _)| open == c)
            .filter(|_| *at >= from)
        else {
            continue;
        };
        let before = index
            .checked_sub(1)
            .and_then(|i| chars.get(i))
            .map(|(_, c)| *c);
        let single = matches!(c, '\'' | '‘');
        if single && before.is_some_and(char::is_alphanumeric) {
            continue;
        }
        let close = chars
            .iter()
            .enumerate()
            .skip(index + 1)
            .take(LONGEST_QUOTE)
            .find(|(i, (_, c))| {
                let after = chars.get(i + 1).map(|(_, c)| *c);
                closing.contains(c) && !(single && after.is_some_and(|c| c.is_ascii_alphanumeric()))
            });
        let Some((_, (end, mark))) = close else {
            continue;
        };
        let inner = text.get(at + c.len_utf8()..*end).unwrap_or_default();
        if inner.trim().is_empty() {
            continue;
        }
        from = end + mark.len_utf8();
        found.push((inner.to_owned(), *at..from));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_of_many_kinds() {
        let inner = |text: &str| {
            quoted(text)
                .into_iter()
                .map(|(inner, _)| inner)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            inner("say \"hi there\" and 'it's me'"),
            ["hi there", "it's me"]
        );
        assert_eq!(
            inner("„Guten Tag“ «bon» 「東京」 “x”"),
            ["Guten Tag", "bon", "東京", "x"]
        );
        assert_eq!(inner("it's Bob's dog"), Vec::<String>::new());
        assert_eq!(inner("'회의 늦어요'라고"), ["회의 늦어요"]);
        assert_eq!(inner("\"open"), Vec::<String>::new());
    }
}
