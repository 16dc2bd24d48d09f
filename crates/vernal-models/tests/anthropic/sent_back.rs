//! What the provider wants back: its own blocks, as they came and where they stood.

use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use vernal_core::message::{
    Message, Part, PartContent, ProviderData, Role, ToolContent, ToolResponse,
};
use vernal_core::model::{ChatOptions, Prompt};

use crate::{answer, sent, stream_of, turns_of, whole_stream};

const CONTENT: &str = concat!(
    r#"[{"type":"thinking","thinking":"Hm.","signature":"sig/1=="},"#,
    r#"{"type":"redacted_thinking","data":"EjQ="},"#,
    r#"{"type":"text","text":"So.","citations":[{"type":"char_location", "x":1.50}]},"#,
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"x"}},"#,
    r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"b":1,"a":2}]},"#,
    r#"{"type":"text","text":"I look."},"#,
    r#"{"type":"tool_use","id":"toolu_a","name":"now","input":{}}]"#,
);

#[tokio::test]
async fn an_answer_goes_back_byte_for_byte() {
    let answer = answer(CONTENT, "tool_use").await;
    let message = answer.generations[0].message.clone();
    let call = message.tool_calls().next().unwrap().clone();
    let result = ToolResponse::success(&call, vec![ToolContent::Text("09:30".into())]);
    // Stored and read again, it is the same.
    let stored = serde_json::to_string(&*message).unwrap();
    let read: Message = serde_json::from_str(&stored).unwrap();
    let messages = vec![Message::user("hi"), read, Message::tool([result])];
    let sent = sent(Prompt::new(messages, ChatOptions::default())).await;
    assert!(
        sent.contains(&format!(r#"{{"role":"assistant","content":{CONTENT}}}"#)),
        "{sent}"
    );
}

#[tokio::test]
async fn a_streamed_thought_goes_back_too() {
    let canned = whole_stream(
        &[
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"\"Hm\"\n"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"a","name":"now","input":{}}}"#,
        ],
        "tool_use",
    );
    let (_, end) = stream_of(&canned).await;
    let message = (*end.unwrap().generations[0].message).clone();
    let turns = turns_of(vec![message]).await;
    assert_eq!(
        turns[0]["content"][0],
        json!({"type": "thinking", "thinking": "\"Hm\"\n", "signature": "sig"})
    );
    assert_eq!(turns[0]["content"][1]["id"], "a");
}

#[tokio::test]
async fn the_caller_of_a_call_goes_back() {
    let caller = json!({"type": "code_execution_20250825", "tool_id": "srvtoolu_1"});
    let content =
        json!([{"type": "tool_use", "id": "a", "name": "now", "input": {}, "caller": caller}]);
    let answer = answer(&content.to_string(), "tool_use").await;
    let message = (*answer.generations[0].message).clone();
    assert_eq!(turns_of(vec![message]).await[0]["content"], content);
}

#[tokio::test]
async fn thoughts_of_others_and_changed_texts_do_not_pass_for_ours() {
    let of = |provider: &'static str, content: PartContent, data: Value| {
        Part::from(content)
            .with_provider_data(ProviderData::new(provider, to_raw_value(&data).unwrap()))
    };
    let thought = json!({"type": "thinking", "thinking": "Hm.", "signature": "s"});
    let cited = json!({"type": "text", "text": "Before.", "citations": [{}]});
    let message = Message::new(
        Role::Assistant,
        vec![
            of("openai", PartContent::Reasoning("Hm.".into()), thought),
            PartContent::Reasoning("Nobody's.".into()).into(),
            of("anthropic", PartContent::Text("After.".into()), cited),
            of(
                "anthropic",
                PartContent::Opaque,
                json!({"type": "tool_use", "id": "x"}),
            ),
            of("anthropic", PartContent::Opaque, json!([{"type": "text"}])),
            of("anthropic", PartContent::Opaque, json!("x")),
        ],
    );
    let turns = turns_of(vec![message]).await;
    assert_eq!(
        turns[0]["content"],
        json!([{"type": "text", "text": "After."}])
    );
}
