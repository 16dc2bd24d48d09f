//! One small answer for each odd shape.

use vernal_core::message::FinishReason;
use vernal_core::model::{ChatModel, ChatOptions, ModelError, Prompt};

use crate::model;
use crate::support::canned::Canned;
use crate::support::tools;
use crate::support::view::{Told, View, collect, view};

/// What a stream of these lines tells and gives, however it is cut; a call that gets it gives the same.
async fn heard(lines: &[&str]) -> (Told, Result<View, ModelError>) {
    let mut all = Vec::new();
    for end in ["\n", "\r\n\r\n"] {
        let canned = Canned::new(lines.join(end));
        for piece in [1, 7, usize::MAX] {
            let model = model(&canned.clone().in_pieces(piece));
            let (told, end) = collect(model.stream("hi".into())).await;
            all.push((told, end.map(|response| view(&response))));
        }
        let called = model(&canned).call("hi".into()).await;
        let (_, streamed) = all.last().unwrap();
        assert_eq!(
            streamed.as_ref().ok(),
            called.ok().map(|response| view(&response)).as_ref()
        );
    }
    let first = all.swap_remove(0);
    for other in all {
        assert_eq!(first.0, other.0);
        assert_eq!(
            first.1.as_ref().map_err(ToString::to_string),
            other.1.as_ref().map_err(ToString::to_string)
        );
    }
    first
}

const DONE: &str = r#"{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}"#;

#[tokio::test]
async fn what_is_no_call_is_passed_over() {
    let (told, end) = heard(&[
        r#"{"message":{"tool_calls":[{"function":{"name":""}},{},7,{"function":{"name":"now"}}]},"done":false}"#,
        DONE,
    ])
    .await;
    assert_eq!(end.unwrap().calls.len(), 1);
    assert_eq!(told.events, ["call 0 - now"]);
}

#[tokio::test]
async fn a_stream_that_is_cut_is_no_answer() {
    let (told, end) = heard(&[r#"{"message":{"content":"Hel"},"done":false}"#]).await;
    assert_eq!(told.text, "Hel");
    // A call cannot tell one line from a whole answer; the stream can.
    let two = r#"{"message":{"content":"lo"},"done":false}"#;
    let (_, more) = heard(&[two, two]).await;
    for error in [end.unwrap_err(), more.unwrap_err()] {
        assert!(error.is_connection(), "{error}");
    }
}

#[tokio::test]
async fn reasons_to_end() {
    for (said, expected) in [
        (r#","done_reason":"stop""#, Some(FinishReason::Stop)),
        (r#","done_reason":"length""#, Some(FinishReason::Length)),
        (
            r#","done_reason":"load""#,
            Some(FinishReason::Other("load".into())),
        ),
        (r#","done_reason":"""#, None),
        ("", None),
    ] {
        let line = format!(r#"{{"message":{{"content":"a"}},"done":true{said}}}"#);
        let view = heard(&[&line]).await.1.unwrap();
        assert_eq!(view.finish, expected);
        assert_eq!(view.usage, None);
    }
}

#[tokio::test]
async fn bodies_that_are_no_answer() {
    for (body, said) in [
        ("", "empty"),
        ("<html>", "HTML"),
        ("Ollama is running", "is no JSON"),
        (r#"{"ok":true}"#, "`message`"),
        (r#"{"error":{"message":"m"}}"#, ": m"),
        ("\u{feff}[1]", "`message`"),
    ] {
        let canned = Canned::new(body);
        let error = model(&canned).call("hi".into()).await.unwrap_err();
        assert!(error.to_string().contains(said), "{body}: {error}");
        let (_, end) = collect(model(&canned).stream("hi".into())).await;
        end.unwrap_err();
    }
    // One value over several lines.
    let pretty = "{\n \"message\": {\n  \"content\": \"a\"}\n}";
    let answer = model(&Canned::new(pretty)).call("hi".into()).await.unwrap();
    assert_eq!(view(&answer).text, "a");
}

#[tokio::test]
async fn an_answer_is_sent_back_as_it_came() {
    let line = r#"{"message":{"content":"a","thinking":"Hm.","tool_calls":[{"id":"x","function":{"name":"now","arguments":{"z":1,"a":2}}}]},"done":true}"#;
    let canned = Canned::new(line);
    let options = ChatOptions::builder()
        .tool_callbacks(tools(&["now"]))
        .unwrap()
        .build();
    let answer = model(&canned)
        .call(Prompt::new("hi", options))
        .await
        .unwrap();
    let message = (*answer.generations[0].message).clone();
    model(&canned)
        .call(Prompt::new(message, ChatOptions::default()))
        .await
        .unwrap();
    assert!(canned.last_sent().contains(
        r#"[{"role":"assistant","content":"a","thinking":"Hm.","tool_calls":[{"id":"x","function":{"name":"now","arguments":{"z":1,"a":2}}}]},"#
    ));
}

#[tokio::test]
async fn texts_are_joined_where_they_were_cut() {
    let line = |message: &str| format!(r#"{{"message":{message},"done":false}}"#);
    let (told, end) = heard(&[
        &line(r#"{"content":"","thinking":"a\ud83d"}"#),
        &line(r#"{"content":"b\ud83d","thinking":"\ude00"}"#),
        &line(r#"{"content":"\ude00"}"#),
        &line(r#"{"content":"\ud83d"}"#),
        DONE,
    ])
    .await;
    let view = end.unwrap();
    assert_eq!((&*view.reasoning, &*view.text), ("a😀", "b😀\u{fffd}"));
    assert_eq!((told.reasoning, told.text), (view.reasoning, view.text));
}

#[tokio::test]
async fn numbers_that_are_none_cost_no_answer() {
    let odd = r#"{"rate":NaN,"message":{"content":"a","tool_calls":[{"function":{"name":"f","arguments":{"n":NaN}}}]},"done":false}"#;
    let (told, end) = heard(&[odd, DONE]).await;
    assert_eq!(told.text, "a");
    assert_eq!(end.unwrap().calls[0].2, r#"{"n":"NaN"}"#);
}

#[tokio::test]
async fn an_answer_has_at_most_4096_calls() {
    let calls = vec![r#"{"function":{"name":"f"}}"#; 4097].join(",");
    let line = format!(r#"{{"message":{{"tool_calls":[{calls}]}},"done":true}}"#);
    let (_, end) = heard(&[&line]).await;
    let error = end.unwrap_err();
    assert!(
        error.to_string().contains("more than 4096 tool calls"),
        "{error}"
    );
}
