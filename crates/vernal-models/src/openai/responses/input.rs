//! Messages as items of input. Each message is written once and then copied (design rule 7).

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::value::RawValue;
use vernal_core::message::{
    DialectKey, Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse,
};

use super::content::{push_media, push_members, push_text};
use super::item::{Item, Said};
use super::state::ResponsesState;
use super::tools::ToolDefaults;
use crate::exchange::{Place, estimate};
use crate::json::{JsonObject, push_string};
use crate::openai::custom::as_input;
use crate::wire_names::wire_name;

/// What of an adapter changes the bytes of a message.
pub(super) struct Writing<'a> {
    /// Whose opaque data is sent back.
    pub(super) provider: &'a str,
    /// The server kept nothing: it cannot find an item by its id.
    stateless: bool,
    /// The tools that take plain text.
    custom: &'a BTreeSet<String>,
}

impl<'a> Writing<'a> {
    pub(super) fn new(provider: &'a str, state: ResponsesState, tools: &'a ToolDefaults) -> Self {
        Self {
            provider,
            stateless: state == ResponsesState::Stateless,
            custom: &tools.custom,
        }
    }

    /// The key of a message's bytes: everything here that changes them is in it.
    pub(super) fn key(&self) -> DialectKey {
        let Self {
            provider,
            stateless,
            custom,
        } = self;
        DialectKey::from_name(&format!(
            "openai-responses 1 message {provider} {stateless} {custom:?}"
        ))
    }

    /// The items of a message, with commas between them; of a system message, its text as a JSON
    /// string. Empty where there is nothing to say.
    pub(super) fn encode(&self, message: &Message) -> String {
        let mut items = String::with_capacity(estimate(message));
        match message.role() {
            Role::System => {
                let text = message.text();
                if !text.is_empty() {
                    push_string(&mut items, &text);
                }
                for part in message.parts() {
                    if let PartContent::Media(media) = &part.content {
                        Place::of(self.provider, Role::System).tell(media);
                    }
                }
            }
            Role::Assistant => self.push_said(&mut items, message),
            Role::Tool => self.push_results(&mut items, message),
            _ => self.push_asked(&mut items, message),
        }
        items
    }

    /// A message of the user: one text, or a list where there is more; whole items stand between.
    fn push_asked(&self, items: &mut String, message: &Message) {
        if let [part] = message.parts()
            && let PartContent::Text(text) = &part.content
            && part.provider_data(self.provider).is_none()
        {
            let mut item = JsonObject::begin(next(items));
            push_role(&mut item, "user");
            item.string("content", text);
            return item.end();
        }
        let mut content = String::new();
        for part in message.parts() {
            let data = part.provider_data(self.provider);
            match &part.content {
                PartContent::Text(text) => push_text(next(&mut content), text, data),
                PartContent::Media(media) => {
                    let place = Place::of(self.provider, message.role());
                    push_media(next(&mut content), media, data, place);
                }
                PartContent::Opaque => {
                    let Some(raw) = data else { continue };
                    match Item::of(raw).kind() {
                        kind if kind.starts_with("input_") => {
                            next(&mut content).push_str(raw.get())
                        }
                        kind if may_stand_alone(kind) => {
                            end_message(&mut content, items);
                            next(items).push_str(raw.get());
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        end_message(&mut content, items);
    }

    /// A message of the model, its items in their order.
    fn push_said(&self, items: &mut String, message: &Message) {
        let echo = Echo {
            provider: self.provider,
            ids: !self.stateless
                || message
                    .parts()
                    .iter()
                    .all(|part| self.explains_itself(part)),
        };
        let mut rest = message.parts();
        while let Some((part, after)) = rest.split_first() {
            rest = after;
            match &part.content {
                PartContent::Text(_) | PartContent::Refusal(_) => {
                    rest = echo.push_text(items, part, rest);
                }
                PartContent::Reasoning(_) | PartContent::Opaque => echo.push_verbatim(items, part),
                PartContent::ToolCall(call) => echo.push_call(items, part, call),
                PartContent::Media(media) => {
                    let place = Place::of(self.provider, Role::Assistant);
                    push_plain(items, &place.note(media), None);
                }
                _ => {}
            }
        }
    }

    /// Whether the server can read the part without having kept it.
    fn explains_itself(&self, part: &Part) -> bool {
        let Some(raw) = part.provider_data(self.provider) else {
            return true;
        };
        let item = Item::of(raw);
        item.kind() != "reasoning" || item.explains_itself()
    }

    fn push_results(&self, items: &mut String, message: &Message) {
        for part in message.parts() {
            let data = part.provider_data(self.provider);
            match &part.content {
                PartContent::ToolResponse(response) => self.push_result(items, part, response),
                PartContent::Opaque => {
                    if let Some(raw) = data.filter(|raw| may_stand_alone(Item::of(raw).kind())) {
                        next(items).push_str(raw.get());
                    }
                }
                _ => {}
            }
        }
    }

    /// The result of a call.
    fn push_result(&self, items: &mut String, part: &Part, response: &ToolResponse) {
        let mut item = self.begin_result(items, &response.call_id, &response.name);
        let media = |content: &ToolContent| matches!(content, ToolContent::Media(_));
        if response.content.iter().any(media) {
            let place = Place::result(self.provider, response);
            push_list(item.member("output"), &response.content, place);
        } else {
            item.string("output", &response.text());
        }
        let data = part.provider_data(self.provider);
        push_members(&mut item, data, &["type", "call_id", "output"]);
        item.end();
    }

    fn begin_result<'o>(&self, items: &'o mut String, id: &str, name: &str) -> JsonObject<'o> {
        let mut item = JsonObject::begin(next(items));
        let is_custom = self.custom.contains(name);
        let kind = if is_custom {
            "custom_tool_call_output"
        } else {
            "function_call_output"
        };
        item.string("type", kind);
        item.string("call_id", &wire_id(id));
        item
    }
}

/// How a message of the model is sent back.
struct Echo<'a> {
    provider: &'a str,
    /// Items have their ids. Without their reasoning, they may not have them.
    ids: bool,
}

impl Echo<'_> {
    /// Writes a text or a refusal: the item as it came, where nothing of it was changed. Gives the
    /// parts that are left of `rest`.
    fn push_text<'p>(&self, items: &mut String, part: &Part, rest: &'p [Part]) -> &'p [Part] {
        let data = part.provider_data(self.provider);
        if let Some(raw) = data.filter(|_| self.ids) {
            let item = Item::of(raw);
            let said = item.said();
            let more = said.len().saturating_sub(1);
            let parts = std::iter::once(part).chain(rest);
            let unchanged = item.kind() == "message"
                && !said.is_empty()
                && more <= rest.len()
                && said.iter().zip(parts).all(|(said, part)| says(part, said));
            if unchanged {
                next(items).push_str(raw.get());
                return rest.get(more..).unwrap_or_default();
            }
        }
        if let PartContent::Text(text) | PartContent::Refusal(text) = &part.content {
            push_plain(items, text, data);
        }
        rest
    }

    /// Writes an item as it came. It cannot be a call or a result, which have to match each other.
    fn push_verbatim(&self, items: &mut String, part: &Part) {
        let Some(raw) = part.provider_data(self.provider) else {
            return;
        };
        let kind_fits = match Item::of(raw).kind() {
            "reasoning" => self.ids,
            kind => may_stand_alone(kind),
        };
        if kind_fits {
            next(items).push_str(raw.get());
        }
    }

    fn push_call(&self, items: &mut String, part: &Part, call: &ToolCall) {
        let data = part.provider_data(self.provider);
        let is_custom = data.is_some_and(|data| Item::of(data).kind() == "custom_tool_call");
        let mut item = JsonObject::begin(next(items));
        let arguments = call.arguments.as_valid_object();
        item.string(
            "type",
            if is_custom {
                "custom_tool_call"
            } else {
                "function_call"
            },
        );
        item.string("call_id", &wire_id(&call.id));
        item.string("name", &wire_name(&call.name));
        if is_custom {
            item.string("input", &as_input(&arguments));
        } else {
            item.string("arguments", &arguments);
        }
        let ours: &[&str] = match self.ids {
            true => &["type", "call_id", "name", "arguments", "input"],
            false => &["type", "call_id", "name", "arguments", "input", "id"],
        };
        push_members(&mut item, data, ours);
        item.end();
    }
}

/// The place for the next object of a list.
pub(super) fn next(list: &mut String) -> &mut String {
    if list.ends_with('}') {
        list.push(',');
    }
    list
}

/// Makes the pieces so far a message of the user.
fn end_message(content: &mut String, items: &mut String) {
    if content.is_empty() {
        return;
    }
    let mut item = JsonObject::begin(next(items));
    push_role(&mut item, "user");
    item.raw("content", format_args!("[{content}]"));
    item.end();
    content.clear();
}

fn push_role(item: &mut JsonObject<'_>, role: &str) {
    item.string("type", "message");
    item.string("role", role);
}

/// A message of the model that says this, in the phase of its turn that `data` names.
fn push_plain(items: &mut String, text: &str, data: Option<&RawValue>) {
    if text.trim().is_empty() {
        return;
    }
    let mut item = JsonObject::begin(next(items));
    push_role(&mut item, "assistant");
    item.string("content", text);
    if let Some(phase) = data.and_then(|data| Item::of(data).phase) {
        item.raw("phase", phase);
    }
    item.end();
}

/// A message of the application that comes later than the instructions; `text` is a JSON string.
pub(super) fn push_system(out: &mut String, text: &str) {
    let mut item = JsonObject::begin(out);
    push_role(&mut item, "system");
    item.raw("content", text);
    item.end();
}

fn push_list(out: &mut String, contents: &[ToolContent], place: Place<'_>) {
    let mut pieces = String::new();
    for content in contents {
        match content {
            ToolContent::Media(media) => push_media(next(&mut pieces), media, None, place),
            other => push_text(next(&mut pieces), &other.as_text(), None),
        }
    }
    out.push('[');
    out.push_str(&pieces);
    out.push(']');
}

fn says(part: &Part, said: &Said<'_>) -> bool {
    match (&part.content, said) {
        (PartContent::Text(ours), Said::Text(theirs))
        | (PartContent::Refusal(ours), Said::Refusal(theirs)) => **ours == **theirs,
        _ => false,
    }
}

/// Whether an item of this kind may be sent by itself, as it came.
fn may_stand_alone(kind: &str) -> bool {
    let matched = [
        "",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
    ];
    !matched.contains(&kind)
}

/// The id of a call as the server takes it: an id that another provider gave may have to be mapped.
fn wire_id(id: &str) -> Cow<'_, str> {
    if !id.is_empty() && id.len() <= LONGEST_ID {
        return Cow::Borrowed(id);
    }
    let DialectKey(hash) = DialectKey::from_name(id);
    Cow::Owned(format!("call_{hash:016x}"))
}

const LONGEST_ID: usize = 64;
