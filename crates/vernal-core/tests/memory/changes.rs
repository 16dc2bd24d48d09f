//! LOOP-4 with a memory inside of the loop, which replays the turn.

use std::sync::Arc;

use futures::StreamExt;
use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, BaseAdvisor, CallFuture, ChatClientRequest, ChatEvent, EventStream,
    ToolCallingAdvisor, ToolLoopHooks, order,
};
use vernal_core::client::ChatClient;
use vernal_core::message::{Message, Role};
use vernal_testing::ScriptedModel;

use crate::kit::{INSIDE, WAYS, asked, assert_valid, builder, memory, read};
use crate::store::Store;

fn script() -> ScriptedModel {
    ScriptedModel::new()
        .says("hello")
        .calls("look", "{}")
        .calls("look", "{}")
        .says("done")
        .says("bye")
}

type Change = fn(&mut ChatClientRequest);

/// Changes what a round sends, between the loop and the memory.
struct Hook(Change);

impl ToolLoopHooks for Hook {
    async fn before_call(&self, request: &mut ChatClientRequest) -> Result<(), Error> {
        (self.0)(request);
        Ok(())
    }
}

/// Changes what a round sends, wherever it stands.
struct Inner(i32, Change);

impl BaseAdvisor for Inner {
    fn name(&self) -> &str {
        "inner"
    }

    fn order(&self) -> i32 {
        self.0
    }

    async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        (self.1)(&mut request);
        Ok(request)
    }
}

/// A client with a memory inside of its loop, whose second round is changed by a hook, or by an advisor
/// before or behind the memory.
fn clients(model: &ScriptedModel, store: &Store, change: Change) -> [ChatClient; 3] {
    let tool_loop = ToolCallingAdvisor::builder().hooks(Hook(change));
    let by_hook = builder(model).tool_calling_advisor(tool_loop);
    let [before, behind] =
        [INSIDE - 1, INSIDE + 1].map(|order| builder(model).default_advisors(Inner(order, change)));
    [by_hook, before, behind].map(|client| {
        client
            .default_advisors(memory(store, INSIDE).build())
            .build()
            .unwrap()
    })
}

/// Says `hi`, `go` with two rounds, and `bye`; gives what the model was asked and what is kept.
async fn conversations(change: Change) -> Vec<(Vec<Vec<String>>, Vec<String>)> {
    let mut all = Vec::new();
    for way in WAYS {
        for which in 0..3 {
            let (model, store) = (script(), Store::default());
            let client = clients(&model, &store, change)[which].clone();
            for text in ["hi", "go", "bye"] {
                let request = client.prompt(text).conversation("c");
                let response = way.send(&request).await.unwrap();
                let said = response.messages().unwrap();
                assert_valid(said);
                let others = read(said).into_iter().filter(|line| line == "user: hi");
                assert_eq!(
                    others.count(),
                    usize::from(text == "hi"),
                    "the turn's own only"
                );
            }
            let kept = store.kept("c").await;
            assert_valid(&kept);
            all.push((asked(&model), read(&kept)));
        }
    }
    all
}

const HELLO: [&str; 2] = ["user: hi", "assistant: hello"];
const ROUND: [&str; 2] = ["assistant: look()", "tool: look=seen"];

#[tokio::test]
async fn loop_4_what_is_added_is_replayed_once_and_kept_with_the_turn() {
    let added = conversations(|request| {
        if request.round() == 2 {
            let messages = request.prompt_mut().messages_mut();
            messages.push(Message::user("hurry!"));
        }
    });
    for (asked, kept) in added.await {
        let go = [&["system: be brief."], &HELLO[..], &["user: go"]].concat();
        let second = [&go[..], &ROUND, &["user: hurry!"]].concat();
        let third = [&second[..], &ROUND].concat();
        assert_eq!(asked[1..4], [go, second, third.clone()]);
        let turn = [&third[1..], &["assistant: done"]].concat();
        assert_eq!(kept, [&turn[..], &["user: bye", "assistant: bye"]].concat());
    }
}

#[tokio::test]
async fn loop_4_what_changes_nothing_leaves_the_turn_as_it_is() {
    for (asked, kept) in conversations(|_| {}).await {
        let go = [&["system: be brief."], &HELLO[..], &["user: go"]].concat();
        let second = [&go[..], &ROUND].concat();
        let third = [&second[..], &ROUND].concat();
        assert_eq!(asked[1..4], [go, second, third.clone()]);
        let turn = [&third[1..], &["assistant: done"]].concat();
        assert_eq!(kept, [&turn[..], &["user: bye", "assistant: bye"]].concat());
    }
}

#[tokio::test]
async fn loop_4_what_a_hook_leaves_out_is_not_replayed_and_is_kept() {
    let change: Change = |request| {
        if request.round() == 3 {
            let messages = request.prompt_mut().messages_mut();
            let tools = |m: &&Arc<Message>| m.role() != Role::Tool && !m.has_tool_calls();
            let mut left: Vec<_> = messages.iter().filter(tools).cloned().collect();
            left.push(Arc::new(Message::user("It was seen.")));
            *messages = left.into();
        }
    };
    for way in WAYS {
        let (model, store) = (script(), Store::default());
        let [client, _, _] = clients(&model, &store, change);
        for text in ["hi", "go"] {
            way.send(&client.prompt(text).conversation("c"))
                .await
                .unwrap();
        }
        let asked = asked(&model);
        // The third round was given the newest answers only, and left them out.
        let told = [
            "system: be brief.",
            "user: hi",
            "assistant: hello",
            "user: go",
        ];
        assert_eq!(asked[3][..4], told);
        assert_eq!(asked[3].last().unwrap(), "user: it was seen.");
        assert_eq!(
            asked[3]
                .iter()
                .filter(|line| line.starts_with("tool"))
                .count(),
            1
        );
        let kept = read(&store.kept("c").await);
        assert_eq!(
            kept.iter().filter(|line| line.starts_with("tool")).count(),
            2
        );
        assert!(kept.contains(&"user: it was seen.".to_owned()), "{kept:?}");
    }
}

/// Runs the whole loop twice for a request.
struct Twice;

impl Advisor for Twice {
    fn name(&self) -> &str {
        "twice"
    }

    fn order(&self) -> i32 {
        order::HIGHEST_PRECEDENCE
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move {
            rest.next_call(request.clone()).await?;
            rest.next_call(request).await
        })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        let not_last = |event: &Result<ChatEvent, Error>| {
            let is_last = matches!(event, Ok(ChatEvent::Done { .. }));
            futures::future::ready(!is_last)
        };
        let first = rest.next_stream(request.clone()).filter(not_last);
        first.chain(rest.next_stream(request)).boxed()
    }
}

#[tokio::test]
async fn mem_3_each_turn_of_a_request_loads_its_own_history() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .calls("look", "{}")
            .says("one")
            .says("two");
        let store = Store::default();
        let client = builder(&model).default_advisors((memory(&store, INSIDE).build(), Twice));
        let request = client.build().unwrap().prompt("go").conversation("c");
        way.send(&request).await.unwrap();
        assert_eq!(store.uses(), [2, 2], "each turn loads and keeps once");
        let prompts = model.prompts();
        let lines = read(prompts[2].messages());
        // The second turn sees what the first one kept, without the message that both begin with.
        assert_eq!(lines.last().unwrap(), "user: go", "{lines:?}");
        assert_valid(prompts[2].messages());
    }
}
