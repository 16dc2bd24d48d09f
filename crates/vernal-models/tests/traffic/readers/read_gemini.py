#!/usr/bin/env python3
"""An independent reading of recorded Gemini generateContent traffic.

    python3 read_gemini.py TRAFFIC_DIR

Reads every recording under TRAFFIC_DIR whose "api" list contains "gemini-generate-content" and prints
one JSON object per exchange with a generateContent or streamGenerateContent endpoint (JSONL), sorted by
path and then by exchange. It shares no code with the Rust adapter and reports what is on the wire
without repairing it: an id that the wire never gave is null, and arguments are the parsed value.
Texts and calls are those of the first candidate; "signatures" lists the thought signatures of its
parts, in order.
"""

import base64
import json
import pathlib
import re
import sys


def body_of(response):
    if response.get("body_base64") is not None:
        return base64.b64decode(response["body_base64"]).decode("utf-8")
    body = response["body"]
    return body if isinstance(body, str) else json.dumps(body)


def values_of(text):
    """The values of a body: all of it, the elements of a list, or a server-sent event each."""
    try:
        value = json.loads(text)
        return (value, False) if isinstance(value, list) else ([value], False)
    except ValueError:
        pass
    values = []
    data = []
    for line in re.split(r"\r\n|\n|\r", text) + [""]:
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line == "" and data:
            values.append(json.loads("\n".join(data)))
            data = []
    return values, True


def read_part(out, part):
    if "thoughtSignature" in part:
        out["signatures"].append(part["thoughtSignature"])
    if "functionCall" in part:
        call = part["functionCall"]
        out["calls"].append({"id": call.get("id"), "name": call["name"],
                             "arguments": call.get("args") or {}})
    elif "text" in part:
        out["reasoning" if part.get("thought") else "text"] += part["text"]


def read(response):
    out = {"kind": "response", "stream": False, "text": "", "reasoning": "", "calls": [],
           "finish_reason": None, "usage": None, "model": None, "id": None, "error": None,
           "signatures": [], "candidates": 0}
    values, out["stream"] = values_of(body_of(response))
    counts = {}
    for value in values:
        if "error" in value:
            out["kind"] = "error"
            out["error"] = value["error"]["message"]
            return out
        for candidate in value.get("candidates") or []:
            index = candidate.get("index", 0)
            out["candidates"] = max(out["candidates"], index + 1)
            if index != 0:
                continue
            for part in (candidate.get("content") or {}).get("parts") or []:
                read_part(out, part)
            out["finish_reason"] = candidate.get("finishReason") or out["finish_reason"]
        counts.update(value.get("usageMetadata") or {})
        out["model"] = out["model"] or value.get("modelVersion")
        out["id"] = out["id"] or value.get("responseId")
    if out["candidates"] == 0:
        out["kind"] = "error"
        out["error"] = values[-1].get("promptFeedback", {}).get("blockReason", "")
    if counts:
        thoughts = counts.get("thoughtsTokenCount", 0)
        out["usage"] = {
            "input": counts.get("promptTokenCount", 0) + counts.get("toolUsePromptTokenCount", 0),
            "output": counts.get("candidatesTokenCount", 0) + thoughts,
            "total": counts.get("totalTokenCount"),
            "cached": counts.get("cachedContentTokenCount", 0),
            "reasoning": thoughts,
        }
    return out


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: read_gemini.py TRAFFIC_DIR")
    root = pathlib.Path(sys.argv[1])
    for path in sorted(root.rglob("*.json"), key=lambda path: path.relative_to(root).as_posix()):
        recording = json.loads(path.read_text(encoding="utf-8"))
        if "gemini-generate-content" not in recording["api"]:
            continue
        for number, exchange in enumerate(recording["exchanges"]):
            request = exchange["request"]
            if request is None or not re.search(r":(stream)?[gG]enerateContent", request["path"]):
                continue
            name = path.relative_to(root).as_posix()
            print(json.dumps({"file": name, "exchange": number, **read(exchange["response"])}))


if __name__ == "__main__":
    main()
