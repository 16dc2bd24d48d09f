//! OpenAI Chat Completions, of whatever server.

mod answers;
mod take_apart;

use std::sync::Arc;

use futures::FutureExt;
use serde_json::{Value, json};
use vernal_models::http::RetryPolicy;
use vernal_models::openai::{MaxTokensField, OpenAiChatModel, OpenAiProfile};

use crate::Dialect;
use crate::hearing::told_whole;
use crate::support::canned::Canned;
use crate::taken::sent;

pub(crate) const DIALECT: Dialect = Dialect {
    name: "openai-chat",
    reader: &["read_openai_chat.py", "--fixtures"],
    least: 600,
    model: |canned| Arc::new(canned.model()),
    compare: answers::compare,
    told: told_whole,
    write: |recorded| write(recorded).boxed(),
    normal,
    differences: include_str!("differences.txt"),
};

async fn write(recorded: &Value) -> Result<Value, String> {
    let profile = profile(recorded);
    let prompt = take_apart::take_apart(recorded, profile.name)?;
    let canned = Canned::new(r#"{"choices":[]}"#);
    let model = OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .profile(profile)
        .strict_tools(is_strict(recorded))
        .retry(RetryPolicy::never())
        .transport(canned.clone())
        .build()
        .unwrap();
    sent(&canned, &model, prompt, recorded["stream"] == true).await
}

/// Whether the schemas of all tools are enforced.
fn is_strict(recorded: &Value) -> bool {
    let mut tools = recorded["tools"].as_array().into_iter().flatten();
    tools.all(|tool| tool["function"]["strict"] == true)
}

/// What the server of the recording was taken for by who recorded it.
fn profile(recorded: &Value) -> OpenAiProfile {
    let mut profile = OpenAiProfile::COMPATIBLE;
    profile.strict_tools = true;
    profile.stream_usage = recorded["stream_options"]["include_usage"] == true;
    if recorded.get("max_completion_tokens").is_some() {
        profile.max_tokens_field = MaxTokensField::MaxCompletionTokens;
    }
    profile
}

/// What is `null`, empty or the default says nothing, a list of one text is that text, an image is behind
/// its URL, and what can only be a function need not say so.
fn normal(request: &Value) -> Value {
    let mut request = request.clone();
    drop_nulls(&mut request);
    let defaults = [("stream", json!(false)), ("tool_choice", json!("auto"))];
    for (name, default) in defaults {
        if request.get(name) == Some(&default) {
            request.as_object_mut().unwrap().remove(name);
        }
    }
    if request["tool_choice"].is_object() {
        request["tool_choice"]["type"] = "function".into();
    }
    if request["tools"] == json!([]) {
        request.as_object_mut().unwrap().remove("tools");
    }
    for message in request["messages"].as_array_mut().unwrap() {
        drop_nulls(message);
        let calls = message
            .get("tool_calls")
            .is_some_and(|calls| *calls != json!([]));
        message
            .as_object_mut()
            .unwrap()
            .retain(|name, value| match name.as_str() {
                "prefix" => *value != false,
                "tool_calls" => calls,
                "content" => !calls || (*value != json!("") && *value != json!([])),
                _ => true,
            });
        for item in message["content"].as_array_mut().into_iter().flatten() {
            if item["image_url"].is_string() {
                item["image_url"] = json!({"url": item["image_url"]});
            }
        }
        let only = message["content"]
            .as_array()
            .filter(|items| items.len() == 1);
        if let Some(text) = only.and_then(|items| plain_text(&items[0])) {
            message["content"] = text.into();
        }
    }
    for tool in request["tools"].as_array_mut().into_iter().flatten() {
        tool["type"] = "function".into();
    }
    request
}

fn drop_nulls(object: &mut Value) {
    object
        .as_object_mut()
        .unwrap()
        .retain(|_, value| !value.is_null());
}

/// The text of an item that has nothing else.
fn plain_text(item: &Value) -> Option<String> {
    let is_plain = item["type"] == "text" && item.as_object()?.len() == 2;
    is_plain.then(|| item["text"].as_str().map(str::to_owned))?
}
