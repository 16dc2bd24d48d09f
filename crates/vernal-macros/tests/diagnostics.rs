//! What the compiler says about mistakes with tools: one file in `ui/` for each kind of mistake.
//!
//! After a change that is meant, `TRYBUILD=overwrite cargo test -p vernal-macros --test diagnostics`
//! writes the new texts; read them before they are kept.
//!
//! The compiler names a closure or an async block by the path of its file, and words what it says of
//! one differently where that makes a line long. A text that is kept must not depend on where the
//! repository lies: a trait of ours has a `label` of its own, and the file with the async block has a
//! name so long that the line is long everywhere.

#[test]
fn mistakes_are_explained() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
