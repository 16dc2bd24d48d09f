//! What could be filled, as values and as one JSON object.

use std::ops::Range;

use serde_json::{Map, Value};

use super::leaf::{Candidate, Leaf, Wait};

/// What could be filled, and what could not.
#[derive(Debug, Default)]
pub(crate) struct Filling<'a> {
    pub(crate) leaves: Vec<Leaf<'a>>,
    pub(crate) chosen: Vec<Option<Candidate>>,
    /// The required leaves without a value, each with a name by which it may be found.
    pub(crate) missing: Vec<Missing>,
    /// Further values for one leaf: each is a call of its own.
    pub(crate) more: Vec<(usize, Value)>,
    /// What the values wait for.
    pub(crate) wait: Option<Wait>,
    /// How much of the text was used for good reason.
    pub(crate) evidence: f32,
}

/// A required leaf without a value.
#[derive(Debug, Clone)]
pub(crate) struct Missing {
    pub(crate) leaf: usize,
    /// What the text says in its place: the name of the customer whose id is wanted.
    pub(crate) key: Option<(String, Range<usize>)>,
}

impl Filling<'_> {
    /// The values as one JSON object; objects that miss something required are left out.
    pub(crate) fn object(&self) -> Option<Value> {
        self.object_with(None)
    }

    /// The same with another value for one leaf.
    pub(crate) fn object_with(&self, other: Option<&(usize, Value)>) -> Option<Value> {
        let mut root = Map::new();
        for (index, leaf) in self.leaves.iter().enumerate() {
            let value = match other {
                Some((at, value)) if *at == index => value.clone(),
                _ => match self.chosen.get(index).and_then(Option::as_ref) {
                    Some(candidate) => candidate.value.clone(),
                    None => continue,
                },
            };
            insert(&mut root, &leaf.path, value)?;
        }
        Some(Value::Object(root))
    }
}

fn insert(map: &mut Map<String, Value>, path: &[&str], value: Value) -> Option<()> {
    match path {
        [] => None,
        [name] => {
            map.insert((*name).to_owned(), value);
            Some(())
        }
        [name, rest @ ..] => {
            let inner = map
                .entry((*name).to_owned())
                .or_insert_with(|| Value::Object(Map::new()));
            insert(inner.as_object_mut()?, rest, value)
        }
    }
}
