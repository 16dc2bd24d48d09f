//! Types that cannot be a tool's (seed heading “메서드 도구 한계”), and what is taken and given instead.
//!
//! A future, a stream, a function or a borrowed value as a parameter or result is a compile error that says
//! so. Prints what the model got; a scripted model stands in for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;

use futures::{StreamExt, stream};
use vernal::prelude::*;
use vernal::tool::ProgressSender;
use vernal_testing::{Reply, ScriptedModel};

struct Instead;

#[tools]
impl Instead {
    /// Instead of an optional type of one's own: `Option`, or a default
    #[tool]
    fn optional(&self, unit: Option<String>, #[param(default = 3)] days: u8) -> String {
        format!("{unit:?} {days}")
    }

    /// Instead of returning a future: an `async fn`
    #[tool]
    async fn later(&self) -> &'static str {
        std::future::ready("later").await
    }

    /// Instead of returning a stream: a `Vec`, and a word about how far it is
    #[tool]
    async fn several(&self, progress: ProgressSender) -> Vec<u32> {
        let numbers = stream::iter(1..=3);
        let reported = numbers.inspect(|n| progress.report(f64::from(*n), Some(3.0), None));
        reported.collect().await
    }

    /// Instead of `&str` and slices: what owns its data
    #[tool]
    fn owned(&self, name: String, numbers: Vec<u8>) -> String {
        format!("{name} {}", numbers.len())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run().await?);
    Ok(())
}

/// What the example prints.
pub(crate) async fn run() -> Result<String, Box<dyn Error>> {
    let model = ScriptedModel::new()
        .replies(
            Reply::call("optional", "{}")
                .and_call("later", "{}")
                .and_call("several", "{}")
                .and_call("owned", r#"{"name":"Kim","numbers":[4,2]}"#),
        )
        .says("Done.");
    let request = ChatClient::create(model).prompt("Go.").tools(Instead);
    let response = request.call().await?;
    let mut printed = String::new();
    for message in response.messages().into_iter().flat_map(History::iter) {
        for answer in message.tool_responses() {
            writeln!(printed, "{} gave: {}", answer.name, answer.text())?;
        }
    }
    Ok(printed)
}
