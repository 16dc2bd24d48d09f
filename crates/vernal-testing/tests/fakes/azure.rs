//! OpenAI's APIs at Azure: its paths, its key, and what its filters say.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use serde_json::{Value, json};
use vernal_core::client::ChatClient;
use vernal_core::message::{Part, PartContent, ProviderData};
use vernal_core::model::{ChatModel, ModelError, ModelErrorKind};
use vernal_models::openai::OpenAiChatModelBuilder;
use vernal_models::openai::responses::OpenAiResponsesModelBuilder;
use vernal_testing::Reply;
use vernal_testing::fake::{FakeApi, FakeServer, Script, Step};

use crate::bodies::good;
use crate::raw::Raw;
use crate::turns::tools;

const VERSION: &str = "2025-04-01-preview";

fn model(server: &FakeServer, version: Option<&str>) -> Arc<dyn ChatModel> {
    let builder = OpenAiChatModelBuilder::azure(&server.origin(), "my gpt", version);
    let model = builder.unwrap().api_key("key-0123456789").build();
    Arc::new(model.unwrap())
}

async fn answer(client: &ChatClient, streamed: bool) -> Result<String, vernal_core::Error> {
    let ran = Arc::new(AtomicUsize::new(0));
    let asked = client.prompt("Weather and time?").tools(tools(&ran));
    let answer = match streamed {
        false => asked.call().await,
        true => asked.stream().response().await,
    };
    answer.map(|answer| answer.content().to_owned())
}

/// What the filters found after the text had gone out: a chunk whose choice has no delta.
fn filtered_later() -> Part {
    let chunk = json!({
        "id": "", "object": "", "created": 0, "model": "",
        "choices": [{
            "index": 0, "finish_reason": null, "logprobs": null,
            "content_filter_results": {"hate": {"filtered": false, "severity": "safe"}},
            "content_filter_offsets": {"check_offset": 0, "start_offset": 0, "end_offset": 7},
        }],
        "usage": null,
    });
    let chunk = serde_json::value::to_raw_value(&chunk).unwrap();
    Part::from(PartContent::Opaque).with_provider_data(ProviderData::new("azure", chunk))
}

#[tokio::test]
async fn the_adapter_talks_to_either_path() {
    for (version, path) in [
        (
            Some(VERSION),
            "/openai/deployments/my%20gpt/chat/completions?api-version=2025-04-01-preview",
        ),
        (None, "/openai/v1/chat/completions"),
    ] {
        for streamed in [false, true] {
            let first = Reply::text("Let me see.")
                .and_part(filtered_later())
                .and_call("weather", r#"{"city":"Jeju"}"#)
                .and_call("time", r#"{"city":"Seoul"}"#);
            let script = Script::new()
                .then(Step::from(first).in_fragments(3))
                .says("Sunny.");
            let server = FakeServer::start(FakeApi::AzureChat, script);
            let client = ChatClient::create(model(&server, version));
            assert_eq!(
                answer(&client, streamed).await.unwrap(),
                "Sunny.",
                "{path} {streamed}"
            );
            let request = server.requests().remove(1);
            assert_eq!(request.target, path);
            assert_eq!(request.header("api-key"), Some("key-0123456789"));
            assert_eq!(request.json()["messages"][3]["role"], "tool");
            server.verify();
        }
    }
}

#[tokio::test]
async fn the_adapter_of_responses_talks_to_either_path() {
    for (version, path) in [
        (
            Some(VERSION),
            "/openai/responses?api-version=2025-04-01-preview",
        ),
        (None, "/openai/v1/responses"),
    ] {
        for streamed in [false, true] {
            let script = Script::new()
                .calls("weather", r#"{"city":"Jeju"}"#)
                .says("Sunny.");
            let server = FakeServer::start(FakeApi::AzureResponses, script);
            let builder = OpenAiResponsesModelBuilder::azure(&server.origin(), "my gpt", version);
            let model = builder.unwrap().api_key("key-0123456789").build().unwrap();
            let client = ChatClient::create(model);
            assert_eq!(
                answer(&client, streamed).await.unwrap(),
                "Sunny.",
                "{path} {streamed}"
            );
            let request = server.requests().remove(1);
            assert_eq!(request.target, path);
            assert_eq!(request.json()["model"], "my gpt");
            server.verify();
        }
    }
}

#[tokio::test]
async fn a_prompt_that_the_filters_refuse_is_told_as_such() {
    let refused = ModelError::new(ModelErrorKind::ContentFilter, "The prompt was filtered.");
    let server = FakeServer::start(
        FakeApi::AzureChat,
        Script::new().replies(Reply::error(refused)),
    );
    let client = ChatClient::create(model(&server, Some(VERSION)));
    let error = answer(&client, false).await.unwrap_err();
    let kind = error.model_error().unwrap().kind();
    assert_eq!(kind, ModelErrorKind::ContentFilter);
    server.verify();
}

#[test]
fn the_filters_speak_in_every_answer() {
    let server = FakeServer::start(FakeApi::AzureChat, Script::new().says("Good.").again());
    let mut body = good(FakeApi::AzureChat);
    body.as_object_mut().unwrap().remove("model");
    let (status, whole) = Raw::new(FakeApi::AzureChat, &body).json(&server);
    assert_eq!(
        (status, &whole["model"]),
        (200, &json!("d")),
        "the deployment"
    );
    assert_eq!(whole["prompt_filter_results"][0]["prompt_index"], 0);
    let hate = &whole["choices"][0]["content_filter_results"]["hate"];
    assert_eq!(hate["severity"], "safe");
    body["stream"] = true.into();
    let (_, text) = Raw::new(FakeApi::AzureChat, &body).send(&server);
    let first = text.lines().find_map(|line| line.strip_prefix("data: "));
    let first: Value = serde_json::from_str(first.unwrap()).unwrap();
    assert_eq!(first["choices"], json!([]));
    assert!(first["prompt_filter_results"][0]["content_filter_results"].is_object());
    server.verify();
    let api = FakeApi::AzureResponses;
    let server = FakeServer::start(api, Script::new().says("Good.").again());
    let mut body = good(api);
    let (_, whole) = Raw::new(api, &body).json(&server);
    assert_eq!(whole["content_filters"][0]["source_type"], "prompt");
    body["stream"] = true.into();
    let (_, text) = Raw::new(api, &body).send(&server);
    assert!(text.contains(r#""content_filters":null"#) && text.contains(r#""blocked":false"#));
    server.verify();
}

#[test]
fn paths_versions_and_keys_are_checked() {
    const CHAT: FakeApi = FakeApi::AzureChat;
    const RESPONSES: FakeApi = FakeApi::AzureResponses;
    let key = [("api-key", "k")].as_slice();
    let token = [("authorization", "Bearer t")].as_slice();
    let both = [("api-key", "k"), ("authorization", "Bearer k")].as_slice();
    let chat = "/openai/deployments/d/chat/completions";
    let with = |path: &str, version: &str| format!("{path}?api-version={version}");
    for (api, target, headers, status, place) in [
        (CHAT, with(chat, VERSION), key, 200, ""),
        (CHAT, with(chat, "2024-10-21"), token, 200, ""),
        (CHAT, "/openai/v1/chat/completions".into(), key, 200, ""),
        (
            CHAT,
            with("/openai/v1/chat/completions", "preview"),
            key,
            200,
            "",
        ),
        (RESPONSES, "/openai/v1/responses".into(), key, 200, ""),
        (RESPONSES, with("/openai/responses", VERSION), key, 200, ""),
        (CHAT, chat.into(), key, 404, "query api-version"),
        (CHAT, with(chat, "new"), key, 400, "query api-version"),
        (CHAT, with(chat, ""), key, 400, "query api-version"),
        (
            CHAT,
            with("/openai/v1/chat/completions", VERSION),
            key,
            400,
            "query api-version",
        ),
        (
            CHAT,
            with(chat, "2024-10-21&model=m"),
            key,
            400,
            "query model",
        ),
        (
            CHAT,
            with("/openai/deployments//chat/completions", VERSION),
            key,
            404,
            "path",
        ),
        (
            CHAT,
            with("/openai/deployments/a/b/chat/completions", VERSION),
            key,
            404,
            "path",
        ),
        (CHAT, "/v1/chat/completions".into(), key, 404, "path"),
        (
            RESPONSES,
            with("/openai/deployments/d/responses", VERSION),
            key,
            404,
            "path",
        ),
        (
            RESPONSES,
            "/openai/responses".into(),
            key,
            404,
            "query api-version",
        ),
        (CHAT, with(chat, VERSION), both, 401, "header authorization"),
        (CHAT, with(chat, VERSION), &[], 401, "header api-key"),
        (
            CHAT,
            with(chat, VERSION),
            &[("api-key", " ")],
            401,
            "header api-key",
        ),
    ] {
        let server = FakeServer::start(api, Script::new().says("Good."));
        let mut request = Raw {
            target,
            ..Raw::new(api, &good(api))
        };
        request.headers = [headers, &[("content-type", "application/json")]].concat();
        let (found, body) = request.json(&server);
        assert_eq!(found, status, "{api} {} {body}", request.target);
        let violations = server.violations();
        let place_found = violations.first().map_or("", |violation| &violation.path);
        assert_eq!(place_found, place, "{}", request.target);
        if matches!(status, 401 | 404) {
            assert_eq!(body["error"]["code"], status.to_string());
        }
    }
}
