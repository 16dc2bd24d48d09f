//! The aggregator: what a streamed loop of one's own is made of. That such a loop does what all others
//! do is shown by the driver `ManualStream`.

use futures::StreamExt;
use vernal_core::advisor::ChatEvent;
use vernal_core::client::{ChatClient, ChatClientMessageAggregator};
use vernal_core::message::Usage;
use vernal_core::model::{ChatModel, ModelError, ModelErrorKind};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{Log, tool};
use crate::live::{event_lines, live};

fn reply() -> Reply {
    let reply = Reply::text("Let me ")
        .and_text("look.")
        .and_call("a", r#"{"x":1}"#);
    reply.usage(Usage::new(3, 4))
}

async fn events(
    mut aggregator: ChatClientMessageAggregator,
) -> (Vec<ChatEvent>, ChatClientMessageAggregator) {
    let mut events = Vec::new();
    while let Some(event) = aggregator.next().await {
        events.push(event.unwrap());
    }
    (events, aggregator)
}

#[tokio::test]
async fn events_are_passed_on_and_collected_with_and_without_a_client() {
    let called = ScriptedModel::new().replies(reply());
    let called = called.call("go".into()).await.unwrap();
    let off = vernal_core::advisor::AdvisorParams::tool_calling_advisor_auto_register(false);
    let client = ChatClient::create(ScriptedModel::new().replies(reply()));
    let with_client = client.prompt("go").advisors(off).stream();
    let model = ScriptedModel::new().replies(reply());
    for aggregator in [
        ChatClientMessageAggregator::new(with_client),
        ChatClientMessageAggregator::of_model(model.stream("go".into())),
    ] {
        let (events, aggregator) = events(aggregator).await;
        let expected = [
            "1 text Let me ",
            "1 text look.",
            "1 call 0 a",
            r#"1 arguments 0 {"x"#,
            r#"1 arguments 0 ":1}"#,
        ];
        assert_eq!(event_lines(&events), expected);
        let response = aggregator.response().await.unwrap();
        assert_eq!(response.content(), called.content());
        assert_eq!(response.usage(), called.usage());
        let calls: Vec<_> = response.chat_response().tool_calls().collect();
        assert_eq!(calls, called.tool_calls().collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn the_response_can_be_had_without_the_events_or_after_some() {
    for taken in 0..4 {
        let model = ScriptedModel::new().replies(reply());
        let mut aggregator = ChatClientMessageAggregator::of_model(model.stream("go".into()));
        for _ in 0..taken {
            aggregator.next().await.unwrap().unwrap();
        }
        assert_eq!(
            aggregator.response().await.unwrap().content(),
            "Let me look."
        );
    }
}

#[tokio::test]
async fn a_whole_turn_can_be_collected_too() {
    let log = Log::default();
    let model = ScriptedModel::new().replies(reply()).says("done");
    let client = ChatClient::builder(model).default_tools(tool("a").build(&log));
    let stream = client.build().unwrap().prompt("go").stream();
    let (events, aggregator) = events(ChatClientMessageAggregator::new(stream)).await;
    assert!(event_lines(&events).contains(&"1 result a Success".to_owned()));
    let response = aggregator.response().await.unwrap();
    assert_eq!(
        (response.content().as_str(), response.rounds()),
        ("done", 1)
    );
}

#[tokio::test]
async fn events_come_as_they_happen() {
    let (model, [wire]) = live();
    let mut aggregator = ChatClientMessageAggregator::of_model(model.stream("go".into()));
    let mut context = std::task::Context::from_waker(futures::task::noop_waker_ref());
    assert!(aggregator.poll_next_unpin(&mut context).is_pending());
    wire.text("Now");
    let event = aggregator.next().await.unwrap().unwrap();
    assert_eq!(event_lines(&[event]), ["1 text Now"]);
    assert!(aggregator.poll_next_unpin(&mut context).is_pending());
    wire.completes_with_text("Now");
    assert!(aggregator.next().await.is_none());
    assert!(aggregator.next().await.is_none(), "it stays at its end");
    assert_eq!(aggregator.response().await.unwrap().content(), "Now");
}

#[tokio::test]
async fn dropping_it_cancels_the_request() {
    let (model, [wire]) = live();
    let mut aggregator = ChatClientMessageAggregator::of_model(model.stream("go".into()));
    wire.text("Now");
    aggregator.next().await.unwrap().unwrap();
    assert!(!wire.is_cancelled());
    drop(aggregator);
    assert!(wire.is_cancelled());
}

#[tokio::test]
async fn an_error_is_an_item_once_and_there_is_no_response_after_it() {
    let broken = || ModelError::new(ModelErrorKind::Server, "broken");
    let stream = || {
        let model = ScriptedModel::new().replies(reply().then_error(broken()));
        ChatClientMessageAggregator::of_model(model.stream("go".into()))
    };
    let error = stream().response().await.unwrap_err();
    assert!(error.model_error().is_some());

    let mut aggregator = stream();
    let mut errors = 0;
    while let Some(event) = aggregator.next().await {
        errors += usize::from(event.is_err());
    }
    assert_eq!(errors, 1);
    let error = aggregator.response().await.unwrap_err();
    assert!(error.is_setup() && error.to_string().contains("no response"));
    let empty = ChatClientMessageAggregator::new(futures::stream::empty());
    assert!(empty.response().await.unwrap_err().is_setup());
}
