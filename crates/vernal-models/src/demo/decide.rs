//! The next step of a turn: calls to make, or something to say.

use super::chain::{Call, Plan, Planner};
use super::fill::{share_samples, tell_foreign};
use super::goals::Goal;
use super::now::Now;
use super::read::{Step, turn_of};
use super::repair::repaired;
use super::talk::small_talk;
use super::tool::Tool;
use super::wish::goals_of;
use super::wording::wording;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use vernal_core::model::{Prompt, ToolChoice};

/// How many calls a turn may have before it is ended.
const MAX_STEPS: usize = 16;

/// What the model answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    Say(String),
    Call(Vec<(Arc<str>, Value)>),
}

/// Decides the next step; the same prompt at the same time always gives the same one.
pub(crate) fn decide(prompt: &Prompt, clock: &dyn Fn() -> Now) -> Decision {
    let turn = turn_of(prompt);
    let options = prompt.options();
    let choice = options.tool_choice();
    let may_be_called = |name: &str| match choice {
        ToolChoice::Allowed { tools, .. } => tools.iter().any(|allowed| **allowed == *name),
        _ => true,
    };
    let definitions = options.tools().definitions();
    let mut all: Vec<Tool> = definitions
        .filter(|tool| may_be_called(tool.name()))
        .map(Tool::new)
        .collect();
    share_samples(&mut all);
    tell_foreign(&mut all);
    let callable = *choice != ToolChoice::None;
    let tools: &[Tool] = if callable { &all } else { &[] };
    if turn.steps.is_empty() {
        let forced = matches!(
            choice,
            ToolChoice::Required | ToolChoice::Tool(_) | ToolChoice::Allowed { required: true, .. }
        );
        if let Some(said) = small_talk(&turn.text, &all).filter(|_| !forced) {
            return Decision::Say(said);
        }
    }
    let goals = goals_of(&turn, tools, choice);
    let planner = Planner::new(tools, &turn, clock);
    let next = next_steps(&goals, &planner);
    if !next.calls.is_empty() && turn.steps.len() < MAX_STEPS {
        let most = if options.parallel_tool_calls() == Some(false) {
            1
        } else {
            16
        };
        let named = next
            .calls
            .into_iter()
            .take(most)
            .filter_map(|call| Some((tools.get(call.tool)?.name.clone(), call.arguments)));
        return Decision::Call(named.collect());
    }
    Decision::Say(wording(&turn, &all, &goals, tools, &next.asks))
}

/// What is to be called now, and what has to be asked.
#[derive(Default)]
struct Next {
    calls: Vec<Call>,
    asks: Vec<(usize, Vec<String>)>,
}

fn next_steps(goals: &[Goal], planner: &Planner<'_>) -> Next {
    let mut next = Next::default();
    let mut steps_of: HashMap<usize, Vec<&Step>> = HashMap::new();
    for goal in goals {
        let Some(tool) = planner.tools.get(goal.tool) else {
            continue;
        };
        let made = steps_of.entry(goal.tool).or_insert_with(|| {
            planner
                .turn
                .steps
                .iter()
                .filter(|step| step.tool == tool.name)
                .collect()
        });
        match planner.plan(goal, next.calls.is_empty()) {
            Plan::Ready(calls) => reach(calls, made, goal, planner, &mut next),
            // A step of this tool has been made already: it was what the plan could do.
            _ if !made.is_empty() => {
                let step = made.remove(0);
                repair(step, goal, planner, &mut next);
            }
            Plan::First(calls) => {
                // What an earlier goal calls anyway need not be called again for this one.
                let wanted = |call: &Call| {
                    let mut before = goals.iter().take_while(|other| !std::ptr::eq(*other, goal));
                    before.any(|other| other.tool == call.tool)
                };
                let new: Vec<Call> = calls
                    .into_iter()
                    .filter(|call| !planner.was_made(call) && !next.calls.contains(call))
                    .filter(|call| {
                        !(wanted(call) && next.calls.iter().any(|c| c.tool == call.tool))
                    })
                    .collect();
                next.calls.extend(new);
            }
            // What an earlier goal finds may be what is missing here.
            Plan::Ask(_) if !next.calls.is_empty() => {}
            Plan::Ask(names) => next.asks.push((goal.tool, names)),
        }
    }
    next
}

/// Adds the calls that have not been made. Steps that do not match exactly still count, in order: what
/// they were made from may have changed since.
fn reach(
    calls: Vec<Call>,
    made: &mut Vec<&Step>,
    goal: &Goal,
    planner: &Planner<'_>,
    next: &mut Next,
) {
    let mut open: Vec<Call> = Vec::new();
    let mut done: Vec<&Step> = Vec::new();
    for call in calls {
        match made
            .iter()
            .position(|step| step.arguments == call.arguments)
        {
            Some(at) => done.push(made.remove(at)),
            None => open.push(call),
        }
    }
    for call in open {
        if made.is_empty() {
            if !next.calls.contains(&call) && !planner.was_made(&call) {
                next.calls.push(call);
            }
        } else {
            done.push(made.remove(0));
        }
    }
    for step in done {
        repair(step, goal, planner, next);
    }
}

fn repair(step: &Step, goal: &Goal, planner: &Planner<'_>, next: &mut Next) {
    let Some(tool) = planner.tools.get(goal.tool) else {
        return;
    };
    let tries = planner
        .turn
        .steps
        .iter()
        .filter(|other| other.tool == step.tool && other.failed)
        .count();
    let succeeded = planner
        .turn
        .steps
        .iter()
        .any(|other| other.tool == step.tool && !other.failed);
    if !step.failed || tries > 1 || succeeded {
        return;
    }
    let now = *planner.now.borrow();
    if let Some(arguments) = repaired(tool, &goal.reading, step, now.as_ref()) {
        let call = Call {
            tool: goal.tool,
            arguments,
        };
        if !planner.was_made(&call) {
            next.calls.push(call);
        }
    }
}
