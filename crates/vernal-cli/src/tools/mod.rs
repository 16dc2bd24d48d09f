//! The built-in tools, each in a file of its own.
//!
//! They are written as any application's tools are: a struct, `#[tools]`, doc comments for the model,
//! typed parameters, and errors that say what to do instead.

mod alarm;
pub(crate) mod alarms;
mod calculator;
mod date_time;
mod moment;
mod notes;
mod notes_file;
mod notes_place;
mod units;
mod weather;

use std::path::PathBuf;
use std::sync::Arc;

use vernal::tool::{IntoTools, ToolSource};

use alarms::Alarms;
pub(crate) use notes_place::notes_place;

/// All built-in tools, in the order in which they are listed.
pub(crate) fn built_in(alarms: Arc<Alarms>, notes: PathBuf) -> Vec<ToolSource> {
    let tools = (
        date_time::DateTimeTools,
        alarm::AlarmTools { alarms },
        calculator::Calculator,
        units::UnitTools,
        weather::WeatherTools,
        notes::NoteTools::new(notes),
    );
    tools.into_tools()
}

#[cfg(test)]
mod tests {
    use vernal::tool::ToolCallbacks;

    use super::*;

    #[test]
    fn every_tool_and_every_parameter_is_described() {
        let tools = ToolCallbacks::from(built_in(Arc::new(Alarms::silent()), PathBuf::new()));
        let names: Vec<&str> = tools
            .iter()
            .map(|tool| &**tool.tool_definition().name())
            .collect();
        assert_eq!(
            names,
            [
                "current_date_time",
                "days_between",
                "add_duration",
                "set_alarm",
                "list_alarms",
                "cancel_alarm",
                "calculate",
                "convert_units",
                "weather",
                "add_note",
                "list_notes",
                "search_notes",
                "delete_note",
            ]
        );
        for tool in &tools {
            let definition = tool.tool_definition();
            assert!(definition.description().ends_with('.'), "{definition:?}");
            let schema: serde_json::Value =
                serde_json::from_str(definition.input_schema()).unwrap();
            for (name, parameter) in schema["properties"].as_object().unwrap() {
                let described = parameter["description"]
                    .as_str()
                    .is_some_and(|text| text.ends_with('.'));
                assert!(described, "{}.{name}: {parameter}", definition.name());
            }
        }
    }
}
