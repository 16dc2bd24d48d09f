//! A recorded request as our messages and options.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolOutcome, ToolResponse,
};
use vernal_core::model::{ChatOptions, Prompt, ToolChoice};
use vernal_core::tool::ToolCallback;

use crate::taken::{self, tool};

/// The prompt, and the tools that the provider runs.
///
/// # Errors
/// Our messages cannot say it; the error says what.
pub(crate) fn take_apart(request: &Value) -> Result<(Prompt, Vec<Value>), String> {
    let mut messages = Vec::new();
    match &request["system"] {
        Value::Null => {}
        Value::String(text) => messages.push(Message::system(text.as_str())),
        blocks => messages.push(Message::new(
            Role::System,
            spoken(blocks.as_array().unwrap()),
        )),
    }
    let mut names = BTreeMap::new();
    for message in request["messages"].as_array().unwrap() {
        let text = [json!({"type": "text", "text": message["content"]})];
        let blocks = message["content"]
            .as_array()
            .map_or(&text[..], Vec::as_slice);
        match message["role"].as_str().unwrap() {
            "user" => messages.extend(of_user(blocks, &names)),
            "assistant" => messages.push(of_model(blocks, &mut names)),
            other => return Err(format!("with a `{other}` message in the conversation")),
        }
    }
    let (options, server_tools) = options_of(request)?;
    Ok((Prompt::new(messages, options), server_tools))
}

fn with_data(content: PartContent, data: &Value) -> Part {
    taken::with_data(content, "anthropic", data)
}

/// A part with the cache mark of its block.
fn marked(content: PartContent, block: &Value) -> Part {
    match block.get("cache_control") {
        Some(mark) => with_data(content, &json!({"cache_control": mark})),
        None => content.into(),
    }
}

fn media(block: &Value) -> Option<Media> {
    let source = &block["source"];
    let of_kind = match block["type"].as_str()? {
        "image" => "image/unknown",
        "document" => "application/pdf",
        _ => return None,
    };
    match source["type"].as_str()? {
        "base64" => Some(Media::base64(
            source["media_type"].as_str()?,
            source["data"].as_str()?,
        )),
        "url" => Some(Media::url(of_kind, source["url"].as_str()?)),
        _ => None,
    }
}

fn spoken(blocks: &[Value]) -> Vec<Part> {
    let part = |block: &Value| match (block["type"].as_str().unwrap(), media(block)) {
        ("text", _) => marked(
            PartContent::Text(block["text"].as_str().unwrap().into()),
            block,
        ),
        (_, Some(media)) => marked(PartContent::Media(media), block),
        _ => with_data(PartContent::Opaque, block),
    };
    blocks.iter().map(part).collect()
}

/// The results of tools in a message of theirs, and then what the user says.
fn of_user(blocks: &[Value], names: &BTreeMap<String, String>) -> Vec<Message> {
    let (results, rest): (Vec<_>, Vec<_>) = blocks
        .iter()
        .cloned()
        .partition(|block| block["type"] == "tool_result");
    let results: Vec<_> = results.iter().map(|block| result(block, names)).collect();
    let mut messages = Vec::new();
    if !results.is_empty() {
        messages.push(Message::new(Role::Tool, results));
    }
    if !rest.is_empty() {
        messages.push(Message::new(Role::User, spoken(&rest)));
    }
    messages
}

fn result(block: &Value, names: &BTreeMap<String, String>) -> Part {
    let id = block["tool_use_id"].as_str().unwrap();
    let name = names.get(id).map_or("unknown", String::as_str);
    let call = ToolCall::new(id, name, "{}");
    let content = |block: &Value| match (block["text"].as_str(), media(block)) {
        (Some(text), _) => Some(ToolContent::Text(text.into())),
        (_, Some(media)) => Some(ToolContent::Media(media)),
        _ => None,
    };
    let contents: Option<Vec<_>> = match &block["content"] {
        Value::String(text) => Some(vec![ToolContent::Text(text.as_str().into())]),
        Value::Array(blocks) => blocks.iter().map(content).collect(),
        _ => Some(Vec::new()),
    };
    let mut data = Map::new();
    for name in ["cache_control", "content"] {
        let wanted = name != "content" || contents.is_none();
        if let Some(value) = block.get(name).filter(|_| wanted) {
            data.insert(name.to_owned(), value.clone());
        }
    }
    let mut response = ToolResponse::success(&call, contents.unwrap_or_default());
    if block["is_error"] == true {
        response.outcome = ToolOutcome::Failed;
    }
    let content = PartContent::ToolResponse(response);
    if data.is_empty() {
        content.into()
    } else {
        with_data(content, &Value::Object(data))
    }
}

fn of_model(blocks: &[Value], names: &mut BTreeMap<String, String>) -> Message {
    let mut part = |block: &Value| match block["type"].as_str().unwrap() {
        "text" => marked(
            PartContent::Text(block["text"].as_str().unwrap().into()),
            block,
        ),
        "thinking" => {
            let text = block["thinking"].as_str().unwrap();
            with_data(PartContent::Reasoning(text.into()), block)
        }
        "tool_use" => {
            let (id, name) = (
                block["id"].as_str().unwrap(),
                block["name"].as_str().unwrap(),
            );
            names.insert(id.to_owned(), name.to_owned());
            let call = ToolCall::new(id, name, block["input"].to_string());
            marked(PartContent::ToolCall(call), block)
        }
        _ => with_data(PartContent::Opaque, block),
    };
    Message::new(Role::Assistant, blocks.iter().map(&mut part).collect())
}

fn options_of(request: &Value) -> Result<(ChatOptions, Vec<Value>), String> {
    let mut options = ChatOptions::builder();
    let mut server_tools = Vec::new();
    for (name, value) in request.as_object().unwrap() {
        options = match name.as_str() {
            "messages" | "system" | "stream" => options,
            "model" => options.model(value.as_str().unwrap()),
            "max_tokens" => options.max_tokens(value.as_u64().unwrap() as u32),
            "temperature" => options.temperature(value.as_f64().unwrap()),
            "stop_sequences" => {
                let texts = value.as_array().unwrap().iter();
                texts.fold(options, |options, text| {
                    options.stop(text.as_str().unwrap())
                })
            }
            "tool_choice" => choose(options, value),
            "tools" => {
                let (servers, ours): (Vec<_>, Vec<_>) = value
                    .as_array()
                    .unwrap()
                    .iter()
                    .cloned()
                    .partition(is_servers);
                server_tools = servers;
                let tools = ours.iter().map(our_tool).collect::<Result<Vec<_>, _>>()?;
                options
                    .tool_callbacks(tools)
                    .map_err(|error| error.to_string())?
            }
            other => options.extra(other, value.clone()),
        };
    }
    Ok((options.build(), server_tools))
}

/// Whether the provider runs the tool.
pub(crate) fn is_servers(tool: &Value) -> bool {
    tool.get("input_schema").is_none()
}

/// What the definitions of our tools have beside what every one has: tool, field and value.
pub(crate) fn tool_fields(request: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for tool in request["tools"].as_array().into_iter().flatten() {
        for (field, value) in tool.as_object().unwrap() {
            let usual = ["name", "description", "input_schema"].contains(&field.as_str());
            if !usual && !is_servers(tool) {
                let name = tool["name"].as_str().unwrap();
                found.push((name.to_owned(), field.clone(), value.clone()));
            }
        }
    }
    found
}

fn choose(
    options: vernal_core::model::ChatOptionsBuilder,
    choice: &Value,
) -> vernal_core::model::ChatOptionsBuilder {
    let options = match choice["disable_parallel_tool_use"].as_bool() {
        Some(alone) => options.parallel_tool_calls(!alone),
        None => options,
    };
    match choice["type"].as_str() {
        Some("any") => options.tool_choice(ToolChoice::Required),
        Some("none") => options.tool_choice(ToolChoice::None),
        Some("tool") => {
            let name = choice["name"].as_str().unwrap();
            options.tool_choice(ToolChoice::Tool(name.into()))
        }
        _ => options,
    }
}

fn our_tool(of: &Value) -> Result<Arc<dyn ToolCallback>, String> {
    tool(&of["name"], &of["description"], &of["input_schema"])
}
