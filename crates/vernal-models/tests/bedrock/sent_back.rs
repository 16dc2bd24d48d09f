//! What an answer held goes back as it came, byte for byte and in its order.

use vernal_core::message::{Message, ToolContent, ToolResponse};
use vernal_core::model::{ChatModel, ChatOptions, ChatResponse, Prompt};

use crate::frames::events;
use crate::model::model;
use crate::support::canned::Canned;
use crate::support::view::collect;
use crate::{HELLO, METADATA, STOP, sent, streaming};

/// The content of the model's turn when its answer goes back, with the results of its calls.
async fn sent_back(answer: ChatResponse) -> String {
    // Through a store, as a memory would do it.
    let stored = serde_json::to_string(&*answer.generation().unwrap().message).unwrap();
    let message: Message = serde_json::from_str(&stored).unwrap();
    let done = |call| ToolResponse::success(call, vec![ToolContent::Text("done".into())]);
    let results = Message::tool(message.tool_calls().map(done));
    let messages = vec![Message::user("hi"), message, results];
    let sent = sent(Prompt::new(messages, ChatOptions::default())).await;
    let from =
        sent.find(r#""assistant","content":["#).unwrap() + r#""assistant","content":["#.len();
    let rest = &sent[from..];
    let end = rest
        .find(r#"]},{"role":"user""#)
        .unwrap_or(rest.len() - "]}]}".len());
    rest[..end].to_owned()
}

#[tokio::test]
async fn a_whole_answer() {
    let content = concat!(
        r#"{"reasoningContent":{"reasoningText":{"signature":"c2ln\/+==","text":"h\u006d"}}},"#,
        r#"{"reasoningContent":{"redactedContent":"AAAA BBB="}},"#,
        r#"{"text":"See."},"#,
        r#"{"citationsContent":{"citations":[ {"title":"t"} ],"content":[{"text":"It "},{"text":"is."}]}},"#,
        r#"{"toolUse":{"toolUseId":"s","name":"nova_grounding","input":{},"type":"server_tool_use"}},"#,
        r#"{"toolUse":{"toolUseId":"tooluse_1","name":"f","input":{"a": 1.0}}},"#,
        r#"{"reasoningContent":{"reasoningText":{"text":"between","signature":"x"}}},"#,
        r#"{"toolUse":{"toolUseId":"tooluse_2","name":"g","input":{}}}"#,
    );
    let body = HELLO.replace(r#"{"text":"Hello."}"#, content);
    let answer = model(&Canned::new(body)).call("hi".into()).await.unwrap();
    assert_eq!(sent_back(answer).await, content);
}

#[tokio::test]
async fn a_streamed_answer() {
    let stream = events(&[
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"h"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"m\n"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"c2ln/+=="}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":1,"delta":{"reasoningContent":{"redactedContent":"AAA="}}}"#,
        ),
        (
            "contentBlockStart",
            r#"{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"tooluse_1","name":"f"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":2,"delta":{"toolUse":{"input":"{\"a\": 1.0}"}}}"#,
        ),
        STOP,
        METADATA,
    ]);
    let (_, end) = collect(model(&streaming(stream)).stream("hi".into())).await;
    assert_eq!(
        sent_back(end.unwrap()).await,
        concat!(
            r#"{"reasoningContent":{"reasoningText":{"text":"hm\n","signature":"c2ln/+=="}}},"#,
            r#"{"reasoningContent":{"redactedContent":"AAA="}},"#,
            r#"{"toolUse":{"toolUseId":"tooluse_1","name":"f","input":{"a": 1.0}}}"#,
        )
    );
}

#[tokio::test]
async fn a_text_that_was_changed_goes_without_its_old_citations() {
    let content = r#"{"citationsContent":{"content":[{"text":"It is."}],"citations":[]}}"#;
    let body = HELLO.replace(r#"{"text":"Hello."}"#, content);
    let answer = model(&Canned::new(body)).call("hi".into()).await.unwrap();
    let mut changed = answer.clone();
    let text = serde_json::to_string(&*answer.generation().unwrap().message).unwrap();
    let text = text.replacen("It is.", "It was.", 1);
    changed.generations[0].message = std::sync::Arc::new(serde_json::from_str(&text).unwrap());
    assert_eq!(sent_back(answer).await, content);
    assert_eq!(sent_back(changed).await, r#"{"text":"It was."}"#);
}
