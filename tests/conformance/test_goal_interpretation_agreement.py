"""Goal interpretation beside the published evaluator and the paper; skipped without the facts."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from needs import RECORDINGS, facts, recordings

from eai import Report, evaluate
from eai.predictions import load_predictions

pytestmark = [pytest.mark.official, recordings("eai", "peer_verdicts")]

FACTS = facts("eai")
BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "agreement"
ABILITY = "goal_interpretation"
KINDS = {"node": "state", "edge": "relation", "action": "action", "all": "overall"}
MEASURES = ("precision", "recall", "f1")

# Table 9: precision, recall, F1 of states, then of relations.
BEHAVIOR = {
    "claude-3-opus-20240229": (72.6, 93.5, 81.7, 75.2, 79.2, 77.1),
    "gemini-1.0-pro": (27.4, 81.1, 41.0, 75.2, 70.4, 72.7),
    "gpt-4o-2024-05-13": (67.1, 94.8, 78.6, 81.1, 78.5, 79.8),
    "llama-3-8b-chat": (17.3, 80.4, 28.4, 51.4, 20.8, 29.6),
    "mixtral-8x22b-instruct-v0.1": (22.9, 83.7, 36.0, 70.7, 67.7, 69.2),
}
# Table 9: states, then actions; relations depend on the hash seed.
VIRTUALHOME = {
    "claude-3-opus-20240229": (27.0, 66.9, 38.5, 14.5, 92.6, 25.1),
    "gpt-4o-2024-05-13": (29.0, 60.0, 39.1, 20.5, 85.8, 33.1),
    "llama-3-8b-chat": (21.7, 54.4, 31.0, 11.1, 79.4, 19.4),
    "mixtral-8x22b-instruct-v0.1": (23.6, 56.9, 33.4, 11.2, 94.8, 20.0),
}


@pytest.fixture(scope="module")
def benchmark() -> Iterator[ModuleType]:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import agreement_goal_interpretation

        yield agreement_goal_interpretation
    finally:
        sys.path.remove(str(BENCHMARKS))


def report(environment: str, model: str) -> Report:
    path = FACTS / "model_outputs" / environment / ABILITY / f"{model}.json.gz"
    if not path.exists():
        pytest.skip(RECORDINGS)
    return evaluate(environment, {model: load_predictions(path).items}, ability=ABILITY)


def values(found: Report, model: str) -> dict[str, float | None]:
    return {metric.key: metric.value for metric in found.metrics(model)}


def test_every_count_of_every_item_is_the_published_evaluators(benchmark: ModuleType) -> None:
    sources = list(benchmark.sources(FACTS, []))
    assert sources
    for source in sources:
        assert source.items
        assert not source.disagreements, source.name


def test_the_stored_summaries_are_reproduced() -> None:
    stored = sorted((FACTS / "published_runs" / f"virtualhome_{ABILITY}_summary").glob("*.gz"))
    answers = FACTS / "model_outputs" / "virtualhome" / ABILITY
    there = [path for path in stored if (answers / path.name).exists()]
    assert there
    for path in there:
        model = path.name.removesuffix(".json.gz")
        summary: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
        found = values(report("virtualhome", model), model)
        for key, kind in KINDS.items():
            for measure in MEASURES:
                expected = pytest.approx(summary[f"{key}_{measure}"], abs=6e-5)
                assert found[f"{kind}_{measure}"] == expected, (model, kind, measure)


@pytest.mark.parametrize(
    ("environment", "model", "kinds", "printed"),
    [
        *(("virtualhome", model, ("state", "action"), row) for model, row in VIRTUALHOME.items()),
        *(("behavior", model, ("state", "relation"), row) for model, row in BEHAVIOR.items()),
    ],
)
def test_table_9_is_reproduced(
    environment: str,
    model: str,
    kinds: tuple[str, ...],
    printed: tuple[float, ...],
) -> None:
    found = values(report(environment, model), model)
    row = [found[f"{kind}_{measure}"] for kind in kinds for measure in MEASURES]
    # The paper rounds F1 of rounded numbers, or cuts: its last digit may be one off.
    assert row == pytest.approx(list(printed), abs=0.1)


def test_the_answer_to_a_former_recording_is_read_and_said() -> None:
    found = report("behavior", "gpt-4o-2024-05-13")
    assert found.tally("gpt-4o-2024-05-13").missing == 0
    [note] = [note for note in found.notes if "replaced" in note]
    assert "cleaning_up_after_a_meal_0_Merom_1" in note
