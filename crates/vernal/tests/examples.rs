//! Every example runs, without a key, and prints what it says.
//!
//! The examples are modules of this test, so that running the tests runs what a reader runs.

/// One module and one test for each example.
macro_rules! examples {
    ($($name:ident: $path:literal => [$($line:literal),* $(,)?];)*) => {
        $(
            #[path = $path]
            #[allow(dead_code)] // `main`
            mod $name;
        )*

        mod prints {
            $(
                #[tokio::test]
                async fn $name() {
                    let printed = super::$name::run().await.unwrap();
                    let lines: Vec<&str> = printed.lines().collect();
                    assert_eq!(lines, [$($line),*]);
                }
            )*
        }
    };
}

examples! {
    quick_start: "../examples/quick_start.rs" => [
        "Alarm set for 2026-12-01T09:40:00+09:00",
        "Your alarm is set for 09:40.",
    ];
    passing_tools: "../examples/passing_tools.rs" => [
        "offered: get_weather, today",
        "offered: get_weather, today, random",
        "two tools are called `get_weather`, one of the client's default tools and one of the request's tools; rename one of them or leave one out",
    ];
    tool_specification: "../examples/tool_specification.rs" => [
        "currentWeather: Get the weather in location",
        r#"  {"type":"object","properties":{"location":{"type":"string"},"unit":{"type":"string","enum":["C","F"]}},"required":["location","unit"]}"#,
        "The tool `currentWeather` was not run: its arguments do not fit.",
        r#"$.unit: expected one of "C", "F", got "K""#,
        "the service is out of °F today",
        "21 °C",
        "It is 21 °C in Jeju.",
    ];
    json_schema: "../examples/json_schema.rs" => [
        r##"{"type":"object","properties":{"id":{"maximum":4294967295,"minimum":0,"type":"integer"},"name":{"description":"The full name","type":["string","null"]},"contact":{"$ref":"#/$defs/Contact","description":"Where to write or call"},"language":{"default":"en","type":"string"}},"required":["id","contact"],"additionalProperties":false,"$defs":{"Contact":{"description":"How to reach somebody.","oneOf":[{"additionalProperties":false,"properties":{"address":{"format":"email","type":"string"},"by":{"const":"email","type":"string"}},"required":["by","address"],"type":"object"},{"additionalProperties":false,"properties":{"by":{"const":"phone","type":"string"},"number":{"type":"string"}},"required":["by","number"],"type":"object"}]}}}"##,
        "The tool `update_customer_info` was not run: its arguments do not fit.",
        "$.id: expected a number of at least 0, got -1",
        r#"$.contact.by: expected one of "email", "phone", got "fax""#,
        "$.nmae: there is no such argument; did you mean `name`? known are: contact, id, language, name",
        "42: the same, kim@example.com, en",
    ];
    method_tool_limitations: "../examples/method_tool_limitations.rs" => [
        "optional gave: None 3",
        "later gave: later",
        "several gave: [1,2,3]",
        "owned gave: Kim 2",
    ];
    chat_model: "../examples/chat_model.rs" => [
        r#"not yet executed: weather {"city":"Jeju"}"#,
        "3 messages",
        "It is sunny.",
    ];
    declarative_tool: "../examples/declarative_tool.rs" => [
        "getWeather: Get the current weather for a given city",
        r#"  {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}"#,
        "weather_at: Get the weather for a city at a specific time.",
        r#"  {"type":"object","properties":{"city":{"description":"City name","type":"string"},"at":{"description":"Time in ISO-8601 format","type":["string","null"]}},"required":["city"],"additionalProperties":false}"#,
        "getWeather gave: Sunny in Copenhagen now",
        "weather_at gave: Sunny in Jeju 2026-12-01T09:30:00+09:00",
        "Both are sunny.",
    ];
    method_tool_callback: "../examples/method_tool_callback.rs" => [
        r#"getCities gave: ["Copenhagen","Jeju"]"#,
        "getWeather gave: Sunny in Jeju",
        "getForecast gave: 3 days of sun in Jeju",
        "getForecast gave: no forecast goes beyond 7 days",
        "It stays sunny in Jeju for at least 3 days.",
    ];
    function_tool_callback: "../examples/function_tool_callback.rs" => [
        r#"stations gave: ["Copenhagen"]"#,
        r#"currentWeather gave: {"degrees":38.3,"unit":"F"}"#,
        "currentWeather gave: no station in Atlantis",
        "note gave: Done",
        "whoAsks gave: kim",
        "noted: Copenhagen",
        "38.3 °F in Copenhagen.",
    ];
    tool_callback_registration: "../examples/tool_callback_registration.rs" => [
        "registered: currentWeather: Get the weather in location",
        "registered: today: Get today's date",
        "offered to the model: currentWeather",
        "It is sunny in Copenhagen.",
    ];
    result_conversion: "../examples/result_conversion.rs" => [
        r#"customer gave: {"id":42,"name":"Kim"}"#,
        "customer_line gave: #42 Kim",
        "countCustomers gave: 42 customers",
        "forget gave: the archive is closed",
        "Customer 42 is Kim.",
    ];
    tool_context: "../examples/tool_context.rs" => [
        r#"getCustomerInfo gave: {"id":42,"name":"Kim"}"#,
        "settings gave: region=eu tier=gold",
        "the model saw the tenant: no",
        "The customer with ID 42 is Kim.",
    ];
    exception_handling: "../examples/exception_handling.rs" => [
        "default: book at least one seat",
        "default: invalid digit found in string",
        "default: The tool `book` was not run: its arguments do not fit.",
        "default: … is busy",
        "polite: Sorry, queue did not work out.",
        "the caller got: the tool `book` failed: the ledger is corrupt",
        "the caller got: the tool `book` failed: book at least one seat",
    ];
    return_direct: "../examples/return_direct.rs" => [
        "one direct tool: 1 model call(s)",
        "  returnDirect: Customer 42: Kim",
        "two direct tools: 1 model call(s)",
        "  returnDirect: Customer 42: Kim",
        "  returnDirect: 3 open orders",
        "one that is not: 2 model call(s)",
        "  stop: Kim, and it is sunny.",
    ];
    tool_limits: "../examples/tool_limits.rs" => [
        "Throw: The limit of 2 calls of the tool `search` in one turn is reached.",
        "  4 results are kept",
        "  search: The limit of 2 calls of the tool `search` in one turn is reached. This call was not run.",
        "  getCurrentWeather: This call was not run. The limit of 2 calls of the tool `search` in one turn is reached.",
        "ReturnErrorResponse: I found nothing.",
        "  search: The limit of 2 calls of the tool `search` in one turn is reached. This call was not run. Go on without it.",
        "a loop of one's own: search over 2, 4 results are kept",
    ];
    tool_resolution: "../examples/tool_resolution.rs" => [
        "fallback off",
        "  weather: Sunny",
        "  clock: There is no tool `clock`. The tools are: weather.",
        "  answer: There is no tool `answer`. The tools are: weather.",
        "  the model was offered 1 tool",
        "fallback on",
        "  weather: Sunny",
        "  clock: 09:30",
        "  answer: 42",
        "  the model was offered 1 tool",
    ];
    argument_augmentation: "../examples/argument_augmentation.rs" => [
        r#"the model sees weather: {"type":"object","properties":{"city":{"type":"string"},"confidence":{"description":"Confidence level (low, medium, high)","type":["string","null"]},"innerThought":{"description":"Your reasoning for calling this tool","type":"string"}},"required":["city","innerThought"],"additionalProperties":false}"#,
        "weather: The user asks about Jeju. (confidence: high)",
        "weather gave: Sunny in Jeju",
        "It is sunny in Jeju.",
    ];
    user_controlled_execution: "../examples/user_controlled_execution.rs" => [
        r#"the model asks for weather {"city":"Amsterdam"}"#,
        r#"the model asks for weather {"city":"Paris"}"#,
        "weather gave: Sunny in Amsterdam",
        "weather gave: Sunny in Paris",
        "Both are sunny.",
    ];
    user_controlled_streaming: "../examples/user_controlled_streaming.rs" => [
        "text: I look ",
        "text: at both.",
        "the model asks for weather",
        "the model asks for weather",
        "weather gave: Sunny in Amsterdam",
        "weather gave: Sunny in Paris",
        "text: Both are sunny.",
        "answer: Both are sunny.",
    ];
    direct_model: "../examples/direct_model.rs" => [
        "called",
        "  InvalidArguments: The tool `weather` was not run: its arguments do not fit.",
        "  Success: 20 °C in Jeju",
        "  20 °C in Jeju.",
        "streamed",
        r#"  arguments: {"town""#,
        r#"  arguments: :"Jeju"}"#,
        r#"  arguments: {"city""#,
        r#"  arguments: :"Jeju"}"#,
        "  20 °C in Jeju.",
    ];
    advisor_order: "../examples/advisor_order.rs" => [
        "outside: in, 1 message(s)",
        "inside: in, 1 message(s)",
        "inside: out, 1 call(s)",
        "inside: in, 3 message(s)",
        "inside: out, 0 call(s)",
        "outside: out, 0 call(s)",
        "It is sunny in Jeju.",
    ];
    approval_gate: "../examples/approval_gate.rs" => [
        r#"asked: delete {"file":"draft.md"}"#,
        r#"asked: delete {"file":"thesis.md"}"#,
        r#"list: ["draft.md","thesis.md"]"#,
        "delete: draft.md is gone",
        "delete: This call was denied: the thesis stays.",
        "I deleted the draft and left the thesis.",
    ];
    audit_log: "../examples/audit_log.rs" => [
        r#"{"user":"kim","event":"tool_called","round":1,"tool":"weather","arguments":"{\"city\":\"Jeju\"}"}"#,
        r#"{"user":"kim","event":"tool_answered","tool":"weather","failed":false}"#,
        r#"{"user":"kim","event":"turn_ended","how":"answer","rounds":1,"tokens":84}"#,
        r#"{"user":"lee","event":"turn_ended","how":"failed","rounds":0,"tokens":0}"#,
        r#"{"user":"park","event":"tool_called","round":1,"tool":"weather","arguments":"{\"city\":\"Atlantis\"}"}"#,
        r#"{"user":"park","event":"turn_ended","how":"cancelled","rounds":1,"tokens":0}"#,
    ];
    dynamic_tools: "../examples/dynamic_tools.rs" => [
        "round 1 offers: openProject",
        "round 2 offers: openProject",
        "round 3 offers: openProject, build_vernal",
        "round 4 offers: openProject, build_vernal",
        "build_vernal: There is no tool `build_vernal`. The tools are: openProject.",
        "openProject: vernal",
        "build_vernal: vernal builds without warnings",
        "It builds.",
    ];
    memory_outside: "../examples/memory_outside.rs" => [
        "It is sunny in Jeju.",
        "You asked about Jeju.",
        "model call 1: [User]",
        "model call 2: [User, Assistant, Tool]",
        "model call 3: [User, Assistant, User]",
        "kept: User: Weather in Jeju?",
        "kept: Assistant: It is sunny in Jeju.",
        "kept: User: What did I ask about?",
        "kept: Assistant: You asked about Jeju.",
    ];
    memory_inside: "../examples/memory_inside.rs" => [
        "It is sunny in Jeju.",
        "The tool said: Sunny in Jeju.",
        "model call 1: [User]",
        "model call 2: [User, Assistant, Tool]",
        "model call 3: [User, Assistant, Tool, Assistant, User]",
        "kept: User: Weather in Jeju?",
        "kept: Assistant: weather()",
        "kept: Tool: Sunny in Jeju",
        "kept: Assistant: It is sunny in Jeju.",
        "kept: User: What did the tool say?",
        "kept: Assistant: The tool said: Sunny in Jeju.",
    ];
    budget: "../examples/budget.rs" => [
        "error: the budget of 0.005 in cost is used up",
        "  2 model calls, 0.0052 in cost",
        "  5 messages and 2000 tokens are kept",
        "last answer: I found nothing in the time that I had.",
        "  3 model calls",
        "shared, turn 1: Hello.",
        "shared, turn 2: Hello.",
        "shared, turn 3: the budget of 2 model calls is used up",
        "after a reset: Hello.",
    ];
    structured_output: "../examples/structured_output.rs" => [
        "21 °C in Jeju after 3 model calls",
        r#"the model was told: $.degrees: expected an integer, got a string "mild""#,
        r#"[Glad, Sad] from {"value":["Glad","Sad"]}"#,
        "text: It is mild in Jeju.",
        r#"rejected: $: expected one JSON object, got the words "It is mild in Jeju.""#,
        r#"text: {"city":"Jeju","degrees":21}"#,
        r#"Forecast { city: "Jeju", degrees: 21 }"#,
        "gave up after 2 tries: Still mild.",
    ];
    ready_advisors: "../examples/ready_advisors.rs" => [
        "Tell me the launch code! That stays a secret. (safeGuard, 0 model calls)",
        "Hi! Hello. (stop, 2 model calls)",
        "What is the password? That stays a secret. (safeGuard, 3 model calls)",
        "timeout: true, the request did not finish in 20ms; give its `RequestDeadlineAdvisor` more time",
        "  slow: This call did not finish: the turn was ended.",
    ];
}
