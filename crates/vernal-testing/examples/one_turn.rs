//! Runs one turn with a server of whoever's making and says what came of it, as a line of JSON.
//!
//! ```text
//! one_turn API BASE_URL whole|streamed [AGAIN] [MESSAGE]
//! ```
//!
//! `AGAIN` is how often the turn is begun again after an error that says so (`is_retryable`), as an
//! application would; 0 unless given. Two tools are on offer.

#[path = "../tests/support/adapters.rs"]
mod adapters;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use adapters::ADAPTED;
use serde_json::{Map, Value, json};
use vernal_core::Error;
use vernal_core::advisor::ChatClientResponse;
use vernal_core::client::ChatClient;
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_models::http::{HttpLimits, RetryPolicy};

type Failure = Box<dyn std::error::Error>;
/// Name and arguments of every call that ran.
type Ran = Arc<Mutex<Vec<Value>>>;

const SCHEMA: &str = r#"{"type":"object","properties":{"city":{"type":"string","description":"The city"}},"required":["city"],"additionalProperties":false}"#;

fn client(name: &str, url: &str) -> Result<ChatClient, Failure> {
    let limits = HttpLimits::default()
        .with_first_byte(Duration::from_secs(5))
        .with_idle(Duration::from_secs(2));
    let api = ADAPTED.into_iter().find(|api| api.as_str() == name);
    let api = api.ok_or_else(|| format!("there is no adapter for `{name}`"))?;
    let model = adapters::model(api, url.to_owned(), limits, RetryPolicy::default())?;
    Ok(ChatClient::create(model))
}

fn tools(ran: &Ran) -> Result<Vec<Arc<dyn ToolCallback>>, Failure> {
    let tool = |name: &'static str, about: &str, said: &'static str| {
        let ran = ran.clone();
        let run = move |arguments: Map<String, Value>| {
            let call = json!({"name": name, "arguments": arguments});
            ran.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(call);
            said
        };
        let tool = FunctionToolCallback::builder(name, run).description(about);
        tool.input_schema(SCHEMA).build()
    };
    Ok(vec![
        Arc::new(tool(
            "get_weather",
            "Get the current weather in a city",
            "Sunny, 21 °C",
        )?),
        Arc::new(tool("get_time", "Get the current time in a city", "12:00")?),
    ])
}

fn told(outcome: &Result<ChatClientResponse, Error>) -> Value {
    match outcome {
        Ok(answer) => {
            json!({"outcome": "answer", "content": answer.content(), "rounds": answer.rounds()})
        }
        Err(error) => {
            let kind = error
                .model_error()
                .map(|error| format!("{:?}", error.kind()));
            json!({
                "outcome": kind.unwrap_or_else(|| "other".to_owned()),
                "retryable": error.is_retryable(),
                "text": error.to_string(),
            })
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [api, url, how, rest @ ..] = arguments.as_slice() else {
        return Err("usage: one_turn API BASE_URL whole|streamed [AGAIN] [MESSAGE]".into());
    };
    let again: u32 = rest.first().map_or(Ok(0), |again| again.parse())?;
    let message = rest
        .get(1)
        .map_or("What is the weather in Paris?", String::as_str);
    let ran = Ran::default();
    let asked = client(api, url)?.prompt(message).tools(tools(&ran)?);
    let mut turns = 0;
    let outcome = loop {
        let outcome = match how.as_str() {
            "streamed" => asked.stream().response().await,
            _ => asked.call().await,
        };
        turns += 1;
        match &outcome {
            Err(error) if error.is_retryable() && turns <= again => {}
            _ => break outcome,
        }
    };
    let mut told = told(&outcome);
    let ran = ran.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(told) = told.as_object_mut() {
        told.insert("ran".into(), ran.into());
        told.insert("turns".into(), turns.into());
    }
    println!("{told}");
    Ok(())
}
