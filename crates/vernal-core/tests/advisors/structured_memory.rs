//! MEM-2, MEM-3 and LOOP-6 with corrections: what a memory keeps, outside of the loop and inside.

use vernal_core::advisor::{
    MessageChatMemoryAdvisor, StructuredOutputValidationAdvisor, ToolCallingAdvisor,
};
use vernal_core::memory::{
    ChatMemory, ChatMemoryRepository, ConversationId, InMemoryChatMemoryRepository,
};
use vernal_core::message::Usage;
use vernal_testing::ScriptedModel;

use crate::kit::{WAYS, assert_valid, costs, looking, looks, read};
use crate::structured::{BAD, Forecast, GOOD};

#[tokio::test]
async fn mem_2_and_mem_3_wrong_answers_are_not_kept() {
    let tools = ["assistant: look()", "tool: look=seen"];
    let answer = format!("assistant: {}", GOOD.to_lowercase());
    let outside = MessageChatMemoryAdvisor::DEFAULT_ORDER;
    let inside = ToolCallingAdvisor::DEFAULT_ORDER + 100;
    for (order, of_tools) in [(outside, &[][..]), (inside, &tools)] {
        for way in WAYS {
            let store = InMemoryChatMemoryRepository::new();
            let model = ScriptedModel::new()
                .replies(looks(1, 1))
                .replies(costs(BAD, 1, 1))
                .replies(costs(GOOD, 1, 1))
                .replies(costs(GOOD, 1, 1));
            let (client, runs) = looking(model.clone());
            let memory = MessageChatMemoryAdvisor::builder(ChatMemory::new(store.clone()));
            let advisor = StructuredOutputValidationAdvisor::of::<Forecast>();
            let client = client
                .default_system("Be brief.")
                .default_advisors((memory.order(order).build(), advisor.build().unwrap()))
                .build()
                .unwrap();
            let request = client.prompt("Weather?").conversation("c");
            let response = way.send(&request).await.response();
            assert_eq!(response.usage(), Usage::new(3, 3));
            let request = client.prompt("Again!").conversation("c");
            way.send(&request).await.response();

            let id = ConversationId::new("c").unwrap();
            let kept = store.load(&id, None).await.unwrap();
            assert_valid(&kept);
            let mut expected = vec!["user: weather?"];
            expected.extend(of_tools);
            expected.extend([&*answer, "user: again!", &answer]);
            assert_eq!(read(&kept), expected, "{order} {way:?}");
            assert_eq!((model.call_count(), runs.count()), (4, 1));
            for prompt in model.prompts() {
                assert_valid(prompt.messages());
            }
        }
    }
}
