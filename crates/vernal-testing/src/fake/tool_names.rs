//! Rules about the names of tools.

use std::collections::BTreeSet;

use super::violation::Findings;

/// No two tools have one name. `name` says where the name of a tool is.
pub(crate) fn distinct<'a>(
    tools: impl Iterator<Item = Option<&'a str>>,
    at: &mut Findings,
) -> BTreeSet<&'a str> {
    let mut known = BTreeSet::new();
    for (index, name) in tools.enumerate() {
        let Some(name) = name else { continue };
        if !known.insert(name) {
            at.member("tools", |at| {
                at.item(index, |at| {
                    at.note(format!("another tool is called `{name}` too"))
                });
            });
        }
    }
    known
}

/// What names a tool names one that is offered.
pub(crate) fn offered(name: Option<&str>, tools: &BTreeSet<&str>, at: &mut Findings) {
    if let Some(name) = name
        && !tools.contains(name)
    {
        at.note(format!("`{name}` is no tool of this request"));
    }
}
