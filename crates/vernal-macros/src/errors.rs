//! Everything that is wrong, said at once.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The errors found so far. Analysis goes on after one, so that a user sees them all.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error at some tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, text: impl Display) {
        self.add(syn::Error::new_spanned(tokens, text));
    }

    /// Adds an error at a place.
    pub(crate) fn at_span(&mut self, span: Span, text: impl Display) {
        self.add(syn::Error::new(span, text));
    }

    /// Adds an error.
    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// What parsing gave, or nothing and its error added.
    pub(crate) fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// Whether there are none so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The errors as code, if there are any.
    pub(crate) fn into_tokens(self) -> Option<TokenStream> {
        self.0.map(|errors| errors.to_compile_error())
    }
}
