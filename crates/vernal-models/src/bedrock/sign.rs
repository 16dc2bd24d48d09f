//! Signing requests on their way out (SigV4), each try anew: a signature holds for a few minutes.

use std::sync::Arc;
use std::time::SystemTime;

use ::http::{HeaderName, HeaderValue, header};
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use futures::future::{BoxFuture, ready};
use tracing::dispatcher::{Dispatch, with_default};

use super::credentials::CredentialsSource;
use crate::http::{
    HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpTransport, RecentSecrets,
};

/// The name under which AWS knows the service in signatures.
const SERVICE: &str = "bedrock";

/// A transport that signs what it sends.
pub(super) struct SigningTransport {
    pub(super) inner: Arc<dyn HttpTransport>,
    pub(super) credentials: CredentialsSource,
    pub(super) region: Box<str>,
    /// What requests were signed with, for errors not to show it.
    pub(super) used: RecentSecrets,
}

impl HttpTransport for SigningTransport {
    fn send(
        &self,
        mut request: HttpRequest,
    ) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        match self.sign(&mut request, SystemTime::now()) {
            Ok(()) => self.inner.send(request),
            Err(why) => Box::pin(ready(Err(HttpError::new(HttpErrorKind::Request, why)))),
        }
    }
}

impl SigningTransport {
    /// Adds the headers of the signature; the error says what could not be signed, and shows nothing.
    fn sign(&self, request: &mut HttpRequest, now: SystemTime) -> Result<(), &'static str> {
        let failed =
            "it cannot be signed; check the credentials and the headers that begin with `x-amz-`";
        let credentials = self.credentials.now();
        credentials
            .secrets()
            .for_each(|secret| self.used.add(secret));
        let identity = credentials.for_signing().into();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name(SERVICE)
            .time(now)
            .settings(SigningSettings::default())
            .build()
            .map_err(|_| failed)?;
        let headers = request.headers.iter().filter(|(name, _)| is_signed(name));
        let headers: Option<Vec<_>> = headers
            .map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
            .collect();
        let signable = SignableRequest::new(
            request.method.as_str(),
            request.url.as_str(),
            headers.ok_or(failed)?.into_iter(),
            SignableBody::Bytes(&request.body),
        );
        let signable = signable.map_err(|_| failed)?;
        // What is signed may hold secrets of the application, and the signer logs some of it.
        let signed = with_default(&Dispatch::none(), || sign(signable, &params.into()));
        let (instructions, _) = signed.map_err(|_| failed)?.into_parts();
        let (signature, _) = instructions.into_parts();
        for part in signature {
            let name = HeaderName::from_static(part.name());
            let mut value = HeaderValue::from_str(part.value()).map_err(|_| failed)?;
            value.set_sensitive(part.sensitive() || name == header::AUTHORIZATION);
            request.headers.insert(name, value);
        }
        Ok(())
    }
}

/// Other headers may be changed by proxies on the way; AWS wants these, and the host.
fn is_signed(name: &HeaderName) -> bool {
    *name == header::CONTENT_TYPE || name.as_str().starts_with("x-amz-")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ::http::Method;
    use bytes::Bytes;
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};
    use url::Url;

    use super::*;
    use crate::bedrock::AwsCredentials;

    struct Nowhere;

    impl HttpTransport for Nowhere {
        fn send(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
            Box::pin(ready(Err(HttpError::new(HttpErrorKind::Broken, "nowhere"))))
        }
    }

    fn signed(path: &str, extra: &[(&'static str, &str)]) -> HttpRequest {
        let credentials =
            AwsCredentials::new("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
        let transport = SigningTransport {
            inner: Arc::new(Nowhere),
            credentials: CredentialsSource::Fixed(credentials.with_session_token("token-canary")),
            region: "us-east-1".into(),
            used: RecentSecrets::default(),
        };
        let url = format!("https://bedrock-runtime.us-east-1.amazonaws.com{path}");
        let mut request = HttpRequest::new(Method::POST, Url::parse(&url).unwrap());
        request.body = Bytes::from_static(b"{}");
        let json = HeaderValue::from_static("application/json");
        request.headers.insert(header::CONTENT_TYPE, json);
        for (name, value) in extra {
            request.headers.insert(*name, value.parse().unwrap());
        }
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_144_700);
        transport.sign(&mut request, now).unwrap();
        request
    }

    fn signature(request: &HttpRequest) -> &str {
        request.headers["authorization"].to_str().unwrap()
    }

    #[test]
    fn the_signature_covers_what_it_should() {
        let request = signed(
            "/model/m%3A0/converse",
            &[("x-amz-source-arn", "a"), ("x-own", "b")],
        );
        let said = signature(&request);
        assert!(
            said.starts_with(
                "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261201/us-east-1/bedrock/aws4_request, \
                 SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-source-arn, \
                 Signature="
            ),
            "{said}"
        );
        assert_eq!(request.headers["x-amz-date"], "20261201T170500Z");
        assert_eq!(request.headers["x-amz-security-token"], "token-canary");
        assert!(!format!("{:?}", request.headers).contains("canary"));
        assert!(!format!("{:?}", request.headers).contains("Credential"));
    }

    /// Fails where the signer logs anything.
    struct Silence;

    impl Subscriber for Silence {
        fn enabled(&self, _: &Metadata<'_>) -> bool {
            true
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn event(&self, event: &Event<'_>) {
            let target = event.metadata().target();
            assert!(!target.starts_with("aws"), "{event:?}");
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn the_signer_logs_nothing() {
        with_default(&Dispatch::new(Silence), || {
            signed("/model/m/converse", &[]);
        });
    }

    #[test]
    fn what_is_not_signed_may_change() {
        let plain = signed("/model/m/converse", &[]);
        let more = signed("/model/m/converse", &[("x-own", "b"), ("user-agent", "c")]);
        assert_eq!(signature(&plain), signature(&more));
        let other = signed("/model/n/converse", &[]);
        assert_ne!(signature(&plain), signature(&other));
    }
}
