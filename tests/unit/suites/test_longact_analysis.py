"""``eai analyze longact``: metrics by scenario, errors of failed items, progress over steps."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import call
from hypothesis import given, strategies as st
from longact_days import day, item

import eai
from eai.acting import run_episode
from eai.agents import ScriptedAgent
from eai.contract import extension
from eai.suites.longact import LongAct
from eai.suites.longact.acting import checklist_of
from eai.suites.longact.analysis import Log, cause_of, error_shares, progress

DAY = day(
    item({"type": "Mug", "any": 1}, position="Cabinet"),
    item({"type": "Pillow", "any": 1}, position="Chair"),
    rooms=("FloorPlan1", "FloorPlan301"),
)
SUITE = LongAct([DAY])
TASK = SUITE.task("own-1/detailed")
SEMANTICS = SUITE.semantics("strict")
MUG, PILLOW = checklist_of(TASK).items


def acted(*answers: str) -> eai.acting.Episode:
    rules = SUITE.episode_rules(TASK, SEMANTICS)
    environment = SUITE.environment(TASK, SEMANTICS)
    return run_episode(environment, ScriptedAgent([f"Action: {a}" for a in answers]), rules=rules)


KITCHEN = acted("GOTO Mug_1", "STOP")
BOTH = acted("GOTO bedroom_1", "STOP")
GOALS = {"event": "goals", "goals": [["put mug -> cabinet", ["mug"], ""]]}
SOFT = {"event": "goals", "goals": [["put pillow -> chair", ["pillow"], ""]]}
BEGUN = {"event": "goal", "goal": 1, "status": "running"}


def lost(words: str) -> Mapping[str, object]:
    return {"event": "goal", "goal": 1, "status": "failed", "cause": f"{words} is nowhere"}


def done(target: str) -> Mapping[str, object]:
    return {"event": "done", "target": target}


def failed(action: str) -> Mapping[str, object]:
    return {"event": "failed", "action": action}


@pytest.mark.parametrize(
    ("log", "episode", "cause"),
    [
        ([], KITCHEN, "execution, other"),
        ([GOALS, BEGUN], KITCHEN, "task planning"),
        ([SOFT, BEGUN, lost("pillow")], KITCHEN, "memory, absent"),
        ([SOFT, BEGUN, lost("pillow")], BOTH, "memory, unrecalled"),
        ([SOFT, BEGUN, done("Chair_1")], BOTH, "execution, other"),
        ([SOFT, failed("Pick(Mug_1)"), BEGUN, done("Pillow_1")], BOTH, "execution, other"),
        ([SOFT, BEGUN, failed("Open(Box_1)"), failed("Pick(Pillow_1)")], BOTH, "execution, Pick"),
    ],
)
def test_what_an_item_failed_by(log: list[Any], episode: Any, cause: str) -> None:
    assert cause_of(PILLOW, episode.goal.conditions[1], TASK, episode, log) == cause


@given(
    st.recursive(
        st.none() | st.integers(0, 3) | st.sampled_from(["put mug -> cabinet", "x is nowhere"]),
        lambda part: st.lists(part, max_size=3),
        max_leaves=9,
    ),
    st.sampled_from(["goals", "goal", "done", "failed"]),
)
def test_logs_that_were_edited_do_no_harm(value: Any, event: str) -> None:
    keys = ("goals", "goal", "status", "cause", "target", "action")
    log: Log = [GOALS, BEGUN, {**dict.fromkeys(keys, value), "event": event}]
    for entries in (log, log[::-1]):
        assert cause_of(MUG, KITCHEN.goal.conditions[0], TASK, KITCHEN, entries)


def test_another_thing_that_was_taken_for_it_is_a_mismatch() -> None:
    # The goal may be met by several types; what the checklist means is one of them.
    wide = {"event": "goals", "goals": [["put mug|apple -> cabinet", ["mug", "apple"], ""]]}
    log: Log = [wide, BEGUN, done("Apple_1")]
    assert cause_of(MUG, KITCHEN.goal.conditions[0], TASK, KITCHEN, log) == "memory, mismatch"


def test_fewer_than_asked_are_partial() -> None:
    pens = item({"type": "Pen", "any": 2}, position="SideTable")
    own = LongAct([day(pens, rooms=("FloorPlan302", "FloorPlan301"))])
    task = own.task("own-1/detailed")
    wide = {"event": "goals", "goals": [["put pen -> sidetable", ["pen"], ""]] * 2}
    log: Log = [wide, BEGUN, done("Pen_1")]
    assert cause_of(checklist_of(task).items[0], None, task, KITCHEN, log) == "memory, partial"


def test_what_was_undone_is_blamed_on_the_action_that_undid_it() -> None:
    suite = LongAct([day(item({"type": "Fridge"}, open=True))])
    task = suite.task("own-1/detailed")
    environment = suite.environment(task, SEMANTICS)
    answers = [f"Action: {a}" for a in ("GOTO Fridge_1", "OPEN Fridge_1", "CLOSE Fridge_1", "STOP")]
    rules = suite.episode_rules(task, SEMANTICS)
    episode = run_episode(environment, ScriptedAgent(answers), rules=rules)
    log: Log = [{"event": "goals", "goals": [["open fridge", ["fridge"], ""]]}, BEGUN]
    bound, status = checklist_of(task).items[0], episode.goal.conditions[0]
    assert cause_of(bound, status, task, episode, log) == "execution, Close"
    [row] = [r for r in progress({"m": [(task, episode, log)]}).rows if r["counted steps"] == 0]
    assert (row["GC"], row["still acting"]) == (0.0, 1)


def test_agents_without_a_log_are_named() -> None:
    table = error_shares({"m": [(TASK, KITCHEN, ())]})
    shares = {row["error"]: row["items"] for row in table.rows}
    assert shares["execution, other"] == 2
    assert sum(int(str(n)) for n in shares.values()) == 2
    assert "1 of 1 episodes have no log" in table.notes[0]


def tables(run: Path) -> Sequence[Mapping[str, Any]]:
    found = call("analyze", "longact", run, "--json")
    assert found.exit_code == 0, found.output
    parsed: Sequence[Mapping[str, Any]] = json.loads(found.stdout)["tables"]
    return parsed


@pytest.mark.heavy
def test_a_run_is_analyzed_on_the_command_line(tmp_path: Path) -> None:
    tasks = "tidy-001/detailed,dine-001/concise"
    words = ("interact", "longact", tasks, "--agent", "holomind:no-critic", "--output")
    assert call(*words, tmp_path / "run").exit_code == 0
    metrics, errors, curve = tables(tmp_path / "run")
    assert [row["part"] for row in metrics["rows"]] == [
        *("all", "tidy", "dine", "detailed", "concise")
    ]
    assert sum(row["items"] for row in errors["rows"]) > 0
    assert not errors["notes"]
    last = curve["rows"][-1]
    assert (last["still acting"], last["GC"]) == (0, pytest.approx(metrics["rows"][0]["GC"]))
    assert last["GC"] > curve["rows"][0]["GC"] == 0


def test_other_suites_have_no_analyses_of_their_own(tmp_path: Path) -> None:
    assert call("interact", "household", "studio-01", "--output", tmp_path / "run").exit_code == 0
    found = call("analyze", "household", tmp_path / "run")
    assert found.exit_code == 3
    assert "expected: one of longact" in found.told
    assert extension("eai.analyses", eai.suite("household")) is None
