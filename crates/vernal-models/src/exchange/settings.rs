//! What can be known of a request's settings before it is sent (rule SCH-8): each is in the request,
//! or a finding says why not.

use vernal_core::model::{
    Capabilities, ChatOptions, Finding, FindingKind, ResponseFormat, ResponseSchema, Severity,
    ToolChoice,
};

use super::answer_losses;
use super::request::{finite, refusal_of_extra};
use crate::lowering::SchemaDialect;

/// What a server has words for among the settings that not all have.
pub(crate) struct SettingRules {
    /// The server, for what is told.
    pub(crate) server: &'static str,
    /// Whether there is a switch for parallel calls.
    pub(crate) parallel_switch: bool,
    /// Whether there are tools of the provider, whatever the application offers.
    pub(crate) server_tools: bool,
    /// `None` where the adapter tells of the form of answers by itself.
    pub(crate) formats: Option<FormatWords>,
    pub(crate) capabilities: Capabilities,
}

/// Which forms of answers can be asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FormatWords {
    /// JSON of any form.
    pub(crate) json_object: FormatWord,
    pub(crate) schema: FormatWord,
    /// The dialect in which a schema is written in strict mode; `None` where every schema is sent as
    /// it is.
    pub(crate) strict: Option<SchemaDialect>,
}

/// Whether a form of answers can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormatWord {
    /// There is no word for it.
    None,
    /// Where no tools may be called: else the request is refused, or the tools are never called.
    WithoutTools,
    /// With tools, too.
    Always,
}

impl SettingRules {
    /// Everything that is found.
    pub(crate) fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        let mut found = refused_values(options);
        found.extend(self.of_most_tokens(options));
        if options.tools().is_empty() && !self.server_tools {
            found.extend(without_tools(options));
        } else {
            found.extend(self.of_parallel_calls(options));
        }
        found.extend(self.of_format(options));
        found
    }

    /// What is known of a model may be out of date, so this is no error.
    fn of_most_tokens(&self, options: &ChatOptions) -> Option<Finding> {
        let asked = options.max_tokens()?;
        let most = self.capabilities.max_output_tokens?;
        let text = format!(
            "`max_tokens` is {asked}, and the model is known to make at most {most}: ask for fewer"
        );
        let kind = FindingKind::LimitExceeded {
            limit: "tokens of an answer",
            most: usize::try_from(most).ok()?,
            found: usize::try_from(asked).ok()?,
        };
        (u64::from(asked) > most).then(|| Finding::new(Severity::Warning, kind, text))
    }

    fn of_parallel_calls(&self, options: &ChatOptions) -> Option<Finding> {
        let wish = options.parallel_tool_calls()?;
        let one_at_a_time = self.capabilities.parallel_tool_calls == Some(false);
        let (severity, text) = match (one_at_a_time, wish) {
            (true, true) => (
                Severity::Warning,
                "the model is known to make one call at a time, so `parallel_tool_calls` is left out: \
                 ask another model for several"
                    .to_owned(),
            ),
            (true, false) => (
                Severity::Note,
                "the model is known to make one call at a time and to take no word about it, so \
                 `parallel_tool_calls` is left out"
                    .to_owned(),
            ),
            (false, false) if !self.parallel_switch => (
                Severity::Note,
                format!(
                    "{} has no switch for parallel calls: several may come in one answer",
                    self.server
                ),
            ),
            _ => return None,
        };
        Some(not_supported(severity, text))
    }

    fn of_format(&self, options: &ChatOptions) -> Vec<Finding> {
        let Some(words) = self.formats else {
            return Vec::new();
        };
        let (word, schema) = match options.response_format() {
            ResponseFormat::JsonObject => (words.json_object, None),
            ResponseFormat::JsonSchema(schema) => (words.schema, Some(schema)),
            _ => return Vec::new(),
        };
        let server = self.server;
        let lacks = |text: String| vec![not_supported(Severity::Warning, text)];
        let may_call = !options.tools().is_empty() && options.tool_choice() != &ToolChoice::None;
        let in_words = "ask for it in the prompt, or with `entity`, which asks in words";
        match (word, schema) {
            (FormatWord::None, Some(_)) if words.json_object != FormatWord::None => lacks(format!(
                "{server} knows no schema of an answer, so JSON of any form is asked for: {in_words}"
            )),
            (FormatWord::None, Some(_)) => lacks(format!(
                "{server} has no field for the form of answers, so it is left out: {in_words}"
            )),
            (FormatWord::None, None) => lacks(format!(
                "{server} has no word for JSON of any form, so it is left out: give a schema, or ask \
                 for JSON in the prompt"
            )),
            (_, Some(_)) if self.capabilities.response_schema == Some(false) => lacks(format!(
                "the model is known to hold no answer to a schema, and may refuse it: {in_words}"
            )),
            (FormatWord::WithoutTools, _) if may_call => lacks(format!(
                "{server} is not known to hold answers to a form where tools may be called: the \
                 request may be refused, or no tool called; leave one of them out, or {in_words}"
            )),
            (_, Some(schema)) => of_schema(schema, words.strict),
            _ => Vec::new(),
        }
    }
}

/// What the schema of an answer loses in strict mode.
fn of_schema(schema: &ResponseSchema, strict: Option<SchemaDialect>) -> Vec<Finding> {
    match strict {
        // OpenAI takes it as it is unless strictness is asked for.
        Some(SchemaDialect::OpenAiStrict) if !schema.strict() => Vec::new(),
        Some(dialect) => answer_losses(schema, dialect),
        None => Vec::new(),
    }
}

/// What is said about tools is sent with tools alone. A request may bring them later.
fn without_tools(options: &ChatOptions) -> impl Iterator<Item = Finding> {
    let set = [
        ("tool_choice", options.tool_choice() != &ToolChoice::Auto),
        (
            "parallel_tool_calls",
            options.parallel_tool_calls().is_some(),
        ),
    ];
    let set = set.into_iter().filter(|(_, is_set)| *is_set);
    set.map(|(name, _)| {
        let text = format!("`{name}` is sent with tools alone, and there are none");
        not_supported(Severity::Note, text)
    })
}

fn not_supported(severity: Severity, text: String) -> Finding {
    Finding::new(severity, FindingKind::NotSupported, text)
}

/// What no request can be written with.
fn refused_values(options: &ChatOptions) -> Vec<Finding> {
    let numbers = [
        ("temperature", options.temperature()),
        ("top_p", options.top_p()),
    ];
    let numbers = numbers.into_iter().filter_map(|(name, number)| {
        let error = finite(name, number?).err()?;
        Some(error.to_string())
    });
    let extras = options
        .extra()
        .keys()
        .filter_map(|name| refusal_of_extra(name));
    let refused = |text| Finding::new(Severity::Error, FindingKind::Refused, text);
    numbers.chain(extras).map(refused).collect()
}
