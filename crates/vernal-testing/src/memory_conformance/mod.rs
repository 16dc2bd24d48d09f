//! The suite that every chat memory repository has to pass, a user's own too.

mod appending;
mod check;
mod concurrency;
mod listing;
mod options;
mod replacing;
mod samples;
mod turns;
mod whole;

use std::sync::Arc;

use vernal_core::memory::ChatMemoryRepository;

use check::Store;
pub use options::MemoryConformanceOptions;

/// Checks a repository against all that [`ChatMemoryRepository`] asks for, at a size that suits every
/// run: see [`memory_conformance_with`].
///
/// ```
/// use vernal_core::memory::InMemoryChatMemoryRepository;
/// use vernal_testing::memory_conformance;
///
/// # let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
/// # runtime.block_on(async {
/// let shared = InMemoryChatMemoryRepository::new();
/// memory_conformance(async || shared.clone()).await;
/// # });
/// ```
///
/// # Panics
/// Where the repository does not do what is asked for, with a text that says what that is.
pub async fn memory_conformance<R: ChatMemoryRepository>(open: impl AsyncFn() -> R) {
    memory_conformance_with(MemoryConformanceOptions::default(), open).await;
}

/// Checks a repository against all that [`ChatMemoryRepository`] asks for:
///
/// - every kind of message comes back whole, byte for byte, in order;
/// - an append is whole or not at all, also when its caller goes away in the middle, and has no
///   effect the second time;
/// - the newest messages, replacing, deleting and listing, with ids of all sorts;
/// - many tasks that write one conversation lose nothing, and nothing comes between the messages of
///   one append.
///
/// `open` gives a handle to the store each time it is called, such as two processes would have; all
/// handles must show the same store. Conversations of a run have ids that no other run uses; they are
/// deleted at the end, so the store may be in use. Conversations with ids that sort between those of
/// the run would be none of its own. Must be called in a tokio runtime, best one with several threads.
///
/// # Panics
/// Where the repository does not do what is asked for, with a text that says what that is.
pub async fn memory_conformance_with<R: ChatMemoryRepository>(
    options: MemoryConformanceOptions,
    open: impl AsyncFn() -> R,
) {
    let handles: [Arc<dyn ChatMemoryRepository>; 2] =
        [Arc::new(open().await), Arc::new(open().await)];
    let store = Store::new(handles);
    whole::every_kind_of_message(&store).await;
    whole::large_texts(&store, options.large_text_bytes).await;
    whole::parallel_answers(&store).await;
    appending::order_and_newest(&store).await;
    appending::nothing_there(&store).await;
    appending::repeated_messages(&store).await;
    appending::conversations_are_apart(&store).await;
    replacing::a_prefix(&store).await;
    replacing::kept_and_moved_messages(&store).await;
    replacing::what_is_not_there(&store).await;
    replacing::while_others_append(&store).await;
    listing::sorted_pages(&store).await;
    listing::deleted_conversations(&store).await;
    concurrency::one_turn_many_times(&store).await;
    concurrency::callers_that_go_away(&store).await;
    concurrency::readers_see_whole_turns(&store).await;
    concurrency::deleting_while_others_append(&store).await;
    concurrency::many_writers(&store, &options).await;
    store.forget().await;
}
