//! Media in messages and results, and marks for the prompt cache.

use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use vernal_core::message::{
    Media, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolContent, ToolResponse,
};
use vernal_core::model::{ChatModel, ChatOptions, Prompt};
use vernal_models::openai::{OpenAiCache, OpenAiChatModel, OpenAiProfile};

use crate::support::canned::Canned;
use crate::{HELLO, messages, messages_with};

#[tokio::test]
async fn media_of_the_user() {
    let mut message = Message::user("Look:");
    message.push(PartContent::Media(Media::base64("image/png", "AAAA")));
    message.push(PartContent::Media(Media::url(
        "image/jpeg",
        "https://h/cat.jpg",
    )));
    message.push(PartContent::Media(Media::base64("audio/wav", "BBBB")));
    message.push(PartContent::Media(Media::base64("application/pdf", "CCCC")));
    message.push(PartContent::Media(Media::base64("video/mp4", "DDDD")));
    let content = messages(vec![message]).await[0]["content"].take();
    assert_eq!(
        content,
        json!([
            {"type": "text", "text": "Look:"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
            {"type": "image_url", "image_url": {"url": "https://h/cat.jpg"}},
            {"type": "input_audio", "input_audio": {"data": "BBBB", "format": "wav"}},
            {"type": "file", "file": {
                "filename": "document.pdf", "file_data": "data:application/pdf;base64,CCCC"
            }},
            {"type": "text", "text": "[video/mp4 content]"},
        ])
    );
}

#[tokio::test]
async fn media_of_a_tool() {
    let call = ToolCall::new("a", "draw", "{}");
    let image = ToolContent::Media(Media::base64("image/png", "AAAA"));
    let text = ToolContent::Text("Here:".into());
    let turn = || {
        let asks = PartContent::ToolCall(call.clone());
        let drawn = ToolResponse::success(&call, vec![text.clone(), image.clone()]);
        vec![
            Message::new(Role::Assistant, vec![asks.into()]),
            Message::tool([drawn]),
        ]
    };
    let after_call = |mut sent: Value| sent.as_array_mut().unwrap().split_off(1);
    let note =
        json!({"role": "tool", "tool_call_id": "a", "content": "Here:\n[image/png content]"});
    assert_eq!(after_call(messages(turn()).await), vec![note.clone()]);
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}});
    let about = json!({"type": "text", "text": "Images of the result of call a:"});
    assert_eq!(
        after_call(messages_with(OpenAiProfile::OPENAI, turn()).await),
        [note, json!({"role": "user", "content": [about, image]})]
    );
}

/// The end of a prefix that is to be kept is marked where the provider's data on a part says so.
#[tokio::test]
async fn marks_for_the_cache_stand_where_they_are_wanted() {
    let mark = json!({"mode": "explicit"});
    let marked = |content: PartContent, provider: &'static str| {
        let data = json!({"prompt_cache_breakpoint": mark, "role": "system"});
        let data = ProviderData::new(provider, to_raw_value(&data).unwrap());
        Part::from(content).with_provider_data(data)
    };
    let text = |text: &str| PartContent::Text(text.into());
    let image = || PartContent::Media(Media::url("image/png", "https://h/a.png"));
    let asked = || {
        vec![
            Message::new(Role::System, vec![marked(text("Be brief."), "openai")]),
            Message::new(
                Role::User,
                vec![marked(image(), "openai"), Part::text("What is it?")],
            ),
            Message::new(Role::User, vec![marked(text("Well?"), "anthropic")]),
        ]
    };
    assert_eq!(
        messages_with(OpenAiProfile::OPENAI, asked()).await,
        json!([
            {"role": "system", "content": [
                {"type": "text", "text": "Be brief.", "prompt_cache_breakpoint": mark}]},
            {"role": "user", "content": [
                {"type": "image_url", "image_url": {"url": "https://h/a.png"},
                    "prompt_cache_breakpoint": mark},
                {"type": "text", "text": "What is it?"}]},
            {"role": "user", "content": "Well?"},
        ])
    );
    // It is for the provider that the data names alone.
    let other = messages_with(OpenAiProfile::GROQ, asked()).await;
    assert!(
        !other.to_string().contains("prompt_cache_breakpoint"),
        "{other}"
    );
}

#[tokio::test]
async fn the_systems_texts_are_marked_where_it_is_asked_for() {
    let canned = Canned::new(HELLO);
    let mut own = OpenAiCache::ALL;
    own.conversation = false;
    let asked = || {
        let said = ["Be brief.", "Be kind."].map(Message::system);
        let said = said.into_iter().chain([Message::user("hi")]);
        let said: Vec<Message> = said.chain([Message::system("Soon.")]).collect();
        Prompt::new(said, ChatOptions::default())
    };
    for (cache, options) in [
        (OpenAiCache::ALL, Value::Null),
        (own, json!({"mode": "explicit"})),
    ] {
        let model = OpenAiChatModel::builder().base_url("http://127.0.0.1:1/v1");
        let model = model
            .model("gpt-5.6")
            .cache(cache)
            .transport(canned.clone());
        let model = model.build().unwrap();
        let prompt = asked();
        let mut before = None;
        for _ in 0..2 {
            model.call(prompt.clone()).await.unwrap();
            let sent = canned.last_sent();
            assert_eq!(*before.get_or_insert(sent.clone()), sent);
            let request: Value = serde_json::from_str(&sent).unwrap();
            assert_eq!(request["prompt_cache_options"], options);
            assert_eq!(
                request["messages"],
                json!([
                    {"role": "system", "content": "Be brief."},
                    {"role": "system", "content": [{"type": "text", "text": "Be kind.",
                        "prompt_cache_breakpoint": {"mode": "explicit"}}]},
                    {"role": "user", "content": "hi"},
                    {"role": "system", "content": "Soon."},
                ])
            );
        }
    }
}
