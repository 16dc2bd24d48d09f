//! Wording: what the tools have answered, in a sentence each.

use super::lang::is_stop;
use super::phrases::Phrases;
use super::read::Step;
use super::reading::Reading;
use super::words::{Word, identifier_words, readable};
use serde_json::Value;

/// The most members of one object, and the most items of one list, that are told.
const MAX_MEMBERS: usize = 14;

const MAX_ITEMS: usize = 10;

/// The most characters of one value.
const MAX_VALUE: usize = 600;

/// A result as words without a frame, to be handed to another tool.
pub(crate) fn plain(text: &str) -> String {
    let phrases = Phrases { korean: false };
    match serde_json::from_str::<Value>(text.trim()) {
        Ok(Value::String(text)) => text,
        Ok(json @ (Value::Object(_) | Value::Array(_))) => value_text(&json, None, &phrases),
        _ => text.trim().to_owned(),
    }
}

/// A sentence for a step. `several` says that the same tool was called more than once.
pub(crate) fn sentence(step: &Step, reading: &Reading, several: bool) -> String {
    let phrases = Phrases::of(reading.lang);
    let said = if step.failed {
        phrases.error(&step.tool, &error_text(&step.text))
    } else {
        result(step, reading, &phrases)
    };
    if !several {
        return said;
    }
    // What tells this call from the others.
    let subject = first_text(&step.arguments).filter(|subject| !said.contains(subject.as_str()));
    subject.map_or(said.clone(), |subject| format!("{subject}: {said}"))
}

fn first_text(arguments: &Value) -> Option<String> {
    arguments
        .as_object()?
        .values()
        .find_map(|value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        })
}

fn error_text(text: &str) -> String {
    let json = serde_json::from_str::<Value>(text.trim());
    let Ok(Value::Object(members)) = json else {
        return text.trim().to_owned();
    };
    for name in ["error", "message", "errors", "detail", "reason"] {
        match members.get(name) {
            Some(Value::String(said)) => return said.clone(),
            Some(inner @ (Value::Object(_) | Value::Array(_))) => {
                return value_text(inner, None, &Phrases { korean: false });
            }
            _ => {}
        }
    }
    text.trim().to_owned()
}

fn result(step: &Step, reading: &Reading, phrases: &Phrases) -> String {
    let text = step.text.trim();
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Null) => phrases.done(&deed(step)),
        Ok(Value::Bool(true)) if !super::asked::is_question(reading) => phrases.done(&deed(step)),
        Ok(Value::Bool(yes)) => phrases.result(phrases.yes_no(yes)),
        Ok(Value::Number(number)) => phrases.result(&number.to_string()),
        Ok(Value::String(text)) => worded(&text, step, phrases),
        Ok(json) => {
            let told = value_text(&json, Some(reading), phrases);
            if told.is_empty() {
                phrases.nothing(&step.tool)
            } else {
                ended(&capitalised(&told))
            }
        }
        Err(_) => worded(text, step, phrases),
    }
}

fn worded(text: &str, step: &Step, phrases: &Phrases) -> String {
    let bare = text.trim().trim_end_matches(['.', '!']).to_lowercase();
    if matches!(
        bare.as_str(),
        "" | "done" | "ok" | "okay" | "success" | "null"
    ) {
        return phrases.done(&deed(step));
    }
    let one_word = !text.contains(char::is_whitespace)
        && text.chars().count() <= 24
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || ".,-+%".contains(c));
    if one_word {
        phrases.result(text)
    } else {
        ended(text.trim())
    }
}

/// What was done with which arguments.
fn deed(step: &Step) -> String {
    let name = readable(&step.tool);
    let arguments = step
        .arguments
        .as_object()
        .filter(|members| !members.is_empty());
    match arguments {
        Some(members) => {
            let phrases = Phrases { korean: false };
            let list: Vec<String> = members
                .iter()
                .map(|(name, value)| format!("{}: {}", readable(name), leaf_text(value, &phrases)))
                .collect();
            format!("{name} ({})", list.join(", "))
        }
        None => name,
    }
}

fn ended(text: &str) -> String {
    if text.ends_with(['.', '!', '?', '…', '。', '！', '？', '`', ')']) || text.contains('\n')
    {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}

/// JSON as `name: value` phrases. What the question names comes first.
fn value_text(json: &Value, reading: Option<&Reading>, phrases: &Phrases) -> String {
    match json {
        Value::Object(_) => {
            let mut members = Vec::new();
            flatten(json, "", &mut members, phrases, 0);
            if let Some(reading) = reading {
                put_asked_first(&mut members, reading);
            }
            let more = members.len().saturating_sub(MAX_MEMBERS);
            members.truncate(MAX_MEMBERS);
            let mut told: Vec<String> = members
                .into_iter()
                .map(|(name, value)| format!("{name}: {value}"))
                .collect();
            if more > 0 {
                told.push(format!("and {more} more"));
            }
            told.join(", ")
        }
        Value::Array(items) => list_text(items, reading, phrases),
        leaf => leaf_text(leaf, phrases),
    }
}

fn list_text(items: &[Value], reading: Option<&Reading>, phrases: &Phrases) -> String {
    if items.is_empty() {
        return String::new();
    }
    let meant = reading.map_or(Vec::new(), |reading| meant_items(items, reading));
    let of_many = !meant.is_empty();
    let items: Vec<&Value> = if of_many {
        meant
    } else {
        items.iter().collect()
    };
    let told: Vec<String> = items
        .iter()
        .take(MAX_ITEMS)
        .map(|item| value_text(item, None, phrases))
        .collect();
    let more = items.len().saturating_sub(MAX_ITEMS);
    let simple = items
        .iter()
        .all(|item| !item.is_object() && !item.is_array());
    let mut text = told.join(if simple { ", " } else { "; " });
    if more > 0 {
        text.push_str(&format!("; and {more} more"));
    }
    if simple || reading.is_none() {
        text
    } else {
        format!("{}: {text}", phrases.count(items.len()))
    }
}

/// The items that the message speaks of by name, where it does so of some but not of all.
fn meant_items<'a>(items: &'a [Value], reading: &Reading) -> Vec<&'a Value> {
    let texts: Vec<String> = items
        .iter()
        .map(|item| texts_of(item).to_lowercase())
        .collect();
    let says = |word: &str| texts.iter().filter(|text| text.contains(word)).count();
    let names: Vec<&str> = reading
        .tokens
        .iter()
        .filter(|token| token.is_word() && !is_stop(reading.lang, token.lower()))
        .flat_map(|token| [token.lower(), token.word.stem.as_str()])
        .filter(|word| word.chars().count() > if word.is_ascii() { 3 } else { 1 })
        .filter(|word| (1..items.len()).contains(&says(word)))
        .collect();
    let pairs = items.iter().zip(&texts);
    let meant = pairs
        .filter(|(item, text)| item.is_object() && names.iter().any(|name| text.contains(name)));
    meant.map(|(item, _)| item).collect()
}

/// The texts in a value, without the names of its members.
fn texts_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(members) => members.values().map(texts_of).collect::<Vec<_>>().join(" "),
        Value::Array(items) => items.iter().map(texts_of).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

fn flatten(
    json: &Value,
    name: &str,
    members: &mut Vec<(String, String)>,
    phrases: &Phrases,
    depth: usize,
) {
    match json {
        Value::Null => {}
        Value::Object(inner) if depth < 5 => {
            for (inner_name, value) in inner {
                // A wrapper such as `data` or `result` says nothing.
                let wraps = matches!(name, "" | "data" | "result" | "results" | "response");
                let path = if wraps {
                    readable(inner_name)
                } else {
                    format!("{name} {}", readable(inner_name))
                };
                flatten(value, &path, members, phrases, depth + 1);
            }
        }
        Value::Array(items) if items.is_empty() => members.push((
            name.to_owned(),
            if phrases.korean { "없음" } else { "none" }.to_owned(),
        )),
        Value::Array(items) => members.push((name.to_owned(), list_text(items, None, phrases))),
        leaf => members.push((name.to_owned(), leaf_text(leaf, phrases))),
    }
}

fn leaf_text(value: &Value, phrases: &Phrases) -> String {
    let text = match value {
        Value::Bool(yes) => phrases.yes_no(*yes).to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(|item| leaf_text(item, phrases))
            .collect::<Vec<_>>()
            .join(", "),
        Value::Object(_) => value_text(value, None, phrases),
        other => other.to_string(),
    };
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

fn put_asked_first(members: &mut Vec<(String, String)>, reading: &Reading) {
    let said: Vec<&Word> = reading
        .tokens
        .iter()
        .filter(|token| {
            token.is_word()
                && !is_stop(reading.lang, token.lower())
                && token.span.start < reading.background
        })
        .map(|token| &token.word)
        .collect();
    let asked = |name: &str| {
        let words = identifier_words(name);
        words
            .iter()
            .any(|word| said.iter().any(|said| said.likeness(word) >= 0.9))
    };
    members.sort_by_key(|(name, _)| !asked(name));
    let first = members.iter().take_while(|(name, _)| asked(name)).count();
    // One thing was asked of a large record: the rest is not told.
    if first > 0 && members.len() > 8 {
        members.truncate(first + 3);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(tool: &str, arguments: Value, text: &str, question: &str) -> String {
        let failed = text.starts_with("Error");
        let step = Step {
            tool: tool.into(),
            arguments,
            text: text.to_owned(),
            failed,
        };
        sentence(&step, &Reading::new(question), false)
    }

    #[test]
    fn results_are_worded() {
        let none = || serde_json::json!({});
        for (text, expected) in [
            ("Sunny in Jeju", "Sunny in Jeju."),
            ("84", "The result is 84."),
            (
                r#"{"temperature":21,"isDay":true,"wind":null}"#,
                "Is day: yes, temperature: 21.",
            ),
            (r#"["a","b"]"#, "A, b."),
            (r#"[{"id":1},{"id":2}]"#, "2 results: id: 1; id: 2."),
            ("[]", "`look_up` gave an empty result."),
            (
                r#"[{"n":"Checking"},{"n":"Savings"}]"#,
                "2 results: n: Checking; n: Savings.",
            ),
            (r#"{"data":{"city":{"name":"Jeju"}}}"#, "City name: Jeju."),
            (
                "Error: no such thing.",
                "The tool `look_up` answered with an error: Error: no such thing.",
            ),
        ] {
            assert_eq!(say("look_up", none(), text, "tell me"), expected, "{text}");
        }
        assert_eq!(
            say("setAlarm", serde_json::json!({"time":"07:00"}), "Done", "x"),
            "Done: set alarm (time: 07:00)."
        );
        assert_eq!(say("알람", none(), "null", "알람 맞춰줘"), "완료: 알람.");
    }

    #[test]
    fn what_was_asked_comes_first() {
        let list = r#"[{"n":"Checking","b":1},{"n":"Savings","b":2}]"#;
        let said = say(
            "list",
            serde_json::json!({}),
            list,
            "What is my savings balance?",
        );
        assert_eq!(said, "1 result: b: 2, n: Savings.");
        let json = r#"{"a":1,"b":2,"email":"x@y.z"}"#;
        assert!(
            say("find", serde_json::json!({}), json, "What is the email?")
                .starts_with("Email: x@y.z")
        );
    }
}
