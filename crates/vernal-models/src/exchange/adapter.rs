//! What the chat models of all adapters are: an endpoint, and the language that is spoken there.

use crate::http::HttpClient;

/// An endpoint, and what every request to it starts from. With a [`Dialect`](super::Dialect) it is all
/// that a chat model needs.
pub(crate) struct Adapter<S> {
    pub(crate) http: HttpClient,
    pub(crate) defaults: S,
}

/// Makes a chat model of a struct around a shared [`Adapter`] that has a [`Dialect`](super::Dialect).
macro_rules! chat_model {
    ($model:ident) => {
        impl $model {
            pub(super) fn of(
                http: $crate::http::HttpClient,
                defaults: super::request::RequestDefaults,
            ) -> Self {
                Self(std::sync::Arc::new($crate::exchange::Adapter {
                    http,
                    defaults,
                }))
            }
        }

        impl vernal_core::model::ChatModel for $model {
            fn name(&self) -> &str {
                $crate::exchange::Dialect::name(&*self.0)
            }

            fn call(&self, prompt: vernal_core::model::Prompt) -> vernal_core::model::ModelFuture {
                let adapter = self.0.clone();
                Box::pin(async move { $crate::exchange::call(&*adapter, &prompt).await })
            }

            fn stream(
                &self,
                prompt: vernal_core::model::Prompt,
            ) -> vernal_core::model::ModelStream {
                $crate::exchange::stream(self.0.clone(), prompt)
            }

            fn supports_response_schema(&self, options: &vernal_core::model::ChatOptions) -> bool {
                $crate::exchange::Dialect::supports_response_schema(&*self.0, options)
            }

            fn check(
                &self,
                options: &vernal_core::model::ChatOptions,
            ) -> Vec<vernal_core::model::Finding> {
                self.0.defaults.check(options)
            }

            fn capabilities(
                &self,
                options: &vernal_core::model::ChatOptions,
            ) -> vernal_core::model::Capabilities {
                self.0.defaults.capabilities(options)
            }
        }

        impl std::fmt::Debug for $model {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($model))
                    .field("server", &self.0.http.origin)
                    .field("model", &self.0.defaults.model)
                    .finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use chat_model;
