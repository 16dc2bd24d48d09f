//! A recorded request, in its one spelling, as our messages and options.

use serde_json::value::to_raw_value;
use serde_json::{Map, Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolOutcome, ToolResponse,
};
use vernal_core::model::{ChatOptions, ChatOptionsBuilder, Prompt, ToolChoice};

use crate::taken::{tool, with_data};

/// # Errors
/// Our messages cannot say it; the error says what.
pub(super) fn take_apart(request: &Value) -> Result<Prompt, String> {
    let mut messages = Vec::new();
    if let Some(system) = request.get("systemInstruction") {
        let parts = system["parts"].as_array().unwrap().iter().map(part);
        let parts = parts.collect::<Result<_, _>>()?;
        messages.push(Message::new(Role::System, parts));
    }
    for content in request["contents"].as_array().unwrap() {
        let parts = content["parts"].as_array().unwrap();
        if content["role"] == "model" {
            let parts = parts.iter().map(part).collect::<Result<_, _>>()?;
            messages.push(Message::new(Role::Assistant, parts));
            continue;
        }
        let is_result = |part: &&Value| part.get("functionResponse").is_some();
        let (results, said): (Vec<_>, Vec<_>) = parts.iter().partition(is_result);
        if !results.is_empty() {
            let results = results
                .into_iter()
                .map(result)
                .collect::<Result<Vec<_>, _>>()?;
            messages.push(Message::tool(results));
        }
        if !said.is_empty() {
            let said = said.into_iter().map(part).collect::<Result<_, _>>()?;
            messages.push(Message::new(Role::User, said));
        }
    }
    Ok(Prompt::new(messages, options_of(request)?))
}

fn part(part: &Value) -> Result<Part, String> {
    let content = if let Some(text) = part["text"].as_str() {
        match part["thought"] == true {
            true => PartContent::Reasoning(text.into()),
            false => PartContent::Text(text.into()),
        }
    } else if let Some(media) = media(part) {
        PartContent::Media(media)
    } else if let Some(call) = part.get("functionCall") {
        let name = call["name"].as_str().unwrap();
        // The server gave no id to the call, and ours are of this form.
        let id = call["id"].as_str().unwrap_or("call_0");
        PartContent::ToolCall(ToolCall::new(id, name, call["args"].to_string()))
    } else {
        return Ok(with_data(
            PartContent::Opaque,
            "gemini",
            &json!({"part": part}),
        ));
    };
    // Where a client had none, the adapter finds the same word by itself.
    let signature = part.get("thoughtSignature");
    Ok(
        match signature.filter(|signature| *signature != NO_SIGNATURE) {
            Some(signature) => {
                with_data(content, "gemini", &json!({"thoughtSignature": signature}))
            }
            None => content.into(),
        },
    )
}

/// Stands on calls that another provider's model made.
pub(super) const NO_SIGNATURE: &str = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=";

fn media(part: &Value) -> Option<Media> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(inline) = part.get("inlineData") {
        return Some(Media::base64(
            text(&inline["mimeType"])?,
            text(&inline["data"])?,
        ));
    }
    let file = part.get("fileData")?;
    let kind = text(&file["mimeType"]).unwrap_or_default();
    Some(Media::url(kind, text(&file["fileUri"])?))
}

fn result(part: &Value) -> Result<ToolResponse, String> {
    let result = &part["functionResponse"];
    let id = result["id"].as_str().unwrap_or("call_0");
    let call = ToolCall::new(id, result["name"].as_str().unwrap(), "{}");
    let said = &result["response"];
    let (outcome, said) = match (said.get("output"), said.get("error")) {
        (Some(output), None) => (ToolOutcome::Success, output),
        (None, Some(error)) => (ToolOutcome::Failed, error),
        _ => return Err("with an answer to a call under a name of its own".to_owned()),
    };
    let mut content = vec![match said.as_str() {
        Some(text) => ToolContent::Text(text.into()),
        None => ToolContent::Json(to_raw_value(said).unwrap()),
    }];
    let inner = result["parts"].as_array().into_iter().flatten();
    content.extend(inner.filter_map(media).map(ToolContent::Media));
    let mut response = ToolResponse::success(&call, content);
    response.outcome = outcome;
    Ok(response)
}

fn options_of(request: &Value) -> Result<ChatOptions, String> {
    let mut options = ChatOptions::builder();
    for (name, value) in request.as_object().unwrap() {
        options = match name.as_str() {
            "contents" | "systemInstruction" => options,
            "generationConfig" => config(options, value),
            "toolConfig" => choose(options, value)?,
            "tools" => with_tools(options, value)?,
            other => options.extra(other, value.clone()),
        };
    }
    Ok(options.build())
}

fn config(mut options: ChatOptionsBuilder, config: &Value) -> ChatOptionsBuilder {
    let mut rest = Map::new();
    for (name, value) in config.as_object().unwrap() {
        options = match name.as_str() {
            "temperature" => options.temperature(value.as_f64().unwrap()),
            "maxOutputTokens" => options.max_tokens(value.as_u64().unwrap() as u32),
            _ => {
                rest.insert(name.clone(), value.clone());
                options
            }
        };
    }
    match rest.is_empty() {
        true => options,
        false => options.extra("generationConfig", rest),
    }
}

fn choose(options: ChatOptionsBuilder, config: &Value) -> Result<ChatOptionsBuilder, String> {
    let calling = &config["functionCallingConfig"];
    let only = calling["allowedFunctionNames"].as_array();
    let choice = match (calling["mode"].as_str(), only.map(Vec::as_slice)) {
        _ if config.as_object().unwrap().len() != 1 => None,
        (Some("NONE"), None) => Some(ToolChoice::None),
        (Some("ANY"), None) => Some(ToolChoice::Required),
        (Some("ANY"), Some([name])) => Some(ToolChoice::Tool(name.as_str().unwrap().into())),
        (Some("ANY"), Some(_)) => return Err("with a choice among some of the tools".to_owned()),
        _ => None,
    };
    Ok(match choice {
        Some(choice) => options.tool_choice(choice),
        None => options.extra("toolConfig", config.clone()),
    })
}

fn with_tools(options: ChatOptionsBuilder, tools: &Value) -> Result<ChatOptionsBuilder, String> {
    let mut ours = Vec::new();
    for of in tools.as_array().unwrap() {
        for (name, value) in of.as_object().unwrap() {
            if name != "functionDeclarations" {
                return Err("with a tool that the provider runs".to_owned());
            }
            for function in value.as_array().unwrap() {
                let schema = function.get("parametersJsonSchema");
                let schema = schema.unwrap_or(&function["parameters"]);
                ours.push(tool(&function["name"], &function["description"], schema)?);
            }
        }
    }
    options
        .tool_callbacks(ours)
        .map_err(|_| "with two tools of one name".to_owned())
}
