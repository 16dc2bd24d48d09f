//! Types, listed values, numbers and strings.

use super::words::{listed, meant, quoted};
use super::{Checker, Keywords, Kind, NodeId};
use crate::tool::schema::json::{self, Decimal};
use crate::tool::schema::keywords::Number;

impl<'a> Checker<'a> {
    pub(super) fn type_fits(&mut self, k: &Keywords, node: NodeId) -> bool {
        let Some(types) = k.types else { return true };
        let raw = self.document.raw(node);
        let kind = self.document.kind(node);
        let fits = types.allow(kind, || Decimal::of(raw).is_integer());
        if !fits {
            self.violation(node, |_| {
                format!("expected {}, got {}", types.describe(), got(kind, raw))
            });
        }
        fits
    }

    pub(super) fn listed_values(&mut self, k: &Keywords, node: NodeId) {
        if let Some(allowed) = &k.one_of_values {
            self.charge(1 + allowed.size(NodeId::ROOT) / 8);
            let is_node = |value| json::equal(allowed, value, self.document, node);
            if !allowed.children(NodeId::ROOT).any(is_node) {
                let values = || {
                    allowed
                        .children(NodeId::ROOT)
                        .map(|value| allowed.raw(value))
                };
                self.violation(node, |this| not_listed(values, this.document.raw(node)));
            }
        }
        if let Some(constant) = &k.constant {
            self.charge(constant.size(NodeId::ROOT) / 8);
            if !json::equal(constant, NodeId::ROOT, self.document, node) {
                self.violation(node, |this| {
                    let (wanted, got) = (constant.raw(NodeId::ROOT), this.document.raw(node));
                    format!("expected {}, got {}", quoted(wanted), quoted(got))
                });
            }
        }
    }

    pub(super) fn number(&mut self, k: &Keywords, node: NodeId) {
        type Fits = fn(&Decimal<'_>, &Decimal<'_>) -> bool;
        let bounds: [(&Option<Number>, &str, Fits); 5] = [
            (&k.minimum, "of at least", |n, bound| n >= bound),
            (&k.maximum, "of at most", |n, bound| n <= bound),
            (&k.exclusive_minimum, "greater than", |n, bound| n > bound),
            (&k.exclusive_maximum, "less than", |n, bound| n < bound),
            (&k.multiple_of, "that is a multiple of", |n, of| {
                n.is_multiple_of(of)
            }),
        ];
        for (bound, words, fits) in bounds {
            let Some(bound) = bound else { continue };
            let raw = self.document.raw(node);
            self.charge(raw.len() / 64);
            if !fits(&Decimal::of(raw), &bound.decimal()) {
                self.violation(node, |_| {
                    format!(
                        "expected a number {words} {}, got {}",
                        quoted(&bound.0),
                        quoted(raw)
                    )
                });
            }
        }
    }

    pub(super) fn string(&mut self, k: &Keywords, node: NodeId) {
        if k.min_length.is_none() && k.max_length.is_none() {
            return;
        }
        let text = self.document.string(node);
        self.charge(text.len() / 64);
        let length = text.chars().count();
        self.size(
            node,
            ("a string of", "characters"),
            length,
            k.min_length,
            k.max_length,
        );
    }

    /// Reports a size outside of its bounds.
    pub(super) fn size(
        &mut self,
        node: NodeId,
        (what, unit): (&str, &str),
        size: usize,
        min: Option<usize>,
        max: Option<usize>,
    ) {
        if let Some(min) = min.filter(|min| size < *min) {
            self.violation(node, |_| {
                format!("expected {what} at least {min} {unit}, got {size}")
            });
        }
        if let Some(max) = max.filter(|max| size > *max) {
            self.violation(node, |_| {
                format!("expected {what} at most {max} {unit}, got {size}")
            });
        }
    }
}

/// What came instead of a value of another type.
pub(super) fn got(kind: Kind, raw: &str) -> String {
    match kind {
        Kind::Object | Kind::Array | Kind::Null => kind.to_string(),
        _ => format!("{kind} {}", quoted(raw)),
    }
}

/// That a value is none of those that are allowed.
pub(super) fn not_listed<'v, I: Iterator<Item = &'v str>>(
    values: impl Fn() -> I,
    got: &str,
) -> String {
    let listed = listed(values());
    let word = |value: &'v str| {
        value
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
    };
    let given = got
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let hint = match given.and_then(|given| meant(given, values().filter_map(word))) {
        Some(value) => format!("; did you mean \"{value}\"?"),
        None => String::new(),
    };
    format!("expected one of {listed}, got {}{hint}", quoted(got))
}
