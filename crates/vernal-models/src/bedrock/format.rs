//! The form of answers on the wire.

use vernal_core::message::DialectKey;
use vernal_core::model::ResponseSchema;

use super::PROVIDER;
use super::request::SERVER;
use crate::exchange::AnswerForm;
use crate::json::JsonObject;
use crate::lowering::SchemaDialect;

pub(super) const FORM: AnswerForm = AnswerForm {
    server: SERVER,
    provider: PROVIDER,
    field: "outputConfig",
    member: "textFormat",
    key: DialectKey::from_name("bedrock-converse 1 response format"),
    dialect: SchemaDialect::BedrockStrict,
    encode,
};

/// The schema stands there as a text.
fn encode(schema: &ResponseSchema, lowered: &str) -> String {
    let mut out = String::new();
    let mut format = JsonObject::begin(&mut out);
    format.string("type", "json_schema");
    let mut structure = JsonObject::begin(format.member("structure"));
    let mut json_schema = JsonObject::begin(structure.member("jsonSchema"));
    json_schema.string("name", schema.name());
    json_schema.string("schema", lowered);
    json_schema.end();
    structure.end();
    format.end();
    out
}
