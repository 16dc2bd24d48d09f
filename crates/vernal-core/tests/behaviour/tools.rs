//! TOOLS-1 to TOOLS-4, TOOLS-6 to TOOLS-8: which tools a request has, and what is known of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use vernal_core::client::{ChatClient, ChatClientBuilder, ChatClientRequestSpec};
use vernal_core::model::{ChatOptions, Prompt};
use vernal_core::tool::{
    FunctionToolCallback, IntoTools, ToolCallback, ToolCallbackProvider, ToolContext, ToolSource,
};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{Log, tool};
use crate::probes::{Provider, both_ways};

pub(crate) fn named(name: &str) -> Arc<dyn ToolCallback> {
    tool(name).build(&Log::default())
}

pub(crate) fn model() -> ScriptedModel {
    ScriptedModel::new().then_always(Reply::text("done"))
}

pub(crate) fn options_with(tools: impl IntoIterator<Item = Arc<dyn ToolCallback>>) -> ChatOptions {
    ChatOptions::builder()
        .tool_callbacks(tools)
        .unwrap()
        .build()
}

pub(crate) fn names(prompt: &Prompt) -> Vec<String> {
    prompt
        .options()
        .tools()
        .definitions()
        .map(|d| d.name().to_string())
        .collect()
}

/// The tools that the model is offered, called and streamed, by this client and request.
pub(crate) async fn offered(
    client: impl Fn(ChatClientBuilder) -> ChatClientBuilder,
    request: impl Fn(&ChatClient) -> ChatClientRequestSpec,
) -> Vec<String> {
    let model = model();
    let client = client(ChatClient::builder(model.clone())).build().unwrap();
    for result in both_ways(&request(&client)).await {
        result.unwrap();
    }
    let [called, streamed] = [0, 1].map(|at| names(&model.prompts()[at]));
    assert_eq!(called, streamed);
    called
}

#[tokio::test]
async fn tools_1_what_is_accepted_as_tools_nested_at_will() {
    let callback = FunctionToolCallback::builder("function", || 1)
        .build()
        .unwrap();
    let provider = Arc::new(Provider::new("p", vec![named("listed")]));
    let as_provider: Arc<dyn ToolCallbackProvider> = provider.clone();
    let source = ToolSource::Callback(named("source"));
    let nested = (
        callback,
        named("shared"),
        [named("array 1"), named("array 2")],
        vec![Some(named("vec")), None],
        (),
        Some((named("tuple"), [Some(vec![source])])),
        vec![(named("x"), None::<Arc<dyn ToolCallback>>)],
        (provider,),
    );
    let model = model();
    let client = ChatClient::create(model.clone());
    client
        .prompt("go")
        .tools(nested)
        .tools(None::<Provider>)
        .call()
        .await
        .unwrap();
    let expected = [
        "function", "shared", "array 1", "array 2", "vec", "tuple", "source", "x", "listed",
    ];
    assert_eq!(names(&model.prompts()[0]), expected);
    client
        .prompt("go")
        .tools([as_provider])
        .call()
        .await
        .unwrap();
    assert_eq!(names(&model.prompts()[1]), ["listed"]);
}

#[tokio::test]
async fn tools_2_providers_are_asked_once_per_call_and_never_when_a_client_is_built() {
    let default = Provider::new("default", vec![named("a")]);
    let own = Provider::new("own", vec![named("b")]);
    let asked = || (default.asked(), own.asked());

    let client = ChatClient::builder(ScriptedModel::new().then_always(Reply::text("done")))
        .default_tools(default.clone())
        .build()
        .unwrap();
    let request = client.prompt("go").tools(own.clone());
    assert_eq!(asked(), (0, 0), "building asks nobody");

    let future = request.call();
    let stream = request.stream();
    assert_eq!(asked(), (0, 0), "nor does what is not polled");
    drop((future, stream));
    request.call().await.unwrap();
    assert_eq!(asked(), (1, 1));
    request.stream().response().await.unwrap();
    assert_eq!(asked(), (2, 2));
    client.prompt("go").call().await.unwrap();
    assert_eq!(asked(), (3, 2));
}

#[tokio::test]
async fn tools_2_rounds_do_not_ask_again_and_what_is_new_counts_for_the_next_request() {
    let mut provider = Provider::new("p", vec![named("a")]);
    let model = ScriptedModel::new()
        .calls("a", "{}")
        .calls("a", "{}")
        .says("done");
    let client = ChatClient::builder(model.clone()).build().unwrap();
    client
        .prompt("go")
        .tools(provider.clone())
        .call()
        .await
        .unwrap();
    assert_eq!((provider.asked(), model.call_count()), (1, 3));

    provider.tools = Some(vec![named("a"), named("new")]);
    let model = model.says("done");
    client
        .prompt("go")
        .tools(provider.clone())
        .call()
        .await
        .unwrap();
    assert_eq!(names(&model.prompts()[3]), ["a", "new"]);
}

#[tokio::test]
async fn tools_2_a_provider_that_is_handed_over_twice_is_asked_once() {
    let provider = Arc::new(Provider::new("p", vec![named("a")]));
    let by_default = |builder: ChatClientBuilder| builder.default_tools(provider.clone());
    let seen = offered(by_default, |client| {
        client.prompt("go").tools(provider.clone())
    })
    .await;
    assert_eq!(seen, ["a"]);
    assert_eq!(
        provider.asked(),
        2,
        "once for the call and once for the stream"
    );
}

#[tokio::test]
async fn tools_2_objects_are_expanded_when_they_are_handed_over() {
    /// As `#[tools]` does it.
    struct Object(Arc<AtomicUsize>);
    impl IntoTools for Object {
        fn collect_tools(self, into: &mut Vec<ToolSource>) {
            self.0.fetch_add(1, Ordering::SeqCst);
            into.extend(["a", "b"].map(|name| ToolSource::Callback(named(name))));
        }
    }
    let expanded = Arc::new(AtomicUsize::new(0));
    let client = ChatClient::create(model());
    let request = client.prompt("go").tools(Object(expanded.clone()));
    assert_eq!(expanded.load(Ordering::SeqCst), 1);
    for result in both_ways(&request).await {
        result.unwrap();
    }
    assert_eq!(expanded.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn tools_7_the_model_sees_name_description_and_schema_only() {
    struct Secret;
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"}}}"#;
    let weather = FunctionToolCallback::builder("getWeather", |_: serde_json::Value| "sunny")
        .description("The weather of a city")
        .input_schema(schema)
        .tool_metadata(
            vernal_core::tool::ToolMetadata::builder()
                .return_direct(true)
                .build(),
        )
        .build()
        .unwrap();
    let model = model();
    let client = ChatClient::builder(model.clone())
        .default_tool_context(ToolContext::from([("tenant", "hidden-1")]).with(Secret))
        .build()
        .unwrap();
    let request = client
        .prompt("go")
        .tools(weather)
        .tool_context([("user", "hidden-2")]);
    for result in both_ways(&request).await {
        result.unwrap();
    }
    for prompt in model.prompts() {
        let definitions: Vec<_> = prompt.options().tools().definitions().collect();
        assert_eq!(definitions.len(), 1);
        assert_eq!(&**definitions[0].name(), "getWeather");
        assert_eq!(definitions[0].description(), "The weather of a city");
        assert_eq!(definitions[0].input_schema(), schema);
        // The context goes with the prompt for the tools, but shows nothing of itself.
        assert_eq!(prompt.options().tool_context().len(), 3);
        assert!(!format!("{prompt:?}").contains("hidden"), "{prompt:?}");
        assert!(
            prompt
                .messages()
                .iter()
                .all(|message| message.text() == "go")
        );
    }
}

#[tokio::test]
async fn tools_8_a_provider_that_cannot_list_fails_the_request_with_its_name() {
    let model = model();
    let good = Provider::new("good", vec![named("a")]);
    let client = ChatClient::builder(model.clone())
        .default_tools((good.clone(), Provider::failing("remote")))
        .build()
        .unwrap();
    for result in both_ways(&client.prompt("go")).await {
        let error = result.unwrap_err();
        assert!(error.is_provider());
        assert!(!error.is_setup());
        let expected = "the tool provider `remote` could not list its tools: no route to host";
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(model.call_count(), 0);
}
