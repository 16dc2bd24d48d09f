//! What the adapters share of a model call: a [`Dialect`] writes requests and reads answers, and the
//! rest (whole or streamed, errors, what an answer says of itself) is the same for all of them.

mod adapter;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod answer;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod answer_form;
mod answer_schema;
mod bounds;
// Not every adapter needs all of it.
#[cfg_attr(not(feature = "openai"), allow(dead_code))]
mod by_model;
mod check;
mod choice;
mod connection;
mod dialect;
mod error;
mod estimate;
mod framing;
mod headers;
mod inner_fields;
#[cfg_attr(not(feature = "openai"), allow(dead_code))]
mod left_out;
mod model_builder;
mod origin;
mod pairs;
mod request;
#[cfg_attr(not(feature = "openai"), allow(dead_code))]
mod settings;
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "gemini"))]
mod spoken;
mod stream;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
mod turns;
mod whole;

pub(crate) use adapter::{Adapter, chat_model};
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
pub(crate) use answer::Answer;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
pub(crate) use answer_form::{AnswerForm, check_answer_form, push_answer_form};
pub(crate) use answer_schema::answer_losses;
#[cfg(feature = "openai")]
pub(crate) use bounds::MOST_OF_AN_ANSWER;
#[cfg(any(
    feature = "anthropic",
    feature = "bedrock",
    feature = "gemini",
    feature = "openai"
))]
pub(crate) use bounds::check_count;
#[cfg_attr(not(feature = "openai"), allow(unused_imports))]
pub(crate) use by_model::{ToolForm, ToolForms, parallel_switch};
pub(crate) use check::ToolRules;
#[cfg(feature = "openai")]
pub(crate) use check::too_many_tools;
#[cfg(any(
    feature = "anthropic",
    feature = "bedrock",
    feature = "gemini",
    feature = "openai"
))]
pub(crate) use choice::Offer;
pub(crate) use choice::{ChoiceWords, offer};
pub(crate) use connection::{Connection, Endpoint};
pub(crate) use dialect::{Dialect, Events, Progress};
#[cfg(feature = "bedrock")]
pub(crate) use error::one_line;
pub(crate) use error::{ErrorPlace, classify, error_said};
pub(crate) use estimate::estimate;
pub(crate) use framing::Framing;
pub(crate) use headers::{base_headers, configuration, push_headers};
pub(crate) use inner_fields::InnerFields;
#[cfg_attr(not(feature = "openai"), allow(unused_imports))]
pub(crate) use left_out::Place;
pub use model_builder::ModelBuilder;
pub(crate) use model_builder::Variables;
pub(crate) use origin::{
    Origin, ResponseMetadataParts, cut_short, ended_early, excerpt, not_json, response_error,
};
pub(crate) use request::{RequestFields, capabilities_of, model_of, options_of, over};
#[cfg_attr(not(feature = "openai"), allow(unused_imports))]
pub(crate) use settings::{FormatWord, FormatWords, SettingRules};
#[cfg(any(feature = "anthropic", feature = "bedrock", feature = "gemini"))]
pub(crate) use spoken::check_spoken;
pub(crate) use stream::stream;
#[cfg(feature = "anthropic")]
pub(crate) use turns::TextWriter;
#[cfg(any(feature = "anthropic", feature = "bedrock"))]
pub(crate) use turns::{Encoded, push_turns};
pub(crate) use whole::call;
