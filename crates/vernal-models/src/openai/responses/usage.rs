//! Token counts, made to mean the same whoever counted.

use serde::Deserialize;
use vernal_core::message::Usage;

use crate::json::lenient::{integer, object};

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(super) struct UsageFields {
    #[serde(deserialize_with = "integer")]
    input_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    output_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    total_tokens: Option<i64>,
    #[serde(deserialize_with = "object")]
    input_tokens_details: Option<Details>,
    #[serde(deserialize_with = "object")]
    output_tokens_details: Option<Details>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct Details {
    #[serde(deserialize_with = "integer")]
    cached_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    cache_write_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    reasoning_tokens: Option<i64>,
}

impl UsageFields {
    /// The usage; `None` where neither the input nor the output was counted. What was read from or
    /// written to the cache is in the count of the input, and reasoning in that of the output.
    pub(super) fn usage(&self) -> Option<Usage> {
        if self.input_tokens.is_none() && self.output_tokens.is_none() {
            return None;
        }
        let mut usage = Usage::new(count(self.input_tokens), count(self.output_tokens));
        let of_input = self.input_tokens_details.unwrap_or_default();
        usage.cache_read_input_tokens = count(of_input.cached_tokens);
        usage.cache_write_input_tokens = count(of_input.cache_write_tokens);
        let of_output = self.output_tokens_details.unwrap_or_default();
        usage.reasoning_output_tokens = count(of_output.reasoning_tokens);
        if let Some(total) = self.total_tokens.filter(|total| *total > 0) {
            usage.total_tokens = count(Some(total));
        }
        Some(usage)
    }
}

fn count(number: Option<i64>) -> u64 {
    number
        .and_then(|number| u64::try_from(number).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Option<Usage> {
        serde_json::from_str::<UsageFields>(json).unwrap().usage()
    }

    #[test]
    fn everything_is_inside() {
        let usage = read(
            r#"{"input_tokens":10,"output_tokens":5,"total_tokens":15,
                "input_tokens_details":{"cached_tokens":4,"cache_write_tokens":3},
                "output_tokens_details":{"reasoning_tokens":2}}"#,
        );
        let usage = usage.unwrap();
        let sums = (usage.input_tokens, usage.output_tokens, usage.total_tokens);
        assert_eq!(sums, (10, 5, 15));
        let cached = (
            usage.cache_read_input_tokens,
            usage.cache_write_input_tokens,
        );
        assert_eq!(cached, (4, 3));
        assert_eq!(usage.reasoning_output_tokens, 2);
    }

    #[test]
    fn nonsense_is_nothing() {
        assert_eq!(read("{}"), None);
        assert_eq!(read(r#"{"input_tokens":null,"total_tokens":3}"#), None);
        let odd = read(r#"{"input_tokens":-1,"output_tokens":"7","input_tokens_details":[]}"#);
        assert_eq!(odd.unwrap().total_tokens, 7);
    }
}
