//! OBS-3 and OBS-4: what the logger logs.

use vernal_core::advisor::{SimpleLoggerAdvisor, ToolCallingAdvisor};
use vernal_core::client::ChatClient;
use vernal_core::model::ModelErrorKind;
use vernal_testing::ScriptedModel;

use crate::kit::{WAYS, costs, failure, looking, looks};
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
            .redact(|text| text.replace("Quota", "…"))
            .build();
        let request = ChatClient::create(model).prompt("go").advisors(outside);
        way.send(&request).await.error();
        let failed = traces.events_with("DEBUG", "the request failed");
        assert_eq!(failed.len(), 1);
        assert!(failed[0].contains("error=failed: …"), "{}", failed[0]);
        let above = traces.events();
        assert!(
            above.iter().all(|event| event.starts_with("DEBUG")),
            "{above:?}"
        );
    }
}
