//! Types of which it is plain, without their traits, that no tool can take or give them (rule DEF-4).

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Type;

use crate::errors::Errors;

/// Reports types that no JSON can be read as.
pub(crate) fn check_parameter_type(type_: &Type, errors: &mut Errors) {
    let text = match (bare(type_), Living::in_type(type_)) {
        (_, Some(living)) => living.as_parameter().to_owned(),
        (Type::ImplTrait(_), _) => {
            "a tool's schema needs one type: name it instead of `impl …`".to_owned()
        }
        (Type::Ptr(_), _) => "a model cannot give a pointer: take the value itself".to_owned(),
        (Type::Reference(reference), _) => {
            let owned = owned_form_of(bare(&reference.elem));
            format!(
                "a tool's arguments are read from JSON and cannot be borrowed: take {owned}; what the \
                 application gives is marked with `#[param(inject)]`"
            )
        }
        (other, _) if borrows(other.to_token_stream(), Static::Borrows) => {
            "a tool's arguments are read from JSON and cannot hold borrowed data: use owned types \
             inside, such as `String`"
                .to_owned()
        }
        _ => return,
    };
    errors.at(type_, text);
}

/// Reports types that are no result.
pub(crate) fn check_result_type(type_: &Type, errors: &mut Errors) {
    let text = match (bare(type_), Living::in_type(type_)) {
        (_, Some(living)) => living.as_result(),
        (Type::Ptr(_), _) => {
            "a tool's result is data and cannot be a pointer: return the value itself"
        }
        (Type::Never(_), _) => "a tool gives a result: return `()`",
        (Type::ImplTrait(_), _) => return,
        (other, _) if borrows(other.to_token_stream(), Static::Owns) => {
            "a tool's result outlives its call: return owned values, such as `String`, or a \
             `&'static str`"
        }
        _ => return,
    };
    errors.at(type_, text);
}

/// Things that do something instead of being data.
#[derive(Clone, Copy)]
enum Living {
    Function,
    Future,
    Stream,
    Iterator,
}

impl Living {
    /// The first such thing in a type: behind `dyn` or `impl`, or by a usual name.
    fn in_type(type_: &Type) -> Option<Self> {
        Self::in_tokens(type_.to_token_stream(), &mut false)
    }

    fn in_tokens(tokens: TokenStream, is_behind_trait: &mut bool) -> Option<Self> {
        tokens.into_iter().find_map(|token| match token {
            TokenTree::Group(group) => Self::in_tokens(group.stream(), is_behind_trait),
            TokenTree::Ident(name) => Self::by_name(&name.to_string(), is_behind_trait),
            _ => None,
        })
    }

    fn by_name(name: &str, is_behind_trait: &mut bool) -> Option<Self> {
        match name {
            "dyn" | "impl" => *is_behind_trait = true,
            "fn" => return Some(Self::Function),
            "BoxFuture" | "LocalBoxFuture" => return Some(Self::Future),
            "BoxStream" | "LocalBoxStream" => return Some(Self::Stream),
            _ => {}
        }
        match name {
            _ if !*is_behind_trait => None,
            "Fn" | "FnMut" | "FnOnce" | "AsyncFn" | "AsyncFnMut" | "AsyncFnOnce" => {
                Some(Self::Function)
            }
            "Future" | "IntoFuture" => Some(Self::Future),
            "Stream" => Some(Self::Stream),
            "Iterator" | "IntoIterator" => Some(Self::Iterator),
            _ => None,
        }
    }

    fn as_parameter(self) -> &'static str {
        match self {
            Self::Function => {
                "a model gives data and cannot give a function: take data, and keep the function in the \
                 object"
            }
            Self::Future => "a model gives data and cannot give a future: take the value itself",
            Self::Stream => "a model gives data and cannot give a stream: take a `Vec`",
            Self::Iterator => "a model gives data and cannot give an iterator: take a `Vec`",
        }
    }

    fn as_result(self) -> &'static str {
        match self {
            Self::Function => {
                "a tool's result is data and cannot be a function: return what it gives"
            }
            Self::Future => "write an `async fn` instead of returning a future",
            Self::Stream => {
                "a tool gives one result: collect the stream into a `Vec`, and say with a \
                 `ProgressSender` how far it is"
            }
            Self::Iterator => "a tool's result is data: collect the iterator into a `Vec`",
        }
    }
}

fn owned_form_of(referent: &Type) -> &'static str {
    match referent {
        Type::Slice(_) => "a `Vec` instead of a slice",
        Type::Path(path) if path.path.is_ident("str") => "`String` instead of `&str`",
        Type::Path(path)
            if path
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "Path") =>
        {
            "`PathBuf` instead of `&Path`"
        }
        _ => "the value itself, not a reference",
    }
}

/// Whether `&'static` counts as borrowed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Static {
    /// It cannot be read from JSON.
    Borrows,
    /// It lives as long as anyone wants.
    Owns,
}

/// Whether a type has a reference or a lifetime other than `'static` somewhere in it.
pub(crate) fn borrows(tokens: TokenStream, statics: Static) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match token {
            TokenTree::Punct(mark) if mark.as_char() == '&' => {
                // With a lifetime, the lifetime decides.
                statics == Static::Borrows
                    || !matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '\'')
            }
            TokenTree::Punct(mark) if mark.as_char() == '\'' => {
                !matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "static")
            }
            TokenTree::Group(group) => borrows(group.stream(), statics),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// The type without parentheses and the invisible groups that `macro_rules` leaves.
pub(crate) fn bare(type_: &Type) -> &Type {
    match type_ {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}
