//! Each rule of the API, broken once.

use serde_json::json;
use vernal_testing::fake::FakeApi;

use super::check;

#[test]
fn bedrock() {
    let result = json!({"toolResult": {"toolUseId": "a", "content": []}});
    check(
        FakeApi::Bedrock,
        &[
            ("/messages", json!([]), "$.messages: wanted 1 to"),
            ("/modelId", json!("m"), "$.modelId: no such field"),
            (
                "/inferenceConfig/temperature",
                json!(1.5),
                "$.inferenceConfig.temperature: wanted a number from 0 to 1",
            ),
            (
                "/inferenceConfig/max_tokens",
                json!(1),
                "$.inferenceConfig.max_tokens: no such field",
            ),
            (
                "/system/0/text",
                json!(""),
                "$.system[0].text: a text that is not empty",
            ),
            (
                "/system/0/cachePoint",
                json!({"type": "default"}),
                "$.system[0]: exactly one member",
            ),
            (
                "/messages/0/role",
                json!("tool"),
                "$.messages[0].role: wanted `user`",
            ),
            (
                "/messages/0",
                json!(null),
                "$.messages[0]: the conversation begins with",
            ),
            (
                "/messages/0/content/0",
                json!({}),
                "$.messages[0].content[0]: exactly one member",
            ),
            (
                "/messages/0/content/0/text",
                json!(""),
                "$.messages[0].content[0].text: a text that is not empty",
            ),
            (
                "/messages/0/content/1/image/format",
                json!("tiff"),
                "$.messages[0].content[1].image.format: wanted `png`",
            ),
            (
                "/messages/1/role",
                json!("user"),
                "$.messages[1].content[1]: only the assistant uses tools",
            ),
            (
                "/messages/1/content/1/toolUse/input",
                json!("{}"),
                "$.messages[1].content[1].toolUse.input: wanted an object",
            ),
            (
                "/messages/1/content/1/toolUse/name",
                json!("get weather"),
                "$.messages[1].content[1].toolUse.name: wanted a name",
            ),
            (
                "/messages/1/content/2/toolUse/toolUseId",
                json!("a"),
                "$.messages[1].content[2]: another `toolUse` has the id `a`",
            ),
            (
                "/messages/2/content/0",
                json!(null),
                "$.messages[2]: each `toolUse` has its `toolResult`",
            ),
            (
                "/messages/2",
                json!(null),
                "$.messages: each `toolUse` has its `toolResult`",
            ),
            (
                "/messages/2/content/0/toolResult/toolUseId",
                json!("x"),
                "$.messages[2].content[0]: `x` is no `toolUse`",
            ),
            (
                "/messages/2/content/-",
                result,
                "$.messages[2].content[2]: `a` is no `toolUse`",
            ),
            (
                "/messages/2/content/0/toolResult/content",
                json!("Sunny"),
                "$.messages[2].content[0].toolResult.content: wanted a list",
            ),
            (
                "/messages/2/content/0/toolResult/status",
                json!("failed"),
                "$.messages[2].content[0].toolResult.status: wanted `success`",
            ),
            (
                "/toolConfig",
                json!(null),
                "$: `toolConfig` is wanted where",
            ),
            (
                "/toolConfig/tools/0/toolSpec/name",
                json!("now"),
                "$.toolConfig.tools[1]: another tool is called `now`",
            ),
            (
                "/toolConfig/tools/0/toolSpec/inputSchema",
                json!({"type": "object"}),
                "$.toolConfig.tools[0].toolSpec.inputSchema: `json` is missing",
            ),
            (
                "/toolConfig/toolChoice",
                json!({"none": {}}),
                "$.toolConfig.toolChoice.none: no such field",
            ),
            (
                "/toolConfig/toolChoice/tool/name",
                json!("later"),
                "$.toolConfig.toolChoice: `later` is no tool",
            ),
            (
                "/messages/0/content/0/text",
                json!(" \n"),
                "$.messages[0].content[0].text: the text is blank",
            ),
            (
                "/system/0/text",
                json!(" "),
                "$.system[0].text: the text is blank",
            ),
            (
                "/messages/0/content/1/image/source/bytes",
                json!("a=k="),
                "$.messages[0].content[1].image.source.bytes: wanted base64",
            ),
            (
                "/messages/0/content",
                json!([{"document": {"name": "a", "source": {"bytes": "aGk="}}}]),
                "$.messages[0]: a message with a `document` has a `text` too",
            ),
            (
                "/messages/0/content/1",
                json!({"document": {"name": "a.pdf", "source": {"bytes": "aGk="}}}),
                "$.messages[0].content[1].document.name: wanted a name",
            ),
            (
                "/messages/0/content/1",
                json!({"video": {"format": "mp4", "source": {"bytes": "a"}}}),
                "$.messages[0].content[1].video.source.bytes: wanted base64",
            ),
        ],
    );
}
