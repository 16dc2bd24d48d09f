use vernal_core::message::DialectKey;

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
    /// Which forms of answers the server knows.
    pub response_formats: ResponseFormats,
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
    /// For any compatible server: what the most of them take.
    pub const COMPATIBLE: Self = Self {
        name: "openai-compatible",
        max_tokens_field: MaxTokensField::MaxTokens,
        stream_usage: true,
        name_fragments: false,
        reasoning_echo: ReasoningEcho::AsReceived,
        tool_names: ToolNames::Ascii64,
        tool_media: ToolMedia::Note,
        response_formats: ResponseFormats::JsonSchemaOrTools,
    };

    /// For OpenAI itself.
    pub const OPENAI: Self = Self {
        name: "openai",
        max_tokens_field: MaxTokensField::MaxCompletionTokens,
        reasoning_echo: ReasoningEcho::Never,
        tool_media: ToolMedia::UserMessage,
        response_formats: ResponseFormats::JsonSchema,
        ..Self::COMPATIBLE
    };

    /// The profile for a host: that of OpenAI, or the one for any compatible server.
    pub fn for_host(host: &str) -> Self {
        match host {
            "api.openai.com" | "eu.api.openai.com" | "us.api.openai.com" => Self::OPENAI,
            _ => Self::COMPATIBLE,
        }
    }

    /// The key of a message's bytes: everything here that changes them is in it.
    pub(super) fn message_dialect(&self) -> DialectKey {
        let Self {
            name,
            reasoning_echo,
            tool_names,
            tool_media,
            ..
        } = self;
        DialectKey::from_name(&format!(
            "openai-chat 1 message {name} {reasoning_echo:?} {tool_names:?} {tool_media:?}"
        ))
    }

    /// The key of a tool list's bytes.
    pub(super) fn tools_dialect(&self) -> DialectKey {
        DialectKey::from_name(&format!("openai-chat 1 tools {:?}", self.tool_names))
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
        assert_ne!(base.tools_dialect(), base.message_dialect());
    }
}
