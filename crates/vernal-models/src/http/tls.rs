//! TLS by rustls and ring, trusting what the platform trusts.

use std::sync::{Arc, OnceLock};

use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use vernal_core::model::{ModelError, ModelErrorKind};

static SHARED: OnceLock<ClientConfig> = OnceLock::new();

/// The configuration that all transports share, so that certificates are read once in a process.
pub(super) fn shared_config() -> Result<ClientConfig, ModelError> {
    if let Some(config) = SHARED.get() {
        return Ok(config.clone());
    }
    let failed = |error: rustls::Error| {
        ModelError::new(
            ModelErrorKind::Configuration,
            format!(
                "TLS cannot be set up: {error}; install the system's CA certificates, on Debian the \
                 package `ca-certificates`"
            ),
        )
    };
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_platform_verifier())
        .map_err(failed)?
        .with_no_client_auth();
    Ok(SHARED.get_or_init(|| config).clone())
}

/// A configuration that trusts nobody, for a server that is spoken to without TLS: no certificate
/// has to be read for it.
pub(super) fn no_trust() -> Result<ClientConfig, ModelError> {
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| ModelError::new(ModelErrorKind::Configuration, error.to_string()))?;
    Ok(builder
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth())
}
