//! Each rule of the API, broken once.

use serde_json::json;
use vernal_testing::fake::FakeApi;

use super::check;

#[test]
fn ollama() {
    check(
        FakeApi::Ollama,
        &[
            ("/model", json!(null), "$: `model` is missing"),
            (
                "/tool_choice",
                json!("auto"),
                "$.tool_choice: no such field",
            ),
            (
                "/options/max_tokens",
                json!(1),
                "$.options.max_tokens: no such field",
            ),
            ("/think", json!("much"), "$.think: wanted `low`"),
            (
                "/messages/0/role",
                json!("developer"),
                "$.messages[0].role: wanted `system`",
            ),
            (
                "/messages/0/content",
                json!([]),
                "$.messages[0].content: wanted a text",
            ),
            (
                "/messages/1/images",
                json!(["data:image/png;base64,aGk="]),
                "$.messages[1].images[0]: wanted base64",
            ),
            (
                "/messages/1/tool_calls",
                json!([{"function": {"name": "now", "arguments": {}}}]),
                "$.messages[1].tool_calls: only the assistant has it",
            ),
            (
                "/messages/1/tool_name",
                json!("now"),
                "$.messages[1].tool_name: only a tool's message",
            ),
            (
                "/messages/2/tool_calls/0/function/arguments",
                json!("{}"),
                "$.messages[2].tool_calls[0].function.arguments: wanted an object",
            ),
            (
                "/messages/3/tool_call_id",
                json!("x"),
                "$.messages[3]: `x` is no open call",
            ),
            (
                "/messages/3/tool_name",
                json!("now"),
                "$.messages[3].tool_name: the call is one of `weather`",
            ),
            (
                "/messages/4/tool_name",
                json!(null),
                "$.messages[4]: a tool's message has `tool_name`",
            ),
            (
                "/messages/4",
                json!(null),
                "$.messages: no tool's message answers the calls of now",
            ),
            (
                "/messages/3",
                json!({"role": "user", "content": "So?"}),
                "$.messages[3]: no tool's message answers the calls of weather, now",
            ),
            (
                "/messages/-",
                json!({"role": "tool", "content": "", "tool_name": "now"}),
                "$.messages[5]: `now` is no open call",
            ),
            (
                "/tools/0/function/parameters",
                json!(null),
                "$.tools[0].function: `parameters` is missing",
            ),
            (
                "/tools/0/function/strict",
                json!(true),
                "$.tools[0].function.strict: no such field",
            ),
            (
                "/tools/0/function/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
            (
                "/messages/1/images/0",
                json!("data:image/png;base64,aGk="),
                "$.messages[1].images[0]: wanted base64",
            ),
        ],
    );
}
