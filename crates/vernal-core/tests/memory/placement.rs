//! AUTO-4, AUTO-6 and LOOP-5: where a memory stands, and what that does to the loop.

use std::sync::Arc;

use futures::future::BoxFuture;
use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, BaseAdvisor, CallFuture, ChatClientRequest, EventStream, MemoryAdvisor,
    MessageChatMemoryAdvisor, ToolCallingAdvisor, ToolCallingAdvisorBuilder, order,
};
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::message::{
    History, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{INSIDE, OUTSIDE, WAYS, Watch, asked, builder, memory, read, tools};
use crate::store::Store;

/// Between the loop and a memory inside of it.
const BETWEEN: i32 = order::HIGHEST_PRECEDENCE + 350;

fn script() -> ScriptedModel {
    ScriptedModel::new()
        .calls("look", "{}")
        .calls("look", "{}")
        .says("done")
}

#[tokio::test]
async fn ord_2_a_memory_is_outside_of_the_loop_by_default() {
    let advisor = MessageChatMemoryAdvisor::new(Store::default());
    assert_eq!(advisor.order(), order::HIGHEST_PRECEDENCE + 200);
    assert!(advisor.order() < ToolCallingAdvisor::DEFAULT_ORDER);
    assert_eq!(memory(&Store::default(), INSIDE).build().order(), INSIDE);
}

#[tokio::test]
async fn auto_4_a_memory_inside_turns_the_loop_s_own_history_off() {
    for way in WAYS {
        let model = script();
        let watch = Watch::at(BETWEEN);
        let memory = memory(&Store::default(), INSIDE).build();
        let client = builder(&model)
            .default_advisors((memory, watch.clone()))
            .build()
            .unwrap();
        way.send(&client.prompt("Look!").conversation("c"))
            .await
            .unwrap();
        let newest = vec!["system: be brief.", "tool: look=seen"];
        assert_eq!(watch.take()[1..], [newest.clone(), newest]);
        let last = &asked(&model)[2];
        assert_eq!(last.len(), 6, "the model sees the whole turn");
    }
}

#[tokio::test]
async fn auto_4_a_memory_at_the_loop_s_order_or_before_it_leaves_the_history_on() {
    for way in WAYS {
        for order in [OUTSIDE, ToolCallingAdvisor::DEFAULT_ORDER] {
            let model = script();
            let (watch, store) = (Watch::at(BETWEEN), Store::default());
            let memory = memory(&store, order).build();
            let client = builder(&model).default_advisors((memory, watch.clone()));
            let client = client.build().unwrap();
            way.send(&client.prompt("Look!").conversation("c"))
                .await
                .unwrap();
            let lengths: Vec<_> = watch.take().iter().map(Vec::len).collect();
            assert_eq!(lengths, [2, 4, 6]);
            assert_eq!(store.kept("c").await.len(), 2, "it is outside");
        }
    }
}

/// A memory that only adds text, as one over a vector store would.
struct AddsText;

impl Advisor for AddsText {
    fn name(&self) -> &str {
        "adds-text"
    }

    fn order(&self) -> i32 {
        INSIDE
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        rest.next_call(request)
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        rest.next_stream(request)
    }

    fn as_memory_advisor(&self) -> Option<&dyn MemoryAdvisor> {
        Some(self)
    }
}

impl MemoryAdvisor for AddsText {
    fn replays_full_turn(&self) -> bool {
        false
    }

    fn repository_name(&self) -> &str {
        "vectors"
    }

    fn stores_tool_messages(&self) -> bool {
        false
    }

    fn commit_turn<'a>(
        &'a self,
        _: &'a ChatClientRequest,
        _: &'a History,
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async { Ok(()) })
    }
}

#[tokio::test]
async fn auto_4_a_memory_that_only_adds_text_is_not_mistaken_for_one_that_replays() {
    for way in WAYS {
        let model = script();
        let client = builder(&model).default_advisors(AddsText).build().unwrap();
        way.send(&client.prompt("Look!").conversation("c"))
            .await
            .unwrap();
        assert_eq!(asked(&model)[2].len(), 6);
    }
}

#[tokio::test]
async fn auto_6_a_repository_without_tool_messages_inside_is_an_error_that_names_it() {
    let model = ScriptedModel::new().then_always(Reply::text("hello"));
    let store = Store::without_tool_messages();
    let named = |error: Error| {
        let text = error.to_string();
        assert!(error.is_setup() && text.contains("`test-store`"), "{text}");
    };
    let inside = || memory(&store, INSIDE).build();
    named(
        builder(&model)
            .default_advisors(inside())
            .build()
            .unwrap_err(),
    );
    // A hand-built loop makes no difference.
    let own = || {
        ToolCallingAdvisor::builder()
            .advisor_order(-1)
            .build()
            .unwrap()
    };
    let late = || memory(&store, 0).build();
    named(
        builder(&model)
            .default_advisors((late(), own()))
            .build()
            .unwrap_err(),
    );

    let outside = memory(&store, OUTSIDE).build();
    let fine = builder(&model).default_advisors(outside).build().unwrap();
    let before = own().order() - 1;
    let early = memory(&store, before).build();
    builder(&model)
        .default_advisors((early, own()))
        .build()
        .unwrap();
    for way in WAYS {
        let request = fine.prompt("hi").conversation("c");
        way.send(&request).await.unwrap();
        named(way.send(&request.advisors(inside())).await.unwrap_err());
    }
}

fn without_history() -> ToolCallingAdvisorBuilder {
    ToolCallingAdvisor::builder().disable_internal_conversation_history()
}

#[tokio::test]
async fn auto_4_a_hand_built_loop_is_told() {
    for way in WAYS {
        let model = script();
        let (watch, store) = (Watch::at(BETWEEN), Store::default());
        let memory = memory(&store, INSIDE).build();
        let advisors = (memory, watch.clone(), without_history().build().unwrap());
        let client = builder(&model).default_advisors(advisors).build().unwrap();
        way.send(&client.prompt("Look!").conversation("c"))
            .await
            .unwrap();
        assert_eq!(watch.take()[2], ["system: be brief.", "tool: look=seen"]);
        assert_eq!(asked(&model)[2].len(), 6);
        assert_eq!(store.kept("c").await.len(), 6);
    }
}

#[tokio::test]
async fn loop_5_the_next_request_is_the_system_messages_and_the_newest_tool_message() {
    for way in WAYS {
        for system in [None, Some("Be brief.")] {
            let model = script();
            let mut client = ChatClient::builder(model.clone()).default_tools(tools());
            if let Some(text) = system {
                client = client.default_system(text);
            }
            let client = client.default_advisors(without_history().build().unwrap());
            way.send(&client.build().unwrap().prompt("Look!"))
                .await
                .unwrap();
            let prompts = model.prompts();
            let sent = |round: usize| read(prompts[round].messages());
            let system: Vec<_> = system.map(|_| "system: be brief.").into_iter().collect();
            assert_eq!(sent(0), [&system[..], &["user: look!"]].concat());
            for round in [1, 2] {
                assert_eq!(sent(round), [&system[..], &["tool: look=seen"]].concat());
            }
            let newest = prompts[2].messages().last().unwrap().id();
            assert_ne!(prompts[1].messages().last().unwrap().id(), newest);
        }
    }
}

#[tokio::test]
async fn loop_5_counting_still_sees_the_whole_turn() {
    for way in WAYS {
        let model = ScriptedModel::new().then_always(Reply::call("look", "{}"));
        let manager = ToolCallingManager::builder()
            .max_total_tool_calls(3)
            .build()
            .unwrap();
        let advisor = without_history()
            .tool_calling_manager(manager)
            .build()
            .unwrap();
        let client = builder(&model).default_advisors(advisor).build().unwrap();
        let response = way.send(&client.prompt("Look!")).await.unwrap();
        assert_eq!(model.call_count(), 4);
        assert_eq!(response.rounds(), 4);
        assert_eq!(
            response.messages().unwrap().len(),
            2 + 2 * 4,
            "the turn is kept whole"
        );
    }
}

/// Puts a message before all others, between the loop and a memory; it stays in the turn (rule LOOP-4).
struct Notes;

impl BaseAdvisor for Notes {
    fn name(&self) -> &str {
        "notes"
    }

    fn order(&self) -> i32 {
        BETWEEN
    }

    async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        if request.round() > 1 {
            return Ok(request);
        }
        let messages = request.prompt_mut().messages_mut();
        let note = std::iter::once(Arc::new(Message::user("a note")));
        *messages = note.chain(messages.iter().cloned()).collect();
        Ok(request)
    }
}

#[tokio::test]
async fn auto_4_what_an_advisor_adds_in_between_keeps_its_place() {
    for way in WAYS {
        let model = script();
        let memory = memory(&Store::default(), INSIDE).build();
        let client = builder(&model)
            .default_advisors((memory, Notes))
            .build()
            .unwrap();
        way.send(&client.prompt("Look!").conversation("c"))
            .await
            .unwrap();
        for prompt in asked(&model) {
            assert_eq!(
                prompt[..3],
                ["system: be brief.", "user: a note", "user: look!"]
            );
        }
    }
}

#[tokio::test]
async fn loop_5_the_first_request_of_a_turn_is_whole() {
    for way in WAYS {
        let model = script();
        let earlier = ToolCall::new("1", "look", "{}");
        let answer = ToolResponse::success(&earlier, vec![ToolContent::Text("seen".into())]);
        let asks = Part::from(PartContent::ToolCall(earlier));
        let history = History::from_iter([
            Message::user("Look!"),
            Message::new(Role::Assistant, vec![asks]),
            Message::tool([answer]),
            Message::user("Again!"),
        ]);
        let client = builder(&model).default_advisors(without_history().build().unwrap());
        let client = client.build().unwrap();
        way.send(&client.prompt(history)).await.unwrap();
        let prompts = model.prompts();
        assert_eq!(read(prompts[0].messages()).len(), 5);
        assert_eq!(read(prompts[1].messages()).len(), 2);
    }
}

#[tokio::test]
async fn mem_1_any_memory_needs_a_conversation() {
    let model = ScriptedModel::new().says("unreached");
    let client = builder(&model).default_advisors(AddsText).build().unwrap();
    for way in WAYS {
        let error = way.send(&client.prompt("hi")).await.unwrap_err();
        assert!(
            error.is_setup() && error.to_string().contains("`adds-text`"),
            "{error}"
        );
    }
}
