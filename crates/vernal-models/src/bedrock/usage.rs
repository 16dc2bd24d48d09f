//! Token counts, made to mean the same whoever counted.

use serde::Deserialize;
use vernal_core::message::Usage;

use crate::json::lenient::integer;

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct UsageFields {
    #[serde(deserialize_with = "integer")]
    input_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    output_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    cache_read_input_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    cache_write_input_tokens: Option<i64>,
}

impl UsageFields {
    /// The usage; `None` where neither the input nor the output was counted. What was read from or
    /// written to the cache is not in the server's count of the input, and is put there.
    pub(super) fn usage(self) -> Option<Usage> {
        self.input_tokens.or(self.output_tokens)?;
        let read = count(self.cache_read_input_tokens);
        let written = count(self.cache_write_input_tokens);
        let input = count(self.input_tokens)
            .saturating_add(read)
            .saturating_add(written);
        let mut usage = Usage::new(input, count(self.output_tokens));
        usage.cache_read_input_tokens = read;
        usage.cache_write_input_tokens = written;
        Some(usage)
    }
}

fn count(number: Option<i64>) -> u64 {
    number.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Usage> {
        serde_json::from_str::<UsageFields>(json).unwrap().usage()
    }

    #[test]
    fn the_cache_is_part_of_the_input() {
        let usage = read(
            r#"{"inputTokens":10,"outputTokens":5,"totalTokens":22,"cacheReadInputTokens":4,
                "cacheWriteInputTokens":3,"serverToolUsage":{}}"#,
        )
        .unwrap();
        assert_eq!(
            (usage.input_tokens, usage.output_tokens, usage.total_tokens),
            (17, 5, 22)
        );
        assert_eq!(
            (
                usage.cache_read_input_tokens,
                usage.cache_write_input_tokens
            ),
            (4, 3)
        );
    }

    #[test]
    fn nonsense_is_nothing() {
        assert_eq!(read("{}"), None);
        assert_eq!(read(r#"{"inputTokens":null}"#), None);
        let odd = read(r#"{"inputTokens":-1,"outputTokens":"7"}"#).unwrap();
        assert_eq!(odd.total_tokens, 7);
    }
}
