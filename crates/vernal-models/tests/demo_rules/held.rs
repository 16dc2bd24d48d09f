//! Which tool is meant, by what of the message it has a place for, and which part goes where.

use serde_json::{Value, json};

use crate::desk::{Desk, calls, object, string};

fn number() -> Value {
    json!({"type": "integer"})
}

#[test]
fn the_tool_that_takes_all_that_is_said_is_meant() {
    let oven = json!({"type": "integer", "description": "Oven number"});
    let bake = object(
        json!({"oven": oven, "celsius": number(), "minutes": number()}),
        &["oven", "celsius", "minutes"],
    );
    let one = object(json!({"oven": oven}), &["oven"]);
    let desk = Desk::default()
        .tool("oven_state", "State of an oven", one.clone(), "ok")
        .tool("stop_oven", "Stop an oven", one, "ok")
        .tool("begin_baking", "Begin baking", bake, "ok");
    assert_eq!(
        calls(&desk.run("Oven 4 at 220 degrees Celsius for 35 minutes")),
        [(
            "begin_baking",
            json!({"oven": 4, "celsius": 220, "minutes": 35})
        )]
    );
}

#[test]
fn no_word_of_the_tool_is_needed_where_it_alone_takes_two_things() {
    let watch = object(
        json!({
            "symbol": string("Ticker symbol"),
            "side": {"type": "string", "enum": ["above", "below"]},
            "limit": {"type": "number"},
        }),
        &["symbol", "side", "limit"],
    );
    let show = object(json!({"page": number()}), &[]);
    let desk = Desk::default()
        .tool("watch_market", "Watches a market", watch, "ok")
        .tool("show_help", "Shows the handbook", show, "ok");
    assert_eq!(
        calls(&desk.run("shout once ACME falls under 12.5")),
        [(
            "watch_market",
            json!({"symbol": "ACME", "side": "below", "limit": 12.5})
        )]
    );
}

#[test]
fn what_the_goal_takes_is_not_what_is_looked_up_by() {
    let find = object(
        json!({"pony_name": {"type": "string"}, "owner": string("Name of the owner")}),
        &["pony_name", "owner"],
    );
    let treat = object(
        json!({
            "pony_id": string("Id of the pony"),
            "work": {"type": "string", "enum": ["shoeing", "deworming"]},
        }),
        &["pony_id", "work"],
    );
    let desk = Desk::default()
        .tool(
            "find_pony",
            "Find a pony; returns its id",
            find,
            json!({"pony_id": "p-9"}),
        )
        .tool("plan_work", "Plan work on a pony", treat, "ok");
    assert_eq!(
        calls(&desk.run("Plan a deworming for Biscuit, Nora Field's pony")),
        [
            (
                "find_pony",
                json!({"pony_name": "Biscuit", "owner": "Nora Field"})
            ),
            ("plan_work", json!({"pony_id": "p-9", "work": "deworming"})),
        ]
    );
}

#[test]
fn what_is_told_of_a_verb_that_no_tool_does_calls_none() {
    let id = object(
        json!({"poster_id": string("Poster number")}),
        &["poster_id"],
    );
    let desk = Desk::default()
        .tool("hang_poster", "Hang a poster", id.clone(), "ok")
        .tool("store_poster", "Move a poster to the store", id, "ok");
    assert!(
        desk.run("Translate poster P-12 into Greek")
            .calls
            .is_empty()
    );
}

#[test]
fn labels_may_be_short_and_objects_are_completed() {
    let schema = object(
        json!({
            "pressure": object(
                json!({"inletValve": number(), "outletValve": number()}),
                &["inletValve", "outletValve"],
            ),
            "flowRate": {"type": "integer", "description": "Throughput in pieces"},
            "temperature": {"type": "number"},
            "line": {"type": "integer"},
        }),
        &["line"],
    );
    let desk = Desk::default().tool("note_line", "Note the state of a line", schema, "ok");
    assert_eq!(
        calls(&desk.run("Line 3: pressure 14 over 9, throughput 250, temp 61.5")),
        [(
            "note_line",
            json!({
                "line": 3,
                "pressure": {"inletValve": 14, "outletValve": 9},
                "flowRate": 250,
                "temperature": 61.5,
            })
        )]
    );
}

#[test]
fn values_are_read_with_their_signs_parts_and_kinds() {
    let grade = object(
        json!({"grade": {"type": "string", "enum": ["A", "A-", "B+", "B"]}}),
        &["grade"],
    );
    let desk = Desk::default().tool("enter_grade", "Enter a grade", grade, "ok");
    for said in ["Enter a grade of B+", "Enter the grade B plus"] {
        assert_eq!(desk.run(said).calls[0].1, json!({"grade": "B+"}), "{said}");
    }
    let cost = object(
        json!({
            "amount": {"type": "number"},
            "kind": {"type": "string", "enum": ["lodging", "transport"]},
        }),
        &["amount", "kind"],
    );
    let desk = Desk::default().tool("add_cost", "Add a cost", cost, "ok");
    assert_eq!(
        desk.run("Add a cost of 14.20 for the ferry").calls[0].1,
        json!({"amount": 14.2, "kind": "transport"})
    );
}
