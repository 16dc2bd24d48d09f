//! Custom advisors and their order (seed heading “루프 확장: 커스텀 `ToolAdvisor`”).
//!
//! The order is the only dial: what is lower than the tool loop's runs once for a turn, what is higher runs
//! in every round. Prints who saw what; a scripted model stands in for a real one, so that no key is
//! needed.

use std::error::Error as StdError;
use std::fmt::Write as _;
use std::sync::Mutex;

use vernal::advisor::order;
use vernal::prelude::*;
use vernal_testing::ScriptedModel;

/// What was seen in a request, kept in its state, which all its advisors share.
#[derive(Default)]
struct Seen(Mutex<Vec<String>>);

impl Seen {
    fn note(state: &RequestState, line: String) {
        let seen = state.get_or_insert_with(Self::default);
        seen.0.lock().unwrap_or_else(|e| e.into_inner()).push(line);
    }
}

/// Notes what passes it, in either direction.
struct Watch {
    name: &'static str,
    order: i32,
}

impl BaseAdvisor for Watch {
    fn name(&self) -> &str {
        self.name
    }

    fn order(&self) -> i32 {
        self.order
    }

    async fn before(&self, request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        let messages = request.prompt().messages().len();
        let line = format!("{}: in, {messages} message(s)", self.name);
        Seen::note(request.state(), line);
        Ok(request)
    }

    async fn after(&self, response: ChatClientResponse) -> Result<ChatClientResponse, Error> {
        let calls = response.chat_response().tool_calls().count();
        if let Some(state) = response.state() {
            Seen::note(state, format!("{}: out, {calls} call(s)", self.name));
        }
        Ok(response)
    }
}

/// Tells the weather
#[tool]
fn weather(city: String) -> String {
    format!("Sunny in {city}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn StdError>> {
    let model = ScriptedModel::new()
        .calls("weather", r#"{"city":"Jeju"}"#)
        .says("It is sunny in Jeju.");
    let inside = Watch {
        name: "inside",
        order: ToolCallingAdvisor::DEFAULT_ORDER + 1,
    };
    let outside = Watch {
        name: "outside",
        order: order::HIGHEST_PRECEDENCE,
    };
    // Whatever the order in which they are handed over.
    let client = ChatClient::builder(model)
        .default_advisors((inside, outside))
        .default_tools(weather)
        .build()?;
    let response = client.prompt("How is the weather in Jeju?").call().await?;

    let mut printed = String::new();
    if let Some(seen) = response.state().and_then(RequestState::get::<Seen>) {
        for line in seen.0.lock().map_err(|_| "a note was lost")?.iter() {
            writeln!(printed, "{line}")?;
        }
    }
    writeln!(printed, "{}", response.content())?;
    Ok(printed)
}
