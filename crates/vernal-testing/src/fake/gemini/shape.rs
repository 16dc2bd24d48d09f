//! The body of a request, as the API's discovery document has it.

use serde_json::Value;

use crate::fake::shape::Shape::{
    Anything, Bool, Either, Filled, FilledText, List, Map, Number, Object, Ruled, Text, Whole,
    Word, Written,
};
use crate::fake::shape::{OPEN, Shape, TEXTS, at_least, may, must};
use crate::fake::violation::Findings;

pub(super) static BODY: Shape = Object(&[
    must("contents", &Filled(&CONTENT, usize::MAX)),
    may("model", &FilledText),
    may("systemInstruction", &CONTENT),
    may("tools", &List(&TOOL)),
    may("toolConfig", &TOOL_CONFIG),
    may("safetySettings", &List(&SAFETY)),
    may("generationConfig", &GENERATION),
    may("cachedContent", &Text),
    may(
        "serviceTier",
        &Word(&["unspecified", "standard", "flex", "priority"]),
    ),
    may("store", &Bool),
]);

static CONTENT: Shape = Object(&[
    must("parts", &Filled(&PART, usize::MAX)),
    may("role", &Word(&["user", "model"])),
]);

/// What a part can be; it is one of these.
const KINDS: [&str; 9] = [
    "text",
    "inlineData",
    "functionCall",
    "functionResponse",
    "fileData",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
    "toolResponse",
];

static PART: Shape = Ruled(&PART_FIELDS, one_kind);
static PART_FIELDS: Shape = Object(&[
    may("text", &Text),
    may("inlineData", &BLOB),
    may("functionCall", &CALL),
    may("functionResponse", &RESPONSE),
    may("fileData", &FILE),
    may("executableCode", &OPEN),
    may("codeExecutionResult", &OPEN),
    may("toolCall", &OPEN),
    may("toolResponse", &OPEN),
    may("videoMetadata", &OPEN),
    may("thought", &Bool),
    may("thoughtSignature", &BYTES),
    may("partMetadata", &OPEN),
    may("mediaResolution", &OPEN),
]);

fn one_kind(part: &Value, at: &mut Findings) {
    let found: Vec<_> = KINDS
        .iter()
        .filter(|kind| part.get(kind).is_some())
        .collect();
    if found.len() != 1 {
        at.note(format!(
            "a part is one of {}; found {}",
            KINDS.join(", "),
            found.len()
        ));
    }
}

/// Bytes are base64 of either alphabet, with or without padding.
static BYTES: Shape = Written("base64", |text| {
    let filled = text.trim_end_matches('=');
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    let padding = text.len() - filled.len();
    let is_padded = padding == 0 || (padding <= 2 && text.len().is_multiple_of(4));
    !filled.is_empty() && is_padded && filled.len() % 4 != 1 && filled.bytes().all(known)
});
static BLOB: Shape = Object(&[must("mimeType", &FilledText), must("data", &BYTES)]);
static FILE: Shape = Object(&[may("mimeType", &FilledText), must("fileUri", &FilledText)]);
static CALL: Shape = Object(&[
    must("name", &NAME),
    may("id", &FilledText),
    may("args", &OPEN),
]);
static RESPONSE: Shape = Object(&[
    must("name", &NAME),
    must("response", &OPEN),
    may("id", &FilledText),
    may("parts", &List(&RESPONSE_PART)),
    may("willContinue", &Bool),
    may(
        "scheduling",
        &Word(&["SCHEDULING_UNSPECIFIED", "SILENT", "WHEN_IDLE", "INTERRUPT"]),
    ),
]);

static RESPONSE_PART: Shape = Object(&[may("inlineData", &BLOB), may("fileData", &FILE)]);

static NAME: Shape = Written(
    "a name that begins with a letter or `_` and has at most 128 of `a-z A-Z 0-9 _ . : -`",
    |text| {
        let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte);
        begins && text.len() <= 128 && text.bytes().all(known)
    },
);

static TOOL: Shape = Object(&[
    may("functionDeclarations", &List(&FUNCTION)),
    may("googleSearchRetrieval", &OPEN),
    may("codeExecution", &OPEN),
    may("googleSearch", &OPEN),
    may("computerUse", &OPEN),
    may("urlContext", &OPEN),
    may("fileSearch", &OPEN),
    may("mcpServers", &List(&OPEN)),
    may("googleMaps", &OPEN),
]);
static FUNCTION: Shape = Ruled(&FUNCTION_FIELDS, one_schema);
static FUNCTION_FIELDS: Shape = Object(&[
    must("name", &NAME),
    must("description", &Text),
    may("parameters", &SCHEMA),
    may("parametersJsonSchema", &OPEN),
    // The official Python SDK writes it so, and the server takes both.
    may("parameters_json_schema", &OPEN),
    may("response", &SCHEMA),
    may("responseJsonSchema", &Anything),
    may(
        "behavior",
        &Word(&["UNSPECIFIED", "BLOCKING", "NON_BLOCKING"]),
    ),
]);

fn one_schema(function: &Value, at: &mut Findings) {
    for (one, other) in [
        ("parameters", "parametersJsonSchema"),
        ("response", "responseJsonSchema"),
    ] {
        if function.get(one).is_some() && function.get(other).is_some() {
            at.member(one, |at| {
                at.note(format!("`{other}` stands in its place already"))
            });
        }
    }
}

/// The subset of OpenAPI 3.0.
static SCHEMA: Shape = Ruled(&SCHEMA_FIELDS, schema_members);
static SCHEMA_FIELDS: Shape = Object(&[
    may("type", &Ruled(&Text, schema_type)),
    may("format", &Text),
    may("title", &Text),
    may("description", &Text),
    may("nullable", &Bool),
    may("enum", &TEXTS),
    may("items", &SCHEMA),
    may("maxItems", &COUNT),
    may("minItems", &COUNT),
    may("properties", &Map(&SCHEMA)),
    may("required", &TEXTS),
    may("minProperties", &COUNT),
    may("maxProperties", &COUNT),
    may("minimum", &ANY_NUMBER),
    may("maximum", &ANY_NUMBER),
    may("minLength", &COUNT),
    may("maxLength", &COUNT),
    may("pattern", &Text),
    may("example", &Anything),
    may("anyOf", &List(&SCHEMA)),
    may("propertyOrdering", &TEXTS),
    may("default", &Anything),
]);
static ANY_NUMBER: Shape = Number(f64::MIN, f64::MAX);
/// Large numbers are texts in this kind of JSON.
static COUNT: Shape = Either(&[&Text, &at_least(0)]);

fn schema_type(kind: &Value, at: &mut Findings) {
    const TYPES: [&str; 7] = [
        "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL",
    ];
    let kind = kind.as_str().unwrap_or_default();
    if !TYPES.iter().any(|known| known.eq_ignore_ascii_case(kind)) {
        at.note(format!(
            "wanted one of {}, found `{kind}`",
            TYPES.join(", ")
        ));
    }
}

/// What members of a schema ask of each other.
fn schema_members(schema: &Value, at: &mut Findings) {
    let kind = schema.get("type").and_then(Value::as_str);
    let is = |wanted: &str| kind.is_some_and(|kind| kind.eq_ignore_ascii_case(wanted));
    if is("ARRAY") && schema.get("items").is_none() {
        at.note("items: missing field");
    }
    if !is("STRING") && kind.is_some() && schema.get("enum").is_some() {
        at.member("enum", |at| at.note("only allowed for STRING type"));
    }
    let format = schema.get("format").and_then(Value::as_str);
    if is("STRING") && format.is_some_and(|format| !matches!(format, "enum" | "date-time")) {
        at.member("format", |at| {
            at.note("only 'enum' and 'date-time' are supported for STRING type");
        });
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    for (index, name) in required.into_iter().flatten().enumerate() {
        let name = name.as_str().unwrap_or_default();
        if !properties.is_some_and(|known| known.contains_key(name)) {
            at.member("required", |at| {
                at.item(index, |at| at.note("property is not defined"));
            });
        }
    }
}

static TOOL_CONFIG: Shape = Object(&[
    may("functionCallingConfig", &CALLING),
    may("retrievalConfig", &OPEN),
    may("includeServerSideToolInvocations", &Bool),
]);
static CALLING: Shape = Object(&[
    may(
        "mode",
        &Word(&["MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED"]),
    ),
    may("allowedFunctionNames", &List(&NAME)),
]);

static SAFETY: Shape = Object(&[
    must("category", &FilledText),
    must("threshold", &FilledText),
]);

static GENERATION: Shape = Object(&[
    may("candidateCount", &Whole(1, 8)),
    may("stopSequences", &Filled(&Text, 5)),
    may("maxOutputTokens", &at_least(1)),
    may("temperature", &Number(0.0, 2.0)),
    may("topP", &Number(0.0, 1.0)),
    may("topK", &at_least(1)),
    may("seed", &Whole(i32::MIN as i64, i32::MAX as i64)),
    may("responseMimeType", &FilledText),
    may("responseSchema", &SCHEMA),
    may("_responseJsonSchema", &Anything),
    may("responseJsonSchema", &Anything),
    may("presencePenalty", &ANY_NUMBER),
    may("frequencyPenalty", &ANY_NUMBER),
    may("responseLogprobs", &Bool),
    may("logprobs", &Whole(0, 20)),
    may("enableEnhancedCivicAnswers", &Bool),
    may("responseModalities", &TEXTS),
    may("speechConfig", &OPEN),
    may("thinkingConfig", &THINKING),
    may("imageConfig", &OPEN),
    may("mediaResolution", &Text),
    may("responseFormat", &OPEN),
]);
static THINKING: Shape = Object(&[
    may("includeThoughts", &Bool),
    may("thinkingBudget", &at_least(-1)),
    may("thinkingLevel", &Text),
]);
