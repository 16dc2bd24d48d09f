"""Turns of a client of Vernal with llmock, which breaks them and judges: with_llmock.py ONE_TURN FOLDER

ONE_TURN is the program that runs a turn; the log is written into FOLDER. Every verdict has to be PASS.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

from common import Server, check, free_port, request, result, turn

PROGRAM, FOLDER = sys.argv[1], sys.argv[2]
# Where each API is below the mock's own address.
APIS = {
    "openai-chat": "/v1",
    "anthropic-messages": "/anthropic",
    "gemini-generate-content": "/gemini/v1beta",
}
WEATHER = ["get_weather"]


def fail(status, times=1, **more):
    return {"type": "fail", "status": status, "times": times} | more


def stream(kind, after=0, **more):
    return {"type": "stream_fault", "kind": kind, "after_chunks": after} | more


def tool(kind):
    return {"type": "tool_fault", "kind": kind}


# A name, what goes wrong, how often an application begins the turn again, the outcome, what ran, and
# whether only a stream has it.
CASES = [
    ("no fault", [], 0, "answer", WEATHER, False),
    ("429 twice, with a time to wait", [fail(429, 2, retry_after=1)], 0, "answer", WEATHER, False),
    ("500 once", [fail(500)], 0, "answer", WEATHER, False),
    ("503 twice", [fail(503, 2)], 0, "answer", WEATHER, False),
    ("529 once", [fail(529)], 0, "answer", WEATHER, False),
    ("an outage", [fail(503, None)], 0, "Server", [], False),
    ("400", [fail(400)], 1, "InvalidRequest", [], False),
    ("401", [fail(401)], 1, "Authentication", [], False),
    ("404", [fail(404)], 1, "InvalidRequest", [], False),
    ("slow first token", [{"type": "slow_first_token", "seconds": 1}], 0, "answer", WEATHER, True),
    ("a stream that is disconnected", [stream("disconnect")], 1, "answer", WEATHER, True),
    ("a stream that is truncated", [stream("truncate")], 1, "answer", WEATHER, True),
    ("a stream that stalls", [stream("stall", stall_seconds=30)], 1, "answer", WEATHER, True),
    ("a malformed chunk", [stream("malformed")], 1, "Response", [], True),
    # Its warning is that nobody retried: that the caller got an error is nothing it can see.
    ("a malformed chunk in the middle", [stream("malformed", 2)], 1, "Response", [], True),
    ("disconnected in the middle", [stream("disconnect", 2)], 1, "answer", WEATHER, True),
    ("truncated in the middle", [stream("truncate", 2)], 1, "answer", WEATHER, True),
    ("malformed arguments", [tool("malformed_arguments")], 0, "answer", None, False),
    ("an unknown tool", [tool("unknown_tool")], 0, "answer", None, False),
]


def verdict(origin, what):
    """How many warnings the mock's own judgement has, which has to be PASS."""
    said = request(f"{origin}/_llmock/verdict")
    for finding in said["findings"]:
        print(f"  {what}: {finding['severity']}: {finding['code']}: {finding['title']}")
    if not said["passed"]:
        raise SystemExit(f"{what}: the verdict is FAIL: {said}")
    return said["warnings"]


def all_cases(api, path):
    """Every case of an API, with a mock of its own; how many warnings there were."""
    llmock = os.path.join(os.path.dirname(sys.executable), "llmock")
    log = os.path.join(FOLDER, f"llmock-{api}.log")
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    warnings = 0
    with Server([llmock, "serve", "--port", str(port)], f"{origin}/health", log):
        for what, behaviours, again, outcome, ran, streams_only in CASES:
            # Gemini's calls come in one chunk: there is no middle.
            if "middle" in what and api.startswith("gemini"):
                continue
            for how in ["streamed"] if streams_only else ["whole", "streamed"]:
                request(f"{origin}/_llmock/reset", {})
                if behaviours:
                    request(f"{origin}/_llmock/scenario", {"behaviors": behaviours})
                name = f"llmock {api} {how}: {what}"
                check(name, turn(PROGRAM, api, origin + path, how, again), outcome, ran)
                warnings += verdict(origin, name)
    return warnings


def main():
    with ThreadPoolExecutor() as pool:
        warnings = sum(pool.map(all_cases, APIS.keys(), APIS.values()))
    print(f"llmock's verdict: PASS for every case, {warnings} warnings")
    result()


main()
