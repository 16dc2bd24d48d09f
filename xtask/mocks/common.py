"""What the checks against other people's mocks share: a client's turn, a server, and a count."""

import json
import socket
import subprocess
import time
import urllib.request

passed = 0


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def request(url, body=None):
    """A request to the mock itself; its JSON, or its text."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=10) as answer:
        text = answer.read().decode()
    try:
        return json.loads(text)
    except ValueError:
        return text


class Server:
    """A mock that runs as long as the block, awaited until `url` answers."""

    def __init__(self, command, url, log):
        self.command, self.url, self.log = command, url, log

    def __enter__(self):
        self.out = open(self.log, "w", encoding="utf-8")
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.out)
        end = time.monotonic() + 60
        while True:
            if self.process.poll() is not None:
                raise SystemExit(f"{self.command[0]} ended by itself; see {self.log}")
            try:
                request(self.url)
                return self
            except OSError as error:
                if time.monotonic() > end:
                    self.__exit__()
                    raise SystemExit(f"{self.command[0]} does not answer: {error}; see {self.log}")
                time.sleep(0.1)

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.out.close()


def turn(program, api, url, how, again=0, message="What is the weather in Paris?"):
    """One turn of a client of Vernal."""
    command = [program, api, url, how, str(again), message]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr}")
    return json.loads(done.stdout)


def check(what, turn, outcome, ran=None, turns=None):
    """Compares what came of a turn, and counts it."""
    global passed
    names = [call["name"] for call in turn["ran"]]
    problems = []
    if turn["outcome"] != outcome:
        problems.append(f"the outcome is not {outcome}")
    if ran is not None and names != ran:
        problems.append(f"the tools that ran are not {ran}")
    if turns is not None and turn["turns"] != turns:
        problems.append(f"the turns are not {turns}")
    if outcome == "answer" and not turn.get("content"):
        problems.append("the answer is empty")
    if problems:
        raise SystemExit(f"{what}: {'; '.join(problems)}: {turn}")
    passed += 1
    print(f"test {what} ... ok", flush=True)


def result():
    print(f"test result: ok. {passed} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out")
