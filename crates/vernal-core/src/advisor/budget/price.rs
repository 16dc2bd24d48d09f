use std::collections::BTreeMap;

use crate::message::Usage;

/// An amount of money, in millionths of a millionth of the unit in which prices are given: sums of it are
/// exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Money(u128);

const PARTS: f64 = 1e12;

impl Money {
    /// An amount in the unit of the prices; `None` for one that is negative, infinite or no number.
    pub(super) fn of(amount: f64) -> Option<Self> {
        let is_amount = amount.is_finite() && amount >= 0.0;
        is_amount.then(|| Self((amount * PARTS).round() as u128))
    }

    /// The amount in the unit of the prices.
    pub(super) fn amount(self) -> f64 {
        self.0 as f64 / PARTS
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    fn times(self, tokens: u64) -> Self {
        Self(self.0.saturating_mul(u128::from(tokens)))
    }
}

/// What a model's tokens cost, in any currency: the same one as the
/// [limit](super::BudgetAdvisorBuilder::max_cost).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelPrice {
    input: f64,
    output: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
}

impl ModelPrice {
    /// The prices of a million tokens of requests and of answers.
    pub const fn per_million_tokens(input: f64, output: f64) -> Self {
        Self {
            input,
            output,
            cache_read: None,
            cache_write: None,
        }
    }

    /// The price of a million tokens of a request that come from a prompt cache; that of others unless
    /// set.
    #[must_use]
    pub const fn cache_read(mut self, price: f64) -> Self {
        self.cache_read = Some(price);
        self
    }

    /// The price of a million tokens of a request that are written to a prompt cache; that of others
    /// unless set.
    #[must_use]
    pub const fn cache_write(mut self, price: f64) -> Self {
        self.cache_write = Some(price);
        self
    }

    /// What is wrong with it.
    pub(super) fn problem(&self) -> Option<f64> {
        let prices = [Some(self.input), Some(self.output)].into_iter();
        let mut prices = prices.chain([self.cache_read, self.cache_write]).flatten();
        prices.find(|price| Money::of(*price).is_none())
    }

    /// What a model call costs.
    pub(super) fn cost(&self, usage: &Usage) -> Money {
        let (read, written) = (
            usage.cache_read_input_tokens,
            usage.cache_write_input_tokens,
        );
        let plain = usage.input_tokens.saturating_sub(read);
        let plain = plain.saturating_sub(written);
        let parts = [
            (plain, self.input),
            (read, self.cache_read.unwrap_or(self.input)),
            (written, self.cache_write.unwrap_or(self.input)),
            (usage.output_tokens, self.output),
        ];
        parts
            .into_iter()
            .fold(Money::default(), |sum, (tokens, price)| {
                let of_one = Money::of(price / 1e6).unwrap_or_default();
                sum.plus(of_one.times(tokens))
            })
    }
}

/// The prices of models by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Prices {
    pub(super) by_model: BTreeMap<String, ModelPrice>,
    pub(super) of_others: Option<ModelPrice>,
}

impl Prices {
    pub(super) fn is_empty(&self) -> bool {
        self.by_model.is_empty() && self.of_others.is_none()
    }

    /// The price of a model that goes by these names, the surest first. Where none is known exactly, a
    /// name counts for its dated versions: `gpt-5` for `gpt-5-2025-08-07`, but not for `gpt-5-mini`.
    pub(super) fn of(&self, names: &[&str]) -> Option<&ModelPrice> {
        let exact = names.iter().find_map(|name| self.by_model.get(*name));
        let dated = || names.iter().find_map(|name| self.of_dated(name));
        exact.or_else(dated).or(self.of_others.as_ref())
    }

    fn of_dated(&self, name: &str) -> Option<&ModelPrice> {
        let known = self.by_model.iter().rev();
        let mut dated = known.filter(|(known, _)| {
            let version = name.strip_prefix(known.as_str());
            let version = version.and_then(|rest| rest.strip_prefix(['-', '@']));
            version.is_some_and(|version| {
                !version.is_empty() && version.chars().all(|c| c.is_ascii_digit() || c == '-')
            })
        });
        dated.next().map(|(_, price)| price)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_money_are_exact() {
        let tenth = Money::of(0.1).unwrap();
        assert_eq!(tenth.plus(tenth).plus(tenth), Money::of(0.3).unwrap());
        for none in [-0.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Money::of(none), None);
        }
    }

    #[test]
    fn each_kind_of_token_has_its_price() {
        let price = ModelPrice::per_million_tokens(2.0, 10.0);
        let mut usage = Usage::new(1_000_000, 100_000);
        usage.cache_read_input_tokens = 400_000;
        usage.cache_write_input_tokens = 100_000;
        assert_eq!(price.cost(&usage).amount(), 3.0);
        let cached = price.cache_read(0.2).cache_write(2.5);
        assert_eq!(cached.cost(&usage).amount(), 1.0 + 0.08 + 0.25 + 1.0);
    }

    #[test]
    fn a_name_counts_for_its_dated_versions() {
        let price = |input| ModelPrice::per_million_tokens(input, 0.0);
        let mut prices = Prices::default();
        prices.by_model.insert("gpt-5".to_owned(), price(1.0));
        prices.by_model.insert("gpt-5-mini".to_owned(), price(2.0));
        prices.by_model.insert("gpt-5-2025".to_owned(), price(3.0));
        for (names, input) in [
            (&["gpt-5"][..], Some(1.0)),
            (&["gpt-5-0613"], Some(1.0)),
            (&["gpt-5@20250807"], Some(1.0)),
            (&["gpt-5-2025-08-07"], Some(3.0)),
            (&["gpt-5-mini-2025-08-07"], Some(2.0)),
            (&["gpt-5-2025-08-07", "gpt-5-mini"], Some(2.0)),
            (&["gpt-5-nano"], None),
            (&["gpt-5-"], None),
            (&["gpt-50"], None),
            (&[], None),
        ] {
            assert_eq!(
                prices.of(names).map(|price| price.input),
                input,
                "{names:?}"
            );
        }
        prices.of_others = Some(price(9.0));
        assert_eq!(prices.of(&["gpt-5-nano"]).unwrap().input, 9.0);
    }
}
