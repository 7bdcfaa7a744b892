"""How long `eai interact` takes with a model that takes its time, by hand.

    python benchmarks/speed/interact_endpoint.py [SUITE] [--workers 8] [--latency 0.05] [--random]

A server on this machine speaks OpenAI's chat protocol, in a process of its own. It waits and then
gives the next answer of the oracle, which the request names by its task and its turn (or, with
`--random`, an action that is done nowhere). The whole command acts in all tasks of the suite; wall
time, requests and turns are printed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import socket
import subprocess
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import eai


def serve(port: int, latency: float, answers: dict[str, list[str]]) -> None:
    """Answer for ever."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = request["messages"][-1]["content"]
            task = re.search(r"## Task\n(.*)", text)
            known = answers.get(task[1] if task else "", [])
            at = len(re.findall(r"^\d+\. .*: (?:Success|Failure)", text, re.MULTILINE))
            time.sleep(latency)
            content = known[at] if at < len(known) else "Action: DANCE"
            choice = {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": content},
            }
            usage = {"prompt_tokens": len(text) // 4, "completion_tokens": 8, "total_tokens": 0}
            value: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 0}
            body = json.dumps({**value, "model": "m", "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suite", nargs="?", default="asgardbench")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--random", action="store_true", help="answers that lead nowhere")
    options = parser.parse_args()
    suite = eai.suite(options.suite)
    answers: dict[str, list[str]] = {}
    for name in () if options.random else suite.task_ids():
        acted = eai.interact(suite, name)
        text = suite.task(name).instruction.splitlines()[0]
        answers[text] = [turn.answer for turn in acted.episode.turns]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = multiprocessing.Process(target=serve, args=(port, options.latency, answers))
    server.start()
    with tempfile.TemporaryDirectory() as folder:
        url, workers = f"http://127.0.0.1:{port}/v1", str(options.workers)
        command = ["interact", options.suite, "--model", "m", "--base-url", url, "-q", "-o", folder]
        start = time.perf_counter()
        subprocess.run(  # our own command
            [sys.executable, "-m", "eai", *command, "--workers", workers], check=True
        )
        seconds = time.perf_counter() - start
        lines = Path(folder, "transcripts.jsonl").read_text("ascii").splitlines()
    server.terminate()
    episodes = [json.loads(line)["episode"] for line in lines]
    turns = sum(len(episode.get("turns", ())) for episode in episodes)
    solved = sum(episode["solved"] for episode in episodes)
    print(f"{len(lines)} tasks, {solved} solved, {turns} turns: {seconds:.1f} s of wall time")


if __name__ == "__main__":
    main()
