//! Tool calls in pieces: wherever a server cuts them, they come out whole; and fragments that make no
//! sense never panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use vernal_core::message::{FinishReason, Part, PartContent};
use vernal_core::model::{ArgumentsDelta, ToolCallAccumulator, ToolCallDelta};

fuzz_target!(|data: &[u8]| {
    split_equals_whole(data);
    anything_goes(data);
});

/// Each call as its id, its name and its arguments.
fn said(parts: &[Part]) -> Vec<(String, String, String)> {
    let call = |part: &Part| match &part.content {
        PartContent::ToolCall(call) => Some((
            call.id.to_string(),
            call.name.to_string(),
            call.arguments.to_string(),
        )),
        _ => None,
    };
    parts.iter().filter_map(call).collect()
}

/// The bytes up to the first 0xFF say where to cut; the texts between the others are arguments.
fn split_equals_whole(data: &[u8]) {
    let mut pieces = data.split(|byte| *byte == 0xff);
    let cuts = pieces.next().unwrap_or_default();
    let calls: Vec<String> = pieces
        .take(4)
        .map(|text| object_of(&String::from_utf8_lossy(text)))
        .collect();
    let mut fragments: Vec<Vec<&str>> = calls
        .iter()
        .map(|arguments| cut(arguments, cuts).into_iter().rev().collect())
        .collect();

    let mut accumulator = ToolCallAccumulator::new("fuzz");
    let mut opened = vec![false; calls.len()];
    while fragments.iter().any(|left| !left.is_empty()) {
        // One of each call in turn, as servers interleave them.
        for (index, left) in fragments.iter_mut().enumerate() {
            let Some(fragment) = left.pop() else { continue };
            let first = !std::mem::replace(&mut opened[index], true);
            let (id, name) = (format!("id{index}"), format!("tool{index}"));
            accumulator.add(ToolCallDelta {
                index: Some(index as i64),
                id: first.then_some(id.as_str()),
                name: first.then_some(name.as_str()),
                arguments: ArgumentsDelta::Fragment(fragment),
                provider_data: None,
            });
        }
    }
    let parts = accumulator.finish(Some(&FinishReason::ToolCalls));
    let expected: Vec<_> = calls
        .into_iter()
        .enumerate()
        .map(|(index, arguments)| (format!("id{index}"), format!("tool{index}"), arguments))
        .collect();
    assert_eq!(said(&parts), expected);
}

/// The text itself if it is a JSON object, else one with the text in it.
fn object_of(text: &str) -> String {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(value) if value.get().starts_with('{') => text.to_owned(),
        _ => json!({ "text": text }).to_string(),
    }
}

/// The text in pieces whose lengths the bytes say.
fn cut<'t>(text: &'t str, lengths: &[u8]) -> Vec<&'t str> {
    let mut rest = text;
    let mut pieces = Vec::new();
    for length in lengths {
        let end = rest.ceil_char_boundary((*length as usize % 16).min(rest.len()));
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Every three bytes and a text are a fragment.
fn anything_goes(data: &[u8]) {
    let fragments = data.len().is_multiple_of(2);
    let mut accumulator = ToolCallAccumulator::new("fuzz").with_turn(1);
    if fragments {
        accumulator = accumulator.with_name_fragments();
    }
    let provider_data = serde_json::value::to_raw_value(&Value::Null).expect("null");
    for chunk in data.split(|byte| *byte == 0xff) {
        let [what, index, rest @ ..] = chunk else {
            continue;
        };
        let text = String::from_utf8_lossy(rest);
        let (name, arguments) = text.split_once('\0').unwrap_or(("f", &text));
        let whole = serde_json::from_str::<&RawValue>(arguments)
            .ok()
            .filter(|_| what & 1 == 0);
        let effect = accumulator.add(ToolCallDelta {
            index: (what & 2 == 0).then_some(i64::from(*index % 4)),
            id: (what & 4 == 0).then_some(["", "a", "b", "c"][usize::from(*index / 4 % 4)]),
            name: (what & 8 == 0).then_some(name),
            arguments: match whole {
                _ if what & 16 != 0 => ArgumentsDelta::None,
                Some(value) => ArgumentsDelta::Whole(value),
                None => ArgumentsDelta::Fragment(arguments),
            },
            provider_data: (what & 32 == 0).then_some(&*provider_data),
        });
        if let Some(effect) = effect {
            let taken = accumulator
                .arguments(effect.index)
                .expect("the call is there");
            assert!(taken.get(effect.arguments_from..).is_some());
            assert!(
                accumulator
                    .name(effect.index)
                    .is_some_and(|name| !name.is_empty())
            );
        }
    }
    let _ = accumulator.has_incomplete_arguments();
    let count = accumulator.len();
    let cut = data.first().is_some_and(|byte| byte & 1 == 1);
    let parts = accumulator.finish(cut.then_some(&FinishReason::Length));
    let said = said(&parts);
    assert_eq!(said.len(), count);
    let ids: std::collections::HashSet<_> = said.iter().map(|(id, ..)| id).collect();
    assert_eq!(ids.len(), count, "every call has an id of its own");
}
