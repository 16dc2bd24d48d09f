//! What a stream yields when an answer is corrected.

use futures::StreamExt;
use vernal_core::advisor::{ChatEvent, RoundKind};
use vernal_core::client::ChatClient;
use vernal_core::message::Usage;
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{Way, looking};
use crate::structured::{BAD, Forecast, GOOD, jeju, validated};

fn model() -> ScriptedModel {
    let (one, two) = GOOD.split_at(9);
    ScriptedModel::new()
        .replies(Reply::text(BAD).usage(Usage::new(1, 1)))
        .replies(Reply::text(one).and_text(two).usage(Usage::new(2, 2)))
}

#[tokio::test]
async fn a_rejected_try_is_told_between_the_tries() {
    let request = ChatClient::create(model()).prompt("Weather?");
    let sent = Way::Stream.send(&validated(&request)).await;
    let told: Vec<String> = sent
        .events
        .iter()
        .map(|event| match event {
            ChatEvent::TextDelta { round, text } => format!("{round} {text}"),
            ChatEvent::AnswerRejected { round, reason } => {
                assert!(reason.contains("$.degrees"), "{reason}");
                format!("{round} rejected")
            }
            ChatEvent::RoundFinished { round, kind, usage } => {
                // STR-6: once per round, with what was discarded in it.
                assert_eq!(
                    (*kind, usage.unwrap()),
                    (RoundKind::Answer, Usage::new(3, 3))
                );
                format!("{round} finished")
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let (one, two) = GOOD.split_at(9);
    assert_eq!(
        told,
        [
            format!("1 {BAD}"),
            "1 rejected".to_owned(),
            format!("1 {one}"),
            format!("1 {two}"),
            "1 finished".to_owned(),
        ]
    );
    let response = sent.response();
    assert_eq!(response.usage(), Usage::new(3, 3));
    assert_eq!(response.entity::<Forecast>().unwrap(), jeju());
}

#[tokio::test]
async fn str_1_the_text_of_a_stream_is_the_answer_that_fits() {
    let request = ChatClient::create(model()).prompt("Weather?");
    let text: Vec<_> = request.entity::<Forecast>().stream().text().collect().await;
    let text: String = text
        .into_iter()
        .map(|piece| piece.unwrap().to_string())
        .collect();
    assert_eq!(text, GOOD);

    let request = ChatClient::create(model()).prompt("Weather?");
    let live = request.entity::<Forecast>().stream().text_live();
    let live: Vec<_> = live.collect().await;
    let live: String = live
        .into_iter()
        .map(|piece| piece.unwrap().to_string())
        .collect();
    assert_eq!(live, format!("{BAD}{GOOD}"));
}

#[tokio::test]
async fn the_rounds_of_tools_stream_as_ever() {
    let model = ScriptedModel::new()
        .replies(Reply::text("Let me look.").and_call("look", "{}"))
        .says(BAD)
        .says(GOOD);
    let (client, runs) = looking(model);
    let request = client.build().unwrap().prompt("Weather?");
    let sent = Way::Stream.send(&validated(&request)).await;
    assert_eq!(sent.deltas(), ["Let me look.", BAD, GOOD]);
    let rejected = |event: &&ChatEvent| matches!(event, ChatEvent::AnswerRejected { round: 2, .. });
    assert_eq!(sent.events.iter().filter(rejected).count(), 1);
    assert_eq!(runs.count(), 1);
}
