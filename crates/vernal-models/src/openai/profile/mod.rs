//! What servers that speak Chat Completions do in their own way.

mod server;
mod servers;

use vernal_core::message::DialectKey;
use vernal_core::model::Capabilities;

use crate::exchange::{ChoiceWords, FormatWord, FormatWords, ToolForm, ToolForms};
use crate::lowering::SchemaDialect;

pub(crate) use server::SERVERS;

/// What a server does in its own way.
///
/// Start from a constant and change what differs:
///
/// ```
/// use vernal_models::openai::{OpenAiProfile, ToolNames};
///
/// let mut profile = OpenAiProfile::COMPATIBLE;
/// profile.name = "my-server";
/// profile.tool_names = ToolNames::AsTheyAre;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenAiProfile {
    /// Whose opaque data this server's is. What one server asked to be given back is given to
    /// servers of the same name and to no other.
    pub name: &'static str,
    /// Under which field the most tokens of an answer are sent.
    pub max_tokens_field: MaxTokensField,
    /// Whether `stream_options.include_usage` is sent, without which many servers count no tokens
    /// of a stream.
    pub stream_usage: bool,
    /// Whether the server streams the name of a tool piece by piece.
    pub name_fragments: bool,
    /// Whether reasoning is sent back.
    pub reasoning_echo: ReasoningEcho,
    /// Which tool names the server takes.
    pub tool_names: ToolNames,
    /// What becomes of images in a tool's result.
    pub tool_media: ToolMedia,
    /// Which choices among tools the server has words for.
    pub tool_choice: ToolChoiceForms,
    /// Whether `parallel_tool_calls` is sent.
    pub parallel_switch: bool,
    /// Which ids of calls the server takes back.
    pub call_ids: CallIds,
    /// Where the messages of the application stand.
    pub system_messages: SystemMessages,
    /// In which header the key is sent.
    pub key_header: KeyHeader,
    /// In which words the arguments of tools are described.
    pub schemas: SchemaDialect,
    /// Whether the server has a strict mode for tools. `false` says of all its models that
    /// [`strict_schema`](Capabilities::strict_schema) is `false`, which is why tools are sent without; a
    /// row of the application's own
    /// [`capabilities`](crate::ModelBuilder::capabilities) wins over it.
    pub strict_tools: bool,
    /// Which forms of answers the server knows.
    pub response_formats: ResponseFormats,
    /// Whether the server refuses to be asked for JSON of any form where no message has the word `json`.
    pub json_wants_word: bool,
    /// The most tools of one request, where the server is known to refuse more.
    pub most_tools: Option<usize>,
    /// The most characters of a tool's description, where the server is known to refuse more.
    pub longest_description: Option<usize>,
}

/// Under which field the most tokens of an answer are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaxTokensField {
    /// `max_tokens`.
    MaxTokens,
    /// `max_completion_tokens`, the only one that OpenAI's reasoning models take.
    MaxCompletionTokens,
}

/// Whether reasoning is sent back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasoningEcho {
    /// Never.
    Never,
    /// In the field in which it was received, where it was received from a server of this profile.
    AsReceived,
    /// As received, and an empty `reasoning_content` on messages with calls that have none: some
    /// servers refuse a conversation in which it is missing there.
    AlwaysWithCalls,
}

/// Which choices among tools a server has words for. What it has no word for is reached by putting
/// only the chosen tools on offer where that is enough, and is an error otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolChoiceForms {
    /// All of them, `allowed_tools` too.
    All,
    /// `none`, `required` and one tool by its name.
    Named,
    /// `none` and `required`.
    Keywords,
    /// `none` alone.
    NoneOnly,
    /// Not one: the field is not read.
    NotRead,
}

/// Which ids of calls a server takes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallIds {
    /// Any.
    AsTheyAre,
    /// Nine of `A-Z`, `a-z` and `0-9`: other ids are sent as nine that are made from them.
    Alphanumeric9,
}

/// Where the messages of the application stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SystemMessages {
    /// Where they are in the conversation.
    AsTheyAre,
    /// All in one, which is the first: templates of some models take no other.
    OneFirst,
}

/// In which header a key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyHeader {
    /// `Authorization: Bearer …`.
    Bearer,
    /// `api-key: …`.
    ApiKey,
}

/// Which tool names a server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolNames {
    /// 1 to 64 of `A-Z`, `a-z`, `0-9`, `_` and `-`: other names are mapped, and mapped back.
    Ascii64,
    /// Any.
    AsTheyAre,
}

/// What becomes of images in a tool's result, which itself can hold only text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolMedia {
    /// A note that names their type.
    Note,
    /// A note, and the images in a message of the user after the results.
    UserMessage,
}

/// Which forms of answers a server knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResponseFormats {
    /// None: the field is left out.
    None,
    /// Any JSON object; a schema is asked for in words.
    JsonObject,
    /// A schema, but not where tools may be called: such requests are refused, or the tools never called.
    JsonSchemaOrTools,
    /// A schema, with tools too.
    JsonSchema,
}

impl ResponseFormats {
    /// Whether the server knows schemas.
    pub(super) fn has_schemas(self) -> bool {
        matches!(self, Self::JsonSchemaOrTools | Self::JsonSchema)
    }
}

impl OpenAiProfile {
    /// What the server is told about the choice among tools.
    pub(super) fn choice_words(&self) -> ChoiceWords {
        let forms = self.tool_choice;
        let named = matches!(forms, ToolChoiceForms::All | ToolChoiceForms::Named);
        ChoiceWords {
            server: self.name,
            none: forms != ToolChoiceForms::NotRead,
            required: named || forms == ToolChoiceForms::Keywords,
            named,
            allowed: forms == ToolChoiceForms::All,
        }
    }

    /// The key of a message's bytes: everything here that changes them is in it.
    pub(super) fn message_dialect(&self) -> DialectKey {
        let Self {
            name,
            reasoning_echo,
            tool_names,
            tool_media,
            call_ids,
            ..
        } = self;
        DialectKey::from_name(&format!(
            "openai-chat 1 message {name} {reasoning_echo:?} {tool_names:?} {tool_media:?} {call_ids:?}"
        ))
    }

    /// What is known of every model of the server.
    pub(super) fn capabilities(&self) -> Capabilities {
        let mut known = Capabilities::default();
        if !self.choice_words().required {
            known.required_tool_choice = Some(false);
        }
        if !self.strict_tools {
            known.strict_schema = Some(false);
        }
        if self.reasoning_echo == ReasoningEcho::AlwaysWithCalls {
            known.reasoning_echo = Some(true);
        }
        known
    }

    /// How tools are written; `strict` says that strict mode was asked for.
    pub(super) fn tool_forms(&self, strict: bool) -> ToolForms {
        let form = |dialect| ToolForm {
            dialect,
            key: DialectKey::from_name(&format!(
                "openai-chat 1 tools {:?} {dialect:?}",
                self.tool_names
            )),
        };
        ToolForms {
            plain: form(self.schemas),
            strict: strict.then(|| form(SchemaDialect::OpenAiStrict)),
        }
    }

    /// Which forms of answers can be asked for.
    pub(super) fn format_words(&self) -> FormatWords {
        let (json_object, schema) = match self.response_formats {
            ResponseFormats::None => (FormatWord::None, FormatWord::None),
            ResponseFormats::JsonObject => (FormatWord::Always, FormatWord::None),
            ResponseFormats::JsonSchemaOrTools => (FormatWord::Always, FormatWord::WithoutTools),
            ResponseFormats::JsonSchema => (FormatWord::Always, FormatWord::Always),
        };
        FormatWords {
            json_object,
            schema,
            strict: Some(SchemaDialect::OpenAiStrict),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_changes_the_bytes_changes_the_key() {
        let base = OpenAiProfile::COMPATIBLE;
        let variants = [
            OpenAiProfile {
                name: "other",
                ..base.clone()
            },
            OpenAiProfile {
                reasoning_echo: ReasoningEcho::Never,
                ..base.clone()
            },
            OpenAiProfile {
                tool_names: ToolNames::AsTheyAre,
                ..base.clone()
            },
            OpenAiProfile {
                tool_media: ToolMedia::UserMessage,
                ..base.clone()
            },
            OpenAiProfile {
                call_ids: CallIds::Alphanumeric9,
                ..base.clone()
            },
        ];
        for variant in variants {
            assert_ne!(
                variant.message_dialect(),
                base.message_dialect(),
                "{variant:?}"
            );
        }
        let same = OpenAiProfile {
            stream_usage: false,
            ..base.clone()
        };
        assert_eq!(same.message_dialect(), base.message_dialect());
        let (forms, ollama) = (
            base.tool_forms(true),
            OpenAiProfile::OLLAMA.tool_forms(true),
        );
        assert_ne!(forms.strict.unwrap().key, forms.plain.key);
        assert_ne!(forms.plain.key, ollama.plain.key);
        assert_ne!(forms.plain.key, base.message_dialect());
        assert!(base.tool_forms(false).strict.is_none());
    }
}
