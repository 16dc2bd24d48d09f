//! The whole answer: what the tools have answered, and what has to be asked.

use std::sync::Arc;

use super::answer::sentence;
use super::fill::{Scene, fill};
use super::goals::Goal;
use super::phrases::Phrases;
use super::read::{Step, Turn};
use super::reading::Reading;
use super::talk::no_tool_fits;
use super::tool::Tool;

/// The answer in words: results, then questions.
pub(crate) fn wording(
    turn: &Turn,
    all: &[Tool],
    goals: &[Goal],
    tools: &[Tool],
    asks: &[(usize, Vec<String>)],
) -> String {
    let reading = Reading::new(&turn.text);
    let wanted: Vec<&Arc<str>> = goals
        .iter()
        .filter_map(|goal| tools.get(goal.tool))
        .map(|tool| &tool.name)
        .collect();
    let mut steps: Vec<&Step> = turn
        .steps
        .iter()
        .filter(|step| wanted.contains(&&step.tool))
        .collect();
    if steps.is_empty() {
        // Only what came before the goal was reached, or the tools have changed.
        let failed: Vec<&Step> = turn.steps.iter().filter(|step| step.failed).collect();
        steps = if failed.is_empty() && asks.is_empty() {
            turn.steps.iter().rev().take(1).collect()
        } else {
            failed
        };
    }
    // An error that was put right is not told.
    let told = steps.iter().filter(|step| {
        !(step.failed
            && steps
                .iter()
                .any(|other| other.tool == step.tool && !other.failed && is_retry(other, step)))
    });
    let told: Vec<&Step> = told.copied().collect();
    let mut sentences: Vec<String> = told
        .iter()
        .map(|step| {
            let several = told.iter().filter(|other| other.tool == step.tool).count() > 1;
            sentence(step, &reading, several)
        })
        .collect();
    let phrases = Phrases::of(reading.lang);
    for (tool, names) in asks {
        let Some(tool) = tools.get(*tool) else {
            continue;
        };
        sentences.push(phrases.ask(&tool.name, &described(tool, names)));
    }
    if sentences.is_empty() {
        return no_tool_fits(&turn.text, all);
    }
    sentences.join(if sentences.iter().any(|text| text.contains('\n')) {
        "\n"
    } else {
        " "
    })
}

/// Whether one call was the other's second try: all but one argument are the same.
fn is_retry(later: &Step, first: &Step) -> bool {
    let (Some(a), Some(b)) = (later.arguments.as_object(), first.arguments.as_object()) else {
        return false;
    };
    let different = a
        .iter()
        .filter(|(name, value)| b.get(*name) != Some(value))
        .count();
    different <= 2
}

fn described(tool: &Tool, names: &[String]) -> Vec<(String, String)> {
    let scene_reading = Reading::new("");
    let scene = Scene {
        reading: &scene_reading,
        tool,
        now: None,
        prefer: None,
    };
    let filling = fill(tool, &scene, false);
    names
        .iter()
        .map(|name| {
            let leaf = filling
                .leaves
                .iter()
                .find(|leaf| leaf.path.join(".") == *name);
            let about = leaf.map_or("", |leaf| leaf.param.description.as_str());
            let short: String = about.chars().take(100).collect();
            (name.clone(), short)
        })
        .collect()
}
