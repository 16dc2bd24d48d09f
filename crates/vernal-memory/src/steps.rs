//! Where a test can stop a process: between any two steps of a change to a store.

use std::sync::OnceLock;

static HOOK: OnceLock<fn(&'static str)> = OnceLock::new();

/// Calls `hook` with the name of every step that is reached from now on; only the first call counts.
pub fn at_each(hook: fn(&'static str)) {
    let _ = HOOK.set(hook);
}

#[cfg(any(
    feature = "sqlite",
    feature = "postgres",
    feature = "redis",
    feature = "neo4j"
))]
pub(crate) fn reached(step: &'static str) {
    if let Some(hook) = HOOK.get() {
        hook(step);
    }
}
