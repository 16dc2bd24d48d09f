//! Descriptions: an attribute's, else the doc comment's.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Whether an attribute is a line of a doc comment.
pub(crate) fn is_doc_line(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc") && matches!(attribute.meta, Meta::NameValue(_))
}

/// The description as an expression of type `&'static str`, blank if there is none.
///
/// The lines of a doc comment stay lines, without the space that follows `///`: so a paragraph or a
/// list is still one, and a field of a struct with the same comment is described by the same text.
pub(crate) fn description(given: Option<&Expr>, attributes: &[Attribute]) -> TokenStream {
    if let Some(expression) = given {
        return expression.to_token_stream();
    }
    let lines: Vec<&Expr> = attributes.iter().filter_map(doc_line).collect();
    let texts: Option<Vec<String>> = lines.iter().map(|line| text_of(line)).collect();
    match texts {
        Some(texts) => {
            let text = texts.join("\n");
            let text = text.trim();
            quote!(#text)
        }
        // Some line is a macro, such as `#[doc = include_str!("…")]`.
        None => quote!(::core::concat!(#(#lines, "\n"),*)),
    }
}

fn doc_line(attribute: &Attribute) -> Option<&Expr> {
    match &attribute.meta {
        Meta::NameValue(pair) if is_doc_line(attribute) => Some(&pair.value),
        _ => None,
    }
}

fn text_of(line: &Expr) -> Option<String> {
    let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = line
    else {
        return None;
    };
    let text = text.value();
    Some(
        text.strip_prefix(' ')
            .unwrap_or(&text)
            .trim_end()
            .to_owned(),
    )
}
