//! Conversations that the server keeps.

use serde_json::json;
use vernal_core::message::{History, Message, ToolContent, ToolResponse};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt};
use vernal_models::openai::responses::{OpenAiResponsesModel, ResponsesState};

use crate::model::builder;
use crate::support::canned::Canned;
use crate::{HELLO, body, sent_by};

const CALL: &str = r#"[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"function_call","id":"fc_1","call_id":"call_a","name":"now","arguments":"{}"}]"#;

fn keeping(canned: &Canned) -> OpenAiResponsesModel {
    builder(canned)
        .state(ResponsesState::PreviousResponse)
        .build()
        .unwrap()
}

/// A conversation up to the result of a call, the call as it was answered.
async fn conversation(model: &OpenAiResponsesModel, options: ChatOptions) -> History {
    let mut history: History = vec![Message::system("Be brief."), Message::user("Time?")].into();
    let prompt = Prompt::new(history.clone(), options);
    let asks = model
        .call(prompt)
        .await
        .unwrap()
        .generations
        .remove(0)
        .message;
    let call = asks.tool_calls().next().unwrap().clone();
    history.push(asks);
    history.push(Message::tool([ToolResponse::success(
        &call,
        vec![ToolContent::Text("9".into())],
    )]));
    history
}

fn result() -> serde_json::Value {
    json!({"type": "function_call_output", "call_id": "call_a", "output": "9"})
}

#[tokio::test]
async fn only_what_is_new_is_sent_with_the_answer_that_it_continues() {
    let canned = Canned::new(body(CALL, "completed"));
    let model = keeping(&canned);
    let mut history = conversation(&model, ChatOptions::default()).await;
    let first: serde_json::Value = serde_json::from_str(&canned.last_sent()).unwrap();
    assert_eq!(first.get("previous_response_id"), None);
    assert_eq!((first.get("store"), first.get("include")), (None, None));

    // It is so after the conversation was stored and read.
    let stored = serde_json::to_string(&history).unwrap();
    history = serde_json::from_str(&stored).unwrap();
    let canned = Canned::new(HELLO.replace("resp_1", "resp_2"));
    let model = keeping(&canned);
    let sent = sent_by(&model, &canned, history.clone().into()).await;
    assert_eq!(sent["previous_response_id"], "resp_1");
    assert_eq!(sent["instructions"], "Be brief.");
    assert_eq!(sent["input"], json!([result()]));

    let next = model.call(history.clone().into()).await.unwrap();
    history.push(next.generations[0].message.clone());
    history.push(Message::assistant("Somebody else's words."));
    history.push(Message::user("Thanks!"));
    let sent = sent_by(&model, &canned, history.into()).await;
    assert_eq!(sent["previous_response_id"], "resp_2");
    assert_eq!(sent["input"].as_array().unwrap().len(), 2);
    assert_eq!(sent["input"][1]["content"], "Thanks!");
}

#[tokio::test]
async fn without_an_answer_of_the_server_all_is_sent() {
    let canned = Canned::new(HELLO);
    let mut history = History::from("Hi!");
    history.push(Message::assistant("Hello."));
    history.push(Message::user("And?"));
    let sent = sent_by(&keeping(&canned), &canned, history.into()).await;
    assert_eq!(sent.get("previous_response_id"), None);
    assert_eq!(sent["input"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn an_answer_that_the_server_has_no_more_is_a_clear_error() {
    let canned = Canned::new(body(CALL, "completed"));
    let history = conversation(&keeping(&canned), ChatOptions::default()).await;
    let said = r#"{"error":{"message":"Previous response with id 'resp_1' not found.","type":"invalid_request_error","param":"previous_response_id","code":"previous_response_not_found"}}"#;
    let gone = keeping(&Canned::new(said).with_status(400));
    let error = gone.call(history.clone().into()).await.unwrap_err();
    assert_eq!(error.kind(), ModelErrorKind::InvalidRequest);
    assert_eq!(error.code(), Some("previous_response_not_found"));
    assert_eq!(error.status(), Some(400));
    assert!(!error.is_retryable());
    let text = error.to_string();
    assert!(
        text.contains("resp_1") && text.contains("ResponsesState::Stateless"),
        "{text}"
    );
    // What it advises can be done with the same messages.
    let canned = Canned::new(HELLO);
    let model = builder(&canned).build().unwrap();
    let sent = sent_by(&model, &canned, history.into()).await;
    assert_eq!(sent["input"].as_array().unwrap().len(), 3);
    assert_eq!(sent["input"][1]["call_id"], "call_a");
}

#[tokio::test]
async fn a_conversation_of_the_server_gets_only_what_is_new() {
    let options = |id: serde_json::Value| ChatOptions::builder().extra("conversation", id).build();
    let canned = Canned::new(body(CALL, "completed"));
    let stateless = builder(&canned).build().unwrap();
    let history = conversation(&stateless, options(json!("conv_1"))).await;
    let canned = Canned::new(HELLO);
    let model = builder(&canned).build().unwrap();
    for (id, items) in [
        (json!("conv_1"), 1),
        (json!({"id": "conv_1"}), 1),
        (json!("conv_2"), 4),
    ] {
        let prompt = Prompt::new(history.clone(), options(id.clone()));
        let sent = sent_by(&model, &canned, prompt).await;
        assert_eq!(sent["conversation"], id);
        assert_eq!(
            (sent.get("store"), sent.get("previous_response_id")),
            (None, None)
        );
        let input = sent["input"].as_array().unwrap();
        // Reasoning that the other conversation has is no part of this one.
        assert_eq!(input.len(), if items == 4 { 3 } else { items }, "{input:?}");
    }
}

#[tokio::test]
async fn an_answer_that_the_caller_names_is_followed_by_all_messages() {
    let canned = Canned::new(body(CALL, "completed"));
    let history = conversation(&keeping(&canned), ChatOptions::default()).await;
    let canned = Canned::new(HELLO);
    let options = ChatOptions::builder()
        .extra("previous_response_id", "resp_0")
        .build();
    let sent = sent_by(&keeping(&canned), &canned, Prompt::new(history, options)).await;
    assert_eq!(sent["previous_response_id"], "resp_0");
    assert_eq!(sent["input"].as_array().unwrap().len(), 4);
}
