//! Whole turns of every adapter, called and streamed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use vernal_core::message::Usage;
use vernal_core::tool::{FunctionToolCallback, ToolCallback};
use vernal_testing::Reply;
use vernal_testing::fake::{FakeApi, FakeServer, Script, Step};

use crate::adapters::ADAPTED;
use crate::client;

/// Two tools, and how often they ran.
pub(crate) fn tools(ran: &Arc<AtomicUsize>) -> Vec<Arc<dyn ToolCallback>> {
    let tool = |name: &str, said: &'static str| {
        let ran = ran.clone();
        let tool = FunctionToolCallback::builder(
            name,
            move |_: std::collections::BTreeMap<String, Value>| {
                ran.fetch_add(1, Ordering::Relaxed);
                said
            },
        );
        let schema =
            r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#;
        let tool = tool.description(name).input_schema(schema).build().unwrap();
        Arc::new(tool) as Arc<dyn ToolCallback>
    };
    vec![tool("weather", "Sunny"), tool("time", "12:00")]
}

fn script(writes: Option<usize>) -> Script {
    let mut first = Step::from(
        Reply::text("Let me ")
            .and_text("see.")
            .and_call("weather", r#"{"city":"제주"}"#)
            .and_call("time", r#"{"city":"Seoul"}"#)
            .usage(Usage::new(20, 10)),
    )
    .in_fragments(5);
    if let Some(bytes) = writes {
        first = first.in_writes_of(bytes);
    }
    Script::new().then(first).says("Sunny at noon.")
}

#[tokio::test]
async fn two_parallel_tools() {
    for api in ADAPTED {
        for (streamed, writes) in [
            (false, None),
            (true, None),
            (false, Some(7)),
            (true, Some(1)),
        ] {
            let server = FakeServer::start(api, script(writes));
            let ran = Arc::new(AtomicUsize::new(0));
            let asked = client(&server)
                .prompt("Weather and time?")
                .system("Be brief.")
                .tools(tools(&ran));
            let answer = match streamed {
                false => asked.call().await,
                true => asked.stream().response().await,
            };
            let answer = answer.unwrap_or_else(|error| panic!("{api} {streamed}: {error}"));
            assert_eq!(answer.content(), "Sunny at noon.", "{api}");
            assert_eq!(ran.load(Ordering::Relaxed), 2, "{api}");
            assert_eq!(answer.usage(), usage(), "{api} {streamed}");
            let requests = server.requests();
            assert_eq!(requests.len(), 2);
            assert!(
                streamed || server.connections() == 1,
                "{api}: a connection is used again"
            );
            let second = requests[1].text();
            for said in ["제주", "Sunny", "12:00", "Let me see.", "Be brief."] {
                assert!(second.contains(said), "{api}: {said}: {second}");
            }
            server.verify();
        }
    }
}

fn usage() -> Usage {
    let mut usage = Usage::new(20, 10);
    usage += Usage::new(12, 7);
    usage
}

#[tokio::test]
async fn reasoning_comes_back_where_it_has_to() {
    for api in ADAPTED {
        for streamed in [false, true] {
            let first = Reply::empty()
                .and_reasoning("Hm.")
                .and_call("time", r#"{"city":"Seoul"}"#);
            let server = FakeServer::start(api, Script::new().replies(first).says("Noon."));
            let ran = Arc::new(AtomicUsize::new(0));
            let asked = client(&server).prompt("Time?").tools(tools(&ran));
            let answer = match streamed {
                false => asked.call().await,
                true => asked.stream().response().await,
            };
            assert_eq!(answer.unwrap().content(), "Noon.", "{api}");
            server.verify();
        }
    }
}

#[tokio::test]
async fn a_script_calls_a_tool_by_its_own_name_in_any_script() {
    for api in ADAPTED {
        for streamed in [false, true] {
            let first = Reply::empty()
                .and_reasoning("음.")
                .and_call("날씨", r#"{"city":"제주"}"#);
            let server = FakeServer::start(api, Script::new().replies(first).says("맑음."));
            let tool = FunctionToolCallback::builder("날씨", |_: Value| "맑음").description("날씨");
            let schema = r#"{"type":"object","properties":{"city":{"type":"string"}}}"#;
            let tool = tool.input_schema(schema).build().unwrap();
            let asked = client(&server).prompt("제주 날씨?").tools(tool);
            let answer = match streamed {
                false => asked.call().await,
                true => asked.stream().response().await,
            };
            let answer = answer.unwrap();
            assert_eq!(answer.content(), "맑음.", "{api}");
            let said = answer.messages().unwrap().iter();
            let result = said.flat_map(|message| message.tool_responses()).next();
            let result = result.unwrap();
            assert_eq!((&*result.name, &*result.text()), ("날씨", "맑음"), "{api}");
            server.verify();
        }
    }
}

#[tokio::test]
async fn refusals_reasons_to_end_usage_and_ids_arrive() {
    use vernal_core::message::FinishReason;
    for api in ADAPTED {
        for streamed in [false, true] {
            let mut usage = Usage::new(100, 30);
            usage.cache_read_input_tokens = 40;
            usage.reasoning_output_tokens = 10;
            let cut = Reply::text("And then")
                .finish(FinishReason::Length)
                .usage(usage)
                .ids("answer-1", "request-1");
            let server = FakeServer::start(api, Script::new().replies(cut));
            let asked = client(&server).prompt("Hi!");
            let answer = match streamed {
                false => asked.call().await,
                true => asked.stream().response().await,
            };
            let answer = answer.unwrap().into_chat_response();
            assert_eq!(answer.finish_reason(), Some(&FinishReason::Length), "{api}");
            assert_eq!(answer.usage().input_tokens, 100, "{api}");
            assert_eq!(answer.usage().output_tokens, 30, "{api}");
            if api != FakeApi::Ollama {
                assert_eq!(answer.usage().cache_read_input_tokens, 40, "{api}");
            }
            // These two give an answer no id.
            let has_id = !matches!(api, FakeApi::Ollama | FakeApi::Bedrock);
            let id = has_id.then_some("answer-1");
            assert_eq!(answer.metadata.id.as_deref(), id, "{api}");
            assert_eq!(
                answer.metadata.request_id.as_deref(),
                Some("request-1"),
                "{api}"
            );
            server.verify();
        }
    }
}
