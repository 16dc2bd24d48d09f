//! Images, documents, videos and sounds in messages.

use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use vernal_core::message::{Media, Message, Part, PartContent, ProviderData, Role};

use crate::turns_of;

async fn content_of(parts: Vec<Part>) -> Value {
    turns_of(vec![Message::new(Role::User, parts)]).await[0]["content"].take()
}

fn part(media: Media) -> Part {
    PartContent::Media(media).into()
}

fn named(name: &str) -> Media {
    let mut media = Media::base64("application/pdf", "JVBE");
    media.name = Some(name.into());
    media
}

#[tokio::test]
async fn every_kind_has_its_block() {
    let s3 = Media::url("video/mp4", "s3://bucket/film.mp4");
    let content = content_of(vec![
        Part::text("See."),
        part(Media::base64("image/jpg", "/9j/")),
        part(named("Report 1.pdf")),
        part(s3),
        part(Media::base64("audio/mpeg", "SUQz")),
    ])
    .await;
    assert_eq!(
        content,
        json!([
            {"text": "See."},
            {"image": {"format": "jpeg", "source": {"bytes": "/9j/"}}},
            {"document": {"format": "pdf", "name": "Report 1 pdf", "source": {"bytes": "JVBE"}}},
            {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://bucket/film.mp4"}}}},
            {"audio": {"format": "mp3", "source": {"bytes": "SUQz"}}},
        ])
    );
}

#[tokio::test]
async fn what_the_server_cannot_get_or_read_is_noted() {
    let content = content_of(vec![
        part(Media::url("image/png", "https://example.com/a.png")),
        part(Media::base64("application/zip", "UEsD")),
    ])
    .await;
    assert_eq!(
        content,
        json!([{"text": "[image/png content]"}, {"text": "[application/zip content]"}])
    );
}

#[tokio::test]
async fn a_document_has_a_text_beside_it() {
    let alone = content_of(vec![part(named("a"))]).await;
    assert_eq!(alone[1], json!({"text": "See the attached documents."}));
    let blank = content_of(vec![Part::text(" "), part(named("a"))]).await;
    assert_eq!(blank.as_array().unwrap().len(), 2);
    let spoken = content_of(vec![part(named("a")), Part::text("Sum it up.")]).await;
    assert_eq!(spoken[1], json!({"text": "Sum it up."}));
    let image = content_of(vec![part(Media::base64("image/png", "iVBO"))]).await;
    assert_eq!(image.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_document_may_be_cited() {
    let data = json!({"citations": {"enabled": true}, "context": "old"});
    let data = ProviderData::new("bedrock", to_raw_value(&data).unwrap());
    let content = content_of(vec![
        part(named("a")).with_provider_data(data),
        Part::text("x"),
    ])
    .await;
    assert_eq!(
        content[0]["document"]["citations"],
        json!({"enabled": true})
    );
    assert_eq!(content[0]["document"]["context"], "old");
}

#[tokio::test]
async fn the_systems_blocks_are_texts() {
    let mut system = Message::system("s");
    system.push(part(Media::base64("image/png", "iVBO")));
    let prompt = vernal_core::model::Prompt::new(
        vec![system, Message::user("hi")],
        vernal_core::model::ChatOptions::default(),
    );
    let sent: Value = serde_json::from_str(&crate::sent(prompt).await).unwrap();
    assert_eq!(
        sent["system"],
        json!([{"text": "s"}, {"text": "[image/png content]"}])
    );
}
