//! The body of a request, as the API's reference has it.

use crate::fake::shape::Shape::{
    Bool, Either, Filled, FilledText, List, Number, Object, OrNull, Text, Whole, Word,
};
use crate::fake::shape::{BASE64, OBJECT_SCHEMA, OPEN, Shape, TEXTS, at_least, may, must};

pub(super) static BODY: Shape = Object(&[
    must("model", &FilledText),
    must("messages", &List(&MESSAGE)),
    may("tools", &List(&TOOL)),
    may("format", &Either(&[&Word(&["json", ""]), &OPEN])),
    may("options", &OPTIONS),
    may("stream", &Bool),
    may(
        "think",
        &Either(&[&Bool, &Word(&["low", "medium", "high", "max"])]),
    ),
    may("keep_alive", &Either(&[&Text, &Number(f64::MIN, f64::MAX)])),
    may("logprobs", &Bool),
    may("top_logprobs", &Whole(0, 20)),
    may("truncate", &Bool),
    may("shift", &Bool),
]);

static ANY_NUMBER: Shape = Number(f64::MIN, f64::MAX);
static COUNT: Shape = at_least(-2);
static OPTIONS: Shape = Object(&[
    may("num_keep", &COUNT),
    may("seed", &Whole(i64::MIN, i64::MAX)),
    may("num_predict", &COUNT),
    may("top_k", &COUNT),
    may("top_p", &ANY_NUMBER),
    may("min_p", &ANY_NUMBER),
    may("typical_p", &ANY_NUMBER),
    may("repeat_last_n", &COUNT),
    may("temperature", &ANY_NUMBER),
    may("repeat_penalty", &ANY_NUMBER),
    may("presence_penalty", &ANY_NUMBER),
    may("frequency_penalty", &ANY_NUMBER),
    may("stop", &TEXTS),
    may("numa", &Bool),
    may("num_ctx", &at_least(1)),
    may("num_batch", &COUNT),
    may("num_gpu", &COUNT),
    may("main_gpu", &COUNT),
    may("use_mmap", &Bool),
    may("num_thread", &COUNT),
]);

static MESSAGE: Shape = Object(&[
    must("role", &Word(&["system", "user", "assistant", "tool"])),
    must("content", &Text),
    may("thinking", &Text),
    may("images", &List(&BASE64)),
    may("tool_calls", &Filled(&CALL, 1000)),
    may("tool_name", &Text),
    may("tool_call_id", &Text),
]);

static CALL: Shape = Object(&[
    may("id", &Text),
    may("type", &Word(&["function"])),
    must("function", &CALLED),
]);
static CALLED: Shape = Object(&[
    may("index", &at_least(0)),
    must("name", &FilledText),
    must("arguments", &OPEN),
    may("description", &Text),
]);

static TOOL: Shape = Object(&[
    must("type", &Word(&["function"])),
    must("function", &FUNCTION),
    may("items", &OrNull(&OPEN)),
]);
static FUNCTION: Shape = Object(&[
    must("name", &FilledText),
    may("description", &Text),
    must("parameters", &OBJECT_SCHEMA),
]);
