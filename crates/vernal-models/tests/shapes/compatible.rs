//! What compatible servers send.

use vernal_core::message::FinishReason;
use vernal_core::model::ChatModel;
use vernal_models::openai::OpenAiProfile;

use crate::support::canned::Canned;
use crate::support::view::{collect, view};
use crate::{call, called, deltas, heard, message, streamed};

#[tokio::test]
async fn a_cut_call_stays_as_it_came() {
    let said = r#""finish_reason":"length""#;
    // A router hides the cut, but tells what the server behind it said.
    let hidden = r#""finish_reason":"tool_calls","native_finish_reason":"max_output_tokens""#;
    for (arguments, reasons) in [("", said), ("", hidden), (r#"{\"x\":"#, hidden)] {
        let body = format!(
            r#"{{"choices":[{{"message":{{"tool_calls":[{{"id":"a","function":{{"name":"sum","arguments":"{arguments}"}}}}]}},{reasons}}}]}}"#
        );
        let view = called(&body).await;
        assert_eq!(view.finish, Some(FinishReason::Length));
        assert_eq!(view.calls, [call("a", "sum", &arguments.replace('\\', ""))]);
    }
}

#[tokio::test]
async fn no_reason_at_the_end() {
    for reason in ["", r#","finish_reason":"""#] {
        let view = called(&format!(
            r#"{{"choices":[{{"message":{{"content":"a"}}{reason}}}]}}"#
        ))
        .await;
        assert_eq!((view.text.as_str(), view.finish), ("a", None));
    }
    let odd = called(r#"{"choices":[{"message":{"content":"a"},"finish_reason":"tired"}]}"#).await;
    assert_eq!(odd.finish, Some(FinishReason::Other("tired".into())));
}

#[tokio::test]
async fn the_old_function_call_counts_only_alone() {
    let old = r#""function_call":{"name":"sum","arguments":"{\"x\":1}"}"#;
    let alone = message(&format!(r#"{{"content":null,{old}}}"#)).await;
    assert_eq!(alone.calls, [call("call_1_0", "sum", "{\"x\":1}")]);
    let (_, streamed) = deltas(&[
        r#"{"function_call":{"name":"sum","arguments":""}}"#,
        r#"{"function_call":{"arguments":"{\"x\":1}"}}"#,
    ])
    .await;
    assert_eq!(streamed.calls, alone.calls);
    let new = r#""tool_calls":[{"id":"a","function":{"name":"max","arguments":"{}"}}]"#;
    assert_eq!(
        message(&format!("{{{old},{new}}}")).await.calls,
        [call("a", "max", "{}")]
    );
    let empty =
        message(r#"{"content":"a","function_call":{"name":"","arguments":""},"tool_calls":null}"#)
            .await;
    assert_eq!(empty.parts, ["text"]);
}

#[tokio::test]
async fn a_whole_answer_where_a_stream_was_asked_for_and_the_other_way_round() {
    let body = r#"{"choices":[{"message":{"content":"Hi.","tool_calls":[{"id":"a","function":{"name":"sum","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
    for piece in [5, usize::MAX] {
        let (told, view) = heard(Canned::new(body).in_pieces(piece)).await;
        assert_eq!(told.events, ["text Hi.", "call 0 a sum", "arguments 0 {}"]);
        assert_eq!(view, called(body).await);
    }
    let marked = format!("\u{feff}\n{body}");
    let (_, seen) = heard(Canned::new(marked.clone()).in_pieces(1)).await;
    assert_eq!(seen, called(&marked).await);
    let stream =
        Canned::events(&[r#"{"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}"#]);
    assert_eq!(
        view(&stream.model().call("hi".into()).await.unwrap()).text,
        "Hi."
    );
    let (_, view) =
        streamed(&[r#"{"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}"#]).await;
    assert_eq!(view.text, "Hi.");
}

#[tokio::test]
async fn names_in_pieces_where_the_profile_says_so() {
    let mut profile = OpenAiProfile::COMPATIBLE;
    profile.name_fragments = true;
    let canned = Canned::events(&[
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"get_"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"weather"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}"#,
    ]);
    let (told, end) = collect(canned.model_with(profile).stream("hi".into())).await;
    assert_eq!(told.events, ["call 0 a get_weather", "arguments 0 {}"]);
    assert_eq!(view(&end.unwrap()).calls, [call("a", "get_weather", "{}")]);
}

#[tokio::test]
async fn half_a_character_costs_no_answer() {
    let view = message(r#"{"content":"a\ud83d!"}"#).await;
    assert_eq!(view.text, "a\u{fffd}!");
}

#[tokio::test]
async fn fields_of_the_wrong_kind_count_as_absent() {
    let body = r#"{"id":7,"model":null,"created":"x","usage":"none","choices":[null,{"index":"0","message":{"content":{"x":1},"tool_calls":"none","refusal":3,"reasoning":{"a":1},"function_call":[]},"finish_reason":{"x":1}}]}"#;
    let view = called(body).await;
    assert_eq!(view.id.as_deref(), Some("7"));
    assert!(view.parts.is_empty() && view.finish.is_none() && view.usage.is_none());
}
