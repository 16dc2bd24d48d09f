//! The request: one buffer, filled from parts that were written before.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};
use url::Url;
use vernal_core::message::{DialectKey, Role};
use vernal_core::model::{
    Capabilities, ChatOptions, Finding, FindingKind, ModelError, Prompt, ResponseFormat, Severity,
    ToolChoice,
};
use vernal_core::tool::ToolSet;

use super::PROVIDER;
use super::cache::BedrockCache;
use super::endpoint::url_of;
use super::message::{RESULT_FORM, encode};
use super::tools::{STAND_IN, ToolDefaults, push_choice};
use crate::capabilities::CapabilityTable;
use crate::exchange::{
    ChoiceWords, Encoded, InnerFields, Offer, RequestFields, ResultForm, ToolRules,
    capabilities_of, model_of, offer, options_of, over, push_turns,
};
use crate::json::{JsonObject, push_strings};
use crate::lowering::SchemaDialect;
use crate::wire_names::{check_distinct, real_name, wire_name};

/// What a conversation begins with where no user has said anything: the server takes none without.
const OPENING: &str = r#"{"role":"user","content":[{"text":"Go on."}]}"#;

/// What the model says between results and other words of the user, where the two cannot be one turn.
const BETWEEN: &str = r#"{"text":"."}"#;

const MESSAGE_KEY: DialectKey = DialectKey::from_name("bedrock-converse 1 message");

/// A choice among tools has no word here: only those are sent. Nor has calling nothing, which is dealt
/// with where the tools are written: a conversation with calls needs them.
const CHOICES: ChoiceWords = ChoiceWords {
    server: "Bedrock",
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
    /// No model is named, a setting cannot be sent, or two tools have one name on the wire.
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
        let rules = ToolRules {
            dialect: SchemaDialect::Bedrock,
            wire_name: &|name| wire_name(name).into_owned(),
            choices: CHOICES,
            most_tools: None,
            longest_description: None,
            strict_is_refused: false,
            capabilities: self.capabilities(&options),
        };
        let mut found = rules.check(&options);
        let mut lacks = |severity, text: &str| {
            found.push(Finding::new(severity, FindingKind::NotSupported, text));
        };
        if options.parallel_tool_calls() == Some(false) && !options.tools().is_empty() {
            let text = "Bedrock has no switch for parallel calls: several may come in one answer";
            lacks(Severity::Note, text);
        }
        if options.response_format() != &ResponseFormat::Text {
            let text = "Bedrock has no field for the form of answers, so it is left out: ask for it in \
                        the prompt, or with `entity`, which asks in words";
            lacks(Severity::Warning, text);
        }
        found
    }

    pub(super) fn capabilities(&self, options: &ChatOptions) -> Capabilities {
        let options = over(options, self.options.as_ref());
        let model = options.model().or(self.model.as_ref());
        let model = model.map(|model| &**model);
        let mut otherwise = Capabilities::default();
        otherwise.response_schema = Some(false);
        capabilities_of(PROVIDER, model, &self.capabilities, &otherwise)
    }

    fn write(
        &self,
        prompt: &Prompt,
        options: &ChatOptions,
        model: &str,
    ) -> Result<String, ModelError> {
        let Offer { tools, choice } = offer(options, CHOICES)?;
        let tools_text = tools
            .encoded()
            .map(|kept| kept.get_or_encode(self.tools.key, || self.tools.encode(&tools)));
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
        let of_options = 256 + options.extra().len() * 64;
        let mut body = String::with_capacity(of_messages + of_tools + of_options);

        // What stays the same from round to round comes first.
        let mut fields = RequestFields {
            object: JsonObject::begin(&mut body),
            options,
        };
        push_inference(&mut fields)?;
        fields.extra_but("inferenceConfig")?;
        let called = prompt
            .messages()
            .iter()
            .any(|message| message.has_tool_calls());
        self.push_tools(&mut fields, tools_text, &choice, called);
        self.push_system(&mut fields, &messages);
        let alone = self
            .results_alone
            .unwrap_or_else(|| wants_results_alone(model));
        let form = ResultForm {
            between: alone.then_some(BETWEEN),
            ..RESULT_FORM
        };
        self.push_messages(fields.object.member("messages"), &messages, form);
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

    fn push_messages(&self, out: &mut String, messages: &[Encoded<'_>], form: ResultForm) {
        let begin = out.len();
        push_turns(out, messages, form);
        let turns = out.get(begin..).unwrap_or_default();
        if turns == "[]" {
            out.insert_str(begin + 1, OPENING);
        } else if turns.starts_with(r#"[{"role":"assistant""#) {
            out.insert_str(begin + 1, &format!("{OPENING},"));
        }
        if self.cache.conversation && out.ends_with("]}]") {
            out.truncate(out.len() - "]}]".len());
            out.push(',');
            out.push_str(self.cache.mark());
            out.push_str("]}]");
        }
    }
}

/// Whether a model of this id refuses results and other words of the user in one turn.
fn wants_results_alone(model: &str) -> bool {
    ["meta.llama", "mistral.", "writer."]
        .iter()
        .any(|family| model.contains(family))
}

/// The settings of the model, with those that the caller puts beside ours or in their place.
fn push_inference(fields: &mut RequestFields<'_>) -> Result<(), ModelError> {
    let none = Map::new();
    let options = fields.options;
    let own = InnerFields::of(options, "inferenceConfig", &none)?;
    let is_empty = own.values().all(Value::is_null)
        && options.temperature().is_none()
        && options.top_p().is_none()
        && options.max_tokens().is_none()
        && options.stop().is_empty();
    if is_empty {
        return Ok(());
    }
    let mut inner = InnerFields::begin(fields.object.member("inferenceConfig"), own);
    if let Some(most) = options.max_tokens() {
        inner.raw("maxTokens", most);
    }
    inner.finite("temperature", options.temperature())?;
    inner.finite("topP", options.top_p())?;
    if !options.stop().is_empty() {
        inner.ours("stopSequences", |place| push_strings(place, options.stop()));
    }
    inner.end();
    Ok(())
}
