//! The calls of an answer, found by id and by number.

use std::collections::HashMap;
use std::sync::Arc;

use super::open::Open;

/// Up to so many calls, looking through all of them is faster than an index and allocates nothing.
pub(super) const FEW: usize = 16;

/// The calls in order of appearance. Once they are many, those of an id or a number are found without
/// looking at the others; where several have it, the latest is meant.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Open>,
    /// Made once the calls are many.
    index: Option<Box<Index>>,
}

#[derive(Debug, Default)]
struct Index {
    by_id: HashMap<Arc<str>, SameId>,
    by_number: HashMap<i64, usize>,
}

/// Where the calls with one id are.
#[derive(Debug, Default)]
struct SameId {
    latest: usize,
    by_number: HashMap<Option<i64>, usize>,
}

impl Calls {
    pub(super) fn as_slice(&self) -> &[Open] {
        &self.calls
    }

    pub(super) fn into_vec(self) -> Vec<Open> {
        self.calls
    }

    pub(super) fn get(&self, at: usize) -> Option<&Open> {
        self.calls.get(at)
    }

    pub(super) fn latest(&self) -> Option<usize> {
        self.calls.len().checked_sub(1)
    }

    /// Adds a call and gives its place.
    pub(super) fn push(&mut self, call: Open) -> usize {
        let at = self.calls.len();
        self.calls.push(call);
        match &mut self.index {
            Some(index) => self
                .calls
                .iter()
                .skip(at)
                .for_each(|call| index.enter(at, call)),
            None if at < FEW => {}
            None => {
                let mut index = Box::<Index>::default();
                for (at, call) in self.calls.iter().enumerate() {
                    index.enter(at, call);
                }
                self.index = Some(index);
            }
        }
        at
    }

    /// Changes a call, which may get an id by that; its number stays.
    pub(super) fn change<T>(
        &mut self,
        at: usize,
        change: impl FnOnce(&mut Open) -> T,
    ) -> Option<T> {
        let call = self.calls.get_mut(at)?;
        let had_id = call.id.is_some();
        let result = change(call);
        if let (Some(index), false) = (&mut self.index, had_id) {
            index.enter(at, call);
        }
        Some(result)
    }

    pub(super) fn with_number(&self, number: i64) -> Option<usize> {
        if let Some(index) = &self.index {
            return index.by_number.get(&number).copied();
        }
        let same = |call: &Open| call.index == Some(number);
        self.calls.iter().rposition(same)
    }

    pub(super) fn with_id(&self, id: &str) -> Option<usize> {
        if let Some(index) = &self.index {
            return index.by_id.get(id).map(|same| same.latest);
        }
        let same = |call: &Open| call.id.as_deref() == Some(id);
        self.calls.iter().rposition(same)
    }

    pub(super) fn with_id_and_number(&self, id: &str, number: Option<i64>) -> Option<usize> {
        if let Some(index) = &self.index {
            return index.by_id.get(id)?.by_number.get(&number).copied();
        }
        let same = |call: &Open| call.id.as_deref() == Some(id) && call.index == number;
        self.calls.iter().rposition(same)
    }
}

impl Index {
    fn enter(&mut self, at: usize, call: &Open) {
        if let Some(number) = call.index {
            keep_latest(self.by_number.entry(number).or_default(), at);
        }
        if let Some(id) = &call.id {
            let same = self.by_id.entry(id.clone()).or_default();
            keep_latest(&mut same.latest, at);
            keep_latest(same.by_number.entry(call.index).or_default(), at);
        }
    }
}

fn keep_latest(known: &mut usize, at: usize) {
    *known = at.max(*known);
}
