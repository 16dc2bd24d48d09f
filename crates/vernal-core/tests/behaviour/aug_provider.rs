//! AUG-1 and AUG-4 for objects and providers as a whole.

use std::sync::{Arc, Mutex};

use vernal_core::tool::OptionalTools;
use vernal_core::tool::augment::AugmentedToolCallbackProvider;
use vernal_testing::Reply;

use crate::aug::{AgentThinking, Clash, echo, weather};
use crate::closures::ends;
use crate::probes::{Provider, both_ways};
use crate::transcript::last_answers;

fn thinking(
    notes: &Arc<Mutex<Vec<String>>>,
    tools: impl vernal_core::tool::IntoTools,
) -> AugmentedToolCallbackProvider<AgentThinking> {
    let notes = notes.clone();
    AugmentedToolCallbackProvider::<AgentThinking>::builder()
        .tools(tools)
        .argument_consumer(move |event| {
            let name = event.tool_definition().name().clone();
            notes
                .lock()
                .unwrap()
                .push(format!("{name}: {}", event.arguments().inner_thought));
        })
        .build()
        .unwrap()
}

#[tokio::test]
async fn aug_1_callbacks_and_what_a_remote_provider_lists_are_augmented_alike() {
    let remote = Provider::new("remote", vec![Arc::new(echo("far"))]);
    let notes: Arc<Mutex<Vec<String>>> = Arc::default();
    let provider = thinking(&notes, (weather(), remote.clone(), [echo("near")]));
    let reply = Reply::call("weather", r#"{"city":"Jeju","innerThought":"a"}"#)
        .and_call("far", r#"{"k":1,"innerThought":"b"}"#)
        .and_call("near", r#"{"innerThought":"c"}"#);
    let model = vernal_testing::ScriptedModel::new();
    let model = model
        .replies(reply.clone())
        .says("done")
        .replies(reply)
        .says("done");
    let client = vernal_core::client::ChatClient::builder(model).default_tools(provider);
    let client = client.build().unwrap();
    assert_eq!(
        remote.asked(),
        0,
        "a provider is asked when a request is made"
    );
    for response in both_ways(&client.prompt("go")).await {
        let response = response.unwrap();
        let answers = last_answers(response.messages().unwrap());
        let texts: Vec<_> = answers.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["Sunny in Jeju.", r#"{"k":1}"#, "{}"]);
    }
    let expected = ["weather: a", "far: b", "near: c"];
    assert_eq!(*notes.lock().unwrap(), [expected, expected].concat());
    assert_eq!(remote.asked(), 2);
}

#[tokio::test]
async fn aug_4_a_clash_or_a_failure_of_a_remote_provider_is_its_error() {
    let clash = Provider::new("remote", vec![Arc::new(weather())]);
    let clash = AugmentedToolCallbackProvider::<Clash>::builder()
        .tools(clash)
        .build()
        .unwrap();
    let notes = Arc::default();
    let down = thinking(&notes, Provider::failing("down"));
    let model = vernal_testing::ScriptedModel::new;
    let request =
        |builder: vernal_core::client::ChatClientBuilder| builder.build().unwrap().prompt("go");
    let builder = || vernal_core::client::ChatClient::builder(model());
    for (request, said) in [
        (
            request(builder().default_tools(clash)),
            ["`remote`", "`city`"],
        ),
        (
            request(builder().default_tools(down)),
            ["`down`", "no route to host"],
        ),
    ] {
        for result in both_ways(&request).await {
            let error = result.unwrap_err();
            assert!(error.is_provider());
            assert!(
                said.iter().all(|said| error.to_string().contains(said)),
                "{error}"
            );
        }
    }
    let optional = (
        OptionalTools(Provider::failing("down")),
        ends("here", || Ok("yes")),
    );
    let optional = thinking(&notes, optional);
    let model = model()
        .calls("here", r#"{"innerThought":"w"}"#)
        .says("done");
    let client = vernal_core::client::ChatClient::builder(model).default_tools(optional);
    let response = client.build().unwrap().prompt("go").call().await.unwrap();
    assert_eq!(last_answers(response.messages().unwrap())[0].1, "yes");
}
