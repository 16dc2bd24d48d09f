//! What only some families of models refuse: their ids tell which they are.

use serde_json::Value;

use super::rules::list;
use crate::fake::violation::Findings;

const RESULTS_ALONE: [&str; 3] = ["meta.llama", "mistral.", "writer."];
const NO_MEDIA_IN_RESULTS: [&str; 3] = ["qwen.", "moonshot", "kimi"];
const NO_STATUS: [&str; 1] = ["writer."];

pub(super) fn check(model: &str, messages: &[Value], at: &mut Findings) {
    let is_of = |families: &[&str]| families.iter().any(|family| model.contains(family));
    for (index, message) in messages.iter().enumerate() {
        let blocks = list(message, "content");
        let results: Vec<&Value> = blocks
            .iter()
            .filter_map(|block| block.get("toolResult"))
            .collect();
        if results.is_empty() {
            continue;
        }
        let holds_media = |result: &&Value| {
            let mut content = list(result, "content").iter();
            content.any(|part| {
                ["image", "document", "video"]
                    .iter()
                    .any(|kind| part.get(kind).is_some())
            })
        };
        let mut refuse = |families: &[&str], is_broken: bool, rule: &str| {
            if is_broken && is_of(families) {
                at.item(index, |at| at.note(format!("`{model}` {rule}")));
            }
        };
        refuse(
            &RESULTS_ALONE,
            results.len() < blocks.len(),
            "takes no other block beside `toolResult` in a message",
        );
        refuse(
            &NO_MEDIA_IN_RESULTS,
            results.iter().any(holds_media),
            "takes no media within a `toolResult`",
        );
        refuse(
            &NO_STATUS,
            results.iter().any(|result| result.get("status").is_some()),
            "takes no `status` of a `toolResult`",
        );
    }
}
