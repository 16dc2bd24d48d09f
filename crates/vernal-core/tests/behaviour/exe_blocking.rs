//! EXE-3 and EXE-4: tools on threads where they may block.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::message::ToolOutcome;
use vernal_core::tool::{FunctionToolCallback, ToolContext, ToolMetadata, ToolOutput};
use vernal_testing::{Reply, ScriptedModel};

use crate::closures::{Custom, custom};
use crate::drivers::{Driver, request, run};
use crate::scenario::Scenario;
use crate::traces::Traces;
use crate::transcript::last_answers;

/// A tool that blocks its thread until it is told to go on or its token is cancelled, and says which.
fn blocks(log: mpsc::Sender<&'static str>) -> Custom {
    let blocks = custom("blocks", move |_, context: ToolContext| {
        log.send("began").unwrap();
        let until = Instant::now() + Duration::from_secs(5);
        while !context.cancellation().is_cancelled() {
            if Instant::now() > until {
                log.send("saw nothing").unwrap();
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        log.send("ended").unwrap();
        std::future::ready(Ok(ToolOutput::from_text("late")))
    });
    blocks.metadata(|m| m.blocking(true))
}

/// Waits until the manager's blocking tools have ended.
async fn settled(manager: &ToolCallingManager) {
    let until = Instant::now() + Duration::from_secs(10);
    while manager.running_blocking_tools() > 0 {
        assert!(Instant::now() < until, "a blocking tool does not end");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn exe_3_a_blocking_tool_does_not_hold_up_the_async_threads() {
    let (go, wait) = mpsc::channel();
    let wait = Mutex::new(wait);
    let waits = move || -> String { wait.lock().unwrap().recv().unwrap() };
    let waits = FunctionToolCallback::builder("waits", waits)
        .tool_metadata(ToolMetadata::builder().blocking(true).build());
    let sends = custom("sends", move |_, _| {
        go.send("hello".to_owned()).unwrap();
        std::future::ready(Ok(ToolOutput::from_text("sent")))
    });
    let scenario = Scenario::new()
        .callback(waits.build().unwrap())
        .callback(sends)
        .reply(Reply::call("waits", "{}").and_call("sends", "{}"))
        .says("done");
    // On one thread this ends only if the first call blocks another one.
    scenario
        .check(|outcome| {
            let answers = last_answers(&outcome.history);
            assert_eq!(answers[0], (ToolOutcome::Success, "hello".to_owned()));
        })
        .await;
}

#[tokio::test]
async fn def_3_a_blocking_tool_may_run_a_runtime_of_its_own() {
    let own_runtime = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        runtime.block_on(async { "from a runtime of its own" })
    };
    let this_runtime = || tokio::runtime::Handle::current().block_on(async { "from this one" });
    let later = custom("later", |_, _| async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        Ok(ToolOutput::from_text("later"))
    });
    let blocking = || ToolMetadata::builder().blocking(true).build();
    let own = FunctionToolCallback::builder("own", own_runtime).tool_metadata(blocking());
    let this = FunctionToolCallback::builder("this", this_runtime).tool_metadata(blocking());
    let scenario = Scenario::new()
        .callback(own.build().unwrap())
        .callback(this.build().unwrap())
        .callback(later.metadata(|m| m.blocking(true)))
        .reply(
            Reply::call("own", "{}")
                .and_call("this", "{}")
                .and_call("later", "{}"),
        )
        .says("done");
    scenario
        .check(|outcome| {
            let answers = last_answers(&outcome.history);
            let texts = ["from a runtime of its own", "from this one", "later"];
            let expected = texts.map(|text| (ToolOutcome::Success, text.to_owned()));
            assert_eq!(answers, expected);
        })
        .await;
}

#[test]
fn exe_2_a_timeout_without_a_runtime_is_an_error_and_no_panic() {
    let timed = FunctionToolCallback::builder("timed", || "in time");
    let timed = timed.tool_metadata(
        ToolMetadata::builder()
            .timeout(Duration::from_secs(1))
            .build(),
    );
    let client = ChatClient::create(ScriptedModel::new().calls("timed", "{}").says("done"));
    let request = client.prompt("go").tools(timed.build().unwrap());
    let error = futures::executor::block_on(request.call()).unwrap_err();
    assert_eq!(error.tool_name(), Some("timed"));
    assert!(error.to_string().contains("needs a tokio runtime"));
}

#[tokio::test]
async fn exe_3_dropping_the_turn_cancels_the_token_and_the_late_result_is_discarded() {
    for driver in Driver::CLIENT {
        let (log, heard) = mpsc::channel();
        let scenario = Scenario::new()
            .callback(blocks(log))
            .calls("blocks", "{}")
            .says("done");
        let model = scenario.model();
        let request = request(&scenario, &model);
        let running = async {
            match driver {
                Driver::Call => drop(request.call().await),
                _ => drop(request.stream().response().await),
            }
        };
        let has_begun = async {
            while heard.try_recv().is_err() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::select! {
            () = running => panic!("{driver:?}: it runs for as long as anybody waits"),
            () = has_begun => {}
        }
        settled(&scenario.manager).await;
        let heard: Vec<_> = heard.try_iter().collect();
        assert_eq!(heard, ["ended"], "{driver:?}");
        assert_eq!(model.call_count(), 1, "{driver:?}: nothing went on");
    }
}

#[tokio::test]
async fn exe_3_a_timeout_gives_a_blocking_tool_up_and_the_number_still_running_can_be_read() {
    let (go, wait) = mpsc::channel::<()>();
    let (entered, has_entered) = mpsc::channel();
    let wait = Mutex::new(wait);
    let stubborn = custom("stubborn", move |_, _| {
        entered.send(()).unwrap();
        let _ = wait.lock().unwrap().recv();
        std::future::ready(Ok(ToolOutput::from_text("too late")))
    });
    let stubborn = stubborn.metadata(|m| m.blocking(true).timeout(Duration::from_millis(500)));
    let scenario = Scenario::new()
        .callback(stubborn)
        .calls("stubborn", "{}")
        .says("done");
    assert_eq!(scenario.manager.running_blocking_tools(), 0);
    let outcome = run(Driver::Call, &scenario).await;
    let (result, text) = last_answers(&outcome.history).remove(0);
    assert_eq!(result, ToolOutcome::Failed);
    assert!(text.contains("given 500 ms"), "{text}");
    assert_eq!(outcome.text(), "done");
    has_entered.recv().unwrap();
    assert_eq!(
        scenario.manager.running_blocking_tools(),
        1,
        "nobody can stop it"
    );
    go.send(()).unwrap();
    settled(&scenario.manager).await;
}

#[test]
fn exe_3_a_blocking_tool_that_waits_for_a_thread_never_begins_once_it_is_given_up() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    let entered = Arc::new(AtomicBool::new(false));
    let enter = entered.clone();
    let tool = custom("tool", move |_, _| {
        enter.store(true, Ordering::SeqCst);
        std::future::ready(Ok(ToolOutput::from_text("ran")))
    });
    let scenario = Scenario::new()
        .callback(tool.metadata(|m| m.blocking(true)))
        .calls("tool", "{}")
        .says("done");
    runtime.block_on(async {
        let (go, wait) = mpsc::channel::<()>();
        let occupied = tokio::task::spawn_blocking(move || wait.recv());
        let model = scenario.model();
        let running = request(&scenario, &model).call();
        tokio::time::timeout(Duration::from_millis(20), running)
            .await
            .unwrap_err();
        go.send(()).unwrap();
        occupied.await.unwrap().unwrap();
        settled(&scenario.manager).await;
    });
    assert!(!entered.load(Ordering::SeqCst));
}

#[tokio::test]
async fn exe_3_an_async_tool_that_spawned_work_is_told_by_its_token() {
    let (told, hears) = tokio::sync::oneshot::channel();
    let told = Mutex::new(Some(told));
    let spawns = custom("spawns", move |_, context: ToolContext| {
        let (token, told) = (context.cancellation(), told.lock().unwrap().take());
        tokio::spawn(async move {
            token.cancelled().await;
            told.map(|told| told.send(()))
        });
        std::future::pending()
    });
    let scenario = Scenario::new().callback(spawns).calls("spawns", "{}");
    let model = scenario.model();
    let running = request(&scenario, &model).call();
    tokio::time::timeout(Duration::from_millis(10), running)
        .await
        .unwrap_err();
    tokio::time::timeout(Duration::from_secs(10), hears)
        .await
        .unwrap()
        .unwrap();
}

tokio::task_local! { static TENANT: &'static str; }

/// Says which tenant it finds, and logs.
fn finds() -> Custom {
    custom("finds", |_, _| {
        tracing::info!("the tool runs");
        let tenant = TENANT.try_with(|tenant| *tenant).unwrap_or("nobody");
        std::future::ready(Ok(ToolOutput::from_text(tenant)))
    })
}

#[tokio::test]
async fn exe_4_task_locals_of_the_applications_choice_go_along_to_blocking_tools() {
    let carried = |m: vernal_core::calling::ToolCallingManagerBuilder| {
        m.carry_into_blocking(|| {
            let tenant = TENANT.try_with(|tenant| *tenant).unwrap_or("nobody");
            move |run: &mut dyn FnMut()| TENANT.sync_scope(tenant, run)
        })
    };
    let finds = |blocking| finds().metadata(|m| m.blocking(blocking));
    let scenario = |blocking| {
        Scenario::new()
            .callback(finds(blocking))
            .calls("finds", "{}")
            .says("done")
    };
    for (scenario, expected) in [
        (scenario(true).manager(carried), "acme"),
        (scenario(true), "nobody"),
        (scenario(false), "acme"),
    ] {
        let check = scenario.check(|outcome| {
            assert_eq!(last_answers(&outcome.history)[0].1, expected);
        });
        TENANT.scope("acme", check).await;
    }
}

#[tokio::test]
async fn exe_4_a_carrier_that_does_not_run_the_tool_is_an_error_and_no_hang() {
    let manager = |m: vernal_core::calling::ToolCallingManagerBuilder| {
        m.carry_into_blocking(|| |_: &mut dyn FnMut()| {})
    };
    let scenario = Scenario::new()
        .manager(manager)
        .callback(finds().metadata(|m| m.blocking(true)))
        .calls("finds", "{}");
    scenario
        .check(|outcome| {
            assert!(
                outcome.error().to_string().contains("carrier"),
                "{}",
                outcome.error()
            );
        })
        .await;
}

#[tokio::test]
async fn exe_4_the_callers_span_is_around_every_tool_on_whatever_thread() {
    for blocking in [false, true] {
        for driver in [Driver::Call, Driver::ManualTurn] {
            let (traces, guard) = Traces::listen();
            let finds = finds().metadata(|m| m.blocking(blocking));
            let scenario = Scenario::new()
                .callback(finds)
                .calls("finds", "{}")
                .says("done");
            let span = tracing::info_span!("caller");
            tracing::Instrument::instrument(run(driver, &scenario), span).await;
            drop(guard);
            let events = traces.events_with("INFO", "the tool runs");
            assert_eq!(
                events,
                ["INFO in caller:execute_tool message=the tool runs"]
            );
        }
    }
}

#[tokio::test]
async fn exe_3_what_a_blocking_tool_reports_after_its_time_is_not_heard() {
    let (go, wait) = mpsc::channel::<()>();
    let (reported, has_reported) = mpsc::channel();
    let wait = Mutex::new(wait);
    let late = custom("late", move |_, context: ToolContext| {
        let progress = context.progress();
        progress.report(1.0, None, Some("in time"));
        let _ = wait.lock().unwrap().recv();
        progress.report(2.0, None, Some("too late"));
        let _ = reported.send(());
        std::future::ready(Ok(ToolOutput::from_text("too late")))
    });
    let late = late.metadata(|m| m.blocking(true).timeout(Duration::from_millis(500)));
    let model = ScriptedModel::new().calls("late", "{}").says("done");
    let client = ChatClient::builder(model)
        .default_tools(late)
        .build()
        .unwrap();
    let mut events = client.prompt("go").stream();
    let mut seen = Vec::new();
    while let Some(event) = events.next().await {
        seen.push(format!("{:?}", event.unwrap()));
        if seen.last().unwrap().starts_with("ToolResult") {
            go.send(()).unwrap();
            has_reported.recv().unwrap();
        }
    }
    assert!(seen.iter().any(|event| event.contains("in time")));
    let progress = seen
        .iter()
        .filter(|event| event.starts_with("ToolProgress"));
    assert_eq!(progress.count(), 1, "{seen:#?}");
}
