//! One more try after an error that names an argument which can be put right.

use serde_json::Value;

use super::fill::{Scene, fill};
use super::now::Now;
use super::read::Step;
use super::reading::Reading;
use super::schema::{Choice, Param, Shape};
use super::tool::Tool;
use super::words::identifier_words;

/// Other arguments for a call that failed, where its error names an argument that the text can fill
/// better. Never the same arguments again.
pub(crate) fn repaired(
    tool: &Tool,
    reading: &Reading,
    step: &Step,
    now: Option<&Now>,
) -> Option<Value> {
    let error = step.text.as_str();
    let lower = error.to_lowercase();
    let mut changed = tool.clone();
    let mut touched = false;
    for param in &mut changed.params {
        let spoken = param
            .words
            .iter()
            .map(|word| word.lower.as_str())
            .collect::<Vec<_>>()
            .join(" ");
        let named = lower.contains(&param.name.to_lowercase())
            || (spoken.len() > 3 && lower.contains(&spoken));
        if !named {
            continue;
        }
        touched = true;
        adapt(param, error, step.arguments.get(&param.name), reading);
    }
    if !touched {
        return None;
    }
    let scene = Scene {
        reading,
        tool: &changed,
        now,
        prefer: None,
    };
    let filling = fill(&changed, &scene, true);
    if !filling.missing.is_empty() || filling.wait.is_some() {
        return None;
    }
    let arguments = filling.object()?;
    let valid = tool
        .definition
        .compiled_schema()
        .check(&arguments.to_string())
        .is_ok();
    (valid && arguments != step.arguments).then_some(arguments)
}

/// Makes the parameter what the error says that it is.
fn adapt(param: &mut Param, error: &str, given: Option<&Value>, reading: &Reading) {
    param.required = true;
    param.description = format!("{error} {}", param.description);
    param
        .about
        .extend(identifier_words(error).into_iter().take(20));
    if !matches!(param.shape, Shape::Text(_)) {
        return;
    }
    let mut choices: Vec<Choice> = allowed_values(error)
        .into_iter()
        .map(|value| Choice {
            words: identifier_words(&value),
            about: Vec::new(),
            value: value.into(),
        })
        .collect();
    // What is nearest to the value that was refused is meant, where the text does not name one.
    let given = given
        .and_then(Value::as_str)
        .map(identifier_words)
        .unwrap_or_default();
    let near = |choice: &Choice| {
        let said = reading.tokens.iter().map(|token| &token.word).chain(&given);
        said.flat_map(|word| choice.words.iter().map(move |own| own.likeness(word)))
            .fold(0.0, f32::max)
    };
    choices.retain(|choice| near(choice) >= 0.5);
    choices.sort_by(|a, b| near(b).total_cmp(&near(a)));
    choices.truncate(1);
    if !choices.is_empty() {
        param.shape = Shape::Choice(choices);
    }
}

/// The values that an error lists: after `one of`, `allowed`, `valid`, `expected`, `did you mean`.
fn allowed_values(error: &str) -> Vec<String> {
    let lower = error.to_lowercase();
    let signs = [
        "one of",
        "allowed",
        "valid values",
        "supported",
        "expected",
        "must be",
        "available",
        "did you mean",
        "options",
        "known",
    ];
    let start = signs
        .iter()
        .filter_map(|sign| lower.find(sign).map(|at| at + sign.len()))
        .max();
    let Some(list) = start.and_then(|start| error.get(start..)) else {
        return Vec::new();
    };
    let pieces = list
        .split([',', ';', '|', '/', '?', '.', '[', ']', '(', ')', ':'])
        .flat_map(|part| part.split(" or "));
    let clean = pieces.map(|piece| {
        let piece = piece.trim().trim_matches(['\'', '"', '`', ' ']);
        ["are ", "is ", "values ", "or ", "and "]
            .iter()
            .fold(piece, |text, head| text.strip_prefix(head).unwrap_or(text))
            .to_owned()
    });
    clean
        .filter(|value| !value.is_empty() && value.split_whitespace().count() <= 4)
        .take(30)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernal_core::tool::ToolDefinition;

    fn tool() -> Tool {
        let schema = r#"{"properties":{"city":{"type":"string"},"date":{"type":"string"}},"required":["city"]}"#;
        Tool::new(
            &ToolDefinition::builder("get_weather")
                .input_schema(schema)
                .build()
                .unwrap(),
        )
    }

    fn repair(error: &str, arguments: Value, text: &str) -> Option<Value> {
        let step = Step {
            tool: "get_weather".into(),
            arguments,
            text: error.to_owned(),
            failed: true,
        };
        let now = super::super::now::now_in("2025-06-01T10:00:00Z");
        repaired(&tool(), &Reading::new(text), &step, now.as_ref())
    }

    #[test]
    fn errors_that_name_an_argument_are_repaired() {
        let found = repair(
            "unknown city; expected one of: Paris FR, Oslo NO",
            serde_json::json!({"city":"Paris"}),
            "weather in Paris",
        );
        assert_eq!(found, Some(serde_json::json!({"city":"Paris FR"})));
        let found = repair(
            "the date must be DD.MM.YYYY",
            serde_json::json!({"city":"Paris","date":"2025-06-02"}),
            "weather in Paris tomorrow",
        );
        assert_eq!(
            found,
            Some(serde_json::json!({"city":"Paris","date":"02.06.2025"}))
        );
        assert_eq!(
            repair(
                "the service is down",
                serde_json::json!({"city":"Paris"}),
                "weather in Paris"
            ),
            None
        );
    }
}
