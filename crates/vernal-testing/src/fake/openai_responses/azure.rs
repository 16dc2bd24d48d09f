//! An answer as Azure words it: with what its filters found.

use serde_json::{Value, json};

use super::words;
use crate::fake::answer::Answer;
use crate::fake::azure::unfiltered;
use crate::fake::dialect::{Asked, Frame};

pub(super) fn whole(answer: &Answer, asked: &Asked) -> Value {
    let found = |source: &str| {
        json!({
            "blocked": false,
            "source_type": source,
            "content_filter_raw": null,
            "content_filter_results": unfiltered(),
            "content_filter_offsets": {"start_offset": 0, "end_offset": 0, "check_offset": 0},
        })
    };
    let filters = json!([found("prompt"), found("completion")]);
    with(filters, words::whole(answer, asked))
}

pub(super) fn stream(answer: &Answer, asked: &Asked) -> Vec<Frame> {
    let begun = with(Value::Null, words::begun(answer, asked));
    words::events(begun, whole(answer, asked), answer, asked)
}

fn with(filters: Value, mut response: Value) -> Value {
    if let Some(members) = response.as_object_mut() {
        members.insert("content_filters".into(), filters);
    }
    response
}
