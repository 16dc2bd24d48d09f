//! Each rule of the API, broken once.

use serde_json::{Value, json};
use vernal_testing::fake::FakeApi;

use super::check;

#[test]
fn anthropic() {
    let result = json!({"type": "tool_result", "tool_use_id": "a", "content": ""});
    check(
        FakeApi::Anthropic,
        &[
            ("/max_tokens", json!(null), "$: `max_tokens` is missing"),
            (
                "/max_tokens",
                json!(0),
                "$.max_tokens: wanted a whole number of at least 1",
            ),
            (
                "/frequency_penalty",
                json!(1),
                "$.frequency_penalty: no such field",
            ),
            (
                "/temperature",
                json!(1.5),
                "$.temperature: wanted a number from 0 to 1",
            ),
            (
                "/system/0/text",
                json!(""),
                "$.system[0].text: a text that is not empty",
            ),
            (
                "/messages/0/role",
                json!("tool"),
                "$.messages[0].role: wanted `user`",
            ),
            (
                "/messages/0/content/0/text",
                json!(""),
                "$.messages[0].content[0].text: a text that is not empty",
            ),
            (
                "/messages/0/content/1/source/media_type",
                json!("image/tiff"),
                "$.messages[0].content[1].source.media_type: wanted `image/jpeg`",
            ),
            (
                "/messages/0/content/1/source/data",
                json!("?"),
                "$.messages[0].content[1].source.data: wanted base64",
            ),
            (
                "/messages/1/content/0/signature",
                json!(null),
                "$.messages[1].content[0]: `signature` is missing",
            ),
            (
                "/messages/1/content/1/input",
                json!("{}"),
                "$.messages[1].content[1].input: wanted an object",
            ),
            (
                "/messages/1/content/1/id",
                json!("a b"),
                "$.messages[1].content[1].id: wanted an id",
            ),
            (
                "/messages/1/content/2/id",
                json!("a"),
                "$.messages[1].content[2].id: another `tool_use` has the id `a`",
            ),
            (
                "/messages/2/content/0",
                json!(null),
                "$.messages[2]: each `tool_use` has its `tool_result`",
            ),
            (
                "/messages/2",
                json!(null),
                "$.messages: each `tool_use` has its `tool_result`",
            ),
            (
                "/messages/2/content/0/tool_use_id",
                json!("x"),
                "$.messages[2].content[0].tool_use_id: `x` is no `tool_use`",
            ),
            (
                "/messages/2/content/-",
                result,
                "$.messages[2].content[3]: the results come before anything else",
            ),
            (
                "/messages/2/content/0/name",
                json!("weather"),
                "$.messages[2].content[0].name: no such field",
            ),
            (
                "/tools/0/parameters",
                json!({}),
                "$.tools[0].parameters: no such field",
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
                "/tools/0/input_schema",
                json!({"type": "string"}),
                "$.tools[0].input_schema: a tool's schema has",
            ),
            (
                "/tools",
                json!(null),
                "$.tool_choice: it is allowed only where `tools` are",
            ),
            (
                "/tool_choice",
                json!({"type": "tool", "name": "later"}),
                "$.tool_choice: `later` is no tool",
            ),
            (
                "/tool_choice",
                json!({"type": "any"}),
                "$.tool_choice: with `thinking` the choice is",
            ),
            (
                "/tool_choice/type",
                json!("required"),
                "$.tool_choice.type: wanted `auto`",
            ),
            (
                "/thinking/budget_tokens",
                json!(5000),
                "$.thinking.budget_tokens: it is less than `max_tokens`",
            ),
            (
                "/thinking/budget_tokens",
                json!(10),
                "$.thinking.budget_tokens: wanted a whole number of at least 1024",
            ),
            (
                "/system",
                json!([mark(), mark(), mark(), mark(), mark()]),
                "$: at most 4 blocks have `cache_control`, found 5",
            ),
            (
                "/messages/0/content/0/text",
                json!(" \n"),
                "$.messages[0].content[0].text: the text is blank",
            ),
            (
                "/messages/0/content/1/source/data",
                json!(""),
                "$.messages[0].content[1].source.data: wanted base64",
            ),
            (
                "/messages/0/content/1/source/data",
                json!("aGk"),
                "$.messages[0].content[1].source.data: wanted base64",
            ),
            ("/messages", json!([]), "$.messages: wanted 1 to"),
            (
                "/messages/-",
                json!({"role": "assistant", "content": "The answer is "}),
                "$.messages[3]: final assistant content cannot end with trailing whitespace",
            ),
            (
                "/messages/-",
                json!({"role": "assistant", "content": [{"type": "text", "text": "It is\n"}]}),
                "$.messages[3]: final assistant content cannot end with trailing whitespace",
            ),
            (
                "/messages/1/content/0",
                json!(null),
                "$.messages[1]: expected `thinking` or `redacted_thinking`, but found `tool_use`",
            ),
            (
                "/temperature",
                json!(0.5),
                "$.temperature: it may only be set to 1",
            ),
            ("/top_k", json!(5), "$.top_k: it must be unset"),
            ("/top_p", json!(0.5), "$.top_p: it must be at least 0.95"),
            (
                "/tools/0/input_schema/anyOf",
                json!([]),
                "$.tools[0].input_schema: a tool's schema has none of oneOf, allOf, anyOf",
            ),
            (
                "/tools/0",
                strict(json!({"properties": {"n": {"type": "integer", "minimum": 1}}})),
                "$.tools[0].input_schema.properties.n.minimum: it is not permitted",
            ),
            (
                "/tools/0",
                strict(json!({"properties": {"n": true}})),
                "$.tools[0].input_schema.properties.n: a strict schema is an object",
            ),
            (
                "/tools/0",
                strict(json!({"properties": {"n": {"type": "object"}}})),
                "$.tools[0].input_schema.properties.n: a strict schema has `\"additionalProperties\"",
            ),
            (
                "/tools/0",
                strict(
                    json!({"properties": {"n": {"type": "array", "items": {"type": "null"}, "minItems": 2}}}),
                ),
                "$.tools[0].input_schema.properties.n.minItems: strict mode takes only 0 or 1",
            ),
            (
                "/tools",
                json!([{"name": "now", "input_schema": {"type": "object"}, "defer_loading": true}]),
                "$.tools: at least one tool has no `defer_loading`",
            ),
            (
                "/tools/1",
                json!({
                    "name": "now", "input_schema": {"type": "object"}, "defer_loading": true,
                    "cache_control": {"type": "ephemeral"},
                }),
                "$.tools[1]: a tool with `defer_loading` has no `cache_control`",
            ),
            (
                "/output_config",
                json!({"format": {"type": "json_schema", "schema": {"type": "object", "properties": {}}}}),
                "$.output_config.format.schema: a strict schema has `\"additionalProperties\"",
            ),
            (
                "/tools/0",
                json!({"name": "weather", "strict": true, "input_schema": {
                    "type": "object", "additionalProperties": false,
                    "properties": {"root": {"$ref": "#/$defs/Node"}},
                    "$defs": {"Node": {
                        "type": "object", "additionalProperties": false,
                        "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}},
                    }},
                }}),
                "$.tools[0].input_schema.$defs.Node: a recursive schema is not supported",
            ),
        ],
    );
}

fn mark() -> Value {
    json!({"type": "text", "text": "t", "cache_control": {"type": "ephemeral", "ttl": "1h"}})
}

fn strict(more: Value) -> Value {
    let mut schema = json!({"type": "object", "additionalProperties": false});
    schema["properties"] = more["properties"].clone();
    json!({"name": "weather", "strict": true, "input_schema": schema})
}
