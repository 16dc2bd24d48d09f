//! `anyOf` and `oneOf`, and what to say where none fits.

use super::scalar::{got, not_listed};
use super::words::listed;
use super::{Checker, Keywords, Kind, NodeId, Place, Schema, SchemaId, Violation};
use crate::tool::schema::json::{self, Decimal, Document, path};
use crate::tool::schema::keywords::Types;

/// For how many alternatives a reason is given.
const MAX_REASONS: usize = 3;
/// How many alternatives, and members of an object, are looked at to find the one that was meant.
const MAX_COMPARED: usize = 64;
/// How many required members are looked at to find a tag.
const MAX_TAGS: usize = 8;
/// How far references are followed to find out what an alternative is for.
const MAX_FOLLOWED: usize = 8;

impl<'a> Checker<'a> {
    pub(super) fn alternatives(&mut self, k: &'a Keywords, node: NodeId) {
        if !k.any_of.is_empty() && !self.is_done() && self.fitting(&k.any_of, node, 1) == 0 {
            self.no_alternative(&k.any_of, node);
        }
        if !k.one_of.is_empty() && !self.is_done() {
            match self.fitting(&k.one_of, node, 2) {
                0 => self.no_alternative(&k.one_of, node),
                1 => {}
                _ => self.violation(node, |_| {
                    "fits more than one alternative, but must fit just one".to_owned()
                }),
            }
        }
    }

    /// How many of the schemas fit; more than `enough` need not be found.
    fn fitting(&mut self, schemas: &[SchemaId], node: NodeId, enough: usize) -> usize {
        let mut fitting = 0;
        for schema in schemas {
            fitting += usize::from(self.fits(*schema, node, Place::Here));
            // All that fit tell what they looked at.
            if fitting >= enough && !self.compiled.has_unevaluated {
                break;
            }
        }
        fitting
    }

    /// Says of the alternative that was meant why it does not fit, if it is clear which one that is.
    fn no_alternative(&mut self, schemas: &'a [SchemaId], node: NodeId) {
        if self.quiet || self.violations.len() == self.room() {
            return self.violation(node, |_| String::new());
        }
        self.charge(schemas.len());
        let allowed = self.of_same_type(schemas, node);
        if allowed.is_empty() {
            return self.other_type(schemas, node);
        }
        if self.wrong_tag(&allowed, node) {
            return;
        }
        let meant = self.most_alike(&allowed, node);
        if let [schema] = *meant {
            let before = self.count();
            self.value(schema, node);
            if self.count() > before {
                return;
            }
        }
        if let Some(values) = self.values_of(&meant) {
            return self.violation(node, |this| {
                not_listed(|| values.iter().copied(), this.document.raw(node))
            });
        }
        if self.in_reasons {
            return self.violation(node, |_| "fits no alternative".to_owned());
        }
        let reasons: Vec<String> = meant
            .iter()
            .take(MAX_REASONS)
            .filter_map(|schema| self.reason(*schema, node))
            .collect();
        self.violation(node, |_| {
            format!("fits no alternative: {}", reasons.join("; or "))
        });
    }

    /// The first thing that a schema on its own has to say about a value.
    fn reason(&mut self, schema: SchemaId, node: NodeId) -> Option<String> {
        let outer: Vec<Violation> = std::mem::take(&mut self.violations);
        let more = self.more;
        self.in_reasons = true;
        self.value(schema, node);
        self.in_reasons = false;
        self.more = more;
        let own = std::mem::replace(&mut self.violations, outer);
        own.first().map(ToString::to_string)
    }

    fn of_same_type(&self, schemas: &[SchemaId], node: NodeId) -> Vec<SchemaId> {
        let kind = self.document.kind(node);
        let is_integer = || Decimal::of(self.document.raw(node)).is_integer();
        let allows = |schema: &&SchemaId| {
            self.types_of(**schema)
                .is_none_or(|types| types.allow(kind, is_integer))
        };
        schemas.iter().filter(allows).copied().collect()
    }

    fn other_type(&mut self, schemas: &[SchemaId], node: NodeId) {
        let all = schemas.iter().filter_map(|schema| self.types_of(*schema));
        let types = all.fold(Types::default(), Types::or);
        self.violation(node, |this| {
            let got = got(this.document.kind(node), this.document.raw(node));
            format!("expected {}, got {got}", types.describe())
        });
    }

    /// Says so where it is a tag that no alternative has, or that is missing: a member for which each
    /// of them lists its own values.
    fn wrong_tag(&mut self, schemas: &[SchemaId], node: NodeId) -> bool {
        let [first, _, ..] = schemas else {
            return false;
        };
        if self.document.kind(node) != Kind::Object {
            return false;
        }
        let names = self
            .followed(*first)
            .flat_map(|k| k.required.iter())
            .take(MAX_TAGS);
        for name in names {
            let Some(tags) = self.tags(schemas, name) else {
                continue;
            };
            self.charge(schemas.len());
            match self.document.member(node, name) {
                None => self.missing_tag(node, name, &tags),
                Some(tag) if tags.iter().all(|schema| self.is_other_tag(*schema, tag)) => {
                    let values = self.values_of(&tags).unwrap_or_default();
                    self.violation(tag, |this| {
                        not_listed(|| values.iter().copied(), this.document.raw(tag))
                    });
                }
                Some(_) => continue,
            }
            return true;
        }
        false
    }

    fn missing_tag(&mut self, node: NodeId, name: &str, tags: &[SchemaId]) {
        let values = self.values_of(tags).unwrap_or_default();
        self.violation_at(
            |document| path::of_member(document, node, name),
            |_| {
                format!(
                    "is required, but missing; it is one of {}",
                    listed(values.into_iter())
                )
            },
        );
    }

    /// The schemas of a member that all the schemas require and list values for.
    fn tags(&self, schemas: &[SchemaId], name: &str) -> Option<Vec<SchemaId>> {
        let tag = |schema: &SchemaId| {
            let mut followed = self.followed(*schema);
            let k = followed.find(|k| k.required.iter().any(|required| required == name))?;
            let tag = k.properties.get(name)?;
            self.values_of(&[tag]).map(|_| tag)
        };
        schemas.iter().map(tag).collect()
    }

    /// The schemas that an object has the most in common with; for other values, all.
    fn most_alike(&mut self, schemas: &[SchemaId], node: NodeId) -> Vec<SchemaId> {
        if self.document.kind(node) != Kind::Object || schemas.len() > MAX_COMPARED {
            return schemas.to_vec();
        }
        self.charge(schemas.len() * self.document.len(node).min(MAX_COMPARED) / 4);
        let scored: Vec<_> = schemas
            .iter()
            .map(|schema| (self.strangeness(*schema, node), *schema))
            .collect();
        let least = scored
            .iter()
            .map(|(score, _)| *score)
            .min()
            .unwrap_or_default();
        scored
            .into_iter()
            .filter(|(score, _)| *score == least)
            .map(|(_, schema)| schema)
            .collect()
    }

    /// How little an object looks like what a schema is for: first whether its tags say something
    /// else, then how many of its members are unknown or missing.
    fn strangeness(&self, schema: SchemaId, node: NodeId) -> (usize, usize) {
        let document = self.document;
        let (mut wrong_tags, mut strange) = (0, 0);
        for k in self.followed(schema) {
            for member in document.children(node).take(MAX_COMPARED) {
                match k.known_member(document.name(member)) {
                    Some(inner) => wrong_tags += usize::from(self.is_other_tag(inner, member)),
                    None => strange += usize::from(self.is_closed(k)),
                }
            }
            let required = k.required.iter().take(MAX_COMPARED);
            strange += required
                .filter(|name| document.member(node, name).is_none())
                .count();
        }
        (wrong_tags, strange)
    }

    fn is_closed(&self, k: &Keywords) -> bool {
        let additional = k
            .additional
            .and_then(|schema| self.compiled.schemas.get(schema));
        matches!(additional, Some(Schema::Nothing))
    }

    fn is_other_tag(&self, schema: SchemaId, member: NodeId) -> bool {
        let same = |values: &Document<'_>, id| json::equal(values, id, self.document, member);
        match self.compiled.schemas.get(schema) {
            Some(Schema::Keywords(k)) => {
                k.constant
                    .as_ref()
                    .is_some_and(|constant| !same(constant, NodeId::ROOT))
                    || k.one_of_values.as_ref().is_some_and(|values| {
                        !values.children(NodeId::ROOT).any(|id| same(values, id))
                    })
            }
            _ => false,
        }
    }

    /// The types that a schema allows, if it says so.
    fn types_of(&self, schema: SchemaId) -> Option<Types> {
        self.followed(schema).find_map(|k| k.types)
    }

    /// The values that the schemas list, if all do.
    fn values_of(&self, schemas: &[SchemaId]) -> Option<Vec<&'a str>> {
        let mut all = Vec::new();
        for schema in schemas {
            let k = self
                .followed(*schema)
                .find(|k| k.constant.is_some() || k.one_of_values.is_some())?;
            let constant = k.constant.iter().map(|constant| constant.raw(NodeId::ROOT));
            let values = k.one_of_values.iter();
            let values = values.flat_map(|list| list.children(NodeId::ROOT).map(|id| list.raw(id)));
            all.extend(constant.chain(values));
        }
        Some(all)
    }

    /// A schema and those that it refers to.
    fn followed(&self, schema: SchemaId) -> impl Iterator<Item = &'a Keywords> + use<'a> {
        let compiled = self.compiled;
        let keywords = move |id: SchemaId| match compiled.schemas.get(id) {
            Some(Schema::Keywords(keywords)) => Some(&**keywords),
            _ => None,
        };
        std::iter::successors(keywords(schema), move |k| k.reference.and_then(keywords))
            .take(MAX_FOLLOWED)
    }
}
