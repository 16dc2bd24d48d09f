//! Which writing a character belongs to, and what the scripts without spaces or with glued endings need.

/// The writings that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Alphabet,
    Hangul,
    Han,
    Hiragana,
    Katakana,
}

/// The writing of a letter.
pub(crate) fn script_of(c: char) -> Script {
    match c {
        '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}' => {
            Script::Hangul
        }
        '\u{3041}'..='\u{309f}' => Script::Hiragana,
        '\u{30a0}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => Script::Katakana,
        '々' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' => Script::Han,
        _ => Script::Alphabet,
    }
}

/// Whether words are written with endings glued on or without spaces, so that parts of words count.
pub(crate) fn is_dense(text: &str) -> bool {
    text.chars()
        .next()
        .is_some_and(|c| script_of(c) != Script::Alphabet)
}

/// What a particle says about the noun before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Particle {
    Subject,
    Object,
    Of,
    At,
    From,
    To,
    ToPerson,
    With,
    Until,
    About,
    Saying,
}

/// Korean particles; whether they follow a final consonant (`Some(true)`), a vowel, or either.
const KOREAN: &[(&str, Option<bool>, Particle)] = &[
    ("에서부터", None, Particle::From),
    ("이라고", Some(true), Particle::Saying),
    ("으로는", Some(true), Particle::To),
    ("에서는", None, Particle::At),
    ("에서의", None, Particle::At),
    ("에게서", None, Particle::From),
    ("라고", None, Particle::Saying),
    ("다고", None, Particle::Saying),
    ("에게", None, Particle::ToPerson),
    ("한테", None, Particle::ToPerson),
    ("에서", None, Particle::At),
    ("에는", None, Particle::At),
    ("까지", None, Particle::Until),
    ("부터", None, Particle::From),
    ("으로", Some(true), Particle::To),
    ("하고", None, Particle::With),
    ("이랑", Some(true), Particle::With),
    ("랑", Some(false), Particle::With),
    ("께", None, Particle::ToPerson),
    ("의", None, Particle::Of),
    ("에", None, Particle::At),
    ("로", None, Particle::To),
    ("을", Some(true), Particle::Object),
    ("를", Some(false), Particle::Object),
    ("은", Some(true), Particle::Subject),
    ("는", Some(false), Particle::Subject),
    ("이", Some(true), Particle::Subject),
    ("가", Some(false), Particle::Subject),
    ("과", Some(true), Particle::With),
    ("와", Some(false), Particle::With),
    ("도", None, Particle::Subject),
];

fn has_final_consonant(c: char) -> Option<bool> {
    let code = u32::from(c)
        .checked_sub(0xac00)
        .filter(|code| *code < 11172)?;
    Some(code % 28 != 0)
}

/// A Korean word without its particle. What is left has at least two syllables, unless the word was
/// left whole: short nouns such as `회의` end like particles.
pub(crate) fn without_particle(word: &str) -> (&str, Option<Particle>) {
    for (particle, after_consonant, meaning) in KOREAN {
        let Some(noun) = word.strip_suffix(particle) else {
            continue;
        };
        let enough = noun.chars().count() >= 2 || particle.chars().count() >= 2;
        let Some(last) = noun.chars().last().filter(|_| enough) else {
            continue;
        };
        let last_is_latin_or_digit = has_final_consonant(last).is_none();
        if after_consonant
            .is_none_or(|c| last_is_latin_or_digit || has_final_consonant(last) == Some(c))
        {
            return (noun, Some(*meaning));
        }
        // `서울로`: ㄹ takes the short form although it is a consonant.
        if *particle == "으로" {
            continue;
        }
    }
    (word, None)
}

/// The particle that a hiragana word is, if it is one.
pub(crate) fn japanese_particle(word: &str) -> Option<Particle> {
    Some(match word {
        "の" => Particle::Of,
        "を" => Particle::Object,
        "は" | "が" | "も" => Particle::Subject,
        "に" => Particle::At,
        "で" => Particle::At,
        "へ" => Particle::To,
        "から" => Particle::From,
        "まで" => Particle::Until,
        "と" | "や" => Particle::With,
        "という" | "って" => Particle::Saying,
        "について" | "に関する" => Particle::About,
        _ => return None,
    })
}

/// How much two words share, by pairs of neighbouring characters: 0 to 1.
pub(crate) fn pair_overlap(a: &str, b: &str) -> f32 {
    let pairs =
        |text: &str| -> Vec<(char, char)> { text.chars().zip(text.chars().skip(1)).collect() };
    let (a, mut b) = (pairs(a), pairs(b));
    let total = a.len() + b.len();
    if total == 0 {
        return 0.0;
    }
    let mut shared = 0_u16;
    for pair in &a {
        if let Some(at) = b.iter().position(|other| other == pair) {
            b.swap_remove(at);
            shared += 1;
        }
    }
    2.0 * f32::from(shared) / total as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_are_taken_off_korean_nouns() {
        for (word, noun, particle) in [
            ("서울의", "서울", Some(Particle::Of)),
            ("알람을", "알람", Some(Particle::Object)),
            ("뉴욕에서", "뉴욕", Some(Particle::At)),
            ("철수에게", "철수", Some(Particle::ToPerson)),
            ("부산까지", "부산", Some(Particle::Until)),
            ("회의", "회의", None),
            ("서울로", "서울", Some(Particle::To)),
            ("날씨", "날씨", None),
            ("", "", None),
        ] {
            assert_eq!(without_particle(word), (noun, particle), "{word}");
        }
    }

    #[test]
    fn pairs_measure_likeness() {
        assert!(pair_overlap("환율조회", "환율") > 0.4);
        assert_eq!(pair_overlap("a", "a"), 0.0);
        assert_eq!(pair_overlap("날씨", "알람"), 0.0);
    }
}
