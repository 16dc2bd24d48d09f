//! A recorded request as our messages and options.

use serde_json::{Value, json};
use vernal_core::message::{Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse};
use vernal_core::model::{ChatOptions, Prompt};

use crate::taken::{tool, with_data};

/// # Errors
/// Our messages cannot say it; the error says what.
pub(crate) fn take_apart(request: &Value) -> Result<Prompt, String> {
    let mut messages = Vec::new();
    // Results stand in the order of their calls, without ids.
    let mut results = 0;
    for message in request["messages"].as_array().unwrap() {
        let text = message["content"].as_str().unwrap_or_default();
        messages.push(match message["role"].as_str().unwrap() {
            "system" => Message::system(text),
            "user" => Message::user(text),
            "assistant" => {
                results = 0;
                of_model(message, text)
            }
            "tool" => {
                results += 1;
                result(message, text, results - 1)
            }
            other => return Err(format!("with a `{other}` message")),
        });
    }
    Ok(Prompt::new(messages, options_of(request)?))
}

fn of_model(message: &Value, text: &str) -> Message {
    let mut parts = Vec::new();
    if let Some(thinking) = message["thinking"].as_str() {
        let content = PartContent::Reasoning(thinking.into());
        parts.push(with_data(content, "ollama", &json!({})));
    }
    if !text.is_empty() {
        parts.push(Part::text(text));
    }
    for (position, call) in message["tool_calls"]
        .as_array()
        .into_iter()
        .flatten()
        .enumerate()
    {
        let function = &call["function"];
        let (name, arguments) = (function["name"].as_str().unwrap(), &function["arguments"]);
        let call = ToolCall::new(format!("call_{position}"), name, arguments.to_string());
        parts.push(PartContent::ToolCall(call).into());
    }
    Message::new(Role::Assistant, parts)
}

fn result(message: &Value, text: &str, position: usize) -> Message {
    let id = format!("call_{position}");
    let call = ToolCall::new(id, message["tool_name"].as_str().unwrap(), "{}");
    let content = vec![ToolContent::Text(text.into())];
    Message::tool(vec![ToolResponse::success(&call, content)])
}

fn options_of(request: &Value) -> Result<ChatOptions, String> {
    let mut options = ChatOptions::builder();
    for (name, value) in request.as_object().unwrap() {
        options = match name.as_str() {
            "messages" | "stream" => options,
            "model" => options.model(value.as_str().unwrap()),
            "tools" => {
                let functions = value
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|tool| &tool["function"]);
                let tools =
                    functions.map(|of| tool(&of["name"], &of["description"], &of["parameters"]));
                let tools = tools.collect::<Result<Vec<_>, _>>()?;
                options
                    .tool_callbacks(tools)
                    .map_err(|_| "with two tools of one name".to_owned())?
            }
            // What has no setting of ours; `options` holds those that have one.
            "options" => {
                let mut rest = value.clone();
                let fields = rest.as_object_mut().unwrap();
                let temperature = fields.remove("temperature").and_then(|t| t.as_f64());
                let most = fields.remove("num_predict").and_then(|most| most.as_u64());
                let mut options = options;
                if let Some(temperature) = temperature {
                    options = options.temperature(temperature);
                }
                if let Some(most) = most {
                    options = options.max_tokens(most as u32);
                }
                match fields.is_empty() {
                    true => options,
                    false => options.extra("options", rest),
                }
            }
            other => options.extra(other, value.clone()),
        };
    }
    Ok(options.build())
}
