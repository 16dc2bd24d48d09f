//! Token counts, made to mean the same whoever counted.

use vernal_core::message::Usage;

use super::wire::{Completion, UsageFields};

/// The usage of an answer or a chunk: its own, else the one that Groq puts beside it.
pub(super) fn usage_of(completion: &Completion<'_>) -> Option<Usage> {
    let beside = || completion.x_groq.as_ref()?.usage.as_ref();
    completion
        .usage
        .as_ref()
        .or_else(beside)
        .and_then(normalized)
}

/// `None` where neither the input nor the output was counted.
fn normalized(fields: &UsageFields) -> Option<Usage> {
    let input = fields.prompt_tokens.or(fields.input_tokens);
    let output = fields.completion_tokens.or(fields.output_tokens);
    if input.is_none() && output.is_none() && fields.total_tokens.is_none() {
        return None;
    }
    let prompt = fields.prompt_tokens_details.as_ref();
    let completion = fields.completion_tokens_details.as_ref();
    let mut usage = Usage::new(count(input), count(output));
    usage.cache_read_input_tokens = count(
        prompt
            .and_then(|details| details.cached_tokens)
            .or(fields.prompt_cache_hit_tokens)
            .or(fields.cache_read_input_tokens)
            .or(fields.cached_tokens)
            .or(fields.num_cached_tokens),
    );
    usage.cache_write_input_tokens = count(
        prompt
            .and_then(|details| details.cache_write_tokens)
            .or(fields.cache_creation_input_tokens),
    );
    usage.reasoning_output_tokens = count(
        completion
            .and_then(|details| details.reasoning_tokens)
            .or(fields.reasoning_tokens),
    );
    if let Some(total) = fields.total_tokens.filter(|total| *total > 0) {
        let total = count(Some(total));
        // Some servers count reasoning beside the output; the total shows it.
        let beside = usage
            .total_tokens
            .saturating_add(usage.reasoning_output_tokens)
            == total;
        if beside {
            usage.output_tokens = usage
                .output_tokens
                .saturating_add(usage.reasoning_output_tokens);
        }
        usage.total_tokens = total;
    }
    Some(usage)
}

fn count(number: Option<i64>) -> u64 {
    number
        .and_then(|number| u64::try_from(number).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(json: &str) -> Option<Usage> {
        usage_of(&serde_json::from_str::<Completion<'_>>(json).unwrap())
    }

    #[test]
    fn openai_counts_everything_inside() {
        let usage = usage(
            r#"{"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,
                "prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":3},
                "completion_tokens_details":{"reasoning_tokens":2}}}"#,
        )
        .unwrap();
        assert_eq!(
            (usage.input_tokens, usage.output_tokens, usage.total_tokens),
            (10, 5, 15)
        );
        assert_eq!(
            (
                usage.cache_read_input_tokens,
                usage.cache_write_input_tokens
            ),
            (4, 3)
        );
        assert_eq!(usage.reasoning_output_tokens, 2);
    }

    #[test]
    fn other_names_and_places() {
        for cached in [
            r#""prompt_cache_hit_tokens":4"#,
            r#""cached_tokens":4,"prompt_tokens_details":null"#,
            r#""num_cached_tokens":4"#,
            r#""cache_read_input_tokens":4,"prompt_tokens_details":{"cached_tokens":null}"#,
        ] {
            let json = format!(r#"{{"usage":{{"prompt_tokens":10,{cached}}}}}"#);
            assert_eq!(usage(&json).unwrap().cache_read_input_tokens, 4, "{cached}");
        }
        let groq =
            usage(r#"{"x_groq":{"id":"x","usage":{"prompt_tokens":1,"completion_tokens":2}}}"#);
        assert_eq!(groq.unwrap().total_tokens, 3);
    }

    #[test]
    fn reasoning_beside_the_output_is_taken_in() {
        let usage = usage(
            r#"{"usage":{"prompt_tokens":291,"completion_tokens":26,"total_tokens":506,
                "completion_tokens_details":{"reasoning_tokens":189}}}"#,
        );
        assert_eq!(usage.unwrap().output_tokens, 215);
    }

    #[test]
    fn nonsense_is_nothing() {
        assert_eq!(usage(r#"{"usage":null}"#), None);
        assert_eq!(usage(r#"{"usage":{}}"#), None);
        assert_eq!(usage(r#"{"usage":"many"}"#), None);
        let negative = usage(r#"{"usage":{"prompt_tokens":-1,"completion_tokens":"7"}}"#).unwrap();
        assert_eq!((negative.input_tokens, negative.output_tokens), (0, 7));
    }
}
