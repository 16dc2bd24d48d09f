//! Taking the caller's surroundings along to another thread (rule EXE-4).

use std::sync::Arc;

/// Runs work with something of the caller's in place.
type Restore = Box<dyn FnOnce(&mut dyn FnMut()) + Send>;

/// What the application takes along to the threads of blocking tools, besides the tracing span.
#[derive(Clone, Default)]
pub(super) struct Carriers(Vec<Arc<dyn Fn() -> Restore + Send + Sync>>);

impl Carriers {
    /// Adds something that is captured in the caller's task and put in place around the work.
    pub(super) fn add<R>(&mut self, capture: impl Fn() -> R + Send + Sync + 'static)
    where
        R: FnOnce(&mut dyn FnMut()) + Send + 'static,
    {
        self.0.push(Arc::new(move || Box::new(capture())));
    }

    /// Captures everything, in the caller's task.
    pub(super) fn capture(&self) -> Captured {
        Captured {
            span: tracing::Span::current(),
            restores: self.0.iter().map(|capture| capture()).collect(),
        }
    }
}

/// The caller's surroundings.
pub(super) struct Captured {
    span: tracing::Span,
    restores: Vec<Restore>,
}

impl Captured {
    /// Runs work in the caller's surroundings.
    pub(super) fn run<T>(self, work: impl FnOnce() -> T) -> Option<T> {
        let Self { span, restores } = self;
        let mut work = Some(work);
        let mut result = None;
        let mut run = || result = work.take().map(|work| work());
        let within = || span.in_scope(|| run_within(&mut restores.into_iter(), &mut run));
        // The thread has no subscriber of its own: the span's hears what happens in the span.
        match span.with_subscriber(|(_, subscriber)| subscriber.clone()) {
            Some(subscriber) => tracing::dispatcher::with_default(&subscriber, within),
            None => within(),
        }
        result
    }
}

fn run_within(restores: &mut dyn Iterator<Item = Restore>, work: &mut dyn FnMut()) {
    match restores.next() {
        Some(restore) => restore(&mut || run_within(restores, work)),
        None => work(),
    }
}
