//! Answers of a type: asked for natively or in words, validated, and corrected.

use vernal_core::advisor::{
    ChatClientResponse, StructuredOutputMode, StructuredOutputValidationAdvisor,
};
use vernal_core::client::{ChatClient, ChatClientRequestSpec, ResponseEntity};
use vernal_core::message::{FinishReason, Usage};
use vernal_core::model::{ChatOptions, ResponseFormat, ToolChoice};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{
    Native, Sent, WAYS, Way, assert_valid, costs, last_messages, looking, looks, read, said,
    system_texts,
};

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
pub(crate) struct Forecast {
    pub(crate) city: String,
    pub(crate) degrees: i32,
}

pub(crate) const GOOD: &str = r#"{"city":"Jeju","degrees":21}"#;
/// Two things are wrong with it.
pub(crate) const BAD: &str = r#"{"city":[7.5],"degrees":"warm"}"#;

pub(crate) fn jeju() -> Forecast {
    Forecast {
        city: "Jeju".to_owned(),
        degrees: 21,
    }
}

/// The request, with the advisor that `entity` would add.
pub(crate) fn validated(request: &ChatClientRequestSpec) -> ChatClientRequestSpec {
    let advisor = StructuredOutputValidationAdvisor::of::<Forecast>();
    request.clone().advisors(advisor.build().unwrap())
}

pub(crate) async fn send(way: Way, request: &ChatClientRequestSpec) -> Sent {
    way.send(&validated(request)).await
}

fn entity(response: &ChatClientResponse) -> Forecast {
    response.entity().unwrap()
}

#[tokio::test]
async fn an_answer_that_fits_is_asked_for_once_in_words() {
    for way in WAYS {
        let model = ScriptedModel::new().replies(costs(GOOD, 10, 5));
        let client = ChatClient::builder(model.clone()).default_system("Be brief.");
        let client = client.build().unwrap();
        let response = send(way, &client.prompt("Weather?")).await.response();
        assert_eq!(entity(&response), jeju());
        assert_eq!(response.content(), GOOD);
        assert_eq!(response.usage(), Usage::new(10, 5));
        let [system] = &system_texts(&model)[..] else {
            panic!("one call");
        };
        assert!(system.starts_with("Be brief.\n\nYour final answer must be one JSON object"));
        assert!(
            system.contains(r#""required":["city","degrees"]"#),
            "{system}"
        );
        let options = model.prompts()[0].options().clone();
        assert_eq!(options.response_format(), &ResponseFormat::Text);
    }
}

#[tokio::test]
async fn a_provider_that_can_is_given_the_schema_and_no_words() {
    for way in WAYS {
        let model = ScriptedModel::new().says(GOOD);
        let native = Native {
            model: model.clone(),
            can: |options| matches!(options.response_format(), ResponseFormat::JsonSchema(_)),
        };
        let request = ChatClient::create(native).prompt("Weather?");
        let response = send(way, &request).await.response();
        assert_eq!(entity(&response), jeju());
        assert_eq!(system_texts(&model), [""]);
        let prompts = model.prompts();
        let ResponseFormat::JsonSchema(schema) = prompts[0].options().response_format() else {
            panic!("a schema");
        };
        assert_eq!((schema.name(), schema.strict()), ("Forecast", true));
        assert!(schema.schema().starts_with('{') && !schema.is_wrapped());
    }
}

#[tokio::test]
async fn the_mode_decides_where_it_is_said() {
    let cases: [(StructuredOutputMode, bool, bool); 4] = [
        (StructuredOutputMode::Native, false, true),
        (StructuredOutputMode::Instruction, true, false),
        (StructuredOutputMode::Auto, true, true),
        (StructuredOutputMode::Auto, false, false),
    ];
    for (mode, can, is_native) in cases {
        let model = ScriptedModel::new().says(GOOD);
        let native = Native {
            model: model.clone(),
            can: if can { |_| true } else { |_| false },
        };
        let request = ChatClient::create(native).prompt("Weather?");
        let forecast = request.entity::<Forecast>().mode(mode).await.unwrap();
        assert_eq!(forecast, jeju());
        let sent = model.prompts()[0].options().response_format() != &ResponseFormat::Text;
        assert_eq!(sent, is_native, "{mode:?}");
        assert_eq!(system_texts(&model)[0].is_empty(), is_native, "{mode:?}");
    }
}

#[tokio::test]
async fn a_correction_tells_every_violation_and_sums_the_usage() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .replies(costs(BAD, 10, 5))
            .replies(costs("Sorry!", 20, 6))
            .replies(costs(GOOD, 30, 7));
        let client = ChatClient::create(model.clone());
        let response = send(way, &client.prompt("Weather?")).await.response();
        assert_eq!(entity(&response), jeju());
        assert_eq!(response.usage(), Usage::new(60, 18));
        // What was wrong is in nobody's history.
        let transcript = [
            "user: weather?".to_owned(),
            format!("assistant: {}", GOOD.to_lowercase()),
        ];
        assert_eq!(said(response.messages()), transcript);
        let [_, first, second] = &last_messages(&model)[..] else {
            panic!("three calls");
        };
        assert!(
            first.contains("$.city: expected a string, got an array"),
            "{first}"
        );
        assert!(first.contains("$.degrees: expected an integer"), "{first}");
        assert!(second.contains("got the words \"sorry!\""), "{second}");
        // Each correction has the newest wrong answer alone before it, and the words stay.
        for (prompt, wrong) in model.prompts()[1..].iter().zip([BAD, "Sorry!"]) {
            let lines = read(prompt.messages());
            assert_eq!(lines.len(), 4, "{lines:#?}");
            assert_eq!(lines[2], format!("assistant: {wrong}").to_lowercase());
        }
        let [one, two, three] = &system_texts(&model)[..] else {
            panic!()
        };
        assert!(!one.is_empty() && one == two && two == three);
    }
}

#[tokio::test]
async fn a_native_correction_says_the_schema_in_words() {
    let model = ScriptedModel::new().says(BAD).says(GOOD);
    let native = Native {
        model: model.clone(),
        can: |_| true,
    };
    let request = ChatClient::create(native).prompt("Weather?");
    assert_eq!(request.entity::<Forecast>().await.unwrap(), jeju());
    let schema = vernal_core::model::ResponseSchema::of::<Forecast>().unwrap();
    let last = &last_messages(&model)[1];
    assert!(last.contains(&schema.schema().to_lowercase()), "{last}");
    let prompts = model.prompts();
    let format = |at: usize| prompts[at].options().response_format();
    assert!(matches!(format(1), ResponseFormat::JsonSchema(_)));
    assert_eq!(format(0), format(1));
}

#[tokio::test]
async fn a_tool_round_is_neither_validated_nor_repeated() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .replies(looks(1, 1).and_text("Let me look."))
            .replies(looks(2, 1))
            .replies(costs(BAD, 4, 1))
            .replies(costs(GOOD, 8, 1));
        let (client, runs) = looking(model.clone());
        let request = client.build().unwrap().prompt("Weather?");
        let response = send(way, &request).await.response();
        assert_eq!(entity(&response), jeju());
        assert_eq!((model.call_count(), runs.count()), (4, 2));
        assert_eq!(response.usage(), Usage::new(15, 4));
        assert_eq!(response.rounds(), 2);
        let answer = format!("assistant: {}", GOOD.to_lowercase());
        assert_eq!(
            said(response.messages()),
            [
                "user: weather?",
                "assistant: let me look. look()",
                "tool: look=seen",
                "assistant: look()",
                "tool: look=seen",
                &answer,
            ]
        );
        let choices = model.prompts();
        let choices = choices.iter().map(|p| p.options().tool_choice().clone());
        let auto = ToolChoice::Auto;
        let expected = [auto.clone(), auto.clone(), auto, ToolChoice::None];
        assert_eq!(choices.collect::<Vec<_>>(), expected);
        // The tools that the transcript speaks of stay in the request.
        assert_eq!(model.prompts()[3].options().tools().len(), 1);
        for prompt in model.prompts() {
            assert_valid(prompt.messages());
        }
    }
}

#[tokio::test]
async fn a_provider_that_cannot_with_tools_is_asked_natively_in_the_correction() {
    for way in WAYS {
        let model = ScriptedModel::new().says("It is warm.").says(GOOD);
        let native = Native {
            model: model.clone(),
            can: |options| options.tool_choice() == &ToolChoice::None,
        };
        let (client, _) = looking(native);
        let request = client.build().unwrap().prompt("Weather?");
        let response = send(way, &request).await.response();
        assert_eq!(entity(&response), jeju());
        let formats = model.prompts();
        let is_schema = |options: &ChatOptions| options.response_format() != &ResponseFormat::Text;
        let formats = formats.iter().map(|p| is_schema(p.options()));
        assert_eq!(formats.collect::<Vec<_>>(), [false, true]);
        assert!(
            system_texts(&model)
                .iter()
                .all(|text| text.contains("JSON Schema"))
        );
    }
}

#[tokio::test]
async fn a_correction_that_asks_for_tools_is_a_wrong_answer() {
    for way in WAYS {
        let model = ScriptedModel::new()
            .says(BAD)
            .replies(looks(1, 1).and_text("Let me look."))
            .says(GOOD);
        let (client, runs) = looking(model.clone());
        let request = client.build().unwrap().prompt("Weather?");
        let response = send(way, &request).await.response();
        assert_eq!(entity(&response), jeju());
        assert_eq!((model.call_count(), runs.count()), (3, 0));
        let last = &last_messages(&model)[2];
        assert!(last.contains("asks for a tool"), "{last}");
        let lines = read(model.prompts()[2].messages());
        assert_eq!(lines.len(), 3, "no unanswered call: {lines:#?}");
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_off_is_asked_for_shorter() {
    for way in WAYS {
        let cut = Reply::text(r#"{"city":"Je"#).finish(FinishReason::Length);
        let model = ScriptedModel::new().replies(cut).says(GOOD);
        let request = ChatClient::create(model.clone()).prompt("Weather?");
        assert_eq!(entity(&send(way, &request).await.response()), jeju());
        let last = &last_messages(&model)[1];
        assert!(last.contains("give a shorter one"), "{last}");
    }
}

#[tokio::test]
async fn without_a_loop_calls_come_back_and_answers_are_validated() {
    use vernal_core::advisor::AdvisorParams;
    let params = AdvisorParams::tool_calling_advisor_auto_register(false);
    for way in WAYS {
        let model = ScriptedModel::new()
            .calls("look", "{}")
            .says(BAD)
            .says(GOOD);
        let (client, runs) = looking(model);
        let client = client.default_advisors(params).build().unwrap();
        let first = send(way, &client.prompt("Weather?")).await.response();
        assert!(first.chat_response().has_tool_calls());
        let second = send(way, &client.prompt("Weather?")).await.response();
        assert_eq!((entity(&second), runs.count()), (jeju(), 0));
    }
}

#[tokio::test]
async fn the_response_is_there_beside_the_value() {
    let model = ScriptedModel::new().replies(costs(GOOD, 2, 3));
    let request = ChatClient::create(model).prompt("Weather?");
    let both = request.entity::<Forecast>().with_response().await.unwrap();
    let ResponseEntity { entity, response } = both;
    assert_eq!(entity, jeju());
    assert_eq!(
        (response.content(), response.usage()),
        (GOOD.to_owned(), Usage::new(2, 3))
    );
}
