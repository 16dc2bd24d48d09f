//! Calls that need what other calls find, and calls that fail.

use futures::executor::block_on;
use serde_json::json;
use vernal_core::message::{History, Message, ToolContent, ToolResponse};
use vernal_core::model::{ChatModel, Prompt};

use crate::desk::{Answer, Desk, alarms, calls, model, object, string, weather};

#[test]
fn an_alarm_is_set_ten_minutes_after_what_the_time_tool_says_in_text() {
    let outcome = alarms("2025-06-04T09:55:00+09:00[Asia/Seoul]")
        .run("Can you set an alarm 10 minutes from now?");
    assert_eq!(
        calls(&outcome),
        [
            ("current_date_time", json!({})),
            ("set_alarm", json!({"time": "2025-06-04T10:05:00+09:00"})),
        ]
    );
    assert!(
        outcome.answer.starts_with("Done: set alarm"),
        "{}",
        outcome.answer
    );
}

#[test]
fn an_alarm_is_set_from_a_time_in_json() {
    let time = json!({"date": "2025-12-31", "time": "23:55", "zone": "Europe/Berlin"});
    let outcome = alarms(&time.to_string()).run("wake me up in 10 minutes");
    assert_eq!(outcome.calls[1].1, json!({"time": "2026-01-01T00:05:00"}));
}

#[test]
fn a_korean_alarm() {
    let outcome = alarms("2025-06-04T10:00:00+09:00").run("10분 뒤에 알람 맞춰줘");
    assert_eq!(
        outcome.calls[1].1,
        json!({"time": "2025-06-04T10:10:00+09:00"})
    );
    assert!(outcome.answer.starts_with("완료"), "{}", outcome.answer);
}

#[test]
fn without_a_time_tool_the_clock_is_asked() {
    let schema = object(
        json!({"when": {"type": "string", "format": "date-time"}}),
        &["when"],
    );
    let desk = Desk::default().tool("wecker_stellen", "Stellt einen Wecker", schema, "null");
    let outcome = desk.run("Stelle den Wecker für morgen um 7 Uhr");
    assert_eq!(
        calls(&outcome),
        [("wecker_stellen", json!({"when": "2025-06-05T07:00:00Z"}))]
    );
}

#[test]
fn a_time_tool_that_fails_is_not_asked_again() {
    let desk = alarms("").answering("current_date_time", &[Answer::Fails("no clock".into())]);
    let outcome = desk.run("Set an alarm in 10 minutes");
    assert_eq!(outcome.calls[1].1, json!({"time": "2025-06-04T10:10:00Z"}));
}

#[test]
fn the_time_itself_is_only_asked_for() {
    let outcome = alarms("2025-06-04T10:00:00Z").run("What time is it?");
    assert_eq!(calls(&outcome), [("current_date_time", json!({}))]);
    assert!(outcome.answer.contains("2025-06-04T10:00:00Z"));
}

fn shop() -> Desk {
    Desk::default()
        .tool(
            "find_customers",
            "Find customers by name",
            object(json!({"name": {"type": "string"}}), &["name"]),
            json!([{"id": 7, "name": "Alice Smith"}, {"id": 9, "name": "Alice Jones"}]),
        )
        .tool(
            "list_orders",
            "List the orders of a customer",
            object(
                json!({"customer_id": {"type": "integer"}}),
                &["customer_id"],
            ),
            json!([{"order_id": "A-1", "total": 20}]),
        )
        .tool(
            "cancel_order",
            "Cancel an order",
            object(json!({"order_id": {"type": "string"}}), &["order_id"]),
            "Done",
        )
}

#[test]
fn an_id_is_looked_up_by_name_first() {
    let outcome = shop().run("Show me the orders of Alice Jones");
    assert_eq!(
        calls(&outcome),
        [
            ("find_customers", json!({"name": "Alice Jones"})),
            ("list_orders", json!({"customer_id": 9}))
        ]
    );
    assert_eq!(outcome.answer, "1 result: order id: A-1, total: 20.");
}

#[test]
fn tools_stand_behind_one_another() {
    let outcome = shop().run("Cancel Alice Jones's order");
    let names: Vec<&str> = outcome
        .calls
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["find_customers", "list_orders", "cancel_order"]);
    assert_eq!(outcome.calls[2].1, json!({"order_id": "A-1"}));
}

#[test]
fn an_id_that_is_said_is_used() {
    assert_eq!(
        calls(&shop().run("cancel order A-1001")),
        [("cancel_order", json!({"order_id": "A-1001"}))]
    );
}

#[test]
fn an_error_is_worded_and_not_repeated() {
    let desk = weather().answering(
        "currentWeather",
        &[Answer::Fails("the service is down".into())],
    );
    let outcome = desk.run("What's the weather in Paris?");
    assert_eq!(outcome.calls.len(), 1);
    assert_eq!(
        outcome.answer,
        "The tool `currentWeather` answered with an error: the service is down."
    );
}

#[test]
fn an_error_that_names_the_right_value_is_put_right_once() {
    let unknown =
        Answer::Fails("unknown location 'Paris'; expected one of: Paris FR, Oslo NO".into());
    let desk = weather().answering(
        "currentWeather",
        &[unknown.clone(), Answer::Gives("Sunny".into())],
    );
    let outcome = desk.run("What's the weather in Paris?");
    assert_eq!(outcome.calls[1].1, json!({"location": "Paris FR"}));
    assert_eq!(outcome.answer, "Sunny.");
    let outcome = weather()
        .answering("currentWeather", &[unknown])
        .run("What's the weather in Paris?");
    assert_eq!(outcome.calls.len(), 2);
    assert!(outcome.answer.contains("unknown location"));
}

#[test]
fn a_result_is_handed_on_to_the_next_tool() {
    let schema = object(
        json!({"to": {"type": "string", "format": "email"}, "body": {"type": "string"}}),
        &["to", "body"],
    );
    let desk = weather().tool("send_email", "Sends an e-mail", schema, "Done");
    let desk = desk.answering(
        "currentWeather",
        &[Answer::Gives("Sunny, 21 degrees".into())],
    );
    let outcome = desk.run("What's the weather in Paris? Then email it to bob@example.com");
    assert_eq!(
        calls(&outcome),
        [
            ("currentWeather", json!({"location": "Paris"})),
            (
                "send_email",
                json!({"to": "bob@example.com", "body": "Sunny, 21 degrees"})
            ),
        ]
    );
}

#[test]
fn two_wishes_reach_two_tools() {
    let desk = alarms("2025-06-04T10:00:00Z");
    let schema = object(
        json!({"location": string("The city's name.")}),
        &["location"],
    );
    let desk = desk.tool(
        "currentWeather",
        "Get the weather in location",
        schema,
        "Sunny",
    );
    let outcome = desk.run("What's the weather in Paris and set an alarm in 10 minutes");
    let names: Vec<&str> = outcome
        .calls
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["currentWeather", "current_date_time", "set_alarm"]);
    assert!(outcome.answer.contains("Sunny") && outcome.answer.contains("Done: set alarm"));
}

#[test]
fn tools_are_searched_where_none_fits_and_called_when_they_are_there() {
    let schema = object(
        json!({"query": string("What the tool should do")}),
        &["query"],
    );
    let search = Desk::default().tool("find_tools", "Search for tools", schema, "currentWeather");
    let mut history = History::from("What's the weather in Paris?");
    let asked = block_on(model().call(Prompt::new(history.clone(), search.options()))).unwrap();
    let call = asked.tool_calls().next().unwrap().clone();
    assert_eq!(&*call.name, "find_tools");
    assert!(call.arguments.as_str().contains("weather in Paris"));
    history.push(asked.generation().unwrap().message.clone());
    let found = ToolContent::Text("currentWeather".into());
    history.push(Message::tool([ToolResponse::success(&call, vec![found])]));
    let both = Desk {
        tools: [search.tools, weather().tools].concat(),
        answers: weather().answers,
    };
    let outcome = both.run_from(history);
    assert_eq!(
        calls(&outcome),
        [("currentWeather", json!({"location": "Paris"}))]
    );
    assert!(outcome.answer.contains("21"));
}
