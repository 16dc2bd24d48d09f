use std::fmt;
use std::time::Duration;

use super::Spent;

/// Which limit of a budget it is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BudgetLimit {
    /// Tokens, of requests and answers together.
    Tokens(u64),
    /// Money, in the unit of the prices.
    Cost(f64),
    /// Calls of the model.
    ModelCalls(u32),
    /// Time since the first call of the model.
    Time(Duration),
}

/// A budget that is used up.
///
/// It is in an error: see [`Error::budget_exceeded`](crate::Error::budget_exceeded). What the turn had
/// done is kept in the error too.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetExceeded {
    pub(super) limit: BudgetLimit,
    pub(super) spent: Spent,
}

impl BudgetExceeded {
    /// The limit that was reached.
    pub fn limit(&self) -> BudgetLimit {
        self.limit
    }

    /// What was spent: usually somewhat more than the limit, for a model call costs what it costs.
    pub fn spent(&self) -> Spent {
        self.spent
    }
}

impl fmt::Display for BudgetLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens(1) => f.write_str("1 token"),
            Self::Tokens(max) => write!(f, "{max} tokens"),
            Self::Cost(max) => write!(f, "{max} in cost"),
            Self::ModelCalls(1) => f.write_str("1 model call"),
            Self::ModelCalls(max) => write!(f, "{max} model calls"),
            Self::Time(max) => write!(f, "{max:?}"),
        }
    }
}

impl fmt::Display for BudgetExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spent {
            usage,
            cost,
            model_calls,
            time,
        } = &self.spent;
        let (limit, tokens) = (self.limit, usage.total_tokens);
        let setting = match limit {
            BudgetLimit::Tokens(_) => "max_tokens",
            BudgetLimit::Cost(_) => "max_cost",
            BudgetLimit::ModelCalls(_) => "max_model_calls",
            BudgetLimit::Time(_) => "max_time",
        };
        write!(
            f,
            "the budget of {limit} is used up: {model_calls} model calls, {tokens} tokens, {cost} in \
             cost, {time:.1?}; allow more with `{setting}`"
        )
    }
}
