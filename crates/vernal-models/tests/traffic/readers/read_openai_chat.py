#!/usr/bin/env python3
"""An independent reading of recorded OpenAI Chat Completions traffic.

    python3 read_openai_chat.py TRAFFIC_DIR [--fixtures]

Reads every recording under TRAFFIC_DIR whose "api" list contains "openai-chat" and prints one
JSON object per exchange (JSONL), sorted by the relative path (as one string, in code point order)
and then by exchange index. It exists to be compared with the Rust adapter, so it shares no code
with it, needs nothing but Python 3.11, and reports what is on the wire without repairing it:

  * ids, names and argument strings are given as received ("" stays "", nothing is synthesized);
    an id that the wire never gave is null (in a stream also one that is always ""), missing
    arguments are "", a call that never got a name is left out;
  * "arguments_json" is null both when the string does not parse and when it says null;
  * "finish_reason" is the last non-null value of choice 0, which may be "";
  * "id" and "model" of a stream are the first non-empty ones among its chunks;
  * reasoning that is present only in "reasoning_details" is not read;
  * "usage" is the last non-null usage; a count the provider gave under another name is null;
  * an error inside a stream has kind "error" and keeps what had arrived before it.

Kind "unreadable" carries its reason in "error". An exchange that is not a call of a
chat/completions endpoint (recordings also hold downloads, MCP and other APIs) is unreadable.

--fixtures adds the recordings that are labelled "<provider>-fixture" instead of "openai-chat" and
whose bodies are Chat Completions by their shape.
"""

import base64
import json
import pathlib
import re
import sys


# ---------------------------------------------------------------- JSON and SSE

def parse_json(text):
    """Strict JSON: Python's NaN and Infinity are refused."""
    def refuse(constant):
        raise ValueError("not JSON: " + constant)
    return json.loads(text, parse_constant=refuse)


def parse_or_none(text):
    try:
        return parse_json(text)
    except ValueError:
        return None


def is_json(text):
    try:
        parse_json(text)
        return True
    except ValueError:
        return False


def looks_like_sse(text):
    """SSE if the first line that is not blank is an SSE field or comment."""
    for line in re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")):
        if line.strip():
            return re.match(r"(data|event|id|retry)?:", line) is not None
    return False


def sse_payloads(text):
    """The data of each event, in order, up to [DONE]."""
    payloads = []
    data = []
    # Only CRLF, LF and CR end a line; str.splitlines() would also split at U+2028 and others.
    # The added blank line ends a last event that the server left open.
    for line in re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff")) + [""]:
        if line == "":
            if any(data):
                payloads.append("\n".join(data))
            data = []
            continue
        field, _, value = line.partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
        # Comments have an empty field name; event, id and retry say nothing that is needed here.
    if "[DONE]" in payloads:
        payloads = payloads[:payloads.index("[DONE]")]
    return payloads


# ---------------------------------------------------------------- parts of a message

def as_text(value):
    return value if isinstance(value, str) else ""


def content_text(content):
    """Visible text: a string, or the text parts of an array."""
    if isinstance(content, list):
        return "".join(as_text(part.get("text")) for part in content if part.get("type") == "text")
    return as_text(content)


def content_thinking(content):
    """Thinking parts of an array; their "thinking" is a string or again an array of text parts."""
    if isinstance(content, list):
        return "".join(content_text(part.get("thinking")) for part in content if part.get("type") == "thinking")
    return ""


def add_text(out, message):
    """Appends the texts of a message or of a delta."""
    out["text"] += content_text(message.get("content"))
    out["reasoning"] += (as_text(message.get("reasoning_content"))
                         or as_text(message.get("reasoning"))
                         or content_thinking(message.get("content")))
    out["refusal"] += as_text(message.get("refusal"))


def call_fields(tool_call):
    """(id, name, arguments) of a tool call or of its delta; what is missing, null or empty is None,
    but arguments stay a string ("" is a string), or an already parsed value."""
    if tool_call.get("type") == "custom":
        body = tool_call.get("custom") or {}
        arguments = body.get("input")
    else:
        body = tool_call.get("function") or {}
        arguments = body.get("arguments")
    return tool_call.get("id") or None, body.get("name") or None, arguments


def arguments_string(arguments):
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))


def whole_call(tool_call):
    """A call of a response that was not streamed: there is nothing to merge."""
    _, name, arguments = call_fields(tool_call)
    return {"index": None, "id": tool_call.get("id"), "name": name, "arguments": arguments_string(arguments)}


def merge_delta(calls, tool_call):
    """Merges one streamed delta into the calls, which stay in order of first appearance."""
    call_id, name, arguments = call_fields(tool_call)
    index = tool_call.get("index")

    same_id = [call for call in calls if call_id is not None and call["id"] == call_id]
    same_index = [call for call in calls if index is not None and call["index"] == index]
    call = None
    if same_id:
        call = same_id[-1]
    elif same_index:
        call = same_index[-1]
        # A server that numbers every call 0: a new id with a name begins another call when the
        # name is another one or when the call before it is complete.
        if call_id and name and call["name"] and (name != call["name"] or is_json(call["arguments"])):
            call = None
    elif index is None and calls and (name is None or calls[-1]["name"] is None):
        call = calls[-1]

    if call is None:
        # Without a name this only holds the fragments until the name comes; see named_calls().
        call = {"index": index, "id": None, "name": None, "arguments": ""}
        calls.append(call)

    # Id and name are set once; a repetition is neither appended nor does it replace.
    call["id"] = call["id"] or call_id
    call["name"] = call["name"] or name
    if isinstance(arguments, str):
        # A closing summary that repeats the complete object is not more text of it.
        before = parse_or_none(call["arguments"])
        if not (isinstance(before, dict) and parse_or_none(arguments) == before):
            call["arguments"] += arguments
    elif arguments is not None:
        call["arguments"] = arguments_string(arguments)


def named_calls(calls):
    return [{"id": call["id"], "name": call["name"], "arguments": call["arguments"],
             "arguments_json": parse_or_none(call["arguments"])}
            for call in calls if call["name"] is not None]


def read_usage(value):
    """The usage of a response or of a chunk, or None."""
    usage = value.get("usage") or (value.get("x_groq") or {}).get("usage")
    if not isinstance(usage, dict):
        return None
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens")
    if cached is None:
        cached = usage.get("prompt_cache_hit_tokens")
    return {
        "input": usage.get("prompt_tokens"),
        "output": usage.get("completion_tokens"),
        "total": usage.get("total_tokens"),
        "cached": cached,
        "reasoning": (usage.get("completion_tokens_details") or {}).get("reasoning_tokens"),
    }


def error_message(error):
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return error["message"]
    return error if isinstance(error, str) else json.dumps(error)


# ---------------------------------------------------------------- an exchange

def body_text(response):
    """The body as text; None if it is not text."""
    if response.get("body_base64") is not None:
        try:
            return base64.b64decode(response["body_base64"]).decode("utf-8")
        except UnicodeDecodeError:
            return None
    body = response.get("body")
    if body is None or isinstance(body, str):
        return body or ""
    return json.dumps(body)


def read_values(out, values, part):
    """Reads a response (part "message", one value) or the chunks of a stream (part "delta")."""
    calls = []
    for value in values:
        out["id"] = out["id"] or value.get("id")
        out["model"] = out["model"] or value.get("model")
        out["usage"] = read_usage(value) or out["usage"]
        if value.get("error"):
            out["kind"] = "error"
            out["error"] = error_message(value["error"])
        for choice in value.get("choices") or []:
            if choice.get("index") not in (0, None):
                continue
            if choice.get("finish_reason") is not None:
                out["finish_reason"] = choice["finish_reason"]
            if choice.get("native_finish_reason") is not None:
                out["native_finish_reason"] = choice["native_finish_reason"]
            message = choice.get(part) or {}
            add_text(out, message)
            for tool_call in message.get("tool_calls") or []:
                if part == "message":
                    calls.append(whole_call(tool_call))
                else:
                    merge_delta(calls, tool_call)
    out["calls"] = named_calls(calls)


def read_exchange(exchange):
    """Returns the reading, and whether the body has the shape of Chat Completions."""
    response = exchange["response"]
    out = {"stream": False, "status": response["status"], "kind": "response",
           "text": "", "reasoning": "", "refusal": "", "calls": [], "usage": None,
           "finish_reason": None, "model": None, "id": None, "error": None}

    def unreadable(reason):
        out["kind"] = "unreadable"
        out["error"] = reason
        return out, False

    text = body_text(response)
    out["stream"] = text is not None and looks_like_sse(text)

    request = exchange.get("request")
    if request is not None and not request["path"].split("?")[0].endswith("/chat/completions"):
        return unreadable("not chat completions: " + request["method"] + " " + request["path"])
    if text is None:
        return unreadable("the body is not text")

    if out["stream"]:
        values = [parse_or_none(payload) for payload in sse_payloads(text)]
    else:
        values = [parse_or_none(text.removeprefix("\ufeff"))]
    objects = all(isinstance(value, dict) for value in values)

    if response["status"] >= 400:
        out["kind"] = "error"
        whole = values[0] if len(values) == 1 and objects else {}
        out["error"] = error_message(whole.get("error") or whole.get("message") or text)
        return out, False
    if not objects:
        return unreadable("a body or an event that is not a JSON object")

    chat = any(isinstance(value.get("choices"), list) for value in values)
    if not chat and not any(value.get("error") for value in values):
        return unreadable("neither choices nor an error")
    read_values(out, values, "delta" if out["stream"] else "message")
    return out, chat


def main():
    arguments = sys.argv[1:]
    fixtures = "--fixtures" in arguments
    directories = [argument for argument in arguments if argument != "--fixtures"]
    if len(directories) != 1 or not pathlib.Path(directories[0]).is_dir():
        sys.exit("usage: read_openai_chat.py TRAFFIC_DIR [--fixtures]")
    root = pathlib.Path(directories[0])

    files = sorted((path.relative_to(root).as_posix(), path) for path in root.rglob("*.json"))
    for name, path in files:
        recording = json.loads(path.read_text(encoding="utf-8"))
        labelled = "openai-chat" in recording["api"]
        by_shape = fixtures and any(api.endswith("-fixture") for api in recording["api"])
        if not labelled and not by_shape:
            continue
        for number, exchange in enumerate(recording["exchanges"]):
            reading, chat = read_exchange(exchange)
            if labelled or chat:
                print(json.dumps({"file": name, "exchange": number, **reading}))


if __name__ == "__main__":
    main()
