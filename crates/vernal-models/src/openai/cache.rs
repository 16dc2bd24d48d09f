//! Marks for the provider's prompt cache.

use std::borrow::Cow;

/// Which parts of a request are marked for the provider's prompt cache, by models that read marks:
/// OpenAI's since GPT-5.6, which find a prefix again only where one ended. Older ones find it without,
/// and may refuse the fields.
///
/// ```
/// use vernal_models::openai::{OpenAiCache, OpenAiChatModel};
///
/// let model = OpenAiChatModel::builder()
///     .api_key("…")
///     .model("gpt-5.6")
///     .cache(OpenAiCache::ALL)
///     .build()?;
/// # Ok::<(), vernal_core::model::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenAiCache {
    /// The system's texts that come first: a mark at the end of the last one. Other conversations with
    /// the same tools and texts find them again.
    pub system: bool,
    /// The conversation: the provider itself marks its end, unless this is `false`
    /// (`prompt_cache_options` is then sent).
    pub conversation: bool,
}

/// The mark as it is written.
pub(super) const MARK: &str = r#"{"mode":"explicit"}"#;

/// What tells the provider to mark nothing by itself.
const OPTIONS: &str = r#"{"mode":"explicit"}"#;

impl OpenAiCache {
    /// What the provider does by itself: the end of the conversation is marked.
    pub const AUTOMATIC: Self = Self {
        system: false,
        conversation: true,
    };

    /// System and conversation are marked.
    pub const ALL: Self = Self {
        system: true,
        conversation: true,
    };

    /// What is said about marks that the provider makes.
    pub(super) fn options(self) -> Option<&'static str> {
        (!self.conversation).then_some(OPTIONS)
    }
}

impl Default for OpenAiCache {
    fn default() -> Self {
        Self::AUTOMATIC
    }
}

/// How the wire form of a system message begins, up to its content.
const SYSTEM: &str = r#"{"role":"system","content":"#;

/// Marks the last of the system messages that come first. What they say stays as it was written once.
pub(super) fn mark_system(messages: &mut [Cow<'_, str>]) {
    let first = messages.iter().take_while(|text| text.starts_with(SYSTEM));
    let last = first.count().checked_sub(1);
    let Some(last) = last.and_then(|last| messages.get_mut(last)) else {
        return;
    };
    if let Some(marked) = marked(last) {
        *last = Cow::Owned(marked);
    }
}

/// The message with a mark on its last text; `None` where that has one of its own, or there is none.
fn marked(message: &str) -> Option<String> {
    let content = message.strip_prefix(SYSTEM)?.strip_suffix('}')?;
    let mark = format!(",\"prompt_cache_breakpoint\":{MARK}}}]}}");
    if content.starts_with('"') {
        let is_empty = content == "\"\"";
        return (!is_empty)
            .then(|| format!("{SYSTEM}[{{\"type\":\"text\",\"text\":{content}{mark}"));
    }
    // A text without a mark ends in one brace, anything else in two.
    let open = content.strip_suffix("\"}]")?;
    Some(format!("{SYSTEM}{open}\"{mark}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_text_is_marked_once() {
        let text = r#"{"role":"system","content":"a \"b\""}"#;
        let one = marked(text).unwrap();
        assert_eq!(
            one,
            r#"{"role":"system","content":[{"type":"text","text":"a \"b\"","prompt_cache_breakpoint":{"mode":"explicit"}}]}"#
        );
        assert_eq!(marked(&one), None);
        let list = r#"{"role":"system","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#;
        let two = marked(list).unwrap();
        assert!(
            two.ends_with(r#""text":"b","prompt_cache_breakpoint":{"mode":"explicit"}}]}"#),
            "{two}"
        );
        for none in [
            r#"{"role":"system","content":""}"#,
            r#"{"role":"user","content":"a"}"#,
            r#"{"role":"system","content":[{"type":"image_url","image_url":{"url":"u"}}]}"#,
        ] {
            assert_eq!(marked(none), None);
        }
    }
}
