//! Every setting is in the request, or is told before it is sent.

use crate::HELLO;
use crate::model::model;
use crate::support::canned::Canned;
use crate::support::options::every_setting_is_sent_or_found;

#[tokio::test]
async fn a_setting_is_sent_or_found() {
    let canned = Canned::new(HELLO);
    let table = [
        ("model", "/model/another/converse"),
        ("temperature", r#""temperature":0.25"#),
        ("top_p", r#""topP":0.75"#),
        ("max_tokens", r#""maxTokens":77"#),
        ("stop", r#""stopSequences":["END"]"#),
        ("tools", r#""tools":[{"toolSpec":{"name":"now""#),
        ("choice none", "?no word for calling no tool"),
        ("choice required", r#""toolChoice":{"any":{}}"#),
        ("choice named", r#""toolChoice":{"tool":{"name":"now"}}"#),
        // Of the two tools only the chosen one is sent.
        ("choice allowed", r#""tools":[{"toolSpec":{"name":"then""#),
        ("choice required of", r#""toolChoice":{"any":{}}"#),
        ("choice without tools", "?the tool choice is not sent"),
        ("one call", "?no switch for parallel calls"),
        ("json", "?no word for JSON without a schema"),
        ("schema", r#""outputConfig":{"textFormat":"#),
        ("extra", r#""own":7"#),
    ];
    every_setting_is_sent_or_found(&model(&canned), &canned, &table).await;
}
