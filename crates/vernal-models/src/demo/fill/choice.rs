//! Listed values and yes-or-no parameters: which one the words of the text mean.

use super::calendar::{MONTH, WEEKDAY};
use super::choice_kind::of_kind;
use super::choice_meaning::{described, meanings};
use super::choice_partly::{
    as_letter, as_range, by_initials, by_sign_word, is_in_compound, is_signed, operator, partly,
    verbatim,
};
use super::leaf::{Candidate, Leaf, Scene, Strength};
use super::number::Written;
use super::unit::{Dimension, unit_of};
use crate::demo::cue::Cue;
use crate::demo::lang::{Lang, is_stop};
use crate::demo::measure::{dimension, unit};
use crate::demo::reading::overlap;
use crate::demo::role::Want;
use crate::demo::schema::Choice;
use crate::demo::side::Side;
use crate::demo::words::{Token, Word};
use crate::demo::world::{country_code, currency_of, language_named};
use std::ops::Range;

/// The listed values that the text speaks of.
pub(crate) fn choices(
    leaf: &Leaf<'_>,
    listed_values: &[Choice],
    scene: &Scene<'_>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    for choice in listed_values {
        found.extend(mentions(leaf, choice, scene));
        found.extend(partly(choice, listed_values, scene));
    }
    if found.iter().all(|candidate| candidate.score < 0.5) {
        found.extend(listed_values.iter().filter_map(|choice| {
            let text = choice.value.as_str()?.to_lowercase();
            of_kind(choice, &meanings(leaf, choice, &text), scene)
        }));
    }
    if leaf.required && found.iter().all(|candidate| candidate.score < 0.3) {
        found.extend(by_convention(leaf, listed_values));
    }
    found
}

fn mentions(leaf: &Leaf<'_>, choice: &Choice, scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    let mut found = Vec::new();
    if let Some(number) = choice.value.as_f64() {
        let equal = reading
            .quantities
            .iter()
            .filter(|quantity| quantity.value == number && quantity.written != Written::Article);
        let unit = unit(leaf.param);
        let lasting = reading.durations.iter().filter(|duration| {
            unit.is_some_and(|unit| {
                unit.dimension == Dimension::Time
                    && duration.length.in_units_of(unit.factor) == number
            })
        });
        found.extend(lasting.map(|d| Candidate::new(choice.value.clone(), d.span.clone(), 0.9)));
        found.extend(equal.map(|quantity| {
            let label = leaf
                .label(reading, &quantity.whole)
                .max(leaf.label(reading, &quantity.span));
            let measured = quantity.unit.is_some_and(|given| {
                unit.is_some_and(|unit| unit.sign == given.sign)
                    || given.dimension == Dimension::Temperature
                        && dimension(leaf.param) == Some(Dimension::Temperature)
            });
            let score = 0.6 + 0.3 * label.max(if measured { 1.0 } else { 0.0 });
            Candidate::new(choice.value.clone(), quantity.whole.clone(), score)
        }));
    }
    let text = choice.value.as_str().unwrap_or_default().to_lowercase();
    let named = Word::new(&text.replace([' ', '-'], "_"));
    for (pair, span) in &reading.phrases {
        let like = choice
            .words
            .iter()
            .map(|word| word.likeness(pair))
            .fold(named.likeness(pair), f32::max);
        let score = graded(like).filter(|_| like >= 0.7 && !pair.concepts.is_empty());
        found.extend(score.map(|score| Candidate::new(choice.value.clone(), span.clone(), score)));
    }
    found.extend(verbatim(choice, &text, scene));
    found.extend(by_initials(choice, scene));
    found.extend(by_sign_word(choice, scene));
    found.extend(as_range(choice, &text, scene));
    for (at, token) in reading.tokens.iter().enumerate() {
        let Some((mut score, span)) = match_at(leaf, choice, &text, at, token, scene) else {
            continue;
        };
        score += 0.2 * leaf.label(reading, &span) + side_fit(leaf, &span, scene);
        // `I want to get back in shape. A seat in front, please.`
        let told = |part: &Range<usize>| part.start <= span.start && span.end <= part.end;
        if reading.told.iter().any(told) {
            score -= 0.04;
        }
        let each = reading.before(span.start, 0).map_or("", Token::lower);
        if matches!(
            each,
            "a" | "per" | "every" | "each" | "pro" | "jeden" | "cada"
        ) {
            score += 0.1;
        }
        let is_tool = scene.tool.words.iter().any(|word| word.is(&token.word));
        if is_tool {
            score -= 0.25;
        }
        if reading.is_quoted(&span) {
            score -= 0.3;
        }
        let denied = (0..2).any(|back| {
            reading
                .before(span.start, back)
                .is_some_and(|token| token.lower().ends_with("n't") || token.lower() == "never")
        });
        if (denied || reading.is_negated(&span)) && !leaf.named("avoid exclude without except") {
            score -= 0.6;
        }
        if span.start >= reading.background {
            score -= 0.25;
        }
        found.push(Candidate::new(choice.value.clone(), span, score));
    }
    found
}

/// How well the text at a token names the choice.
fn match_at(
    leaf: &Leaf<'_>,
    choice: &Choice,
    text: &str,
    at: usize,
    token: &Token,
    scene: &Scene<'_>,
) -> Option<(f32, Range<usize>)> {
    let reading = scene.reading;
    let tokens = &reading.tokens;
    if let Some(span) = by_sign(choice, text, at, token, tokens) {
        return Some((0.9, span));
    }
    if matches!(token.lower(), "*" | "×" | "+" | "-" | "/" | "÷") {
        return operator(choice, at, token, tokens).map(|score| (score, token.span.clone()));
    }
    if !token.is_word() {
        return None;
    }
    let first = choice.words.first()?;
    if is_signed(text) {
        return None;
    }
    if choice.words.len() == 1 {
        if text.chars().count() == 1 && text.is_ascii() {
            if let Some(score) = as_letter(choice, at, token, scene) {
                return Some((score, token.span.clone()));
            }
            return described(leaf, choice, text, token, scene)
                .map(|score| (score, token.span.clone()));
        }
        if is_stop(reading.lang, token.lower()) && token.lower() != first.lower {
            return None;
        }
        let compound = reading.lang == Lang::De && is_in_compound(&first.lower, token.lower());
        let likeness = first.likeness(&token.word);
        // `the regular price` says nothing of a `standard` size.
        let vague = first.is_about("standard") && likeness < 0.9 && !leaf.required;
        if vague && leaf.label(reading, &token.span) == 0.0 {
            return None;
        }
        let score = graded(if compound {
            likeness.max(0.7)
        } else {
            likeness
        });
        let about = described(leaf, choice, text, token, scene);
        return score
            .into_iter()
            .chain(about)
            .max_by(f32::total_cmp)
            .map(|score| (score, token.span.clone()));
    }
    // All words of the choice, one after another or nearly so.
    let mut total = 0.0;
    let mut end = token.span.end;
    let mut from = at;
    for (index, word) in choice.words.iter().enumerate() {
        let near = tokens
            .iter()
            .enumerate()
            .skip(from)
            .take(if index == 0 { 1 } else { 2 });
        let best = near
            .map(|(i, t)| (word.likeness(&t.word), i))
            .max_by(|a, b| a.0.total_cmp(&b.0))?;
        if best.0 < 0.75 {
            return described(leaf, choice, text, token, scene)
                .map(|score| (score, token.span.clone()));
        }
        total += best.0;
        from = best.1 + 1;
        end = tokens.get(best.1)?.span.end;
    }
    graded(total / choice.words.len() as f32).map(|score| (score + 0.05, token.span.start..end))
}

fn graded(likeness: f32) -> Option<f32> {
    match likeness {
        l if l >= 0.9 => Some(0.9),
        l if l >= 0.7 => Some(0.75),
        l if l >= 0.6 => Some(0.62),
        l if l >= 0.5 => Some(0.5),
        _ => None,
    }
}

/// Codes of currencies, languages, countries and units stand for their names.
fn by_sign(
    choice: &Choice,
    text: &str,
    at: usize,
    token: &Token,
    tokens: &[Token],
) -> Option<Range<usize>> {
    let word = token.word.lower.as_str();
    let bare = token.word.stem.as_str();
    let two = tokens.get(at + 1).map(|next| {
        (
            format!("{word}_{}", next.lower()),
            token.span.start..next.span.end,
        )
    });
    if let Some((two, span)) = two
        && (currency_of(&two).is_some_and(|code| code.eq_ignore_ascii_case(text))
            || country_code(&two).is_some_and(|code| code.eq_ignore_ascii_case(text)))
    {
        return Some(span);
    }
    let named_day = |word: &str| {
        let weekday = |word: &str| WEEKDAY.first(word);
        let month = |word: &str| MONTH.first(word);
        weekday(word).is_some() && weekday(word) == weekday(text)
            || month(word).is_some() && month(word) == month(text)
    };
    let code = |word: &str| {
        let touching_number = at
            .checked_sub(1)
            .and_then(|b| tokens.get(b))
            .is_some_and(|t| t.is_number() || t.is_symbol("°"));
        let long = word.chars().count() > 1 || touching_number || !word.is_ascii();
        // `20 degrees` may be of either scale.
        let long = long
            && !matches!(
                word,
                "degree" | "degrees" | "deg" | "grad" | "grados" | "도" | "°" | "night" | "nights"
            );
        let choice_unit = unit_of(text).or_else(|| unit_of(&choice.words.first()?.lower));
        currency_of(word).is_some_and(|code| code.eq_ignore_ascii_case(text))
            || language_named(word)
                .is_some_and(|(code, name)| code == text || name.eq_ignore_ascii_case(text))
            || country_code(word).is_some_and(|code| code.eq_ignore_ascii_case(text))
            || (long
                && unit_of(word).is_some_and(|unit| {
                    choice_unit
                        .is_some_and(|c| c.sign == unit.sign && c.dimension == unit.dimension)
                }))
    };
    (named_day(word) || code(word) || (bare != word && code(bare))).then(|| token.span.clone())
}

fn side_fit(leaf: &Leaf<'_>, span: &Range<usize>, scene: &Scene<'_>) -> f32 {
    if leaf.side == Side::Neither {
        return 0.0;
    }
    let counted = scene
        .reading
        .quantities
        .iter()
        .any(|quantity| overlap(&quantity.whole, span));
    let cue = scene.reading.cue_of(span);
    match (leaf.side, cue) {
        _ if counted => {
            if leaf.side == Side::From {
                0.3
            } else {
                -0.4
            }
        }
        (Side::From, Some(Cue::From))
        | (Side::To, Some(Cue::To | Cue::In | Cue::On | Cue::Until)) => 0.25,
        (Side::From, Some(Cue::To)) | (Side::To, Some(Cue::From)) => -0.5,
        (Side::To, None) => -0.05,
        _ => 0.0,
    }
}

/// Values that go without saying: the only one, or the first of a way to present things.
fn by_convention(leaf: &Leaf<'_>, listed_values: &[Choice]) -> Option<Candidate> {
    let presentation = leaf.want == Want::Unit
        || leaf.named("unit units format sort order sorting order_by detail mode style output view locale encoding");
    let value = if leaf.want == Want::Confidence {
        listed_values.get(listed_values.len() / 2)
    } else if listed_values.len() == 1 || presentation {
        listed_values.first()
    } else {
        None
    };
    value.map(|choice| {
        Candidate::new(choice.value.clone(), 0..0, 0.3).with_strength(Strength::Convention)
    })
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    fn chosen(values: serde_json::Value, text: &str) -> serde_json::Value {
        filled("do_it", json!({"x": {"enum": values}}), &["x"], text)["x"].clone()
    }

    #[test]
    fn listed_values_are_found_by_word_synonym_code_and_number() {
        for (values, text, value) in [
            (
                json!(["low", "medium", "high"]),
                "with High priority",
                json!("high"),
            ),
            (
                json!(["low", "medium", "high"]),
                "this is urgent",
                json!("high"),
            ),
            (
                json!(["credit_card", "bank_transfer"]),
                "pay by credit card",
                json!("credit_card"),
            ),
            (
                json!(["metric", "imperial"]),
                "in celsius please",
                json!("metric"),
            ),
            (json!(["USD", "EUR"]), "in euros", json!("EUR")),
            (json!(["Sat", "Sun"]), "on Sunday", json!("Sun")),
            (json!(["add", "multiply"]), "25 * 4", json!("multiply")),
            (json!([1, 2, 3]), "take 2 of them", json!(2)),
            (json!(["빨강", "파랑"]), "파랑으로 해줘", json!("파랑")),
            (json!(["red", "blue"]), "something else", json!(null)),
        ] {
            assert_eq!(chosen(values, text), value, "{text}");
        }
    }

    #[test]
    fn the_description_says_what_a_letter_stands_for() {
        let unit = json!({"u": {"enum": ["c", "f"], "description": "'c' for Celsius, 'f' for Fahrenheit"}});
        assert_eq!(filled("heat", unit, &["u"], "70 in fahrenheit")["u"], "f");
    }
}
