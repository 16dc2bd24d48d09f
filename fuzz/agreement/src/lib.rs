//! Nothing but tests: `cargo test -p vernal-agreement` in the folder `fuzz`.
