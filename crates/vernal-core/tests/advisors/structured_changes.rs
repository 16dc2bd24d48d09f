//! LOOP-4: what the advisors change holds for their own model call; what others change inside of them
//! holds for later rounds.

use vernal_core::Error;
use vernal_core::advisor::{
    BaseAdvisor, ChatClientRequest, StructuredOutputValidationAdvisor, order,
};
use vernal_core::message::{Message, Role};
use vernal_core::model::{ChatOptions, Prompt, ResponseFormat};
use vernal_core::tool::{FunctionToolCallback, ToolSet};
use vernal_testing::ScriptedModel;

use crate::kit::{Native, WAYS, looking, read, said, system_texts};
use crate::structured::{BAD, Forecast, GOOD};

/// Adds a message and a tool in the first round, next to the model.
struct Adds;

impl BaseAdvisor for Adds {
    fn name(&self) -> &str {
        "adds"
    }

    fn order(&self) -> i32 {
        order::LOWEST_PRECEDENCE
    }

    async fn before(&self, mut request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
        if request.round() == 1 {
            let prompt = request.prompt_mut();
            prompt.messages_mut().push(Message::user("added"));
            let added = FunctionToolCallback::builder("added", || "added")
                .build()
                .unwrap();
            let tools = prompt.options().tools().entries().cloned();
            let added = ToolSet::of_callbacks([std::sync::Arc::new(added) as _]).unwrap();
            let tools = ToolSet::new(tools.chain(added.entries().cloned())).unwrap();
            prompt.options_mut().set_tools(tools);
        }
        Ok(request)
    }
}

#[tokio::test]
async fn loop_4_what_others_change_holds_and_what_was_asked_for_does_not() {
    for native in [false, true] {
        for way in WAYS {
            let model = ScriptedModel::new()
                .calls("look", "{}")
                .calls("added", "{}")
                .says(BAD)
                .says(GOOD);
            let can: fn(&ChatOptions) -> bool = if native { |_| true } else { |_| false };
            let (client, runs) = looking(Native {
                model: model.clone(),
                can,
            });
            let advisor = StructuredOutputValidationAdvisor::of::<Forecast>();
            let client = client
                .default_system("Be brief.")
                .default_advisors((advisor.build().unwrap(), Adds));
            let response = way
                .send(&client.build().unwrap().prompt("go"))
                .await
                .response();
            let transcript = [
                "user: go",
                "user: added",
                "assistant: look()",
                "tool: look=seen",
                "assistant: added()",
                "tool: added=added",
                &format!("assistant: {}", GOOD.to_lowercase()),
            ];
            assert_eq!(said(response.messages()), transcript);
            assert_eq!(runs.count(), 1);
            let systems = response.messages().unwrap().iter();
            let systems = systems.filter(|message| message.role() == Role::System);
            assert_eq!(read(systems), ["system: be brief."]);
            // Once in each prompt, and not once more for each round.
            let asked = |text: &String| text.matches("JSON Schema").count();
            let counts: Vec<_> = system_texts(&model).iter().map(asked).collect();
            assert_eq!(counts, [usize::from(!native); 4]);
            let has_format =
                |prompt: &Prompt| prompt.options().response_format() != &ResponseFormat::Text;
            let prompts = model.prompts();
            assert!(prompts.iter().all(|prompt| has_format(prompt) == native));
            let offered = prompts.iter().map(|prompt| prompt.options().tools().len());
            assert_eq!(offered.collect::<Vec<_>>(), [2; 4]);
        }
    }
}
