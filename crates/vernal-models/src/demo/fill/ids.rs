//! Numbers and codes of things: which one is meant by a parameter.

use super::leaf::{Candidate, Leaf, Scene, Strength, listed};
use super::number::Written;
use super::pattern::Form;
use super::typed::side_fit;
use crate::demo::cue::preposition;
use crate::demo::lang::{Lang, is_stop};
use crate::demo::reading::overlap;
use crate::demo::schema::Param;
use crate::demo::tool::Tool;
use crate::demo::words::Word;
use std::ops::Range;

pub(super) fn ids(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    let reading = scene.reading;
    let mut found = Vec::new();
    for formed in &reading.formed {
        let score = match formed.form {
            Form::Id => 0.9,
            Form::Handle => 0.6,
            Form::Code => 0.5,
            Form::Phone if leaf.named("number phone account iban") => 0.5,
            Form::Phone if says_phone(leaf.param) => 0.95,
            _ => continue,
        };
        if reading
            .moments
            .iter()
            .any(|moment| overlap(&moment.span, &formed.span))
        {
            continue;
        }
        let value = formed.text.trim_start_matches(['#', '@']);
        let like_sample =
            prefix_of_samples(leaf.param).is_some_and(|prefix| value.starts_with(&prefix));
        // What another wish speaks of is mostly no value of this one.
        let elsewhere = reading.is_of_another(&formed.span);
        let found_elsewhere =
            says_found(leaf.param) && leaf.label(reading, &formed.span) == 0.0 && !like_sample;
        let strength = if found_elsewhere || is_of_other(leaf, scene, &formed.span) && !like_sample
        {
            Strength::LastResort
        } else if elsewhere {
            strength_of(leaf, scene, &formed.span)
        } else {
            Strength::Firm
        };
        let unlike = !like_sample && prefix_of_samples(leaf.param).is_some();
        let bonus = if unlike { -0.25 } else { 0.0 }
            + if like_sample { 0.15 } else { 0.0 }
            + side_fit(leaf, reading.cue_of(&formed.span));
        let (value, span) = whole_plate(leaf, scene, &formed.span)
            .map_or((value, formed.span.clone()), |span| {
                (reading.slice(&span), span)
            });
        let found_id = Candidate::new(value, span, score + bonus);
        found.push(if like_sample {
            found_id
        } else {
            found_id.with_strength(strength)
        });
    }
    for quantity in reading
        .quantities
        .iter()
        .filter(|quantity| quantity.written == Written::Digits)
    {
        let span = &quantity.span;
        let inside = reading
            .formed
            .iter()
            .any(|formed| overlap(&formed.span, span));
        let timed = reading
            .moments
            .iter()
            .any(|moment| overlap(&moment.span, span));
        let version = leaf.named("version 버전");
        let labelled = || leaf.label(reading, span) > 0.0;
        let digits = |b: u8| b.is_ascii_digit() || b == b'.' && (version || labelled());
        let whole = reading.slice(span).bytes().all(digits);
        let quoted = reading.is_quoted(span);
        // `apartment 12C`
        let letter = reading.after(span.end, 0).filter(|next| {
            !next.spaced && next.capital && next.lower().len() == 1 && next.is_word()
        });
        let counted = quantity.unit.is_some() && !quantity.is_designator() && letter.is_none();
        if inside || !whole || quoted || counted || quantity.currency.is_some() {
            continue;
        }
        let near = (0..3)
            .filter_map(|back| reading.before(span.start, back))
            .filter(|token| token.is_word());
        let noun = near.into_iter().any(|token| {
            matches!(
                token.lower(),
                "number" | "no" | "nr" | "id" | "nummer" | "número" | "번호" | "番号" | "code"
            ) || scene
                .tool
                .words
                .iter()
                .any(|word| !token.word.is_action() && word.likeness(&token.word) >= 0.65)
        });
        if timed && !noun {
            continue;
        }
        let noun = noun || quantity.is_designator();
        let score = 0.6 + if noun { 0.25 } else { 0.0 } - if timed { 0.4 } else { 0.0 };
        let span = &(span.start..letter.map_or(span.end, |letter| letter.span.end));
        found.push(
            Candidate::new(
                reading.slice(span),
                span.clone(),
                score + side_fit(leaf, reading.cue_of(span)),
            )
            .with_strength(strength_of(leaf, scene, span)),
        );
    }
    // An id is one word, also where it is quoted.
    let single = |text: &str| !text.trim().contains(char::is_whitespace);
    let own = |span: &Range<usize>| !reading.is_of_another(span);
    let quoted = reading.quoted.iter().filter(|(_, span)| own(span));
    for (text, span) in quoted.filter(|(text, _)| single(text)) {
        found.push(Candidate::new(text.trim(), span.clone(), 0.6));
    }
    found
}

fn says_phone(param: &Param) -> bool {
    let lower = param.description.to_lowercase();
    [
        "phone",
        "mobile",
        "móvil",
        "telefon",
        "teléfono",
        "handy",
        "전화",
        "휴대폰",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// `KX12 ABF`: a licence plate in two groups.
fn whole_plate(leaf: &Leaf<'_>, scene: &Scene<'_>, span: &Range<usize>) -> Option<Range<usize>> {
    let plate = leaf.named("plate plates registration numberplate kennzeichen matrícula 번호판");
    let next = scene.reading.after(span.end, 0).filter(|_| plate)?;
    let text = scene.reading.slice(&next.span);
    let group = text.len() <= 4
        && text
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let gap = scene.reading.text.get(span.end..next.span.start)?;
    (group && gap == " ").then_some(span.start..next.span.end)
}

/// `Id from findGuest`: what another tool gives is hardly said.
fn says_found(param: &Param) -> bool {
    let mut words = param
        .description
        .split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let called = |word: &str| {
        let inside = word.trim_matches('_');
        let camel = inside.chars().zip(inside.chars().skip(1));
        inside.contains('_')
            || camel
                .into_iter()
                .any(|(a, b)| a.is_lowercase() && b.is_uppercase())
    };
    let given = words
        .by_ref()
        .find(|word| listed("from by via of with through", word));
    given.is_some() && words.next().is_some_and(called)
}

/// `the parcel for order 88-1207`: no number of a parcel.
fn is_of_other(leaf: &Leaf<'_>, scene: &Scene<'_>, span: &Range<usize>) -> bool {
    let Some(noun) = scene.reading.before(span.start, 0) else {
        return false;
    };
    let mut own = leaf
        .words
        .iter()
        .chain(&leaf.param.about)
        .chain(&scene.tool.words)
        .chain(&scene.tool.about);
    let foreign = leaf.param.foreign.iter().any(|word| word.is(&noun.word));
    let general =
        "order invoice ticket booking reservation customer employee patient account contract";
    (foreign || listed(general, noun.lower())) && !own.any(|word| word.likeness(&noun.word) >= 0.6)
}

/// Tells each parameter by which words other tools alone name what they require.
pub(crate) fn tell_foreign(tools: &mut [Tool]) {
    let vague = "id ids no number code key ref reference name";
    let required = |tool: &Tool| -> Vec<Word> {
        let params = tool.params.iter().filter(|param| param.required);
        let words = params.flat_map(|param| param.words.clone());
        words.filter(|word| !listed(vague, &word.lower)).collect()
    };
    let of_tools: Vec<Vec<Word>> = tools.iter().map(required).collect();
    for (at, tool) in tools.iter_mut().enumerate() {
        let own: Vec<Word> = tool
            .params
            .iter()
            .flat_map(|param| param.words.clone())
            .collect();
        let others = of_tools
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at);
        let foreign: Vec<Word> = others
            .flat_map(|(_, words)| words)
            .filter(|word| !own.iter().any(|own| own.is(word)))
            .cloned()
            .collect();
        for param in &mut tool.params {
            param.foreign.clone_from(&foreign);
        }
    }
}

/// `order 55812` is no number of a payment, unless nothing else is to be had.
pub(super) fn strength_of(leaf: &Leaf<'_>, scene: &Scene<'_>, span: &Range<usize>) -> Strength {
    let reading = scene.reading;
    let opens = reading.before(span.start, 1).is_none_or(|token| {
        !token.is_word() || matches!(token.lower(), "and" | "then" | "please" | "to" | "you")
    });
    let plain = |word: &Word| {
        word.is_action() && opens
            || is_stop(reading.lang, &word.lower)
            || preposition(reading.lang, &word.lower).is_some()
            || listed(
                "number no nr id ids code key ref reference ticket",
                &word.lower,
            )
    };
    let general = |word: &Word| plain(word) || listed("tracking booking", &word.lower);
    let own: Vec<&Word> = leaf
        .param
        .words
        .iter()
        .filter(|word| !general(word))
        .collect();
    let before = reading
        .before(span.start, 0)
        .filter(|token| token.is_word() && !token.capital);
    let (Some(noun), false) = (before.map(|token| &token.word), own.is_empty()) else {
        return Strength::Firm;
    };
    let mut near = leaf
        .words
        .iter()
        .chain(&leaf.param.about)
        .chain(&scene.tool.words);
    let known = near.any(|word| word.likeness(noun) >= 0.6);
    if !noun.lower.is_ascii() {
        let about = format!(
            "{}{}{}",
            leaf.param.name, leaf.param.description, scene.tool.name
        );
        // `강남역에서 271번`: apart by a particle.
        let apart = noun.stem != noun.lower;
        let named = apart || about.contains(&noun.stem) || noun.stem.ends_with("번호");
        return if named {
            Strength::Firm
        } else {
            Strength::LastResort
        };
    }
    if known || plain(noun) || reading.lang != Lang::En {
        Strength::Firm
    } else {
        Strength::LastResort
    }
}

/// Whether an id begins like the samples in a parameter's description.
pub(crate) fn like_samples(param: &Param, id: &str) -> bool {
    prefix_of_samples(param).is_some_and(|prefix| id.starts_with(&prefix))
}

/// The letters with which the samples in the description begin, such as `ORD-`.
pub(super) fn prefix_of_samples(param: &Param) -> Option<String> {
    let told = std::iter::once(&param.description).chain(&param.samples);
    let mut formed = told.flat_map(|text| super::pattern::formed(text));
    let sample = formed.find(|f| f.form == Form::Id || f.form == Form::Handle)?;
    if sample.form == Form::Handle {
        return sample.text.get(..1).map(str::to_owned);
    }
    let prefix: String = sample
        .text
        .chars()
        .take_while(|c| !c.is_ascii_digit())
        .collect();
    (!prefix.is_empty()).then_some(prefix)
}
