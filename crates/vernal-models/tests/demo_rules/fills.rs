//! Which tool is called, and with what.

use serde_json::json;

use crate::desk::{Desk, calls, object, string, weather};

#[test]
fn units_are_converted() {
    let schema = object(
        json!({"value": {"type": "number"}, "from_unit": {"type": "string"}, "to_unit": {"type": "string"}}),
        &["value", "from_unit", "to_unit"],
    );
    let desk = Desk::default().tool("unit_converter", "Converts between units", schema, 3.107);
    let outcome = desk.run("Convert 5 km to miles");
    assert_eq!(
        outcome.calls[0].1,
        json!({"value": 5, "from_unit": "km", "to_unit": "miles"})
    );
    assert_eq!(outcome.answer, "The result is 3.107.");
    let outcome = desk.run("How many feet are in 3 miles?");
    assert_eq!(
        outcome.calls[0].1,
        json!({"value": 3, "from_unit": "miles", "to_unit": "feet"})
    );
}

#[test]
fn calculations_are_taken_as_they_are() {
    let schema = object(
        json!({"expression": string("What to calculate")}),
        &["expression"],
    );
    let desk = Desk::default().tool("calculator", "Evaluates an expression", schema, "84");
    for (text, expression) in [
        ("what is 12 * (3 + 4)?", "12 * (3 + 4)"),
        ("What is 25 times 4?", "25 * 4"),
        ("Calculate the square root of 16", "sqrt(16)"),
        ("Was ist 7 mal 8?", "7 * 8"),
    ] {
        assert_eq!(
            desk.run(text).calls[0].1,
            json!({ "expression": expression }),
            "{text}"
        );
    }
}

#[test]
fn the_weather_of_a_town_in_many_languages() {
    for (text, town) in [
        ("What's the weather in Jeju?", "Jeju"),
        ("weather in paris please", "paris"),
        ("Is it raining in New York right now?", "New York"),
        ("내일 부산의 날씨를 알려줘", "부산"),
        ("Wie ist das Wetter in München?", "München"),
        ("¿Qué tiempo hace en Madrid?", "Madrid"),
        ("東京の天気を教えて", "東京"),
        ("北京今天天气怎么样", "北京"),
    ] {
        let outcome = weather().run(text);
        assert_eq!(
            calls(&outcome),
            [("currentWeather", json!({ "location": town }))],
            "{text}"
        );
        assert!(outcome.answer.contains("21"), "{}", outcome.answer);
    }
}

#[test]
fn two_towns_are_two_calls_in_one_answer() {
    let outcome = weather().run("Compare the weather in Paris and Oslo");
    assert_eq!(
        calls(&outcome),
        [
            ("currentWeather", json!({"location": "Paris"})),
            ("currentWeather", json!({"location": "Oslo"})),
        ]
    );
    assert_eq!(outcome.rounds, [2]);
    assert!(outcome.answer.contains("Paris: ") && outcome.answer.contains("Oslo: "));
}

#[test]
fn notes_keep_the_words_of_the_user() {
    let schema = object(json!({"text": string("The note's text")}), &["text"]);
    let desk = Desk::default().tool("add_note", "Save a note", schema, "Done");
    for (text, note) in [
        ("note that the milk is empty", "the milk is empty"),
        (
            "Take a note: call the plumber tomorrow",
            "call the plumber tomorrow",
        ),
        ("Write down that Bob owes me $20", "Bob owes me $20"),
        ("우유가 떨어졌다고 메모해줘", "우유가 떨어졌다"),
    ] {
        assert_eq!(desk.run(text).calls[0].1, json!({ "text": note }), "{text}");
    }
}

#[test]
fn a_tool_without_parameters_and_one_with_odd_schemas() {
    let odd = json!({"type": "object", "properties": {"choice": {"anyOf": [{"$ref": "#/$defs/Choice"}, {"type": "null"}]}},
        "required": ["choice"], "$defs": {"Choice": {"enum": ["yes", "no"]}}});
    let desk = Desk::default()
        .tool("open_garage", "Opens the garage", json!({}), "null")
        .tool("vote", "Casts a vote", odd, "Done")
        .tool(
            "nothing",
            "",
            json!({"type": "object", "properties": {}}),
            "",
        );
    assert_eq!(
        calls(&desk.run("please open the garage")),
        [("open_garage", json!({}))]
    );
    assert_eq!(
        calls(&desk.run("I vote yes")),
        [("vote", json!({"choice": "yes"}))]
    );
}

#[test]
fn nested_objects_and_lists_are_filled() {
    let person = object(
        json!({"name": {"type": "string"}, "email": {"type": "string", "format": "email"}}),
        &["name"],
    );
    let schema = object(
        json!({"contact": person, "tags": {"type": "array", "items": {"enum": ["vip", "press", "staff"]}}}),
        &["contact"],
    );
    let desk = Desk::default().tool("create_contact", "Creates a contact", schema, "Done");
    let outcome =
        desk.run("Create a contact named Maria Lopez with email maria@x.org, tags vip and press");
    assert_eq!(
        outcome.calls[0].1,
        json!({"contact": {"name": "Maria Lopez", "email": "maria@x.org"}, "tags": ["vip", "press"]})
    );
}

#[test]
fn a_list_of_objects_is_filled_from_an_enumeration() {
    let item = object(
        json!({"name": {"type": "string"}, "quantity": {"type": "integer", "minimum": 1}}),
        &["name", "quantity"],
    );
    let schema = object(
        json!({"items": {"type": "array", "items": item, "minItems": 1}}),
        &["items"],
    );
    let desk = Desk::default().tool("place_order", "Places an order", schema, "Done");
    assert_eq!(
        desk.run("Order 2 pizzas and 3 colas").calls[0].1,
        json!({"items": [{"name": "pizzas", "quantity": 2}, {"name": "colas", "quantity": 3}]})
    );
}

#[test]
fn places_dates_and_numbers_find_their_parameters() {
    let schema = object(
        json!({"destination": {"type": "string"}, "origin": {"type": "string"},
               "date": {"type": "string", "format": "date"}, "passengers": {"type": "integer"}}),
        &["origin", "destination", "date"],
    );
    let desk = Desk::default().tool(
        "flug_buchen",
        "Bucht einen Flug / books a flight",
        schema,
        "Done",
    );
    let wanted =
        json!({"origin": "Berlin", "destination": "Madrid", "date": "2025-12-24", "passengers": 2});
    for text in [
        "Book a flight from Berlin to Madrid on December 24 for 2 passengers",
        "I need a flight to Madrid from Berlin for 2 people on 12/24/2025",
        "Buche einen Flug von Berlin nach Madrid am 24.12. für 2 Personen",
    ] {
        assert_eq!(desk.run(text).calls[0].1, wanted, "{text}");
    }
}

#[test]
fn one_of_a_hundred_tools_is_found() {
    let things = [
        "invoice", "robot", "garden", "parcel", "museum", "printer", "lamp", "boat", "camera",
        "violin",
    ];
    let verbs = [
        "create", "delete", "list", "rename", "export", "archive", "repair", "paint", "rent",
        "weigh",
    ];
    let mut desk = Desk::default();
    for thing in things {
        for verb in verbs {
            let schema = object(json!({"name": {"type": "string"}}), &["name"]);
            desk = desk.tool(
                &format!("{verb}_{thing}"),
                &format!("{verb} a {thing}"),
                schema,
                "Done",
            );
        }
    }
    for (text, name) in [
        ("Please rename the camera called Leica", "rename_camera"),
        ("Delete the robot named Marvin", "delete_robot"),
        ("rent a boat called Aurora", "rent_boat"),
        ("I want to weigh the parcel named Box", "weigh_parcel"),
    ] {
        assert_eq!(desk.run(text).calls[0].0, name, "{text}");
    }
    assert!(desk.run("Tell me a joke").answer.contains("and 90 more"));
}
