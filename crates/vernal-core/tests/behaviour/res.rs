//! RES-1, RES-2 and RES-4: from a tool's result to what the model reads.

use std::sync::Arc;

use serde_json::json;
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::message::{Media, PartContent, ToolContent, ToolOutcome};
use vernal_core::model::ChatResponse;
use vernal_core::tool::{FunctionToolCallback, ToolCallback, ToolOutput, ToolResultStore};
use vernal_testing::{Reply, ScriptedModel};

use crate::closures::custom;
use crate::drivers::Driver;
use crate::kit::tool;
use crate::scenario::Scenario;
use crate::transcript::last_answers;

#[tokio::test]
async fn res_1_nothing_is_done_a_string_is_itself_and_the_rest_is_json() {
    #[derive(serde::Serialize)]
    struct Customer {
        name: &'static str,
        age: Option<u8>,
    }
    let tools: [(FunctionToolCallback, &str); 5] = [
        (
            FunctionToolCallback::builder("t", || ()).build().unwrap(),
            "Done",
        ),
        (
            FunctionToolCallback::builder("t", || None::<u8>)
                .build()
                .unwrap(),
            "null",
        ),
        (
            FunctionToolCallback::builder("t", || "\"as\nit is\" ".to_owned())
                .build()
                .unwrap(),
            "\"as\nit is\" ",
        ),
        (
            FunctionToolCallback::builder("t", || Customer {
                name: "지민",
                age: None,
            })
            .build()
            .unwrap(),
            r#"{"name":"지민","age":null}"#,
        ),
        (
            FunctionToolCallback::builder("t", || [1.5, 2.0])
                .build()
                .unwrap(),
            "[1.5,2.0]",
        ),
    ];
    for (tool, text) in tools {
        let scenario = Scenario::new().callback(tool).calls("t", "{}").says("done");
        scenario
            .check(|outcome| {
                let expected = [(ToolOutcome::Success, text.to_owned())];
                assert_eq!(last_answers(&outcome.history), expected);
            })
            .await;
    }
}

fn pieces() -> ToolOutput {
    let json = serde_json::value::to_raw_value(&json!({"b": 1, "a": 2})).unwrap();
    ToolOutput::from_parts([
        ToolContent::Text("a map:".into()),
        ToolContent::Media(Media::base64("image/png", "iVBORw0KGgo=")),
        ToolContent::Json(json),
        ToolContent::Media(Media::url("audio/wav", "https://example.org/a.wav")),
    ])
}

#[tokio::test]
async fn res_2_content_parts_reach_the_history_and_the_next_prompt_as_they_are() {
    let map = custom("map", |_, _| async { Ok(pieces()) });
    let scenario = Scenario::new()
        .callback(map)
        .calls("map", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            for history in [&outcome.history, outcome.prompts[1].messages()] {
                let response = history.get(2).unwrap().tool_responses().next().unwrap();
                let [text, image, json, sound] = &response.content[..] else {
                    panic!("{response:?}")
                };
                assert!(matches!(text, ToolContent::Text(text) if &**text == "a map:"));
                let png = Media::base64("image/png", "iVBORw0KGgo=");
                assert!(matches!(image, ToolContent::Media(media) if *media == png));
                assert!(
                    matches!(json, ToolContent::Json(json) if json.get() == r#"{"a":2,"b":1}"#
                    || json.get() == r#"{"b":1,"a":2}"#)
                );
                assert!(
                    matches!(sound, ToolContent::Media(media) if &*media.mime_type == "audio/wav")
                );
            }
        })
        .await;
}

#[tokio::test]
async fn res_2_an_image_that_is_the_answer_keeps_its_bytes() {
    let map = custom("map", |_, _| async { Ok(pieces()) }).metadata(|m| m.return_direct(true));
    let scenario = Scenario::new().callback(map).calls("map", "{}");
    let media = |response: &ChatResponse| -> Vec<Media> {
        let message = &response.generations[0].message;
        let media = message
            .parts()
            .iter()
            .filter_map(|part| match &part.content {
                PartContent::Media(media) => Some(media.clone()),
                _ => None,
            });
        media.collect()
    };
    scenario
        .check(|outcome| {
            let media = media(outcome.response());
            assert_eq!(media.len(), 2);
            assert_eq!(media[0], Media::base64("image/png", "iVBORw0KGgo="));
            assert!(outcome.text().starts_with("a map:\n"), "{}", outcome.text());
        })
        .await;
}

#[tokio::test]
async fn res_4_a_result_over_the_cap_is_cut_between_characters_and_says_by_how_much() {
    let korean = "가".repeat(100); // 300 bytes
    let result = format!("{}\n[cut: 99 of 300 bytes are shown]", "가".repeat(33));
    let table = [(100, result), (300, korean.clone())];
    for (max_bytes, expected) in table {
        let scenario = Scenario::new()
            .manager(|m| m.max_result_bytes(max_bytes))
            .tool(tool("long").says(&korean))
            .calls("long", "{}")
            .says("done");
        scenario
            .check(|outcome| {
                let expected = [(ToolOutcome::Success, expected.clone())];
                assert_eq!(last_answers(&outcome.history), expected);
            })
            .await;
    }
}

#[tokio::test]
async fn res_4_by_default_256_kilobytes_and_a_tool_may_have_a_cap_of_its_own() {
    let text = "x".repeat(256 * 1024 + 1);
    let (one, two) = (text.clone(), text.clone());
    let own = custom("own", move |_, _| {
        std::future::ready(Ok(ToolOutput::from_text(&*one)))
    });
    let scenario = Scenario::new()
        .callback(own.metadata(|m| m.max_result_bytes(1024 * 1024)))
        .tool(tool("long").says(&two))
        .reply(Reply::call("long", "{}").and_call("own", "{}"))
        .says("done");
    scenario
        .check_on(&[Driver::Call, Driver::Manual], |outcome| {
            let answers = last_answers(&outcome.history);
            let marker = "\n[cut: 262144 of 262145 bytes are shown]";
            assert!(answers[0].1.ends_with(marker));
            assert_eq!(answers[0].1.len(), 262_144 + marker.len());
            assert_eq!(answers[1].1, text);
        })
        .await;
}

#[tokio::test]
async fn res_4_the_text_of_an_error_is_cut_too() {
    let scenario = Scenario::new()
        .manager(|m| m.max_result_bytes(10))
        .tool(tool("bad").fails(&"<html>".repeat(100)))
        .calls("bad", "{}")
        .says("done");
    scenario
        .check(|outcome| {
            let text = "<html><htm\n[cut: 10 of 600 bytes are shown]";
            let expected = [(ToolOutcome::Failed, text.to_owned())];
            assert_eq!(last_answers(&outcome.history), expected);
        })
        .await;
}

/// The handle and the offset that stand at the end of a cut result or a page.
fn read_on(text: &str) -> Option<(Option<&str>, usize)> {
    let (_, note) = text.rsplit_once("\n[")?;
    let (_, offset) = note.strip_suffix(']')?.split_once("from offset ")?;
    let handle = note
        .split_once("handle `")
        .and_then(|(_, rest)| rest.split('`').next());
    Some((handle, offset.parse().unwrap()))
}

#[tokio::test]
async fn res_4_the_rest_can_be_read_page_by_page_in_the_same_turn() {
    let whole: String = (0..400).map(|n| format!("{n}번 ")).collect();
    let store = ToolResultStore::new(1024 * 1024);
    let manager = ToolCallingManager::builder()
        .max_result_bytes(500)
        .tool_result_store(store.clone());
    let (log, long) = (crate::kit::Log::default(), tool("long").says(&whole));
    let client = |model: ScriptedModel| {
        ChatClient::builder(model)
            .tool_calling_manager(manager.clone().build().unwrap())
            .default_tools(store.read_tool().unwrap())
            .default_tools(long.clone().build(&log))
            .build()
            .unwrap()
    };
    // Each round's request depends on the last answer, so the conversation is one request per page.
    let model = ScriptedModel::new().calls("long", "{}").says("");
    client(model.clone()).prompt("go").call().await.unwrap();
    let mut messages = model.prompts().pop().unwrap().messages().clone();
    let first = last_answers(&messages).remove(0).1;
    let (handle, mut offset) = read_on(&first).unwrap();
    let handle = handle.unwrap().to_owned();
    let mut read = first.split("\n[cut: ").next().unwrap().to_owned();
    for page in 0.. {
        assert!(page < 10, "it comes to an end");
        let arguments = json!({"handle": handle, "offset": offset, "length": 1000});
        let model = ScriptedModel::new();
        let model = model
            .calls(ToolResultStore::READ_TOOL, arguments.to_string())
            .says("");
        client(model.clone()).prompt(messages).call().await.unwrap();
        messages = model.prompts().pop().unwrap().messages().clone();
        let (outcome, text) = last_answers(&messages).remove(0);
        assert_eq!(outcome, ToolOutcome::Success, "{text}");
        read += text.rsplit_once("\n[bytes ").unwrap().0;
        match read_on(&text) {
            Some((_, next)) => offset = next,
            None => break,
        }
    }
    assert_eq!(read, whole);
}

#[tokio::test]
async fn res_4_a_wrong_handle_or_offset_is_for_the_model() {
    let store = ToolResultStore::new(64);
    let handle = store.keep("abc".into());
    let table = [
        (
            json!({"handle": "result-1", "offset": 0}),
            "no kept result `result-1`",
        ),
        (
            json!({"handle": handle, "offset": 3}),
            "has 3 bytes; the offset 3 lies behind its end",
        ),
    ];
    for (arguments, expected) in table {
        let mut scenario = Scenario::new().calls("readToolResult", &arguments.to_string());
        scenario.tools.push(Arc::new(store.read_tool().unwrap()));
        let scenario = scenario.says("done");
        scenario
            .check(|outcome| {
                let (outcome, text) = last_answers(&outcome.history).remove(0);
                assert_eq!(outcome, ToolOutcome::Failed);
                assert!(text.contains(expected), "{text}");
            })
            .await;
    }
}

#[test]
fn res_4_a_store_forgets_the_oldest_and_its_handles_cannot_be_guessed() {
    let store = ToolResultStore::new(10);
    let handles = ["aaaa", "bbbb", "cccc"].map(|text| store.keep(text.into()));
    assert!(store.read(&handles[0], 0, 9).is_err(), "forgotten");
    assert_eq!(store.read(&handles[1], 0, 9).unwrap(), "bbbb");
    assert_eq!(store.read(&handles[2], 1, 2).unwrap(), "cc");
    let other = ToolResultStore::new(10);
    let others = ["aaaa", "bbbb", "cccc"].map(|text| other.keep(text.into()));
    assert!(handles.iter().all(|handle| !others.contains(handle)));
    assert!(store.read("result-2", 0, 9).is_err());
}

#[test]
fn res_4_a_page_holds_at_least_a_character_so_that_reading_comes_to_an_end() {
    let store = ToolResultStore::new(1024);
    let handle = store.keep("가나".into());
    assert_eq!(store.read(&handle, 0, 1).unwrap(), "가");
    assert_eq!(store.read(&handle, 3, 0).unwrap(), "나");
    assert_eq!(
        store.read(&handle, 4, usize::MAX).unwrap(),
        "나",
        "from the character's start"
    );
}

#[test]
fn res_4_the_read_tool_is_harmless_and_its_pages_are_never_cut() {
    let tool = ToolResultStore::new(10).read_tool().unwrap();
    let metadata = tool.tool_metadata();
    assert!(metadata.read_only() && metadata.idempotent());
    assert!(metadata.max_result_bytes().unwrap() > ToolResultStore::MAX_PAGE_BYTES);
}

#[tokio::test]
async fn res_1_a_string_of_any_type_is_passed_verbatim() {
    use std::borrow::Cow;
    let text = r#"say "hi""#;
    let build = |tool: Result<FunctionToolCallback, _>| -> Arc<dyn ToolCallback> {
        let tool: Result<_, vernal_core::tool::ToolDefinitionError> = tool;
        Arc::new(tool.unwrap())
    };
    let tools = [
        build(FunctionToolCallback::builder("t", move || Cow::Borrowed(text)).build()),
        build(FunctionToolCallback::builder("t", move || Box::<str>::from(text)).build()),
        build(FunctionToolCallback::builder("t", move || Some(text.to_owned())).build()),
        build(
            FunctionToolCallback::builder("t", move || Ok::<_, String>(Some(text.to_owned())))
                .build(),
        ),
    ];
    for tool in tools {
        let mut scenario = Scenario::new().calls("t", "{}").says("done");
        scenario.tools.push(tool);
        scenario
            .check(|outcome| {
                let expected = [(ToolOutcome::Success, text.to_owned())];
                assert_eq!(last_answers(&outcome.history), expected);
            })
            .await;
    }
    let shared = ToolOutput::from_value(Arc::new(text.to_owned())).unwrap();
    assert_eq!(shared.text(), text);
    let none = ToolOutput::from_value(None::<String>).unwrap();
    assert_eq!(none.text(), "null");
}

#[test]
fn res_4_a_handle_that_the_model_made_up_is_told_in_short() {
    let store = ToolResultStore::new(10);
    let error = store.read(&"x".repeat(100_000), 0, 1).unwrap_err();
    assert!(error.to_string().len() < 400);
}
