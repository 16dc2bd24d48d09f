//! What tools may be called, and what they are called in words (rules DEF-1, DEF-2).

use vernal_core::tool::{FunctionToolCallback, MethodToolCallback, ToolCallback, ToolDefinition};

#[test]
fn def_1_name_and_schema_are_never_blank() {
    for blank in ["", " ", "\t\n", "\u{3000}"] {
        let error = ToolDefinition::builder(blank).build().unwrap_err();
        assert!(error.to_string().contains("name"), "{error}");
        assert!(FunctionToolCallback::builder(blank, || ()).build().is_err());
        let method = MethodToolCallback::builder(blank).method(|| ());
        assert!(method.build().is_err());
        let definition = ToolDefinition::builder("t").input_schema(blank).build();
        assert!(
            definition.is_ok_and(|definition| definition.input_schema().starts_with('{')),
            "a blank schema is that of no arguments"
        );
    }
}

#[test]
fn def_1_a_blank_description_is_the_name_in_words() {
    for (name, words) in [
        ("getWeather", "get weather"),
        ("get_weather", "get weather"),
        ("get-weather", "get weather"),
        ("날씨", "날씨"),
        ("__", "__"),
    ] {
        for blank in ["", "  \n"] {
            let function = FunctionToolCallback::builder(name, || ()).description(blank);
            let function = function.build().unwrap();
            assert_eq!(function.tool_definition().description(), words);
            let definition = ToolDefinition::builder(name).description(blank).build();
            assert_eq!(definition.unwrap().description(), words);
        }
    }
}

#[test]
fn def_2_a_name_is_any_text_of_at_most_128_bytes_without_control_characters() {
    let longest = "x".repeat(128);
    let of_three_bytes = "날".repeat(42);
    for name in [
        "a",
        "get weather",
        "server.tool",
        "天気",
        "🌦",
        &longest,
        &of_three_bytes,
    ] {
        let definition = ToolDefinition::builder(name).build().unwrap();
        assert_eq!(&**definition.name(), name);
    }
    let too_long = "x".repeat(129);
    let too_many_bytes = "날".repeat(43);
    for (name, why) in [
        (&*too_long, "128"),
        (&*too_many_bytes, "128"),
        ("a\nb", "control"),
        ("a\0", "control"),
        ("\u{7f}", "control"),
        ("a\u{85}b", "control"),
    ] {
        let error = ToolDefinition::builder(name).build().unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}
