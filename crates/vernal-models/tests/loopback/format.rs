//! The form of answers, natively and in words.

use vernal_core::client::ChatClient;
use vernal_core::message::Message;
use vernal_core::model::{
    ChatModel, ChatOptions, ModelErrorKind, Prompt, ResponseFormat, ResponseSchema, ToolChoice,
};
use vernal_models::openai::{OpenAiProfile, ResponseFormats};

use crate::support::canned::Canned;
use crate::support::server::{Server, json};
use crate::support::{FORECAST, Forecast, forecast_options, jeju, tools};
use crate::{HELLO, builder};

/// Strictly, every member is required, and formats that the provider does not know are left out.
const FORMAT: &str = concat!(
    r#""response_format":{"type":"json_schema","json_schema":{"name":"Forecast","strict":true,"#,
    r#""schema":{"additionalProperties":false,"properties":{"city":{"type":"string"},"#,
    r#""degrees":{"maximum":255,"minimum":0,"type":["integer","null"]}},"#,
    r#""required":["city","degrees"],"type":"object"}}}"#,
);
const IN_WORDS: &str = "Your final answer must be one JSON object";

fn says(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    HELLO.replace(r#""Hello.""#, &text)
}

const CALLS: &str = r#"{"choices":[{"message":{"tool_calls":[{"id":"c1","type":"function","function":{"name":"now","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;

#[tokio::test]
async fn an_entity_is_asked_for_natively_where_the_server_can() {
    let server = Server::start([json(200, &says(FORECAST))]).await;
    let client = ChatClient::create(builder(&server).build().unwrap());
    let forecast: Forecast = client.prompt("Weather?").entity().await.unwrap();
    assert_eq!(forecast, jeju());
    let [request] = &server.requests()[..] else {
        panic!()
    };
    assert!(request.contains(FORMAT), "{request}");
    assert!(!request.contains(IN_WORDS), "{request}");
}

#[tokio::test]
async fn with_tools_a_compatible_server_is_asked_in_words_and_natively_to_correct() {
    let answers = [CALLS, &says("It is warm."), &says(FORECAST)];
    let server = Server::start(answers.map(|answer| json(200, answer))).await;
    let client = ChatClient::create(builder(&server).build().unwrap());
    let request = client.prompt("Weather?").tools(tools(&["now"]));
    let forecast: Forecast = request.entity().await.unwrap();
    assert_eq!(forecast, jeju());
    let requests = server.requests();
    let has = |text: &str| -> Vec<bool> {
        requests
            .iter()
            .map(|request| request.contains(text))
            .collect()
    };
    assert_eq!(has(FORMAT), [false, false, true]);
    assert_eq!(has(IN_WORDS), [true; 3]);
    assert_eq!(has(r#""tool_choice":"none""#), [false, false, true]);
    assert_eq!(has(r#""tools":[{"#), [true; 3]);
}

#[tokio::test]
async fn openai_itself_takes_a_schema_with_tools() {
    let server = Server::start([json(200, CALLS), json(200, &says(FORECAST))]).await;
    let model = builder(&server)
        .profile(OpenAiProfile::OPENAI)
        .build()
        .unwrap();
    let request = ChatClient::create(model).prompt("Weather?");
    let forecast: Forecast = request.tools(tools(&["now"])).entity().await.unwrap();
    assert_eq!(forecast, jeju());
    for request in server.requests() {
        assert!(
            request.contains(FORMAT) && !request.contains(IN_WORDS),
            "{request}"
        );
    }
}

#[tokio::test]
async fn the_field_is_written_as_far_as_the_server_knows_it() {
    let object = r#""response_format":{"type":"json_object"}"#;
    let schema = || forecast_options();
    let any = || ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    for (formats, options, expected) in [
        (ResponseFormats::JsonSchema, schema(), FORMAT),
        (ResponseFormats::JsonSchemaOrTools, schema(), FORMAT),
        (ResponseFormats::JsonObject, schema(), object),
        (ResponseFormats::None, schema(), ""),
        (ResponseFormats::JsonSchema, any(), object),
        (ResponseFormats::JsonObject, any(), object),
        (ResponseFormats::None, any(), ""),
        (ResponseFormats::JsonSchema, ChatOptions::builder(), ""),
        // What the caller writes stands in place of ours.
        (
            ResponseFormats::JsonSchema,
            schema().extra("response_format", serde_json::json!({"type": "text"})),
            r#""response_format":{"type":"text"}"#,
        ),
    ] {
        let canned = Canned::new(HELLO);
        let mut profile = OpenAiProfile::COMPATIBLE;
        profile.response_formats = formats;
        let model = canned.model_with(profile);
        model
            .call(Prompt::new("hi", options.build()))
            .await
            .unwrap();
        let sent = canned.last_sent();
        assert_eq!(
            sent.matches("response_format").count(),
            usize::from(!expected.is_empty())
        );
        assert!(sent.contains(expected), "{formats:?}: {sent}");
    }
}

#[tokio::test]
async fn a_schema_that_cannot_be_held_strictly_is_sent_as_it_is() {
    let map = r#"{"type":"object","additionalProperties":{"type":"integer"}}"#;
    let loose = ResponseSchema::of::<Forecast>().unwrap().with_strict(false);
    for schema in [ResponseSchema::new("counts", map).unwrap(), loose] {
        let canned = Canned::new(HELLO);
        let text = format!(
            r#"{{"name":"{}","strict":false,"schema":{}}}"#,
            schema.name(),
            schema.schema()
        );
        let options = ChatOptions::builder().response_format(ResponseFormat::JsonSchema(schema));
        let prompt = Prompt::new("hi", options.build());
        canned.model().call(prompt).await.unwrap();
        assert!(canned.last_sent().contains(&text), "{}", canned.last_sent());
    }
}

#[test]
fn whether_a_schema_is_held_depends_on_the_tools_too() {
    let with_tools = || forecast_options().tool_callbacks(tools(&["now"])).unwrap();
    let no_calls = || with_tools().tool_choice(ToolChoice::None);
    for (formats, alone, with, without_calls) in [
        (ResponseFormats::JsonSchema, true, true, true),
        (ResponseFormats::JsonSchemaOrTools, true, false, true),
        (ResponseFormats::JsonObject, false, false, false),
        (ResponseFormats::None, false, false, false),
    ] {
        let mut profile = OpenAiProfile::COMPATIBLE;
        profile.response_formats = formats;
        let model = Canned::new(HELLO).model_with(profile);
        let can = |options: ChatOptions| model.supports_response_schema(&options);
        assert_eq!(can(forecast_options().build()), alone, "{formats:?}");
        assert_eq!(can(with_tools().build()), with, "{formats:?}");
        assert_eq!(can(no_calls().build()), without_calls, "{formats:?}");
    }
}

#[tokio::test]
async fn json_is_asked_for_by_its_word_where_the_server_wants_it() {
    let any = || ChatOptions::builder().response_format(ResponseFormat::JsonObject);
    let own = || {
        any().extra(
            "response_format",
            serde_json::json!({"type": "json_object"}),
        )
    };
    let word = || vec![Message::system("Answer in Json."), Message::user("hi")];
    let none = || vec![Message::user("hi")];
    for (profile, options, messages, is_sent) in [
        (OpenAiProfile::OPENAI, any(), none(), false),
        (OpenAiProfile::AZURE, any(), none(), false),
        (OpenAiProfile::DEEPSEEK, any(), none(), false),
        (OpenAiProfile::DEEPSEEK, forecast_options(), none(), false),
        (OpenAiProfile::OPENAI, any(), word(), true),
        (OpenAiProfile::DEEPSEEK, forecast_options(), word(), true),
        (OpenAiProfile::OPENAI, forecast_options(), none(), true),
        (OpenAiProfile::OPENAI, own(), none(), true),
        (OpenAiProfile::GROQ, any(), none(), true),
        (OpenAiProfile::COMPATIBLE, any(), none(), true),
    ] {
        let canned = Canned::new(HELLO);
        let name = profile.name;
        let model = canned.model_with(profile);
        let answer = model.call(Prompt::new(messages, options.build())).await;
        assert_eq!(canned.sent.lock().unwrap().len(), usize::from(is_sent));
        assert_eq!(answer.is_ok(), is_sent, "{name}");
        if let Err(error) = answer {
            assert_eq!(error.kind(), ModelErrorKind::Configuration);
            let said = error.to_string();
            assert!(said.contains(name) && said.contains("`JSON`"), "{said}");
        }
    }
}
