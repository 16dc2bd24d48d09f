//! The body of a request, as the API's reference has it.

use serde_json::Value;

use crate::fake::inspect::inspect;
use crate::fake::openai_chat::FUNCTION_SCHEMA;
use crate::fake::shape::Shape::{
    Anything, Bool, Either, Filled, FilledText, List, Number, Object, OrNull, Ruled, Tagged, Text,
    Whole, Word,
};
use crate::fake::shape::{
    ANY_OTHER, DATA_URL, Field, JSON_TEXT, LINK_OR_DATA, METADATA, NAME_64, NAME_128, OPEN, Shape,
    TEXTS, at_least, may, must,
};
use crate::fake::violation::Findings;

pub(super) static BODY: Shape = Object(&[
    must("model", &FilledText),
    must("input", &Either(&[&FilledText, &Filled(&ITEM, usize::MAX)])),
    may("access_programs", &Anything),
    may("background", &OrNull(&Bool)),
    may("background_options", &OrNull(&OPEN)),
    may("context_management", &OrNull(&List(&OPEN))),
    may("conversation", &OrNull(&Either(&[&Text, &OPEN]))),
    may("image", &OrNull(&OPEN)),
    may("include", &OrNull(&TEXTS)),
    may("instructions", &OrNull(&Text)),
    may("max_output_tokens", &OrNull(&at_least(16))),
    may("max_tool_calls", &OrNull(&at_least(1))),
    may("metadata", &OrNull(&METADATA)),
    may("moderation", &OrNull(&OPEN)),
    may("parallel_tool_calls", &OrNull(&Bool)),
    may("previous_response_id", &OrNull(&FilledText)),
    may("prompt", &OrNull(&OPEN)),
    may("prompt_cache_key", &Text),
    may("prompt_cache_options", &OPEN),
    may("prompt_cache_retention", &OrNull(&Text)),
    may("reasoning", &OrNull(&OPEN)),
    may("safety_identifier", &Text),
    may("service_tier", &OrNull(&Text)),
    may("store", &OrNull(&Bool)),
    may("stream", &OrNull(&Bool)),
    may("stream_options", &OrNull(&OPEN)),
    may("temperature", &OrNull(&Number(0.0, 2.0))),
    may("text", &TEXT),
    may("tool_choice", &CHOICE),
    may("tools", &Filled(&TOOL, 128)),
    may("top_logprobs", &OrNull(&Whole(0, 20))),
    may("top_p", &OrNull(&Number(0.0, 1.0))),
    may("truncation", &OrNull(&Word(&["auto", "disabled"]))),
    may("user", &Text),
]);

static TEXT: Shape = Object(&[
    may("format", &FORMAT),
    may("verbosity", &OrNull(&Word(&["low", "medium", "high"]))),
]);
static FORMAT: Shape = Tagged(
    "type",
    &[
        ("text", &[]),
        ("json_object", &[]),
        (
            "json_schema",
            &[
                must("name", &NAME_64),
                must("schema", &OPEN),
                may("description", &Text),
                may("strict", &OrNull(&Bool)),
            ],
        ),
    ],
);

/// An item without a type is a message.
static ITEM: Shape = Ruled(&OPEN, item);

fn item(item: &Value, at: &mut Findings) {
    match item.get("type").and_then(Value::as_str) {
        None | Some("message") => inspect(item, &MESSAGE, at),
        Some("function_call") => inspect(item, &FUNCTION_CALL, at),
        Some("function_call_output") => inspect(item, &FUNCTION_CALL_OUTPUT, at),
        Some("custom_tool_call") => inspect(item, &CUSTOM_CALL, at),
        Some("custom_tool_call_output") => inspect(item, &CUSTOM_CALL_OUTPUT, at),
        Some("reasoning") => inspect(item, &REASONING, at),
        Some("item_reference") => inspect(item, &ITEM_REFERENCE, at),
        Some(kind) if OTHER_ITEMS.contains(&kind) => {}
        Some(kind) => at.member("type", |at| at.note(format!("`{kind}` is no kind of item"))),
    }
}

/// Items that the fake server does not look into.
const OTHER_ITEMS: [&str; 23] = [
    "additional_tools",
    "apply_patch_call",
    "apply_patch_call_output",
    "code_interpreter_call",
    "compaction",
    "compaction_trigger",
    "computer_call",
    "computer_call_output",
    "file_search_call",
    "image_generation_call",
    "local_shell_call",
    "local_shell_call_output",
    "mcp_approval_request",
    "mcp_approval_response",
    "mcp_call",
    "mcp_list_tools",
    "program",
    "program_output",
    "shell_call",
    "shell_call_output",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
];

static MESSAGE: Shape = Tagged(
    "role",
    &[
        ("user", SAID_TO_MODEL),
        ("system", SAID_TO_MODEL),
        ("developer", SAID_TO_MODEL),
        (
            "assistant",
            &[
                must(
                    "content",
                    &Either(&[&Text, &Filled(&OUTPUT_PART, usize::MAX)]),
                ),
                may("type", &Text),
                may("id", &FilledText),
                may("status", &STATUS),
                may("phase", &OrNull(&Word(&["commentary", "final_answer"]))),
            ],
        ),
    ],
);
static TEXT_OR_PARTS: Shape = Either(&[&Text, &Filled(&INPUT_PART, usize::MAX)]);
const SAID_TO_MODEL: &[Field] = &[
    must("content", &TEXT_OR_PARTS),
    may("type", &Text),
    may("status", &STATUS),
    may("phase", &OrNull(&Text)),
];
static STATUS: Shape = Word(&["in_progress", "completed", "incomplete"]);

static INPUT_PART: Shape = Tagged(
    "type",
    &[
        ("input_text", &[must("text", &Text), MARK]),
        (
            "input_image",
            &[
                may(
                    "detail",
                    &OrNull(&Word(&["low", "high", "auto", "original"])),
                ),
                may("file_id", &OrNull(&Text)),
                may("image_url", &OrNull(&LINK_OR_DATA)),
                MARK,
            ],
        ),
        (
            "input_file",
            &[
                may("detail", &OrNull(&Text)),
                may("file_data", &DATA_URL),
                may("file_id", &OrNull(&Text)),
                may("file_url", &Text),
                may("filename", &Text),
                MARK,
            ],
        ),
    ],
);
const MARK: Field = may("prompt_cache_breakpoint", &OPEN);

static OUTPUT_PART: Shape = Tagged(
    "type",
    &[
        (
            "output_text",
            &[
                must("text", &Text),
                may("annotations", &List(&OPEN)),
                may("logprobs", &List(&OPEN)),
            ],
        ),
        ("refusal", &[must("refusal", &Text)]),
    ],
);

static FUNCTION_CALL: Shape = Object(&[
    must("type", &Text),
    must("call_id", &ID),
    must("name", &NAME_128),
    must("arguments", &JSON_TEXT),
    may("id", &FilledText),
    may("async", &OrNull(&Bool)),
    may("caller", &OrNull(&OPEN)),
    may("namespace", &Text),
    may("status", &OrNull(&STATUS)),
]);
static FUNCTION_CALL_OUTPUT: Shape = Object(&[
    must("type", &Text),
    must("call_id", &ID),
    must("output", &Either(&[&Text, &List(&INPUT_PART)])),
    may("id", &OrNull(&FilledText)),
    may("caller", &OrNull(&OPEN)),
    may("name", &OrNull(&Text)),
    may("namespace", &OrNull(&Text)),
    may("status", &OrNull(&STATUS)),
]);
static CUSTOM_CALL: Shape = Object(&[
    must("type", &Text),
    must("call_id", &ID),
    must("name", &NAME_128),
    must("input", &Text),
    ANY_OTHER,
]);
static CUSTOM_CALL_OUTPUT: Shape = Object(&[
    must("type", &Text),
    must("call_id", &ID),
    must("output", &Either(&[&Text, &List(&INPUT_PART)])),
    ANY_OTHER,
]);
static ID: Shape = Shape::Written("an id of 1 to 64 characters", |text| {
    (1..=64).contains(&text.len())
});
static REASONING: Shape = Object(&[
    must("type", &Text),
    must("id", &FilledText),
    must(
        "summary",
        &List(&Tagged("type", &[("summary_text", &[must("text", &Text)])])),
    ),
    may(
        "content",
        &OrNull(&List(&Tagged(
            "type",
            &[("reasoning_text", &[must("text", &Text)])],
        ))),
    ),
    may("encrypted_content", &OrNull(&Text)),
    may("status", &OrNull(&STATUS)),
]);
static ITEM_REFERENCE: Shape = Object(&[must("id", &FilledText), may("type", &OrNull(&Text))]);

/// A function is looked into; the provider's own tools are not.
static TOOL: Shape = Ruled(&OPEN, tool);

fn tool(tool: &Value, at: &mut Findings) {
    match tool.get("type").and_then(Value::as_str) {
        Some("function") => inspect(tool, &FUNCTION, at),
        Some("custom") => inspect(tool, &CUSTOM, at),
        Some("mcp") => inspect(tool, &MCP, at),
        _ => inspect(tool, &OF_PROVIDER, at),
    }
}

static CUSTOM: Shape = Object(&[
    must("type", &Text),
    must("name", &NAME_128),
    may("description", &Text),
    may("format", &CUSTOM_FORMAT),
    may("defer_loading", &Bool),
    may("allowed_callers", &OrNull(&TEXTS)),
]);
static CUSTOM_FORMAT: Shape = Tagged(
    "type",
    &[
        ("text", &[]),
        (
            "grammar",
            &[
                must("syntax", &Word(&["lark", "regex"])),
                must("definition", &FilledText),
            ],
        ),
    ],
);
static MCP: Shape = Ruled(&MCP_FIELDS, one_server);
static MCP_FIELDS: Shape = Object(&[
    must("type", &Text),
    must("server_label", &FilledText),
    ANY_OTHER,
]);

fn one_server(tool: &Value, at: &mut Findings) {
    const SERVERS: [&str; 3] = ["server_url", "connector_id", "tunnel_id"];
    if SERVERS
        .iter()
        .filter(|name| tool.get(name).is_some())
        .count()
        != 1
    {
        at.note(format!(
            "a server is named by one of {}",
            SERVERS.join(", ")
        ));
    }
}

static FUNCTION: Shape = Object(&[
    must("type", &Text),
    must("name", &NAME_128),
    may("parameters", &OrNull(&FUNCTION_SCHEMA)),
    may("strict", &OrNull(&Bool)),
    may("description", &OrNull(&Text)),
    may("allowed_callers", &OrNull(&TEXTS)),
    may("async", &OrNull(&Bool)),
    may("defer_loading", &Bool),
    may("output_schema", &OrNull(&OPEN)),
]);
static OF_PROVIDER: Shape = Object(&[must("type", &FilledText), ANY_OTHER]);

static CHOICE: Shape = Either(&[&Word(&["none", "auto", "required"]), &Ruled(&OPEN, choice)]);

fn choice(choice: &Value, at: &mut Findings) {
    match choice.get("type").and_then(Value::as_str) {
        Some("function") => inspect(choice, &NAMED, at),
        Some("allowed_tools") => inspect(choice, &ALLOWED, at),
        _ => inspect(choice, &OF_PROVIDER, at),
    }
}

static NAMED: Shape = Object(&[must("type", &Text), must("name", &NAME_128)]);
static ALLOWED: Shape = Object(&[
    must("type", &Text),
    must("mode", &Word(&["auto", "required"])),
    must("tools", &Filled(&OPEN, 128)),
]);
