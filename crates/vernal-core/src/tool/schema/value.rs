//! The keywords of a schema that are plain values: types, bounds, names.

use std::borrow::Cow;

use super::json::{Decimal, Document, Kind, NodeId};
use super::keywords::{Keywords, Number, Types};
use super::schema_error::{SchemaError, wrong};

/// How much of a value is shown in an error.
const MAX_SHOWN_CHARS: usize = 60;

/// Takes a keyword that is a plain value; false for any other.
pub(super) fn keyword(
    document: &Document<'_>,
    k: &mut Keywords,
    name: &str,
    at: NodeId,
) -> Result<bool, SchemaError> {
    match name {
        "type" => k.types = Some(types(document, at)?),
        "enum" => {
            expect(document, at, Kind::Array, "a list")?;
            k.one_of_values = Some(copied(document, at)?);
        }
        "const" => k.constant = Some(copied(document, at)?),
        "minimum" => k.minimum = Some(number(document, at)?),
        "maximum" => k.maximum = Some(number(document, at)?),
        // Draft 4 has a flag beside `minimum` and `maximum`: see `finish`.
        "exclusiveMinimum" | "exclusiveMaximum" if document.kind(at) == Kind::Bool => {}
        "exclusiveMinimum" => k.exclusive_minimum = Some(number(document, at)?),
        "exclusiveMaximum" => k.exclusive_maximum = Some(number(document, at)?),
        "multipleOf" => k.multiple_of = Some(number(document, at)?),
        "minLength" => k.min_length = Some(count(document, at)?),
        "maxLength" => k.max_length = Some(count(document, at)?),
        "minContains" => k.min_contains = Some(count(document, at)?),
        "maxContains" => k.max_contains = Some(count(document, at)?),
        "minItems" => k.min_items = Some(count(document, at)?),
        "maxItems" => k.max_items = Some(count(document, at)?),
        "uniqueItems" => k.unique_items = document.raw(at) == "true",
        "required" => k.required = names(document, at)?,
        "minProperties" => k.min_properties = Some(count(document, at)?),
        "maxProperties" => k.max_properties = Some(count(document, at)?),
        "dependentRequired" => {
            expect(document, at, Kind::Object, "an object")?;
            for member in document.children(at) {
                let needed = names(document, member)?;
                k.dependent_required
                    .push((document.name(member).to_owned(), needed));
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Takes the keywords of draft 4 that change others.
pub(super) fn finish(document: &Document<'_>, schema: NodeId, k: &mut Keywords) {
    let flag = |name: &str| {
        document
            .member(schema, name)
            .is_some_and(|flag| document.raw(flag) == "true")
    };
    if flag("exclusiveMinimum") {
        k.exclusive_minimum = k.minimum.take();
    }
    if flag("exclusiveMaximum") {
        k.exclusive_maximum = k.maximum.take();
    }
}

pub(super) fn expect(
    document: &Document<'_>,
    at: NodeId,
    kind: Kind,
    expected: &str,
) -> Result<(), SchemaError> {
    match document.kind(at) == kind {
        true => Ok(()),
        false => Err(wrong(document, at, expected)),
    }
}

pub(super) fn names(document: &Document<'_>, at: NodeId) -> Result<Vec<String>, SchemaError> {
    let all_names = document
        .children(at)
        .all(|name| document.kind(name) == Kind::String);
    if document.kind(at) != Kind::Array || !all_names {
        return Err(wrong(document, at, "a list of names"));
    }
    Ok(document
        .children(at)
        .map(|name| document.string(name).to_owned())
        .collect())
}

fn types(document: &Document<'_>, at: NodeId) -> Result<Types, SchemaError> {
    let mut types = Types::default();
    let named = match document.kind(at) {
        Kind::String => types.add(document.string(at)),
        Kind::Array => document
            .children(at)
            .try_for_each(|name| types.add(document.string(name))),
        _ => None,
    };
    named
        .map(|()| types)
        .ok_or_else(|| wrong(document, at, "a type name or a list of type names"))
}

fn number(document: &Document<'_>, at: NodeId) -> Result<Number, SchemaError> {
    expect(document, at, Kind::Number, "a number")?;
    Ok(Number(document.raw(at).into()))
}

fn count(document: &Document<'_>, at: NodeId) -> Result<usize, SchemaError> {
    expect(document, at, Kind::Number, "a count")?;
    let digits = Decimal::of(document.raw(at)).integer_digits();
    let digits = digits.filter(|digits| !digits.starts_with('-'));
    let digits = digits.ok_or_else(|| wrong(document, at, "a count"))?;
    // More than fit is as many as there can be.
    Ok(digits.parse().unwrap_or(usize::MAX))
}

fn copied(document: &Document<'_>, at: NodeId) -> Result<Document<'static>, SchemaError> {
    Document::read(document.raw(at).to_owned()).map_err(|error| SchemaError(format!("is {error}")))
}

/// The beginning of a text that may be long.
pub(super) fn shortened(text: &str) -> Cow<'_, str> {
    shortened_to(text, MAX_SHOWN_CHARS)
}

pub(super) fn shortened_to(text: &str, chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
    }
}
