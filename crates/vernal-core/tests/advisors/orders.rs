//! ORD-2: where the advisors stand that say nothing else.

use std::sync::Arc;
use std::time::Duration;

use vernal_core::advisor::{
    Advisor, AdvisorChain, BudgetAdvisor, MessageChatMemoryAdvisor, RequestDeadlineAdvisor,
    RetryAdvisor, SafeGuardAdvisor, SimpleLoggerAdvisor, StructuredOutputValidationAdvisor,
    ToolCallingAdvisor, order,
};
use vernal_core::memory::InMemoryChatMemoryRepository;
use vernal_testing::ScriptedModel;

fn all() -> Vec<Arc<dyn Advisor>> {
    let budget = BudgetAdvisor::builder().max_tokens(1).build().unwrap();
    let structured = StructuredOutputValidationAdvisor::of::<Vec<u8>>();
    let memory = InMemoryChatMemoryRepository::new();
    vec![
        Arc::new(budget),
        Arc::new(RetryAdvisor::new()),
        Arc::new(structured.build().unwrap()),
        Arc::new(SimpleLoggerAdvisor::new()),
        Arc::new(SafeGuardAdvisor::for_words(["x"])),
        Arc::new(ToolCallingAdvisor::default()),
        Arc::new(MessageChatMemoryAdvisor::new(memory)),
        Arc::new(RequestDeadlineAdvisor::new(Duration::from_secs(1))),
    ]
}

#[test]
fn ord_2_the_ready_advisors_and_the_loop() {
    let (low, high) = (order::LOWEST_PRECEDENCE, order::HIGHEST_PRECEDENCE);
    let chain = AdvisorChain::new(all(), Arc::new(ScriptedModel::new()));
    assert_eq!(
        chain.advisors().collect::<Vec<_>>(),
        [
            ("request-deadline", high + 100),
            ("message-chat-memory", high + 200),
            ("tool-calling", high + 300),
            ("simple-logger", 0),
            ("safe-guard", 0),
            ("structured-output-validation", low - 2000),
            ("retry", low - 1000),
            ("budget", low - 500),
        ]
    );
    assert!(chain.has_tool_advisor());
}

#[tokio::test]
async fn what_is_about_single_model_calls_does_not_stand_outside_of_the_loop() {
    use crate::kit::WAYS;
    let outside = ToolCallingAdvisor::DEFAULT_ORDER - 1;
    let structured = StructuredOutputValidationAdvisor::of::<Vec<u8>>();
    let budget = BudgetAdvisor::builder().max_tokens(1);
    let advisors: Vec<Arc<dyn Advisor>> = vec![
        Arc::new(structured.advisor_order(outside).build().unwrap()),
        Arc::new(RetryAdvisor::builder().advisor_order(outside).build()),
        Arc::new(budget.advisor_order(outside).build().unwrap()),
    ];
    for advisor in advisors {
        for way in WAYS {
            let model = ScriptedModel::new().says("never");
            let client = vernal_core::client::ChatClient::create(model.clone());
            let sent = way
                .send(&client.prompt("go").advisors(advisor.clone()))
                .await;
            let error = sent.error();
            assert!(error.is_setup());
            let text = error.to_string();
            assert!(
                text.contains(advisor.name()) && text.contains(&outside.to_string()),
                "{text}"
            );
            assert_eq!(model.call_count(), 0);
        }
    }
}
