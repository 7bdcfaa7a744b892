"""The reward function and the reward server of OpenRLHF (written for 0.11.2).

OpenRLHF passes prompt and answer as one text with special tokens, so an example plan in the prompt
would be paid. The answer is what stands behind the given prompt; a text that does not begin with it
is worth 0 and counted as broken. Failures have a value too: OpenRLHF swallows exceptions and goes
on without a reward.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from eai.contract import Suite
from eai.integrations.answer_text import answer_after
from eai.integrations.serving import server_options
from eai.integrations.training import RowScorer, mean_parts

Function = Callable[[Sequence[str], Sequence[str], Sequence[str]], dict[str, Any]]
"""The function that OpenRLHF calls: queries, prompts and labels, each mostly a list of one."""


class OpenRlhfReward:
    """A reward function of OpenRLHF; see :func:`reward_function`."""

    def __init__(self, scorer: RowScorer, other: Function | None) -> None:
        """Keep the scorer, and the function for rows of other tasks, if there is one."""
        self._scorer = scorer
        self._other_reward = other

    def __call__(
        self, queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str]
    ) -> dict[str, Any]:
        """Return rewards, scores and values to log for a batch."""
        scores = []
        rewards = []
        for query, prompt, label in zip(queries, prompts, labels, strict=True):
            score = self._scorer.score_by(label, partial(answer_after, prompt, query))
            scores.append(score)
            if score is not None:
                rewards.append(score.value)
            elif self._other_reward is not None:
                # One row in each call, since rows of other tasks may be anywhere in the batch.
                rewards.append(float(self._other_reward([query], [prompt], [label])["rewards"][0]))
            else:
                rewards.append(0.0)
        return {"rewards": rewards, "scores": rewards, "extra_logs": mean_parts(scores)}


def reward_function(
    suite: str | Suite,
    ability: str | None = None,
    *,
    other: Function | None = None,
    **options: Any,  # noqa: ANN401  # those of Scorer
) -> OpenRlhfReward:
    """Return a reward function for OpenRLHF.

    Args:
        suite: The name of a suite, or the suite. The labels are identifiers of its tasks.
        ability: The ability that is trained; by default plans.
        other: The reward function for rows of other tasks, which are worth 0 without it.
        **options: ``kind``, ``semantics``, ``weights`` and ``rules``, as for :class:`eai.Reward`.
    """
    return OpenRlhfReward(RowScorer(suite, ability, **options), other)


class _RewardHandler(BaseHTTPRequestHandler):
    """Answers HTTP requests with rewards. :func:`server` creates subclasses."""

    reward: Function

    def do_POST(self) -> None:
        """Answer with the rewards of a request."""
        try:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            # Read from the class: read from the object, the function would become a method.
            reward = type(self).reward
            body = json.dumps(reward(request["query"], request["prompts"], request["labels"]))
            status = 200
        except (KeyError, TypeError, ValueError) as error:
            body = json.dumps({"error": f"{type(error).__name__}: {error}"})
            status = 400
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Log no requests: there are as many as answers."""


def server(reward: Function, port: int, host: str = "127.0.0.1") -> ThreadingHTTPServer:
    """Return a server that answers OpenRLHF's requests; call its ``serve_forever``."""
    handler = type("Handler", (_RewardHandler,), {"reward": staticmethod(reward)})
    return ThreadingHTTPServer((host, port), handler)


def main() -> None:
    """Serve the rewards of a suite: ``python -m eai.integrations.openrlhf household``."""
    options = server_options("OpenRLHF", port=5000)
    server(reward_function(options.suite), options.port, options.host).serve_forever()


if __name__ == "__main__":
    main()
