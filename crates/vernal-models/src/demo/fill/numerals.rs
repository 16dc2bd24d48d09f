//! Numbers as words and digits, in several languages.

use std::sync::LazyLock;

use super::unit::unit_of;
use crate::demo::lang::Lang;
use crate::demo::lookup::Lookup;

const SMALL: &[(Lang, &str)] = &[
    (
        Lang::En,
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
         sixteen seventeen eighteen nineteen twenty",
    ),
    (
        Lang::De,
        "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn \
         sechzehn siebzehn achtzehn neunzehn zwanzig",
    ),
    (
        Lang::Es,
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince \
         dieciséis diecisiete dieciocho diecinueve veinte",
    ),
    (
        Lang::Fr,
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize \
         dix-sept dix-huit dix-neuf vingt",
    ),
];

const OTHERS: &[(Lang, f64, &str)] = &[
    (Lang::En, 30.0, "thirty"),
    (Lang::En, 40.0, "forty fourty"),
    (Lang::En, 50.0, "fifty"),
    (Lang::En, 60.0, "sixty"),
    (Lang::En, 70.0, "seventy"),
    (Lang::En, 80.0, "eighty"),
    (Lang::En, 90.0, "ninety"),
    (Lang::En, 100.0, "hundred"),
    (Lang::En, 12.0, "dozen"),
    (Lang::En, 2.0, "couple twice both"),
    (Lang::En, 0.5, "half"),
    (Lang::En, 3.0, "thrice"),
    (Lang::De, 2.0, "zweimal"),
    (Lang::De, 3.0, "dreimal"),
    (Lang::De, 30.0, "dreißig"),
    (Lang::De, 40.0, "vierzig"),
    (Lang::De, 50.0, "fünfzig"),
    (Lang::De, 60.0, "sechzig"),
    (Lang::De, 90.0, "neunzig"),
    (Lang::De, 100.0, "hundert"),
    (Lang::De, 12.0, "dutzend"),
    (Lang::De, 0.5, "halbe halben halber halbes"),
    (Lang::De, 1.5, "anderthalb anderthalbe eineinhalb"),
    (Lang::De, 2.5, "zweieinhalb"),
    (Lang::De, 3.5, "dreieinhalb"),
    (Lang::De, 4.5, "viereinhalb"),
    (Lang::Es, 30.0, "treinta"),
    (Lang::Es, 40.0, "cuarenta"),
    (Lang::Es, 50.0, "cincuenta"),
    (Lang::Es, 60.0, "sesenta"),
    (Lang::Es, 90.0, "noventa"),
    (Lang::Es, 100.0, "cien ciento"),
    (Lang::Es, 12.0, "docena"),
    (Lang::Es, 0.5, "media medio"),
    (Lang::Fr, 30.0, "trente"),
    (Lang::Fr, 100.0, "cent"),
    (Lang::Fr, 0.5, "demi demie"),
];

pub(crate) const ORDINALS: &str =
    "first second third fourth fifth sixth seventh eighth ninth tenth";

/// Native Korean tens and ones, longest first; they are followed by a counter.
const KOREAN_TENS: &[(&str, f64)] = &[
    ("스물", 20.0),
    ("스무", 20.0),
    ("서른", 30.0),
    ("마흔", 40.0),
    ("예순", 60.0),
    ("일흔", 70.0),
    ("여든", 80.0),
    ("아흔", 90.0),
    ("쉰", 50.0),
    ("열", 10.0),
];
const KOREAN_ONES: &[(&str, f64)] = &[
    ("다섯", 5.0),
    ("여섯", 6.0),
    ("일곱", 7.0),
    ("여덟", 8.0),
    ("아홉", 9.0),
    ("하나", 1.0),
    ("한", 1.0),
    ("두", 2.0),
    ("둘", 2.0),
    ("세", 3.0),
    ("셋", 3.0),
    ("네", 4.0),
    ("넷", 4.0),
    ("반", 0.5),
];

/// The native Korean number that a word begins with, and the rest: `열다섯 명`, `두잔`.
pub(crate) fn native(word: &str) -> Option<(f64, &str)> {
    let first = |word: &'_ str, table: &[(&str, f64)]| {
        let found = table.iter().find(|(number, _)| word.starts_with(number))?;
        Some((found.1, found.0.len()))
    };
    let (tens, length) = first(word, KOREAN_TENS).unwrap_or((0.0, 0));
    let rest = word.get(length..)?;
    match first(rest, KOREAN_ONES).filter(|(ones, _)| tens == 0.0 || *ones >= 1.0) {
        Some((ones, length)) => Some((tens + ones, rest.get(length..)?)),
        None => (tens > 0.0).then_some((tens, rest)),
    }
}

/// Whether a native number counts without a counter: `둘`, `하나만`; `rest` is what follows it in its word.
pub(crate) fn stands_alone(word: &str, rest: &str) -> bool {
    const NOUNS: &[&str] = &[
        "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉",
    ];
    NOUNS.iter().any(|noun| word.starts_with(noun))
        && " 랑 이랑 하고 만 요 씩 를 을 이요 로 으로 에 예요 이에요 이고 이고요 야 뿐"
            .split(' ')
            .any(|end| end == rest)
}

/// Korean words for so many days.
pub(crate) const KOREAN_DAYS: &[(&str, f64)] = &[
    ("일주일", 7.0),
    ("하루", 1.0),
    ("이틀", 2.0),
    ("사흘", 3.0),
    ("나흘", 4.0),
    ("닷새", 5.0),
    ("엿새", 6.0),
    ("열흘", 10.0),
    ("보름", 15.0),
];

const HAN: &str = "〇一二三四五六七八九十";

/// Words that multiply the number before them.
pub(crate) fn multiplier(word: &str) -> Option<(f64, &str)> {
    let plain = match word {
        "hundred" | "hundert" | "cent" => 100.0,
        "k" | "thousand" | "tausend" | "mil" | "mille" => 1e3,
        "million" | "millions" | "millionen" | "millones" | "millón" | "mio" | "mn" => 1e6,
        "billion" | "billions" | "milliarden" | "milliarde" | "bn" => 1e9,
        "dozen" | "dutzend" | "docenas" => 12.0,
        _ => 0.0,
    };
    if plain > 0.0 {
        return Some((plain, ""));
    }
    let dense = [
        ("백만", 1e6),
        ("천만", 1e7),
        ("만", 1e4),
        ("천", 1e3),
        ("백", 1e2),
        ("억", 1e8),
        ("万", 1e4),
        ("千", 1e3),
        ("百", 1e2),
    ];
    let not_unit = unit_of(word).is_none();
    dense.iter().find_map(|(head, factor)| {
        word.strip_prefix(head)
            .filter(|_| not_unit)
            .map(|rest| (*factor, rest))
    })
}

/// The value of a number of digits: `1,234.5`, and in some languages `1.234,5`.
pub(crate) fn digits(text: &str, lang: Lang) -> Option<f64> {
    let comma_is_decimal = matches!(lang, Lang::De | Lang::Es | Lang::Fr);
    let groups_of_three = |sign: char| {
        let mut parts = text.split(sign);
        parts
            .next()
            .is_some_and(|first| (1..=3).contains(&first.len()))
            && parts.all(|part| part.len() == 3)
    };
    let plain = match (text.rfind(','), text.rfind('.')) {
        (Some(comma), Some(dot)) if comma > dot => text.replace('.', "").replace(',', "."),
        (Some(_), Some(_)) => text.replace(',', ""),
        (Some(_), None) if groups_of_three(',') && !comma_is_decimal => text.replace(',', ""),
        (Some(_), None) => text.replace(',', "."),
        (None, Some(_)) if groups_of_three('.') && comma_is_decimal => text.replace('.', ""),
        (None, Some(_)) if text.matches('.').count() > 1 => return None,
        _ => text.to_owned(),
    };
    plain.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// The number that a word in lower case means.
pub(crate) fn word_value(word: &str, lang: Lang) -> Option<f64> {
    static TABLE: LazyLock<Lookup<(Lang, f64)>> = LazyLock::new(|| {
        let counted = SMALL.iter().flat_map(|(lang, words)| {
            let words = words.split_whitespace().enumerate();
            words.map(|(at, word)| ((*lang, at as f64), word))
        });
        let others = OTHERS
            .iter()
            .map(|(lang, value, words)| ((*lang, *value), *words));
        Lookup::new(counted.chain(others))
    });
    let of = |wanted: Lang| {
        let mut values = TABLE.all(word).iter();
        values
            .find(|(lang, _)| *lang == wanted)
            .map(|(_, value)| *value)
    };
    let german_tens = || {
        // `fünfundzwanzig`
        let (ones, tens) = word.split_once("und").filter(|_| lang == Lang::De)?;
        let ones = if ones == "ein" { "eins" } else { ones };
        Some(word_value(ones, lang)? + word_value(tens, lang)?)
    };
    if let Some(value) = of(lang).or_else(german_tens) {
        return Some(value);
    }
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c != '〇' => HAN
            .chars()
            .position(|known| known == c)
            .map(|value| value as f64),
        _ => None,
    }
}
