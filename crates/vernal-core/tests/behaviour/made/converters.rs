//! Converting results (rule RES-3).

use serde::Serialize;
use vernal_core::message::{Media, ToolContent};
use vernal_core::tool::{
    FunctionToolCallback, MethodToolCallback, ToolCallResultConverter, ToolError, ToolOutput,
    ToolResult, tool, tools,
};

use crate::made::support::call;

#[derive(Serialize)]
struct Celsius(f64);

/// Shows temperatures, and says of everything else what it is.
#[derive(Clone)]
struct Degrees;

impl ToolCallResultConverter for Degrees {
    fn convert(&self, result: ToolResult<'_>) -> Result<ToolOutput, ToolError> {
        match result.downcast_ref::<Celsius>() {
            Some(Celsius(degrees)) if degrees.is_nan() => Err(ToolError::model("no thermometer")),
            Some(Celsius(degrees)) => Ok(ToolOutput::from_text(format!("{degrees:.1} °C"))),
            None => {
                let name = result.type_name().rsplit("::").next().unwrap_or_default();
                Ok(ToolOutput::from_text(format!(
                    "{name} {}",
                    result.to_json()?
                )))
            }
        }
    }
}

fn as_picture(result: ToolResult<'_>) -> Result<ToolOutput, ToolError> {
    Ok(ToolOutput::from_parts([
        ToolContent::Text(result.to_json()?.into()),
        ToolContent::Media(Media::base64("image/png", "AQID")),
    ]))
}

struct Tools {
    converter: Degrees,
}

#[tools]
impl Tools {
    #[tool(result_converter = Degrees)]
    fn value(&self) -> Celsius {
        let _ = &self.converter;
        Celsius(21.54)
    }

    #[tool(result_converter = Degrees)]
    async fn ok(&self) -> Result<Celsius, String> {
        Ok(Celsius(3.0))
    }

    #[tool(result_converter = Degrees)]
    fn err(&self) -> Result<Celsius, String> {
        Err("the function's own error".to_owned())
    }

    #[tool(result_converter = Degrees)]
    fn unconvertible(&self) -> Celsius {
        Celsius(f64::NAN)
    }

    #[tool(result_converter = Degrees)]
    fn nothing(&self) {}

    #[tool(result_converter = Degrees)]
    fn maybe(&self) -> Option<u8> {
        None
    }

    #[tool(result_converter = as_picture)]
    fn picture(&self) -> Vec<u8> {
        vec![1]
    }

    #[tool(result_converter = |_: ToolResult<'_>| Err(ToolError::fatal("broken")))]
    fn fatal(&self) {}
}

#[tool(result_converter = Degrees)]
fn free() -> Celsius {
    Celsius(-1.0)
}

fn tools() -> Tools {
    Tools { converter: Degrees }
}

#[test]
fn res_3_a_converter_sees_the_value_and_its_type() {
    let text = |name| call(tools(), name, "{}").unwrap();
    assert_eq!(text("value"), "21.5 °C");
    assert_eq!(text("ok"), "3.0 °C");
    assert_eq!(text("nothing"), "() null");
    assert!(text("maybe").ends_with(" null"));
    assert_eq!(call(free, "free", "{}").unwrap(), "-1.0 °C");
}

#[test]
fn res_3_the_result_may_be_content_parts() {
    assert!(call(tools(), "picture", "{}").unwrap().starts_with("[1]"));
}

#[test]
fn err_7_an_error_of_a_converter_is_the_tools() {
    let error = |name| call(tools(), name, "{}").unwrap_err();
    assert_eq!(error("err").to_string(), "the function's own error");
    assert_eq!(error("unconvertible").to_string(), "no thermometer");
    assert!(!error("unconvertible").is_fatal());
    assert!(error("fatal").is_fatal());
}

#[test]
fn res_3_built_tools_have_converters_too() {
    let function = FunctionToolCallback::builder("f", |_: vernal_core::tool::ToolContext| async {
        Ok::<_, String>(Celsius(1.0))
    })
    .result_converter(Degrees)
    .build()
    .unwrap();
    assert_eq!(call(function, "f", "{}").unwrap(), "1.0 °C");
    let method = MethodToolCallback::builder("m")
        .parameter::<f64>("degrees")
        .result_converter(Degrees)
        .method(Celsius)
        .build()
        .unwrap();
    assert_eq!(call(method, "m", r#"{"degrees":2.25}"#).unwrap(), "2.2 °C");
}
