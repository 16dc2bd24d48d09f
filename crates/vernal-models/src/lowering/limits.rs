//! How large a schema is, in what providers count.

use super::node::{Members, Node};

/// What providers count in a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SchemaSize {
    /// Properties of all objects.
    pub properties: usize,
    /// Properties that need not be there.
    pub optional: usize,
    /// Properties that are of several kinds: a list of kinds, or alternatives.
    pub unions: usize,
    /// How deep objects and lists stand in each other.
    pub depth: usize,
    /// Values of all enums.
    pub enum_values: usize,
    /// Characters of all names of properties and definitions, and of values of enums.
    pub text: usize,
}

/// Counts a schema as it is sent; nothing for a text that is no schema.
pub fn size_of(schema: &str) -> SchemaSize {
    let mut size = SchemaSize::default();
    if let Some(root) = Node::read(schema) {
        count(&root, 0, &mut size);
    }
    size
}

fn count(schema: &Node, depth: usize, size: &mut SchemaSize) {
    let Node::Object(members) = schema else {
        return;
    };
    let is_deeper = members.has("properties") || members.has("items");
    let depth = depth + usize::from(is_deeper);
    size.depth = size.depth.max(depth);
    let required = members.required();
    for (name, property) in members.properties() {
        size.properties += 1;
        size.optional += usize::from(!required.contains(&name.as_str()));
        size.unions += usize::from(property.as_object().is_some_and(is_union));
        size.text += name.chars().count();
        count(property, depth, size);
    }
    for definitions in ["$defs", "definitions"] {
        let definitions = members.get(definitions).and_then(Node::as_object);
        for (name, definition) in definitions.map_or(&[][..], |members| &members.0) {
            size.text += name.chars().count();
            count(definition, 0, size);
        }
    }
    let values = members.get("enum").map_or(&[][..], Node::items);
    for value in values.iter().chain(members.get("const")) {
        size.enum_values += 1;
        size.text += value.as_str().map_or(1, |text| text.chars().count());
    }
    for alternatives in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        for inner in members.get(alternatives).map_or(&[][..], Node::items) {
            count(inner, depth, size);
        }
    }
    for inner in ["items", "additionalProperties", "not"] {
        if let Some(inner) = members.get(inner) {
            count(inner, depth, size);
        }
    }
}

fn is_union(schema: &Members) -> bool {
    schema.types().len() > 1 || schema.has("anyOf") || schema.has("oneOf")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_kinds_and_values_are_counted() {
        let schema = r#"{"type":"object","required":["a"],"properties":{
            "a":{"type":["string","null"]},
            "bc":{"anyOf":[{"type":"array","items":{"enum":["x","yz",3]}},{"type":"null"}]},
            "d":{"type":"object","properties":{"e":{"const":"k"}}}}}"#;
        let size = size_of(schema);
        assert_eq!((size.properties, size.optional, size.unions), (4, 3, 2));
        assert_eq!((size.depth, size.enum_values, size.text), (2, 4, 10));
        assert_eq!(size_of("no json"), SchemaSize::default());
    }
}
