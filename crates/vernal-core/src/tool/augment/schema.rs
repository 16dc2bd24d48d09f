use std::collections::HashSet;

use schemars::JsonSchema;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::opened::opened;
use crate::tool::schema::input_schema_of;
use crate::tool::schema::json::{NotAnObject, Object};

/// Adds the fields of a Rust struct to the input schema of a tool.
///
/// ```
/// use vernal_core::tool::augment::ToolInputSchemaAugmenter;
///
/// #[derive(schemars::JsonSchema)]
/// struct Why {
///     /// The reason.
///     why: String,
/// }
///
/// let schema = r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#;
/// assert_eq!(
///     ToolInputSchemaAugmenter::augment::<Why>(schema)?,
///     r#"{"type":"object","properties":{"city":{"type":"string"},"why":{"description":"The reason.","type":"string"}},"required":["city","why"]}"#,
/// );
/// # Ok::<(), vernal_core::tool::augment::AugmentError>(())
/// ```
pub struct ToolInputSchemaAugmenter;

/// Why a schema cannot be augmented.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct AugmentError(pub(super) String);

impl AugmentError {
    pub(super) fn clash(name: &str) -> Self {
        Self(format!(
            "the field `{name}` clashes with an argument of the tool; rename the field"
        ))
    }
}

impl From<NotAnObject> for AugmentError {
    fn from(error: NotAnObject) -> Self {
        Self(format!("the schema cannot be augmented: {error}"))
    }
}

impl ToolInputSchemaAugmenter {
    /// The schema with the fields of `T` behind its own; everything else keeps its place. Where other schemas
    /// for the same object have to know of the fields, as the branches of an enum, they do, and its members are
    /// in alphabetical order.
    ///
    /// # Errors
    /// `T` has no fields or has some that depend on each other, as a flattened enum's do; the schema is not an
    /// object's, says something of all arguments together, or refers to what cannot be followed; or a field of
    /// `T` clashes with a property that the schema has already, at its root or in a branch (rule AUG-4).
    pub fn augment<T: JsonSchema>(schema: &str) -> Result<String, AugmentError> {
        let extra = Extra::of::<T>()?;
        let names: Vec<&str> = extra.properties.keys().map(String::as_str).collect();
        let opened = opened(schema, &names)?;
        let members: Object<'_> = serde_json::from_str(opened.as_deref().unwrap_or(schema))
            .map_err(|error| AugmentError(format!("the schema cannot be augmented: {error}")))?;
        let raw = |name: &str| members.get(name).map(RawValue::get);
        let definitions: Map<String, Value> = parsed(raw("$defs"))?;
        let extra = extra.beside(&definitions);
        let properties = with_properties(raw("properties"), &extra.properties)?;
        let required = with_required(raw("required"), &extra.required)?;
        let mut text = Text::new();
        for (name, value) in members.iter() {
            match name.as_ref() {
                "properties" => text.member(name, &properties),
                "required" => text.member(name, &required),
                "$defs" if !extra.definitions.is_empty() => {
                    let mut all = definitions.clone();
                    all.extend(extra.definitions.clone());
                    text.member(name, &Value::Object(all).to_string());
                }
                _ => text.member(name, value.get()),
            }
        }
        for (name, value) in [("properties", &properties), ("required", &required)] {
            if raw(name).is_none() {
                text.member(name, value);
            }
        }
        if raw("$defs").is_none() && !extra.definitions.is_empty() {
            text.member("$defs", &Value::Object(extra.definitions).to_string());
        }
        Ok(text.finish())
    }

    /// The names of the fields of `T`, as they are written in JSON.
    ///
    /// # Errors
    /// `T` has no fields.
    pub fn field_names<T: JsonSchema>() -> Result<Vec<String>, AugmentError> {
        Ok(Extra::of::<T>()?
            .properties
            .into_iter()
            .map(|(name, _)| name)
            .collect())
    }
}

/// Keywords by which fields come from elsewhere than a struct.
const DEPENDENT: [&str; 8] = [
    "oneOf",
    "anyOf",
    "allOf",
    "$ref",
    "if",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
];

/// Whether a keyword says more than that there is nothing else.
fn says(members: &Map<String, Value>, keyword: &str) -> bool {
    members
        .get(keyword)
        .is_some_and(|value| *value != Value::Bool(false))
}

/// What a struct adds to a schema.
struct Extra {
    properties: Map<String, Value>,
    required: Vec<String>,
    definitions: Map<String, Value>,
}

impl Extra {
    fn of<T: JsonSchema>() -> Result<Self, AugmentError> {
        let text = input_schema_of::<T>();
        let mut members: Map<String, Value> =
            parsed(Some(&text).filter(|t| !t.is_empty()).map(|t| &**t))?;
        let mut object = |name: &str| match members.remove(name) {
            Some(Value::Object(named)) => named,
            _ => Map::new(),
        };
        let (properties, definitions) = (object("properties"), object("$defs"));
        let name = T::schema_name();
        if let Some(keyword) = DEPENDENT.iter().find(|keyword| says(&members, keyword)) {
            return Err(AugmentError(format!(
                "the fields of `{name}` are not all its own (`{keyword}` is in its schema), as with \
                 `#[serde(flatten)]` on an enum, an option or a map; augment with a struct of plain fields, \
                 and let one of them be of that type"
            )));
        }
        let required = match members.remove("required") {
            Some(Value::Array(names)) => names
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            _ => Vec::new(),
        };
        if properties.is_empty() {
            return Err(AugmentError(format!(
                "`{name}` has no fields to add; augment with a struct that has at least one"
            )));
        }
        Ok(Self {
            properties,
            required,
            definitions,
        })
    }

    /// The same with definitions that can stand beside `taken`: equal ones are shared, different ones of
    /// the same name are renamed, and so is what refers to them (rule SCH-5).
    fn beside(mut self, taken: &Map<String, Value>) -> Self {
        let own = std::mem::take(&mut self.definitions);
        let mut used: HashSet<String> = taken.keys().chain(own.keys()).cloned().collect();
        let mut renamed: Vec<(String, String)> = Vec::new();
        for name in different(&own, taken) {
            let free = (2..)
                .map(|n| format!("{name}_{n}"))
                .find(|new| !used.contains(new));
            let new = free.unwrap_or_else(|| name.clone());
            used.insert(new.clone());
            renamed.push((name, new));
        }
        for (name, schema) in own {
            match renamed.iter().find(|(old, _)| *old == name) {
                Some((_, new)) => self.definitions.insert(new.clone(), schema),
                None if taken.contains_key(&name) => None,
                None => self.definitions.insert(name, schema),
            };
        }
        let schemas = self
            .properties
            .values_mut()
            .chain(self.definitions.values_mut());
        schemas.for_each(|schema| rename_references(schema, &renamed));
        self
    }
}

/// The names of `own` definitions that mean something else in `taken`, themselves or by what they refer
/// to.
fn different(own: &Map<String, Value>, taken: &Map<String, Value>) -> Vec<String> {
    let is_other =
        |(name, schema): &(&String, &Value)| taken.get(*name).is_some_and(|t| t != *schema);
    let mut names: Vec<String> = own
        .iter()
        .filter(is_other)
        .map(|(name, _)| name.clone())
        .collect();
    let mut at = 0;
    while let Some(target) = names.get(at).map(|name| format!("#/$defs/{name}")) {
        for (name, schema) in own {
            if taken.contains_key(name) && !names.contains(name) && refers_to(schema, &target) {
                names.push(name.clone());
            }
        }
        at += 1;
    }
    names
}

fn refers_to(schema: &Value, target: &str) -> bool {
    match schema {
        Value::Object(members) => members.iter().any(|(name, value)| {
            (name == "$ref" && value.as_str() == Some(target)) || refers_to(value, target)
        }),
        Value::Array(items) => items.iter().any(|item| refers_to(item, target)),
        _ => false,
    }
}

fn rename_references(schema: &mut Value, renamed: &[(String, String)]) {
    match schema {
        Value::Object(members) => {
            for (name, value) in members {
                let target = value.as_str().filter(|_| name == "$ref");
                let named = target.and_then(|target| target.strip_prefix("#/$defs/"));
                let new = named.and_then(|old| renamed.iter().find(|(from, _)| from == old));
                match new {
                    Some((_, to)) => *value = Value::from(format!("#/$defs/{to}")),
                    None => rename_references(value, renamed),
                }
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| rename_references(item, renamed)),
        _ => {}
    }
}

fn with_properties(own: Option<&str>, extra: &Map<String, Value>) -> Result<String, AugmentError> {
    let own: Object<'_> = parsed(own)?;
    if let Some(name) = extra.keys().find(|name| own.get(name).is_some()) {
        return Err(AugmentError::clash(name));
    }
    let mut text = Text::new();
    own.iter()
        .for_each(|(name, schema)| text.member(name, schema.get()));
    extra
        .iter()
        .for_each(|(name, schema)| text.member(name, &schema.to_string()));
    Ok(text.finish())
}

fn with_required(own: Option<&str>, extra: &[String]) -> Result<String, AugmentError> {
    let mut names: Vec<String> = parsed(own)?;
    names.extend(extra.iter().cloned());
    Ok(Value::from(names).to_string())
}

fn parsed<'a, T: serde::Deserialize<'a> + Default>(
    text: Option<&'a str>,
) -> Result<T, AugmentError> {
    text.map_or(Ok(T::default()), serde_json::from_str)
        .map_err(|error| AugmentError(format!("the schema cannot be augmented: {error}")))
}

/// A JSON object in the making.
pub(super) struct Text(String);

impl Text {
    pub(super) fn new() -> Self {
        Self("{".to_owned())
    }

    pub(super) fn member(&mut self, name: &str, json: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&Value::from(name).to_string());
        self.0.push(':');
        self.0.push_str(json);
    }

    pub(super) fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}
