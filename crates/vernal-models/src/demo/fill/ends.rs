//! Where a period ends whose end was not said.

use super::assign::Board;
use super::leaf::Scene;
use super::time;
use crate::demo::role::Want;
use crate::demo::side::Side;

impl Board<'_> {
    /// An end that was not said is a length after its beginning, or its beginning.
    pub(super) fn ends(&mut self, scene: &Scene<'_>) {
        for index in 0..self.leaves.len() {
            let open = self.chosen.get(index).is_some_and(Option::is_none);
            let Some(leaf) = self
                .leaves
                .get(index)
                .filter(|leaf| open && leaf.side == Side::To && is_temporal(leaf.want))
            else {
                continue;
            };
            let begin = self
                .leaves
                .iter()
                .position(|other| other.side == Side::From && is_temporal(other.want));
            let Some(begun) = begin
                .and_then(|at| self.chosen.get(at))
                .and_then(Option::as_ref)
            else {
                continue;
            };
            if let Some(candidate) = time::end_after(leaf, begun, &self.taken, scene) {
                self.choose(index, candidate);
            }
        }
    }
}

fn is_temporal(want: Want) -> bool {
    matches!(want, Want::Date | Want::Time | Want::When | Want::DateTime)
}
