"""Turns of a client of Vernal with aimock: with_aimock.py ONE_TURN FOLDER

ONE_TURN is the program that runs a turn. FOLDER has aimock's package in `node_modules`; fixtures and logs
are written into it.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from common import Server, check, free_port, result, turn

PROGRAM, FOLDER = sys.argv[1], sys.argv[2]
MESSAGE = "Weather and time in Jeju?"
CALLS = [
    {"name": "get_weather", "arguments": json.dumps({"city": "제주"})},
    {"name": "get_time", "arguments": json.dumps({"city": "Seoul"})},
]
FIXTURES = {
    "fixtures": [
        {"match": {"userMessage": MESSAGE, "hasToolResult": True}, "response": {"content": "Sunny at noon."}},
        {"match": {"userMessage": MESSAGE, "hasToolResult": False}, "response": {"toolCalls": CALLS}},
    ]
}
BOTH = ["get_weather", "get_time"]


def apis(url):
    return {
        "openai-chat": f"{url}/v1",
        "anthropic-messages": url,
        "gemini-generate-content": f"{url}/v1beta",
        "ollama-chat": url,
    }


# Flags of the mock, and what comes of a turn with each API.
CASES = [
    ("no fault", [], "answer"),
    ("small chunks, slowly", ["--chunk-size", "1", "--latency", "2"], "answer"),
    ("500 always", ["--chaos-drop", "1"], "Server"),
    ("429 always", ["--chaos-ratelimit", "1"], "RateLimit"),
    ("disconnected always", ["--chaos-disconnect", "1"], "Connection"),
    ("malformed JSON always", ["--chaos-malformed", "1"], "Response"),
]


def one_case(number, case):
    """A case with every API, with a mock of its own."""
    what, flags, outcome = case
    command = os.path.join(FOLDER, "node_modules", "@copilotkit", "aimock", "dist", "cli.js")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    started = ["node", command, "--port", str(port), "--fixtures", fixtures(), *flags]
    with Server(started, f"{url}/health", os.path.join(FOLDER, f"aimock-{number}.log")):
        for api, base in apis(url).items():
            for how in ("whole", "streamed"):
                came = turn(PROGRAM, api, base, how, 0, MESSAGE)
                ran = BOTH if outcome == "answer" else []
                # A line that is no JSON, at the end of a body without a length, looks like one that was cut.
                torn = outcome == "Response" and (api, how) == ("ollama-chat", "streamed")
                check(f"aimock {api} {how}: {what}", came, "Connection" if torn else outcome, ran)


def fixtures():
    return os.path.join(FOLDER, "fixtures.json")


def main():
    with open(fixtures(), "w", encoding="utf-8") as file:
        json.dump(FIXTURES, file)
    with ThreadPoolExecutor() as pool:
        list(pool.map(one_case, range(len(CASES)), CASES))
    result()


main()
