//! Korean verbs: from the form in which they are listed to the root that their other forms begin with.

/// The first syllable of the block in which vowels and consonants are composed.
const FIRST: u32 = 0xac00;
const VOWELS: u32 = 21;
const FINALS: u32 = 28;
/// The consonant that stands for none.
const SILENT: u32 = 11;

/// The root of a form in `-아` or `-어`: `바꾸` of `바꿔`, `닫` of `닫아`, `올리` of `올려`, `끄` of `꺼`.
pub(super) fn root(word: &str) -> Option<String> {
    let last = word.chars().next_back()?;
    let head = word.get(..word.len() - last.len_utf8())?;
    let code = u32::from(last)
        .checked_sub(FIRST)
        .filter(|code| *code < 11_172)?;
    let (initial, vowel, end) = (
        code / FINALS / VOWELS,
        code / FINALS % VOWELS,
        code % FINALS,
    );
    if end != 0 {
        return None;
    }
    let with = |vowel: u32| {
        let c = char::from_u32(FIRST + (initial * VOWELS + vowel) * FINALS)?;
        Some(format!("{head}{c}"))
    };
    match vowel {
        // 아, 어
        0 | 4 if initial == SILENT && !head.is_empty() => Some(head.to_owned()),
        // ㅓ of 꺼
        4 => with(18),
        // ㅕ of 올려
        6 => with(20),
        // ㅝ of 바꿔
        14 => with(13),
        // ㅘ of 봐
        9 if !head.is_empty() => with(8),
        // 해
        1 if initial == 18 => with(0),
        _ => None,
    }
}

/// A word without the consonant that an ending has put under its last syllable: `빌리` of `빌릴`.
pub(super) fn without_final(word: &str) -> Option<String> {
    /// `ㄴ`, `ㄹ`, `ㅁ`, `ㅂ`
    const ENDINGS: [u32; 4] = [4, 8, 16, 17];
    let last = word.chars().next_back()?;
    let code = u32::from(last)
        .checked_sub(FIRST)
        .filter(|code| *code < 11_172)?;
    let end = code % FINALS;
    let open = char::from_u32(u32::from(last) - end).filter(|_| ENDINGS.contains(&end))?;
    Some(format!(
        "{}{open}",
        word.get(..word.len() - last.len_utf8())?
    ))
}

#[cfg(test)]
mod tests {
    use super::{root, without_final};

    #[test]
    fn endings_are_taken_off_the_last_syllable() {
        for (word, wanted) in [
            ("빌릴", Some("빌리")),
            ("보낼", Some("보내")),
            ("책", None),
            ("", None),
        ] {
            assert_eq!(without_final(word).as_deref(), wanted, "{word}");
        }
    }

    #[test]
    fn roots_of_korean_verbs() {
        for (word, wanted) in [
            ("바꿔", Some("바꾸")),
            ("닫아", Some("닫")),
            ("올려", Some("올리")),
            ("꺼", Some("끄")),
            ("지워", Some("지우")),
            ("예약", None),
            ("", None),
        ] {
            assert_eq!(root(word).as_deref(), wanted, "{word}");
        }
    }
}
