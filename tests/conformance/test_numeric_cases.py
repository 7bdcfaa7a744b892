"""Small plans with numbers, preferences and times, each about one point of the definitions.

``others`` are the verdicts of VAL and Kairos. Where they agree, ours is the same, or the language
is refused by name, or both calculate in floating point. Where they differ, ``docs/agreement.md``
says which of them is right.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eai.errors import InputError
from eai.suites.pddl import diagnose

FILE = Path(__file__).parents[1] / "fixtures" / "pddl" / "numbers.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_verdict_step_and_value(case: dict[str, Any]) -> None:
    if case["verdict"] == "refused":
        with pytest.raises(InputError):
            diagnose(case["domain"], case["problem"], case["plan"])
        return
    result = diagnose(case["domain"], case["problem"], case["plan"])
    assert result.valid is (case["verdict"] == "valid")
    assert result.failed_step == case.get("step")
    assert result.cost == case.get("value")


def test_verdicts_on_which_others_agree_are_ours() -> None:
    agreed = [
        case
        for case in CASES
        if case["others"][0] == case["others"][1] and case.get("cause") != "floating point"
    ]
    different = [
        case["case"] for case in agreed if case["verdict"] not in ("refused", case["others"][0])
    ]
    assert len(agreed) > 100
    assert different == []
