//! What the compiler says about mistakes with tools: one file in `ui/` for each kind of mistake.
//!
//! After a change that is meant, `TRYBUILD=overwrite cargo test -p vernal-macros --test diagnostics`
//! writes the new texts; read them before they are kept.

#[test]
fn mistakes_are_explained() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
