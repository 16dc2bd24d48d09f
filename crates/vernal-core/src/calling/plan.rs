//! Deciding about a whole batch of calls before any of them runs.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Batch, Decision, LimitBreach, PlannedCall, ToolCallLimitBehavior, ToolCallLimits, TurnRules,
};
use crate::message::{FinishReason, ToolCall, ToolOutcome, ToolResponse};
use crate::model::{Generation, ToolChoice};
use crate::tool::name::{listed, nearest, shown};
use crate::tool::schema::Violations;
use crate::tool::{ArgumentPolicy, ToolCallback, ToolInput, ToolSet};

/// How often which tool was called in this turn: every answered call, refused ones included.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct CallCounts {
    per_tool: BTreeMap<Arc<str>, u32>,
    total: u32,
}

impl CallCounts {
    /// Counts one more call.
    pub(super) fn add(&mut self, tool_name: &Arc<str>) {
        self.total = self.total.saturating_add(1);
        match self.per_tool.get_mut(tool_name) {
            Some(count) => *count = count.saturating_add(1),
            None => {
                self.per_tool.insert(tool_name.clone(), 1);
            }
        }
    }

    /// Whether the tool was called more often than `limit` allows.
    pub(super) fn is_over(&self, tool_name: &str, limit: u32) -> bool {
        self.of(tool_name) > limit
    }

    fn of(&self, tool_name: &str) -> u32 {
        self.per_tool.get(tool_name).copied().unwrap_or(0)
    }

    /// The limit that the calls counted so far exceed: per tool before total (rule LIM-4).
    fn breach(&self, tool_name: &Arc<str>, limits: &ToolCallLimits) -> Option<LimitBreach> {
        if let Some(limit) = limits
            .max_calls_of(tool_name)
            .filter(|max| self.is_over(tool_name, *max))
        {
            return Some(LimitBreach::CallsPerTool {
                tool_name: tool_name.clone(),
                limit,
            });
        }
        let limit = limits.max_total_calls().filter(|max| self.total > *max)?;
        Some(LimitBreach::TotalCalls { limit })
    }
}

/// Plans the calls of a response: limits first, then names, then arguments (rules LIM-3, LIM-4).
/// Every call is counted, whatever becomes of it.
pub(super) fn plan(response: &Generation, counts: &mut CallCounts, rules: &TurnRules<'_>) -> Batch {
    let cut = response.finish_reason == Some(FinishReason::Length);
    let mut planner = Planner {
        counts,
        rules,
        cut,
        breach: None,
        group: 0,
        alone: false,
    };
    let calls = response
        .message
        .tool_calls()
        .map(|call| planner.planned(call))
        .collect();
    Batch {
        calls,
        breach: planner.breach,
    }
}

struct Planner<'a> {
    counts: &'a mut CallCounts,
    rules: &'a TurnRules<'a>,
    /// Whether the response was cut by length: no call of it can be trusted to be whole.
    cut: bool,
    breach: Option<LimitBreach>,
    group: u32,
    /// Whether the current group belongs to one sequential tool.
    alone: bool,
}

impl Planner<'_> {
    fn planned(&mut self, call: &ToolCall) -> PlannedCall {
        self.counts.add(&call.name);
        let decision = self.decide(call);
        let requires_approval = matches!(decision, Decision::Run { .. })
            && self
                .rules
                .find(&call.name)
                .is_some_and(|tool| tool.tool_metadata().requires_approval());
        PlannedCall {
            call: call.clone(),
            decision,
            requires_approval,
        }
    }

    fn decide(&mut self, call: &ToolCall) -> Decision {
        let answer =
            |outcome, text: String| Decision::Answer(ToolResponse::error(call, outcome, text));
        if let Some(breach) = &self.breach {
            return answer(
                ToolOutcome::NotRun,
                format!("This call was not run. {breach}"),
            );
        }
        if let Some(breach) = self.counts.breach(&call.name, self.rules.limits) {
            let (outcome, advice) = match self.rules.limits.behavior() {
                ToolCallLimitBehavior::Throw => {
                    self.breach = Some(breach.clone());
                    (ToolOutcome::NotRun, "")
                }
                ToolCallLimitBehavior::ReturnErrorResponse => {
                    (ToolOutcome::Refused, " Go on without it.")
                }
            };
            return answer(outcome, format!("{breach} This call was not run.{advice}"));
        }
        let Some(tool) = self.rules.find(&call.name) else {
            return answer(
                ToolOutcome::UnknownTool,
                unknown_tool(&call.name, self.rules.tools),
            );
        };
        if !self.rules.choice.permits(&call.name) {
            return answer(
                ToolOutcome::NotRun,
                not_chosen(&call.name, self.rules.choice),
            );
        }
        if self.cut {
            return answer(
                ToolOutcome::NotRun,
                "This call was not run: the answer that asked for it was cut at the length limit. Make \
                 the call again, with shorter arguments or on its own."
                    .to_owned(),
            );
        }
        match self.accepted(&tool, call) {
            Ok(input) => Decision::Run {
                input,
                group: self.group_of(&tool),
            },
            Err(violations) => Decision::Answer(invalid_arguments(call, &violations)),
        }
    }

    fn accepted(
        &self,
        tool: &Arc<dyn ToolCallback>,
        call: &ToolCall,
    ) -> Result<ToolInput, Violations> {
        let definition = tool.tool_definition();
        match self.rules.arguments {
            Some(policy) => policy.accept(definition, &call.arguments),
            None => ArgumentPolicy::default().accept(definition, &call.arguments),
        }
    }

    /// A sequential tool has a group of its own; the others share one up to the next barrier.
    fn group_of(&mut self, tool: &Arc<dyn ToolCallback>) -> u32 {
        let sequential = tool.tool_metadata().sequential();
        if sequential || self.alone {
            self.group += 1;
        }
        self.alone = sequential;
        self.group
    }
}

/// The most that a model reads of its arguments (rule ERR-4).
const MAX_ARGUMENTS_BYTES: usize = 2 * 1024;

/// What the model reads of arguments that a tool cannot take (rule ERR-4).
pub(super) fn invalid_arguments(call: &ToolCall, why: &dyn fmt::Display) -> ToolResponse {
    let name = &call.name;
    let mut text = format!("The tool `{name}` was not run: its arguments do not fit.\n{why}");
    if text.len() > MAX_ARGUMENTS_BYTES {
        let end = text.floor_char_boundary(MAX_ARGUMENTS_BYTES - '…'.len_utf8());
        text.truncate(end);
        text.push('…');
    }
    ToolResponse::error(call, ToolOutcome::InvalidArguments, text)
}

/// What the model reads when it calls a tool that the request's choice leaves out.
fn not_chosen(name: &str, choice: &ToolChoice) -> String {
    let names: &[Arc<str>] = match choice {
        ToolChoice::Tool(name) => std::slice::from_ref(name),
        ToolChoice::Allowed { tools, .. } => tools,
        _ => &[],
    };
    let advice = match names {
        [] => "No tool can be called now: answer without one.".to_owned(),
        names => {
            let names = listed(names.iter().map(|name| &**name));
            format!("The tools that can be called now are: {names}.")
        }
    };
    format!("The call of `{name}` was not run. {advice}")
}

/// What the model reads when it calls a tool that is not there (rule LOOP-9).
fn unknown_tool(name: &str, tools: &ToolSet) -> String {
    let shown = shown(name);
    if tools.is_empty() {
        return format!("There is no tool `{shown}`: no tools are available. Answer without one.");
    }
    let names = || tools.definitions().map(|definition| &**definition.name());
    let meant = nearest(name, names()).map_or(String::new(), |n| format!(" Did you mean `{n}`?"));
    format!(
        "There is no tool `{shown}`.{meant} The tools are: {}.",
        listed(names())
    )
}
