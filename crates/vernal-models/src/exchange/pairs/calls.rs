//! The ids of calls, and which calls wait for a result.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::is_blank;

/// The ids of a message's calls, and which number is next for another call that has the same one.
#[derive(Default)]
pub(super) struct Ids(HashMap<Arc<str>, usize>);

impl Ids {
    /// The id for a call: its own one, if nothing else has it. A made one is like those that are made for an
    /// answer without ids.
    pub(super) fn new_id(&mut self, id: &Arc<str>, position: usize, at: usize) -> Arc<str> {
        let wanted = match is_blank(id) {
            true => format!("call_{position}_{at}").into(),
            false => id.clone(),
        };
        let mut number = self.0.get(&wanted).copied().unwrap_or(1);
        let mut new = wanted.clone();
        while self.0.contains_key(&new) {
            number += 1;
            new = format!("{wanted}_{number}").into();
        }
        self.0.insert(new.clone(), 1);
        self.0.insert(wanted, number);
        new
    }
}

/// Where a call is: its turn, and its place among the calls there.
pub(super) struct Place {
    pub(super) turn: usize,
    pub(super) call: usize,
}

/// The calls without a result, by the ids that they came with.
#[derive(Default)]
pub(super) struct Waiting {
    run: usize,
    calls: HashMap<Arc<str>, Asked>,
}

/// The calls of one id in a run of messages of the model.
#[derive(Default)]
struct Asked {
    run: usize,
    calls: VecDeque<Place>,
}

impl Waiting {
    /// From now on calls do not stand beside those that were added before.
    pub(super) fn begin_run(&mut self) {
        self.run += 1;
    }

    /// Adds a call that came with the id `asked`; those of the same id in earlier runs wait no longer, as a
    /// result that comes now is not theirs.
    pub(super) fn add(&mut self, asked: Arc<str>, place: Place) {
        let same = self.calls.entry(asked).or_default();
        if same.run != self.run {
            same.run = self.run;
            same.calls.clear();
        }
        same.calls.push_back(place);
    }

    /// The first call that came with this id and waits.
    pub(super) fn answer(&mut self, asked: &str) -> Option<Place> {
        self.calls.get_mut(asked)?.calls.pop_front()
    }
}
