//! A schema in the form in which it is checked.

use super::json::{Decimal, Document, Kind};

/// The place of a schema in its arena.
pub(super) type SchemaId = usize;

/// One schema: `true`, `false`, or keywords.
#[derive(Debug, Clone)]
pub(super) enum Schema {
    Anything,
    Nothing,
    Keywords(Box<Keywords>),
}

/// The keywords of one schema object; `None` and empty mean that the keyword is absent.
#[derive(Debug, Clone, Default)]
pub(super) struct Keywords {
    /// Which of the document's resources the schema is part of.
    pub(super) resource: usize,
    pub(super) reference: Option<SchemaId>,
    pub(super) dynamic_reference: Option<DynamicReference>,
    pub(super) types: Option<Types>,
    /// The array of an `enum`.
    pub(super) one_of_values: Option<Document<'static>>,
    pub(super) constant: Option<Document<'static>>,
    // Numbers
    pub(super) minimum: Option<Number>,
    pub(super) maximum: Option<Number>,
    pub(super) exclusive_minimum: Option<Number>,
    pub(super) exclusive_maximum: Option<Number>,
    pub(super) multiple_of: Option<Number>,
    // Strings
    pub(super) min_length: Option<usize>,
    pub(super) max_length: Option<usize>,
    // Arrays
    pub(super) prefix_items: Vec<SchemaId>,
    pub(super) items: Option<SchemaId>,
    pub(super) contains: Option<SchemaId>,
    pub(super) min_contains: Option<usize>,
    pub(super) max_contains: Option<usize>,
    pub(super) min_items: Option<usize>,
    pub(super) max_items: Option<usize>,
    pub(super) unique_items: bool,
    pub(super) unevaluated_items: Option<SchemaId>,
    // Objects
    pub(super) properties: Properties,
    pub(super) patterns: Vec<(NamePattern, SchemaId)>,
    /// Whether there are patterns that names cannot be checked against here.
    pub(super) unknown_patterns: bool,
    pub(super) additional: Option<SchemaId>,
    pub(super) property_names: Option<SchemaId>,
    pub(super) required: Vec<String>,
    pub(super) min_properties: Option<usize>,
    pub(super) max_properties: Option<usize>,
    pub(super) dependent_required: Vec<(String, Vec<String>)>,
    pub(super) dependent_schemas: Vec<(String, SchemaId)>,
    pub(super) unevaluated_properties: Option<SchemaId>,
    // Composition
    pub(super) all_of: Vec<SchemaId>,
    pub(super) any_of: Vec<SchemaId>,
    pub(super) one_of: Vec<SchemaId>,
    pub(super) not: Option<SchemaId>,
    pub(super) condition: Option<SchemaId>,
    pub(super) then: Option<SchemaId>,
    pub(super) otherwise: Option<SchemaId>,
}

/// A `$dynamicRef`.
#[derive(Debug, Clone)]
pub(super) struct DynamicReference {
    /// What it means where nobody outside says otherwise.
    pub(super) target: SchemaId,
    /// The anchor that may be elsewhere, if the target has it as a `$dynamicAnchor`.
    pub(super) anchor: Option<String>,
}

impl Keywords {
    /// The schemas that hold for the same value as this one.
    pub(super) fn in_place(&self) -> impl Iterator<Item = SchemaId> {
        let single = [
            self.reference,
            self.not,
            self.condition,
            self.then,
            self.otherwise,
        ];
        let dynamic = self
            .dynamic_reference
            .iter()
            .map(|reference| reference.target);
        let lists = [&self.all_of, &self.any_of, &self.one_of];
        let dependent = self.dependent_schemas.iter().map(|(_, schema)| *schema);
        single
            .into_iter()
            .flatten()
            .chain(dynamic)
            .chain(lists.into_iter().flatten().copied())
            .chain(dependent)
    }

    /// The schema that a member of this name must fit, if it is one that the schema knows.
    pub(super) fn known_member(&self, name: &str) -> Option<SchemaId> {
        let pattern = || {
            self.patterns
                .iter()
                .find(|(pattern, _)| pattern.matches(name))
        };
        self.properties
            .get(name)
            .or_else(|| pattern().map(|(_, schema)| *schema))
    }
}

/// A number that values are compared with.
#[derive(Debug, Clone)]
pub(super) struct Number(pub(super) Box<str>);

impl Number {
    pub(super) fn decimal(&self) -> Decimal<'_> {
        Decimal::of(&self.0)
    }
}

/// The schemas of members by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Properties(Vec<(String, SchemaId)>);

impl Properties {
    pub(super) fn new(mut named: Vec<(String, SchemaId)>) -> Self {
        named.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self(named)
    }

    pub(super) fn get(&self, name: &str) -> Option<SchemaId> {
        let at = self
            .0
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
            .ok()?;
        self.0.get(at).map(|(_, schema)| *schema)
    }

    /// In alphabetical order.
    pub(super) fn iter(&self) -> std::slice::Iter<'_, (String, SchemaId)> {
        self.0.iter()
    }
}

/// A pattern for names that can be checked without a regular expression: those of maps by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamePattern {
    Integer,
    NaturalNumber,
}

impl NamePattern {
    pub(super) fn of(pattern: &str) -> Option<Self> {
        match pattern {
            r"^-?\d+$" | "^-?[0-9]+$" => Some(Self::Integer),
            r"^\d+$" | "^[0-9]+$" => Some(Self::NaturalNumber),
            _ => None,
        }
    }

    pub(super) fn matches(self, name: &str) -> bool {
        let digits = match self {
            Self::Integer => name.strip_prefix('-').unwrap_or(name),
            Self::NaturalNumber => name,
        };
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// The types that a `type` keyword names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Types(u8);

const INTEGER: u8 = 1 << 6;

impl Types {
    fn bit(kind: Kind) -> u8 {
        match kind {
            Kind::Null => 1,
            Kind::Bool => 1 << 1,
            Kind::Number => 1 << 2,
            Kind::String => 1 << 3,
            Kind::Array => 1 << 4,
            Kind::Object => 1 << 5,
        }
    }

    /// Adds the type of this name, if there is one.
    pub(super) fn add(&mut self, name: &str) -> Option<()> {
        self.0 |= match name {
            "null" => Self::bit(Kind::Null),
            "boolean" => Self::bit(Kind::Bool),
            "number" => Self::bit(Kind::Number),
            "string" => Self::bit(Kind::String),
            "array" => Self::bit(Kind::Array),
            "object" => Self::bit(Kind::Object),
            "integer" => INTEGER,
            _ => return None,
        };
        Some(())
    }

    /// Whether a value of this kind is allowed; `is_integer` is asked only where it matters.
    pub(super) fn allow(self, kind: Kind, is_integer: impl FnOnce() -> bool) -> bool {
        self.0 & Self::bit(kind) != 0
            || (kind == Kind::Number && self.0 & INTEGER != 0 && is_integer())
    }

    /// The types of both.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The types in words, such as `an integer or null`.
    pub(super) fn describe(self) -> String {
        let names = [
            (Self::bit(Kind::String), "a string"),
            (INTEGER, "an integer"),
            (Self::bit(Kind::Number), "a number"),
            (Self::bit(Kind::Bool), "a boolean"),
            (Self::bit(Kind::Array), "an array"),
            (Self::bit(Kind::Object), "an object"),
            (Self::bit(Kind::Null), "null"),
        ];
        let named: Vec<_> = names
            .iter()
            .filter(|(bit, _)| self.0 & bit != 0)
            .map(|(_, name)| *name)
            .collect();
        named.join(" or ")
    }
}
