//! The constraints, and how an older layout is brought forward.

use neo4rs::{Graph, query};

use super::problem::Problem;

/// The statements at each place lead from the version of that number to the next one. Neo4j makes
/// each a transaction of its own, so each must bear to be run again.
pub(super) const MIGRATIONS: &[&[&str]] = &[&[
    "CREATE CONSTRAINT vernal_conversation_key IF NOT EXISTS
     FOR (c:VernalConversation) REQUIRE c.key IS UNIQUE",
    "CREATE CONSTRAINT vernal_message_key IF NOT EXISTS
     FOR (m:VernalMessage) REQUIRE m.key IS UNIQUE",
]];

/// Under this constraint there is one node for the version.
const ONE_VERSION: &str = "CREATE CONSTRAINT vernal_memory_schema_name IF NOT EXISTS
                           FOR (s:VernalMemorySchema) REQUIRE s.name IS UNIQUE";

/// Brings the layout to the version that the migrations lead to, step by step.
pub(super) async fn migrate(graph: &Graph, migrations: &[&[&str]]) -> Result<(), Problem> {
    let known = i64::try_from(migrations.len()).unwrap_or(i64::MAX);
    let found = version(graph).await?;
    if found > known {
        return Err(Problem::NewerLayout { found, known });
    }
    let done = usize::try_from(found).unwrap_or(0);
    for (step, to) in migrations.iter().zip(1_i64..).skip(done) {
        for statement in [ONE_VERSION].iter().chain(*step) {
            graph.run(query(statement)).await?;
        }
        let note = "MERGE (s:VernalMemorySchema {name: 'vernal-memory'})
                    SET s.version = CASE WHEN coalesce(s.version, 0) < $to THEN $to ELSE s.version END";
        graph.run(query(note).param("to", to)).await?;
    }
    Ok(())
}

/// The version of the layout that is there; 0 if there is none.
async fn version(graph: &Graph) -> Result<i64, Problem> {
    let read = "MATCH (s:VernalMemorySchema {name: 'vernal-memory'})
                RETURN coalesce(s.version, 0) AS version";
    let mut rows = graph.execute_read(query(read)).await?;
    Ok(rows.next().await?.map_or(Ok(0), |row| row.get("version"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_layout_is_brought_forward_once_and_a_later_one_refused() {
        let variable = |name: &str| std::env::var(format!("VERNAL_NEO4J_{name}"));
        let Ok(url) = variable("URL") else {
            println!("SKIPPED neo4j: VERNAL_NEO4J_URL is not set; run cargo xtask services");
            return;
        };
        let (user, password) = (variable("USER").unwrap(), variable("PASSWORD").unwrap());
        let graph = Graph::new(url, user, password).unwrap();
        migrate(&graph, MIGRATIONS).await.unwrap();
        let next: &[&str] = &["MERGE (n:VernalTest) SET n.runs = coalesce(n.runs, 0) + 1"];
        let more = [MIGRATIONS, &[next]].concat();
        let runs = async || {
            let mut rows = graph
                .execute(query("MATCH (n:VernalTest) RETURN n.runs AS n"))
                .await
                .unwrap();
            rows.next().await.unwrap().unwrap().get::<i64>("n").unwrap()
        };
        migrate(&graph, &more).await.unwrap();
        migrate(&graph, &more).await.unwrap();
        assert_eq!(runs().await, 1);
        let older = migrate(&graph, MIGRATIONS).await;
        assert!(
            matches!(older, Err(Problem::NewerLayout { found: 2, known: 1 })),
            "{older:?}"
        );
        // The other tests use the same database.
        let back =
            "MATCH (s:VernalMemorySchema) SET s.version = 1 WITH s MATCH (n:VernalTest) DELETE n";
        graph.run(query(back)).await.unwrap();
    }
}
