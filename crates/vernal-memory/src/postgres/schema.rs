//! The tables, and how older ones are brought forward.

use deadpool_postgres::Client;
use tokio_postgres::GenericClient;

use super::problem::Problem;

/// The step at each place leads from the version of that number to the next one.
pub(super) const MIGRATIONS: &[&str] = &[include_str!("schema_1.sql")];

/// The number of the advisory lock under which tables are changed.
const LOCK: i64 = 0x7665_726e_616c_6d65;

/// Brings the tables to the version that the migrations lead to, as one change.
pub(super) async fn migrate(client: &mut Client, migrations: &[&str]) -> Result<(), Problem> {
    let encoding: String = client
        .query_one("SHOW server_encoding", &[])
        .await?
        .try_get(0)?;
    if encoding != "UTF8" {
        return Err(Problem::Encoding(encoding));
    }
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    // A reader's look first: most of the time nothing is to be done, and no right to do it needed.
    if version(&***client).await? == known {
        return Ok(());
    }
    let change = client.transaction().await?;
    change
        .execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])
        .await?;
    // Not only where it is missing: what this session knows of tables is as old as its last look at
    // one, and another process may have made them while the lock was awaited.
    let table = "CREATE TABLE IF NOT EXISTS vernal_memory_schema (version bigint NOT NULL)";
    change.batch_execute(table).await?;
    let found = noted(&*change).await?;
    if found > known {
        return Err(Problem::NewerLayout { found, known });
    }
    for step in migrations.iter().skip(usize::try_from(found).unwrap_or(0)) {
        change.batch_execute(step).await?;
    }
    change
        .execute("DELETE FROM vernal_memory_schema", &[])
        .await?;
    change
        .execute("INSERT INTO vernal_memory_schema VALUES ($1)", &[&known])
        .await?;
    change.commit().await?;
    Ok(())
}

/// The version of the tables that are there; 0 if there are none.
async fn version(client: &impl GenericClient) -> Result<i64, Problem> {
    let there = "SELECT to_regclass('vernal_memory_schema') IS NOT NULL";
    let there: bool = client.query_one(there, &[]).await?.try_get(0)?;
    if there { noted(client).await } else { Ok(0) }
}

async fn noted(client: &impl GenericClient) -> Result<i64, Problem> {
    let row = client
        .query_opt("SELECT version FROM vernal_memory_schema", &[])
        .await?;
    Ok(row.map_or(Ok(0), |row| row.try_get(0))?)
}

#[cfg(test)]
mod tests {
    use tokio_postgres::NoTls;
    use vernal_core::message::Message;

    use super::*;

    const NEXT: &str = "ALTER TABLE vernal_message ADD COLUMN note text";

    async fn count(client: &Client) -> i64 {
        client
            .query_one("SELECT count(*) FROM vernal_message", &[])
            .await
            .unwrap()
            .get(0)
    }

    #[tokio::test]
    async fn an_older_layout_is_brought_forward_whole_or_not_at_all() {
        let Ok(url) = std::env::var("VERNAL_POSTGRES_URL") else {
            println!("SKIPPED postgres: VERNAL_POSTGRES_URL is not set; run cargo xtask services");
            return;
        };
        let manager = deadpool_postgres::Manager::new(url.parse().unwrap(), NoTls);
        let pool = deadpool_postgres::Pool::builder(manager).build().unwrap();
        let mut client = pool.get().await.unwrap();
        let schema = format!("migrated_{}", Message::user("").id());
        let own = format!("CREATE SCHEMA {schema}; SET search_path = {schema}");
        client.batch_execute(&own).await.unwrap();

        migrate(&mut client, MIGRATIONS).await.unwrap();
        let data = "INSERT INTO vernal_conversation (id, next) VALUES ('c', 2);
                    INSERT INTO vernal_message VALUES (1, 1, 'm', '{}')";
        client.batch_execute(data).await.unwrap();
        let broken = [MIGRATIONS, &[NEXT, "no SQL"]].concat();
        assert!(migrate(&mut client, &broken).await.is_err());
        client.batch_execute("ROLLBACK").await.unwrap();
        assert_eq!(version(&**client).await.unwrap(), 1);
        let more = [MIGRATIONS, &[NEXT]].concat();
        migrate(&mut client, &more).await.unwrap();
        migrate(&mut client, &more).await.unwrap();
        assert_eq!(version(&**client).await.unwrap(), 2);
        client
            .query("SELECT note FROM vernal_message", &[])
            .await
            .unwrap();
        assert_eq!(count(&client).await, 1);
        let older = migrate(&mut client, MIGRATIONS).await;
        assert!(matches!(
            older,
            Err(Problem::NewerLayout { found: 2, known: 1 })
        ));
    }
}
