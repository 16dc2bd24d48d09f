//! Numbers in a text, with the unit or the noun that they count.

use super::number_unit::{read_sign, read_unit};
use super::numerals::{
    KOREAN_DAYS, ORDINALS, digits, multiplier, native, stands_alone, word_value,
};
use super::unit::{Unit, unit_prefix};
use crate::demo::lang::Lang;
use crate::demo::script::without_particle;
use crate::demo::words::{Token, Word};
use crate::demo::world::currency_of;
use std::ops::Range;

/// How a number was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    Digits,
    Words,
    Ordinal,
    /// `a` or `an` before a noun.
    Article,
}

/// A number and what it counts.
#[derive(Debug, Clone)]
pub(crate) struct Quantity {
    pub(crate) value: f64,
    pub(crate) written: Written,
    pub(crate) unit: Option<Unit>,
    pub(crate) currency: Option<&'static str>,
    /// The word after the number.
    pub(crate) noun: Option<Word>,
    /// What is left of the noun after a glued unit, such as `뒤` in `10분뒤`.
    pub(crate) rest: String,
    /// The number alone.
    pub(crate) span: Range<usize>,
    /// The number with its unit.
    pub(crate) whole: Range<usize>,
    /// The indices of its tokens, unit included.
    pub(crate) tokens: Range<usize>,
}

impl Quantity {
    /// `3번 온실`, `2호기`, `5층`: the number says which one, not how many.
    pub(crate) fn is_designator(&self) -> bool {
        let heads = ["번", "호", "층", "기", "동", "라인", "호선", "관"];
        let times = ["번째", "번만", "번씩"];
        self.written == Written::Digits
            && self.noun.as_ref().is_some_and(|noun| {
                heads.iter().any(|head| noun.lower.starts_with(head))
                    && !times.iter().any(|head| noun.lower.starts_with(head))
            })
    }
}

/// Every number of the text, in order.
pub(crate) fn quantities(tokens: &[Token], lang: Lang) -> Vec<Quantity> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match quantity_at(tokens, at, lang) {
            Some(quantity) => {
                at = quantity.tokens.end.max(at + 1);
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    found
}

struct Parsed {
    value: f64,
    written: Written,
    end: usize,
    /// What follows the number inside its last token.
    glued: Option<String>,
}

fn parse_at(tokens: &[Token], at: usize, lang: Lang) -> Option<Parsed> {
    let token = tokens.get(at)?;
    if token.is_number() {
        let value = digits(token.lower(), lang)?;
        let mut parsed = Parsed {
            value,
            written: Written::Digits,
            end: at + 1,
            glued: None,
        };
        let next = tokens
            .get(at + 1)
            .filter(|next| !next.spaced)
            .map(Token::lower);
        if matches!(next, Some("st" | "nd" | "rd" | "th")) {
            parsed.written = Written::Ordinal;
            parsed.end += 1;
        }
        return Some(parsed);
    }
    if !token.is_word() {
        return None;
    }
    let word = token.lower();
    if let Some(value) = word_value(word, lang) {
        let mut parsed = Parsed {
            value,
            written: Written::Words,
            end: at + 1,
            glued: None,
        };
        // `twenty five`, `twenty-five`
        let mut next = parsed.end;
        if tokens.get(next).is_some_and(|t| t.is_symbol("-")) {
            next += 1;
        }
        let ones = tokens.get(next).and_then(|t| word_value(t.lower(), lang));
        if let Some(ones) =
            ones.filter(|ones| (20.0..100.0).contains(&value) && (1.0..10.0).contains(ones))
        {
            parsed.value += ones;
            parsed.end = next + 1;
        }
        return Some(parsed);
    }
    if lang == Lang::En
        && let Some(value) = ORDINALS.split_whitespace().position(|w| w == word)
    {
        let value = value as f64 + 1.0;
        return Some(Parsed {
            value,
            written: Written::Ordinal,
            end: at + 1,
            glued: None,
        });
    }
    if lang == Lang::Ko
        && let Some((value, rest)) = KOREAN_DAYS
            .iter()
            .find_map(|(name, days)| Some((*days, word.strip_prefix(name)?)))
    {
        return Some(Parsed {
            value,
            written: Written::Words,
            end: at + 1,
            glued: Some(format!("일{rest}")),
        });
    }
    if lang == Lang::Ko {
        let (value, rest) = native(word)?;
        let counter = if rest.is_empty() {
            tokens.get(at + 1).map_or("", Token::lower)
        } else {
            rest
        };
        let counted = unit_prefix(without_particle(counter).0)
            .or_else(|| unit_prefix(counter))
            .is_some();
        // `라떼 둘이랑 주스 하나`
        let alone = stands_alone(word, rest) && !counter.starts_with('다');
        let glued = (!rest.is_empty() && counted).then(|| rest.to_owned());
        return (counted || alone).then_some(Parsed {
            value,
            written: Written::Words,
            end: at + 1,
            glued,
        });
    }
    // `durante hora y media`
    if lang == Lang::Es
        && word == "hora"
        && tokens.get(at + 2).is_some_and(|t| t.lower() == "media")
    {
        return Some(Parsed {
            value: 1.0,
            written: Written::Words,
            end: at,
            glued: None,
        });
    }
    let is_article = match lang {
        Lang::En => matches!(word, "a" | "an"),
        Lang::De => matches!(word, "ein" | "eine" | "einen" | "einer" | "einem"),
        Lang::Es => matches!(word, "un" | "una"),
        Lang::Fr => matches!(word, "un" | "une"),
        _ => false,
    };
    let next = tokens.get(at + 1).filter(|next| next.is_word())?;
    if !is_article {
        return None;
    }
    // `a dozen`, `half an hour`, `eine halbe Stunde`
    if let Some(value) = word_value(next.lower(), lang)
        .filter(|v| *v < 1.0 || *v == 12.0 || *v == 100.0 || *v == 2.0)
    {
        let of = usize::from(tokens.get(at + 2).is_some_and(|t| t.lower() == "of"));
        return Some(Parsed {
            value,
            written: Written::Words,
            end: at + 2 + of,
            glued: None,
        });
    }
    if let Some((factor, "")) = multiplier(next.lower()).filter(|_| next.lower() != "k") {
        return Some(Parsed {
            value: factor,
            written: Written::Words,
            end: at + 2,
            glued: None,
        });
    }
    Some(Parsed {
        value: 1.0,
        written: Written::Article,
        end: at + 1,
        glued: None,
    })
}

/// `half an hour`, `half a dozen`, `three quarters of an hour`: up to what is divided.
fn fraction_end(parsed: &mut Parsed, tokens: &[Token], mut end: usize) -> usize {
    let word = |at: usize| tokens.get(at).map_or("", Token::lower);
    if (word(end), word(end + 1), word(end + 2)) == ("and", "a", "half")
        && tokens.get(end + 3).is_none_or(|next| !next.is_number())
        && parsed.written != Written::Article
    {
        parsed.value += 0.5;
        return end + 3;
    }
    if matches!(word(end), "quarter" | "quarters") && word(end + 1) == "of" {
        parsed.value /= 4.0;
        parsed.written = Written::Words;
        end += 2;
    } else if parsed.value != 0.5 {
        return end;
    }
    if matches!(word(end), "a" | "an") {
        end += 1;
    }
    if let Some((factor, "")) = multiplier(word(end)) {
        parsed.value *= factor;
        end += 1;
    }
    end
}

fn quantity_at(tokens: &[Token], at: usize, lang: Lang) -> Option<Quantity> {
    let mut parsed = parse_at(tokens, at, lang)?;
    let first = tokens.get(at)?;
    let mut end = parsed.end;
    // `two hundred`, `3만원`, `5k`
    if let Some(next) = tokens
        .get(end)
        .filter(|next| next.is_word() && parsed.glued.is_none())
        && parsed.written != Written::Ordinal
        && let Some((factor, rest)) = multiplier(next.lower())
        && (next.lower() != "k" || !next.spaced)
    {
        parsed.value *= factor;
        end += 1;
        if !rest.is_empty() {
            parsed.glued = Some(rest.to_owned());
        }
    }
    end = fraction_end(&mut parsed, tokens, end);
    let number_end = tokens
        .get(end.checked_sub(1)?)?
        .span
        .end
        .max(first.span.start);
    let mut quantity = Quantity {
        value: parsed.value,
        written: parsed.written,
        unit: None,
        currency: None,
        noun: None,
        rest: String::new(),
        span: first.span.start..number_end,
        whole: first.span.start..number_end,
        tokens: at..end,
    };
    read_sign(&mut quantity, tokens, at);
    let native = lang == Lang::Ko && first.is_word() && parsed.value >= 1.0;
    match parsed.glued {
        Some(glued) => {
            let glued = glued.as_str();
            quantity.rest = unit_prefix(glued).map_or("", |(_, rest)| rest).to_owned();
            quantity.unit = unit_prefix(glued).map(|(unit, _)| unit);
            let noun = without_particle(glued).0;
            quantity.currency = currency_of(noun).or_else(|| currency_of(glued));
            quantity.noun = Some(Word::new(noun));
        }
        None if quantity.written == Written::Ordinal => {
            quantity.noun = tokens
                .get(end)
                .filter(|next| next.is_word())
                .map(|next| next.word.clone());
        }
        None if matches!(first.lower(), "twice" | "thrice" | "zweimal" | "dreimal") => {
            quantity.unit = super::unit::unit_of("times");
            quantity.noun = Some(Word::new("times"));
        }
        None => read_unit(&mut quantity, tokens, end),
    }
    // `어른 둘`: what is counted stands before.
    if native && quantity.unit.is_none() && quantity.currency.is_none() {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        quantity.noun = before.filter(|t| t.is_word()).map(|t| t.word.clone());
    }
    // `한 분`: a guest, as minutes are counted by other numbers.
    if native && quantity.unit.is_some_and(|unit| unit.sign == "min") {
        quantity.unit = super::unit::unit_of("명");
    }
    Some(quantity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::lang::language_of;
    use crate::demo::words::tokens;

    fn read(text: &str) -> Vec<(f64, Option<&'static str>)> {
        quantities(&tokens(text), language_of(text))
            .into_iter()
            .map(|q| (q.value, q.unit.map(|unit| unit.sign).or(q.currency)))
            .collect()
    }

    #[test]
    fn numbers_come_with_their_units() {
        for (text, expected) in [
            ("weigh 5kg", vec![(5.0, Some("kg"))]),
            ("20°C and 70 °F", vec![(20.0, Some("C")), (70.0, Some("F"))]),
            (
                "$30 or 30 EUR or 30 US dollars",
                vec![
                    (30.0, Some("USD")),
                    (30.0, Some("EUR")),
                    (30.0, Some("USD")),
                ],
            ),
            ("15% of 1,234.50", vec![(15.0, Some("%")), (1234.5, None)]),
            ("two hundred grams", vec![(200.0, Some("g"))]),
            ("twenty-five miles", vec![(25.0, Some("mi"))]),
            ("half an hour", vec![(0.5, Some("h"))]),
            ("a dozen eggs", vec![(12.0, None)]),
            ("the -5 case", vec![(-5.0, None)]),
            ("the 3rd item", vec![(3.0, None)]),
            ("2.5 million won", vec![(2_500_000.0, Some("KRW"))]),
            ("Stelle den Timer auf 1,5 Stunden", vec![(1.5, Some("h"))]),
            (
                "Überweise 1.500,50 Euro an die Bank",
                vec![(1500.5, Some("EUR"))],
            ),
            ("커피 두 잔", vec![(2.0, Some("pieces"))]),
            ("10분 뒤에", vec![(10.0, Some("min"))]),
            ("5만원 보내줘", vec![(50_000.0, Some("KRW"))]),
            ("100달러를 바꿔", vec![(100.0, Some("USD"))]),
            ("세 명", vec![(3.0, Some("people"))]),
            ("nothing here", vec![]),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn the_noun_that_is_counted_is_kept() {
        let found = quantities(&tokens("2 passengers and 3 apples"), Lang::En);
        assert_eq!(
            found
                .iter()
                .filter_map(|q| q.noun.as_ref())
                .map(|w| w.lower.as_str())
                .collect::<Vec<_>>(),
            ["passengers", "apples"]
        );
    }

    #[test]
    fn separators_follow_the_language() {
        assert_eq!(digits("1,234", Lang::En), Some(1234.0));
        assert_eq!(digits("1,5", Lang::De), Some(1.5));
        assert_eq!(digits("1.234", Lang::De), Some(1234.0));
        assert_eq!(digits("1.2.3", Lang::En), None);
    }
}
