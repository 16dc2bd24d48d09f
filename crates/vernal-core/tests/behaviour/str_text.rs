//! STR-1: the text of a stream, held back until it is the answer, and live.

use std::sync::Arc;

use futures::StreamExt;
use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, BaseAdvisor, CallFuture, ChatClientRequest, ChatClientResponse,
    ChatEvent, EventStream,
};
use vernal_core::client::{ChatClientRequestSpec, TextStream};
use vernal_core::message::Message;
use vernal_testing::Reply;

use crate::drivers::{Driver, request};
use crate::kit::tool;
use crate::live::event_lines;
use crate::scenario::Scenario;

async fn pieces(text: TextStream) -> Vec<String> {
    text.map(|piece| piece.unwrap().to_string()).collect().await
}

#[tokio::test]
async fn str_1_text_is_the_answer_and_text_live_is_everything() {
    let with_tools = || {
        Scenario::new()
            .tool(tool("a"))
            .tool(tool("direct").direct().says("one"))
            .manager(|m| m.max_calls_for_tool("a", 1))
    };
    let commentary = |name: &str| Reply::text("I ").and_text("look.").and_call(name, "{}");
    let limit = "The limit of 1 call of the tool `a` in one turn is reached.";
    for (scenario, answer, live) in [
        // A plain answer, in its pieces.
        (
            with_tools().reply(Reply::text("All ").and_text("is ").and_text("well.")),
            &["All ", "is ", "well."][..],
            &["All ", "is ", "well."][..],
        ),
        // Commentary before tools.
        (
            with_tools()
                .reply(commentary("a"))
                .reply(Reply::text("Two ").and_text("things.")),
            &["Two ", "things."],
            &["I ", "look.", "Two ", "things."],
        ),
        // Commentary after calls, and in two rounds.
        (
            with_tools()
                .reply(Reply::call("a", "{}").and_text("Hm."))
                .reply(commentary("unheard-of"))
                .says("Done."),
            &["Done."],
            &["Hm.", "I ", "look.", "Done."],
        ),
        // Return direct.
        (
            with_tools().reply(commentary("direct").and_call("direct", "{}")),
            &["one\none"],
            &["I ", "look.", "one\none"],
        ),
        // A limit.
        (
            with_tools().reply(commentary("a").and_call("a", "{}")),
            &[limit],
            &["I ", "look.", limit],
        ),
        // No text at all.
        (
            with_tools()
                .reply(Reply::call("a", "{}"))
                .reply(Reply::empty()),
            &[],
            &[],
        ),
        // An answer that repeats the commentary word for word.
        (
            with_tools()
                .reply(Reply::text("Same.").and_call("a", "{}"))
                .says("Same."),
            &["Same."],
            &["Same.", "Same."],
        ),
    ] {
        let called = request(&scenario, &scenario.model())
            .call()
            .await
            .unwrap()
            .content();
        let text = pieces(request(&scenario, &scenario.model()).stream().text()).await;
        assert_eq!(text, answer);
        assert_eq!(text.concat(), called);
        let text = pieces(request(&scenario, &scenario.model()).stream().text_live()).await;
        assert_eq!(text, live);
    }
}

#[tokio::test]
async fn str_1_calls_that_are_left_to_the_caller_make_their_text_the_answer() {
    let scenario = Scenario::new()
        .checker(|_| false)
        .reply(Reply::text("I would pay.").and_call("pay", "{}"));
    scenario
        .check_on(&[Driver::Stream], |outcome| {
            let seen = event_lines(&outcome.events);
            assert_eq!(
                seen[seen.len() - 2..],
                ["1 finished Answer", "done I would pay. 0"]
            );
        })
        .await;
    let text = pieces(request(&scenario, &scenario.model()).stream().text()).await;
    assert_eq!(text, ["I would pay."]);
}

/// Answers in the model's place.
struct Rewrites;

impl BaseAdvisor for Rewrites {
    fn name(&self) -> &str {
        "rewrites"
    }
    fn order(&self) -> i32 {
        i32::MIN
    }
    async fn after(&self, mut response: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        let text = format!("<{}>", response.content());
        response.chat_response_mut().generations[0].message = Arc::new(Message::assistant(text));
        Ok(response)
    }
}

/// Runs the rest of the chain twice and gives the second answer.
struct Twice;

impl Advisor for Twice {
    fn name(&self) -> &str {
        "twice"
    }
    fn order(&self) -> i32 {
        i32::MIN
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
        let first = rest.next_stream(request.clone());
        let goes_on = |event: &_| std::future::ready(!matches!(event, Ok(ChatEvent::Done { .. })));
        first
            .filter(goes_on)
            .chain(rest.next_stream(request))
            .boxed()
    }
}

#[tokio::test]
async fn str_1_text_is_what_a_call_answers_also_where_an_advisor_answers() {
    type Set = fn(ChatClientRequestSpec) -> ChatClientRequestSpec;
    let scenario = Scenario::new()
        .tool(tool("a"))
        .reply(Reply::text("I look.").and_call("a", "{}"))
        .reply(Reply::text("draft").and_text(" one"))
        .says("two");
    for (set, answer, live) in [
        (
            (|request| request.advisors(Rewrites)) as Set,
            "<draft one>",
            &["I look.", "draft", " one", "<draft one>"][..],
        ),
        (
            |request| request.advisors(Twice),
            "two",
            &["I look.", "draft", " one", "two"],
        ),
        (
            |request| request.advisors((Rewrites, Twice)),
            "<two>",
            &["I look.", "draft", " one", "two", "<two>"],
        ),
    ] {
        let request = || set(request(&scenario, &scenario.model()));
        assert_eq!(request().call().await.unwrap().content(), answer);
        assert_eq!(pieces(request().stream().text()).await, [answer]);
        assert_eq!(pieces(request().stream().text_live()).await, live);
    }
}
