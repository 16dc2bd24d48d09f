//! Every option of a request is in what is sent, or a finding says why not (rule SCH-8).

use std::collections::BTreeSet;

use vernal_core::model::{
    ChatModel, ChatOptions, ChatOptionsBuilder, Finding, FindingKind, Prompt, ResponseFormat,
    ResponseSchema, Severity, ToolChoice,
};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::bedrock::BedrockChatModel;
use vernal_models::gemini::GeminiChatModel;
use vernal_models::http::RetryPolicy;
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile, OpenAiResponsesModel};

use crate::support::canned::Canned;
use crate::support::{Forecast, tools};

/// How it shows that an option is followed.
#[derive(Clone, Copy)]
enum Shows {
    /// This stands in the request.
    As(&'static str),
    /// The request is another one than without the option.
    Change,
    /// It is for the program alone: this stands in no request.
    Never(&'static str),
}

type Set = fn(ChatOptionsBuilder) -> ChatOptionsBuilder;

fn one_at_a_time(options: ChatOptionsBuilder) -> ChatOptionsBuilder {
    options.parallel_tool_calls(false)
}

fn any_json(options: ChatOptionsBuilder) -> ChatOptionsBuilder {
    options.response_format(ResponseFormat::JsonObject)
}

fn a_forecast(options: ChatOptionsBuilder) -> ChatOptionsBuilder {
    let schema = ResponseSchema::of::<Forecast>().unwrap();
    options.response_format(ResponseFormat::JsonSchema(schema))
}

/// Each field of the options, a value, and how it shows. Whoever adds a field says here what becomes of
/// it.
const OPTIONS: &[(&str, Set, Shows)] = &[
    (
        "model",
        |o| o.model("another-model"),
        Shows::As("another-model"),
    ),
    ("temperature", |o| o.temperature(0.125), Shows::As("0.125")),
    ("top_p", |o| o.top_p(0.875), Shows::As("0.875")),
    ("max_tokens", |o| o.max_tokens(4321), Shows::As("4321")),
    ("stop", |o| o.stop("STOP-HERE"), Shows::As("STOP-HERE")),
    (
        "tool_choice",
        |o| o.tool_choice(ToolChoice::None),
        Shows::Change,
    ),
    (
        "tool_choice",
        |o| o.tool_choice(ToolChoice::Required),
        Shows::Change,
    ),
    (
        "tool_choice",
        |o| o.tool_choice(ToolChoice::Tool("now".into())),
        Shows::Change,
    ),
    (
        "tool_choice",
        |o| o.tool_choice(ToolChoice::allowed(["now"])),
        Shows::Change,
    ),
    (
        "tool_choice",
        |o| o.tool_choice(ToolChoice::required_of(["now"])),
        Shows::Change,
    ),
    // That several may come is what all do unless they are told otherwise.
    ("parallel_tool_calls", one_at_a_time, Shows::Change),
    ("response_format", any_json, Shows::Change),
    ("response_format", a_forecast, Shows::As("degrees")),
    (
        "tools",
        |o| o.tool_callbacks(tools(&["now", "later", "third"])).unwrap(),
        Shows::As("third"),
    ),
    (
        "tool_context",
        |o| o.tool_context([("tenant", "of-the-program")]),
        Shows::Never("of-the-program"),
    ),
    (
        "extra",
        |o| o.extra("own_field", "own-value"),
        Shows::As("own-value"),
    ),
];

const PROFILES: [OpenAiProfile; 15] = [
    OpenAiProfile::OPENAI,
    OpenAiProfile::AZURE,
    OpenAiProfile::GROQ,
    OpenAiProfile::DEEPSEEK,
    OpenAiProfile::XAI,
    OpenAiProfile::MISTRAL,
    OpenAiProfile::MOONSHOT,
    OpenAiProfile::OPENROUTER,
    OpenAiProfile::TOGETHER,
    OpenAiProfile::GEMINI,
    OpenAiProfile::VLLM,
    OpenAiProfile::LLAMA_CPP,
    OpenAiProfile::LM_STUDIO,
    OpenAiProfile::OLLAMA,
    OpenAiProfile::COMPATIBLE,
];

/// Every adapter, and its name.
fn adapters(canned: &Canned) -> Vec<(String, Box<dyn ChatModel>)> {
    let mut all: Vec<(String, Box<dyn ChatModel>)> = Vec::new();
    let never = RetryPolicy::never;
    for profile in PROFILES {
        let name = format!("chat {}", profile.name);
        let builder = OpenAiChatModel::builder().base_url("http://127.0.0.1:1/v1");
        let builder = builder.profile(profile).model("asked").retry(never());
        all.push((
            name,
            Box::new(builder.transport(canned.clone()).build().unwrap()),
        ));
    }
    for provider in ["openai-responses", "compatible-responses"] {
        let builder = OpenAiResponsesModel::builder().base_url("http://127.0.0.1:1/v1");
        let builder = builder.provider(provider).model("asked").retry(never());
        let model = builder.transport(canned.clone()).build().unwrap();
        all.push((provider.to_owned(), Box::new(model)));
    }
    let builder = AnthropicChatModel::builder().base_url("http://127.0.0.1:1");
    let builder = builder.model("asked").retry(never());
    let model = builder.transport(canned.clone()).build().unwrap();
    all.push(("anthropic".to_owned(), Box::new(model)));
    let builder = OllamaChatModel::builder().model("asked").retry(never());
    let model = builder.transport(canned.clone()).build().unwrap();
    all.push(("ollama".to_owned(), Box::new(model)));
    let builder = GeminiChatModel::builder().api_key("k").model("asked");
    let builder = builder.retry(never());
    let model = builder.transport(canned.clone()).build().unwrap();
    all.push(("gemini".to_owned(), Box::new(model)));
    let builder = BedrockChatModel::builder().region("us-east-1").api_key("k");
    let builder = builder.model("asked").retry(never());
    let model = builder.transport(canned.clone()).build().unwrap();
    all.push(("bedrock".to_owned(), Box::new(model)));
    all
}

fn base() -> ChatOptionsBuilder {
    let options = ChatOptions::builder();
    options.tool_callbacks(tools(&["now", "later"])).unwrap()
}

/// Where a request went and what was in it; `None` where none was sent.
async fn sent(model: &dyn ChatModel, canned: &Canned, options: ChatOptions) -> Option<String> {
    canned.sent.lock().unwrap().clear();
    let _ = model.call(Prompt::new("hi, in JSON", options)).await;
    let body = canned.sent.lock().unwrap().last().cloned()?;
    let (url, _) = canned.head.lock().unwrap().clone().unwrap();
    Some(format!("{url} {body}"))
}

#[test]
fn sch_8_every_option_has_a_row() {
    // The fields are private to the options; this is where they show.
    let shown = format!("{:#?}", ChatOptions::default());
    let fields = shown.lines().filter_map(|line| {
        let line = line.strip_prefix("    ")?;
        let (name, _) = line.split_once(':')?;
        (!name.starts_with(' ')).then_some(name)
    });
    let fields: BTreeSet<&str> = fields.collect();
    let rows: BTreeSet<&str> = OPTIONS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(fields, rows);
}

#[tokio::test]
async fn sch_8_every_option_is_sent_or_told_of() {
    let canned = Canned::new("{}");
    for (adapter, model) in adapters(&canned) {
        let without = sent(&*model, &canned, base().build()).await.unwrap();
        let found_without = model.check(&base().build());
        assert_eq!(found_without, [], "{adapter}");
        for (name, set, shows) in OPTIONS {
            let options = set(base()).build();
            let request = sent(&*model, &canned, options.clone()).await;
            let is_followed = match (shows, &request) {
                (_, None) => false,
                (Shows::As(value), Some(request)) => request.contains(value),
                (Shows::Change, Some(request)) => *request != without,
                (Shows::Never(value), Some(request)) => {
                    assert!(!request.contains(value), "{adapter} {name}");
                    true
                }
            };
            let found = model.check(&options);
            assert!(
                is_followed || !found.is_empty(),
                "{adapter} drops {name} in silence: {request:?}"
            );
            // What cannot be written is known before it is tried.
            if request.is_none() {
                let refused = |finding: &Finding| finding.kind == FindingKind::Refused;
                assert!(found.iter().any(refused), "{adapter} {name}: {found:?}");
            }
        }
    }
}

/// What is told of the switch of parallel calls, of JSON of any form, and of a schema.
#[test]
fn sch_8_settings_without_a_word_are_told_of() {
    let canned = Canned::new("{}");
    let (note, warning) = (Some(Severity::Note), Some(Severity::Warning));
    for (name, expected) in [
        ("anthropic", [None, warning, note]),
        ("ollama", [note, warning, warning]),
        ("chat moonshot", [note, None, warning]),
        ("chat deepseek", [None, None, warning]),
        ("chat vllm", [None, None, warning]),
        ("compatible-responses", [None, None, warning]),
        ("chat openai", [None; 3]),
        ("openai-responses", [None; 3]),
    ] {
        let adapters = adapters(&canned);
        let (_, model) = adapters.iter().find(|(known, _)| known == name).unwrap();
        let told = |options: ChatOptionsBuilder| {
            let found = model.check(&options.build());
            // What a schema loses is another matter.
            let found = found
                .iter()
                .filter(|found| found.kind == FindingKind::NotSupported);
            let severities: Vec<Severity> = found.map(|found| found.severity).collect();
            severities
        };
        let sets: [Set; 3] = [one_at_a_time, any_json, a_forecast];
        for (set, expected) in sets.into_iter().zip(expected) {
            assert_eq!(told(set(base())), Vec::from_iter(expected), "{name}");
        }
        // Where no tool may be called, a form can be asked for; of an unknown Claude it is not known.
        let alone = told(a_forecast(ChatOptions::builder()));
        let is_told = ["anthropic", "chat deepseek"].contains(&name);
        assert_eq!(!alone.is_empty(), is_told, "{name}");
    }
}

#[tokio::test]
async fn sch_8_values_that_cannot_be_written_are_found() {
    let canned = Canned::new("{}");
    let options = ChatOptions::builder;
    for (adapter, model) in adapters(&canned) {
        for options in [
            options().temperature(f64::NAN),
            options().top_p(f64::INFINITY),
            options().extra("messages", 1),
            options().extra("stream", true),
        ] {
            let options = options.build();
            let found = model.check(&options);
            let [finding] = &found[..] else {
                panic!("{adapter}: {found:?}")
            };
            assert_eq!(finding.severity, Severity::Error, "{adapter}");
            let error = model.call(Prompt::new("hi", options)).await.unwrap_err();
            assert_eq!(error.to_string(), finding.text(), "{adapter}");
        }
    }
    // The adapter for Responses has no word for `stop`, but the server of another may.
    let model = adapters(&canned).swap_remove(PROFILES.len()).1;
    let found = model.check(&options().stop("x").build());
    assert_eq!(found[0].severity, Severity::Error, "{found:?}");
    assert_eq!(
        model.check(&options().stop("x").extra("stop", "x").build()),
        []
    );
}

/// What is said about tools needs some, of the application or of the provider.
#[tokio::test]
async fn sch_8_words_about_tools_without_any_are_told_of() {
    let canned = Canned::new("{}");
    let options = || {
        let options = ChatOptions::builder().tool_choice(ToolChoice::Required);
        options.parallel_tool_calls(false).build()
    };
    for (adapter, model) in adapters(&canned) {
        let found = model.check(&options());
        let severities: Vec<Severity> = found.iter().map(|found| found.severity).collect();
        assert_eq!(severities, [Severity::Note; 2], "{adapter}: {found:?}");
    }
    let search = serde_json::json!({"type": "web_search_20250305", "name": "web_search"});
    let anthropic = AnthropicChatModel::builder().base_url("http://127.0.0.1:1");
    let anthropic = anthropic.model("m").server_tool(search.clone());
    let anthropic = anthropic
        .retry(RetryPolicy::never())
        .transport(canned.clone());
    let responses = OpenAiResponsesModel::builder().base_url("http://127.0.0.1:1/v1");
    let responses = responses.model("m").server_tool(search);
    let responses = responses
        .retry(RetryPolicy::never())
        .transport(canned.clone());
    let any = r#""tool_choice":{"type":"any","disable_parallel_tool_use":true}"#;
    let required = r#""parallel_tool_calls":false,"tool_choice":"required""#;
    let models: [(Box<dyn ChatModel>, &str); 2] = [
        (Box::new(anthropic.build().unwrap()), any),
        (Box::new(responses.build().unwrap()), required),
    ];
    for (model, said) in models {
        assert_eq!(model.check(&options()), []);
        let request = sent(&*model, &canned, options()).await.unwrap();
        assert!(request.contains(said), "{request}");
    }
}

/// What the schema of an answer loses in strict mode is told.
#[test]
fn sch_8_losses_of_the_answers_schema_are_found() {
    let canned = Canned::new("{}");
    let model = OpenAiChatModel::builder().base_url("http://127.0.0.1:1/v1");
    let model = model
        .profile(OpenAiProfile::OPENAI)
        .transport(canned.clone());
    let openai = model.build().unwrap();
    let map = r#"{"type":"object","properties":{"labels":{"type":"object",
        "additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}"#;
    let schema = |strict| {
        ResponseSchema::new("labels", map)
            .unwrap()
            .with_strict(strict)
    };
    let check = |strict| {
        let format = ResponseFormat::JsonSchema(schema(strict));
        openai.check(&ChatOptions::builder().response_format(format).build())
    };
    let found = check(true);
    assert_eq!(found[0].severity, Severity::Warning, "{found:?}");
    let text = found[0].to_string();
    assert!(text.starts_with("the schema of the answer `labels` has `additionalProperties`"));
    assert!(text.contains("without strict mode"), "{text}");
    assert_eq!(check(false), []);
}
