//! Registering what is handed over when the program is linked.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;

use crate::paths::{Private, at, local};

/// An item that registers `object`, an expression for something that is handed over as tools.
///
/// How that is done, and what is said where it cannot be, is up to the crate that the item names: only
/// that crate knows which of its features are on.
pub(crate) fn registration(
    conditions: &[Attribute],
    object: &TokenStream,
    private: &Private,
    place: Span,
) -> TokenStream {
    let module = private.at(place);
    let into = local("into", at(place));
    let collect = quote_spanned! {at(place)=>
        |#into| #module::IntoTools::collect_tools(#object, #into)
    };
    quote! {
        #(#conditions)*
        #module::register! { #collect }
    }
}
