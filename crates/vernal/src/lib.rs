//! Vernal: the tool-calling runtime for Rust.
//!
//! A program gives it a model and some functions; it runs the loop in which the model asks for calls,
//! Vernal executes them, and the model answers.
//!
//! ```
//! use vernal::prelude::*;
//! # use vernal_testing::ScriptedModel;
//!
//! struct DateTimeTools;
//!
//! #[tools]
//! impl DateTimeTools {
//!     /// Get the current date and time in the user's timezone.
//!     #[tool]
//!     fn current_date_time(&self) -> String {
//!         "2026-12-01T09:30:00+09:00".to_owned()
//!     }
//!
//!     /// Set a user alarm for the given time.
//!     #[tool]
//!     async fn set_alarm(
//!         &self,
//!         /// The time, in ISO-8601 format.
//!         time: String,
//!         /// A label shown with the alarm.
//!         label: Option<String>,
//!     ) {
//!         println!("alarm at {time}: {}", label.unwrap_or_default());
//!     }
//! }
//!
//! # futures::executor::block_on(async {
//! # let model = ScriptedModel::new()
//! #     .calls("current_date_time", "{}")
//! #     .calls("set_alarm", r#"{"time":"2026-12-01T09:40:00+09:00"}"#)
//! #     .says("Your alarm is set for 09:40.");
//! let answer = ChatClient::create(model)
//!     .prompt("Can you set an alarm 10 minutes from now?")
//!     .tools(DateTimeTools)
//!     .call()
//!     .await?
//!     .content();
//! assert_eq!(answer, "Your alarm is set for 09:40.");
//! # Ok::<(), vernal::Error>(()) }).unwrap();
//! ```
//!
//! Features: `openai` (on by default) for OpenAI Chat Completions and every server that speaks it, and
//! for OpenAI Responses, `anthropic`, `gemini` and `ollama` for those three in their own dialects,
//! `bedrock` for models on AWS, `demo` for an embedded model of rules that needs no key and no server,
//! `registry` for tools that are registered where they are written, `jiff` and `chrono` for parameters
//! that are dates and times.

pub use vernal_core::{Error, advisor, calling, client, memory, message, model, tool};

#[doc(hidden)]
pub use vernal_core::__private;

/// Models to talk to, each behind its feature, and [`model`](models::model), which finds one by its name.
///
/// ```
/// # #[cfg(feature = "openai")] {
/// use vernal::models::openai::OpenAiChatModel;
///
/// let local = OpenAiChatModel::builder()
///     .base_url("http://127.0.0.1:8080/v1")
///     .model("small")
///     .build()?;
/// # let _ = local; }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(any(feature = "demo", feature = "http-client"))]
pub mod models {
    #[cfg(feature = "anthropic")]
    pub use vernal_models::anthropic;
    #[cfg(feature = "bedrock")]
    pub use vernal_models::bedrock;
    #[cfg(feature = "demo")]
    pub use vernal_models::demo;
    #[cfg(feature = "gemini")]
    pub use vernal_models::gemini;
    #[cfg(feature = "ollama")]
    pub use vernal_models::ollama;
    #[cfg(feature = "openai")]
    pub use vernal_models::openai;
    #[cfg(feature = "http-client")]
    pub use vernal_models::{ModelBuilder, capabilities, http};
    pub use vernal_models::{lowering, model, model_from, provider_names};
}

pub mod prelude;

/// The code of the READMEs and of the guide compiles, in both languages.
#[cfg(all(doctest, feature = "openai"))]
mod pages {
    macro_rules! pages {
        ($($name:ident: $path:literal;)*) => {
            $(#[doc = include_str!(concat!("../../../", $path))] struct $name;)*
        };
    }

    pages! {
        Readme: "README.md";
        ReadmeKo: "README.ko.md";
        FirstTurn: "docs/guide/01-first-turn.md";
        FirstTurnKo: "docs/guide/01-first-turn.ko.md";
        Tools: "docs/guide/02-tools.md";
        ToolsKo: "docs/guide/02-tools.ko.md";
        Loop: "docs/guide/03-loop.md";
        LoopKo: "docs/guide/03-loop.ko.md";
        Hooks: "docs/guide/04-hooks.md";
        HooksKo: "docs/guide/04-hooks.ko.md";
        Advisors: "docs/guide/05-advisors.md";
        AdvisorsKo: "docs/guide/05-advisors.ko.md";
        Memory: "docs/guide/06-memory.md";
        MemoryKo: "docs/guide/06-memory.ko.md";
        Models: "docs/guide/07-models.md";
        ModelsKo: "docs/guide/07-models.ko.md";
        Testing: "docs/guide/08-testing.md";
        TestingKo: "docs/guide/08-testing.ko.md";
        SpringAi: "docs/guide/09-spring-ai.md";
        SpringAiKo: "docs/guide/09-spring-ai.ko.md";
    }
}
