//! What is appended, once or twice, and what is loaded of it.

use super::check::Store;
use super::turns::said;

pub(super) async fn order_and_newest(store: &Store) {
    let check = store.check("order and the newest");
    let conversation = check.conversation("order");
    let texts: Vec<String> = (0..25).map(|n| n.to_string()).collect();
    let messages = said(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    for (at, append) in messages.chunks(2).enumerate() {
        let handle = if at % 2 == 0 {
            &store.first
        } else {
            &store.second
        };
        check.append(handle, &conversation, append).await;
    }
    check
        .holds(
            &conversation,
            &messages,
            "messages come in the order of appends",
        )
        .await;
    for count in [0, 1, 2, 11, 24, 25, 26, usize::MAX] {
        let found = check.got(
            store.second.load(&conversation, Some(count)).await,
            "load the newest",
        );
        let skipped = messages.len().saturating_sub(count);
        let newest = messages.get(skipped..).unwrap_or_default();
        check.equal(
            &found,
            newest,
            &format!("the newest {count}, oldest of them first"),
        );
    }
}

pub(super) async fn nothing_there(store: &Store) {
    let check = store.check("nothing there");
    let conversation = check.conversation("nothing");
    let rule = "a conversation that does not exist has no messages";
    check.holds(&conversation, &[], rule).await;
    check.append(&store.first, &conversation, &[]).await;
    check
        .holds(&conversation, &[], "appending nothing adds nothing")
        .await;
    check.delete(&store.first, &conversation).await;
}

pub(super) async fn repeated_messages(store: &Store) {
    let check = store.check("repeated messages");
    let conversation = check.conversation("repeated");
    let m = said(&["a", "b", "c", "d", "e"]);
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|at| m.get(at).cloned().into_iter());
    let of = |parts: &[&std::option::IntoIter<_>]| {
        parts.iter().flat_map(|&p| p.clone()).collect::<Vec<_>>()
    };
    check
        .append(&store.first, &conversation, &of(&[&a, &b, &a, &b, &b]))
        .await;
    let rule = "a message that one append names twice is kept once, in its first place";
    check.holds(&conversation, &of(&[&a, &b]), rule).await;
    check
        .append(&store.second, &conversation, &of(&[&a, &b]))
        .await;
    check
        .holds(
            &conversation,
            &of(&[&a, &b]),
            "the same append again has no effect",
        )
        .await;
    check
        .append(&store.second, &conversation, &of(&[&c, &a, &d, &b, &e]))
        .await;
    let rule = "messages that are there already are left out, the others are added";
    check.holds(&conversation, &m, rule).await;
    let other = check.conversation("repeated elsewhere");
    check.append(&store.first, &other, &of(&[&c, &a])).await;
    let rule = "a message of another conversation can be appended";
    check.holds(&other, &of(&[&c, &a]), rule).await;
}

pub(super) async fn conversations_are_apart(store: &Store) {
    let check = store.check("conversations are apart");
    // The first five are deleted; all the others resemble one of them.
    let names = [
        "apart", "apart ", "a?art", "{apart}", "é", "Apart", " apart", "apart*", "apart:",
        "apart/1", "e\u{301}", "É",
    ];
    let conversations = names.map(|name| (check.conversation(name), said(&[name, "second"])));
    for (id, messages) in &conversations {
        check.append(&store.first, id, messages).await;
    }
    let (deleted, kept) = conversations.split_at(5);
    for (id, _) in deleted {
        check.delete(&store.second, id).await;
    }
    for (id, _) in deleted {
        check
            .holds(id, &[], &format!("{:?} is deleted", id.as_str()))
            .await;
    }
    for (id, messages) in kept {
        let rule = format!("{:?} has its own messages and no others", id.as_str());
        check.holds(id, messages, &rule).await;
    }
}
