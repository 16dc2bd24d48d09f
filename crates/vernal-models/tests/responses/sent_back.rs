//! What an answer had is sent back as it came.

use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use vernal_core::message::{History, Message, Part, PartContent, ProviderData, Role};
use vernal_core::model::{ChatModel, ChatOptions, Prompt};
use vernal_models::openai::responses::ResponsesState;

use crate::model::{builder, model};
use crate::support::canned::Canned;
use crate::{HELLO, answer, input_of, message_of, sent_by, stream_of, whole_stream};

/// Odd spaces and escapes show that the bytes are the same.
const REASONING: &str = r#"{"id":"rs_1", "type":"reasoning","summary":[{"type":"summary_text","text":"\u0048m."}],"encrypted_content":"gAAA+/=="}"#;
const SILENT: &str = r#"{"id":"rs_2","type":"reasoning","summary":[], "encrypted_content":"gBBB"}"#;
const CALL: &str = r#"{"id":"fc_1","type":"function_call","status":"completed","arguments":"{\"x\":1}","call_id":"call_a","name":"sum","namespace":"math"}"#;
const SAID: &str = r#"{"id":"msg_1","type":"message","status":"completed","role":"assistant","phase":"commentary","content":[{"type":"output_text","annotations":[{"type":"url_citation"}],"text":"So \u00e9."},{"type":"refusal","refusal":"No more."}]}"#;
const SEARCH: &str =
    r#"{"id":"ws_1","type":"web_search_call","status":"completed","action":{"query":"x"} }"#;

/// The bytes of the items that are sent for these messages, up to the result of a call.
async fn bytes_of(messages: impl Into<History>) -> String {
    let canned = Canned::new(HELLO);
    let prompt = Prompt::new(messages, ChatOptions::default());
    model(&canned).call(prompt).await.unwrap();
    let sent = canned.last_sent();
    let (_, input) = sent.split_once(r#""input":["#).unwrap();
    let items = input.strip_suffix("]}").unwrap();
    let result = items.find(r#",{"type":"function_call_output""#);
    items[..result.unwrap_or(items.len())].to_owned()
}

#[tokio::test]
async fn items_go_back_byte_for_byte_in_their_order() {
    let all = format!("[{REASONING},{SAID},{SILENT},{CALL},{SEARCH}]");
    let response = answer(&all).await;
    let bytes = bytes_of(vec![message_of(&response)]).await;
    let call = r#"{"type":"function_call","call_id":"call_a","name":"sum","arguments":"{\"x\":1}","id":"fc_1","namespace":"math"}"#;
    assert_eq!(bytes, [REASONING, SAID, SILENT, call, SEARCH].join(","));
    // It is the same after a round through a store.
    let stored = serde_json::to_string(&message_of(&response)).unwrap();
    let read: Message = serde_json::from_str(&stored).unwrap();
    assert_eq!(bytes_of(vec![read]).await, bytes);
}

#[tokio::test]
async fn a_streamed_answer_goes_back_like_a_whole_one() {
    let done = |index: usize, item: &str| {
        format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{item}}}"#)
    };
    let items = [REASONING, SAID, SILENT, CALL, SEARCH];
    let between: Vec<String> = items
        .iter()
        .enumerate()
        .map(|(at, item)| done(at, item))
        .collect();
    // What the end repeats is encrypted anew, and may be left out.
    let anew = format!("[{}]", items.join(",")).replace("gAAA", "gCCC");
    let whole = bytes_of(vec![message_of(
        &answer(&format!("[{}]", items.join(","))).await,
    )])
    .await;
    for output in [anew.as_str(), "[]"] {
        let (_, end) = stream_of(&whole_stream(&between, output)).await;
        assert_eq!(bytes_of(vec![message_of(&end.unwrap())]).await, whole);
    }
}

#[tokio::test]
async fn changed_texts_and_the_data_of_others_do_not_pass_for_ours() {
    let of = |provider: &'static str, content: PartContent, data: Value| {
        Part::from(content)
            .with_provider_data(ProviderData::new(provider, to_raw_value(&data).unwrap()))
    };
    let ours = "compatible-responses";
    let said: Value = serde_json::from_str(SAID).unwrap();
    let thought: Value = serde_json::from_str(REASONING).unwrap();
    let message = Message::new(
        Role::Assistant,
        vec![
            of(
                "openai-responses",
                PartContent::Reasoning("Hm.".into()),
                thought,
            ),
            PartContent::Reasoning("Nobody's.".into()).into(),
            of(ours, PartContent::Text("Changed.".into()), said),
            PartContent::Refusal("No more.".into()).into(),
            of(
                ours,
                PartContent::Opaque,
                json!({"type": "function_call", "call_id": "x"}),
            ),
            of(ours, PartContent::Opaque, json!({"response_id": "resp_1"})),
            of(ours, PartContent::Opaque, json!("x")),
        ],
    );
    assert_eq!(
        input_of(vec![message]).await,
        json!([
            {"type": "message", "role": "assistant", "phase": "commentary",
             "content": "Changed."},
            {"type": "message", "role": "assistant", "content": "No more."},
        ])
    );
}

#[tokio::test]
async fn reasoning_that_nobody_kept_is_left_out_with_the_ids_beside_it() {
    let bare = r#"{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":null}"#;
    let said = r#"{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"So."}]}"#;
    let message = message_of(&answer(&format!("[{bare},{said},{CALL}]")).await);
    let mut input = input_of(vec![message.clone()]).await;
    input.as_array_mut().unwrap().pop();
    let call = json!({"type": "function_call", "call_id": "call_a", "name": "sum",
        "arguments": "{\"x\":1}", "namespace": "math"});
    assert_eq!(
        input,
        json!([
            {"type": "message", "role": "assistant", "content": "So."},
            call,
        ])
    );
    // A server that keeps its answers finds it by its id.
    let canned = Canned::new(HELLO);
    let stored = builder(&canned)
        .state(ResponsesState::Stored)
        .build()
        .unwrap();
    let prompt = Prompt::new(vec![message], ChatOptions::default());
    let sent = sent_by(&stored, &canned, prompt).await;
    assert_eq!(
        sent["input"][0],
        serde_json::from_str::<Value>(bare).unwrap()
    );
    assert_eq!(sent["input"][2]["id"], "fc_1");
    assert_eq!((sent.get("store"), sent.get("include")), (None, None));
}

#[tokio::test]
async fn open_reasoning_goes_back_too() {
    let open = r#"{"id":"rs_1","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"Hm."}]}"#;
    let response = answer(&format!("[{open},{CALL}]")).await;
    assert_eq!(response.generations[0].message.reasoning(), "Hm.");
    let bytes = bytes_of(vec![message_of(&response)]).await;
    assert!(bytes.starts_with(open), "{bytes}");
}
