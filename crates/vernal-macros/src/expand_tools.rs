//! `#[tools]` on an `impl` block.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, GenericParam, ImplItem, ImplItemFn, Item, ItemImpl, Path, parse_quote};

use crate::attributes::{ObjectKeys, Register, ToolKeys, conditions, take_attributes};
use crate::errors::Errors;
use crate::manifest::crate_path;
use crate::method::Method;
use crate::paths::{Private, at, local};
use crate::registration::registration;
use crate::types::{Static, borrows};

/// The block without our attributes, and `IntoTools` for its type.
pub(crate) fn expand_tools(keys: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let ObjectKeys {
        crate_path,
        register,
    } = ObjectKeys::read(keys, &mut errors);
    let private = Private::of(crate_path.unwrap_or_else(self::crate_path));
    let Some(mut block) = errors.take(impl_block(item.clone())) else {
        return errors.into_tokens().into_iter().chain([item]).collect();
    };
    let methods = read_methods(&mut block, private.root(), &mut errors);
    if let Some((path, _)) = &block.trait_ {
        let text = "`#[tools]` goes on the type's own `impl` block, not on a trait's";
        let error = syn::Error::new_spanned(path, text).to_compile_error();
        return quote!(#error #block);
    }
    let registration = register.and_then(|register| {
        check_registered(&block, &mut errors);
        errors
            .is_empty()
            .then(|| object_registration(&block, &register, &private))
    });
    let errors = errors.into_tokens();
    // After an error the type still counts as tools, so that no other error hides it.
    let methods = if errors.is_some() {
        Vec::new()
    } else {
        methods
    };
    let into_tools = into_tools(&block, &methods, &private);
    quote!(#errors #block #into_tools #registration)
}

fn check_registered(block: &ItemImpl, errors: &mut Errors) {
    if let Some(parameter) = block.generics.params.first() {
        let text = "a generic type has no single object to register: make the block one for a concrete \
                    type, or hand its objects over where they are made";
        errors.at(parameter, text);
    }
}

/// The registration of one object of the block's type.
fn object_registration(block: &ItemImpl, register: &Register, private: &Private) -> TokenStream {
    let type_ = &block.self_ty;
    let place = type_.span();
    let module = private.at(place);
    let object = match register {
        Register::Default => quote!(#module::registered_by_default::<#type_>()),
        Register::By(expression) => {
            let object = local("object", at(expression.span()));
            quote_spanned!(at(expression.span())=> { let #object: #type_ = #expression; #object })
        }
    };
    registration(&conditions(&block.attrs), &object, private, place)
}

fn impl_block(item: TokenStream) -> syn::Result<ItemImpl> {
    match syn::parse2::<Item>(item)? {
        Item::Impl(block) => Ok(block),
        Item::Fn(function) => {
            let text = "`#[tools]` goes on an `impl` block; for a function write `#[tool]`";
            Err(syn::Error::new_spanned(function.sig, text))
        }
        other => {
            let text = "`#[tools]` goes on an `impl` block with `#[tool]` methods in it";
            Err(syn::Error::new_spanned(other, text))
        }
    }
}

fn read_methods(block: &mut ItemImpl, root: &Path, errors: &mut Errors) -> Vec<Method> {
    let mut methods = Vec::new();
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            methods.extend(read_method(function, root, errors));
        }
    }
    if methods.is_empty() {
        let text = "no method in this `#[tools]` block is marked `#[tool]`";
        errors.at(&block.self_ty, text);
    }
    check_names(&methods, errors);
    methods
}

fn read_method(function: &mut ImplItemFn, root: &Path, errors: &mut Errors) -> Option<Method> {
    let ours = take_attributes(&mut function.attrs, |attribute| is_tool(attribute, root));
    let attribute = ours.first()?;
    if let Some(second) = ours.get(1) {
        errors.at(second, "`#[tool]` is given twice");
    }
    let keys = ToolKeys::of_method(attribute, errors);
    Some(Method::read(
        keys,
        &function.attrs,
        &mut function.sig,
        errors,
    ))
}

/// `#[tool]`, also by its full path.
fn is_tool(attribute: &Attribute, root: &Path) -> bool {
    let segments = &attribute.path().segments;
    let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
        return false;
    };
    let is_ours = root
        .segments
        .first()
        .is_some_and(|root| root.ident == first.ident)
        || first.ident == "vernal"
        || first.ident == "vernal_core";
    last.ident == "tool" && (segments.len() == 1 || is_ours)
}

/// Reports two methods with one tool name (rule DEF-6), unless a `#[cfg]` may leave one of them out.
fn check_names(methods: &[Method], errors: &mut Errors) {
    let mut first_by_name: HashMap<&str, &Method> = HashMap::new();
    for method in methods.iter().filter(|method| method.conditions.is_empty()) {
        let name = method.name.text.as_str();
        if let Some(first) = first_by_name.get(name) {
            let text = format!(
                "two tools of this block are called `{name}`, the other is the method `{}`: rename \
                 one with `#[tool(name = \"…\")]`",
                first.ident
            );
            errors.at_span(method.name.span, text);
        } else {
            first_by_name.insert(name, method);
        }
    }
}

fn into_tools(block: &ItemImpl, methods: &[Method], private: &Private) -> TokenStream {
    let conditions = conditions(&block.attrs);
    let self_type = &block.self_ty;
    let place = self_type.span();
    let module = private.at(place);
    let is_generic = block
        .generics
        .params
        .iter()
        .any(|param| !matches!(param, GenericParam::Lifetime(_)));
    let mut generics = block.generics.clone();
    if !generics.params.is_empty() || borrows(quote!(#self_type), Static::Owns) {
        let shared = quote_spanned!(at(place)=> Self: #module::Send + #module::Sync + 'static);
        generics
            .make_where_clause()
            .predicates
            .push(parse_quote!(#shared));
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (object, into) = (local("object", at(place)), local("into", at(place)));
    let share = (!methods.is_empty()).then(|| quote!(let #object = #module::Arc::new(self);));
    let hand_overs = methods.iter().map(|method| {
        let conditions = &method.conditions;
        let definition = definition(method, is_generic, private);
        let metadata = method.metadata(private);
        let invoke = method.invoke(private, &method.ident);
        // All at the type, so that an object that cannot be shared is one error.
        quote_spanned! {at(place)=>
            #(#conditions)*
            #module::hand_over(#module::method(&#object, #definition, #metadata, #invoke), #into);
        }
    });
    quote! {
        #(#conditions)*
        #[automatically_derived]
        #[allow(deprecated)]
        impl #impl_generics #module::OneToolsBlockPerType for #self_type #where_clause {}

        #(#conditions)*
        #[automatically_derived]
        #[allow(deprecated)]
        impl #impl_generics #module::IntoTools for #self_type #where_clause {
            fn collect_tools(self, #into: &mut #module::Vec<#module::ToolSource>) {
                use #module::ReturnedValue as _;
                #share
                #(#hand_overs)*
            }
        }
    }
}

/// An expression for a method's definition.
///
/// It is built once for all objects, except where the block is generic: a static inside it would be
/// shared by types whose schemas differ.
fn definition(method: &Method, is_generic: bool, private: &Private) -> TokenStream {
    let build = method.definition(private);
    if is_generic {
        return build;
    }
    let module = private.at(method.ident.span());
    quote!({
        static __VERNAL_DEFINITION: #module::DefinitionOnce = #module::DefinitionOnce::new();
        __VERNAL_DEFINITION.get(|| #build)
    })
}
