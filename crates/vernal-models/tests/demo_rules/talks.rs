//! What is said, how it is streamed, and what the options of a prompt change.

use futures::StreamExt;
use futures::executor::block_on;
use serde_json::json;
use vernal_core::message::{History, Message};
use vernal_core::model::{ChatModel, ChatOptions, ChatResponse, ModelEvent, Prompt, ToolChoice};

use crate::desk::{alarms, calls, model, weather};

#[test]
fn parallel_calls_can_be_switched_off() {
    let options = ChatOptions::builder()
        .tool_callbacks(weather().tools)
        .unwrap()
        .parallel_tool_calls(false)
        .build();
    let response =
        block_on(model().call(Prompt::new("weather in Paris and Oslo", options))).unwrap();
    assert_eq!(response.tool_calls().count(), 1);
}

#[test]
fn small_talk_calls_nothing_and_says_what_it_is() {
    for text in ["Hello!", "Who are you?", "What can you do?", "너는 누구야?"] {
        let outcome = weather().run(text);
        assert!(outcome.calls.is_empty(), "{text}");
        let plain = outcome.answer.contains("not a language model")
            || outcome.answer.contains("언어 모델이 아니라");
        assert!(
            plain && outcome.answer.contains("currentWeather"),
            "{}",
            outcome.answer
        );
    }
    assert!(model().name().contains("not a language model"));
}

#[test]
fn where_no_tool_fits_the_tools_are_named() {
    for text in [
        "Tell me a joke",
        "What is the capital of France?",
        "Write a poem about the sea",
        "asdf qwer",
    ] {
        let outcome = weather().run(text);
        assert!(outcome.calls.is_empty(), "{text}: {:?}", outcome.calls);
        assert!(
            outcome.answer.contains("no tool fits") && outcome.answer.contains("currentWeather")
        );
    }
}

#[test]
fn what_is_missing_is_asked_for_in_one_sentence() {
    let outcome = weather().run("How is the weather?");
    assert!(outcome.calls.is_empty());
    assert_eq!(
        outcome.answer,
        "To use `currentWeather` I need `location` (The city's name); what should it be?"
    );
}

#[test]
fn an_answer_to_a_question_goes_on_with_what_was_asked() {
    let mut history = History::from("How is the weather?");
    history.push(Message::assistant(
        "To use `currentWeather` I need `location`; what should it be?",
    ));
    history.push(Message::user("Lisbon"));
    assert_eq!(
        calls(&weather().run_from(history)),
        [("currentWeather", json!({"location": "Lisbon"}))]
    );
    let mut history = History::from("What's the weather in Paris?");
    history.push(Message::assistant("Sky: clear."));
    history.push(Message::user("And in Oslo?"));
    assert_eq!(
        calls(&weather().run_from(history)),
        [("currentWeather", json!({"location": "Oslo"}))]
    );
}

#[test]
fn a_tool_can_be_demanded_or_forbidden() {
    let ask = |text: &str, choice: ToolChoice| {
        let builder = ChatOptions::builder()
            .tool_callbacks(alarms("noon").tools)
            .unwrap();
        block_on(model().call(Prompt::new(text, builder.tool_choice(choice).build()))).unwrap()
    };
    assert!(!ask("Set an alarm at 7am", ToolChoice::None).has_tool_calls());
    let forced = ask("hello", ToolChoice::Tool("current_date_time".into()));
    assert_eq!(
        &*forced.tool_calls().next().unwrap().name,
        "current_date_time"
    );
}

#[test]
fn a_stream_says_the_same_in_pieces() {
    let prompt = Prompt::new("weather in Paris and Oslo", weather().options());
    let events: Vec<ModelEvent> = block_on(model().stream(prompt).map(Result::unwrap).collect());
    let mut arguments = vec![String::new(); 2];
    for event in &events {
        if let ModelEvent::ToolCallDelta {
            index,
            arguments: piece,
        } = event
        {
            arguments[*index].push_str(piece);
        }
    }
    assert_eq!(
        arguments,
        [r#"{"location":"Paris"}"#, r#"{"location":"Oslo"}"#]
    );
    assert!(
        matches!(events.last(), Some(ModelEvent::Completed(response)) if response.has_tool_calls())
    );
    let events: Vec<ModelEvent> = block_on(
        model()
            .stream(Prompt::from("hello"))
            .map(Result::unwrap)
            .collect(),
    );
    let text: String = events
        .iter()
        .filter_map(|event| match event {
            ModelEvent::TextDelta(piece) => Some(&**piece),
            _ => None,
        })
        .collect();
    let Some(ModelEvent::Completed(response)) = events.last() else {
        panic!("not completed")
    };
    assert_eq!(text, response.content());
    assert!(response.usage().output_tokens > 0 && events.len() > 5);
}

#[test]
fn the_same_prompt_gives_the_same_answer() {
    let ask = || {
        block_on(model().call(Prompt::new("alarm in 10 minutes", alarms("x").options()))).unwrap()
    };
    let (a, b) = (ask(), ask());
    let calls = |response: &ChatResponse| response.tool_calls().cloned().collect::<Vec<_>>();
    assert_eq!(calls(&a), calls(&b));
}
