//! The headers that the requests of an adapter share.

use ::http::{HeaderMap, HeaderName, HeaderValue, header};
use vernal_core::model::{ModelError, ModelErrorKind};

use crate::http::Secret;

const USER_AGENT: &str = concat!("vernal/", env!("CARGO_PKG_VERSION"));

/// What every request says, with room for `more`.
pub(crate) fn base_headers(more: usize) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(4 + more);
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    headers.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
    headers
}

/// Adds headers that an application asked for, in place of ours with the same names.
///
/// # Errors
/// A name or a value that cannot be one; the error tells the name and never the value.
pub(crate) fn push_headers(
    headers: &mut HeaderMap,
    wanted: &[(String, Secret)],
) -> Result<(), ModelError> {
    for (name, value) in wanted {
        let known = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| configuration(&format!("`{name}` cannot be the name of a header")))?;
        let value = value.header("").map_err(|_| {
            configuration(&format!(
                "the value of the header `{name}` cannot be sent in one"
            ))
        })?;
        headers.insert(known, value);
    }
    Ok(())
}

/// An error about a setting.
pub(crate) fn configuration(text: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Configuration, text)
}
