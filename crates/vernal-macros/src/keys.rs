//! `key = value` lists inside attributes.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, Meta, Token};

use crate::errors::Errors;

/// What stands in the parentheses of an attribute.
pub(crate) type Written = Punctuated<Meta, Token![,]>;

/// One key with its value.
pub(crate) struct Entry {
    pub(crate) key: String,
    /// The key as it was written, for errors to point at.
    pub(crate) meta: Meta,
}

/// Reads the keys of an attribute; those that are unknown or written twice are errors and left out.
pub(crate) fn read_keys(
    attribute: &str,
    known: &[&str],
    written: syn::Result<Written>,
    errors: &mut Errors,
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for meta in errors.take(written).into_iter().flatten() {
        let key = meta.path().to_token_stream().to_string();
        if !known.contains(&key.as_str()) {
            errors.at(meta.path(), unknown_key(attribute, &key, known));
        } else if entries.iter().any(|entry| entry.key == key) {
            errors.at(meta.path(), format!("`{key}` is given twice"));
        } else {
            entries.push(Entry { key, meta });
        }
    }
    entries
}

impl Entry {
    /// The text after `=`.
    pub(crate) fn text(&self, errors: &mut Errors) -> Option<LitStr> {
        self.text_like("a string", &format!("{} = \"…\"", self.key), errors)
    }

    /// The text after `=`, which says `what`.
    pub(crate) fn text_like(
        &self,
        what: &str,
        example: &str,
        errors: &mut Errors,
    ) -> Option<LitStr> {
        match self.value() {
            Some(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) => Some(text.clone()),
            _ => self.expected(what, example, errors),
        }
    }

    /// The text after `=`, or an expression that gives one, such as `include_str!("…")`.
    pub(crate) fn text_expression(&self, errors: &mut Errors) -> Option<Expr> {
        match self.value() {
            Some(Expr::Lit(ExprLit { lit, .. })) if !matches!(lit, Lit::Str(_)) => {
                self.expected("a string", &format!("{} = \"…\"", self.key), errors)
            }
            Some(expression) => Some(expression.clone()),
            None => self.expected("a string", &format!("{} = \"…\"", self.key), errors),
        }
    }

    /// Whether the key is set: alone or by `= true`.
    pub(crate) fn flag(&self, errors: &mut Errors) -> Option<bool> {
        match (&self.meta, self.value()) {
            (Meta::Path(_), _) => Some(true),
            (
                _,
                Some(Expr::Lit(ExprLit {
                    lit: Lit::Bool(flag),
                    ..
                })),
            ) => Some(flag.value),
            _ => self.expected("`true` or `false`", &format!("{} = true", self.key), errors),
        }
    }

    /// Whether the key is set, or the expression after `=`.
    pub(crate) fn flag_or_expression(&self, errors: &mut Errors) -> Option<Result<bool, &Expr>> {
        match (&self.meta, self.value()) {
            (Meta::Path(_), _) => Some(Ok(true)),
            (
                _,
                Some(Expr::Lit(ExprLit {
                    lit: Lit::Bool(flag),
                    ..
                })),
            ) => Some(Ok(flag.value)),
            (_, Some(expression)) => Some(Err(expression)),
            _ => self.expected("an expression", &format!("{} = …", self.key), errors),
        }
    }

    /// The expression after `=`, whatever it is.
    pub(crate) fn expression(&self, example: &str, errors: &mut Errors) -> Option<&Expr> {
        self.value()
            .or_else(|| self.expected("an expression", example, errors))
    }

    /// The expression after `=`, which is a whole number if it is a literal.
    pub(crate) fn number(&self, example: &str, errors: &mut Errors) -> Option<&Expr> {
        match self.value() {
            Some(Expr::Lit(ExprLit { lit, .. })) if !matches!(lit, Lit::Int(_)) => {
                self.expected("a whole number", example, errors)
            }
            Some(expression) => Some(expression),
            None => self.expected("a whole number", example, errors),
        }
    }

    fn value(&self) -> Option<&Expr> {
        match &self.meta {
            Meta::NameValue(pair) => Some(&pair.value),
            _ => None,
        }
    }

    fn expected<T>(&self, what: &str, example: &str, errors: &mut Errors) -> Option<T> {
        errors.at(
            &self.meta,
            format!("`{}` takes {what}: `{example}`", self.key),
        );
        None
    }
}

/// Names the known keys, the nearest first.
fn unknown_key(attribute: &str, key: &str, known: &[&str]) -> String {
    let mut known: Vec<&str> = known.to_vec();
    known.sort_by_key(|candidate| edit_distance(key, candidate));
    let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
    format!(
        "`#[{attribute}]` has no key `{key}`; it knows {}",
        known.join(", ")
    )
}

/// Levenshtein distance over characters.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, to) in row.iter_mut().skip(1).zip(b.chars()) {
            let above = *cell;
            let replaced = diagonal + usize::from(from != to);
            *cell = replaced.min(above + 1).min(left + 1);
            diagonal = above;
            left = *cell;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        for (a, b, distance) in [
            ("", "", 0),
            ("", "ab", 2),
            ("kitten", "sitting", 3),
            ("ab", "", 2),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
        }
    }

    #[test]
    fn the_nearest_key_is_named_first() {
        let text = unknown_key(
            "tool",
            "return_driect",
            &["name", "sequential", "return_direct"],
        );
        assert_eq!(
            text,
            "`#[tool]` has no key `return_driect`; it knows `return_direct`, `sequential`, `name`"
        );
    }
}
