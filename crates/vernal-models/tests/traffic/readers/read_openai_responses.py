#!/usr/bin/env python3
"""An independent reading of recorded OpenAI Responses traffic.

    python3 read_openai_responses.py TRAFFIC_DIR [--fixtures]

Reads every recording under TRAFFIC_DIR whose "api" list contains "openai-responses" and prints one JSON
object per exchange (JSONL), sorted by the relative path and then by exchange index. It exists to be
compared with the Rust adapter, so it shares no code with it, needs nothing but Python 3.11, and reports
what is on the wire:

  * "items" are the items of the output in order. Of a stream they are those of response.output_item.done
    by their output_index; where the event that ends the answer has more, they are its items, each as
    response.output_item.done had it if that had one with the same id;
  * "text" and "refusal" are those of all items of type message, joined;
  * "reasoning" joins, for each item of type reasoning, the parts of its summary, else of its content,
    with a blank line between the parts;
  * "calls" are the items of type function_call and custom_tool_call; "value" is the value of the
    arguments, or null where they are no JSON; a custom tool's input is {"input": ...};
  * "usage" has the counts under OpenAI's names, null where there are none;
  * "ended" is the status, and where that is incomplete, its reason;
  * "told" are the deltas of a stream, joined by kind: text, reasoning (with a blank line between parts);
  * an error, as a response or inside a stream, has kind "error".

Kind "unreadable" carries its reason in "error": recordings also hold downloads and other APIs.

--fixtures adds the recordings that are labelled "<provider>-fixture" and have the shape of Responses.
"""

import base64
import json
import pathlib
import sys


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
    except (TypeError, ValueError):
        return None


def events_of(text):
    """The values of the events of a stream; None if the text is no stream of JSON objects."""
    values, data, seen = [], [], False
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n") + [""]:
        if line.startswith("data:"):
            seen = True
            data.append(line[5:].removeprefix(" "))
        elif line == "" and data:
            joined, data = "\n".join(data), []
            if joined.removeprefix("data: ") != "[DONE]":
                values.append(parse(joined))
        elif line and line.split(":")[0] not in ("event", "id", "retry", ""):
            return None
    if not seen or not all(isinstance(value, dict) for value in values):
        return None
    return values


# ---------------------------------------------------------------- a stream

def items_of_stream(events, last):
    done = {}
    for event in events:
        if event.get("type") == "response.output_item.done":
            done[event["output_index"]] = event["item"]
    ended = [done[index] for index in sorted(done)]
    repeated = (last or {}).get("output") or []
    if len(repeated) < len(ended) or not repeated:
        return ended
    by_id = {item["id"]: item for item in ended if item.get("id")}
    items = []
    for index, item in enumerate(repeated):
        same_place = done.get(index)
        if item.get("id") in by_id:
            items.append(by_id[item["id"]])
        elif same_place is not None and same_place["type"] == item["type"]:
            items.append(same_place)
        else:
            items.append(item)
    return items


def told_of(events):
    told = {"text": "", "reasoning": ""}
    part = {}
    for event in events:
        kind = event.get("type")
        if kind == "response.output_text.delta":
            told["text"] += event["delta"]
        elif kind in ("response.reasoning_summary_text.delta", "response.reasoning_text.delta"):
            number = event.get("summary_index", event.get("content_index"))
            place = event.get("output_index")
            if place in part and part[place] != number:
                told["reasoning"] += "\n\n"
            part[place] = number
            told["reasoning"] += event["delta"]
    return told


def read_stream(out, events):
    last = None
    for number, event in enumerate(events):
        kind = event.get("type", "")
        response = event.get("response")
        if kind == "error" or (not kind and event.get("error")):
            return failed(out, event)
        if kind == "response.failed":
            return failed(out, response)
        if kind in ("response.created", "response.in_progress", "response.queued") and response:
            out["id"] = out["id"] or response.get("id")
            out["model"] = out["model"] or response.get("model")
        if kind in ("response.completed", "response.incomplete", "response.cancelled"):
            # What some fixtures have after it is the next answer.
            last, events = response, events[:number]
            break
    out["told"] = told_of(events)
    if last is None:
        out["kind"] = "cut"
        return
    out["id"] = out["id"] or last.get("id")
    out["model"] = out["model"] or last.get("model")
    out["ended"] = ended(last)
    out["usage"] = usage_of(last)
    describe(out, items_of_stream(events, last))


# ---------------------------------------------------------------- what both have

def failed(out, value):
    out["kind"] = "error"
    error = value.get("error")
    if isinstance(error, dict):
        out["error"] = error.get("message") or json.dumps(error)
    else:
        out["error"] = error if isinstance(error, str) else value.get("message") or json.dumps(value)


def ended(response):
    status = response.get("status")
    if status == "incomplete":
        return (response.get("incomplete_details") or {}).get("reason") or status
    return status


def usage_of(response):
    usage = response.get("usage") or {}
    if usage.get("input_tokens") is None and usage.get("output_tokens") is None:
        return None
    read = usage.get("input_tokens_details") or {}
    written = usage.get("output_tokens_details") or {}
    return {"input": usage.get("input_tokens") or 0, "output": usage.get("output_tokens") or 0,
            "total": usage.get("total_tokens") or 0, "cached": read.get("cached_tokens") or 0,
            "cache_write": read.get("cache_write_tokens") or 0,
            "reasoning": written.get("reasoning_tokens") or 0}


def describe(out, items):
    for item in items:
        kind = item.get("type")
        if kind == "message":
            for piece in item.get("content") or []:
                out["text"] += piece.get("text") or ""
                out["refusal"] += piece.get("refusal") or ""
        elif kind == "reasoning":
            parts = [part["text"] for part in item.get("summary") or [] if part.get("text")]
            parts = parts or [part["text"] for part in item.get("content") or [] if part.get("text")]
            out["reasoning"] += "\n\n".join(parts)
        elif kind == "function_call":
            raw = item.get("arguments") or "{}"
            out["calls"].append({"id": item.get("call_id"), "name": item["name"], "arguments": raw,
                                 "value": parse(raw)})
        elif kind == "custom_tool_call":
            out["calls"].append({"id": item.get("call_id"), "name": item["name"],
                                 "arguments": item["input"], "value": {"input": item["input"]}})
    out["items"] = items


def read_exchange(exchange):
    response = exchange["response"]
    out = {"stream": False, "status": response["status"], "kind": "response", "text": "", "refusal": "",
           "reasoning": "", "calls": [], "items": [], "usage": None, "ended": None, "id": None,
           "model": None, "told": None, "error": None}

    def unreadable(reason):
        out["kind"] = "unreadable"
        out["error"] = reason
        return out

    request = exchange.get("request")
    if request is not None:
        path = request["path"].split("?")[0]
        if not path.endswith("/responses") or request["method"] != "POST":
            return unreadable("not responses: " + request["method"] + " " + path)
    text = body_text(response)
    if text is None:
        return unreadable("the body is not text")

    value = parse(text)
    if isinstance(value, dict):
        if response["status"] >= 400 or value.get("error") or value.get("status") == "failed":
            failed(out, value)
        elif not isinstance(value.get("output"), list):
            return unreadable("no output")
        else:
            out["id"], out["model"] = value.get("id"), value.get("model")
            out["ended"], out["usage"] = ended(value), usage_of(value)
            describe(out, value["output"])
        return out

    events = events_of(text)
    if events is None:
        return unreadable("neither a JSON object nor a stream of them")
    if not any(str(event.get("type")).startswith("response.") for event in events):
        return unreadable("a stream of something else")
    out["stream"] = True
    read_stream(out, events)
    return out


def main():
    arguments = sys.argv[1:]
    fixtures = "--fixtures" in arguments
    directories = [argument for argument in arguments if argument != "--fixtures"]
    if len(directories) != 1 or not pathlib.Path(directories[0]).is_dir():
        sys.exit("usage: read_openai_responses.py TRAFFIC_DIR [--fixtures]")
    root = pathlib.Path(directories[0])

    files = sorted((path.relative_to(root).as_posix(), path) for path in root.rglob("*.json"))
    for name, path in files:
        recording = json.loads(path.read_text(encoding="utf-8"))
        labelled = "openai-responses" in recording["api"]
        by_shape = fixtures and any(api.endswith("-fixture") for api in recording["api"])
        if not labelled and not by_shape:
            continue
        for number, exchange in enumerate(recording["exchanges"]):
            reading = read_exchange(exchange)
            if labelled or (reading["kind"] in ("response", "cut") and reading["items"]):
                print(json.dumps({"file": name, "exchange": number, **reading}))


if __name__ == "__main__":
    main()
