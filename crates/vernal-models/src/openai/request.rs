//! The request: one buffer, filled from parts that were written before.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use vernal_core::message::DialectKey;
use vernal_core::model::{ChatOptions, ModelError, Prompt, ToolChoice};
use vernal_core::tool::ToolSet;

use super::answer::Asked;
use super::format::push_format;
use super::message::{encode, name_for};
use super::profile::{MaxTokensField, OpenAiProfile, ToolNames};
use crate::exchange::{RequestFields, model_of, options_of};
use crate::json::{JsonObject, push_string, push_strings};
use crate::wire_names::check_distinct;

/// A request that is ready to be sent, and what is needed to read its answer.
pub(super) struct Prepared {
    pub(super) body: Bytes,
    model: Arc<str>,
    tools: ToolSet,
    turn: usize,
}

/// What an adapter adds to every prompt.
pub(super) struct RequestDefaults {
    pub(super) profile: OpenAiProfile,
    pub(super) message_key: DialectKey,
    pub(super) tools_key: DialectKey,
    pub(super) model: Option<Arc<str>>,
    pub(super) options: Option<ChatOptions>,
}

impl Prepared {
    pub(super) fn asked<'a>(&'a self, profile: &'a OpenAiProfile) -> Asked<'a> {
        Asked {
            profile,
            tools: &self.tools,
            model: &self.model,
            turn: self.turn,
        }
    }
}

impl RequestDefaults {
    /// Writes the request for a prompt.
    ///
    /// # Errors
    /// No model is named, a setting cannot be sent, or two tools have one name on the wire.
    pub(super) fn prepare(&self, prompt: &Prompt, stream: bool) -> Result<Prepared, ModelError> {
        let options = options_of(prompt, self.options.as_ref());
        let model = model_of(&options, self.model.as_ref())?;
        let tools = options.tools().clone();
        if self.profile.tool_names == ToolNames::Ascii64 {
            check_distinct(&tools)?;
        }
        let body = self.write(prompt, &options, &model, stream)?;
        Ok(Prepared {
            body: body.into(),
            model,
            tools,
            turn: prompt.messages().len(),
        })
    }

    fn write(
        &self,
        prompt: &Prompt,
        options: &ChatOptions,
        model: &str,
        stream: bool,
    ) -> Result<String, ModelError> {
        let tools = options.tools();
        let tools_text = tools
            .encoded()
            .map(|kept| kept.get_or_encode(self.tools_key, || encode_tools(tools, &self.profile)));
        let messages: Vec<Cow<'_, str>> = prompt
            .messages()
            .iter()
            .map(|message| {
                message
                    .encoded()
                    .get_or_encode(self.message_key, || encode(message, &self.profile))
            })
            .collect();

        let of_messages: usize = messages.iter().map(|text| text.len() + 1).sum();
        let of_tools = tools_text.as_ref().map_or(0, |text| text.len());
        let of_options = 256 + model.len() + options.extra().len() * 64;
        let mut body = String::with_capacity(of_messages + of_tools + of_options);

        // What stays the same from round to round comes first.
        let mut fields = Settings(RequestFields {
            object: JsonObject::begin(&mut body),
            options,
        });
        fields.0.ours("model", |place| push_string(place, model));
        fields.settings(&self.profile)?;
        push_format(&mut fields.0, &self.profile);
        if stream {
            fields.stream(&self.profile)?;
        }
        fields.0.extra()?;
        if let Some(text) = &tools_text {
            fields.tool_settings(&self.profile);
            fields.0.ours("tools", |place| place.push_str(text));
        }
        push_messages(fields.0.object.member("messages"), &messages);
        fields.0.object.end();
        Ok(body)
    }
}

/// What Chat Completions has for our settings.
struct Settings<'a>(RequestFields<'a>);

impl Settings<'_> {
    fn settings(&mut self, profile: &OpenAiProfile) -> Result<(), ModelError> {
        self.0.sampling()?;
        let options = self.0.options;
        if let Some(most) = options.max_tokens() {
            let name = match profile.max_tokens_field {
                MaxTokensField::MaxTokens => "max_tokens",
                MaxTokensField::MaxCompletionTokens => "max_completion_tokens",
            };
            self.0.ours_raw(name, most);
        }
        if !options.stop().is_empty() {
            self.0
                .ours("stop", |place| push_strings(place, options.stop()));
        }
        Ok(())
    }

    fn stream(&mut self, profile: &OpenAiProfile) -> Result<(), ModelError> {
        self.0.object.raw("stream", true);
        if profile.stream_usage {
            self.0
                .ours_raw("stream_options", "{\"include_usage\":true}");
        }
        Ok(())
    }

    /// Settings that servers take only with tools.
    fn tool_settings(&mut self, profile: &OpenAiProfile) {
        let options = self.0.options;
        if let Some(allowed) = options.parallel_tool_calls() {
            self.0.ours_raw("parallel_tool_calls", allowed);
        }
        match options.tool_choice() {
            ToolChoice::None => self.0.ours_raw("tool_choice", "\"none\""),
            ToolChoice::Required => self.0.ours_raw("tool_choice", "\"required\""),
            ToolChoice::Tool(name) => self.0.ours("tool_choice", |place| {
                let mut choice = JsonObject::begin(place);
                choice.string("type", "function");
                let mut function = JsonObject::begin(choice.member("function"));
                function.string("name", &name_for(name, profile));
                function.end();
                choice.end();
            }),
            // What is not said is left to the server, which then decides as the model would.
            _ => {}
        }
    }
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
fn encode_tools(tools: &ToolSet, profile: &OpenAiProfile) -> String {
    let of_tool = |tool: &vernal_core::tool::ToolDefinition| {
        128 + tool.description().len() + tool.input_schema().len()
    };
    let mut out = String::with_capacity(tools.definitions().map(of_tool).sum());
    out.push('[');
    for (position, tool) in tools.definitions().enumerate() {
        if position > 0 {
            out.push(',');
        }
        let mut object = JsonObject::begin(&mut out);
        object.string("type", "function");
        let mut function = JsonObject::begin(object.member("function"));
        function.string("name", &name_for(tool.name(), profile));
        function.string("description", tool.description());
        function.raw("parameters", tool.input_schema());
        function.end();
        object.end();
    }
    out.push(']');
    out
}
