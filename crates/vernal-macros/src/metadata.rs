//! The keys of `#[tool(…)]` that say how a tool is handled (rule DEF-5).

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Meta};

use crate::duration::milliseconds;
use crate::errors::Errors;
use crate::keys::Entry;
use crate::paths::{Private, at};

/// How a tool is handled.
#[derive(Default)]
pub(crate) struct MetadataKeys {
    /// The flags that are set, in the order in which they were written.
    flags: Vec<Entry>,
    timeout: Option<u64>,
    max_retries: Option<(Meta, Expr)>,
    max_result_bytes: Option<Expr>,
    result_converter: Option<Expr>,
}

impl MetadataKeys {
    /// What [`read`](Self::read) knows.
    pub(crate) const KEYS: &[&str] = &[
        "return_direct",
        "sequential",
        "blocking",
        "idempotent",
        "read_only",
        "destructive",
        "requires_approval",
        "timeout",
        "max_retries",
        "max_result_bytes",
        "result_converter",
    ];

    /// Takes one of the keys.
    pub(crate) fn read(&mut self, entry: Entry, errors: &mut Errors) {
        match entry.key.as_str() {
            "timeout" => self.timeout = timeout(&entry, errors),
            "max_retries" => {
                let number = entry.number("max_retries = 3", errors).cloned();
                self.max_retries = number.map(|number| (entry.meta, number));
            }
            "max_result_bytes" => {
                self.max_result_bytes = entry
                    .number("max_result_bytes = 64 * 1024", errors)
                    .cloned();
            }
            "result_converter" => {
                self.result_converter = entry
                    .expression("result_converter = MyConverter", errors)
                    .cloned();
            }
            _ => {
                if entry.flag(errors) == Some(true) {
                    self.flags.push(entry);
                }
            }
        }
    }

    /// Reports what contradicts itself.
    pub(crate) fn check(&self, errors: &mut Errors) {
        if let (Some(_), Some(destructive)) = (self.flag("read_only"), self.flag("destructive")) {
            let text = "a tool that is `read_only` changes nothing and so destroys nothing: remove \
                        one of the two";
            errors.at(destructive, text);
        }
        if let (Some((meta, _)), None) = (&self.max_retries, self.flag("idempotent")) {
            let text = "a tool is run again only if that does no harm: add `idempotent`, or remove \
                        `max_retries`";
            errors.at(meta, text);
        }
    }

    /// Reports a tool that blocks its thread and is async.
    pub(crate) fn check_async(&self, errors: &mut Errors) {
        if let Some(blocking) = self.flag("blocking") {
            let text = "an `async fn` must not block its thread: remove `blocking`, or `async` if the \
                        function does block";
            errors.at(blocking, text);
        }
    }

    fn flag(&self, key: &str) -> Option<&Meta> {
        self.flags
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.meta)
    }

    /// An expression for the metadata.
    pub(crate) fn expression(&self, private: &Private, place: Span) -> TokenStream {
        let module = private.at(place);
        let flags = self.flags.iter().map(|entry| {
            let setter = Ident::new(&entry.key, at(place));
            quote!(.#setter(true))
        });
        let timeout = self
            .timeout
            .map(|milliseconds| quote!(.timeout(#module::Duration::from_millis(#milliseconds))));
        let numbers = [
            (
                "max_retries",
                self.max_retries.as_ref().map(|(_, number)| number),
            ),
            ("max_result_bytes", self.max_result_bytes.as_ref()),
            ("result_converter", self.result_converter.as_ref()),
        ];
        let values = numbers.into_iter().filter_map(|(key, value)| {
            let value = value?;
            // At the value, so that an error about it shows nothing else.
            let setter = Ident::new(key, at(value.span()));
            Some(quote_spanned!(at(value.span())=> .#setter(#value)))
        });
        quote!(#module::ToolMetadata::builder() #(#flags)* #timeout #(#values)* .build())
    }
}

fn timeout(entry: &Entry, errors: &mut Errors) -> Option<u64> {
    let text = entry.text_like("a duration", "timeout = \"5s\"", errors)?;
    let value = text.value();
    milliseconds(&value)
        .map_err(|problem| {
            errors.at(
                text.to_token_stream(),
                format!(
                    "{problem}: a timeout is a whole number and a unit, such as `500ms`, `5s`, `2m` or \
                     `1h`"
                ),
            );
        })
        .ok()
}
