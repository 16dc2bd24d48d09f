//! A recorded request as our messages and options.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};
use vernal_core::model::{ChatOptions, ChatOptionsBuilder, Prompt, ToolChoice};
use vernal_core::tool::ToolCallback;

use crate::taken::{self, media_of_url, tool};

/// The prompt, and the tools that the provider knows by their type.
///
/// # Errors
/// Our messages cannot say it; the error says what.
pub(crate) fn take_apart(request: &Value) -> Result<(Prompt, Vec<Value>), String> {
    let mut messages = Vec::new();
    if let Some(text) = request["instructions"].as_str() {
        messages.push(Message::system(text));
    }
    let text = [json!({"role": "user", "content": request["input"]})];
    let items = request["input"].as_array().map_or(&text[..], Vec::as_slice);
    let mut names = BTreeMap::new();
    for item in items {
        let (role, parts) = parts_of(item, &mut names)?;
        // The model's items, and results, are one message each as long as they follow each other.
        let joins = matches!(role, Role::Assistant | Role::Tool);
        match messages.last_mut() {
            Some(last) if joins && last.role() == role => {
                parts.into_iter().for_each(|part| last.push(part));
            }
            _ => messages.push(Message::new(role, parts)),
        }
    }
    let (options, server_tools) = options_of(request)?;
    Ok((Prompt::new(messages, options), server_tools))
}

fn parts_of(
    item: &Value,
    names: &mut BTreeMap<String, String>,
) -> Result<(Role, Vec<Part>), String> {
    let kind = item["type"].as_str().unwrap_or("message");
    let one = |role: Role, part: Part| Ok((role, vec![part]));
    match (kind, item["role"].as_str()) {
        ("message", Some("system")) => one(Role::System, Part::text(text_of(&item["content"])?)),
        ("message", Some("user")) => Ok((Role::User, asked(&item["content"]))),
        ("message", Some("assistant")) => Ok((Role::Assistant, said(item))),
        ("message", role) => Err(format!("with a message of {role:?}")),
        ("function_call", _) => {
            let [id, name, arguments] =
                ["call_id", "name", "arguments"].map(|name| item[name].as_str().unwrap());
            names.insert(id.to_owned(), name.to_owned());
            let call = ToolCall::new(id, name, arguments);
            let rest = without(item, &["type", "call_id", "name", "arguments"]);
            one(
                Role::Assistant,
                with_rest(PartContent::ToolCall(call), rest),
            )
        }
        ("function_call_output", _) => one(Role::Tool, result(item, names)),
        ("reasoning", _) => {
            let shown = item["summary"][0]["text"]
                .as_str()
                .or(item["content"][0]["text"].as_str());
            let content = shown.map_or(PartContent::Opaque, |t| PartContent::Reasoning(t.into()));
            one(Role::Assistant, with_data(content, item))
        }
        _ => one(Role::Assistant, with_data(PartContent::Opaque, item)),
    }
}

fn with_data(content: PartContent, data: &Value) -> Part {
    taken::with_data(content, "compatible-responses", data)
}

fn with_rest(content: PartContent, rest: Map<String, Value>) -> Part {
    if rest.is_empty() {
        content.into()
    } else {
        with_data(content, &Value::Object(rest))
    }
}

fn without(item: &Value, names: &[&str]) -> Map<String, Value> {
    let members = item.as_object().unwrap().iter();
    let rest = members.filter(|(name, _)| !names.contains(&name.as_str()));
    rest.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// The text of a content that holds nothing else.
fn text_of(content: &Value) -> Result<String, String> {
    if let Some(text) = content.as_str() {
        return Ok(text.to_owned());
    }
    let pieces = content.as_array().into_iter().flatten();
    let texts: Option<Vec<_>> = pieces.map(|piece| piece["text"].as_str()).collect();
    texts
        .map(|texts| texts.concat())
        .ok_or_else(|| "with media of the system".to_owned())
}

fn asked(content: &Value) -> Vec<Part> {
    if let Some(text) = content.as_str() {
        return vec![Part::text(text)];
    }
    content.as_array().unwrap().iter().map(piece).collect()
}

/// A piece of what the user says: what has no shape of ours is opaque.
fn piece(piece: &Value) -> Part {
    if let (Some("input_text"), Some(text)) = (piece["type"].as_str(), piece["text"].as_str()) {
        return with_rest(
            PartContent::Text(text.into()),
            without(piece, &["type", "text"]),
        );
    }
    match media(piece) {
        Some(media) => {
            let ours = ["type", "image_url", "file_url", "file_data", "filename"];
            with_rest(PartContent::Media(media), without(piece, &ours))
        }
        None => with_data(PartContent::Opaque, piece),
    }
}

fn media(piece: &Value) -> Option<Media> {
    let of = |url: &str, unknown: &str, name: Option<&str>| {
        let mut media = media_of_url(url, unknown);
        media.name = name.map(Into::into);
        // Sounds have no shape in this language.
        (!media.mime_type.starts_with("audio/")).then_some(media)
    };
    match piece["type"].as_str()? {
        "input_image" => of(piece["image_url"].as_str()?, "image/unknown", None),
        "input_file" => {
            let url = piece["file_data"].as_str().or(piece["file_url"].as_str())?;
            of(url, "application/pdf", piece["filename"].as_str())
        }
        _ => None,
    }
}

/// What the model said: a message with an id is an item of an answer.
fn said(item: &Value) -> Vec<Part> {
    if let Some(text) = item["content"].as_str() {
        return vec![with_rest(
            PartContent::Text(text.into()),
            without(item, &["type", "role", "content"]),
        )];
    }
    let pieces = item["content"].as_array().unwrap().iter();
    let contents = pieces.map(|piece| match piece["refusal"].as_str() {
        Some(refusal) => PartContent::Refusal(refusal.into()),
        None => PartContent::Text(piece["text"].as_str().unwrap().into()),
    });
    let mut parts: Vec<Part> = contents.map(Part::from).collect();
    if item.get("id").is_some()
        && let Some(first) = parts.first_mut()
    {
        *first = with_data(first.content.clone(), item);
    }
    parts
}

fn result(item: &Value, names: &BTreeMap<String, String>) -> Part {
    let id = item["call_id"].as_str().unwrap();
    let name = names.get(id).map_or("unknown", String::as_str);
    let content = match item["output"].as_array() {
        None => vec![ToolContent::Text(item["output"].as_str().unwrap().into())],
        Some(pieces) => {
            let content = |piece: &Value| match media(piece) {
                Some(media) => ToolContent::Media(media),
                None => ToolContent::Text(piece["text"].as_str().unwrap_or("[sound]").into()),
            };
            pieces.iter().map(content).collect()
        }
    };
    let response = ToolResponse::success(&ToolCall::new(id, name, "{}"), content);
    with_rest(
        PartContent::ToolResponse(response),
        without(item, &["type", "call_id", "output"]),
    )
}

fn options_of(request: &Value) -> Result<(ChatOptions, Vec<Value>), String> {
    let mut options = ChatOptions::builder();
    let mut server_tools = Vec::new();
    for (name, value) in request.as_object().unwrap() {
        options = match name.as_str() {
            "input" | "instructions" | "stream" => options,
            "model" => options.model(value.as_str().unwrap()),
            "max_output_tokens" => options.max_tokens(value.as_u64().unwrap() as u32),
            "temperature" => options.temperature(value.as_f64().unwrap()),
            "top_p" => options.top_p(value.as_f64().unwrap()),
            "parallel_tool_calls" => options.parallel_tool_calls(value.as_bool().unwrap()),
            "tool_choice" => choose(options, value),
            "tools" => {
                let tools = value.as_array().unwrap().iter().cloned();
                let (servers, ours): (Vec<_>, Vec<_>) = tools.partition(is_servers);
                server_tools = servers;
                let tools = ours.iter().map(our_tool).collect::<Result<Vec<_>, _>>()?;
                let options = options.tool_callbacks(tools);
                options.map_err(|error| error.to_string())?
            }
            other => options.extra(other, value.clone()),
        };
    }
    Ok((options.build(), server_tools))
}

/// Whether the provider knows the tool by its type.
pub(crate) fn is_servers(tool: &Value) -> bool {
    tool["type"] != "function"
}

/// What the definitions of our tools have beside what every one has: tool, field and value.
pub(crate) fn tool_fields(request: &Value) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    for tool in request["tools"].as_array().into_iter().flatten() {
        if is_servers(tool) {
            continue;
        }
        let name = tool["name"].as_str().unwrap();
        for (field, value) in without(tool, &["type", "name", "description", "parameters"]) {
            found.push((name.to_owned(), field, value));
        }
    }
    found
}

fn choose(options: ChatOptionsBuilder, choice: &Value) -> ChatOptionsBuilder {
    match (choice.as_str(), choice["type"].as_str()) {
        (Some("auto"), _) => options.tool_choice(ToolChoice::Auto),
        (Some("none"), _) => options.tool_choice(ToolChoice::None),
        (Some("required"), _) => options.tool_choice(ToolChoice::Required),
        (_, Some("function")) => {
            options.tool_choice(ToolChoice::Tool(choice["name"].as_str().unwrap().into()))
        }
        (None, Some("allowed_tools")) => match functions(&choice["tools"]) {
            Some(tools) => options.tool_choice(ToolChoice::Allowed {
                tools,
                required: choice["mode"] == "required",
            }),
            None => options.extra("tool_choice", choice.clone()),
        },
        _ => options.extra("tool_choice", choice.clone()),
    }
}

fn our_tool(of: &Value) -> Result<Arc<dyn ToolCallback>, String> {
    tool(&of["name"], &of["description"], &of["parameters"])
}

/// The names of tools that are all the application's.
fn functions(tools: &Value) -> Option<Arc<[Arc<str>]>> {
    let name = |tool: &Value| {
        let name = tool["name"].as_str().filter(|_| tool["type"] == "function");
        name.map(Arc::from)
    };
    tools.as_array()?.iter().map(name).collect()
}
