//! OpenAI's APIs at Azure: where a resource has them, and what the environment says of one.

use url::Url;
use vernal_core::model::ModelError;

use crate::exchange::{Variables, configuration};
use crate::http::parse_base_url;

pub(super) const ENDPOINT: &str = "AZURE_OPENAI_ENDPOINT";

pub(super) const VARIABLES: Variables<'_> = Variables {
    base_url: ENDPOINT,
    keys: &["AZURE_OPENAI_API_KEY"],
    model: "",
    needs_key: true,
};

/// What stands before the method of an API: `/openai/v1`, or with a dated version of the API what
/// `versioned` adds to `/openai`. Portals show a resource's endpoint both with `/openai/v1` and without.
///
/// # Errors
/// The endpoint is no URL, or the deployment has no name.
pub(super) fn base_url(
    endpoint: &str,
    deployment: &str,
    api_version: Option<&str>,
    versioned: &[&str],
) -> Result<Url, ModelError> {
    if deployment.trim().is_empty() {
        return Err(configuration(
            "the deployment has no name: give the one that it has at Azure",
        ));
    }
    let mut url = parse_base_url(endpoint, "")?;
    let path = url.path().trim_end_matches('/');
    let resource = path.strip_suffix("/openai/v1").unwrap_or(path);
    let path = format!("{resource}/openai");
    url.set_path(&path);
    if let Ok(mut path) = url.path_segments_mut() {
        path.extend(match api_version {
            Some(version) if !is_of_v1(version) => versioned,
            _ => &["v1"],
        });
    }
    if let Some(version) = api_version {
        url.query_pairs_mut().append_pair("api-version", version);
    }
    Ok(url)
}

/// Whether a version is one of those that have no date, which `/openai/v1` takes.
fn is_of_v1(version: &str) -> bool {
    matches!(version, "preview" | "latest")
}

/// A resource, as the environment names it.
pub(super) struct Resource {
    pub(super) endpoint: String,
    pub(super) api_version: Option<String>,
}

impl Resource {
    /// The resource at the endpoint that a variable named.
    ///
    /// # Errors
    /// None did.
    pub(super) fn of(
        endpoint: Option<String>,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let endpoint = endpoint.ok_or_else(|| {
            configuration(&format!(
                "the environment variable {ENDPOINT} is not set; set it to the endpoint of your \
                 resource, such as https://my-team.openai.azure.com"
            ))
        })?;
        let version = read("OPENAI_API_VERSION").map(|version| version.trim().to_owned());
        Ok(Self {
            endpoint,
            api_version: version.filter(|version| !version.is_empty()),
        })
    }
}
