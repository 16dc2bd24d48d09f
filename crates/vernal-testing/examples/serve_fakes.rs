//! Serves every API on this machine until its standard input ends: for clients in other languages.
//!
//! The first line that it prints is a JSON object of the APIs' names and origins. Each server plays
//! the same conversation again and again: reasoning, text and two calls, then an answer. At the end it
//! prints the rules that were broken, and fails if there are any.

use std::io::{self, Read};
use std::process::ExitCode;

use serde_json::{Map, json};
use vernal_core::message::Usage;
use vernal_testing::Reply;
use vernal_testing::fake::{FakeApi, FakeServer, Script, Step};

fn script(api: FakeApi) -> Script {
    let mut usage = Usage::new(100, 40);
    usage.cache_read_input_tokens = 30;
    usage.reasoning_output_tokens = 10;
    let mut first = Reply::empty();
    if !matches!(api, FakeApi::OpenAiChat | FakeApi::AzureChat) {
        first = first.and_reasoning("Two cities, two tools.");
    }
    let first = first
        .and_text("Let me ")
        .and_text("see.")
        .and_call("get_weather", r#"{"city":"제주"}"#)
        .and_call("get_time", r#"{"city":"Seoul"}"#)
        .usage(usage);
    Script::new()
        .then(Step::from(first).in_fragments(4))
        .replies(Reply::text("Sunny ").and_text("at noon."))
        .again()
}

fn main() -> ExitCode {
    let servers: Vec<FakeServer> = FakeApi::ALL
        .iter()
        .map(|api| FakeServer::start(*api, script(*api)))
        .collect();
    let origins: Map<_, _> = servers
        .iter()
        .map(|server| (server.api().to_string(), json!(server.origin())))
        .collect();
    println!("{}", json!(origins));
    // Whoever started this program ends its input.
    let _ = io::stdin().read_to_end(&mut Vec::new());
    let mut code = ExitCode::SUCCESS;
    for server in servers {
        println!("{}: {} requests", server.api(), server.requests().len());
        for violation in server.violations() {
            println!("{}: BROKEN {violation}", server.api());
            code = ExitCode::FAILURE;
        }
    }
    code
}
