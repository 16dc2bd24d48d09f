//! Tools that are collected when the program is linked (rule RSV-2).

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use vernal_core::tool::{
    StaticToolCallbackResolver, ToolCallbackResolver, ToolContext, ToolInput, ToolSet,
    registered_tools, tool, tools,
};

use crate::made::support::names;

mod second {
    use vernal_core::tool::tool;

    #[tool(register, crate = "vernal")]
    pub(super) fn in_second() {}
}

mod first {
    use vernal_core::tool::tool;

    #[tool(register, name = "renamed", return_direct)]
    pub(super) async fn in_first(city: String) -> String {
        city
    }

    #[cfg(any())]
    #[tool(register)]
    fn absent() {}
}

/// All that one macro writes has one place.
mod in_one_place {
    macro_rules! tools {
        ($($name:ident)*) => {
            $(
                #[vernal_core::tool::tool(register)]
                fn $name() {}
            )*
        };
    }

    tools!(zebra ape mouse);
}

static MADE: AtomicU32 = AtomicU32::new(0);

struct Counter {
    step: u32,
}

impl Default for Counter {
    fn default() -> Self {
        MADE.fetch_add(1, Ordering::SeqCst);
        Self { step: 1 }
    }
}

#[tools(register)]
impl Counter {
    #[tool]
    fn by_default(&self) -> u32 {
        self.step
    }
}

struct Greeter<'a> {
    greeting: &'a str,
}

#[tools(register = Greeter { greeting: "안녕" })]
impl Greeter<'_> {
    #[tool]
    fn hello(&self) -> String {
        self.greeting.to_owned()
    }

    #[tool]
    fn bye(&self) {}
}

struct Shared;

#[tools(register = false)]
impl Shared {
    #[tool]
    fn not_registered(&self) {}
}

#[tool(register = false)]
fn not_registered_either() {}

#[test]
fn registered_tools_stand_in_the_order_of_their_places() {
    assert_eq!(
        names(registered_tools()),
        [
            "by_default",
            "hello",
            "bye",
            "renamed",
            "ape",
            "mouse",
            "zebra",
            "in_second"
        ],
    );
    assert_eq!(names((Shared, not_registered_either)).len(), 2);
}

#[test]
fn tools_4_registered_tools_are_the_same_every_time() {
    let (first, again) = (registered_tools(), registered_tools());
    assert!(
        first
            .iter()
            .zip(&again)
            .all(|(one, other)| Arc::ptr_eq(one, other))
    );
    assert_eq!(MADE.load(Ordering::SeqCst), 1);
    let set = ToolSet::of_callbacks(first.into_iter().chain(again)).unwrap();
    assert_eq!(set.len(), 8);
    assert_eq!(names((registered_tools(), first::in_first)).len(), 9);
    let one = ToolSet::of_callbacks(vernal_core::tool::ToolCallbacks::from((
        registered_tools(),
        first::in_first,
        second::in_second,
    )));
    assert_eq!(
        one.unwrap().len(),
        8,
        "a registered function is the function"
    );
}

#[test]
fn rsv_2_a_resolver_knows_the_registered_tools() {
    let resolver = StaticToolCallbackResolver::registered().unwrap();
    assert_eq!(
        resolver.names(),
        [
            "ape",
            "by_default",
            "bye",
            "hello",
            "in_second",
            "mouse",
            "renamed",
            "zebra"
        ]
    );
    let hello = resolver.resolve("hello").unwrap();
    let running = hello.call(ToolInput::parse("").unwrap(), ToolContext::empty());
    assert_eq!(futures::executor::block_on(running).unwrap().text(), "안녕");
    assert!(resolver.resolve("in_first").is_none());
}
