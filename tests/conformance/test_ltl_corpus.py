"""Goals, trajectories and verdicts collected elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from definition import holds
from list_trajectory import Fact, ListTrajectory
from needs import facts, recordings

from eai.logic import LogicVocabulary, evaluate, explain, format_formula, parse_formula

_FOLDER = facts("logic", "corpus")

pytestmark = recordings("logic", "corpus")

_PRIMITIVE = re.compile(r"([\w-]+)\(([^()]*)\)")


def _facts(texts: Iterable[str]) -> Iterator[Fact]:
    for text in texts:
        for name, arguments in _PRIMITIVE.findall(text):
            yield (name, *(part.strip() for part in arguments.split(",") if part.strip()))


def _cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (_FOLDER / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", ["eai_then.jsonl", "eai_divergences.jsonl"])
def test_every_verdict_of_the_corpus(name: str) -> None:
    wrong = []
    cases = _cases(name)
    for case in cases:
        arities = {fact[0]: len(fact) - 1 for fact in _facts([case["formula"]])}
        vocabulary = LogicVocabulary(
            {each: arities.get(each, 0) for each in case["predicates"]},
            {each: arities.get(each, 0) for each in case["actions"]},
            case["objects"],
        )
        states = [list(_facts(state)) for state in case["states"]]
        trajectory = ListTrajectory(case["objects"], states, list(_facts(case["acts"])))
        formula = parse_formula(case["formula"], vocabulary=vocabulary)
        assert parse_formula(format_formula(formula), vocabulary=vocabulary) == formula
        verdicts = {
            evaluate(formula, trajectory).holds,
            explain(formula, trajectory).holds,
            holds(formula, trajectory, 0, trajectory.length, {}),
        }
        if verdicts != {case["expect"]}:
            wrong.append(case["id"])
    assert cases
    assert not wrong
