//! The core of Vernal: the tool-calling loop as data, and everything it is made of.
//!
//! Most programs depend on the facade crate `vernal`; extension crates depend on this one. The rooms,
//! in the order in which data flows: [`client`] → [`advisor`] → [`calling`] → [`model`], over
//! [`tool`] and [`message`].
//!
//! ```
//! use vernal_core::client::ChatClient;
//! use vernal_core::tool::{ToolError, tools};
//! # use vernal_testing::ScriptedModel;
//!
//! struct Stations;
//!
//! #[tools]
//! impl Stations {
//!     /// Get the temperature in a city, in degrees Celsius.
//!     #[tool]
//!     async fn temperature(&self, city: String) -> Result<f64, ToolError> {
//!         match city.as_str() {
//!             "Jeju" => Ok(21.5),
//!             _ => Err(ToolError::model(format!("there is no station in {city}"))),
//!         }
//!     }
//! }
//!
//! # futures::executor::block_on(async {
//! # let model = ScriptedModel::new()
//! #     .calls("temperature", r#"{"city":"Jeju"}"#)
//! #     .says("It is 21.5 °C in Jeju.");
//! let client = ChatClient::builder(model).default_tools(Stations).build()?;
//! let response = client.prompt("How warm is it in Jeju?").call().await?;
//! assert_eq!(response.content(), "It is 21.5 °C in Jeju.");
//! assert_eq!(response.rounds(), 1);
//! # Ok::<(), vernal_core::Error>(()) }).unwrap();
//! ```

pub mod advisor;
pub mod calling;
pub mod client;
mod error;
pub mod memory;
pub mod message;
pub mod model;
pub mod tool;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use error::Error;
