//! The body of a request, as the service's model has it.

use crate::fake::shape::Shape::{
    Anything, Bool, Filled, FilledText, List, Map, Number, Object, Ruled, Text, Word, Written,
};
use crate::fake::shape::{
    BASE64, NAME_64, OBJECT_SCHEMA, OPEN, SPOKEN, Shape, TEXTS, at_least, may, must, one_member,
};

pub(super) static BODY: Shape = Object(&[
    must("messages", &Filled(&MESSAGE, 100_000)),
    may("system", &List(&SYSTEM)),
    may("inferenceConfig", &INFERENCE),
    may("toolConfig", &TOOL_CONFIG),
    may("guardrailConfig", &OPEN),
    may("projectIdentifier", &Text),
    may("additionalModelRequestFields", &Anything),
    may("promptVariables", &OPEN),
    may("additionalModelResponseFieldPaths", &TEXTS),
    may("requestMetadata", &Map(&Text)),
    may("performanceConfig", &OPEN),
    may("serviceTier", &OPEN),
    may("outputConfig", &OPEN),
]);

static INFERENCE: Shape = Object(&[
    may("maxTokens", &at_least(1)),
    may("temperature", &Number(0.0, 1.0)),
    may("topP", &Number(0.0, 1.0)),
    may("stopSequences", &Filled(&FilledText, 2500)),
]);

static SYSTEM: Shape = Ruled(&SYSTEM_KINDS, one_member);
static SYSTEM_KINDS: Shape = Object(&[
    may("text", &SPOKEN),
    may("guardContent", &OPEN),
    may("cachePoint", &CACHE_POINT),
]);
static CACHE_POINT: Shape = Object(&[
    must("type", &Word(&["default"])),
    may("ttl", &Word(&["5m", "1h"])),
]);

static MESSAGE: Shape = Object(&[
    must("role", &Word(&["user", "assistant", "system"])),
    must("content", &Filled(&BLOCK, 100_000)),
]);

static BLOCK: Shape = Ruled(&BLOCK_KINDS, one_member);
static BLOCK_KINDS: Shape = Object(&[
    may("text", &SPOKEN),
    may("image", &IMAGE),
    may("document", &DOCUMENT),
    may("video", &MEDIA),
    may("audio", &MEDIA),
    may("toolUse", &TOOL_USE),
    may("toolResult", &TOOL_RESULT),
    may("guardContent", &OPEN),
    may("cachePoint", &CACHE_POINT),
    may("reasoningContent", &REASONING),
    may("citationsContent", &OPEN),
    may("searchResult", &OPEN),
    may("toolAddition", &OPEN),
    may("toolRemoval", &OPEN),
]);

static IMAGE: Shape = Object(&[
    must("format", &Word(&["png", "jpeg", "gif", "webp"])),
    must("source", &SOURCE),
]);
static MEDIA: Shape = Object(&[must("format", &FilledText), must("source", &SOURCE)]);
static SOURCE: Shape = Ruled(&SOURCE_KINDS, one_member);
static SOURCE_KINDS: Shape = Object(&[
    may("bytes", &BASE64),
    may(
        "s3Location",
        &Object(&[must("uri", &FilledText), may("bucketOwner", &Text)]),
    ),
    may("text", &Text),
    may("content", &List(&OPEN)),
]);
static DOCUMENT: Shape = Object(&[
    must("name", &DOCUMENT_NAME),
    must("source", &SOURCE),
    may(
        "format",
        &Word(&[
            "pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md",
        ]),
    ),
    may("context", &Text),
    may("citations", &Object(&[must("enabled", &Bool)])),
]);

static DOCUMENT_NAME: Shape = Written(
    "a name of at most 200 letters, digits, single blanks and `-()[]`",
    |text| {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b" -()[]".contains(&byte);
        (1..=200).contains(&text.len()) && text.bytes().all(known) && !text.contains("  ")
    },
);

static ID: Shape = Written("an id of `[a-zA-Z0-9_.:-]{1,64}`", |text| {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
    (1..=64).contains(&text.len()) && text.bytes().all(known)
});
static TOOL_USE: Shape = Object(&[
    must("toolUseId", &ID),
    must("name", &NAME_64),
    // The service takes any document; a tool's arguments are an object.
    must("input", &OPEN),
    may("type", &Word(&["server_tool_use"])),
]);
static TOOL_RESULT: Shape = Object(&[
    must("toolUseId", &ID),
    must("content", &List(&RESULT)),
    may("status", &Word(&["success", "error"])),
    may("type", &Text),
]);
static RESULT: Shape = Ruled(&RESULT_KINDS, one_member);
static RESULT_KINDS: Shape = Object(&[
    may("json", &Anything),
    may("text", &Text),
    may("image", &IMAGE),
    may("document", &DOCUMENT),
    may("video", &MEDIA),
    may("searchResult", &OPEN),
]);
static REASONING: Shape = Ruled(&REASONING_KINDS, one_member);
static REASONING_KINDS: Shape = Object(&[
    may(
        "reasoningText",
        &Object(&[must("text", &Text), may("signature", &Text)]),
    ),
    may("redactedContent", &BASE64),
]);

static TOOL_CONFIG: Shape = Object(&[
    must("tools", &Filled(&TOOL, 10_000)),
    may("toolChoice", &CHOICE),
]);
static TOOL: Shape = Ruled(&TOOL_KINDS, one_member);
static TOOL_KINDS: Shape = Object(&[
    may("toolSpec", &TOOL_SPEC),
    may("systemTool", &Object(&[must("name", &NAME_64)])),
    may("cachePoint", &CACHE_POINT),
]);
static TOOL_SPEC: Shape = Object(&[
    must("name", &NAME_64),
    may("description", &FilledText),
    must("inputSchema", &Object(&[must("json", &OBJECT_SCHEMA)])),
    may("strict", &Bool),
]);
static CHOICE: Shape = Ruled(&CHOICE_KINDS, one_member);
static CHOICE_KINDS: Shape = Object(&[
    may("auto", &Object(&[])),
    may("any", &Object(&[])),
    may("tool", &Object(&[must("name", &NAME_64)])),
]);
