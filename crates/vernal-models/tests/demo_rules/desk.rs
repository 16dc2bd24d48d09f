//! A desk of made-up tools, and a loop that answers calls in their place.

use std::collections::HashMap;
use std::sync::Arc;

use futures::executor::block_on;
use serde_json::{Value, json};
use vernal_core::message::{History, Message, ToolContent, ToolOutcome, ToolResponse};
use vernal_core::model::{ChatModel, ChatOptions, Prompt};
use vernal_core::tool::{
    ToolCallback, ToolContext, ToolDefinition, ToolFuture, ToolInput, ToolOutput,
};
use vernal_models::demo::DemoModel;

/// A tool that is never run by the model: the test answers in its place.
struct Fake(ToolDefinition);

impl ToolCallback for Fake {
    fn tool_definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _input: ToolInput, _context: ToolContext) -> ToolFuture<'a> {
        Box::pin(async { Ok(ToolOutput::from_text("unused")) })
    }
}

/// A desk of tools, and what each answers: one text for all calls, or one after another.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) tools: Vec<Arc<dyn ToolCallback>>,
    pub(crate) answers: HashMap<String, Vec<Answer>>,
}

#[derive(Clone)]
pub(crate) enum Answer {
    Gives(String),
    Fails(String),
}

/// What became of a message.
pub(crate) struct Outcome {
    pub(crate) calls: Vec<(String, Value)>,
    pub(crate) answer: String,
    /// How many calls each answer of the model had.
    pub(crate) rounds: Vec<usize>,
}

impl Desk {
    pub(crate) fn tool(
        mut self,
        name: &str,
        description: &str,
        schema: Value,
        answer: impl ToString,
    ) -> Self {
        let definition = ToolDefinition::builder(name)
            .description(description)
            .input_schema(schema.to_string())
            .build()
            .unwrap();
        self.tools.push(Arc::new(Fake(definition)));
        self.answers
            .insert(name.to_owned(), vec![Answer::Gives(answer.to_string())]);
        self
    }

    pub(crate) fn answering(mut self, name: &str, answers: &[Answer]) -> Self {
        self.answers.insert(name.to_owned(), answers.to_vec());
        self
    }

    pub(crate) fn options(&self) -> ChatOptions {
        ChatOptions::builder()
            .tool_callbacks(self.tools.clone())
            .unwrap()
            .build()
    }

    pub(crate) fn run(&self, text: &str) -> Outcome {
        self.run_from(History::from(text))
    }

    pub(crate) fn run_from(&self, mut history: History) -> Outcome {
        let options = self.options();
        let mut outcome = Outcome {
            calls: Vec::new(),
            answer: String::new(),
            rounds: Vec::new(),
        };
        for _ in 0..10 {
            let response =
                block_on(model().call(Prompt::new(history.clone(), options.clone()))).unwrap();
            if !response.has_tool_calls() {
                outcome.answer = response.content().into_owned();
                return outcome;
            }
            history.push(response.generation().unwrap().message.clone());
            let mut responses = Vec::new();
            for call in response.tool_calls() {
                let definition = options
                    .tools()
                    .get(&call.name)
                    .unwrap()
                    .tool_definition()
                    .clone();
                definition
                    .compiled_schema()
                    .check(call.arguments.as_str())
                    .unwrap();
                let arguments: Value = serde_json::from_str(call.arguments.as_str()).unwrap();
                let made = outcome
                    .calls
                    .iter()
                    .filter(|(name, _)| **name == *call.name)
                    .count();
                outcome.calls.push((call.name.to_string(), arguments));
                let answers = &self.answers[&*call.name];
                responses.push(match answers.get(made).unwrap_or(answers.last().unwrap()) {
                    Answer::Gives(text) => {
                        ToolResponse::success(call, vec![ToolContent::Text(text.as_str().into())])
                    }
                    Answer::Fails(text) => {
                        ToolResponse::error(call, ToolOutcome::Failed, text.as_str())
                    }
                });
            }
            outcome.rounds.push(responses.len());
            history.push(Message::tool(responses));
        }
        panic!("the turn does not end");
    }
}

/// The model, on Wednesday 4 June 2025, 10 o'clock UTC.
pub(crate) fn model() -> DemoModel {
    let builder = DemoModel::builder().clock(|| {
        let now: jiff::Timestamp = "2025-06-04T10:00:00Z".parse().unwrap();
        jiff::ZonedDateTime::new(now, jiff::tz::TimeZone::UTC)
    });
    builder.build()
}

pub(crate) fn object(properties: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

pub(crate) fn string(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

pub(crate) fn alarms(time: &str) -> Desk {
    let schema = object(
        json!({"time": string("The time, in ISO-8601 format."), "label": string("A label shown with the alarm.")}),
        &["time"],
    );
    Desk::default()
        .tool(
            "current_date_time",
            "Get the current date and time in the user's timezone.",
            json!({}),
            time,
        )
        .tool(
            "set_alarm",
            "Set a user alarm for the given time.",
            schema,
            "Done",
        )
}

pub(crate) fn weather() -> Desk {
    let schema = object(
        json!({"location": string("The city's name.")}),
        &["location"],
    );
    Desk::default().tool(
        "currentWeather",
        "Get the weather in location",
        schema,
        json!({"tempC": 21, "sky": "clear"}),
    )
}

pub(crate) fn calls(outcome: &Outcome) -> Vec<(&str, Value)> {
    outcome
        .calls
        .iter()
        .map(|(name, arguments)| (name.as_str(), arguments.clone()))
        .collect()
}
