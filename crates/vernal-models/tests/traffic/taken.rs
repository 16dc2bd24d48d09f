//! What every recorded request is taken apart into alike.

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::to_raw_value;
use vernal_core::message::{Media, Part, PartContent, ProviderData};
use vernal_core::model::{ChatModel, Prompt};
use vernal_core::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolError, ToolFuture, ToolInput,
};

use crate::support::canned::Canned;
use crate::support::view::collect;

/// A part with the opaque data of a provider.
pub(crate) fn with_data(content: PartContent, provider: &'static str, data: &Value) -> Part {
    let data = ProviderData::new(provider, to_raw_value(data).unwrap());
    Part::from(content).with_provider_data(data)
}

/// Media behind a URL, or in one that holds its data.
pub(crate) fn media_of_url(url: &str, kind: &str) -> Media {
    let inline = url
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    match inline {
        Some((mime_type, data)) => Media::base64(mime_type, data),
        None => Media::url(kind, url),
    }
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

/// # Errors
/// No tool of ours can have this schema.
pub(crate) fn tool(
    name: &Value,
    description: &Value,
    schema: &Value,
) -> Result<Arc<dyn ToolCallback>, String> {
    let schema = match schema {
        Value::Null => "{}".to_owned(),
        schema => schema.to_string(),
    };
    let definition = ToolDefinition::builder(name.as_str().unwrap())
        .description(description.as_str().unwrap_or_default())
        .input_schema(schema)
        .build();
    match definition {
        Ok(definition) => Ok(Arc::new(Defined(definition))),
        Err(_) => Err("with a schema that no tool of ours can have".to_owned()),
    }
}

/// What a model sends for a prompt. What it makes of the answer is of no matter here.
///
/// # Errors
/// The adapter refuses the prompt.
pub(crate) async fn sent(
    canned: &Canned,
    model: &dyn ChatModel,
    prompt: Prompt,
    streamed: bool,
) -> Result<Value, String> {
    let failed = if streamed {
        collect(model.stream(prompt)).await.1.err()
    } else {
        model.call(prompt).await.err()
    };
    let sent = canned.sent.lock().unwrap().last().cloned();
    match (sent, failed) {
        (Some(sent), _) => Ok(serde_json::from_str(&sent).unwrap()),
        (None, Some(error)) => Err(format!("as the adapter refuses it: {error}")),
        (None, None) => panic!("nothing was sent"),
    }
}
