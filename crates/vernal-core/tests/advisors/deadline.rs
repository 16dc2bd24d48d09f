//! EXE-2: the deadline of a request.

use std::sync::Arc;
use std::time::Duration;

use futures::{StreamExt, stream};
use tokio::time::Instant;
use vernal_core::advisor::{
    AdvisorParams, BaseAdvisor, ChatClientRequest, MessageChatMemoryAdvisor,
    RequestDeadlineAdvisor, ToolCallingAdvisor,
};
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::memory::{
    ChatMemory, ChatMemoryRepository, ConversationId, InMemoryChatMemoryRepository, MemoryFuture,
};
use vernal_core::message::{History, Message, MessageId, Usage};
use vernal_core::model::{ChatModel, ModelFuture, ModelStream, Prompt};
use vernal_core::tool::{FunctionToolCallback, ToolCallback, ToolContext, ToolMetadata};
use vernal_testing::ScriptedModel;

use crate::kit::{Noted, WAYS, Way, looking, looks, said};

const SECOND: Duration = Duration::from_secs(1);

/// A model that takes its time, and notes when it is dropped before it answers.
#[derive(Clone)]
struct Slow {
    model: ScriptedModel,
    takes: Duration,
    dropped: Noted<()>,
}

impl Slow {
    fn new(model: ScriptedModel, takes: Duration) -> Self {
        Self {
            model,
            takes,
            dropped: Noted::default(),
        }
    }
}

struct OnDrop(Noted<()>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        self.0.note(());
    }
}

impl ChatModel for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        let this = self.clone();
        Box::pin(async move {
            let guard = OnDrop(this.dropped.clone());
            tokio::time::sleep(this.takes).await;
            std::mem::forget(guard);
            this.model.call(prompt).await
        })
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        let this = self.clone();
        let events = async move {
            let guard = OnDrop(this.dropped.clone());
            tokio::time::sleep(this.takes).await;
            std::mem::forget(guard);
            this.model.stream(prompt)
        };
        stream::once(events).flatten().boxed()
    }
}

/// A tool that takes so long and notes how much time it was told that it has.
fn wait(takes: Duration, own: Option<Duration>, told: &Noted<u64>) -> Arc<dyn ToolCallback> {
    let told = told.clone();
    let mut metadata = ToolMetadata::builder();
    if let Some(own) = own {
        metadata = metadata.timeout(own);
    }
    let tool = FunctionToolCallback::builder("look", move |context: ToolContext| {
        let told = told.clone();
        let left = context.deadline().expect("a deadline");
        told.note(left.duration_since(Instant::now().into_std()).as_secs());
        async move {
            tokio::time::sleep(takes).await;
            "seen"
        }
    });
    Arc::new(tool.tool_metadata(metadata.build()).build().unwrap())
}

#[tokio::test(start_paused = true)]
async fn exe_2_a_slow_model_is_cancelled_and_what_was_done_is_kept() {
    for way in WAYS {
        let script = ScriptedModel::new().replies(looks(5, 6)).says("late");
        let model = Slow::new(script, 4 * SECOND);
        let told = Noted::default();
        let memory = InMemoryChatMemoryRepository::new();
        let client = ChatClient::builder(model.clone())
            .default_tools(wait(SECOND, None, &told))
            .default_advisors((
                RequestDeadlineAdvisor::new(8 * SECOND),
                MessageChatMemoryAdvisor::new(memory.clone()),
            ))
            .build()
            .unwrap();
        let began = Instant::now();
        let error = way
            .send(&client.prompt("go").conversation("c"))
            .await
            .error();
        assert!(error.is_timeout() && !error.is_retryable());
        let text = error.to_string();
        assert!(
            text.contains("8s") && text.contains("RequestDeadlineAdvisor"),
            "{text}"
        );
        assert_eq!(began.elapsed(), 8 * SECOND);
        assert_eq!(
            model.dropped.take().len(),
            1,
            "the second call is cancelled"
        );
        assert_eq!(told.take(), [4]);
        let kept = ["user: go", "assistant: look()", "tool: look=seen"];
        assert_eq!(said(error.messages()), kept);
        assert_eq!((error.usage(), error.rounds()), (Usage::new(5, 6), 1));
        let id = ConversationId::new("c").unwrap();
        assert!(memory.load(&id, None).await.unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn exe_2_a_tool_sees_the_nearer_deadline_and_is_cancelled_at_it() {
    // The request's time, the turn's, the tool's own; and what the tool is told.
    for (request, turn, own, told_seconds, error_names) in [
        (10, None, None, 10, Some("RequestDeadlineAdvisor")),
        (10, Some(20), Some(15), 10, Some("RequestDeadlineAdvisor")),
        (10, Some(7), None, 7, Some("turn_timeout")),
        (10, Some(7), Some(3), 3, None),
        (10, None, Some(3), 3, None),
    ] {
        for way in WAYS {
            let model = ScriptedModel::new().replies(looks(1, 1)).says("done");
            let told = Noted::default();
            let seconds = Duration::from_secs;
            let mut manager = ToolCallingManager::builder();
            if let Some(turn) = turn {
                manager = manager.turn_timeout(seconds(turn));
            }
            let client = ChatClient::builder(model)
                .tool_calling_manager(manager.build().unwrap())
                .default_tools(wait(100 * SECOND, own.map(seconds), &told))
                .default_advisors(RequestDeadlineAdvisor::new(seconds(request)))
                .build()
                .unwrap();
            let began = Instant::now();
            let sent = way.send(&client.prompt("go")).await;
            assert_eq!(told.take(), [told_seconds]);
            assert_eq!(began.elapsed(), seconds(told_seconds));
            let Some(error_names) = error_names else {
                assert_eq!(sent.response().content(), "done");
                continue;
            };
            let error = sent.error();
            assert!(
                error.is_timeout() && error.to_string().contains(error_names),
                "{error}"
            );
            let messages = said(error.messages());
            assert_eq!(messages.len(), 3, "the call is answered: {messages:?}");
            assert_eq!(error.usage(), Usage::new(1, 1));
        }
    }
}

/// Takes its time before anything else, and says what deadline it sees.
struct Dawdles {
    takes: Duration,
    order: i32,
    seen: Noted<Option<u64>>,
}

impl BaseAdvisor for Dawdles {
    fn name(&self) -> &str {
        "dawdles"
    }

    fn order(&self) -> i32 {
        self.order
    }

    async fn before(
        &self,
        request: ChatClientRequest,
    ) -> Result<ChatClientRequest, vernal_core::Error> {
        let left = request.deadline().map(|at| at - Instant::now());
        self.seen.note(left.map(|left| left.as_secs()));
        tokio::time::sleep(self.takes).await;
        Ok(request)
    }
}

#[tokio::test(start_paused = true)]
async fn the_deadline_covers_what_is_outside_of_the_loop_and_chains_without_one() {
    let outside = ToolCallingAdvisor::DEFAULT_ORDER - 1;
    for register in [true, false] {
        for way in WAYS {
            let seen = Noted::default();
            let slow = Dawdles {
                takes: 60 * SECOND,
                order: outside,
                seen: seen.clone(),
            };
            let params = AdvisorParams::tool_calling_advisor_auto_register(register);
            let request = ChatClient::create(ScriptedModel::new())
                .prompt("go")
                .advisors((slow, RequestDeadlineAdvisor::new(2 * SECOND), params));
            let began = Instant::now();
            let error = way.send(&request).await.error();
            assert!(error.is_timeout() && error.messages().is_none());
            assert_eq!((began.elapsed(), seen.take()), (2 * SECOND, vec![Some(2)]));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn of_two_deadlines_the_nearest_counts_and_one_in_time_changes_nothing() {
    for (outer, inner) in [(3, 9), (9, 3)] {
        for way in WAYS {
            let (outside, told) = (ToolCallingAdvisor::DEFAULT_ORDER - 20, Noted::default());
            let outer = RequestDeadlineAdvisor::new(Duration::from_secs(outer));
            let inner = RequestDeadlineAdvisor::new(Duration::from_secs(inner));
            let client = ChatClient::builder(ScriptedModel::new().replies(looks(1, 1)))
                .default_tools(wait(60 * SECOND, None, &told))
                .default_advisors((
                    outer.advisor_order(outside),
                    inner.advisor_order(outside + 10),
                ))
                .build()
                .unwrap();
            let began = Instant::now();
            let error = way.send(&client.prompt("go")).await.error();
            assert!(error.to_string().contains("3s"), "{error}");
            assert_eq!((began.elapsed(), told.take()), (3 * SECOND, vec![3]));
            assert_eq!(said(error.messages()).len(), 3, "what was done is kept");
        }
    }
    for given in [5 * SECOND, Duration::MAX] {
        for way in WAYS {
            let model = Slow::new(ScriptedModel::new().says("done"), 4 * SECOND);
            let request = ChatClient::create(model).prompt("go");
            let request = request.advisors(RequestDeadlineAdvisor::new(given));
            assert_eq!(way.send(&request).await.response().content(), "done");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exe_2_limits_that_end_at_one_time_never_lose_what_was_done() {
    // In real time: the timers of the request and of the loop fire in any order.
    let runs = (0..40).map(|_| {
        tokio::spawn(async {
            let told = Noted::default();
            let model = ScriptedModel::new().replies(looks(1, 1));
            let client = ChatClient::builder(model)
                .default_tools(wait(60 * SECOND, None, &told))
                .default_advisors(RequestDeadlineAdvisor::new(Duration::from_millis(20)))
                .build()
                .unwrap();
            let error = Way::Call.send(&client.prompt("go")).await.error();
            assert!(error.is_timeout());
            assert_eq!(error.messages().map(History::len), Some(3));
        })
    });
    for run in futures::future::join_all(runs).await {
        run.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_takes_too_long_loses_nothing_of_what_was_said() {
    let outside = MessageChatMemoryAdvisor::DEFAULT_ORDER;
    let inside = ToolCallingAdvisor::DEFAULT_ORDER + 100;
    for order in [outside, inside] {
        for way in WAYS {
            let (client, _) = looking(ScriptedModel::new().replies(looks(1, 1)).says("done"));
            let memory = MessageChatMemoryAdvisor::builder(ChatMemory::new(SlowStore));
            let client = client.default_advisors((
                RequestDeadlineAdvisor::new(3 * SECOND),
                memory.order(order).build(),
            ));
            let request = client.build().unwrap().prompt("go").conversation("c");
            let began = Instant::now();
            let error = way.send(&request).await.error();
            assert!(error.is_timeout());
            assert_eq!(began.elapsed(), 3 * SECOND);
            let messages = said(error.messages());
            assert_eq!(messages.last().unwrap(), "assistant: done", "{order}");
            assert_eq!((messages.len(), error.usage()), (4, Usage::new(1, 1)));
        }
    }
}

/// Holds nothing, and takes a minute to store anything.
struct SlowStore;

impl ChatMemoryRepository for SlowStore {
    fn name(&self) -> &str {
        "slow"
    }

    fn load<'a>(
        &'a self,
        _: &'a ConversationId,
        _: Option<usize>,
    ) -> MemoryFuture<'a, Vec<Arc<Message>>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn append<'a>(&'a self, _: &'a ConversationId, _: &'a [Arc<Message>]) -> MemoryFuture<'a, ()> {
        Box::pin(async {
            tokio::time::sleep(60 * SECOND).await;
            Ok(())
        })
    }

    fn replace_through<'a>(
        &'a self,
        _: &'a ConversationId,
        _: MessageId,
        _: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    fn delete<'a>(&'a self, _: &'a ConversationId) -> MemoryFuture<'a, ()> {
        Box::pin(async { Ok(()) })
    }

    fn conversations<'a>(
        &'a self,
        _: Option<&'a ConversationId>,
        _: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// Keeps the deadlines that a model is told.
#[derive(Clone)]
struct Told(ScriptedModel, Noted<Option<Instant>>);

impl ChatModel for Told {
    fn name(&self) -> &str {
        "told"
    }

    fn call(&self, prompt: Prompt) -> ModelFuture {
        self.1.note(prompt.deadline());
        self.0.call(prompt)
    }

    fn stream(&self, prompt: Prompt) -> ModelStream {
        self.1.note(prompt.deadline());
        self.0.stream(prompt)
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_is_told_the_nearest_deadline() {
    for way in WAYS {
        for (request, turn, told) in [
            (None, None, None),
            (Some(5), None, Some(5)),
            (None, Some(7), Some(7)),
            (Some(5), Some(7), Some(5)),
            (Some(9), Some(7), Some(7)),
        ] {
            let noted = Noted::default();
            let model = Told(ScriptedModel::new().says("done"), noted.clone());
            let mut client = ChatClient::builder(model);
            if let Some(seconds) = turn {
                let manager = ToolCallingManager::builder().turn_timeout(seconds * SECOND);
                client = client.tool_calling_manager(manager.build().unwrap());
            }
            if let Some(seconds) = request {
                let advisor = RequestDeadlineAdvisor::new(seconds * SECOND);
                client = client.default_advisors(advisor);
            }
            let began = Instant::now();
            let client = client.build().unwrap();
            way.send(&client.prompt("go")).await.response();
            let at = told.map(|seconds: u32| began + seconds * SECOND);
            assert_eq!(noted.take(), [at], "{request:?} {turn:?}");
        }
    }
}
