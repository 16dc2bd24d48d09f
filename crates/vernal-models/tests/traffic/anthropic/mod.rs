//! Anthropic Messages.

mod answers;
#[path = "../../anthropic/model.rs"]
mod model;
mod take_apart;

use std::sync::Arc;

use futures::FutureExt;
use serde_json::{Value, json};

use crate::Dialect;
use crate::hearing::told_whole;
use crate::support::canned::Canned;
use crate::taken::sent;
use take_apart::{is_servers, take_apart, tool_fields};

pub(crate) const DIALECT: Dialect = Dialect {
    name: "anthropic-messages",
    reader: &["read_anthropic.py", "--fixtures"],
    least: 350,
    model: |canned| Arc::new(model::model(canned)),
    compare: answers::compare,
    told: told_whole,
    write: |recorded| write(recorded).boxed(),
    normal,
    differences: include_str!("differences.txt"),
};

async fn write(recorded: &Value) -> Result<Value, String> {
    let (prompt, server_tools) = take_apart(recorded)?;
    let canned = Canned::new(r#"{"type":"message","content":[]}"#);
    let mut builder = model::builder(&canned);
    for tool in server_tools {
        builder = builder.server_tool(tool);
    }
    for (tool, field, value) in tool_fields(recorded) {
        builder = builder.tool_field(tool, field, value);
    }
    let model = builder.build().unwrap();
    sent(&canned, &model, prompt, recorded["stream"] == true).await
}

/// A text is a list of one text, what is the default says nothing, and our tools come first.
fn normal(request: &Value) -> Value {
    let mut request = request.clone();
    let as_list = |content: &mut Value| {
        if let Value::String(text) = content {
            *content = json!([{"type": "text", "text": text}]);
        }
    };
    let says_nothing = [
        ("stream", json!(false)),
        ("tool_choice", json!({"type": "auto"})),
    ];
    for (name, default) in says_nothing {
        if request.get(name) == Some(&default) {
            request.as_object_mut().unwrap().remove(name);
        }
    }
    if request.get("system").is_some() {
        as_list(&mut request["system"]);
    }
    for message in request["messages"].as_array_mut().unwrap() {
        as_list(&mut message["content"]);
        let blocks = message["content"].as_array_mut().unwrap();
        let results = blocks
            .iter_mut()
            .filter(|block| block["type"] == "tool_result");
        results.for_each(normal_result);
    }
    if let Some(Value::Array(tools)) = request.get_mut("tools") {
        tools.sort_by_key(is_servers);
    }
    request
}

fn normal_result(block: &mut Value) {
    if block["is_error"] == false {
        block.as_object_mut().unwrap().remove("is_error");
    }
    let joined = block.get("content").and_then(joined_text);
    if let Some(text) = joined {
        block["content"] = text.into();
    }
}

/// The text of a result that holds nothing else.
fn joined_text(content: &Value) -> Option<String> {
    let texts = content
        .as_array()?
        .iter()
        .map(|block| block["text"].as_str());
    Some(texts.collect::<Option<Vec<_>>>()?.join("\n"))
}
