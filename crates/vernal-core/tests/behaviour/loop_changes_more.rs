//! LOOP-4 before the first round, between rounds, over retries and in a stored turn.

use std::sync::Arc;

use vernal_core::Error;
use vernal_core::advisor::{
    Advisor, AdvisorChain, CallFuture, ChatClientRequest, ChatEvent, EventStream, ToolLoopHooks,
};
use vernal_core::calling::{ToolCallingManager, ToolExecutionResult, Turn};
use vernal_core::client::ChatClient;
use vernal_core::message::{History, Message, Role};
use vernal_core::model::{ChatModel, ModelError, ModelErrorKind, Prompt};
use vernal_core::tool::ToolSet;
use vernal_testing::ScriptedModel;

use crate::change_kit::{FIRST, ROUND_1, ROUND_2, Turned, turns};
use crate::hook_kit::with_hooks;
use crate::kit::{Log, tool};
use crate::transcript::{assert_valid, lines};

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

#[tokio::test]
async fn loop_4_a_stored_turn_knows_what_was_left_out() {
    let log = Log::default();
    let options = vernal_core::model::ChatOptions::builder()
        .tool_callbacks([tool("a").build(&log)])
        .unwrap()
        .build();
    let stored = |turn: &Turn| -> Turn {
        serde_json::from_str(&serde_json::to_string(turn).unwrap()).unwrap()
    };
    let mut turn = Turn::start(vec![Message::user("long ago"), Message::user("go")]);
    let plain = serde_json::to_string(&turn).unwrap();
    assert!(!plain.contains("instructions"), "{plain}");
    let given = turn.instructions().clone();
    let sent: History = given.iter().skip(1).cloned().collect();
    turn.revise(&given, &sent);
    let mut turn = stored(&turn);
    let response = ScriptedModel::new().calls("a", r#"{"n":1}"#);
    let response = response
        .call(Prompt::new(sent, options.clone()))
        .await
        .unwrap();
    let manager = ToolCallingManager::default();
    let result = manager
        .execute_in_turn(&mut turn, &options, &response)
        .await
        .unwrap();
    let next = [&["user: go"], &ROUND_1[..]].concat();
    assert_eq!(lines(result.conversation_history()), next);
    let turn = stored(&turn);
    assert_eq!(lines(turn.instructions()), next);
    assert_eq!(
        lines(turn.messages()),
        [&["user: long ago"], &next[..]].concat()
    );
    assert_valid(turn.instructions());
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
