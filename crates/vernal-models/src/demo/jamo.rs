//! Korean words by their letters: forms of one verb share a beginning that ends inside of a syllable.

const FIRST: u32 = 0xac00;
const SYLLABLES: u32 = 11_172;
const FINALS: u32 = 28;
const VOWELS: u32 = 21;

/// The vowels that are written as two: `ㅝ` is `ㅜ` and `ㅓ`.
const DOUBLE: &[(u32, [u32; 2])] = &[
    (1, [0, 20]),
    (5, [4, 20]),
    (6, [20, 4]),
    (9, [8, 0]),
    (14, [13, 4]),
    (11, [8, 20]),
    (16, [13, 20]),
];

/// Where the letters of a syllable's end begin among the codes.
const ENDS: u32 = 100;
/// Where its vowels begin.
const MIDDLES: u32 = 50;
/// The final consonants by the initial ones that they are.
const AS_INITIAL: &[u32] = &[
    0, 0, 1, 9, 2, 12, 18, 3, 5, 0, 6, 7, 9, 16, 17, 18, 6, 7, 9, 9, 10, 11, 12, 14, 15, 16, 17, 18,
];

/// The letters of a word, each as a number; `None` where it is not written in Hangul alone.
fn letters(word: &str) -> Option<Vec<u32>> {
    let mut letters = Vec::new();
    for c in word.chars() {
        let code = u32::from(c)
            .checked_sub(FIRST)
            .filter(|code| *code < SYLLABLES)?;
        letters.push(code / FINALS / VOWELS);
        let vowel = code / FINALS % VOWELS;
        match DOUBLE.iter().find(|(double, _)| *double == vowel) {
            Some((_, parts)) => letters.extend(parts.map(|part| MIDDLES + part)),
            None => letters.push(MIDDLES + vowel),
        }
        let end = code % FINALS;
        // `ㄻ` of `힘듦`
        if end == 10 {
            letters.push(5);
        }
        if end > 0 {
            letters.push(AS_INITIAL.get(end as usize).copied().unwrap_or(ENDS + end));
        }
    }
    Some(letters)
}

/// A word in its listed form without the ending that makes a noun or an infinitive of a verb.
fn root(word: &str) -> Option<Vec<u32>> {
    let mut letters = letters(word)?;
    let ending = ["기", "음", "다"].iter().find(|end| word.ends_with(**end));
    let cut = match ending {
        Some(&"음") => 3,
        Some(_) => 2,
        // `힘듦`, `쉬움`
        None if letters.last() == Some(&6) => 1,
        None => return None,
    };
    letters.truncate(letters.len().saturating_sub(cut));
    Some(letters)
}

/// Whether one word is the listed form of a verb of which the other is another form.
pub(super) fn is_conjugated(a: &str, b: &str) -> bool {
    const LEAST: usize = 5;
    let form_of = |listed: &str, said: &str| {
        let root = root(listed).filter(|root| root.len() >= LEAST);
        root.zip(letters(said))
            .is_some_and(|(root, said)| said.starts_with(&root))
    };
    form_of(a, b) || form_of(b, a)
}

#[cfg(test)]
mod tests {
    use super::is_conjugated;

    #[test]
    fn forms_of_a_verb_share_their_root() {
        for (listed, said, wanted) in [
            ("힘듦", "힘들었어", true),
            ("쉬움", "쉬웠어요", true),
            ("달리기", "달렸어", true),
            ("걷기", "전화", false),
            ("매움", "매워요", true),
            ("사진", "사전", false),
        ] {
            assert_eq!(is_conjugated(listed, said), wanted, "{listed} {said}");
        }
    }
}
