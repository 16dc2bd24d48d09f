use std::any::{Any, TypeId};
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::paid::Paid;

/// What advisors and hooks remember during one request, a value for each type.
///
/// All copies of a request share one state, also those that a loop makes for its rounds, that a retry
/// sends again, and the response: what an advisor inside of the loop writes in round 1 is seen in round
/// 2, and by every advisor outside, for `call` and `stream` alike. A request that is sent again begins
/// with a state of its own. The state itself costs nothing while nobody writes to it.
///
/// A value is shared, not copied; one that changes brings its own atomic or mutex. It never reaches a
/// model, a tool or a log: `Debug` shows how many values there are.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
/// use vernal_core::advisor::{BaseAdvisor, ChatClientRequest};
/// use vernal_core::Error;
///
/// /// How many model calls the request has made.
/// #[derive(Default)]
/// struct ModelCalls(AtomicU32);
///
/// /// Counts them, inside of the loop.
/// struct Counts;
///
/// impl BaseAdvisor for Counts {
///     fn name(&self) -> &str {
///         "counts"
///     }
///     async fn before(&self, request: ChatClientRequest) -> Result<ChatClientRequest, Error> {
///         let calls = request.state().get_or_insert_with(ModelCalls::default);
///         calls.0.fetch_add(1, Ordering::Relaxed);
///         Ok(request)
///     }
/// }
/// # use vernal_core::client::ChatClient;
/// # use vernal_testing::ScriptedModel;
/// # futures::executor::block_on(async {
/// # let model = ScriptedModel::new().calls("a", "{}").says("done");
/// let client = ChatClient::builder(model).default_advisors(Counts).build()?;
/// let response = client.prompt("Hi!").call().await?;
/// let calls = response.state().and_then(|state| state.get::<ModelCalls>());
/// assert_eq!(calls.unwrap().0.load(Ordering::Relaxed), 2);
/// # Ok::<(), Error>(()) }).unwrap();
/// ```
#[derive(Clone, Default)]
pub struct RequestState(Arc<Shared>);

#[derive(Default)]
struct Shared {
    values: Mutex<StateValues>,
    /// How many turns the request has begun: the rest of a chain can be run again.
    turns: AtomicU32,
    paid: Mutex<Paid>,
}

/// Values by their type; a request has few, so that looking through them is the fastest way.
#[derive(Clone, Default)]
pub(crate) struct StateValues(Vec<(TypeId, Arc<dyn Any + Send + Sync>)>);

impl RequestState {
    /// A state that begins with these values.
    pub(crate) fn with_values(values: StateValues) -> Self {
        Self(Arc::new(Shared {
            values: Mutex::new(values),
            ..Shared::default()
        }))
    }

    /// The value of type `T`.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.lock().get()
    }

    /// Puts a value in place of an earlier one of its type, which is given back.
    pub fn insert<T: Send + Sync + 'static>(&self, value: T) -> Option<Arc<T>> {
        self.lock().put(Arc::new(value))
    }

    /// The value of type `T`; if there is none yet, `make` makes it. Where several tasks ask at the same
    /// time, all get the same one.
    pub fn get_or_insert_with<T: Send + Sync + 'static>(&self, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(value) = self.get() {
            return value;
        }
        // Made without the lock: `make` may look into the state itself.
        let made = Arc::new(make());
        let mut values = self.lock();
        if let Some(first) = values.get() {
            return first;
        }
        values.put(made.clone());
        made
    }

    /// Takes the value of type `T` out.
    pub fn remove<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.lock().remove()
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.lock().0.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Counts one more turn and gives its number.
    pub(super) fn begin_turn(&self) -> u32 {
        self.0.turns.fetch_add(1, Ordering::Relaxed)
    }

    /// What the request has paid for and nobody has taken up.
    pub(super) fn paid(&self) -> MutexGuard<'_, Paid> {
        self.0.paid.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what the request has paid for.
    pub(crate) fn take_paid(&self) -> Paid {
        std::mem::take(&mut *self.paid())
    }

    fn lock(&self) -> MutexGuard<'_, StateValues> {
        self.0.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StateValues {
    pub(crate) fn put<T: Send + Sync + 'static>(&mut self, value: Arc<T>) -> Option<Arc<T>> {
        let earlier = self.remove();
        self.0.push((TypeId::of::<T>(), value));
        earlier
    }

    fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let (_, value) = self.0.iter().find(|(of, _)| *of == TypeId::of::<T>())?;
        value.clone().downcast().ok()
    }

    fn remove<T: Send + Sync + 'static>(&mut self) -> Option<Arc<T>> {
        let at = self.0.iter().position(|(of, _)| *of == TypeId::of::<T>())?;
        self.0.swap_remove(at).1.downcast().ok()
    }
}

impl fmt::Debug for RequestState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestState({} values)", self.len())
    }
}
