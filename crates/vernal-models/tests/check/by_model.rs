//! What is sent depends on what the model of the request can do.

use serde_json::{Value, json};
use vernal_core::model::{
    ChatModel, ChatOptions, Finding, FindingKind, Prompt, ResponseFormat, ResponseSchema, Severity,
};
use vernal_core::tool::ToolSet;
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::capabilities::CapabilityTable;
use vernal_models::http::RetryPolicy;
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile, OpenAiResponsesModel};

use crate::support::canned::Canned;
use crate::support::{Forecast, tools};
use crate::tool;

fn rows(provider: &str, model: &str, can: Value) -> CapabilityTable {
    let rows = json!([{"provider": provider, "model": model, "can": can}]);
    CapabilityTable::from_json(&rows.to_string()).unwrap()
}

fn chat(canned: &Canned, profile: OpenAiProfile, own: CapabilityTable) -> Box<dyn ChatModel> {
    let builder = OpenAiChatModel::builder().base_url("http://127.0.0.1:1/v1");
    let builder = builder
        .profile(profile)
        .strict_tools(true)
        .capabilities(own);
    let builder = builder.retry(RetryPolicy::never());
    Box::new(builder.transport(canned.clone()).build().unwrap())
}

fn responses(canned: &Canned, provider: &'static str, own: CapabilityTable) -> Box<dyn ChatModel> {
    let builder = OpenAiResponsesModel::builder().base_url("http://127.0.0.1:1/v1");
    let builder = builder
        .provider(provider)
        .strict_tools(true)
        .capabilities(own);
    let builder = builder.retry(RetryPolicy::never());
    Box::new(builder.transport(canned.clone()).build().unwrap())
}

fn anthropic(canned: &Canned, own: CapabilityTable) -> Box<dyn ChatModel> {
    let builder = AnthropicChatModel::builder().base_url("http://127.0.0.1:1");
    let builder = builder.strict_tools(true).capabilities(own);
    let builder = builder.retry(RetryPolicy::never());
    Box::new(builder.transport(canned.clone()).build().unwrap())
}

/// What is sent; what is made of the answer does not matter.
async fn sent(model: &dyn ChatModel, canned: &Canned, options: ChatOptions) -> Value {
    let _ = model.call(Prompt::new("hi", options)).await;
    serde_json::from_str(&canned.last_sent()).unwrap()
}

/// Whether the first tool is sent in strict mode.
fn is_strict(request: &Value) -> bool {
    let tool = &request["tools"][0];
    let place = if tool["function"].is_object() {
        &tool["function"]
    } else {
        tool
    };
    place["strict"] == true
}

fn not_supported(found: &[Finding]) -> Vec<(Severity, String)> {
    let found = found.iter().filter(|f| f.kind == FindingKind::NotSupported);
    found.map(|f| (f.severity, f.to_string())).collect()
}

fn none() -> CapabilityTable {
    CapabilityTable::default()
}

#[tokio::test]
async fn sch_8_strict_mode_is_sent_to_models_that_are_not_known_to_have_none() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}},
        "required": ["city"], "additionalProperties": false});
    // One list of tools for all, as in a program that names the model with each request.
    let offered = ToolSet::of_callbacks([tool("city", &schema)]).unwrap();
    let asking = |model: &str| {
        let mut options = ChatOptions::builder().model(model).build();
        options.set_tools(offered.clone());
        options
    };
    let canned = Canned::new("{}");
    let can = |strict: bool| json!({"strict_schema": strict});
    let openai = OpenAiProfile::OPENAI;
    for (model, name, strict) in [
        (
            anthropic(&canned, none()),
            "claude-3-5-haiku-20241022",
            false,
        ),
        (
            anthropic(&canned, none()),
            "claude-sonnet-4-20250514",
            false,
        ),
        (anthropic(&canned, none()), "claude-haiku-4-5", true),
        (anthropic(&canned, none()), "a-model-of-tomorrow", true),
        (
            anthropic(&canned, rows("anthropic", "claude-3-5-*", can(true))),
            "claude-3-5-haiku",
            true,
        ),
        (
            anthropic(&canned, rows("anthropic", "claude-haiku-4-5", can(false))),
            "claude-haiku-4-5",
            false,
        ),
        (chat(&canned, openai.clone(), none()), "gpt-5-mini", true),
        (
            chat(&canned, openai.clone(), none()),
            "gpt-3.5-turbo",
            false,
        ),
        (
            chat(&canned, openai, rows("openai", "gpt-5*", can(false))),
            "gpt-5-mini",
            false,
        ),
        (chat(&canned, OpenAiProfile::VLLM, none()), "qwen3", false),
        (
            chat(
                &canned,
                OpenAiProfile::VLLM,
                rows("vllm", "qwen3", can(true)),
            ),
            "qwen3",
            true,
        ),
        (chat(&canned, OpenAiProfile::MISTRAL, none()), "m", true),
        (
            responses(&canned, "openai-responses", none()),
            "gpt-5.1",
            true,
        ),
        (responses(&canned, "openai", none()), "gpt-3.5-turbo", false),
        (
            responses(
                &canned,
                "openai-responses",
                rows("openai", "gpt-5.1", can(false)),
            ),
            "gpt-5.1",
            false,
        ),
    ] {
        let found = not_supported(&model.check(&asking(name)));
        if strict {
            assert_eq!(found, [], "{name}");
        } else {
            assert_eq!(found.len(), 1, "{name}");
            assert_eq!(found[0].0, Severity::Warning);
            assert!(found[0].1.contains("strict_schema"), "{}", found[0].1);
        }
        let request = sent(&*model, &canned, asking(name)).await;
        assert_eq!(is_strict(&request), strict, "{name}: {request}");
    }
    // The two forms are told apart whichever comes first.
    let model = anthropic(&canned, none());
    for (name, strict) in [
        ("claude-3-5-haiku", false),
        ("claude-haiku-4-5", true),
        ("claude-3-5-haiku", false),
    ] {
        let request = sent(&*model, &canned, asking(name)).await;
        assert_eq!(is_strict(&request), strict, "{name}");
    }
}

/// What a profile says of its server wins over the built-in rows, and an own row over both.
#[tokio::test]
async fn sch_8_a_profile_without_strict_mode_is_followed() {
    let canned = Canned::new("{}");
    let mut loose = OpenAiProfile::OPENAI;
    loose.strict_tools = false;
    let own = rows("openai", "*", json!({"strict_schema": true}));
    for (own, strict) in [(none(), false), (own, true)] {
        let model = chat(&canned, loose.clone(), own);
        let schema = json!({"type": "object", "properties": {}, "required": [],
            "additionalProperties": false});
        let options = ChatOptions::builder().model("gpt-5");
        let options = options.tool_callbacks([tool("now", &schema)]).unwrap();
        let request = sent(&*model, &canned, options.build()).await;
        assert_eq!(is_strict(&request), strict);
    }
}

#[tokio::test]
async fn sch_8_models_that_refuse_the_switch_of_parallel_calls_do_not_get_it() {
    let canned = Canned::new("{}");
    let alone = json!({"parallel_tool_calls": false});
    let switch = "parallel_tool_calls";
    for (model, name, is_sent) in [
        (chat(&canned, OpenAiProfile::OPENAI, none()), "gpt-5", true),
        (chat(&canned, OpenAiProfile::OPENAI, none()), "o1", false),
        (
            chat(&canned, OpenAiProfile::OPENAI, none()),
            "o3-mini",
            false,
        ),
        (
            chat(&canned, OpenAiProfile::OPENAI, none()),
            "o4-mini",
            false,
        ),
        (
            chat(&canned, OpenAiProfile::AZURE, none()),
            "o3-mini",
            false,
        ),
        (chat(&canned, OpenAiProfile::VLLM, none()), "small", true),
        (
            chat(
                &canned,
                OpenAiProfile::VLLM,
                rows("vllm", "*", alone.clone()),
            ),
            "small",
            false,
        ),
        (
            responses(&canned, "openai-responses", none()),
            "gpt-5",
            true,
        ),
        (responses(&canned, "openai-responses", none()), "o3", false),
        (anthropic(&canned, none()), "claude-haiku-4-5", true),
        (
            anthropic(&canned, rows("anthropic", "*", alone)),
            "c",
            false,
        ),
    ] {
        for wish in [true, false] {
            let options = || {
                let options = ChatOptions::builder().model(name);
                let options = options.tool_callbacks(tools(&["now"])).unwrap();
                options.parallel_tool_calls(wish)
            };
            let request = sent(&*model, &canned, options().build()).await;
            let said = request.get(switch).is_some() || request.get("tool_choice").is_some();
            // Anthropic has a word for one call at a time alone.
            let has_word = !wish || request.get("max_tokens").is_none();
            assert_eq!(said, is_sent && has_word, "{name} {wish}: {request}");
            let found = model.check(&options().build());
            let found = found.iter().filter(|f| f.to_string().contains(switch));
            let found: Vec<Severity> = found.map(|f| f.severity).collect();
            let expected = match (is_sent, wish) {
                (true, _) => vec![],
                (false, true) => vec![Severity::Warning],
                (false, false) => vec![Severity::Note],
            };
            assert_eq!(found, expected, "{name} {wish}");
        }
    }
    // An extra field is the caller's own word.
    let model = chat(&canned, OpenAiProfile::OPENAI, none());
    let options = ChatOptions::builder().model("o1").extra(switch, true);
    let options = options.tool_callbacks(tools(&["now"])).unwrap();
    let request = sent(&*model, &canned, options.build()).await;
    assert_eq!(request[switch], true);
}

#[test]
fn models_that_hold_no_answer_to_a_schema_are_asked_in_words() {
    let canned = Canned::new("{}");
    let can = |schema: bool| json!({"response_schema": schema});
    for (model, name, native) in [
        (chat(&canned, OpenAiProfile::OPENAI, none()), "gpt-5", true),
        (
            chat(&canned, OpenAiProfile::OPENAI, none()),
            "gpt-3.5-turbo",
            false,
        ),
        (
            chat(
                &canned,
                OpenAiProfile::OPENAI,
                rows("openai", "*", can(false)),
            ),
            "gpt-5",
            false,
        ),
        (
            responses(&canned, "openai-responses", none()),
            "gpt-3.5-turbo",
            false,
        ),
        (anthropic(&canned, none()), "claude-haiku-4-5", true),
        (anthropic(&canned, none()), "claude-3-5-haiku", false),
        (
            anthropic(&canned, rows("anthropic", "own", can(true))),
            "own",
            true,
        ),
        (
            anthropic(&canned, rows("anthropic", "*", can(false))),
            "claude-haiku-4-5",
            false,
        ),
    ] {
        let schema = ResponseSchema::of::<Forecast>().unwrap();
        let options = ChatOptions::builder().model(name);
        let options = options.response_format(ResponseFormat::JsonSchema(schema));
        let options = options.build();
        assert_eq!(model.supports_response_schema(&options), native, "{name}");
    }
}

#[test]
fn sch_8_what_a_model_is_known_to_refuse_is_told() {
    let canned = Canned::new("{}");
    let tools = || {
        ChatOptions::builder()
            .tool_callbacks(tools(&["now"]))
            .unwrap()
    };
    let required = vernal_core::model::ToolChoice::Required;
    let long = || ChatOptions::builder().model("gpt-4o").max_tokens(16_385);
    for (model, options, said) in [
        (
            chat(&canned, OpenAiProfile::OPENAI, none()),
            tools().model("o1-mini").build(),
            "no tools",
        ),
        (
            anthropic(&canned, none()),
            tools()
                .model("claude-sonnet-5-5")
                .tool_choice(required)
                .build(),
            "not to be made to call",
        ),
    ] {
        let found = not_supported(&model.check(&options));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, Severity::Warning);
        assert!(found[0].1.contains(said), "{found:?}");
    }
    let model = chat(&canned, OpenAiProfile::OPENAI, none());
    let [finding] = &model.check(&long().build())[..] else {
        panic!("one finding is expected")
    };
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(
        finding.text(),
        "`max_tokens` is 16385, and the model is known to make at most 16384: ask for fewer"
    );
    assert_eq!(model.check(&long().max_tokens(16_384).build()), []);
}
