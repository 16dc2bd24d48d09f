//! `#[tool]` on free functions.

use std::sync::Arc;

use vernal_core::tool::{ToolCallbacks, ToolContext, ToolOrigin, ToolSet, tool};

use crate::made::support::{call, call_with, definition, names, tool as tool_of};

/// Get the weather.
#[tool]
fn weather(
    /// The city's name.
    city: String,
    days: Option<u8>,
) -> String {
    format!("{city} {}", days.unwrap_or(1))
}

#[tool(name = "sendMail", description = "Send a mail", return_direct)]
pub(crate) async fn send_mail(to: String, context: ToolContext) -> Result<String, String> {
    if to.is_empty() {
        return Err("nobody to send it to".to_owned());
    }
    Ok(format!(
        "{to} from {}",
        context.get_str("user").unwrap_or("nobody")
    ))
}

#[tool]
const fn plain() {}

#[tool]
fn 인사(이름: String) -> String {
    format!("안녕, {이름}")
}

#[tool]
fn r#match(r#type: String) -> String {
    r#type
}

mod inner {
    use vernal_core::tool::tool;

    /// Public.
    #[cfg(not(any()))]
    #[tool]
    #[cfg(not(any()))]
    #[must_use]
    pub(super) fn visible(depth: u8) -> u8 {
        if depth == 0 {
            0
        } else {
            1 + visible::call(depth - 1)
        }
    }

    #[tool]
    #[cfg(any())]
    fn absent() -> Absent {}
}

#[test]
fn a_function_is_handed_over_by_its_name() {
    assert_eq!(
        names((weather, send_mail, plain)),
        ["weather", "sendMail", "plain"]
    );
    let definition = definition(weather, "weather");
    assert_eq!(definition.description(), "Get the weather.");
    assert_eq!(
        definition.input_schema(),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""city":{"description":"The city's name.","type":"string"},"#,
            r#""days":{"maximum":255,"minimum":0,"type":["integer","null"]}},"#,
            r#""required":["city"],"additionalProperties":false}"#,
        )
    );
    assert!(
        tool_of(send_mail, "sendMail")
            .tool_metadata()
            .return_direct()
    );
    assert_eq!(
        tool_of(plain, "plain").tool_definition().description(),
        "plain"
    );
}

#[test]
fn a_function_is_called_as_a_tool_and_as_a_function() {
    assert_eq!(
        call(weather, "weather", r#"{"city":"Busan","days":2}"#).unwrap(),
        "Busan 2"
    );
    assert_eq!(weather::call("Busan".to_owned(), None), "Busan 1");
    let context = ToolContext::from([("user", "kim")]);
    let text = call_with(send_mail, "sendMail", r#"{"to":"lee"}"#, context.clone()).unwrap();
    assert_eq!(text, "lee from kim");
    let sent = futures::executor::block_on(send_mail::call(String::new(), context));
    assert_eq!(sent, Err("nobody to send it to".to_owned()));
    assert_eq!(
        call(inner::visible, "visible", r#"{"depth":3}"#).unwrap(),
        "3"
    );
}

#[test]
fn names_may_be_keywords_or_in_any_script() {
    assert_eq!(call(인사, "인사", r#"{"이름":"봄"}"#).unwrap(), "안녕, 봄");
    assert_eq!(call(r#match, "match", r#"{"type":"raw"}"#).unwrap(), "raw");
}

#[test]
fn tools_4_handed_over_twice_it_counts_once() {
    let tools = ToolCallbacks::from((weather, [weather, weather], Some(weather)));
    assert!(tools.iter().all(|tool| Arc::ptr_eq(tool, &tools[0])));
    let origins = [
        ToolOrigin::Defaults,
        ToolOrigin::Request,
        ToolOrigin::Request,
    ];
    let set = ToolSet::new(tools.into_iter().zip(origins)).unwrap();
    assert_eq!(set.len(), 1);
}
