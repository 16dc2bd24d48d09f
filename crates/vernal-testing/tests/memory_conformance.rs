//! The conformance suite passes what is right, and finds what is wrong with repositories that are not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use vernal_core::memory::{
    ChatMemoryRepository, ConversationId, InMemoryChatMemoryRepository, MemoryFuture,
};
use vernal_core::message::{Message, MessageId, Role};
use vernal_testing::{MemoryConformanceOptions, memory_conformance, memory_conformance_with};

#[tokio::test(flavor = "multi_thread")]
async fn the_repository_of_this_process_passes_at_full_size() {
    let shared = InMemoryChatMemoryRepository::new();
    memory_conformance_with(MemoryConformanceOptions::full(), async || shared.clone()).await;
    assert!(
        shared.conversations(None, 1).await.unwrap().is_empty(),
        "the suite cleans up"
    );
}

/// What a repository does wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    DropsToolMessages,
    DropsEmptyTexts,
    ParsesJson,
    AppendsOneByOne,
    AppendsAgain,
    LoadsTheOldest,
    ReplacesEverything,
    InventsConversations,
    SortsByUtf16,
    ListsForever,
    ForgetsNothing,
    SharesByCase,
}

#[derive(Clone)]
struct Faulty {
    kept: InMemoryChatMemoryRepository,
    fault: Fault,
    appends: Arc<Mutex<u64>>,
}

impl Faulty {
    fn id(&self, id: &ConversationId) -> ConversationId {
        match self.fault {
            Fault::SharesByCase => ConversationId::new(id.as_str().to_lowercase()).unwrap(),
            _ => id.clone(),
        }
    }

    fn stored(&self, message: &Arc<Message>) -> Option<Arc<Message>> {
        let tool = message.role() == Role::Tool;
        let empty = message.parts().is_empty() || message.text().is_empty();
        let text = serde_json::to_string(message).unwrap();
        match self.fault {
            Fault::DropsToolMessages if tool => None,
            Fault::DropsEmptyTexts if empty && !tool && !message.has_tool_calls() => None,
            Fault::ParsesJson => {
                let value = serde_json::from_str::<serde_json::Value>(&text);
                let text = value.map_or(text, |value| value.to_string());
                Some(Arc::new(serde_json::from_str(&text).unwrap()))
            }
            // A message of the same content with another id is another message.
            Fault::AppendsAgain => {
                let mut appends = self.appends.lock().unwrap();
                *appends += 1;
                let id = message.id().to_string();
                let text = text.replace(&id, &format!("{:032x}", *appends));
                Some(Arc::new(serde_json::from_str(&text).unwrap()))
            }
            _ => Some(message.clone()),
        }
    }
}

impl ChatMemoryRepository for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn load<'a>(
        &'a self,
        conversation: &'a ConversationId,
        newest: Option<usize>,
    ) -> MemoryFuture<'a, Vec<Arc<Message>>> {
        Box::pin(async move {
            let id = self.id(conversation);
            if self.fault != Fault::LoadsTheOldest {
                return self.kept.load(&id, newest).await;
            }
            let all = self.kept.load(&id, None).await?;
            Ok(all.into_iter().take(newest.unwrap_or(usize::MAX)).collect())
        })
    }

    fn append<'a>(
        &'a self,
        conversation: &'a ConversationId,
        messages: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            let id = self.id(conversation);
            let messages: Vec<_> = messages.iter().filter_map(|m| self.stored(m)).collect();
            if self.fault != Fault::AppendsOneByOne {
                return self.kept.append(&id, &messages).await;
            }
            for message in messages {
                self.kept.append(&id, &[message]).await?;
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            Ok(())
        })
    }

    fn replace_through<'a>(
        &'a self,
        conversation: &'a ConversationId,
        through: MessageId,
        replacement: &'a [Arc<Message>],
    ) -> MemoryFuture<'a, bool> {
        Box::pin(async move {
            let all = self.kept.load(conversation, None).await?;
            let there = all.iter().any(|message| message.id() == through);
            match self.fault {
                Fault::ReplacesEverything if there => {
                    self.kept.delete(conversation).await?;
                    self.kept.append(conversation, replacement).await?;
                    Ok(true)
                }
                Fault::InventsConversations if all.is_empty() => {
                    self.kept.append(conversation, replacement).await?;
                    Ok(false)
                }
                _ => {
                    self.kept
                        .replace_through(conversation, through, replacement)
                        .await
                }
            }
        })
    }

    fn delete<'a>(&'a self, conversation: &'a ConversationId) -> MemoryFuture<'a, ()> {
        Box::pin(async move {
            match self.fault {
                Fault::ForgetsNothing => Ok(()),
                _ => self.kept.delete(&self.id(conversation)).await,
            }
        })
    }

    fn conversations<'a>(
        &'a self,
        after: Option<&'a ConversationId>,
        limit: usize,
    ) -> MemoryFuture<'a, Vec<ConversationId>> {
        Box::pin(async move {
            let units = |id: &ConversationId| id.as_str().encode_utf16().collect::<Vec<_>>();
            match self.fault {
                Fault::SortsByUtf16 => {
                    let mut all = self.kept.conversations(None, usize::MAX).await?;
                    all.sort_by_key(units);
                    let later = |id: &ConversationId| after.is_none_or(|a| units(id) > units(a));
                    Ok(all.into_iter().filter(later).take(limit).collect())
                }
                // A page too long: what `limit` is for is left undone.
                Fault::ListsForever => self.kept.conversations(after, usize::MAX).await,
                _ => self.kept.conversations(after, limit).await,
            }
        })
    }
}

/// What the suite says of a repository with this fault.
async fn verdict(fault: Fault) -> String {
    let faulty = Faulty {
        kept: InMemoryChatMemoryRepository::new(),
        fault,
        appends: Arc::default(),
    };
    let suite = AssertUnwindSafe(memory_conformance(async || faulty.clone())).catch_unwind();
    let Err(failed) = suite.await else {
        panic!("{fault:?} was not found")
    };
    *failed.downcast::<String>().expect("a text")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_is_found_and_named() {
    for (fault, named) in [
        (Fault::DropsToolMessages, "every part is kept"),
        (Fault::DropsEmptyTexts, "every part is kept"),
        (Fault::ParsesJson, "every part is kept"),
        (Fault::AppendsOneByOne, "whole"),
        (Fault::AppendsAgain, "every part is kept"),
        (Fault::LoadsTheOldest, "the newest 1"),
        (Fault::ReplacesEverything, "what came later is kept"),
        (
            Fault::InventsConversations,
            "no conversation comes into being",
        ),
        (Fault::SortsByUtf16, "byte order of ids"),
        (Fault::ListsForever, "a page of"),
        (Fault::ForgetsNothing, "is deleted"),
        (Fault::SharesByCase, "conversations are apart"),
    ] {
        let said = verdict(fault).await;
        assert!(said.contains(named), "{fault:?}: {said}");
        assert!(said.starts_with("memory conformance of `faulty`"), "{said}");
    }
}
