//! Our attributes: what may be written in them. A new key is added to its list and its `match`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::{Attribute, Expr, LitStr, Meta, Path};

use crate::errors::Errors;
use crate::keys::{Entry, Written, read_keys};
use crate::metadata::MetadataKeys;

/// The keys of `#[tool(…)]`; those of the metadata come with them. `register` is known on methods so that
/// its right place can be told.
const METHOD_KEYS: &[&str] = &["name", "description", "register"];
const FUNCTION_KEYS: &[&str] = &["name", "description", "crate", "register"];
const OBJECT_KEYS: &[&str] = &["crate", "register"];
const PARAMETER_KEYS: &[&str] = &["name", "description", "required", "default", "inject"];

/// `#[tool(…)]`.
#[derive(Default)]
pub(crate) struct ToolKeys {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) metadata: MetadataKeys,
    pub(crate) crate_path: Option<Path>,
    pub(crate) register: bool,
}

impl ToolKeys {
    /// Those of a method, which belongs to a `#[tools]` block.
    pub(crate) fn of_method(attribute: &Attribute, errors: &mut Errors) -> Self {
        let keys = Self::read(METHOD_KEYS, written(attribute), errors);
        if keys.register {
            let text = "the tools of a block are registered with their object: write \
                        `#[tools(register)]` on the block";
            errors.at(attribute, text);
        }
        keys
    }

    /// Those of a free function.
    pub(crate) fn of_function(tokens: TokenStream, errors: &mut Errors) -> Self {
        Self::read(
            FUNCTION_KEYS,
            Written::parse_terminated.parse2(tokens),
            errors,
        )
    }

    fn read(own_keys: &[&str], written: syn::Result<Written>, errors: &mut Errors) -> Self {
        let known: Vec<&str> = own_keys.iter().chain(MetadataKeys::KEYS).copied().collect();
        let mut keys = Self::default();
        for entry in read_keys("tool", &known, written, errors) {
            match entry.key.as_str() {
                "name" => keys.name = entry.text(errors),
                "description" => keys.description = entry.text_expression(errors),
                "crate" => keys.crate_path = crate_path(&entry, errors),
                "register" => keys.register = entry.flag(errors).unwrap_or_default(),
                _ => keys.metadata.read(entry, errors),
            }
        }
        keys.metadata.check(errors);
        keys
    }
}

/// `#[tools(…)]`.
#[derive(Default)]
pub(crate) struct ObjectKeys {
    pub(crate) crate_path: Option<Path>,
    pub(crate) register: Option<Register>,
}

/// How an object is made to be registered.
pub(crate) enum Register {
    /// By its `Default`.
    Default,
    /// By an expression.
    By(Box<Expr>),
}

impl ObjectKeys {
    pub(crate) fn read(tokens: TokenStream, errors: &mut Errors) -> Self {
        let written = Written::parse_terminated.parse2(tokens);
        let mut keys = Self::default();
        for entry in read_keys("tools", OBJECT_KEYS, written, errors) {
            match entry.key.as_str() {
                "crate" => keys.crate_path = crate_path(&entry, errors),
                "register" => keys.register = register(&entry, errors),
                _ => {}
            }
        }
        keys
    }
}

fn register(entry: &Entry, errors: &mut Errors) -> Option<Register> {
    match entry.flag_or_expression(errors)? {
        Ok(true) => Some(Register::Default),
        Ok(false) => None,
        Err(expression) => Some(Register::By(Box::new(expression.clone()))),
    }
}

/// `#[param(…)]`.
#[derive(Default)]
pub(crate) struct ParamKeys {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) required: Option<bool>,
    /// An expression, or `Default::default()`.
    pub(crate) default: Option<Expr>,
    pub(crate) inject: Option<bool>,
    /// The keys that say something to the model.
    for_the_model: Vec<Entry>,
}

impl ParamKeys {
    pub(crate) fn read(attribute: &Attribute, errors: &mut Errors) -> Self {
        let mut keys = Self::default();
        for entry in read_keys("param", PARAMETER_KEYS, written(attribute), errors) {
            match entry.key.as_str() {
                "name" => keys.name = entry.text(errors),
                "description" => keys.description = entry.text_expression(errors),
                "required" => keys.required = entry.flag(errors),
                "default" => keys.default = default(&entry, errors),
                "inject" => keys.inject = entry.flag(errors),
                _ => {}
            }
            if entry.key != "inject" {
                keys.for_the_model.push(entry);
            }
        }
        if keys.default.is_some()
            && keys.required == Some(true)
            && let Some(entry) = keys
                .for_the_model
                .iter()
                .find(|entry| entry.key == "default")
        {
            let text = "a parameter that must be there needs no default: remove one of the two";
            errors.at(&entry.meta, text);
        }
        keys
    }

    /// Reports keys that are of no use on a parameter that the application gives.
    pub(crate) fn check_injected(&self, errors: &mut Errors) {
        for entry in &self.for_the_model {
            let text = format!(
                "this parameter is injected, and the model knows nothing of it: remove `{}`",
                entry.key
            );
            errors.at(&entry.meta, text);
        }
    }
}

fn default(entry: &Entry, errors: &mut Errors) -> Option<Expr> {
    match &entry.meta {
        Meta::Path(path) => {
            let place = crate::paths::at(syn::spanned::Spanned::span(path));
            Some(syn::parse_quote_spanned!(place=> ::core::default::Default::default()))
        }
        _ => entry.expression("default = 3", errors).cloned(),
    }
}

/// Takes the attributes for which `is_taken` says so out of the list.
pub(crate) fn take_attributes(
    attributes: &mut Vec<Attribute>,
    is_taken: impl Fn(&Attribute) -> bool,
) -> Vec<Attribute> {
    attributes
        .extract_if(.., |attribute| is_taken(attribute))
        .collect()
}

/// The attributes that decide whether an item is there at all.
pub(crate) fn conditions(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .cloned()
        .collect()
}

fn written(attribute: &Attribute) -> syn::Result<Written> {
    match &attribute.meta {
        Meta::Path(_) => Ok(Written::new()),
        Meta::List(list) => list.parse_args_with(Written::parse_terminated),
        Meta::NameValue(pair) => {
            let name = pair.path.to_token_stream();
            let text = format!("write `#[{name}(description = \"…\")]`");
            Err(syn::Error::new_spanned(quote!(#pair), text))
        }
    }
}

fn crate_path(entry: &Entry, errors: &mut Errors) -> Option<Path> {
    let text = entry.text(errors)?;
    let path = text.parse_with(Path::parse_mod_style).ok();
    if path.is_none() {
        errors.at(
            &text,
            "`crate` is the path of `vernal` or `vernal_core`, such as `\"crate::vernal\"`",
        );
    }
    path
}
