//! The tables, and how older ones are brought forward.

use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};

use super::problem::Problem;

/// The step at each place leads from the version of that number to the next one.
pub(super) const MIGRATIONS: &[&str] = &[include_str!("schema_1.sql")];

/// Brings the tables to the version that the migrations lead to, as one change.
pub(super) fn migrate(connection: &mut Connection, migrations: &[&str]) -> Result<(), Problem> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    // A reader's look first: most of the time nothing is to be done, and no lock is needed.
    if version(connection)? == known {
        return Ok(());
    }
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&change)?;
    if found > known {
        return Err(Problem::NewerLayout { found, known });
    }
    let done = usize::try_from(found).unwrap_or(0);
    for step in migrations.iter().skip(done) {
        change.execute_batch(step)?;
    }
    note(&change, known)?;
    change.commit()?;
    Ok(())
}

/// The version of the tables that are there; 0 if there are none.
fn version(connection: &Connection) -> Result<i64, Problem> {
    let there =
        "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'vernal_memory_schema'";
    if connection
        .query_row(there, [], |_| Ok(()))
        .optional()?
        .is_none()
    {
        return Ok(0);
    }
    let version = "SELECT version FROM vernal_memory_schema";
    Ok(connection
        .query_row(version, [], |row| row.get(0))
        .optional()?
        .unwrap_or(0))
}

fn note(change: &Transaction<'_>, version: i64) -> Result<(), Problem> {
    change.execute_batch(
        "CREATE TABLE IF NOT EXISTS vernal_memory_schema (version INTEGER NOT NULL)",
    )?;
    change.execute("DELETE FROM vernal_memory_schema", [])?;
    change.execute(
        "INSERT INTO vernal_memory_schema (version) VALUES (?1)",
        [version],
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: &str = "ALTER TABLE vernal_message ADD COLUMN note TEXT";

    fn count(connection: &Connection) -> i64 {
        connection
            .query_row("SELECT count(*) FROM vernal_message", [], |row| row.get(0))
            .unwrap()
    }

    #[test]
    fn an_older_layout_is_brought_forward_with_what_it_holds() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, MIGRATIONS).unwrap();
        let data = "INSERT INTO vernal_conversation VALUES (1, 'c', 2);
                    INSERT INTO vernal_message VALUES (1, 1, 'm', '{}');";
        connection.execute_batch(data).unwrap();
        let more = [MIGRATIONS, &[NEXT]].concat();
        migrate(&mut connection, &more).unwrap();
        migrate(&mut connection, &more).unwrap();
        assert_eq!(version(&connection).unwrap(), 2);
        assert_eq!(count(&connection), 1);
        connection
            .prepare("SELECT note FROM vernal_message")
            .unwrap();
        let older = migrate(&mut connection, MIGRATIONS);
        assert!(matches!(
            older,
            Err(Problem::NewerLayout { found: 2, known: 1 })
        ));
    }

    #[test]
    fn a_step_that_fails_leaves_the_older_layout_whole() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, MIGRATIONS).unwrap();
        let broken = [MIGRATIONS, &[NEXT, "no SQL"]].concat();
        assert!(migrate(&mut connection, &broken).is_err());
        assert_eq!(version(&connection).unwrap(), 1);
        assert!(
            connection
                .prepare("SELECT note FROM vernal_message")
                .is_err()
        );
    }
}
