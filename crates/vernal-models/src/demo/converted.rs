//! `What does it cost in euros?`: what is found first is wanted in another currency.

use super::cue::{Cue, preposition};
use super::lang::Lang;
use super::reading::Reading;
use super::role::{Want, want};
use super::tool::{Tool, all_params};
use super::words::Token;
use super::world::currency_of;

/// The tool that converts what the tool `first` finds, where the message names a currency for it.
pub(super) fn converter(whole: &Reading, first: usize, tools: &[Tool]) -> Option<usize> {
    let currencies = |tool: &Tool| {
        let params = all_params(&tool.params).into_iter();
        params
            .filter(|param| want(param, &tool.words) == Want::Currency)
            .count()
    };
    let amount = |tool: &Tool| {
        tool.params
            .iter()
            .any(|param| param.required && want(param, &tool.words) == Want::Amount)
    };
    if currencies(tools.get(first)?) > 0 || !is_in_currency(whole) {
        return None;
    }
    tools
        .iter()
        .position(|tool| currencies(tool) == 2 && amount(tool))
}

/// Whether the message names one currency, and no amount of it.
fn is_in_currency(whole: &Reading) -> bool {
    let code = |token: &Token| {
        let mut forms = [token.lower(), token.word.stem.as_str()].into_iter();
        forms.find_map(currency_of)
    };
    let named: Vec<(usize, &str)> = whole
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| token.is_word() && !whole.is_quoted(&token.span))
        .filter_map(|(at, token)| Some((at, code(token)?)))
        .collect();
    let ([(at, _)], false) = (
        named.as_slice(),
        whole
            .quantities
            .iter()
            .any(|quantity| quantity.currency.is_some()),
    ) else {
        return false;
    };
    let before = (1..4).filter_map(|back| whole.tokens.get(at.checked_sub(back)?));
    let placed = before
        .into_iter()
        .find_map(|token| preposition(whole.lang, token.lower()));
    let into = whole.lang == Lang::Ko
        && whole
            .tokens
            .get(*at)
            .is_some_and(|token| token.lower().ends_with('로'));
    into || matches!(placed, Some(Cue::In | Cue::To))
}
