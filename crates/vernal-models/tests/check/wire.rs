//! Strict mode on the wire.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::model::{ChatModel, Prompt};
use vernal_core::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolFuture, ToolInput, ToolOutput,
};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile};

use crate::support::canned::Canned;
use crate::{offering, tool};

#[tokio::test]
async fn sch_8_strict_mode_is_sent_where_it_can_be_had() {
    const HELLO: &str = r#"{"choices":[{"message":{"content":"Hi."}}]}"#;
    let city = json!({"type": "object", "properties": {"city": {"type": "string"}},
        "required": [], "additionalProperties": false});
    let map = json!({"type": "object", "properties": {"labels": {"type": "object",
        "additionalProperties": {"type": "string"}}}, "required": ["labels"], "additionalProperties": false});
    let options = offering(vec![tool("city", &city), tool("map", &map)]);
    let canned = Canned::new(HELLO);
    let model = OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .profile(OpenAiProfile::OPENAI)
        .strict_tools(true)
        .model("m")
        .transport(canned.clone())
        .build()
        .unwrap();
    for _ in 0..2 {
        model
            .call(Prompt::new("hi", options.clone()))
            .await
            .unwrap();
    }
    let sent = canned.sent.lock().unwrap().clone();
    assert_eq!(sent[0], sent[1]);
    let request: Value = serde_json::from_str(&sent[0]).unwrap();
    let [city_sent, map_sent] = [0, 1].map(|at| &request["tools"][at]["function"]);
    assert_eq!(city_sent["strict"], true);
    assert_eq!(
        city_sent["parameters"]["properties"]["city"]["type"],
        json!(["string", "null"])
    );
    assert_eq!(
        (&map_sent["strict"], &map_sent["parameters"]),
        (&json!(false), &map)
    );

    let answer = r#"{"content":[{"type":"text","text":"Hi."}],"usage":{}}"#;
    let canned = Canned::new(answer);
    let model = AnthropicChatModel::builder()
        .base_url("http://127.0.0.1:1")
        .model("m");
    let model = model
        .strict_tools(true)
        .transport(canned.clone())
        .build()
        .unwrap();
    model.call(Prompt::new("hi", options)).await.unwrap();
    let request: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    assert_eq!(request["tools"][0]["strict"], true);
    assert_eq!(request["tools"][0]["input_schema"], city);
    assert_eq!(request["tools"][1].get("strict"), None);
}

/// `null` for what need not be there comes back from strict mode, and the tool sees that it is absent.
#[tokio::test]
async fn sch_8_a_tool_gets_no_null_that_strict_mode_asked_for() {
    let called = r#"{"choices":[{"message":{"tool_calls":[{"id":"1","type":"function","function":
        {"name":"city","arguments":"{\"city\":null,\"days\":2}"}}]},"finish_reason":"tool_calls"}]}"#;
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["days"], "additionalProperties": false});
    let seen = Arc::new(Mutex::new(Vec::new()));
    let tool = Seeing(
        tool("city", &schema).tool_definition().clone(),
        seen.clone(),
    );
    let model = OpenAiChatModel::builder()
        .base_url("http://127.0.0.1:1/v1")
        .profile(OpenAiProfile::OPENAI)
        .strict_tools(true)
        .model("m")
        .transport(Canned::new(called))
        .build()
        .unwrap();
    let manager = ToolCallingManager::builder().max_rounds(2).build().unwrap();
    let client = ChatClient::builder(model)
        .tool_calling_manager(manager)
        .build()
        .unwrap();
    let _ = client.prompt("hi").tools(tool).call().await;
    assert_eq!(seen.lock().unwrap()[0], r#"{"days":2}"#);
}

/// A tool that notes what it is given.
struct Seeing(ToolDefinition, Arc<Mutex<Vec<String>>>);

impl ToolCallback for Seeing {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, input: ToolInput, _: ToolContext) -> ToolFuture<'a> {
        self.1.lock().unwrap().push(input.as_str().to_owned());
        Box::pin(async { Ok(ToolOutput::from_text("ok")) })
    }
}
