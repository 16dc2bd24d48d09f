//! The messages of a request as its list of items.

use vernal_core::message::{Message, PartContent, Role};

use super::input::{next, push_system};
use super::item::Item;
use super::request::Encoded;

/// Writes the list of items, the `opening` first.
pub(super) fn push_input(out: &mut String, opening: &str, messages: &[Encoded<'_>]) {
    out.push('[');
    out.push_str(opening);
    for (message, text) in messages.iter().filter(|(_, text)| !text.is_empty()) {
        match message.role() {
            Role::System => push_system(next(out), text),
            _ => next(out).push_str(text),
        }
    }
    out.push(']');
}

/// Whether an item that only the provider understands is a call of this id, such as a search among tools that
/// the application makes.
pub(super) fn has_opaque_call(message: &Message, id: &str, provider: &str) -> bool {
    let parts = message.parts().iter();
    let opaque = parts.filter(|part| matches!(part.content, PartContent::Opaque));
    let mut items = opaque.filter_map(|part| part.provider_data(provider));
    items.any(|raw| Item::of(raw).call_id.as_deref() == Some(id))
}
