//! Postal addresses: `Strandvej 12, 2100 Copenhagen`, `22 Rose Street, York`, where their parts are parameters.

use std::ops::Range;

use super::leaf::{Candidate, Leaf, Scene, listed};
use crate::demo::lang::Lang;
use crate::demo::reading::Reading;
use crate::demo::tool::all_params;
use crate::demo::words::Token;

/// The parts of an address in a text.
struct Address {
    street: Range<usize>,
    postcode: Option<Range<usize>>,
    city: Option<Range<usize>>,
}

/// The part of an address that the leaf wants, where the tool wants addresses in parts.
pub(super) fn address_parts(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let streets = |words: &[crate::demo::words::Word]| {
        words
            .iter()
            .any(|word| listed("street straße strasse calle rue 도로명", &word.lower))
    };
    if !all_params(&scene.tool.params)
        .iter()
        .any(|param| streets(&param.words))
    {
        return Vec::new();
    }
    let Some(address) = address_in(scene.reading) else {
        return Vec::new();
    };
    let part = if streets(&leaf.param.words) {
        Some(address.street)
    } else if leaf.named("postcode zip zipcode plz postal code 우편번호") {
        address.postcode
    } else if leaf.named("city town stadt ort ciudad ville 도시") {
        address.city
    } else {
        None
    };
    let found = part.map(|span| Candidate::new(scene.reading.slice(&span), span, 1.4));
    found.into_iter().collect()
}

/// `마포구 월드컵로 21`, `12길 3-4`: from the first part of the place to the number of the house.
pub(super) fn korean_address(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Option<Candidate> {
    let reading = scene.reading;
    if reading.lang != Lang::Ko
        || !leaf.named("주소 배송지 배달지 수령지 출발지 도착지 목적지 위치 장소 address location destination dropoff pickup")
    {
        return None;
    }
    let tokens = &reading.tokens;
    let part = |token: &Token| {
        let long = token.lower().chars().count() > 1;
        token.is_word()
            && long
            && token
                .lower()
                .ends_with(['시', '도', '구', '군', '동', '읍', '면', '리', '로', '길'])
    };
    let house = (1..tokens.len()).find(|at| {
        let road = tokens
            .get(at - 1)
            .is_some_and(|road| part(road) && road.lower().ends_with(['로', '길', '동', '리']));
        road && tokens.get(*at).is_some_and(Token::is_number)
    })?;
    let first = (0..house)
        .rev()
        .take_while(|at| tokens.get(*at).is_some_and(part))
        .last()?;
    let mut last = house;
    let follows = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.is_symbol("-") && !token.spaced)
    };
    if follows(last + 1) && tokens.get(last + 2).is_some_and(Token::is_number) {
        last += 2;
    }
    let span = tokens.get(first)?.span.start..tokens.get(last)?.span.end;
    Some(Candidate::new(reading.slice(&span), span, 1.2))
}

fn address_in(reading: &Reading) -> Option<Address> {
    let tokens = &reading.tokens;
    let name = |at: usize| {
        tokens
            .get(at)
            .is_some_and(|token| token.capital && token.is_word())
    };
    let number = |at: usize| tokens.get(at).is_some_and(Token::is_number);
    let span = |from: usize, to: usize| {
        Some(tokens.get(from)?.span.start..tokens.get(to.checked_sub(1)?)?.span.end)
    };
    let names_from = |mut at: usize| {
        while name(at) {
            at += 1;
        }
        at
    };
    let comma = |at: usize| tokens.get(at).is_some_and(|token| token.is_symbol(","));
    // `Strandvej 12` or `22 Rose Street`, between commas.
    let starts = (0..tokens.len()).filter(|at| *at == 0 || !name(*at - 1));
    let (street, mut next) = starts.into_iter().find_map(|at| {
        let after = names_from(at + usize::from(number(at)));
        let end = if number(at) && after > at + 1 {
            after
        } else if name(at) && number(after) {
            after + 1
        } else {
            return None;
        };
        let ends = comma(end) || end == tokens.len();
        Some((span(at, end)?, end)).filter(|_| ends)
    })?;
    next += usize::from(comma(next));
    let mut postcode = None;
    if number(next) && name(next + 1) {
        postcode = span(next, next + 1);
        next += 1;
    }
    let end = names_from(next);
    let city = if end > next { span(next, end) } else { None };
    // `York 70112`
    if postcode.is_none() && number(end + usize::from(comma(end))) {
        let at = end + usize::from(comma(end));
        postcode = span(at, at + 1);
    }
    Some(Address {
        street,
        postcode,
        city,
    })
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::json;

    #[test]
    fn addresses_fall_into_parts() {
        let string = || json!({"type": "string"});
        let parts =
            json!({"name": string(), "street": string(), "postcode": string(), "city": string()});
        let got = filled(
            "ship",
            parts,
            &["name", "street", "postcode", "city"],
            "ship it to Anna Holm, Strandvej 12, 2100 Copenhagen",
        );
        let wanted = json!({"name": "Anna Holm", "street": "Strandvej 12", "postcode": "2100", "city": "Copenhagen"});
        assert_eq!(got, wanted);
    }
}
