//! The request: one buffer, filled from parts that were written before.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use vernal_core::message::{DialectKey, Message, Role};
use vernal_core::model::{Capabilities, ChatOptions, Finding, ModelError, Prompt, ToolChoice};
use vernal_core::tool::ToolSet;

use super::answer::Asked;
use super::cache::{OpenAiCache, mark_system};
use super::format::push_format;
use super::message::{encode, name_for};
use super::profile::{MaxTokensField, OpenAiProfile, SystemMessages, ToolNames};
use crate::capabilities::CapabilityTable;
use crate::exchange::{
    Offer, RequestFields, SettingRules, ToolForms, ToolRules, capabilities_of, model_of, offer,
    options_of, over, parallel_switch,
};
use crate::json::{JsonObject, push_string, push_strings};
use crate::lowering::{SchemaDialect, lower};
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
    pub(super) tool_forms: ToolForms,
    pub(super) cache: OpenAiCache,
    pub(super) capabilities: CapabilityTable,
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
    /// No model is named, a setting cannot be sent, two tools have one name on the wire, or JSON of any
    /// form is asked for without the word.
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

    /// What can be known of a request before it is sent.
    pub(super) fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let options = over(options, self.options.as_ref());
        let (profile, can) = (&self.profile, self.capabilities(&options));
        let rules = ToolRules {
            provider: profile.name,
            dialect: self.tool_forms.of(|| can).dialect,
            wire_name: &|name| name_for(name, profile).into_owned(),
            choices: profile.choice_words(),
            most_tools: profile.most_tools,
            longest_description: profile.longest_description,
            strict_is_refused: self.tool_forms.lack_strict(&can),
            capabilities: can,
        };
        let settings = SettingRules {
            server: profile.name,
            parallel_switch: profile.parallel_switch,
            server_tools: false,
            formats: Some(profile.format_words()),
            capabilities: can,
        };
        let mut found = rules.check(&options);
        found.extend(settings.check(&options));
        found
    }

    pub(super) fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        let options = over(options, self.options.as_ref());
        let model = options.model().or(self.model.as_ref());
        self.known_of(model.map(|model| &**model))
    }

    fn known_of(&self, model: Option<&str>) -> Capabilities {
        let otherwise = self.profile.capabilities();
        capabilities_of(self.profile.name, model, &self.capabilities, &otherwise)
    }

    /// The wire form of each message of a prompt.
    fn messages<'a>(&self, prompt: &'a Prompt) -> Vec<Cow<'a, str>> {
        let mut messages = Vec::with_capacity(prompt.messages().len());
        let joined = self.joined_system(prompt);
        let is_joined = joined.is_some();
        messages.extend(joined.map(Cow::Owned));
        let rest = prompt.messages().iter();
        messages.extend(
            rest.filter(|message| !is_joined || message.role() != Role::System)
                .map(|message| {
                    let encoded = message.encoded();
                    encoded.get_or_encode(self.message_key, || encode(message, &self.profile))
                }),
        );
        messages
    }

    /// The messages of the application as one, where the server wants one and there are others, or
    /// one that is not the first.
    fn joined_system(&self, prompt: &Prompt) -> Option<String> {
        if self.profile.system_messages == SystemMessages::AsTheyAre {
            return None;
        }
        let is_system = |message: &&Arc<Message>| message.role() == Role::System;
        let mut later = prompt.messages().iter().skip(1);
        later.find(is_system)?;
        let all = prompt.messages().iter().filter(is_system);
        let texts: Vec<_> = all.map(|message| message.text()).collect();
        Some(encode(&Message::system(texts.join("\n\n")), &self.profile))
    }

    fn write(
        &self,
        prompt: &Prompt,
        options: &ChatOptions,
        model: &str,
        stream: bool,
    ) -> Result<String, ModelError> {
        let Offer { tools, choice } = offer(options, self.profile.choice_words())?;
        let can = || self.known_of(Some(model));
        let tools_text = tools.encoded().map(|kept| {
            let form = self.tool_forms.of(can);
            kept.get_or_encode(form.key, || {
                encode_tools(&tools, &self.profile, form.dialect)
            })
        });
        let mut messages = self.messages(prompt);
        if self.cache.system {
            mark_system(&mut messages);
        }

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
        let said = messages.iter().map(|text| &**text);
        push_format(&mut fields.0, &self.profile, said)?;
        if stream {
            fields.stream(&self.profile)?;
        }
        if let Some(marks) = self.cache.options() {
            fields.0.ours_raw("prompt_cache_options", marks);
        }
        fields.0.extra()?;
        if let Some(text) = &tools_text {
            if self.profile.parallel_switch {
                fields.parallel_calls(parallel_switch(options, can));
            }
            fields.choice(&self.profile, &choice);
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

    /// Servers take it only with tools, and the choice among them, too.
    fn parallel_calls(&mut self, allowed: Option<bool>) {
        if let Some(allowed) = allowed {
            self.0.ours_raw("parallel_tool_calls", allowed);
        }
    }

    fn choice(&mut self, profile: &OpenAiProfile, choice: &ToolChoice) {
        match choice {
            ToolChoice::None => self.0.ours_raw("tool_choice", "\"none\""),
            ToolChoice::Required => self.0.ours_raw("tool_choice", "\"required\""),
            ToolChoice::Tool(name) => self
                .0
                .ours("tool_choice", |place| push_named(place, name, profile)),
            ToolChoice::Allowed { tools, required } => self.0.ours("tool_choice", |place| {
                push_allowed(place, tools, *required, profile);
            }),
            // What is not said is left to the server, which then decides as the model would.
            _ => {}
        }
    }
}

/// A function by its name.
fn push_named(out: &mut String, name: &str, profile: &OpenAiProfile) {
    let mut choice = JsonObject::begin(out);
    choice.string("type", "function");
    let mut function = JsonObject::begin(choice.member("function"));
    function.string("name", &name_for(name, profile));
    function.end();
    choice.end();
}

fn push_allowed(out: &mut String, names: &[Arc<str>], required: bool, profile: &OpenAiProfile) {
    let mut choice = JsonObject::begin(out);
    choice.string("type", "allowed_tools");
    let mut allowed = JsonObject::begin(choice.member("allowed_tools"));
    allowed.string("mode", if required { "required" } else { "auto" });
    let list = allowed.member("tools");
    list.push('[');
    for (position, name) in names.iter().enumerate() {
        if position > 0 {
            list.push(',');
        }
        push_named(list, name, profile);
    }
    list.push(']');
    allowed.end();
    choice.end();
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
fn encode_tools(tools: &ToolSet, profile: &OpenAiProfile, dialect: SchemaDialect) -> String {
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
        let lowered = lower(tool.input_schema(), dialect);
        function.raw("parameters", lowered.schema);
        if dialect == SchemaDialect::OpenAiStrict {
            function.raw("strict", lowered.is_strict);
        }
        function.end();
        object.end();
    }
    out.push(']');
    out
}
