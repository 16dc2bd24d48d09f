use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::BudgetLimit;
use super::price::Money;
use crate::advisor::{ChatClientResponse, RequestState};
use crate::message::Usage;

/// What is spent out of one budget, by one turn or by several.
///
/// A copy is the same budget. A turn has one of its own, unless the advisor is
/// [given](super::BudgetAdvisorBuilder::shared) one to share.
#[derive(Clone, Default)]
pub struct Budget(Arc<Mutex<Ledger>>);

#[derive(Default)]
struct Ledger {
    usage: Usage,
    cost: Money,
    model_calls: u32,
    /// When the first model call was about to be made.
    began: Option<Instant>,
}

/// What was spent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Spent {
    /// The tokens of all model calls, those of discarded answers too.
    pub usage: Usage,
    /// What they cost, in the unit of the prices; 0 without prices.
    pub cost: f64,
    /// The model calls, failed ones too.
    pub model_calls: u32,
    /// The time since the first of them.
    pub time: Duration,
}

/// The limits of a budget.
#[derive(Debug, Clone, Default)]
pub(super) struct Limits {
    pub(super) tokens: Option<u64>,
    pub(super) cost: Option<Money>,
    pub(super) model_calls: Option<u32>,
    pub(super) time: Option<Duration>,
}

impl Budget {
    /// A budget of which nothing is spent.
    pub fn new() -> Self {
        Self::default()
    }

    /// What was spent so far.
    pub fn spent(&self) -> Spent {
        self.ledger().spent()
    }

    /// Begins again with nothing spent, for example each day.
    pub fn reset(&self) {
        *self.ledger() = Ledger::default();
    }

    /// What the turn of a response has spent, if a [`BudgetAdvisor`](super::BudgetAdvisor) watched it; of
    /// a shared budget, what all its turns have.
    pub fn spent_in(response: &ChatClientResponse) -> Option<Spent> {
        let turns = response.state()?.get::<TurnBudgets>()?;
        let turns = turns.lock();
        turns.first().map(|turn| turn.budget.spent())
    }

    /// Enters a model call, unless a limit is reached.
    pub(super) fn enter_call(&self, limits: &Limits) -> Result<(), BudgetLimit> {
        let mut ledger = self.ledger();
        match ledger.reached(limits) {
            Some(limit) => Err(limit),
            None => {
                ledger.model_calls = ledger.model_calls.saturating_add(1);
                Ok(())
            }
        }
    }

    /// Enters a model call whatever was spent.
    pub(super) fn enter_last_call(&self) {
        let mut ledger = self.ledger();
        ledger.model_calls = ledger.model_calls.saturating_add(1);
    }

    /// Enters what a model call cost.
    pub(super) fn enter_cost(&self, mut usage: Usage, cost: Money) {
        usage.total_tokens = usage.all_tokens();
        let mut ledger = self.ledger();
        ledger.usage += usage;
        ledger.cost = ledger.cost.plus(cost);
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger {
    fn spent(&self) -> Spent {
        Spent {
            usage: self.usage,
            cost: self.cost.amount(),
            model_calls: self.model_calls,
            time: self.began.map_or(Duration::ZERO, |began| began.elapsed()),
        }
    }

    fn reached(&mut self, limits: &Limits) -> Option<BudgetLimit> {
        let began = *self.began.get_or_insert_with(Instant::now);
        let tokens = limits.tokens.filter(|max| self.usage.total_tokens >= *max);
        let cost = limits.cost.filter(|max| self.cost >= *max);
        let calls = limits.model_calls.filter(|max| self.model_calls >= *max);
        let time = limits.time.filter(|max| began.elapsed() >= *max);
        tokens
            .map(BudgetLimit::Tokens)
            .or(cost.map(|max| BudgetLimit::Cost(max.amount())))
            .or(calls.map(BudgetLimit::ModelCalls))
            .or(time.map(BudgetLimit::Time))
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Budget").field(&self.spent()).finish()
    }
}

/// What each budget advisor of a request's chain knows of its turn.
#[derive(Default)]
pub(super) struct TurnBudgets(Mutex<Vec<TurnBudget>>);

#[derive(Clone)]
pub(super) struct TurnBudget {
    /// The advisor's address.
    advisor: usize,
    pub(super) budget: Budget,
    /// How many model calls the turn has made.
    calls: u32,
    /// Whether the last answer was asked for.
    is_over: bool,
}

impl TurnBudgets {
    fn lock(&self) -> MutexGuard<'_, Vec<TurnBudget>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The advisor's budget in this request, and how the turn stands: it is about to make one more call.
    pub(super) fn next_call(state: &RequestState, advisor: usize, shared: Option<&Budget>) -> Turn {
        let turns = state.get_or_insert_with(Self::default);
        let mut turns = turns.lock();
        if !turns.iter().any(|turn| turn.advisor == advisor) {
            turns.push(TurnBudget {
                advisor,
                budget: shared.cloned().unwrap_or_default(),
                calls: 0,
                is_over: false,
            });
        }
        let known = turns.iter_mut().find(|turn| turn.advisor == advisor);
        known.map_or_else(Turn::default, |turn| {
            turn.calls += 1;
            Turn {
                budget: turn.budget.clone(),
                is_first: turn.calls == 1,
                is_over: turn.is_over,
            }
        })
    }

    /// Notes that the last answer is asked for.
    pub(super) fn set_over(state: &RequestState, advisor: usize) {
        let turns = state.get_or_insert_with(Self::default);
        let mut turns = turns.lock();
        let own = turns.iter_mut().filter(|turn| turn.advisor == advisor);
        own.for_each(|turn| turn.is_over = true);
    }
}

/// How a turn stands before a model call.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) budget: Budget,
    /// Whether it is the turn's first call.
    pub(super) is_first: bool,
    /// Whether the last answer was asked for already.
    pub(super) is_over: bool,
}
