//! ORD-1 to ORD-5: which advisor runs where, and how often.

use std::sync::Arc;

use vernal_core::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, EventStream, ToolAdvisor,
    ToolCallingAdvisor, order,
};
use vernal_core::client::ChatClient;
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{Log, tool};
use crate::probes::{Notes, both_ways};

const LOOP: i32 = ToolCallingAdvisor::DEFAULT_ORDER;

fn model() -> ScriptedModel {
    ScriptedModel::new().then_always(Reply::text("done"))
}

#[tokio::test]
async fn ord_1_lower_is_outer() {
    assert_eq!(order::HIGHEST_PRECEDENCE, i32::MIN);
    assert_eq!(order::LOWEST_PRECEDENCE, i32::MAX);
    let notes = Notes::default();
    let client = ChatClient::builder(model())
        .default_advisors((
            notes.probe("inner", 10),
            notes.probe("outermost", order::HIGHEST_PRECEDENCE),
            notes.probe("outer", -10),
        ))
        .build()
        .unwrap();
    for result in both_ways(&client.prompt("go").advisors(notes.probe("middle", 0))).await {
        assert_eq!(result.unwrap().content(), "done");
    }
    let once = [
        ["> outermost", "> outer", "> middle", "> inner"],
        ["< inner", "< middle", "< outer", "< outermost"],
    ];
    assert_eq!(notes.take(), [once.concat(), once.concat()].concat());
}

#[tokio::test]
async fn ord_1_inner_advisors_run_in_every_round_and_outer_ones_once() {
    let notes = Notes::default();
    let log = Log::default();
    let client = || {
        let model = ScriptedModel::new()
            .calls("a", "{}")
            .calls("a", "{}")
            .says("done");
        ChatClient::builder(model)
            .default_advisors((
                notes.probe("inner", LOOP + 1),
                notes.probe("outer", LOOP - 1),
            ))
            .build()
            .unwrap()
            .prompt("go")
            .tools(tool("a").build(&log))
    };
    let round = ["> inner", "< inner"];
    let expected = [&["> outer"][..], &round, &round, &round, &["< outer"]].concat();
    client().call().await.unwrap();
    assert_eq!(notes.take(), expected);
    client().stream().response().await.unwrap();
    assert_eq!(notes.take(), expected);
}

#[test]
fn ord_2_default_orders() {
    assert_eq!(ToolCallingAdvisor::DEFAULT_ORDER, i32::MIN + 300);
    let tool_loop = ToolCallingAdvisor::builder().build().unwrap();
    assert_eq!(Advisor::order(&tool_loop), i32::MIN + 300);
    struct Plain;
    impl vernal_core::advisor::BaseAdvisor for Plain {
        fn name(&self) -> &str {
            "plain"
        }
    }
    assert_eq!(Advisor::order(&Plain), 0);
    assert_eq!(Advisor::order(&Around), 0);
    // An advisor without an order of its own is inside of the loop.
    let chain = AdvisorChain::new(
        vec![Arc::new(Plain), Arc::new(tool_loop)],
        Arc::new(model()),
    );
    let names: Vec<_> = chain.advisors().collect();
    assert_eq!(names, [("tool-calling", LOOP), ("plain", 0)]);
}

struct Around;
impl Advisor for Around {
    fn name(&self) -> &str {
        "around"
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
}

#[test]
fn ord_3_the_loop_lies_strictly_between_the_bounds() {
    let build = |order| ToolCallingAdvisor::builder().advisor_order(order).build();
    for bound in [order::HIGHEST_PRECEDENCE, order::LOWEST_PRECEDENCE] {
        let text = build(bound).unwrap_err().to_string();
        assert!(text.contains(&bound.to_string()), "{text}");
        assert!(text.contains("strictly between"), "{text}");
    }
    for order in [i32::MIN + 1, -1, 0, i32::MAX - 1] {
        assert_eq!(Advisor::order(&build(order).unwrap()), order);
    }
}

#[tokio::test]
async fn ord_4_equal_orders_run_in_the_order_of_registration() {
    let notes = Notes::default();
    let client = ChatClient::builder(model())
        .default_advisors(vec![notes.probe("1", 5), notes.probe("2", 5)])
        .default_advisors(notes.probe("3", 5))
        .build()
        .unwrap();
    let request = client
        .prompt("go")
        .advisors((notes.probe("4", 5), Some(notes.probe("5", 5))))
        .advisors(notes.probe("0", 4));
    for _ in 0..2 {
        for result in both_ways(&request).await {
            result.unwrap();
        }
        let entered = |note: &String| note.strip_prefix("> ").map(str::to_owned);
        let order: Vec<_> = notes.take().iter().filter_map(entered).collect();
        assert_eq!(
            order,
            ["0", "1", "2", "3", "4", "5", "0", "1", "2", "3", "4", "5"]
        );
    }
}

#[tokio::test]
async fn ord_4_the_automatic_loop_is_registered_last() {
    let notes = Notes::default();
    let log = Log::default();
    let model = ScriptedModel::new().calls("a", "{}").says("done");
    let client = ChatClient::builder(model)
        .default_advisors(notes.probe("tied", LOOP))
        .build()
        .unwrap();
    client
        .prompt("go")
        .tools(tool("a").build(&log))
        .call()
        .await
        .unwrap();
    assert_eq!(
        notes.take(),
        ["> tied", "< tied"],
        "outside of the loop: once"
    );
}

#[tokio::test]
async fn ord_4_an_advisor_at_the_lowest_precedence_still_runs() {
    let notes = Notes::default();
    let client = ChatClient::create(model());
    let lowest = order::LOWEST_PRECEDENCE;
    let request = client
        .prompt("go")
        .advisors((notes.probe("lowest", lowest), notes.probe("last", lowest)));
    for result in both_ways(&request).await {
        assert_eq!(result.unwrap().content(), "done");
    }
    let once = ["> lowest", "> last", "< last", "< lowest"];
    assert_eq!(notes.take(), [once, once].concat());
}

/// Runs the rest of the chain several times, also from another task.
struct Again(Notes);

impl Advisor for Again {
    fn name(&self) -> &str {
        "again"
    }

    fn order(&self) -> i32 {
        LOOP - 1
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move {
            let seen = |rest: &AdvisorChain| format!("{:?}", rest.advisors().collect::<Vec<_>>());
            self.0.add(seen(&rest));
            rest.next_call(request.clone()).await?;
            self.0.add(seen(&rest));
            let (other, again) = (rest.clone(), request.clone());
            tokio::spawn(async move { other.next_call(again).await })
                .await
                .unwrap()?;
            let both = futures::future::join(
                rest.next_call(request.clone()),
                rest.next_call(request.clone()),
            );
            both.await.0?;
            self.0.add(seen(&rest));
            rest.next_call(request).await
        })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        use futures::StreamExt;
        let first = rest.next_stream(request.clone()).filter(|event| {
            let done = matches!(event, Ok(vernal_core::advisor::ChatEvent::Done { .. }));
            futures::future::ready(!done)
        });
        first.chain(rest.next_stream(request)).boxed()
    }
}

#[tokio::test]
async fn ord_5_the_rest_of_the_chain_runs_any_number_of_times_and_is_the_same_each_time() {
    let notes = Notes::default();
    let log = Log::default();
    let request = |runs: usize| {
        let model = (0..runs).fold(ScriptedModel::new(), |m, _| m.calls("a", "{}").says("done"));
        let client = ChatClient::builder(model)
            .default_advisors((Again(notes.clone()), notes.probe("inner", 0)))
            .build()
            .unwrap();
        client.prompt("go").tools(tool("a").build(&log))
    };
    let response = request(5).call().await.unwrap();
    assert_eq!(response.content(), "done");
    let rest = format!("{:?}", [("tool-calling", LOOP), ("inner", 0)]);
    let (seen, passed): (Vec<_>, Vec<_>) = notes
        .take()
        .into_iter()
        .partition(|note| note.starts_with('['));
    assert_eq!(seen, [rest.clone(), rest.clone(), rest]);
    let entered = passed.iter().filter(|note| *note == "> inner").count();
    assert_eq!(
        entered,
        5 * 2,
        "the inner advisor saw every round of every run"
    );
    assert_eq!(log.started().len(), 5, "each run had its own turn");

    log.clear();
    let response = request(2).stream().response().await.unwrap();
    assert_eq!(response.content(), "done");
    assert_eq!(
        notes
            .take()
            .iter()
            .filter(|note| *note == "> inner")
            .count(),
        2 * 2
    );
    assert_eq!(log.started().len(), 2);
}

/// A loop of one's own, which is in nobody's builder.
struct OwnLoop(i32);

impl Advisor for OwnLoop {
    fn name(&self) -> &str {
        "own-loop"
    }

    fn order(&self) -> i32 {
        self.0
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

    fn as_tool_advisor(&self) -> Option<&dyn ToolAdvisor> {
        Some(self)
    }
}

impl ToolAdvisor for OwnLoop {}

#[tokio::test]
async fn ord_3_a_loop_of_one_s_own_lies_strictly_between_the_bounds_too() {
    for bound in [order::HIGHEST_PRECEDENCE, order::LOWEST_PRECEDENCE] {
        let builders = [
            ChatClient::builder(model()).default_advisors(OwnLoop(bound)),
            ChatClient::builder(model()).tool_calling_advisor(OwnLoop(bound)),
        ];
        for builder in builders {
            let error = builder.build().unwrap_err();
            assert!(error.is_setup());
            let text = error.to_string();
            for part in ["`own-loop`", &bound.to_string(), "strictly between"] {
                assert!(text.contains(part), "{text}");
            }
        }
        let request = ChatClient::create(model()).prompt("go");
        for result in both_ways(&request.advisors(OwnLoop(bound))).await {
            assert!(result.unwrap_err().is_setup());
        }
    }
    let builder = ChatClient::builder(model()).default_advisors(OwnLoop(i32::MIN + 1));
    builder.build().unwrap();
}
