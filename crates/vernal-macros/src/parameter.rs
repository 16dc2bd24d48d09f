//! One parameter of a tool function.

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, GenericArgument, Pat, PatType, PathArguments, PathSegment, Type};

use crate::attributes::{ParamKeys, conditions, take_attributes};
use crate::description::{description, is_doc_line};
use crate::errors::Errors;
use crate::name::Name;
use crate::types::{bare, check_parameter_type};

/// What the function is called with.
pub(crate) enum Argument {
    /// The `ToolContext` or what comes from it; the model knows nothing of it (rule SCH-4).
    Injected(Box<Injected>),
    /// What the model gives.
    Json(Box<Parameter>),
}

/// A parameter that the application gives.
pub(crate) struct Injected {
    pub(crate) type_: Type,
    /// Whether the function takes a reference to it.
    pub(crate) by_reference: bool,
}

/// A parameter that the model gives.
pub(crate) struct Parameter {
    pub(crate) name: Name,
    pub(crate) description: TokenStream,
    pub(crate) required: Option<bool>,
    pub(crate) default: Option<Expr>,
    pub(crate) type_: Type,
}

impl Argument {
    /// Analyses a parameter and takes the doc comment and `#[param]` off it, which rustc would not
    /// accept there. `None` if something is wrong with it.
    pub(crate) fn read(parameter: &mut PatType, errors: &mut Errors) -> Option<Self> {
        let docs = take_attributes(&mut parameter.attrs, is_doc_line);
        let ours = take_attributes(&mut parameter.attrs, |a| a.path().is_ident("param"));
        for condition in conditions(&parameter.attrs) {
            errors.at(
                condition,
                "a tool has the same parameters always: put `#[cfg]` on the function",
            );
        }
        if let Some(second) = ours.get(1) {
            errors.at(second, "`#[param]` is given twice");
        }
        let keys = ours
            .first()
            .map(|a| ParamKeys::read(a, errors))
            .unwrap_or_default();
        if keys
            .inject
            .unwrap_or_else(|| is_injected_by_name(&parameter.ty))
        {
            keys.check_injected(errors);
            return Injected::read(&parameter.ty, errors).map(|it| Self::Injected(Box::new(it)));
        }
        Parameter::read(parameter, keys, &docs, errors).map(|it| Self::Json(Box::new(it)))
    }
}

impl Injected {
    fn read(type_: &Type, errors: &mut Errors) -> Option<Self> {
        match bare(type_) {
            Type::Reference(reference) if reference.mutability.is_some() => {
                let text = if is_named(&reference.elem, "ToolContext") {
                    "the context is read-only: take `&ToolContext`"
                } else {
                    "what is injected is shared: take `&T` or `T`"
                };
                errors.at(type_, text);
                None
            }
            Type::Reference(reference) => Some(Self {
                type_: (*reference.elem).clone(),
                by_reference: true,
            }),
            _ => Some(Self {
                type_: type_.clone(),
                by_reference: false,
            }),
        }
    }
}

impl Parameter {
    fn read(
        parameter: &PatType,
        keys: ParamKeys,
        docs: &[Attribute],
        errors: &mut Errors,
    ) -> Option<Self> {
        check_parameter_type(&parameter.ty, errors);
        let Pat::Ident(pattern) = &*parameter.pat else {
            errors.at(
                &parameter.pat,
                "a tool's parameter needs a name, which the model is told",
            );
            return None;
        };
        if pattern.by_ref.is_some() || pattern.subpat.is_some() {
            errors.at(
                pattern,
                "a tool's parameter is a plain name, such as `city: String`",
            );
        }
        let name = Name::new(keys.name.as_ref(), &pattern.ident);
        name.check_as_parameter_name("a parameter's name", errors);
        Some(Self {
            name,
            description: description(keys.description.as_ref(), docs),
            required: keys.required,
            default: keys.default,
            type_: (*parameter.ty).clone(),
        })
    }
}

/// Whether the type's name says that the application gives it: nothing of these names is read from JSON.
fn is_injected_by_name(type_: &Type) -> bool {
    let named = match bare(type_) {
        Type::Reference(reference) => &reference.elem,
        other => other,
    };
    ["ToolContext", "CancellationToken", "ProgressSender"]
        .iter()
        .any(|name| is_named(named, name))
        || is_context_of(named)
        || argument_of(named, "Option").is_some_and(is_context_of)
}

/// Whether the type is `Context<T>`.
fn is_context_of(type_: &Type) -> bool {
    argument_of(type_, "Context").is_some()
}

fn is_named(type_: &Type, name: &str) -> bool {
    last_segment(type_).is_some_and(|last| last.ident == name && last.arguments.is_none())
}

/// The `T` of `name<T>`.
fn argument_of<'a>(type_: &'a Type, name: &str) -> Option<&'a Type> {
    let last = last_segment(type_).filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match (arguments.args.len(), arguments.args.first()) {
        (1, Some(GenericArgument::Type(type_))) => Some(type_),
        _ => None,
    }
}

fn last_segment(type_: &Type) -> Option<&PathSegment> {
    match bare(type_) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}
