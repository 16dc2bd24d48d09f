//! Parameters that the application gives (rules SCH-4, CTX).

use std::sync::Mutex;

use serde::Deserialize;
use vernal_core::message::History;
use vernal_core::tool::{
    CancellationToken, Context, FromToolContext, FunctionToolCallback, MethodToolCallback,
    ProgressSender, ToolContext, ToolError, tool, tools,
};

use crate::made::support::{call, call_with, definition};

struct Tenant {
    name: &'static str,
}

struct Database(Mutex<Vec<String>>);

/// An application's own.
struct User(String);

impl FromToolContext for User {
    fn from_tool_context(context: &ToolContext) -> Result<Self, ToolError> {
        let name = context
            .get_str("user")
            .ok_or_else(|| ToolError::fatal("nobody is logged in"))?;
        Ok(Self(name.to_owned()))
    }
}

mod lookalike {
    /// Called like ours, but read from JSON.
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    pub(super) struct Context<T>(pub(super) T);
}

struct Tools;

#[tools]
impl Tools {
    #[tool]
    async fn typed(
        &self,
        tenant: Context<Tenant>,
        word: String,
        database: &Context<Database>,
    ) -> String {
        tokio::task::yield_now().await;
        database.0.lock().unwrap().push(word);
        tenant.name.to_owned()
    }

    #[tool]
    fn maybe(&self, tenant: Option<Context<Tenant>>, other: &Option<Context<u8>>) -> String {
        format!(
            "{:?} {:?}",
            tenant.map(|tenant| tenant.name),
            other.as_deref()
        )
    }

    #[tool]
    async fn loop_things(
        token: CancellationToken,
        again: &vernal_core::tool::CancellationToken,
        progress: ProgressSender,
        lent: &ProgressSender,
        #[param(inject)] history: History,
    ) -> String {
        progress.report(1.0, None, None);
        lent.report(2.0, Some(2.0), Some("done"));
        tokio::task::yield_now().await;
        format!(
            "{} {} {}",
            token.is_cancelled(),
            again.is_cancelled(),
            history.len()
        )
    }

    #[tool]
    async fn own(
        #[param(inject)] user: User,
        #[param(inject = true)] lent: &User,
        /// Dropped, like the rest of what a model does not see.
        context: &ToolContext,
    ) -> String {
        tokio::task::yield_now().await;
        format!("{} {} {}", user.0, lent.0, context.len())
    }

    #[tool]
    fn not_injected(#[param(inject = false)] value: lookalike::Context<u8>) -> u8 {
        value.0
    }
}

#[tool]
fn free(_: ToolContext, tenant: Context<Tenant>) -> &'static str {
    tenant.name
}

const NOTHING: &str =
    r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#;

#[test]
fn sch_4_injected_parameters_are_not_in_the_schema() {
    for name in ["maybe", "loop_things", "own"] {
        assert_eq!(definition(Tools, name).input_schema(), NOTHING, "{name}");
    }
    assert_eq!(definition(free, "free").input_schema(), NOTHING);
    assert_eq!(
        definition(Tools, "typed").input_schema(),
        concat!(
            r#"{"type":"object","properties":{"word":{"type":"string"}},"#,
            r#""required":["word"],"additionalProperties":false}"#,
        )
    );
    assert!(
        definition(Tools, "not_injected")
            .input_schema()
            .contains(r#""required":["value"]"#)
    );
}

#[test]
fn ctx_2_values_are_injected_by_their_type() {
    let context = ToolContext::empty()
        .with(Tenant { name: "acme" })
        .with(Database(Mutex::new(vec!["first".to_owned()])));
    let text = call_with(Tools, "typed", r#"{"word":"second"}"#, context.clone()).unwrap();
    assert_eq!(text, "acme");
    let words = context.get::<Database>().unwrap().0.lock().unwrap().clone();
    assert_eq!(words, ["first", "second"]);
    assert_eq!(
        call_with(free, "free", "", context.clone()).unwrap(),
        "acme"
    );
    assert_eq!(
        call_with(Tools, "maybe", "", context).unwrap(),
        r#"Some("acme") None"#
    );
}

#[test]
fn ctx_2_a_missing_value_is_fatal_and_says_what_to_do() {
    let error = call(Tools, "typed", r#"{"word":"x"}"#).unwrap_err();
    assert!(error.is_fatal());
    let text = error.to_string();
    assert!(
        text.contains("injection::Tenant") && text.contains(".with(…)"),
        "{text}"
    );
    assert_eq!(call(Tools, "maybe", "").unwrap(), "None None");
}

#[test]
fn ctx_3_an_injected_value_does_not_show_itself() {
    let context = ToolContext::empty().with("a secret".to_owned());
    let shown = format!(
        "{:?}",
        Context::<String>::from_tool_context(&context).unwrap()
    );
    assert_eq!(shown, "Context<alloc::string::String>");
}

#[test]
fn ctx_4_what_belongs_to_the_call_is_injected() {
    assert_eq!(call(Tools, "loop_things", "").unwrap(), "false false 0");
}

#[test]
fn ctx_1_applications_inject_what_they_like() {
    let context = ToolContext::from([("user", "kim")]);
    assert_eq!(call_with(Tools, "own", "", context).unwrap(), "kim kim 1");
    let error = call(Tools, "own", "").unwrap_err();
    assert_eq!(error.to_string(), "nobody is logged in");
}

#[test]
fn a_name_alone_does_not_inject_against_the_authors_will() {
    assert_eq!(call(Tools, "not_injected", r#"{"value":7}"#).unwrap(), "7");
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Lookup {
    id: u64,
}

#[test]
fn functions_take_what_is_injected_after_their_input_or_alone() {
    let context = || ToolContext::from([("user", "kim")]).with(Tenant { name: "acme" });
    let both = FunctionToolCallback::builder("both", |lookup: Lookup, user: User| {
        format!("{} {}", lookup.id, user.0)
    })
    .build()
    .unwrap();
    assert_eq!(
        call_with(both, "both", r#"{"id":1}"#, context()).unwrap(),
        "1 kim"
    );
    let alone = FunctionToolCallback::builder("alone", async |tenant: Context<Tenant>| tenant.name);
    let alone = alone.build().unwrap();
    assert_eq!(call_with(alone, "alone", "", context()).unwrap(), "acme");
    let method = MethodToolCallback::builder("method")
        .inject::<User>()
        .parameter::<u64>("id")
        .inject::<Option<Context<Tenant>>>()
        .method(|user: User, id: u64, tenant: Option<Context<Tenant>>| {
            format!("{} {id} {}", user.0, tenant.is_some())
        })
        .build()
        .unwrap();
    assert_eq!(
        call_with(method, "method", r#"{"id":2}"#, context()).unwrap(),
        "kim 2 true"
    );
}
