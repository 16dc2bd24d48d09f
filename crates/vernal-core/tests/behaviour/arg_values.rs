//! ARG-4 and ARG-5 in the loop: what reaches a tool of the values that a model wrote.

use std::sync::{Arc, Mutex};

use vernal_core::message::ToolOutcome;
use vernal_core::tool::{ArgumentPolicy, ToolOutput};

use crate::closures::custom;
use crate::drivers::{Driver, run};
use crate::scenario::Scenario;
use crate::traces::Traces;
use crate::transcript::last_answers;

const SCHEMA: &str = r#"{"type":"object","properties":{
    "n":{"type":"integer"},"x":{"type":"number"},"s":{"type":"string"},
    "o":{"type":"object","properties":{"k":{"type":"integer"}},"additionalProperties":false}
},"required":[],"additionalProperties":false}"#;

/// A tool that says what it got.
fn echo(arguments: &str) -> Scenario {
    let echo = custom("echo", |input, _| async move {
        Ok(ToolOutput::from_text(input.as_str()))
    });
    Scenario::new()
        .callback(echo.schema(SCHEMA))
        .calls("echo", arguments)
        .says("done")
}

#[tokio::test]
async fn arg_4_what_spells_a_value_of_the_right_type_is_read_as_it() {
    let table = [
        (r#"{"n":"3"}"#, r#"{"n":3}"#),
        (r#"{"s":3.50}"#, r#"{"s":"3.50"}"#),
        (r#"{"o":"{\"k\":\"4\"}"}"#, r#"{"o":{"k":4}}"#),
    ];
    for (written, read) in table {
        echo(written)
            .check(|outcome| {
                let answers = last_answers(&outcome.history);
                assert_eq!(answers, [(ToolOutcome::Success, read.to_owned())]);
                let call = outcome.history.get(1).unwrap().tool_calls().next().unwrap();
                assert_eq!(
                    call.arguments.as_str(),
                    written,
                    "the history is what was said"
                );
            })
            .await;
    }
}

#[tokio::test]
async fn arg_4_each_change_is_logged_by_its_path_and_without_its_value() {
    for driver in Driver::ALL {
        let (traces, guard) = Traces::listen();
        let scenario = echo(r#"{"n":"90210","x":1.5,"o":"{\"k\":\"8152\"}","s":7777}"#);
        run(driver, &scenario).await;
        drop(guard);
        let events = traces.events_with("DEBUG", "coerced");
        // A stream's text is compared with that of a call, which runs it three times.
        let runs = if driver == Driver::Stream { 3 } else { 1 };
        assert_eq!(events.len(), runs, "{events:?}");
        for event in events {
            assert!(event.contains("tool=echo"), "{event}");
            let paths = r#"paths=["$.n", "$.o", "$.o.k", "$.s"]"#;
            assert!(event.contains(paths), "{event}");
        }
        let everything = traces.everything();
        for value in ["90210", "8152", "7777"] {
            assert!(!everything.contains(value), "{everything}");
        }
    }
    // What fits as it is, and what does not fit after all, is not said to be changed.
    for unchanged in [r#"{"n":3}"#, r#"{"n":"3","s":[]}"#] {
        let (traces, guard) = Traces::listen();
        run(Driver::Call, &echo(unchanged)).await;
        drop(guard);
        assert!(traces.events_with("DEBUG", "coerced").is_empty());
    }
}

#[tokio::test]
async fn arg_4_what_would_lose_something_is_an_error_and_so_is_everything_where_it_is_off() {
    let strict = ArgumentPolicy::default().coerce(false);
    let table = [
        (r#"{"n":"3.5"}"#, None),
        (r#"{"n":"3 days"}"#, None),
        (r#"{"o":"[1]"}"#, None),
        (r#"{"n":"3"}"#, Some(strict)),
    ];
    for (written, policy) in table {
        let scenario = match policy {
            Some(policy) => echo(written).manager(|m| m.argument_policy(policy)),
            None => echo(written),
        };
        scenario
            .check(|outcome| {
                let answers = last_answers(&outcome.history);
                assert_eq!(answers[0].0, ToolOutcome::InvalidArguments, "{written}");
            })
            .await;
    }
}

#[tokio::test]
async fn arg_5_large_integers_keep_their_digits_and_floats_their_value() {
    let digits = "123456789012345678901234567890";
    let table = [
        format!(r#"{{"n":{digits}}}"#),
        r#"{"n":18446744073709551615}"#.to_owned(),
        r#"{"x":0.30000000000000004}"#.to_owned(),
        r#"{"x":1e400}"#.to_owned(),
    ];
    for written in table {
        echo(&written)
            .check(|outcome| {
                let answers = last_answers(&outcome.history);
                assert_eq!(answers, [(ToolOutcome::Success, written.clone())]);
            })
            .await;
    }
}

#[tokio::test]
async fn arg_5_integers_reach_typed_arguments_whole() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Id {
        id: u64,
    }
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = seen.clone();
    let look_up = move |input: Id| keep.lock().unwrap().push(input.id);
    let look_up = vernal_core::tool::FunctionToolCallback::builder("lookUp", look_up);
    let scenario = Scenario::new()
        .callback(look_up.build().unwrap())
        .calls("lookUp", r#"{"id":9007199254740993}"#)
        .says("done");
    scenario.check(|_| {}).await;
    let seen = seen.lock().unwrap();
    assert!(!seen.is_empty() && seen.iter().all(|id| *id == 9_007_199_254_740_993));
}

#[tokio::test]
async fn arg_5_a_key_that_occurs_twice_is_an_error_at_any_depth() {
    for written in [
        r#"{"n":1,"n":2}"#,
        r#"{"n":1,"n":1}"#,
        r#"{"o":{"k":1,"k":2}}"#,
    ] {
        echo(written)
            .check(|outcome| {
                let answers = last_answers(&outcome.history);
                let (result, text) = &answers[0];
                assert_eq!(*result, ToolOutcome::InvalidArguments, "{written}");
                assert!(
                    text.contains("twice") || text.contains("duplicate"),
                    "{text}"
                );
            })
            .await;
    }
}
