#!/usr/bin/env python3
"""An independent reading of recorded Anthropic Messages traffic.

    python3 read_anthropic.py TRAFFIC_DIR [--fixtures]

Reads every recording under TRAFFIC_DIR whose "api" list contains "anthropic-messages" and prints one
JSON object per exchange (JSONL), sorted by the relative path and then by exchange index. It exists to
be compared with the Rust adapter, so it shares no code with it, needs nothing but Python 3.11, and
reports what is on the wire:

  * "blocks" are the content blocks in order, a streamed one as it would have come in one piece;
  * "text" and "reasoning" are the texts of all blocks of type text and thinking, joined;
  * "calls" are the blocks of type tool_use; "arguments" is the text of a streamed input as received,
    or the input as JSON; "input" is its value, or null where the text is no JSON;
  * "usage" has the counts under Anthropic's names, of a stream the latest that is not null;
  * "stop_reason" of a stream is the latest that is not null, "id" and "model" are the first;
  * "complete" says whether a stream came to its message_stop or told its stop_reason;
  * an error, as a response or inside a stream, has kind "error".

Kind "unreadable" carries its reason in "error": recordings also hold downloads and other APIs.

--fixtures adds the recordings that are labelled "<provider>-fixture" and have the shape of Messages.
"""

import base64
import json
import pathlib
import sys

USAGE = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"]


# ---------------------------------------------------------------- bodies

def body_text(response):
    """The body as text; None if it is not text."""
    encoded = response.get("body_base64")
    if encoded is not None:
        try:
            return base64.b64decode(encoded).decode("utf-8")
        except UnicodeDecodeError:
            return None
    body = response.get("body")
    return body if isinstance(body, str) else json.dumps(body)


def parse(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def events_of(text):
    """The values of the events of a stream; None if the text is no stream of JSON objects."""
    values = []
    data = []
    seen = False
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") + [""]:
        if line.startswith("data:"):
            seen = True
            data.append(line[5:].removeprefix(" "))
        elif line == "" and data:
            joined = "\n".join(data)
            data = []
            if joined != "[DONE]":
                values.append(parse(joined))
        elif line and line.split(":")[0] not in ("event", "id", "retry", ""):
            return None
    if not seen or not all(isinstance(value, dict) for value in values):
        return None
    return values


# ---------------------------------------------------------------- a stream

def add_delta(block, delta):
    """Adds a delta to the block that it belongs to. "partial" gathers a streamed input."""
    kind = delta.get("type")
    if kind == "text_delta":
        block["text"] = block.get("text", "") + delta["text"]
    elif kind == "thinking_delta":
        block["thinking"] = block.get("thinking", "") + delta["thinking"]
    elif kind == "signature_delta":
        block["signature"] = block.get("signature", "") + delta["signature"]
    elif kind == "input_json_delta":
        block["partial"] = block.get("partial", "") + delta["partial_json"]
    elif kind == "citations_delta":
        block["citations"] = (block.get("citations") or []) + [delta["citation"]]
    elif kind == "compaction_delta":
        block["content"] = (block.get("content") or "") + delta["content"]


def read_stream(out, events):
    """Reads the events of a stream. Returns its blocks."""
    blocks = []       # in order of appearance
    by_index = {}
    usage = {}
    for event in events:
        kind = event.get("type")
        if kind == "message_start":
            message = event["message"]
            out["id"] = out["id"] or message.get("id")
            out["model"] = out["model"] or message.get("model")
            usage |= known_counts(message.get("usage"))
            for index, block in enumerate(message.get("content") or []):
                by_index[index] = dict(block)
                blocks.append(by_index[index])
        elif kind == "content_block_start":
            by_index[event["index"]] = dict(event["content_block"])
            blocks.append(by_index[event["index"]])
        elif kind == "content_block_delta":
            if event["index"] in by_index:
                add_delta(by_index[event["index"]], event["delta"])
        elif kind == "message_delta":
            out["stop_reason"] = event["delta"].get("stop_reason") or out["stop_reason"]
            usage |= known_counts(event.get("usage"))
            out["complete"] = out["complete"] or out["stop_reason"] is not None
        elif kind == "message_stop":
            # What some fixtures have after it is the next answer.
            out["complete"] = True
            break
        elif kind == "error" or "error" in event:
            out["kind"] = "error"
            out["error"] = error_message(event)
    out["usage"] = usage or None
    return blocks


# ---------------------------------------------------------------- what both have

def known_counts(usage):
    usage = usage or {}
    counts = {name: usage[name] for name in USAGE if usage.get(name) is not None}
    thinking = (usage.get("output_tokens_details") or {}).get("thinking_tokens")
    if thinking is not None:
        counts["thinking_tokens"] = thinking
    return counts


def error_message(value):
    error = value.get("error")
    if isinstance(error, dict):
        return error.get("message") or json.dumps(error)
    return error if isinstance(error, str) else json.dumps(value)


def call_of(block):
    partial = block.get("partial", "")
    if partial:
        return {"id": block.get("id"), "name": block["name"], "arguments": partial, "input": parse(partial)}
    value = block.get("input")
    value = {} if value is None else value
    return {"id": block.get("id"), "name": block["name"], "arguments": json.dumps(value), "input": value}


def whole(block):
    """A streamed block as it would have come in one piece."""
    block = dict(block)
    partial = block.pop("partial", "")
    if partial:
        block["input"] = parse(partial)
    return block


def describe(out, blocks):
    for block in blocks:
        if block.get("type") == "text":
            out["text"] += block.get("text") or ""
        elif block.get("type") == "thinking":
            out["reasoning"] += block.get("thinking") or ""
        elif block.get("type") == "tool_use":
            out["calls"].append(call_of(block))
    out["blocks"] = [whole(block) for block in blocks]


def read_exchange(exchange):
    response = exchange["response"]
    out = {"stream": False, "status": response["status"], "kind": "response", "text": "", "reasoning": "",
           "calls": [], "blocks": [], "usage": None, "stop_reason": None, "id": None, "model": None,
           "complete": False, "error": None}

    def unreadable(reason):
        out["kind"] = "unreadable"
        out["error"] = reason
        return out

    request = exchange.get("request")
    if request is not None and not request["path"].split("?")[0].endswith("/v1/messages"):
        return unreadable("not messages: " + request["method"] + " " + request["path"])
    text = body_text(response)
    if text is None:
        return unreadable("the body is not text")

    value = parse(text)
    if isinstance(value, dict):
        if response["status"] >= 400 or value.get("type") == "error":
            out["kind"] = "error"
            out["error"] = error_message(value)
        elif not isinstance(value.get("content"), list) or value.get("type") != "message":
            return unreadable("no message")
        else:
            out["id"] = value.get("id")
            out["model"] = value.get("model")
            out["stop_reason"] = value.get("stop_reason")
            out["usage"] = known_counts(value.get("usage")) or None
            out["complete"] = True
            describe(out, value["content"])
        return out

    events = events_of(text)
    if events is None:
        return unreadable("neither a JSON object nor a stream of them")
    if not any(event.get("type") in ("message_start", "error") for event in events):
        return unreadable("a stream of something else")
    out["stream"] = True
    describe(out, read_stream(out, events))
    return out


def main():
    arguments = sys.argv[1:]
    fixtures = "--fixtures" in arguments
    directories = [argument for argument in arguments if argument != "--fixtures"]
    if len(directories) != 1 or not pathlib.Path(directories[0]).is_dir():
        sys.exit("usage: read_anthropic.py TRAFFIC_DIR [--fixtures]")
    root = pathlib.Path(directories[0])

    files = sorted((path.relative_to(root).as_posix(), path) for path in root.rglob("*.json"))
    for name, path in files:
        recording = json.loads(path.read_text(encoding="utf-8"))
        labelled = "anthropic-messages" in recording["api"]
        by_shape = fixtures and any(api.endswith("-fixture") for api in recording["api"])
        if not labelled and not by_shape:
            continue
        for number, exchange in enumerate(recording["exchanges"]):
            reading = read_exchange(exchange)
            if labelled or (reading["kind"] == "response" and reading["blocks"]):
                print(json.dumps({"file": name, "exchange": number, **reading}))


if __name__ == "__main__":
    main()
