//! What a request remembers: one state for all advisors, outside of the loop and inside, over all rounds.

use std::sync::Mutex;

use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, BaseAdvisor, CallFuture, ChatClientRequest, ChatClientResponse,
    EventStream, RequestState, order,
};
use vernal_core::client::ChatClient;
use vernal_core::model::{ChatResponse, ModelError, ModelErrorKind};
use vernal_testing::ScriptedModel;

use crate::kit::{Log, tool};
use crate::probes::both_ways;

/// What was written, by whom, in order.
#[derive(Debug, Default)]
struct Diary(Mutex<Vec<String>>);

fn write(state: &RequestState, line: impl Into<String>) {
    let diary = state.get_or_insert_with(Diary::default);
    diary.0.lock().unwrap().push(line.into());
}

fn read(state: &RequestState) -> Vec<String> {
    let diary = state.get::<Diary>();
    diary.map_or_else(Vec::new, |diary| diary.0.lock().unwrap().clone())
}

/// Writes on the way in and out.
struct Writer {
    name: &'static str,
    order: i32,
}

impl BaseAdvisor for Writer {
    fn name(&self) -> &str {
        self.name
    }

    fn order(&self) -> i32 {
        self.order
    }

    async fn before(&self, request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        write(
            request.state(),
            format!("> {} {}", self.name, request.round()),
        );
        Ok(request)
    }

    async fn after(&self, response: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        write(response.state().unwrap(), format!("< {}", self.name));
        Ok(response)
    }
}

const OUTSIDE: Writer = Writer {
    name: "outside",
    order: order::HIGHEST_PRECEDENCE,
};
const INSIDE: Writer = Writer {
    name: "inside",
    order: 0,
};

#[tokio::test]
async fn the_state_is_one_for_all_advisors_and_rounds() {
    let log = Log::default();
    let (round, end) = (["> inside 1", "< inside"], ["> inside 2", "< inside"]);
    // Whoever writes first, everybody sees it.
    for (outside, inside) in [(true, true), (false, true), (true, false)] {
        for _ in 0..2 {
            let client = || {
                let model = ScriptedModel::new().calls("a", "{}").says("done");
                let advisors = (outside.then_some(OUTSIDE), inside.then_some(INSIDE));
                let builder = ChatClient::builder(model).default_advisors(advisors);
                builder
                    .default_tools(tool("a").build(&log))
                    .build()
                    .unwrap()
            };
            let called = client().prompt("go").call().await.unwrap();
            let streamed = client().prompt("go").stream().response().await.unwrap();
            let mut expected = if inside {
                [round, end].concat()
            } else {
                vec![]
            };
            if outside {
                expected.insert(0, "> outside 1");
                expected.push("< outside");
            }
            for response in [called, streamed] {
                assert_eq!(read(response.state().unwrap()), expected);
            }
        }
    }
}

#[tokio::test]
async fn an_advisor_outside_sees_what_was_written_before_an_error_and_a_retry_adds_to_it() {
    /// Sends the request again after an error.
    struct Again;
    impl Advisor for Again {
        fn name(&self) -> &str {
            "again"
        }
        fn order(&self) -> i32 {
            order::HIGHEST_PRECEDENCE
        }
        fn advise_call(
            self: std::sync::Arc<Self>,
            request: ChatClientRequest,
            rest: AdvisorChain,
        ) -> CallFuture {
            Box::pin(async move {
                assert!(rest.next_call(request.clone()).await.is_err());
                assert_eq!(read(request.state()), ["> inside 1"]);
                rest.next_call(request).await
            })
        }
        fn advise_stream(
            self: std::sync::Arc<Self>,
            request: ChatClientRequest,
            rest: AdvisorChain,
        ) -> EventStream {
            let call = self.advise_call(request, rest);
            let done = async move {
                let response = Box::new(call.await?);
                Ok(vernal_core::advisor::ChatEvent::Done { response })
            };
            Box::pin(futures::stream::once(done))
        }
    }
    for streamed in [false, true] {
        let error = ModelError::new(ModelErrorKind::Server, "no luck");
        let model = ScriptedModel::new().fails(error).says("done");
        let client = ChatClient::builder(model).default_advisors((INSIDE, Again));
        let request = client.build().unwrap().prompt("go");
        let response = match streamed {
            false => request.call().await.unwrap(),
            true => request.stream().response().await.unwrap(),
        };
        let expected = ["> inside 1", "> inside 1", "< inside"];
        assert_eq!(read(response.state().unwrap()), expected);
    }
}

#[tokio::test]
async fn the_callers_values_are_there_and_each_sending_begins_anew() {
    /// Answers in the model's place with what the state holds, and forgets the state.
    struct Tells;
    impl Advisor for Tells {
        fn name(&self) -> &str {
            "tells"
        }
        fn advise_call(
            self: std::sync::Arc<Self>,
            request: ChatClientRequest,
            _rest: AdvisorChain,
        ) -> CallFuture {
            let number = request.state().get::<u32>().map(|number| *number);
            write(request.state(), "told");
            let text = format!("{number:?} {}", request.state().len());
            Box::pin(async move { Ok(ChatClientResponse::new(ChatResponse::text(text))) })
        }
        fn advise_stream(
            self: std::sync::Arc<Self>,
            request: ChatClientRequest,
            rest: AdvisorChain,
        ) -> EventStream {
            let call = self.advise_call(request, rest);
            let done = async move {
                let response = Box::new(call.await?);
                Ok(vernal_core::advisor::ChatEvent::Done { response })
            };
            Box::pin(futures::stream::once(done))
        }
    }
    let client = ChatClient::builder(ScriptedModel::new()).default_advisors(Tells);
    let request = client.build().unwrap().prompt("go").state(7_u32);
    for _ in 0..2 {
        for response in both_ways(&request).await {
            let response = response.unwrap();
            assert_eq!(response.content(), "Some(7) 2");
            assert_eq!(read(response.state().unwrap()), ["told"]);
        }
    }
    let replaced = request.state(8_u32).call().await.unwrap();
    assert_eq!(replaced.content(), "Some(8) 2");
}

#[test]
fn a_value_is_replaced_taken_out_and_not_shown() {
    let state = RequestState::default();
    assert!(state.is_empty() && state.get::<String>().is_none());
    assert!(state.insert("a secret".to_owned()).is_none());
    assert_eq!(*state.insert("another".to_owned()).unwrap(), "a secret");
    assert_eq!(*state.get_or_insert_with(|| "late".to_owned()), "another");
    assert_eq!(format!("{state:?}"), "RequestState(1 values)");
    // Looking into the state while a value is made does not wait for itself.
    let long = state.get_or_insert_with(|| state.get::<String>().unwrap().len());
    assert_eq!(*long, 7);
    assert_eq!(*state.remove::<String>().unwrap(), "another");
    assert!(state.remove::<String>().is_none());
    assert_eq!(state.len(), 1);
}
