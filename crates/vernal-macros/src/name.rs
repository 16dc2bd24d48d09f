//! Names on the wire.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::{Ident, LitStr};

use crate::errors::Errors;

/// The longest name of a tool, in bytes (rule DEF-2).
const MAX_BYTES: usize = 128;

/// A name with the place where it was written.
#[derive(Clone)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Name {
    /// The given name, else the identifier's without `r#`.
    pub(crate) fn new(given: Option<&LitStr>, ident: &Ident) -> Self {
        match given {
            Some(name) => Self {
                text: name.value(),
                span: name.span(),
            },
            None => Self {
                text: ident.unraw().to_string(),
                span: ident.span(),
            },
        }
    }

    /// The name as a literal.
    pub(crate) fn literal(&self) -> LitStr {
        LitStr::new(&self.text, self.span)
    }

    /// Reports a name that no tool may have (rules DEF-1, DEF-2).
    pub(crate) fn check_as_tool_name(&self, errors: &mut Errors) {
        self.check_as_parameter_name("a tool's name", errors);
        if self.text.len() > MAX_BYTES {
            let bytes = self.text.len();
            let text = format!("a tool's name has at most {MAX_BYTES} bytes, this one has {bytes}");
            errors.at_span(self.span, text);
        }
    }

    /// Reports a name that is blank or cannot be printed.
    pub(crate) fn check_as_parameter_name(&self, what: &str, errors: &mut Errors) {
        if self.text.trim().is_empty() {
            errors.at_span(self.span, format!("{what} must not be blank"));
        }
        if let Some(bad) = self.text.chars().find(|c| c.is_control()) {
            let text = format!("{what} must not contain the control character {bad:?}");
            errors.at_span(self.span, text);
        }
    }
}
