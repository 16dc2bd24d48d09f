//! Tools made of functions and closures (rules DEF-3, RES-1).

use std::fmt;

use serde::{Deserialize, Serialize};
use vernal_core::tool::{
    Context, FunctionToolCallback, ToolCallback, ToolContext, ToolError, ToolFunction,
};

use crate::made::support::call;

#[derive(Deserialize, schemars::JsonSchema)]
struct Request {
    city: String,
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

const JEJU: &str = r#"{"city":"Jeju"}"#;

fn path(request: Request) -> Result<String, String> {
    Err(request.city)
}

async fn path_later(request: Request) -> Result<String, String> {
    Err(request.city)
}

fn run(tool: FunctionToolCallback) -> Result<String, ToolError> {
    call(tool, "t", JEJU)
}

#[test]
fn functions_of_every_shape_are_tools() {
    macro_rules! run {
        ($function:expr) => {
            run(FunctionToolCallback::builder("t", $function)
                .description("d")
                .build()
                .unwrap())
            .unwrap()
        };
    }
    assert_eq!(run!(|| 1), "1");
    assert_eq!(run!(|| ()), "Done");
    assert_eq!(run!(|| async { 1 }), "1");
    assert_eq!(run!(async || {}), "Done");
    assert_eq!(run!(|request: Request| request.city), "Jeju");
    assert_eq!(run!(|request: Request| drop(request)), "Done");
    assert_eq!(run!(|request: Request| async move { request.city }), "Jeju");
    assert_eq!(run!(async |request: Request| drop(request)), "Done");
    assert_eq!(
        run!(|request: Request, _: ToolContext| request.city),
        "Jeju"
    );
    assert_eq!(
        run!(|request: Request, _: ToolContext| async move { drop(request) }),
        "Done"
    );
    assert_eq!(run!(|context: ToolContext| context.len()), "0");
    assert_eq!(
        run!(|context: ToolContext| async move { context.len() }),
        "0"
    );
    assert_eq!(
        run!(|context: Option<Context<u8>>| context.is_none()),
        "true"
    );
    assert_eq!(run!(|| Ok::<_, ToolError>(vec![1])), "[1]");
}

#[test]
fn res_1_a_result_is_taken_apart_even_where_it_would_serialise() {
    macro_rules! error {
        ($function:expr) => {
            run(FunctionToolCallback::builder("t", $function)
                .build()
                .unwrap())
            .unwrap_err()
        };
    }
    assert_eq!(error!(path).to_string(), "Jeju");
    assert_eq!(error!(path_later).to_string(), "Jeju");
    assert_eq!(
        error!(|| -> Result<u8, &'static str> { Err("fixed") }).to_string(),
        "fixed"
    );
    assert_eq!(
        error!(|r: Request| async move { Err::<u8, _>(r.city) }).to_string(),
        "Jeju"
    );
    assert!(error!(|| Err::<u8, _>(Refused)).as_error().is::<Refused>());
    assert!(
        error!(|| Err::<u8, _>(std::io::Error::other("io")))
            .as_error()
            .is::<std::io::Error>()
    );
    assert!(error!(|| Err::<u8, _>(ToolError::fatal("f"))).is_fatal());
}

/// Code that takes any function builds a tool of it like any other.
fn of_any<F, S: 'static, K: 'static>(function: F) -> FunctionToolCallback
where
    F: ToolFunction<S, K>,
{
    FunctionToolCallback::builder("t", function)
        .build()
        .unwrap()
}

#[test]
fn generic_code_may_build_tools_of_functions() {
    assert_eq!(
        run(of_any(|request: Request| request.city)).unwrap(),
        "Jeju"
    );
    assert_eq!(
        run(of_any(|| Err::<u8, _>(std::io::Error::other("io"))))
            .unwrap_err()
            .to_string(),
        "io"
    );
}

#[test]
fn a_schema_is_derived_or_given() {
    let schema = |tool: FunctionToolCallback| tool.tool_definition().input_schema().to_owned();
    let given = r#"{"type":"object","properties":{"city":{"type":"string"}}}"#;
    let tool = FunctionToolCallback::builder("t", path)
        .input_schema(given)
        .build()
        .unwrap();
    assert_eq!(schema(tool), given);
    let tool = FunctionToolCallback::builder("t", || ())
        .input_type::<Request>()
        .build()
        .unwrap();
    let derived = FunctionToolCallback::builder("t", path).build().unwrap();
    assert_eq!(schema(tool), schema(derived));
}
