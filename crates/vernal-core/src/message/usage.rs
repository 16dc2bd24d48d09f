use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Tokens that a model call, or a whole turn, has cost.
///
/// `input_tokens` and `output_tokens` are totals: what was read from or written to a cache and what
/// went into reasoning is contained in them, whatever the provider's own habit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the request, cached ones included.
    pub input_tokens: u64,
    /// Tokens of the answer, reasoning included.
    pub output_tokens: u64,
    /// Both together, or the provider's own total where it gives one.
    pub total_tokens: u64,
    /// Input tokens that came from a prompt cache.
    pub cache_read_input_tokens: u64,
    /// Input tokens that were written to a prompt cache.
    pub cache_write_input_tokens: u64,
    /// Output tokens spent on reasoning.
    pub reasoning_output_tokens: u64,
}

impl Usage {
    /// Usage of `input` and `output` tokens, with their sum as total.
    pub fn new(input: u64, output: u64) -> Self {
        Self {
            input_tokens: input,
            output_tokens: output,
            total_tokens: input.saturating_add(output),
            ..Self::default()
        }
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// All tokens: the total, or input and output where these are more because no total was reported.
    pub(crate) fn all_tokens(&self) -> u64 {
        let sum = self.input_tokens.saturating_add(self.output_tokens);
        self.total_tokens.max(sum)
    }

    /// What is left of it without `other`, of each count.
    pub(crate) fn without(&self, other: Self) -> Self {
        let less = u64::saturating_sub;
        Self {
            input_tokens: less(self.input_tokens, other.input_tokens),
            output_tokens: less(self.output_tokens, other.output_tokens),
            total_tokens: less(self.total_tokens, other.total_tokens),
            cache_read_input_tokens: less(
                self.cache_read_input_tokens,
                other.cache_read_input_tokens,
            ),
            cache_write_input_tokens: less(
                self.cache_write_input_tokens,
                other.cache_write_input_tokens,
            ),
            reasoning_output_tokens: less(
                self.reasoning_output_tokens,
                other.reasoning_output_tokens,
            ),
        }
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.input_tokens, other.input_tokens);
        add(&mut self.output_tokens, other.output_tokens);
        add(&mut self.total_tokens, other.total_tokens);
        add(
            &mut self.cache_read_input_tokens,
            other.cache_read_input_tokens,
        );
        add(
            &mut self.cache_write_input_tokens,
            other.cache_write_input_tokens,
        );
        add(
            &mut self.reasoning_output_tokens,
            other.reasoning_output_tokens,
        );
    }
}
