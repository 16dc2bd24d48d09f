//! Schemas compared with those that are kept.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use vernal_core::tool::schema::{CompiledSchema, ParameterSchemas, input_schema_of};
use vernal_core::tool::{FunctionToolCallback, ToolCallback};

use crate::namesakes::*;
use crate::shapes::*;

/// The folder of the files, also for the package of the fuzz workspace that runs these tests too.
fn folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = package.join("tests/schema_golden");
    match own.exists() {
        true => own,
        false => package.join("../../crates/vernal-core/tests/schema_golden"),
    }
}

/// Compares lines `NAME SCHEMA` with a file.
fn compare(file: &str, schemas: &[(&str, String)]) {
    let path = folder().join(file);
    let mut text = String::new();
    for (name, schema) in schemas {
        writeln!(text, "{name} {schema}").unwrap();
        let compiled = CompiledSchema::new(if schema.is_empty() { "{}" } else { schema });
        let compiled = compiled.unwrap_or_else(|error| panic!("the schema of {name} {error}"));
        assert!(
            compiled.unchecked().is_empty(),
            "{name}: {:?}",
            compiled.unchecked()
        );
    }
    if std::env::var_os("VERNAL_UPDATE_GOLDENS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    for (made, kept) in text.lines().zip(kept.lines()) {
        assert_eq!(made, kept, "in {file}");
    }
    assert_eq!(text.lines().count(), kept.lines().count(), "in {file}");
}

macro_rules! inputs {
    ($($shape:ident)*) => {
        &[$((stringify!($shape), input_schema_of::<$shape>())),*]
    };
}

#[test]
fn scalars_and_containers() {
    compare(
        "containers.txt",
        inputs!(Scalars Pointers Containers Anything),
    );
}

#[test]
fn structs() {
    compare(
        "structs.txt",
        inputs!(Leaf Nested Empty EmptyWithWords HoldsEmpty Newtypes Id Numbers Pair Transparent),
    );
}

#[test]
fn recursive() {
    compare("recursive.txt", inputs!(Tree List Person House));
}

#[test]
fn enums() {
    compare(
        "enums.txt",
        inputs!(Level Documented External Internal Adjacent Untagged Twice HoldsEnums),
    );
}

#[test]
fn flattened() {
    compare(
        "flattened.txt",
        inputs!(FlatStruct FlatOption FlatMap FlatAnything FlatExternal FlatInternal FlatAlone FlatTwo FlatDenied),
    );
}

#[test]
fn names_and_words() {
    compare(
        "words.txt",
        inputs!(Renamed RenamedEnum NamesLikeKeywords Described Defaults SomeDefaults),
    );
}

#[test]
fn types_of_others() {
    compare("others.txt", inputs!(Foreign Dates JiffOne));
}

#[test]
fn one_name_for_several_types() {
    compare("one_name.txt", inputs!(OneName));
}

#[test]
fn parameters() {
    let all = ParameterSchemas::new()
        .parameter::<String>("zebra", "Comes first.", true)
        .parameter::<Option<u32>>("apple", "", false)
        .parameter::<Leaf>("leaf", " Spaces around. ", true)
        .parameter::<Tree>("tree", "", true)
        .parameter::<Vec<first::Point>>("points", "", false)
        .parameter::<second::Point>("other", "", true)
        .parameter::<third::Point>("same", "", true)
        .parameter::<Internal>("internal", "", true)
        .parameter::<FlatInternal>("flat", "", true)
        .parameter::<serde_json::Value>("anything", "", true)
        .parameter::<serde_json::Value>("described", "Anything at all.", false)
        .parameter::<chrono::NaiveDate>("date", "", true);
    compare(
        "parameters.txt",
        &[
            ("none", ParameterSchemas::new().finish()),
            ("all", all.finish()),
        ],
    );
}

#[test]
fn a_function_has_the_schema_of_its_argument() {
    let tool = FunctionToolCallback::builder("f", |leaf: Leaf| format!("{leaf:?}"))
        .build()
        .unwrap();
    let schema = tool.tool_definition().input_schema().to_owned();
    assert_eq!(schema, input_schema_of::<Leaf>());
    // One that is no object by itself gets the type in front.
    let tool = FunctionToolCallback::builder("f", |one: Internal| format!("{one:?}"))
        .build()
        .unwrap();
    assert!(
        tool.tool_definition()
            .input_schema()
            .starts_with(r#"{"type":"object","oneOf":["#)
    );
}
