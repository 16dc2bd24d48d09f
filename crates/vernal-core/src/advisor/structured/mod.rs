//! Answers of a type: asked for, validated, and corrected where they do not fit.
//!
//! [`entity`](crate::client::ChatClientRequestSpec::entity) is the short way; the advisor it uses is
//! [`StructuredOutputValidationAdvisor`], which can also be among a client's defaults.
//!
//! ```
//! use vernal_core::client::ChatClient;
//! # use vernal_testing::ScriptedModel;
//!
//! #[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
//! struct Forecast {
//!     city: String,
//!     degrees: f64,
//! }
//!
//! # futures::executor::block_on(async {
//! # let model = ScriptedModel::new()
//! #     .says("It is warm in Jeju.")
//! #     .says(r#"{"city":"Jeju","degrees":21.5}"#);
//! // The first answer of this model is no JSON; it is told so, and the second fits.
//! let client = ChatClient::create(model);
//! let forecast: Forecast = client.prompt("Weather in Jeju?").entity().await?;
//! assert_eq!(forecast, Forecast { city: "Jeju".to_owned(), degrees: 21.5 });
//! # Ok::<(), vernal_core::Error>(()) }).unwrap();
//! ```

mod advisor;
mod builder;
mod invalid;
mod json_in_text;
mod reading;
mod wording;

pub use advisor::StructuredOutputValidationAdvisor;
pub use builder::{StructuredOutputMode, StructuredOutputValidationAdvisorBuilder};
pub use invalid::InvalidAnswer;
pub(super) use reading::entity_of;
