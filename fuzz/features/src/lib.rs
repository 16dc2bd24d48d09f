//! Nothing but tests: `cargo test -p vernal-features` in the folder `fuzz`.
