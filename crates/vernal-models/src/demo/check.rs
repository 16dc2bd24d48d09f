//! Arguments against the schema of their tool.

use serde_json::Value;

use super::fill::Filling;
use super::tool::Tool;

pub(crate) fn fits(tool: &Tool, arguments: &Value) -> bool {
    tool.definition
        .compiled_schema()
        .check(&arguments.to_string())
        .is_ok()
}

/// The arguments, without optional ones that the schema refuses. `None` where it refuses required ones.
pub(crate) fn checked(tool: &Tool, filling: &mut Filling<'_>) -> Option<Value> {
    for _ in 0..8 {
        let arguments = filling.object()?;
        let Err(violations) = tool
            .definition
            .compiled_schema()
            .check(&arguments.to_string())
        else {
            return Some(arguments);
        };
        let paths: Vec<String> = violations
            .iter()
            .map(|violation| violation.path.clone())
            .collect();
        let mut dropped = false;
        for (index, leaf) in filling.leaves.iter().enumerate() {
            let own = format!("$.{}", leaf.path.join("."));
            let blamed = paths.iter().any(|path| {
                // What misses a member is given up whole.
                let outer = path.rsplit_once('.').map_or("$", |(outer, _)| outer);
                path.starts_with(&own)
                    || [path, outer]
                        .iter()
                        .any(|path| *path != "$" && own.starts_with(*path))
            });
            if let Some(place) = filling
                .chosen
                .get_mut(index)
                .filter(|place| place.is_some() && blamed && !leaf.required)
            {
                *place = None;
                dropped = true;
            }
        }
        if !dropped {
            return None;
        }
    }
    None
}

pub(crate) fn required_names(tool: &Tool) -> Vec<String> {
    tool.params
        .iter()
        .filter(|param| param.required)
        .map(|param| param.name.clone())
        .collect()
}
