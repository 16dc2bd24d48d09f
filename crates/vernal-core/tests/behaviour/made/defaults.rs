//! Parameters that may be left out (rule SCH-2).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use vernal_core::tool::{tool, tools};

use crate::made::support::{call, definition};

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Celsius,
    Kelvin,
}

/// Read from JSON, but never written as it.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
struct Unwritable(u8);

struct Tools;

#[tools]
impl Tools {
    const DAYS: u8 = 3;

    #[tool]
    #[allow(clippy::too_many_arguments)]
    fn forecast(
        &self,
        city: String,
        /// How many days.
        #[param(default = Self::DAYS)]
        days: u8,
        #[param(default)] unit: Unit,
        #[param(default = "en", required = false)] language: String,
        #[param(default = Some(1))] page: Option<u32>,
        #[param(default = Unwritable(9))] secret: Unwritable,
        #[param(name = "in", default = vec![1, 2])] list: Vec<u8>,
    ) -> String {
        format!(
            "{city} {days} {unit:?} {language} {page:?} {} {list:?}",
            secret.0
        )
    }
}

/// Generic blocks have defaults too; whether they serialise, the block cannot know.
struct Generic<T>(T);

#[tools]
impl<T: Default + Copy + Send + Serialize + serde::de::DeserializeOwned + schemars::JsonSchema>
    Generic<T>
{
    #[tool]
    fn get(&self, #[param(default = Default::default())] value: T) -> [T; 2] {
        [self.0, value]
    }
}

#[tool]
async fn wait(#[param(default = Duration::from_secs(1))] time: Duration) -> u64 {
    time.as_secs()
}

#[test]
fn sch_2_a_default_makes_a_parameter_optional_and_is_in_the_schema() {
    assert_eq!(
        definition(Tools, "forecast").input_schema(),
        concat!(
            r##"{"type":"object","properties":{"city":{"type":"string"},"##,
            r##""days":{"default":3,"description":"How many days.","maximum":255,"minimum":0,"type":"integer"},"##,
            r##""unit":{"$ref":"#/$defs/Unit","default":"celsius"},"##,
            r##""language":{"default":"en","type":"string"},"##,
            r##""page":{"default":1,"maximum":4294967295,"minimum":0,"type":["integer","null"]},"##,
            r##""secret":{"$ref":"#/$defs/Unwritable"},"##,
            r##""in":{"default":[1,2],"items":{"maximum":255,"minimum":0,"type":"integer"},"type":"array"}},"##,
            r##""required":["city"],"additionalProperties":false,"$defs":{"##,
            r##""Unit":{"enum":["celsius","kelvin"],"type":"string"},"##,
            r##""Unwritable":{"description":"Read from JSON, but never written as it.","maximum":255,"minimum":0,"type":"integer"}}}"##,
        )
    );
    let schema = definition(Generic(1u8), "get").input_schema().to_owned();
    assert!(schema.contains(r#""required":[]"#), "{schema}");
}

#[test]
fn sch_2_what_is_left_out_is_the_default() {
    assert_eq!(
        call(Tools, "forecast", r#"{"city":"Jeju"}"#).unwrap(),
        "Jeju 3 Celsius en Some(1) 9 [1, 2]"
    );
    let all = r#"{"city":"Jeju","days":1,"unit":"kelvin","language":"ko","page":null,"secret":2,"in":[]}"#;
    assert_eq!(
        call(Tools, "forecast", all).unwrap(),
        "Jeju 1 Kelvin ko None 2 []"
    );
    assert_eq!(call(Generic(1u8), "get", "").unwrap(), "[1,0]");
    assert_eq!(call(wait, "wait", "").unwrap(), "1");
}

#[test]
fn sch_2_a_default_does_not_hide_a_mistake() {
    let error = call(Tools, "forecast", r#"{"city":"Jeju","days":"many"}"#).unwrap_err();
    assert!(
        error.to_string().starts_with("$.days: expected "),
        "{error}"
    );
}
