//! CTX-1, CTX-2 and CTX-4: what a tool gets from the application and can ask about its call.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::Instant;
use vernal_core::client::ChatClient;
use vernal_core::message::History;
use vernal_core::tool::{FunctionToolCallback, ToolContext, ToolOutput};
use vernal_testing::{Reply, ScriptedModel};

use crate::closures::custom;
use crate::probes::both_ways;
use crate::scenario::Scenario;
use crate::transcript::{last_answers, lines};

/// Says what it finds under `region`, `tier`, `extra` and the type `Tenant`.
fn look() -> FunctionToolCallback {
    let look = |context: ToolContext| {
        let named =
            ["region", "tier", "extra"].map(|name| context.get_str(name).unwrap_or("-").to_owned());
        let tenant = context.get::<Tenant>().map_or("-", |tenant| tenant.0);
        format!("{} {tenant}", named.join(" "))
    };
    FunctionToolCallback::builder("look", look).build().unwrap()
}

struct Tenant(&'static str);

#[tokio::test]
async fn ctx_1_the_clients_entries_then_the_requests_and_the_request_wins() {
    let eu = || ToolContext::from([("region", "eu"), ("tier", "free")]);
    let gold = || ToolContext::from([("tier", "gold"), ("extra", "x")]);
    let none = ToolContext::empty;
    let table = [
        (none(), none(), "- - - -"),
        (eu(), none(), "eu free - -"),
        (none(), gold(), "- gold x -"),
        (eu(), gold(), "eu gold x -"),
        (eu().with(Tenant("acme")), gold(), "eu gold x acme"),
        (
            eu().with(Tenant("acme")),
            gold().with(Tenant("umbrella")),
            "eu gold x umbrella",
        ),
    ];
    for (defaults, request, expected) in table {
        let model = ScriptedModel::new().then_always(Reply::text("done"));
        let model = model
            .calls("look", "{}")
            .says("done")
            .calls("look", "{}")
            .says("done");
        let client = ChatClient::builder(model.clone())
            .default_tool_context(defaults.clone())
            .default_tools(look())
            .build()
            .unwrap();
        for response in both_ways(&client.prompt("go").tool_context(request.clone())).await {
            let response = response.unwrap();
            let answers = last_answers(response.messages().unwrap());
            assert_eq!(answers[0].1, expected);
        }
        // The next request of the same client starts from the defaults again.
        let model = ScriptedModel::new().calls("look", "{}").says("done");
        let again = ChatClient::builder(model)
            .default_tool_context(defaults)
            .default_tools(look());
        let response = again.build().unwrap().prompt("go").call().await.unwrap();
        let answers = last_answers(response.messages().unwrap());
        assert!(!answers[0].1.contains("gold"));
    }
}

#[tokio::test]
async fn ctx_1_an_empty_context_is_allowed_everywhere() {
    let mut scenario = Scenario::new()
        .callback(look())
        .calls("look", "{}")
        .says("done");
    scenario.context = ToolContext::empty();
    scenario
        .check(|outcome| assert_eq!(last_answers(&outcome.history)[0].1, "- - - -"))
        .await;
}

#[tokio::test]
async fn ctx_2_values_are_json_by_name_or_any_rust_value_by_type() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = seen.clone();
    let read = move |context: ToolContext| {
        let port = context.get_value("port").and_then(|value| value.as_u64());
        let shared = context.get_shared::<Mutex<Vec<u8>>>().unwrap();
        shared.lock().unwrap().push(1);
        keep.lock()
            .unwrap()
            .push((port, context.get::<u8>().copied(), context.names().count()));
    };
    let read = FunctionToolCallback::builder("read", read).build().unwrap();
    let mut scenario = Scenario::new()
        .callback(read)
        .calls("read", "{}")
        .says("done");
    scenario.context = ToolContext::empty()
        .with_value("port", 8080)
        .with(7_u8)
        .with(Mutex::new(Vec::<u8>::new()));
    scenario.check(|_| {}).await;
    let seen = seen.lock().unwrap();
    assert!(
        seen.iter().all(|one| *one == (Some(8080), Some(7), 1)),
        "{seen:?}"
    );
    let kept = scenario.context.get::<Mutex<Vec<u8>>>().unwrap();
    assert_eq!(
        kept.lock().unwrap().len(),
        seen.len(),
        "one value for all calls"
    );
}

#[tokio::test(start_paused = true)]
async fn ctx_4_a_tool_can_ask_about_its_call() {
    type Seen = (String, u32, bool, Option<Duration>, Vec<String>);
    let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
    let keep = seen.clone();
    let ask = custom("ask", move |_, context: ToolContext| {
        let now = Instant::now().into_std();
        let left = context.deadline().map(|deadline| deadline - now);
        keep.lock().unwrap().push((
            context.call_id().unwrap().to_owned(),
            context.round().unwrap(),
            context.cancellation().is_cancelled(),
            left,
            lines(&context.history()),
        ));
        context.progress().report(1.0, None, None);
        std::future::ready(Ok(ToolOutput::from_text("asked")))
    });
    let scenario = Scenario::new()
        .callback(ask.metadata(|m| m.timeout(Duration::from_secs(3))))
        .reply(
            Reply::text("I ask.")
                .and_call("ask", "{}")
                .and_call("ask", r#"{"n":1}"#),
        )
        .calls("ask", "{}")
        .says("done");
    scenario
        .check(|_| {
            let seen = std::mem::take(&mut *seen.lock().unwrap());
            let told = vec!["user: go", r#"assistant: I ask. [ask {}] [ask {"n":1}]"#];
            let later = [
                "tool: [ask success asked] [ask success asked]",
                "assistant: [ask {}]",
            ];
            let later = [told.clone(), later.to_vec()].concat();
            let one = |id: &str, round, history: &[&str]| {
                let history = history.iter().map(|line| (*line).to_owned()).collect();
                (
                    id.to_owned(),
                    round,
                    false,
                    Some(Duration::from_secs(3)),
                    history,
                )
            };
            let expected = [
                one("call_0", 1, &told),
                one("call_1", 1, &told),
                one("call_0", 2, &later),
            ];
            assert!(!seen.is_empty());
            for run in seen.chunks(3) {
                assert_eq!(run, expected);
            }
        })
        .await;
}

#[test]
fn ctx_4_outside_the_loop_there_is_nothing_to_ask() {
    let context = ToolContext::from([("tenant", "acme")]);
    assert_eq!(context.call_id(), None);
    assert_eq!(context.round(), None);
    assert_eq!(context.deadline(), None);
    assert!(!context.cancellation().is_cancelled());
    assert_eq!(context.history().len(), History::new().len());
    context
        .progress()
        .report(0.5, Some(1.0), Some("nobody hears"));
}

#[tokio::test]
async fn ctx_4_a_context_that_a_tool_adds_to_is_still_the_calls() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = seen.clone();
    let add = move |context: ToolContext| {
        let more = ToolContext::from([("more", "x")]);
        for context in [
            context.merged_with(&more),
            context.clone().with_value("more", "x"),
        ] {
            let id = context.call_id().map(str::to_owned);
            keep.lock()
                .unwrap()
                .push((id, context.get_str("more").map(str::to_owned)));
        }
    };
    let add = FunctionToolCallback::builder("add", add).build().unwrap();
    let mut scenario = Scenario::new()
        .callback(add)
        .calls("add", "{}")
        .says("done");
    scenario.context = ToolContext::empty();
    scenario.check(|_| {}).await;
    let expected = (Some("call_0".to_owned()), Some("x".to_owned()));
    assert!(seen.lock().unwrap().iter().all(|one| *one == expected));
}
