//! The events of a stream.

use serde_json::{Value, json};

pub(crate) fn added(index: usize, item: Value) -> String {
    json!({"type": "response.output_item.added", "output_index": index, "item": item}).to_string()
}

/// The item as it is written.
pub(crate) fn done(index: usize, item: &str) -> String {
    format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{item}}}"#)
}

pub(crate) fn event(kind: &str, index: usize, fields: Value) -> String {
    let mut event = json!({"type": format!("response.{kind}"), "output_index": index});
    event
        .as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    event.to_string()
}

pub(crate) fn text(index: usize, delta: &str) -> String {
    event(
        "output_text.delta",
        index,
        json!({"content_index": 0, "delta": delta}),
    )
}

pub(crate) fn arguments(index: usize, delta: &str) -> String {
    event(
        "function_call_arguments.delta",
        index,
        json!({"delta": delta}),
    )
}

pub(crate) fn function(name: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": format!("fc_{name}"), "call_id": format!("call_{name}"),
        "name": name, "arguments": arguments})
}

pub(crate) const REASONING: &str = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Let me see."},{"type":"summary_text","text":"So."}],"encrypted_content":"gAAA"}"#;
pub(crate) const MESSAGE: &str = r#"{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"I look 서울.","annotations":[]}]}"#;
