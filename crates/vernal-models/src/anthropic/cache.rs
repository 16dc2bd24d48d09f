/// Which parts of a request are marked for the provider's prompt cache.
///
/// ```
/// use vernal_models::anthropic::{AnthropicCache, CacheTtl};
///
/// let mut cache = AnthropicCache::ALL;
/// cache.ttl = CacheTtl::OneHour;
/// cache.conversation = false;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnthropicCache {
    /// The list of tools: a mark on the last one.
    pub tools: bool,
    /// The system's texts: a mark on the last one.
    pub system: bool,
    /// The conversation: `cache_control` on the request, with which the provider itself moves the
    /// mark along as the conversation grows. No byte of a message changes.
    pub conversation: bool,
    /// How long what was marked is kept.
    pub ttl: CacheTtl,
}

/// How long what was marked is kept after it was last used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheTtl {
    /// Five minutes, which is what the provider does unless it is told otherwise.
    FiveMinutes,
    /// An hour.
    OneHour,
}

impl AnthropicCache {
    /// Nothing is marked.
    pub const NONE: Self = Self {
        tools: false,
        system: false,
        conversation: false,
        ttl: CacheTtl::FiveMinutes,
    };

    /// Tools, system and conversation are marked, for five minutes.
    pub const ALL: Self = Self {
        tools: true,
        system: true,
        conversation: true,
        ..Self::NONE
    };

    /// The mark as it is written.
    pub(super) fn mark(self) -> &'static str {
        match self.ttl {
            CacheTtl::FiveMinutes => r#"{"type":"ephemeral"}"#,
            CacheTtl::OneHour => r#"{"type":"ephemeral","ttl":"1h"}"#,
        }
    }
}

impl Default for AnthropicCache {
    fn default() -> Self {
        Self::NONE
    }
}
