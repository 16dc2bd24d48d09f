use std::sync::Arc;

use super::ledger::{Turn, TurnBudgets};
use super::price::Money;
use super::{
    Budget, BudgetAdvisorBuilder, BudgetExceeded, BudgetLimit, OnBudgetExceeded, last_answer,
};
use crate::Error;
use crate::advisor::around::order;
use crate::advisor::base::run_rest;
use crate::advisor::emitter::{Emitter, stream_of};
use crate::advisor::own_changes::without_own_changes;
use crate::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, EventStream,
};
use crate::memory::estimated_tokens;
use crate::message::{History, Usage};
use crate::model::ChatResponse;

/// Ends a turn that has used up its budget of tokens, cost, model calls or time.
///
/// It is looked at before each model call: a call that has begun is paid for. Then, by
/// [choice](OnBudgetExceeded), the turn fails with everything kept, or the model is asked for one last
/// answer without tools, which is a call on top of the limit.
///
/// A model call that fails or is cancelled counts as a call; what else it cost, nobody says.
///
/// It stands inside of the tool loop and of everything else that calls the model: every round, every
/// correction of structured output and every retry counts. Outside of the loop it would see a turn when
/// it is over, so it refuses to stand there. Each request has a budget of its own, unless one is
/// [shared](BudgetAdvisorBuilder::shared).
#[derive(Debug, Clone)]
pub struct BudgetAdvisor(pub(super) BudgetAdvisorBuilder);

impl BudgetAdvisor {
    /// Inside of everything else that is ready-made.
    pub const DEFAULT_ORDER: i32 = order::LOWEST_PRECEDENCE - 500;
    /// Under which key the metadata of a last answer name the limit.
    pub const METADATA_BUDGET_EXCEEDED: &'static str = "budgetExceeded";

    /// A builder without limits.
    pub fn builder() -> BudgetAdvisorBuilder {
        BudgetAdvisorBuilder::new()
    }

    async fn run(
        &self,
        request: ChatClientRequest,
        rest: AdvisorChain,
        events: Emitter,
    ) -> Result<ChatClientResponse, Error> {
        rest.check_inside(self, "it would see a turn only when it is over")?;
        self.check_price(&request)?;
        let this = std::ptr::from_ref(self) as usize;
        let turn = TurnBudgets::next_call(request.state(), this, self.0.shared.as_ref());
        let Err(limit) = turn.budget.enter_call(&self.0.limits) else {
            return self.call(request, &rest, &events, &turn.budget).await;
        };
        let exceeded = exceeded(limit, &turn.budget);
        let is_for_good = self.0.on_exceeded == OnBudgetExceeded::Error;
        if is_for_good || is_spent_before(&turn) || turn.is_over {
            return Err(Error::budget(exceeded));
        }
        TurnBudgets::set_over(request.state(), this);
        turn.budget.enter_last_call();
        let given = request.prompt().clone();
        let request = last_answer::asked_for(request);
        let sent = request.prompt().clone();
        let mut response = self.call(request, &rest, &events, &turn.budget).await?;
        let key = Self::METADATA_BUDGET_EXCEEDED;
        last_answer::mark(response.chat_response_mut(), &exceeded, key);
        Ok(without_own_changes(response, &given, &sent))
    }

    /// Calls the model and enters what it cost.
    async fn call(
        &self,
        request: ChatClientRequest,
        rest: &AdvisorChain,
        events: &Emitter,
        budget: &Budget,
    ) -> Result<ChatClientResponse, Error> {
        let asked_for = request.prompt().options().model().cloned();
        let messages = request.prompt().messages().clone();
        let response = run_rest(rest, request, events).await?;
        let chat_response = response.chat_response();
        let reported = chat_response.metadata.usage;
        let reported = reported.filter(|usage| !usage.is_empty());
        let usage = reported.unwrap_or_else(|| estimated(&messages, chat_response));
        let model = chat_response.metadata.model.as_deref();
        let names: Vec<&str> = model.into_iter().chain(asked_for.as_deref()).collect();
        let cost = self.cost(&names, &usage);
        budget.enter_cost(usage, cost.as_ref().copied().unwrap_or_default());
        cost.map_err(|error| error.with_discarded_usage(usage))?;
        Ok(response)
    }

    fn cost(&self, names: &[&str], usage: &Usage) -> Result<Money, Error> {
        match self.0.prices.of(names) {
            Some(price) => Ok(price.cost(usage)),
            None if self.0.limits.cost.is_none() => Ok(Money::default()),
            None => Err(unknown_price(names)),
        }
    }

    /// Refuses a model without a price before it costs anything, where its name is known.
    fn check_price(&self, request: &ChatClientRequest) -> Result<(), Error> {
        let model = request.prompt().options().model();
        let Some(model) = model.filter(|_| self.0.limits.cost.is_some()) else {
            return Ok(());
        };
        let known = self.0.prices.of(&[model]);
        known.map(drop).ok_or_else(|| unknown_price(&[model]))
    }
}

fn exceeded(limit: BudgetLimit, budget: &Budget) -> BudgetExceeded {
    let spent = budget.spent();
    tracing::debug!(%limit, ?spent, "a budget is used up");
    BudgetExceeded { limit, spent }
}

/// Whether a turn begins with nothing left of what others have spent.
fn is_spent_before(turn: &Turn) -> bool {
    turn.is_first
}

fn unknown_price(names: &[&str]) -> Error {
    let model = match names {
        [] => "a model that did not say its name".to_owned(),
        [name, ..] => format!("the model `{name}`"),
    };
    Error::setup(format!(
        "the budget limits the cost, but no price is known of {model}; give it with `price` or \
         `default_price`"
    ))
}

/// The tokens of a call whose model says nothing of them.
fn estimated(messages: &History, response: &ChatResponse) -> Usage {
    tracing::warn!("the model says nothing of its tokens; the budget estimates them");
    let count = |tokens: usize| u64::try_from(tokens).unwrap_or(u64::MAX);
    let input = messages.iter().map(|message| estimated_tokens(message));
    let answers = response.generations.iter();
    let output = answers.map(|answer| estimated_tokens(&answer.message));
    Usage::new(count(input.sum()), count(output.sum()))
}

impl Advisor for BudgetAdvisor {
    fn name(&self) -> &str {
        "budget"
    }

    fn order(&self) -> i32 {
        self.0.order
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move { self.run(request, rest, Emitter::silent()).await })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        stream_of(move |events| async move { self.run(request, rest, events).await })
    }
}
