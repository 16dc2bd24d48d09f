//! A function that is to be a tool, understood.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;
use syn::{
    Attribute, FnArg, GenericParam, Ident, Receiver, ReceiverKind, ReturnType, Safety, Signature,
    Type,
};

use crate::attributes::{ToolKeys, conditions, take_attributes};
use crate::description::description;
use crate::errors::Errors;
use crate::metadata::MetadataKeys;
use crate::name::Name;
use crate::parameter::Argument;
use crate::types::{bare, check_result_type};

/// What the expansion needs to know of a tool function.
pub(crate) struct Method {
    pub(crate) ident: Ident,
    pub(crate) name: Name,
    pub(crate) description: TokenStream,
    pub(crate) metadata: MetadataKeys,
    pub(crate) conditions: Vec<Attribute>,
    pub(crate) takes_self: bool,
    pub(crate) is_async: bool,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) output: Span,
}

impl Method {
    /// Analyses a function and takes off its parameters what rustc would not accept there.
    pub(crate) fn read(
        keys: ToolKeys,
        attributes: &[Attribute],
        signature: &mut Signature,
        errors: &mut Errors,
    ) -> Self {
        let name = Name::new(keys.name.as_ref(), &signature.ident);
        name.check_as_tool_name(errors);
        check_signature(signature, errors);
        if signature.asyncness.is_some() {
            keys.metadata.check_async(errors);
        }
        let takes_self = signature.receiver().is_some();
        let arguments = read_arguments(signature, errors);
        Self {
            ident: signature.ident.clone(),
            name,
            description: description(keys.description.as_ref(), attributes),
            metadata: keys.metadata,
            conditions: conditions(attributes),
            takes_self,
            is_async: signature.asyncness.is_some(),
            arguments,
            output: match &signature.output {
                ReturnType::Default => signature.ident.span(),
                ReturnType::Type(_, type_) => type_.span(),
            },
        }
    }
}

fn read_arguments(signature: &mut Signature, errors: &mut Errors) -> Vec<Argument> {
    let mut arguments = Vec::new();
    for input in &mut signature.inputs {
        match input {
            FnArg::Receiver(receiver) => check_receiver(receiver, errors),
            FnArg::Typed(parameter) => arguments.extend(Argument::read(parameter, errors)),
        }
    }
    let mut names = HashSet::new();
    for argument in &arguments {
        if let Argument::Json(parameter) = argument
            && !names.insert(&parameter.name.text)
        {
            let text = format!("two parameters are called `{}`", parameter.name.text);
            errors.at_span(parameter.name.span, text);
        }
    }
    arguments
}

/// A receiver must be `&self`: calls of a tool share its object.
fn check_receiver(receiver: &mut Receiver, errors: &mut Errors) {
    for attribute in take_attributes(&mut receiver.attrs, |a| a.path().is_ident("param")) {
        errors.at(
            attribute,
            "`self` is not given by the model: remove `#[param]`",
        );
    }
    let is_shared = match &receiver.kind {
        ReceiverKind::Reference(_, _, mutable) => mutable.is_none(),
        ReceiverKind::Typed(_, type_) => match bare(type_) {
            Type::Reference(reference) => {
                reference.mutability.is_none()
                    && matches!(&*reference.elem, Type::Path(p) if p.path.is_ident("Self"))
            }
            _ => false,
        },
        _ => false,
    };
    if !is_shared {
        let text = "calls of a tool share its object: take `&self`, and keep what changes in a \
                    `Mutex` or an atomic";
        errors.at(receiver, text);
    }
}

fn check_signature(signature: &Signature, errors: &mut Errors) {
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(
            token,
            "a model decides when a tool runs: an `unsafe` function cannot be one",
        );
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "a tool is a plain Rust function: remove `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(
            variadic,
            "a tool takes a fixed number of parameters: take a `Vec` instead",
        );
    }
    for parameter in &signature.generics.params {
        if !matches!(parameter, GenericParam::Lifetime(_)) {
            let text = "a tool has one schema, so its function cannot be generic: name the type, \
                        or make the `impl` block generic";
            errors.at(parameter, text);
        }
    }
    if let ReturnType::Type(_, type_) = &signature.output {
        check_result_type(type_, errors);
    }
}
