//! Limits that OpenAI holds whichever of its languages is spoken, and wherever it is.

use serde_json::{Value, json};
use vernal_core::client::ChatClient;
use vernal_core::model::{ChatModel, ChatOptions, FindingKind, Prompt, Severity, ToolChoice};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::{
    OpenAiChatModel, OpenAiProfile, OpenAiResponsesModel, OpenAiResponsesModelBuilder,
};

use crate::support::canned::Canned;
use crate::{anthropic, many, openai, tool};

/// The limits that are exceeded: how much is taken, and how much there is.
fn exceeded(model: &dyn ChatModel, options: &ChatOptions) -> Vec<(Severity, usize, usize)> {
    let found = model.check(options).into_iter();
    let found = found.filter_map(|finding| match finding.kind {
        FindingKind::LimitExceeded { most, found, .. } => Some((finding.severity, most, found)),
        _ => None,
    });
    found.collect()
}

fn responses() -> OpenAiResponsesModelBuilder {
    OpenAiResponsesModel::builder()
        .api_key("k")
        .model("gpt-5.1")
}

#[test]
fn sch_8_the_most_tools_and_the_longest_description_of_responses_are_found() {
    let empty = json!({"type": "object"});
    let search = || json!({"type": "web_search"});
    let azure = |host: &str| responses().base_url(format!("https://me.{host}/openai/v1"));
    let here = || responses().base_url("http://127.0.0.1:1/v1");
    for (builder, counted) in [
        (responses(), true),
        (responses().base_url("https://eu.api.openai.com/v1"), true),
        (azure("openai.azure.com"), true),
        (azure("cognitiveservices.azure.com"), true),
        (azure("services.ai.azure.com"), true),
        (here().provider("openai-responses"), true),
        (here().provider("openai"), true),
        (here().provider("azure"), true),
        (here(), false),
        (responses().base_url("https://api.x.ai/v1"), false),
    ] {
        let model = builder.clone().build().unwrap();
        let expected = |found: usize| {
            if counted {
                vec![(Severity::Error, 128, found)]
            } else {
                vec![]
            }
        };
        assert_eq!(exceeded(&model, &many(128, &empty)), [], "{model:?}");
        assert_eq!(
            exceeded(&model, &many(129, &empty)),
            expected(129),
            "{model:?}"
        );
        // The provider's own tools count, too; one of the application's that is a custom tool counts
        // once.
        let hosted = builder
            .server_tool(search())
            .server_tool(json!({"type": "custom", "name": "t0"}));
        let hosted = hosted.build().unwrap();
        assert_eq!(exceeded(&hosted, &many(127, &empty)), []);
        assert_eq!(
            exceeded(&hosted, &many(128, &empty)),
            expected(129),
            "{model:?}"
        );
    }
    let long = vernal_core::tool::ToolDefinition::builder("long").description("x".repeat(1025));
    let long = std::sync::Arc::new(crate::Tool(long.build().unwrap()));
    let options = crate::offering(vec![tool("short", &empty), long]);
    for builder in [responses(), azure("cognitiveservices.azure.com")] {
        let model = builder.build().unwrap();
        assert_eq!(
            exceeded(&model, &options),
            [(Severity::Warning, 1024, 1025)]
        );
    }
}

#[test]
fn sch_8_the_most_tools_of_chat_at_azure_are_found() {
    let empty = json!({"type": "object"});
    for host in [
        "openai.azure.com",
        "cognitiveservices.azure.com",
        "services.ai.azure.com",
    ] {
        let endpoint = format!("https://me.{host}");
        let builder = OpenAiChatModel::builder().base_url(endpoint + "/openai/v1");
        let model = builder.api_key("k").build().unwrap();
        let found = exceeded(&model, &many(129, &empty));
        assert_eq!(found, [(Severity::Error, 128, 129)], "{host}");
    }
}

fn choosing(choice: ToolChoice, tools: ChatOptions) -> ChatOptions {
    let mut options = tools;
    options.set_tool_choice(choice);
    options
}

/// A server without a word for a choice among the tools gets the chosen ones alone.
#[test]
fn sch_8_limits_hold_for_the_tools_that_are_sent() {
    let none =
        json!({"type": "object", "properties": {}, "required": [], "additionalProperties": false});
    let some = || ToolChoice::allowed(["t0", "t1"]);
    let (claude, groq) = (anthropic(true), openai(OpenAiProfile::GROQ, false));
    let deepseek = openai(OpenAiProfile::DEEPSEEK, false);
    let moonshot = openai(OpenAiProfile::MOONSHOT, false);
    let chat = openai(OpenAiProfile::OPENAI, false);
    let responses = responses().build().unwrap();
    let first: Vec<String> = (0..21).map(|at| format!("t{at}")).collect();
    for (model, count, choice, expected) in [
        (&claude as &dyn ChatModel, 30, some(), None),
        (&claude, 30, ToolChoice::required_of(["t0"]), None),
        (&claude, 30, ToolChoice::allowed(first), Some((20, 21))),
        (&claude, 30, ToolChoice::Tool("t0".into()), Some((20, 30))),
        // A request may bring the other tool.
        (&claude, 30, ToolChoice::allowed(["t0", "other"]), None),
        (&groq, 129, some(), None),
        (&groq, 129, ToolChoice::Auto, Some((128, 129))),
        (&deepseek, 129, some(), None),
        (&moonshot, 129, some(), None),
        (&chat, 129, some(), Some((128, 129))),
        (&responses, 129, some(), Some((128, 129))),
    ] {
        let shown = format!("{} {choice:?}", model.name());
        let options = choosing(choice, many(count, &none));
        let expected = expected.map(|(most, found)| (Severity::Error, most, found));
        assert_eq!(
            exceeded(model, &options),
            Vec::from_iter(expected),
            "{shown}"
        );
        let client = ChatClient::builder(crate::openai_or(model, &options));
        let client = client.default_options(options).build();
        assert_eq!(client.is_err(), expected.is_some(), "{shown}");
    }
}

#[tokio::test]
async fn sch_8_what_is_found_of_tools_is_found_of_those_that_are_sent() {
    let loose = json!({"type": "object", "properties": {"city": {"type": "string", "minLength": 1}},
        "required": ["city"], "additionalProperties": false});
    let options = choosing(ToolChoice::allowed(["t0", "t1"]), many(30, &loose));
    let canned = Canned::new("{}");
    let model = AnthropicChatModel::builder().base_url("http://127.0.0.1:1");
    let model = model.model("claude-haiku-4-5").strict_tools(true);
    let model = model.transport(canned.clone()).build().unwrap();
    let found = model.check(&options);
    let about: Vec<_> = found.iter().map(|f| f.tool.as_deref()).collect();
    assert_eq!(about, [Some("t0"), Some("t1")]);
    let _ = model.call(Prompt::new("hi", options)).await;
    let sent: Value = serde_json::from_str(&canned.last_sent()).unwrap();
    assert_eq!(sent["tools"].as_array().unwrap().len(), 2);
    // Where no tool is sent, there is nothing to find.
    let options = choosing(ToolChoice::None, many(2, &loose));
    let ollama = OllamaChatModel::builder().model("m").build().unwrap();
    assert_eq!(ollama.check(&options), []);
}

/// A choice that cannot be said is an error whatever tools a request brings; that a named tool is not
/// there yet is a warning.
#[test]
fn sch_8_choices_that_no_request_can_say_are_errors() {
    let ollama = || {
        let builder = OllamaChatModel::builder().base_url("http://127.0.0.1:1");
        builder.model("m").build().unwrap()
    };
    let moonshot = || openai(OpenAiProfile::MOONSHOT, false);
    let later = || ToolChoice::Tool("later".into());
    let (error, warning) = (Some(Severity::Error), Some(Severity::Warning));
    for (model, choice, expected) in [
        (
            Box::new(ollama()) as Box<dyn ChatModel>,
            ToolChoice::Required,
            error,
        ),
        (Box::new(ollama()), ToolChoice::Tool("t0".into()), error),
        (Box::new(ollama()), later(), error),
        (Box::new(ollama()), ToolChoice::required_of(["t0"]), error),
        (Box::new(ollama()), ToolChoice::allowed(["later"]), warning),
        (Box::new(ollama()), ToolChoice::allowed(["t0"]), None),
        (Box::new(ollama()), ToolChoice::None, None),
        (Box::new(moonshot()), ToolChoice::Required, error),
        (Box::new(anthropic(false)), ToolChoice::Required, None),
        (Box::new(anthropic(false)), later(), warning),
        (
            Box::new(anthropic(false)),
            ToolChoice::allowed([] as [&str; 0]),
            error,
        ),
    ] {
        let shown = format!("{} {choice:?}", model.name());
        let options = choosing(choice, many(2, &json!({"type": "object"})));
        let found = model.check(&options).into_iter();
        let refused = found.filter(|finding| finding.kind == FindingKind::Refused);
        let refused: Vec<Severity> = refused.map(|finding| finding.severity).collect();
        assert_eq!(refused, Vec::from_iter(expected), "{shown}");
        let client = ChatClient::builder(crate::openai_or(&*model, &options));
        let client = client.default_options(options).build();
        assert_eq!(client.is_err(), expected == error, "{shown}");
    }
}
