//! Everything that a tool may return (rule RES-1).

use std::fmt;

use serde::Serialize;
use serde_json::json;
use vernal_core::message::{Media, ToolContent};
use vernal_core::tool::{ToolError, ToolOutput, tools};

use crate::made::support::call;

#[derive(Serialize)]
struct Weather {
    city: &'static str,
    degrees: f64,
}

#[derive(Debug)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("refused")
    }
}

impl std::error::Error for Refused {}

/// An error that serialises too, so that a whole `Result` of it would.
#[derive(Debug, Serialize)]
struct Both;

impl From<Both> for ToolError {
    fn from(_: Both) -> Self {
        Self::fatal("both")
    }
}

/// An alias like that of `anyhow` and of many crates.
type Fallible<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

mod strange {
    pub(super) type Outcome = std::result::Result<String, String>;
    /// Called like the standard type, but a value.
    #[derive(serde::Serialize)]
    pub(super) struct Result<T>(pub(super) T);
}

struct Tools;

#[tools]
impl Tools {
    #[tool]
    fn nothing(&self) {}
    #[tool]
    async fn nothing_later(&self) {}
    #[tool]
    #[allow(clippy::unused_unit)]
    fn unit(&self) -> () {}
    #[tool]
    fn text(&self) -> String {
        "a \"text\"".to_owned()
    }
    #[tool]
    fn fixed(&self) -> &'static str {
        "fixed"
    }
    #[tool]
    fn value(&self) -> Weather {
        Weather {
            city: "Jeju",
            degrees: 21.5,
        }
    }
    #[tool]
    fn some(&self) -> Option<u8> {
        Some(1)
    }
    #[tool]
    async fn none(&self) -> Option<Weather> {
        None
    }
    #[tool]
    fn json(&self) -> serde_json::Value {
        json!({ "b": 1, "a": [true, null] })
    }
    #[tool]
    fn some_type(&self) -> impl Serialize + 'static + use<> {
        vec![1, 2]
    }
    #[tool]
    fn parts(&self) -> ToolOutput {
        ToolOutput::from_parts([
            ToolContent::Text("see".into()),
            ToolContent::Media(Media::base64("image/png", "AQID")),
        ])
    }

    #[tool]
    fn ok(&self) -> Result<Weather, Refused> {
        Ok(Weather {
            city: "Seoul",
            degrees: 3.0,
        })
    }
    #[tool]
    fn ok_nothing(&self) -> Result<(), ToolError> {
        Ok(())
    }
    #[tool]
    async fn ok_parts(&self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::from_text("parts"))
    }
    #[tool]
    fn refused(&self) -> Result<(), Refused> {
        Err(Refused)
    }
    #[tool]
    fn text_error(&self) -> Result<String, String> {
        Err("a text for the model".to_owned())
    }
    #[tool]
    fn fixed_error(&self) -> Result<String, &'static str> {
        Err("fixed")
    }
    #[tool]
    async fn serialisable_error(&self) -> Result<(), Both> {
        Err(Both)
    }
    #[tool]
    fn fatal(&self) -> Result<(), ToolError> {
        Err(ToolError::fatal(Refused))
    }
    #[tool]
    fn alias(&self, number: String) -> Fallible<i32> {
        Ok(number.parse()?)
    }
    #[tool]
    fn other_alias(&self) -> strange::Outcome {
        Ok("by its type".to_owned())
    }
    #[tool]
    fn misleading_name(&self) -> strange::Result<u8> {
        strange::Result(7)
    }
}

fn text(name: &str) -> String {
    call(Tools, name, "{}").unwrap()
}

fn error(name: &str) -> ToolError {
    call(Tools, name, "{}").unwrap_err()
}

#[test]
fn res_1_values_become_text() {
    assert_eq!(text("nothing"), "Done");
    assert_eq!(text("nothing_later"), "Done");
    assert_eq!(text("unit"), "Done");
    assert_eq!(text("text"), "a \"text\"");
    assert_eq!(text("fixed"), "fixed");
    assert_eq!(text("value"), r#"{"city":"Jeju","degrees":21.5}"#);
    assert_eq!(text("some"), "1");
    assert_eq!(text("none"), "null");
    assert_eq!(text("json"), r#"{"a":[true,null],"b":1}"#);
    assert_eq!(text("some_type"), "[1,2]");
    assert!(text("parts").starts_with("see"));
}

#[test]
fn res_1_results_are_taken_apart() {
    assert_eq!(text("ok"), r#"{"city":"Seoul","degrees":3.0}"#);
    assert_eq!(text("ok_nothing"), "Done");
    assert_eq!(text("ok_parts"), "parts");
    assert_eq!(text("other_alias"), "by its type");
    assert_eq!(text("misleading_name"), "7");
    assert_eq!(call(Tools, "alias", r#"{"number":"42"}"#).unwrap(), "42");
}

#[test]
fn err_1_errors_convert() {
    assert_eq!(error("refused").to_string(), "refused");
    assert!(error("refused").as_error().is::<Refused>());
    assert_eq!(error("text_error").to_string(), "a text for the model");
    assert_eq!(error("fixed_error").to_string(), "fixed");
    assert!(error("serialisable_error").is_fatal());
    assert!(error("fatal").is_fatal());
    assert!(!error("refused").is_fatal());
    let error = call(Tools, "alias", r#"{"number":"x"}"#).unwrap_err();
    assert_eq!(error.to_string(), "invalid digit found in string");
}
