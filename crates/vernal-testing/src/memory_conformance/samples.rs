//! Messages of every kind, with what has been lost by stores before.

use std::sync::Arc;

use serde_json::value::RawValue;
use vernal_core::message::{
    Media, Message, Part, PartContent, ProviderData, Role, ToolCall, ToolContent, ToolOutcome,
    ToolResponse,
};

/// JSON that changes when a store parses it: spacing, key order, keys that occur twice, numbers too
/// large or too exact for a double, escapes.
const ODD_JSON: [&str; 8] = [
    "{ \"z\" : 1,\n\t\"a\":\t[ 1 ,2.0, 1e2 ],  \"m\":{}}",
    r#"{"same":1,"same":2}"#,
    "123456789012345678901234567890.12345678901234567890",
    "-0.0",
    "1E+400",
    r#""\u0000 \u001f \ud83e\udd80 \/ é \" \\""#,
    "null",
    r#"{"":"","한국어":"값","$ref":"/","__proto__":null}"#,
];

const TEXTS: [&str; 9] = [
    "",
    " ",
    "plain",
    "안녕하세요. 제주도 날씨 어때요?",
    "🦀🏳️‍🌈👩‍👩‍👧‍👦 \u{10ffff} \u{fffd} \u{feff}",
    "e\u{301} is not é",
    "line\nline\r\nline\ttab \u{1}\u{8}\u{b}\u{1f}\u{7f}\u{85}\u{2028}",
    r#"'; DROP TABLE messages; -- " \ \\ $1 :name {{x}} %s ? \u0041 \0"#,
    "$tag$ $$ E'\\n' {\"json\":true}",
];

/// Every sample there is, in a fixed order.
pub(super) fn all() -> Vec<Arc<Message>> {
    let mut samples = roles_and_texts();
    samples.extend(reasoning_and_refusals());
    samples.extend(media());
    samples.extend(calls());
    samples.extend(answers());
    samples.push(Message::new(Role::Assistant, Vec::new()));
    samples.into_iter().map(Arc::new).collect()
}

fn roles_and_texts() -> Vec<Message> {
    let by_role = [Role::System, Role::User, Role::Assistant, Role::Tool].map(|role| {
        let parts = TEXTS.map(Part::text);
        Message::new(role, parts.into())
    });
    by_role
        .into_iter()
        .chain(TEXTS.map(Message::user))
        .chain(TEXTS.map(Message::assistant))
        .collect()
}

fn reasoning_and_refusals() -> Vec<Message> {
    let signed = ODD_JSON.iter().flat_map(|json| {
        [
            PartContent::Reasoning("I think.".into()),
            PartContent::Opaque,
            PartContent::Refusal("".into()),
        ]
        .map(|content| with_data(content, json))
    });
    let empty = Part::from(PartContent::Reasoning("".into()));
    vec![
        Message::new(Role::Assistant, signed.collect()),
        Message::new(Role::Assistant, vec![empty, Part::text("Answer.")]),
        Message::new(
            Role::Assistant,
            vec![PartContent::Refusal("못 합니다.".into()).into()],
        ),
    ]
}

fn with_data(content: PartContent, json: &str) -> Part {
    let part = Part::from(content);
    match RawValue::from_string(json.to_owned()) {
        Ok(data) => part.with_provider_data(ProviderData::new("some-provider", data)),
        Err(_) => part,
    }
}

fn media() -> Vec<Message> {
    let mut named = Media::base64("application/pdf", "AAECAwQ=");
    named.name = Some("보고서 \"1\".pdf".into());
    let kinds = [
        Media::base64("image/png", ""),
        Media::url("image/jpeg", "https://x.test/?a=1&b=%20#c"),
        named,
    ];
    let parts = kinds
        .iter()
        .map(|media| PartContent::Media(media.clone()).into());
    vec![Message::new(Role::User, parts.collect())]
}

fn calls() -> Vec<Message> {
    let arguments = [
        "",
        "{}",
        "null",
        "{\"city\":\"Jeju\"",
        "not JSON",
        " { \"a\" : 1.0 } ",
        "[1,2]",
        "\u{1}",
    ];
    let parts = arguments.iter().map(|arguments| {
        let mut call = ToolCall::new("", "getWeather", *arguments);
        call.synthetic_id = true;
        PartContent::ToolCall(call)
    });
    let mut message = Message::new(Role::Assistant, parts.map(Part::from).collect());
    let odd = ToolCall::new("toolu_01-\"ü\"", "name with spaces", "{}");
    message.push(with_data(
        PartContent::ToolCall(odd),
        r#"{"signature": "abc=="}"#,
    ));
    vec![message]
}

fn answers() -> Vec<Message> {
    use ToolOutcome::{Failed, InvalidArguments, NotRun, Refused, UnknownTool};
    let call = ToolCall::new("call-1", "getWeather", "{}");
    let errors = [Failed, InvalidArguments, UnknownTool, Refused, NotRun]
        .map(|outcome| ToolResponse::error(&call, outcome, "The tool says no."));
    let raw = |json: &&str| RawValue::from_string((*json).to_owned()).ok();
    let mut content: Vec<ToolContent> = ODD_JSON
        .iter()
        .filter_map(raw)
        .map(ToolContent::Json)
        .collect();
    content.extend(TEXTS.map(|text| ToolContent::Text(text.into())));
    content.push(ToolContent::Media(Media::base64("audio/wav", "UklGRg==")));
    let results = [content, Vec::new()].map(|content| ToolResponse::success(&call, content));
    vec![
        Message::tool(errors),
        Message::tool(results),
        Message::tool([]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_odd_json_is_json_and_comes_back_from_serde_as_it_was() {
        for json in ODD_JSON {
            let part = with_data(PartContent::Opaque, json);
            let message = Message::new(Role::Assistant, vec![part]);
            let text = serde_json::to_string(&message).unwrap();
            assert!(text.contains(json), "{text}");
            let again: Message = serde_json::from_str(&text).unwrap();
            let data = again.parts()[0].provider_data("some-provider").unwrap();
            assert_eq!(data.get(), json);
        }
    }
}
