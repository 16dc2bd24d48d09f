//! AUTO-1 to AUTO-3 and AUTO-5: when the loop is there.

use vernal_core::Error;
use vernal_core::advisor::{
    AdvisorParams, BaseAdvisor, ChatClientRequest, ToolCallingAdvisor, order,
};
use vernal_core::client::{ChatClient, ChatClientBuilder};
use vernal_core::tool::ToolSet;
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{Log, tool};
use crate::probes::{OtherLoop, both_ways};

fn builder() -> ChatClientBuilder {
    ChatClient::builder(ScriptedModel::new().then_always(Reply::text("done")))
}

/// A client whose model calls `a` once, for a call and for a stream.
fn calling(set: impl Fn(ChatClientBuilder) -> ChatClientBuilder) -> [ChatClient; 2] {
    [(); 2].map(|()| {
        let model = ScriptedModel::new().replies(Reply::text("Look. ").and_call("a", "{}"));
        set(ChatClient::builder(model.says("done")))
            .build()
            .unwrap()
    })
}

/// Called and streamed.
async fn contents(
    clients: [ChatClient; 2],
    set: impl Fn(
        vernal_core::client::ChatClientRequestSpec,
    ) -> vernal_core::client::ChatClientRequestSpec,
) -> Vec<String> {
    let [called, streamed] = clients.map(|client| set(client.prompt("go")));
    let called = called.call().await.unwrap();
    let streamed = streamed.stream().response().await.unwrap();
    vec![called.content(), streamed.content()]
}

#[tokio::test]
async fn auto_1_the_loop_is_there_without_any_tools() {
    let answers = contents(calling(|builder| builder), |request| request).await;
    assert_eq!(
        answers,
        ["done", "done"],
        "the unknown call was answered by the loop"
    );
    let model = ScriptedModel::new().calls("a", "{}").says("done");
    let answer = ChatClient::create(model).prompt("go").call().await;
    assert_eq!(answer.unwrap().content(), "done", "also without a builder");
}

#[tokio::test]
async fn auto_1_tools_that_another_advisor_brings_run() {
    struct Injects(Log);
    impl BaseAdvisor for Injects {
        fn name(&self) -> &str {
            "injects"
        }
        fn order(&self) -> i32 {
            order::HIGHEST_PRECEDENCE + 250
        }
        async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
            let tools = ToolSet::of_callbacks([tool("a").build(&self.0)])?;
            request.prompt_mut().options_mut().set_tools(tools);
            Ok(request)
        }
    }
    let log = Log::default();
    let clients = calling(|builder| builder.default_advisors(Injects(log.clone())));
    assert_eq!(contents(clients, |request| request).await, ["done", "done"]);
    assert_eq!(log.started().len(), 2);
}

#[tokio::test]
async fn auto_2_opting_out_leaves_the_loop_away_and_the_request_has_the_last_word() {
    let log = Log::default();
    let register = AdvisorParams::tool_calling_advisor_auto_register;
    for (client, request, runs) in [
        (None, None, true),
        (Some(false), None, false),
        (None, Some(false), false),
        (Some(false), Some(true), true),
        (Some(true), Some(false), false),
        (Some(true), Some(true), true),
    ] {
        log.clear();
        let clients = calling(|builder| {
            builder
                .default_advisors(client.map(register))
                .default_tools(tool("a").build(&log))
        });
        let answers = contents(clients, |spec| spec.advisors(request.map(register))).await;
        assert_eq!(
            log.started().len(),
            if runs { 2 } else { 0 },
            "{client:?} {request:?}"
        );
        assert_eq!(answers, [if runs { "done" } else { "Look. " }; 2]);
    }
}

#[tokio::test]
async fn auto_2_a_tool_advisor_in_the_chain_takes_the_place_of_the_automatic_one() {
    let log = Log::default();
    let other = || OtherLoop {
        name: "other",
        order: 0,
    };
    let clients = calling(|b| {
        b.default_advisors(other())
            .default_tools(tool("a").build(&log))
    });
    assert_eq!(
        contents(clients, |request| request).await,
        ["Look. ", "Look. "]
    );
    let clients = calling(|b| b.default_tools(tool("a").build(&log)));
    let answers = contents(clients, |request| request.advisors(other())).await;
    assert_eq!(answers, ["Look. ", "Look. "]);
    assert!(
        log.started().is_empty(),
        "the automatic loop would have run it"
    );

    // One's own loop also runs where the automatic one is opted out of.
    let own = || {
        ToolCallingAdvisor::builder()
            .advisor_order(7)
            .build()
            .unwrap()
    };
    let clients = calling(|b| {
        b.default_advisors((
            own(),
            AdvisorParams::tool_calling_advisor_auto_register(false),
        ))
        .default_tools(tool("a").build(&log))
    });
    assert_eq!(contents(clients, |request| request).await, ["done", "done"]);
    assert_eq!(log.started().len(), 2);
}

fn assert_names_both(error: &Error, [first, second]: [&str; 2]) {
    let text = error.to_string();
    assert!(text.contains(first) && text.contains(second), "{text}");
    assert!(error.is_setup());
}

#[tokio::test]
async fn auto_3_two_tool_advisors_are_an_error_that_names_both_with_their_orders() {
    let model = ScriptedModel::new().says("unreached");
    let own = || {
        ToolCallingAdvisor::builder()
            .advisor_order(-5)
            .build()
            .unwrap()
    };
    let other = || OtherLoop {
        name: "other",
        order: 12,
    };
    let named = ["`tool-calling` (order -5)", "`other` (order 12)"];
    for params in [None, Some(false), Some(true)] {
        let params = params.map(AdvisorParams::tool_calling_advisor_auto_register);
        let client = ChatClient::builder(model.clone()).default_advisors((own(), params));
        let client = client.build().unwrap();
        for result in both_ways(&client.prompt("go").advisors(other())).await {
            assert_names_both(&result.unwrap_err(), named);
        }
        let plain = ChatClient::create(model.clone());
        for result in both_ways(&plain.prompt("go").advisors((own(), other(), params))).await {
            assert_names_both(&result.unwrap_err(), named);
        }
        // Where the client itself has both, that is known when it is built.
        let both = builder()
            .default_advisors((own(), params))
            .default_advisors(other());
        assert_names_both(&both.build().unwrap_err(), named);
    }
    assert_eq!(model.call_count(), 0);
}

#[tokio::test]
async fn auto_3_three_are_all_named() {
    let others = ["one", "two", "three"].map(|name| OtherLoop { name, order: 1 });
    let request = builder()
        .build()
        .unwrap()
        .prompt("go")
        .advisors(Vec::from(others));
    let text = request.call().await.unwrap_err().to_string();
    let names = "`one` (order 1), `two` (order 1), `three` (order 1)";
    assert!(text.contains("3: ") && text.contains(names), "{text}");
}

#[tokio::test]
async fn auto_5_with_the_loop_off_tools_are_sent_and_calls_come_back() {
    let log = Log::default();
    let off = AdvisorParams::tool_calling_advisor_auto_register(false);
    let model = ScriptedModel::new().then_always(
        Reply::text("Look.")
            .and_call("a", r#"{"x":1}"#)
            .and_call("b", ""),
    );
    let client = ChatClient::builder(model.clone())
        .default_advisors(off)
        .default_tools(tool("a").build(&log))
        .build()
        .unwrap();
    for result in both_ways(&client.prompt("go").tools(tool("b").build(&log))).await {
        let response = result.unwrap();
        assert!(response.chat_response().has_tool_calls());
        let calls = response.chat_response().tool_calls();
        let calls: Vec<_> = calls
            .map(|call| (&*call.name, call.arguments.as_str()))
            .collect();
        assert_eq!(calls, [("a", r#"{"x":1}"#), ("b", "")]);
        assert_eq!(response.content(), "Look.");
        assert_eq!(response.rounds(), 0);
        assert!(response.messages().is_none(), "no turn was run");
    }
    assert!(log.started().is_empty());
    for prompt in model.prompts() {
        let names: Vec<_> = prompt
            .options()
            .tools()
            .definitions()
            .map(|d| d.name())
            .collect();
        assert_eq!(
            names.iter().map(|name| &***name).collect::<Vec<_>>(),
            ["a", "b"]
        );
    }
}
