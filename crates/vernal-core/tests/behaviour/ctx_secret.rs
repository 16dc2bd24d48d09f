//! CTX-3: what the application gives its tools appears nowhere else.

use std::fmt::Write;
use std::time::Duration;

use vernal_core::client::ChatClient;
use vernal_core::tool::{ToolContext, ToolError, ToolOutput};
use vernal_testing::{Reply, ScriptedModel};

use crate::closures::{Custom, custom};
use crate::drivers::{Driver, request, run};
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::traces::Traces;

const CANARY: &str = "sk-canary-5f1e";

/// A typed value that would tell everything if somebody printed it.
#[derive(Debug, Clone, serde::Serialize)]
struct Login {
    #[allow(dead_code)] // read by whoever prints it, which nobody must
    password: String,
}

fn secrets() -> ToolContext {
    let login = Login {
        password: CANARY.to_owned(),
    };
    ToolContext::from([("token", CANARY)])
        .with_value("nested", serde_json::json!([CANARY]))
        .with(login)
}

/// A tool that sees the secret, and then ends like this.
fn knows(name: &str, end: fn() -> Result<ToolOutput, ToolError>) -> Custom {
    custom(name, move |_, context: ToolContext| async move {
        assert_eq!(context.get_str("token"), Some(CANARY));
        assert!(context.get::<Login>().is_some());
        context.progress().report(1.0, Some(2.0), Some("half"));
        tokio::time::sleep(Duration::from_millis(1)).await;
        end()
    })
}

/// Everything that can happen in one turn, each with a tool that holds the secret.
fn eventful(last: Reply) -> Scenario {
    let hangs = custom("hangs", |_, context: ToolContext| async move {
        let _held = context;
        std::future::pending().await
    });
    let mut scenario = Scenario::new()
        .callback(knows("works", || Ok(ToolOutput::from_text("fine"))))
        .callback(knows("fails", || Err(ToolError::model("no"))))
        .callback(knows("panics", || panic!("boom")))
        .callback(
            knows("blocks", || Ok(ToolOutput::from_text("fine"))).metadata(|m| m.blocking(true)),
        )
        .callback(knows("fatal", || Err(ToolError::fatal("over"))))
        .callback(hangs.metadata(|m| m.timeout(Duration::from_millis(5))))
        .tool(tool("strict").schema(r#"{"type":"object","required":["a"]}"#))
        .reply(
            Reply::call("works", "{}")
                .and_call("fails", "{}")
                .and_call("panics", "{}")
                .and_call("blocks", "{}")
                .and_call("hangs", "{}")
                .and_call("strict", "{}")
                .and_call("token", "{}"),
        )
        .reply(last);
    scenario.context = secrets();
    scenario
}

#[tokio::test]
async fn ctx_3_it_reaches_no_model_no_log_no_span_no_error_and_no_debug_text() {
    let (traces, _guard) = Traces::listen();
    let mut seen = String::new();
    for last in [
        Reply::text("done"),
        Reply::call("fatal", "{}"),
        Reply::call("works", "{}"),
    ] {
        let scenario = eventful(last).manager(|m| m.max_rounds(2));
        for driver in Driver::ALL {
            let outcome = run(driver, &scenario).await;
            let messages = serde_json::to_string(&outcome.history).unwrap();
            write!(seen, "{outcome:?} {:?} {messages}", outcome.events).unwrap();
            for prompt in &outcome.prompts {
                let messages = serde_json::to_string(prompt.messages()).unwrap();
                write!(seen, "{prompt:?} {:?} {messages}", prompt.options()).unwrap();
            }
            if let Some(error) = &outcome.error {
                write!(seen, "{error} {:?}", error.tool_error()).unwrap();
            }
            if let Some(exceeded) = &outcome.exceeded {
                write!(seen, "{exceeded} {exceeded:?}").unwrap();
            }
        }
        let model = scenario.model();
        let request = request(&scenario, &model);
        write!(
            seen,
            "{request:?} {:?} {:?}",
            scenario.options(),
            scenario.manager
        )
        .unwrap();
        write!(seen, "{:?} {:#?}", scenario.context, scenario.context).unwrap();
    }
    let traced = traces.everything();
    assert!(
        traced.contains("execute_tool") && traced.contains("the tool failed"),
        "{traced}"
    );
    assert!(seen.contains("fine") && seen.contains("half"), "{seen}");
    for text in [&seen, &traced] {
        assert!(!text.contains(CANARY));
    }
}

#[test]
fn ctx_3_clients_and_options_say_nothing_of_it() {
    let client = ChatClient::builder(ScriptedModel::new()).default_tool_context(secrets());
    let client = client.build().unwrap();
    let request = client.prompt("go").tool_context(secrets());
    let text = format!("{client:?} {request:?} {:?} {:#?}", secrets(), secrets());
    assert!(!text.contains(CANARY), "{text}");
    assert!(
        text.contains("ToolContext(3 entries)"),
        "it does say how much there is: {text}"
    );
}
