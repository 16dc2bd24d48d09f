//! Arguments and injected parameters.

use serde::Deserialize;
use serde_json::Value;
use vernal_core::tool::{ToolContext, tools};

use crate::made::support::{call, call_with};

#[derive(Deserialize, schemars::JsonSchema)]
struct Range {
    #[serde(rename = "from")]
    start: i64,
    #[serde(default)]
    step: i64,
}

struct Tools {
    prefix: String,
}

#[tools]
impl Tools {
    #[tool]
    fn joined(&self, first: String, mut second: Vec<u64>, third: Option<Range>) -> String {
        second.reverse();
        let third = third.map(|range| (range.start, range.step));
        format!("{} {first} {second:?} {third:?}", self.prefix)
    }

    #[tool]
    async fn slowly(&self, times: u32, context: &ToolContext) -> String {
        for _ in 0..times {
            tokio::task::yield_now().await;
        }
        format!("{} {times} {}", self.prefix, tenant(context))
    }

    #[tool]
    fn in_front(&self, context: ToolContext, name: String) -> String {
        format!("{name} of {}", tenant(&context))
    }

    #[tool]
    fn several(
        &self,
        _: &vernal_core::tool::ToolContext,
        #[param(name = "in")] place: String,
        again: ToolContext,
        lent: &vernal::tool::ToolContext,
    ) -> bool {
        place == "here" && again.len() == lent.len()
    }

    #[tool]
    fn raw(&self, value: Value) -> Value {
        value
    }
}

fn tenant(context: &ToolContext) -> &str {
    context.get_str("tenant").unwrap_or("nobody")
}

fn tools() -> Tools {
    Tools {
        prefix: ">".to_owned(),
    }
}

#[test]
fn arguments_are_read_by_name_in_any_order() {
    let arguments =
        r#"{"third":{"from":-1,"step":2},"second":[1,18446744073709551615],"first":"a"}"#;
    let text = call(tools(), "joined", arguments).unwrap();
    assert_eq!(text, "> a [18446744073709551615, 1] Some((-1, 2))");
}

#[test]
fn a_missing_or_null_option_is_none() {
    for arguments in [
        r#"{"first":"a","second":[]}"#,
        r#"{"first":"a","second":[],"third":null}"#,
    ] {
        assert_eq!(call(tools(), "joined", arguments).unwrap(), "> a [] None");
    }
}

#[test]
fn a_missing_or_unreadable_argument_is_named() {
    for (arguments, text) in [
        (r#"{"second":[]}"#, "$.first: is required, but missing"),
        (r#"{"first":"a"}"#, "$.second: is required, but missing"),
        (
            r#"{"first":1,"second":[]}"#,
            "$.first: expected a string, got a number 1",
        ),
        (
            r#"{"first":"a","second":[-1]}"#,
            "$.second[0]: expected an integer from 0 to 18446744073709551615, got a number -1",
        ),
    ] {
        let error = call(tools(), "joined", arguments).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
        assert!(error.is_invalid_arguments());
    }
}

#[test]
fn async_methods_are_awaited_and_see_the_context() {
    let context = ToolContext::from([("tenant", "acme")]);
    let text = call_with(tools(), "slowly", r#"{"times":3}"#, context).unwrap();
    assert_eq!(text, "> 3 acme");
}

#[test]
fn the_context_is_injected_in_any_position_under_any_name() {
    let context = ToolContext::from([("tenant", "acme")]);
    let text = call_with(tools(), "in_front", r#"{"name":"x"}"#, context.clone()).unwrap();
    assert_eq!(text, "x of acme");
    let text = call_with(tools(), "several", r#"{"in":"here"}"#, context).unwrap();
    assert_eq!(text, "true");
}

#[test]
fn a_renamed_parameter_is_not_known_by_its_old_name() {
    let error = call(tools(), "several", r#"{"place":"here"}"#).unwrap_err();
    assert_eq!(error.to_string(), "$.in: is required, but missing");
}

#[test]
fn a_value_parameter_takes_anything() {
    for value in ["null", "[1,\"a\"]", "{\"b\":{}}", "-0.5"] {
        assert_eq!(
            call(tools(), "raw", &format!(r#"{{"value":{value}}}"#)).unwrap(),
            value
        );
    }
}
