//! Making tools: what `#[tools]`, `#[tool]` and the builders make of code (DEF, SCH, RES, CTX).

#![allow(missing_docs, unreachable_pub)]

mod built_functions;
mod built_methods;
mod calls;
mod converters;
mod defaults;
mod definitions;
mod functions;
mod injection;
mod metadata;
mod names;
mod objects;
mod refused;
#[cfg(feature = "registry")]
mod registry;
mod results;
mod support;
