//! The list of conversations.

use futures::future::try_join_all;
use redis::cmd;
use vernal_core::memory::ConversationId;

use super::keys::{Entry, Keys, SHARDS, after};
use super::link::Connection;
use super::problem::Problem;

/// How many entries are looked at in one go.
const PAGE: usize = 500;
/// How many entries a new conversation has looked at, where conversations expire.
const SWEPT: usize = 4;

/// Notes a conversation that is about to begin.
pub(super) async fn note(
    connection: &mut Connection,
    keys: &Keys,
    entry: &Entry,
) -> Result<(), Problem> {
    let mut add = cmd("ZADD");
    add.arg(keys.shard_of(&entry.id)).arg(0).arg(entry.text());
    Ok(add.query_async(connection).await?)
}

/// Removes the entry of a conversation that is no more, and will not be again.
pub(super) async fn strike(
    connection: &mut Connection,
    keys: &Keys,
    entry: &Entry,
) -> Result<(), Problem> {
    let mut remove = cmd("ZREM");
    remove.arg(keys.shard_of(&entry.id)).arg(entry.text());
    Ok(remove.query_async(connection).await?)
}

/// The conversations there are after `last`, sorted, at most `limit`.
pub(super) async fn list(
    connection: &Connection,
    keys: &Keys,
    last: Option<&ConversationId>,
    limit: usize,
) -> Result<Vec<ConversationId>, Problem> {
    let mut found: Vec<ConversationId> = Vec::new();
    let mut last = last.cloned();
    while found.len() < limit {
        let wanted = (limit - found.len()).min(PAGE);
        let noted = noted(connection, keys, last.as_ref(), wanted).await?;
        let Some(end) = noted.last() else { break };
        last = Some(end.id.clone());
        let there = those_there(connection, keys, noted).await?;
        found.extend(there);
        found.dedup();
    }
    found.truncate(limit);
    Ok(found)
}

/// The entries of the lowest ids after `last`: at least `wanted`, if there are as many.
async fn noted(
    connection: &Connection,
    keys: &Keys,
    last: Option<&ConversationId>,
    wanted: usize,
) -> Result<Vec<Entry>, Problem> {
    let low = after(last);
    let pages = (0..SHARDS).map(|number| {
        let (mut connection, low) = (connection.clone(), low.as_str());
        async move {
            let mut range = cmd("ZRANGEBYLEX");
            range
                .arg(keys.shard(number))
                .arg(low)
                .arg("+")
                .arg("LIMIT")
                .arg(0)
                .arg(wanted);
            range.query_async::<Vec<String>>(&mut connection).await
        }
    });
    let pages = try_join_all(pages).await?;
    let mut entries: Vec<Entry> = pages
        .iter()
        .flatten()
        .filter_map(|text| Entry::parse(text))
        .collect();
    entries.sort();
    // Beyond the lowest `wanted`, a set may have entries between these that it was not asked for.
    // Should an id's entries be parted there, the rest of them say nothing new.
    entries.truncate(wanted);
    Ok(entries)
}

/// The ids whose conversations exist. Entries of others are removed once they are old.
async fn those_there(
    connection: &Connection,
    keys: &Keys,
    entries: Vec<Entry>,
) -> Result<Vec<ConversationId>, Problem> {
    let looks = entries.into_iter().map(|entry| {
        let mut connection = connection.clone();
        async move {
            let mut get = cmd("HGET");
            get.arg(keys.conversation(&entry.id)).arg("generation");
            let generation: Option<String> = get.query_async(&mut connection).await?;
            if generation.as_ref() != Some(&entry.generation) && entry.is_old() {
                strike(&mut connection, keys, &entry).await?;
            }
            Ok::<_, Problem>(generation.map(|_| entry.id))
        }
    });
    Ok(try_join_all(looks).await?.into_iter().flatten().collect())
}

/// Looks at a few entries, so that those of expired conversations do not pile up where nobody lists.
pub(super) async fn sweep(
    connection: &mut Connection,
    keys: &Keys,
    beside: &ConversationId,
) -> Result<(), Problem> {
    let mut some = cmd("ZRANDMEMBER");
    some.arg(keys.shard_of(beside)).arg(SWEPT);
    let some: Vec<String> = some.query_async(connection).await?;
    let entries = some
        .iter()
        .filter_map(|text| Entry::parse(text))
        .filter(Entry::is_old)
        .collect();
    those_there(connection, keys, entries).await.map(|_| ())
}
