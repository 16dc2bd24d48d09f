//! SCH-1 to SCH-8: schemas of Rust types, schemas that somebody else wrote, and what is lost of them. Whole schemas are kept
//! byte for byte in the tests `schema_golden`, which share the types.

mod foreign;
mod integers;
mod lost;
mod rules;
