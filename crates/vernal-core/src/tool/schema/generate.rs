//! Schemas of Rust types.

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

use super::definitions;
use super::tidy::Tidier;

/// The input schema of a type: an object with a property for each field.
pub fn input_schema_of<T: JsonSchema>() -> String {
    let mut root = Value::from(generator().into_root_schema_for::<T>());
    if root.get("type").and_then(Value::as_str) == Some("null") {
        return String::new(); // The type is `()`: no input.
    }
    let mut named = take_definitions(&mut root);
    definitions::name_root(&mut root, &mut named, &T::schema_name());
    if let Some(members) = root.as_object_mut() {
        members.remove("description");
    }
    let mut schemas = [root];
    finish(&mut schemas, &mut named);
    let [mut root] = schemas;
    if let Some(members) = root.as_object_mut().filter(|_| !named.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(named));
    }
    root.sort_all_objects();
    root.to_string()
}

/// The input schema of a method or function, put together parameter by parameter.
///
/// Parameters stand in the order in which they were added, the fields of nested types in
/// alphabetical order (rule SCH-1); types that occur in several places are shared (rule SCH-5).
pub struct ParameterSchemas {
    generator: SchemaGenerator,
    parameters: Vec<Parameter>,
    schemas: Vec<Value>,
}

struct Parameter {
    name: &'static str,
    description: String,
    required: bool,
}

impl ParameterSchemas {
    /// The schema of no parameters.
    #[expect(
        clippy::new_without_default,
        reason = "an accumulator is begun, not defaulted"
    )]
    pub fn new() -> Self {
        Self {
            generator: generator(),
            parameters: Vec::new(),
            schemas: Vec::new(),
        }
    }

    /// Adds a parameter of type `T`. A blank description leaves the type's own (rule SCH-3); a second
    /// parameter of one name changes nothing.
    #[must_use]
    pub fn parameter<T: JsonSchema>(
        mut self,
        name: &'static str,
        description: &str,
        required: bool,
    ) -> Self {
        if self.parameters.iter().any(|known| known.name == name) {
            return self;
        }
        self.schemas
            .push(Value::from(self.generator.subschema_for::<T>()));
        self.parameters.push(Parameter {
            name,
            description: description.trim().to_owned(),
            required,
        });
        self
    }

    /// The schema as text.
    pub fn finish(mut self) -> String {
        let mut named = self.generator.take_definitions(true);
        finish(&mut self.schemas, &mut named);
        let properties: Vec<_> = self
            .parameters
            .iter()
            .zip(self.schemas)
            .map(|(parameter, schema)| {
                let mut schema = described(schema, &parameter.description);
                schema.sort_all_objects();
                format!("{}:{schema}", Value::from(parameter.name))
            })
            .collect();
        let required = self
            .parameters
            .iter()
            .filter(|parameter| parameter.required);
        let required: Value = required.map(|parameter| parameter.name).collect();
        let mut text = format!(
            r#"{{"type":"object","properties":{{{}}},"required":{required},"additionalProperties":false"#,
            properties.join(",")
        );
        if !named.is_empty() {
            let mut named = Value::Object(named);
            named.sort_all_objects();
            text.push_str(&format!(r#","$defs":{named}"#));
        }
        text.push('}');
        text
    }
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}

fn take_definitions(root: &mut Value) -> Map<String, Value> {
    let Some(members) = root.as_object_mut() else {
        return Map::new();
    };
    members.remove("$schema");
    members.remove("title");
    match members.remove("$defs") {
        Some(Value::Object(named)) => named,
        _ => Map::new(),
    }
}

/// Brings schemas and the definitions that they share into their final form.
fn finish(schemas: &mut [Value], named: &mut Map<String, Value>) {
    let raw = named.clone();
    let tidier = Tidier::new(&raw);
    schemas
        .iter_mut()
        .chain(named.values_mut())
        .for_each(|schema| tidier.close(schema));
    definitions::share_equal(schemas, named);
    definitions::drop_unused(schemas, named);
}

/// The schema with this description; a schema that is just `true` becomes an object for it.
fn described(schema: Value, description: &str) -> Value {
    if description.is_empty() {
        return schema;
    }
    let mut members = match schema {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    members.insert("description".to_owned(), description.into());
    Value::Object(members)
}
