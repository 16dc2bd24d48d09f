//! Where expansions find what they are made of.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::Path;

/// The hidden module of the crate that expansions name.
pub(crate) struct Private(Path);

impl Private {
    /// That of the crate at `root`.
    pub(crate) fn of(root: Path) -> Self {
        Self(root)
    }

    /// The crate's own path.
    pub(crate) fn root(&self) -> &Path {
        &self.0
    }

    /// The module's path, as code that an error shows at `place`.
    pub(crate) fn at(&self, place: Span) -> TokenStream {
        let root = &self.0;
        located(quote!(#root::__private), at(place))
    }
}

/// Our own code, shown to the user at a place in theirs.
pub(crate) fn at(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}

/// A variable of ours.
///
/// Hygiene does not keep it apart from the user's constants and unit structs, such as the value of a
/// `#[tool]` function: so its name is one that nobody writes.
pub(crate) fn local(name: &str, span: Span) -> Ident {
    Ident::new(&format!("__vernal_{name}"), span)
}

fn located(tokens: TokenStream, span: Span) -> TokenStream {
    let located = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), located(group.stream(), span)).into();
        }
        token.set_span(span);
        token
    });
    located.collect()
}
