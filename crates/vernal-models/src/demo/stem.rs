//! Cheap word endings: forms of one word get one stem, in English and a little German and Spanish.

use super::irregular::base;
use super::script::{is_dense, without_particle};

/// The stem of a word in lower case. Only equality of stems means something.
pub(crate) fn stem(lower: &str) -> String {
    if is_dense(lower) {
        return without_particle(lower).0.to_owned();
    }
    if let Some(base) = base(lower) {
        return stem(base);
    }
    let mut word = folded(lower);
    for ending in ["'s", "'"] {
        if let Some(rest) = word.strip_suffix(ending) {
            word = rest.to_owned();
        }
    }
    if word.len() < 4 || !word.chars().all(char::is_alphabetic) {
        return word;
    }
    // `cortarme`
    let clitic = [
        "arme", "erme", "irme", "arte", "arse", "arlo", "arla", "arnos",
    ]
    .iter()
    .find_map(|end| word.strip_suffix(end))
    .filter(|rest| rest.len() >= 4);
    if let Some(rest) = clitic {
        return rest.to_owned();
    }
    let mut word = without_plural(&word);
    for ending in ["ing", "ed"] {
        let cut = word
            .strip_suffix(ending)
            .filter(|rest| has_vowel(rest) && rest.len() >= 3);
        if let Some(rest) = cut {
            // `moved` comes from `move`: elsewhere the consonant is doubled.
            let silent = if is_short_syllable(rest) { "e" } else { "" };
            word = format!("{}{silent}", without_double(rest));
            break;
        }
    }
    if word.len() >= 7
        && let Some(rest) = word.strip_suffix("en")
    {
        word = rest.to_owned();
    }
    let last_vowel: &[char] = if word.len() > 5 {
        &['e', 'a', 'o']
    } else {
        &['e']
    };
    if word.len() > 4
        && let Some(rest) = word.strip_suffix(last_vowel)
    {
        word = rest.to_owned();
    }
    match word.strip_suffix('y') {
        Some(rest) if rest.len() >= 3 => format!("{rest}i"),
        _ => word,
    }
}

fn without_plural(word: &str) -> String {
    if let Some(rest) = word.strip_suffix("ies").filter(|rest| rest.len() >= 2) {
        return format!("{rest}y");
    }
    for ending in ["sses", "shes", "ches", "xes", "zes"] {
        if word.ends_with(ending) {
            return word.strip_suffix("es").unwrap_or(word).to_owned();
        }
    }
    let plural = word.ends_with('s') && !["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if plural {
        word.strip_suffix('s').unwrap_or(word).to_owned()
    } else {
        word.to_owned()
    }
}

/// A consonant, a vowel and a consonant that would be doubled.
fn is_short_syllable(word: &str) -> bool {
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    let mut chars = word.chars();
    match (chars.next(), chars.next(), chars.next(), chars.next()) {
        (Some(a), Some(b), Some(c), None) => {
            !vowel(a) && vowel(b) && !vowel(c) && !matches!(c, 'w' | 'x' | 'y')
        }
        _ => false,
    }
}

fn has_vowel(word: &str) -> bool {
    word.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// `stopp` is `stop`; `call` stays.
fn without_double(word: &str) -> &str {
    let mut last = word.chars().rev();
    match (last.next(), last.next()) {
        (Some(a), Some(b))
            if a == b && word.len() > 3 && !['l', 's', 'z', 'e', 'o'].contains(&a) =>
        {
            word.get(..word.len() - a.len_utf8()).unwrap_or(word)
        }
        _ => word,
    }
}

/// Letters without their marks.
fn folded(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => out.push('a'),
            'é' | 'è' | 'ê' | 'ë' => out.push('e'),
            'í' | 'ì' | 'î' | 'ï' => out.push('i'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' => out.push('o'),
            'ú' | 'ù' | 'û' | 'ü' => out.push('u'),
            'ñ' => out.push('n'),
            'ç' => out.push('c'),
            'ß' => out.push_str("ss"),
            '’' => out.push('\''),
            other => out.push(other),
        }
    }
    out
}

/// Endings by which words of one family differ, such as `convert` and `conversion`.
const ENDINGS: &str = " e s t d r n o a li i er or en es ed ing ion tion sion ation ition ator ment ments ly al ung \
     ungen ieren iere ier te ten ar ir os as ado ada ando ción ciones y ity able ance ence ant ent ist ism \
     ful ness ial ally ers ors ings ions ations ated ates ate ize izes ise ises izer";

/// Whether two stems are of one family: a long common beginning and known endings.
pub(crate) fn is_family(a: &str, b: &str) -> bool {
    let shared: usize = a
        .chars()
        .zip(b.chars())
        .take_while(|(x, y)| x == y)
        .map(|(x, _)| x.len_utf8())
        .sum();
    let longest = a.len().max(b.len());
    if shared < 4 || shared * 10 < longest * 6 {
        return false;
    }
    let known = |rest: &str| rest.is_empty() || ENDINGS.split_whitespace().any(|e| e == rest);
    match (a.get(shared..), b.get(shared..)) {
        (Some(x), Some(y)) => known(x) && known(y),
        _ => false,
    }
}

/// Whether two words of at least six letters differ by one slip of the hand.
pub(crate) fn is_typo(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().min(b.len()) < 5 || a.len().abs_diff(b.len()) > 1 || a.first() != b.first() || a == b
    {
        return false;
    }
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (longest, shortest) = (a.len().max(b.len()), a.len().min(b.len()));
    if start + end + 1 >= longest {
        return shortest >= 6 || longest > shortest;
    }
    // Two neighbours exchanged.
    a.len() == b.len()
        && start + end + 2 == longest
        && a.get(start) == b.get(start + 1)
        && a.get(start + 1) == b.get(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for (a, b) in [
            ("cities", "city"),
            ("orders", "order"),
            ("booking", "book"),
            ("stopped", "stop"),
            ("Termine", "Termin"),
            ("vuelos", "vuelo"),
            ("notes", "note"),
            ("moved", "move"),
            ("fixing", "fix"),
            ("adding", "add"),
            ("alarm's", "alarm"),
            ("알람을", "알람"),
        ] {
            assert_eq!(stem(&a.to_lowercase()), stem(&b.to_lowercase()), "{a} {b}");
        }
        assert_ne!(stem("status"), stem("stat"));
    }

    #[test]
    fn families_have_known_endings() {
        assert!(is_family("convert", "conversion") && is_family("translat", "translation"));
        assert!(!is_family("country", "counter") && !is_family("cat", "category"));
    }

    #[test]
    fn slips_are_forgiven_in_long_words() {
        assert!(is_typo("wether", "weather") && is_typo("calender", "calendar"));
        assert!(is_typo("recieve", "receive"));
        assert!(!is_typo("order", "older") && !is_typo("note", "vote"));
    }
}
