//! Tools in requests: which are on offer, which have to be called, and how they are named.

use serde_json::{Value, json};
use vernal_core::message::{Message, ToolCall, ToolContent, ToolResponse};
use vernal_core::model::{ChatModel, ChatOptions, Prompt, ToolChoice};

use crate::model::{builder, model};
use crate::support::canned::Canned;
use crate::support::tools;
use crate::{HELLO, asks, called, sent};

async fn tool_config(prompt: Prompt) -> Value {
    serde_json::from_str::<Value>(&sent(prompt).await).unwrap()["toolConfig"].take()
}

fn offering(names: &[&str], choice: ToolChoice) -> ChatOptions {
    let options = ChatOptions::builder().tool_choice(choice);
    options.tool_callbacks(tools(names)).unwrap().build()
}

fn past_call() -> Vec<Message> {
    let call = ToolCall::new("a", "f", "{}");
    let result = ToolResponse::success(&call, vec![ToolContent::Text("done".into())]);
    vec![Message::user("x"), asks(&[&call]), Message::tool([result])]
}

#[tokio::test]
async fn choices_that_the_server_has_a_word_for() {
    for (choice, word) in [
        (ToolChoice::Auto, Value::Null),
        (ToolChoice::Required, json!({"any": {}})),
        (ToolChoice::Tool("b".into()), json!({"tool": {"name": "b"}})),
    ] {
        let config = tool_config(Prompt::new("hi", offering(&["a", "b"], choice))).await;
        assert_eq!(config["tools"].as_array().unwrap().len(), 2);
        assert_eq!(config["toolChoice"], word);
    }
}

#[tokio::test]
async fn only_the_tools_of_a_choice_among_them_are_sent() {
    for (required, word) in [(false, Value::Null), (true, json!({"any": {}}))] {
        let tools = ["b".into()].into();
        let choice = ToolChoice::Allowed { tools, required };
        let config = tool_config(Prompt::new("hi", offering(&["a", "b"], choice))).await;
        assert_eq!(config["tools"].as_array().unwrap().len(), 1);
        assert_eq!(config["tools"][0]["toolSpec"]["name"], "b");
        assert_eq!(config["toolChoice"], word);
    }
    let options = offering(&["a"], ToolChoice::allowed(["b"]));
    let error = model(&Canned::new(HELLO))
        .call(Prompt::new("hi", options))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("`b`"), "{error}");
}

#[tokio::test]
async fn no_tool_means_no_tools_unless_there_are_calls() {
    let none = || offering(&["a", "b"], ToolChoice::None);
    assert_eq!(tool_config(Prompt::new("hi", none())).await, Value::Null);
    // With calls in the conversation, the server wants to see tools.
    let config = tool_config(Prompt::new(past_call(), none())).await;
    assert_eq!(config["tools"].as_array().unwrap().len(), 2);
    assert_eq!(config["toolChoice"], Value::Null);
}

#[tokio::test]
async fn a_conversation_with_calls_and_no_tools_gets_one_that_stands_in() {
    let config = tool_config(Prompt::new(past_call(), ChatOptions::default())).await;
    let tools = config["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 1);
    assert_eq!(tools[0]["toolSpec"]["name"], "no_tool_is_available");
    assert_eq!(
        tools[0]["toolSpec"]["inputSchema"]["json"],
        json!({"type": "object"})
    );
    assert_eq!(config["toolChoice"], Value::Null);
    // A choice without tools to choose from is not sent.
    let required = ChatOptions::builder()
        .tool_choice(ToolChoice::Required)
        .build();
    let config = tool_config(Prompt::new(past_call(), required)).await;
    assert_eq!(config["toolChoice"], Value::Null);
    let config = tool_config(Prompt::new("hi", ChatOptions::default())).await;
    assert_eq!(config, Value::Null);
}

#[tokio::test]
async fn def_2_names_are_mapped_and_come_back() {
    let long = "n".repeat(65);
    let names = ["날씨", "get.weather", "get_weather", &long, "a-b_C9"];
    let prompt = Prompt::new("hi", offering(&names, ToolChoice::Auto));
    let config = tool_config(prompt.clone()).await;
    let wires: Vec<&str> = config["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["toolSpec"]["name"].as_str().unwrap())
        .collect();
    for (name, wire) in names.iter().zip(&wires) {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        assert!(
            (1..=64).contains(&wire.len()) && wire.chars().all(fits),
            "{wire}"
        );
        let body = HELLO.replace(
            r#"{"text":"Hello."}"#,
            &format!(r#"{{"toolUse":{{"toolUseId":"a","name":"{wire}","input":{{}}}}}}"#),
        );
        let answer = model(&Canned::new(body))
            .call(prompt.clone())
            .await
            .unwrap();
        assert_eq!(&*answer.tool_calls().next().unwrap().name, *name);
    }
    let unknown = called(
        r#"[{"toolUse":{"toolUseId":"a","name":"nobody","input":null}}]"#,
        "tool_use",
    );
    assert_eq!(unknown.await.calls, [crate::call("a", "nobody", "{}")]);
}

#[tokio::test]
async fn fields_and_tools_of_the_provider_are_added() {
    let canned = Canned::new(HELLO);
    let model = builder(&canned)
        .tool_field("a", "strict", true)
        .system_tool("nova_grounding")
        .build()
        .unwrap();
    let prompt = Prompt::new("hi", offering(&["a", "b"], ToolChoice::Required));
    model.call(prompt).await.unwrap();
    let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    let tools = &sent["toolConfig"]["tools"];
    assert_eq!(tools[0]["toolSpec"]["strict"], true);
    assert_eq!(tools[1]["toolSpec"].get("strict"), None);
    assert_eq!(tools[2], json!({"systemTool": {"name": "nova_grounding"}}));
    model.call("hi".into()).await.unwrap();
    let alone: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    assert_eq!(
        alone["toolConfig"],
        json!({"tools": [{"systemTool": {"name": "nova_grounding"}}]})
    );
}

#[tokio::test]
async fn a_tool_config_of_ones_own_takes_the_place_of_ours() {
    let own = json!({"tools": [{"toolSpec": {"name": "own"}}]});
    let options = ChatOptions::builder()
        .tool_callbacks(tools(&["a"]))
        .unwrap()
        .extra("toolConfig", own.clone());
    assert_eq!(tool_config(Prompt::new("hi", options.build())).await, own);
}

#[tokio::test]
async fn arguments_that_are_no_object_are_wrapped_on_their_way_back() {
    let call = ToolCall::new("a", "f", "{\"cut");
    let turns = crate::turns_of(vec![Message::user("x"), asks(&[&call])]).await;
    let input = &turns[1]["content"][0]["toolUse"]["input"];
    assert_eq!(*input, json!({"_invalid_arguments": "{\"cut"}));
}
