//! Tool names as the server takes them: they begin with a letter or `_`.

use std::borrow::Cow;
use std::sync::Arc;

use vernal_core::model::{ModelError, ModelErrorKind};
use vernal_core::tool::ToolSet;

use crate::wire_names::{check_distinct, wire_name};

/// The name under which the server knows the tool called `name`.
pub(super) fn name_for(name: &str) -> Cow<'_, str> {
    let wire = wire_name(name);
    if wire.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
        wire
    } else {
        Cow::Owned(format!("_{wire}"))
    }
}

/// The tool that the server means by `wire`, or `wire` itself where it means none of them.
pub(super) fn meant_by(wire: &str, tools: &ToolSet) -> Arc<str> {
    let mut names = tools.definitions().map(|tool| tool.name());
    let meant = names.find(|name| name_for(name) == wire);
    meant.cloned().unwrap_or_else(|| wire.into())
}

/// Refuses tools whose names are one on the wire.
///
/// # Errors
/// Two names with one wire name, such as `3d` and `_3d`.
pub(super) fn check(tools: &ToolSet) -> Result<(), ModelError> {
    check_distinct(tools)?;
    for name in tools.definitions().map(|tool| tool.name()) {
        let wire = name_for(name);
        let other = meant_by(&wire, tools);
        if *other != **name {
            return Err(ModelError::new(
                ModelErrorKind::Configuration,
                format!(
                    "the tools `{other}` and `{name}` both become `{wire}` for this provider; \
                     rename one of them"
                ),
            ));
        }
    }
    Ok(())
}
