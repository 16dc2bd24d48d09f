//! The request: one buffer, filled from parts that were written before.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use vernal_core::message::{DialectKey, Message};
use vernal_core::model::{
    Capabilities, ChatOptions, Finding, FindingKind, ModelError, Prompt, Severity, ToolChoice,
};
use vernal_core::tool::ToolSet;

use super::format::{TEXT, check_json, format_words, push_format};
use super::input::Writing;
use super::instructions::{instructing, marked_item, push_instructions};
use super::state::{Known, Marking, ResponsesState};
use super::tools::ToolDefaults;
use super::turns::{has_opaque_call, push_input};
use crate::capabilities::CapabilityTable;
use crate::exchange::{
    ChoiceWords, Offer, RequestFields, SettingRules, ToolRules, capabilities_of, configuration,
    model_of, offer, options_of, over, parallel_switch, too_many_tools,
};
use crate::json::{JsonObject, push_string};
use crate::openai::{OpenAiCache, OpenAiProfile};
use crate::wire_names::{check_distinct, real_name, wire_name};

/// Whose opaque data OpenAI's own is.
pub(super) const OPENAI: &str = "openai-responses";

/// The most tools of a request that OpenAI takes.
const MOST_TOOLS: usize = 128;

/// Every choice has a word here.
const CHOICES: ChoiceWords = ChoiceWords {
    server: "OpenAI Responses",
    none: true,
    required: true,
    named: true,
    allowed: true,
};

/// A request that is ready to be sent, and what is needed to read its answer.
pub(super) struct Prepared {
    pub(super) body: Bytes,
    /// Whose opaque data the answer's is.
    pub(super) provider: &'static str,
    /// The name of the model that is asked.
    pub(super) model: Arc<str>,
    /// How many messages the prompt has: it tells the answers of a conversation apart.
    pub(super) turn: usize,
    /// How the answer is marked, where the server keeps it.
    pub(super) marking: Option<Marking>,
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
    pub(super) provider: &'static str,
    /// Whether the server is OpenAI's at Azure.
    pub(super) is_azure: bool,
    pub(super) state: ResponsesState,
    pub(super) message_key: DialectKey,
    pub(super) model: Option<Arc<str>>,
    pub(super) options: Option<ChatOptions>,
    pub(super) tools: ToolDefaults,
    pub(super) cache: OpenAiCache,
    pub(super) capabilities: CapabilityTable,
}

/// A message of a prompt and its wire form.
pub(super) type Encoded<'a> = (&'a Message, Cow<'a, str>);

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
        check_distinct(&tools)?;
        let body = self.write(prompt, &options, &model, stream)?;
        Ok(Prepared {
            body: body.into(),
            provider: self.provider,
            model,
            turn: prompt.messages().len(),
            marking: self.state.marking(&options),
            tools,
        })
    }

    /// Whether the server knows a call of this id that no message shows as one: it is the provider's own, in
    /// the model's `latest` message, or part of what the server keeps.
    pub(super) fn knows_call(&self, prompt: &Prompt, latest: Option<&Message>, id: &str) -> bool {
        let options = options_of(prompt, self.options.as_ref());
        let Some(latest) = latest else {
            return continues(&options);
        };
        let messages = prompt.messages();
        let known = self.state.known(messages, &options, self.provider).messages;
        let newest = known.checked_sub(1).and_then(|at| messages.get(at));
        newest.is_some_and(|newest| std::ptr::eq(&**newest, latest))
            || has_opaque_call(latest, id, self.provider)
    }

    /// What can be known of a request before it is sent.
    pub(super) fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let options = over(options, self.options.as_ref());
        let can = self.capabilities(&options);
        let is_openai = matches!(self.family(), "openai" | "azure");
        let rules = ToolRules {
            provider: self.family(),
            dialect: self.tools.forms.of(|| can).dialect,
            wire_name: &|name| wire_name(name).into_owned(),
            choices: CHOICES,
            // The provider's own tools count, too.
            most_tools: None,
            longest_description: is_openai.then_some(1024),
            strict_is_refused: self.tools.forms.lack_strict(&can),
            capabilities: can,
        };
        let settings = SettingRules {
            server: CHOICES.server,
            parallel_switch: true,
            server_tools: !self.tools.of_server.is_empty(),
            formats: Some(format_words(self.family())),
            capabilities: can,
        };
        let mut found = rules.check(&options);
        let most = is_openai.then_some(MOST_TOOLS);
        found.extend(too_many_tools(most, self.tools.count(options.tools())));
        found.extend(settings.check(&options));
        if let Err(error) = check_stop(&options) {
            let text = error.to_string();
            found.push(Finding::new(Severity::Error, FindingKind::Refused, text));
        }
        found
    }

    /// The provider, whichever of its languages is spoken.
    pub(super) fn family(&self) -> &'static str {
        if self.is_azure {
            return OpenAiProfile::AZURE.name;
        }
        let family = self.provider.strip_suffix("-responses");
        family.unwrap_or(self.provider)
    }

    pub(super) fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        let options = over(options, self.options.as_ref());
        let model = options.model().or(self.model.as_ref());
        self.known_of(model.map(|model| &**model))
    }

    fn known_of(&self, model: Option<&str>) -> Capabilities {
        let otherwise = Capabilities::default();
        capabilities_of(self.family(), model, &self.capabilities, &otherwise)
    }

    fn write(
        &self,
        prompt: &Prompt,
        options: &ChatOptions,
        model: &str,
        stream: bool,
    ) -> Result<String, ModelError> {
        let known = self.state.known(prompt.messages(), options, self.provider);
        let Offer { tools, .. } = offer(options, CHOICES)?;
        let can = || self.known_of(Some(model));
        let tools_text = tools.encoded().map(|kept| {
            let form = self.tools.forms.of(can);
            kept.get_or_encode(form.key, || self.tools.encode(&tools, form.dialect))
        });
        let tools_text = tools_text.as_deref().unwrap_or_default();
        let writing = Writing::new(self.provider, self.state, &self.tools);
        let head = instructing(prompt.messages());
        let encoded = |message| self.encoded(message, &writing);
        let instructions: Vec<Encoded<'_>> =
            prompt.messages().iter().take(head).map(encoded).collect();
        let news = prompt.messages().iter().skip(head.max(known.messages));
        let news: Vec<Encoded<'_>> = news.map(encoded).collect();

        let knows = known.messages > 0 || continues(options);
        if !knows {
            let said = instructions.iter().chain(&news).map(|(_, text)| &**text);
            check_json(options, self.provider, said)?;
        }

        let of_messages = instructions.iter().chain(&news);
        let of_messages: usize = of_messages.map(|(_, text)| text.len() + 48).sum();
        let of_tools = tools_text.len() + self.tools.of_server.len();
        let of_options = 320 + model.len() + options.extra().len() * 64;
        let mut body = String::with_capacity(of_messages + of_tools + of_options);

        // What stays the same from round to round comes first.
        let mut fields = RequestFields {
            object: JsonObject::begin(&mut body),
            options,
        };
        fields.ours("model", |place| push_string(place, model));
        push_settings(&mut fields, self.cache, stream)?;
        self.push_state(&mut fields, model, &known);
        self.push_tools(&mut fields, tools_text, parallel_switch(options, can));
        let opening = if !self.cache.system {
            push_instructions(&mut fields, &instructions);
            String::new()
        } else if known.messages == 0 {
            marked_item(&instructions)
        } else {
            // The server keeps it with the rest of the conversation.
            String::new()
        };
        push_input(fields.object.member("input"), &opening, &news);
        fields.object.end();
        Ok(body)
    }

    fn encoded<'a>(&self, message: &'a Arc<Message>, writing: &Writing<'_>) -> Encoded<'a> {
        let kept = message.encoded();
        let text = kept.get_or_encode(self.message_key, || writing.encode(message));
        (message, text)
    }

    fn push_state(&self, fields: &mut RequestFields<'_>, model: &str, known: &Known<'_>) {
        if self.state == ResponsesState::Stateless && !continues(fields.options) {
            fields.ours_raw("store", false);
            if may_reason(model) {
                fields.ours_raw("include", "[\"reasoning.encrypted_content\"]");
            }
        }
        if let Some(id) = &known.previous_response_id {
            fields.ours("previous_response_id", |place| push_string(place, id));
        }
    }

    fn push_tools(&self, fields: &mut RequestFields<'_>, tools: &str, parallel: Option<bool>) {
        let of_server = &*self.tools.of_server;
        if tools.is_empty() && of_server.is_empty() {
            return;
        }
        self.push_choice(fields, parallel);
        fields.ours("tools", |place| {
            place.push('[');
            place.push_str(tools);
            if !tools.is_empty() && !of_server.is_empty() {
                place.push(',');
            }
            place.push_str(of_server);
            place.push(']');
        });
    }

    /// What is not said is left to the server, which then decides as the model would.
    fn push_choice(&self, fields: &mut RequestFields<'_>, parallel: Option<bool>) {
        let options = fields.options;
        if let Some(allowed) = parallel {
            fields.ours_raw("parallel_tool_calls", allowed);
        }
        match options.tool_choice() {
            ToolChoice::None => fields.ours_raw("tool_choice", "\"none\""),
            ToolChoice::Required => fields.ours_raw("tool_choice", "\"required\""),
            ToolChoice::Tool(name) => {
                fields.ours("tool_choice", |place| self.push_named(place, name));
            }
            ToolChoice::Allowed { tools, required } if !options.tools().is_empty() => {
                fields.ours("tool_choice", |place| {
                    self.push_allowed(place, tools, *required);
                });
            }
            _ => {}
        }
    }

    fn push_named(&self, out: &mut String, name: &str) {
        let is_custom = self.tools.custom.contains(name);
        let mut choice = JsonObject::begin(out);
        choice.string("type", if is_custom { "custom" } else { "function" });
        choice.string("name", &wire_name(name));
        choice.end();
    }

    fn push_allowed(&self, out: &mut String, names: &[Arc<str>], required: bool) {
        let mut choice = JsonObject::begin(out);
        choice.string("type", "allowed_tools");
        choice.string("mode", if required { "required" } else { "auto" });
        let list = choice.member("tools");
        list.push('[');
        for (position, name) in names.iter().enumerate() {
            if position > 0 {
                list.push(',');
            }
            self.push_named(list, name);
        }
        list.push(']');
        choice.end();
    }
}

fn push_settings(
    fields: &mut RequestFields<'_>,
    cache: OpenAiCache,
    stream: bool,
) -> Result<(), ModelError> {
    let options = fields.options;
    fields.sampling()?;
    if let Some(most) = options.max_tokens() {
        fields.ours_raw("max_output_tokens", most);
    }
    check_stop(options)?;
    if stream {
        fields.object.raw("stream", true);
    }
    if let Some(marks) = cache.options() {
        fields.ours_raw("prompt_cache_options", marks);
    }
    push_format(fields)?;
    fields.extra_but(&[TEXT])
}

fn check_stop(options: &ChatOptions) -> Result<(), ModelError> {
    if options.stop().is_empty() || options.extra().contains_key("stop") {
        return Ok(());
    }
    Err(configuration(
        "the option `stop` has no word in OpenAI Responses: leave it out, ask Chat Completions, or \
         give the server's own field as the extra field `stop`",
    ))
}

/// Whether the caller names what the server kept.
fn continues(options: &ChatOptions) -> bool {
    ["conversation", "previous_response_id"].iter().any(|name| {
        let value = options.extra().get(*name);
        value.is_some_and(|value| !value.is_null())
    })
}

/// Whether a model of this name may reason. OpenAI refuses to give the reasoning of one that cannot.
fn may_reason(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    let old = ["gpt-3", "gpt-4", "chatgpt"]
        .iter()
        .any(|known| name.starts_with(known));
    let chat = name.starts_with("gpt-") && name.contains("-chat");
    !old && !chat
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_that_reason() {
        for name in [
            "gpt-5",
            "gpt-5.4-mini",
            "o3",
            "openai/o4-mini",
            "grok-4",
            "qwen3",
        ] {
            assert!(may_reason(name), "{name}");
        }
        for name in [
            "gpt-4o",
            "openai/gpt-4.1",
            "gpt-3.5-turbo",
            "chatgpt-4o-latest",
            "gpt-5-chat",
        ] {
            assert!(!may_reason(name), "{name}");
        }
    }
}
