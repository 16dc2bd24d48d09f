//! Every setting of `ChatOptions`, for the tables of the adapters: each is in the body, or is found.

use vernal_core::model::{
    ChatModel, ChatOptions, ChatOptionsBuilder, Prompt, ResponseFormat, ToolChoice,
};

use super::canned::Canned;
use super::{forecast_options, tools};

/// A setting by its name, and options that have it and nothing else.
pub fn settings() -> Vec<(&'static str, ChatOptionsBuilder)> {
    let builder = ChatOptions::builder;
    let offering = || builder().tool_callbacks(tools(&["now", "then"])).unwrap();
    vec![
        ("model", builder().model("another")),
        ("temperature", builder().temperature(0.25)),
        ("top_p", builder().top_p(0.75)),
        ("max_tokens", builder().max_tokens(77)),
        ("stop", builder().stop("END")),
        ("tools", offering()),
        ("choice none", offering().tool_choice(ToolChoice::None)),
        (
            "choice required",
            offering().tool_choice(ToolChoice::Required),
        ),
        (
            "choice named",
            offering().tool_choice(ToolChoice::Tool("now".into())),
        ),
        (
            "choice allowed",
            offering().tool_choice(ToolChoice::allowed(["then"])),
        ),
        (
            "choice required of",
            offering().tool_choice(ToolChoice::required_of(["then"])),
        ),
        (
            "choice without tools",
            builder().tool_choice(ToolChoice::Required),
        ),
        ("one call", offering().parallel_tool_calls(false)),
        (
            "json",
            builder().response_format(ResponseFormat::JsonObject),
        ),
        ("schema", forecast_options()),
        ("extra", builder().extra("own", 7)),
    ]
}

/// Holds a model to a table: to each setting belongs what is asked at (the path and the body) or, after
/// a `?`, what is found. A setting that is in neither fails, as does one that the table does not have.
pub async fn every_setting_is_sent_or_found(
    model: &dyn ChatModel,
    canned: &Canned,
    table: &[(&str, &str)],
) {
    let settings = settings();
    let names: Vec<_> = settings.iter().map(|(name, _)| *name).collect();
    let listed: Vec<_> = table.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, listed);
    for ((name, options), (_, expected)) in settings.into_iter().zip(table) {
        let options = options.build();
        let found = model.check(&options);
        model.call(Prompt::new("hi", options)).await.unwrap();
        let path = canned.paths.lock().unwrap().last().unwrap().clone();
        let asked = format!("{path} {}", canned.last_sent());
        match expected.strip_prefix('?') {
            Some(text) => assert!(
                found
                    .iter()
                    .any(|finding| finding.to_string().contains(text)),
                "{name}: {found:?}"
            ),
            None => assert!(asked.contains(expected), "{name}: {asked}"),
        }
    }
}
