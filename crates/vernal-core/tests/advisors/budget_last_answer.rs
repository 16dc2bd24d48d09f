//! A budget that is used up, and the one answer that may still come.

use vernal_core::advisor::{
    Budget, BudgetAdvisor, BudgetAdvisorBuilder, MessageChatMemoryAdvisor, OnBudgetExceeded,
    StructuredOutputValidationAdvisor,
};
use vernal_core::memory::{ChatMemoryRepository, ConversationId, InMemoryChatMemoryRepository};
use vernal_core::message::{FinishReason, Usage};
use vernal_core::model::ToolChoice;
use vernal_testing::ScriptedModel;

use crate::kit::{WAYS, costs, looking, looks, read, said, system_texts};
use crate::structured::{BAD, Forecast, GOOD, jeju};

fn budget() -> BudgetAdvisorBuilder {
    BudgetAdvisor::builder().on_exceeded(OnBudgetExceeded::LastAnswer)
}

#[tokio::test]
async fn the_model_answers_once_more_without_tools() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .replies(looks(10, 1))
            .replies(looks(20, 1))
            .replies(costs("what I have", 30, 1));
        let (client, runs) = looking(model.clone());
        let memory = InMemoryChatMemoryRepository::new();
        let client = client
            .default_system("Be brief.")
            .default_advisors((
                budget().max_tokens(25).build().unwrap(),
                MessageChatMemoryAdvisor::new(memory.clone()),
            ))
            .build()
            .unwrap();
        let response = way
            .send(&client.prompt("go").conversation("c"))
            .await
            .response();
        assert_eq!(response.content(), "what I have");
        assert_eq!((runs.count(), model.call_count()), (2, 3));
        assert_eq!(response.usage(), Usage::new(60, 3));
        let generation = response.chat_response().generation().unwrap();
        assert_eq!(generation.finish_reason, Some(FinishReason::Stop));
        let limit = generation
            .metadata
            .get(BudgetAdvisor::METADATA_BUDGET_EXCEEDED);
        assert_eq!(limit.unwrap(), "25 tokens");
        assert_eq!(BudgetAdvisor::METADATA_BUDGET_EXCEEDED, "budgetExceeded");
        // The model is told, once, and may not call the tools that are still there.
        let texts = system_texts(&model);
        assert_eq!((&*texts[0], &*texts[1]), ("Be brief.", "Be brief."));
        assert!(texts[2].starts_with("Be brief.\n\nThe budget of this turn is used up."));
        let prompts = model.prompts();
        let choices = prompts.iter().map(|p| p.options().tool_choice().clone());
        let (auto, none) = (ToolChoice::Auto, ToolChoice::None);
        assert_eq!(choices.collect::<Vec<_>>(), [auto.clone(), auto, none]);
        assert_eq!(prompts[2].options().tools().len(), 1);
        // The note is in nobody's history.
        assert!(
            !read(response.messages().unwrap())
                .join("\n")
                .contains("budget")
        );
        let id = ConversationId::new("c").unwrap();
        let kept = read(&memory.load(&id, None).await.unwrap());
        assert_eq!(kept, ["user: go", "assistant: what i have"]);
    }
}

#[tokio::test]
async fn calls_that_the_model_asks_for_all_the_same_are_dropped() {
    for (text, expected) in [
        ("I would look", "I would look"),
        ("", "The budget of 1 model call is used up."),
    ] {
        for way in WAYS {
            let last = looks(2, 2).and_text(text);
            let model = ScriptedModel::new().replies(looks(1, 1)).replies(last);
            let (client, runs) = looking(model.clone());
            let advisor = budget().max_model_calls(1).build().unwrap();
            let client = client.default_advisors(advisor).build().unwrap();
            let response = way.send(&client.prompt("go")).await.response();
            assert_eq!(response.content(), expected);
            assert!(!response.chat_response().has_tool_calls());
            assert_eq!(
                response.chat_response().finish_reason(),
                Some(&FinishReason::Stop)
            );
            assert_eq!((runs.count(), model.call_count()), (1, 2));
            assert_eq!(response.usage(), Usage::new(3, 3));
            assert_eq!(said(response.messages()).len(), 4);
        }
    }
}

#[tokio::test]
async fn there_is_one_last_answer_and_no_second() {
    for way in WAYS {
        // Its form is wrong, and nothing is left to correct it with.
        let model = ScriptedModel::new()
            .replies(looks(9, 1))
            .replies(costs(BAD, 2, 1))
            .says("never");
        let (client, _) = looking(model.clone());
        let structured = StructuredOutputValidationAdvisor::of::<Forecast>();
        let client = client.default_advisors((
            structured.build().unwrap(),
            budget().max_tokens(5).build().unwrap(),
        ));
        let error = way
            .send(&client.build().unwrap().prompt("go"))
            .await
            .error();
        assert_eq!(error.budget_exceeded().unwrap().spent().model_calls, 2);
        assert_eq!((model.call_count(), error.usage()), (2, Usage::new(11, 2)));
        assert_eq!(said(error.messages()).len(), 3);

        // And one that fits is the answer.
        let model = ScriptedModel::new().replies(looks(9, 1)).says(GOOD);
        let (client, _) = looking(model);
        let structured = StructuredOutputValidationAdvisor::of::<Forecast>();
        let client = client.default_advisors((
            structured.build().unwrap(),
            budget().max_tokens(5).build().unwrap(),
        ));
        let response = way
            .send(&client.build().unwrap().prompt("go"))
            .await
            .response();
        assert_eq!(response.entity::<Forecast>().unwrap(), jeju());
    }
}

#[tokio::test]
async fn a_turn_that_begins_with_nothing_left_of_a_shared_budget_fails() {
    for way in WAYS {
        let shared = Budget::new();
        let advisor = budget().max_tokens(15).shared(shared.clone()).build();
        let model = ScriptedModel::new()
            .replies(looks(19, 1))
            .replies(costs("last", 1, 1))
            .says("never");
        let (client, _) = looking(model.clone());
        let client = client.default_advisors(advisor.unwrap()).build().unwrap();
        let first = way.send(&client.prompt("go")).await.response();
        assert_eq!(first.content(), "last");
        let error = way.send(&client.prompt("go")).await.error();
        assert!(error.budget_exceeded().is_some());
        assert_eq!(model.call_count(), 2);
    }
}
