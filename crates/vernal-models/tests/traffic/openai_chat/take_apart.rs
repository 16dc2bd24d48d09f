//! A recorded request as our messages and options.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};
use vernal_core::model::{ChatOptions, ChatOptionsBuilder, Prompt, ToolChoice};
use vernal_core::tool::ToolCallback;

use crate::taken::{media_of_url, tool, with_data};

/// # Errors
/// Our messages cannot say it; the error says what.
pub(crate) fn take_apart(request: &Value, provider: &'static str) -> Result<Prompt, String> {
    let mut names = BTreeMap::new();
    let mut messages = Vec::new();
    for message in request["messages"].as_array().unwrap() {
        messages.push(match message["role"].as_str().unwrap() {
            "system" => Message::new(Role::System, spoken(&message["content"])?),
            "user" => Message::new(Role::User, spoken(&message["content"])?),
            "assistant" => of_model(message, provider, &mut names)?,
            "tool" => result(message, &names)?,
            other => return Err(format!("with a `{other}` message")),
        });
    }
    Ok(Prompt::new(messages, options_of(request)?))
}

fn spoken(content: &Value) -> Result<Vec<Part>, String> {
    match content {
        Value::String(text) => Ok(vec![Part::text(text.as_str())]),
        Value::Array(items) => items.iter().map(item).collect(),
        other => Err(format!("with the content {other}")),
    }
}

fn item(item: &Value) -> Result<Part, String> {
    if item.get("cache_control").is_some() {
        return Err("with a mark for the prompt cache".to_owned());
    }
    let kind = item["type"].as_str().unwrap_or_default();
    if item.as_object().unwrap().len() != 2 {
        return Err(format!("with an item that is more than its `{kind}`"));
    }
    let fields = &item[kind];
    Ok(match kind {
        "text" => Part::text(fields.as_str().unwrap()),
        "image_url" => {
            if fields.as_object().is_some_and(|image| image.len() != 1) {
                return Err("with an image and how closely to look at it".to_owned());
            }
            let url = fields.as_str().or(fields["url"].as_str()).unwrap();
            PartContent::Media(media_of_url(url, "image/unknown")).into()
        }
        "input_audio" => {
            let kind = match fields["format"].as_str() {
                Some("wav") => "audio/wav",
                _ => "audio/mpeg",
            };
            let data = fields["data"]
                .as_str()
                .ok_or("with a sound of an unsaid kind")?;
            PartContent::Media(Media::base64(kind, data)).into()
        }
        "file" => PartContent::Media(file(fields)?).into(),
        other => return Err(format!("with an item `{other}`")),
    })
}

fn file(fields: &Value) -> Result<Media, String> {
    let data = fields["file_data"].as_str();
    let media = data.map(|data| media_of_url(data, "application/pdf"));
    let mut media = media.ok_or("with a file by its id")?;
    media.name = fields["filename"].as_str().map(Into::into);
    Ok(media)
}

fn of_model(
    message: &Value,
    provider: &'static str,
    names: &mut BTreeMap<String, String>,
) -> Result<Message, String> {
    let mut parts = reasoning(message, provider);
    match &message["content"] {
        Value::Null => {}
        Value::String(text) => parts.push(Part::text(text.as_str())),
        content => {
            let items = content.as_array().unwrap().iter();
            let (thinking, rest): (Vec<_>, Vec<_>) =
                items.cloned().partition(|item| item["type"] == "thinking");
            if !thinking.is_empty() {
                let data = json!({"thinking": thinking});
                parts.push(with_data(PartContent::Opaque, provider, &data));
            }
            parts.extend(spoken(&Value::Array(rest))?);
        }
    }
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (id, function) = (text(&call["id"]), &call["function"]);
        let name = text(&function["name"]);
        names.insert(id.clone(), name.clone());
        parts.push(
            PartContent::ToolCall(ToolCall::new(id, name, text(&function["arguments"]))).into(),
        );
    }
    Ok(Message::new(Role::Assistant, parts))
}

/// The reasoning that is sent back, in the field it came in.
fn reasoning(message: &Value, provider: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    for field in ["reasoning_content", "reasoning"] {
        if let Some(text) = message[field].as_str() {
            let content = PartContent::Reasoning(text.into());
            parts.push(with_data(content, provider, &json!({"field": field})));
        }
    }
    if let Some(details) = message.get("reasoning_details") {
        let data = json!({"reasoning_details": details});
        parts.push(with_data(PartContent::Opaque, provider, &data));
    }
    parts
}

fn result(message: &Value, names: &BTreeMap<String, String>) -> Result<Message, String> {
    let id = message["tool_call_id"].as_str().unwrap();
    let name = names.get(id).map_or("unknown", String::as_str);
    let content = |part: Part| match part.content {
        PartContent::Text(text) => Ok(ToolContent::Text(text)),
        _ => Err("with a picture in the answer to a call".to_owned()),
    };
    let contents = match &message["content"] {
        Value::Null => Vec::new(),
        said => spoken(said)?
            .into_iter()
            .map(content)
            .collect::<Result<_, _>>()?,
    };
    let response = ToolResponse::success(&ToolCall::new(id, name, "{}"), contents);
    Ok(Message::tool(vec![response]))
}

fn options_of(request: &Value) -> Result<ChatOptions, String> {
    let mut options = ChatOptions::builder();
    for (name, value) in request.as_object().unwrap() {
        options = match name.as_str() {
            _ if value.is_null() => options,
            "messages" | "stream" | "stream_options" => options,
            "model" => options.model(value.as_str().unwrap()),
            "max_tokens" | "max_completion_tokens" => {
                options.max_tokens(value.as_u64().unwrap() as u32)
            }
            "temperature" => options.temperature(value.as_f64().unwrap()),
            "top_p" => options.top_p(value.as_f64().unwrap()),
            "stop" => {
                let texts = value.as_array().unwrap().iter();
                texts.fold(options, |options, text| {
                    options.stop(text.as_str().unwrap())
                })
            }
            "parallel_tool_calls" => options.parallel_tool_calls(value.as_bool().unwrap()),
            "tool_choice" => choose(options, value),
            "tools" => {
                let tools = value.as_array().unwrap().iter().map(our_tool);
                let tools = tools.collect::<Result<Vec<_>, _>>()?;
                options
                    .tool_callbacks(tools)
                    .map_err(|_| "with two tools of one name".to_owned())?
            }
            other => options.extra(other, value.clone()),
        };
    }
    Ok(options.build())
}

fn choose(options: ChatOptionsBuilder, choice: &Value) -> ChatOptionsBuilder {
    match (choice.as_str(), choice["function"]["name"].as_str()) {
        (Some("required" | "any"), _) => options.tool_choice(ToolChoice::Required),
        (Some("none"), _) => options.tool_choice(ToolChoice::None),
        (None, Some(name)) => options.tool_choice(ToolChoice::Tool(name.into())),
        _ => options,
    }
}

fn our_tool(of: &Value) -> Result<Arc<dyn ToolCallback>, String> {
    let function = of
        .get("function")
        .ok_or("with a tool that the provider runs")?;
    tool(
        &function["name"],
        &function["description"],
        &function["parameters"],
    )
}
