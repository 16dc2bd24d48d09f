//! Bodies that keep every rule: a turn with two calls, answered.

use serde_json::{Value, json};
use vernal_testing::fake::FakeApi;

/// A body of the API in which a conversation with tools goes on.
pub(crate) fn good(api: FakeApi) -> Value {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": false,
    });
    match api {
        FakeApi::OpenAiChat | FakeApi::AzureChat => json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": [
                    {"type": "text", "text": "Weather?"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
                ]},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "weather", "arguments": "{\"city\":\"Jeju\"}"}},
                    {"id": "b", "type": "function", "function": {"name": "now", "arguments": "{}"}},
                ]},
                {"role": "tool", "tool_call_id": "b", "content": "12:00"},
                {"role": "tool", "tool_call_id": "a", "content": "Sunny"},
            ],
            "tools": [
                {"type": "function", "function": {"name": "weather", "description": "w", "parameters": schema, "strict": true}},
                {"type": "function", "function": {"name": "now"}},
            ],
            "tool_choice": {"type": "function", "function": {"name": "now"}},
            "parallel_tool_calls": true,
            "temperature": 0.5,
        }),
        FakeApi::OpenAiResponses | FakeApi::AzureResponses => json!({
            "model": "m",
            "instructions": "Be brief.",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "Weather?"}]},
                {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "eA=="},
                {"type": "function_call", "call_id": "a", "name": "weather", "arguments": "{\"city\":\"Jeju\"}"},
                {"type": "function_call", "call_id": "b", "name": "now", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "a", "output": "Sunny"},
                {"type": "function_call_output", "call_id": "b", "output": "12:00"},
            ],
            "tools": [
                {"type": "function", "name": "weather", "parameters": schema, "strict": true},
                {"type": "function", "name": "now", "parameters": null, "strict": false},
            ],
            "tool_choice": {"type": "function", "name": "now"},
            "store": false,
        }),
        FakeApi::Anthropic => json!({
            "model": "m",
            "max_tokens": 4096,
            "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
            "messages": [
                {"role": "user", "content": [
                    {"type": "text", "text": "Weather?"},
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
                ]},
                {"role": "assistant", "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
                    {"type": "tool_use", "id": "a", "name": "weather", "input": {"city": "Jeju"}},
                    {"type": "tool_use", "id": "b", "name": "now", "input": {}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": "Sunny"},
                    {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "12:00"}], "is_error": false},
                    {"type": "text", "text": "So?"},
                ]},
            ],
            "tools": [
                {"name": "weather", "description": "w", "input_schema": schema},
                {"name": "now", "input_schema": {"type": "object"}},
                {"type": "web_search_20250305", "name": "web_search", "max_uses": 1},
            ],
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": true},
            "thinking": {"type": "enabled", "budget_tokens": 1024},
        }),
        FakeApi::Gemini => json!({
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "Weather?"}, {"inlineData": {"mimeType": "image/png", "data": "aGk="}}]},
                {"role": "model", "parts": [
                    {"functionCall": {"id": "a", "name": "weather", "args": {"city": "Jeju"}}, "thoughtSignature": "c2ln"},
                    {"functionCall": {"name": "now", "args": {}}},
                ]},
                {"role": "user", "parts": [
                    {"functionResponse": {"id": "a", "name": "weather", "response": {"output": "Sunny"}}},
                    {"functionResponse": {"name": "now", "response": {"output": "12:00"}}},
                ]},
            ],
            "tools": [{"functionDeclarations": [
                {"name": "weather", "description": "w", "parametersJsonSchema": schema},
                {"name": "now", "description": "n", "parameters": {"type": "OBJECT", "properties": {"zone": {"type": "STRING"}}}},
            ]}],
            "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["now"]}},
            "generationConfig": {"temperature": 0.5, "maxOutputTokens": 100},
        }),
        FakeApi::Ollama => json!({
            "model": "m",
            "stream": false,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Weather?", "images": ["aGk="]},
                {"role": "assistant", "content": "", "tool_calls": [
                    {"id": "a", "function": {"name": "weather", "arguments": {"city": "Jeju"}}},
                    {"function": {"name": "now", "arguments": {}}},
                ]},
                {"role": "tool", "content": "Sunny", "tool_name": "weather", "tool_call_id": "a"},
                {"role": "tool", "content": "12:00", "tool_name": "now"},
            ],
            "tools": [
                {"type": "function", "function": {"name": "weather", "description": "w", "parameters": schema}},
                {"type": "function", "function": {"name": "now", "parameters": {"type": "object"}}},
            ],
            "options": {"temperature": 0.5, "num_ctx": 8192},
            "think": "low",
        }),
        FakeApi::Bedrock => json!({
            "system": [{"text": "Be brief."}, {"cachePoint": {"type": "default"}}],
            "messages": [
                {"role": "user", "content": [
                    {"text": "Weather?"},
                    {"image": {"format": "png", "source": {"bytes": "aGk="}}},
                ]},
                {"role": "assistant", "content": [
                    {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2ln"}}},
                    {"toolUse": {"toolUseId": "a", "name": "weather", "input": {"city": "Jeju"}}},
                    {"toolUse": {"toolUseId": "b", "name": "now", "input": {}}},
                ]},
                {"role": "user", "content": [
                    {"toolResult": {"toolUseId": "a", "content": [{"text": "Sunny"}], "status": "success"}},
                    {"toolResult": {"toolUseId": "b", "content": [{"json": "12:00"}]}},
                ]},
            ],
            "inferenceConfig": {"maxTokens": 100, "temperature": 0.5},
            "toolConfig": {
                "tools": [
                    {"toolSpec": {"name": "weather", "description": "w", "inputSchema": {"json": schema}}},
                    {"toolSpec": {"name": "now", "inputSchema": {"json": {"type": "object"}}}},
                ],
                "toolChoice": {"tool": {"name": "now"}},
            },
        }),
        other => panic!("{other}"),
    }
}
