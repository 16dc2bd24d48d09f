//! What compatible servers send.

use vernal_core::message::FinishReason;
use vernal_core::model::{ChatModel, ModelErrorKind};
use vernal_models::openai::OpenAiProfile;

use crate::support::canned::Canned;
use crate::support::view::{collect, view};
use crate::{call, called, calls, deltas, heard, message, streamed};

#[tokio::test]
async fn every_index_0() {
    let got = calls(&[
        r#"{"index":0,"id":"a","function":{"name":"sum","arguments":"{\"x\":1}"}}"#,
        r#"{"index":0,"id":"b","function":{"name":"sum","arguments":"{\"x\":2}"}}"#,
    ])
    .await;
    assert_eq!(
        got,
        [call("a", "sum", "{\"x\":1}"), call("b", "sum", "{\"x\":2}")]
    );
}

#[tokio::test]
async fn a_new_id_with_each_fragment() {
    let got = calls(&[
        r#"{"index":0,"id":"1","type":"function","function":{"name":"sum","arguments":""}}"#,
        r#"{"index":0,"id":"2","type":"function","function":{"name":"","arguments":"{"}}"#,
        r#"{"index":0,"id":"3","type":"function","function":{"name":"","arguments":"}"}}"#,
    ])
    .await;
    assert_eq!(got, [call("1", "sum", "{}")]);
}

#[tokio::test]
async fn the_name_in_every_fragment() {
    let got = calls(&[
        r#"{"index":0,"id":"1","function":{"name":"terminal","arguments":"{\"c\":"}}"#,
        r#"{"index":0,"id":"1","function":{"name":"terminal","arguments":"\"ls\""}}"#,
        r#"{"index":0,"function":{"name":"terminal","arguments":"}"}}"#,
    ])
    .await;
    assert_eq!(got, [call("1", "terminal", "{\"c\":\"ls\"}")]);
}

#[tokio::test]
async fn the_id_in_every_fragment_and_a_summary_encoded_twice() {
    let got = calls(&[
        r#"{"index":0,"id":"1","function":{"name":"sum","arguments":"{\"x\":"}}"#,
        r#"{"index":0,"id":"1","function":{"name":null,"arguments":"1}"}}"#,
        r#"{"index":0,"id":"1","function":{"name":"sum","arguments":"\"{\\\"x\\\":1}\""}}"#,
    ])
    .await;
    assert_eq!(got, [call("1", "sum", "{\"x\":1}")]);
}

#[tokio::test]
async fn arguments_that_are_an_object_or_not_there() {
    let object = r#"{"index":0,"id":"1","function":{"name":"sum","arguments":{"x": 1}}}"#;
    let none = r#"{"index":1,"id":"2","function":{"name":"now"}}"#;
    let null = r#"{"index":2,"id":"3","function":{"name":"now","arguments":null}}"#;
    let expected = [
        call("1", "sum", "{\"x\": 1}"),
        call("2", "now", "{}"),
        call("3", "now", "{}"),
    ];
    assert_eq!(calls(&[object, none, null]).await, expected);
    let view = message(&format!(r#"{{"tool_calls":[{object},{none},{null}]}}"#)).await;
    assert_eq!(view.calls, expected);
}

#[tokio::test]
async fn a_whole_call_and_the_end_in_one_chunk() {
    let (_, view) = streamed(&[
        r#"{"choices":[{"delta":{"role":"assistant","content":""}}]}"#,
        r#"{"choices":[{"delta":{"content":"","tool_calls":[{"id":"abcdefghi","function":{"name":"sum","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}"#,
    ])
    .await;
    assert_eq!(view.calls, [call("abcdefghi", "sum", "{}")]);
    assert_eq!(
        (view.usage.unwrap().total_tokens, view.parts),
        (2, vec!["call".to_owned()])
    );
}

#[tokio::test]
async fn a_cut_call_stays_as_it_came() {
    for arguments in ["", "{\\\"x\\\":"] {
        let body = format!(
            r#"{{"choices":[{{"message":{{"tool_calls":[{{"id":"a","function":{{"name":"sum","arguments":"{arguments}"}}}}]}},"finish_reason":"length"}}]}}"#
        );
        let view = called(&body).await;
        assert_eq!(view.finish, Some(FinishReason::Length));
        assert_eq!(view.calls, [call("a", "sum", &arguments.replace('\\', ""))]);
        // A router hides the cut, but tells what the server behind it said.
        let hidden = body.replace(
            r#""finish_reason":"length""#,
            r#""finish_reason":"tool_calls","native_finish_reason":"max_output_tokens""#,
        );
        assert_eq!(called(&hidden).await, view);
    }
}

#[tokio::test]
async fn no_reason_at_the_end() {
    for reason in ["", r#","finish_reason":null"#, r#","finish_reason":"""#] {
        let view = called(&format!(
            r#"{{"choices":[{{"message":{{"content":"a"}}{reason}}}]}}"#
        ))
        .await;
        assert_eq!((view.text.as_str(), view.finish), ("a", None));
    }
    let (_, view) = deltas(&[r#"{"content":"a"}"#]).await;
    assert_eq!(view.finish, None);
    let odd = called(r#"{"choices":[{"message":{"content":"a"},"finish_reason":"tired"}]}"#).await;
    assert_eq!(odd.finish, Some(FinishReason::Other("tired".into())));
}

#[tokio::test]
async fn a_call_that_the_server_could_not_read() {
    let body = r#"{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=sum>"}}"#;
    let error = Canned::new(body)
        .with_status(400)
        .model()
        .call("hi".into())
        .await
        .unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ModelErrorKind::InvalidRequest, Some("tool_use_failed"))
    );
    let stream = Canned::new(format!("event: error\ndata: {body}\n\n"))
        .model()
        .stream("hi".into());
    let error = collect(stream).await.1.unwrap_err();
    assert_eq!(error.code(), Some("tool_use_failed"));
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
