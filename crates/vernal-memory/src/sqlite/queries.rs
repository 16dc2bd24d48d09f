//! What is asked of the database.

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::problem::Problem;
use crate::__steps::reached;
use crate::record::Record;

pub(super) fn load(
    connection: &mut Connection,
    conversation: &str,
    newest: Option<usize>,
) -> Result<Vec<String>, Problem> {
    // SQLite takes a negative limit for none.
    let limit = newest.map_or(-1, |newest| i64::try_from(newest).unwrap_or(-1));
    let mut statement = connection.prepare_cached(
        "SELECT body FROM vernal_message
         WHERE conversation = (SELECT number FROM vernal_conversation WHERE id = ?1)
         ORDER BY position DESC LIMIT ?2",
    )?;
    let rows = statement.query_map(params![conversation, limit], |row| row.get(0))?;
    let mut bodies = rows.collect::<Result<Vec<String>, _>>()?;
    bodies.reverse();
    Ok(bodies)
}

pub(super) fn append(
    connection: &mut Connection,
    conversation: &str,
    records: &[Record],
) -> Result<(), Problem> {
    reached("sqlite: before begin");
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    reached("sqlite: before the conversation");
    let number = enter(&change, conversation)?;
    reached("sqlite: before the messages");
    insert(&change, number, next(&change, number)?, records)?;
    reached("sqlite: before commit");
    change.commit()?;
    reached("sqlite: after commit");
    Ok(())
}

/// The conversation's number; it is made if there is none.
fn enter(change: &Transaction<'_>, conversation: &str) -> Result<i64, Problem> {
    if let Some(number) = number(change, conversation)? {
        return Ok(number);
    }
    let insert = "INSERT INTO vernal_conversation (id, next) VALUES (?1, 1)";
    change.prepare_cached(insert)?.execute([conversation])?;
    Ok(change.last_insert_rowid())
}

fn number(change: &Transaction<'_>, conversation: &str) -> Result<Option<i64>, Problem> {
    let select = "SELECT number FROM vernal_conversation WHERE id = ?1";
    let mut statement = change.prepare_cached(select)?;
    Ok(statement
        .query_row([conversation], |row| row.get(0))
        .optional()?)
}

fn next(change: &Transaction<'_>, number: i64) -> Result<i64, Problem> {
    let select = "SELECT next FROM vernal_conversation WHERE number = ?1";
    Ok(change
        .prepare_cached(select)?
        .query_row([number], |row| row.get(0))?)
}

/// Adds the records from position `first` on and moves the conversation's end behind them.
fn insert(
    change: &Transaction<'_>,
    number: i64,
    first: i64,
    records: &[Record],
) -> Result<(), Problem> {
    let mut statement = change.prepare_cached(
        "INSERT INTO vernal_message (conversation, position, id, body) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (conversation, id) DO NOTHING",
    )?;
    let mut position = first;
    for Record { id, body } in records {
        statement.execute(params![number, position, id, body])?;
        position += 1;
        reached("sqlite: after a message");
    }
    let update = "UPDATE vernal_conversation SET next = max(next, ?2) WHERE number = ?1";
    change.prepare_cached(update)?.execute([number, position])?;
    Ok(())
}

pub(super) fn replace_through(
    connection: &mut Connection,
    conversation: &str,
    through: &str,
    replacement: &[Record],
) -> Result<bool, Problem> {
    reached("sqlite: before the replacement begins");
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let Some(number) = number(&change, conversation)? else {
        return Ok(false);
    };
    let select = "SELECT position FROM vernal_message WHERE conversation = ?1 AND id = ?2";
    let position: Option<i64> = change
        .prepare_cached(select)?
        .query_row(params![number, through], |row| row.get(0))
        .optional()?;
    let Some(last) = position else {
        return Ok(false);
    };
    reached("sqlite: before the old messages go");
    let delete = "DELETE FROM vernal_message WHERE conversation = ?1 AND position <= ?2";
    change.prepare_cached(delete)?.execute([number, last])?;
    let delete = "DELETE FROM vernal_message WHERE conversation = ?1 AND id = ?2";
    for Record { id, .. } in replacement {
        change
            .prepare_cached(delete)?
            .execute(params![number, id])?;
    }
    reached("sqlite: before the replacement");
    // All positions up to the last one are free, those below zero too.
    let count = i64::try_from(replacement.len()).unwrap_or(i64::MAX);
    insert(
        &change,
        number,
        last.saturating_sub(count).saturating_add(1),
        replacement,
    )?;
    reached("sqlite: before the replacement is committed");
    change.commit()?;
    reached("sqlite: after the replacement");
    Ok(true)
}

pub(super) fn delete(connection: &mut Connection, conversation: &str) -> Result<(), Problem> {
    connection.execute(
        "DELETE FROM vernal_conversation WHERE id = ?1",
        [conversation],
    )?;
    Ok(())
}

pub(super) fn conversations(
    connection: &mut Connection,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<String>, Problem> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    // No id is empty, so all of them come after the empty text.
    let select = "SELECT id FROM vernal_conversation WHERE id > ?1 ORDER BY id LIMIT ?2";
    let mut statement = connection.prepare_cached(select)?;
    let rows = statement.query_map(params![after.unwrap_or_default(), limit], |row| row.get(0))?;
    Ok(rows.collect::<Result<Vec<String>, _>>()?)
}
