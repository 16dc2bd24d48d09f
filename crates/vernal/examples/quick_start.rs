//! Quick start (seed heading “빠른 시작”).
//!
//! Two tools on one object, and a question that needs both. Prints the answer; a scripted model stands in
//! for a real one, so that no key is needed.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use vernal::prelude::*;
use vernal_testing::ScriptedModel;

struct DateTimeTools {
    alarms: Arc<Mutex<Vec<String>>>,
}

#[tools]
impl DateTimeTools {
    /// Get the current date and time in the user's timezone
    #[tool]
    fn get_current_date_time(&self) -> String {
        "2026-12-01T09:30:00+09:00".to_owned()
    }

    /// Set a user alarm for the given time, provided in ISO-8601 format
    #[tool]
    fn set_alarm(&self, time: String) {
        let mut alarms = self
            .alarms
            .lock()
            .unwrap_or_else(|broken| broken.into_inner());
        alarms.push(time);
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
        .calls("get_current_date_time", "{}")
        .calls("set_alarm", r#"{"time":"2026-12-01T09:40:00+09:00"}"#)
        .says("Your alarm is set for 09:40.");
    let alarms = Arc::new(Mutex::new(Vec::new()));

    let answer = ChatClient::create(model)
        .prompt("Can you set an alarm 10 minutes from now?")
        .tools(DateTimeTools {
            alarms: alarms.clone(),
        })
        .call()
        .await?
        .content();

    let mut printed = String::new();
    let alarms = alarms.lock().map_err(|_| "a tool panicked")?;
    for time in alarms.iter() {
        writeln!(printed, "Alarm set for {time}")?;
    }
    writeln!(printed, "{answer}")?;
    Ok(printed)
}
