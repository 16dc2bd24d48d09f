//! What the tests of all stores share.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    dead_code
)]

pub mod advisor;
pub mod crash;
pub mod crash_turn;
pub mod network;
pub mod proxy;
pub mod services;
pub mod turns;

use vernal_core::memory::{ConversationId, MemoryError, MemoryErrorKind};

/// An id that no other run uses.
pub fn conversation(name: &str) -> ConversationId {
    let unique = vernal_core::message::Message::user("").id();
    ConversationId::new(format!("test {name} {unique}")).unwrap()
}

/// The error must be of this kind, one line, and name the store, the operation and what it is about,
/// without any of the secrets.
pub fn assert_error(error: &MemoryError, kind: MemoryErrorKind, parts: &[&str]) {
    let (text, debug) = (error.to_string(), format!("{error:?}"));
    assert_eq!(error.kind(), kind, "{text}");
    assert!(
        !text.contains('\n') && text.contains("; "),
        "one line, with a fix: {text}"
    );
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    let mut chain = debug;
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        chain.push_str(&format!("{error} {error:?}"));
        source = error.source();
    }
    assert!(!chain.contains("secret"), "a secret is in: {chain}");
}
