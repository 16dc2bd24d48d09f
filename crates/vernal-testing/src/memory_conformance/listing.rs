//! Which conversations there are.

use vernal_core::memory::ConversationId;

use super::check::{Check, Handle, Store};
use super::turns::said;

/// Ids that keys, patterns, paths and queries have trouble with, and such as sort differently by
/// bytes, by UTF-16 and by language.
const NAMES: [&str; 24] = [
    "list a",
    "list B",
    "list b",
    "list ä",
    "list {}",
    "list {x}",
    "list }{",
    "list *",
    "list ?",
    "list [a-z]",
    "list \\",
    "list /a/../b",
    "list a:b",
    "list %20",
    "list '",
    "list \"",
    "list $1",
    "list \u{1}\n\t",
    "list  ",
    "list 한국어",
    "list ｱ\u{ffee}",
    "list 🦀",
    "list \u{10ffff}",
    "list e\u{301}",
];

/// All conversations of this run after `after`, in pages of `size`.
async fn pages(check: &Check<'_>, handle: &Handle, size: usize) -> Vec<ConversationId> {
    let start = check.prefix();
    let mut found = Vec::new();
    loop {
        let after = found.last().unwrap_or(&start);
        let page = check.got(
            handle.conversations(Some(after), size).await,
            "conversations",
        );
        check.must(
            page.len() <= size,
            &format!("a page of {size} has {} ids", page.len()),
        );
        let of_the_run = |id: &ConversationId| id.as_str().starts_with(start.as_str());
        let full = page.len() == size && page.iter().all(of_the_run);
        found.extend(page.into_iter().filter(of_the_run));
        if !full {
            return found;
        }
    }
}

pub(super) async fn sorted_pages(store: &Store) {
    let check = store.check("the list of conversations");
    let longest = "길".repeat(ConversationId::MAX_BYTES / "길".len());
    let room = ConversationId::MAX_BYTES - check.prefix().as_str().len();
    let longest = longest.get(..room - room % "길".len()).unwrap_or_default();
    let before = pages(&check, &store.first, 100).await;
    let mut wanted: Vec<_> = NAMES
        .iter()
        .copied()
        .chain([longest])
        .map(|name| check.conversation(name))
        .collect();
    for (at, id) in wanted.iter().enumerate() {
        let handle = if at % 2 == 0 {
            &store.first
        } else {
            &store.second
        };
        check.append(handle, id, &said(&["hello"])).await;
        check.append(handle, id, &said(&["again"])).await;
    }
    wanted.extend(before);
    wanted.sort();
    for size in [1, 7, 1000] {
        for handle in [&store.first, &store.second] {
            let found = pages(&check, handle, size).await;
            let odd = found
                .iter()
                .zip(&wanted)
                .find(|(found, wanted)| found != wanted);
            let rule = format!(
                "pages of {size} hold each conversation once, in the byte order of ids: {} of {}, first difference {odd:?}",
                found.len(),
                wanted.len(),
            );
            check.must(found == wanted, &rule);
        }
    }
    let none = check.got(store.first.conversations(None, 0).await, "conversations");
    check.must(none.is_empty(), "a page of 0 is empty");
    let one = check.got(store.first.conversations(None, 1).await, "conversations");
    check.must(
        one.len() == 1,
        "without `after` the list begins at its beginning",
    );
}

pub(super) async fn deleted_conversations(store: &Store) {
    let check = store.check("deleted conversations");
    let id = check.conversation("deleted");
    let listed = async |handle: &Handle| pages(&check, handle, 50).await.contains(&id);
    for round in ["once", "again"] {
        let messages = said(&[round, "more"]);
        check.append(&store.first, &id, &messages).await;
        check.must(
            listed(&store.second).await,
            &format!("it is listed {round}"),
        );
        check.delete(&store.second, &id).await;
        check
            .holds(&id, &[], "a deleted conversation has no messages")
            .await;
        check.must(
            !listed(&store.first).await,
            "a deleted conversation is not listed",
        );
        check.append(&store.second, &id, &messages).await;
        check
            .holds(&id, &messages, "its messages can be appended again")
            .await;
        check.must(listed(&store.first).await, "it is listed then");
        check.delete(&store.first, &id).await;
        check.delete(&store.second, &id).await;
    }
}
