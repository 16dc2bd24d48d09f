//! Checking arguments asks the allocator for next to nothing (design rule 7: a call must be cheap).
//!
//! One test alone, so that no other test allocates at the same time; what the test harness itself may
//! allocate meanwhile, it does not do each time.

#![allow(missing_docs, clippy::unwrap_used)]

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use vernal_core::tool::schema::CompiledSchema;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const SCHEMA: &str = r##"{"type":"object","properties":{
    "city":{"type":"string","minLength":1,"maxLength":80},
    "days":{"type":"integer","minimum":1,"maximum":14},
    "units":{"type":"string","enum":["celsius","fahrenheit"]},
    "tags":{"type":"array","items":{"type":"string"},"maxItems":10},
    "near":{"anyOf":[{"$ref":"#/$defs/point"},{"type":"null"}]},
    "shape":{"oneOf":[
        {"type":"object","properties":{"kind":{"const":"circle"},"r":{"type":"number"}},"required":["kind","r"],"additionalProperties":false},
        {"type":"object","properties":{"kind":{"const":"box"},"w":{"type":"number"}},"required":["kind","w"],"additionalProperties":false}]}},
    "required":["city"],"additionalProperties":false,
    "$defs":{"point":{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}},"required":["lat","lon"],"additionalProperties":false}}}"##;

/// The fewest of some tries.
fn allocations(schema: &CompiledSchema, arguments: &str) -> usize {
    let tries = (0..8).map(|_| allocations_once(schema, arguments));
    tries.min().unwrap()
}

fn allocations_once(schema: &CompiledSchema, arguments: &str) -> usize {
    let region = Region::new(ALLOCATOR);
    let result = schema.check(arguments);
    let change = region.change();
    assert_eq!(result, Ok(()));
    change.allocations + change.reallocations
}

#[test]
fn checking_typical_arguments_allocates_a_handful_of_times() {
    let schema = CompiledSchema::new(SCHEMA).unwrap();
    for (name, arguments, most) in [
        ("nothing but a name", r#"{"city":"Jeju"}"#, 2),
        (
            "scalars",
            r#"{"city":"Jeju","days":3,"units":"celsius"}"#,
            2,
        ),
        ("an escaped text", r#"{"city":"Je\nju\t\"x\""}"#, 4),
        (
            "a list",
            r#"{"city":"Jeju","tags":["sea","wind","horses","basalt"]}"#,
            4,
        ),
        (
            "alternatives",
            r#"{"city":"Jeju","near":{"lat":33.5,"lon":126.5},"shape":{"kind":"box","w":2}}"#,
            4,
        ),
    ] {
        let found = allocations(&schema, arguments);
        println!("{name}: {found} allocations");
        assert!(
            found <= most,
            "{name}: {found} allocations instead of {most}"
        );
    }
    // A long text is not copied, and many values are one list.
    let long = format!(r#"{{"city":"Jeju","tags":["{}"]}}"#, "x".repeat(100_000));
    assert!(allocations(&schema, &long) <= 3);
}
