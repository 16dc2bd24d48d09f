//! An answer as Azure words it: with what its filters found.

use serde_json::{Value, json};

use super::words;
use crate::fake::answer::Answer;
use crate::fake::azure::{prompt_results, unfiltered};
use crate::fake::dialect::{Asked, Frame};

/// Whose pieces in a script are chunks of a stream.
const PROVIDER: &str = "azure";

pub(super) fn whole(answer: &Answer, asked: &Asked) -> Value {
    let mut whole = words::whole(answer, asked);
    if let Some(choice) = whole
        .pointer_mut("/choices/0")
        .and_then(Value::as_object_mut)
    {
        choice.insert("content_filter_results".into(), unfiltered());
    }
    if let Some(members) = whole.as_object_mut() {
        members.insert("prompt_filter_results".into(), prompt_results());
    }
    whole
}

/// What was found in the prompt comes first, in a chunk without choices. A piece of Azure's own is a chunk
/// as it is, such as what the filters find after the text has gone out.
pub(super) fn stream(answer: &Answer, asked: &Asked) -> Vec<Frame> {
    let first = json!({
        "id": "",
        "object": "",
        "created": 0,
        "model": "",
        "choices": [],
        "prompt_filter_results": prompt_results(),
    });
    let mut frames = vec![Frame::data(&first)];
    frames.extend(words::chunks(answer, asked, Some(PROVIDER)));
    frames
}
