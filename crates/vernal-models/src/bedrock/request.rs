//! The request: one buffer, filled from parts that were written before.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};
use url::Url;
use vernal_core::message::Role;
use vernal_core::model::{
    Capabilities, ChatOptions, Finding, FindingKind, ModelError, Prompt, Severity, ToolChoice,
};
use vernal_core::tool::ToolSet;

use super::PROVIDER;
use super::cache::BedrockCache;
use super::endpoint::url_of;
use super::family::Family;
use super::format::FORM;
use super::message::{encode, push_text};
use super::tools::{STAND_IN, ToolDefaults, dialect, push_choice};
use crate::capabilities::CapabilityTable;
use crate::exchange::{
    ChoiceWords, Encoded, InnerFields, Offer, RequestFields, SettingRules, ToolRules,
    capabilities_of, check_answer_form, check_spoken, model_of, offer, options_of, over,
    push_answer_form, push_turns,
};
use crate::json::{JsonObject, push_strings};
use crate::wire_names::{check_distinct, real_name, wire_name};

/// What a conversation begins with where the model speaks first: the server takes none without a user.
const OPENING: &str = r#"{"role":"user","content":[{"text":"Go on."}]}"#;

/// What the model says between results and other words of the user, where the two cannot be one turn.
const BETWEEN: &str = r#"{"text":"."}"#;

/// The server, for what is told.
pub(super) const SERVER: &str = "Bedrock";

/// The extra field that the settings stand in, beside what else the caller puts there.
const INFERENCE: &str = "inferenceConfig";

/// A choice among tools has no word here: only those are sent. Nor has calling nothing, which is dealt
/// with where the tools are written: a conversation with calls needs them.
const CHOICES: ChoiceWords = ChoiceWords {
    server: SERVER,
    none: true,
    required: true,
    named: true,
    allowed: false,
};

/// A request that is ready to be sent, and what is needed to read its answer.
pub(super) struct Prepared {
    pub(super) url: Url,
    pub(super) body: Bytes,
    /// The id of the model that is asked.
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
    pub(super) cache: BedrockCache,
    /// Whether results are a turn of their own; by the model's id where it is not said.
    pub(super) results_alone: Option<bool>,
    pub(super) capabilities: CapabilityTable,
}

impl RequestDefaults {
    /// Writes the request for a prompt to the server at `base`.
    ///
    /// # Errors
    /// No model is named, a setting cannot be sent, two tools have one name on the wire, or nobody but
    /// the system speaks.
    pub(super) fn prepare(
        &self,
        base: &Url,
        prompt: &Prompt,
        stream: bool,
    ) -> Result<Prepared, ModelError> {
        let options = options_of(prompt, self.options.as_ref());
        let model = model_of(&options, self.model.as_ref())?;
        let tools = options.tools().clone();
        check_distinct(&tools)?;
        let body = self.write(prompt, &options, &model)?;
        Ok(Prepared {
            url: url_of(base, &model, stream)?,
            body: body.into(),
            model,
            turn: prompt.messages().len(),
            tools,
        })
    }

    /// What can be known of a request before it is sent.
    pub(super) fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let options = over(options, self.options.as_ref());
        let known = self.known(options.model().or(self.model.as_ref()));
        let strict = self.is_strict(|| known);
        let rules = ToolRules {
            provider: PROVIDER,
            dialect: dialect(strict),
            wire_name: &|name| wire_name(name).into_owned(),
            choices: CHOICES,
            most_tools: None,
            longest_description: None,
            strict_is_refused: self.tools.strict && !strict,
            capabilities: known,
        };
        let mut found = rules.check(&options);
        let settings = SettingRules {
            server: SERVER,
            parallel_switch: false,
            server_tools: !self.tools.of_server.is_empty(),
            formats: None,
            capabilities: known,
        };
        found.extend(settings.check(&options));
        if !options.tools().is_empty() && options.tool_choice() == &ToolChoice::None {
            let text = "Bedrock has no word for calling no tool: the tools are left out, but where the \
                        conversation has calls they are sent, and the model may call them";
            found.push(Finding::new(
                Severity::Note,
                FindingKind::NotSupported,
                text,
            ));
        }
        found.extend(check_answer_form(&options, &FORM, known.response_schema));
        found
    }

    pub(super) fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        let options = over(options, self.options.as_ref());
        self.known(options.model().or(self.model.as_ref()))
    }

    fn known(&self, model: Option<&Arc<str>>) -> Capabilities {
        let model = model.map(|model| &**model);
        let otherwise = Capabilities::default();
        capabilities_of(PROVIDER, model, &self.capabilities, &otherwise)
    }

    /// Whether tools are sent in strict mode: where it is asked for, and the model is not known to have
    /// none. The table is read only then.
    fn is_strict(&self, known: impl FnOnce() -> Capabilities) -> bool {
        self.tools.strict && known().strict_schema != Some(false)
    }

    fn write(
        &self,
        prompt: &Prompt,
        options: &ChatOptions,
        model: &Arc<str>,
    ) -> Result<String, ModelError> {
        let Offer { tools, choice } = offer(options, CHOICES)?;
        let strict = self.is_strict(|| self.known(Some(model)));
        let tools_text = tools.encoded().map(|kept| {
            kept.get_or_encode(self.tools.key(strict), || self.tools.encode(&tools, strict))
        });
        let tools_text = tools_text.as_deref().unwrap_or_default();
        let family = Family::of(model);
        let key = family.message_key();
        let messages: Vec<Encoded<'_>> = prompt
            .messages()
            .iter()
            .map(|message| {
                let kept = message.encoded();
                let text = kept.get_or_encode(key, || encode(message, family));
                (&**message, text)
            })
            .collect();

        let of_messages: usize = messages.iter().map(|(_, text)| text.len() + 40).sum();
        let of_tools = tools_text.len() + self.tools.of_server.len();
        let of_options = 256 + options.extra().len() * 64;
        let mut body = String::with_capacity(of_messages + of_tools + of_options);

        // What stays the same from round to round comes first.
        let mut fields = RequestFields {
            object: JsonObject::begin(&mut body),
            options,
        };
        push_inference(&mut fields)?;
        push_answer_form(&mut fields, &FORM, || {
            self.known(Some(model)).response_schema
        })?;
        fields.extra_but(&[INFERENCE, FORM.field])?;
        let called = prompt
            .messages()
            .iter()
            .any(|message| message.has_tool_calls());
        self.push_tools(&mut fields, tools_text, &choice, called);
        self.push_system(&mut fields, &messages);
        let alone = self.results_alone.unwrap_or(family.results_alone);
        let between = alone.then_some(BETWEEN);
        let spoken = self.push_messages(fields.object.member("messages"), &messages, between);
        check_spoken(spoken, CHOICES.server, prompt)?;
        fields.object.end();
        Ok(body)
    }

    /// The tools; `called` says that the conversation has calls, with which the server wants tools
    /// whatever the model is to do.
    fn push_tools(
        &self,
        fields: &mut RequestFields<'_>,
        tools: &str,
        choice: &ToolChoice,
        called: bool,
    ) {
        let none =
            *choice == ToolChoice::None || (tools.is_empty() && self.tools.of_server.is_empty());
        if none && !called {
            return;
        }
        let mut lists = vec![tools, &*self.tools.of_server];
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() {
            lists.push(STAND_IN);
        }
        if self.cache.tools {
            lists.push(self.cache.mark());
        }
        fields.ours("toolConfig", |place| {
            let mut config = JsonObject::begin(place);
            let list = config.member("tools");
            list.push('[');
            for (position, tools) in lists.into_iter().enumerate() {
                if position > 0 {
                    list.push(',');
                }
                list.push_str(tools);
            }
            list.push(']');
            if !tools.is_empty() {
                push_choice(&mut config, choice);
            }
            config.end();
        });
    }

    fn push_system(&self, fields: &mut RequestFields<'_>, messages: &[Encoded<'_>]) {
        let mut texts = messages
            .iter()
            .filter(|(message, text)| message.role() == Role::System && !text.is_empty())
            .map(|(_, text)| text);
        let Some(first) = texts.next() else { return };
        fields.ours("system", |place| {
            place.push('[');
            place.push_str(first);
            for text in texts {
                place.push(',');
                place.push_str(text);
            }
            if self.cache.system {
                place.push(',');
                place.push_str(self.cache.mark());
            }
            place.push(']');
        });
    }

    /// Whether anybody speaks.
    fn push_messages(
        &self,
        out: &mut String,
        messages: &[Encoded<'_>],
        between: Option<&str>,
    ) -> bool {
        let begin = out.len();
        let spoken = push_turns(out, messages, |out, text, _| push_text(out, text), between);
        let turns = out.get(begin..).unwrap_or_default();
        if turns.starts_with(r#"[{"role":"assistant""#) {
            out.insert_str(begin + 1, &format!("{OPENING},"));
        }
        if self.cache.conversation && out.ends_with("]}]") {
            out.truncate(out.len() - "]}]".len());
            out.push(',');
            out.push_str(self.cache.mark());
            out.push_str("]}]");
        }
        spoken
    }
}

/// The settings of the model, with those that the caller puts beside ours or in their place.
fn push_inference(fields: &mut RequestFields<'_>) -> Result<(), ModelError> {
    let none = Map::new();
    let options = fields.options;
    let own = InnerFields::of(options, INFERENCE, &none)?;
    let is_empty = own.values().all(Value::is_null)
        && options.temperature().is_none()
        && options.top_p().is_none()
        && options.max_tokens().is_none()
        && options.stop().is_empty();
    if is_empty {
        return Ok(());
    }
    let mut inner = InnerFields::begin(fields.object.member(INFERENCE), own);
    if let Some(most) = options.max_tokens() {
        inner.raw("maxTokens", most);
    }
    inner.finite("temperature", ("temperature", options.temperature()))?;
    inner.finite("topP", ("top_p", options.top_p()))?;
    if !options.stop().is_empty() {
        inner.ours("stopSequences", |place| push_strings(place, options.stop()));
    }
    inner.end();
    Ok(())
}
