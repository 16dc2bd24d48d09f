//! Cutting results that are too large for a model (rule RES-4).

use crate::message::ToolContent;
use crate::tool::ToolResultStore;

/// The pieces up to `max_bytes` of text, cut between characters, and a marker that says how much was cut
/// and, with a store, how to read the rest. Media are left as they are.
pub(super) fn capped(
    parts: Vec<ToolContent>,
    max_bytes: usize,
    store: Option<&ToolResultStore>,
) -> Vec<ToolContent> {
    let (texts, bytes) = parts
        .iter()
        .filter(|part| is_text(part))
        .fold((0, 0), |(texts, bytes), part| {
            (texts + 1, bytes + part.as_text().len())
        });
    // The pieces are kept as one text, a line break between two: offsets count it.
    let total = bytes + usize::saturating_sub(texts, 1);
    if total <= max_bytes {
        return parts;
    }
    let handle = store.map(|store| store.keep(joined_texts(&parts).into()));
    let mut kept = Vec::with_capacity(parts.len() + 1);
    let mut shown = 0;
    let mut is_cut = false;
    for part in parts {
        if !is_text(&part) {
            kept.push(part);
            continue;
        }
        if is_cut {
            continue;
        }
        let text = part.as_text();
        let left = max_bytes.saturating_sub(shown);
        if text.len() <= left {
            shown += text.len() + 1;
            kept.push(part);
            continue;
        }
        is_cut = true;
        let end = text.floor_char_boundary(left);
        shown += end;
        if let Some(text) = text.get(..end).filter(|text| !text.is_empty()) {
            kept.push(ToolContent::Text(text.into()));
        }
    }
    let shown = shown.min(total);
    kept.push(ToolContent::Text(marker(shown, total, handle).into()));
    kept
}

fn is_text(part: &ToolContent) -> bool {
    !matches!(part, ToolContent::Media(_))
}

fn joined_texts(parts: &[ToolContent]) -> String {
    let texts: Vec<_> = parts
        .iter()
        .filter(|part| is_text(part))
        .map(ToolContent::as_text)
        .collect();
    texts.join("\n")
}

fn marker(shown: usize, total: usize, handle: Option<String>) -> String {
    let read_on = handle.map_or_else(String::new, |handle| {
        let tool = ToolResultStore::READ_TOOL;
        format!("; read on with the tool `{tool}`, handle `{handle}`, from offset {shown}")
    });
    format!("[cut: {shown} of {total} bytes are shown{read_on}]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Media;

    fn text(text: &str) -> ToolContent {
        ToolContent::Text(text.into())
    }

    #[test]
    fn a_result_is_cut_between_characters_and_says_so() {
        let cut = capped(vec![text("가나다라")], 7, None);
        let texts: Vec<_> = cut.iter().map(|part| part.as_text().into_owned()).collect();
        assert_eq!(texts, ["가나", "[cut: 6 of 12 bytes are shown]"]);
    }

    #[test]
    fn what_fits_and_media_stay() {
        let whole = capped(vec![text("abc")], 3, None);
        assert_eq!(whole.len(), 1);
        let image = ToolContent::Media(Media::base64("image/png", "A".repeat(100)));
        let cut = capped(vec![text("abc"), image, text("def")], 5, None);
        assert!(matches!(cut.get(1), Some(ToolContent::Media(_))));
        assert_eq!(cut.len(), 4);
    }

    #[test]
    fn the_rest_can_be_read_with_the_handle() {
        let store = ToolResultStore::new(1024);
        let cut = capped(vec![text("abcdef")], 2, Some(&store));
        let marker = cut.last().map(|part| part.as_text().into_owned()).unwrap();
        let handle = handle_in(&marker);
        assert!(marker.ends_with("from offset 2]"), "{marker}");
        assert_eq!(store.read(handle, 2, 100).unwrap(), "cdef");
    }

    #[test]
    fn offsets_count_all_pieces_of_text_and_no_media() {
        let store = ToolResultStore::new(1024);
        let image = ToolContent::Media(Media::base64("image/png", "A".repeat(100)));
        let parts = vec![text("abc"), image, text("defghi"), text("jkl")];
        let cut = capped(parts, 6, Some(&store));
        let texts: Vec<_> = cut.iter().map(|part| part.as_text().into_owned()).collect();
        let [first, note, second, marker] = texts.as_slice() else {
            panic!("{texts:?}")
        };
        assert_eq!([first, note, second], ["abc", "[image/png content]", "de"]);
        assert!(
            marker.starts_with("[cut: 6 of 14 bytes are shown; "),
            "{marker}"
        );
        assert!(marker.ends_with("from offset 6]"), "{marker}");
        assert_eq!(store.read(handle_in(marker), 6, 100).unwrap(), "fghi\njkl");
    }

    fn handle_in(marker: &str) -> &str {
        let (_, rest) = marker.split_once("handle `").unwrap();
        rest.split('`').next().unwrap()
    }
}
