//! From a request as it was written to what goes through the chain.

use std::sync::Arc;

use super::request_spec::ChatClientRequestSpec;
use crate::Error;
use crate::advisor::{AdvisorChain, ChatClientRequest, ChatEvent, RequestState};
use crate::memory::{ConversationId, said_now};
use crate::message::{History, Message, Role};
use crate::model::{ChatOptions, Prompt};
use crate::tool::{
    OptionalTools, ToolCallback, ToolCallbackProvider, ToolOrigin, ToolSet, ToolSource,
};

/// A tool and where it came from.
type Tool = (Arc<dyn ToolCallback>, ToolOrigin);

/// A request that is ready to be sent.
pub(super) struct Assembled {
    pub(super) request: ChatClientRequest,
    /// What to send it through.
    pub(super) chain: AdvisorChain,
    /// The optional providers that could not list their tools, as events.
    pub(super) unavailable: Vec<ChatEvent>,
}

/// The request and the chain to send it through.
pub(super) async fn assemble(spec: &ChatClientRequestSpec) -> Result<Assembled, Error> {
    let chain = chain(spec)?;
    let conversation = conversation(spec, &chain)?;
    let mut unavailable = Vec::new();
    let options = options(spec, &mut unavailable).await?;
    let state = RequestState::with_values(spec.state.clone());
    let mut messages = messages(spec);
    if chain.memories().next().is_some() {
        messages = said_now(&messages);
    }
    let prompt = Prompt::new(messages, options);
    let mut request = ChatClientRequest::with_state(prompt, state);
    if let Some(conversation) = conversation {
        request = request.with_conversation(conversation);
    }
    Ok(Assembled {
        request,
        chain,
        unavailable,
    })
}

fn chain(spec: &ChatClientRequestSpec) -> Result<AdvisorChain, Error> {
    let defaults = &*spec.client.0;
    if spec.advisors.is_empty() {
        return Ok(defaults.chain.clone());
    }
    let all = defaults.advisors.followed_by(&spec.advisors);
    AdvisorChain::with_tool_loop(&all, &defaults.tool_loop, defaults.model.clone())
}

/// The conversation; a chain with a memory must have one (rule MEM-1).
fn conversation(
    spec: &ChatClientRequestSpec,
    chain: &AdvisorChain,
) -> Result<Option<ConversationId>, Error> {
    match (&spec.conversation, chain.memories().next()) {
        (Some(id), _) => {
            let id = ConversationId::new(id.clone());
            Ok(Some(id.map_err(|error| Error::setup(error.to_string()))?))
        }
        (None, Some(memory)) => Err(ChatClientRequest::without_conversation(memory)),
        (None, None) => Ok(None),
    }
}

/// The messages: a system message first, unless the prompt brings its own.
fn messages(spec: &ChatClientRequestSpec) -> History {
    let mut messages = spec.prompt.messages().clone();
    let has_system = messages
        .iter()
        .any(|message| message.role() == Role::System);
    let system = match (&spec.system, has_system) {
        (Some(own), _) => Some(own),
        (None, false) => spec.client.0.system.as_ref(),
        (None, true) => None,
    };
    if let Some(text) = system {
        let rest = messages
            .iter()
            .filter(|message| spec.system.is_none() || message.role() != Role::System);
        let first = Arc::new(Message::system(text.clone()));
        messages = std::iter::once(first).chain(rest.cloned()).collect();
    }
    messages.extend(spec.user.iter().cloned());
    messages
}

/// The options: the request's over the prompt's over the client's, with one list of tools (rules
/// TOOLS-3, TOOLS-6) and one context (rule CTX-1).
async fn options(
    spec: &ChatClientRequestSpec,
    unavailable: &mut Vec<ChatEvent>,
) -> Result<Arc<ChatOptions>, Error> {
    let defaults = &*spec.client.0;
    let has_provider = |sources: &[ToolSource]| {
        sources
            .iter()
            .any(|source| !matches!(source, ToolSource::Callback(_)))
    };
    let plain = spec.options.is_none()
        && spec.prompt.has_no_options()
        && spec.tools.is_empty()
        && spec.context.is_empty()
        && !has_provider(&defaults.tools);
    if plain {
        return Ok(defaults.options.clone());
    }
    let prompts = spec.prompt.options();
    let own = spec
        .options
        .as_ref()
        .map_or_else(|| prompts.clone(), |options| options.over(prompts));
    let mut options = own.over(&defaults.options);
    options.set_tools(tools(spec, unavailable).await?);
    options.set_tool_context(options.tool_context().merged_with(&spec.context));
    Ok(Arc::new(options))
}

/// One list: the client's callbacks, the request's, those of the options, then what providers list.
async fn tools(
    spec: &ChatClientRequestSpec,
    unavailable: &mut Vec<ChatEvent>,
) -> Result<ToolSet, Error> {
    let defaults = spec.client.0.options.tools();
    let mut more: Vec<_> = callbacks(&spec.tools, ToolOrigin::Request).collect();
    more.extend(spec.prompt.options().tools().entries().cloned());
    more.extend(
        spec.options
            .iter()
            .flat_map(|options| options.tools().entries().cloned()),
    );
    more.extend(listed(spec, unavailable).await?);
    if more.is_empty() {
        return Ok(defaults.clone());
    }
    Ok(ToolSet::new(defaults.entries().cloned().chain(more))?)
}

/// Asks the providers for their tools, one after the other, each once (rule TOOLS-2).
async fn listed(
    spec: &ChatClientRequestSpec,
    unavailable: &mut Vec<ChatEvent>,
) -> Result<Vec<Tool>, Error> {
    let mut listed = Vec::new();
    for Asked {
        provider,
        is_optional,
        is_default,
    } in providers(spec)
    {
        let tools = if is_optional {
            OptionalTools::list(&**provider).await.or_else(|error| {
                let provider = provider.name().into();
                unavailable.push(ChatEvent::ToolProviderUnavailable { provider, error });
                Ok(Vec::new())
            })
        } else {
            provider.tool_callbacks().await
        };
        let tools = tools.map_err(|cause| Error::provider(provider.name(), cause))?;
        if is_default {
            let warnings = &spec.client.0.warnings;
            tools.iter().for_each(|tool| warnings.of_default(&**tool));
        }
        let origin = ToolOrigin::Provider(provider.name().into());
        listed.extend(tools.into_iter().map(|tool| (tool, origin.clone())));
    }
    Ok(listed)
}

/// A provider to ask.
struct Asked<'a> {
    provider: &'a Arc<dyn ToolCallbackProvider>,
    is_optional: bool,
    /// Whether the client asks it for every request.
    is_default: bool,
}

/// The providers of the client and of the request, each once; one that is optional in one place and not
/// in another is not.
fn providers(spec: &ChatClientRequestSpec) -> Vec<Asked<'_>> {
    let mut asked: Vec<Asked<'_>> = Vec::new();
    let defaults = spec.client.0.tools.iter().map(|source| (source, true));
    for (source, is_default) in defaults.chain(spec.tools.iter().map(|source| (source, false))) {
        let (provider, is_optional) = match source {
            ToolSource::Callback(_) => continue,
            ToolSource::Provider(provider) => (provider, false),
            ToolSource::OptionalProvider(provider) => (provider, true),
        };
        match asked
            .iter_mut()
            .find(|one| Arc::ptr_eq(one.provider, provider))
        {
            Some(earlier) => earlier.is_optional &= is_optional,
            None => asked.push(Asked {
                provider,
                is_optional,
                is_default,
            }),
        }
    }
    asked
}

/// The callbacks among `sources`; providers are asked later.
pub(super) fn callbacks(
    sources: &[ToolSource],
    origin: ToolOrigin,
) -> impl Iterator<Item = Tool> + '_ {
    sources.iter().filter_map(move |source| match source {
        ToolSource::Callback(callback) => Some((callback.clone(), origin.clone())),
        ToolSource::Provider(_) | ToolSource::OptionalProvider(_) => None,
    })
}
