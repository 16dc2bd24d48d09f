use vernal_core::message::ToolContent;

use super::*;

fn asks(ids: &[&str]) -> Message {
    let part = |id: &&str| PartContent::ToolCall(ToolCall::new(*id, "now", "{}")).into();
    Message::new(Role::Assistant, ids.iter().map(part).collect())
}

fn answers(ids: &[&str]) -> Message {
    let result = |id: &&str| ToolResponse::success(&ToolCall::new(*id, "now", "{}"), vec![]);
    Message::tool(ids.iter().map(result))
}

fn knows_none(_: Option<&Message>, _: &str) -> bool {
    false
}

/// The ids of calls and results, message by message.
fn ids(prompt: &Prompt) -> Vec<String> {
    let ids = |message: &Arc<Message>| {
        let calls = message.tool_calls().map(|call| &*call.id);
        let results = message.tool_responses().map(|result| &*result.call_id);
        calls.chain(results).collect::<Vec<_>>().join(" ")
    };
    prompt.messages().iter().map(ids).collect()
}

fn repaired(messages: Vec<Message>) -> Vec<String> {
    let prompt = Prompt::from(History::from(messages));
    let paired = paired(&prompt, &knows_none);
    assert!(matches!(paired, Cow::Owned(_)));
    // What was repaired is valid.
    assert!(is_paired(paired.messages(), &knows_none));
    ids(&paired)
}

#[test]
fn what_is_valid_stays_the_same() {
    let many: Vec<String> = (0..40).map(|number| number.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for messages in [
        vec![],
        vec![Message::user("a"), Message::assistant("b")],
        vec![
            asks(&["a", "b"]),
            answers(&["a", "b"]),
            asks(&["a"]),
            answers(&["a"]),
        ],
        vec![
            asks(&["a", "b"]),
            answers(&["b"]),
            answers(&["a"]),
            Message::user("c"),
        ],
        vec![asks(&many), answers(&many)],
    ] {
        let prompt = Prompt::from(History::from(messages));
        assert!(matches!(paired(&prompt, &knows_none), Cow::Borrowed(_)));
    }
}

#[test]
fn messages_that_need_no_change_are_the_very_same() {
    let messages = vec![
        asks(&["a"]),
        answers(&["a"]),
        asks(&["b"]),
        Message::user("x"),
    ];
    let prompt = Prompt::from(History::from(messages));
    let paired = paired(&prompt, &knows_none);
    let (before, after) = (prompt.messages(), paired.messages());
    assert_eq!(after.len(), 5);
    for (at, is) in [(0, 0), (1, 1), (2, 2), (3, 4)] {
        assert!(Arc::ptr_eq(before.get(at).unwrap(), after.get(is).unwrap()));
    }
}

#[test]
fn ids_become_distinct() {
    let blank = ["call_0_0", "x", "x_2", "x_3", "x_2_2", "call_0_5"].join(" ");
    let given = ["", "x", "x", "x", "x_2", " "];
    let found = repaired(vec![asks(&given), answers(&given)]);
    assert_eq!(found, [blank.clone(), blank]);
}

#[test]
fn what_a_server_knows_stays() {
    let messages = vec![answers(&["a"]), asks(&["b"]), answers(&["c", "b"])];
    let prompt = Prompt::from(History::from(messages.clone()));
    let knows = |latest: Option<&Message>, id: &str| match latest {
        None => id == "a",
        Some(message) => message.has_tool_calls() && id == "c",
    };
    assert!(matches!(paired(&prompt, &knows), Cow::Borrowed(_)));
    assert_eq!(repaired(messages), ["b", "b"]);
}

#[test]
fn many_calls_of_one_id_take_no_time() {
    let given = vec!["x"; 20_000];
    let found = repaired(vec![asks(&given), answers(&given)]);
    assert!(found[1].ends_with(" x_20000"));
    let apart = given.iter().map(|id| asks(&[id]));
    let found = repaired(apart.chain([answers(&given)]).collect());
    assert_eq!(found, vec!["x"; 40_000]);
}

/// The outcome of each result, by what it says: `lost` where there is none.
fn results(messages: Vec<Message>) -> Vec<String> {
    let prompt = Prompt::from(History::from(messages));
    let paired = paired(&prompt, &knows_none);
    assert!(is_paired(paired.messages(), &knows_none));
    let results = paired.messages().iter().flat_map(|message| {
        message.tool_responses().map(|result| match result.text() {
            text if text == LOST => format!("{} lost", result.call_id),
            text => format!("{} {text}", result.call_id),
        })
    });
    results.collect()
}

fn tells(results: &[(&str, &str)]) -> Message {
    let result = |(id, text): &(&str, &str)| {
        let call = ToolCall::new(*id, "now", "{}");
        ToolResponse::success(&call, vec![ToolContent::Text((*text).into())])
    };
    Message::tool(results.iter().map(result))
}

#[test]
fn calls_in_messages_of_their_own_have_their_results() {
    let user = || Message::user("u");
    let calls = || vec![user(), asks(&["a"]), asks(&["b"])];
    for after in [
        vec![answers(&["a"]), answers(&["b"])],
        vec![answers(&["b"]), answers(&["a"])],
        vec![answers(&["a", "b"])],
        vec![answers(&["a"]), user(), answers(&["b"])],
    ] {
        let users = after.iter().filter(|one| one.role() == Role::User).count();
        let found = repaired([calls(), after].concat());
        assert_eq!(found[..5], ["", "a", "a", "b", "b"], "{found:?}");
        assert_eq!(found.len(), 5 + users);
    }
    let two = vec![answers(&["a"]), answers(&["b"]), user()];
    let prompt = Prompt::from(History::from([calls(), two].concat()));
    let paired = paired(&prompt, &knows_none);
    // Moved, and otherwise the very same.
    for (at, is) in [(0, 0), (1, 1), (2, 3), (3, 2), (4, 4), (5, 5)] {
        let (before, after) = (prompt.messages().get(at), paired.messages().get(is));
        assert!(Arc::ptr_eq(before.unwrap(), after.unwrap()), "{at}");
    }
}

#[test]
fn no_result_is_lost_that_answers_a_call() {
    let user = || Message::user("u");
    let said = || Message::assistant("s");
    let cases: [(Vec<Message>, &[&str]); 8] = [
        (
            vec![asks(&["a"]), asks(&["b"]), tells(&[("b", "2")])],
            &["a lost", "b 2"],
        ),
        (vec![asks(&["a"]), said(), tells(&[("a", "1")])], &["a 1"]),
        (
            vec![asks(&["a"]), user(), said(), user(), tells(&[("a", "1")])],
            &["a 1"],
        ),
        (
            vec![
                asks(&["a"]),
                user(),
                asks(&["b"]),
                tells(&[("a", "1"), ("b", "2")]),
            ],
            &["a 1", "b 2"],
        ),
        // One id in two messages of a run.
        (
            vec![
                asks(&["x"]),
                asks(&["x"]),
                tells(&[("x", "1")]),
                tells(&[("x", "2")]),
            ],
            &["x 1", "x 2"],
        ),
        // A later use of the id ends the wait.
        (
            vec![
                asks(&["x"]),
                user(),
                asks(&["x"]),
                tells(&[("x", "2"), ("x", "3")]),
            ],
            &["x lost", "x 2"],
        ),
        // Each call has one result, and no result comes before its call.
        (
            vec![
                asks(&["a"]),
                tells(&[("a", "1")]),
                said(),
                tells(&[("a", "2")]),
            ],
            &["a 1"],
        ),
        (
            vec![tells(&[("a", "1")]), asks(&["a"]), user()],
            &["a lost"],
        ),
    ];
    for (messages, expected) in cases {
        assert_eq!(results(messages), expected);
    }
}
