//! Media that cannot be sent are told of in the log, with no word of what they hold.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use vernal_core::message::{
    Media, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, Prompt};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::bedrock::BedrockChatModel;
use vernal_models::gemini::GeminiChatModel;
use vernal_models::http::RetryPolicy;
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::{OpenAiChatModel, OpenAiProfile, OpenAiResponsesModel};

use crate::support::canned::Canned;

/// Keeps the warnings of the crate, each as its fields.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() != "message" {
            self.0.push_str(&format!("{}={value} ", field.name()));
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "vernal_models" && *metadata.level() == Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0.trim_end().to_owned());
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

const CANARY: &str = "Q0FOQVJZ";

fn media(mime_type: &str) -> Media {
    Media::base64(mime_type, CANARY)
}

/// A sound, a film and an image wherever a message can have them.
fn conversation() -> Vec<Message> {
    let call = ToolCall::new("a", "shot", "{}");
    let mut asks = Message::assistant("See:");
    asks.push(PartContent::Media(media("image/tiff")));
    asks.push(PartContent::ToolCall(call.clone()));
    let results = ["image/png", "audio/ogg"].map(|kind| ToolContent::Media(media(kind)));
    let user = ["image/png", "video/mp4"].map(|kind| Part::from(PartContent::Media(media(kind))));
    let system = PartContent::Media(media("video/webm"));
    vec![
        Message::new(Role::System, vec![Part::text("Be brief."), system.into()]),
        Message::new(Role::User, user.to_vec()),
        asks,
        Message::tool([ToolResponse::success(&call, results.to_vec())]),
    ]
}

#[tokio::test]
async fn media_that_are_left_out_are_told_of_once() {
    let canned = Canned::new("{}");
    let chat = |profile: OpenAiProfile| {
        let builder = OpenAiChatModel::builder().base_url("http://127.0.0.1:1/v1");
        let builder = builder.profile(profile).retry(RetryPolicy::never());
        Box::new(builder.transport(canned.clone()).build().unwrap()) as Box<dyn ChatModel>
    };
    let responses = OpenAiResponsesModel::builder().base_url("http://127.0.0.1:1/v1");
    let responses = responses
        .retry(RetryPolicy::never())
        .transport(canned.clone());
    let anthropic = AnthropicChatModel::builder().base_url("http://127.0.0.1:1");
    let anthropic = anthropic
        .retry(RetryPolicy::never())
        .transport(canned.clone());
    let ollama = OllamaChatModel::builder().retry(RetryPolicy::never());
    let ollama = ollama.transport(canned.clone());
    let gemini = GeminiChatModel::builder().base_url("http://127.0.0.1:1/v1beta");
    let gemini = gemini.retry(RetryPolicy::never()).transport(canned.clone());
    let bedrock = BedrockChatModel::builder().base_url("http://127.0.0.1:1");
    let bedrock = bedrock
        .retry(RetryPolicy::never())
        .region("us-east-1")
        .api_key("k")
        .transport(canned.clone());
    let everywhere = [
        "media_type=video/webm role=system",
        "media_type=video/mp4 role=user",
        "media_type=image/tiff role=assistant",
        "media_type=audio/ogg role=tool tool=shot",
    ];
    let image = "media_type=image/png role=tool tool=shot";
    let mut with_image = everywhere.to_vec();
    with_image.insert(3, image);
    for (model, provider, expected) in [
        (chat(OpenAiProfile::OPENAI), "openai", everywhere.to_vec()),
        (chat(OpenAiProfile::VLLM), "vllm", with_image),
        (
            Box::new(responses.build().unwrap()),
            "compatible-responses",
            everywhere.to_vec(),
        ),
        (
            Box::new(anthropic.build().unwrap()),
            "anthropic",
            everywhere.to_vec(),
        ),
        (
            Box::new(ollama.build().unwrap()),
            "ollama",
            everywhere.to_vec(),
        ),
        (
            Box::new(gemini.build().unwrap()),
            "gemini",
            vec![image, everywhere[3]],
        ),
        (
            Box::new(bedrock.build().unwrap()),
            "bedrock",
            vec![everywhere[0], everywhere[2], everywhere[3]],
        ),
    ] {
        let log = Log::default();
        let guard = tracing::subscriber::set_default(log.clone());
        let options = ChatOptions::builder().model("m").build();
        let prompt = Prompt::new(conversation(), options);
        for _ in 0..2 {
            let _ = model.call(prompt.clone()).await;
        }
        drop(guard);
        let told = log.0.lock().unwrap().clone();
        let expected = expected.into_iter();
        let expected: Vec<String> = expected
            .map(|line| format!("provider={provider} {line}"))
            .collect();
        assert_eq!(told, expected, "{provider}");
        assert!(!told.concat().contains(CANARY));
        assert!(canned.last_sent().contains("[audio/ogg content]"));
    }
}
