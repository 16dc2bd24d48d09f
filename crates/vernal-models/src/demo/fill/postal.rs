//! Postal addresses: `Strandvej 12, 2100 Copenhagen`, `22 Rose Street, York`, where their parts are parameters.

use std::ops::Range;

use super::leaf::{Candidate, Leaf, Scene, listed};
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
