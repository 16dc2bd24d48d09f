use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::tool::name::shown;

/// How often tools may be called in one turn.
///
/// The defaults hold without any configuration (rule LIM-1): 40 calls of each tool, 150 calls in
/// total, 64 rounds, 5 rounds running with the same result of the same call. A limit of N allows exactly
/// N calls (rule LIM-3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCallLimits {
    pub(super) per_tool: Option<u32>,
    pub(super) for_tool: BTreeMap<Arc<str>, Option<u32>>,
    pub(super) total: Option<u32>,
    pub(super) rounds: u32,
    pub(super) behavior: ToolCallLimitBehavior,
    pub(super) repeats: Option<RepeatLimits>,
}

/// For how many rounds running a call may give the same result (rule LOOP-8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepeatLimits {
    /// After how many the model is told, in the call's answer.
    pub note_after: u32,
    /// After how many the turn ends.
    pub end_after: u32,
}

/// What happens to a call that a limit forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ToolCallLimitBehavior {
    /// The turn ends; what ran before the call is kept (rules LIM-7, LIM-8).
    #[default]
    Throw,
    /// The model is told, the other calls run, and the turn goes on (rule LIM-9).
    ReturnErrorResponse,
}

/// Which limit ended a turn or refused a call. Its text is one sentence for people and models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LimitBreach {
    /// One tool was called too often.
    CallsPerTool {
        /// The tool.
        tool_name: Arc<str>,
        /// The calls that are allowed.
        limit: u32,
    },
    /// All tools together were called too often.
    TotalCalls {
        /// The calls that are allowed.
        limit: u32,
    },
    /// The model asked for tools in too many rounds (rule LOOP-7).
    Rounds {
        /// The rounds that are allowed.
        limit: u32,
    },
    /// The same call gave the same result in too many rounds running (rule LOOP-8).
    RepeatedCall {
        /// The tool.
        tool_name: Arc<str>,
        /// The rounds that end the turn.
        limit: u32,
    },
}

impl ToolCallLimits {
    /// How often one tool may be called in a turn, unless configured.
    pub const DEFAULT_MAX_CALLS_PER_TOOL: u32 = 40;
    /// How often all tools together may be called in a turn, unless configured.
    pub const DEFAULT_MAX_TOTAL_TOOL_CALLS: u32 = 150;
    /// How many rounds a turn may have, unless configured.
    pub const DEFAULT_MAX_ROUNDS: u32 = 64;
    /// After how many rounds running with the same result of the same call the model is told, unless
    /// configured.
    pub const DEFAULT_NOTE_REPEATS_AFTER: u32 = 3;
    /// After how many rounds running with the same result of the same call a turn ends, unless configured.
    pub const DEFAULT_END_REPEATS_AFTER: u32 = 5;
    /// After how many rounds in which every call was refused a turn ends (rule LIM-9).
    pub const MAX_REFUSED_ROUNDS: u32 = 3;

    /// A builder that starts from the defaults.
    pub fn builder() -> ToolCallLimitsBuilder {
        ToolCallLimitsBuilder {
            limits: Self::default(),
            invalid: None,
        }
    }

    /// The most calls of one tool; `None` is unlimited.
    pub fn max_calls_of(&self, tool_name: &str) -> Option<u32> {
        self.for_tool
            .get(tool_name)
            .copied()
            .unwrap_or(self.per_tool)
    }

    /// The most calls of all tools; `None` is unlimited.
    pub fn max_total_calls(&self) -> Option<u32> {
        self.total
    }

    /// The most rounds.
    pub fn max_rounds(&self) -> u32 {
        self.rounds
    }

    /// For how many rounds running a call may give the same result; `None` is unlimited.
    pub fn repeats(&self) -> Option<RepeatLimits> {
        self.repeats
    }

    /// What happens to a call that a limit forbids.
    pub fn behavior(&self) -> ToolCallLimitBehavior {
        self.behavior
    }
}

impl Default for ToolCallLimits {
    fn default() -> Self {
        Self {
            per_tool: Some(Self::DEFAULT_MAX_CALLS_PER_TOOL),
            for_tool: BTreeMap::new(),
            total: Some(Self::DEFAULT_MAX_TOTAL_TOOL_CALLS),
            rounds: Self::DEFAULT_MAX_ROUNDS,
            behavior: ToolCallLimitBehavior::Throw,
            repeats: Some(RepeatLimits::default()),
        }
    }
}

impl Default for RepeatLimits {
    fn default() -> Self {
        Self {
            note_after: ToolCallLimits::DEFAULT_NOTE_REPEATS_AFTER,
            end_after: ToolCallLimits::DEFAULT_END_REPEATS_AFTER,
        }
    }
}

impl LimitBreach {
    /// The tool that was called too often; `None` where the limit is not one tool's.
    pub fn tool_name(&self) -> Option<&str> {
        match self {
            Self::CallsPerTool { tool_name, .. } | Self::RepeatedCall { tool_name, .. } => {
                Some(tool_name)
            }
            Self::TotalCalls { .. } | Self::Rounds { .. } => None,
        }
    }

    /// The limit that was hit.
    pub fn limit(&self) -> u32 {
        match self {
            Self::CallsPerTool { limit, .. }
            | Self::RepeatedCall { limit, .. }
            | Self::TotalCalls { limit }
            | Self::Rounds { limit } => *limit,
        }
    }
}

impl fmt::Display for LimitBreach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.limit() == 1 { "" } else { "s" };
        match self {
            Self::CallsPerTool { tool_name, limit } => write!(
                f,
                "The limit of {limit} call{s} of the tool `{}` in one turn is reached.",
                shown(tool_name)
            ),
            Self::TotalCalls { limit } => {
                write!(
                    f,
                    "The limit of {limit} tool call{s} in one turn is reached."
                )
            }
            Self::Rounds { limit } => {
                write!(
                    f,
                    "The limit of {limit} round{s} of tool calls in one turn is reached."
                )
            }
            Self::RepeatedCall { tool_name, limit } => write!(
                f,
                "The tool `{}` was called with the same arguments and gave the same result {limit} \
                 rounds running.",
                shown(tool_name)
            ),
        }
    }
}

/// Builds [`ToolCallLimits`]. For one tool, the last call decides between a limit of its own and an
/// exclusion (rule LIM-6).
#[derive(Debug, Clone)]
#[must_use]
pub struct ToolCallLimitsBuilder {
    limits: ToolCallLimits,
    invalid: Option<InvalidLimit>,
}

impl ToolCallLimitsBuilder {
    /// The most calls of each tool that has no limit of its own; at least 1.
    pub fn max_calls_per_tool(mut self, limit: u32) -> Self {
        self.check(limit, "max_calls_per_tool");
        self.limits.per_tool = Some(limit);
        self
    }

    /// The most calls of the tool `name`; at least 1.
    pub fn max_calls_for_tool(mut self, name: impl Into<Arc<str>>, limit: u32) -> Self {
        self.check(limit, "max_calls_for_tool");
        self.for_tool(name.into(), Some(limit), "max_calls_for_tool")
    }

    /// Exempts the tool `name` from the limit per tool; it still counts for the total (rule LIM-5).
    pub fn exclude_tool_from_limit(self, name: impl Into<Arc<str>>) -> Self {
        self.for_tool(name.into(), None, "exclude_tool_from_limit")
    }

    /// The most calls of all tools together; at least 1.
    pub fn max_total_tool_calls(mut self, limit: u32) -> Self {
        self.check(limit, "max_total_tool_calls");
        self.limits.total = Some(limit);
        self
    }

    /// No limit per tool, but for tools that have one of their own.
    pub fn unlimited_calls_per_tool(mut self) -> Self {
        self.limits.per_tool = None;
        self
    }

    /// No limit of all tools together.
    pub fn unlimited_total_tool_calls(mut self) -> Self {
        self.limits.total = None;
        self
    }

    /// The most rounds, one round being a model call and the tools it asks for; at least 1.
    pub fn max_rounds(mut self, limit: u32) -> Self {
        self.check(limit, "max_rounds");
        self.limits.rounds = limit;
        self
    }

    /// After how many rounds running in which a call with the same arguments gave the same result the
    /// model is told so, in the answer; at least 2.
    pub fn note_repeats_after(mut self, rounds: u32) -> Self {
        self.check_repeats(rounds, "note_repeats_after");
        self.limits.repeats.get_or_insert_default().note_after = rounds;
        self
    }

    /// After how many such rounds the turn ends; at least 2.
    pub fn end_repeats_after(mut self, rounds: u32) -> Self {
        self.check_repeats(rounds, "end_repeats_after");
        self.limits.repeats.get_or_insert_default().end_after = rounds;
        self
    }

    /// No limit of rounds in which a call gives the same result, and no note to the model.
    pub fn unlimited_repeats(mut self) -> Self {
        self.limits.repeats = None;
        self
    }

    /// What happens to a call that a limit forbids.
    pub fn on_limit_exceeded(mut self, behavior: ToolCallLimitBehavior) -> Self {
        self.limits.behavior = behavior;
        self
    }

    /// The limits.
    ///
    /// # Errors
    /// The first setting that was 0 or named a blank tool.
    pub fn build(self) -> Result<ToolCallLimits, InvalidLimit> {
        self.invalid.map_or(Ok(self.limits), Err)
    }

    fn for_tool(mut self, name: Arc<str>, limit: Option<u32>, setting: &'static str) -> Self {
        if name.trim().is_empty() {
            self.invalid.get_or_insert(InvalidLimit(format!(
                "`{setting}` names a blank tool; give the tool's name"
            )));
        }
        self.limits.for_tool.insert(name, limit);
        self
    }

    fn check_repeats(&mut self, rounds: u32, setting: &'static str) {
        if rounds < 2 {
            self.invalid.get_or_insert(InvalidLimit(format!(
                "`{setting}` is {rounds}, but must be at least 2, for one round repeats nothing; to \
                 lift the limit say so with `unlimited_repeats`"
            )));
        }
    }

    fn check(&mut self, limit: u32, setting: &'static str) {
        if limit == 0 {
            self.invalid.get_or_insert(InvalidLimit(format!(
                "`{setting}` is 0, but must be at least 1; to lift a limit say so with `unlimited_…` \
                 or `exclude_tool_from_limit`"
            )));
        }
    }
}

/// A limit that cannot be meant.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct InvalidLimit(String);

impl InvalidLimit {
    pub(super) fn new(problem: &str) -> Self {
        Self(problem.to_owned())
    }
}
