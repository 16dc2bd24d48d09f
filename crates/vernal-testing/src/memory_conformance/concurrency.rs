//! Many writers at once.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use vernal_core::message::Message;

use super::MemoryConformanceOptions;
use super::check::{Check, Handle, Store};
use super::turns::{STEPS, place, turn};

/// One handle or the other.
fn handle(store: &Store, number: usize) -> Handle {
    if number.is_multiple_of(2) {
        store.first.clone()
    } else {
        store.second.clone()
    }
}

/// Every message must belong to a whole turn; gives the turns, as task and number, in their order.
fn whole_turns(check: &Check<'_>, messages: &[Arc<Message>]) -> Vec<(usize, usize)> {
    let mut turns = Vec::new();
    for (at, found) in messages.chunks(STEPS).enumerate() {
        let places: Vec<_> = found.iter().map(|message| place(message)).collect();
        let first = places.first().copied().flatten();
        let [task, number, _] = first.unwrap_or_default();
        let wanted: Vec<_> = (0..STEPS).map(|step| Some([task, number, step])).collect();
        let rule = "an append is whole, its messages next to each other";
        check.must(
            places == wanted,
            &format!("{rule}; from message {}: {places:?}", at * STEPS),
        );
        turns.push((task, number));
    }
    turns
}

pub(super) async fn one_turn_many_times(store: &Store) {
    let check = store.check("one turn appended by many");
    let conversation = check.conversation("same");
    let same = turn(0, 0);
    let tasks = (0..8).map(|number| {
        let (handle, id, same) = (handle(store, number), conversation.clone(), same.clone());
        tokio::spawn(async move { handle.append(&id, &same).await })
    });
    for done in join_all(tasks).await {
        check.got(check.ended(done), "append");
    }
    check
        .holds(
            &conversation,
            &same,
            "the same append at the same time is kept once",
        )
        .await;
}

pub(super) async fn callers_that_go_away(store: &Store) {
    let check = store.check("callers that go away");
    let conversation = check.conversation("gone");
    let mut wanted = Vec::new();
    for number in 0..12 {
        let turn = turn(0, number);
        let handle = handle(store, number);
        let patience = Duration::from_micros(1 << number);
        let _ = tokio::time::timeout(patience, handle.append(&conversation, &turn)).await;
        let kept = whole_turns(&check, &check.load(&handle, &conversation).await).len();
        let rule = "an append whose caller went away is kept whole or not at all";
        check.must(
            kept == number || kept == number + 1,
            &format!("{rule}: {kept} turns of {number}"),
        );
        check.append(&handle, &conversation, &turn).await;
        wanted.extend(turn);
    }
    check
        .holds(
            &conversation,
            &wanted,
            "and repeating it completes the conversation",
        )
        .await;
}

pub(super) async fn readers_see_whole_turns(store: &Store) {
    let check = store.check("reading while others write");
    let conversation = check.conversation("read");
    let (writer, id) = (store.first.clone(), conversation.clone());
    let writes = tokio::spawn(async move {
        for number in 0..20 {
            writer.append(&id, &turn(0, number)).await?;
        }
        Ok(())
    });
    while !writes.is_finished() {
        let found = check.load(&store.second, &conversation).await;
        check.must(
            found.len().is_multiple_of(STEPS),
            "a reader sees whole appends only",
        );
        let seen = whole_turns(&check, &found).len();
        let newest = check.got(store.second.load(&conversation, Some(STEPS)).await, "load");
        let newest = whole_turns(&check, &newest).len();
        check.must(
            newest <= 1 && newest >= seen.min(1),
            "the newest messages are a whole turn",
        );
        tokio::task::yield_now().await;
    }
    check.got(check.ended(writes.await), "append");
}

pub(super) async fn deleting_while_others_append(store: &Store) {
    let check = store.check("deleting while others append");
    let conversation = check.conversation("deleted while");
    let (writer, id) = (store.second.clone(), conversation.clone());
    let writes = tokio::spawn(async move {
        for number in 0..30 {
            writer.append(&id, &turn(0, number)).await?;
        }
        Ok(())
    });
    while !writes.is_finished() {
        check.delete(&store.first, &conversation).await;
        tokio::task::yield_now().await;
    }
    check.got(check.ended(writes.await), "append");
    let last = turn(0, 30);
    check.append(&store.first, &conversation, &last).await;
    let kept = whole_turns(&check, &check.load(&store.second, &conversation).await);
    let newest = (31 - kept.len()..31).map(|number| (0, number));
    let rule = "the turns since some deletion are kept, and no others";
    check.must(
        kept.iter().copied().eq(newest),
        &format!("{rule}: {kept:?}"),
    );
}

pub(super) async fn many_writers(store: &Store, options: &MemoryConformanceOptions) {
    let check = store.check("many writers of one conversation");
    let conversation = check.conversation("many");
    let turns = options.turns_per_task;
    let tasks = (0..options.tasks).map(|task| {
        let (handle, id) = (handle(store, task), conversation.clone());
        tokio::spawn(async move {
            for number in 0..turns {
                handle.append(&id, &turn(task, number)).await?;
            }
            Ok(())
        })
    });
    for done in join_all(tasks).await {
        check.got(check.ended(done), "append");
    }
    for handle in [&store.first, &store.second] {
        let found = whole_turns(&check, &check.load(handle, &conversation).await);
        let all = options.tasks * turns;
        check.must(
            found.len() == all,
            &format!("{} turns of {all} are there", found.len()),
        );
        for task in 0..options.tasks {
            let own = found
                .iter()
                .filter(|(of, _)| *of == task)
                .map(|(_, number)| *number);
            let rule = "the turns of one writer come in the order in which it appended them";
            check.must(own.eq(0..turns), &format!("{rule} (task {task})"));
        }
    }
}
