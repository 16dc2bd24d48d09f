//! What others make of our requests: an independent script verifies the signatures of requests that came
//! over real sockets, and the official SDK for Python, where it is installed, verifies them too, reads
//! the frames that the tests of the adapter are written with, and checks bodies against the service's
//! own model.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

#[path = "bedrock/frames.rs"]
mod frames;
#[path = "bedrock/oracle.rs"]
mod oracle;
mod support;

use std::time::Duration;

use oracle::{ask, signature};
use serde_json::{Value, json};
use support::server::{Server, json as answer};
use vernal_core::message::{
    Media, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolContent, ToolOutcome,
    ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, Prompt, ToolChoice};
use vernal_models::bedrock::{
    AwsCredentials, BedrockCache, BedrockChatModel, BedrockChatModelBuilder,
};
use vernal_models::http::RetryPolicy;

const HELLO: &str = r#"{"output":{"message":{"role":"assistant","content":[{"text":"Hello."}]}},"stopReason":"end_turn"}"#;
const TOKEN: &str = "IQoJb3JpZ2luX2VjEXAMPLE//////////wEaCXVzLWVhc3QtMSJ=";

/// Models whose ids are hard to put into a path.
const MODELS: [&str; 3] = [
    "amazon.nova-lite-v1:0",
    "arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.anthropic.claude-v1:0",
    "a b/../c%2F~*'()!@+&=$,;한글",
];

fn main() {
    support::run_alone("bedrock_oracle", || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let requests = runtime.block_on(signatures());
        let Some(judged) = ask(&requests) else {
            return Err("python3 is not installed".to_owned());
        };
        let botocore = judged[0]["botocore"] != "missing";
        let opinions = if botocore {
            &["own", "botocore"][..]
        } else {
            &["own"]
        };
        for opinion in opinions {
            check(&requests, &judged, opinion, true);
            let spoiled = spoiled(&requests[0]);
            check(&spoiled, &ask(&spoiled).unwrap(), opinion, false);
        }
        println!("{} signatures hold, spoiled ones do not", requests.len());
        if botocore {
            against_botocore(&runtime.block_on(bodies()), &requests);
        } else {
            let how = "python3 -m pip install botocore";
            println!("SKIPPED bedrock_botocore: botocore is not installed ({how})");
        }
        Ok(())
    });
}

/// Whether the answers find the questions good, or wrong.
fn check(questions: &[Value], answers: &[Value], opinion: &str, good: bool) {
    for (question, answer) in questions.iter().zip(answers) {
        assert_eq!(answer[opinion] == "ok", good, "{question}: {answer}");
    }
}

/// Frames, paths and bodies as the official SDK has them.
fn against_botocore(bodies: &[Value], requests: &[Value]) {
    let frames = ask(&[json!({"kind": "frames", "hex": hex(&stream())})]).unwrap();
    assert_eq!(frames[0]["botocore"], expected_frames());

    let mut paths = Vec::new();
    for model in MODELS {
        for operation in ["Converse", "ConverseStream"] {
            paths.push(json!({"kind": "path", "model": model, "operation": operation}));
        }
    }
    let asked: Vec<&str> = requests
        .iter()
        .map(|request| request["url"].as_str().unwrap())
        .collect();
    for path in ask(&paths).unwrap() {
        let path = path["botocore"].as_str().unwrap();
        assert!(asked.iter().any(|url| url.ends_with(path)), "{path}");
    }

    let question = |body: &Value| json!({"kind": "request", "body": body});
    for (bodies, good) in [(bodies, true), (&wrong_bodies(), false)] {
        let questions: Vec<Value> = bodies.iter().map(question).collect();
        check(&questions, &ask(&questions).unwrap(), "botocore", good);
    }
    println!(
        "botocore agrees, reads the frames, asks at the same paths, and takes {} bodies",
        bodies.len()
    );
}

fn builder(server: &Server) -> BedrockChatModelBuilder {
    BedrockChatModel::builder()
        .base_url(server.url.trim_end_matches("/v1"))
        .region("eu-central-1")
        .retry(RetryPolicy::default().with_first_wait(Duration::from_millis(5)))
}

fn credentials() -> AwsCredentials {
    AwsCredentials::new("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
}

/// Requests of every kind, as questions.
async fn signatures() -> Vec<Value> {
    let mut questions = Vec::new();
    for model in MODELS {
        for token in [None, Some(TOKEN)] {
            let busy = || answer(503, "{}");
            let server = Server::start([answer(200, HELLO), busy(), answer(200, HELLO)]).await;
            let credentials = match token {
                Some(token) => credentials().with_session_token(token),
                None => credentials(),
            };
            let model = builder(&server)
                .credentials(credentials)
                .model(model)
                .header("x-amz-own", "  two  blanks ")
                .header("x-own", "anything")
                .build()
                .unwrap();
            model.call("서울 \"날씨\"?".into()).await.unwrap();
            let streamed = model.stream("Hi!".into());
            support::view::collect(streamed).await.1.unwrap();
            let requests = server.requests();
            assert_eq!(requests.len(), 3);
            questions.extend(requests.iter().map(|request| signature(request, token)));
        }
    }
    questions.push(with_path_and_query().await);
    questions
}

/// A proxy may want a path and a query of its own.
async fn with_path_and_query() -> Value {
    let server = Server::start([answer(200, HELLO)]).await;
    let base = server
        .url
        .replace("/v1", "/proxy/of%20mine?b=2&a=%C3%A9&a=");
    let model = builder(&server).base_url(base).credentials(credentials());
    let model = model.model("m").build().unwrap();
    model.call("Hi!".into()).await.unwrap();
    let request = &server.requests()[0];
    assert!(
        request.starts_with("POST /proxy/of%20mine/model/m/converse?b=2&a=%C3%A9&a= "),
        "{request}"
    );
    signature(request, None)
}

/// The question about a good signature, spoiled in several ways.
fn spoiled(good: &Value) -> Vec<Value> {
    let with = |name: &str, value: Value| {
        let mut spoiled = good.clone();
        spoiled[name] = value;
        spoiled
    };
    let url = good["url"].as_str().unwrap();
    vec![
        with("body", "{}".into()),
        with("secret", "another".into()),
        with("url", url.replace("%3A", ":").into()),
        with("method", "GET".into()),
    ]
}

fn stream() -> Vec<u8> {
    [
        frames::event("messageStart", r#"{"role":"assistant"}"#),
        frames::event("contentBlockDelta", r#"{"delta":{"text":"서울"}}"#),
        frames::exception("throttlingException", r#"{"message":"slow"}"#),
    ]
    .concat()
}

fn expected_frames() -> Value {
    json!([
        ["event", "messageStart", r#"{"role":"assistant"}"#],
        ["event", "contentBlockDelta", r#"{"delta":{"text":"서울"}}"#],
        ["exception", "throttlingException", r#"{"message":"slow"}"#],
    ])
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bodies that use everything the adapter can write.
async fn bodies() -> Vec<Value> {
    let options = || {
        ChatOptions::builder()
            .max_tokens(9)
            .temperature(0.5)
            .top_p(0.5)
            .stop("x")
    };
    let offered = |choice| {
        let tools = support::tools(&["날씨", "get_weather"]);
        options()
            .tool_choice(choice)
            .tool_callbacks(tools)
            .unwrap()
            .build()
    };
    let format = support::forecast_options().build();
    let prompts = [
        "hi".into(),
        Prompt::new("hi", options().build()),
        Prompt::new(conversation(), format.clone()),
        Prompt::new("hi", format.over(&offered(ToolChoice::Auto))),
        Prompt::new(conversation(), options().build()),
        Prompt::new(conversation(), offered(ToolChoice::None)),
        Prompt::new(conversation(), offered(ToolChoice::Auto)),
        Prompt::new(conversation(), offered(ToolChoice::Required)),
        Prompt::new(conversation(), offered(ToolChoice::Tool("날씨".into()))),
    ];
    let mut bodies = Vec::new();
    for prompt in prompts {
        let canned = support::canned::Canned::new(HELLO);
        let model = BedrockChatModel::builder()
            .base_url("http://127.0.0.1:1")
            .model("m")
            .cache(BedrockCache::ALL)
            .strict_tools(true)
            .tool_field("get_weather", "strict", false)
            .system_tool("nova_grounding")
            .transport(canned.clone())
            .build()
            .unwrap();
        model.call(prompt).await.unwrap();
        bodies.push(serde_json::from_str(&canned.last_sent()).unwrap());
    }
    bodies
}

/// Messages of every kind, foreign ones too.
fn conversation() -> Vec<Message> {
    let data = |content: PartContent, json: &str| {
        let json = serde_json::from_str(json).unwrap();
        Part::from(content).with_provider_data(ProviderData::new("bedrock", json))
    };
    let media = |mime_type: &str| Part::from(PartContent::Media(Media::base64(mime_type, "AAAA")));
    let thought = r#"{"reasoningContent":{"reasoningText":{"text":"t","signature":"s"}}}"#;
    let call = ToolCall::new("no fit! 한", "없는 도구", "[1]");
    let lost = ToolCall::new("tooluse_1", "f", "");
    let image = ToolContent::Media(Media::base64("image/webp", "AAAA"));
    let json = ToolContent::Json(serde_json::from_str(r#"{"a":[1,null]}"#).unwrap());
    vec![
        Message::system("s"),
        Message::assistant("first"),
        Message::new(
            Role::User,
            vec![
                media("image/png"),
                media("application/pdf"),
                media("text/markdown"),
                media("video/mp4"),
                media("application/zip"),
                PartContent::Media(Media::url("image/png", "s3://bucket/a.png")).into(),
                data(
                    PartContent::Opaque,
                    r#"{"guardContent":{"text":{"text":"g"}}}"#,
                ),
            ],
        ),
        Message::new(
            Role::Assistant,
            vec![
                data(PartContent::Reasoning("t".into()), thought),
                data(
                    PartContent::Opaque,
                    r#"{"reasoningContent":{"redactedContent":"AAAA"}}"#,
                ),
                PartContent::ToolCall(call.clone()).into(),
                PartContent::ToolCall(lost).into(),
            ],
        ),
        Message::tool([ToolResponse::success(&call, vec![json, image])]),
        Message::user("And?"),
        Message::new(
            Role::Assistant,
            vec![PartContent::ToolCall(call.clone()).into()],
        ),
        Message::tool([ToolResponse::error(&call, ToolOutcome::Failed, " ")]),
    ]
}

/// Bodies that the service's model has to refuse, to see that it can.
fn wrong_bodies() -> Vec<Value> {
    let tool = json!({"toolSpec": {"name": "not fit!", "inputSchema": {"json": {}}}});
    let format = json!({"type": "json_schema", "structure": {"jsonSchema": {"schema": {}}}});
    vec![
        json!({"messages": "wrong"}),
        json!({"messages": [], "wrong": true}),
        json!({"messages": [], "toolConfig": {"tools": [tool]}}),
        json!({"messages": [], "outputConfig": {"textFormat": format}}),
    ]
}
