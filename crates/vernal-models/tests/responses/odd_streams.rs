//! Streams that are not as they should be.

use serde_json::{Value, json};
use vernal_core::model::ModelErrorKind;

use crate::pieces::{MESSAGE, added, arguments, done, event, function, text};
use crate::support::canned::Canned;
use crate::{body, call, events, stream_of, streamed, view, whole_stream};

#[tokio::test]
async fn items_that_were_never_ended() {
    let between = [
        added(0, json!({"type": "reasoning", "id": "rs_1", "summary": []})),
        event(
            "reasoning_text.delta",
            0,
            json!({"content_index": 0, "delta": "Hm."}),
        ),
        added(1, json!({"type": "message", "id": "msg_1", "content": []})),
        text(1, "So."),
        event(
            "refusal.delta",
            1,
            json!({"content_index": 1, "delta": "No"}),
        ),
        event(
            "refusal.done",
            1,
            json!({"content_index": 1, "refusal": "No"}),
        ),
        added(2, function("sum", "")),
        arguments(2, "{\"x\":1}"),
        added(3, json!({"type": "web_search_call", "id": "ws_1"})),
    ];
    let (_, view) = streamed(&between, "[]").await;
    assert_eq!((view.text.as_str(), view.refusal.as_str()), ("So.", "No"));
    assert_eq!(view.reasoning, "Hm.");
    assert_eq!(view.calls, [call("call_sum", "sum", "{\"x\":1}")]);
    // What is not whole carries nothing to be sent back.
    assert_eq!(view.parts[..3], ["reasoning", "text", "refusal"]);
    assert!(view.parts[4].starts_with("opaque {"));
}

#[tokio::test]
async fn what_is_said_only_when_it_ends() {
    let between = [
        added(0, json!({"type": "message", "id": "msg_1", "content": []})),
        event(
            "output_text.done",
            0,
            json!({"content_index": 0, "text": "A"}),
        ),
        event(
            "output_text.done",
            0,
            json!({"content_index": 1, "text": "B"}),
        ),
        added(1, function("sum", "")),
        event(
            "function_call_arguments.done",
            1,
            json!({"arguments": "{\"x\":1}"}),
        ),
        // A server that says it twice.
        event(
            "function_call_arguments.done",
            1,
            json!({"arguments": "{\"x\":1}"}),
        ),
    ];
    let (told, view) = streamed(&between, "[]").await;
    assert_eq!(
        told.events,
        [
            "text A",
            "text B",
            "call 0 call_sum sum",
            "arguments 0 {\"x\":1}"
        ]
    );
    assert_eq!(view.calls, [call("call_sum", "sum", "{\"x\":1}")]);
}

#[tokio::test]
async fn ids_that_change_and_places_that_do_not() {
    // Every event has another id: the place counts.
    let between = [
        added(0, json!({"type": "message", "id": "a", "content": []})),
        event(
            "output_text.delta",
            0,
            json!({"item_id": "b", "delta": "So"}),
        ),
        event(
            "output_text.delta",
            0,
            json!({"item_id": "c", "delta": "."}),
        ),
        done(
            0,
            r#"{"type":"message","id":"d","content":[{"type":"output_text","text":"So."}]}"#,
        ),
    ];
    let output = r#"[{"type":"message","id":"e","content":[{"type":"output_text","text":"So."}]}]"#;
    let (told, view) = streamed(&between, output).await;
    assert_eq!(told.events, ["text So", "text ."]);
    assert!(
        view.parts.len() == 1 && view.parts[0].contains(r#""id":"d""#),
        "{view:?}"
    );

    // All items have one place: the id counts.
    let delta = |id: &str, delta: &str| {
        event(
            "function_call_arguments.delta",
            0,
            json!({"item_id": id, "delta": delta}),
        )
    };
    let between = [
        added(0, function("a", "")),
        added(0, function("b", "")),
        delta("fc_b", "{\"b\":"),
        delta("fc_a", "{}"),
        delta("fc_b", "1}"),
        done(0, &function("a", "{}").to_string()),
        done(0, &function("b", "{\"b\":1}").to_string()),
    ];
    let (told, view) = streamed(&between, "[]").await;
    assert_eq!(told.arguments, ["{}", "{\"b\":1}"]);
    assert_eq!(
        view.calls,
        [call("call_a", "a", "{}"), call("call_b", "b", "{\"b\":1}")]
    );

    // There are neither.
    let bare = |event: &str| {
        let mut event: Value = serde_json::from_str(event).unwrap();
        event.as_object_mut().unwrap().remove("output_index");
        event.to_string()
    };
    let between = [
        bare(&added(0, function("a", ""))),
        bare(&arguments(0, "{\"a\":1}")),
    ];
    let (_, view) = streamed(&between, "[]").await;
    assert_eq!(view.calls, [call("call_a", "a", "{\"a\":1}")]);
}

#[tokio::test]
async fn answers_that_are_cut_off_or_fail() {
    let said = |error: &str| {
        let whole = body("[]", "failed").replace(r#""error":null"#, &format!(r#""error":{error}"#));
        format!(r#"{{"type":"response.failed","response":{whole}}}"#)
    };
    let begun = added(0, json!({"type": "message", "id": "msg_1", "content": []}));
    for (last, kind, code) in [
        (said("null"), ModelErrorKind::Server, None),
        (
            r#"{"type":"error","code":"context_length_exceeded","message":"m","param":null}"#.to_owned(),
            ModelErrorKind::ContextLength,
            Some("context_length_exceeded"),
        ),
        (
            r#"{"type":"error","error":{"type":"invalid_request_error","code":null,"message":"m"}}"#.to_owned(),
            ModelErrorKind::InvalidRequest,
            Some("invalid_request_error"),
        ),
        (text(0, "."), ModelErrorKind::Connection, None),
    ] {
        let (told, end) = stream_of(&events(&[begun.clone(), text(0, "So"), last.clone()])).await;
        let error = end.unwrap_err();
        assert!(told.text.starts_with("So"), "{last}");
        assert_eq!(error.kind(), kind, "{last}: {error}");
        if code.is_some() {
            assert_eq!(error.code(), code, "{last}");
        }
    }
    let bare = Canned::events(&[r#"{"error":{"message":"m","code":"rate_limit_exceeded"}}"#]);
    assert_eq!(
        stream_of(&bare).await.1.unwrap_err().kind(),
        ModelErrorKind::RateLimit
    );
    let ping = Canned::events(&["ping", r#"{"type":"response.in_progress"}"#]);
    // The stream ended as it should, with nothing in it.
    assert_eq!(view(&stream_of(&ping).await.1.unwrap()).text, "");
    let nothing = stream_of(&events(&[r#"{"type":"keepalive"}"#.to_owned()]))
        .await
        .1
        .unwrap_err();
    assert!(
        nothing.to_string().contains("before anything had come"),
        "{nothing}"
    );
}

#[tokio::test]
async fn half_an_answer_and_another_one_are_no_answer() {
    let created = |id: &str| {
        json!({"type": "response.created", "response": {"id": id, "output": []}}).to_string()
    };
    let item = added(0, json!({"type": "message", "id": "msg_1", "content": []}));
    let again = events(&[created("resp_1"), item, text(0, "So"), created("resp_2")]);
    let error = stream_of(&again).await.1.unwrap_err();
    assert!(error.is_connection(), "{error}");
    assert!(error.to_string().contains("another one began"), "{error}");
}

#[tokio::test]
async fn garbled_events_cost_no_more_than_themselves() {
    let between = [
        added(0, json!({"type": "message", "id": "msg_1", "content": []})),
        text(0, "I look 서울."),
        done(0, MESSAGE),
        added(1, function("sum", "")),
        arguments(1, "{}"),
        done(1, &function("sum", "{}").to_string()),
    ];
    for at in 0..between.len() {
        let event: Value = serde_json::from_str(&between[at]).unwrap();
        for name in event.as_object().unwrap().keys() {
            for other in [
                json!(null),
                json!(-1),
                json!("x"),
                json!([1]),
                json!({"x": 1}),
            ] {
                let mut between = between.clone();
                let mut event = event.clone();
                event[name] = other;
                between[at] = event.to_string();
                let canned = Canned::new(
                    whole_stream(&[], "[]")
                        .body
                        .to_vec()
                        .into_iter()
                        .chain(
                            between
                                .iter()
                                .flat_map(|e| format!("data: {e}\n\n").into_bytes()),
                        )
                        .collect::<Vec<u8>>(),
                );
                let _ = stream_of(&canned).await;
                let unnamed: String = between.iter().map(|e| format!("data: {e}\n\n")).collect();
                let _ = stream_of(&Canned::new(unnamed + "data: [DONE]\n\n")).await;
            }
        }
    }
}
