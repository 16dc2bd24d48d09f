//! The request: one buffer, filled from parts that were written before.

use std::borrow::Cow;

use bytes::Bytes;
use serde_json::{Map, Value};
use std::sync::Arc;
use vernal_core::message::DialectKey;
use vernal_core::model::{Capabilities, ChatOptions, Finding, ModelError, Prompt, ResponseFormat};
use vernal_core::tool::ToolSet;

use super::PROVIDER;
use super::message::encode;
use crate::capabilities::CapabilityTable;
use crate::exchange::{
    ChoiceWords, FormatWord, FormatWords, InnerFields, RequestFields, SettingRules, ToolRules,
    capabilities_of, model_of, offer, options_of, over,
};
use crate::json::{JsonObject, push_string, push_strings};
use crate::lowering::{SchemaDialect, lower};

const MESSAGES: DialectKey = DialectKey::from_name("ollama messages");
const TOOLS: DialectKey = DialectKey::from_name("ollama tools");

/// There is no word for any choice: tools that may not be called are left out.
const CHOICES: ChoiceWords = ChoiceWords {
    server: "Ollama",
    none: false,
    required: false,
    named: false,
    allowed: false,
};

/// A form that is asked for leaves no room for calls. Any schema is sent as it is.
const FORMATS: FormatWords = FormatWords {
    json_object: FormatWord::WithoutTools,
    schema: FormatWord::WithoutTools,
    strict: None,
};

/// A request that is ready to be sent, and what is needed to read its answer.
pub(super) struct Prepared {
    pub(super) body: Bytes,
    pub(super) model: Arc<str>,
    pub(super) tools: ToolSet,
    /// How many messages the request has: it tells the answers of a conversation apart.
    pub(super) turn: usize,
}

/// What an adapter adds to every prompt.
#[derive(Debug, Clone, Default)]
pub(super) struct RequestDefaults {
    pub(super) model: Option<Arc<str>>,
    pub(super) options: Option<ChatOptions>,
    pub(super) num_ctx: Option<u32>,
    pub(super) capabilities: CapabilityTable,
}

impl RequestDefaults {
    /// Writes the request for a prompt.
    ///
    /// # Errors
    /// No model is named, or a setting cannot be sent.
    pub(super) fn prepare(&self, prompt: &Prompt, stream: bool) -> Result<Prepared, ModelError> {
        let options = options_of(prompt, self.options.as_ref());
        let model = model_of(&options, self.model.as_ref())?;
        let body = write(prompt, &options, self.num_ctx, &model, stream)?;
        Ok(Prepared {
            body: body.into(),
            model,
            tools: options.tools().clone(),
            turn: prompt.messages().len(),
        })
    }

    /// What can be known of a request before it is sent.
    pub(super) fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let options = over(options, self.options.as_ref());
        let can = self.capabilities(&options);
        let rules = ToolRules {
            provider: PROVIDER,
            dialect: SchemaDialect::Ollama,
            wire_name: &str::to_owned,
            choices: CHOICES,
            most_tools: None,
            longest_description: None,
            strict_is_refused: false,
            capabilities: can,
        };
        let settings = SettingRules {
            server: CHOICES.server,
            parallel_switch: false,
            server_tools: false,
            formats: Some(FORMATS),
            capabilities: can,
        };
        let mut found = rules.check(&options);
        found.extend(settings.check(&options));
        found
    }

    pub(super) fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        let options = over(options, self.options.as_ref());
        let model = options.model().or(self.model.as_ref());
        let model = model.map(|model| &**model);
        let mut otherwise = Capabilities::default();
        otherwise.context_window = self.num_ctx.map(u64::from);
        capabilities_of(PROVIDER, model, &self.capabilities, &otherwise)
    }
}

fn write(
    prompt: &Prompt,
    options: &ChatOptions,
    num_ctx: Option<u32>,
    model: &str,
    stream: bool,
) -> Result<String, ModelError> {
    let tools = offer(options, CHOICES)?.tools;
    let tools_text = tools
        .encoded()
        .map(|kept| kept.get_or_encode(TOOLS, || encode_tools(&tools)));
    let messages: Vec<Cow<'_, str>> = prompt
        .messages()
        .iter()
        .map(|message| {
            message
                .encoded()
                .get_or_encode(MESSAGES, || encode(message))
        })
        .collect();

    let of_messages: usize = messages.iter().map(|text| text.len() + 1).sum();
    let of_tools = tools_text.as_ref().map_or(0, |text| text.len());
    let of_options = 256 + model.len() + options.extra().len() * 64;
    let mut body = String::with_capacity(of_messages + of_tools + of_options);

    // What stays the same from round to round comes first.
    let mut fields = RequestFields {
        object: JsonObject::begin(&mut body),
        options,
    };
    fields.ours("model", |place| push_string(place, model));
    fields.ours_raw("stream", stream);
    push_format(&mut fields);
    push_options(&mut fields, num_ctx)?;
    fields.extra_but(&["options"])?;
    if let Some(text) = &tools_text {
        fields.ours("tools", |place| place.push_str(text));
    }
    push_messages(fields.object.member("messages"), &messages);
    fields.object.end();
    Ok(body)
}

/// In which form the model answers. The server turns any schema into a grammar, as far as it can.
fn push_format(fields: &mut RequestFields<'_>) {
    match fields.options.response_format() {
        ResponseFormat::JsonObject => fields.ours_raw("format", "\"json\""),
        ResponseFormat::JsonSchema(schema) => fields.ours_raw("format", schema.schema()),
        _ => {}
    }
}

/// The settings of the model, with those that the caller puts beside ours or in their place.
fn push_options(fields: &mut RequestFields<'_>, num_ctx: Option<u32>) -> Result<(), ModelError> {
    let none = Map::new();
    let options = fields.options;
    let own = InnerFields::of(options, "options", &none)?;
    let is_empty = own.values().all(Value::is_null)
        && num_ctx.is_none()
        && options.temperature().is_none()
        && options.top_p().is_none()
        && options.max_tokens().is_none()
        && options.stop().is_empty();
    if is_empty {
        return Ok(());
    }
    let mut inner = InnerFields::begin(fields.object.member("options"), own);
    inner.finite("temperature", ("temperature", options.temperature()))?;
    inner.finite("top_p", ("top_p", options.top_p()))?;
    if let Some(most) = options.max_tokens() {
        inner.raw("num_predict", most);
    }
    if !options.stop().is_empty() {
        inner.ours("stop", |place| push_strings(place, options.stop()));
    }
    if let Some(tokens) = num_ctx {
        inner.raw("num_ctx", tokens);
    }
    inner.end();
    Ok(())
}

fn push_messages(out: &mut String, messages: &[Cow<'_, str>]) {
    out.push('[');
    let mut first = true;
    for message in messages.iter().filter(|message| !message.is_empty()) {
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        out.push_str(message);
    }
    out.push(']');
}

/// The tools as the server reads them, in order.
fn encode_tools(tools: &ToolSet) -> String {
    let mut out = String::from("[");
    for (position, tool) in tools.definitions().enumerate() {
        if position > 0 {
            out.push(',');
        }
        let mut object = JsonObject::begin(&mut out);
        object.string("type", "function");
        let mut function = JsonObject::begin(object.member("function"));
        function.string("name", tool.name());
        function.string("description", tool.description());
        let lowered = lower(tool.input_schema(), SchemaDialect::Ollama);
        function.raw("parameters", lowered.schema);
        function.end();
        object.end();
    }
    out.push(']');
    out
}
