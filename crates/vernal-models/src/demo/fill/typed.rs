//! Values with a form of their own or that everybody knows: addresses, ids, currencies, languages.

use super::expression::from_verb;
use super::ids::ids;
use super::leaf::{Candidate, Leaf, Scene, Strength};
use super::pattern::Form;
use super::postal::{address_parts, korean_address};
use super::sample::sampled;
use super::worldly::{country, language, named, units, zones};
use crate::demo::cue::Cue;
use crate::demo::reading::Reading;
use crate::demo::role::Want;
use crate::demo::schema::{Param, Shape};
use crate::demo::side::Side;
use crate::demo::words::Token;
use crate::demo::world::currency_of;
use std::ops::Range;

/// The values of this kind that the leaf might take.
pub(crate) fn typed(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = match leaf.want {
        Want::Email => formed(leaf, scene, &[(Form::Email, 0.95)]),
        Want::Url => formed(leaf, scene, &[(Form::Url, 0.95), (Form::Domain, 0.8)]),
        Want::Path => formed(leaf, scene, &[(Form::Path, 0.95)]),
        Want::Phone => {
            let mut found = formed(leaf, scene, &[(Form::Phone, 0.95), (Form::Id, 0.8)]);
            // `555-0142`
            found.retain(|candidate| {
                let text = candidate.value.as_str().unwrap_or_default();
                let digits = text.chars().filter(char::is_ascii_digit).count();
                digits >= 7 && !text.contains(|c: char| c.is_ascii_alphabetic())
            });
            found
        }
        Want::Symbol => formed(leaf, scene, &[(Form::Code, 0.95)]),
        Want::Id => ids(leaf, scene),
        Want::Expression => expressions(scene),
        Want::Code => code(scene),
        Want::Language => named(leaf, scene, language),
        Want::Currency => {
            let mut found = named(leaf, scene, |_, word| currency_of(word).map(str::to_owned));
            found.extend(counted_currencies(leaf, scene));
            found
        }
        Want::Country => named(leaf, scene, country),
        Want::Zone => zones(leaf, scene),
        Want::Unit => units(leaf, scene),
        Want::Thing | Want::Container | Want::Title | Want::Person
            if leaf.named("repo repository project image package")
                || leaf.param.description.contains('/') =>
        {
            let owned = leaf.param.description.contains('/') || leaf.named("image package");
            let mut found = formed(leaf, scene, &[(Form::Slashed, 0.95), (Form::Url, 0.6)]);
            // `a branch called feature/x`
            found.retain(|candidate| {
                let span = candidate.spans.first().cloned().unwrap_or_default();
                owned || scene.reading.cue_of(&span) != Some(Cue::Named)
            });
            found
        }
        Want::Title | Want::Thing
            if leaf.named("host hostname domain fqdn site") || says_host(leaf.param) =>
        {
            formed(leaf, scene, &[(Form::Domain, 0.9), (Form::Url, 0.6)])
        }
        Want::Person | Want::Container | Want::Thing => {
            let mut forms = vec![(Form::Handle, 0.85), (Form::Email, 0.6)];
            // `jdoe42`
            if leaf.named("username user account login player gamer nickname handle") {
                forms.push((Form::Id, 0.75));
            }
            formed(leaf, scene, &forms)
        }
        _ => Vec::new(),
    };
    found.extend(sampled(leaf, scene));
    found.extend(address_parts(leaf, scene));
    found.extend(korean_address(leaf, scene));
    for candidate in &mut found {
        let span = candidate.spans.first().cloned().unwrap_or_default();
        candidate.score += 0.3 * leaf.label(scene.reading, &span);
        if span.start >= scene.reading.background {
            candidate.score -= 0.25;
        }
    }
    found
}

fn says_host(param: &Param) -> bool {
    let lower = param.description.to_lowercase();
    ["host name", "hostname", "domain"]
        .iter()
        .any(|word| lower.contains(word))
}

pub(crate) fn side_fit(leaf: &Leaf<'_>, cue: Option<Cue>) -> f32 {
    match (leaf.side, cue) {
        (Side::From, Some(Cue::From))
        | (Side::To, Some(Cue::To | Cue::In | Cue::On | Cue::Until | Cue::As)) => 0.3,
        (Side::From, Some(Cue::To | Cue::Until)) | (Side::To, Some(Cue::From)) => -0.4,
        _ => 0.0,
    }
}

fn formed(leaf: &Leaf<'_>, scene: &Scene<'_>, forms: &[(Form, f32)]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for formed in &scene.reading.formed {
        let Some((form, score)) = forms.iter().find(|(form, _)| *form == formed.form) else {
            continue;
        };
        let needs_scheme = matches!(&leaf.param.shape, Shape::Text(text) if matches!(text.format.as_deref(), Some("uri" | "url")));
        let value = match form {
            Form::Domain if needs_scheme => format!("https://{}", formed.text),
            Form::Handle if leaf.param.description.to_lowercase().contains("without") => {
                formed.text.trim_start_matches(['#', '@']).to_owned()
            }
            _ => formed.text.clone(),
        };
        let cue = scene.reading.cue_of(&formed.span);
        found.push(Candidate::new(
            value,
            formed.span.clone(),
            score + side_fit(leaf, cue),
        ));
    }
    found
}

/// `50만 원을`: the currency of an amount, which is what it is converted from.
fn counted_currencies(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let score = if leaf.side == Side::To { 0.3 } else { 0.8 };
    let counted = scene.reading.quantities.iter().filter_map(|quantity| {
        let span = quantity.span.end..quantity.whole.end;
        let code = quantity.currency.filter(|_| !span.is_empty())?;
        Some(Candidate::new(code, span, score))
    });
    counted.collect()
}

fn expressions(scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    if let Some(found) = &reading.expression {
        let score = if found.signs { 0.95 } else { 0.9 };
        return vec![Candidate::new(
            found.text.as_str(),
            found.span.clone(),
            score,
        )];
    }
    let spans: Vec<Range<usize>> = reading
        .quantities
        .iter()
        .map(|quantity| quantity.span.clone())
        .collect();
    let made = from_verb(&reading.tokens, &reading.quantities);
    made.map(|text| Candidate {
        spans,
        ..Candidate::new(text, 0..0, 0.75)
    })
    .into_iter()
    .collect()
}

const SQL: &[&str] = &[
    "select ",
    "insert ",
    "update ",
    "delete from ",
    "with ",
    "create table ",
    "drop table ",
];

fn code(scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    let mut found: Vec<Candidate> = reading
        .quoted
        .iter()
        .map(|(text, span)| Candidate::new(text.as_str(), span.clone(), 0.9))
        .collect();
    let lower = reading.head().to_ascii_lowercase();
    let sql = SQL
        .iter()
        .filter_map(|head| {
            lower.find(head).filter(|_| {
                lower.contains(" from ") || lower.contains(" into ") || lower.contains(" set ")
            })
        })
        .min();
    if let Some(start) = sql {
        let end = statement_end(reading, start, scene);
        let text = reading.text.get(start..end).unwrap_or_default().trim();
        found.push(Candidate::new(text, start..end, 0.92));
    } else if let Some(at) = reading.text.find(": ") {
        let text = reading.text.get(at + 2..).unwrap_or_default().trim();
        found.push(Candidate::new(text, at + 2..reading.text.len(), 0.7));
    }
    found
}

/// `… on the sales database`: where a statement is run is no part of it.
fn statement_end(reading: &Reading, start: usize, scene: &Scene<'_>) -> usize {
    let names = |token: &Token| {
        let mut words = scene.tool.params.iter().flat_map(|param| &param.words);
        words.any(|word| word.is(&token.word))
    };
    let own: Vec<&Token> = reading
        .tokens
        .iter()
        .filter(|token| token.span.start > start)
        .collect();
    let mut places = own
        .iter()
        .rev()
        .take(4)
        .enumerate()
        .filter(|(back, token)| {
            let rest = own.get(own.len() - back..).unwrap_or_default();
            matches!(token.lower(), "on" | "in" | "against")
                && rest.iter().all(|token| token.is_word())
                && rest.iter().any(|token| names(token))
        });
    let place = places.next_back().map(|(_, token)| token.span.start);
    place.unwrap_or(reading.text.len())
}

/// Values that are taken where nothing else is to be had: what was said nearest to what is wanted.
pub(crate) fn conventions(leaf: &Leaf<'_>, reading: &Reading) -> Option<Candidate> {
    let candidate = |value: serde_json::Value| {
        Some(Candidate::new(value, 0..0, 0.15).with_strength(Strength::Convention))
    };
    match (leaf.want, &leaf.param.shape) {
        (Want::Thought, Shape::Text(_)) => {
            let said = reading
                .text
                .get(..reading.background)
                .unwrap_or(&reading.text)
                .trim();
            candidate(format!("The words of the request match this tool: {said}").into())
        }
        (Want::Confidence, Shape::Number(number)) => [0.5, 1.0, 50.0]
            .into_iter()
            .find_map(|n| super::amount::json_number(n, number))
            .and_then(candidate),
        (Want::Confidence, Shape::Text(_)) => candidate("medium".into()),
        (Want::Limit, Shape::Number(number)) => {
            let most = number.max.unwrap_or(10.0).min(10.0);
            super::amount::json_number(most.max(number.min.unwrap_or(1.0)), number)
                .and_then(candidate)
        }
        (Want::Page, Shape::Number(number)) => {
            let first = if leaf.named("offset skip") { 0.0 } else { 1.0 };
            super::amount::json_number(first, number).and_then(candidate)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::demo::fill::trial::filled;
    use serde_json::{Value, json};

    fn one(name: &str, description: &str, text: &str) -> Value {
        let param = json!({"type": "string", "description": description});
        filled("do_it", json!({name: param}), &[name], text)[name].clone()
    }

    #[test]
    fn values_with_a_form_of_their_own() {
        for (name, about, text, value) in [
            (
                "email",
                "",
                "write to bob@example.com now",
                "bob@example.com",
            ),
            ("url", "", "open https://a.io/b", "https://a.io/b"),
            ("path", "", "delete report.pdf", "report.pdf"),
            ("order_id", "", "cancel #42 please", "42"),
            ("ticket_id", "e.g. OPS-1", "close OPS-77 in 2025", "OPS-77"),
            ("symbol", "", "price of AAPL", "AAPL"),
            ("phone", "", "ring +49 170 1234567", "+49 170 1234567"),
            ("expression", "", "what is 2 + 3 * 4?", "2 + 3 * 4"),
            ("target_language", "ISO code", "into German", "de"),
            ("target_language", "", "auf Deutsch bitte", "German"),
            ("currency", "", "100 dollars", "USD"),
            ("timezone", "", "the time in Tokyo", "Asia/Tokyo"),
            ("country_code", "", "holidays in Germany", "DE"),
            ("sql", "", "run SELECT a FROM b", "SELECT a FROM b"),
        ] {
            assert_eq!(one(name, about, text), value, "{name}: {text}");
        }
    }
}
