//! Answers that come in one piece.

use serde_json::json;
use vernal_core::message::FinishReason;
use vernal_core::model::{ChatModel, ChatOptions, Prompt};

use crate::model::model;
use crate::support::canned::Canned;
use crate::support::tools;
use crate::view;
use crate::{HELLO, answer, call, called};

#[tokio::test]
async fn a_plain_answer() {
    let answer = model(&Canned::new(HELLO)).call("hi".into()).await.unwrap();
    let view = view(&answer);
    assert_eq!(view.text, "Hello.");
    assert_eq!(view.finish, Some(FinishReason::Stop));
    assert_eq!(view.parts, ["text"]);
    assert_eq!(
        (view.id.as_deref(), view.model.as_deref()),
        (Some("msg_1"), Some("m"))
    );
    assert_eq!(answer.usage().total_tokens, 5);
    assert!(answer.generations[0].metadata.is_empty());
}

#[tokio::test]
async fn what_only_the_provider_understands_is_kept_as_it_came() {
    let blocks = [
        r#"{"type":"redacted_thinking","data":"EjQ="}"#,
        r#"{"type":"thinking","thinking":"","signature":"sig"}"#,
        r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}}"#,
        r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"b":1,"a":2.50}]}"#,
        r#"{"type":"tool_search_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"now"}]}}"#,
        r#"{"type":"from_the_future","x":[]}"#,
    ];
    let view = called(&format!("[{}]", blocks.join(",")), "end_turn").await;
    assert_eq!(view.parts, blocks.map(|block| format!("opaque {block}")));
    assert!(view.calls.is_empty() && view.text.is_empty() && view.reasoning.is_empty());
    assert_eq!(view.finish, Some(FinishReason::Stop));
}

#[tokio::test]
async fn citations_stay_with_their_text() {
    let cited = r#"{"type":"text","text":"So it is.","citations":[{"type":"char_location"}]}"#;
    let content = format!(r#"[{{"type":"text","text":"Look: ","citations":null}},{cited}]"#);
    let view = called(&content, "end_turn").await;
    assert_eq!(view.text, "Look: So it is.");
    assert_eq!(view.parts, ["text".to_owned(), format!("text {cited}")]);
}

#[tokio::test]
async fn reasons_to_end() {
    for (name, reason) in [
        ("end_turn", FinishReason::Stop),
        ("stop_sequence", FinishReason::Stop),
        ("tool_use", FinishReason::ToolCalls),
        ("max_tokens", FinishReason::Length),
        ("model_context_window_exceeded", FinishReason::Length),
        ("pause_turn", FinishReason::Pause),
        ("refusal", FinishReason::Refusal),
        ("compaction", FinishReason::Other("compaction".into())),
    ] {
        let view = called(r#"[{"type":"text","text":"a"}]"#, name).await;
        assert_eq!(view.finish, Some(reason), "{name}");
    }
    // Calls are calls, whatever the reason says.
    let content = r#"[{"type":"tool_use","id":"a","name":"now","input":{}}]"#;
    let view = called(content, "end_turn").await;
    assert_eq!(view.finish, Some(FinishReason::ToolCalls));
}

#[tokio::test]
async fn facts_about_the_end_are_told_by_name() {
    let body = r#"{"type":"message","content":[],"stop_reason":"stop_sequence","stop_sequence":"END",
        "stop_details":{"type":"refusal","category":"x"},"container":{"id":"container_1"}}"#;
    let answer = model(&Canned::new(body)).call("hi".into()).await.unwrap();
    let facts = &answer.generations[0].metadata;
    assert_eq!(facts["stop_sequence"], "END");
    assert_eq!(facts["stop_details"]["category"], "x");
    assert_eq!(facts["container"], json!({"id": "container_1"}));
    assert_eq!(answer.metadata.usage, None);
}

#[tokio::test]
async fn names_of_any_script_come_back() {
    let content = r#"[{"type":"tool_use","id":"a","name":"tool_1696e60650d8809b","input":{}}]"#;
    let canned = Canned::new(format!(r#"{{"type":"message","content":{content}}}"#));
    let options = ChatOptions::builder()
        .tool_callbacks(tools(&["now", "날씨_조회"]))
        .unwrap();
    let answer = model(&canned)
        .call(Prompt::new("hi", options.build()))
        .await;
    assert_eq!(view(&answer.unwrap()).calls, [call("a", "날씨_조회", "{}")]);
}

#[tokio::test]
async fn odd_blocks_spoil_nothing() {
    let view = called(
        r#"[null, 7, "x", [], {}, {"type":5}, {"type":"text"}, {"type":"text","text":null},
            {"type":"thinking"}, {"type":"tool_use"}, {"type":"tool_use","name":"now"},
            {"type":"tool_use","id":"c","name":"now","input":null},
            {"type":"tool_use","id":"c","name":"now","input":"{\"x\":1}"},
            {"type":"text","text":"a"}]"#,
        "tool_use",
    )
    .await;
    assert_eq!(view.text, "a");
    let ids: Vec<_> = view.calls.iter().map(|(id, _, _)| id.as_str()).collect();
    assert_eq!(ids, ["call_1_0", "c", "c_2"]);
    assert_eq!(view.calls[1].2, "{}");
    assert_eq!(view.calls[2].2, r#"{"x":1}"#);
}

#[tokio::test]
async fn a_call_that_runs_through_code_keeps_its_caller() {
    let content = r#"[{"type":"tool_use","id":"a","name":"now","input":{},"caller":{"type":"direct"}},
        {"type":"tool_use","id":"b","name":"now","input":{},"caller":{"type":"code_execution_20250825","tool_id":"srvtoolu_1"}}]"#;
    let answer = answer(content, "tool_use").await;
    assert_eq!(
        view(&answer).parts,
        [
            "call",
            r#"call {"caller":{"type":"code_execution_20250825","tool_id":"srvtoolu_1"}}"#
        ]
    );
}

#[tokio::test]
async fn what_is_no_answer_is_an_error() {
    for (body, said) in [
        ("{}", "no `content`"),
        (r#"{"content":"text"}"#, "no `content`"),
        ("[]", "no `content`"),
        ("{\"content\":[", "no JSON"),
        (
            "<html>",
            "HTML page; the base URL is probably wrong: it is what stands before /v1/messages",
        ),
        ("", "is empty"),
        (
            r#"{"type":"error","error":{"type":"api_error","message":"Oops"}}"#,
            "Oops",
        ),
    ] {
        let error = model(&Canned::new(body))
            .call("hi".into())
            .await
            .unwrap_err();
        assert!(error.to_string().contains(said), "{body}: {error}");
    }
}
