//! Expansions in unfriendly surroundings.

use crate::support::{call, names};

/// A module that calls its own things like those of the standard library, with every lint on.
#[deny(
    warnings,
    clippy::all,
    clippy::pedantic,
    missing_docs,
    missing_debug_implementations
)]
#[allow(
    clippy::unused_async,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    unused_qualifications
)]
#[allow(clippy::needless_pass_by_value, clippy::wildcard_imports)]
pub mod shadowed {
    #[allow(unused_imports)]
    pub use self::names::*;

    /// The names.
    #[allow(dead_code)]
    mod names {
        /// Not the standard one.
        #[derive(Debug)]
        pub struct Result;
        /// Not the standard one.
        #[derive(Debug)]
        pub struct Option;
        /// Not the standard one.
        #[derive(Debug)]
        pub struct Box;
        /// Not the standard one.
        #[derive(Debug)]
        pub struct Vec;
        /// Not the standard one.
        #[derive(Debug)]
        pub struct Arc;
        /// Not the standard one.
        #[derive(Debug)]
        pub struct IntoTools;
        /// Not the standard one.
        #[derive(Debug)]
        pub struct Duration;
        /// Not ours.
        #[derive(Debug)]
        pub struct Parameter;
        /// Not ours.
        #[derive(Debug)]
        pub struct ToolMetadata;
        /// Not ours.
        #[derive(Debug)]
        pub struct Registration;
        /// Not the standard one.
        pub trait Default {}
        /// Not the standard one.
        pub trait Clone {}
        /// Not the standard one.
        pub trait Send {}
        /// Not the standard one.
        pub trait Into {}
        /// Not the standard one.
        #[allow(non_snake_case, clippy::missing_const_for_fn)]
        pub fn Some() {}
        /// Not the standard one.
        #[allow(non_snake_case, clippy::missing_const_for_fn)]
        pub fn Ok() {}
        /// Not the standard one.
        #[allow(non_upper_case_globals)]
        pub const None: u8 = 0;
        /// Not the standard one.
        pub mod core {}
        /// Not the standard one.
        pub mod std {}
        /// Not this crate.
        pub mod vernal_core {}
    }

    type Text = ::std::string::String;
    type String = u8;

    /// Tools.
    #[derive(Debug)]
    pub struct Tools;

    #[::vernal_core::tool::tools]
    impl Tools {
        /// Adds.
        #[tool]
        pub fn add(&self, object: String, into: ::std::option::Option<String>) -> String {
            object + into.unwrap_or_default()
        }

        /// Has parameters that are called like variables of an expansion.
        #[tool]
        pub async fn join(
            &self,
            input: Text,
            context: Text,
            fields: Text,
            object: Text,
            r#type: Text,
            _injected: &::vernal_core::tool::ToolContext,
        ) -> ::std::result::Result<Text, Text> {
            ::std::result::Result::Ok([input, context, fields, object, r#type].concat())
        }

        #[tool]
        fn nothing(&self) {}
    }

    /// Has everything else that can be written.
    #[derive(Debug)]
    pub struct Others;

    #[::vernal_core::tool::tools]
    impl Others {
        #[tool(
            timeout = "5s",
            idempotent,
            max_retries = 1,
            max_result_bytes = 9,
            result_converter = |result: ::vernal_core::tool::ToolResult<'_>| result.by_default()
        )]
        fn everything(
            #[param(default = 7)] metadata: String,
            #[param(default)] default: String,
            #[param(default = "x")] injected_0: Text,
            token: &::vernal_core::tool::CancellationToken,
            #[param(inject)] _context: ::vernal_core::tool::ToolContext,
        ) -> Text {
            ::std::format!("{metadata}{default}{injected_0}{}", token.is_cancelled())
        }
    }

    /// Has nothing but results.
    #[derive(Debug)]
    pub struct Results;

    #[::vernal_core::tool::tools]
    impl Results {
        #[tool]
        fn result(&self) -> ::std::result::Result<String, Text> {
            ::std::result::Result::Ok(1)
        }
    }

    /// A function.
    #[::vernal_core::tool::tool]
    pub fn function(into: String, tool: String) -> String {
        into + tool
    }

    #[::vernal_core::tool::tool(description = "Undocumented otherwise")]
    pub fn undocumented() {}
}

#[test]
fn shadowed_names_do_not_matter() {
    assert_eq!(
        call(shadowed::Tools, "add", r#"{"object":1,"into":2}"#).unwrap(),
        "3"
    );
    let arguments = r#"{"input":"a","context":"b","fields":"c","object":"d","type":"e"}"#;
    assert_eq!(call(shadowed::Tools, "join", arguments).unwrap(), "abcde");
    assert_eq!(call(shadowed::Tools, "nothing", "").unwrap(), "Done");
    assert_eq!(
        call(shadowed::function, "function", r#"{"into":1,"tool":2}"#).unwrap(),
        "3"
    );
    assert_eq!(call(shadowed::Results, "result", "").unwrap(), "1");
    assert_eq!(
        call(shadowed::Others, "everything", "").unwrap(),
        "70xfalse"
    );
    assert_eq!(names(shadowed::undocumented), ["undocumented"]);
}

/// Functions that become unit structs of the names that variables usually have.
mod everyday_names {
    use vernal_core::tool::{ToolContext, tool, tools};

    const TOOL: usize = 2;
    const DEFINITION: usize = 3;

    #[tool]
    pub(super) fn object(values: [u8; TOOL], _context: ToolContext) -> u8 {
        values.iter().sum()
    }
    #[tool]
    fn input() {}
    #[tool]
    fn context() {}
    #[tool]
    fn fields() {}
    #[tool]
    fn returned() {}
    #[tool]
    fn into() {}
    #[tool]
    fn tool() {}

    pub(super) struct Tools;

    #[tools]
    impl Tools {
        #[tool]
        async fn sum(&self, values: [u8; DEFINITION], _context: &ToolContext) -> u8 {
            values.iter().sum()
        }
    }

    pub(super) fn all() -> impl vernal_core::tool::IntoTools {
        (object, input, context, fields, returned, into, tool, Tools)
    }
}

#[test]
fn everyday_names_do_not_matter() {
    use everyday_names::all;
    assert_eq!(
        names(all()),
        [
            "object", "input", "context", "fields", "returned", "into", "tool", "sum"
        ]
    );
    assert_eq!(call(all(), "object", r#"{"values":[1,2]}"#).unwrap(), "3");
    assert_eq!(call(all(), "sum", r#"{"values":[1,2,3]}"#).unwrap(), "6");
}

macro_rules! tools_of {
    ($name:ident, $type:ty, $context:ty) => {
        struct $name;

        #[vernal_core::tool::tools]
        impl $name {
            #[tool]
            fn get(&self, value: $type, _context: $context) -> $type {
                value
            }
        }
    };
}

tools_of!(Made, Option<u8>, &vernal_core::tool::ToolContext);

#[test]
fn macro_rules_may_write_tools() {
    assert_eq!(call(Made, "get", r#"{"value":1}"#).unwrap(), "1");
    assert_eq!(call(Made, "get", "{}").unwrap(), "null");
}

/// Through the facade and through another name.
mod renamed {
    pub(super) use vernal_core as other;

    pub(super) struct OfFacade;

    #[vernal::tool::tools(crate = "vernal")]
    impl OfFacade {
        #[tool]
        fn facade_method(&self) {}
    }

    #[vernal::tool::tool(crate = "::vernal")]
    pub(super) fn facade_function() {}

    pub(super) struct OfOther;

    #[other::tool::tools(crate = "crate::hygiene::renamed::other")]
    impl OfOther {
        #[tool]
        fn renamed_method(&self) {}
    }

    #[other::tool::tool(crate = "crate::hygiene::renamed::other", name = "renamed")]
    pub(super) fn renamed_function() {}
}

#[test]
fn the_crate_may_have_another_name() {
    use renamed::{OfFacade, OfOther, facade_function, renamed_function};
    assert_eq!(
        names((OfFacade, facade_function, OfOther, renamed_function)),
        [
            "facade_method",
            "facade_function",
            "renamed_method",
            "renamed"
        ]
    );
}
