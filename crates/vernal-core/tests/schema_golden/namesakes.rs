//! Types that have their names from several modules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::shapes::shapes;

shapes! {
    pub(crate) struct OneName {
        a: first::Point,
        b: second::Point,
        c: Vec<third::Point>,
        again: first::Point,
        loops: (first::Chain, third::Chain),
    }
}

pub(crate) mod first {
    use super::*;

    shapes! {
        pub(crate) struct Point { x: u8, y: u8 }
        pub(crate) struct Chain { next: Option<Box<Chain>> }
    }
}

pub(crate) mod second {
    use super::*;

    shapes! {
        pub(crate) struct Point { latitude: f64, longitude: f64 }
    }
}

/// The same as in `first`.
pub(crate) mod third {
    use super::*;

    shapes! {
        pub(crate) struct Point { x: u8, y: u8 }
        pub(crate) struct Chain { next: Option<Box<Chain>> }
    }
}
