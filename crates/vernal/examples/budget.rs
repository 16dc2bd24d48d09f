//! A budget (seed heading “루프 확장: 커스텀 `ToolAdvisor`”).
//!
//! A turn may use so many tokens, cost so much, call the model so often or take so long. When a budget is
//! used up the turn fails with everything kept, or the model gives one last answer without tools. Prints
//! what came of both, and of a budget that turns share; a scripted model stands in for a real one, so
//! that no key is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::time::Duration;

use vernal::advisor::{Budget, ModelPrice, OnBudgetExceeded};
use vernal::message::Usage;
use vernal::prelude::*;
use vernal_testing::{Reply, ScriptedModel};

/// Searches the web
#[tool]
fn search(query: String) -> String {
    format!("nothing about {query}")
}

/// Asks for a tool again and again, a thousand tokens each time.
fn restless() -> ScriptedModel {
    let asks = Reply::call("search", r#"{"query":"the answer"}"#).usage(Usage::new(900, 100));
    ScriptedModel::new().replies(asks.clone()).replies(asks)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let mut printed = String::new();

    // What is reached first counts.
    let budget = BudgetAdvisor::builder()
        .max_cost(0.005)
        .price("scripted", ModelPrice::per_million_tokens(2.0, 8.0))
        .max_tokens(100_000)
        .max_model_calls(20)
        .max_time(Duration::from_secs(60))
        .build()?;
    let client = ChatClient::builder(restless()).default_tools(search);
    let client = client.default_advisors(budget).build()?;
    let error = client.prompt("Find it!").call().await.err();
    if let Some((error, exceeded)) = error.as_ref().and_then(|e| Some((e, e.budget_exceeded()?))) {
        let spent = exceeded.spent();
        writeln!(
            printed,
            "error: the budget of {} is used up",
            exceeded.limit()
        )?;
        writeln!(
            printed,
            "  {} model calls, {} in cost",
            spent.model_calls, spent.cost
        )?;
        let kept = error.messages().map_or(0, History::len);
        writeln!(
            printed,
            "  {kept} messages and {} tokens are kept",
            error.usage().total_tokens
        )?;
    }

    let budget = BudgetAdvisor::builder()
        .max_tokens(1_500)
        .on_exceeded(OnBudgetExceeded::LastAnswer)
        .build()?;
    let model = restless().says("I found nothing in the time that I had.");
    let client = ChatClient::builder(model).default_tools(search);
    let client = client.default_advisors(budget).build()?;
    let response = client.prompt("Find it!").call().await?;
    writeln!(printed, "last answer: {}", response.content())?;
    let spent = Budget::spent_in(&response).map_or(0, |spent| spent.model_calls);
    writeln!(printed, "  {spent} model calls")?;

    // One budget for all turns of a user.
    let of_user = Budget::new();
    let budget = BudgetAdvisor::builder()
        .max_model_calls(2)
        .shared(of_user.clone());
    let model = ScriptedModel::new().then_always(Reply::text("Hello."));
    let client = ChatClient::builder(model)
        .default_advisors(budget.build()?)
        .build()?;
    for turn in 1..=3 {
        let said = match client.prompt("Hi!").call().await {
            Ok(response) => response.content(),
            Err(error) => error.to_string().split(':').take(1).collect(),
        };
        writeln!(printed, "shared, turn {turn}: {said}")?;
    }
    of_user.reset();
    writeln!(
        printed,
        "after a reset: {}",
        client.prompt("Hi!").call().await?.content()
    )?;
    Ok(printed)
}
