//! The tool loop as an advisor.

mod advisor;
mod builder;
mod into_tool_advisor;

pub use advisor::ToolCallingAdvisor;
pub use builder::ToolCallingAdvisorBuilder;
pub use into_tool_advisor::IntoToolAdvisor;
