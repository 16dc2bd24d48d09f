//! What models can do.

use vernal_core::model::{ChatModel, ChatOptions, ResponseFormat, ResponseSchema, ToolChoice};
use vernal_models::bedrock::BedrockChatModel;
use vernal_models::capabilities::CapabilityTable;
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile, OpenAiResponsesModel};

use crate::support::{Forecast, tools};
use crate::{anthropic, openai};

#[test]
fn what_models_can_do_is_data_that_can_be_contradicted() {
    let of = |model: &dyn ChatModel, name: &str| {
        model.capabilities(&ChatOptions::builder().model(name).build())
    };
    let model = openai(OpenAiProfile::OPENAI, false);
    assert_eq!(
        model.capabilities(&ChatOptions::default()).context_window,
        Some(400_000)
    );
    assert_eq!(of(&model, "o1-mini-2024").tools, Some(false));
    assert_eq!(of(&model, "gpt-4o").tools, Some(true));
    assert_eq!(
        of(&openai(OpenAiProfile::MOONSHOT, false), "x").required_tool_choice,
        Some(false)
    );
    assert_eq!(
        of(&openai(OpenAiProfile::COMPATIBLE, false), "gpt-4o").tools,
        None
    );
    assert_eq!(
        of(&anthropic(false), "claude-sonnet-4-5-20250929").strict_schema,
        Some(true)
    );
    let responses = OpenAiResponsesModel::builder()
        .api_key("k")
        .build()
        .unwrap();
    assert_eq!(of(&responses, "gpt-5.1").context_window, Some(400_000));
    let aws = BedrockChatModel::builder().region("us-east-1").api_key("k");
    let aws = aws.build().unwrap();
    let claude = of(&aws, "us.anthropic.claude-sonnet-4-5-20250929-v1:0");
    assert_eq!(claude.required_tool_choice, Some(true));
    assert_eq!(claude.response_schema, Some(true));
    let llama = of(&aws, "meta.llama3-1-70b-instruct-v1:0");
    assert_eq!(llama.required_tool_choice, Some(false));
    let rows = r#"[{"provider":"OpenAI","model":"O1-*","can":{"tools":true}}]"#;
    let told = OpenAiChatModel::builder()
        .api_key("k")
        .capabilities(CapabilityTable::from_json(rows).unwrap())
        .build()
        .unwrap();
    assert_eq!(of(&told, "o1-mini").tools, Some(true));
    assert_eq!(of(&told, "o1-mini").context_window, Some(128_000));
    let ollama = OllamaChatModel::builder().num_ctx(8192).build().unwrap();
    assert_eq!(of(&ollama, "qwen3").context_window, Some(8192));

    let options = || {
        ChatOptions::builder()
            .model("o1-mini")
            .tool_callbacks(tools(&["now"]))
            .unwrap()
    };
    let required = options().tool_choice(ToolChoice::Required).build();
    assert_eq!(model.check(&required).len(), 2);
    assert_eq!(told.check(&options().build()), []);
    for wrong in [
        r#"[{"provider":"x"}]"#,
        r#"[{"provider":"x","model":"*","can":{"toolz":true}}]"#,
        "{",
    ] {
        let error = CapabilityTable::from_json(wrong).unwrap_err().to_string();
        assert!(error.contains("line 1"), "{error}");
    }
    // The built-in table can be read.
    assert_ne!(
        CapabilityTable::built_in().lookup("openai", "x"),
        Default::default()
    );
}

#[test]
fn the_provider_of_a_row_is_a_pattern_too() {
    for (provider, is_of_gateway, is_of_groq) in [
        ("*", true, true),
        ("openai*", true, false),
        ("OpenAI-Compatible", true, false),
        ("openai", false, false),
        ("gro?", false, true),
    ] {
        let rows =
            format!(r#"[{{"provider":"{provider}","model":"m*","can":{{"context_window":7}}}}]"#);
        let rows = CapabilityTable::from_json(&rows).unwrap();
        for (url, expected) in [
            ("https://gateway.example.org/v1", is_of_gateway),
            ("https://api.groq.com/openai/v1", is_of_groq),
        ] {
            let model = OpenAiChatModel::builder().base_url(url).model("mini");
            let model = model.capabilities(rows.clone()).build().unwrap();
            let known = model.capabilities(&ChatOptions::default()).context_window;
            assert_eq!(known, expected.then_some(7), "{provider} at {url}");
        }
    }
}

/// What a finding advises to say is heard, for the provider that it names.
#[test]
fn sch_8_findings_name_the_provider_of_the_row_that_they_advise() {
    const URL: &str = "https://gateway.example.org/v1";
    let strict = |provider: &str, can: bool| {
        let rows =
            format!(r#"[{{"provider":"{provider}","model":"*","can":{{"strict_schema":{can}}}}}]"#);
        CapabilityTable::from_json(&rows).unwrap()
    };
    let chat = |own| -> Box<dyn ChatModel> {
        let builder = OpenAiChatModel::builder().base_url(URL).strict_tools(true);
        Box::new(builder.capabilities(own).build().unwrap())
    };
    let responses = |own| -> Box<dyn ChatModel> {
        let builder = OpenAiResponsesModel::builder().base_url(URL);
        let builder = builder.strict_tools(true).capabilities(own);
        Box::new(builder.build().unwrap())
    };
    let options = ChatOptions::builder().tool_callbacks(tools(&["now"]));
    let options = options.unwrap().model("gpt-5").build();
    for (without, with, provider) in [
        (
            chat(CapabilityTable::default()),
            chat(strict("openai-compatible", true)),
            "openai-compatible",
        ),
        (
            responses(strict("*", false)),
            responses(strict("compatible", true)),
            "compatible",
        ),
    ] {
        let advised = format!(r#"`"provider": "{provider}"`"#);
        let found = without.check(&options);
        assert!(
            found.iter().any(|f| f.text().contains(&advised)),
            "{found:?}"
        );
        let found = with.check(&options);
        assert!(
            !found.iter().any(|f| f.text().contains("strict mode")),
            "{found:?}"
        );
    }
    let schema = ResponseSchema::of::<Forecast>().unwrap();
    let form = ResponseFormat::JsonSchema(schema);
    let options = ChatOptions::builder()
        .model("unknown")
        .response_format(form);
    let aws = BedrockChatModel::builder().region("us-east-1").api_key("k");
    let aws = aws.build().unwrap();
    let options = options.build();
    for (model, provider) in [
        (&anthropic(false) as &dyn ChatModel, "anthropic"),
        (&aws, "bedrock"),
    ] {
        let found = model.check(&options);
        let advised = format!(r#"`"provider": "{provider}"` and `"response_schema"`"#);
        assert!(
            found.iter().any(|f| f.text().contains(&advised)),
            "{found:?}"
        );
    }
}
