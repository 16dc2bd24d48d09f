//! Budgets: what is counted, and what becomes of a turn that has used one up.

use std::time::Duration;

use vernal_core::advisor::{
    Budget, BudgetAdvisor, BudgetAdvisorBuilder, BudgetLimit, ModelPrice, RetryAdvisor,
    StructuredOutputValidationAdvisor,
};
use vernal_core::client::ChatClient;
use vernal_core::message::Usage;
use vernal_core::model::{ChatOptions, ModelErrorKind};
use vernal_core::tool::FunctionToolCallback;
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{WAYS, costs, failure, looking, looks, said};
use crate::structured::{BAD, Forecast};
use crate::traces::Traces;

fn budget() -> BudgetAdvisorBuilder {
    BudgetAdvisor::builder()
}

const PRICE: ModelPrice = ModelPrice::per_million_tokens(100_000.0, 200_000.0);

#[tokio::test(start_paused = true)]
async fn a_turn_ends_before_the_model_call_that_has_no_budget_left() {
    // Each call costs 10 + 2 tokens, 1.4 in cost, and its tool a minute.
    let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
    for (builder, limit, calls) in [
        (budget().max_tokens(36), BudgetLimit::Tokens(36), 3),
        (budget().max_tokens(37), BudgetLimit::Tokens(37), 4),
        (budget().max_tokens(1), BudgetLimit::Tokens(1), 1),
        (budget().max_model_calls(2), BudgetLimit::ModelCalls(2), 2),
        (
            budget().max_cost(2.8).price("scripted", PRICE),
            BudgetLimit::Cost(2.8),
            2,
        ),
        (
            budget().max_cost(2.81).default_price(PRICE),
            BudgetLimit::Cost(2.81),
            3,
        ),
        (
            budget().max_time(minutes(3)),
            BudgetLimit::Time(minutes(3)),
            3,
        ),
        (
            budget().max_tokens(1000).max_model_calls(4),
            BudgetLimit::ModelCalls(4),
            4,
        ),
    ] {
        for way in WAYS {
            let model = ScriptedModel::new().then_always(looks(10, 2));
            let look = FunctionToolCallback::builder("look", || async {
                tokio::time::sleep(Duration::from_secs(60)).await;
                "seen"
            });
            let client = ChatClient::builder(model.clone())
                .default_tools(look.build().unwrap())
                .default_advisors(builder.clone().build().unwrap())
                .build()
                .unwrap();
            let error = way.send(&client.prompt("go")).await.error();
            let exceeded = error.budget_exceeded().expect("a budget");
            assert_eq!(exceeded.limit(), limit);
            assert_eq!(model.call_count(), calls, "{limit}");
            let spent = exceeded.spent();
            assert_eq!(spent.model_calls as usize, calls);
            assert_eq!(spent.time, Duration::from_secs(60 * calls as u64));
            let count = calls as u64;
            assert_eq!(spent.usage, Usage::new(10 * count, 2 * count));
            // Everything is kept.
            assert_eq!(error.usage(), spent.usage);
            assert_eq!(error.rounds() as usize, calls);
            let messages = said(error.messages());
            assert_eq!(messages.len(), 1 + 2 * calls, "{messages:#?}");
            let text = error.to_string();
            assert!(
                text.contains(&limit.to_string()) && text.contains("allow more"),
                "{text}"
            );
            assert!(!error.is_timeout() && !error.is_retryable());
        }
    }
}

#[tokio::test]
async fn each_turn_has_a_budget_of_its_own() {
    let model = ScriptedModel::new()
        .replies(looks(5, 5))
        .replies(costs("one", 5, 5))
        .replies(looks(5, 5))
        .replies(costs("two", 5, 5));
    let (client, _) = looking(model);
    let advisor = budget().max_tokens(11).max_model_calls(2).build().unwrap();
    let client = client.default_advisors(advisor).build().unwrap();
    for (way, text) in WAYS.into_iter().zip(["one", "two"]) {
        let response = way.send(&client.prompt("go")).await.response();
        assert_eq!(response.content(), text);
        let spent = Budget::spent_in(&response).expect("a budget");
        assert_eq!((spent.model_calls, spent.usage.total_tokens), (2, 20));
    }
}

#[tokio::test]
async fn a_shared_budget_counts_over_turns() {
    for way in WAYS {
        let shared = Budget::new();
        let advisor = budget().max_tokens(25).shared(shared.clone());
        let model = ScriptedModel::new().then_always(costs("fine", 8, 2));
        let client = ChatClient::builder(model.clone());
        let client = client.default_advisors(advisor.build().unwrap());
        let client = client.build().unwrap();
        for _ in 0..3 {
            way.send(&client.prompt("go")).await.response();
        }
        let error = way.send(&client.prompt("go")).await.error();
        assert_eq!(
            error.budget_exceeded().unwrap().limit(),
            BudgetLimit::Tokens(25)
        );
        assert_eq!(
            (model.call_count(), shared.spent().usage.total_tokens),
            (3, 30)
        );
        shared.reset();
        way.send(&client.prompt("go")).await.response();
        assert_eq!(shared.spent().model_calls, 1);
    }
}

#[tokio::test(start_paused = true)]
async fn retries_and_corrections_count() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .fails(failure(ModelErrorKind::Server))
            .replies(costs(BAD, 3, 1))
            .replies(costs(BAD, 4, 1))
            .says("never");
        let structured = StructuredOutputValidationAdvisor::of::<Forecast>();
        let request = ChatClient::create(model.clone()).prompt("go").advisors((
            structured.build().unwrap(),
            RetryAdvisor::new(),
            budget().max_model_calls(3).build().unwrap(),
        ));
        let error = way.send(&request).await.error();
        let exceeded = error.budget_exceeded().expect("a budget");
        assert_eq!(exceeded.spent().model_calls, 3);
        assert_eq!(model.call_count(), 3);
        assert_eq!(error.usage(), Usage::new(7, 2), "of the discarded answers");
    }
}

#[tokio::test]
async fn a_model_without_a_price_is_refused_as_early_as_can_be() {
    for (named, calls) in [(Some("other"), 0), (None, 1)] {
        for way in WAYS {
            let model = ScriptedModel::new().replies(costs("fine", 3, 4));
            let advisor = budget().max_cost(1.0).price("known", PRICE);
            let mut request = ChatClient::create(model.clone())
                .prompt("go")
                .advisors(advisor.build().unwrap());
            if let Some(named) = named {
                request = request.options(ChatOptions::builder().model(named).build());
            }
            let error = way.send(&request).await.error();
            let text = error.to_string();
            let name = named.unwrap_or("scripted");
            assert!(
                error.is_setup() && text.contains(&format!("`{name}`")),
                "{text}"
            );
            assert_eq!(model.call_count(), calls);
            let spent = if calls == 1 {
                Usage::new(3, 4)
            } else {
                Usage::default()
            };
            assert_eq!(error.usage(), spent);
        }
    }
    // The name in the request serves where the response's is unknown.
    let model = ScriptedModel::new().replies(costs("fine", 3, 4));
    let advisor = budget().max_cost(1.0).price("known", PRICE);
    let options = ChatOptions::builder().model("known").build();
    let request = ChatClient::create(model).prompt("go").options(options);
    let response = request
        .advisors(advisor.build().unwrap())
        .call()
        .await
        .unwrap();
    assert!(Budget::spent_in(&response).unwrap().cost > 0.0);
}

#[tokio::test]
async fn tokens_that_nobody_reports_are_estimated_and_warned_about() {
    for way in WAYS {
        let (traces, _guard) = Traces::listen();
        let model = ScriptedModel::new().then_always(Reply::call("look", "{}"));
        let (client, _) = looking(model.clone());
        let advisor = budget().max_tokens(12).build().unwrap();
        let client = client.default_advisors(advisor).build().unwrap();
        let error = way.send(&client.prompt("four char")).await.error();
        // 3 for the question and 2 for the call; then 3 + 2 + 1 and 2.
        let exceeded = error.budget_exceeded().unwrap();
        assert_eq!(exceeded.spent().usage, Usage::new(9, 4));
        assert_eq!(model.call_count(), 2);
        assert_eq!(error.usage(), Usage::default(), "nothing was reported");
        assert_eq!(traces.events_with("WARN", "estimates").len(), 2);
    }
}

#[tokio::test]
async fn an_unlimited_turn_is_watched_without_change() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .replies(looks(1, 1))
            .replies(costs("done", 1, 1));
        let (client, runs) = looking(model.clone());
        let advisor = budget().max_tokens(u64::MAX).default_price(PRICE);
        let client = client.default_advisors(advisor.build().unwrap());
        let response = way
            .send(&client.build().unwrap().prompt("go"))
            .await
            .response();
        assert_eq!((response.content(), runs.count()), ("done".to_owned(), 1));
        assert_eq!(Budget::spent_in(&response).unwrap().cost, 0.6);
        let plain = model.prompts();
        assert!(
            plain
                .iter()
                .all(|prompt| prompt.options().tools().len() == 1)
        );
    }
}

#[tokio::test]
async fn a_usage_of_zeros_and_one_without_a_total_count() {
    let mut without_total = Usage::new(10, 2);
    without_total.total_tokens = 0;
    for (usage, limit, calls) in [(Usage::default(), 1, 1), (without_total, 24, 2)] {
        for way in WAYS {
            let model = ScriptedModel::new().then_always(Reply::call("look", "{}").usage(usage));
            let (client, _) = looking(model.clone());
            let budget = budget().max_tokens(limit).build().unwrap();
            let client = client.default_advisors(budget).build().unwrap();
            let error = way.send(&client.prompt("go")).await.error();
            let exceeded = error.budget_exceeded().unwrap();
            assert_eq!(exceeded.limit(), BudgetLimit::Tokens(limit));
            assert!(exceeded.spent().usage.total_tokens >= limit);
            assert_eq!(model.call_count(), calls, "{usage:?}");
        }
    }
    let model = ScriptedModel::new();
    let zeros = Reply::call("look", "{}").usage(Usage::default());
    let model = model.then_always(zeros);
    let (client, _) = looking(model.clone());
    let budget = budget().max_cost(0.1).default_price(PRICE).build().unwrap();
    let client = client.default_advisors(budget).build().unwrap();
    let error = client.prompt("go").call().await.unwrap_err();
    assert!(error.budget_exceeded().is_some());
    assert_eq!(model.call_count(), 1, "an estimate has a cost");
}
