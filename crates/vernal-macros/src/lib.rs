//! The attributes that make tools of Rust functions: [`macro@tools`] on an `impl` block, and
//! [`macro@tool`] on the methods in it or on a free function.
//!
//! Use them through `vernal` or `vernal-core`, which re-export them.
//!
//! ```
//! use vernal_core::tool::{ToolContext, ToolError, tool, tools};
//!
//! struct Alarms;
//!
//! #[tools]
//! impl Alarms {
//!     /// Set a user alarm for the given time.
//!     #[tool(return_direct)]
//!     async fn set_alarm(
//!         &self,
//!         /// The time, in ISO-8601 format.
//!         time: String,
//!         /// A label shown with the alarm.
//!         label: Option<String>,
//!         context: &ToolContext,
//!     ) -> Result<String, ToolError> {
//!         let user = context.get_str("user").ok_or("nobody is logged in")?;
//!         Ok(format!("{time} {} for {user}", label.as_deref().unwrap_or("Alarm")))
//!     }
//! }
//!
//! /// Get the weather in a city.
//! #[tool]
//! fn weather(city: String) -> String {
//!     format!("Sunny in {city}")
//! }
//!
//! # fn hand_over(tools: impl vernal_core::tool::IntoTools) {}
//! hand_over((Alarms, weather));
//! ```

mod attributes;
mod description;
mod duration;
mod errors;
mod expand_tool;
mod expand_tools;
mod expansion;
mod keys;
mod manifest;
mod metadata;
mod method;
mod name;
mod parameter;
mod paths;
mod registration;
mod types;

use proc_macro::TokenStream;

/// Makes the `#[tool]` methods of an `impl` block tools, and values of its type something to be
/// handed over as tools (`IntoTools`).
///
/// The block stays as it is written. A type has one `#[tools]` block; it may have other `impl` blocks
/// beside it, and other items may stand in it.
///
/// ```
/// use vernal_core::tool::{ToolCallbacks, tools};
///
/// struct Calculator { digits: usize }
///
/// #[tools]
/// impl Calculator {
///     /// Divide two numbers.
///     #[tool]
///     fn divide(&self, dividend: f64, divisor: f64) -> Result<String, String> {
///         if divisor == 0.0 {
///             return Err("there is no division by zero".to_owned()); // the model reads this
///         }
///         Ok(format!("{:.1$}", dividend / divisor, self.digits))
///     }
/// }
///
/// let tools = ToolCallbacks::from(Calculator { digits: 3 });
/// let definition = tools[0].tool_definition();
/// assert_eq!(definition.description(), "Divide two numbers.");
/// assert_eq!(
///     definition.input_schema(),
///     r#"{"type":"object","properties":{"dividend":{"type":"number"},"divisor":{"type":"number"}},"#
///         .to_owned() + r#""required":["dividend","divisor"],"additionalProperties":false}"#,
/// );
/// ```
///
/// # Methods
///
/// A method may have any visibility, take `&self` or not, and be async or not. The object is shared by
/// its tools and by calls that run at the same time, so it is `Send`, `Sync` and `'static`, and what
/// changes in it is behind a `Mutex` or an atomic.
///
/// A method is called `name`, else what it is called in Rust. Its description is `description`, else
/// its doc comment, else its name as words. Two methods of one name are an error (rule DEF-6).
///
/// | key of `#[tool(…)]` | |
/// |---|---|
/// | `name = "…"` | The tool's name: not blank, no control characters, at most 128 bytes. |
/// | `description = "…"` | What it does and when to use it; also an expression such as `include_str!("…")`. |
/// | `return_direct` | The result is the answer, without another model call. |
/// | `result_converter = …` | What turns the result into what the model reads: a `ToolCallResultConverter`. |
/// | `timeout = "5s"` | How long the tool may run, in `ms`, `s`, `m` or `h`. |
/// | `sequential` | The tool runs alone in its batch. |
/// | `blocking` | The function blocks its thread and is run away from the async ones; it is not `async`. |
/// | `idempotent` | Running it twice with the same arguments does no harm, so that it may be tried again. |
/// | `max_retries = 3` | How often it is tried again; it is `idempotent`. |
/// | `max_result_bytes = 64 * 1024` | The size at which its result is cut. |
/// | `read_only` | It changes nothing. |
/// | `destructive` | What it does cannot be undone; it is not `read_only`. |
/// | `requires_approval` | A person is asked before it runs. |
///
/// A key without a value may also be written as `key = true` or `key = false`.
///
/// All of a call is done when its future is polled, and nothing before. Where the method is not async,
/// the first poll does it and yields the result.
///
/// # Parameters
///
/// A parameter has a plain name and an owned type that derives `serde::Deserialize` and
/// `schemars::JsonSchema`. One that has a default or can be read from nothing, as `Option` can under any
/// alias, may be left out by the model; all others are required. A `serde_json::Value` is any JSON; it
/// rounds numbers that neither 64 bits nor a float can hold.
///
/// | key of `#[param(…)]` | |
/// |---|---|
/// | `name = "…"` | The name that the model uses. |
/// | `description = "…"` | What it means; otherwise its doc comment, otherwise that of its type. |
/// | `default = …` | What it is when it is left out: an expression of its type, or a text for what is made of one. The schema says so, if the type serialises. Alone, it is `Default::default()`. |
/// | `required = true` | It must be there although it could be left out. |
/// | `required = false` | It may be left out; it has a default, or its type is an `Option`. |
/// | `inject` | The application gives it and not the model, by its type's `FromToolContext`. |
///
/// ```
/// use vernal_core::tool::{ToolCallbacks, tools};
///
/// struct Search;
///
/// #[tools]
/// impl Search {
///     #[tool(name = "searchDocuments", description = "Search all documents")]
///     fn search(
///         #[param(name = "q", description = "What to look for")] query: String,
///         #[param(required = true)] language: Option<String>,
///     ) -> Vec<String> {
///         vec![query, language.unwrap_or_default()]
///     }
/// }
///
/// let tools = ToolCallbacks::from(Search);
/// let schema = tools[0].tool_definition().input_schema();
/// assert!(schema.contains(r#""q":{"description":"What to look for","type":"string"}"#));
/// assert!(schema.contains(r#""required":["q","language"]"#));
/// ```
///
/// # What the application gives
///
/// The model knows nothing of parameters of these types, in any position and also by reference:
/// `ToolContext`; `Context<T>`, which is the `T` that the application put into the context, and
/// `Option<Context<T>>`; `CancellationToken`; `ProgressSender`. They are known by their names, so a type of
/// the same name that the model is to give is marked with `#[param(inject = false)]`. Every other type
/// with a `FromToolContext` is marked with `#[param(inject)]`.
///
/// ```
/// use vernal_core::tool::{CancellationToken, Context, ProgressSender, ToolError, tools};
///
/// struct Tenant { id: &'static str }
/// struct Import;
///
/// #[tools]
/// impl Import {
///     /// Import all records.
///     #[tool(blocking, timeout = "10m", requires_approval)]
///     fn import(
///         &self,
///         #[param(default = 1000)] records: u32,
///         tenant: Context<Tenant>,
///         progress: ProgressSender,
///         cancelled: &CancellationToken,
///     ) -> Result<String, ToolError> {
///         for record in 0..records {
///             if cancelled.is_cancelled() {
///                 return Err(ToolError::model("nobody waits for it any more"));
///             }
///             progress.report(record.into(), Some(records.into()), None);
///         }
///         Ok(format!("{records} records of {}", tenant.id))
///     }
/// }
/// ```
///
/// # Results
///
/// A method returns anything that serialises, a `ToolOutput`, or a `Result` of either whose error
/// converts into a `ToolError`: an error type, a text, or a `ToolError`. What counts is the type and not
/// its spelling. `()` is read by the model as `Done`, a string as it is, everything else as compact
/// JSON; a `result_converter` sees the value with its type and writes something else.
///
/// A result does not borrow. In edition 2024 `impl Serialize` borrows from every argument unless it is
/// written as `impl Serialize + use<>`.
///
/// # Definitions
///
/// A tool's definition is built when an object is first handed over, and shared by all objects; in a
/// generic block, whose instances may have different schemas, it is built for each object. Should the
/// hand-written schema of a parameter's type be unusable, an error is logged, the model is told that
/// the parameter takes anything, and its argument is still read as that type.
///
/// # Registering
///
/// `#[tools(register)]` makes one object with its `Default`, and `#[tools(register = expression)]` with the
/// expression, and puts its tools among the program's `registered_tools()`. The block's type is not
/// generic, and the crate has its feature `registry` on.
///
/// # One block
///
/// A type has one `#[tools]` block. Of a second one the compiler says that it implements
/// `OneToolsBlockPerType` and `IntoTools` again; its methods belong into the first.
///
/// # The crate's name
///
/// The expansion names `vernal` or `vernal-core`, whichever the package's manifest says it depends on,
/// by the name that it has there. Where neither is a direct dependency, or it was renamed by the
/// workspace, or cargo does not build the program, `#[tools(crate = "path::of::vernal")]` says where
/// one of them is.
#[proc_macro_attribute]
pub fn tools(keys: TokenStream, item: TokenStream) -> TokenStream {
    expand_tools::expand_tools(keys.into(), item.into()).into()
}

/// Makes a function a tool.
///
/// On a method, it stands in an `impl` block under [`macro@tools`], where it is described.
///
/// On a free function it takes the same keys, `crate = "path"`, and `register`, which puts the tool among
/// the program's `registered_tools()`. The function becomes a unit value of
/// its name: handed over as it is, and called as `name::call`. Handed over twice, it counts once.
///
/// ```
/// use vernal_core::tool::{ToolCallbacks, tool};
///
/// /// Get the weather in a city.
/// #[tool]
/// async fn weather(
///     /// The city's name.
///     city: String,
/// ) -> String {
///     format!("Sunny in {city}")
/// }
///
/// let tools = ToolCallbacks::from(weather);
/// assert_eq!(tools[0].tool_definition().description(), "Get the weather in a city.");
///
/// # futures::executor::block_on(async {
/// assert_eq!(weather::call("Jeju".to_owned()).await, "Sunny in Jeju");
/// # });
/// ```
///
/// As with every unit value, no variable in its scope can have its name: `let weather = …` is an error
/// where the tool `weather` can be seen, which a module of its own for the tools prevents.
#[proc_macro_attribute]
pub fn tool(keys: TokenStream, item: TokenStream) -> TokenStream {
    expand_tool::expand_tool(keys.into(), item.into()).into()
}
