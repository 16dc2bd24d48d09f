//! Media that cannot be sent: the model reads a note in their place, and whoever runs the program is
//! told.

use vernal_core::message::{Media, Role, ToolContent, ToolResponse};

/// Where media stand, and whose adapter writes them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    provider: &'a str,
    role: Role,
    tool: Option<&'a str>,
}

impl<'a> Place<'a> {
    /// In a message of this role.
    pub(crate) fn of(provider: &'a str, role: Role) -> Self {
        Self {
            provider,
            role,
            tool: None,
        }
    }

    /// In the result of a call.
    pub(crate) fn result(provider: &'a str, response: &'a ToolResponse) -> Self {
        Self {
            provider,
            role: Role::Tool,
            tool: Some(&response.name),
        }
    }

    /// The note that the model reads in place of media. That they are left out is told.
    pub(crate) fn note(self, media: &Media) -> String {
        self.tell(media);
        format!("[{} content]", media.mime_type)
    }

    /// Tells that media are left out: their type and where they stood, never what they hold. A message
    /// is written once, so this is told once.
    pub(crate) fn tell(self, media: &Media) {
        let role = match self.role {
            Role::System => "system",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            _ => "user",
        };
        tracing::warn!(
            target: "vernal_models",
            provider = self.provider,
            media_type = &*media.mime_type,
            role,
            tool = self.tool,
            "media cannot be sent in this place: at most a note that names their type is sent for them"
        );
    }

    /// Tells of the media in a result that is sent as text, but for those that are `shown` elsewhere.
    pub(crate) fn tell_of(self, contents: &[ToolContent], shown: impl Fn(&Media) -> bool) {
        for content in contents {
            if let ToolContent::Media(media) = content
                && !shown(media)
            {
                self.tell(media);
            }
        }
    }
}
