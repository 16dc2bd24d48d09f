//! The ways to run a loop: whatever a scenario says, all of them must do the same.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::time::Instant;
use vernal_core::advisor::{AdvisorParams, ChatClientResponse, ChatEvent, ToolCallingAdvisor};
use vernal_core::calling::{Turn, TurnStep};
use vernal_core::client::{ChatClient, ChatClientMessageAggregator, ChatClientRequestSpec};
use vernal_core::message::{History, Usage};
use vernal_core::model::{ChatModel, ChatOptions, ChatResponse, Prompt};
use vernal_testing::ScriptedModel;

pub(crate) use crate::outcome::{Failure, Outcome};
use crate::scenario::Scenario;
use crate::transcript::assert_valid;

/// Who drives the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Driver {
    /// `ChatClient`, called.
    Call,
    /// `ChatClient`, streamed.
    Stream,
    /// A loop around `ToolCallingManager::execute_tool_calls`: each round counts what it sees.
    Manual,
    /// The same loop, whose model is streamed through a `ChatClientMessageAggregator`.
    ManualStream,
    /// A loop around `ToolCallingManager::execute_in_turn`, whose turn is stored between rounds.
    ManualTurn,
}

impl Driver {
    pub(crate) const ALL: [Self; 5] = [
        Self::Call,
        Self::Stream,
        Self::Manual,
        Self::ManualStream,
        Self::ManualTurn,
    ];
    /// Those that have advisors.
    pub(crate) const CLIENT: [Self; 2] = [Self::Call, Self::Stream];
    /// The loops of the caller's own.
    pub(crate) const MANUAL: [Self; 3] = [Self::Manual, Self::ManualStream, Self::ManualTurn];
    /// Those that hold a turn.
    pub(crate) const WITH_TURN: [Self; 3] = [Self::Call, Self::Stream, Self::ManualTurn];
}

/// Runs the scenario from its beginning. Whatever comes of it, the transcript is valid and so is
/// every prompt that the model got.
pub(crate) async fn run(driver: Driver, scenario: &Scenario) -> Outcome {
    if driver == Driver::Stream {
        assert_text_views(scenario).await;
    }
    scenario.log.clear();
    let model = scenario.model();
    let began = Instant::now();
    let mut outcome = match driver {
        Driver::Call => from_client(request(scenario, &model).call().await),
        Driver::Stream => streamed(request(scenario, &model)).await,
        Driver::Manual | Driver::ManualStream => manual(driver, scenario, &model).await,
        Driver::ManualTurn => manual_with_turn(scenario, &model).await,
    };
    outcome.elapsed = began.elapsed();
    outcome.prompts = model.prompts();
    outcome.executions = scenario.log.started();
    assert_eq!(scenario.log.running(), 0, "no tool outlives the turn");
    assert_valid(&outcome.history);
    outcome
        .prompts
        .iter()
        .for_each(|prompt| assert_valid(prompt.messages()));
    outcome
}

/// The scenario as a request of a client.
pub(crate) fn request(scenario: &Scenario, model: &ScriptedModel) -> ChatClientRequestSpec {
    let tool_loop = ToolCallingAdvisor::builder()
        .tool_calling_manager(scenario.manager.clone())
        .tool_execution_eligibility_checker(scenario.checker.clone());
    let client = ChatClient::builder(model.clone())
        .default_advisors(tool_loop.build().unwrap())
        .build()
        .unwrap();
    client
        .prompt(scenario.messages.clone())
        .tools(scenario.tools.clone())
        .tool_context(scenario.context.clone())
        .options(
            ChatOptions::builder()
                .tool_choice(scenario.choice.clone())
                .build(),
        )
}

/// Rule STR-1 for every scenario there is: the text of a stream is the content of a call.
async fn assert_text_views(scenario: &Scenario) {
    let called = request(scenario, &scenario.model()).call().await;
    let mut text = String::new();
    let mut failed = None;
    let mut pieces = request(scenario, &scenario.model()).stream().text();
    while let Some(piece) = pieces.next().await {
        match piece {
            Ok(piece) => text.push_str(&piece),
            Err(error) => failed = Some(error.to_string()),
        }
    }
    assert_eq!(called.as_ref().err().map(ToString::to_string), failed);
    assert_eq!(
        called.map_or(String::new(), |response| response.content()),
        text
    );
}

fn outcome() -> Outcome {
    Outcome {
        response: None,
        error: None,
        exceeded: None,
        history: History::new(),
        executions: Vec::new(),
        prompts: Vec::new(),
        usage: Usage::default(),
        rounds: 0,
        events: Vec::new(),
        elapsed: Duration::ZERO,
    }
}

fn from_client(result: Result<ChatClientResponse, vernal_core::Error>) -> Outcome {
    match result {
        Ok(response) => Outcome {
            history: response.messages().cloned().unwrap_or_default(),
            usage: response.usage(),
            rounds: response.rounds(),
            response: Some(response.into_chat_response()),
            ..outcome()
        },
        Err(error) => Outcome {
            history: error.messages().cloned().unwrap_or_default(),
            usage: error.usage(),
            rounds: error.rounds(),
            error: Some(Failure::Client(error)),
            ..outcome()
        },
    }
}

async fn streamed(request: ChatClientRequestSpec) -> Outcome {
    let items: Vec<_> = StreamExt::collect(request.stream()).await;
    let mut events = Vec::new();
    let mut end = None;
    for item in items {
        assert!(end.is_none(), "nothing follows the end of a stream");
        match item {
            Ok(ChatEvent::Done { response }) => {
                events.push(ChatEvent::Done {
                    response: response.clone(),
                });
                end = Some(Ok(*response));
            }
            Ok(event) => events.push(event),
            Err(error) => end = Some(Err(error)),
        }
    }
    Outcome {
        events,
        ..from_client(end.expect("a stream ends with its response or an error"))
    }
}

/// The loop as a caller writes it who keeps nothing but the prompt.
async fn manual(driver: Driver, scenario: &Scenario, model: &ScriptedModel) -> Outcome {
    let mut prompt = Prompt::new(scenario.messages.clone(), scenario.options());
    let mut end = outcome();
    loop {
        let response = match driver {
            Driver::ManualStream => aggregated(model, &prompt).await.map_err(Failure::Client),
            _ => model.call(prompt.clone()).await.map_err(Failure::Model),
        };
        let response = match response {
            Ok(response) => response,
            Err(error) => {
                end.error = Some(error);
                break;
            }
        };
        end.usage += response.usage();
        if !scenario.checker.is_tool_execution_required(&response) {
            prompt
                .messages_mut()
                .extend(response.generations.iter().map(|g| g.message.clone()));
            end.response = Some(response);
            break;
        }
        end.rounds += 1;
        match scenario
            .manager
            .execute_tool_calls(&prompt, &response)
            .await
        {
            Ok(result) => {
                prompt = prompt.with_messages(result.conversation_history().clone());
                if result.return_direct() {
                    let mut direct = response;
                    direct.generations = result.generations().to_vec();
                    end.response = Some(direct);
                    break;
                }
            }
            Err(error) => {
                let partial = error.partial_result().expect("what had run");
                prompt = prompt.with_messages(partial.conversation_history().clone());
                if let Some(exceeded) = error.limit_exceeded() {
                    let mut limited = response;
                    limited.generations = vec![exceeded.build_generation()];
                    end.response = Some(limited);
                    end.exceeded = Some(error);
                } else {
                    end.error = Some(Failure::Manager(error));
                }
                break;
            }
        }
    }
    if let Some(response) = &mut end.response {
        response.metadata.usage = Some(end.usage);
    }
    end.history = prompt.messages().clone();
    end
}

/// A round of a client without a loop, streamed.
async fn aggregated(
    model: &ScriptedModel,
    prompt: &Prompt,
) -> Result<ChatResponse, vernal_core::Error> {
    let off = AdvisorParams::tool_calling_advisor_auto_register(false);
    let client = ChatClient::create(model.clone());
    let request = client.prompt(prompt.clone()).advisors(off);
    let mut events = ChatClientMessageAggregator::new(request.stream());
    while let Some(event) = events.next().await {
        assert!(!matches!(event?, ChatEvent::Done { .. }));
    }
    Ok(events.response().await?.into_chat_response())
}

/// The loop as a caller writes it who keeps a turn, and stores it between rounds.
async fn manual_with_turn(scenario: &Scenario, model: &ScriptedModel) -> Outcome {
    let options = Arc::new(scenario.options());
    let mut turn = Turn::start(scenario.messages.clone());
    let mut end = outcome();
    while !matches!(turn.step(), TurnStep::Done(_)) {
        turn = stored(&turn);
        let prompt = Prompt::new(turn.messages().clone(), options.clone());
        let response = match model.call(prompt).await {
            Ok(response) => response,
            Err(error) => {
                end.error = Some(Failure::Model(error));
                break;
            }
        };
        if !scenario.checker.is_tool_execution_required(&response) {
            turn.on_final_response(response);
            break;
        }
        match scenario
            .manager
            .execute_in_turn(&mut turn, &options, &response)
            .await
        {
            Ok(_) => {}
            Err(error) if error.limit_exceeded().is_some() => end.exceeded = Some(error),
            Err(error) => end.error = Some(Failure::Manager(error)),
        }
    }
    let turn = stored(&turn);
    if let TurnStep::Done(done) = turn.step() {
        end.response = done.response().cloned();
    }
    end.history = turn.messages().clone();
    end.usage = turn.usage();
    end.rounds = turn.rounds();
    end
}

fn stored(turn: &Turn) -> Turn {
    serde_json::from_str(&serde_json::to_string(turn).unwrap()).unwrap()
}
