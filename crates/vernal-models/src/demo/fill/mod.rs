//! Filling arguments: extractors find what a text holds, and the best fitting finds go to the parameters.

mod amount;
mod amount_place;
mod assign;
mod boolean;
pub(crate) mod calendar;
mod choice;
mod choice_kind;
mod choice_meaning;
mod choice_partly;
mod chunk;
mod chunk_edges;
mod chunk_label;
mod chunk_role;
mod chunk_verb;
mod clause;
pub(crate) mod clock;
mod clock_fraction;
pub(crate) mod date;
mod date_digits;
pub(crate) mod duration;
mod ends;
pub(crate) mod expression;
mod filling;
pub(crate) mod hangul;
mod ids;
pub(crate) mod iso;
mod leaf;
mod leftover;
mod list;
pub(crate) mod moment;
mod moment_range;
mod name;
mod name_cue;
mod name_place;
mod name_value;
pub(crate) mod number;
mod number_unit;
pub(crate) mod numerals;
pub(crate) mod pattern;
pub(crate) mod period;
mod postal;
pub(crate) mod quote;
mod rival;
mod sample;
mod siblings;
mod style;
mod tail;
mod text;
mod time;
mod time_number;
mod time_past;
mod title;
mod typed;
pub(crate) mod unit;
mod worldly;

pub(crate) use assign::fill;
pub(crate) use filling::{Filling, Missing};
pub(crate) use ids::{like_samples, tell_foreign};
pub(crate) use leaf::{Candidate, Leaf, Scene, Strength, Wait};
pub(crate) use sample::{has_like_sample, samples, share_samples};

/// What the extractors find for one parameter, by its form alone.
pub(crate) fn shaped_finds(leaf: &Leaf<'_>, scene: &Scene<'_>) -> Vec<Candidate> {
    assign::typed_candidates(leaf, &leaf.param.shape, scene)
}

#[cfg(test)]
mod trial {
    use super::{Scene, fill};
    use crate::demo::now::now_in;
    use crate::demo::reading::Reading;
    use crate::demo::tool::Tool;
    use serde_json::Value;
    use vernal_core::tool::ToolDefinition;

    /// What is filled from a text, on Wednesday 4 June 2025; `null` for nothing.
    pub(super) fn filled(tool: &str, properties: Value, required: &[&str], text: &str) -> Value {
        let schema = serde_json::json!({"properties": properties, "required": required});
        let definition = ToolDefinition::builder(tool).input_schema(schema.to_string());
        let tool = Tool::new(&definition.build().unwrap());
        let reading = Reading::new(text);
        let now = now_in("2025-06-04T10:00:00Z");
        let scene = Scene {
            reading: &reading,
            tool: &tool,
            now: now.as_ref(),
            prefer: None,
        };
        fill(&tool, &scene, true).object().unwrap_or_default()
    }
}
