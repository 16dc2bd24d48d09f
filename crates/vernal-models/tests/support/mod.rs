//! What the tests of the adapters share: transports and servers that say what they are told to.

#![allow(dead_code, unreachable_pub, missing_docs)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

pub mod canned;
pub mod differences;
pub mod proxy;
pub mod server;
pub mod view;

use std::sync::Arc;

use vernal_core::tool::{FunctionToolCallback, ToolCallback};

/// Tools that do nothing, with these names.
pub fn tools(names: &[&str]) -> Vec<Arc<dyn ToolCallback>> {
    let tool = |name: &&str| {
        let tool = FunctionToolCallback::builder(*name, || "done")
            .build()
            .unwrap();
        Arc::new(tool) as Arc<dyn ToolCallback>
    };
    names.iter().map(tool).collect()
}

/// Runs the one test of a program that has no test harness, so that what it prints is always seen.
/// `Err` is the reason for which it was skipped. The arguments of a harness are understood as far
/// as they choose tests.
pub fn run_alone(name: &str, test: impl FnOnce() -> Result<(), String>) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        println!("{name}: test");
        return;
    }
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let passed = if filter.is_some_and(|filter| !name.contains(filter.as_str())) {
        0
    } else if let Err(reason) = test() {
        println!("SKIPPED {name}: {reason}");
        0
    } else {
        println!("test {name} ... ok");
        1
    };
    println!(
        "\ntest result: ok. {passed} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n"
    );
}

/// A type to ask for, and an answer that fits it.
#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
pub struct Forecast {
    pub city: String,
    pub degrees: Option<u8>,
}

pub const FORECAST: &str = r#"{"city":"Jeju","degrees":21}"#;

/// Its schema as it is, and as one that providers hold an answer to.
pub const FORECAST_SCHEMA: &str = concat!(
    r#"{"additionalProperties":false,"properties":{"city":{"type":"string"},"#,
    r#""degrees":{"maximum":255,"minimum":0,"type":["integer","null"]}},"#,
    r#""required":["city"],"type":"object"}"#,
);

pub fn jeju() -> Forecast {
    Forecast {
        city: "Jeju".to_owned(),
        degrees: Some(21),
    }
}

/// Prompts in which nobody but the system speaks are refused, and the error says so.
pub async fn nobody_speaks(model: &dyn vernal_core::model::ChatModel, server: &str) {
    use vernal_core::message::Message;
    use vernal_core::model::{ChatOptions, ModelErrorKind, Prompt};
    for (messages, found) in [
        (vec![], "no messages at all"),
        (vec![Message::system("Hi!")], "only system messages"),
        (
            vec![Message::system("a"), Message::system("b")],
            "only system messages",
        ),
        (vec![Message::user("")], "is empty"),
        (vec![Message::system("a"), Message::user("")], "is empty"),
        (vec![Message::user(" \n")], "is empty"),
        (vec![Message::user(" "), Message::user("\t")], "is empty"),
    ] {
        let prompt = Prompt::new(messages, ChatOptions::default());
        let streamed = view::collect(model.stream(prompt.clone())).await.1;
        for error in [model.call(prompt).await.unwrap_err(), streamed.unwrap_err()] {
            assert_eq!(error.kind(), ModelErrorKind::Configuration);
            let said = error.to_string();
            for part in [found, server, "`Message::user`"] {
                assert!(said.contains(part), "{said}");
            }
        }
    }
}

/// Options for answers of the type.
pub fn forecast_options() -> vernal_core::model::ChatOptionsBuilder {
    use vernal_core::model::{ChatOptions, ResponseFormat, ResponseSchema};
    let schema = ResponseSchema::of::<Forecast>().unwrap();
    assert_eq!(schema.schema(), FORECAST_SCHEMA);
    ChatOptions::builder().response_format(ResponseFormat::JsonSchema(schema))
}
