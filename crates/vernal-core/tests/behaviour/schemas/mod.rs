//! SCH-1 to SCH-7: schemas of Rust types, and schemas that somebody else wrote. Whole schemas are kept
//! byte for byte in the tests `schema_golden`, which share the types.

mod foreign;
mod integers;
mod rules;
