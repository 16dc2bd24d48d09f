//! What stands before and after a number: signs, units, the noun that is counted.

use super::number::Quantity;
use super::numerals::word_value;
use super::unit::{unit_of, unit_prefix};
use crate::demo::lang::Lang;
use crate::demo::script::{is_dense, without_particle};
use crate::demo::words::{Token, Word};
use crate::demo::world::currency_of;

/// A minus or a currency sign before the number.
pub(crate) fn read_sign(quantity: &mut Quantity, tokens: &[Token], at: usize) {
    let Some(before) = at.checked_sub(1).and_then(|b| tokens.get(b)) else {
        return;
    };
    let two_before = at.checked_sub(2).and_then(|b| tokens.get(b));
    let touching = tokens.get(at).is_some_and(|token| !token.spaced);
    if before.is_symbol("-") || before.is_symbol("−") {
        let stands_alone =
            two_before.is_none_or(|t| !t.is_number() && (before.spaced || !t.is_word()));
        if touching && stands_alone {
            quantity.value = -quantity.value;
            quantity.span.start = before.span.start;
        }
    } else if matches!(before.lower(), "minus" | "negative" | "영하")
        && two_before.is_none_or(|t| !t.is_number() && word_value(t.lower(), Lang::En).is_none())
    {
        quantity.value = -quantity.value;
        quantity.span.start = before.span.start;
    } else if !before.is_word()
        && let Some(code) = currency_of(before.lower())
    {
        quantity.currency = Some(code);
        quantity.whole.start = before.span.start;
        quantity.tokens.start -= 1;
    } else if before.is_word()
        && before.lower().len() == 3
        && let Some(code) = currency_of(before.lower())
    {
        quantity.currency = Some(code);
    }
    quantity.whole.start = quantity.whole.start.min(quantity.span.start);
}

/// What things are packed in and counted by.
fn is_container(word: &str) -> bool {
    const CONTAINERS: &str = "box boxes pack packs packet packets bottle bottles bag bags can cans tin tins crate crates case cases \
        jar jars pair pairs set sets bunch bunches roll rolls sheet sheets carton cartons tube tubes loaf loaves slice slices \
        bar bars bucket buckets barrel barrels pallet pallets sack sacks copies copy flaschen flasche packung packungen dose \
        dosen kiste kisten botella botellas caja cajas paquete paquetes";
    CONTAINERS.split_whitespace().any(|known| known == word)
}

/// The unit or the noun after the number.
pub(crate) fn read_unit(quantity: &mut Quantity, tokens: &[Token], mut end: usize) {
    let Some(mut next) = tokens.get(end) else {
        return;
    };
    if next.is_symbol("°")
        && let Some(letter) = tokens
            .get(end + 1)
            .filter(|t| matches!(t.lower(), "c" | "f") && !t.spaced)
    {
        quantity.unit = unit_of(if letter.lower() == "c" { "°c" } else { "°f" });
        end += 2;
        quantity.whole.end = letter.span.end;
        quantity.tokens.end = end;
        return;
    }
    // `two of us`
    let us = tokens
        .get(end + 1)
        .is_some_and(|us| matches!(us.lower(), "us" | "them" | "uns" | "nosotros"));
    if us && matches!(next.lower(), "of" | "von" | "de") {
        quantity.unit = unit_of("people");
        return;
    }
    // `20 boxes of gloves` counts gloves.
    let of = tokens
        .get(end + 1)
        .filter(|of| matches!(of.lower(), "of" | "de"));
    if is_container(next.lower())
        && of.is_some()
        && let Some(noun) = tokens.get(end + 2).filter(|noun| noun.is_word())
        && let Some(of) = of
    {
        quantity.unit = unit_of("pieces");
        quantity.noun = Some(noun.word.clone());
        quantity.whole.end = of.span.end;
        quantity.tokens.end = end + 2;
        return;
    }
    if next.is_symbol("-")
        && tokens
            .get(end + 1)
            .is_some_and(|t| unit_of(t.lower()).is_some())
    {
        // `5-minute`
        end += 1;
        let Some(after) = tokens.get(end) else { return };
        next = after;
    }
    if next.is_symbol("%") || next.is_symbol("°") {
        quantity.unit = unit_of(next.lower());
    } else if !next.is_word() {
        match currency_of(next.lower()) {
            Some(code) => quantity.currency = Some(code),
            None => return,
        }
    } else {
        let mut word = next.lower();
        let dense = is_dense(word);
        if dense {
            let bare = without_particle(word).0;
            // `원은`: one syllable and its particle.
            let short = [
                "은", "는", "이", "을", "를", "으로", "로", "만", "의", "에", "씩",
            ]
            .iter()
            .find_map(|end| word.strip_suffix(end))
            .filter(|short| !short.is_empty());
            let known = |word: &&str| unit_of(word).is_some() || currency_of(word).is_some();
            if currency_of(word).is_none()
                && let Some(found) = [Some(bare), short].into_iter().flatten().find(known)
            {
                word = found;
            }
        }
        let two = tokens
            .get(end + 1)
            .map(|after| format!("{word}_{}", after.lower()));
        if let Some(code) = two.as_deref().and_then(currency_of) {
            quantity.currency = Some(code);
            end += 1;
        } else {
            quantity.currency = currency_of(word).or(quantity.currency);
            // A single letter is a unit only where it touches the number: `5 m`, not `5 a`.
            let usable = dense
                || word.chars().count() > 1
                || !next.spaced
                || matches!(word, "m" | "g" | "l" | "c" | "f" | "h");
            let usable = usable && (quantity.currency.is_none() || unit_of(word).is_some());
            if let Some((unit, rest)) = unit_prefix(word).filter(|_| usable) {
                quantity.unit = Some(unit);
                quantity.rest = rest.to_owned();
                // `degrees Celsius`
                let scale = tokens.get(end + 1).and_then(|after| unit_of(after.lower()));
                if unit.dimension == super::unit::Dimension::Temperature
                    && let Some(scale) = scale.filter(|s| s.dimension == unit.dimension)
                {
                    quantity.unit = Some(scale);
                    end += 1;
                }
            }
            quantity.noun = Some(Word::new(word));
        }
        let each_hour = |per: usize, hour: usize| {
            let word = |at: usize| tokens.get(at).map_or("", Token::lower);
            matches!(word(per), "/" | "per") && matches!(word(hour), "h" | "hour")
        };
        let each_second = matches!(
            (
                tokens.get(end + 1).map_or("", Token::lower),
                tokens.get(end + 2).map_or("", Token::lower)
            ),
            ("/" | "per" | "a", "s" | "second")
        );
        if quantity.unit.is_some_and(|unit| unit.sign == "m") && each_second {
            quantity.unit = unit_of("m/s");
            end += 2;
        }
        if quantity.unit.is_some_and(|unit| unit.sign == "km") && each_hour(end + 1, end + 2) {
            quantity.unit = unit_of("kmh");
            end += 2;
        }
        if quantity.unit.is_none() && quantity.currency.is_none() {
            return;
        }
    }
    if let Some(last) = tokens.get(end) {
        quantity.whole.end = last.span.end;
        quantity.tokens.end = end + 1;
    }
}
