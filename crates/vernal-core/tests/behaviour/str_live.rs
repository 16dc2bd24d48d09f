//! STR-2, STR-3 and STR-5: when things happen in a stream, over a model that is written by hand.

use std::time::Duration;

use vernal_core::client::{ChatClient, ChatEventStream};
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_testing::{Reply, ScriptedModel};

use crate::drivers::request;
use crate::kit::{Log, tool};
use crate::live::{LiveModel, all_now, live, now};
use crate::probes::{Notes, Provider};
use crate::scenario::Scenario;

/// A request of the model that offers `a`, streamed through an advisor on either side of the loop.
fn stream(model: LiveModel, log: &Log) -> ChatEventStream {
    let notes = Notes::default();
    ChatClient::builder(model)
        .default_advisors((notes.probe("outside", i32::MIN), notes.probe("inside", 0)))
        .build()
        .unwrap()
        .prompt("go")
        .tools(tool("a").build(log))
        .stream()
}

#[test]
fn str_2_tools_run_when_the_models_stream_has_ended_and_not_before() {
    let (model, [wire, second]) = live();
    let log = Log::default();
    let mut events = stream(model, &log);
    wire.call_started("a");
    wire.arguments("{\"x\":1}");
    assert_eq!(
        all_now(&mut events),
        ["1 call 0 a", "1 arguments 0 {\"x\":1}"]
    );
    assert!(
        log.started().is_empty(),
        "the arguments are complete, but who could know"
    );
    wire.arguments(" ");
    assert_eq!(all_now(&mut events), ["1 arguments 0  "]);
    assert!(log.started().is_empty());

    wire.completes_with_calls(&[("a", "{\"x\":1} ")]);
    assert_eq!(now(&mut events).unwrap(), "1 finished Commentary");
    let rest = all_now(&mut events);
    assert_eq!(rest, ["1 runs a {\"x\":1} ", "1 result a Success"]);
    assert_eq!(log.started().len(), 1);
    second.text("Done.");
    second.completes_with_text("Done.");
    assert_eq!(
        all_now(&mut events),
        ["2 text Done.", "2 finished Answer", "done Done. 0", "end"]
    );
}

#[test]
fn str_2_what_runs_is_the_complete_answer_and_not_what_was_streamed() {
    let (model, [wire, second]) = live();
    let log = Log::default();
    let mut events = stream(model, &log);
    wire.call_started("b");
    wire.arguments("{\"partial\":");
    wire.completes_with_calls(&[("a", "{}"), ("a", "{\"n\":2}")]);
    second.completes_with_text("");
    all_now(&mut events);
    let inputs: Vec<_> = log.started().into_iter().map(|(_, input)| input).collect();
    assert_eq!(inputs, ["{}", "{\"n\":2}"]);
}

#[tokio::test]
async fn str_3_a_stream_is_lazy() {
    let model = ScriptedModel::new().then_always(Reply::text("done"));
    let provider = Provider::new("p", vec![]);
    let notes = Notes::default();
    let client = ChatClient::builder(model.clone())
        .default_tools(provider.clone())
        .default_advisors(notes.probe("probe", 0))
        .build()
        .unwrap();
    let request = client.prompt("go");
    let text = request.stream().text();
    let stream = request.stream();
    assert_eq!(
        (model.call_count(), provider.asked(), notes.take().len()),
        (0, 0, 0)
    );
    drop((stream, text));
    assert_eq!(
        (model.call_count(), provider.asked(), notes.take().len()),
        (0, 0, 0)
    );
}

#[tokio::test]
async fn str_3_one_request_can_be_streamed_again_and_at_the_same_time() {
    let scenario = Scenario::new().tool(tool("a"));
    let model = (0..4)
        .fold(ScriptedModel::new(), |model, _| model.calls("a", "{}"))
        .then_always(Reply::text("done"));
    let request = request(&scenario, &model);
    let both = futures::future::join(request.stream().response(), request.stream().response());
    let (first, second) = both.await;
    assert_eq!(first.unwrap().content(), "done");
    assert_eq!(second.unwrap().content(), "done");
    assert_eq!(request.stream().response().await.unwrap().content(), "done");
    assert_eq!(request.call().await.unwrap().content(), "done");
    assert_eq!(log_of(&scenario), 4);
    // Each began with the request's own messages.
    for prompt in model.prompts() {
        assert_eq!(prompt.messages().get(0).unwrap().text(), "go");
    }
}

fn log_of(scenario: &Scenario) -> usize {
    scenario.log.started().len()
}

#[test]
fn str_3_errors_are_items_and_nothing_follows_them() {
    let twice = || Scenario::new().tool(tool("a")).tools.remove(0);
    let client = ChatClient::create(ScriptedModel::new().says("unreached"));
    let mut events = client.prompt("go").tools([twice(), twice()]).stream();
    assert!(now(&mut events).unwrap().contains("are called `a`"));
    assert_eq!(now(&mut events).unwrap(), "end");
    assert_eq!(now(&mut events).unwrap(), "end", "polled again");

    let (model, [wire]) = live();
    let mut events = stream(model, &Log::default());
    wire.text("Hm");
    wire.fails(ModelError::new(ModelErrorKind::Server, "overloaded"));
    assert_eq!(
        all_now(&mut events),
        ["1 text Hm", "error overloaded", "end"]
    );
    assert_eq!(now(&mut events).unwrap(), "end");
}

#[test]
fn str_3_dropping_a_stream_cancels_the_models() {
    let (model, [wire]) = live();
    let mut events = stream(model, &Log::default());
    assert_eq!(now(&mut events), None);
    wire.text("Once");
    assert_eq!(now(&mut events).unwrap(), "1 text Once");
    assert!(!wire.is_cancelled());
    drop(events);
    assert!(wire.is_cancelled());
}

#[tokio::test(start_paused = true)]
async fn str_3_dropping_a_stream_cancels_the_tools() {
    let log = Log::default();
    let model = ScriptedModel::new()
        .replies(Reply::call("slow", "{}").and_call("slow", "{}"))
        .says("unreached");
    let client = ChatClient::create(model.clone());
    let slow = tool("slow").takes(Duration::from_secs(5)).build(&log);
    let mut events = client.prompt("go").tools(slow).stream();
    while log.running() < 2 {
        tokio::select! {
            item = events.next() => { item.unwrap().unwrap(); }
            () = tokio::time::sleep(Duration::from_millis(10)) => {}
        }
    }
    drop(events);
    assert_eq!(log.running(), 0);
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(log.finished().is_empty(), "none of them went on in secret");
    assert_eq!(model.call_count(), 1);
}

#[test]
fn str_5_every_delta_is_visible_as_it_arrives() {
    let (model, [wire, second]) = live();
    let mut events = stream(model, &Log::default());
    assert_eq!(now(&mut events), None);
    wire.text("Let ");
    assert_eq!(all_now(&mut events), ["1 text Let "]);
    wire.text("me");
    wire.text(" look.");
    assert_eq!(all_now(&mut events), ["1 text me", "1 text  look."]);
    wire.call_started("a");
    assert_eq!(all_now(&mut events), ["1 call 0 a"]);
    for piece in ["{\"ci", "ty\":", "\"Jeju\"}"] {
        wire.arguments(piece);
        assert_eq!(all_now(&mut events), [format!("1 arguments 0 {piece}")]);
    }
    wire.completes_with_calls(&[("a", "{\"city\":\"Jeju\"}")]);
    assert_eq!(all_now(&mut events).len(), 3);
    second.text("Su");
    assert_eq!(
        all_now(&mut events),
        ["2 text Su"],
        "the stream of the model has not ended"
    );
}

#[test]
fn str_5_nothing_runs_ahead_of_who_listens() {
    // Everything is there at once, and still each piece is handed over before the next is made.
    let scenario = Scenario::new().tool(tool("a"));
    let first = Reply::text("Let ").and_text("me ").and_call("a", "{}");
    let model = ScriptedModel::new().replies(first).says("done");
    let mut events = request(&scenario, &model).stream();
    for expected in ["1 text Let ", "1 text me ", "1 call 0 a", "1 arguments 0 {"] {
        assert_eq!(now(&mut events).unwrap(), expected);
        assert_eq!(log_of(&scenario), 0, "a tool ran that nobody has heard of");
    }
    assert_eq!(model.call_count(), 1);
    assert_eq!(all_now(&mut events).last().unwrap(), "end");
    assert_eq!(log_of(&scenario), 1);
}

#[test]
fn str_5_live_text_is_not_held_back() {
    use futures::FutureExt;
    let (model, [wire]) = live();
    let mut text = stream(model, &Log::default()).text_live();
    wire.text("Su");
    assert_eq!(
        &*text.next().now_or_never().unwrap().unwrap().unwrap(),
        "Su"
    );
    assert!(text.next().now_or_never().is_none());

    let (model, [wire]) = live();
    let mut text = stream(model, &Log::default()).text();
    wire.text("Su");
    assert!(
        text.next().now_or_never().is_none(),
        "who knows whether it is the answer"
    );
    wire.completes_with_text("Su");
    assert_eq!(
        &*text.next().now_or_never().unwrap().unwrap().unwrap(),
        "Su"
    );
    assert!(text.next().now_or_never().unwrap().is_none());
}

#[test]
fn str_4_a_stream_of_the_model_that_just_stops_is_an_error_of_the_model() {
    for with_loop in [true, false] {
        let (model, [wire]) = live();
        let off =
            vernal_core::advisor::AdvisorParams::tool_calling_advisor_auto_register(with_loop);
        let client = ChatClient::builder(model)
            .default_advisors(off)
            .build()
            .unwrap();
        let log = Log::default();
        let mut events = client.prompt("go").tools(tool("a").build(&log)).stream();
        wire.call_started("a");
        wire.arguments("{}");
        drop(wire);
        assert_eq!(
            all_now(&mut events)[..2],
            ["1 call 0 a", "1 arguments 0 {}"]
        );
        assert!(log.started().is_empty());

        let (model, [wire]) = live();
        drop(wire);
        let client = ChatClient::builder(model)
            .default_advisors(off)
            .build()
            .unwrap();
        let response = client.prompt("go").stream().response();
        let error = futures::executor::block_on(response).unwrap_err();
        let model = error
            .model_error()
            .expect("the model is at fault, not the setup");
        assert_eq!(model.kind(), ModelErrorKind::Response);
        assert!(error.to_string().contains("ended before"), "{error}");
    }
}
