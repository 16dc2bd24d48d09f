//! AUTO-2: the loop of a client's configuration, and its switches.

use std::sync::Arc;

use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, AdvisorParams, BaseAdvisor, CallFuture, ChatClientRequest, EventStream,
    ToolAdvisor, ToolCallingAdvisor, order,
};
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::{ChatClient, ChatClientBuilder};
use vernal_testing::{Reply, ScriptedModel};

use crate::hook_kit::Recorder;
use crate::kit::{Log, tool};
use crate::probes::{Notes, OtherLoop, both_ways};

/// A client whose model asks for `a` in every other answer, beginning with the first.
fn builder() -> ChatClientBuilder {
    let reply = |model: ScriptedModel, _| {
        model
            .replies(Reply::text("Look. ").and_call("a", "{}"))
            .says("done")
    };
    ChatClient::builder((0..4).fold(ScriptedModel::new(), reply))
}

#[tokio::test]
async fn auto_2_the_request_then_the_client_then_the_configuration_decide() {
    let register = AdvisorParams::tool_calling_advisor_auto_register;
    for configured in [None, Some(true), Some(false)] {
        for client in [None, Some(true), Some(false)] {
            for request in [None, Some(true), Some(false)] {
                let log = Log::default();
                let mut builder = ChatClient::builder(
                    ScriptedModel::new().then_always(Reply::text("Look.").and_call("a", "{}")),
                );
                builder = builder
                    .tool_calling_manager(
                        ToolCallingManager::builder().max_rounds(1).build().unwrap(),
                    )
                    .default_tools(tool("a").build(&log))
                    .default_advisors(client.map(register));
                if let Some(enabled) = configured {
                    builder = builder.tool_calling_enabled(enabled);
                }
                let spec = builder.build().unwrap().prompt("go");
                let spec = spec.advisors(request.map(register));
                for result in both_ways(&spec).await {
                    result.unwrap();
                }
                let runs = request.or(client).or(configured).unwrap_or(true);
                let ran = log.started().len();
                let told = (configured, client, request);
                assert_eq!(ran, if runs { 2 } else { 0 }, "{told:?}");
            }
        }
    }
}

#[tokio::test]
async fn auto_2_a_loop_in_the_chain_runs_whatever_the_switch_says() {
    let log = Log::default();
    let client = builder()
        .tool_calling_enabled(false)
        .default_tools(tool("a").build(&log))
        .default_advisors(ToolCallingAdvisor::builder().build().unwrap());
    for result in both_ways(&client.build().unwrap().prompt("go")).await {
        assert_eq!(result.unwrap().content(), "done");
    }
    assert_eq!(log.started().len(), 2);
}

#[tokio::test]
async fn auto_2_a_configured_loop_takes_the_default_s_place_and_steps_back_for_one_in_the_chain() {
    let notes = Notes::default();
    let configured = || ToolCallingAdvisor::builder().hooks(Recorder::new(&notes));
    let client = || builder().tool_calling_advisor(configured());
    for result in both_ways(&client().build().unwrap().prompt("go")).await {
        assert_eq!(result.unwrap().content(), "done");
    }
    let ends = notes
        .take()
        .into_iter()
        .filter(|note| note == "end answer done");
    assert_eq!(ends.count(), 2);

    let other = || OtherLoop {
        name: "other",
        order: 0,
    };
    let in_client = client()
        .default_advisors(other())
        .build()
        .unwrap()
        .prompt("go");
    let in_request = client().build().unwrap().prompt("go").advisors(other());
    let off = AdvisorParams::tool_calling_advisor_auto_register(false);
    let off = client().build().unwrap().prompt("go").advisors(off);
    for request in [in_client, in_request, off] {
        assert_eq!(request.call().await.unwrap().content(), "Look. ");
    }
    assert!(notes.take().is_empty());

    // It is no second one beside itself, and two are still an error.
    let two = client().default_advisors((
        other(),
        OtherLoop {
            name: "third",
            order: 1,
        },
    ));
    assert!(
        two.build()
            .unwrap_err()
            .to_string()
            .contains("`third` (order 1)")
    );
}

#[tokio::test]
async fn auto_2_a_builder_an_advisor_and_a_shared_one_are_accepted() {
    let shared: Arc<dyn ToolAdvisor> = Arc::new(ToolCallingAdvisor::default());
    let own = OtherLoop {
        name: "own",
        order: order::HIGHEST_PRECEDENCE + 7,
    };
    for (client, answer) in [
        (
            builder().tool_calling_advisor(ToolCallingAdvisor::builder()),
            "done",
        ),
        (
            builder().tool_calling_advisor(ToolCallingAdvisor::default()),
            "done",
        ),
        (
            builder().tool_calling_advisor(Arc::new(ToolCallingAdvisor::default())),
            "done",
        ),
        (builder().tool_calling_advisor(shared), "done"),
        (builder().tool_calling_advisor(own), "Look. "),
    ] {
        let response = client.build().unwrap().prompt("go").call().await.unwrap();
        assert_eq!(response.content(), answer);
    }
}

fn error(client: ChatClientBuilder) -> String {
    let error = client.build().unwrap_err();
    assert!(error.is_setup());
    error.to_string()
}

#[tokio::test]
async fn auto_2_a_loop_that_cannot_be_meant_is_an_error_when_the_client_is_built() {
    let bound = ToolCallingAdvisor::builder().advisor_order(order::LOWEST_PRECEDENCE);
    let text = error(builder().tool_calling_advisor(bound));
    assert!(text.contains("strictly between"), "{text}");

    let manager = ToolCallingManager::default();
    let both = builder().tool_calling_manager(manager);
    let text = error(both.tool_calling_advisor(ToolCallingAdvisor::builder()));
    assert!(
        text.contains("`tool_calling_manager`") && text.contains("`tool-calling`"),
        "{text}"
    );

    /// Says that it runs tools, and then that it does not.
    struct Undecided;
    impl Advisor for Undecided {
        fn name(&self) -> &str {
            "undecided"
        }
        fn advise_call(
            self: Arc<Self>,
            request: ChatClientRequest,
            rest: AdvisorChain,
        ) -> CallFuture {
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
    impl ToolAdvisor for Undecided {}
    let text = error(builder().tool_calling_advisor(Undecided));
    assert!(
        text.contains("`undecided`") && text.contains("as_tool_advisor"),
        "{text}"
    );
}

/// A loop of before and after, which leaves the calls to nobody.
struct Plain;

impl BaseAdvisor for Plain {
    fn name(&self) -> &str {
        "plain"
    }

    fn as_tool_advisor(&self) -> Option<&dyn ToolAdvisor> {
        Some(self)
    }

    async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        request.begin_turn();
        Ok(request)
    }
}

impl ToolAdvisor for Plain {}

#[tokio::test]
async fn auto_3_an_advisor_of_before_and_after_can_be_the_loop() {
    for client in [
        builder().default_advisors(Plain),
        builder().tool_calling_advisor(Plain),
    ] {
        let request = client.build().unwrap().prompt("go");
        assert_eq!(request.call().await.unwrap().content(), "Look. ");
    }
    let both = builder().default_advisors((Plain, ToolCallingAdvisor::default()));
    assert!(error(both).contains("`plain` (order 0)"));
}
