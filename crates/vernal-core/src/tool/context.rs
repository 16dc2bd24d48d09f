use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

use super::{CancellationToken, ProgressSender};
use crate::message::History;

/// What the application gives its tools and no model ever sees: tenants, users, connections.
///
/// Values are JSON by name or any Rust value by its type (rule CTX-2). Cheap to clone, read-only
/// for tools. It never reaches a model, a log, a span or an error (rule CTX-3), so its `Debug`
/// shows how many entries there are and nothing else.
///
/// ```
/// use vernal_core::tool::ToolContext;
///
/// struct Tenant(&'static str);
///
/// let defaults = ToolContext::from([("region", "eu"), ("tier", "free")]);
/// let request = ToolContext::from([("tier", "gold")]).with(Tenant("acme"));
/// let context = defaults.merged_with(&request);
///
/// assert_eq!(context.get_str("tier"), Some("gold"));
/// assert_eq!(context.get_str("region"), Some("eu"));
/// assert_eq!(context.get::<Tenant>().map(|t| t.0), Some("acme"));
/// ```
#[derive(Clone, Default)]
pub struct ToolContext {
    entries: Option<Arc<Entries>>,
    call: Option<Arc<CallScope>>,
}

#[derive(Clone, Default)]
struct Entries {
    named: BTreeMap<Arc<str>, Value>,
    typed: BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>,
}

/// What a tool can ask about the call that it runs for (rule CTX-4).
#[derive(Default)]
pub(crate) struct CallScope {
    pub(crate) id: Arc<str>,
    pub(crate) round: u32,
    pub(crate) cancellation: CancellationToken,
    pub(crate) deadline: Option<Instant>,
    pub(crate) progress: ProgressSender,
    pub(crate) history: History,
}

impl ToolContext {
    /// A context without entries.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Adds a JSON value under a name; an earlier one of that name is replaced.
    #[must_use]
    pub fn with_value(mut self, name: impl Into<Arc<str>>, value: impl Into<Value>) -> Self {
        self.entries_mut().named.insert(name.into(), value.into());
        self
    }

    /// Adds a Rust value under its type; it is never serialised.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.entries_mut()
            .typed
            .insert(TypeId::of::<T>(), Arc::new(value));
        self
    }

    /// The Rust value of type `T`.
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.entries
            .as_deref()?
            .typed
            .get(&TypeId::of::<T>())?
            .downcast_ref()
    }

    /// The Rust value of type `T`, to be kept beyond the call.
    pub fn get_shared<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        let value = self.entries.as_deref()?.typed.get(&TypeId::of::<T>())?;
        value.clone().downcast().ok()
    }

    /// The JSON value under `name`.
    pub fn get_value(&self, name: &str) -> Option<&Value> {
        self.entries.as_deref()?.named.get(name)
    }

    /// The JSON string under `name`.
    pub fn get_str(&self, name: &str) -> Option<&str> {
        self.get_value(name)?.as_str()
    }

    /// The names of the JSON values, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries
            .iter()
            .flat_map(|entries| entries.named.keys().map(|name| &**name))
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries
            .as_deref()
            .map_or(0, |e| e.named.len() + e.typed.len())
    }

    /// The entries of both; where both have one, `request` wins (rule CTX-1).
    #[must_use]
    pub fn merged_with(&self, request: &Self) -> Self {
        if request.is_empty() {
            return self.clone();
        }
        let mut merged = self.clone();
        if let Some(more) = request.entries.as_deref() {
            let entries = merged.entries_mut();
            entries
                .named
                .extend(more.named.iter().map(|(k, v)| (k.clone(), v.clone())));
            entries
                .typed
                .extend(more.typed.iter().map(|(k, v)| (*k, v.clone())));
        }
        merged
    }

    /// The id of the running call; `None` outside the loop.
    pub fn call_id(&self) -> Option<&str> {
        self.call.as_ref().map(|call| &*call.id)
    }

    /// The round of the running call, counted from 1; `None` outside the loop.
    pub fn round(&self) -> Option<u32> {
        self.call.as_ref().map(|call| call.round)
    }

    /// What says that nobody waits for the call any more; outside the loop nothing ever does.
    pub fn cancellation(&self) -> CancellationToken {
        self.call
            .as_ref()
            .map_or_else(CancellationToken::new, |call| call.cancellation.clone())
    }

    /// When the call will be given up: the nearer of the tool's timeout and the turn's deadline (rule
    /// EXE-2).
    pub fn deadline(&self) -> Option<std::time::Instant> {
        self.call.as_ref()?.deadline.map(Instant::into_std)
    }

    /// Where the tool reports how far it is.
    pub fn progress(&self) -> ProgressSender {
        self.call
            .as_ref()
            .map_or_else(ProgressSender::silent, |call| call.progress.clone())
    }

    /// What was said in the turn before the call, the message that asks for it included; empty outside
    /// the loop.
    pub fn history(&self) -> History {
        self.call
            .as_ref()
            .map_or_else(History::new, |call| call.history.clone())
    }

    /// This context, as the given call sees it.
    pub(crate) fn for_call(&self, scope: CallScope) -> Self {
        Self {
            entries: self.entries.clone(),
            call: Some(Arc::new(scope)),
        }
    }

    fn entries_mut(&mut self) -> &mut Entries {
        Arc::make_mut(self.entries.get_or_insert_default())
    }
}

impl<K: Into<Arc<str>>, V: Into<Value>> FromIterator<(K, V)> for ToolContext {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        entries
            .into_iter()
            .fold(Self::empty(), |context, (k, v)| context.with_value(k, v))
    }
}

impl<K: Into<Arc<str>>, V: Into<Value>, const N: usize> From<[(K, V); N]> for ToolContext {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolContext({} entries)", self.len())
    }
}
