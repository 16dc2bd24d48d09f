//! Where requests go: the server of a region, and the path of a model.

use url::Url;
use vernal_core::model::ModelError;

use crate::exchange::configuration;

/// The server of a region.
pub(super) fn server_of(region: &str) -> String {
    let domain = match region.split('-').next() {
        Some("cn") => "amazonaws.com.cn",
        Some("eusc") => "amazonaws.eu",
        _ => "amazonaws.com",
    };
    format!("https://bedrock-runtime.{region}.{domain}")
}

/// The region that the name of a server of AWS tells.
pub(super) fn region_in(url: &Url) -> Option<&str> {
    let host = url.host_str().filter(|_| is_aws(url))?;
    let mut labels = host.split('.');
    labels.find(|label| label.starts_with("bedrock-runtime"))?;
    labels.next()
}

/// Whether the server is one of AWS itself.
pub(super) fn is_aws(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let domains = [
        "amazonaws.com",
        "amazonaws.com.cn",
        "amazonaws.eu",
        "api.aws",
    ];
    domains.iter().any(|domain| {
        host.strip_suffix(domain)
            .is_some_and(|name| name.ends_with('.'))
    })
}

/// Refuses what cannot be the name of a region.
///
/// # Errors
/// It has other characters than small letters, digits and `-`, or is too long.
pub(super) fn check_region(region: &str) -> Result<(), ModelError> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if (1..=40).contains(&region.len()) && region.bytes().all(fits) {
        return Ok(());
    }
    Err(configuration(&format!(
        "`{region}` cannot be a region; write it like `us-east-1`"
    )))
}

/// Where a model is asked. Its id, or its ARN, is one segment of the path, percent-encoded.
pub(super) fn url_of(base: &Url, model: &str, stream: bool) -> Result<Url, ModelError> {
    if matches!(model, "" | "." | "..") {
        return Err(configuration(&format!(
            "`{model}` cannot be the id of a model; write it like \
             `anthropic.claude-sonnet-4-5-20250929-v1:0`, or give an ARN"
        )));
    }
    let method = if stream {
        "converse-stream"
    } else {
        "converse"
    };
    let mut path = base.path().trim_end_matches('/').to_owned();
    path.push_str("/model/");
    for byte in model.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
    path.push('/');
    path.push_str(method);
    let mut url = base.clone();
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_arns_are_one_segment() {
        let base = Url::parse("https://h/proxy/").unwrap();
        for (model, path) in [
            (
                "amazon.nova-lite-v1:0",
                "/proxy/model/amazon.nova-lite-v1%3A0/converse",
            ),
            (
                "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.a-b_c~v1:0",
                "/proxy/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fus.a-b_c~v1%3A0/converse",
            ),
            (
                "a b%/../한",
                "/proxy/model/a%20b%25%2F..%2F%ED%95%9C/converse",
            ),
        ] {
            assert_eq!(url_of(&base, model, false).unwrap().path(), path);
        }
        let streamed = url_of(&base, "m", true).unwrap();
        assert_eq!(streamed.as_str(), "https://h/proxy/model/m/converse-stream");
        for none in ["", ".", ".."] {
            assert!(url_of(&base, none, false).is_err());
        }
    }

    #[test]
    fn regions_and_their_servers() {
        assert_eq!(
            server_of("eu-west-1"),
            "https://bedrock-runtime.eu-west-1.amazonaws.com"
        );
        for region in ["eu-west-1", "cn-north-1", "us-gov-west-1", "eusc-de-east-1"] {
            check_region(region).unwrap();
            let url = Url::parse(&server_of(region)).unwrap();
            assert_eq!(region_in(&url), Some(region));
            assert!(is_aws(&url));
        }
        for wrong in ["", "a.b", "us-east-1/", "US", "한국"] {
            assert!(check_region(wrong).is_err(), "{wrong}");
        }
        for server in [
            "https://bedrock-runtime-fips.eu-west-1.amazonaws.com",
            "https://bedrock-runtime.eu-west-1.api.aws",
            "https://vpce-1.bedrock-runtime.eu-west-1.vpce.amazonaws.com",
        ] {
            let url = Url::parse(server).unwrap();
            assert_eq!(region_in(&url), Some("eu-west-1"));
        }
        for other in [
            "http://127.0.0.1:1",
            "https://gateway.example.com",
            "https://bedrock-runtime.eu-west-1.notamazonaws.com",
        ] {
            let url = Url::parse(other).unwrap();
            assert!(!is_aws(&url) && region_in(&url).is_none());
        }
    }
}
