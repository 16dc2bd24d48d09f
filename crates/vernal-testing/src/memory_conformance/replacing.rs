//! Replacing the older messages of a conversation.

use std::sync::Arc;

use vernal_core::memory::ConversationId;
use vernal_core::message::Message;

use super::check::{Check, Handle, Store};
use super::turns::{said, turn};

/// Replaces up to and including the message, and says whether anything happened.
async fn replace(
    check: &Check<'_>,
    handle: &Handle,
    conversation: &ConversationId,
    through: &Message,
    replacement: &[Arc<Message>],
) -> bool {
    let done = handle
        .replace_through(conversation, through.id(), replacement)
        .await;
    check.got(done, "replace_through")
}

fn joined(lists: &[&[Arc<Message>]]) -> Vec<Arc<Message>> {
    lists.concat()
}

pub(super) async fn a_prefix(store: &Store) {
    let check = store.check("replacing a prefix");
    let conversation = check.conversation("replace");
    let (old, kept, later) = (said(&["1", "2", "3"]), said(&["4", "5"]), said(&["6"]));
    check
        .append(&store.first, &conversation, &joined(&[&old, &kept]))
        .await;
    // What another process appends between reading and replacing.
    check.append(&store.second, &conversation, &later).await;
    let summary = said(&["a summary", "in", "more", "messages", "than", "there were"]);
    let Some(through) = old.last() else { return };
    let done = replace(&check, &store.first, &conversation, through, &summary).await;
    check.must(done, "`true` is given where the message is there");
    let wanted = joined(&[&summary, &kept, &later]);
    let rule = "the replacement stands in front, and what came later is kept";
    check.holds(&conversation, &wanted, rule).await;
    let more = said(&["7", "8"]);
    check.append(&store.second, &conversation, &more).await;
    let wanted = joined(&[&wanted, &more]);
    check
        .holds(
            &conversation,
            &wanted,
            "appends after a replacement come at the end",
        )
        .await;
    let Some(last) = more.last() else { return };
    check.must(
        replace(&check, &store.second, &conversation, last, &[]).await,
        "all can go",
    );
    check
        .holds(&conversation, &[], "everything is replaced by nothing")
        .await;
    check.append(&store.first, &conversation, &old).await;
    check
        .holds(
            &conversation,
            &old,
            "messages that were replaced can be appended again",
        )
        .await;
}

pub(super) async fn kept_and_moved_messages(store: &Store) {
    let check = store.check("replacing with messages that are there");
    let conversation = check.conversation("replace kept");
    let messages = said(&["1", "2", "3", "4", "5"]);
    check.append(&store.first, &conversation, &messages).await;
    let (old, later) = messages.split_at(3);
    let summary = said(&["a summary"]);
    let (Some(through), Some(first)) = (old.last(), old.first()) else {
        return;
    };
    let replacement = joined(&[
        &summary,
        std::slice::from_ref(through),
        std::slice::from_ref(first),
    ]);
    check.must(
        replace(&check, &store.first, &conversation, through, &replacement).await,
        "replaced",
    );
    let wanted = joined(&[&replacement, later]);
    let rule = "a replaced message can be a part of its replacement";
    check.holds(&conversation, &wanted, rule).await;
    let Some(last) = later.last() else { return };
    let moved = [last.clone(), last.clone()];
    check.must(
        replace(&check, &store.second, &conversation, first, &moved).await,
        "replaced",
    );
    let wanted: Vec<_> = later.iter().rev().cloned().collect();
    let rule = "a later message that is in the replacement too comes once, in the replacement";
    check.holds(&conversation, &wanted, rule).await;
}

pub(super) async fn what_is_not_there(store: &Store) {
    let check = store.check("replacing what is not there");
    let (conversation, other) = (check.conversation("replace not"), check.conversation("not"));
    let (messages, elsewhere) = (said(&["1", "2"]), said(&["3"]));
    check.append(&store.first, &conversation, &messages).await;
    check.append(&store.first, &other, &elsewhere).await;
    for through in [
        &Arc::new(Message::user("nowhere")),
        elsewhere.last().unwrap_or(&Arc::new(Message::user(""))),
    ] {
        let done = replace(
            &check,
            &store.first,
            &conversation,
            through,
            &said(&["new"]),
        )
        .await;
        check.must(
            !done,
            "`false` is given where the conversation has no such message",
        );
    }
    check
        .holds(&conversation, &messages, "nothing happens then")
        .await;
    let nothing = check.conversation("replace nothing");
    let Some(through) = messages.first() else {
        return;
    };
    let done = replace(&check, &store.first, &nothing, through, &said(&["new"])).await;
    check.must(
        !done,
        "`false` is given where there is no such conversation",
    );
    check
        .holds(
            &nothing,
            &[],
            "no conversation comes into being by replacing",
        )
        .await;
}

pub(super) async fn while_others_append(store: &Store) {
    let check = store.check("replacing while others append");
    let conversation = check.conversation("replace while");
    let first = turn(0, 0);
    check.append(&store.first, &conversation, &first).await;
    let later: Vec<_> = (1..12).map(|number| turn(0, number)).collect();
    let appends = async {
        for turn in &later {
            check.append(&store.second, &conversation, turn).await;
        }
    };
    let mut summary = said(&["summary 0"]);
    let replacements = async {
        let mut through = first.last().cloned();
        for number in 1..12 {
            let Some(last) = &through else { return };
            let next = said(&[&format!("summary {number}")]);
            check.must(
                replace(&check, &store.first, &conversation, last, &next).await,
                "replaced",
            );
            through = next.last().cloned();
            summary = next;
        }
    };
    futures::join!(appends, replacements);
    let wanted = joined(&[&summary, &later.concat()]);
    check
        .holds(
            &conversation,
            &wanted,
            "nothing that is appended meanwhile is lost",
        )
        .await;
}
