//! OBS-3 and OBS-4: what the logger logs.

use vernal_core::advisor::{SimpleLoggerAdvisor, ToolCallingAdvisor};
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::model::ModelErrorKind;
use vernal_core::tool::{FunctionToolCallback, ToolError};
use vernal_testing::ScriptedModel;

use crate::kit::{WAYS, Way, costs, failure, looking, looks};
use crate::structured::Forecast;
use crate::traces::Traces;

#[tokio::test]
async fn obs_3_content_stays_out_unless_it_is_asked_for() {
    for way in WAYS {
        let (traces, _guard) = Traces::listen();
        let model = ScriptedModel::new()
            .replies(looks(1, 2))
            .replies(costs("the answer", 3, 4));
        let (client, _) = looking(model);
        let client = client
            .default_advisors(SimpleLoggerAdvisor::new())
            .build()
            .unwrap();
        let request = client
            .prompt("the question")
            .tool_context([("key", "hidden")]);
        way.send(&request).await.response();
        let [requests, responses] =
            ["message=request", "message=response"].map(|text| traces.events_with("DEBUG", text));
        assert_eq!((requests.len(), responses.len()), (2, 2), "each model call");
        assert!(
            requests[0].contains("round=1 messages=1 tools=1"),
            "{}",
            requests[0]
        );
        assert!(
            requests[1].contains("round=2 messages=3 tools=1"),
            "{}",
            requests[1]
        );
        assert!(responses[0].contains("finish_reason=toolCalls tool_calls=1"));
        assert!(responses[1].contains("input_tokens=3 output_tokens=4"));
        let everything = traces.everything();
        for content in ["the question", "the answer", "seen", "hidden"] {
            assert!(!everything.contains(content), "{content}: {everything}");
        }
    }
}

#[tokio::test]
async fn obs_3_content_passes_through_the_redactor() {
    for way in WAYS {
        let (traces, _guard) = Traces::listen();
        let model = ScriptedModel::new().replies(looks(1, 2)).says("card 1234");
        let (client, _) = looking(model);
        let logger = SimpleLoggerAdvisor::builder().content(true);
        let logger = logger.redact(|text| text.replace("1234", "****")).build();
        let client = client.default_advisors(logger).build().unwrap();
        let request = client
            .prompt("my card is 1234")
            .tool_context([("key", "hidden")]);
        way.send(&request).await.response();
        let everything = traces.everything();
        for logged in ["my card is ****", "card ****", "look({})", "look = seen"] {
            assert!(everything.contains(logged), "{logged}: {everything}");
        }
        for kept_out in ["1234", "hidden"] {
            assert!(!everything.contains(kept_out), "{kept_out}: {everything}");
        }
    }
}

#[tokio::test]
async fn obs_4_errors_are_logged_and_nothing_above_debug() {
    for way in WAYS {
        let (traces, _guard) = Traces::listen();
        let model = ScriptedModel::new().fails(failure(ModelErrorKind::Quota));
        let outside = SimpleLoggerAdvisor::builder()
            .advisor_order(ToolCallingAdvisor::DEFAULT_ORDER - 1)
            .content(true)
            .redact(|text| text.replace("Quota", "…"))
            .build();
        let request = ChatClient::create(model).prompt("go").advisors(outside);
        way.send(&request).await.error();
        let failed = traces.events_with("DEBUG", "the request failed");
        assert_eq!(failed.len(), 1);
        let parts = ["kind=model: Quota", "content=failed: …"];
        assert!(
            parts.iter().all(|part| failed[0].contains(part)),
            "{}",
            failed[0]
        );
        let above = traces.events();
        assert!(
            above.iter().all(|event| event.starts_with("DEBUG")),
            "{above:?}"
        );
    }
}

#[tokio::test]
async fn obs_3_an_error_that_quotes_what_was_said_is_logged_by_its_kind_alone() {
    for way in WAYS {
        let (traces, _guard) = Traces::listen();
        let inside = SimpleLoggerAdvisor::builder().build();
        let outside = SimpleLoggerAdvisor::builder()
            .advisor_order(ToolCallingAdvisor::DEFAULT_ORDER - 1)
            .build();
        let fails = FunctionToolCallback::builder("break", || {
            Err::<String, _>(ToolError::fatal("no such thing as a secret"))
        });
        let model = ScriptedModel::new()
            .says(r#"{"secret":"secret"}"#)
            .calls("break", "{}")
            .calls("secret", "{}");
        let manager = ToolCallingManager::builder().strict_tool_names(true);
        let client = ChatClient::builder(model)
            .default_tools(fails.build().unwrap())
            .tool_calling_manager(manager.build().unwrap())
            .default_advisors((inside, outside))
            .build()
            .unwrap();
        let request = client.prompt("go");
        let entity = request.entity::<Forecast>().max_corrections(0);
        let error = match way {
            Way::Call => entity.await.err(),
            Way::Stream => entity.stream().response().await.err(),
        };
        let texts = [
            error.unwrap(),
            way.send(&request).await.error(),
            way.send(&request).await.error(),
        ];
        assert!(
            texts
                .iter()
                .all(|error| error.to_string().contains("secret"))
        );
        let failed = traces.events_with("DEBUG", "the request failed");
        assert!(!failed.is_empty());
        for kind in ["kind=invalid answer", "kind=tool", "kind=unknown tool"] {
            assert!(failed.iter().any(|line| line.contains(kind)), "{failed:?}");
        }
        assert!(!failed.concat().contains("secret"), "{failed:?}");
    }
}
