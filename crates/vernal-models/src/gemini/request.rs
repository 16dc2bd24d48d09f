//! The request: one buffer, filled from parts that were written before.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value};
use url::Url;
use vernal_core::message::{DialectKey, Role};
use vernal_core::model::{
    Capabilities, ChatOptions, Finding, FindingKind, ModelError, Prompt, ResponseFormat, Severity,
};
use vernal_core::tool::ToolSet;

use super::PROVIDER;
use super::format::{check_format, push_format};
use super::generation::wants_signatures;
use super::message::{Forms, encode, push_text_content};
use super::names;
use super::tools::{CHOICES, SchemaForm, encode_choice, encode_tools};
use crate::capabilities::CapabilityTable;
use crate::exchange::{
    InnerFields, Offer, RequestFields, SettingRules, ToolRules, answer_losses, capabilities_of,
    check_spoken, configuration, model_of, offer, options_of, over,
};
use crate::json::{JsonObject, push_strings};

/// What a conversation begins with where the model speaks first: the server takes none without a user.
const OPENING: &str = "Go on.";

/// A request that is ready to be sent, and what is needed to read its answer.
pub(super) struct Prepared {
    pub(super) url: Url,
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
    pub(super) schema_form: SchemaForm,
    pub(super) media_in_results: bool,
    pub(super) capabilities: CapabilityTable,
}

/// Whose turn a content is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    User,
    Model,
    /// Answers to calls, which stand alone.
    Tool,
}

/// The messages of a prompt that say something, as they are written.
#[derive(Default)]
struct Turns<'a> {
    /// Those of the application before the conversation.
    system: Vec<Cow<'a, str>>,
    /// The conversation.
    spoken: Vec<(Turn, Cow<'a, str>)>,
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
        names::check(&tools)?;
        check_format(&options, &model)?;
        let body = self.write(prompt, &options, &model)?;
        Ok(Prepared {
            url: url_of(base, &model, stream)?,
            body: body.into(),
            model,
            tools,
            turn: prompt.messages().len(),
        })
    }

    /// What can be known of a request before it is sent.
    pub(super) fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let options = over(options, self.options.as_ref());
        let can = self.capabilities(&options);
        let rules = ToolRules {
            provider: PROVIDER,
            dialect: self.schema_form.dialect(),
            wire_name: &|name| names::name_for(name).into_owned(),
            choices: CHOICES,
            most_tools: None,
            longest_description: None,
            strict_is_refused: false,
            capabilities: can,
        };
        let mut found = rules.check(&options);
        if let Err(error) = names::check(options.tools()) {
            let refused = refused(&error);
            if !found.contains(&refused) {
                found.push(refused);
            }
        }
        found.extend(self.check_answers(&options));
        let settings = SettingRules {
            server: CHOICES.server,
            parallel_switch: false,
            server_tools: false,
            formats: None,
            capabilities: can,
        };
        found.extend(settings.check(&options));
        found
    }

    /// What is found of the form of answers.
    fn check_answers(&self, options: &ChatOptions) -> Vec<Finding> {
        let model = options.model().or(self.model.as_ref());
        let together = model.map_or(Ok(()), |model| check_format(options, model));
        let mut found: Vec<_> = together.err().iter().map(refused).collect();
        if let ResponseFormat::JsonSchema(schema) = options.response_format()
            && self.schema_form == SchemaForm::OpenApi
        {
            found.extend(answer_losses(schema, self.schema_form.dialect()));
        }
        found
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
    ) -> Result<String, ModelError> {
        let Offer { tools, choice } = offer(options, CHOICES)?;
        let tools_text = tools.encoded().map(|kept| {
            kept.get_or_encode(self.tools_key(), || encode_tools(&tools, self.schema_form))
        });
        let forms = Forms {
            media_in_results: self.media_in_results,
            signed_calls: wants_signatures(model),
        };
        let Turns { system, spoken } = turns_of(prompt, forms);
        check_spoken(!spoken.is_empty(), CHOICES.server, prompt)?;
        let of_messages: usize = spoken.iter().map(|(_, parts)| parts.len() + 32).sum();
        let of_system: usize = system.iter().map(|parts| parts.len() + 1).sum();
        let of_tools = tools_text.as_ref().map_or(0, |text| text.len());
        let of_options = 256 + options.extra().len() * 64;
        let mut body = String::with_capacity(of_messages + of_system + of_tools + of_options);

        // What stays the same from round to round comes first.
        let mut fields = RequestFields {
            object: JsonObject::begin(&mut body),
            options,
        };
        if !system.is_empty() {
            fields.ours("systemInstruction", |place| push_system(place, &system));
        }
        push_config(&mut fields, self.schema_form)?;
        fields.extra_but(&["generationConfig"])?;
        if let Some(text) = &tools_text {
            if let Some(choice) = encode_choice(&choice) {
                fields.ours_raw("toolConfig", choice);
            }
            fields.ours("tools", |place| place.push_str(text));
        }
        push_contents(fields.object.member("contents"), &spoken);
        fields.object.end();
        Ok(body)
    }

    fn tools_key(&self) -> DialectKey {
        const JSON: DialectKey = DialectKey::from_name("gemini tools, JSON Schema");
        const OPEN_API: DialectKey = DialectKey::from_name("gemini tools, OpenAPI");
        match self.schema_form {
            SchemaForm::JsonSchema => JSON,
            SchemaForm::OpenApi => OPEN_API,
        }
    }
}

/// The messages apart.
fn turns_of(prompt: &Prompt, forms: Forms) -> Turns<'_> {
    let Turns {
        mut system,
        mut spoken,
    } = Turns::default();
    let key = forms.key();
    for message in prompt.messages() {
        let kept = message.encoded();
        let parts = kept.get_or_encode(key, || encode(message, forms));
        if parts.is_empty() {
            continue;
        }
        match message.role() {
            Role::System if spoken.is_empty() => system.push(parts),
            Role::Assistant => spoken.push((Turn::Model, parts)),
            Role::Tool => spoken.push((Turn::Tool, parts)),
            _ => spoken.push((Turn::User, parts)),
        }
    }
    Turns { system, spoken }
}

/// The server, or we, would refuse the request for this.
fn refused(error: &ModelError) -> Finding {
    Finding::new(Severity::Error, FindingKind::Refused, error.to_string())
}

/// Where a model is asked; its name may have a path of its own, such as `tunedModels/mine`.
fn url_of(base: &Url, model: &str, stream: bool) -> Result<Url, ModelError> {
    let mut url = base.clone();
    let method = if stream {
        "streamGenerateContent"
    } else {
        "generateContent"
    };
    let called = format!("{model}:{method}");
    let known = model
        .split('/')
        .all(|piece| !matches!(piece, "" | "." | ".."));
    let Ok(mut path) = url.path_segments_mut() else {
        return Err(configuration("the base URL has no path"));
    };
    if !known {
        return Err(configuration(&format!(
            "`{model}` cannot be the name of a model; write it like `gemini-2.5-flash`"
        )));
    }
    path.pop_if_empty();
    if !model.contains('/') {
        path.push("models");
    }
    path.extend(called.split('/'));
    drop(path);
    if stream {
        url.query_pairs_mut().append_pair("alt", "sse");
    }
    Ok(url)
}

fn push_system(out: &mut String, system: &[Cow<'_, str>]) {
    out.push_str("{\"parts\":[");
    for (position, parts) in system.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        out.push_str(parts);
    }
    out.push_str("]}");
}

/// The settings of the model, with those that the caller puts beside ours or in their place.
fn push_config(fields: &mut RequestFields<'_>, form: SchemaForm) -> Result<(), ModelError> {
    let none = Map::new();
    let options = fields.options;
    let own = InnerFields::of(options, "generationConfig", &none)?;
    let is_empty = own.values().all(Value::is_null)
        && options.temperature().is_none()
        && options.top_p().is_none()
        && options.max_tokens().is_none()
        && options.stop().is_empty()
        && options.response_format() == &ResponseFormat::Text;
    if is_empty {
        return Ok(());
    }
    let mut inner = InnerFields::begin(fields.object.member("generationConfig"), own);
    inner.finite("temperature", ("temperature", options.temperature()))?;
    inner.finite("topP", ("top_p", options.top_p()))?;
    if let Some(most) = options.max_tokens() {
        inner.raw("maxOutputTokens", most);
    }
    if !options.stop().is_empty() {
        inner.ours("stopSequences", |place| push_strings(place, options.stop()));
    }
    push_format(&mut inner, options.response_format(), form);
    inner.end();
    Ok(())
}

/// One content for each turn; turns of one side in a row are one.
fn push_contents(out: &mut String, spoken: &[(Turn, Cow<'_, str>)]) {
    out.push('[');
    let mut open: Option<Turn> = None;
    if spoken.first().is_some_and(|(turn, _)| *turn != Turn::User) {
        push_text_content(out, "user", OPENING);
        out.push(',');
    }
    for (turn, parts) in spoken {
        if open == Some(*turn) {
            out.push(',');
        } else {
            if open.is_some() {
                out.push_str("]},");
            }
            let role = if *turn == Turn::Model {
                "model"
            } else {
                "user"
            };
            out.push_str(&format!("{{\"role\":\"{role}\",\"parts\":["));
            open = Some(*turn);
        }
        out.push_str(parts);
    }
    out.push_str(if open.is_some() { "]}]" } else { "]" });
}
