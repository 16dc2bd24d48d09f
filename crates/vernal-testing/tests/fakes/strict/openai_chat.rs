//! Each rule of the API, broken once.

use serde_json::json;
use vernal_testing::fake::FakeApi;

use super::check;

#[test]
fn openai_chat() {
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "now", "arguments": "{}"}});
    check(
        FakeApi::OpenAiChat,
        &[
            ("/model", json!(null), "$: `model` is missing"),
            ("/model", json!(""), "$.model: a text that is not empty"),
            ("/messages", json!([]), "$.messages: wanted 1 to"),
            ("/top_k", json!(3), "$.top_k: no such field"),
            (
                "/temperature",
                json!(3),
                "$.temperature: wanted a number from 0 to 2",
            ),
            (
                "/temperature",
                json!("warm"),
                "$.temperature: wanted a number",
            ),
            (
                "/messages/0/role",
                json!("robot"),
                "$.messages[0].role: wanted `developer`",
            ),
            (
                "/messages/0/extra",
                json!(1),
                "$.messages[0].extra: no such field",
            ),
            (
                "/messages/1/content/0/type",
                json!("input_text"),
                "$.messages[1].content[0].type: wanted `text`",
            ),
            (
                "/messages/1/content/1/image_url",
                json!("data:"),
                "$.messages[1].content[1].image_url: wanted an object",
            ),
            (
                "/messages/2/tool_calls/0/function/arguments",
                json!({}),
                "$.messages[2].tool_calls[0].function.arguments: wanted a text",
            ),
            (
                "/messages/2/tool_calls/0/function/arguments",
                json!("{"),
                "$.messages[2].tool_calls[0].function.arguments: wanted the text of a JSON object",
            ),
            (
                "/messages/2/tool_calls/0/function/name",
                json!("get weather"),
                "$.messages[2].tool_calls[0].function.name: wanted a name",
            ),
            (
                "/messages/2/tool_calls/0/id",
                json!(null),
                "$.messages[2].tool_calls[0]: `id` is missing",
            ),
            (
                "/messages/2/tool_calls/-",
                call("b"),
                "$.messages[2].tool_calls[2]: another call has the id `b` too",
            ),
            (
                "/messages/2/tool_calls/-",
                call("c"),
                "$.messages: no tool message answers the calls c",
            ),
            (
                "/messages/3",
                json!({"role": "user", "content": "So?"}),
                "$.messages[3]: a message of the role `user` comes before the calls a, b",
            ),
            (
                "/messages/3/tool_call_id",
                json!("x"),
                "$.messages[3].tool_call_id: `x` is no open call",
            ),
            (
                "/messages/-",
                json!({"role": "tool", "tool_call_id": "a", "content": ""}),
                "$.messages[5].tool_call_id: `a` is no open call",
            ),
            (
                "/messages/4",
                json!(null),
                "$.messages: no tool message answers the calls a",
            ),
            (
                "/messages/4/tool_call_id",
                json!(null),
                "$.messages[4]: `tool_call_id` is missing",
            ),
            (
                "/messages/-",
                json!({"role": "assistant"}),
                "$.messages[5]: an assistant's message has `content`",
            ),
            (
                "/messages/2/reasoning_content",
                json!("Hm."),
                "$.messages[2].reasoning_content: no such field",
            ),
            (
                "/tools/0/function/name",
                json!("a".repeat(65)),
                "$.tools[0].function.name: wanted a name",
            ),
            (
                "/tools/0/function/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
            (
                "/tools/0/function/parameters/type",
                json!("string"),
                "$.tools[0].function.parameters: a tool's schema has",
            ),
            (
                "/tools/0/function/parameters/additionalProperties",
                json!(null),
                "$.tools[0].function.parameters: a strict schema has",
            ),
            (
                "/tools/0/function/parameters/required",
                json!([]),
                "$.tools[0].function.parameters.properties.city: a strict schema requires",
            ),
            (
                "/tools/0/function/parameters/required/-",
                json!("town"),
                "$.tools[0].function.parameters.required[1]: \"town\" is no property",
            ),
            (
                "/tools/0/type",
                json!("tool"),
                "$.tools[0].type: wanted `function`",
            ),
            (
                "/tools",
                json!(null),
                "$.tool_choice: it is allowed only where `tools` are",
            ),
            ("/tool_choice", json!("any"), "$.tool_choice: wanted `none`"),
            (
                "/tool_choice/function/name",
                json!("later"),
                "$.tool_choice: `later` is no tool",
            ),
            (
                "/stream_options",
                json!({"include_usage": true}),
                "$.stream_options: only a stream has options",
            ),
            (
                "/stop",
                json!(["1", "2", "3", "4", "5"]),
                "$.stop: wanted 1 to 4 items",
            ),
            (
                "/messages/1/content/1/image_url/url",
                json!("data:image/png;base64,a?k="),
                "$.messages[1].content[1].image_url.url: wanted an `https` URL or",
            ),
            (
                "/messages/1/content/1/image_url/url",
                json!("aGk="),
                "$.messages[1].content[1].image_url.url: wanted an `https` URL or",
            ),
            (
                "/messages/1/content/1",
                json!({"type": "file", "file": {"file_data": "aGk="}}),
                "$.messages[1].content[1].file.file_data: wanted a base64-encoded data URL",
            ),
            (
                "/messages/1/content/1",
                json!({"type": "file", "file": {"filename": "a"}}),
                "$.messages[1].content[1].file: a file has either",
            ),
            (
                "/messages/1/content/1",
                json!({"type": "input_audio", "input_audio": {"data": "a", "format": "wav"}}),
                "$.messages[1].content[1].input_audio.data: wanted base64",
            ),
            (
                "/messages/1/content",
                (0..5)
                    .map(|_| json!({"type": "text", "text": "t", "prompt_cache_breakpoint": {}}))
                    .collect(),
                "$: at most 4 parts have `prompt_cache_breakpoint`, found 5",
            ),
            (
                "/tools/1/function/parameters",
                json!({"type": "object", "anyOf": []}),
                "$.tools[1].function.parameters: a tool's schema has none of oneOf, anyOf",
            ),
            (
                "/tools/1/function/parameters",
                json!({"type": "object", "properties": {"a": {"type": "array"}}}),
                "$.tools[1].function.parameters.properties.a: array schema missing items",
            ),
            (
                "/tools/0/function/parameters/properties/city/default",
                json!("Jeju"),
                "$.tools[0].function.parameters.properties.city.default: it is not permitted",
            ),
            (
                "/tools/0/function/parameters/properties/city/format",
                json!("uri"),
                "$.tools[0].function.parameters.properties.city.format: `uri` is not a valid format",
            ),
            (
                "/tool_choice",
                json!({"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": [
                    {"type": "function", "function": {"name": "later"}},
                ]}}),
                "$.tool_choice: `later` is no tool",
            ),
            (
                "/tools/0",
                json!({"type": "custom", "custom": {"name": "c", "format": {"type": "grammar"}}}),
                "$.tools[0].custom.format: `grammar` is missing",
            ),
            (
                "/response_format",
                json!({"type": "json_schema", "json_schema": {"name": "a", "strict": true, "schema": {"type": "array"}}}),
                "$.response_format.json_schema.schema: the schema of an answer has",
            ),
            (
                "/response_format",
                json!({"type": "json_schema", "json_schema": {"name": "a", "strict": true, "schema": {"type": "object"}}}),
                "$.response_format.json_schema.schema: a strict schema has `\"additionalProperties\"",
            ),
            (
                "/response_format",
                json!({"type": "json_object"}),
                "$.response_format: the messages must contain the word 'json'",
            ),
            (
                "/top_logprobs",
                json!(3),
                "$.top_logprobs: it needs `logprobs`",
            ),
            (
                "/metadata",
                json!({"a": "x".repeat(513)}),
                "$.metadata.a: wanted a text of at most 512",
            ),
            (
                "/metadata",
                (0..17)
                    .map(|index| (format!("k{index}"), json!("v")))
                    .collect(),
                "$.metadata: there are at most 16 pairs",
            ),
        ],
    );
}
