//! JSON schemas of tool inputs: made from Rust types, compiled once, and used to check arguments.
//!
//! The vocabulary is that of draft 2020-12, with what older drafts wrote differently, and without
//! remote references (rules SCH-1, SCH-6, ARG-3). Keywords that are known but cannot be checked here,
//! such as `pattern`, are listed by [`CompiledSchema::unchecked`] and logged as a warning when a tool
//! is built. `format` is for the model alone.
//!
//! Types with serde's and schemars' derives have schemas, and so have many of other crates behind
//! features of schemars. For dates and times there are the features `chrono` and `jiff` of
//! `vernal` and `vernal-core`. `jiff` means jiff 0.2, which is what schemars knows; for jiff 1 a field says how it is
//! written:
//!
//! ```
//! # use vernal_core::tool::schema::input_schema_of;
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Alarm {
//!     #[schemars(with = "String", extend("format" = "date-time"))]
//!     at: jiff::Timestamp,
//! }
//! # assert!(input_schema_of::<Alarm>().contains(r#""at":{"format":"date-time","type":"string"}"#));
//! ```
//!
//! The schemas of `i8` to `u32` say which values fit, so that one that does not is told with all other
//! violations before the tool is entered. Longer integers say no more than that they are not negative,
//! if they cannot be: many providers and servers hold JSON numbers as floats, which are exact up to
//! 2^53 only, and some refuse larger bounds. A value that a `u64` or `i64` cannot hold is told when it
//! is read, with its path; where the digits of such a number matter, as in an id, take a `String`.
//!
//! Whatever a schema and a value are, checking takes a bounded number of steps, and what it says is
//! short enough for a model to read:
//!
//! ```
//! use vernal_core::tool::schema::CompiledSchema;
//!
//! let (_, schema) = CompiledSchema::for_tool_input(
//!     r#"{ "properties": { "days": { "type": "integer", "minimum": 1 } }, "required": ["days"],
//!          "additionalProperties": false }"#,
//! )?;
//! let violations = schema.check(r#"{"days":0,"city":"Jeju"}"#).unwrap_err();
//! let lines: Vec<String> = violations.iter().map(|v| v.to_string()).collect();
//! assert_eq!(lines, [
//!     "$.days: expected a number of at least 1, got 0",
//!     "$.city: there is no such argument; known are: days",
//! ]);
//! # Ok::<(), vernal_core::tool::schema::SchemaError>(())
//! ```

mod check;
mod coerce;
mod compile;
mod definitions;
mod generate;
mod integers;
pub(crate) mod json;
mod keywords;
mod normalize;
mod resources;
mod schema_error;
mod tidy;
mod uri;
mod value;
mod violation;

pub use compile::CompiledSchema;
pub(crate) use definitions::{definition_of, name_root};
pub use generate::{ParameterSchemas, input_schema_of};
pub use schema_error::SchemaError;
pub use violation::{Violation, Violations};
