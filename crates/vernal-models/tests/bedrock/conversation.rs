//! A whole turn with two tools, through a client: unary and streamed, the requests the same.

use std::sync::Arc;

use serde_json::{Value, json};
use vernal_core::client::ChatClient;
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_models::bedrock::{AwsCredentials, BedrockChatModel};

use crate::HELLO;
use crate::frames::{chunks, events, head};
use crate::support::server::{Server, Step, events_end, json as answer};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct City {
    city: String,
}

fn client(server: &Server) -> ChatClient {
    let model = BedrockChatModel::builder()
        .base_url(server.url.trim_end_matches("/v1"))
        .region("us-east-1")
        .credentials(AwsCredentials::new("AKID", "secret"))
        .model("m")
        .build()
        .unwrap();
    ChatClient::create(model)
}

fn two_tools() -> Vec<Arc<dyn ToolCallback>> {
    let weather =
        FunctionToolCallback::builder("weather", |City { city }: City| format!("{city}: sunny"));
    let now = FunctionToolCallback::builder("now", || "09:30");
    vec![
        Arc::new(weather.build().unwrap()),
        Arc::new(now.build().unwrap()),
    ]
}

const THOUGHT: &str =
    r#"{"reasoningContent":{"reasoningText":{"text":"Two calls.","signature":"c2ln"}}}"#;

fn asking() -> Vec<Step> {
    let content = format!(
        r#"[{THOUGHT},{{"toolUse":{{"toolUseId":"tooluse_a","name":"weather","input":{{"city":"서울"}}}}}},{{"toolUse":{{"toolUseId":"tooluse_b","name":"now","input":{{}}}}}}]"#
    );
    let body = HELLO
        .replace(r#"[{"text":"Hello."}]"#, &content)
        .replace("end_turn", "tool_use");
    answer(200, &body)
}

fn asking_in_pieces() -> Vec<Step> {
    in_pieces(&[
        ("messageStart", r#"{"role":"assistant"}"#),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"Two calls."}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"reasoningContent":{"signature":"c2ln"}}}"#,
        ),
        ("contentBlockStop", r#"{"contentBlockIndex":0}"#),
        (
            "contentBlockStart",
            r#"{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"tooluse_a","name":"weather"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"city\":"}}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":1,"delta":{"toolUse":{"input":"\"서울\"}"}}}"#,
        ),
        ("contentBlockStop", r#"{"contentBlockIndex":1}"#),
        (
            "contentBlockStart",
            r#"{"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"tooluse_b","name":"now"}}}"#,
        ),
        ("contentBlockStop", r#"{"contentBlockIndex":2}"#),
        ("messageStop", r#"{"stopReason":"tool_use"}"#),
        crate::METADATA,
    ])
}

fn saying_in_pieces() -> Vec<Step> {
    in_pieces(&[
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"text":"Hel"}}"#,
        ),
        (
            "contentBlockDelta",
            r#"{"contentBlockIndex":0,"delta":{"text":"lo."}}"#,
        ),
        crate::STOP,
        crate::METADATA,
    ])
}

fn in_pieces(all: &[(&str, &str)]) -> Vec<Step> {
    let mut script = vec![head()];
    script.extend(chunks(&events(all), 37));
    script.push(events_end());
    script
}

fn bodies(server: &Server) -> Vec<Value> {
    let requests = server.requests();
    let body = |request: &String| request.split_once("\r\n\r\n").unwrap().1.to_owned();
    let bodies = requests.iter().map(body);
    bodies
        .map(|body| serde_json::from_str(&body).unwrap())
        .collect()
}

#[tokio::test]
async fn two_tools_are_called_and_the_answers_go_back_in_one_turn() {
    let unary = Server::start([asking(), answer(200, HELLO)]).await;
    let prompt = client(&unary)
        .prompt("Weather and time?")
        .tools(two_tools());
    assert_eq!(prompt.call().await.unwrap().content(), "Hello.");

    let streamed = Server::start([asking_in_pieces(), saying_in_pieces()]).await;
    let prompt = client(&streamed)
        .prompt("Weather and time?")
        .tools(two_tools());
    let answer = prompt.stream().response().await.unwrap();
    assert_eq!(answer.content(), "Hello.");

    let (unary, streamed) = (bodies(&unary), bodies(&streamed));
    assert_eq!(unary, streamed);
    let [first, second] = &unary[..] else {
        panic!("{unary:?}");
    };
    assert_eq!(first["toolConfig"], second["toolConfig"]);
    let thought: Value = serde_json::from_str(THOUGHT).unwrap();
    assert_eq!(
        second["messages"],
        json!([
            {"role": "user", "content": [{"text": "Weather and time?"}]},
            {"role": "assistant", "content": [
                thought,
                {"toolUse": {"toolUseId": "tooluse_a", "name": "weather", "input": {"city": "서울"}}},
                {"toolUse": {"toolUseId": "tooluse_b", "name": "now", "input": {}}},
            ]},
            {"role": "user", "content": [
                {"toolResult": {"toolUseId": "tooluse_a", "content": [{"text": "서울: sunny"}]}},
                {"toolResult": {"toolUseId": "tooluse_b", "content": [{"text": "09:30"}]}},
            ]},
        ])
    );
}
