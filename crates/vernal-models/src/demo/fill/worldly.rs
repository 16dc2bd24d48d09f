//! Values that everybody knows: currencies, languages, countries, time zones, units.

use std::ops::Range;

use super::leaf::{Candidate, Leaf, Scene};
use super::typed::side_fit;
use super::unit::{unit_of, unit_prefix};
use crate::demo::reading::{Reading, overlap};
use crate::demo::role::Want;
use crate::demo::schema::Shape;
use crate::demo::side::Side;
use crate::demo::world::{country_code, language_named, zone_of};

/// Words that name something in the world, alone or two together.
pub(crate) fn named(
    leaf: &Leaf<'_>,
    scene: &Scene<'_>,
    name: impl Fn(&Leaf<'_>, &str) -> Option<String>,
) -> Vec<Candidate> {
    let reading = scene.reading;
    let mut found = Vec::new();
    let mut skip_to = 0;
    for (at, token) in reading.tokens.iter().enumerate() {
        if at < skip_to {
            continue;
        }
        let two = reading.tokens.get(at + 1).filter(|next| next.is_word());
        let pair = two.and_then(|next| {
            let value = name(leaf, &format!("{}_{}", token.lower(), next.lower()))
                .or_else(|| name(leaf, &format!("{}_{}", token.lower(), next.word.stem)))?;
            Some((value, token.span.start..next.span.end))
        });
        let single = || {
            let forms = [
                token.lower(),
                token.word.stem.as_str(),
                dense_head(token.lower()),
            ];
            let value = forms.into_iter().find_map(|form| name(leaf, form))?;
            Some((value, token.span.clone()))
        };
        let is_pair = pair.is_some();
        let Some((value, span)) = pair.or_else(single) else {
            continue;
        };
        if is_pair {
            skip_to = at + 2;
        }
        if reading.is_quoted(&span) {
            continue;
        }
        let mut score = 0.85 + side_fit(leaf, reading.cue_of(&span));
        let counted = reading
            .quantities
            .iter()
            .any(|quantity| overlap(&quantity.whole, &span));
        score += match leaf.side {
            Side::From if counted => 0.3,
            Side::To if counted => -0.5,
            _ => 0.0,
        };
        if let (Side::From, Want::Language, None) = (leaf.side, leaf.want, reading.cue_of(&span)) {
            score -= 0.3;
        }
        found.push(Candidate::new(value, span, score));
    }
    found
}

/// `원화로` names what `원화` names.
fn dense_head(word: &str) -> &str {
    crate::demo::script::without_particle(word).0
}

/// Whether a leaf wants a short code rather than a name.
fn wants_code(leaf: &Leaf<'_>) -> bool {
    let lower = leaf.param.description.to_lowercase();
    let samples = leaf
        .param
        .examples
        .iter()
        .chain(&leaf.param.default)
        .filter_map(|value| value.as_str());
    let short =
        matches!(&leaf.param.shape, Shape::Text(text) if text.max.is_some_and(|max| max <= 5));
    leaf.named("code iso")
        || lower.contains("code")
        || lower.contains("iso")
        || short
        || samples
            .chain(lower.split(['\'', '"', '`']).skip(1).step_by(2))
            .any(|sample| (2..=3).contains(&sample.len()))
}

pub(crate) fn language(leaf: &Leaf<'_>, word: &str) -> Option<String> {
    let (code, name) = language_named(word)?;
    Some(if wants_code(leaf) { code } else { name }.to_owned())
}

pub(crate) fn country(leaf: &Leaf<'_>, word: &str) -> Option<String> {
    // `us` is a pronoun, `in` no country.
    let code = country_code(word).filter(|_| word.len() > 2 || !word.is_ascii())?;
    wants_code(leaf).then(|| code.to_owned())
}

pub(crate) fn zones(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let mut found = named(leaf, scene, |_, word| {
        zone_of(word)
            .filter(|_| word.len() > 2 || !word.is_ascii())
            .map(str::to_owned)
    });
    let text = scene.reading.head();
    let gap = |c: char| c.is_whitespace() || matches!(c, ',' | '?' | '!' | '"' | '\'' | '(' | ')');
    for (at, _) in text.match_indices('/') {
        let start = text
            .get(..at)
            .and_then(|head| head.rfind(gap))
            .map_or(0, |gap| gap + 1);
        let end = text
            .get(at..)
            .and_then(|tail| tail.find(gap))
            .map_or(text.len(), |gap| at + gap);
        let Some(zone) = text.get(start..end).map(|zone| zone.trim_end_matches('.')) else {
            continue;
        };
        let region = zone.split('/').next().unwrap_or_default();
        if matches!(
            region,
            "Europe" | "Asia" | "America" | "Africa" | "Australia" | "Pacific" | "Atlantic" | "Etc"
        ) {
            found.push(Candidate::new(zone, start..start + zone.len(), 0.95));
        }
    }
    found
}

/// `5.4 mmol/L`: a unit of two parts after a number.
fn compound_unit(reading: &Reading, at: usize) -> Option<Range<usize>> {
    let before = at.checked_sub(1).and_then(|at| reading.tokens.get(at))?;
    let [first, sign, last] = reading.tokens.get(at..at + 3)? else {
        return None;
    };
    let joined = sign.is_symbol("/") && !sign.spaced && !last.spaced;
    let words = first.is_word() && last.is_word() && before.is_number();
    (joined && words).then_some(first.span.start..last.span.end)
}

pub(crate) fn units(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    let mut found = Vec::new();
    for (at, token) in reading.tokens.iter().enumerate() {
        if let Some(span) = compound_unit(reading, at) {
            found.push(Candidate::new(reading.slice(&span), span.clone(), 0.95));
            continue;
        }
        let glued = unit_prefix(token.lower()).filter(|_| !token.lower().is_ascii());
        let head = glued.map_or("", |(_, rest)| {
            token.lower().strip_suffix(rest).unwrap_or_default()
        });
        let scale = token.capital && matches!(token.lower(), "c" | "f" | "k");
        let word = [token.lower(), dense_head(token.lower()), head]
            .into_iter()
            .find(|word| {
                scale
                    || unit_of(word).is_some()
                        && (word.chars().count() > 1 || !token.spaced || !word.is_ascii())
            });
        let Some(word) = word else { continue };
        // `20 degrees Celsius`: the scale is the unit.
        let scaled = reading.quantities.iter().any(|quantity| {
            quantity.whole.end > token.span.end
                && overlap(&quantity.whole, &token.span)
                && quantity.unit.is_some()
        });
        if scaled {
            continue;
        }
        let counted = reading
            .quantities
            .iter()
            .any(|quantity| overlap(&quantity.whole, &token.span));
        let mut score = 0.75;
        score += match leaf.side {
            Side::From => {
                if counted {
                    0.3
                } else {
                    -0.2
                }
            }
            Side::To => {
                if counted {
                    -0.4
                } else {
                    0.2
                }
            }
            Side::Neither => 0.0,
        };
        let cue = reading.cue_of(&token.span).filter(|_| !counted);
        score += side_fit(leaf, cue);
        let text = reading
            .slice(&token.span)
            .get(..word.len())
            .unwrap_or(word)
            .to_owned();
        found.push(Candidate::new(text, token.span.clone(), score));
    }
    found
}
