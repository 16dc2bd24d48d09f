//! Answers of a type that never come.

use vernal_core::advisor::{SafeGuardAdvisor, StructuredOutputValidationAdvisor};
use vernal_core::client::ChatClient;
use vernal_core::message::{FinishReason, PartContent, Usage};
use vernal_core::model::ModelErrorKind;
use vernal_core::tool::{FunctionToolCallback, ToolMetadata};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{WAYS, Way, costs, failure, looking, looks, said};
use crate::structured::{BAD, Forecast, GOOD, jeju, send};

#[tokio::test]
async fn corrections_are_bounded_and_the_error_keeps_everything() {
    for (corrections, tries) in [(0, 1), (1, 2), (3, 4)] {
        for way in WAYS {
            let model = ScriptedModel::new()
                .replies(looks(100, 10))
                .then_always(costs(BAD, 1, 2));
            let (client, runs) = looking(model.clone());
            let advisor = StructuredOutputValidationAdvisor::of::<Forecast>();
            let advisor = advisor.max_corrections(corrections).build().unwrap();
            let request = client.build().unwrap().prompt("Weather?");
            let error = way.send(&request.advisors(advisor)).await.error();
            let invalid = error.invalid_answer().expect("an invalid answer");
            assert_eq!((invalid.tries(), invalid.text()), (tries, BAD));
            assert_eq!(invalid.violations().count(), 2);
            assert!(!invalid.is_refused());
            assert_eq!(model.call_count(), 1 + tries as usize);
            assert_eq!(runs.count(), 1);
            let spent = u64::from(tries);
            assert_eq!(error.usage(), Usage::new(100 + spent, 10 + 2 * spent));
            let kept = ["user: weather?", "assistant: look()", "tool: look=seen"];
            assert_eq!(said(error.messages()), kept);
            let text = error.to_string();
            assert!(
                text.contains("`Forecast`") && text.contains("$.degrees"),
                "{text}"
            );
            assert!(!text.contains('\n'), "one line: {text}");
        }
    }
    assert_eq!(
        StructuredOutputValidationAdvisor::DEFAULT_MAX_CORRECTIONS,
        3
    );
}

#[tokio::test]
async fn an_error_between_tries_keeps_the_usage_of_those_before() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .replies(costs(BAD, 3, 4))
            .fails(failure(ModelErrorKind::Quota));
        let request = ChatClient::create(model).prompt("Weather?");
        let error = send(way, &request).await.error();
        assert_eq!(error.model_error().unwrap().kind(), ModelErrorKind::Quota);
        assert_eq!(error.usage(), Usage::new(3, 4));
    }
}

#[tokio::test]
async fn a_refusal_is_not_corrected() {
    let refusal = Reply::empty().and_part(PartContent::Refusal("No.".into()));
    let filtered = Reply::text("I").finish(FinishReason::ContentFilter);
    for reply in [
        refusal,
        filtered,
        Reply::text("No.").finish(FinishReason::Refusal),
    ] {
        for way in WAYS {
            let model = ScriptedModel::new().replies(reply.clone());
            let request = ChatClient::create(model.clone()).prompt("Weather?");
            let error = send(way, &request).await.error();
            assert!(error.invalid_answer().unwrap().is_refused());
            assert!(error.to_string().contains("declined"), "{error}");
            assert_eq!(model.call_count(), 1);
        }
    }
}

#[tokio::test]
async fn what_is_no_answer_of_the_model_is_an_error_that_says_so() {
    let direct = ToolMetadata::builder().return_direct(true).build();
    let tell = FunctionToolCallback::builder("tell", || "It is warm.").tool_metadata(direct);
    let model = ScriptedModel::new().calls("tell", "{}");
    let client = ChatClient::builder(model.clone());
    let client = client.default_tools(tell.build().unwrap()).build().unwrap();
    let error = client.prompt("Weather?").entity::<Forecast>().await;
    let error = error.unwrap_err();
    let invalid = error.invalid_answer().unwrap();
    assert_eq!(invalid.finish_reason(), Some(&FinishReason::ReturnDirect));
    assert!(
        error.to_string().contains("ended with `returnDirect`"),
        "{error}"
    );
    assert_eq!(
        error.messages().unwrap().len(),
        3,
        "the instruction stays out"
    );
    assert_eq!(model.call_count(), 1);

    // A safe-guard answers in the model's place: that is not corrected.
    let guard = SafeGuardAdvisor::builder().words(["weather"]);
    let guard = guard.advisor_order(i32::MAX).build();
    let model = ScriptedModel::new();
    let client = ChatClient::builder(model.clone()).default_advisors(guard);
    let request = client.build().unwrap().prompt("Weather?");
    let error = request.entity::<Forecast>().await.unwrap_err();
    let invalid = error.invalid_answer().unwrap();
    assert_eq!(invalid.finish_reason(), Some(&FinishReason::SafeGuard));
    assert_eq!(model.call_count(), 0);
}

#[tokio::test]
async fn the_type_of_a_request_counts_before_that_of_its_client() {
    #[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
    struct Mood {
        is_good: bool,
    }
    // Also where the client's stands further in.
    for order in [StructuredOutputValidationAdvisor::DEFAULT_ORDER, i32::MAX] {
        for way in WAYS {
            let model = ScriptedModel::new().says(r#"{"is_good":true}"#).says(GOOD);
            let of_client = StructuredOutputValidationAdvisor::of::<Forecast>();
            let of_client = of_client.advisor_order(order).build().unwrap();
            let client = ChatClient::builder(model.clone())
                .default_advisors(of_client)
                .build()
                .unwrap();
            let entity = client.prompt("go").entity::<Mood>().max_corrections(0);
            let response = match way {
                Way::Call => entity.with_response().await.unwrap().response,
                Way::Stream => entity.stream().response().await.unwrap(),
            };
            assert!(response.entity::<Mood>().unwrap().is_good);
            let response = way.send(&client.prompt("go")).await.response();
            assert_eq!(response.entity::<Forecast>().unwrap(), jeju());
            assert_eq!(model.call_count(), 2);
        }
    }
}
