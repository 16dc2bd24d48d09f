//! What is asked of the database.

use deadpool_postgres::{Client, Transaction};
use tokio_postgres::Row;

use super::problem::Problem;
use crate::__steps::reached;
use crate::record::Record;

pub(super) async fn load(
    client: &Client,
    conversation: &str,
    newest: Option<usize>,
) -> Result<Vec<String>, Problem> {
    // No limit is NULL.
    let limit = newest.and_then(|newest| i64::try_from(newest).ok());
    let select = client
        .prepare_cached(
            "SELECT m.body FROM vernal_message m
             JOIN vernal_conversation c ON c.number = m.conversation
             WHERE c.id = $1 ORDER BY m.position DESC LIMIT $2",
        )
        .await?;
    let rows = client.query(&select, &[&conversation, &limit]).await?;
    rows.iter().rev().map(text).collect()
}

/// One statement, which is a change of its own. It locks the conversation's row before it adds the
/// first message, and the next one to append waits there.
pub(super) async fn append(
    client: &Client,
    conversation: &str,
    records: &[Record],
) -> Result<(), Problem> {
    reached("postgres: before prepare");
    let insert = client
        .prepare_cached(
            "WITH entered AS (
                 INSERT INTO vernal_conversation AS c (id, next) VALUES ($1, $4::bigint + 1)
                 ON CONFLICT (id) DO UPDATE SET next = c.next + $4
                 RETURNING number, next - $4 AS first
             )
             INSERT INTO vernal_message (conversation, position, id, body)
             SELECT e.number, e.first + m.place - 1, m.id, m.body
             FROM entered e, unnest($2::text[], $3::text[]) WITH ORDINALITY AS m (id, body, place)
             ON CONFLICT (conversation, id) DO NOTHING",
        )
        .await?;
    let (ids, bodies) = columns(records);
    reached("postgres: before append");
    client
        .execute(&insert, &[&conversation, &ids, &bodies, &count(records)])
        .await?;
    reached("postgres: after append");
    Ok(())
}

pub(super) async fn replace_through(
    client: &mut Client,
    conversation: &str,
    through: &str,
    replacement: &[Record],
) -> Result<bool, Problem> {
    reached("postgres: before the replacement begins");
    let change = client.transaction().await?;
    let Some((number, last)) = locked(&change, conversation, through).await? else {
        change.rollback().await?;
        return Ok(false);
    };
    let (ids, bodies) = columns(replacement);
    let delete = "DELETE FROM vernal_message
                  WHERE conversation = $1 AND (position <= $2 OR id = ANY ($3))";
    reached("postgres: before the old messages go");
    change.execute(delete, &[&number, &last, &ids]).await?;
    reached("postgres: before the replacement");
    // All positions up to the last one are free, those below zero too.
    let insert = "INSERT INTO vernal_message (conversation, position, id, body)
                  SELECT $1, $2 - $3::bigint + m.place, m.id, m.body
                  FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS m (id, body, place)";
    change
        .execute(
            insert,
            &[&number, &last, &count(replacement), &ids, &bodies],
        )
        .await?;
    reached("postgres: before the replacement is committed");
    change.commit().await?;
    reached("postgres: after the replacement");
    Ok(true)
}

/// The conversation's number and the message's position, with the conversation locked.
async fn locked(
    change: &Transaction<'_>,
    conversation: &str,
    through: &str,
) -> Result<Option<(i64, i64)>, Problem> {
    let lock = "SELECT number FROM vernal_conversation WHERE id = $1 FOR UPDATE";
    let Some(row) = change.query_opt(lock, &[&conversation]).await? else {
        return Ok(None);
    };
    let number: i64 = row.try_get(0)?;
    let select = "SELECT position FROM vernal_message WHERE conversation = $1 AND id = $2";
    let Some(row) = change.query_opt(select, &[&number, &through]).await? else {
        return Ok(None);
    };
    Ok(Some((number, row.try_get(0)?)))
}

pub(super) async fn delete(client: &Client, conversation: &str) -> Result<(), Problem> {
    let delete = "DELETE FROM vernal_conversation WHERE id = $1";
    client.execute(delete, &[&conversation]).await?;
    Ok(())
}

pub(super) async fn conversations(
    client: &Client,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<String>, Problem> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    // No id is empty, so all of them come after the empty text.
    let select = "SELECT id FROM vernal_conversation WHERE id > $1 ORDER BY id LIMIT $2";
    let rows = client
        .query(select, &[&after.unwrap_or_default(), &limit])
        .await?;
    rows.iter().map(text).collect()
}

fn text(row: &Row) -> Result<String, Problem> {
    Ok(row.try_get(0)?)
}

fn columns(records: &[Record]) -> (Vec<&str>, Vec<&str>) {
    records
        .iter()
        .map(|record| (record.id.as_str(), record.body.as_str()))
        .unzip()
}

fn count(records: &[Record]) -> i64 {
    i64::try_from(records.len()).unwrap_or(i64::MAX)
}
