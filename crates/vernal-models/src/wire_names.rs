//! Tool names on the wire, for providers that take only `[A-Za-z0-9_-]{1,64}` (rule DEF-2).
//!
//! The wire name is a function of the name alone, so history and tool list agree however they come
//! together. A name that fits is sent as it is. Any other one keeps what fits of it and ends in `_`
//! and sixteen hexadecimal digits of its hash; a name that fits but ends like that is mapped too, so
//! that no name can pass for the wire form of another.

use std::borrow::Cow;
use std::sync::Arc;

use vernal_core::message::DialectKey;
use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_core::tool::ToolSet;

const LONGEST: usize = 64;
const DIGITS: usize = 16;

/// The name under which the provider knows the tool called `name`.
pub(crate) fn wire_name(name: &str) -> Cow<'_, str> {
    if fits(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(mapped(name))
    }
}

/// The tool that the provider means by `wire`, or `wire` itself where it means none of them.
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "openai"))]
pub(crate) fn real_name(wire: &str, tools: &ToolSet) -> Arc<str> {
    let meant = if ends_in_digits(wire) {
        // Never by its own name: a tool whose name looks mapped is itself mapped to another one.
        tools
            .definitions()
            .map(|tool| tool.name())
            .find(|name| wire_name(name) == wire)
    } else {
        tools.get(wire).map(|tool| tool.tool_definition().name())
    };
    meant.cloned().unwrap_or_else(|| wire.into())
}

/// Refuses tools whose names are one on the wire.
///
/// # Errors
/// Two names with one wire name, which takes somebody who looks for them.
pub(crate) fn check_distinct(tools: &ToolSet) -> Result<(), ModelError> {
    let mut mapped: Vec<(Cow<'_, str>, &Arc<str>)> = Vec::new();
    for name in tools
        .definitions()
        .map(|tool| tool.name())
        .filter(|name| !fits(name))
    {
        let wire = wire_name(name);
        if let Some((_, other)) = mapped.iter().find(|(known, _)| *known == wire) {
            return Err(ModelError::new(
                ModelErrorKind::Configuration,
                format!(
                    "the tools `{other}` and `{name}` both become `{wire}` for this provider; rename \
                     one of them"
                ),
            ));
        }
        mapped.push((wire, name));
    }
    Ok(())
}

fn fits(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= LONGEST
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        && !ends_in_digits(name)
}

fn ends_in_digits(name: &str) -> bool {
    let Some(at) = name.len().checked_sub(DIGITS + 1) else {
        return false;
    };
    let end = name.as_bytes().get(at..).unwrap_or_default();
    let hexadecimal = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    matches!(end, [b'_', digits @ ..] if digits.iter().all(hexadecimal))
}

/// What fits of the name, other characters as one `_` for each run of them, then the hash.
fn mapped(name: &str) -> String {
    let mut wire = String::with_capacity(LONGEST);
    for character in name.chars() {
        if wire.len() == LONGEST - DIGITS - 1 {
            break;
        }
        if character.is_ascii_alphanumeric() || character == '-' {
            wire.push(character);
        } else if !wire.ends_with('_') {
            wire.push('_');
        }
    }
    if wire.chars().all(|character| character == '_') {
        wire.clear();
        wire.push_str("tool");
    }
    if !wire.ends_with('_') {
        wire.push('_');
    }
    // The hash of the whole name tells apart what the replaced characters do not.
    let DialectKey(hash) = DialectKey::from_name(name);
    wire.push_str(&format!("{hash:016x}"));
    wire
}

#[cfg(test)]
mod tests {
    use super::*;
    use vernal_core::tool::{FunctionToolCallback, ToolCallback};

    fn tools(names: &[&str]) -> ToolSet {
        let tool = |name: &&str| {
            let tool = FunctionToolCallback::builder(*name, || "done")
                .build()
                .unwrap();
            Arc::new(tool) as Arc<dyn ToolCallback>
        };
        ToolSet::of_callbacks(names.iter().map(tool)).unwrap()
    }

    #[test]
    fn names_that_fit_stay() {
        for name in [
            "a",
            "get_weather",
            "get-Weather-2",
            "x_0123456789abcdeg",
            &"n".repeat(64),
        ] {
            assert_eq!(wire_name(name), name);
        }
    }

    #[test]
    fn names_in_any_script_are_mapped_to_what_is_allowed() {
        let long = "n".repeat(65);
        let names = [
            "날씨_조회",
            "날씨",
            "weather 날씨!",
            "get.weather",
            "",
            &long,
            "_0123456789abcdef",
        ];
        for name in names {
            let wire = wire_name(name);
            assert!(wire.len() <= LONGEST && !wire.is_empty(), "{wire}");
            let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            assert!(wire.chars().all(allowed), "{wire}");
            assert_ne!(wire, name);
            assert_eq!(wire, wire_name(name));
        }
        assert!(wire_name("날씨").starts_with("tool_"));
        assert!(wire_name("weather 날씨!").starts_with("weather_"));
    }

    #[test]
    fn mapped_names_are_distinct_and_come_back() {
        let wire_of_one = wire_name("날씨").into_owned();
        let long = "n".repeat(100);
        let longer = "n".repeat(101);
        let names = [
            "날씨",
            "天気",
            "get.weather",
            "get weather",
            "get_weather",
            &long,
            &longer,
            &wire_of_one,
        ];
        let set = tools(&names);
        check_distinct(&set).unwrap();
        for name in names {
            assert_eq!(&*real_name(&wire_name(name), &set), name);
        }
    }

    #[test]
    fn names_of_no_tool_pass_unchanged() {
        let set = tools(&["날씨"]);
        for name in ["nothing", "tool_0123456789abcdef", "", "天気"] {
            assert_eq!(&*real_name(name, &set), name);
        }
    }
}
