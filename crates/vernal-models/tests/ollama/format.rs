//! The form of answers, natively and in words.

use vernal_core::client::ChatClient;
use vernal_core::model::{ChatModel, ChatOptions, Prompt, ResponseFormat, ToolChoice};
use vernal_models::ollama::OllamaChatModel;

use crate::model;
use crate::support::canned::Canned;
use crate::support::server::{Server, json};
use crate::support::{FORECAST, FORECAST_SCHEMA, Forecast, forecast_options, jeju, tools};

fn says(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    format!(r#"{{"model":"m","message":{{"content":{text}}},"done":true,"done_reason":"stop"}}"#)
}

const CALLS: &str = r#"{"model":"m","message":{"tool_calls":[{"function":{"name":"now","arguments":{}}}]},"done":true,"done_reason":"stop"}"#;

fn client(server: &Server) -> ChatClient {
    let url = server.url.trim_end_matches("/v1");
    let model = OllamaChatModel::builder().base_url(url).model("m");
    ChatClient::create(model.build().unwrap())
}

#[tokio::test]
async fn an_entity_is_asked_for_natively_without_tools() {
    let server = Server::start([json(200, &says(FORECAST))]).await;
    let forecast: Forecast = client(&server).prompt("Weather?").entity().await.unwrap();
    assert_eq!(forecast, jeju());
    let [request] = &server.requests()[..] else {
        panic!()
    };
    let format = format!(r#""stream":false,"format":{FORECAST_SCHEMA},"#);
    assert!(request.contains(&format), "{request}");
    assert!(!request.contains("JSON Schema"), "{request}");
}

#[tokio::test]
async fn with_tools_it_is_asked_for_in_words_and_natively_to_correct() {
    let answers = [CALLS, &says("Warm."), &says(FORECAST)];
    let server = Server::start(answers.map(|answer| json(200, answer))).await;
    let request = client(&server).prompt("Weather?").tools(tools(&["now"]));
    let forecast: Forecast = request.entity().await.unwrap();
    assert_eq!(forecast, jeju());
    let requests = server.requests();
    let has = |text: &str| -> Vec<bool> {
        requests
            .iter()
            .map(|request| request.contains(text))
            .collect()
    };
    assert_eq!(has(r#""format":{"#), [false, false, true]);
    assert_eq!(
        has(r#""tools":["#),
        [true, true, false],
        "none may be called at the end"
    );
    assert_eq!(has("JSON Schema"), [true; 3]);
}

#[tokio::test]
async fn the_field_is_written_where_it_is_asked_for() {
    let any = ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    let own = forecast_options().extra("format", "json");
    for (options, format) in [
        (ChatOptions::builder(), None),
        (any, Some(r#""format":"json""#.to_owned())),
        (own, Some(r#""format":"json""#.to_owned())),
        (
            forecast_options(),
            Some(format!(r#""format":{FORECAST_SCHEMA}"#)),
        ),
    ] {
        let canned = Canned::new(says("hi"));
        let prompt = Prompt::new("hi", options.build());
        model(&canned).call(prompt).await.unwrap();
        let sent = canned.last_sent();
        let expected = usize::from(format.is_some());
        assert_eq!(
            sent.matches(r#""format":"#).count() >= 1,
            expected == 1,
            "{sent}"
        );
        assert!(sent.contains(&format.unwrap_or_default()), "{sent}");
    }
}

#[test]
fn a_schema_is_held_where_no_tool_may_be_called() {
    let model = model(&Canned::new(says("hi")));
    let with_tools = || forecast_options().tool_callbacks(tools(&["now"])).unwrap();
    for (options, can) in [
        (forecast_options(), true),
        (with_tools(), false),
        (with_tools().tool_choice(ToolChoice::None), true),
    ] {
        assert_eq!(model.supports_response_schema(&options.build()), can);
    }
}
