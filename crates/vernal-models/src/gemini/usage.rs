//! Token counts; a later event may leave out what an earlier one said.

use serde::Deserialize;
use vernal_core::message::Usage;

use crate::json::lenient::integer;

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct UsageFields {
    #[serde(deserialize_with = "integer")]
    prompt_token_count: Option<i64>,
    #[serde(deserialize_with = "integer")]
    cached_content_token_count: Option<i64>,
    #[serde(deserialize_with = "integer")]
    candidates_token_count: Option<i64>,
    #[serde(deserialize_with = "integer")]
    thoughts_token_count: Option<i64>,
    #[serde(deserialize_with = "integer")]
    tool_use_prompt_token_count: Option<i64>,
    #[serde(deserialize_with = "integer")]
    total_token_count: Option<i64>,
}

impl UsageFields {
    /// These counts, and those before where there are none.
    pub(super) fn over(self, before: Self) -> Self {
        Self {
            prompt_token_count: self.prompt_token_count.or(before.prompt_token_count),
            cached_content_token_count: self
                .cached_content_token_count
                .or(before.cached_content_token_count),
            candidates_token_count: self
                .candidates_token_count
                .or(before.candidates_token_count),
            thoughts_token_count: self.thoughts_token_count.or(before.thoughts_token_count),
            tool_use_prompt_token_count: self
                .tool_use_prompt_token_count
                .or(before.tool_use_prompt_token_count),
            total_token_count: self.total_token_count.or(before.total_token_count),
        }
    }

    /// The usage: what tools of the server's own read is input, and thoughts are output.
    pub(super) fn usage(self) -> Option<Usage> {
        let any = self.prompt_token_count.or(self.candidates_token_count);
        any.or(self.total_token_count)?;
        let thoughts = count(self.thoughts_token_count);
        let input =
            count(self.prompt_token_count).saturating_add(count(self.tool_use_prompt_token_count));
        let output = count(self.candidates_token_count).saturating_add(thoughts);
        let mut usage = Usage::new(input, output);
        usage.cache_read_input_tokens = count(self.cached_content_token_count);
        usage.reasoning_output_tokens = thoughts;
        if let Some(total) = self.total_token_count.filter(|total| *total > 0) {
            usage.total_tokens = count(Some(total));
        }
        Some(usage)
    }
}

fn count(number: Option<i64>) -> u64 {
    number.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}
