"""Suites as environments of verifiers, with an endpoint on this machine that repeats a script."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from needs import package

vf = package("verifiers.v1", extra="verifiers")

import eai  # noqa: E402
from eai.contract import prompt_of  # noqa: E402
from eai.errors import UnknownNameError  # noqa: E402
from eai.integrations.verifiers import load_environment  # noqa: E402

pytestmark = [
    pytest.mark.heavy,  # importing the package takes seconds
    pytest.mark.filterwarnings("ignore"),  # what it warns about is not ours
]
SOLUTION = ["Action: WALK light.34", "Action: SWITCHON light.34"]
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'


@contextmanager
def endpoint(answers: list[str], asked: list[Any]) -> Iterator[str]:
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(request["messages"])
            message = {"role": "assistant", "content": left.pop(0) if left else ""}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            body = {"id": "1", "object": "chat.completion", "created": 0, "model": "tiny"}
            text = json.dumps({**body, "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def traced(env: Any, answers: list[str], asked: list[Any] | None = None) -> Any:
    """The trace of the environment's only task."""

    async def run(url: str) -> Any:
        client = vf.EvalClientConfig(base_url=url, api_key_var="NO_KEY_IS_NEEDED")
        context = vf.ModelContext(model="tiny", client=client)
        async with env.serving():
            (task,) = env.taskset
            (slot,) = env.slots(task)
            return await env.run_slot(slot, context)

    with endpoint(answers, [] if asked is None else asked) as url:
        episode = asyncio.run(run(url))
    (trace,) = episode.traces
    return trace


def rewarded(trace: Any) -> tuple[float, float]:
    assert not trace.errors
    return trace.reward, trace.metrics["solved"]


@pytest.mark.parametrize(("answer", "reward"), [(PLAN, 1.0), ("no", 0.0)])
def test_a_plan_is_asked_for_once(answer: str, reward: float) -> None:
    asked: list[Any] = []
    trace = traced(load_environment(tasks=["studio-01"]), [answer], asked)
    assert rewarded(trace) == (reward, reward)
    prompt = prompt_of(
        eai.suite("household"), eai.suite("household").task("studio-01"), "action_sequencing"
    )
    assert [[each["content"] for each in said] for said in asked] == [[prompt]]


def test_a_graded_reward_pays_for_a_part() -> None:
    env = load_environment(tasks=["flat-17"], reward="graded")
    reward, solved = rewarded(traced(env, ["[]"]))
    assert solved == 0
    task = eai.suite("household").task("flat-17")
    part = json.dumps([{step.name: list(step.arguments)} for step in task.plans[0][:-1]])
    expected = eai.Reward("household").score("flat-17", [part])
    more, solved = rewarded(traced(env, [part]))
    assert [more] == expected
    assert (more > reward, solved) == (True, 0)


def test_an_episode_is_that_of_our_own_loop() -> None:
    asked: list[Any] = []
    trace = traced(
        load_environment("household", "interaction", tasks=["studio-01"]), SOLUTION, asked
    )
    assert rewarded(trace) == (1.0, 1.0)
    own: list[Any] = []
    answers = iter(SOLUTION)

    def agent(messages: Any) -> str:
        own.append(messages)
        return next(answers)

    acted = eai.interact("household", "studio-01", agent)
    assert asked == own
    assert trace.info["answers"] == acted.record("tiny").output
    assert trace.num_turns == 2


def test_an_episode_ends_by_the_suites_limits() -> None:
    env = load_environment("household", "interaction", tasks=["studio-01"], feedback="none")
    trace = traced(env, [])
    assert rewarded(trace) == (0.0, 0.0)
    assert trace.num_turns == len(json.loads(trace.info["answers"])) > 1


def test_the_taskset_is_the_tasks_that_can_be_rewarded() -> None:
    env = load_environment("household", "goal_interpretation")
    names = [task.data.id for task in env.taskset]
    assert names == list(eai.suite("household").task_ids())
    assert all(task.data.prompt for task in env.taskset.take(3))


@pytest.mark.official
@pytest.mark.parametrize(
    "ability",
    ["action_sequencing", "goal_interpretation", "subgoal_decomposition", "transition_modeling"],
)
def test_the_four_abilities_are_asked_once(ability: str) -> None:
    suite = eai.suite("virtualhome")
    task = next(
        name for name in suite.task_ids() if prompt_of(suite, suite.task(name), ability) is not None
    )
    asked: list[Any] = []
    trace = traced(load_environment("virtualhome", ability, tasks=[task]), ["no"], asked)
    assert rewarded(trace) == (0.0, 0.0)
    assert asked[0][0]["content"] == prompt_of(suite, suite.task(task), ability)


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="house"):
        load_environment("house")
    with pytest.raises(UnknownNameError, match="walking"):
        load_environment("household", "walking")
    env = load_environment("household", "interaction", tasks=["studio-01"], view="far")
    with pytest.raises(ValueError, match="not enough values"):
        traced(env, [])
