//! The request: one buffer, filled from parts that were written before.

use std::sync::Arc;

use bytes::Bytes;
use vernal_core::message::{DialectKey, Role};
use vernal_core::model::{Capabilities, ChatOptions, Finding, ModelError, Prompt, ToolChoice};
use vernal_core::tool::ToolSet;

use super::PROVIDER;
use super::cache::AnthropicCache;
use super::format::{FORM, holds_schema};
use super::message::{TEXT, encode};
use super::thinking::{THINKING, Thinking};
use super::tools::ToolDefaults;
use crate::capabilities::CapabilityTable;
use crate::exchange::{
    ChoiceWords, Encoded, Offer, RequestFields, SettingRules, ToolRules, capabilities_of,
    check_answer_form, check_spoken, model_of, offer, options_of, over, parallel_switch,
    push_answer_form, push_turns,
};
use crate::json::{JsonObject, push_string, push_strings};
use crate::wire_names::{check_distinct, real_name, wire_name};

/// The most tokens of an answer where no option names another number: what every model takes.
pub const DEFAULT_MAX_TOKENS: u32 = 4096;

const MESSAGE_KEY: DialectKey = DialectKey::from_name("anthropic-messages 1 message");

/// The server, for what is told.
pub(super) const SERVER: &str = "Anthropic";

/// A choice among tools has no word here: only those are sent.
const CHOICES: ChoiceWords = ChoiceWords {
    server: SERVER,
    none: true,
    required: true,
    named: true,
    allowed: false,
};

/// A request that is ready to be sent, and what is needed to read its answer.
pub(super) struct Prepared {
    pub(super) body: Bytes,
    /// The name of the model that is asked.
    pub(super) model: Arc<str>,
    /// How many messages the request has: it tells the answers of a conversation apart.
    pub(super) turn: usize,
    tools: ToolSet,
}

impl Prepared {
    /// The tool that the server means by a name.
    pub(super) fn tool_name(&self, wire: &str) -> Arc<str> {
        real_name(wire, &self.tools)
    }
}

/// What an adapter adds to every prompt.
pub(super) struct RequestDefaults {
    pub(super) model: Option<Arc<str>>,
    pub(super) options: Option<ChatOptions>,
    pub(super) tools: ToolDefaults,
    pub(super) cache: AnthropicCache,
    pub(super) capabilities: CapabilityTable,
}

impl RequestDefaults {
    /// Writes the request for a prompt.
    ///
    /// # Errors
    /// No model is named, a setting cannot be sent, two tools have one name on the wire, or nobody but
    /// the system speaks.
    pub(super) fn prepare(&self, prompt: &Prompt, stream: bool) -> Result<Prepared, ModelError> {
        let options = options_of(prompt, self.options.as_ref());
        let model = model_of(&options, self.model.as_ref())?;
        let tools = options.tools().clone();
        check_distinct(&tools)?;
        let body = self.write(prompt, &options, &model, stream)?;
        Ok(Prepared {
            body: body.into(),
            model,
            turn: prompt.messages().len(),
            tools,
        })
    }

    /// What can be known of a request before it is sent.
    pub(super) fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let options = over(options, self.options.as_ref());
        let can = self.capabilities(&options);
        let rules = ToolRules {
            provider: PROVIDER,
            dialect: self.tools.forms.of(|| can).dialect,
            wire_name: &|name| wire_name(name).into_owned(),
            choices: CHOICES,
            most_tools: None,
            longest_description: None,
            strict_is_refused: self.tools.forms.lack_strict(&can),
            capabilities: can,
        };
        let settings = SettingRules {
            server: CHOICES.server,
            parallel_switch: true,
            server_tools: !self.tools.of_server.is_empty(),
            formats: None,
            capabilities: can,
        };
        let mut found = rules.check(&options);
        found.extend(settings.check(&options));
        found.extend(check_answer_form(&options, &FORM, self.holds(&options)));
        found
    }

    /// Whether the model is known to be held to a schema of the answer.
    pub(super) fn holds(&self, options: &ChatOptions) -> Option<bool> {
        let known = self.capabilities(options).response_schema;
        let model = options.model().or(self.model.as_ref());
        holds_schema(model.map(|model| &**model), known)
    }

    pub(super) fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        let options = over(options, self.options.as_ref());
        let model = options.model().or(self.model.as_ref());
        self.known_of(model.map(|model| &**model))
    }

    fn known_of(&self, model: Option<&str>) -> Capabilities {
        let otherwise = Capabilities::default();
        capabilities_of(PROVIDER, model, &self.capabilities, &otherwise)
    }

    fn write(
        &self,
        prompt: &Prompt,
        options: &ChatOptions,
        model: &str,
        stream: bool,
    ) -> Result<String, ModelError> {
        let offered = offer(options, CHOICES)?;
        let tools = &offered.tools;
        let can = || self.known_of(Some(model));
        let tools_text = tools.encoded().map(|kept| {
            let form = self.tools.forms.of(can);
            kept.get_or_encode(form.key, || self.tools.encode(tools, form.dialect))
        });
        let tools_text = tools_text.as_deref().unwrap_or_default();
        let messages: Vec<Encoded<'_>> = prompt
            .messages()
            .iter()
            .map(|message| {
                let text = message
                    .encoded()
                    .get_or_encode(MESSAGE_KEY, || encode(message));
                (&**message, text)
            })
            .collect();

        let of_messages: usize = messages.iter().map(|(_, text)| text.len() + 40).sum();
        let of_tools = tools_text.len() + self.tools.of_server.len();
        let of_options = 256 + model.len() + options.extra().len() * 64;
        let mut body = String::with_capacity(of_messages + of_tools + of_options);

        // What stays the same from round to round comes first.
        let mut fields = RequestFields {
            object: JsonObject::begin(&mut body),
            options,
        };
        fields.ours("model", |place| push_string(place, model));
        let thinking = Thinking::of(options, &messages);
        fields.ours_raw("max_tokens", max_tokens(options, &thinking));
        fields.sampling()?;
        if !options.stop().is_empty() {
            fields.ours("stop_sequences", |place| {
                push_strings(place, options.stop());
            });
        }
        if stream {
            fields.object.raw("stream", true);
        }
        push_answer_form(&mut fields, &FORM, || self.holds(options))?;
        if thinking.is_left_out {
            fields.extra_but(&[FORM.field, THINKING])?;
        } else {
            fields.extra_but(&[FORM.field])?;
        }
        if self.cache.conversation {
            fields.ours_raw("cache_control", self.cache.mark());
        }
        let parallel = parallel_switch(options, can);
        self.push_tools(&mut fields, &offered, tools_text, parallel);
        self.push_system(&mut fields, &messages);
        let spoken = push_turns(fields.object.member("messages"), &messages, TEXT, None);
        check_spoken(spoken, CHOICES.server, prompt)?;
        fields.object.end();
        Ok(body)
    }

    fn push_tools(
        &self,
        fields: &mut RequestFields<'_>,
        offered: &Offer,
        tools: &str,
        parallel: Option<bool>,
    ) {
        let of_server = &*self.tools.of_server;
        if tools.is_empty() && of_server.is_empty() {
            return;
        }
        // Where the provider's own tools are the only ones, the choice is among these.
        let choice = if tools.is_empty() {
            fields.options.tool_choice().clone()
        } else {
            offered.choice.clone()
        };
        push_choice(fields, &choice, parallel == Some(false));
        let wanted = self.cache.tools && !self.tools.last_is_marked(&offered.tools);
        let mark = wanted.then(|| self.cache.mark());
        fields.ours("tools", |place| {
            place.push('[');
            place.push_str(tools);
            if !tools.is_empty() && !of_server.is_empty() {
                place.push(',');
            }
            place.push_str(of_server);
            push_mark(place, mark);
            place.push(']');
        });
    }

    fn push_system(&self, fields: &mut RequestFields<'_>, messages: &[Encoded<'_>]) {
        let mut texts = messages
            .iter()
            .filter(|(message, text)| message.role() == Role::System && !text.is_empty())
            .map(|(_, text)| text);
        let Some(first) = texts.next() else { return };
        let mark = self.cache.system.then(|| self.cache.mark());
        fields.ours("system", |place| {
            place.push('[');
            place.push_str(first);
            for text in texts {
                place.push(',');
                place.push_str(text);
            }
            // A text that has a mark of its own ends in two braces, any other one in one.
            if !place.ends_with("}}") {
                push_mark(place, mark);
            }
            place.push(']');
        });
    }
}

/// Puts a mark into the object that was just written.
fn push_mark(out: &mut String, mark: Option<&str>) {
    let Some(mark) = mark else { return };
    if out.ends_with('}') {
        out.pop();
        out.push_str(",\"cache_control\":");
        out.push_str(mark);
        out.push('}');
    }
}

/// Thinking counts among the tokens of an answer, so its budget comes on top.
fn max_tokens(options: &ChatOptions, thinking: &Thinking) -> u64 {
    match options.max_tokens() {
        Some(most) => most.into(),
        None => u64::from(DEFAULT_MAX_TOKENS).saturating_add(thinking.budget),
    }
}

/// What is not said is left to the server, which then decides as the model would.
fn push_choice(fields: &mut RequestFields<'_>, choice: &ToolChoice, alone: bool) {
    let (kind, name) = match choice {
        ToolChoice::None => ("none", None),
        ToolChoice::Required => ("any", None),
        ToolChoice::Tool(name) => ("tool", Some(wire_name(name))),
        _ if alone => ("auto", None),
        _ => return,
    };
    fields.ours("tool_choice", |place| {
        let mut choice = JsonObject::begin(place);
        choice.string("type", kind);
        if let Some(name) = name {
            choice.string("name", &name);
        }
        if alone && kind != "none" {
            choice.raw("disable_parallel_tool_use", true);
        }
        choice.end();
    });
}
