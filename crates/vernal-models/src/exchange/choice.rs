//! The choice among tools, for servers that have words only for some choices.

use vernal_core::model::{ChatOptions, ModelError, ToolChoice};
use vernal_core::tool::ToolSet;

use super::configuration;

/// Which choices a server has words for; that the model decides needs none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChoiceWords {
    /// The server, for errors.
    pub(crate) server: &'static str,
    pub(crate) none: bool,
    pub(crate) required: bool,
    pub(crate) named: bool,
    pub(crate) allowed: bool,
}

/// What is put on offer, and the choice that is left to be said about it.
pub(crate) struct Offer {
    pub(crate) tools: ToolSet,
    // Ollama has no words for any.
    #[cfg_attr(
        not(any(
            feature = "anthropic",
            feature = "bedrock",
            feature = "gemini",
            feature = "openai"
        )),
        allow(dead_code)
    )]
    pub(crate) choice: ToolChoice,
}

/// The tools and the choice of a request, in a server's words: where it has none for a choice among
/// the tools, only the chosen ones are put on offer.
///
/// # Errors
/// A call is asked for and the server cannot be told so, or the choice names tools that are not there.
pub(crate) fn offer(options: &ChatOptions, words: ChoiceWords) -> Result<Offer, ModelError> {
    let (tools, choice) = (options.tools(), options.tool_choice());
    if tools.is_empty() {
        return Ok(Offer {
            tools: ToolSet::empty(),
            choice: ToolChoice::Auto,
        });
    }
    check_sayable(choice, words)?;
    check_names(tools, choice)?;
    Ok(chosen(tools, choice, words))
}

/// Refuses a choice that a server cannot be told, whatever tools there are.
///
/// # Errors
/// A call is asked for and the server has no word for that, or the choice allows nothing.
pub(super) fn check_sayable(choice: &ToolChoice, words: ChoiceWords) -> Result<(), ModelError> {
    let must_call = |of: &str| {
        Err(configuration(&format!(
            "the tool choice asks for a call of {of}, but {} has no way to make a model call a tool: \
             leave the choice to the model, and ask for the call in the prompt",
            words.server
        )))
    };
    match choice {
        ToolChoice::Allowed { tools: names, .. } if names.is_empty() => Err(configuration(
            "the tool choice allows no tool at all: use `ToolChoice::None` for that",
        )),
        ToolChoice::Required if !words.required => must_call("some tool"),
        ToolChoice::Tool(name) if !words.named && !words.required => {
            must_call(&format!("`{name}`"))
        }
        ToolChoice::Allowed { required: true, .. } if !words.allowed && !words.required => {
            must_call("one of some tools")
        }
        _ => Ok(()),
    }
}

/// What of some tools is put on offer for a choice that can be said. Of the tools that it names, some
/// may not be there yet.
pub(super) fn chosen(tools: &ToolSet, choice: &ToolChoice, words: ChoiceWords) -> Offer {
    let (tools, choice) = match choice {
        ToolChoice::None if !words.none => (ToolSet::empty(), ToolChoice::Auto),
        ToolChoice::Tool(name) if !words.named => {
            let only = tools.filtered(|known| known == &**name);
            (only, ToolChoice::Required)
        }
        ToolChoice::Allowed {
            tools: names,
            required,
        } if !words.allowed => {
            let only = tools.filtered(|known| names.iter().any(|name| **name == *known));
            let left = if *required {
                ToolChoice::Required
            } else {
                ToolChoice::Auto
            };
            (only, left)
        }
        choice => (tools.clone(), choice.clone()),
    };
    Offer { tools, choice }
}

/// Refuses a choice among tools that are not on offer: no server could follow it.
fn check_names(tools: &ToolSet, choice: &ToolChoice) -> Result<(), ModelError> {
    let names = match choice {
        ToolChoice::Allowed { tools: names, .. } => &**names,
        ToolChoice::Tool(name) => std::slice::from_ref(name),
        _ => return Ok(()),
    };
    match names.iter().find(|name| tools.get(name).is_none()) {
        None => Ok(()),
        Some(name) => Err(configuration(&format!(
            "the tool choice names `{name}`, which is not among the tools of the request: offer it, \
             or leave it out of the choice"
        ))),
    }
}
