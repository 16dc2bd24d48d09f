//! Retries of the model call: only where they may help, never after something was streamed, and never of
//! a tool.

use std::time::Duration;

use tokio::time::Instant;
use vernal_core::advisor::{RequestDeadlineAdvisor, RetryAdvisor, RetryAdvisorBuilder};
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::model::ModelErrorKind;
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{WAYS, Way, failure, looking};

const SECOND: Duration = Duration::from_secs(1);

fn steady() -> RetryAdvisorBuilder {
    RetryAdvisor::builder().first_wait(SECOND).jitter(0.0)
}

#[tokio::test(start_paused = true)]
async fn what_may_pass_is_tried_again_after_longer_and_longer_waits() {
    let builder = || steady().max_tries(6).max_wait(5 * SECOND);
    for (failures, result, waited) in [
        (0, Ok(()), 0),
        (1, Ok(()), 1),
        (3, Ok(()), 1 + 2 + 4),
        (5, Ok(()), 1 + 2 + 4 + 5 + 5),
        (6, Err(()), 1 + 2 + 4 + 5 + 5),
    ] {
        for way in WAYS {
            let mut model = ScriptedModel::new();
            for _ in 0..failures {
                model = model.fails(failure(ModelErrorKind::Server));
            }
            let model = model.says("done");
            let client = ChatClient::builder(model.clone());
            let client = client.default_advisors(builder().build()).build().unwrap();
            let began = Instant::now();
            let sent = way.send(&client.prompt("go")).await;
            assert_eq!(sent.result.map(drop).map_err(drop), result, "{failures}");
            assert_eq!(began.elapsed().as_secs(), waited, "{failures}");
            assert_eq!(model.call_count(), (failures + 1).min(6));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_can_only_fail_again_is_not_tried_again() {
    for kind in [
        ModelErrorKind::Authentication,
        ModelErrorKind::InvalidRequest,
        ModelErrorKind::Quota,
        ModelErrorKind::ContextLength,
        ModelErrorKind::Configuration,
    ] {
        for way in WAYS {
            let model = ScriptedModel::new().fails(failure(kind)).says("late");
            let request = ChatClient::create(model.clone()).prompt("go");
            let error = way
                .send(&request.advisors(RetryAdvisor::new()))
                .await
                .error();
            assert_eq!(error.model_error().unwrap().kind(), kind);
            assert_eq!(model.call_count(), 1);
        }
    }
    // The provider's word counts over the kind.
    let retryable = failure(ModelErrorKind::InvalidRequest).with_retryable(true);
    let model = ScriptedModel::new().fails(retryable).says("done");
    let request = ChatClient::create(model).prompt("go");
    request.advisors(RetryAdvisor::new()).call().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_provider_says_how_long_to_wait() {
    let asked = |seconds| {
        let busy = failure(ModelErrorKind::RateLimit);
        busy.with_retry_after(Duration::from_secs(seconds))
    };
    for (seconds, is_waited) in [(0, true), (7, true), (30, true), (31, false), (3600, false)] {
        for way in WAYS {
            let model = ScriptedModel::new().fails(asked(seconds)).says("done");
            let retry = steady().max_time(30 * SECOND).build();
            let request = ChatClient::create(model.clone()).prompt("go");
            let began = Instant::now();
            let sent = way.send(&request.advisors(retry)).await;
            assert_eq!(sent.result.is_ok(), is_waited, "{seconds}");
            let waited = if is_waited { seconds } else { 0 };
            assert_eq!(began.elapsed().as_secs(), waited, "gives up at once");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_the_provider_asks_for_is_waited_for_and_a_little_more_by_chance() {
    let mut waits = Vec::new();
    for _ in 0..50 {
        let busy = failure(ModelErrorKind::RateLimit).with_retry_after(30 * SECOND);
        let model = ScriptedModel::new().fails(busy).says("done");
        let began = Instant::now();
        let request = ChatClient::create(model).prompt("go");
        request.advisors(RetryAdvisor::new()).call().await.unwrap();
        waits.push(began.elapsed());
    }
    // A quarter of four seconds.
    let fits = |wait: &Duration| (30 * SECOND..=31 * SECOND).contains(wait);
    assert!(waits.iter().all(fits), "{waits:?}");
    waits.dedup();
    assert!(waits.len() > 10, "{waits:?}");
}

#[tokio::test(start_paused = true)]
async fn a_wait_past_the_time_of_the_turn_is_not_begun() {
    for way in WAYS {
        let busy = failure(ModelErrorKind::RateLimit).with_retry_after(5 * SECOND);
        let model = ScriptedModel::new().then_always(Reply::error(busy));
        let manager = ToolCallingManager::builder().turn_timeout(SECOND);
        let client = ChatClient::builder(model).default_advisors(steady().build());
        let client = client.tool_calling_manager(manager.build().unwrap());
        let began = Instant::now();
        let error = way
            .send(&client.build().unwrap().prompt("go"))
            .await
            .error();
        assert!(error.model_error().unwrap().is_rate_limit(), "{error}");
        assert_eq!(began.elapsed().as_secs(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn all_tries_together_have_a_time() {
    for way in WAYS {
        let model = ScriptedModel::new();
        let model = model.then_always(Reply::error(failure(ModelErrorKind::Connection)));
        let retry = steady().max_tries(100).max_time(10 * SECOND);
        let request = ChatClient::create(model.clone()).prompt("go");
        let began = Instant::now();
        let error = way.send(&request.advisors(retry.build())).await.error();
        assert!(error.model_error().unwrap().is_connection());
        // 1 + 2 + 4, and the next 8 would pass the 10.
        assert_eq!((began.elapsed().as_secs(), model.call_count()), (7, 4));
    }
}

#[tokio::test(start_paused = true)]
async fn chance_makes_waits_shorter_and_never_longer() {
    let mut waits = Vec::new();
    for _ in 0..50 {
        let model = ScriptedModel::new()
            .fails(failure(ModelErrorKind::Server))
            .says("done");
        let retry = RetryAdvisor::builder()
            .first_wait(1000 * SECOND)
            .max_wait(1000 * SECOND);
        let retry = retry.jitter(0.5).max_time(2000 * SECOND).build();
        let began = Instant::now();
        let request = ChatClient::create(model).prompt("go").advisors(retry);
        request.call().await.unwrap();
        waits.push(began.elapsed());
    }
    assert!(
        waits
            .iter()
            .all(|wait| (500 * SECOND..=1000 * SECOND).contains(wait)),
        "{waits:?}"
    );
    waits.dedup();
    assert!(waits.len() > 10, "{waits:?}");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_tried_again_after_a_piece_was_streamed() {
    let broken = Reply::text("par").then_error(failure(ModelErrorKind::Connection));
    for (way, calls) in [(Way::Call, 2), (Way::Stream, 1)] {
        let model = ScriptedModel::new().replies(broken.clone()).says("done");
        let request = ChatClient::create(model.clone()).prompt("go");
        let sent = way.send(&request.advisors(RetryAdvisor::new())).await;
        assert_eq!(model.call_count(), calls, "{way:?}");
        match way {
            Way::Call => assert_eq!(sent.response().content(), "done"),
            Way::Stream => {
                assert_eq!(sent.deltas(), ["par"]);
                assert!(sent.error().is_retryable());
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_tool_runs_again() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .fails(failure(ModelErrorKind::Server))
            .calls("look", "{}")
            .fails(failure(ModelErrorKind::Server))
            .fails(failure(ModelErrorKind::Server))
            .says("done");
        let (client, runs) = looking(model.clone());
        let client = client
            .default_advisors(RetryAdvisor::new())
            .build()
            .unwrap();
        let response = way.send(&client.prompt("go")).await.response();
        assert_eq!(response.content(), "done");
        // The tries are counted for each model call.
        assert_eq!((runs.count(), model.call_count()), (1, 5));
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_past_the_requests_deadline_is_not_begun() {
    for way in WAYS {
        let model = ScriptedModel::new();
        let model = model.then_always(Reply::error(failure(ModelErrorKind::Server)));
        let deadline = RequestDeadlineAdvisor::new(5 * SECOND);
        let retry = steady().max_tries(100).build();
        let request = ChatClient::create(model)
            .prompt("go")
            .advisors((deadline, retry));
        let began = Instant::now();
        let error = way.send(&request).await.error();
        // 1 + 2, and the next 4 would pass the 5: the model's error is what is known.
        assert!(error.model_error().is_some(), "{error}");
        assert_eq!(began.elapsed().as_secs(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn any_number_will_do_as_jitter() {
    for share in [f64::NAN, f64::NEG_INFINITY, -1.0, 2.0, f64::INFINITY] {
        for way in WAYS {
            let model = ScriptedModel::new().fails(failure(ModelErrorKind::Server));
            let client = ChatClient::builder(model.says("done"));
            let retry = RetryAdvisor::builder().jitter(share).build();
            let client = client.default_advisors(retry).build().unwrap();
            let response = way.send(&client.prompt("go")).await.response();
            assert_eq!(response.content(), "done", "{share}");
        }
    }
}
