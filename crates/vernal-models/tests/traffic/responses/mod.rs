//! OpenAI Responses.

mod answers;
#[path = "../../responses/model.rs"]
mod model;
mod take_apart;

use std::sync::Arc;

use futures::FutureExt;
use serde_json::{Value, json};
use vernal_models::openai::responses::ResponsesState;

use crate::Dialect;
use crate::support::canned::Canned;
use crate::taken::sent;
use take_apart::{is_servers, take_apart, tool_fields};

pub(crate) const DIALECT: Dialect = Dialect {
    name: "openai-responses",
    reader: &["read_openai_responses.py", "--fixtures"],
    least: 420,
    model: |canned| Arc::new(model::model(canned)),
    compare: answers::compare,
    told: |reading, response, told, answer| answers::told(reading, response, told, answer).boxed(),
    write: |recorded| write(recorded).boxed(),
    normal,
    differences: include_str!("differences.txt"),
};

/// The request as we write it.
async fn write(recorded: &Value) -> Result<Value, String> {
    let (prompt, server_tools) = take_apart(recorded)?;
    let canned = Canned::new(r#"{"object":"response","output":[]}"#);
    // What a stateless request says by itself is an extra field of any other.
    let stateless = recorded["store"] == false;
    let state = if stateless {
        ResponsesState::Stateless
    } else {
        ResponsesState::Stored
    };
    let mut builder = model::builder(&canned).state(state);
    for tool in server_tools {
        builder = builder.server_tool(tool);
    }
    for (tool, field, value) in tool_fields(recorded) {
        builder = builder.tool_field(tool, field, value);
    }
    let model = builder.build().unwrap();
    sent(&canned, &model, prompt, recorded["stream"] == true).await
}

/// Makes the messages of the system that the input begins with instructions, as we do.
fn instruct(request: &mut Value) {
    let items = request["input"].as_array_mut().unwrap();
    let is_system = |item: &Value| item["role"] == "system";
    let count = items.iter().take_while(|item| is_system(item)).count();
    if count == 0 || count == items.len() {
        return;
    }
    let texts = items.drain(..count).map(|mut item| item["content"].take());
    let mut texts: Vec<String> = texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect();
    if let Some(first) = request["instructions"].as_str() {
        texts.insert(0, first.to_owned());
    }
    request["instructions"] = texts.join("\n\n").into();
}

/// A request with one spelling for what may be spelled in two ways.
fn normal(request: &Value) -> Value {
    let mut request = request.clone();
    for (name, default) in [("stream", json!(false)), ("tool_choice", json!("auto"))] {
        if request.get(name) == Some(&default) {
            request.as_object_mut().unwrap().remove(name);
        }
    }
    if request["input"].is_string() {
        let text = request["input"].take();
        request["input"] = json!([{"type": "message", "role": "user", "content": text}]);
    }
    for item in request["input"].as_array_mut().unwrap() {
        if item.get("role").is_some() && item.get("type").is_none() {
            item["type"] = "message".into();
        }
        // A list of one text is that text.
        for name in ["content", "output"] {
            if let Some(text) = item.get(name).and_then(only_text) {
                item[name] = text.into();
            }
        }
    }
    instruct(&mut request);
    // Our tools come first.
    if let Some(Value::Array(tools)) = request.get_mut("tools") {
        tools.sort_by_key(is_servers);
    }
    request
}

fn only_text(content: &Value) -> Option<String> {
    let [piece] = content.as_array()?.as_slice() else {
        return None;
    };
    let bare = piece.as_object()?.len() == 2 && piece["type"] != "refusal";
    piece["text"].as_str().filter(|_| bare).map(str::to_owned)
}
