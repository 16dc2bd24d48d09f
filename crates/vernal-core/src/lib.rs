//! The core of Vernal: the tool-calling loop as data, and everything it is made of.
//!
//! Most programs depend on the facade crate `vernal`; extension crates depend on this one. The rooms,
//! in the order in which data flows: [`client`] → [`advisor`] → [`calling`] → [`model`], over
//! [`tool`] and [`message`].

pub mod advisor;
pub mod calling;
pub mod client;
mod error;
pub mod memory;
pub mod message;
pub mod model;
pub mod tool;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use error::Error;
