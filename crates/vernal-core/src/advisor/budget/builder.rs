use std::time::Duration;

use super::ledger::Limits;
use super::price::{Money, Prices};
use super::{Budget, BudgetAdvisor, ModelPrice};

/// What becomes of a turn whose budget is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OnBudgetExceeded {
    /// It fails, and the error keeps what was done: messages, usage, rounds.
    #[default]
    Error,
    /// The model is called once more, is told that its budget is used up, and may not call tools. Its
    /// answer is the turn's.
    LastAnswer,
}

/// Builds a [`BudgetAdvisor`].
#[derive(Debug, Clone)]
#[must_use]
pub struct BudgetAdvisorBuilder {
    pub(super) limits: Limits,
    pub(super) prices: Prices,
    pub(super) on_exceeded: OnBudgetExceeded,
    pub(super) shared: Option<Budget>,
    pub(super) order: i32,
    invalid: Option<InvalidBudget>,
}

/// A budget that cannot be meant.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct InvalidBudget(String);

impl BudgetAdvisorBuilder {
    pub(super) fn new() -> Self {
        Self {
            limits: Limits::default(),
            prices: Prices::default(),
            on_exceeded: OnBudgetExceeded::default(),
            shared: None,
            order: BudgetAdvisor::DEFAULT_ORDER,
            invalid: None,
        }
    }

    /// After how many tokens, of requests and answers together, no model call begins. Where a model says
    /// nothing of its tokens they are estimated from the text, and a warning is logged.
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.check(tokens > 0, "max_tokens", tokens);
        self.limits.tokens = Some(tokens);
        self
    }

    /// After which cost no model call begins, in the unit of the prices, which it needs.
    pub fn max_cost(mut self, cost: f64) -> Self {
        let money = Money::of(cost).filter(|money| *money > Money::default());
        self.check(money.is_some(), "max_cost", cost);
        self.limits.cost = money;
        self
    }

    /// How many model calls there may be.
    pub fn max_model_calls(mut self, calls: u32) -> Self {
        self.check(calls > 0, "max_model_calls", calls);
        self.limits.model_calls = Some(calls);
        self
    }

    /// How long after the first model call another may begin. What runs then is not stopped; for that
    /// there is [`RequestDeadlineAdvisor`](crate::advisor::RequestDeadlineAdvisor).
    pub fn max_time(mut self, time: Duration) -> Self {
        self.check(!time.is_zero(), "max_time", format!("{time:?}"));
        self.limits.time = Some(time);
        self
    }

    /// The price of a model, by the name in the request or in the response; it holds for the dated
    /// versions of the model too, as `gpt-5` does for `gpt-5-2025-08-07`.
    pub fn price(mut self, model: impl Into<String>, price: ModelPrice) -> Self {
        self.check_price(&price);
        self.prices.by_model.insert(model.into(), price);
        self
    }

    /// The price of every model that has none of its own.
    pub fn default_price(mut self, price: ModelPrice) -> Self {
        self.check_price(&price);
        self.prices.of_others = Some(price);
        self
    }

    /// What becomes of a turn whose budget is used up.
    pub fn on_exceeded(mut self, choice: OnBudgetExceeded) -> Self {
        self.on_exceeded = choice;
        self
    }

    /// One budget for all turns that have this advisor, or another with the same budget, in place of one
    /// for each turn. A turn that begins when nothing is left fails whatever was chosen. Turns that run
    /// at the same time may each finish the model call that they are in.
    pub fn shared(mut self, budget: Budget) -> Self {
        self.shared = Some(budget);
        self
    }

    /// Where the advisor stands; it has to be inside of the tool loop.
    pub fn advisor_order(mut self, order: i32) -> Self {
        self.order = order;
        self
    }

    /// The advisor.
    ///
    /// # Errors
    /// No limit, a limit of nothing, a price that is no amount, or a limit on cost without prices.
    pub fn build(self) -> Result<BudgetAdvisor, InvalidBudget> {
        if let Some(invalid) = self.invalid {
            return Err(invalid);
        }
        let limits = &self.limits;
        let has_limit = limits.tokens.is_some()
            || limits.cost.is_some()
            || limits.model_calls.is_some()
            || limits.time.is_some();
        if !has_limit {
            return Err(InvalidBudget(
                "the budget has no limit; set `max_tokens`, `max_cost`, `max_model_calls` or `max_time`"
                    .to_owned(),
            ));
        }
        if limits.cost.is_some() && self.prices.is_empty() {
            return Err(InvalidBudget(
                "`max_cost` is set, but no price; give them with `price` or `default_price`"
                    .to_owned(),
            ));
        }
        Ok(BudgetAdvisor(self))
    }

    fn check(&mut self, is_valid: bool, setting: &str, value: impl std::fmt::Display) {
        if !is_valid {
            self.invalid.get_or_insert(InvalidBudget(format!(
                "`{setting}` is {value}, but has to be more than nothing; leave it away for no limit"
            )));
        }
    }

    fn check_price(&mut self, price: &ModelPrice) {
        if let Some(wrong) = price.problem() {
            self.invalid.get_or_insert(InvalidBudget(format!(
                "a price is {wrong}, but has to be a finite number of at least 0"
            )));
        }
    }
}
