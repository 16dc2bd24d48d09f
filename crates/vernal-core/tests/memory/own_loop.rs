//! MEM-3 with a tool advisor of the application's own.

use std::sync::Arc;

use futures::StreamExt;
use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatClientResponse, ChatEvent,
    EventStream, ToolAdvisor, ToolCallingAdvisor,
};
use vernal_core::calling::ToolCallingManager;
use vernal_testing::ScriptedModel;

use crate::kit::{INSIDE, WAYS, asked, assert_valid, builder, memory, read};
use crate::store::Store;

/// The plainest loop there is.
struct OwnLoop(ToolCallingManager);

impl OwnLoop {
    async fn run(
        &self,
        mut request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> Result<ChatClientResponse, Error> {
        request.begin_turn();
        let mut prompt = request.prompt().clone();
        for round in 1.. {
            let sent = request.for_round(prompt.clone(), round, None);
            let response = rest.next_call(sent).await?;
            if response.chat_response().has_tool_calls() {
                let result = self
                    .0
                    .execute_tool_calls(&prompt, response.chat_response())
                    .await;
                let result = result.map_err(|error| Error::advisor("own-loop", error))?;
                prompt = prompt.with_messages(result.conversation_history().clone());
                continue;
            }
            let answer = response.chat_response().generation().unwrap();
            prompt.messages_mut().push(answer.message.clone());
            rest.commit_turn(&request, prompt.messages()).await?;
            return Ok(response);
        }
        unreachable!("rounds do not end")
    }
}

impl Advisor for OwnLoop {
    fn name(&self) -> &str {
        "own-loop"
    }

    fn order(&self) -> i32 {
        ToolCallingAdvisor::DEFAULT_ORDER
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move { self.run(request, rest).await })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        let done = async move {
            let response = Box::new(self.run(request, rest).await?);
            Ok(ChatEvent::Done { response })
        };
        futures::stream::once(done).boxed()
    }

    fn as_tool_advisor(&self) -> Option<&dyn ToolAdvisor> {
        Some(self)
    }
}

impl ToolAdvisor for OwnLoop {}

#[tokio::test]
async fn mem_3_a_loop_of_one_s_own_has_its_turns_kept_whole() {
    for way in WAYS {
        let script = ScriptedModel::new().calls("look", "{}").says("one");
        let model = script.calls("look", "{}").calls("break", "{}").says("two");
        let store = Store::default();
        let own = OwnLoop(ToolCallingManager::default());
        let memory = memory(&store, INSIDE).build();
        let client = builder(&model)
            .default_advisors((own, memory))
            .build()
            .unwrap();
        way.send(&client.prompt("first").conversation("c"))
            .await
            .unwrap();
        way.send(&client.prompt("fails").conversation("c"))
            .await
            .unwrap_err();
        way.send(&client.prompt("second").conversation("c"))
            .await
            .unwrap();
        assert_eq!(store.uses(), [3, 2]);
        let kept = store.kept("c").await;
        assert_valid(&kept);
        let first = [
            "user: first",
            "assistant: look()",
            "tool: look=seen",
            "assistant: one",
        ];
        assert_eq!(
            read(&kept),
            [&first[..], &["user: second", "assistant: two"]].concat()
        );
        assert_eq!(asked(&model)[4].len(), 6);
    }
}
