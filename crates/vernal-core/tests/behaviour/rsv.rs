//! RSV-1 to RSV-3, TOOLS-9 for the fallback, and names that only look like a tool's.

use std::sync::{Arc, Mutex};

use vernal_core::calling::ToolCallingManagerBuilder;
use vernal_core::message::ToolOutcome;
use vernal_core::tool::{
    OptionalTools, StaticToolCallbackResolver, ToolCallback, ToolCallbackResolver,
};

use crate::closures::ends;
use crate::kit::{Log, tool};
use crate::probes::Provider;
use crate::scenario::Scenario;
use crate::traces::Traces;
use crate::transcript::last_answers;

fn says(name: &str, text: &'static str) -> Arc<dyn ToolCallback> {
    Arc::new(ends(name, move || Ok(text)))
}

/// A resolver of a `hidden` tool, and of a `shared` one that the request has too.
fn resolver() -> StaticToolCallbackResolver {
    let hidden = [says("hidden", "found"), says("shared", "the resolver's")];
    StaticToolCallbackResolver::new(hidden.to_vec()).unwrap()
}

fn calling(name: &str) -> Scenario {
    let mut scenario = Scenario::new().calls(name, "{}").says("done");
    scenario.tools.push(says("shared", "the request's"));
    scenario
}

type Set = fn(ToolCallingManagerBuilder) -> ToolCallingManagerBuilder;

#[tokio::test]
async fn rsv_1_the_requests_tools_first_and_the_resolver_only_if_fallback_is_on() {
    let off: Set = |m| m.tool_callback_resolver(resolver());
    let on: Set = |m| {
        m.tool_callback_resolver(resolver())
            .resolution_fallback_enabled(true)
    };
    let alone: Set = |m| m.resolution_fallback_enabled(true);
    use ToolOutcome::{Success, UnknownTool};
    let table = [
        ("shared", off, Success, "the request's"),
        ("shared", on, Success, "the request's"),
        ("hidden", on, Success, "found"),
        ("hidden", off, UnknownTool, "There is no tool `hidden`."),
        ("hidden", alone, UnknownTool, "There is no tool `hidden`."),
        (
            "unheard-of",
            on,
            UnknownTool,
            "There is no tool `unheard-of`.",
        ),
    ];
    for (name, set, result, text) in table {
        let scenario = calling(name).manager(set);
        scenario
            .check(|outcome| {
                let answers = last_answers(&outcome.history);
                assert_eq!(answers[0].0, result, "{name}");
                assert!(answers[0].1.starts_with(text), "{answers:?}");
                assert_eq!(outcome.text(), "done");
            })
            .await;
    }
}

#[tokio::test]
async fn rsv_1_what_is_resolved_is_limited_checked_and_direct_like_any_other() {
    let strict = tool("strict").schema(r#"{"type":"object","required":["a"]}"#);
    let log = Log::default();
    let tools = vec![strict.build(&log), tool("direct").direct().build(&log)];
    let resolver = StaticToolCallbackResolver::new(tools).unwrap();
    let manager = |m: ToolCallingManagerBuilder| {
        let m = m
            .tool_callback_resolver(resolver.clone())
            .resolution_fallback_enabled(true);
        m.max_calls_for_tool("strict", 1)
    };
    let scenario = Scenario::new()
        .manager(manager)
        .calls("strict", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            assert_eq!(
                last_answers(&outcome.history)[0].0,
                ToolOutcome::InvalidArguments
            );
        })
        .await;
    let scenario = Scenario::new().manager(manager).calls("direct", "{}");
    scenario
        .check(|outcome| assert_eq!(outcome.text(), "direct result"))
        .await;
    let twice = Scenario::new()
        .manager(manager)
        .calls("strict", r#"{"a":1}"#);
    let twice = twice.calls("strict", r#"{"a":2}"#);
    twice
        .check(|outcome| assert!(outcome.text().contains("`strict`"), "{}", outcome.text()))
        .await;
}

/// A resolver that thinks it knows what was meant.
struct Guesses(Arc<dyn ToolCallback>);

impl ToolCallbackResolver for Guesses {
    fn resolve(&self, _tool_name: &str) -> Option<Arc<dyn ToolCallback>> {
        Some(self.0.clone())
    }
}

#[tokio::test]
async fn rsv_1_a_resolver_cannot_have_another_tool_run_in_place_of_the_one_that_was_named() {
    let delete = tool("deleteEverything").build(&Log::default());
    let scenario = calling("lookAround").manager(|m| {
        m.tool_callback_resolver(Guesses(delete))
            .resolution_fallback_enabled(true)
    });
    scenario
        .check(|outcome| {
            assert_eq!(
                last_answers(&outcome.history)[0].0,
                ToolOutcome::UnknownTool
            );
        })
        .await;
}

#[tokio::test]
async fn rsv_2_the_static_resolver_holds_callbacks_and_what_providers_list_once() {
    let plugins = Provider::new("plugins", vec![says("plugged", "in")]);
    let tools = || (vec![says("own", "yes")], plugins.clone());
    let without = StaticToolCallbackResolver::new(tools()).unwrap();
    assert_eq!(without.names(), ["own"]);
    assert_eq!(plugins.asked(), 0);
    let with = StaticToolCallbackResolver::with_listed(tools())
        .await
        .unwrap();
    assert_eq!(with.names(), ["own", "plugged"]);
    assert!(with.resolve("plugged").is_some());
    assert!(with.resolve("Plugged").is_none(), "exactly this name");
    assert_eq!(plugins.asked(), 1);
}

#[tokio::test]
async fn rsv_2_two_tools_with_one_name_or_a_provider_that_fails_are_build_errors() {
    let twice = vec![says("own", "a"), says("own", "b")];
    let error = StaticToolCallbackResolver::new(twice.clone()).unwrap_err();
    assert!(error.to_string().contains("`own`"), "{error}");
    let provider = Provider::new("plugins", twice[..1].to_vec());
    let both = (twice[1].clone(), provider);
    let error = StaticToolCallbackResolver::with_listed(both)
        .await
        .err()
        .unwrap();
    assert!(error.is_duplicate_tool());
    assert_eq!(error.tool_name(), Some("own"));
    let down = Provider::failing("down");
    let error = StaticToolCallbackResolver::with_listed(down.clone())
        .await
        .err()
        .unwrap();
    assert!(
        error.is_provider() && error.to_string().contains("`down`"),
        "{error}"
    );
    let optional = StaticToolCallbackResolver::with_listed(OptionalTools(down)).await;
    assert!(optional.unwrap().names().is_empty());
}

#[tokio::test]
async fn rsv_3_the_model_never_sees_what_only_the_resolver_knows() {
    let scenario = calling("hidden").manager(|m| {
        m.tool_callback_resolver(resolver())
            .resolution_fallback_enabled(true)
    });
    scenario
        .check(|outcome| {
            assert_eq!(outcome.prompts.len(), 2);
            for prompt in &outcome.prompts {
                let offered: Vec<_> = prompt.options().tools().definitions().collect();
                assert_eq!(offered.len(), 1);
                assert_eq!(&**offered[0].name(), "shared");
            }
        })
        .await;
    let unknown = calling("unheard-of").manager(|m| {
        m.tool_callback_resolver(resolver())
            .resolution_fallback_enabled(true)
    });
    unknown
        .check(|outcome| assert!(!last_answers(&outcome.history)[0].1.contains("hidden")))
        .await;
}

/// Finds any tool, as it is asked.
struct Finds(Mutex<u32>);

impl ToolCallbackResolver for Finds {
    fn resolve(&self, tool_name: &str) -> Option<Arc<dyn ToolCallback>> {
        *self.0.lock().unwrap() += 1;
        let tool = ends(tool_name, || Ok("gone"));
        Some(Arc::new(tool.metadata(|m| m.destructive(true))))
    }
}

#[tokio::test]
async fn tools_9_a_destructive_tool_in_reach_of_the_fallback_is_warned_about_once_by_name() {
    let drop_table = || {
        let tool = ends("dropTable", || Ok("gone")).metadata(|m| m.destructive(true));
        StaticToolCallbackResolver::new((tool, ends("look", || Ok("seen")))).unwrap()
    };
    let (traces, _guard) = Traces::listen();
    let warned = || traces.events_with("WARN", "fallback").len();
    let off = calling("dropTable").manager(|m| m.tool_callback_resolver(drop_table()));
    off.check(|_| {}).await;
    assert_eq!(warned(), 0, "out of reach");
    let on = calling("dropTable").manager(|m| {
        m.tool_callback_resolver(drop_table())
            .resolution_fallback_enabled(true)
    });
    assert_eq!(warned(), 1, "as soon as the manager is built");
    on.check(|_| {}).await;
    assert_eq!(warned(), 1);
    assert!(traces.events_with("WARN", "fallback")[0].contains("tool=dropTable"));
    let on = calling("found").manager(|m| {
        m.tool_callback_resolver(Finds(Mutex::new(0)))
            .resolution_fallback_enabled(true)
    });
    assert_eq!(warned(), 1);
    on.check(|_| {}).await;
    assert_eq!(warned(), 2, "once it is found");
}

#[tokio::test]
async fn loop_9_a_name_that_only_looks_like_a_tools_is_answered_and_never_run_as_it() {
    let mangled = [
        "functions.get_weather",
        "server__get_weather",
        "mcp__a_very_long_server_name__get_weather",
        "get-weather",
        "getWeather",
        "GET_WEATHER",
        "get_weather ",
        "get_weather()",
        "get_weathr",
    ];
    for name in mangled {
        for strict_fallback in [false, true] {
            let scenario = Scenario::new()
                .manager(|m| {
                    let known = tool("get_weather_of_mars").build(&Log::default());
                    let resolver = StaticToolCallbackResolver::new(known).unwrap();
                    let m = m.tool_callback_resolver(resolver);
                    m.resolution_fallback_enabled(strict_fallback)
                })
                .tool(tool("get_weather"))
                .tool(tool("set_alarm"))
                .calls(name, "{}")
                .says("done");
            scenario
                .check(|outcome| {
                    assert!(outcome.ran().is_empty(), "{name} ran {:?}", outcome.ran());
                    let (result, text) = last_answers(&outcome.history).remove(0);
                    assert_eq!(result, ToolOutcome::UnknownTool);
                    let expected =
                        format!("There is no tool `{name}`. Did you mean `get_weather`?");
                    assert!(text.starts_with(&expected), "{text}");
                    let call = outcome.history.get(1).unwrap().tool_calls().next().unwrap();
                    assert_eq!(&*call.name, name, "the transcript says what the model said");
                })
                .await;
        }
    }
}
