//! Which model is talked to: a decision over flags, environment and what answers on this machine.

use std::collections::BTreeMap;
use std::fmt;

use crate::cli::ModelFlags;
use crate::url::Url;

/// The model of OpenAI where none is named.
pub(crate) const DEFAULT_OPENAI_MODEL: &str = "gpt-5-mini";

/// Everything that the decision looks at.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    pub(crate) flags: ModelFlags,
    /// Of the process; a blank one counts as not set.
    variables: BTreeMap<String, String>,
}

/// What was decided.
#[derive(Debug, PartialEq)]
pub(crate) enum Decision {
    Chosen(Choice),
    /// Nothing is configured but perhaps a model's name: the servers of this machine are asked.
    AskThisMachine {
        model: Option<String>,
    },
}

/// A model and why it was taken.
#[derive(Debug, PartialEq)]
pub(crate) struct Choice {
    pub(crate) backend: Backend,
    /// Completes "because …".
    pub(crate) reason: String,
}

/// What the model is.
#[derive(Debug, PartialEq)]
pub(crate) enum Backend {
    Demo,
    /// A provider and a model, such as `groq:llama-3.3-70b-versatile`; the key is in the variable that
    /// the provider has for it.
    Named(String),
    Server(Server),
}

/// A server that speaks Chat Completions.
#[derive(Debug, PartialEq)]
pub(crate) struct Server {
    /// `None` is OpenAI's own.
    pub(crate) base_url: Option<Url>,
    pub(crate) key: Option<Key>,
    /// `None` where the server is to be asked what it has.
    pub(crate) model: Option<String>,
}

/// A key and the variable it came from.
#[derive(Clone, PartialEq)]
pub(crate) struct Key {
    pub(crate) variable: String,
    pub(crate) value: String,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.variable)
    }
}

/// A server of this machine that answered.
#[derive(Debug, PartialEq)]
pub(crate) struct Found {
    /// The program that usually listens there.
    pub(crate) program: &'static str,
    pub(crate) base_url: Url,
    pub(crate) models: Vec<String>,
}

impl Environment {
    /// The environment of this process.
    pub(crate) fn of_process(flags: ModelFlags) -> Self {
        let names = [
            "VERNAL_MODEL",
            "VERNAL_BASE_URL",
            "VERNAL_API_KEY",
            "OPENAI_MODEL",
            "OPENAI_BASE_URL",
            "OPENAI_API_KEY",
        ];
        let names = names.into_iter().chain(flags.api_key_env.as_deref());
        let variables = names.filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)));
        Self {
            variables: variables.collect(),
            flags,
        }
    }

    fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(|value| value.trim())
            .filter(|value| !value.is_empty())
    }

    fn key(&self, variable: &str) -> Option<Key> {
        let value = self.variable(variable)?.to_owned();
        Some(Key {
            variable: variable.to_owned(),
            value,
        })
    }

    /// Whether a model's name is one of a provider and a model. A server that was named itself may have
    /// models with such names, as Ollama has `mistral:7b`.
    fn names_provider(&self, name: &str) -> bool {
        let Some((provider, _)) = name.split_once(':') else {
            return false;
        };
        let openai = ["openai", "openai-responses"];
        let is_openai = openai
            .iter()
            .any(|name| provider.eq_ignore_ascii_case(name));
        let is_at_server = self.flags.base_url.is_some()
            || self.flags.api_key_env.is_some()
            || self.variable("VERNAL_BASE_URL").is_some()
            || (self.variable("OPENAI_BASE_URL").is_some() && !is_openai);
        let mut known = vernal::models::provider_names();
        !is_at_server && known.any(|known| known.eq_ignore_ascii_case(provider))
    }

    /// The key of the variable that was named on the command line.
    fn named_key(&self) -> Result<Option<Key>, String> {
        let Some(variable) = &self.flags.api_key_env else {
            return Ok(None);
        };
        let key = self.key(variable);
        key.map(Some)
            .ok_or_else(|| format!("`--api-key-env` names `{variable}`, which is not set"))
    }
}

/// The model that flags and variables name.
///
/// A key is only sent where it belongs: `VERNAL_API_KEY` to `VERNAL_BASE_URL` or, where that is not
/// set, to any base URL that is given; `OPENAI_API_KEY` to `OPENAI_BASE_URL` or to OpenAI.
///
/// # Errors
/// Settings that contradict each other, or a base URL that is none.
pub(crate) fn decide(environment: &Environment) -> Result<Decision, String> {
    let flags = &environment.flags;
    let (model, model_from) = match (&flags.model, environment.variable("VERNAL_MODEL")) {
        (Some(flag), _) => (Some(flag.trim()), "--model"),
        (None, Some(variable)) => (Some(variable), "VERNAL_MODEL"),
        (None, None) => (None, ""),
    };
    let base_flag = flags.base_url.as_deref().map(|url| (url, "--base-url"));
    match model {
        Some("demo") if base_flag.is_some() => Err(format!(
            "{model_from} is `demo`, which is in this program: leave out --base-url"
        )),
        Some("demo") => {
            let reason = format!("{model_from} says so");
            Ok(Decision::Chosen(Choice {
                backend: Backend::Demo,
                reason,
            }))
        }
        Some(url) if url.contains("://") => {
            if base_flag.is_some() {
                return Err(format!(
                    "{model_from} is a URL already: leave out --base-url"
                ));
            }
            let (base, model) = url.split_once('#').unwrap_or((url, ""));
            at(
                environment,
                Some((base, model_from)),
                Some(model).filter(|m| !m.is_empty()),
                model_from,
            )
        }
        Some(name) if environment.names_provider(name) => Ok(Decision::Chosen(Choice {
            backend: Backend::Named(name.to_owned()),
            reason: format!("{model_from} says so"),
        })),
        model => at(environment, base_flag, model, model_from),
    }
}

/// A setting and the option or variable that it is from.
type Setting<'a> = (&'a str, &'a str);

/// The model `model` at the base URL that was given, or at the one that the variables name.
fn at(
    environment: &Environment,
    given: Option<Setting<'_>>,
    model: Option<&str>,
    model_from: &str,
) -> Result<Decision, String> {
    let named_key = environment.named_key()?;
    let (base, key) = base_and_key(environment, given, named_key);
    let Some(from) = base
        .map(|(_, from)| from)
        .or(key.as_ref().map(|key| &*key.variable))
    else {
        let model = model.map(str::to_owned);
        return Ok(Decision::AskThisMachine { model });
    };
    let reason = match model {
        Some(_) if model_from != from => format!("{model_from} and {from} are set"),
        _ => format!("{from} is set"),
    };
    let base_url = match base {
        Some((url, from)) => Some(Url::parse(url).map_err(|problem| format!("{from} {problem}"))?),
        None => None,
    };
    let is_openai = base.is_none_or(|(_, from)| from == "OPENAI_BASE_URL");
    let openai_model = environment.variable("OPENAI_MODEL").filter(|_| is_openai);
    let default = base_url.is_none().then_some(DEFAULT_OPENAI_MODEL);
    let model = model.or(openai_model).or(default).map(str::to_owned);
    let backend = Backend::Server(Server {
        base_url,
        key,
        model,
    });
    Ok(Decision::Chosen(Choice { backend, reason }))
}

/// Where the model is, with the key that belongs there. A key without a base URL is for OpenAI.
fn base_and_key<'a>(
    environment: &'a Environment,
    given: Option<Setting<'a>>,
    named_key: Option<Key>,
) -> (Option<Setting<'a>>, Option<Key>) {
    let base = |name| Some((environment.variable(name)?, name));
    let vernal_key = || environment.key("VERNAL_API_KEY");
    match (given, base("VERNAL_BASE_URL")) {
        (Some(given), Some(_)) => (Some(given), named_key),
        (Some(place), None) | (None, Some(place)) => (Some(place), named_key.or_else(vernal_key)),
        (None, None) => {
            let (base, openai_key) = (base("OPENAI_BASE_URL"), environment.key("OPENAI_API_KEY"));
            match (named_key, vernal_key()) {
                (Some(key), _) => (base, Some(key)),
                (None, Some(key)) => (base.filter(|_| openai_key.is_none()), Some(key)),
                (None, None) => (base, openai_key),
            }
        }
    }
}

/// The model where nothing is configured: one that a server of this machine has, else the demo.
///
/// # Errors
/// A model was named, and no server has it.
pub(crate) fn choose_on_this_machine(
    wanted: Option<&str>,
    found: Vec<Found>,
    asked: bool,
) -> Result<Choice, String> {
    for Found {
        program,
        base_url,
        models,
    } in found
    {
        let mut usable = models
            .iter()
            .filter(|name| wanted.map_or(can_chat(name), |w| same(name, w)));
        if let Some(model) = usable.next() {
            let reason = match wanted {
                Some(_) => format!("{program} on loopback has it"),
                None => format!("{program} answers on loopback"),
            };
            let model = Some(model.clone());
            let server = Server {
                base_url: Some(base_url),
                key: None,
                model,
            };
            return Ok(Choice {
                backend: Backend::Server(server),
                reason,
            });
        }
    }
    let nobody = if asked {
        "no model server answers on loopback"
    } else {
        "VERNAL_NO_PROBE is set"
    };
    match wanted {
        None => {
            let reason = format!("{nobody} and no key is set; see --help");
            Ok(Choice {
                backend: Backend::Demo,
                reason,
            })
        }
        Some(model) => Err(format!(
            "no model server with a model `{model}` answers on loopback and no key is set: say \
             where it is with --base-url, set OPENAI_API_KEY, or take `--model demo`"
        )),
    }
}

/// Models for embeddings are listed with the others and cannot answer.
fn can_chat(name: &str) -> bool {
    !name.to_lowercase().contains("embed")
}

/// Ollama lists `qwen3` as `qwen3:latest`.
fn same(listed: &str, wanted: &str) -> bool {
    listed == wanted || listed.strip_suffix(":latest") == Some(wanted)
}

#[cfg(test)]
mod tests;
