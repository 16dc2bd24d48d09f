//! Values out of results: what one tool found for what another one needs.

use super::fill::{Leaf, Scene, like_samples, shaped_finds};
use super::pick::{Wanted, best_item, mentions};
use super::read::Step;
use super::reading::Reading;
use super::role::{Want, want};
use super::schema::{Param, Shape};
use super::tool::Tool;
use super::words::{Word, identifier_words};
use serde_json::Value;

/// The value for a leaf from what tools have answered, the newest answer first.
///
/// `enough` is how well it must fit, from 0 to 1.
pub(crate) fn harvest(
    leaf: &Leaf<'_>,
    tool: &Tool,
    wanted: &Wanted<'_>,
    steps: &[&Step],
    enough: f32,
) -> Option<Value> {
    let mut best: Option<(f32, Value)> = None;
    for (age, step) in steps.iter().rev().enumerate() {
        let Some((fit, value)) =
            from_step(leaf, tool, wanted, step).filter(|(fit, _)| *fit >= enough)
        else {
            continue;
        };
        // A call that was made for this very key is the one.
        let asked_for = wanted.key.is_some_and(|key| mentions(&step.arguments, key));
        let score = fit + if asked_for { 0.4 } else { 0.0 } - 0.02 * age as f32;
        if best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, value));
        }
    }
    best.map(|(_, value)| value)
}

fn from_step(
    leaf: &Leaf<'_>,
    tool: &Tool,
    wanted: &Wanted<'_>,
    step: &Step,
) -> Option<(f32, Value)> {
    match serde_json::from_str::<Value>(step.text.trim()) {
        Ok(json @ (Value::Object(_) | Value::Array(_))) => {
            from_json(leaf, tool, wanted, step, &json)
        }
        Ok(Value::String(text)) => from_text(leaf, tool, &text),
        Ok(scalar) => shaped(leaf, &scalar).map(|value| (0.6, value)),
        Err(_) => from_text(leaf, tool, &step.text),
    }
}

/// A value in JSON, with the names on the way to it.
struct Found<'a> {
    name: &'a str,
    parents: Vec<&'a str>,
    value: &'a Value,
}

fn from_json(
    leaf: &Leaf<'_>,
    tool: &Tool,
    wanted: &Wanted<'_>,
    step: &Step,
    json: &Value,
) -> Option<(f32, Value)> {
    let mut found = Vec::new();
    collect(json, "", &[], wanted, &mut found, 0);
    let source = identifier_words(&step.tool);
    let mut best: Option<(f32, Value)> = None;
    for found in &found {
        let Some(value) = shaped(leaf, found.value) else {
            continue;
        };
        let sampled = value
            .as_str()
            .is_some_and(|text| like_samples(leaf.param, text));
        let score = name_fit(leaf, tool, found, &source).max(if sampled { 0.96 } else { 0.0 });
        if score > 0.0 && best.as_ref().is_none_or(|(known, _)| score > *known) {
            best = Some((score, value));
        }
    }
    best
}

fn collect<'a>(
    json: &'a Value,
    name: &'a str,
    parents: &[&'a str],
    wanted: &Wanted<'_>,
    found: &mut Vec<Found<'a>>,
    depth: usize,
) {
    if depth > 8 || found.len() > 500 {
        return;
    }
    match json {
        Value::Object(members) => {
            let mut path = parents.to_vec();
            path.push(name);
            for (name, value) in members {
                collect(value, name, &path, wanted, found, depth + 1);
            }
        }
        Value::Array(items) => {
            if let Some(item) = best_item(items, wanted) {
                collect(item, name, parents, wanted, found, depth + 1);
            }
        }
        leaf => found.push(Found {
            name,
            parents: parents.to_vec(),
            value: leaf,
        }),
    }
}

fn name_fit(leaf: &Leaf<'_>, tool: &Tool, found: &Found<'_>, source: &[Word]) -> f32 {
    let words = identifier_words(found.name);
    let glue = |words: &[Word]| {
        words
            .iter()
            .map(|word| word.lower.as_str())
            .collect::<String>()
    };
    if !found.name.is_empty() && glue(&words) == glue(&leaf.param.words) {
        return 1.0;
    }
    if is_short_for(&words, &leaf.param.words) {
        return 0.98;
    }
    let is_id = |word: &Word| {
        matches!(
            word.lower.as_str(),
            "id" | "uuid"
                | "identifier"
                | "key"
                | "code"
                | "아이디"
                | "번호"
                | "nr"
                | "number"
                | "ref"
        )
    };
    let nouns: Vec<&Word> = leaf
        .words
        .iter()
        .filter(|word| !is_id(word) && !vague(word))
        .collect();
    let near = |noun: &Word, words: &[Word]| {
        words
            .iter()
            .map(|word| word.likeness(noun))
            .fold(0.0, f32::max)
    };
    let parents: Vec<Word> = found
        .parents
        .iter()
        .flat_map(|parent| identifier_words(parent))
        .collect();
    if leaf.want == Want::Id && words.iter().any(is_id) {
        let own: Vec<&Word> = words.iter().filter(|word| !is_id(word)).collect();
        let owner: Vec<Word> = own.iter().map(|word| (*word).clone()).collect();
        let context: Vec<Word> = parents.iter().chain(source).cloned().collect();
        let nouns: Vec<&Word> = if nouns.is_empty() {
            tool.words.iter().filter(|word| !word.is_action()).collect()
        } else {
            nouns
        };
        let told = |words: &[Word]| nouns.iter().any(|noun| near(noun, words) >= 0.6);
        return match own.is_empty() {
            false if told(&owner) => 0.95,
            false => 0.3,
            true if told(&context) => 0.9,
            true => 0.45,
        };
    }
    if !nouns.is_empty() && nouns.iter().all(|noun| near(noun, &words) >= 0.6) {
        return 0.85;
    }
    let last = nouns.last().is_some_and(|noun| near(noun, &words) >= 0.65);
    if last {
        return 0.7;
    }
    let about = leaf.param.about.iter().any(|word| {
        !vague(word) && word.lower.chars().count() > 2 && words.iter().any(|own| own.is(word))
    });
    if about {
        return 0.6;
    }
    // Things of one kind under another name: `mail` for `email`.
    if same_kind(leaf, found) { 0.6 } else { 0.0 }
}

/// `lat` for `latitude`, `lng` for `longitude`.
fn is_short_for(a: &[Word], b: &[Word]) -> bool {
    let ([a], [b]) = (a, b) else { return false };
    let (short, long) = if a.lower.len() < b.lower.len() {
        (a, b)
    } else {
        (b, a)
    };
    short.lower.len() >= 3 && long.lower.starts_with(&short.lower)
        || matches!(
            (short.lower.as_str(), long.lower.as_str()),
            ("lng", "longitude") | ("lng", "lon") | ("lng", "long")
        )
}

pub(crate) fn vague(word: &Word) -> bool {
    matches!(
        word.lower.as_str(),
        "the"
            | "a"
            | "of"
            | "to"
            | "from"
            | "for"
            | "in"
            | "on"
            | "is"
            | "name"
            | "value"
            | "input"
            | "text"
            | "data"
            | "target"
            | "source"
    )
}

fn same_kind(leaf: &Leaf<'_>, found: &Found<'_>) -> bool {
    let pseudo = Param {
        name: found.name.to_owned(),
        words: identifier_words(found.name),
        description: String::new(),
        about: Vec::new(),
        shape: Shape::Text(Default::default()),
        required: false,
        default: None,
        examples: Vec::new(),
        foreign: Vec::new(),
        samples: Vec::new(),
    };
    let kind = want(&pseudo, &[]);
    kind == leaf.want
        && !matches!(
            kind,
            Want::Thing | Want::Text | Want::Title | Want::Kind | Want::Id
        )
}

/// The value in the form that the leaf takes.
fn shaped(leaf: &Leaf<'_>, value: &Value) -> Option<Value> {
    shaped_as(&leaf.param.shape, value)
}

fn shaped_as(shape: &Shape, value: &Value) -> Option<Value> {
    match (shape, value) {
        (_, Value::Null) => None,
        (Shape::Text(text), Value::String(given)) => text.allows(given).then(|| value.clone()),
        (Shape::Text(_), Value::Number(number)) => Some(number.to_string().into()),
        (Shape::Number(number), Value::Number(given)) => given
            .as_f64()
            .filter(|n| number.allows(*n))
            .map(|_| value.clone()),
        (Shape::Number(number), Value::String(given)) => {
            let parsed: f64 = given.trim().parse().ok()?;
            if !number.allows(parsed) {
                return None;
            }
            given
                .trim()
                .parse::<i64>()
                .map(Value::from)
                .ok()
                .or_else(|| serde_json::Number::from_f64(parsed).map(Value::Number))
        }
        (Shape::Boolean, Value::Bool(_)) | (Shape::Anything, _) => Some(value.clone()),
        (Shape::Choice(choices), given) => choices
            .iter()
            .find(|choice| choice.value == *given)
            .map(|choice| choice.value.clone()),
        (Shape::Either(shapes), given) => shapes.iter().find_map(|shape| shaped_as(shape, given)),
        (Shape::List(list), given) if !given.is_array() => {
            shaped_as(&list.item.shape, given).map(|item| Value::Array(vec![item]))
        }
        _ => None,
    }
}

/// A value out of plain text: after its name, by its form, or the whole of a short text.
fn from_text(leaf: &Leaf<'_>, tool: &Tool, text: &str) -> Option<(f32, Value)> {
    for line in text.split(['\n', ',', ';']) {
        let Some((name, value)) = line.split_once(':').or_else(|| line.split_once('=')) else {
            continue;
        };
        let words = identifier_words(name);
        let named = words.len() <= 4
            && leaf
                .param
                .words
                .iter()
                .all(|own| words.iter().any(|word| word.likeness(own) >= 0.65));
        if named && let Some(value) = shaped(leaf, &Value::String(value.trim().to_owned())) {
            return Some((0.9, value));
        }
    }
    let reading = Reading::new(text);
    let scene = Scene {
        reading: &reading,
        tool,
        now: None,
        prefer: None,
    };
    let found = shaped_finds(leaf, &scene);
    let best = found
        .into_iter()
        .filter(|candidate| candidate.wait.is_none() && candidate.score >= 0.5)
        .max_by(|a, b| a.score.total_cmp(&b.score));
    if let Some(best) = best.and_then(|best| shaped(leaf, &best.value)) {
        return Some((0.65, best));
    }
    let short = text.trim();
    let one = !short.is_empty()
        && short.chars().count() <= 40
        && short.split_whitespace().count() <= 3
        && short != "Done";
    let open = !matches!(
        leaf.want,
        Want::Email | Want::Url | Want::Phone | Want::Date | Want::Text
    );
    if one && open {
        shaped(leaf, &Value::String(short.to_owned())).map(|value| (0.56, value))
    } else {
        None
    }
}
