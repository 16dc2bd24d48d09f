//! What every repository of a server has to bear of its network.

use std::future::Future;
use std::time::{Duration, Instant};

use vernal_core::memory::{ChatMemoryRepository, MemoryErrorKind};

use super::proxy::{PATIENCE, Proxy, Way};
use super::turns::{kept, turn};
use super::{assert_error, conversation};

/// The repository is behind the proxy and waits for half a second at most.
pub async fn slow_and_broken(repository: &impl ChatMemoryRepository, proxy: &Proxy) {
    let id = conversation("network");
    let store = repository.name();
    repository.append(&id, &turn(0)).await.unwrap();

    proxy.set(Way::Stalled);
    let start = Instant::now();
    // The same messages are appended again later: their first append may have got through.
    let second = turn(1);
    let error = repository.append(&id, &second).await.unwrap_err();
    let parts = [store, "cannot append to", id.as_str(), "repeating is safe"];
    assert_error(&error, MemoryErrorKind::Timeout, &parts);
    let error = repository.load(&id, None).await.unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Timeout,
        &[store, "cannot load", id.as_str()],
    );
    assert!(
        start.elapsed() < PATIENCE,
        "the wait is bounded: {:?}",
        start.elapsed()
    );

    proxy.set(Way::Open);
    repository.append(&id, &second).await.unwrap();
    assert_eq!(kept(repository, &id).await, [0, 1]);

    proxy.set(Way::Cut);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let third = turn(2);
    let error = repository.append(&id, &third).await.unwrap_err();
    assert_error(
        &error,
        MemoryErrorKind::Connection,
        &[store, "cannot append to", id.as_str()],
    );

    proxy.set(Way::Open);
    repository.append(&id, &third).await.unwrap();
    assert_eq!(kept(repository, &id).await, [0, 1, 2]);
    repository.delete(&id).await.unwrap();
}

/// While turns are appended, `disturb` breaks connections or the server for a while. Errors must be
/// of the connection; each append is repeated until it succeeds.
pub async fn disturbed<F: Future<Output = ()>>(
    repository: &(impl ChatMemoryRepository + Clone),
    disturb: impl FnOnce() -> F,
) {
    let id = conversation("disturbed");
    let (writer, to) = (repository.clone(), id.clone());
    let (ended, mut end) = tokio::sync::oneshot::channel::<()>();
    let writes = tokio::spawn(async move {
        let (mut number, mut errors) = (0, Vec::new());
        // Some more after the end, to see that it works again.
        let mut left = 20;
        while left > 0 {
            if !matches!(
                end.try_recv(),
                Err(tokio::sync::oneshot::error::TryRecvError::Empty)
            ) {
                left -= 1;
            }
            let turn = turn(number);
            while let Err(error) = writer.append(&to, &turn).await {
                assert!(error.is_unavailable(), "{error:?}");
                errors.push(error.to_string());
                assert!(errors.len() < 2_000, "{error:?}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            number += 1;
        }
        (number, errors)
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    disturb().await;
    drop(ended);
    let (turns, errors) = writes.await.unwrap();
    assert_eq!(kept(repository, &id).await, (0..turns).collect::<Vec<_>>());
    println!(
        "{}: {turns} turns, all whole and in order, over {} failed appends, such as: {}",
        repository.name(),
        errors.len(),
        errors.first().map_or("none", String::as_str)
    );
    repository.delete(&id).await.unwrap();
}
