//! The body of a request, as the API's reference has it.

use serde_json::Value;

use super::FUNCTION_SCHEMA;
use crate::fake::shape::Shape::{
    Bool, Either, Filled, FilledText, List, Map, Number, Object, OrNull, Ruled, Tagged, Text,
    Whole, Word,
};
use crate::fake::shape::{
    BASE64, DATA_URL, Field, JSON_TEXT, LINK_OR_DATA, METADATA, NAME_64, OPEN, Shape, at_least,
    may, must,
};
use crate::fake::violation::Findings;

pub(super) static BODY: Shape = Object(&[
    must("messages", &Filled(&MESSAGE, usize::MAX)),
    must("model", &FilledText),
    may("audio", &OrNull(&OPEN)),
    may("frequency_penalty", &OrNull(&Number(-2.0, 2.0))),
    may("logit_bias", &OrNull(&Map(&Number(-100.0, 100.0)))),
    may("logprobs", &OrNull(&Bool)),
    may("max_completion_tokens", &OrNull(&POSITIVE)),
    may("max_tokens", &OrNull(&POSITIVE)),
    may("metadata", &OrNull(&METADATA)),
    may("modalities", &OrNull(&List(&Word(&["text", "audio"])))),
    may("moderation", &OrNull(&OPEN)),
    may("n", &OrNull(&Whole(1, 128))),
    may("parallel_tool_calls", &Bool),
    may("prediction", &OrNull(&OPEN)),
    may("presence_penalty", &OrNull(&Number(-2.0, 2.0))),
    may("prompt_cache_key", &Text),
    may("prompt_cache_options", &OPEN),
    may("prompt_cache_retention", &OrNull(&Text)),
    may("reasoning_effort", &OrNull(&EFFORT)),
    may("response_format", &FORMAT),
    may("safety_identifier", &Text),
    may("seed", &OrNull(&Whole(i64::MIN, i64::MAX))),
    may("service_tier", &OrNull(&Text)),
    may("stop", &OrNull(&Either(&[&Text, &Filled(&Text, 4)]))),
    may("store", &OrNull(&Bool)),
    may("stream", &OrNull(&Bool)),
    may("stream_options", &OrNull(&STREAM_OPTIONS)),
    may("temperature", &OrNull(&Number(0.0, 2.0))),
    may("tool_choice", &CHOICE),
    may("tools", &Filled(&TOOL, 128)),
    may("top_logprobs", &OrNull(&Whole(0, 20))),
    may("top_p", &OrNull(&Number(0.0, 1.0))),
    may("user", &Text),
    may("verbosity", &OrNull(&Word(&["low", "medium", "high"]))),
    may("web_search_options", &OPEN),
]);

static POSITIVE: Shape = at_least(1);
static EFFORT: Shape = Word(&["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
static STREAM_OPTIONS: Shape = Object(&[
    may("include_usage", &Bool),
    may("include_obfuscation", &Bool),
]);

static FORMAT: Shape = Tagged(
    "type",
    &[
        ("text", &[]),
        ("json_object", &[]),
        ("json_schema", &[must("json_schema", &JSON_SCHEMA)]),
    ],
);
static JSON_SCHEMA: Shape = Object(&[
    must("name", &NAME_64),
    may("description", &Text),
    may("schema", &OPEN),
    may("strict", &OrNull(&Bool)),
]);

static MESSAGE: Shape = Tagged(
    "role",
    &[
        ("developer", INSTRUCTION),
        ("system", INSTRUCTION),
        (
            "user",
            &[
                must(
                    "content",
                    &Either(&[&Text, &Filled(&USER_PART, usize::MAX)]),
                ),
                may("name", &Text),
            ],
        ),
        (
            "assistant",
            &[
                may(
                    "content",
                    &OrNull(&Either(&[&Text, &Filled(&ASSISTANT_PART, usize::MAX)])),
                ),
                may("name", &Text),
                may("refusal", &OrNull(&Text)),
                may("audio", &OrNull(&OPEN)),
                may("tool_calls", &Filled(&CALL, 128)),
            ],
        ),
        (
            "tool",
            &[
                must("content", &TEXT_OR_TEXTS),
                must("tool_call_id", &FilledText),
            ],
        ),
    ],
);

const INSTRUCTION: &[Field] = &[must("content", &TEXT_OR_TEXTS), may("name", &Text)];
static TEXT_OR_TEXTS: Shape = Either(&[&Text, &Filled(&TEXT_PART, usize::MAX)]);
static TEXT_PART: Shape = Tagged("type", &[("text", TEXT_FIELDS)]);
const TEXT_FIELDS: &[Field] = &[must("text", &Text), may("prompt_cache_breakpoint", &OPEN)];

static ASSISTANT_PART: Shape = Tagged(
    "type",
    &[
        ("text", TEXT_FIELDS),
        ("refusal", &[must("refusal", &Text)]),
    ],
);

static USER_PART: Shape = Tagged(
    "type",
    &[
        ("text", TEXT_FIELDS),
        (
            "image_url",
            &[
                must("image_url", &IMAGE),
                may("prompt_cache_breakpoint", &OPEN),
            ],
        ),
        (
            "input_audio",
            &[
                must("input_audio", &AUDIO),
                may("prompt_cache_breakpoint", &OPEN),
            ],
        ),
        (
            "file",
            &[must("file", &FILE), may("prompt_cache_breakpoint", &OPEN)],
        ),
    ],
);
static IMAGE: Shape = Object(&[
    must("url", &LINK_OR_DATA),
    may("detail", &Word(&["auto", "low", "high"])),
]);
static AUDIO: Shape = Object(&[
    must("data", &BASE64),
    must("format", &Word(&["wav", "mp3"])),
]);
static FILE: Shape = Ruled(&FILE_FIELDS, one_source);
static FILE_FIELDS: Shape = Object(&[
    may("file_data", &DATA_URL),
    may("file_id", &FilledText),
    may("filename", &FilledText),
]);

fn one_source(file: &Value, at: &mut Findings) {
    if file.get("file_data").is_some() == file.get("file_id").is_some() {
        at.note("a file has either `file_data` or `file_id`");
    }
}

static CALL: Shape = Tagged(
    "type",
    &[
        (
            "function",
            &[must("id", &FilledText), must("function", &CALLED)],
        ),
        (
            "custom",
            &[must("id", &FilledText), must("custom", &CALLED_CUSTOM)],
        ),
    ],
);
static CALLED: Shape = Object(&[must("name", &NAME_64), must("arguments", &JSON_TEXT)]);
static CALLED_CUSTOM: Shape = Object(&[must("name", &NAME_64), must("input", &Text)]);

static TOOL: Shape = Tagged(
    "type",
    &[
        ("function", &[must("function", &FUNCTION)]),
        ("custom", &[must("custom", &CUSTOM)]),
    ],
);
static FUNCTION: Shape = Object(&[
    must("name", &NAME_64),
    may("description", &Text),
    may("parameters", &FUNCTION_SCHEMA),
    may("strict", &OrNull(&Bool)),
]);
static CUSTOM: Shape = Object(&[
    must("name", &NAME_64),
    may("description", &Text),
    may("format", &CUSTOM_FORMAT),
]);
static CUSTOM_FORMAT: Shape = Tagged(
    "type",
    &[("text", &[]), ("grammar", &[must("grammar", &GRAMMAR)])],
);
static GRAMMAR: Shape = Object(&[
    must("syntax", &Word(&["lark", "regex"])),
    must("definition", &FilledText),
]);

static CHOICE: Shape = Either(&[
    &Word(&["none", "auto", "required"]),
    &Tagged(
        "type",
        &[
            ("function", &[must("function", &NAMED)]),
            ("custom", &[must("custom", &NAMED)]),
            ("allowed_tools", &[must("allowed_tools", &ALLOWED)]),
        ],
    ),
]);
static NAMED: Shape = Object(&[must("name", &NAME_64)]);
static ALLOWED: Shape = Object(&[
    must("mode", &Word(&["auto", "required"])),
    must("tools", &Filled(&ALLOWED_TOOL, 128)),
]);
static ALLOWED_TOOL: Shape = Tagged(
    "type",
    &[
        ("function", &[must("function", &NAMED)]),
        ("custom", &[must("custom", &NAMED)]),
    ],
);
