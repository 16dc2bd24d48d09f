//! Limits that OpenAI holds whichever of its languages is spoken, and wherever it is.

use serde_json::json;
use vernal_core::model::{ChatModel, ChatOptions, FindingKind, Severity};
use vernal_models::openai::{OpenAiChatModel, OpenAiResponsesModel, OpenAiResponsesModelBuilder};

use crate::{many, tool};

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
