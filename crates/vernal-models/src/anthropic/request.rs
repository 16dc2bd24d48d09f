//! The request: one buffer, filled from parts that were written before.

use std::sync::Arc;

use bytes::Bytes;
use vernal_core::message::{DialectKey, Role};
use vernal_core::model::{Capabilities, ChatOptions, Finding, ModelError, Prompt, ToolChoice};
use vernal_core::tool::ToolSet;

use super::PROVIDER;
use super::cache::AnthropicCache;
use super::format::{OUTPUT_CONFIG, push_format};
use super::message::encode;
use super::tools::ToolDefaults;
use crate::capabilities::CapabilityTable;
use crate::exchange::{
    ChoiceWords, Encoded, Offer, RequestFields, ToolRules, capabilities_of, check_spoken, model_of,
    offer, options_of, over, push_turns,
};
use crate::json::{JsonObject, push_string, push_strings};
use crate::wire_names::{check_distinct, real_name, wire_name};

/// The most tokens of an answer where no option names another number: what every model takes.
pub const DEFAULT_MAX_TOKENS: u32 = 4096;

const MESSAGE_KEY: DialectKey = DialectKey::from_name("anthropic-messages 1 message");

/// A choice among tools has no word here: only those are sent.
const CHOICES: ChoiceWords = ChoiceWords {
    server: "Anthropic",
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
        let rules = ToolRules {
            dialect: self.tools.dialect,
            wire_name: &|name| wire_name(name).into_owned(),
            choices: CHOICES,
            most_tools: None,
            longest_description: None,
            strict_is_refused: false,
            capabilities: self.capabilities(&options),
        };
        rules.check(&options)
    }

    pub(super) fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        let options = over(options, self.options.as_ref());
        let model = options.model().or(self.model.as_ref());
        let model = model.map(|model| &**model);
        capabilities_of(
            PROVIDER,
            model,
            &self.capabilities,
            &Capabilities::default(),
        )
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
        let tools_text = tools
            .encoded()
            .map(|kept| kept.get_or_encode(self.tools.key, || self.tools.encode(tools)));
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
        fields.ours_raw("max_tokens", max_tokens(options));
        fields.sampling()?;
        if !options.stop().is_empty() {
            fields.ours("stop_sequences", |place| {
                push_strings(place, options.stop());
            });
        }
        if stream {
            fields.object.raw("stream", true);
        }
        push_format(&mut fields)?;
        fields.extra_but(&[OUTPUT_CONFIG])?;
        if self.cache.conversation {
            fields.ours_raw("cache_control", self.cache.mark());
        }
        self.push_tools(&mut fields, &offered, tools_text);
        self.push_system(&mut fields, &messages);
        let turns = fields.object.member("messages");
        let before = turns.len();
        push_turns(turns, &messages, None);
        check_spoken(turns.len() > before + "[]".len(), "Anthropic", prompt)?;
        fields.object.end();
        Ok(body)
    }

    fn push_tools(&self, fields: &mut RequestFields<'_>, offered: &Offer, tools: &str) {
        let of_server = &*self.tools.of_server;
        if tools.is_empty() && of_server.is_empty() {
            return;
        }
        push_choice(fields, &offered.choice);
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
fn max_tokens(options: &ChatOptions) -> u64 {
    if let Some(most) = options.max_tokens() {
        return most.into();
    }
    let thinking = options.extra().get("thinking");
    let budget = thinking.and_then(|thinking| thinking.get("budget_tokens")?.as_u64());
    u64::from(DEFAULT_MAX_TOKENS).saturating_add(budget.unwrap_or(0))
}

/// What is not said is left to the server, which then decides as the model would.
fn push_choice(fields: &mut RequestFields<'_>, choice: &ToolChoice) {
    let alone = fields.options.parallel_tool_calls() == Some(false);
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
