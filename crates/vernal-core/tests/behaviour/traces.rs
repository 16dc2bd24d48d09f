//! A tracing subscriber that writes everything down: each event and each span with its fields.

use std::collections::HashMap;
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, Once};
use std::thread::{self, ThreadId};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::DefaultGuard;
use tracing::{Event, Metadata, Subscriber};
use tracing_core::span::Current;

/// What was traced; copies share it.
#[derive(Clone, Default)]
pub(crate) struct Traces(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    spans: Vec<Span>,
    entered: HashMap<ThreadId, Vec<usize>>,
    events: Vec<String>,
}

struct Span {
    metadata: &'static Metadata<'static>,
    parent: Option<usize>,
    fields: String,
}

impl Traces {
    /// Hears what is traced on this thread until the guard is dropped.
    pub(crate) fn listen() -> (Self, DefaultGuard) {
        // Without a subscriber on every thread, a place that another thread reaches first is taken to be
        // of interest to nobody, for good.
        static EVERYWHERE: Once = Once::new();
        EVERYWHERE.call_once(|| tracing::subscriber::set_global_default(Unheard).unwrap());
        let traces = Self::default();
        let guard = tracing::subscriber::set_default(traces.clone());
        (traces, guard)
    }

    /// The events: `LEVEL in outer:inner field=value …`.
    pub(crate) fn events(&self) -> Vec<String> {
        self.0.lock().unwrap().events.clone()
    }

    /// The events of a level that say this.
    pub(crate) fn events_with(&self, level: &str, text: &str) -> Vec<String> {
        let mut events = self.events();
        events.retain(|event| event.starts_with(level) && event.contains(text));
        events
    }

    /// The spans with this name: `name field=value …`.
    pub(crate) fn spans(&self, name: &str) -> Vec<String> {
        let state = self.0.lock().unwrap();
        let named = state.spans.iter().filter(|s| s.metadata.name() == name);
        named.map(|s| format!("{name}{}", s.fields)).collect()
    }

    /// Everything that was written down, as one text.
    pub(crate) fn everything(&self) -> String {
        let state = self.0.lock().unwrap();
        let spans = state.spans.iter();
        let spans = spans.map(|s| format!("{}{}", s.metadata.name(), s.fields));
        let all: Vec<_> = spans.chain(state.events.iter().cloned()).collect();
        all.join("\n")
    }
}

impl State {
    fn current(&self) -> Option<usize> {
        self.entered.get(&thread::current().id())?.last().copied()
    }

    /// The names of a span and those around it, outermost first.
    fn path(&self, span: Option<usize>) -> String {
        let Some(at) = span else { return String::new() };
        let span = &self.spans[at];
        let outer = self.path(span.parent);
        let separator = if outer.is_empty() { "" } else { ":" };
        format!("{outer}{separator}{}", span.metadata.name())
    }
}

fn index(id: &Id) -> usize {
    usize::try_from(id.into_u64()).unwrap() - 1
}

impl Subscriber for Traces {
    fn enabled(&self, _metadata: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let mut state = self.0.lock().unwrap();
        let parent = if attributes.is_contextual() {
            state.current()
        } else {
            attributes.parent().map(index)
        };
        state.spans.push(Span {
            metadata: attributes.metadata(),
            parent,
            fields: fields.0,
        });
        Id::from_u64(state.spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut fields = Fields::default();
        values.record(&mut fields);
        self.0.lock().unwrap().spans[index(span)].fields += &fields.0;
    }

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut state = self.0.lock().unwrap();
        let within = state.path(state.current());
        let level = event.metadata().level();
        state
            .events
            .push(format!("{level} in {within}{}", fields.0));
    }

    fn enter(&self, span: &Id) {
        let mut state = self.0.lock().unwrap();
        let stack = state.entered.entry(thread::current().id()).or_default();
        stack.push(index(span));
    }

    fn exit(&self, span: &Id) {
        let mut state = self.0.lock().unwrap();
        let stack = state.entered.entry(thread::current().id()).or_default();
        assert_eq!(stack.pop(), Some(index(span)), "spans are nested");
    }

    fn current_span(&self) -> Current {
        let state = self.0.lock().unwrap();
        match state.current() {
            Some(at) => Current::new(Id::from_u64(at as u64 + 1), state.spans[at].metadata),
            None => Current::none(),
        }
    }
}

/// Lets everything be traced and hears nothing.
struct Unheard;

impl Subscriber for Unheard {
    fn enabled(&self, _metadata: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _attributes: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, _event: &Event<'_>) {}

    fn enter(&self, _span: &Id) {}

    fn exit(&self, _span: &Id) {}
}

#[derive(Default)]
struct Fields(String);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, " {}={value}", field.name()).unwrap();
    }
}
