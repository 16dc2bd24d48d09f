//! What a run is made of: the model that was chosen, the tools, and a client of both.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use vernal::Error;
use vernal::calling::{InvalidLimit, ToolCallingManager};
use vernal::client::ChatClient;
use vernal::model::ChatModel;
use vernal::models::demo::DemoModel;
use vernal::models::openai::OpenAiChatModel;
use vernal::tool::{ToolCallback, ToolCallbacks};

use crate::choose::{
    Backend, Choice, Decision, Environment, Found, Key, Server, choose_on_this_machine, decide,
};
use crate::cli::ChatArguments;
use crate::output::Output;
use crate::probe::{models_of, servers_of_this_machine};
use crate::tools::alarms::Alarms;
use crate::tools::{built_in, notes_place};

/// Everything that requests need.
pub(crate) struct Session {
    pub(crate) client: ChatClient,
    /// The tools that the client offers.
    pub(crate) tools: Vec<Arc<dyn ToolCallback>>,
    pub(crate) alarms: Arc<Alarms>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) max_rounds: u32,
    /// The variable of the key that is sent; `None` where none is.
    key_variable: Option<String>,
    /// Whether it is this program that knows where the key is.
    names_key: bool,
}

/// Why there is no session.
#[derive(Debug)]
pub(crate) enum SessionError {
    /// Options or variables contradict each other.
    Usage(String),
    Failed(String),
    /// Nobody reads what is written.
    Output,
}

impl From<io::Error> for SessionError {
    fn from(_: io::Error) -> Self {
        Self::Output
    }
}

/// How long a server that was named is given to list its models.
const LISTING: Duration = Duration::from_secs(5);

impl Session {
    /// Chooses the model, says so, and puts the client together.
    ///
    /// # Errors
    /// See [`SessionError`].
    pub(crate) async fn open(
        arguments: &ChatArguments,
        alarms: Alarms,
        output: &mut Output,
    ) -> Result<Self, SessionError> {
        let choice = chosen(Environment::of_process(arguments.model.clone())).await?;
        let (name, key) = described(&choice.backend);
        output.model(&name, &choice.reason)?;
        let model = model_of(&choice.backend).map_err(SessionError::Failed)?;
        let alarms = Arc::new(alarms);
        let tools = tools(arguments, &alarms);
        let wrong = |problem: &dyn std::fmt::Display| {
            SessionError::Failed(format!("the client cannot be put together: {problem}"))
        };
        let manager = manager(arguments).map_err(|error| wrong(&error))?;
        let max_rounds = manager.limits().max_rounds();
        let client = client(model, arguments, manager, &tools).map_err(|error| wrong(&error))?;
        Ok(Self {
            client,
            tools,
            alarms,
            timeout: arguments.timeout,
            max_rounds,
            key_variable: key.map(|key| key.variable.clone()),
            names_key: matches!(choice.backend, Backend::Server(_)),
        })
    }

    #[cfg(test)]
    pub(crate) fn of_model(model: impl ChatModel) -> Self {
        Self {
            client: ChatClient::create(model),
            tools: Vec::new(),
            alarms: Arc::new(Alarms::ringing()),
            timeout: None,
            max_rounds: 1,
            key_variable: None,
            names_key: true,
        }
    }

    /// An error with what only this program knows of it.
    pub(crate) fn explain(&self, error: &Error) -> String {
        let is_refused = error
            .model_error()
            .is_some_and(|error| error.is_authentication());
        match &self.key_variable {
            Some(variable) if is_refused => format!("{error} (the key is that of {variable})"),
            None if is_refused && self.names_key => format!(
                "{error} (no key was sent: name the environment variable that holds it with \
                 --api-key-env)"
            ),
            _ => error.to_string(),
        }
    }
}

async fn chosen(environment: Environment) -> Result<Choice, SessionError> {
    let mut choice = match decide(&environment).map_err(SessionError::Usage)? {
        Decision::Chosen(choice) => choice,
        Decision::AskThisMachine { model } => {
            let asks = may_probe(std::env::var("VERNAL_NO_PROBE").ok().as_deref());
            let found: Vec<Found> = if asks {
                servers_of_this_machine().await
            } else {
                Vec::new()
            };
            choose_on_this_machine(model.as_deref(), found, asks).map_err(SessionError::Failed)?
        }
    };
    if let Backend::Server(server) = &mut choice.backend {
        name_model(server).await.map_err(SessionError::Failed)?;
    }
    Ok(choice)
}

fn may_probe(no_probe: Option<&str>) -> bool {
    no_probe.is_none_or(|value| matches!(value.trim(), "" | "0"))
}

/// Where no model was named, the first that the server lists.
async fn name_model(server: &mut Server) -> Result<(), String> {
    let (None, Some(base_url)) = (&server.model, &server.base_url) else {
        return Ok(());
    };
    if base_url.is_https() {
        return Err(format!(
            "say which model of {base_url} is meant, with --model"
        ));
    }
    let listed = models_of(base_url, server.key.as_ref(), LISTING).await;
    let listed =
        listed.and_then(|models| models.into_iter().next().ok_or("it has none".to_owned()));
    let model = listed.map_err(|problem| {
        format!("cannot ask {base_url} which models it has: {problem}; check that the server runs and takes the key, or name a model with --model")
    })?;
    server.model = Some(model);
    Ok(())
}

fn described(backend: &Backend) -> (String, Option<&Key>) {
    match backend {
        Backend::Demo => ("demo (rules, not a language model)".to_owned(), None),
        Backend::Named(name) => (name.clone(), None),
        Backend::Server(Server {
            base_url,
            key,
            model,
        }) => {
            let host = base_url.as_ref().map_or("api.openai.com", |url| url.host());
            (
                format!("{} at {host}", model.as_deref().unwrap_or("unnamed")),
                key.as_ref(),
            )
        }
    }
}

fn model_of(backend: &Backend) -> Result<Arc<dyn ChatModel>, String> {
    let Server {
        base_url,
        key,
        model,
    } = match backend {
        Backend::Demo => {
            return Ok(Arc::new(
                DemoModel::builder().clock(jiff::ZonedDateTime::now).build(),
            ));
        }
        Backend::Named(name) => return named(name),
        Backend::Server(server) => server,
    };
    let mut builder = OpenAiChatModel::builder();
    if let Some(base_url) = base_url {
        builder = builder.base_url(base_url.as_str());
    }
    if let Some(key) = key {
        builder = builder.api_key(&key.value);
    }
    if let Some(model) = model {
        builder = builder.model(model.as_str());
    }
    let model = builder.build().map_err(|error| error.to_string())?;
    Ok(Arc::new(model))
}

fn named(name: &str) -> Result<Arc<dyn ChatModel>, String> {
    vernal::models::model(name).map_err(|error| {
        let on_this_machine = match name.split_once(':') {
            Some((provider, _)) if provider.eq_ignore_ascii_case("ollama") => String::new(),
            _ => format!("; a model of that name at Ollama is `ollama:{name}`"),
        };
        format!("{error}{on_this_machine}")
    })
}

fn tools(arguments: &ChatArguments, alarms: &Arc<Alarms>) -> Vec<Arc<dyn ToolCallback>> {
    if arguments.no_tools {
        return Vec::new();
    }
    let notes = notes_place(arguments.notes.clone(), |name| std::env::var_os(name));
    ToolCallbacks::from(built_in(alarms.clone(), notes))
}

fn manager(arguments: &ChatArguments) -> Result<ToolCallingManager, InvalidLimit> {
    let builder = ToolCallingManager::builder();
    match arguments.max_rounds {
        Some(rounds) => builder.max_rounds(rounds).build(),
        None => builder.build(),
    }
}

fn client(
    model: Arc<dyn ChatModel>,
    arguments: &ChatArguments,
    manager: ToolCallingManager,
    tools: &[Arc<dyn ToolCallback>],
) -> Result<ChatClient, Error> {
    let builder = ChatClient::builder(model)
        .tool_calling_manager(manager)
        .default_tools(tools.to_vec());
    match &arguments.system {
        Some(system) => builder.default_system(system.as_str()).build(),
        None => builder.build(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Url;

    #[test]
    fn probing_can_be_turned_off() {
        for (value, asks) in [
            (None, true),
            (Some(""), true),
            (Some("0"), true),
            (Some("1"), false),
        ] {
            assert_eq!(may_probe(value), asks, "{value:?}");
        }
    }

    #[tokio::test]
    async fn a_model_must_be_named_where_it_cannot_be_asked_for() {
        for (url, problem) in [
            (
                "https://127.0.0.1:1/v1",
                "say which model of 127.0.0.1:1 is meant",
            ),
            (
                "http://127.0.0.1:1/v1",
                "cannot ask 127.0.0.1:1 which models it has",
            ),
        ] {
            let base_url = Some(Url::parse(url).unwrap());
            let mut server = Server {
                base_url,
                key: None,
                model: None,
            };
            let error = name_model(&mut server).await.unwrap_err();
            assert!(
                error.starts_with(problem) && error.contains("--model"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_model_is_described_by_its_host() {
        let key = Some(Key {
            variable: "K".to_owned(),
            value: "geheim".to_owned(),
        });
        let base_url = Some(Url::parse("http://127.0.0.1:8080/v1?k=geheim").unwrap());
        let server = Server {
            base_url,
            key,
            model: Some("m".to_owned()),
        };
        assert_eq!(described(&Backend::Server(server)).0, "m at 127.0.0.1:8080");
        let openai = Server {
            base_url: None,
            key: None,
            model: Some("m".to_owned()),
        };
        assert_eq!(described(&Backend::Server(openai)).0, "m at api.openai.com");
    }
}
