//! LOOP-4: what hooks and inner advisors change is real.

use std::sync::Arc;

use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, BaseAdvisor, CallFuture, ChatClientRequest, ChatClientResponse,
    ChatEvent, EventStream, ToolCallingAdvisor, ToolLoopHooks,
};
use vernal_core::calling::{ToolCallingManager, ToolExecutionResult};
use vernal_core::client::{ChatClient, ChatClientBuilder};
use vernal_core::message::{History, Message, Role};
use vernal_core::model::{ModelError, ModelErrorKind, Prompt};
use vernal_core::tool::{FunctionToolCallback, ToolContext, ToolSet};
use vernal_testing::ScriptedModel;

use crate::hook_kit::with_hooks;
use crate::kit::{Log, tool};
use crate::transcript::{assert_valid, last_answers, lines};

/// Changes what each round sends, as a hook or as an advisor inside of the loop.
#[derive(Clone)]
struct Changes<F>(F);

trait Change: Fn(&mut ChatClientRequest) + Clone + Send + Sync + 'static {}
impl<F: Fn(&mut ChatClientRequest) + Clone + Send + Sync + 'static> Change for F {}

impl<F: Change> ToolLoopHooks for Changes<F> {
    async fn before_call(&self, request: &mut ChatClientRequest) -> Result<(), Error> {
        (self.0)(request);
        Ok(())
    }
}

struct Inside<F>(F);

impl<F: Change> BaseAdvisor for Inside<F> {
    fn name(&self) -> &str {
        "inside"
    }

    async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        (self.0)(&mut request);
        Ok(request)
    }
}

/// What happened in a turn.
struct Turned {
    prompts: Vec<Prompt>,
    response: ChatClientResponse,
}

impl Turned {
    /// What the model was sent in each round.
    fn sent(&self) -> Vec<Vec<String>> {
        self.prompts
            .iter()
            .map(|prompt| lines(prompt.messages()))
            .collect()
    }

    fn transcript(&self) -> Vec<String> {
        lines(self.response.messages().unwrap())
    }

    /// The names of the tools that each round offered.
    fn offered(&self) -> Vec<Vec<String>> {
        let names = |prompt: &Prompt| {
            let tools = prompt.options().tools().definitions();
            tools.map(|tool| tool.name().to_string()).collect()
        };
        self.prompts.iter().map(names).collect()
    }
}

/// Runs a turn of two rounds with the tool `a`, called and streamed.
async fn turns(client: impl Fn(ScriptedModel) -> ChatClientBuilder) -> [Turned; 2] {
    let mut turns = Vec::new();
    for streamed in [false, true] {
        let model = ScriptedModel::new()
            .calls("a", r#"{"n":1}"#)
            .calls("a", r#"{"n":2}"#);
        let model = model.says("done");
        let request = client(model.clone()).default_system("Be brief.");
        let request = request.build().unwrap().prompt("go");
        let response = match streamed {
            false => request.call().await.unwrap(),
            true => request.stream().response().await.unwrap(),
        };
        let prompts = model.prompts();
        prompts
            .iter()
            .for_each(|prompt| assert_valid(prompt.messages()));
        assert_valid(response.messages().unwrap());
        turns.push(Turned { prompts, response });
    }
    turns.try_into().unwrap_or_else(|_| unreachable!())
}

/// The same change made by a hook and by an advisor inside of the loop.
async fn by_both(log: &Log, change: impl Change) -> Vec<Turned> {
    let a = || tool("a").build(log);
    let by_hook = turns(|model| with_hooks(model, Changes(change.clone())).default_tools(a()));
    let by_advisor = turns(|model| {
        ChatClient::builder(model)
            .default_advisors(Inside(change.clone()))
            .default_tools(a())
    });
    let mut all = Vec::from(by_hook.await);
    all.extend(by_advisor.await);
    all
}

const FIRST: [&str; 2] = ["system: Be brief.", "user: go"];
const ROUND_1: [&str; 2] = [r#"assistant: [a {"n":1}]"#, "tool: [a success a result]"];
const ROUND_2: [&str; 2] = [r#"assistant: [a {"n":2}]"#, "tool: [a success a result]"];

#[tokio::test]
async fn loop_4_tools_of_a_round_run_and_are_offered_from_then_on() {
    let log = Log::default();
    let added = tool("a").says("another a").build(&log);
    let change = move |request: &mut ChatClientRequest| {
        if request.round() == 1 {
            let tools = ToolSet::of_callbacks([added.clone()]).unwrap();
            request.prompt_mut().options_mut().set_tools(tools);
        }
    };
    let none = turns(|model| with_hooks(model, Changes(change.clone()))).await;
    let inside = turns(|model| ChatClient::builder(model).default_advisors(Inside(change.clone())));
    let in_place = by_both(&log, change.clone()).await;
    for turned in none.into_iter().chain(inside.await).chain(in_place) {
        assert_eq!(turned.offered(), [["a"], ["a"], ["a"]]);
        assert_eq!(
            last_answers(turned.response.messages().unwrap())[0].1,
            "another a"
        );
        assert_eq!(turned.response.rounds(), 2);
    }
}

#[tokio::test]
async fn loop_4_tools_that_were_taken_away_do_not_run() {
    let log = Log::default();
    let turned = by_both(&log, |request: &mut ChatClientRequest| {
        if request.round() == 2 {
            request
                .prompt_mut()
                .options_mut()
                .set_tools(ToolSet::empty());
        }
    });
    for turned in turned.await {
        assert_eq!(
            turned.offered().iter().map(Vec::len).collect::<Vec<_>>(),
            [1, 0, 0]
        );
        assert!(
            turned.transcript()[5].contains("unknown_tool"),
            "{:?}",
            turned.transcript()
        );
    }
    assert_eq!(log.started().len(), 4, "only those of the first round");
}

#[tokio::test]
async fn loop_4_the_context_that_a_hook_sets_reaches_tools() {
    let change = |request: &mut ChatClientRequest| {
        let options = request.prompt_mut().options_mut();
        let more = ToolContext::from([("tenant", "acme")]);
        options.set_tool_context(options.tool_context().merged_with(&more));
    };
    let tenant = || {
        FunctionToolCallback::builder("a", |_: serde_json::Value, context: ToolContext| {
            context.get_str("tenant").map(str::to_owned)
        })
        .input_schema(r#"{"type":"object"}"#)
        .build()
        .unwrap()
    };
    for turned in turns(|model| with_hooks(model, Changes(change)).default_tools(tenant())).await {
        assert!(turned.transcript()[3].contains("acme"));
    }
}

#[tokio::test]
async fn loop_4_a_message_that_was_added_once_stays_at_its_place_in_the_turn() {
    let log = Log::default();
    let added = by_both(&log, |request: &mut ChatClientRequest| {
        if request.round() == 2 {
            let messages = request.prompt_mut().messages_mut();
            messages.push(Message::user("hurry!"));
        }
    });
    for turned in added.await {
        let second = [&FIRST[..], &ROUND_1, &["user: hurry!"]].concat();
        let third = [&second[..], &ROUND_2].concat();
        assert_eq!(turned.sent(), [FIRST.to_vec(), second, third.clone()]);
        assert_eq!(
            turned.transcript(),
            [&third[..], &["assistant: done"]].concat()
        );
        // The message of the user that was added begins no new turn.
        assert_eq!(turned.response.rounds(), 2);
    }
    let in_front = by_both(&log, |request: &mut ChatClientRequest| {
        if request.round() == 1 {
            let first = std::iter::once(Arc::new(Message::system("Rules.")));
            let messages = request.prompt_mut().messages_mut();
            *messages = first.chain(messages.iter().cloned()).collect();
        }
    });
    for turned in in_front.await {
        let first = [&["system: Rules."], &FIRST[..]].concat();
        let third = [&first[..], &ROUND_1, &ROUND_2].concat();
        assert_eq!(turned.sent()[2], third);
        assert_eq!(
            turned.transcript(),
            [&third[..], &["assistant: done"]].concat()
        );
    }
}

#[tokio::test]
async fn loop_4_what_was_left_out_is_not_sent_again_and_is_kept_in_the_record() {
    let log = Log::default();
    let compacted = by_both(&log, |request: &mut ChatClientRequest| {
        if request.round() == 2 {
            let messages = request.prompt_mut().messages_mut();
            let keep = messages.iter().take(2).cloned();
            let summary = Arc::new(Message::user("It was a result."));
            *messages = keep.chain([summary]).collect();
        }
    });
    for turned in compacted.await {
        let second = [&FIRST[..], &["user: It was a result."]].concat();
        let third = [&second[..], &ROUND_2].concat();
        assert_eq!(turned.sent(), [FIRST.to_vec(), second.clone(), third]);
        let summary = ["user: It was a result."];
        let record = [
            &FIRST[..],
            &ROUND_1,
            &summary,
            &ROUND_2,
            &["assistant: done"],
        ]
        .concat();
        assert_eq!(turned.transcript(), record);
    }
}

#[tokio::test]
async fn loop_4_what_is_left_out_is_counted_all_the_same() {
    let forgetful = |request: &mut ChatClientRequest| {
        let messages = request.prompt_mut().messages_mut();
        *messages = messages
            .iter()
            .filter(|m| m.role() == Role::User)
            .cloned()
            .collect();
    };
    let log = Log::default();
    let limited = turns(|model| {
        let manager = ToolCallingManager::builder().max_calls_for_tool("a", 1);
        let tool_loop = ToolCallingAdvisor::builder()
            .tool_calling_manager(manager.build().unwrap())
            .hooks(Changes(forgetful));
        let client = ChatClient::builder(model).tool_calling_advisor(tool_loop);
        client.default_tools(tool("a").build(&log))
    });
    for turned in limited.await {
        assert_eq!(turned.sent(), [["user: go"], ["user: go"]]);
        assert!(
            turned
                .response
                .content()
                .contains("limit of 1 call of the tool `a`")
        );
    }
    assert_eq!(log.started().len(), 2, "once in each turn");
}

#[tokio::test]
async fn loop_4_a_new_version_of_a_message_takes_its_place() {
    let log = Log::default();
    let edited = by_both(&log, |request: &mut ChatClientRequest| {
        let edit = |message: &Arc<Message>| match (request.round(), message.role()) {
            (1, Role::System) => Arc::new(Message::system("Be long.")),
            (2, Role::User) => {
                // The same message, by its id, that says more.
                let mut more = Message::clone(message);
                more.push(vernal_core::message::Part::text(", now"));
                Arc::new(more)
            }
            _ => message.clone(),
        };
        let messages: History = request.prompt().messages().iter().map(edit).collect();
        *request.prompt_mut().messages_mut() = messages;
    });
    for turned in edited.await {
        assert_eq!(turned.sent()[0], ["system: Be long.", "user: go"]);
        let now = ["system: Be long.", "user: go , now"];
        assert_eq!(turned.sent()[1][..2], now);
        assert_eq!(turned.sent()[2][..2], now);
        assert_eq!(turned.sent()[2].len(), 6);
        assert_eq!(turned.transcript()[..2], now);
        assert_eq!(turned.transcript().len(), 7);
    }
}

#[tokio::test]
async fn loop_4_changes_before_the_first_round_hold_for_all() {
    struct Prepares(Log);
    impl ToolLoopHooks for Prepares {
        async fn initialize_loop(&self, request: &mut ChatClientRequest) -> Result<(), Error> {
            let tools = ToolSet::of_callbacks([tool("a").build(&self.0)])?;
            request.prompt_mut().options_mut().set_tools(tools);
            request
                .prompt_mut()
                .messages_mut()
                .push(Message::user("well?"));
            Ok(())
        }
    }
    let log = Log::default();
    for turned in turns(|model| with_hooks(model, Prepares(log.clone()))).await {
        assert_eq!(turned.offered(), [["a"], ["a"], ["a"]]);
        let first = [&FIRST[..], &["user: well?"]].concat();
        assert_eq!(turned.sent()[0], first);
        assert_eq!(turned.sent()[2], [&first[..], &ROUND_1, &ROUND_2].concat());
    }
    assert_eq!(log.started().len(), 4);
}

#[tokio::test]
async fn loop_4_the_next_instructions_see_the_results_and_may_change_everything() {
    struct Steers(Log);
    impl ToolLoopHooks for Steers {
        async fn next_instructions(
            &self,
            request: &mut ChatClientRequest,
            result: &ToolExecutionResult,
        ) -> Result<(), Error> {
            let last = request.prompt().messages().last().unwrap();
            assert_eq!(
                last.id(),
                result.conversation_history().last().unwrap().id()
            );
            assert_eq!(result.tool_responses().count(), 1);
            if request.round() == 2 {
                let messages = request.prompt_mut().messages_mut();
                messages.push(Message::user("and now b"));
                let b = tool("a").says("b").build(&self.0);
                let options = request.prompt_mut().options_mut();
                options.set_tools(ToolSet::of_callbacks([b])?);
            }
            Ok(())
        }
    }
    let log = Log::default();
    let steered =
        turns(|model| with_hooks(model, Steers(log.clone())).default_tools(tool("a").build(&log)));
    for turned in steered.await {
        let second = [&FIRST[..], &ROUND_1, &["user: and now b"]].concat();
        assert_eq!(turned.sent()[1], second);
        let b = "tool: [a success b]";
        let third = [&second[..], &[ROUND_2[0], b]].concat();
        assert_eq!(turned.sent()[2], third);
        assert_eq!(
            turned.transcript(),
            [&third[..], &["assistant: done"]].concat()
        );
    }
}

/// Sends a request once more after an error, with a word to the model.
struct Retry;

impl Retry {
    fn again(mut request: ChatClientRequest) -> ChatClientRequest {
        let messages = request.prompt_mut().messages_mut();
        messages.push(Message::user("once more"));
        request
    }
}

impl Advisor for Retry {
    fn name(&self) -> &str {
        "retry"
    }

    fn advise_call(self: Arc<Self>, request: ChatClientRequest, rest: AdvisorChain) -> CallFuture {
        Box::pin(async move {
            match rest.next_call(request.clone()).await {
                Err(_) => rest.next_call(Self::again(request)).await,
                response => response,
            }
        })
    }

    fn advise_stream(
        self: Arc<Self>,
        request: ChatClientRequest,
        rest: AdvisorChain,
    ) -> EventStream {
        let call = self.advise_call(request, rest);
        let done = async move {
            let response = Box::new(call.await?);
            Ok(ChatEvent::Done { response })
        };
        Box::pin(futures::stream::once(done))
    }
}

#[tokio::test]
async fn loop_4_of_several_tries_the_one_that_was_answered_holds() {
    for streamed in [false, true] {
        let model = ScriptedModel::new()
            .fails(ModelError::new(ModelErrorKind::Server, "broken"))
            .calls("a", r#"{"n":1}"#)
            .says("done");
        let client = ChatClient::builder(model.clone()).default_advisors(Retry);
        let request = client.build().unwrap().prompt("go");
        let response = match streamed {
            false => request.call().await.unwrap(),
            true => request.stream().response().await.unwrap(),
        };
        let sent: Vec<_> = model
            .prompts()
            .iter()
            .map(|p| lines(p.messages()))
            .collect();
        assert_eq!(sent[0], ["user: go"]);
        assert_eq!(sent[1], ["user: go", "user: once more"]);
        assert_eq!(sent[2][..2], sent[1]);
        assert_eq!(lines(response.messages().unwrap())[..2], sent[1]);
    }
}

#[tokio::test]
async fn loop_4_an_advisor_can_keep_its_changes_to_itself() {
    /// Sends a note that is no part of the turn.
    struct Whispers;
    impl Advisor for Whispers {
        fn name(&self) -> &str {
            "whispers"
        }
        fn advise_call(
            self: Arc<Self>,
            request: ChatClientRequest,
            rest: AdvisorChain,
        ) -> CallFuture {
            Box::pin(async move {
                let prompt = request.prompt().clone();
                let mut request = request;
                let messages = request.prompt_mut().messages_mut();
                messages.push(Message::user("psst"));
                Ok(rest.next_call(request).await?.with_prompt(prompt))
            })
        }
        fn advise_stream(
            self: Arc<Self>,
            request: ChatClientRequest,
            rest: AdvisorChain,
        ) -> EventStream {
            Retry::done(self.advise_call(request, rest))
        }
    }
    let log = Log::default();
    let whispered = turns(|model| {
        let client = ChatClient::builder(model).default_advisors(Whispers);
        client.default_tools(tool("a").build(&log))
    });
    for turned in whispered.await {
        assert_eq!(turned.sent()[1].len(), 5);
        assert_eq!(turned.sent()[2].len(), 7, "one note in each round");
        let said = [&FIRST[..], &ROUND_1, &ROUND_2, &["assistant: done"]].concat();
        assert_eq!(turned.transcript(), said);
    }
}

impl Retry {
    fn done(call: CallFuture) -> EventStream {
        Box::pin(futures::stream::once(async move {
            let response = Box::new(call.await?);
            Ok(ChatEvent::Done { response })
        }))
    }
}

/// What a search for tools needs: an index made once, a word to the model, and the tools of each round.
struct Search;

struct Index {
    all: ToolSet,
    found: std::sync::Mutex<Vec<String>>,
}

impl ToolLoopHooks for Search {
    async fn initialize_loop(&self, request: &mut ChatClientRequest) -> Result<(), Error> {
        let all = request.prompt().options().tools().clone();
        request.state().insert(Index {
            all,
            found: std::sync::Mutex::default(),
        });
        let messages = request.prompt_mut().messages_mut();
        let told = |message: &Arc<Message>| match message.role() {
            Role::System => Arc::new(Message::system(format!("{} Find tools.", message.text()))),
            _ => message.clone(),
        };
        *messages = messages.iter().map(told).collect();
        Ok(())
    }

    async fn before_call(&self, request: &mut ChatClientRequest) -> Result<(), Error> {
        let index = request.state().get::<Index>().unwrap();
        let found = index.found.lock().unwrap().clone();
        let offered = index.all.entries().filter(|(tool, _)| {
            let name = tool.tool_definition().name();
            &**name == "find" || found.iter().any(|found| **found == **name)
        });
        let tools = ToolSet::new(offered.cloned())?;
        request.prompt_mut().options_mut().set_tools(tools);
        Ok(())
    }

    async fn next_instructions(
        &self,
        request: &mut ChatClientRequest,
        result: &ToolExecutionResult,
    ) -> Result<(), Error> {
        let index = request.state().get::<Index>().unwrap();
        let found = result
            .successes()
            .filter(|response| &*response.name == "find");
        let names = found.map(|response| response.text().into_owned());
        index.found.lock().unwrap().extend(names);
        Ok(())
    }
}

#[tokio::test]
async fn loop_4_hooks_fit_a_search_for_tools() {
    for streamed in [false, true] {
        let log = Log::default();
        let model = ScriptedModel::new()
            .calls("a", "{}")
            .calls("find", "{}")
            .calls("a", "{}")
            .says("done");
        let find = tool("find").says("a").build(&log);
        let tools: Vec<_> = vec![tool("a").build(&log), tool("b").build(&log), find];
        let client = with_hooks(model.clone(), Search).default_tools(tools);
        let request = client
            .default_system("Be brief.")
            .build()
            .unwrap()
            .prompt("go");
        let response = match streamed {
            false => request.call().await.unwrap(),
            true => request.stream().response().await.unwrap(),
        };
        let prompts = model.prompts();
        let turned = Turned { prompts, response };
        assert_eq!(
            turned.offered(),
            [
                vec!["find"],
                vec!["find"],
                vec!["a", "find"],
                vec!["a", "find"]
            ]
        );
        for sent in turned.sent() {
            assert_eq!(sent[0], "system: Be brief. Find tools.");
        }
        let ran: Vec<_> = log.started().into_iter().map(|(name, _)| name).collect();
        assert_eq!(ran, ["find", "a"], "a tool that was not found does not run");
    }
}
