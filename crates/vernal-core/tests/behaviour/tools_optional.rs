//! TOOLS-5, TOOLS-8 for optional providers, and TOOLS-9 for default tools.

use std::sync::Arc;

use vernal_core::advisor::ChatEvent;
use vernal_core::calling::ToolCallingManager;
use vernal_core::client::ChatClient;
use vernal_core::model::{ChatModel, ChatOptions, Prompt};
use vernal_core::tool::{OptionalTools, ToolCallback, ToolContext, ToolOrigin, ToolSet};
use vernal_testing::{Reply, ScriptedModel};

use crate::closures::ends;
use crate::kit::{Log, tool};
use crate::probes::{Provider, both_ways};
use crate::traces::Traces;
use crate::transcript::last_answers;

fn named(name: &str) -> Arc<dyn ToolCallback> {
    tool(name).build(&Log::default())
}

fn options(tools: &[&str], context: ToolContext) -> ChatOptions {
    let tools = tools.iter().map(|name| named(name));
    ChatOptions::builder()
        .tool_callbacks(tools)
        .unwrap()
        .tool_context(context)
        .build()
}

#[tokio::test]
async fn tools_5_on_a_direct_call_the_options_tools_replace_the_models_and_contexts_are_merged() {
    let defaults = || {
        let context = ToolContext::from([("region", "eu"), ("tier", "free")]).with(7_u8);
        options(&["a", "b"], context)
    };
    let table: [(&[&str], &[&str]); 2] = [(&["c"], &["c"]), (&[], &["a", "b"])];
    for (own, expected) in table {
        let own = options(own, ToolContext::from([("tier", "gold")]));
        let merged = own.over(&defaults());
        let model = ScriptedModel::new().says("done");
        model.call(Prompt::new("go", merged)).await.unwrap();
        let prompt = model.prompts().remove(0);
        let names: Vec<_> = prompt
            .options()
            .tools()
            .definitions()
            .map(|d| d.name().to_string())
            .collect();
        assert_eq!(names, expected);
        let context = prompt.options().tool_context();
        assert_eq!(context.get_str("tier"), Some("gold"));
        assert_eq!(context.get_str("region"), Some("eu"));
        assert_eq!(context.get::<u8>(), Some(&7));
    }
}

#[tokio::test]
async fn tools_4_the_manual_path_cannot_be_given_two_tools_of_one_name() {
    let twice = [named("a"), named("a")];
    let error = ChatOptions::builder()
        .tool_callbacks(twice.clone())
        .unwrap_err();
    assert_eq!(&*error.name, "a");
    assert!(ToolSet::new(twice.map(|tool| (tool, ToolOrigin::Request))).is_err());
    // What can be given to a manager is a set; of two sets, one replaces the other.
    let merged = options(&["a"], ToolContext::empty()).over(&options(&["a"], ToolContext::empty()));
    let model = ScriptedModel::new().calls("a", "{}");
    let prompt = Prompt::new("go", merged);
    let response = model.call(prompt.clone()).await.unwrap();
    let result = ToolCallingManager::default()
        .execute_tool_calls(&prompt, &response)
        .await;
    assert_eq!(result.unwrap().tool_responses().count(), 1);
}

fn client(tools: impl vernal_core::tool::IntoTools) -> ChatClient {
    let model = ScriptedModel::new().then_always(Reply::text("done"));
    ChatClient::builder(model)
        .default_tools(tools)
        .build()
        .unwrap()
}

#[tokio::test]
async fn tools_8_an_optional_provider_that_fails_is_absent_logged_and_told() {
    let (traces, _guard) = Traces::listen();
    let up = Provider::new("up", vec![named("far")]);
    let down = Provider::failing("down");
    let client = client((OptionalTools((down.clone(), up.clone())), named("near")));
    for result in both_ways(&client.prompt("go")).await {
        assert_eq!(result.unwrap().content(), "done");
    }
    assert_eq!((down.asked(), up.asked()), (2, 2));
    let warnings = traces.events_with("WARN", "optional tool provider");
    assert_eq!(warnings.len(), 2, "one for each request");
    assert!(warnings[0].contains("provider=down") && warnings[0].contains("no route to host"));

    let mut events = client.prompt("go").stream();
    let first = events.next().await.unwrap().unwrap();
    let ChatEvent::ToolProviderUnavailable { provider, error } = first else {
        panic!("{first:?}")
    };
    assert_eq!(&*provider, "down");
    assert_eq!(error.to_string(), "no route to host");
    let response = events.response().await.unwrap();
    assert_eq!(response.content(), "done");
    let text = futures::StreamExt::collect::<Vec<_>>(client.prompt("go").stream().text()).await;
    assert_eq!(text.len(), 1, "a text stream is not disturbed");
}

#[tokio::test]
async fn tools_8_what_an_optional_provider_lists_is_offered_and_runs() {
    let up = Provider::new("up", vec![Arc::new(ends("far", || Ok("away")))]);
    let model = ScriptedModel::new().calls("far", "{}").says("done");
    let client = ChatClient::builder(model).build().unwrap();
    let response = client
        .prompt("go")
        .tools(OptionalTools(vec![up]))
        .call()
        .await
        .unwrap();
    assert_eq!(last_answers(response.messages().unwrap())[0].1, "away");
}

#[tokio::test]
async fn tools_8_a_provider_is_optional_only_where_nobody_says_otherwise() {
    let down = Arc::new(Provider::failing("down"));
    let optional = || OptionalTools(down.clone());
    let client = client(optional());
    assert!(client.prompt("go").tools(optional()).call().await.is_ok());
    assert_eq!(down.asked(), 1, "handed over twice, asked once");
    let error = client
        .prompt("go")
        .tools(down.clone())
        .call()
        .await
        .unwrap_err();
    assert!(error.is_provider());
    // Single tools stay what they are.
    let twice = OptionalTools((named("a"), named("a")));
    let error = client.prompt("go").tools(twice).call().await.unwrap_err();
    assert!(error.is_duplicate_tool());
}

#[tokio::test]
async fn tools_9_a_destructive_default_tool_is_warned_about_once_by_name() {
    let destructive = |name: &str| -> Arc<dyn ToolCallback> {
        Arc::new(ends(name, || Ok("gone")).metadata(|m| m.destructive(true)))
    };
    let (traces, _guard) = Traces::listen();
    let warned = || {
        let warned = traces.events_with("WARN", "destructive");
        ["dropTable", "dropFar", "dropOption", "harmless", "asked"].map(|name| {
            warned
                .iter()
                .filter(|event| event.contains(&format!("tool={name}")))
                .count()
        })
    };
    let provider = Provider::new("far", vec![destructive("dropFar"), named("harmless")]);
    let in_options = ChatOptions::builder()
        .tool_callbacks([destructive("dropOption")])
        .unwrap();
    let model = ScriptedModel::new().then_always(Reply::text("done"));
    let client = ChatClient::builder(model)
        .default_tools((destructive("dropTable"), provider))
        .default_options(in_options.build())
        .build()
        .unwrap();
    assert_eq!(warned(), [1, 0, 1, 0, 0], "when the client is built");
    for _ in 0..2 {
        let request = client.prompt("go").tools(destructive("asked"));
        for result in both_ways(&request).await {
            assert_eq!(result.unwrap().content(), "done");
        }
    }
    assert_eq!(
        warned(),
        [1, 1, 1, 0, 0],
        "a request's own tools were asked for"
    );
}
