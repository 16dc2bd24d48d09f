//! MEM-8: a repository that is down.

use std::error::Error as _;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber, span};
use vernal_core::advisor::OnUnavailable;
use vernal_core::memory::{MemoryError, MemoryErrorKind};
use vernal_testing::ScriptedModel;

use crate::kit::{INSIDE, OUTSIDE, WAYS, asked, builder, memory, read};
use crate::store::{Failing, Store};

const LOAD: Failing = Failing {
    load: Some(MemoryErrorKind::Connection),
    append: None,
};
const APPEND: Failing = Failing {
    load: None,
    append: Some(MemoryErrorKind::Timeout),
};

fn model() -> ScriptedModel {
    ScriptedModel::new().calls("look", "{}").says("done")
}

#[tokio::test]
async fn mem_8_a_repository_that_is_down_is_an_error_of_the_turn_that_names_it() {
    for way in WAYS {
        for order in [OUTSIDE, INSIDE] {
            for (failing, calls) in [(LOAD, 0), (APPEND, 2)] {
                let (model, store) = (model(), Store::default());
                store.fail(failing);
                let client = builder(&model).default_advisors(memory(&store, order).build());
                let client = client.build().unwrap();
                let error = way
                    .send(&client.prompt("hi").conversation("c"))
                    .await
                    .unwrap_err();
                let text = error.to_string();
                assert!(
                    text.contains("`test-store`") && text.contains("no route"),
                    "{text}"
                );
                assert!(!text.contains('\n') && !error.is_setup());
                assert!(error.is_memory() && error.memory_error().unwrap().is_unavailable());
                assert_eq!(error.is_timeout(), calls > 0, "storing took too long");
                let done = error.messages().map(read);
                let answered =
                    done.is_some_and(|lines| lines.ends_with(&["assistant: done".into()]));
                assert_eq!(answered, calls > 0, "the answer is not lost");
                let source = error
                    .source()
                    .unwrap()
                    .downcast_ref::<MemoryError>()
                    .unwrap();
                assert!(source.is_unavailable());
                assert_eq!(model.call_count(), calls, "{way:?} {order}");
                assert!(store.kept("c").await.is_empty());
            }
        }
    }
}

/// Collects warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() == Level::WARN
    }
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line::default();
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

#[derive(Default)]
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        write!(self.0, "{}={value:?} ", field.name()).unwrap();
    }
}

#[tokio::test]
async fn mem_8_by_choice_a_turn_goes_on_without_it_and_that_is_logged() {
    let warnings = Warnings::default();
    let _guard = tracing::subscriber::set_default(warnings.clone());
    for way in WAYS {
        for order in [OUTSIDE, INSIDE] {
            let (model, store) = (model().says("again"), Store::default());
            let memory = memory(&store, order).on_unavailable(OnUnavailable::Degrade);
            let client = builder(&model)
                .default_advisors(memory.build())
                .build()
                .unwrap();
            let request = client.prompt("a secret").conversation("secret-id");
            for (failing, expected) in [(APPEND, "stored"), (LOAD, "loaded")] {
                store.fail(failing);
                way.send(&request).await.unwrap();
                let logged = std::mem::take(&mut *warnings.0.lock().unwrap());
                assert_eq!(logged.len(), 1, "once for a turn: {logged:?}");
                assert!(logged[0].contains("test-store"), "{logged:?}");
                assert!(logged[0].contains(expected), "{logged:?}");
                assert!(!logged[0].contains("secret"), "no content: {logged:?}");
            }
            assert_eq!(asked(&model).last().unwrap().len(), 2);
            // What could be kept was kept: the second turn.
            let kept = read(&store.kept("secret-id").await);
            assert_eq!(kept, ["user: a secret", "assistant: again"]);
        }
    }
}

#[tokio::test]
async fn mem_8_data_that_cannot_be_read_is_never_gone_on_without() {
    for way in WAYS {
        for order in [OUTSIDE, INSIDE] {
            for kind in [MemoryErrorKind::Data, MemoryErrorKind::Store] {
                let (model, store) = (model(), Store::default());
                store.fail(Failing {
                    load: Some(kind),
                    append: None,
                });
                let memory = memory(&store, order).on_unavailable(OnUnavailable::Degrade);
                let client = builder(&model)
                    .default_advisors(memory.build())
                    .build()
                    .unwrap();
                way.send(&client.prompt("hi").conversation("c"))
                    .await
                    .unwrap_err();
                assert_eq!(model.call_count(), 0);
            }
        }
    }
}
