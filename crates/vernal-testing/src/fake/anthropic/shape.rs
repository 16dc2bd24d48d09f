//! The body of a request, as the API's reference has it.

use serde_json::Value;

use crate::fake::inspect::inspect;
use crate::fake::shape::Shape::{
    Anything, Bool, Either, Filled, FilledText, List, Number, Object, OrNull, Ruled, Tagged, Text,
    Whole, Word, Written,
};
use crate::fake::shape::{
    ANY_OTHER, BASE64, Field, NAME_128, OBJECT_SCHEMA, OPEN, SPOKEN, Shape, TEXTS, at_least,
    flat_root, may, must,
};
use crate::fake::violation::Findings;

pub(super) static BODY: Shape = Object(&[
    must("max_tokens", &at_least(1)),
    must("messages", &Filled(&MESSAGE, 100_000)),
    must("model", &FilledText),
    may("cache_control", &OrNull(&CACHE)),
    may("container", &Anything),
    may("context_management", &OPEN),
    may("diagnostics", &OPEN),
    may("inference_geo", &OrNull(&Text)),
    may("mcp_servers", &List(&OPEN)),
    may("metadata", &Object(&[may("user_id", &OrNull(&Text))])),
    may("output_config", &OPEN),
    may("service_tier", &Word(&["auto", "standard_only"])),
    may("speed", &OrNull(&Text)),
    may("stop_sequences", &TEXTS),
    may("stream", &Bool),
    may("system", &Either(&[&Text, &List(&SYSTEM_BLOCK)])),
    may("temperature", &Number(0.0, 1.0)),
    may("thinking", &THINKING),
    may("tool_choice", &CHOICE),
    may("tools", &List(&TOOL)),
    may("top_k", &at_least(0)),
    may("top_p", &Number(0.0, 1.0)),
    may("user_profile_id", &OrNull(&Text)),
    may("workspace_id", &Text),
]);

static CACHE: Shape = Object(&[
    must("type", &Word(&["ephemeral"])),
    may("ttl", &Word(&["5m", "1h"])),
]);
const CACHED: Field = may("cache_control", &CACHE_OR_NULL);
static CACHE_OR_NULL: Shape = OrNull(&CACHE);
static OPEN_OR_NULL: Shape = OrNull(&OPEN);

static SYSTEM_BLOCK: Shape = Tagged("type", &[("text", TEXT)]);
/// Later in the conversation, tools may be added and taken away.
static LATE_SYSTEM_BLOCK: Shape = Tagged(
    "type",
    &[
        ("text", TEXT),
        ("tool_addition", &[ANY_OTHER]),
        ("tool_removal", &[ANY_OTHER]),
    ],
);
const TEXT: &[Field] = &[
    must("text", &FilledText),
    may("citations", &OrNull(&Anything)),
    CACHED,
];

/// A text of a message.
const SAID: &[Field] = &[
    must("text", &SPOKEN),
    may("citations", &OrNull(&Anything)),
    CACHED,
];

static THINKING: Shape = Tagged(
    "type",
    &[
        (
            "enabled",
            &[
                must("budget_tokens", &Whole(1024, i64::MAX)),
                may("display", &OrNull(&Text)),
            ],
        ),
        ("adaptive", &[may("display", &OrNull(&Text))]),
        ("between_tools", &[]),
        ("disabled", &[]),
    ],
);

static CHOICE: Shape = Tagged(
    "type",
    &[
        ("auto", &[ALONE]),
        ("any", &[ALONE]),
        ("tool", &[must("name", &NAME_128), ALONE]),
        ("none", &[]),
    ],
);
const ALONE: Field = may("disable_parallel_tool_use", &Bool);

/// A tool of the application has no type or the type `custom`; any other is the provider's own.
static TOOL: Shape = Ruled(&OPEN, tool);

fn tool(tool: &Value, at: &mut Findings) {
    match tool.get("type") {
        None | Some(Value::Null) => inspect(tool, &CUSTOM, at),
        Some(kind) if kind == "custom" => inspect(tool, &CUSTOM, at),
        Some(_) => inspect(tool, &OF_PROVIDER, at),
    }
}

static CUSTOM: Shape = Object(&[
    must("name", &NAME_128),
    must("input_schema", &INPUT_SCHEMA),
    may("description", &Text),
    may("type", &OrNull(&Text)),
    may("strict", &Bool),
    may("input_examples", &List(&OPEN)),
    may("defer_loading", &Bool),
    may("allowed_callers", &TEXTS),
    may("eager_input_streaming", &OrNull(&Bool)),
    CACHED,
]);
static INPUT_SCHEMA: Shape = Ruled(&OBJECT_SCHEMA, |schema, at| {
    flat_root(schema, &["oneOf", "allOf", "anyOf"], at);
});
static OF_PROVIDER: Shape = Object(&[must("type", &FilledText), may("name", &NAME_128), ANY_OTHER]);

static MESSAGE: Shape = Tagged(
    "role",
    &[
        (
            "user",
            &[must(
                "content",
                &Either(&[&SPOKEN, &Filled(&USER_BLOCK, 100_000)]),
            )],
        ),
        (
            "assistant",
            &[must(
                "content",
                &Either(&[&SPOKEN, &Filled(&ASSISTANT_BLOCK, 100_000)]),
            )],
        ),
        (
            "system",
            &[must(
                "content",
                &Either(&[&FilledText, &Filled(&LATE_SYSTEM_BLOCK, 100_000)]),
            )],
        ),
    ],
);

static USER_BLOCK: Shape = Tagged(
    "type",
    &[
        ("text", SAID),
        ("image", IMAGE),
        ("document", DOCUMENT),
        ("search_result", &[ANY_OTHER]),
        ("container_upload", &[must("file_id", &FilledText), CACHED]),
        ("browser_state", &[ANY_OTHER]),
        (
            "tool_result",
            &[
                must("tool_use_id", &ID),
                may("content", &Either(&[&Text, &List(&RESULT_BLOCK)])),
                may("is_error", &Bool),
                may("toolset_name", &OrNull(&Text)),
                CACHED,
            ],
        ),
    ],
);

static RESULT_BLOCK: Shape = Tagged(
    "type",
    &[
        ("text", TEXT),
        ("image", IMAGE),
        ("document", DOCUMENT),
        ("search_result", &[ANY_OTHER]),
        ("tool_reference", &[must("tool_name", &NAME_128), CACHED]),
    ],
);

const IMAGE: &[Field] = &[
    must("source", &IMAGE_SOURCE),
    may("transformations", &OPEN_OR_NULL),
    CACHED,
];
static IMAGE_SOURCE: Shape = Tagged(
    "type",
    &[
        (
            "base64",
            &[
                must("data", &BASE64),
                must(
                    "media_type",
                    &Word(&["image/jpeg", "image/png", "image/gif", "image/webp"]),
                ),
            ],
        ),
        ("url", &[must("url", &FilledText)]),
        ("file", &[must("file_id", &FilledText)]),
    ],
);

const DOCUMENT: &[Field] = &[
    must("source", &DOCUMENT_SOURCE),
    may("citations", &OPEN_OR_NULL),
    may("context", &OrNull(&Text)),
    may("title", &OrNull(&Text)),
    CACHED,
];
static DOCUMENT_SOURCE: Shape = Tagged(
    "type",
    &[
        (
            "base64",
            &[
                must("data", &BASE64),
                must("media_type", &Word(&["application/pdf"])),
            ],
        ),
        (
            "text",
            &[
                must("data", &Text),
                must("media_type", &Word(&["text/plain"])),
            ],
        ),
        ("content", &[must("content", &Anything)]),
        ("url", &[must("url", &FilledText)]),
        ("file", &[must("file_id", &FilledText)]),
    ],
);

static ASSISTANT_BLOCK: Shape = Tagged(
    "type",
    &[
        ("text", SAID),
        (
            "thinking",
            &[must("thinking", &Text), must("signature", &Text)],
        ),
        ("redacted_thinking", &[must("data", &Text)]),
        (
            "tool_use",
            &[
                must("id", &ID),
                must("name", &NAME_128),
                must("input", &OPEN),
                may("caller", &OPEN),
                may("toolset_name", &OrNull(&Text)),
                CACHED,
            ],
        ),
        (
            "server_tool_use",
            &[must("id", &ID), must("name", &FilledText), ANY_OTHER],
        ),
        ("web_search_tool_result", OF_SERVER),
        ("web_fetch_tool_result", OF_SERVER),
        ("code_execution_tool_result", OF_SERVER),
        ("bash_code_execution_tool_result", OF_SERVER),
        ("text_editor_code_execution_tool_result", OF_SERVER),
        ("tool_search_tool_result", OF_SERVER),
        ("mcp_tool_use", &[ANY_OTHER]),
        ("mcp_tool_result", OF_SERVER),
        ("container_upload", &[ANY_OTHER]),
    ],
);
const OF_SERVER: &[Field] = &[must("tool_use_id", &ID), ANY_OTHER];

static ID: Shape = Written("an id of `[a-zA-Z0-9_-]+`", |text| {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !text.is_empty() && text.bytes().all(known)
});
