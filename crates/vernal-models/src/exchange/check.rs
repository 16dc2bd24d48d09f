//! What can be known of a request's tools before it is sent (rule SCH-8).

use vernal_core::model::{
    Capabilities, ChatOptions, Finding, FindingKind, ModelError, Severity, ToolChoice,
};
use vernal_core::tool::{ToolDefinition, ToolSet};

use super::choice::{check_sayable, chosen};
use super::{ChoiceWords, offer};
use crate::lowering::{SchemaDialect, lower, size_of};
use crate::wire_names::check_distinct;

/// What an adapter does with tools, and what its provider takes.
pub(crate) struct ToolRules<'a> {
    /// The provider in rows of capabilities.
    pub(crate) provider: &'a str,
    pub(crate) dialect: SchemaDialect,
    /// The name under which a tool is sent.
    pub(crate) wire_name: &'a dyn Fn(&str) -> String,
    pub(crate) choices: ChoiceWords,
    pub(crate) most_tools: Option<usize>,
    /// The most characters of a tool's description.
    pub(crate) longest_description: Option<usize>,
    /// Strict mode was asked for, and the model is known to have none.
    pub(crate) strict_is_refused: bool,
    pub(crate) capabilities: Capabilities,
}

/// A limit that a provider is known to hold.
struct Limit {
    what: &'static str,
    most: usize,
    found: usize,
}

impl ToolRules<'_> {
    /// Everything that is found.
    pub(crate) fn check(&self, options: &ChatOptions) -> Vec<Finding> {
        if options.tools().is_empty() {
            return Vec::new();
        }
        let mut found = self.of_choice(options);
        let sent = self.sent(options);
        if sent.is_empty() {
            return found;
        }
        found.extend(too_many_tools(self.most_tools, sent.len()));
        found.extend(self.of_model(options));
        for tool in sent.definitions() {
            self.of_tool(tool, &mut found);
        }
        found.extend(self.of_strict(&sent));
        found
    }

    /// What is sent of the tools, to a server that may have no word for a choice among them.
    fn sent(&self, options: &ChatOptions) -> ToolSet {
        let (tools, choice) = (options.tools(), options.tool_choice());
        match check_sayable(choice, self.choices) {
            Ok(()) => chosen(tools, choice, self.choices).tools,
            Err(_) => tools.clone(),
        }
    }

    fn of_choice(&self, options: &ChatOptions) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut refused = |severity, error: ModelError| {
            found.push(Finding::new(
                severity,
                FindingKind::Refused,
                error.to_string(),
            ));
        };
        if let Err(error) = check_distinct(options.tools()) {
            refused(Severity::Error, error);
        }
        if let Err(error) = check_sayable(options.tool_choice(), self.choices) {
            refused(Severity::Error, error);
        } else if let Err(error) = offer(options, self.choices) {
            // A request may bring the tools that a default choice names.
            refused(Severity::Warning, error);
        }
        found
    }

    /// What the model is known not to have.
    fn of_model(&self, options: &ChatOptions) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut lacks = |text: &str| {
            found.push(Finding::new(
                Severity::Warning,
                FindingKind::NotSupported,
                text,
            ));
        };
        if self.capabilities.tools == Some(false) {
            lacks(
                "the model is known to take no tools, and may refuse them: leave them out, or ask \
                 another model",
            );
        }
        let must_call = matches!(
            options.tool_choice(),
            ToolChoice::Required | ToolChoice::Tool(_) | ToolChoice::Allowed { required: true, .. }
        );
        if must_call && self.capabilities.required_tool_choice == Some(false) {
            lacks(
                "the model is known not to be made to call a tool, and may refuse to be told so: leave \
                 the choice to it, and ask for the call in the prompt",
            );
        }
        if self.strict_is_refused {
            lacks(&format!(
                "the model is known to have no strict mode, so the tools are sent without: ask another \
                 model, or say with `capabilities` that it has, in a row with `\"provider\": {:?}` and \
                 `\"strict_schema\": true`",
                self.provider
            ));
        }
        found
    }

    fn of_tool(&self, tool: &ToolDefinition, found: &mut Vec<Finding>) {
        let name = tool.name();
        let wire = (self.wire_name)(name);
        if wire != **name {
            let text = format!("is sent as `{wire}`, and called back by its own name");
            let kind = FindingKind::NameMapped { wire };
            found.push(Finding::new(Severity::Note, kind, text).about(name.clone()));
        }
        if let Some(most) = self.longest_description {
            let limit = Limit {
                what: "characters of a description",
                most,
                found: tool.description().chars().count(),
            };
            let exceeded = limit.exceeded(Severity::Warning);
            found.extend(exceeded.map(|finding| finding.about(name.clone())));
        }
        let losses = lower(tool.input_schema(), self.dialect).losses;
        found.extend(
            losses
                .into_iter()
                .map(|loss| Finding::of_loss(name.clone(), loss)),
        );
    }

    /// The limits of strict mode: those of OpenAI hold for each tool, those of Anthropic for all.
    fn of_strict(&self, tools: &ToolSet) -> Vec<Finding> {
        let lowered = tools.definitions().map(|tool| {
            let lowered = lower(tool.input_schema(), self.dialect);
            (tool.name(), lowered)
        });
        let strict = lowered.filter(|(_, lowered)| lowered.is_strict);
        let sizes = strict.map(|(name, lowered)| (name, size_of(&lowered.schema)));
        let limit = |what, most, found| Limit { what, most, found };
        match self.dialect {
            SchemaDialect::OpenAiStrict => sizes
                .flat_map(|(name, size)| {
                    let limits = [
                        limit("properties of a strict schema", 5000, size.properties),
                        limit("levels of a strict schema", 10, size.depth),
                        limit("enum values of a strict schema", 1000, size.enum_values),
                        limit(
                            "characters of names and values of a strict schema",
                            120_000,
                            size.text,
                        ),
                    ];
                    let exceeded = limits
                        .into_iter()
                        .filter_map(|l| l.exceeded(Severity::Error));
                    exceeded.map(|finding| finding.about(name.clone()))
                })
                .collect(),
            SchemaDialect::AnthropicStrict | SchemaDialect::BedrockStrict => {
                let sizes: Vec<_> = sizes.map(|(_, size)| size).collect();
                let limits = [
                    limit("strict tools", 20, sizes.len()),
                    limit(
                        "optional parameters of strict tools",
                        24,
                        sizes.iter().map(|s| s.optional).sum(),
                    ),
                    limit(
                        "parameters of several types in strict tools",
                        16,
                        sizes.iter().map(|s| s.unions).sum(),
                    ),
                ];
                limits
                    .into_iter()
                    .filter_map(|l| l.exceeded(Severity::Error))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The finding that there are more tools than the provider takes, if so.
pub(crate) fn too_many_tools(most: Option<usize>, found: usize) -> Option<Finding> {
    let limit = Limit {
        what: "tools",
        most: most?,
        found,
    };
    limit.exceeded(Severity::Error)
}

impl Limit {
    fn exceeded(self, severity: Severity) -> Option<Finding> {
        let Self { what, most, found } = self;
        (found > most).then(|| {
            let text = format!("there are {found} {what}, and the provider takes {most}");
            let kind = FindingKind::LimitExceeded {
                limit: what,
                most,
                found,
            };
            Finding::new(severity, kind, text)
        })
    }
}
