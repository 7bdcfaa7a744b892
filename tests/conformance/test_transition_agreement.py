"""Transition modeling agrees with the verdicts collected about the published evaluator."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from needs import facts, recordings

from eai.suites.transition.environment import environment

pytestmark = pytest.mark.official

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "agreement" / "agreement_transition.py"
LAMP = """(:action switch_on :parameters (?char - character ?obj - object)
  :precondition (and (off ?obj)) :effect (and (on ?obj)))"""
COUNTS = {
    "status": "evaluated",
    "n_actions": 1,
    "hallucinated": 0,
    "precond": {"switch_on": [1, 1, 3]},
    "effect": {"switch_on": [1, 0, 1]},
    "pred_precond": {
        "off": [1, 1, 0],
        "has_switch": [0, 0, 1],
        "plugged_in": [0, 0, 1],
        "next_to": [0, 0, 1],
    },
    "pred_effect": {"on": [1, 0, 0], "off": [0, 0, 1]},
}


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("agreement_transition", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_wrong_verdict_is_found(benchmark: ModuleType, tmp_path: Path) -> None:
    task = next(
        task
        for task, demand in environment("virtualhome").model.demands.items()
        if "switch_on" in demand.operators
    )
    wrong = {**COUNTS, "precond": {"switch_on": [0, 1, 4]}}
    rows = [{"identifier": task, "llm_output": LAMP, "peer": peer} for peer in (COUNTS, wrong)]
    folder = tmp_path / "peer_verdicts"
    folder.mkdir()
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "real_vh_tm_logic.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    found = {source.name: source for source in benchmark.measured(tmp_path)}
    assert found["real_vh_tm_logic"].items == 2
    assert found["real_vh_tm_logic"].different == [task]
    assert found["tm_logic_pairs"].items == 0


@pytest.mark.parametrize(
    ("name", "silent"),
    [
        ("real_vh_tm_logic", {"peer": {"status": None}}),
        ("real_vh_tm_planner_fd2406", {"planner_fd2406": None, "planner_error": None}),
        ("real_vh_tm_planner_fd2406", {"planner_fd2406": False, "planner_error": "timeout"}),
        ("vh_tm_perturbed, planner 26.6", {"peer": {"planner": None, "planner_error": None}}),
    ],
)
def test_an_item_without_a_verdict_is_no_disagreement(
    name: str, silent: dict[str, object], benchmark: ModuleType, tmp_path: Path
) -> None:
    row = {"identifier": "27_2", "llm_output": LAMP, "peer": {"status": None}, **silent}
    (tmp_path / "peer_verdicts").mkdir()
    path = tmp_path / "peer_verdicts" / f"{name.partition(',')[0]}.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(row).encode()))
    found = {source.name: source for source in benchmark.measured(tmp_path)}
    assert (found[name].items, found[name].left_out, found[name].different) == (0, 1, [])


@recordings("eai")
def test_all_collected_verdicts_agree(benchmark: ModuleType) -> None:
    for source in benchmark.measured(facts("eai")):
        assert source.percent >= 99, (source.name, source.different[:5])
