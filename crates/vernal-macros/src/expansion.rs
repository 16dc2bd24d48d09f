//! What one tool becomes.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit};

use crate::method::Method;
use crate::parameter::{Argument, Injected, Parameter};
use crate::paths::{Private, at, local};

/// The variables of a call.
struct Locals {
    object: Ident,
    input: Ident,
    context: Ident,
    metadata: Ident,
    fields: Ident,
}

impl Method {
    /// An expression for the tool's definition, of type `Option<ToolDefinition>`.
    pub(crate) fn definition(&self, private: &Private) -> TokenStream {
        let module = private.at(self.ident.span());
        let name = self.name.literal();
        let description = &self.description;
        let parameters = self
            .parameters()
            .map(|parameter| parameter.description(private));
        quote!(#module::definition(#name, #description, &[#(#parameters),*]))
    }

    /// An expression for the tool's metadata.
    pub(crate) fn metadata(&self, private: &Private) -> TokenStream {
        self.metadata.expression(private, self.ident.span())
    }

    /// A closure that reads the arguments, calls `Self::function` and converts what it returns, all of it
    /// when its future is polled.
    pub(crate) fn invoke(&self, private: &Private, function: &Ident) -> TokenStream {
        let place = self.ident.span();
        let module = private.at(place);
        let locals = Locals::at(place);
        let Locals {
            object,
            input,
            context,
            metadata,
            ..
        } = &locals;
        let injections = self.injections(private, context);
        let call = self.call(private, function, &locals);
        let output = private.at(self.output);
        // As if it stood in their code, so that an error about a result shows nothing but its type.
        let returned = local("returned", self.output);
        let convert = quote_spanned!(self.output=> #returned.into_output(#metadata));
        quote_spanned! {at(place)=>
            |#object, #input, #context, #metadata| #module::boxed(async move {
                #(#injections)*
                let #returned = #output::Returned(#call);
                #convert
            })
        }
    }

    /// Variables for what is injected. They stand outside the call, which may borrow them while it runs.
    fn injections(&self, private: &Private, context: &Ident) -> Vec<TokenStream> {
        let injected = self.injected();
        injected
            .map(|(index, injected)| {
                let type_ = &injected.type_;
                let module = private.at(type_.span());
                let variable = injected_local(index, injected);
                quote!(let #variable = #module::inject::<#type_>(&#context)?;)
            })
            .collect()
    }

    /// The call's expression.
    ///
    /// The arguments are read inside it, so that no variable of ours can be in the way of one of
    /// theirs, and nothing but the call itself is held while it runs.
    fn call(&self, private: &Private, function: &Ident, locals: &Locals) -> TokenStream {
        let Locals {
            object,
            input,
            fields,
            ..
        } = locals;
        let place = self.ident.span();
        let module = private.at(place);
        let reads = self.parameters().next().map(
            |_| quote_spanned!(at(place)=> let #fields = #module::ToolInput::fields(&#input)?;),
        );
        let receiver = self.takes_self.then(|| quote!(#object,));
        let arguments = self
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| match argument {
                Argument::Injected(injected) => {
                    let variable = injected_local(index, injected);
                    let reference = injected.by_reference.then(|| quote!(&));
                    quote!(#reference #variable)
                }
                Argument::Json(parameter) => parameter.argument(private, fields),
            });
        let awaited = self.is_async.then(|| quote!(.await));
        quote_spanned!(at(place)=> { #reads Self::#function(#receiver #(#arguments),*) } #awaited)
    }

    fn parameters(&self) -> impl Iterator<Item = &Parameter> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Json(parameter) => Some(&**parameter),
            Argument::Injected(_) => None,
        })
    }

    fn injected(&self) -> impl Iterator<Item = (usize, &Injected)> {
        let arguments = self.arguments.iter().enumerate();
        arguments.filter_map(|(index, argument)| match argument {
            Argument::Injected(injected) => Some((index, &**injected)),
            Argument::Json(_) => None,
        })
    }
}

impl Locals {
    fn at(place: proc_macro2::Span) -> Self {
        let local = |name| local(name, at(place));
        Self {
            object: local("object"),
            input: local("input"),
            context: local("context"),
            metadata: local("metadata"),
            fields: local("fields"),
        }
    }
}

fn injected_local(index: usize, injected: &Injected) -> Ident {
    local(&format!("injected_{index}"), at(injected.type_.span()))
}

impl Parameter {
    /// An expression for the parameter as the schema needs it.
    fn description(&self, private: &Private) -> TokenStream {
        let Self {
            name,
            description,
            type_,
            ..
        } = self;
        let module = private.at(type_.span());
        let name = name.literal();
        if let Some(default) = self.default_function(private) {
            return quote!({
                use #module::UnserialisedDefault as _;
                #module::Parameter::new::<#type_>(#name, #description)
                    .default(#module::DefaultOf::<#type_>(#default()).to_json())
            });
        }
        match self.required {
            None => quote!(#module::Parameter::new::<#type_>(#name, #description)),
            Some(true) => {
                quote!(#module::Parameter::new::<#type_>(#name, #description).required(true))
            }
            Some(false) => quote!(#module::optional::<#type_>(#name, #description)),
        }
    }

    /// An expression for the argument.
    fn argument(&self, private: &Private, fields: &Ident) -> TokenStream {
        let (name, type_) = (self.name.literal(), &self.type_);
        let module = private.at(type_.span());
        match self.default_function(private) {
            Some(default) => quote!(#module::read_or::<#type_>(&#fields, #name, #default)?),
            None => quote!(#module::read::<#type_>(&#fields, #name)?),
        }
    }

    /// An expression for a function that gives the default.
    ///
    /// It is the same wherever it stands, so that what is wrong with the default is said once.
    fn default_function(&self, private: &Private) -> Option<TokenStream> {
        let default = self.default.as_ref()?;
        let type_ = &self.type_;
        let place = at(default.span());
        let module = private.at(default.span());
        let value = match default {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => quote!(#module::text_default(#text)),
            expression => expression.to_token_stream(),
        };
        let function = local("default", place);
        Some(quote_spanned!(place=> { let #function: fn() -> #type_ = || #value; #function }))
    }
}
