#!/usr/bin/env python3
"""An independent reading of recorded Ollama /api/chat traffic.

    python3 read_ollama.py TRAFFIC_DIR

Reads every recording under TRAFFIC_DIR whose "api" list contains "ollama-chat" and prints one JSON
object per exchange with an /api/chat endpoint (JSONL), sorted by path and then by exchange. It shares
no code with the Rust adapter and reports what is on the wire without repairing it: an id that the
wire never gave is null, and arguments are the parsed value.
"""

import json
import pathlib
import sys


def values_of(text):
    """The JSON values of a body: all of it, or a line each."""
    try:
        return [json.loads(text)], False
    except ValueError:
        lines = [line for line in text.split("\n") if line.strip()]
        return [json.loads(line) for line in lines], True


def read(response, streamed):
    out = {"kind": "response", "stream": streamed, "text": "", "reasoning": "", "calls": [],
           "finish_reason": None, "usage": None, "model": None, "id": None, "error": None}
    body = response["body"]
    text = body if isinstance(body, str) else json.dumps(body)
    if response["status"] >= 400:
        out["kind"] = "error"
        out["error"] = values_of(text)[0][0]["error"]
        return out
    values, lines = values_of(text)
    out["stream"] = streamed or lines
    for value in values:
        if "error" in value:
            out["kind"] = "error"
            out["error"] = value["error"]
            break
        message = value.get("message") or {}
        out["text"] += message.get("content") or ""
        out["reasoning"] += message.get("thinking") or ""
        for call in message.get("tool_calls") or []:
            function = call["function"]
            out["calls"].append({"id": call.get("id"), "name": function["name"],
                                 "arguments": function.get("arguments") or {}})
        out["model"] = value.get("model") or out["model"]
        if value.get("done"):
            out["finish_reason"] = value.get("done_reason")
            given = value.get("prompt_eval_count"), value.get("eval_count")
            if given != (None, None):
                out["usage"] = {"input": given[0] or 0, "output": given[1] or 0,
                                "total": (given[0] or 0) + (given[1] or 0),
                                "cached": 0, "reasoning": 0}
            break
    return out


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: read_ollama.py TRAFFIC_DIR")
    root = pathlib.Path(sys.argv[1])
    for path in sorted(root.rglob("*.json"), key=lambda path: path.relative_to(root).as_posix()):
        recording = json.loads(path.read_text(encoding="utf-8"))
        if "ollama-chat" not in recording["api"]:
            continue
        for number, exchange in enumerate(recording["exchanges"]):
            request = exchange["request"]
            if request is not None and not request["path"].endswith("/api/chat"):
                continue
            streamed = recording["stream"] if request is None else request["body"].get("stream", True)
            name = path.relative_to(root).as_posix()
            print(json.dumps({"file": name, "exchange": number, **read(exchange["response"], streamed)}))


if __name__ == "__main__":
    main()
