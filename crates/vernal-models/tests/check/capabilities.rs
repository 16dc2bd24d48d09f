//! What models can do.

use vernal_core::model::{ChatModel, ChatOptions, ToolChoice};
use vernal_models::bedrock::BedrockChatModel;
use vernal_models::capabilities::CapabilityTable;
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile, OpenAiResponsesModel};

use crate::support::tools;
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
