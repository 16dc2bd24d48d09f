//! Which types can be asked for, and in which forms an answer is taken.

use std::collections::BTreeMap;
use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use vernal_core::Error;
use vernal_core::client::ChatClient;
use vernal_core::model::ResponseSchema;
use vernal_testing::ScriptedModel;

use crate::kit::last_messages;
use crate::structured::{Forecast, GOOD, jeju};

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Mood {
    Good,
    Bad,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

/// Only the type itself knows that it is even.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "u32")]
struct Even(u32);

impl TryFrom<u32> for Even {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        match number % 2 {
            0 => Ok(Self(number)),
            _ => Err(format!("{number} is odd")),
        }
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Pair {
    left: Even,
    right: Option<Even>,
}

async fn answered<T: DeserializeOwned + JsonSchema + 'static>(answer: &str) -> Result<T, Error> {
    let model = ScriptedModel::new().says(answer);
    let request = ChatClient::create(model).prompt("go");
    request.entity().max_corrections(0).await
}

async fn taken<T>(answers: &[&str], value: T)
where
    T: DeserializeOwned + JsonSchema + Debug + PartialEq + 'static,
{
    for answer in answers {
        let taken = answered::<T>(answer).await;
        assert_eq!(
            taken.unwrap_or_else(|e| panic!("{answer}: {e}")),
            value,
            "{answer}"
        );
    }
}

#[tokio::test]
async fn values_that_are_no_objects_stand_in_one() {
    taken(&[r#"{"value":"Good"}"#, r#""Good""#], Mood::Good).await;
    taken(
        &[r#"{"value":[1,2]}"#, "[1,2]", "```\n[1, 2]\n```"],
        vec![1, 2],
    )
    .await;
    taken(&[r#"{"value":7}"#, "7", " 7\n"], 7_u64).await;
    let circle = Shape::Circle { radius: 1.5 };
    let bare = r#"{"kind":"circle","radius":1.5}"#;
    taken(&[bare, &format!(r#"{{"value":{bare}}}"#)], circle).await;
    taken(&[r#"{"value":null}"#], None::<Mood>).await;
    taken(&[r#"{"value":"Bad"}"#], Some(Mood::Bad)).await;
    taken(&[r#"{"value":"a"}"#], "a".to_owned()).await;
    for schema in [
        ResponseSchema::of::<Mood>(),
        ResponseSchema::of::<Vec<u8>>(),
        ResponseSchema::of::<Shape>(),
    ] {
        let schema = schema.unwrap();
        assert!(schema.is_wrapped());
        let text = schema.schema();
        assert!(
            text.starts_with(r#"{"type":"object","properties":{"value":"#),
            "{text}"
        );
    }
}

#[tokio::test]
async fn objects_are_taken_as_they_are() {
    taken(&[GOOD], jeju()).await;
    let map = BTreeMap::from([("a".to_owned(), 1)]);
    taken(&[r#"{"a":1}"#], map).await;
    let leaf = |name: &str| Tree {
        name: name.to_owned(),
        children: Vec::new(),
    };
    let tree = Tree {
        name: "root".to_owned(),
        children: vec![leaf("a"), leaf("b")],
    };
    let text =
        r#"{"name":"root","children":[{"name":"a","children":[]},{"name":"b","children":[]}]}"#;
    taken(&[text], tree).await;
}

#[tokio::test]
async fn words_and_fences_around_an_answer_are_borne_with() {
    let fenced = format!("```json\n{GOOD}\n```");
    let told = format!("Here you are:\n{fenced}\nAnything else?");
    let inline = format!("The forecast {GOOD} [1] is good.");
    let second = format!("Not {{}} but {GOOD}");
    taken(&[&fenced, &told, &inline, &second], jeju()).await;
    // Lossless coercions, as for arguments (rule ARG-4).
    taken(&[r#"{"city":"Jeju","degrees":"21"}"#], jeju()).await;
}

#[tokio::test]
async fn what_does_not_fit_is_not_taken() {
    for (answer, why) in [
        ("", "the answer is empty"),
        ("Warm.", "expected one JSON object, got the words \"Warm.\""),
        ("[1]", "must be one JSON object, not an array"),
        (r#"{"city":"Jeju","#, "not valid JSON"),
        (
            r#"{"outer":{"city":"Jeju","degrees":21},}"#,
            "not valid JSON",
        ),
        (r#"{"city":"Jeju"}"#, "$.degrees"),
        (r#"{"city":"Jeju","degrees":21,"wind":3}"#, "$.wind"),
        (r#"{"city":"Jeju","degrees":21,"degrees":22}"#, "twice"),
        (r#"{"value":{"city":"Jeju","degrees":21}}"#, "$.city"),
    ] {
        let error = answered::<Forecast>(answer).await.unwrap_err();
        let invalid = error.invalid_answer().expect("an invalid answer");
        let lines: Vec<String> = invalid.violations().map(|v| v.to_string()).collect();
        assert!(lines.join("\n").contains(why), "{answer}: {lines:?}");
        assert_eq!(invalid.text(), answer);
    }
    // A bare value is judged as what it is.
    let error = answered::<Vec<u8>>("[1, 300]").await.unwrap_err();
    assert!(error.to_string().contains("$.value[1]"), "{error}");
}

#[tokio::test]
async fn what_only_the_type_knows_is_corrected_too() {
    let odd = r#"{"left":2,"right":3}"#;
    let model = ScriptedModel::new()
        .says(odd)
        .says(r#"{"left":2,"right":4}"#);
    let request = ChatClient::create(model.clone()).prompt("go");
    let pair: Pair = request.entity().await.unwrap();
    let (left, right) = (Even(2), Some(Even(4)));
    assert_eq!(pair, Pair { left, right });
    let last = &last_messages(&model)[1];
    assert!(last.contains(": 3 is odd"), "{last}");
}

#[test]
fn a_schema_is_made_once_for_a_type() {
    let [first, second] = [(); 2].map(|()| ResponseSchema::of::<Tree>().unwrap());
    assert!(std::ptr::eq(first.schema(), second.schema()));
    let loose = first.clone().with_strict(false);
    assert!(loose != first && loose.schema() == first.schema());
    assert_eq!(first.name(), "Tree");
    let schema = ResponseSchema::new("날씨 report!", r#"{"properties":{}}"#).unwrap();
    assert_eq!(schema.name(), "report");
    assert_eq!(ResponseSchema::new("날씨", "{}").unwrap().name(), "answer");
    let error = ResponseSchema::new("list", r#"{"type":"array"}"#).unwrap_err();
    assert!(error.to_string().contains("the answer `list`"), "{error}");
}
