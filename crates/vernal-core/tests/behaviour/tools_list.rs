//! TOOLS-3, TOOLS-4 and TOOLS-6: the one list of a request, its order, and names that clash.

use std::sync::Arc;

use vernal_core::client::{ChatClient, ChatClientBuilder};
use vernal_core::model::{ChatOptions, Prompt};
use vernal_core::tool::FunctionToolCallback;

use crate::probes::{Provider, both_ways};
use crate::tools::{model, named, offered, options_with};

#[tokio::test]
async fn tools_3_defaults_then_the_requests_callbacks_before_providers() {
    let client = |builder: ChatClientBuilder| {
        builder
            .default_tools((
                Provider::new("p1", vec![named("5"), named("6")]),
                named("1"),
            ))
            .default_tools(named("2"))
    };
    let seen = offered(client, |client| {
        client
            .prompt("go")
            .tools(Provider::new("p2", vec![named("7")]))
            .tools([named("3"), named("4")])
    })
    .await;
    assert_eq!(seen, ["1", "2", "3", "4", "5", "6", "7"]);
    assert_eq!(
        offered(client, |client| client.prompt("go")).await,
        ["1", "2", "5", "6"]
    );
}

#[tokio::test]
async fn tools_4_two_tools_with_one_name_are_an_error_that_names_both_origins() {
    let model = model();
    let provider = |name| Provider::new(name, vec![named("x")]);
    let x = || named("x");
    let with = |set: &dyn Fn(ChatClientBuilder) -> ChatClientBuilder| {
        set(ChatClient::builder(model.clone()))
            .build()
            .unwrap()
            .prompt("go")
    };
    let plain = || with(&|builder| builder);
    let by_default = || with(&|builder| builder.default_tools(x()));
    const DEFAULTS: &str = "one of the client's default tools";
    const REQUEST: &str = "one of the request's tools";
    const OPTIONS: &str = "one of the tools in the chat options";
    const P: &str = "one of the tools of the provider `p`";
    const Q: &str = "one of the tools of the provider `q`";
    let of_two = |first, second| format!("two tools are called `x`, {first} and {second}");
    let of_one = |origin| format!("two of {origin} are called `x`");
    for (request, expected) in [
        (by_default().tools(x()), of_two(DEFAULTS, REQUEST)),
        (plain().tools([x(), x()]), of_one("the request's tools")),
        (by_default().tools(provider("p")), of_two(DEFAULTS, P)),
        (plain().tools((provider("p"), x())), of_two(REQUEST, P)),
        (plain().tools((provider("p"), provider("q"))), of_two(P, Q)),
        (
            plain().tools(Provider::new("p", vec![x(), x()])),
            of_one("the tools of the provider `p`"),
        ),
        (
            by_default().options(options_with([x()])),
            of_two(DEFAULTS, OPTIONS),
        ),
        (
            plain().tools(x()).options(options_with([x()])),
            of_two(REQUEST, OPTIONS),
        ),
        (
            with(&|builder| builder.default_options(options_with([x()]))).tools(x()),
            of_two(OPTIONS, REQUEST),
        ),
    ] {
        for result in both_ways(&request).await {
            let error = result.unwrap_err();
            assert!(error.is_duplicate_tool());
            assert_eq!(error.tool_name(), Some("x"));
            let expected = format!("{expected}; rename one of them or leave one out");
            assert_eq!(error.to_string(), expected);
        }
    }
    assert_eq!(model.call_count(), 0, "before any model call");
    // Among the defaults it is known when the client is built.
    let error = ChatClient::builder(model)
        .default_tools([x(), x()])
        .build()
        .unwrap_err();
    assert!(error.is_duplicate_tool());
}

#[tokio::test]
async fn tools_4_options_with_two_tools_of_one_name_cannot_be_built() {
    let error = ChatOptions::builder()
        .tool_callbacks([named("x"), named("x")])
        .unwrap_err();
    assert_eq!(&*error.name, "x");
}

#[tokio::test]
async fn tools_4_the_same_callback_counts_once_wherever_it_comes_from() {
    let x = named("x");
    let own = Arc::new(FunctionToolCallback::builder("own", || 1).build().unwrap());
    let client = |builder: ChatClientBuilder| {
        builder
            .default_tools((x.clone(), own.clone(), x.clone()))
            .default_tools(Provider::new("p", vec![x.clone()]))
            .default_options(options_with([x.clone()]))
    };
    let seen = offered(client, |client| {
        client
            .prompt(Prompt::new("go", options_with([x.clone()])))
            .tools((own.clone(), named("y"), x.clone()))
            .tools(Provider::new("q", vec![x.clone(), named("z")]))
            .options(options_with([x.clone()]))
    })
    .await;
    assert_eq!(seen, ["x", "own", "y", "z"]);
}

#[tokio::test]
async fn tools_6_tools_in_options_join_the_one_list() {
    let client = |builder: ChatClientBuilder| {
        builder
            .default_options(options_with([named("default option")]))
            .default_tools((named("default"), Provider::new("p", vec![named("listed")])))
    };
    let request = |client: &ChatClient| {
        client
            .prompt(Prompt::new("go", options_with([named("prompt option")])))
            .options(options_with([named("request option")]))
            .tools(named("request"))
    };
    let mut seen = offered(client, request).await;
    assert_eq!(seen.last().unwrap(), "listed");
    let callbacks = ["default", "default option", "request"];
    assert_eq!(seen[..3], callbacks, "defaults before the request's");
    seen.sort();
    let mut all = vec!["default", "default option", "listed", "prompt option"];
    all.extend(["request", "request option"]);
    assert_eq!(seen, all, "nothing is dropped");
}

#[tokio::test]
async fn tools_6_the_tools_of_default_options_stay_whatever_else_a_request_sets() {
    let client = |b: ChatClientBuilder| b.default_options(options_with([named("a")]));
    let go = |client: &ChatClient| client.prompt("go");
    assert_eq!(offered(client, go).await, ["a"]);
    assert_eq!(
        offered(client, |c| go(c).tools(named("b"))).await,
        ["a", "b"]
    );
    assert_eq!(
        offered(client, |c| go(c).tool_context([("k", "v")])).await,
        ["a"]
    );
    let warm = || ChatOptions::builder().temperature(1.0).build();
    assert_eq!(offered(client, |c| go(c).options(warm())).await, ["a"]);
    assert_eq!(
        offered(client, |c| go(c).options(options_with([named("b")]))).await,
        ["a", "b"]
    );
}
