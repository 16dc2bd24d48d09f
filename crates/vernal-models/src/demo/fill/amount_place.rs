//! Numbers by where they stand: levels, the sides of a box, what numbers inside of other things are.

use super::amount::json_number;
use super::leaf::{Candidate, Leaf, Scene, listed};
use super::number::{Quantity, Written};
use crate::demo::lang::{Lang, is_stop};
use crate::demo::reading::{Reading, overlap};
use crate::demo::refer::refers_back;
use crate::demo::role::Want;
use crate::demo::schema::Number;
use crate::demo::words::{Token, Word, identifier_words};

/// `halfway`, `full`, `to the maximum`: a level between bounds that the schema tells.
pub(super) fn levels(leaf: &Leaf<'_>, number: &Number, scene: &Scene<'_>) -> Vec<Candidate> {
    if leaf.want != Want::Amount {
        return Vec::new();
    }
    let max = number.max.unwrap_or(f64::NAN);
    let min = number.min.unwrap_or(0.0);
    let factor = leaf.named("speed factor rate multiplier scale zoom");
    let level = |word: &str| match word {
        "double" | "doubled" if factor => Some(2.0),
        "triple" if factor => Some(3.0),
        _ if listed(
            "half halfway middle halb hälfte mitad 절반 절반으로 반으로 중간 중간으로",
            word,
        ) =>
        {
            Some((min + max) / 2.0)
        }
        "quarter" | "viertel" | "cuarto" => Some(min + (max - min) / 4.0),
        _ if listed(
            "full fully maximum max maximal completely entirely highest loudest brightest 최대 최대로 끝까지 완전히",
            word,
        ) =>
        {
            Some(max)
        }
        _ if listed(
            "minimum min lowest minimal quietest 최소 최소로 최저 최저로",
            word,
        ) =>
        {
            Some(min)
        }
        _ => None,
    };
    let counted = |token: &Token| {
        let mut quantities = scene.reading.quantities.iter();
        quantities.any(|quantity| {
            let part = quantity.unit.is_some() || quantity.span != token.span;
            overlap(&quantity.whole, &token.span) && part
        })
    };
    let tokens = scene.reading.tokens.iter().filter(|token| !counted(token));
    let named = tokens.filter_map(|token| {
        Some((
            level(token.lower()).filter(|level| level.is_finite())?,
            token,
        ))
    });
    named
        .filter_map(|(value, token)| {
            Some(Candidate::new(
                json_number(value, number)?,
                token.span.clone(),
                0.7,
            ))
        })
        .collect()
}

/// `direct only`, where the description says `0 = direct`.
pub(super) fn explained(leaf: &Leaf<'_>, number: &Number, scene: &Scene<'_>) -> Vec<Candidate> {
    let lower = leaf.param.description.to_lowercase();
    let glosses = lower.split([',', ';', '(', ')', '.']).filter_map(|part| {
        let (value, meaning) = part
            .split_once('=')
            .or_else(|| part.split_once(" means "))
            .or_else(|| part.split_once(" for "))?;
        Some((value.trim().parse::<f64>().ok()?, identifier_words(meaning)))
    });
    let glosses: Vec<(f64, Vec<Word>)> = glosses.collect();
    let small = |word: &Word| {
        let shared = scene.tool.words.iter().chain(&leaf.param.words);
        is_stop(Lang::En, &word.lower)
            || word.lower == "only"
            || shared.into_iter().any(|other| other.is(word))
    };
    let mut found = Vec::new();
    for (value, meaning) in &glosses {
        let told = |token: &&Token| {
            token.is_word()
                && !scene.reading.is_quoted(&token.span)
                && meaning
                    .iter()
                    .any(|word| !small(word) && word.is(&token.word))
        };
        let token = scene.reading.tokens.iter().find(told);
        let json = json_number(*value, number);
        found.extend(
            token
                .zip(json)
                .map(|(token, value)| Candidate::new(value, token.span.clone(), 0.8)),
        );
    }
    found
}

/// `40 x 30 x 20 cm`: length, width and height; `40 x 30`: width and height.
pub(super) fn side_of_box(leaf: &Leaf<'_>, quantity: &Quantity, scene: &Scene<'_>) -> f32 {
    let reading = scene.reading;
    let by = |a: &Quantity, b: &Quantity| {
        let between = reading
            .text
            .get(a.whole.end..b.span.start)
            .unwrap_or_default();
        matches!(between.trim(), "x" | "×" | "by" | "*" | "X")
    };
    let all = &reading.quantities;
    let Some(at) = all.iter().position(|other| other.span == quantity.span) else {
        return 0.0;
    };
    let joins =
        |at: usize| matches!((all.get(at), all.get(at + 1)), (Some(a), Some(b)) if by(a, b));
    let (mut first, mut last) = (at, at);
    while first > 0 && joins(first - 1) {
        first -= 1;
    }
    while joins(last) {
        last += 1;
    }
    let sides: &[&str] = match last - first {
        1 => &["width breite ancho", "height höhe alto"],
        2 => &[
            "length länge largo depth",
            "width breite ancho",
            "height höhe alto",
        ],
        _ => return 0.0,
    };
    match sides.get(at - first) {
        Some(side) if leaf.named(side) => 0.6,
        _ if sides.iter().any(|side| leaf.named(side)) => -0.3,
        _ => -0.2,
    }
}

/// Numbers inside of other things are mostly a part of those.
pub(super) fn place_fit(leaf: &Leaf<'_>, quantity: &Quantity, scene: &Scene<'_>) -> f32 {
    let reading = scene.reading;
    let mut score: f32 = 0.0;
    if reading.is_quoted(&quantity.span) {
        score -= 0.35;
    }
    // `2 euros a kilo`
    let rate = quantity.written == Written::Article
        && reading
            .quantities
            .iter()
            .any(|other| other.tokens.end == quantity.tokens.start);
    if rate {
        score -= 0.5;
    }
    if reading.is_negated(&quantity.span) {
        score -= 0.5;
    }
    let timely = matches!(leaf.want, Want::Duration | Want::DatePart(_));
    if !timely
        && reading
            .moments
            .iter()
            .any(|moment| overlap(&moment.span, &quantity.span))
    {
        score -= 0.4;
    }
    if leaf.want != Want::Id
        && reading
            .formed
            .iter()
            .any(|formed| overlap(&formed.span, &quantity.span))
    {
        score -= 0.5;
    }
    if quantity.span.start >= reading.background {
        // A number of another question is none of this one.
        let elsewhere = reading.of_another && !refers_back(reading);
        score -= if elsewhere { 0.55 } else { 0.25 };
    }
    // `14 Mill Lane`
    if leaf.want != Want::Id && is_house_number(quantity, scene) {
        score -= 0.5;
    }
    // `iPhone 15`, `Room 12`: the number belongs to the name.
    let before = reading.before(quantity.span.start, 0);
    let named =
        before.is_some_and(|token| token.capital && token.span.start > 0 && token.is_word());
    if named
        && quantity.unit.is_none()
        && quantity.noun.is_none()
        && leaf.label(reading, &quantity.span) == 0.0
    {
        score -= if leaf.want == Want::Id { 0.0 } else { 0.2 };
    }
    score
}

/// Whether a number stands before the name of a street.
fn is_house_number(quantity: &Quantity, scene: &Scene<'_>) -> bool {
    let next = (0..4).map_while(|ahead| scene.reading.after(quantity.span.end, ahead));
    let name = next.take_while(|token| token.capital && token.is_word());
    let street = "street st road rd avenue ave lane ln drive dr way place square court close terrace hill gardens \
        boulevard blvd crescent row";
    name.skip(1).any(|token| listed(street, token.lower()))
}

/// `950 a month` for `monthly_rent`.
pub(super) fn rate_fit(leaf: &Leaf<'_>, quantity: &Quantity, scene: &Scene<'_>) -> f32 {
    let word = |ahead: usize| scene.reading.after(quantity.whole.end, ahead);
    let per = word(0).is_some_and(|token| listed("a an per each every /", token.lower()));
    let Some(period) = word(1).filter(|_| per) else {
        return 0.0;
    };
    let same =
        |own: &Word| own.is(&period.word) || own.lower.strip_suffix("ly") == Some(period.lower());
    if leaf.words.iter().any(same) {
        0.35
    } else {
        0.0
    }
}

/// `order 42`, `ticket number 42`.
pub(super) fn id_fit(quantity: &Quantity, scene: &Scene<'_>) -> f32 {
    let reading = scene.reading;
    if quantity.is_designator() {
        return 0.3;
    }
    if quantity.unit.is_some() || quantity.currency.is_some() {
        return -0.6;
    }
    let near = (0..3).filter_map(|back| reading.before(quantity.span.start, back));
    let noun = near.filter(|t| t.is_word()).any(|token| {
        matches!(
            token.lower(),
            "number" | "no" | "nr" | "id" | "nummer" | "número" | "번호" | "番号"
        ) || scene
            .tool
            .words
            .iter()
            .any(|word| !token.word.is_action() && word.likeness(&token.word) >= 0.65)
    });
    if noun { 0.3 } else { 0.05 }
}

/// `top 3`, `the 5 latest`, `last 10 orders`.
pub(super) fn limit_fit(quantity: &Quantity, scene: &Scene<'_>) -> f32 {
    let reading = scene.reading;
    let announces = |word: &str| {
        listed(
            "top first last latest newest recent next limit most maximum letzten ersten neuesten últimos primeros 최근 상위 最新 上位",
            word,
        )
    };
    let before = (0..2).filter_map(|back| reading.before(quantity.span.start, back));
    let after = reading.after(quantity.span.end, 0);
    let near = before.chain(after).any(|token| announces(token.lower()));
    if near { 0.4 } else { 0.0 }
}

/// Whether the text says that something gets less.
pub(super) fn takes_away(reading: &Reading) -> bool {
    let less = |word: &Word| {
        word.is_about("delete") || word.is_about("decrease") || word.is_about("withdraw")
    };
    let words = reading.tokens.iter().map(|token| &token.word);
    words
        .chain(reading.phrases.iter().map(|(two, _)| two))
        .any(less)
}
