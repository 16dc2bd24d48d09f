//! Models at a URL: a provider's own host is asked in the provider's own words and with its key.

use url::Url;
use vernal_core::model::ModelError;

use super::provider::{self, Made, PROVIDERS, Read};
use super::wrong;
use crate::http::{origin_of, parse_base_url};

/// A provider that has a host of its own, in an adapter of its own.
struct Home {
    provider: &'static str,
    /// The variable that says where the provider is; here the URL does.
    variable: &'static str,
}

/// The model behind the `#` of a URL.
///
/// # Errors
/// The URL cannot be used or names no model, or a key would go over the wire in clear text.
pub(super) fn at(name: &str, read: Read<'_>) -> Made {
    let (base, model) = name.split_once('#').unwrap_or((name, ""));
    let mut url = parse_base_url(base, "")?;
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    // A dot at the end changes nothing of where a host is.
    if let Some(host) = url.host_str().and_then(|host| host.strip_suffix('.')) {
        let host = host.to_owned();
        url.set_host(Some(&host))
            .map_err(|_| wrong("the base URL has no host"))?;
    }
    let model = model.trim();
    if model.is_empty() {
        let shown = format!("{}{path}", origin_of(&url));
        return Err(wrong(format!(
            "`{shown}` names no model; write it like `{shown}#model`, with the model's name behind \
             the `#`"
        )));
    }
    let Some(home) = home_of(&mut url, model)? else {
        return provider::at(url.as_str(), model, read);
    };
    if url.scheme() != "https" {
        return Err(wrong(format!(
            "a key for {} is not sent in clear text: write `https` in place of `{}`",
            url.host_str().unwrap_or_default(),
            url.scheme()
        )));
    }
    let read = |wanted: &str| match wanted {
        _ if wanted == home.variable => Some(url.to_string()),
        // The host tells its own.
        "AWS_REGION" | "AWS_DEFAULT_REGION" => None,
        _ => read(wanted),
    };
    match PROVIDERS.iter().find(|known| known.is(home.provider)) {
        Some(known) => known.model(model, &read),
        None => Err(wrong(format!("`{}` is no provider", home.provider))),
    }
}

/// Whose own host it is. Those that speak Chat Completions and nothing else are found by their
/// profiles. Where such a provider needs a path, it is added.
fn home_of(url: &mut Url, model: &str) -> Result<Option<Home>, ModelError> {
    let home = |provider, variable| Ok(Some(Home { provider, variable }));
    let host = url.host_str().unwrap_or_default();
    let begins = |with: &str| {
        let rest = url.path().strip_prefix(with);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    match host {
        "api.anthropic.com" => home("anthropic", "ANTHROPIC_BASE_URL"),
        "generativelanguage.googleapis.com" => {
            if url.path().split('/').any(|part| part == "openai") {
                return Ok(None);
            }
            if url.path() == "/" {
                url.set_path("/v1beta");
            }
            home("gemini", "GEMINI_BASE_URL")
        }
        "ollama.com" if begins("/v1") => home("ollama-v1", "OLLAMA_V1_BASE_URL"),
        "ollama.com" => home("ollama", "OLLAMA_HOST"),
        _ if is_bedrock(host) && url.path() == "/" => {
            home("bedrock", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME")
        }
        _ if is_bedrock(host) => Err(wrong(format!(
            "{host} is asked without a path, in Bedrock's own words: write `bedrock:{model}`, or \
             `{}#{model}`",
            origin_of(url)
        ))),
        _ => Ok(None),
    }
}

fn is_bedrock(host: &str) -> bool {
    let of_aws = [
        ".amazonaws.com",
        ".amazonaws.com.cn",
        ".amazonaws.eu",
        ".api.aws",
    ];
    of_aws.iter().any(|domain| host.ends_with(domain))
        && host
            .split('.')
            .any(|label| label.starts_with("bedrock-runtime"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_providers_are_known_by_their_whole_names() {
        for (said, provider, meant) in [
            ("https://api.anthropic.com/v1", "anthropic", ""),
            ("https://api.anthropic.com.evil.org/", "", ""),
            (
                "https://generativelanguage.googleapis.com/",
                "gemini",
                "https://generativelanguage.googleapis.com/v1beta",
            ),
            (
                "https://generativelanguage.googleapis.com/v1beta/openai",
                "",
                "",
            ),
            ("https://ollama.com/", "ollama", ""),
            ("https://ollama.com/v1", "ollama-v1", ""),
            (
                "https://bedrock-runtime-fips.us-east-1.amazonaws.com/",
                "bedrock",
                "",
            ),
            (
                "https://vpce-1.bedrock-runtime.eu-west-1.vpce.amazonaws.com/",
                "bedrock",
                "",
            ),
            ("https://bedrock-runtime.evil.org/", "", ""),
            ("https://evilamazonaws.com/", "", ""),
        ] {
            let mut url = Url::parse(said).unwrap();
            let home = home_of(&mut url, "m").unwrap();
            assert_eq!(home.map_or("", |home| home.provider), provider, "{said}");
            let meant = if meant.is_empty() { said } else { meant };
            assert_eq!(url.as_str(), meant);
        }
    }
}
