//! What is sent to servers that speak Chat Completions in their own ways: one fixture for each quirk.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use std::sync::Arc;

use serde_json::{Value, json};
use support::canned::Canned;
use support::tools;
use vernal_core::message::{Media, Message, PartContent, ToolCall, ToolContent, ToolResponse};
use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt, ToolChoice};
use vernal_core::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolError, ToolFuture, ToolInput,
};
use vernal_models::openai::{OpenAiChatModel, OpenAiChatModelBuilder, OpenAiProfile};

const HELLO: &str = r#"{"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}]}"#;

async fn sent(profile: OpenAiProfile, prompt: Prompt) -> Value {
    let canned = Canned::new(HELLO);
    canned.model_with(profile).call(prompt).await.unwrap();
    serde_json::from_str(&canned.last_sent()).unwrap()
}

fn choosing(choice: ToolChoice) -> Prompt {
    let options = ChatOptions::builder().tool_callbacks(tools(&["now", "weather"]));
    Prompt::new("hi", options.unwrap().tool_choice(choice).build())
}

fn names(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().into_iter().flatten();
    tools
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_choice_is_said_in_the_words_that_the_server_has() {
    let named = json!({"type": "function", "function": {"name": "now"}});
    let both = || vec!["now", "weather"];
    let one = ToolChoice::Tool("now".into());
    for (profile, choice, offered, said) in [
        (OpenAiProfile::OPENAI, one.clone(), both(), named.clone()),
        (
            OpenAiProfile::COMPATIBLE,
            one.clone(),
            both(),
            named.clone(),
        ),
        (
            OpenAiProfile::LLAMA_CPP,
            one.clone(),
            vec!["now"],
            json!("required"),
        ),
        (
            OpenAiProfile::LM_STUDIO,
            ToolChoice::Required,
            both(),
            json!("required"),
        ),
        (
            OpenAiProfile::MOONSHOT,
            ToolChoice::None,
            both(),
            json!("none"),
        ),
        (OpenAiProfile::OLLAMA, ToolChoice::None, vec![], Value::Null),
        (OpenAiProfile::OLLAMA, ToolChoice::Auto, both(), Value::Null),
        (
            OpenAiProfile::OPENAI,
            ToolChoice::allowed(["now"]),
            both(),
            json!({"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [named]}}),
        ),
        (
            OpenAiProfile::OPENAI,
            ToolChoice::required_of(["weather", "now"]),
            both(),
            json!({"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [
                {"type": "function", "function": {"name": "weather"}}, named]}}),
        ),
        (
            OpenAiProfile::AZURE,
            ToolChoice::allowed(["now"]),
            vec!["now"],
            Value::Null,
        ),
        (
            OpenAiProfile::GROQ,
            ToolChoice::required_of(["now"]),
            vec!["now"],
            json!("required"),
        ),
        (
            OpenAiProfile::OLLAMA,
            ToolChoice::allowed(["weather"]),
            vec!["weather"],
            Value::Null,
        ),
    ] {
        let what = format!("{} {choice:?}", profile.name);
        let request = sent(profile, choosing(choice)).await;
        assert_eq!(names(&request), offered, "{what}");
        assert_eq!(request["tool_choice"], said, "{what}");
    }
}

#[tokio::test]
async fn a_choice_that_cannot_be_said_is_an_error() {
    for (profile, choice, said) in [
        (OpenAiProfile::OLLAMA, ToolChoice::Required, "some tool"),
        (
            OpenAiProfile::MOONSHOT,
            ToolChoice::Tool("now".into()),
            "`now`",
        ),
        (
            OpenAiProfile::OLLAMA,
            ToolChoice::required_of(["now"]),
            "ollama-v1",
        ),
        (
            OpenAiProfile::OPENAI,
            ToolChoice::allowed(["noon"]),
            "`noon`",
        ),
        (
            OpenAiProfile::OPENAI,
            ToolChoice::allowed([""; 0]),
            "ToolChoice::None",
        ),
    ] {
        let model = Canned::new(HELLO).model_with(profile);
        let error = model.call(choosing(choice)).await.unwrap_err();
        assert_eq!(error.kind(), ModelErrorKind::Configuration);
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[tokio::test]
async fn settings_are_sent_where_they_are_read() {
    let options = ChatOptions::builder()
        .tool_callbacks(tools(&["now"]))
        .unwrap();
    let options = options.max_tokens(9).parallel_tool_calls(false).build();
    for (profile, most, parallel) in [
        (OpenAiProfile::OPENAI, "max_completion_tokens", true),
        (OpenAiProfile::AZURE, "max_completion_tokens", true),
        (OpenAiProfile::GROQ, "max_completion_tokens", true),
        (OpenAiProfile::OPENROUTER, "max_tokens", true),
        (OpenAiProfile::DEEPSEEK, "max_tokens", true),
        (OpenAiProfile::OLLAMA, "max_tokens", false),
        (OpenAiProfile::GEMINI, "max_tokens", false),
    ] {
        let name = profile.name;
        let request = sent(profile, Prompt::new("hi", options.clone())).await;
        assert_eq!(request[most], 9, "{name}");
        assert_eq!(
            request.get("parallel_tool_calls").is_some(),
            parallel,
            "{name}"
        );
    }
}

#[tokio::test]
async fn usage_is_asked_for_where_the_question_is_not_refused() {
    for (profile, asked) in [(OpenAiProfile::MISTRAL, false), (OpenAiProfile::XAI, true)] {
        let canned = Canned::events(&[r#"{"choices":[{"delta":{"content":"Hi."}}]}"#]);
        let stream = canned.model_with(profile).stream("hi".into());
        futures::StreamExt::collect::<Vec<_>>(stream).await;
        assert_eq!(canned.last_sent().contains("include_usage"), asked);
    }
}

/// A conversation of one round, whose call and answer have this id.
fn round(id: &str) -> Vec<Message> {
    answered(id, ToolContent::Text("9:30".into()))
}

fn answered(id: &str, content: ToolContent) -> Vec<Message> {
    let call = ToolCall::new(id, "now", "{}");
    let answer = ToolResponse::success(&call, vec![content]);
    let mut asks = Message::assistant("");
    asks.push(PartContent::ToolCall(call));
    vec![Message::user("hi"), asks, Message::tool([answer])]
}

#[tokio::test]
async fn mistral_gets_ids_of_nine_characters() {
    let mut seen = Vec::new();
    for id in ["call_0_1", "call_0_2", "abcDEF123", "toolu_01234567890"] {
        let prompt = || Prompt::new(round(id), ChatOptions::default());
        let request = sent(OpenAiProfile::MISTRAL, prompt()).await;
        let called = request["messages"][1]["tool_calls"][0]["id"]
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(request["messages"][2]["tool_call_id"], *called);
        assert!(called.len() == 9 && called.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        assert_eq!(called == id, id == "abcDEF123");
        assert_eq!(sent(OpenAiProfile::MISTRAL, prompt()).await, request);
        let other = sent(OpenAiProfile::COMPATIBLE, prompt()).await;
        assert_eq!(other["messages"][1]["tool_calls"][0]["id"], *id);
        seen.push(called);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 4);
}

#[tokio::test]
async fn reasoning_goes_back_as_the_server_wants_it() {
    let thought = r#"{"choices":[{"message":{"content":null,"reasoning_content":"Let me see.",
        "tool_calls":[{"id":"1","type":"function","function":{"name":"now","arguments":"{}"}}]}}]}"#;
    for (profile, own, foreign) in [
        (OpenAiProfile::DEEPSEEK, json!("Let me see."), json!("")),
        (OpenAiProfile::MOONSHOT, json!("Let me see."), json!("")),
        (OpenAiProfile::VLLM, json!("Let me see."), Value::Null),
        (OpenAiProfile::GROQ, Value::Null, Value::Null),
        (OpenAiProfile::GEMINI, Value::Null, Value::Null),
    ] {
        let name = profile.name;
        let answered = Canned::new(thought)
            .model_with(profile.clone())
            .call("hi".into())
            .await;
        let mut history = round("1");
        history[1] = (*answered.unwrap().generations[0].message).clone();
        let request = sent(
            profile.clone(),
            Prompt::new(history, ChatOptions::default()),
        )
        .await;
        assert_eq!(request["messages"][1]["reasoning_content"], own, "{name}");
        let request = sent(profile, Prompt::new(round("1"), ChatOptions::default())).await;
        assert_eq!(
            request["messages"][1]["reasoning_content"], foreign,
            "{name}"
        );
    }
}

#[tokio::test]
async fn templates_get_one_system_message_at_the_beginning() {
    let messages = vec![
        Message::system("Be brief."),
        Message::user("hi"),
        Message::system("It is late."),
    ];
    for (profile, roles) in [
        (OpenAiProfile::OPENAI, vec!["system", "user", "system"]),
        (OpenAiProfile::VLLM, vec!["system", "user"]),
        (OpenAiProfile::LLAMA_CPP, vec!["system", "user"]),
    ] {
        let request = sent(
            profile,
            Prompt::new(messages.clone(), ChatOptions::default()),
        )
        .await;
        let sent = request["messages"].as_array().unwrap();
        let said: Vec<_> = sent
            .iter()
            .map(|message| message["role"].as_str().unwrap())
            .collect();
        assert_eq!(said, roles);
        if roles.len() == 2 {
            assert_eq!(sent[0]["content"], "Be brief.\n\nIt is late.");
        }
    }
    let one = sent(
        OpenAiProfile::VLLM,
        Prompt::new(messages[..2].to_vec(), ChatOptions::default()),
    );
    assert_eq!(one.await["messages"][0]["content"], "Be brief.");
}

#[tokio::test]
async fn images_in_results_are_shown_where_they_can_be() {
    let history = answered("1", ToolContent::Media(Media::base64("image/png", "AAAA")));
    for (profile, shown) in [
        (OpenAiProfile::OPENAI, true),
        (OpenAiProfile::AZURE, true),
        (OpenAiProfile::XAI, true),
        (OpenAiProfile::GEMINI, true),
        (OpenAiProfile::TOGETHER, false),
    ] {
        let request = sent(
            profile,
            Prompt::new(history.clone(), ChatOptions::default()),
        )
        .await;
        assert_eq!(
            request["messages"].as_array().unwrap().len(),
            if shown { 4 } else { 3 }
        );
    }
}

#[tokio::test]
async fn names_are_mapped_where_they_must_be() {
    let options = || {
        ChatOptions::builder()
            .tool_callbacks(tools(&["날씨"]))
            .unwrap()
            .build()
    };
    let of = |profile| async move { sent(profile, Prompt::new("hi", options())).await };
    assert_eq!(names(&of(OpenAiProfile::OLLAMA).await), ["날씨"]);
    assert!(names(&of(OpenAiProfile::MISTRAL).await)[0].starts_with("tool_"));
}

/// A tool that refers to a definition.
struct Placed(ToolDefinition);

impl ToolCallback for Placed {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: ToolInput, _: ToolContext) -> ToolFuture<'a> {
        Box::pin(async { Err(ToolError::model("not called")) })
    }
}

#[tokio::test]
async fn schemas_are_in_words_that_the_server_reads() {
    let schema = r##"{"type":"object","properties":{"at":{"$ref":"#/$defs/At"}},"required":["at"],
        "additionalProperties":false,"$defs":{"At":{"type":"string"}}}"##;
    let definition = ToolDefinition::builder("go").input_schema(schema).build();
    let tool: Arc<dyn ToolCallback> = Arc::new(Placed(definition.unwrap()));
    for (profile, at) in [
        (OpenAiProfile::OLLAMA, json!({"type": "string"})),
        (OpenAiProfile::GROQ, json!({"$ref": "#/$defs/At"})),
    ] {
        let options = ChatOptions::builder()
            .tool_callbacks([tool.clone()])
            .unwrap();
        let request = sent(profile, Prompt::new("hi", options.build())).await;
        let parameters = &request["tools"][0]["function"]["parameters"];
        assert_eq!(parameters["properties"]["at"], at);
    }
}

/// Where a request goes, and with which of the headers that carry keys.
async fn reached(builder: OpenAiChatModelBuilder) -> (String, [bool; 2]) {
    let canned = Canned::new(HELLO);
    let model = builder.transport(canned.clone()).api_key("key-123456");
    model.build().unwrap().call("hi".into()).await.unwrap();
    let (url, headers) = canned.head.lock().unwrap().take().unwrap();
    (
        url,
        ["api-key", "authorization"].map(|name| headers.contains_key(name)),
    )
}

#[tokio::test]
async fn azure_has_its_own_urls_and_header() {
    let endpoint = "https://my-team.openai.azure.com";
    let azure =
        |endpoint: &str, version| OpenAiChatModelBuilder::azure(endpoint, "gpt 5/x", version);
    let (url, keys) = reached(azure(endpoint, Some("2025-04-01-preview")).unwrap()).await;
    assert_eq!(
        url,
        "https://my-team.openai.azure.com/openai/deployments/gpt%205%2Fx/chat/completions?api-version=2025-04-01-preview"
    );
    assert_eq!(keys, [true, false]);
    let (url, keys) = reached(azure("https://gw.org/a/", None).unwrap()).await;
    assert_eq!(url, "https://gw.org/a/openai/v1/chat/completions");
    assert_eq!(keys, [true, false]);
    for (given, query) in [
        ("https://x.org/openai/v1", ""),
        ("https://x.org/openai/v1/", "?api-version=preview"),
    ] {
        let version = query.strip_prefix("?api-version=");
        let (url, _) = reached(azure(given, version).unwrap()).await;
        let asked = "https://x.org/openai/v1/chat/completions";
        assert_eq!(url, format!("{asked}{query}"));
    }
    let by_hand = OpenAiChatModel::builder()
        .base_url(format!("{endpoint}/openai/v1"))
        .model("d");
    assert_eq!(reached(by_hand).await.1, [true, false]);
    let groq = OpenAiChatModel::builder()
        .base_url("https://api.groq.com/openai/v1")
        .model("m");
    assert_eq!(reached(groq).await.1, [false, true]);
    assert!(azure("my-team", None).is_err());
}
