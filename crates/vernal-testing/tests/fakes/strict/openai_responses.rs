//! Each rule of the API, broken once.

use serde_json::json;
use vernal_testing::fake::FakeApi;

use super::check;

#[test]
fn openai_responses() {
    check(
        FakeApi::OpenAiResponses,
        &[
            ("/model", json!(null), "$: `model` is missing"),
            ("/input", json!([]), "$.input: wanted 1 to"),
            ("/messages", json!([]), "$.messages: no such field"),
            (
                "/input/0/content/0/type",
                json!("text"),
                "$.input[0].content[0].type: wanted `input_text`",
            ),
            (
                "/input/0/role",
                json!("tool"),
                "$.input[0].role: wanted `user`",
            ),
            (
                "/input/0/type",
                json!("note"),
                "$.input[0].type: `note` is no kind of item",
            ),
            (
                "/input/1/summary",
                json!(null),
                "$.input[1]: `summary` is missing",
            ),
            (
                "/input/2/arguments",
                json!({}),
                "$.input[2].arguments: wanted a text",
            ),
            (
                "/input/2/call_id",
                json!(null),
                "$.input[2]: `call_id` is missing",
            ),
            (
                "/input/3/call_id",
                json!("a"),
                "$.input[3].call_id: another call has the id `a`",
            ),
            (
                "/input/4/call_id",
                json!("x"),
                "$.input[4].call_id: `x` is no call before it",
            ),
            (
                "/input/5",
                json!(null),
                "$.input: no `function_call_output` answers the calls b",
            ),
            (
                "/input/-",
                json!({"type": "reasoning", "id": "rs_2", "summary": []}),
                "$.input[6]: reasoning comes with the item",
            ),
            (
                "/previous_response_id",
                json!("resp_x"),
                "$.previous_response_id: `resp_x` is no response",
            ),
            (
                "/tools/0/function",
                json!({}),
                "$.tools[0].function: no such field",
            ),
            (
                "/tools/0/name",
                json!("get weather"),
                "$.tools[0].name: wanted a name",
            ),
            (
                "/tools/0/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
            (
                "/tools/0/parameters/additionalProperties",
                json!(null),
                "$.tools[0].parameters: a strict schema has",
            ),
            (
                "/tool_choice/name",
                json!("later"),
                "$.tool_choice: `later` is no tool",
            ),
            (
                "/tools",
                json!(null),
                "$.tool_choice: it is allowed only where `tools` are",
            ),
            (
                "/max_output_tokens",
                json!(1),
                "$.max_output_tokens: wanted a whole number of at least 16",
            ),
            (
                "/input/0/content/0",
                json!({"type": "input_image", "image_url": "data:image/png;base64,a"}),
                "$.input[0].content[0].image_url: wanted an `https` URL or",
            ),
            (
                "/input/0/content/0",
                json!({"type": "input_file", "file_data": "aGk="}),
                "$.input[0].content[0].file_data: wanted a base64-encoded data URL",
            ),
            (
                "/tools/1/parameters",
                json!({"type": "object", "oneOf": []}),
                "$.tools[1].parameters: a tool's schema has none of oneOf, anyOf",
            ),
            (
                "/tools/1",
                json!({"type": "mcp", "server_label": "m"}),
                "$.tools[1]: a server is named by one of server_url",
            ),
            (
                "/tools/1",
                json!({"type": "custom", "name": "c", "format": {"type": "grammar"}}),
                "$.tools[1].format: `syntax` is missing",
            ),
            (
                "/tool_choice",
                json!({"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "later"}]}),
                "$.tool_choice: `later` is no tool",
            ),
            (
                "/text",
                json!({"format": {"type": "json_schema", "name": "a", "strict": true, "schema": {"type": "array"}}}),
                "$.text.format.schema: the schema of an answer has",
            ),
            (
                "/text",
                json!({"format": {"type": "json_object"}}),
                "$.text.format: the messages must contain the word 'json'",
            ),
            (
                "/input/-",
                json!({"type": "custom_tool_call", "call_id": "c", "name": "n", "input": "x"}),
                "$.input: no `function_call_output` answers the calls c",
            ),
            (
                "/input/-",
                json!({"type": "custom_tool_call_output", "call_id": "c", "output": "x"}),
                "$.input[6].call_id: `c` is no call before it",
            ),
            (
                "/input/-",
                json!({"type": "item_reference", "id": "msg_1"}),
                "$.input[6].id: Item with id 'msg_1' not found",
            ),
        ],
    );
}
