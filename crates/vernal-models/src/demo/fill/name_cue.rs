//! How well the part that a group of words plays suits what a parameter wants.

use super::chunk::Chunk;
use super::leaf::Leaf;
use crate::demo::cue::Cue;
use crate::demo::role::Want;

pub(super) fn quoted_fit(want: Want) -> f32 {
    match want {
        Want::Text | Want::Title | Want::Query | Want::Code => 0.95,
        Want::Topic => 0.8,
        Want::Thing | Want::Path => 0.75,
        Want::Id => 0.6,
        Want::Person | Want::Place | Want::Author | Want::Container | Want::Kind => 0.55,
        _ => 0.3,
    }
}

pub(super) fn cue_fit(leaf: &Leaf<'_>, chunk: &Chunk) -> Option<f32> {
    use Cue::{
        About, As, Because, By, For, From, In, Named, Object, Of, On, Over, Saying, To, Under,
        Until, With, Without,
    };
    let cue = chunk.cue;
    if cue == Without {
        return None;
    }
    Some(match leaf.want {
        Want::Place | Want::Country | Want::Zone => match cue {
            In => 0.9,
            Of => 0.72,
            For | To | From => 0.65,
            Object => 0.58,
            Until | Over => 0.6,
            On => 0.35,
            _ => 0.25,
        },
        Want::Person | Want::Email | Want::Phone => match cue {
            // `I'm coming to Bergen`: nobody, unless something goes to people.
            To if !leaf.required
                && leaf.named("guest traveler traveller passenger owner holder booking") =>
            {
                0.5
            }
            To => 0.8,
            With => 0.75,
            For => 0.7,
            Of => 0.65,
            Object => 0.6,
            By | From => 0.6,
            Named if leaf.required || leaf.named("name nombre nom") => 0.8,
            Named | About => 0.4,
            // `a table under Lopez`
            Under | As if chunk.name => 0.8,
            // `Add a guest: Ann Lee`
            Saying if chunk.name => 0.65,
            _ => 0.2,
        },
        Want::Author => match cue {
            By => 0.95,
            Of | From => 0.6,
            Object => 0.35,
            _ => 0.2,
        },
        Want::Title => match cue {
            Named => 0.95,
            Object => 0.65,
            As => 0.5,
            Of | For | About => 0.5,
            Saying => 0.6,
            _ => 0.3,
        },
        Want::Topic | Want::Query => match cue {
            About => 0.9,
            For => 0.75,
            On | Of | By => 0.65,
            Object => 0.62,
            _ => 0.35,
        },
        Want::Text => match cue {
            Saying => 0.8,
            Object => 0.55,
            About => 0.5,
            Because if leaf.named("reason motivo grund 사유") => 0.9,
            _ => 0.3,
        },
        Want::Kind => match cue {
            Object | As => 0.55,
            In | Of => 0.45,
            _ => 0.3,
        },
        Want::Container => match cue {
            To | In | From | On => 0.75,
            Of | For => 0.5,
            Named => 0.6,
            _ => 0.35,
        },
        Want::Language => match cue {
            To | In => 0.5,
            _ => 0.2,
        },
        Want::Path => match cue {
            Object | Named => 0.5,
            In | To | From | Of => 0.5,
            _ => 0.3,
        },
        Want::Id | Want::Symbol => match cue {
            Object | Of | For | From | To => 0.4,
            With | By => 0.35,
            _ => 0.2,
        },
        Want::Thing => match cue {
            Object => 0.65,
            Of => 0.58,
            For | With | On => 0.5,
            Named => 0.6,
            As => 0.5,
            In | To | From => 0.42,
            Saying if chunk.name => 0.6,
            About | By | Saying => 0.42,
            _ => 0.3,
        },
        _ => 0.2,
    })
}
