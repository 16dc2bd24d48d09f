//! Names by where they stand in the text, and by what else stands there.

use super::chunk::Chunk;
use super::leaf::{Leaf, Scene};
use super::number::Quantity;
use super::pattern::{Form, Formed};
use crate::demo::lang::Lang;
use crate::demo::reading::overlap;
use crate::demo::role::Want;

/// What the place of a chunk says for or against it.
pub(super) fn place_fit(leaf: &Leaf<'_>, chunk: &Chunk, scene: &Scene<'_>) -> f32 {
    let reading = scene.reading;
    let mut score = 0.0;
    if chunk.span.start >= reading.background {
        // What another wish names is less likely than what this one does.
        score -= if reading.of_another { 0.45 } else { 0.25 };
    }
    // `38.40 GBP` is nowhere.
    let who = matches!(
        leaf.want,
        Want::Person | Want::Author | Want::Place | Want::Country
    );
    let measured = |quantity: &Quantity| {
        let counted = quantity.currency.is_some() || quantity.unit.is_some();
        let within =
            quantity.span.start == chunk.span.start && quantity.whole.end >= chunk.span.end;
        counted && (within || who && overlap(&quantity.whole, &chunk.span))
    };
    if reading.quantities.iter().any(measured) && !chunk.quoted {
        score -= 0.6;
    }
    // `to eight` is no person.
    let number = reading
        .quantities
        .iter()
        .any(|quantity| quantity.span == chunk.span);
    if number && matches!(leaf.want, Want::Person | Want::Author | Want::Place) {
        score -= 0.4;
    }
    // German names are written with capitals.
    let small = reading.lang == Lang::De && chunk.text.starts_with(char::is_lowercase);
    if small && matches!(leaf.want, Want::Person | Want::Author | Want::Place) {
        score -= 0.4;
    }
    let an_id = |formed: &Formed| formed.form == Form::Id && overlap(&formed.span, &chunk.span);
    let nickname = leaf.named("username nickname nick handle player gamer login user");
    if nickname && !chunk.quoted && reading.formed.iter().any(an_id) {
        score += 0.5;
    } else if matches!(
        leaf.want,
        Want::Person | Want::Author | Want::Place | Want::Title
    ) && !chunk.quoted
        && reading.formed.iter().any(an_id)
    {
        // `Catalogue name, e.g. NGC 7000`
        let coded = leaf
            .param
            .description
            .contains(|c: char| c.is_ascii_digit());
        score += if coded && leaf.want == Want::Title {
            0.2
        } else {
            -0.6
        };
    }
    let mut told = reading.asides.iter().chain(&reading.told);
    let aside = told.any(|told| overlap(told, &chunk.span));
    if aside && !chunk.quoted && !chunk.name {
        score -= 0.2;
    }
    if reading.is_negated(&chunk.span) {
        score -= 0.5;
    }
    if let Some(prefer) = scene.prefer.as_ref().filter(|_| leaf.required) {
        score += if overlap(prefer, &chunk.span) {
            0.3
        } else {
            -0.1
        };
    }
    score
}
