//! The scripts: each is one step of the server, during which nothing else happens.

use std::sync::LazyLock;

use redis::{Script, Value, from_redis_value};

use super::link::Connection;
use super::problem::Problem;
use crate::record::Record;

/// The layout that this version writes; it stands in the scripts too.
const LAYOUT: i64 = 1;
/// The length of a message's id, which its body follows.
const ID: usize = 32;

/// What every script begins with: it looks at the layout of the conversation.
const PRELUDE: &str = include_str!("prelude.lua");
static LOAD: LazyLock<Script> = LazyLock::new(|| script(include_str!("load.lua")));
static APPEND: LazyLock<Script> = LazyLock::new(|| script(include_str!("append.lua")));
static REPLACE: LazyLock<Script> = LazyLock::new(|| script(include_str!("replace.lua")));
static DELETE: LazyLock<Script> = LazyLock::new(|| script(include_str!("delete.lua")));

fn script(rest: &str) -> Script {
    Script::new(&format!("{PRELUDE}\n{rest}"))
}

/// The bodies of the newest messages, oldest first.
pub(super) async fn load(
    connection: &mut Connection,
    key: &str,
    newest: Option<usize>,
) -> Result<Vec<String>, Problem> {
    let newest = newest.map_or("inf".to_owned(), |newest| newest.to_string());
    let answer = LOAD.key(key).arg(newest).invoke_async(connection).await?;
    let mut values: Vec<String> = from_redis_value(known(answer)?).map_err(|_| Problem::Foreign)?;
    values.reverse();
    values.into_iter().map(|value| body(&value)).collect()
}

fn body(value: &str) -> Result<String, Problem> {
    value.get(ID..).map(str::to_owned).ok_or(Problem::Foreign)
}

/// Appends; `false` where the conversation does not exist yet and `generation` is empty.
pub(super) async fn append(
    connection: &mut Connection,
    key: &str,
    generation: &str,
    time_to_live: u64,
    records: &[Record],
) -> Result<bool, Problem> {
    let mut call = APPEND.prepare_invoke();
    call.key(key).arg(time_to_live).arg(generation);
    for record in records {
        call.arg(&record.id).arg(&record.body);
    }
    flag(call.invoke_async(connection).await?)
}

/// Replaces; `false` where the conversation has no message `through`. A call with the same token
/// as the last one is that one again, whose answer got lost.
pub(super) async fn replace(
    connection: &mut Connection,
    key: &str,
    token: &str,
    time_to_live: u64,
    through: &str,
    records: &[Record],
) -> Result<bool, Problem> {
    let mut call = REPLACE.prepare_invoke();
    call.key(key).arg(time_to_live).arg(token).arg(through);
    for record in records {
        call.arg(&record.id).arg(&record.body);
    }
    flag(call.invoke_async(connection).await?)
}

/// Deletes; gives the generation of the conversation that there was.
pub(super) async fn delete(
    connection: &mut Connection,
    key: &str,
) -> Result<Option<String>, Problem> {
    let answer = DELETE.key(key).invoke_async(connection).await?;
    from_redis_value(known(answer)?).map_err(|_| Problem::Foreign)
}

fn flag(answer: (i64, Value)) -> Result<bool, Problem> {
    Ok(known(answer)? == Value::Int(1))
}

/// What a script gives: the layout that it found, where it does not know it, or 0 and its result.
fn known((found, result): (i64, Value)) -> Result<Value, Problem> {
    if found == 0 {
        Ok(result)
    } else {
        Err(Problem::NewerLayout {
            found,
            known: LAYOUT,
        })
    }
}
