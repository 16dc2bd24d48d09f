#!/usr/bin/env python3
"""An independent reading of recorded Bedrock Converse traffic.

    python3 read_bedrock.py TRAFFIC_DIR [--fixtures]

Reads every recording under TRAFFIC_DIR whose "api" list contains "bedrock-converse" and prints one JSON
object per exchange (JSONL), sorted by the relative path and then by exchange index. It exists to be
compared with the Rust adapter, so it shares no code with it, needs nothing but Python 3.11, and reports
what is on the wire:

  * "blocks" are the content blocks in order, a streamed one as it would have come in one piece;
  * "text" is the text of all blocks of text and of cited text, "reasoning" that of all thoughts, joined;
  * "calls" are the blocks of type toolUse that the application has to run; "arguments" is the text of a
    streamed input as received, or the input as JSON; "input" is its value, null where that is no JSON;
  * "usage" has the counts under Bedrock's names; "stop_reason" is the last that is told;
  * "hex" are the bytes of a body that is a stream: the frames as recorded, or made from a fixture;
  * an error, as a response or as an exception in a stream, has kind "error".

Kind "unreadable" carries its reason in "error": recordings also hold downloads.

--fixtures adds the recordings that are labelled "amazon-bedrock-fixture": their streams are server-sent
events, one object with one member each, of which frames are made here.
"""

import base64
import json
import pathlib
import struct
import sys
import zlib

STREAM = "application/vnd.amazon.eventstream"
USAGE = ["inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"]


# ---------------------------------------------------------------- frames

def read_headers(data):
    """The headers of a frame; all recorded ones are texts."""
    headers = {}
    while data:
        name_length = data[0]
        name = data[1:1 + name_length].decode()
        kind, length = struct.unpack(">BH", data[1 + name_length:4 + name_length])
        assert kind == 7, f"a header of kind {kind}"
        headers[name] = data[4 + name_length:4 + name_length + length].decode()
        data = data[4 + name_length + length:]
    return headers


def frames_of(data):
    """Each frame as its headers and its payload."""
    frames = []
    while data:
        whole, headers, sum_of_lengths = struct.unpack(">III", data[:12])
        assert zlib.crc32(data[:8]) == sum_of_lengths, "the lengths are damaged"
        frame, data = data[:whole], data[whole:]
        assert zlib.crc32(frame[:-4]) == struct.unpack(">I", frame[-4:])[0], "a frame is damaged"
        frames.append((read_headers(frame[12:12 + headers]), frame[12 + headers:-4].decode()))
    return frames


def frame(name, payload):
    """A frame of an event."""
    headers = b""
    for key, value in ((":event-type", name), (":message-type", "event")):
        headers += bytes([len(key)]) + key.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
    payload = payload.encode()
    start = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    start += struct.pack(">I", zlib.crc32(start)) + headers + payload
    return start + struct.pack(">I", zlib.crc32(start))


def frames_of_fixture(text):
    """Frames made of server-sent events whose objects have one member."""
    made = b""
    for line in text.splitlines():
        if line.startswith("data:"):
            [(name, payload)] = json.loads(line[5:]).items()
            made += frame(name, json.dumps(payload))
    return made


def body_bytes(response):
    """The body of a stream; it is recorded as base64 in either place."""
    return base64.b64decode(response.get("body_base64") or response["body"])


# ---------------------------------------------------------------- a stream

def start_block(start):
    [(kind, value)] = start.items()
    if kind == "image":
        return {"image": dict(value)}
    return {kind: dict(value), "partial": "", "pieces": []}


def add_delta(block, delta):
    [(kind, value)] = delta.items()
    if kind == "text":
        block["text"] = block.get("text", "") + value
    elif kind == "citation":
        block.setdefault("citations", []).append(value)
    elif kind == "toolUse" and "toolUse" in block:
        block["partial"] += value.get("input") or ""
    elif kind == "toolResult" and "toolResult" in block:
        block["pieces"] += value
    elif kind == "image" and "image" in block:
        block["image"] |= value
    elif kind == "reasoningContent":
        thought = block.setdefault("reasoningContent", {})
        for name, piece in value.items():
            thought[name] = thought.get(name, "") + piece


def whole(block):
    """A streamed block as it would have come in one piece."""
    if "citations" in block:
        return {"citationsContent": {"content": [{"text": block["text"]}], "citations": block["citations"]}}
    if "toolUse" in block:
        call = dict(block["toolUse"])
        call["input"] = parse(block["partial"]) if block["partial"] else {}
        return {"toolUse": call}
    if "toolResult" in block:
        return {"toolResult": block["toolResult"] | {"content": block["pieces"]}}
    thought = block.get("reasoningContent")
    if thought is not None and "redactedContent" not in thought:
        return {"reasoningContent": {"reasoningText": thought}}
    return {name: value for name, value in block.items() if name not in ("partial", "pieces")}


def read_stream(out, frames):
    blocks = {}
    for headers, payload in frames:
        if headers[":message-type"] != "event":
            out["kind"] = "error"
            out["error"] = json.loads(payload).get("message") or payload
            return []
        name, value = headers[":event-type"], json.loads(payload)
        at = value.get("contentBlockIndex")
        if name == "contentBlockStart" and value["start"]:
            blocks[at] = start_block(value["start"])
        elif name == "contentBlockDelta" and value["delta"]:
            add_delta(blocks.setdefault(at, {}), value["delta"])
        elif name in ("messageStop", "metadata"):
            out["stop_reason"] = value.get("stopReason") or out["stop_reason"]
            out["usage"] = counts(value.get("usage")) or out["usage"]
    if out["stop_reason"] is None:
        out["kind"] = "error"
        out["error"] = "before the answer was complete"
    return list(blocks.values())


# ---------------------------------------------------------------- what both have

def parse(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def counts(usage):
    return {name: usage[name] for name in USAGE if name in usage} if usage else None


def call_of(block):
    call = block["toolUse"]
    if "partial" in block:
        text = block["partial"]
        value = parse(text) if text else {}
    else:
        value = call.get("input")
        value = {} if value is None else value
        text = json.dumps(value)
    return {"id": call["toolUseId"], "name": call["name"], "arguments": text, "input": value}


def describe(out, blocks):
    for block in blocks:
        if "toolUse" in block and not block["toolUse"].get("type"):
            out["calls"].append(call_of(block))
        thought = block.get("reasoningContent", {})
        out["reasoning"] += thought.get("text") or thought.get("reasoningText", {}).get("text") or ""
        for cited in block.get("citationsContent", {}).get("content", []):
            out["text"] += cited["text"]
        out["text"] += block.get("text") or ""
    streamed = out["stream"]
    out["blocks"] = [whole(block) if streamed else block for block in blocks]


def read_exchange(exchange, fixture):
    response = exchange["response"]
    out = {"stream": False, "status": response["status"], "kind": "response", "text": "", "reasoning": "",
           "calls": [], "blocks": [], "usage": None, "stop_reason": None, "error": None, "hex": None}
    request = exchange.get("request")
    path = request["path"].split("?")[0] if request else "/converse"
    if not path.endswith(("/converse", "/converse-stream")):
        return out | {"kind": "unreadable", "error": f"not Converse: {request['method']} {path}"}
    if response["content_type"] == STREAM or (fixture and response["content_type"] == "text/event-stream"):
        data = frames_of_fixture(response["body"]) if fixture else body_bytes(response)
        out |= {"stream": True, "hex": data.hex()}
        describe(out, read_stream(out, frames_of(data)))
        return out
    body = response["body"]
    value = json.loads(body) if isinstance(body, str) else body
    if response["status"] >= 400:
        return out | {"kind": "error", "error": value.get("message") or value.get("Message") or ""}
    out["stop_reason"] = value.get("stopReason")
    out["usage"] = counts(value.get("usage"))
    describe(out, value["output"]["message"]["content"])
    return out


def main():
    root = pathlib.Path(sys.argv[1])
    fixtures = "--fixtures" in sys.argv[2:]
    for path in sorted(root.rglob("*.json")):
        recording = json.loads(path.read_text(encoding="utf-8"))
        apis = recording.get("api") or []
        fixture = "amazon-bedrock-fixture" in apis
        if "bedrock-converse" not in apis and not (fixtures and fixture):
            continue
        for number, exchange in enumerate(recording["exchanges"]):
            found = {"file": str(path.relative_to(root)), "exchange": number}
            print(json.dumps(found | read_exchange(exchange, fixture), ensure_ascii=False))


main()
