//! Rules about the names of tools.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use vernal_core::message::DialectKey;

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

/// The names in a body that Vernal may have made for the wire: they end in a hash of the tool's own
/// (rule DEF-2).
pub(crate) fn mapped(body: &Value) -> Vec<Arc<str>> {
    let mut names = Vec::new();
    collect(body, &mut names);
    names
}

fn collect(value: &Value, names: &mut Vec<Arc<str>>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Value::Object(members) => {
            if let Some(Value::String(name)) = members.get("name")
                && name.len() > HASH
            {
                names.push(name.as_str().into());
            }
            members.values().for_each(|member| collect(member, names));
        }
        _ => {}
    }
}

/// `_` and sixteen hexadecimal digits.
const HASH: usize = 17;

/// The name by which a request knows the tool that a script calls `name`: its own, or the one that it
/// is mapped to.
pub(crate) fn as_offered(name: &Arc<str>, mapped: &[Arc<str>]) -> Arc<str> {
    let DialectKey(hash) = DialectKey::from_name(name);
    let end = format!("_{hash:016x}");
    let offered = mapped.iter().find(|offered| offered.ends_with(&end));
    offered.unwrap_or(name).clone()
}
