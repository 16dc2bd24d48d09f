//! LOOP-1: the finalizer runs exactly once, whatever way a turn ends.

use std::sync::Arc;

use futures::future::BoxFuture;
use vernal_core::Error;
use vernal_core::advisor::{
    BaseAdvisor, ChatClientRequest, LoopEnd, MemoryAdvisor, ToolCallingAdvisor, ToolLoopHooks,
    order,
};
use vernal_core::calling::ToolCallingManager;
use vernal_core::calling::{ToolCallingManagerBuilder, ToolExecutionEligibilityChecker};
use vernal_core::client::ChatClient;
use vernal_core::message::History;
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_testing::{Reply, ScriptedModel};

use crate::hook_kit::{Act, Point, Recorder, with_hooks};
use crate::kit::{Log, tool};
use crate::probes::Notes;
use crate::transcript::assert_valid;

/// A way for a turn to end.
struct Way {
    name: &'static str,
    model: ScriptedModel,
    manager: ToolCallingManagerBuilder,
    hooks: Recorder,
    set: fn(vernal_core::client::ChatClientBuilder) -> vernal_core::client::ChatClientBuilder,
    leaves_calls: bool,
    end: &'static str,
}

fn way(name: &'static str, model: ScriptedModel, end: &'static str) -> Way {
    Way {
        name,
        model,
        manager: ToolCallingManager::builder(),
        hooks: Recorder::default(),
        set: |client| client,
        leaves_calls: false,
        end,
    }
}

fn broken() -> ModelError {
    ModelError::new(ModelErrorKind::Server, "broken")
}

fn in_time() -> ToolCallingManagerBuilder {
    ToolCallingManager::builder().turn_timeout(std::time::Duration::from_millis(50))
}

fn ways() -> Vec<Way> {
    let calls = |name: &str| ScriptedModel::new().calls(name, "{}");
    let mut ways = vec![
        way(
            "answer",
            ScriptedModel::new().says("done"),
            "end answer done",
        ),
        way(
            "answer after tools",
            calls("a").says("done"),
            "end answer done",
        ),
        way("return direct", calls("direct"), "end direct direct result"),
        Way {
            leaves_calls: true,
            ..way("left to the caller", calls("a"), "end answer ")
        },
        Way {
            manager: ToolCallingManager::builder().max_calls_per_tool(1),
            ..way("limit", calls("a").calls("a", "{}"), "end limit 1")
        },
        Way {
            manager: ToolCallingManager::builder().max_rounds(1),
            ..way("rounds", calls("a"), "end limit 1")
        },
        way("model", ScriptedModel::new().fails(broken()), "end failed"),
        way("model later", calls("a").fails(broken()), "end failed"),
        way(
            "model in the middle",
            calls("a").replies(Reply::text("I am").then_error(broken())),
            "end failed",
        ),
        way("fatal tool", calls("fatal"), "end failed"),
        Way {
            manager: ToolCallingManager::builder().strict_tool_names(true),
            ..way("unknown tool", calls("x"), "end failed")
        },
        Way {
            manager: in_time(),
            ..way("timeout", calls("slow"), "end failed")
        },
        Way {
            set: |client| client.default_advisors(Refuses { order: 0 }),
            ..way("inner advisor", calls("a"), "end failed")
        },
        Way {
            set: |client| client.default_advisors(Forgets),
            ..way("memory", calls("a").says("done"), "end failed")
        },
    ];
    for point in Point::ALL {
        for round in [1, 2] {
            let is_there = match point {
                Point::Initialize => round == 1,
                Point::Next => round == 2,
                Point::Before | Point::After => true,
            };
            if is_there {
                ways.push(Way {
                    hooks: Recorder::default().acts(point, round, Act::Fails),
                    ..way("hook", calls("a").says("done"), "end failed")
                });
                // A hook that waits for somebody has no more time than the turn.
                ways.push(Way {
                    hooks: Recorder::default().acts(point, round, Act::Sleeps),
                    manager: in_time(),
                    ..way("slow hook", calls("a").says("done"), "end failed")
                });
            }
        }
    }
    ways
}

/// Lets no request pass.
struct Refuses {
    order: i32,
}

impl BaseAdvisor for Refuses {
    fn name(&self) -> &str {
        "refuses"
    }

    fn order(&self) -> i32 {
        self.order
    }

    async fn before(&self, _: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        Err(Error::advisor("refuses", "no"))
    }
}

/// A memory that can keep nothing; what is before and after it needs not to be written.
struct Forgets;

impl BaseAdvisor for Forgets {
    fn name(&self) -> &str {
        "forgets"
    }

    fn as_memory_advisor(&self) -> Option<&dyn MemoryAdvisor> {
        Some(self)
    }
}

impl MemoryAdvisor for Forgets {
    fn replays_full_turn(&self) -> bool {
        false
    }

    fn repository_name(&self) -> &str {
        "a sieve"
    }

    fn stores_tool_messages(&self) -> bool {
        false
    }

    fn commit_turn<'a>(
        &'a self,
        _: &'a ChatClientRequest,
        _: &'a History,
    ) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async { Err(Error::advisor("forgets", "it is gone")) })
    }
}

fn client(way: &Way, log: &Log) -> ChatClient {
    let mut tool_loop = ToolCallingAdvisor::builder()
        .tool_calling_manager(way.manager.clone().build().unwrap())
        .hooks(way.hooks.clone());
    if way.leaves_calls {
        let never = ToolExecutionEligibilityChecker::new(|_| false);
        tool_loop = tool_loop.tool_execution_eligibility_checker(never);
    }
    let tools = vec![
        tool("a").build(log),
        tool("direct").direct().build(log),
        tool("fatal").fails_fatally("broken").build(log),
        tool("slow")
            .takes(std::time::Duration::from_secs(9))
            .build(log),
    ];
    let client = ChatClient::builder(way.model.clone()).tool_calling_advisor(tool_loop);
    (way.set)(client).default_tools(tools).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn loop_1_the_finalizer_runs_exactly_once_on_every_way_out() {
    let log = Log::default();
    for streamed in [false, true] {
        for mut way in ways() {
            way.hooks.notes = Notes::default();
            let (notes, ended) = (way.hooks.notes.clone(), way.hooks.ended.clone());
            let request = client(&way, &log).prompt("go").conversation("c");
            let result = match streamed {
                false => request.call().await,
                true => request.stream().response().await,
            };
            let name = (way.name, streamed, way.hooks.act);
            assert_eq!(
                result.is_err(),
                way.end == "end failed",
                "{name:?} {result:?}"
            );
            let noted = notes.take();
            let ends: Vec<_> = noted
                .iter()
                .filter(|note| note.starts_with("end"))
                .collect();
            assert_eq!(ends, [way.end], "{name:?} {noted:?}");
            assert_eq!(
                noted.last().unwrap(),
                way.end,
                "nothing follows it: {name:?}"
            );
            let ended = ended.lock().unwrap();
            assert_eq!(ended.len(), 1);
            assert_valid(&ended[0]);
            assert_eq!(ended[0].iter().next().unwrap().text(), "go", "{name:?}");
        }
    }
}

#[tokio::test]
async fn loop_1_a_hook_that_fails_loses_nothing_of_what_was_said_and_spent() {
    use vernal_core::message::Usage;
    for streamed in [false, true] {
        for (point, round, spent, said) in [
            (Point::Initialize, 1, 0, 1),
            (Point::Before, 1, 0, 1),
            (Point::After, 1, 7, 3),
            (Point::Next, 2, 7, 3),
            (Point::Before, 2, 7, 3),
            (Point::After, 2, 10, 4),
        ] {
            let log = Log::default();
            let hooks = Recorder::default().acts(point, round, Act::Fails);
            let model = ScriptedModel::new()
                .replies(Reply::call("a", "{}").usage(Usage::new(5, 2)))
                .replies(Reply::text("done").usage(Usage::new(1, 2)));
            let client = with_hooks(model, hooks).default_tools(tool("a").build(&log));
            let request = client.build().unwrap().prompt("go");
            let error = match streamed {
                false => request.call().await.unwrap_err(),
                true => request.stream().response().await.unwrap_err(),
            };
            assert_eq!(error.usage().total_tokens, spent, "{point:?} {round}");
            let messages = error.messages().unwrap();
            assert_eq!(messages.len(), said, "{point:?} {round}");
            assert_valid(messages);
            // A call that a hook ended the turn after has not run.
            let ran = usize::from(said >= 3 && point != Point::After || round == 2);
            assert_eq!(log.started().len(), ran, "{point:?} {round}");
        }
    }
}

#[tokio::test]
async fn loop_1_nothing_is_finalized_that_has_not_begun() {
    let notes = Notes::default();
    let outside = Refuses {
        order: order::HIGHEST_PRECEDENCE,
    };
    let client = with_hooks(ScriptedModel::new(), Recorder::new(&notes)).default_advisors(outside);
    let request = client.build().unwrap().prompt("go");
    assert!(request.call().await.is_err());
    assert!(request.stream().response().await.is_err());
    drop(request.call());
    drop(request.stream());
    assert!(notes.take().is_empty());
}

#[tokio::test]
async fn loop_1_a_hook_that_panics_ends_the_turn_and_a_finalizer_that_does_is_passed_over() {
    struct Bomb(Notes);
    impl ToolLoopHooks for Bomb {
        fn finalize_loop(&self, _: &LoopEnd<'_>) {
            self.0.add("bomb");
            panic!("boom");
        }
    }
    let notes = Notes::default();
    for streamed in [false, true] {
        for panics in [
            None,
            Some(Point::Before),
            Some(Point::Initialize),
            Some(Point::After),
        ] {
            let mut recorder = Recorder::new(&notes);
            recorder.act = panics.map(|point| (point, 1, Act::Panics));
            let tool_loop = ToolCallingAdvisor::builder().hooks(Bomb(notes.clone()));
            let client = ChatClient::builder(ScriptedModel::new().says("done"))
                .tool_calling_advisor(tool_loop.hooks(recorder));
            let request = client.build().unwrap().prompt("go");
            let running = tokio::spawn(async move {
                match streamed {
                    false => request.call().await,
                    true => request.stream().response().await,
                }
            });
            let result = running.await;
            assert_eq!(result.is_err(), panics.is_some());
            let noted = notes.take();
            let end = if panics.is_some() {
                "end cancelled"
            } else {
                "end answer done"
            };
            assert_eq!(noted[noted.len() - 2..], ["bomb", end]);
            assert_eq!(
                noted.iter().filter(|note| note.starts_with("end")).count(),
                1
            );
        }
    }
}

#[tokio::test]
async fn loop_1_concurrent_turns_are_finished_each_for_itself() {
    let notes = Notes::default();
    let model = ScriptedModel::new().then_always(Reply::text("done"));
    let client = with_hooks(model, Recorder::new(&notes)).build().unwrap();
    let turns = (0..50).map(|_| client.prompt("go").call());
    for result in futures::future::join_all(turns).await {
        result.unwrap();
    }
    let ends = notes
        .take()
        .into_iter()
        .filter(|note| note == "end answer done");
    assert_eq!(ends.count(), 50);
    drop(Arc::new(client));
}
