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
        ],
    );
}

fn mark() -> Value {
    json!({"type": "text", "text": "t", "cache_control": {"type": "ephemeral", "ttl": "1h"}})
}
