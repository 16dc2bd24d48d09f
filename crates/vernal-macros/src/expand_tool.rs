//! `#[tool]` on a free function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ItemFn;

use crate::attributes::{ToolKeys, conditions};
use crate::description::is_doc_line;
use crate::errors::Errors;
use crate::manifest::crate_path;
use crate::method::Method;
use crate::paths::Private;
use crate::registration::registration;

/// A unit struct of the function's name that is a tool, with the function as its `call`.
pub(crate) fn expand_tool(keys: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let keys = ToolKeys::of_function(keys, &mut errors);
    let Some(mut function) = errors.take(free_function(item.clone())) else {
        return errors.into_tokens().into_iter().chain([item]).collect();
    };
    let private = Private::of(keys.crate_path.clone().unwrap_or_else(crate_path));
    let is_registered = keys.register;
    let method = Method::read(keys, &function.attrs, &mut function.sig, &mut errors);
    let errors = errors.into_tokens();
    let method = errors.is_none().then_some(method);
    let registration = method.as_ref().filter(|_| is_registered).map(|method| {
        let (conditions, ident) = (conditions(&function.attrs), &method.ident);
        registration(&conditions, &quote!(#ident), &private, ident.span())
    });
    let value = unit_value(function, &private, method.as_ref());
    quote!(#errors #value #registration)
}

fn free_function(item: TokenStream) -> syn::Result<ItemFn> {
    let text = "`#[tool]` goes on a function, or on a method in an `impl` block under `#[tools]`";
    let function: ItemFn = syn::parse2(item.clone()).map_err(|error| {
        if is_function(&item) {
            error
        } else {
            syn::Error::new_spanned(item, text)
        }
    })?;
    match function.sig.receiver() {
        Some(receiver) => {
            let text = "put `#[tools]` on the `impl` block of this method";
            Err(syn::Error::new_spanned(receiver, text))
        }
        None => Ok(function),
    }
}

/// Whether the item means to be a function, so that what is wrong with its syntax is worth saying.
fn is_function(item: &TokenStream) -> bool {
    item.clone()
        .into_iter()
        .any(|token| token.to_string() == "fn")
}

fn unit_value(function: ItemFn, private: &Private, method: Option<&Method>) -> TokenStream {
    let ItemFn {
        attrs,
        vis,
        modifiers: _,
        mut sig,
        block,
        ..
    } = function;
    let conditions = conditions(&attrs);
    let docs = attrs.iter().filter(|attribute| is_doc_line(attribute));
    let ident = std::mem::replace(&mut sig.ident, Ident::new("call", Span::call_site()));
    let usage = format!(
        " As a value this is a tool, to be handed over as `{ident}`; `{ident}::call` is the function."
    );
    let module = private.at(ident.span());
    let tool = method.map(|method| hand_over(method, private, &sig.ident));
    quote! {
        #(#conditions)*
        #(#docs)*
        #[doc = ""]
        #[doc = #usage]
        #[allow(non_camel_case_types)]
        #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
        #vis struct #ident;

        #(#conditions)*
        impl #ident {
            /// The function itself.
            ///
            #(#attrs)*
            #vis #sig #block
        }

        #(#conditions)*
        #[automatically_derived]
        #[allow(deprecated)]
        impl #module::IntoTools for #ident {
            fn collect_tools(self, __vernal_into: &mut #module::Vec<#module::ToolSource>) {
                #tool
            }
        }
    }
}

fn hand_over(method: &Method, private: &Private, function: &Ident) -> TokenStream {
    let module = private.at(method.ident.span());
    let definition = method.definition(private);
    let metadata = method.metadata(private);
    let invoke = method.invoke(private, function);
    quote! {
        use #module::ReturnedValue as _;
        static __VERNAL_TOOL: #module::FunctionOnce = #module::FunctionOnce::new();
        #module::hand_over(
            __VERNAL_TOOL.get(|| {
                #module::method(&#module::Arc::new(self), #definition, #metadata, #invoke)
            }),
            __vernal_into,
        );
    }
}
