//! Tools made of methods by hand (rule DEF-7).

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vernal_core::tool::{MethodParameter, MethodToolCallback, ToolCallback, ToolDefinition};

use crate::made::support::call;

/// Stands for a type of another crate.
struct Service {
    prefix: &'static str,
}

impl Service {
    fn nothing(&self) {}

    fn get(&self, city: String) -> String {
        format!("{} {city}", self.prefix)
    }

    fn borrow(&self, city: &str) -> Result<String, String> {
        if city.is_empty() {
            Err("no city".to_owned())
        } else {
            Ok(self.get(city.to_owned()))
        }
    }

    async fn later(&self, city: String, days: Option<u8>) -> Result<String, Refused> {
        tokio::task::yield_now().await;
        match days {
            Some(0) => Err(Refused),
            days => Ok(format!("{} {city} {days:?}", self.prefix)),
        }
    }

    async fn borrow_later(&self, city: &str) -> String {
        tokio::task::yield_now().await;
        self.get(city.to_owned())
    }

    fn boxed<'a>(&'a self, city: String) -> Pin<Box<dyn Future<Output = String> + Send + 'a>> {
        Box::pin(async move { self.borrow_later(&city).await })
    }

    fn whole(&self, request: Request) -> String {
        format!("{} {} {:?}", self.prefix, request.city, request.days)
    }

    fn without_self(a: i64, b: i64) -> i64 {
        a - b
    }
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Request {
    city: String,
    days: Option<u8>,
}

/// An error that serialises too.
#[derive(Debug, Serialize)]
struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("refused")
    }
}

impl std::error::Error for Refused {}

trait Weather: Send + Sync {
    fn get(&self, city: String) -> String;
}

impl Weather for Service {
    fn get(&self, city: String) -> String {
        format!("dynamic {city}")
    }
}

fn service() -> Arc<Service> {
    Arc::new(Service { prefix: ">" })
}

const JEJU: &str = r#"{"city":"Jeju"}"#;

#[test]
fn def_7_a_method_is_named_by_its_path() {
    let builder = || {
        MethodToolCallback::builder("t")
            .object(service())
            .parameter::<String>("city")
    };
    let get = builder().method(Service::get).build().unwrap();
    assert_eq!(
        get.tool_definition().input_schema(),
        concat!(
            r#"{"type":"object","properties":{"city":{"type":"string"}},"#,
            r#""required":["city"],"additionalProperties":false}"#,
        )
    );
    assert_eq!(call(get, "t", JEJU).unwrap(), "> Jeju");
    let boxed = builder().method(Service::boxed).build().unwrap();
    assert_eq!(call(boxed, "t", JEJU).unwrap(), "> Jeju");
    let later = || {
        builder()
            .parameter::<Option<u8>>("days")
            .method(Service::later)
            .build()
            .unwrap()
    };
    assert_eq!(call(later(), "t", JEJU).unwrap(), "> Jeju None");
    let error = call(later(), "t", r#"{"city":"Jeju","days":0}"#).unwrap_err();
    assert!(
        error.as_error().is::<Refused>(),
        "an error that serialises is no value"
    );
    let nothing = MethodToolCallback::builder("t")
        .object(service())
        .method(Service::nothing);
    assert_eq!(call(nothing.build().unwrap(), "t", "").unwrap(), "Done");
}

#[test]
fn def_7_a_closure_adapts_what_does_not_fit() {
    let builder = || {
        MethodToolCallback::builder("t")
            .object(service())
            .parameter::<String>("city")
    };
    let borrow = builder().method(|service: &Service, city: String| service.borrow(&city));
    let borrow = borrow.build().unwrap();
    assert_eq!(call(borrow, "t", JEJU).unwrap(), "> Jeju");
    let borrow = builder().method(|service: &Service, city: String| service.borrow(&city));
    let error = call(borrow.build().unwrap(), "t", r#"{"city":""}"#).unwrap_err();
    assert_eq!(error.to_string(), "no city");
    let later =
        builder().method(async |service: &Service, city: String| service.borrow_later(&city).await);
    assert_eq!(call(later.build().unwrap(), "t", JEJU).unwrap(), "> Jeju");
}

#[test]
fn def_7_the_object_may_be_known_by_a_trait_only() {
    let builder = || {
        let object: Arc<dyn Weather> = service();
        let builder = MethodToolCallback::builder("t").object(object);
        builder.parameter::<String>("city")
    };
    let by_path = builder().method(<dyn Weather>::get).build();
    let by_closure = builder()
        .method(|weather: &(dyn Weather + 'static), city: String| weather.get(city))
        .build();
    for tool in [by_path, by_closure] {
        assert_eq!(call(tool.unwrap(), "t", JEJU).unwrap(), "dynamic Jeju");
    }
}

#[test]
fn def_7_a_function_needs_no_object() {
    let builder = || {
        MethodToolCallback::builder("t")
            .parameter::<i64>("a")
            .parameter::<i64>("b")
    };
    let arguments = r#"{"a":5,"b":7}"#;
    let function = builder().method(Service::without_self).build().unwrap();
    assert_eq!(call(function, "t", arguments).unwrap(), "-2");
    let with_object = builder()
        .object(service())
        .method(Service::without_self)
        .build()
        .unwrap();
    assert_eq!(call(with_object, "t", arguments).unwrap(), "-2");
    let captured = service();
    let closure = builder().method(move |a: i64, b: i64| {
        let service = captured.clone();
        async move { format!("{} {}", service.prefix, a + b) }
    });
    assert_eq!(
        call(closure.build().unwrap(), "t", arguments).unwrap(),
        "> 12"
    );
}

#[test]
fn def_7_the_input_may_be_one_struct() {
    let tool = MethodToolCallback::builder("t")
        .object(service())
        .input::<Request>()
        .method(Service::whole)
        .build()
        .unwrap();
    assert!(
        tool.tool_definition()
            .input_schema()
            .contains(r#""days":{"#)
    );
    assert_eq!(call(tool, "t", JEJU).unwrap(), "> Jeju None");
}

#[test]
fn def_7_parameters_are_described_and_may_be_left_out() {
    let tool = MethodToolCallback::builder("getForecast")
        .parameter(MethodParameter::new("city").description("The city's name"))
        .parameter(
            MethodParameter::new("days")
                .default_value(3)
                .description("How many"),
        )
        .parameter(MethodParameter::<Option<String>>::new("unit").required(true))
        .parameter(MethodParameter::<Option<String>>::new("note").required(false))
        .method(
            |city: String, days: u8, unit: Option<String>, note: Option<String>| {
                format!("{city} {days} {unit:?} {note:?}")
            },
        )
        .build()
        .unwrap();
    assert_eq!(tool.tool_definition().description(), "get forecast");
    assert_eq!(
        tool.tool_definition().input_schema(),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""city":{"description":"The city's name","type":"string"},"#,
            r#""days":{"default":3,"description":"How many","maximum":255,"minimum":0,"type":"integer"},"#,
            r#""unit":{"type":["string","null"]},"note":{"type":["string","null"]}},"#,
            r#""required":["city","unit"],"additionalProperties":false}"#,
        )
    );
    let text = call(tool, "getForecast", r#"{"city":"Jeju","unit":"K"}"#).unwrap();
    assert_eq!(text, r#"Jeju 3 Some("K") None"#);
}

#[test]
fn def_7_the_definition_may_be_given() {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string","maxLength":9}}}"#;
    let definition = ToolDefinition::builder("weather")
        .description("Get the weather")
        .input_schema(schema)
        .build()
        .unwrap();
    let builder = || {
        MethodToolCallback::builder("t")
            .object(service())
            .parameter::<String>("city")
    };
    let tool = builder()
        .tool_definition(definition.clone())
        .method(Service::get)
        .build()
        .unwrap();
    assert_eq!(tool.tool_definition(), &definition);
    assert_eq!(call(tool, "weather", JEJU).unwrap(), "> Jeju");
    let tool = builder()
        .input_schema(schema)
        .description("d")
        .method(Service::get)
        .build()
        .unwrap();
    assert_eq!(tool.tool_definition().input_schema(), schema);
    assert_eq!(tool.tool_definition().description(), "d");
}

#[test]
fn def_7_what_does_not_fit_together_is_an_error_of_the_build() {
    let builder = || MethodToolCallback::builder("t");
    let text = |error: Result<MethodToolCallback, vernal_core::tool::MethodToolCallbackError>| {
        let error = error.unwrap_err();
        assert_eq!(error.tool_name(), Some("t"));
        error.to_string()
    };
    let two = |_: u8, _: u8| ();
    let same = builder()
        .parameter::<u8>("a")
        .parameter::<u8>("a")
        .method(two)
        .build();
    assert!(text(same).ends_with("two of its parameters are called `a`"));
    let blank = builder().parameter::<u8>(" ").method(|_: u8| ()).build();
    assert!(text(blank).contains("\" \" is no name"));
    let optional = builder().parameter(MethodParameter::new("a").required(false));
    assert!(text(optional.method(|_: u8| ()).build()).contains("`a` is when it is left out"));
    let mixed = builder().parameter::<u8>("a").input::<Request>();
    assert!(text(mixed.method(|_: u8, _: Request| ()).build()).contains("either `.parameter"));
    let twice = builder().input::<Request>().input::<Request>();
    assert!(text(twice.method(|_: Request, _: Request| ()).build()).contains("two inputs"));
    let schema = builder()
        .parameter::<u8>("a")
        .input_schema(r#"{"properties":{"b":{}}}"#);
    assert!(text(schema.method(|_: u8| ()).build()).contains("no property for its parameter `a`"));
    let broken = builder().input_schema("[]").method(|| ()).build();
    assert!(text(broken).starts_with("the input schema of the tool `t`"));
    assert_eq!(
        MethodToolCallback::builder("")
            .method(|| ())
            .build()
            .unwrap_err()
            .tool_name(),
        None
    );
}

#[test]
fn a_missing_argument_is_named() {
    let tool = MethodToolCallback::builder("t")
        .parameter::<u8>("a")
        .method(|_: u8| ());
    let error = call(tool.build().unwrap(), "t", "").unwrap_err();
    assert_eq!(error.to_string(), "$.a: is required, but missing");
}
