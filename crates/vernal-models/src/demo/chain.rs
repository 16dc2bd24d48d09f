//! From goals to calls: what can be called now, what another tool has to find first, what has to be asked.

use super::check::{checked, fits, required_names};
use super::fill::{Candidate, Filling, Scene, Strength, Wait, fill};
use super::goals::Goal;
use super::harvest::harvest;
use super::now::{Now, now_in};
use super::pick::Wanted;
use super::provide::provides;
use super::read::{Step, Turn};
use super::reading::Reading;
use super::refer::{refers_back, stands_for_result, tells_time};
use super::related::{sparing, take_back};
use super::role::Want;
use super::synonyms::Action;
use super::tool::Tool;
use serde_json::Value;
use std::cell::RefCell;

/// How many tools may stand behind one another.
const MAX_DEPTH: usize = 3;

/// A call to be made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) tool: usize,
    pub(crate) arguments: Value,
}

/// What is to be done about a goal.
#[derive(Debug)]
pub(crate) enum Plan {
    /// These calls reach it.
    Ready(Vec<Call>),
    /// These calls come first: their results are needed.
    First(Vec<Call>),
    /// These parameters have no value: the user has to be asked.
    Ask(Vec<String>),
}

/// What planning has to know.
pub(crate) struct Planner<'a> {
    pub(crate) tools: &'a [Tool],
    pub(crate) turn: &'a Turn,
    pub(crate) clock: &'a dyn Fn() -> Now,
    /// The time that was learnt or asked of the clock.
    pub(crate) now: RefCell<Option<Now>>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(tools: &'a [Tool], turn: &'a Turn, clock: &'a dyn Fn() -> Now) -> Self {
        let known = turn
            .steps
            .iter()
            .rev()
            .filter(|step| !step.failed && tells_time(tools, step));
        let now = known.filter_map(|step| now_in(&step.text)).next();
        Self {
            tools,
            turn,
            clock,
            now: RefCell::new(now),
        }
    }

    /// What is to be done about a goal. Without `resort` nothing is taken that is only good enough where
    /// nothing else can be had: what is called now may find it.
    pub(crate) fn plan(&self, goal: &Goal, resort: bool) -> Plan {
        self.plan_tool(goal.tool, &goal.reading, None, &mut vec![goal.tool], resort)
    }

    fn plan_tool(
        &self,
        index: usize,
        reading: &Reading,
        prefer: Option<std::ops::Range<usize>>,
        path: &mut Vec<usize>,
        resort: bool,
    ) -> Plan {
        let Some(tool) = self.tools.get(index) else {
            return Plan::Ask(Vec::new());
        };
        let filled = |now: Option<&Now>, resort: bool| {
            fill(
                tool,
                &Scene {
                    reading,
                    tool,
                    now,
                    prefer: prefer.clone(),
                },
                resort,
            )
        };
        let mut now = *self.now.borrow();
        let mut filling = filled(now.as_ref(), false);
        if let Some(wait) = filling.wait {
            match self.time_for(wait, index) {
                Ok(known) => now = Some(known),
                Err(call) => return Plan::First(vec![call]),
            }
            filling = filled(now.as_ref(), false);
        }
        take_back(&mut filling, reading, index, self.tools);
        self.take_results(&mut filling, tool, reading, 0.55);
        if !filling.missing.is_empty() {
            let first = self.providers(&filling, tool, reading, path);
            if !first.is_empty() {
                return Plan::First(first);
            }
            if !resort {
                return Plan::Ask(Vec::new());
            }
            filling = filled(now.as_ref(), true);
            if let Some(wait) = filling.wait {
                match self.time_for(wait, index) {
                    Ok(known) => filling = filled(Some(&known), true),
                    Err(call) => return Plan::First(vec![call]),
                }
            }
            self.take_results(&mut filling, tool, reading, 0.4);
        }
        self.calls(index, tool, filling)
    }

    /// The calls of a filling that satisfies the schema, or what is missing in it.
    fn calls(&self, index: usize, tool: &Tool, mut filling: Filling<'_>) -> Plan {
        let missing = |filling: &Filling<'_>| {
            let names = filling
                .missing
                .iter()
                .filter_map(|missing| filling.leaves.get(missing.leaf));
            names.map(|leaf| leaf.path.join(".")).collect::<Vec<_>>()
        };
        if !filling.missing.is_empty() {
            return Plan::Ask(missing(&filling));
        }
        let Some(arguments) = checked(tool, &mut filling) else {
            return Plan::Ask(required_names(tool));
        };
        let mut calls = vec![Call {
            tool: index,
            arguments,
        }];
        for other in &filling.more {
            let Some(arguments) = filling.object_with(Some(other)) else {
                continue;
            };
            if fits(tool, &arguments) {
                calls.push(Call {
                    tool: index,
                    arguments,
                });
            }
        }
        Plan::Ready(calls)
    }

    /// The time it is, or the call that tells it.
    fn time_for(&self, wait: Wait, for_tool: usize) -> Result<Now, Call> {
        if let Some(now) = *self.now.borrow() {
            return Ok(now);
        }
        let earlier = || {
            let told = self
                .turn
                .earlier
                .iter()
                .rev()
                .filter(|step| !step.failed && tells_time(self.tools, step));
            told.filter_map(|step| now_in(&step.text)).next()
        };
        let clock_tool = self.tools.iter().position(|tool| tool.tells_the_time());
        let untried = clock_tool.filter(|at| *at != for_tool && !self.was_called(*at));
        let now = match (wait, untried) {
            (Wait::Day, Some(at)) => match earlier() {
                Some(now) => now,
                None => {
                    return Err(Call {
                        tool: at,
                        arguments: Value::Object(Default::default()),
                    });
                }
            },
            (Wait::Instant, Some(at)) => {
                return Err(Call {
                    tool: at,
                    arguments: Value::Object(Default::default()),
                });
            }
            (_, None) => earlier().unwrap_or_else(|| (self.clock)()),
        };
        *self.now.borrow_mut() = Some(now);
        Ok(now)
    }

    fn was_called(&self, tool: usize) -> bool {
        let name = self.tools.get(tool).map(|tool| &tool.name);
        self.turn.steps.iter().any(|step| Some(&step.tool) == name)
    }

    /// Whether this very call has been made.
    pub(crate) fn was_made(&self, call: &Call) -> bool {
        let name = self.tools.get(call.tool).map(|tool| &tool.name);
        self.turn
            .steps
            .iter()
            .any(|step| Some(&step.tool) == name && step.arguments == call.arguments)
    }

    /// Gives missing leaves what earlier results hold.
    fn take_results(&self, filling: &mut Filling<'_>, tool: &Tool, reading: &Reading, enough: f32) {
        let steps: Vec<&Step> = self
            .turn
            .steps
            .iter()
            .filter(|step| !step.failed && step.tool != tool.name && !tells_time(self.tools, step))
            .collect();
        let refers = refers_back(reading);
        let earlier = self
            .turn
            .earlier
            .iter()
            .filter(|step| refers && !step.failed);
        let all: Vec<&Step> = earlier.chain(steps.iter().copied()).collect();
        let mut found: Vec<(usize, Value)> = Vec::new();
        for missing in &filling.missing {
            let Some(leaf) = filling.leaves.get(missing.leaf) else {
                continue;
            };
            let key = missing.key.as_ref().map(|(key, _)| key.as_str());
            let wanted = Wanted { key, reading };
            let whole = matches!(leaf.want, Want::Text | Want::Query | Want::Thing)
                && matches!(
                    leaf.param.shape,
                    super::schema::Shape::Text(_) | super::schema::Shape::Anything
                );
            let value = if whole {
                all.last()
                    .map(|step| Value::String(super::answer::plain(&step.text)))
            } else {
                harvest(leaf, tool, &wanted, &all, enough)
            };
            found.extend(value.map(|value| (missing.leaf, value)));
        }
        // `send it to Bob`: the word for the result gives way to the result.
        for (index, leaf) in filling.leaves.iter().enumerate() {
            let said = filling
                .chosen
                .get(index)
                .and_then(Option::as_ref)
                .and_then(|chosen| chosen.value.as_str());
            let text = matches!(leaf.want, Want::Text)
                && said.is_some_and(|said| stands_for_result(said, &steps));
            if let Some(step) = steps.last().filter(|_| text) {
                found.push((index, Value::String(super::answer::plain(&step.text))));
            }
        }
        for (index, value) in found {
            filling.missing.retain(|missing| missing.leaf != index);
            if let Some(place) = filling.chosen.get_mut(index) {
                *place = Some(Candidate::new(value, 0..0, 0.6).with_strength(Strength::LastResort));
            }
        }
    }

    /// The only tool that reads and has all that it needs, if there is one.
    fn lookups(&self, reading: &Reading, path: &[usize]) -> Vec<(f32, usize)> {
        let found = self.tools.iter().enumerate().filter(|(at, tool)| {
            let reads =
                matches!(tool.action(), None | Some(Action::Read)) && !tool.requires_nothing();
            let scene = Scene {
                reading,
                tool,
                now: None,
                prefer: None,
            };
            reads && !path.contains(at) && fill(tool, &scene, false).missing.is_empty()
        });
        let found: Vec<(f32, usize)> = found.map(|(at, _)| (0.6, at)).collect();
        if found.len() == 1 { found } else { Vec::new() }
    }

    /// Calls of tools that may find what is missing and have not been asked yet.
    fn providers(
        &self,
        filling: &Filling<'_>,
        tool: &Tool,
        reading: &Reading,
        path: &mut Vec<usize>,
    ) -> Vec<Call> {
        let mut calls: Vec<Call> = Vec::new();
        if path.len() > MAX_DEPTH {
            return calls;
        }
        for missing in &filling.missing {
            let Some(leaf) = filling.leaves.get(missing.leaf) else {
                continue;
            };
            if matches!(
                leaf.want,
                Want::Text
                    | Want::Title
                    | Want::Query
                    | Want::Thought
                    | Want::Confidence
                    | Want::Limit
                    | Want::Page
            ) {
                continue;
            }
            // A list of everything does not tell when.
            let timely = matches!(
                leaf.want,
                Want::Date | Want::Time | Want::When | Want::DateTime
            );
            let mut able: Vec<(f32, usize)> = self
                .tools
                .iter()
                .enumerate()
                .filter(|(at, _)| !path.contains(at))
                .map(|(at, other)| (provides(other, leaf, tool), at))
                .filter(|(score, _)| *score >= 0.6)
                .filter(|(_, at)| {
                    !timely
                        || self
                            .tools
                            .get(*at)
                            .is_some_and(|tool| !tool.requires_nothing())
                })
                .collect();
            // A name in place of an id: whatever can be looked up by what was said may know it.
            if able.is_empty() && leaf.want == Want::Id && missing.key.is_some() {
                able = self.lookups(reading, path);
            }
            able.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let reading = &sparing(filling, tool, reading);
            for (_, at) in able {
                let prefer = missing.key.as_ref().map(|(_, span)| span.clone());
                path.push(at);
                let plan = self.plan_tool(at, reading, prefer, path, true);
                path.pop();
                let new: Vec<Call> = match plan {
                    Plan::Ready(ready) => ready
                        .into_iter()
                        .take(1)
                        .filter(|call| !self.was_made(call))
                        .collect(),
                    Plan::First(first) => first,
                    Plan::Ask(_) => Vec::new(),
                };
                if !new.is_empty() {
                    calls.extend(
                        new.into_iter()
                            .filter(|call| !calls.contains(call))
                            .collect::<Vec<_>>(),
                    );
                    break;
                }
            }
        }
        calls
    }
}
