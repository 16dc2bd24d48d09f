//! Token counts, made to mean the same whoever counted.

use serde::Deserialize;
use vernal_core::message::Usage;

use crate::json::lenient::{integer, object};

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(super) struct UsageFields {
    #[serde(deserialize_with = "integer")]
    input_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    output_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    cache_read_input_tokens: Option<i64>,
    #[serde(deserialize_with = "integer")]
    cache_creation_input_tokens: Option<i64>,
    #[serde(deserialize_with = "object")]
    output_tokens_details: Option<OutputDetails>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
struct OutputDetails {
    #[serde(deserialize_with = "integer")]
    thinking_tokens: Option<i64>,
}

impl UsageFields {
    /// Takes a later count of the same answer: counts grow and are never added up.
    pub(super) fn take(&mut self, later: Self) {
        self.input_tokens = later.input_tokens.or(self.input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
        self.cache_read_input_tokens = later
            .cache_read_input_tokens
            .or(self.cache_read_input_tokens);
        self.cache_creation_input_tokens = later
            .cache_creation_input_tokens
            .or(self.cache_creation_input_tokens);
        self.output_tokens_details = later.output_tokens_details.or(self.output_tokens_details);
    }

    /// The usage; `None` where neither the input nor the output was counted. What was read from or
    /// written to the cache is not in Anthropic's count of the input, and is put there.
    pub(super) fn usage(&self) -> Option<Usage> {
        if self.input_tokens.is_none() && self.output_tokens.is_none() {
            return None;
        }
        let read = count(self.cache_read_input_tokens);
        let written = count(self.cache_creation_input_tokens);
        let input = count(self.input_tokens)
            .saturating_add(read)
            .saturating_add(written);
        let mut usage = Usage::new(input, count(self.output_tokens));
        usage.cache_read_input_tokens = read;
        usage.cache_write_input_tokens = written;
        let details = self.output_tokens_details.unwrap_or_default();
        usage.reasoning_output_tokens = count(details.thinking_tokens);
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

    fn read(json: &str) -> UsageFields {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_cache_is_part_of_the_input() {
        let fields = read(
            r#"{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":4,
                "cache_creation_input_tokens":3,"output_tokens_details":{"thinking_tokens":2}}"#,
        );
        let usage = fields.usage().unwrap();
        assert_eq!(
            (usage.input_tokens, usage.output_tokens, usage.total_tokens),
            (17, 5, 22)
        );
        let cached = (
            usage.cache_read_input_tokens,
            usage.cache_write_input_tokens,
        );
        assert_eq!(cached, (4, 3));
        assert_eq!(usage.reasoning_output_tokens, 2);
    }

    #[test]
    fn a_later_count_takes_the_place_of_an_earlier_one() {
        let mut fields =
            read(r#"{"input_tokens":10,"output_tokens":1,"cache_read_input_tokens":4}"#);
        fields.take(read(
            r#"{"output_tokens":7,"cache_read_input_tokens":null,"output_tokens_details":"x"}"#,
        ));
        let usage = fields.usage().unwrap();
        assert_eq!((usage.input_tokens, usage.output_tokens), (14, 7));
        fields.take(read(r#"{"input_tokens":12,"output_tokens":9}"#));
        assert_eq!(fields.usage().unwrap().total_tokens, 25);
    }

    #[test]
    fn nonsense_is_nothing() {
        assert_eq!(read("{}").usage(), None);
        assert_eq!(read(r#"{"input_tokens":null}"#).usage(), None);
        let negative = read(r#"{"input_tokens":-1,"output_tokens":"7"}"#).usage();
        assert_eq!(negative.unwrap().total_tokens, 7);
    }
}
