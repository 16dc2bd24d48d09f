//! Models by name: where they are asked, with which key, and what is said of names that are wrong.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod support;

use std::cell::RefCell;
use std::collections::BTreeSet;

use support::server::{Server, json};
use vernal_models::{model_from, provider_names};

/// The keys of everybody, and no base URL.
fn keys(variable: &str) -> Option<String> {
    match variable {
        "AWS_REGION" => Some("us-east-1".to_owned()),
        "AWS_BEARER_TOKEN_BEDROCK" => Some(format!("geheim-{variable}")),
        "AZURE_OPENAI_ENDPOINT" => Some("https://my-team.openai.azure.com".to_owned()),
        _ => variable
            .ends_with("_API_KEY")
            .then(|| format!("geheim-{variable}")),
    }
}

#[test]
fn each_name_is_a_model() {
    for (name, asked) in [
        ("openai:gpt-5.1", "gpt-5.1"),
        ("anthropic:claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("gemini:gemini-2.5-flash", "gemini-2.5-flash"),
        ("ollama:qwen3:8b", "qwen3:8b"),
        ("openai-responses:gpt-5.1", "gpt-5.1"),
        ("responses:gpt-5.1", "gpt-5.1"),
        (
            "bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        ),
        ("azure:gpt-5-mini", "gpt-5-mini"),
        ("azure-responses:gpt-5-mini", "gpt-5-mini"),
        (" Groq : llama-3.3-70b ", "llama-3.3-70b"),
        ("grok:grok-4", "grok-4"),
        ("kimi:kimi-k2-thinking", "kimi-k2-thinking"),
        ("openrouter:openai/gpt-5.1", "openai/gpt-5.1"),
        ("http://127.0.0.1:8080/v1#qwen3", "qwen3"),
        ("https://models.example.org/v1#a/b", "a/b"),
        ("HTTP://127.0.0.1:8080/v1#qwen3", "qwen3"),
        ("hTTps://Models.Example.org/v1#a/b", "a/b"),
        ("http://127.0.0.1:11434/v1#qwen3:8b", "qwen3:8b"),
        ("https://api.anthropic.com/v1#claude-x", "claude-x"),
    ] {
        assert_eq!(model_from(name, &keys).unwrap().name(), asked, "{name}");
    }
    for provider in provider_names() {
        assert_eq!(
            model_from(&format!("{provider}:m"), &keys).unwrap().name(),
            "m"
        );
    }
}

#[tokio::test]
async fn the_request_goes_where_the_environment_says_with_its_key() {
    for (name, variable, path, key) in [
        (
            "openai:m",
            "OPENAI_BASE_URL",
            "/v1/chat/completions",
            "authorization: Bearer geheim-OPENAI_API_KEY",
        ),
        (
            "openai-responses:m",
            "OPENAI_BASE_URL",
            "/v1/responses",
            "authorization: Bearer geheim-OPENAI_API_KEY",
        ),
        (
            "bedrock:m",
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
            "/v1/model/m/converse",
            "authorization: Bearer geheim-AWS_BEARER_TOKEN_BEDROCK",
        ),
        (
            "groq:m",
            "GROQ_BASE_URL",
            "/v1/chat/completions",
            "authorization: Bearer geheim-GROQ_API_KEY",
        ),
        (
            "azure:m",
            "AZURE_OPENAI_ENDPOINT",
            "/v1/openai/v1/chat/completions",
            "api-key: geheim-AZURE_OPENAI_API_KEY",
        ),
        (
            "azure-responses:m",
            "AZURE_OPENAI_ENDPOINT",
            "/v1/openai/v1/responses",
            "api-key: geheim-AZURE_OPENAI_API_KEY",
        ),
        (
            "anthropic:m",
            "ANTHROPIC_BASE_URL",
            "/v1/messages",
            "x-api-key: geheim-ANTHROPIC_API_KEY",
        ),
        (
            "gemini:m",
            "GEMINI_BASE_URL",
            "/v1/models/m:generateContent",
            "x-goog-api-key: geheim-GEMINI_API_KEY",
        ),
        (
            "ollama:m",
            "OLLAMA_HOST",
            "/v1/api/chat",
            "authorization: Bearer geheim-OLLAMA_API_KEY",
        ),
    ] {
        let server = Server::start([json(400, "{}")]).await;
        let read = |wanted: &str| match wanted {
            _ if wanted == variable => Some(server.url.clone()),
            wanted => keys(wanted),
        };
        let model = model_from(name, &read).unwrap();
        model.call("hi".into()).await.unwrap_err();
        let request = server.requests().remove(0);
        assert!(request.starts_with(&format!("POST {path} ")), "{request}");
        assert!(request.contains(&format!("{key}\r\n")), "{request}");
    }
}

/// Portals show the endpoint of a resource with the path of the API and without.
#[tokio::test]
async fn the_endpoint_of_azure_may_hold_the_path_of_its_api() {
    for (name, path) in [
        ("azure:m", "/v1/openai/v1/chat/completions"),
        ("azure-responses:m", "/v1/openai/v1/responses"),
    ] {
        for form in ["", "/", "/openai/v1", "/openai/v1/"] {
            let server = Server::start([json(400, "{}")]).await;
            let read = |wanted: &str| match wanted {
                "AZURE_OPENAI_ENDPOINT" => Some(format!("{}{form}", server.url)),
                wanted => keys(wanted),
            };
            let model = model_from(name, &read).unwrap();
            model.call("hi".into()).await.unwrap_err();
            let request = server.requests().remove(0);
            assert!(request.starts_with(&format!("POST {path} ")), "{request}");
        }
    }
}

#[test]
fn keys_are_asked_for_only_where_they_belong() {
    let asked_for = |name: &str| {
        let asked = RefCell::new(BTreeSet::new());
        let _ = model_from(name, &|variable| {
            asked.borrow_mut().insert(variable.to_owned());
            keys(variable)
        });
        let keys = asked.into_inner().into_iter();
        keys.filter(|variable| variable.ends_with("_KEY"))
            .collect::<Vec<_>>()
    };
    for (name, keys) in [
        ("openai:gpt-5.1", vec!["OPENAI_API_KEY"]),
        ("groq:x", vec!["GROQ_API_KEY"]),
        ("openai-responses:gpt-5.1", vec!["OPENAI_API_KEY"]),
        ("bedrock:x", vec!["AWS_SECRET_ACCESS_KEY"]),
        ("gemini:x", vec!["GEMINI_API_KEY"]),
        ("https://api.groq.com/openai/v1#x", vec!["GROQ_API_KEY"]),
        ("https://models.example.org/v1#x", vec!["VERNAL_API_KEY"]),
        ("HTTPS://API.OPENAI.COM/v1#x", vec!["OPENAI_API_KEY"]),
        ("https://api.openai.com./v1#x", vec!["OPENAI_API_KEY"]),
        ("https://api.anthropic.com/v1#x", vec!["ANTHROPIC_API_KEY"]),
        ("https://API.Anthropic.com.#x", vec!["ANTHROPIC_API_KEY"]),
        (
            "https://generativelanguage.googleapis.com/v1beta#x",
            vec!["GEMINI_API_KEY"],
        ),
        (
            "https://generativelanguage.googleapis.com/v1beta/openai#x",
            vec!["GEMINI_API_KEY"],
        ),
        ("https://ollama.com#x", vec!["OLLAMA_API_KEY"]),
        ("https://ollama.com/v1#x", vec!["OLLAMA_API_KEY"]),
        (
            "https://bedrock-runtime.us-east-1.amazonaws.com#x",
            vec!["AWS_SECRET_ACCESS_KEY"],
        ),
        // Names that only look like those of providers.
        (
            "https://api.anthropic.com.example.org#x",
            vec!["VERNAL_API_KEY"],
        ),
        (
            "https://example.org/api.anthropic.com#x",
            vec!["VERNAL_API_KEY"],
        ),
        (
            "https://bedrock-runtime.example.org#x",
            vec!["VERNAL_API_KEY"],
        ),
        ("nobody:x", vec![]),
    ] {
        assert_eq!(asked_for(name), keys, "{name}");
    }
}

#[test]
fn what_is_missing_is_named_and_no_key_is_shown() {
    let none = |_: &str| None;
    for (name, said) in [
        ("openai:gpt-5.1", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("openai-responses:gpt-5.1", "OPENAI_API_KEY"),
        ("bedrock:x", "AWS_BEARER_TOKEN_BEDROCK"),
        ("gemini:x", "GEMINI_API_KEY"),
        ("groq:x", "GROQ_API_KEY"),
        ("openrouter:x", "OPENROUTER_API_KEY"),
        ("azure:x", "AZURE_OPENAI_API_KEY"),
        ("azure-responses:x", "AZURE_OPENAI_API_KEY"),
        ("https://api.mistral.ai/v1#x", "MISTRAL_API_KEY"),
        ("opnai:gpt-5.1", "did you mean `openai`?"),
        ("groqq:x", "did you mean `groq`?"),
        (
            "cohere:x",
            "known are openai, openai-responses, anthropic, gemini, ollama, bedrock, azure",
        ),
        ("gpt-5.1", "`openai:gpt-5.1`"),
        ("claude-sonnet-4-5", "`anthropic:claude-sonnet-4-5`"),
        ("Grok-4", "`xai:Grok-4`"),
        (
            "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
            "`bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0`",
        ),
        ("qwen3:8b", "`ollama:qwen3:8b`"),
        ("anthropic", "`anthropic:claude-sonnet-4-5`"),
        ("dmeo", "names no provider"),
        ("", "`openai:gpt-5.1`"),
        ("openai:", "names no model; write it like `openai:gpt-5.1`"),
        ("ftp://h/v1#x", "there is no provider `ftp`"),
        ("localhost:8080/v1#m", "write `http://localhost:8080/v1#m`"),
        ("vllm:8000/v1#m", "write `http://vllm:8000/v1#m`"),
        (
            "http:localhost:8080/v1#m",
            "write `http://localhost:8080/v1#m`",
        ),
        (
            "http://127.0.0.1:8080/v1/",
            "`http://127.0.0.1:8080/v1` names no model; write it like \
             `http://127.0.0.1:8080/v1#model`",
        ),
        ("https://api.anthropic.com/v1#claude-x", "ANTHROPIC_API_KEY"),
        ("https://api.openai.com/v1#gpt-5.1", "OPENAI_API_KEY"),
        (
            "https://generativelanguage.googleapis.com/v1beta#x",
            "GEMINI_API_KEY",
        ),
        ("https://ollama.com/v1#x", "OLLAMA_API_KEY"),
        (
            "https://bedrock-runtime.us-east-1.amazonaws.com#x",
            "AWS_BEARER_TOKEN_BEDROCK",
        ),
        (
            "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1#x",
            "write `bedrock:x`",
        ),
        ("http://#x", "base URL"),
    ] {
        let error = model_from(name, &none).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(said), "{name}: {error}");
    }
    let azure = |variable: &str| (variable == "AZURE_OPENAI_API_KEY").then(|| "geheim".to_owned());
    let error = model_from("azure:x", &azure)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(error.contains("AZURE_OPENAI_ENDPOINT"), "{error}");
    let keyed =
        |variable: &str| (variable == "AWS_BEARER_TOKEN_BEDROCK").then(|| "geheim".to_owned());
    let error = model_from("bedrock:x", &keyed).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("AWS_REGION"), "{error}");
    let bad = |variable: &str| match variable {
        "AWS_REGION" => Some("us-east-1".to_owned()),
        _ => Some("geheim\u{7f}".to_owned()),
    };
    for name in provider_names() {
        let error = model_from(&format!("{name}:x"), &bad)
            .map(|_| ())
            .unwrap_err();
        assert!(
            !format!("{error} {error:?}").contains("geheim"),
            "{name} {error:?}"
        );
    }
    // A server on this machine needs no key.
    for name in [
        "vllm:x",
        "llama.cpp:x",
        "lm-studio:x",
        "ollama:x",
        "http://localhost:1/v1#x",
    ] {
        model_from(name, &none).unwrap();
    }
    let here = |variable: &str| {
        (variable == "OPENAI_BASE_URL").then(|| "http://127.0.0.1:1/v1".to_owned())
    };
    model_from("openai:gpt-5.1", &here).unwrap();
}

#[cfg(feature = "demo")]
#[test]
fn the_demo_needs_nothing() {
    assert!(
        model_from("demo", &|_| None)
            .unwrap()
            .name()
            .contains("demo")
    );
}

#[cfg(not(feature = "demo"))]
#[test]
fn a_feature_that_is_off_is_named() {
    let error = model_from("demo", &|_| None)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(error.contains("the feature `demo`"), "{error}");
}

#[test]
fn no_key_goes_over_the_wire_in_clear_text() {
    for host in [
        "api.openai.com",
        "api.anthropic.com",
        "generativelanguage.googleapis.com",
        "ollama.com",
        "bedrock-runtime.us-east-1.amazonaws.com",
    ] {
        let name = format!("http://{host}#m");
        let error = model_from(&name, &keys).err().unwrap().to_string();
        assert!(error.contains("clear text"), "{error}");
        assert!(!error.contains("geheim"), "{error}");
    }
    for name in ["https://api.openai.com/v1#m", "http://127.0.0.1:1/v1#m"] {
        assert!(model_from(name, &keys).is_ok(), "{name}");
    }
}

#[test]
fn a_url_says_where_to_go_whatever_the_variables_of_base_urls_say() {
    for name in [
        "https://api.anthropic.com#m",
        "https://api.openai.com/v1#m",
        "https://generativelanguage.googleapis.com#m",
        "https://generativelanguage.googleapis.com/v1beta/openai#m",
        "https://ollama.com#m",
        "https://ollama.com/v1#m",
        "https://bedrock-runtime.us-east-1.amazonaws.com#m",
        "http://127.0.0.1:8080/v1#m",
    ] {
        let read = |variable: &str| {
            let of_place = ["_BASE_URL", "_HOST", "_RUNTIME", "_REGION", "_ENDPOINT"];
            let asked = of_place.iter().any(|end| variable.ends_with(end));
            assert!(!asked, "{name} asks for {variable}");
            keys(variable)
        };
        assert_eq!(model_from(name, &read).unwrap().name(), "m", "{name}");
    }
}

#[test]
fn what_is_secret_in_an_address_is_not_repeated() {
    for name in [
        "http://me:geheim@localhost:1/v1#m",
        "me:geheim@localhost:1/v1#m",
        "localhost:1/v1?key=geheim#m",
        "http://localhost:1/v1?key=geheim",
    ] {
        let error = model_from(name, &keys).err().unwrap();
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("geheim"), "{name}: {shown}");
    }
}
