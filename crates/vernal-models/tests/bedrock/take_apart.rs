//! A recorded request as our messages and options.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolContent, ToolOutcome,
    ToolResponse,
};
use vernal_core::model::{
    ChatOptions, ChatOptionsBuilder, Prompt, ResponseFormat, ResponseSchema, ToolChoice,
};
use vernal_core::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolError, ToolFuture, ToolInput,
};

/// The prompt that says what a recorded request said.
///
/// # Errors
/// Our messages cannot say it; the error says what.
pub(crate) fn take_apart(request: &Value) -> Result<Prompt, String> {
    let mut messages = Vec::new();
    let system = request["system"].as_array();
    if let Some(blocks) = system.filter(|blocks| !blocks.is_empty()) {
        messages.push(Message::new(Role::System, spoken(blocks)));
    }
    let mut names = BTreeMap::new();
    for message in request["messages"].as_array().unwrap() {
        let blocks = message["content"].as_array().unwrap();
        match message["role"].as_str().unwrap() {
            "user" => messages.extend(of_user(blocks, &names)),
            "assistant" => messages.push(of_model(blocks, &mut names)),
            other => return Err(format!("with a `{other}` message in the conversation")),
        }
    }
    Ok(Prompt::new(messages, options_of(request)?))
}

fn with_data(content: PartContent, data: &Value) -> Part {
    let data = ProviderData::new("bedrock", to_raw_value(data).unwrap());
    Part::from(content).with_provider_data(data)
}

fn media(block: &Value) -> Option<Media> {
    let (kind, fields) = block.as_object()?.iter().next()?;
    let format = fields["format"].as_str()?;
    let mime_type = match (kind.as_str(), format) {
        ("document", "pdf") => "application/pdf".to_owned(),
        ("document", "txt") => "text/plain".to_owned(),
        ("document", format) => format!("text/{format}"),
        (kind, format) => format!("{kind}/{format}"),
    };
    let source = &fields["source"];
    let mut media = match source["bytes"].as_str() {
        Some(bytes) => Media::base64(mime_type, bytes),
        None => Media::url(mime_type, source["s3Location"]["uri"].as_str()?),
    };
    media.name = fields["name"].as_str().map(Arc::from);
    Some(media)
}

fn spoken(blocks: &[Value]) -> Vec<Part> {
    let part = |block: &Value| match (block["text"].as_str(), media(block)) {
        (Some(text), _) => Part::text(text),
        (_, Some(media)) => PartContent::Media(media).into(),
        _ => with_data(PartContent::Opaque, block),
    };
    blocks.iter().map(part).collect()
}

/// The results of tools in a message of theirs, each with the mark behind it, and then what the user
/// says.
fn of_user(blocks: &[Value], names: &BTreeMap<String, String>) -> Vec<Message> {
    let (mut results, mut rest): (Vec<Part>, Vec<Value>) = Default::default();
    let mut behind_result = false;
    for block in blocks {
        let is_result = block.get("toolResult").is_some();
        if is_result {
            results.push(PartContent::ToolResponse(result(&block["toolResult"], names)).into());
        } else if behind_result && block.get("cachePoint").is_some() {
            let part = results.pop().unwrap();
            results.push(with_data(part.content, block));
        } else {
            rest.push(block.clone());
        }
        behind_result = is_result;
    }
    let mut messages = Vec::new();
    if !results.is_empty() {
        messages.push(Message::new(Role::Tool, results));
    }
    if !rest.is_empty() {
        messages.push(Message::new(Role::User, spoken(&rest)));
    }
    messages
}

fn result(fields: &Value, names: &BTreeMap<String, String>) -> ToolResponse {
    let id = fields["toolUseId"].as_str().unwrap();
    let call = ToolCall::new(id, names.get(id).map_or("unknown", String::as_str), "{}");
    let content = |block: &Value| match (block["text"].as_str(), media(block)) {
        (Some(text), _) => ToolContent::Text(text.into()),
        (_, Some(media)) => ToolContent::Media(media),
        _ => ToolContent::Json(to_raw_value(&block["json"]).unwrap()),
    };
    let contents = fields["content"].as_array().unwrap();
    let mut response = ToolResponse::success(&call, contents.iter().map(content).collect());
    if fields["status"] == "error" {
        response.outcome = ToolOutcome::Failed;
    }
    response
}

fn of_model(blocks: &[Value], names: &mut BTreeMap<String, String>) -> Message {
    let mut part = |block: &Value| {
        if let Some(text) = block["text"].as_str() {
            return Part::text(text);
        }
        if let Some(text) = block["reasoningContent"]["reasoningText"]["text"].as_str() {
            return with_data(PartContent::Reasoning(text.into()), block);
        }
        let call = &block["toolUse"];
        if call.is_null() || call.get("type").is_some() {
            return with_data(PartContent::Opaque, block);
        }
        let (id, name) = (call["toolUseId"].as_str(), call["name"].as_str());
        let (id, name) = (id.unwrap(), name.unwrap());
        names.insert(id.to_owned(), name.to_owned());
        PartContent::ToolCall(ToolCall::new(id, name, call["input"].to_string())).into()
    };
    Message::new(Role::Assistant, blocks.iter().map(&mut part).collect())
}

fn options_of(request: &Value) -> Result<ChatOptions, String> {
    let mut options = ChatOptions::builder();
    for (name, value) in request.as_object().unwrap() {
        options = match name.as_str() {
            "messages" | "system" => options,
            "inferenceConfig" => inference(options, value),
            "outputConfig" => options.response_format(format(value)?),
            "toolConfig" => {
                let specs = value["tools"].as_array().unwrap().iter();
                let specs = specs.filter_map(|tool| tool.get("toolSpec"));
                let tools = specs.map(tool).collect::<Result<Vec<_>, _>>()?;
                choose(options, &value["toolChoice"])
                    .tool_callbacks(tools)
                    .map_err(|error| error.to_string())?
            }
            other => options.extra(other, value.clone()),
        };
    }
    Ok(options.build())
}

fn inference(mut options: ChatOptionsBuilder, config: &Value) -> ChatOptionsBuilder {
    if let Some(most) = config["maxTokens"].as_u64() {
        options = options.max_tokens(most as u32);
    }
    if let Some(temperature) = config["temperature"].as_f64() {
        options = options.temperature(temperature);
    }
    if let Some(top_p) = config["topP"].as_f64() {
        options = options.top_p(top_p);
    }
    let texts = config["stopSequences"].as_array().into_iter().flatten();
    texts.fold(options, |options, text| {
        options.stop(text.as_str().unwrap())
    })
}

/// The schema that an answer has to fit. What the schema is for has no place with us.
fn format(config: &Value) -> Result<ResponseFormat, String> {
    let schema = &config["textFormat"]["structure"]["jsonSchema"];
    let (name, text) = (schema["name"].as_str(), schema["schema"].as_str());
    let (Some(name), Some(text)) = (name, text) else {
        return Err("with a form of answers without a name or a schema".to_owned());
    };
    let schema = ResponseSchema::new(name, text).map_err(|error| error.to_string())?;
    Ok(ResponseFormat::JsonSchema(schema))
}

fn choose(options: ChatOptionsBuilder, choice: &Value) -> ChatOptionsBuilder {
    match choice["tool"]["name"].as_str() {
        Some(name) => options.tool_choice(ToolChoice::Tool(name.into())),
        None if choice.get("any").is_some() => options.tool_choice(ToolChoice::Required),
        None => options,
    }
}

/// The names of the tools that the provider runs.
pub(crate) fn system_tools(request: &Value) -> Vec<String> {
    let tools = request["toolConfig"]["tools"]
        .as_array()
        .into_iter()
        .flatten();
    let name = |tool: &Value| tool["systemTool"]["name"].as_str().map(str::to_owned);
    tools.filter_map(name).collect()
}

/// Whether the list of tools is marked for the cache.
pub(crate) fn marks_tools(request: &Value) -> bool {
    let tools = request["toolConfig"]["tools"].as_array();
    tools
        .and_then(|tools| tools.last())
        .is_some_and(|last| last.get("cachePoint") == Some(&json!({"type": "default"})))
}

/// What the definitions of our tools have beside what every one has: tool, field and value.
pub(crate) fn tool_fields(request: &Value) -> Vec<(String, String, Value)> {
    let tools = request["toolConfig"]["tools"]
        .as_array()
        .into_iter()
        .flatten();
    let mut found = Vec::new();
    for spec in tools.filter_map(|tool| tool["toolSpec"].as_object()) {
        for (field, value) in spec {
            if !["name", "description", "inputSchema"].contains(&field.as_str()) {
                let name = spec["name"].as_str().unwrap();
                found.push((name.to_owned(), field.clone(), value.clone()));
            }
        }
    }
    found
}

/// A tool with this definition, which is never called.
struct Defined(ToolDefinition);

impl ToolCallback for Defined {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: ToolInput, _: ToolContext) -> ToolFuture<'a> {
        Box::pin(async { Err(ToolError::model("not called")) })
    }
}

fn tool(spec: &Value) -> Result<Arc<dyn ToolCallback>, String> {
    let definition = ToolDefinition::builder(spec["name"].as_str().unwrap())
        .description(spec["description"].as_str().unwrap_or_default())
        .input_schema(spec["inputSchema"]["json"].to_string())
        .build();
    match definition {
        Ok(definition) => Ok(Arc::new(Defined(definition))),
        Err(_) => Err("with a schema that no tool of ours can have".to_owned()),
    }
}
