//! Which way a request goes.

use std::process::Command;

use vernal_core::model::{ChatModel, ChatOptions, ModelErrorKind, Prompt};
use vernal_models::anthropic::AnthropicChatModel;
use vernal_models::bedrock::{AwsCredentials, BedrockChatModel};
use vernal_models::gemini::GeminiChatModel;
use vernal_models::http::{HttpLimits, HttpProxy, ReqwestTransport, RetryPolicy};
use vernal_models::ollama::OllamaChatModel;
use vernal_models::openai::OpenAiChatModel;
use vernal_models::openai::responses::OpenAiResponsesModel;

use crate::support::proxy::Proxy;
use crate::support::server::{Server, event, events_end, events_head, json};
use crate::support::view::collect;
use crate::{HELLO, builder, check_secrets, chunk, error_of, stop};

/// As a URL has them, and as a header does.
const CREDENTIALS: &str = "me:pass%20canary+1";
const BASIC: &str = "Basic bWU6cGFzcyBjYW5hcnkrMQ==";

#[tokio::test]
async fn every_request_goes_through_the_proxy_that_is_named() {
    let proxy = Proxy::start(Some(BASIC)).await;
    let streamed = vec![
        events_head(),
        chunk(r#"{"content":"Hello."}"#),
        stop(),
        event("[DONE]"),
        events_end(),
    ];
    let server = Server::start([json(200, HELLO), streamed]).await;
    // Though the server is on this machine.
    for stream in [false, true] {
        let model = builder(&server)
            .proxy(format!("http://{CREDENTIALS}@{}", proxy.address))
            .build()
            .unwrap();
        match stream {
            false => drop(model.call("Hi!".into()).await.unwrap()),
            true => drop(collect(model.stream("Hi!".into())).await.1.unwrap()),
        }
    }
    assert_eq!(server.requests().len(), 2);
    let heads = proxy.heads();
    assert_eq!(heads.len(), 2);
    for head in heads {
        let line = format!("POST {}/chat/completions HTTP/1.1\r\n", server.url);
        assert!(head.starts_with(&line), "{head}");
    }
}

#[tokio::test]
async fn a_socks_proxy_is_spoken_to_too() {
    let proxy = Proxy::start(None).await;
    let server = Server::start([json(200, HELLO)]).await;
    let model = builder(&server)
        .proxy(format!("socks5://{}", proxy.address))
        .build()
        .unwrap();
    model.call("Hi!".into()).await.unwrap();
    let port = server.url.trim_end_matches("/v1").rsplit(':').next();
    let said = format!("SOCKS 127.0.0.1:{}", port.unwrap());
    assert_eq!((proxy.heads(), server.requests().len()), (vec![said], 1));
}

#[tokio::test]
async fn every_adapter_takes_the_way_that_is_asked_for() {
    let proxy = Proxy::start(None).await;
    let server = Server::start(vec![json(400, "{}"); 7]).await;
    let (url, way) = (&server.url, &format!("http://{}", proxy.address));
    let bedrock = || {
        BedrockChatModel::builder()
            .base_url(url)
            .region("us-east-1")
    };
    let signed = bedrock().credentials(AwsCredentials::new("id", "secret"));
    let models: [Box<dyn ChatModel>; 7] = [
        Box::new(
            OpenAiChatModel::builder()
                .base_url(url)
                .proxy(way)
                .build()
                .unwrap(),
        ),
        Box::new(
            OpenAiResponsesModel::builder()
                .base_url(url)
                .proxy(way)
                .build()
                .unwrap(),
        ),
        Box::new(
            AnthropicChatModel::builder()
                .base_url(url)
                .proxy(way)
                .build()
                .unwrap(),
        ),
        Box::new(
            GeminiChatModel::builder()
                .base_url(url)
                .proxy(way)
                .build()
                .unwrap(),
        ),
        Box::new(
            OllamaChatModel::builder()
                .base_url(url)
                .proxy(way)
                .build()
                .unwrap(),
        ),
        Box::new(bedrock().proxy(way).build().unwrap()),
        Box::new(signed.proxy(way).build().unwrap()),
    ];
    for (number, model) in (1..).zip(models) {
        let options = ChatOptions::builder().model("m").build();
        let prompt = Prompt::new("Hi!", options);
        model.call(prompt).await.unwrap_err();
        assert_eq!(proxy.heads().len(), number, "{}", model.name());
    }
    assert!(server.requests()[6].contains("AWS4-HMAC-SHA256"));
}

#[tokio::test]
async fn a_proxy_that_refuses_says_what_it_wants_and_no_secret_is_told() {
    let proxy = Proxy::start(Some("Basic other")).await;
    let server = Server::start([json(200, HELLO)]).await;
    let model = builder(&server)
        .proxy(format!("http://me:pass-canary@{}", proxy.address))
        .build()
        .unwrap();
    let error = error_of(&model).await;
    assert_eq!(
        (error.kind(), error.status()),
        (ModelErrorKind::Configuration, Some(407))
    );
    assert!(
        error.to_string().contains("user name and a password"),
        "{error}"
    );
    assert_eq!((proxy.heads().len(), server.requests().len()), (1, 0));
}

#[tokio::test]
async fn a_server_with_tls_is_reached_in_a_tunnel() {
    let proxy = Proxy::start(Some(BASIC)).await;
    // It speaks no TLS, so that the tunnel is all that is made.
    let server = Server::start([]).await;
    let url = server.url.replace("http:", "https:");
    for credentials in [CREDENTIALS, "me:wrong-canary"] {
        let built = builder(&server)
            .base_url(url.clone())
            .proxy(format!("http://{credentials}@{}", proxy.address))
            .retry(RetryPolicy::never())
            .limits(HttpLimits::default().with_connect(std::time::Duration::from_secs(2)))
            .build();
        let model = match built {
            Ok(model) => model,
            // A machine without trusted certificates says so when the model is built.
            Err(error) => {
                assert!(error.to_string().contains("ca-certificates"), "{error}");
                return;
            }
        };
        let error = error_of(&model).await;
        if credentials == CREDENTIALS {
            assert!(error.is_connection() || error.is_timeout(), "{error}");
        } else {
            assert_eq!(error.kind(), ModelErrorKind::Configuration, "{error}");
        }
    }
    let address = server.url.trim_start_matches("http://");
    let address = address.trim_end_matches("/v1");
    for head in proxy.heads() {
        let line = format!("CONNECT {address} HTTP/1.1\r\n");
        assert!(head.starts_with(&line), "{head}");
        assert!(!head.contains(crate::KEY), "{head}");
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_named_without_its_password() {
    let server = Server::start([json(200, HELLO)]).await;
    let model = builder(&server)
        .proxy("http://me:pass-canary@127.0.0.1:1")
        .retry(RetryPolicy::never())
        .build()
        .unwrap();
    let error = error_of(&model).await;
    assert!(error.is_connection(), "{error}");
    let said = "through the proxy http://127.0.0.1:1: ";
    assert!(error.to_string().contains(said), "{error}");
    assert!(server.requests().is_empty());
}

#[test]
fn the_url_of_a_proxy_is_never_shown() {
    let builder = || OpenAiChatModel::builder().base_url("http://127.0.0.1:1/v1");
    let proxied = builder().proxy("http://me:canary@127.0.0.1:1");
    let shown = format!("{proxied:?} {:?}", proxied.clone().build().unwrap());
    assert!(!shown.contains("canary"), "{shown}");
    let url = "http://127.0.0.1:1/v1".parse().unwrap();
    let way = HttpProxy::At("http://me:canary@127.0.0.1:1".into());
    let transport = ReqwestTransport::through(&url, &HttpLimits::default(), &way).unwrap();
    let shown = format!("{transport:?}");
    assert!(
        shown.contains("http://127.0.0.1:1") && !shown.contains("canary"),
        "{shown}"
    );
    for (proxy, said) in [
        ("me:canary@127.0.0.1:1", "http://proxy.example.org:3128"),
        (
            "ftp://me:canary@127.0.0.1:1",
            "http://proxy.example.org:3128",
        ),
    ] {
        let error = builder().proxy(proxy).build().unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        check_secrets(&error);
    }
    let error = proxied.transport(transport).build().unwrap_err();
    assert!(error.to_string().contains("leave one out"), "{error}");
}

/// What the environment says is read in a process of its own, where it is set.
const CHILD: &str = "VERNAL_TEST_SERVER";

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_environment_names_the_proxy_unless_it_is_not_to() {
    let proxy = Proxy::start(None).await;
    let server = Server::start([json(200, HELLO), json(200, HELLO), json(200, HELLO)]).await;
    let mut child = Command::new(std::env::current_exe().unwrap());
    for name in [
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
        "NO_PROXY",
        "no_proxy",
    ] {
        child.env_remove(name);
    }
    child
        .args(["--exact", "proxy::child", "--ignored"])
        .env("HTTP_PROXY", format!("http://{}", proxy.address))
        .env(CHILD, &server.url);
    let ended = tokio::task::spawn_blocking(move || child.output());
    let ended = ended.await.unwrap().unwrap();
    assert!(ended.status.success(), "{ended:?}");
    assert_eq!((proxy.heads().len(), server.requests().len()), (1, 3));
    let line = "POST http://0.0.0.0:";
    assert!(proxy.heads()[0].starts_with(line), "{:?}", proxy.heads());
}

#[tokio::test]
#[ignore = "runs within another test, in a process whose environment names a proxy"]
async fn child() {
    let Ok(here) = std::env::var(CHILD) else {
        return;
    };
    // This machine too, by an address that is not known for it.
    let elsewhere = here.replace("127.0.0.1", "0.0.0.0");
    let model = |url: &str| OpenAiChatModel::builder().base_url(url).model("m");
    for builder in [
        model(&elsewhere),
        model(&elsewhere).no_proxy(),
        model(&here),
    ] {
        builder.build().unwrap().call("Hi!".into()).await.unwrap();
    }
}
