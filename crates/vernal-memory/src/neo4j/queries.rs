//! What is asked of the database. Each is one statement, and so one transaction.
//!
//! The key of a conversation is its id in hexadecimal: that sorts as the id's bytes do, whatever
//! order the database has for texts. `SET c.locked` takes the lock under which all that follows is
//! read.

use std::time::Duration;

use neo4rs::{Graph, Query, query};
use vernal_core::memory::ConversationId;

use super::problem::Problem;
use crate::__steps::reached;
use crate::record::Record;

/// Milliseconds to wait before a statement is repeated that lost a race against a deletion.
const RACE_DELAYS: [u64; 6] = [1, 2, 5, 10, 20, 50];

/// The key of a conversation's node.
fn key(id: &ConversationId) -> String {
    id.as_str()
        .bytes()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

pub(super) async fn load(
    graph: &Graph,
    conversation: &ConversationId,
    newest: Option<usize>,
) -> Result<Vec<String>, Problem> {
    let limit = newest
        .and_then(|newest| i64::try_from(newest).ok())
        .unwrap_or(i64::MAX);
    let read = query(
        "MATCH (:VernalConversation {key: $key})-[:HOLDS]->(m:VernalMessage)
         WITH m ORDER BY m.position DESC LIMIT $limit
         RETURN m.body AS text",
    );
    let read = read.param("key", key(conversation)).param("limit", limit);
    let mut bodies = texts(graph, read).await?;
    bodies.reverse();
    Ok(bodies)
}

/// Runs a statement; gives the column `text`. The driver repeats what the server calls transient.
/// Where another statement deleted what this one had found, nothing of it has happened, and it is
/// repeated too.
async fn texts(graph: &Graph, statement: Query) -> Result<Vec<String>, Problem> {
    for delay in RACE_DELAYS {
        match rows(graph, statement.clone()).await {
            Err(problem) if problem.is_a_lost_race() => {
                tokio::time::sleep(Duration::from_millis(delay)).await
            }
            done => return done,
        }
    }
    rows(graph, statement).await
}

async fn rows(graph: &Graph, statement: Query) -> Result<Vec<String>, Problem> {
    let mut rows = graph.execute(statement).await?;
    let mut texts = Vec::new();
    while let Some(row) = rows.next().await? {
        texts.push(row.get("text")?);
    }
    Ok(texts)
}

pub(super) async fn append(
    graph: &Graph,
    conversation: &ConversationId,
    records: &[Record],
) -> Result<(), Problem> {
    let write = query(
        "MERGE (c:VernalConversation {key: $key})
         ON CREATE SET c.id = $id, c.next = 1
         SET c.locked = true
         WITH c, c.next AS first
         UNWIND range(0, size($ids) - 1) AS place
         WITH c, first, place, $key + ':' + $ids[place] AS message
         WHERE NOT EXISTS { MATCH (:VernalMessage {key: message}) }
         CREATE (c)-[:HOLDS]->(:VernalMessage {
             key: message, position: first + place, body: $bodies[place]
         })
         WITH DISTINCT c, first
         SET c.next = first + size($ids)",
    );
    let (ids, bodies) = columns(records);
    let write = write
        .param("key", key(conversation))
        .param("id", conversation.as_str());
    reached("neo4j: before append");
    texts(graph, write.param("ids", ids).param("bodies", bodies)).await?;
    reached("neo4j: after append");
    Ok(())
}

pub(super) async fn replace_through(
    graph: &Graph,
    conversation: &ConversationId,
    through: &str,
    replacement: &[Record],
) -> Result<bool, Problem> {
    let write = query(
        "MATCH (c:VernalConversation {key: $key})
         SET c.locked = true
         WITH c
         MATCH (through:VernalMessage {key: $key + ':' + $through})
         WITH c, through.position AS last
         MATCH (c)-[:HOLDS]->(m:VernalMessage)
         WHERE m.position <= last OR m.key IN [id IN $ids | $key + ':' + id]
         WITH c, last, collect(m) AS gone
         FOREACH (m IN gone | DETACH DELETE m)
         FOREACH (place IN range(1, size($ids)) |
             CREATE (c)-[:HOLDS]->(:VernalMessage {
                 key: $key + ':' + $ids[place - 1],
                 position: last - size($ids) + place,
                 body: $bodies[place - 1]
             }))
         RETURN 'replaced' AS text",
    );
    let (ids, bodies) = columns(replacement);
    let write = write
        .param("key", key(conversation))
        .param("through", through);
    reached("neo4j: before the replacement");
    let done = texts(graph, write.param("ids", ids).param("bodies", bodies)).await?;
    reached("neo4j: after the replacement");
    Ok(!done.is_empty())
}

pub(super) async fn delete(graph: &Graph, conversation: &ConversationId) -> Result<(), Problem> {
    let write = query(
        "MATCH (c:VernalConversation {key: $key})
         SET c.locked = true
         WITH c
         OPTIONAL MATCH (c)-[:HOLDS]->(m:VernalMessage)
         DETACH DELETE m, c",
    );
    texts(graph, write.param("key", key(conversation)))
        .await
        .map(|_| ())
}

pub(super) async fn conversations(
    graph: &Graph,
    after: Option<&ConversationId>,
    limit: usize,
) -> Result<Vec<String>, Problem> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let read = query(
        "MATCH (c:VernalConversation) WHERE c.key > $after
         RETURN c.id AS text ORDER BY c.key LIMIT $limit",
    );
    let after = after.map(key).unwrap_or_default();
    texts(graph, read.param("after", after).param("limit", limit)).await
}

fn columns(records: &[Record]) -> (Vec<String>, Vec<String>) {
    records
        .iter()
        .map(|record| (record.id.clone(), record.body.clone()))
        .unzip()
}
