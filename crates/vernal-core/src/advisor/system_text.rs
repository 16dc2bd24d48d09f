use std::sync::Arc;

use crate::message::{History, Message, Part, Role};

/// Puts a text at the end of the first system message, which is made if there is none: some models take
/// no more than one, and it may stand before any other message. A text that is there already is not put
/// there again.
pub(super) fn append_to_system(messages: &mut History, text: &str) {
    let is_system = |message: &&Arc<Message>| message.role() == Role::System;
    let Some(system) = messages.iter().find(is_system).cloned() else {
        let first = Arc::new(Message::system(text));
        *messages = std::iter::once(first)
            .chain(messages.iter().cloned())
            .collect();
        return;
    };
    if system.text().ends_with(text) {
        return;
    }
    let mut parts = system.parts().to_vec();
    parts.push(Part::text(format!("\n\n{text}")));
    let longer = Arc::new(Message::new(Role::System, parts));
    let replaced = messages.iter().map(|message| {
        if Arc::ptr_eq(message, &system) {
            longer.clone()
        } else {
            message.clone()
        }
    });
    *messages = replaced.collect();
}
