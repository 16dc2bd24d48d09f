/// Where a request is marked for the provider's prompt cache, each with a `cachePoint`.
///
/// Not every model has a cache, and one that has none refuses the mark.
///
/// ```
/// use vernal_models::bedrock::{BedrockCache, CacheTtl};
///
/// let mut cache = BedrockCache::ALL;
/// cache.ttl = CacheTtl::OneHour;
/// cache.tools = false;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BedrockCache {
    /// Behind the list of tools.
    pub tools: bool,
    /// Behind the system's texts.
    pub system: bool,
    /// Behind the last turn of the conversation. No byte of a message changes.
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

impl BedrockCache {
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

    /// The mark as it is written, a block of its own.
    pub(super) fn mark(self) -> &'static str {
        match self.ttl {
            CacheTtl::FiveMinutes => r#"{"cachePoint":{"type":"default"}}"#,
            CacheTtl::OneHour => r#"{"cachePoint":{"type":"default","ttl":"1h"}}"#,
        }
    }
}

impl Default for BedrockCache {
    fn default() -> Self {
        Self::NONE
    }
}
