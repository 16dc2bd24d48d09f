//! Each rule of the API, broken once.

use serde_json::json;
use vernal_testing::fake::FakeApi;

use super::check;

#[test]
fn gemini() {
    let answer = |name: &str| json!({"functionResponse": {"name": name, "response": {}}});
    check(
        FakeApi::Gemini,
        &[
            ("/contents", json!([]), "$.contents: wanted 1 to"),
            ("/messages", json!([]), "$.messages: no such field"),
            (
                "/contents/0/role",
                json!("assistant"),
                "$.contents[0].role: wanted `user`",
            ),
            (
                "/contents/0/parts",
                json!([]),
                "$.contents[0].parts: wanted 1 to",
            ),
            (
                "/contents/0/parts/0/thought",
                json!("no"),
                "$.contents[0].parts[0].thought: wanted true or false",
            ),
            (
                "/contents/0/parts/0",
                json!({}),
                "$.contents[0].parts[0]: a part is one of",
            ),
            (
                "/contents/0/parts/0/fileData",
                json!({"fileUri": "u"}),
                "$.contents[0].parts[0]: a part is one of",
            ),
            (
                "/contents/0",
                json!(null),
                "$.contents[0]: the first content is the user's",
            ),
            (
                "/contents/1/role",
                json!("user"),
                "$.contents[1]: only the model calls functions",
            ),
            (
                "/contents/1/parts/0/functionCall/args",
                json!("{}"),
                "$.contents[1].parts[0].functionCall.args: wanted an object",
            ),
            (
                "/contents/1/parts/0/functionCall/name",
                json!("1st"),
                "$.contents[1].parts[0].functionCall.name: wanted a name",
            ),
            (
                "/contents/2/parts/0/functionResponse/response",
                json!("Sunny"),
                "$.contents[2].parts[0].functionResponse.response: wanted an object",
            ),
            (
                "/contents/2/parts/0/functionResponse/name",
                json!(null),
                "$.contents[2].parts[0].functionResponse: `name` is missing",
            ),
            (
                "/contents/2/parts/0/functionResponse/name",
                json!("later"),
                "$.contents[2]: the answer of `later`",
            ),
            (
                "/contents/2/parts/0/functionResponse/id",
                json!("x"),
                "$.contents[2]: the answer of `weather` with the id `x`",
            ),
            (
                "/contents/2/parts/1",
                json!(null),
                "$.contents[2]: as many answers as calls",
            ),
            (
                "/contents/2/parts/-",
                answer("now"),
                "$.contents[2]: as many answers as calls",
            ),
            (
                "/contents/2/parts/-",
                json!({"text": "So?"}),
                "$.contents[2]: answers of functions stand in a content of their own",
            ),
            (
                "/contents/2",
                json!(null),
                "$.contents: as many answers as calls",
            ),
            (
                "/contents/0",
                json!({"role": "model", "parts": [{"text": "Hi."}]}),
                "$.contents[1]: a turn of calls comes right after",
            ),
            (
                "/tools/0/functionDeclarations/0/parameters",
                json!({"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}),
                "$.tools[0].functionDeclarations[0].parameters: `parametersJsonSchema` stands",
            ),
            (
                "/tools/0/functionDeclarations/0/name",
                json!("get weather"),
                "$.tools[0].functionDeclarations[0].name: wanted a name",
            ),
            (
                "/tools/0/functionDeclarations/0/name",
                json!("now"),
                "$.tools[1]: another tool is called `now`",
            ),
            (
                "/tools/0/functionDeclarations/1/parameters/$schema",
                json!("x"),
                "$.tools[0].functionDeclarations[1].parameters.$schema: no such field",
            ),
            (
                "/tools/0/functionDeclarations/1/parameters/type",
                json!("TEXT"),
                "$.tools[0].functionDeclarations[1].parameters.type: wanted one of",
            ),
            (
                "/tools",
                json!(null),
                "$.toolConfig.functionCallingConfig: it is allowed only where",
            ),
            (
                "/toolConfig/functionCallingConfig/mode",
                json!("AUTO"),
                "$.toolConfig.functionCallingConfig.allowedFunctionNames: names are allowed only",
            ),
            (
                "/toolConfig/functionCallingConfig/allowedFunctionNames",
                json!(["later"]),
                "$.toolConfig.functionCallingConfig.allowedFunctionNames[0]: `later` is no tool",
            ),
            (
                "/generationConfig/max_tokens",
                json!(1),
                "$.generationConfig.max_tokens: no such field",
            ),
            (
                "/contents/0/parts/1/inlineData/data",
                json!("aG=k"),
                "$.contents[0].parts[1].inlineData.data: wanted base64",
            ),
            (
                "/contents/0/parts/1/inlineData/data",
                json!("aGkhI"),
                "$.contents[0].parts[1].inlineData.data: wanted base64",
            ),
            (
                "/tools/0/functionDeclarations/1/parameters/properties/zone",
                json!({"type": "ARRAY"}),
                "$.tools[0].functionDeclarations[1].parameters.properties.zone: items: missing field",
            ),
            (
                "/tools/0/functionDeclarations/1/parameters/properties/zone",
                json!({"type": "INTEGER", "enum": ["1"]}),
                "$.tools[0].functionDeclarations[1].parameters.properties.zone.enum: only allowed for",
            ),
            (
                "/tools/0/functionDeclarations/1/parameters/properties/zone/format",
                json!("uri"),
                "$.tools[0].functionDeclarations[1].parameters.properties.zone.format: only 'enum'",
            ),
            (
                "/tools/0/functionDeclarations/1/parameters/required",
                json!(["place"]),
                "$.tools[0].functionDeclarations[1].parameters.required[0]: property is not defined",
            ),
        ],
    );
}
