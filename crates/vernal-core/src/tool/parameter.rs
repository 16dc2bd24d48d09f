use schemars::JsonSchema;
use serde::de::value::Error as Unreadable;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::schema::json::Object;
use super::schema::{CompiledSchema, ParameterSchemas};

/// A type that can be a parameter of a tool method: it can be read from JSON and has a schema.
///
/// Implemented for every type with `serde::Deserialize` and `schemars::JsonSchema`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of a tool",
    label = "no JSON value can be read as this type",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it, or take owned data such as `String`",
    note = "what the application gives, and not the model, is marked with `#[param(inject)]`"
)]
pub trait ToolParameter: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolParameter for T {}

/// A type that can be the whole input of a tool function: a struct with a field for each parameter.
///
/// Implemented for every type with `serde::Deserialize` and `schemars::JsonSchema`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the input of a tool",
    label = "no JSON object can be read as this type",
    note = "take one struct that derives `serde::Deserialize` and `schemars::JsonSchema`"
)]
pub trait ToolParameters: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> ToolParameters for T {}

/// A parameter as the schema needs it.
///
/// Public for the expansions of the attributes only.
pub struct Parameter {
    name: &'static str,
    description: String,
    required: bool,
    /// What a parameter that was left out is, in the schema's words.
    default: Option<Value>,
    add: AddParameter,
}

type AddParameter = fn(ParameterSchemas, &'static str, &str, bool) -> ParameterSchemas;

impl Parameter {
    /// A parameter that may be left out if its type can be read from nothing, as `Option` can (rule
    /// SCH-2).
    pub fn new<T: ToolParameter>(name: &'static str, description: impl Into<String>) -> Self {
        Self {
            name,
            description: description.into(),
            required: !is_read_from_nothing::<T>(),
            default: None,
            add: ParameterSchemas::parameter::<T>,
        }
    }

    /// Says whether it must be there.
    #[must_use]
    pub fn required(self, required: bool) -> Self {
        Self { required, ..self }
    }

    /// It may be left out; `default` is what the schema says of it, if it can be said in JSON.
    #[must_use]
    pub fn default(self, default: Option<Value>) -> Self {
        Self {
            required: false,
            default,
            ..self
        }
    }

    /// The name that the model uses.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    fn add_to(&self, schemas: ParameterSchemas) -> ParameterSchemas {
        (self.add)(schemas, self.name, &self.description, self.required)
    }

    fn add_as_anything_to(&self, schemas: ParameterSchemas) -> ParameterSchemas {
        schemas.parameter::<Value>(self.name, &self.description, self.required)
    }

    /// As it is where its schema, taken alone, can be used.
    fn add_if_usable_to(&self, schemas: ParameterSchemas) -> ParameterSchemas {
        let alone = self.add_to(ParameterSchemas::new()).finish();
        match CompiledSchema::for_tool_input(&alone) {
            Ok(_) => self.add_to(schemas),
            Err(_) => self.add_as_anything_to(schemas),
        }
    }
}

/// What becomes of a parameter whose type has a schema, written by hand, that cannot be used.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unusable {
    /// It is taken as it is.
    Kept,
    /// It is described as anything at all.
    Anything,
    /// All parameters are described as anything at all.
    AllAnything,
}

/// The schema of parameters, in order.
pub(crate) fn schema_of(parameters: &[Parameter], unusable: Unusable) -> String {
    let add = match unusable {
        Unusable::Kept => Parameter::add_to,
        Unusable::Anything => Parameter::add_if_usable_to,
        Unusable::AllAnything => Parameter::add_as_anything_to,
    };
    let schemas = parameters
        .iter()
        .fold(ParameterSchemas::new(), |all, one| add(one, all));
    let schema = schemas.finish();
    if parameters
        .iter()
        .all(|parameter| parameter.default.is_none())
    {
        return schema;
    }
    with_defaults(&schema, parameters).unwrap_or(schema)
}

/// The schema with `default` in the properties that have one; everything else keeps its bytes.
fn with_defaults(schema: &str, parameters: &[Parameter]) -> Option<String> {
    let members: Object<'_> = serde_json::from_str(schema).ok()?;
    let properties: Object<'_> = serde_json::from_str(members.get("properties")?.get()).ok()?;
    let properties = properties.iter().map(|(name, property)| {
        let parameter = parameters.iter().find(|parameter| parameter.name == name);
        let default = parameter.and_then(|parameter| parameter.default.as_ref());
        (&**name, with_default(property, default))
    });
    let properties = object_text(properties);
    Some(object_text(members.iter().map(
        |(keyword, value)| match &**keyword {
            "properties" => ("properties", properties.clone()),
            keyword => (keyword, value.get().to_owned()),
        },
    )))
}

fn with_default(property: &RawValue, default: Option<&Value>) -> String {
    let text = property.get().to_owned();
    let Some(default) = default else { return text };
    let mut members: Map<String, Value> = match serde_json::from_str(&text) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(), // It is `true`: anything.
    };
    members.insert("default".to_owned(), default.clone());
    Value::Object(members).to_string()
}

fn object_text<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let members: Vec<String> = members
        .map(|(name, value)| format!("{}:{value}", Value::from(name)))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Whether serde can read the type from a field that is not there, which is its own rule for what
/// may be left out: true for an `Option` under any name.
pub(crate) fn is_read_from_nothing<T: ToolParameter>() -> bool {
    T::deserialize(Nothing).is_ok()
}

struct Nothing;

impl<'de> Deserializer<'de> for Nothing {
    type Error = Unreadable;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable::custom("there is nothing to read"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
