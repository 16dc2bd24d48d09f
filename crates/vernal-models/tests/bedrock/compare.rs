//! A recorded answer as the adapter reads it, against what the independent reader says of it.

use serde_json::Value;
use vernal_core::message::{FinishReason, Message, PartContent};
use vernal_core::model::{ChatModel, ChatResponse, ModelError};

use crate::model::model;
use crate::support::canned::Canned;
use crate::support::view::{Told, View, collect, view};

/// What the adapter makes of a response, compared with a reading; the error says what differs.
pub(crate) async fn hear(reading: &Value, response: &Value) -> Result<(), String> {
    let status = response["status"].as_u64().unwrap() as u16;
    let heard = match reading["hex"].as_str() {
        Some(hex) => stream(&bytes_of(hex)).await,
        None => {
            let body = response["body"]
                .as_str()
                .map_or_else(|| response["body"].to_string(), str::to_owned);
            let canned = Canned::new(body).with_status(status);
            model(&canned).call("hi".into()).await
        }
    };
    if reading["kind"] == "error" {
        return compare_error(reading, heard.err());
    }
    let heard = heard.map_err(|error| format!("an error: {error}"))?;
    compare(reading, &heard)
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digits).collect()
}

/// The answer of a stream, which is the same however it is cut.
async fn stream(bytes: &[u8]) -> Result<ChatResponse, ModelError> {
    let canned = Canned {
        content_type: "application/vnd.amazon.eventstream",
        ..Canned::new(bytes.to_vec())
    };
    let mut first: Option<(Told, Result<View, String>)> = None;
    let mut last = None;
    for piece in [1, 7, usize::MAX] {
        let stream = model(&canned.clone().in_pieces(piece)).stream("hi".into());
        let (told, end) = collect(stream).await;
        let seen = end.as_ref().map(view).map_err(ToString::to_string);
        if let Ok(view) = &seen {
            assert_eq!((&told.text, &told.reasoning), (&view.text, &view.reasoning));
            assert_eq!(told.arguments.len(), view.calls.len());
        }
        let seen = (told, seen);
        match &first {
            Some(first) => assert_eq!(first, &seen, "pieces of {piece} bytes"),
            None => first = Some(seen),
        }
        last = Some(end);
    }
    last.unwrap()
}

fn compare_error(reading: &Value, error: Option<ModelError>) -> Result<(), String> {
    let error = error.ok_or("no error was seen")?;
    let status = reading["status"].as_u64().map(|status| status as u16);
    if status >= Some(400) && error.status() != status {
        return Err(format!("status {status:?} is {:?}", error.status()));
    }
    let message = reading["error"].as_str().unwrap();
    if error.to_string().contains(message) {
        Ok(())
    } else {
        Err(format!("`{error}` does not say `{message}`"))
    }
}

fn compare(reading: &Value, response: &ChatResponse) -> Result<(), String> {
    let view = view(response);
    same("text", &reading["text"], &view.text)?;
    same("reasoning", &reading["reasoning"], &view.reasoning)?;
    compare_calls(reading, &view)?;
    compare_usage(reading, &view)?;
    compare_blocks(reading, &response.generations[0].message)?;
    let expected = expected_finish(&reading["stop_reason"]);
    if expected == view.finish {
        Ok(())
    } else {
        Err(format!("finish: {expected:?} is {:?}", view.finish))
    }
}

fn same(what: &str, expected: &Value, found: &str) -> Result<(), String> {
    if expected.as_str() == Some(found) {
        Ok(())
    } else {
        Err(format!("{what}: {expected} is {found:?}"))
    }
}

fn compare_calls(reading: &Value, view: &View) -> Result<(), String> {
    let expected = reading["calls"].as_array().unwrap();
    if expected.len() != view.calls.len() {
        return Err(format!("{} calls are {}", expected.len(), view.calls.len()));
    }
    for (expected, (id, name, arguments)) in expected.iter().zip(&view.calls) {
        same("name", &expected["name"], name)?;
        same("call id", &expected["id"], id)?;
        let found: Value = serde_json::from_str(arguments).unwrap_or_default();
        if found != expected["input"] {
            return Err(format!("arguments: {expected} is {arguments:?}"));
        }
    }
    Ok(())
}

fn compare_usage(reading: &Value, view: &View) -> Result<(), String> {
    let expected = &reading["usage"];
    let count = |name: &str| expected[name].as_u64().unwrap_or(0);
    let (read, written) = (
        count("cacheReadInputTokens"),
        count("cacheWriteInputTokens"),
    );
    let expected = (!expected.is_null()).then(|| {
        let input = count("inputTokens") + read + written;
        (input, count("outputTokens"), read, written)
    });
    let found = view.usage.map(|usage| {
        (
            usage.input_tokens,
            usage.output_tokens,
            usage.cache_read_input_tokens,
            usage.cache_write_input_tokens,
        )
    });
    if expected == found {
        Ok(())
    } else {
        Err(format!("usage: {expected:?} is {found:?}"))
    }
}

/// Every block has its part, in order, and what only the provider understands is kept whole.
fn compare_blocks(reading: &Value, message: &Message) -> Result<(), String> {
    let blocks = reading["blocks"].as_array().unwrap();
    let silent = |block: &&Value| block["text"] == "";
    let blocks: Vec<_> = blocks.iter().filter(|block| !silent(block)).collect();
    if blocks.len() != message.parts().len() {
        let parts = message.parts().len();
        return Err(format!("{} blocks are {parts} parts", blocks.len()));
    }
    for (block, part) in blocks.into_iter().zip(message.parts()) {
        let kept = part.provider_data("bedrock");
        let kept = kept.map(|raw| serde_json::from_str::<Value>(raw.get()).unwrap());
        let kind = block.as_object().and_then(|block| block.keys().next());
        let fits = match (kind.map(String::as_str), &part.content) {
            (Some("text"), PartContent::Text(_)) => kept.is_none(),
            (Some("toolUse"), PartContent::ToolCall(_)) => block["toolUse"].get("type").is_none(),
            (
                Some("reasoningContent" | "citationsContent" | "toolUse" | "toolResult"),
                PartContent::Reasoning(_) | PartContent::Opaque | PartContent::Text(_),
            ) => kept.as_ref() == Some(block),
            (Some("image"), PartContent::Media(_)) => true,
            _ => false,
        };
        if !fits {
            return Err(format!("the block {block} is kept as {kept:?}"));
        }
    }
    Ok(())
}

fn expected_finish(raw: &Value) -> Option<FinishReason> {
    Some(match raw.as_str()? {
        "end_turn" => FinishReason::Stop,
        "max_tokens" => FinishReason::Length,
        "tool_use" => FinishReason::ToolCalls,
        "guardrail_intervened" => FinishReason::ContentFilter,
        other => FinishReason::Other(other.into()),
    })
}
