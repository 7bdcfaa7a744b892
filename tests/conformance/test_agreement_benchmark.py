"""`benchmarks/agreement/agreement.py`: it counts what agrees, and finds what does not."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from needs import facts, recordings

from eai.suites.virtualhome import VirtualHome

pytestmark = [pytest.mark.official, pytest.mark.heavy]

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "agreement" / "agreement.py"

STEPS = ["[FIND] <computer> (417)", "[TURNTO] <computer> (417)", "[LOOKAT] <computer> (417)"]
NOT_SOLVED = {"error_type": ["GOAL_FAILED"], "error_info": ["the goal does not hold"]}
ONE_OF_TWO = {"executable": True, "success": False, "match": [0, 0, 1], "total": [0, 0, 2]}
TWO_OF_TWO = {"executable": True, "success": True, "match": [0, 0, 2], "total": [0, 0, 2]}


@pytest.fixture(scope="module", autouse=True)
def suite() -> VirtualHome:
    return VirtualHome()


def agreement(*arguments: object) -> tuple[int, str]:
    command = [sys.executable, str(BENCHMARK), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def verdicts(facts: Path, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    folder = facts / "peer_verdicts"
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))


def runs(facts: Path, model: str, records: Mapping[str, tuple[bool, object]]) -> None:
    folder = facts / "published_runs" / "virtualhome_subgoal_decomposition_error_info"
    folder.mkdir(parents=True, exist_ok=True)
    written = {
        f"scene_1_{task}": {"success": success, "info": str(info)}
        for task, (success, info) in records.items()
    }
    (folder / f"{model}.json.gz").write_bytes(gzip.compress(json.dumps(written).encode()))


def counts(*, action: int, present: int = 2) -> dict[str, int]:
    met = {"node": (0, 0), "edge": (0, 0), "action": (action, present), "full": (action, present)}
    return {
        f"{kind}_{what}_num": number
        for kind, (success, total) in met.items()
        for what, number in (("success", success), ("tot", total))
    }


def refused(kind: str, action: str | None, steps: Sequence[str] = STEPS) -> dict[str, object]:
    error = {"error_type": [kind], "error_info": ["..."]}
    return {
        "failed_action_sequence": list(steps),
        "failed_subgoal": "...",
        "failed_action": action,
        "error_info": NOT_SOLVED if action is None else error,
    }


def annotated_plan(suite: VirtualHome, task: str) -> str:
    plan = suite.task(task).plans[0]
    steps = [
        {a.name.upper(): [part for o in a.arguments for part in o.rsplit(".", 1)]} for a in plan
    ]
    return json.dumps(steps).replace("[]", "[ ]")


def test_verdicts_and_runs_that_agree(tmp_path: Path) -> None:
    verdicts(
        tmp_path,
        "vh_as_made",
        [
            {"identifier": "27_2", "llm_output": "", "peer": {"status": "excluded"}},
            {"identifier": "1003_2", "llm_output": "", "peer": {"status": "format_error"}},
            {"identifier": "1003_2", "model": "nobody", "peer": {"status": "format_error"}},
        ],
    )
    turned_on = ["[FIND] <computer> (417)", "[SWITCHON] <computer> (417)"]
    again = [*turned_on, "[FIND] <computer> (417)"]
    runs(
        tmp_path,
        "someone",
        {
            "1003_2": (False, ("GoalUnreachable", True, [refused("", None)], counts(action=0))),
            "481_2": (
                False,
                (
                    "Runtime",
                    False,
                    [refused("AFFORDANCE_ERROR", "[GRAB] <computer> (417)")],
                    counts(action=0),
                ),
            ),
            "986_2": (
                False,
                (
                    "GoalUnreachable",
                    True,
                    [
                        refused("ADDITIONAL_STEP", "[SWITCHON] <computer> (417)", again),
                        refused("", None, again),
                    ],
                    counts(action=0),
                ),
            ),
            "231_2": (False, ("Hallucination", {"error_info": "..."}, None)),
        },
    )
    status, text = agreement("--facts", tmp_path, "--at-least", 100)
    assert status == 0, text
    assert "disagreements" not in text
    assert "1 of vh_as_made: no answer at hand" in text
    assert "1 of published run, someone: Hallucination, nothing was executed" in text
    lines = {line.split("  ")[0]: line.split() for line in text.splitlines()}
    assert lines["vh_as_made"][1:3] == ["2", "2"]
    assert lines["published run, someone"][3:5] == ["3", "3"]


def test_what_does_not_agree_is_named_and_fails(tmp_path: Path) -> None:
    verdicts(
        tmp_path,
        "vh_as_made",
        [{"identifier": "1003_2", "llm_output": "", "peer": {"status": "hallucination"}}],
    )
    additional = refused("ADDITIONAL_STEP", "[SWITCHON] <computer> (417)")
    grabbed = ["[GRAB] <plate> (1000)"]
    runs(
        tmp_path,
        "someone",
        {
            "1003_2": (True, ("Correct", True, [STEPS], [], counts(action=0))),
            "481_2": (
                False,
                ("GoalUnreachable", True, [additional, refused("", None)], counts(action=0)),
            ),
            "986_2": (False, ("GoalUnreachable", True, [refused("", None)], counts(action=1))),
            "231_2": (
                False,
                ("GoalUnreachable", True, [refused("", None, grabbed)], counts(action=1)),
            ),
            "349_1": (False, "__import__('os')"),
            "no_such": (True, ("Correct", True, [STEPS], [], counts(action=0))),
        },
    )
    status, text = agreement("--facts", tmp_path)
    assert status == 1, text
    found = [line for line in text.splitlines() if line.endswith("[unexplained]")]
    expected = [
        "vh_as_made 1003_2: status 'hallucination' there, 'format_error' here",
        "1003_2: verdict 'Correct' there, 'GoalUnreachable' here",
        "481_2: errors [('additional_step', 'switchon(computer.417)')] there",
        "986_2: action (1, 2) there, (0, 2) here",
        "231_2: verdict 'GoalUnreachable' there, 'Runtime' here",
        "349_1: not replayed None there, 'the text is no Python literal' here",
        "no_such: not replayed None there, \"there is no task named 'no_such'",
    ]
    assert len(found) == len(expected), text
    for line, part in zip(found, expected, strict=True):
        assert part in line
    assert agreement("--facts", tmp_path, "--at-least", 0)[0] == 0


def test_one_order_of_action_goals_must_explain_the_whole_source(
    tmp_path: Path, suite: VirtualHome
) -> None:
    def row(task: str, peer: Mapping[str, object]) -> dict[str, object]:
        verdict = {"status": "evaluated", "errors": [], **peer}
        return {"identifier": task, "llm_output": annotated_plan(suite, task), "peer": verdict}

    washed_first = [row("231_2", ONE_OF_TWO), row("349_1", ONE_OF_TWO)]
    verdicts(tmp_path, "vh_as_same_noshortcut", washed_first)
    verdicts(tmp_path, "vh_as_torn_noshortcut", [washed_first[0], row("349_1", TWO_OF_TWO)])
    status, text = agreement("--facts", tmp_path)
    assert status == 1, text
    for task in ("231_2", "349_1"):
        (line,) = (at for at in text.splitlines() if f"vh_as_same_noshortcut {task}:" in at)
        assert line.endswith("[hash seed order: WASH|RINSE|SCRUB|WIPE, GRAB]")
    assert "vh_as_torn_noshortcut 231_2: success" in text
    assert text.count("[unexplained]") == 1


def test_a_folder_with_nothing_to_compare_is_refused(tmp_path: Path) -> None:
    status, text = agreement("--facts", tmp_path)
    assert status == 2
    assert "has nothing that could be compared" in text


@recordings("eai")
def test_a_sample_of_what_was_collected_agrees() -> None:
    status, text = agreement("--facts", facts("eai"), "--sample", 25, "--at-least", 100)
    assert status == 0, text
