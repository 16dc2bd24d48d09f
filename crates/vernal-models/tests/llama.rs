//! A real model behind a llama.cpp server, where `VERNAL_LLAMA_URL` names one: the same conversations
//! through each of the languages that the server speaks.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use std::sync::Arc;

use support::view::{View, collect, view};
use vernal_core::advisor::ChatClientResponse;
use vernal_core::client::ChatClient;
use vernal_core::model::{ChatModel, ChatOptions, Prompt};
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::openai::OpenAiChatModel;
use vernal_models::openai::responses::OpenAiResponsesModel;

fn main() {
    support::run_alone("llama", || {
        let Ok(url) = std::env::var("VERNAL_LLAMA_URL") else {
            let how = "opt-in, run cargo xtask llama -- cargo test -p vernal-models --test llama -- --nocapture";
            return Err(how.to_owned());
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        for (language, model) in models(&url) {
            println!("=== {language}");
            runtime.block_on(a_model_calls_a_tool(&model));
            runtime.block_on(whole_turns(&model));
        }
        Ok(())
    });
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct WeatherRequest {
    /// The city's name.
    city: String,
}

/// The model in every language, by the name of its endpoint.
fn models(url: &str) -> [(&'static str, Arc<dyn ChatModel>); 3] {
    let root = url.trim_end_matches('/').trim_end_matches("/v1");
    let base = format!("{root}/v1");
    let name = std::env::var("VERNAL_LLAMA_MODEL").unwrap_or_else(|_| "local".to_owned());
    let chat = OpenAiChatModel::builder().base_url(&base).model(&*name);
    let responses = OpenAiResponsesModel::builder()
        .base_url(&base)
        .model(&*name);
    let messages = AnthropicChatModel::builder().base_url(&base).model(&*name);
    [
        ("/v1/chat/completions", Arc::new(chat.build().unwrap())),
        ("/v1/responses", Arc::new(responses.build().unwrap())),
        ("/v1/messages", Arc::new(messages.build().unwrap())),
    ]
}

async fn a_model_calls_a_tool(model: &Arc<dyn ChatModel>) {
    let weather = FunctionToolCallback::builder("get_weather", |_: WeatherRequest| "sunny")
        .description("Get the current weather in a city")
        .build()
        .unwrap();
    let options = ChatOptions::builder()
        .temperature(0.0)
        .max_tokens(512)
        .tool_callbacks([Arc::new(weather) as Arc<dyn ToolCallback>])
        .unwrap()
        .build();
    let question = "What is the weather in Seoul right now? Use the tool.";
    let prompt = Prompt::new(question, options);

    let called = view(&model.call(prompt.clone()).await.unwrap());
    let (told, end) = collect(model.stream(prompt)).await;
    let streamed = view(&end.unwrap());
    println!("call:   {called:?}\nstream: {streamed:?}");
    check(&called);
    check(&streamed);
    assert_eq!(told.text, streamed.text);
    assert_eq!(told.arguments.len(), streamed.calls.len());
}

fn check(view: &View) {
    assert!(
        view.usage.is_some_and(|usage| usage.output_tokens > 0),
        "{view:?}"
    );
    let (_, name, arguments) = view.calls.first().expect("the model called no tool");
    assert_eq!(name, "get_weather");
    let arguments: serde_json::Value = serde_json::from_str(arguments).unwrap();
    assert!(arguments.is_object());
}

/// The whole loop with two tools: called and streamed.
async fn whole_turns(model: &Arc<dyn ChatModel>) {
    let runs = Arc::new(std::sync::Mutex::new(Vec::new()));
    let (weather_runs, population_runs) = (runs.clone(), runs.clone());
    let weather = FunctionToolCallback::builder("get_weather", move |at: WeatherRequest| {
        weather_runs.lock().unwrap().push("get_weather");
        format!("{}: 21 degrees Celsius and sunny", at.city)
    })
    .description("Get the current weather in a city")
    .build()
    .unwrap();
    let population = FunctionToolCallback::builder("get_population", move |of: WeatherRequest| {
        population_runs.lock().unwrap().push("get_population");
        format!("{} has 9400000 inhabitants", of.city)
    })
    .description("Get how many people live in a city")
    .build()
    .unwrap();
    let options = ChatOptions::builder()
        .temperature(0.0)
        .max_tokens(512)
        .build();
    let client = ChatClient::builder(model.clone())
        .default_tools((weather, population))
        .default_options(options)
        .build()
        .unwrap();
    let question =
        "Call get_weather for Seoul and call get_population for Seoul. Then tell me both.";
    let request = client.prompt(question);

    let called = request.call().await.unwrap();
    show("call", &called);
    assert_whole(&called, &mut runs.lock().unwrap());
    let streamed = request.stream().response().await.unwrap();
    show("stream", &streamed);
    assert_whole(&streamed, &mut runs.lock().unwrap());
}

fn show(how: &str, response: &ChatClientResponse) {
    println!("--- whole turn, {how}:");
    for message in response.messages().unwrap() {
        println!("{:?}: {}", message.role(), message.text());
        message
            .tool_calls()
            .for_each(|call| println!("  → {} {}", call.name, call.arguments));
        message
            .tool_responses()
            .for_each(|answer| println!("  ← {} {}", answer.name, answer.text()));
    }
}

fn assert_whole(response: &ChatClientResponse, runs: &mut Vec<&'static str>) {
    runs.sort_unstable();
    runs.dedup();
    assert_eq!(*runs, ["get_population", "get_weather"], "both tools ran");
    runs.clear();
    assert!(!response.content().trim().is_empty(), "there is an answer");
    assert!(response.usage().output_tokens > 0);
    assert!(response.rounds() >= 1);
}
