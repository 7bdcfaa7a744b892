"""A guard of calls: decisions, hooks, state, logs and hostile calls."""

import io
import json
import random
from pathlib import Path
from typing import Any

import gymnasium
import pytest

import eai
from eai.errors import EaiError, InputError
from eai.guard import CODES, RefusedError, replay, resume
from eai.integrations.gym_guard import GuardedEnv
from eai.integrations.mcp_guard import GuardProxy

READ_FIRST = {"name": "read first", "formula": "forall f. (!write(f) W read(f))"}
NO_ETC = {"name": "no etc", "formula": 'G !delete("/etc/*")'}
SMALL = {"name": "small", "formula": 'G !transfer("*", ">100")'}

DOMAIN = """
(define (domain stove) (:predicates (on) (cold) (fed) (broken))
  (:action light :effect (on))
  (:action cook :precondition (on) :effect (fed))
  (:action quench :precondition (and (on) (not (broken))) :effect (not (on)))
  (:action smash :effect (broken)))
"""
PROBLEM = "(define (problem p) (:domain stove) (:init (cold)) (:goal (fed)))"


def test_call_that_breaks_a_rule_is_refused_with_a_remedy() -> None:
    guard = eai.Guard([READ_FIRST])
    decision = guard.check("write", {"f": "a"})
    assert (decision.allowed, decision.code, decision.rule) == (False, "breaks", "read first")
    assert decision.remedy == "first: read(a)"
    guard.observe("read", {"f": "a"})
    assert guard.check("write", {"f": "a"}).allowed
    assert not guard.check("write", {"f": "b"}).allowed


@pytest.mark.parametrize(
    ("call", "allowed"),
    [
        (("delete", "/etc/passwd"), False),
        (("delete", "/home/x"), True),
        ({"function": {"name": "transfer", "arguments": '{"to": "a", "sum": 200}'}}, False),
        ({"type": "tool_use", "name": "transfer", "input": {"sum": 20, "to": "a"}}, True),
        ("transfer(a, 101)", False),
    ],
)
def test_values_are_matched_by_patterns(call: object, allowed: bool) -> None:
    guard = eai.Guard([NO_ETC, SMALL], tools={"transfer": ["to", "sum"], "delete": ["path"]})
    assert guard.check(call).allowed is allowed


def test_one_call_at_a_time_makes_a_rule_impossible_to_keep() -> None:
    rule = {"name": "both", "formula": "G (ask() -> X (log() and tell()))"}
    guard = eai.Guard([rule], tools={"log": [], "tell": [], "ask": []})
    decision = guard.check("ask")
    assert (decision.code, decision.basis) == ("unkeepable", "automaton")


def test_world_says_what_cannot_be_done_and_what_can_never_be_kept() -> None:
    rule = {"name": "off", "formula": "G (on -> F !on)"}
    guard = eai.Guard([rule], DOMAIN, PROBLEM)
    assert guard.check("cook").code == "precondition"
    assert guard.check("fly").code == "unknown"
    assert guard.check("light").allowed
    guard.observe("light")
    decision = guard.check("smash")
    assert (decision.code, decision.basis) == ("unkeepable", "search")
    guard.observe("quench")
    assert guard.check("smash").allowed
    assert guard.kept() == {"off": True}


def test_state_that_an_action_leads_to_is_looked_at_before_it() -> None:
    guard = eai.Guard([{"name": "never on", "formula": "G !on"}], DOMAIN, PROBLEM)
    assert guard.check("light").code == "breaks"


def test_warning_is_told_and_refuses_nothing() -> None:
    guard = eai.Guard([{**NO_ETC, "severity": "warning"}])
    decision = guard.check("delete", ["/etc/x"])
    assert decision.allowed
    assert decision.warnings == ("no etc",)


def test_unknown_tools_are_passed_or_refused_as_told() -> None:
    assert eai.Guard([NO_ETC], tools={"delete": ["path"]}).check("fly").allowed
    strict = eai.Guard([NO_ETC], tools={"delete": ["path"]}, unknown="refuse")
    assert strict.check("fly").code == "unknown"


def test_wrapped_function_is_not_called_when_refused() -> None:
    done = []
    guard = eai.Guard([READ_FIRST])

    @guard.wrap
    def write(path: str) -> None:
        done.append(path)

    @guard.wrap
    def read(path: str) -> str:
        return path

    with pytest.raises(RefusedError):
        write("a")
    read("a")
    write(path="a")
    assert done == ["a"]


def test_log_is_replayed_and_resumed_after_a_kill(tmp_path: Path) -> None:
    log = tmp_path / "guard.jsonl"
    guard = eai.Guard([READ_FIRST], log=log)
    guard.check("write", {"f": "a"})
    guard.observe("read", {"f": "a"}, facts=["quiet"])
    guard.check("write", {"f": "a"})
    guard.close()
    whole = log.read_text()
    assert READ_FIRST["formula"] in whole
    log.write_text(whole + '{"event": "che')
    resumed = resume(log)
    assert resumed.state() == guard.state()
    assert resumed.check("write", {"f": "a"}).allowed
    resumed.close()
    assert replay(log)[1] == []
    changed = log.read_text().replace('"allowed": false', '"allowed": true')
    log.write_text(changed)
    assert len(replay(log)[1]) == 1
    with pytest.raises(InputError):
        eai.Guard([READ_FIRST], log=log)


def test_state_goes_through_json() -> None:
    guard = eai.Guard(
        [READ_FIRST, {"name": "q", "formula": "forall f. (G (open(f) -> F close(f)))"}]
    )
    for name in ("read", "open"):
        guard.observe(name, ["a"])
    other = eai.Guard(guard.rules)
    other.restore(json.loads(json.dumps(guard.state())))
    assert other.state() == guard.state()
    assert other.kept() == guard.kept() == {"read first": True, "q": False}


def test_hostile_calls_are_refused_without_an_exception() -> None:
    guard = eai.Guard([READ_FIRST, SMALL], max_characters=10_000)
    deep: list[Any] = []
    for _ in range(5_000):
        deep = [deep]
    circle: dict[str, Any] = {}
    circle["x"] = circle
    hostile = [
        ("write", "x" * 1_000_000),
        ("write", {"f": "y" * 20_000}),
        ("write", '{"f": '),
        ("write", {"f": deep}),
        ("write", circle),
        ("write", {1: 2}),
        ("write", {"f": 10**5_000}),
        ("write", {"f": "\ud800"}),
        ("write", 7),
        ("transfer", {"to": 1, "sum": 2, "more": 3}),
        (None, None),
        (b"write", None),
        ({"name": 3}, None),
        ("((((", None),
        ({"function": {"name": "write", "arguments": "[" * 2_000}}, None),
    ]
    for action, arguments in hostile:
        decision = guard.check(action, arguments)
        assert decision.code in CODES
        assert not decision.allowed, action
        guard.observe(action, arguments)


def test_memory_does_not_grow_with_calls() -> None:
    guard = eai.Guard([READ_FIRST, NO_ETC], max_values=50)
    dice = random.Random(1)
    for _ in range(2_000):
        value = str(dice.randrange(40))
        guard.observe("read", [value])
        guard.observe("write", [value])
    assert len(json.dumps(guard.state())) < 2_000
    for number in range(100, 200):
        guard.observe("read", [str(number)])
    assert guard.check("read", ["new"]).code == "too_large"


def test_calls_of_one_reply_are_checked_in_turn() -> None:
    guard = eai.Guard([READ_FIRST])
    calls = [{"name": name, "input": {"f": "a"}} for name in ("write", "read", "write")]
    assert [call for call, _ in guard.calls_refused(calls)] == calls[:1]
    assert guard.steps == 0


def test_rule_with_two_variables_needs_a_world() -> None:
    with pytest.raises(EaiError):
        eai.Guard([{"name": "r", "formula": "forall a, b. (G !f(a, b))"}])


class _Counter(gymnasium.Env[Any, Any]):
    observation_space = gymnasium.spaces.Discrete(100)
    action_space = gymnasium.spaces.Discrete(2)
    actions = ("wait()", "press()")

    def reset(self, **_: Any) -> tuple[int, dict[str, Any]]:
        self.count = 0
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        self.count += int(action)
        return self.count, 1.0, False, False, {}


def test_gymnasium_environment_does_not_step_when_refused() -> None:
    guard = eai.Guard([{"name": "once", "formula": "G (press() -> X (G !press()))"}])
    env = GuardedEnv(_Counter(), guard, refused_reward=-1.0)
    env.reset()
    assert env.step(1)[:2] == (1, 1.0)
    observation, reward, _, _, info = env.step(1)
    assert (observation, reward) == (1, -1.0)
    assert "once" in info["refused"]
    env.reset()
    assert env.step(1)[0] == 1


def test_proxy_answers_refused_calls_itself() -> None:
    to_client, to_server = io.BytesIO(), io.BytesIO()
    proxy = GuardProxy(eai.Guard([READ_FIRST]), to_client, to_server)

    def call(name: str, number: int) -> None:
        params = {"name": name, "arguments": {"f": "a"}}
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        proxy.from_client(json.dumps(message).encode() + b"\n")

    call("write", 1)
    call("read", 2)
    call("write", 3)
    proxy.from_client(b"{broken\n")
    passed = [json.loads(line)["id"] for line in to_server.getvalue().splitlines()]
    assert passed == [2, 3]
    refused, broken = map(json.loads, to_client.getvalue().splitlines())
    assert refused["id"] == 1
    assert refused["result"]["isError"] is True
    assert broken["error"]["code"] == -32700


def test_agent_is_told_which_rule_refused_its_action() -> None:
    rule = {"name": "stays", "formula": "G !GRAB(kettle.49)"}
    episode = eai.interact("household", "studio-06", guard=[rule]).episode
    assert [turn.result.code for turn in episode.turns].count("REFUSED_BY_RULE") == 1
