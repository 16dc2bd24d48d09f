//! SCH-1 and ARG-3 of integers: how large they may be is said in the schema up to 32 bits, and told with
//! the path whatever they are.

use serde::Deserialize;
use serde_json::{Value, json};
use vernal_core::message::ToolOutcome;
use vernal_core::tool::schema::input_schema_of;
use vernal_core::tool::{FunctionToolCallback, ToolCallback};

use crate::scenario::Scenario;
use crate::transcript::last_answers;

#[derive(Deserialize, schemars::JsonSchema)]
#[allow(dead_code)]
struct Integers {
    i8: i8,
    u8: u8,
    i16: i16,
    u16: u16,
    i32: i32,
    u32: u32,
    maybe: Option<i32>,
    nested: Vec<[u32; 1]>,
    #[schemars(range(min = 1, max = 500))]
    bounded: u32,
}

#[test]
fn sch_1_integers_of_up_to_32_bits_have_their_bounds() {
    let schema: Value = serde_json::from_str(&input_schema_of::<Integers>()).unwrap();
    for (name, minimum, maximum) in [
        ("i8", i64::from(i8::MIN), i64::from(i8::MAX)),
        ("u8", 0, i64::from(u8::MAX)),
        ("i16", i64::from(i16::MIN), i64::from(i16::MAX)),
        ("u16", 0, i64::from(u16::MAX)),
        ("i32", i64::from(i32::MIN), i64::from(i32::MAX)),
        ("u32", 0, i64::from(u32::MAX)),
        ("bounded", 1, 500),
    ] {
        let expected = json!({"type":"integer","minimum":minimum,"maximum":maximum});
        assert_eq!(schema["properties"][name], expected, "{name}");
    }
    assert_eq!(schema["properties"]["maybe"]["maximum"], i32::MAX);
    let inner = &schema["properties"]["nested"]["items"]["items"];
    assert_eq!(inner["maximum"], u32::MAX);
}

#[derive(Deserialize, schemars::JsonSchema)]
#[allow(dead_code)]
struct Long {
    i64: i64,
    u64: u64,
    isize: isize,
    usize: usize,
    i128: i128,
    u128: u128,
}

#[test]
fn sch_1_longer_integers_say_no_more_than_their_sign() {
    let schema: Value = serde_json::from_str(&input_schema_of::<Long>()).unwrap();
    for name in ["i64", "isize", "i128"] {
        assert_eq!(schema["properties"][name], json!({"type":"integer"}));
    }
    for name in ["u64", "usize", "u128"] {
        let expected = json!({"type":"integer","minimum":0});
        assert_eq!(schema["properties"][name], expected);
    }
}

#[tokio::test]
async fn arg_3_an_integer_that_is_too_large_is_told_with_its_path() {
    #[derive(Deserialize, schemars::JsonSchema)]
    #[allow(dead_code)]
    struct Orders {
        orders: Vec<Order>,
    }
    #[derive(Deserialize, schemars::JsonSchema)]
    #[allow(dead_code)]
    struct Order {
        count: u32,
        shift: i32,
        id: u64,
    }
    let order = |count: &str, shift: &str, id: &str| {
        format!(
            r#"{{"orders":[{{"count":1,"shift":-1,"id":1}},{{"count":{count},"shift":{shift},"id":{id}}}]}}"#
        )
    };
    for (arguments, result, lines) in [
        (
            order("4294967296", "-2147483649", "1"),
            ToolOutcome::InvalidArguments,
            vec![
                "$.orders[1].count: expected a number of at most 4294967295, got 4294967296",
                "$.orders[1].shift: expected a number of at least -2147483648, got -2147483649",
            ],
        ),
        (
            order("1", "1", "-1"),
            ToolOutcome::InvalidArguments,
            vec!["$.orders[1].id: expected a number of at least 0, got -1"],
        ),
        // What the schema does not say is told by whoever reads the value, with its path too.
        (
            order("1", "1", "18446744073709551616"),
            ToolOutcome::InvalidArguments,
            vec!["$.orders[1].id", "18446744073709551616"],
        ),
        (
            order("4294967295", "-2147483648", "18446744073709551615"),
            ToolOutcome::Success,
            vec!["Done"],
        ),
    ] {
        let take = FunctionToolCallback::builder("order", |_: Orders| ());
        let take = take.build().unwrap();
        assert!(take.tool_definition().input_schema().contains("4294967295"));
        let scenario = Scenario::new()
            .callback(take)
            .calls("order", &arguments)
            .says("done");
        scenario
            .check(|outcome| {
                let (outcome, text) = last_answers(&outcome.history).remove(0);
                assert_eq!(outcome, result, "{text}");
                assert!(lines.iter().all(|line| text.contains(line)), "{text}");
            })
            .await;
    }
}
