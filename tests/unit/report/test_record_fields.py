"""Every field of a record takes values of its type and no others, wherever it stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from report_samples import STOPPED, record

from eai.diagnosis import Match, Measure, Result, RuleVerdict
from eai.errors import InputError
from eai.report import record_from_json, record_to_json

FULL = Result(
    "evaluated",
    success=True,
    executable=True,
    plan=("walk(sink)",),
    executed=("done",),
    findings=STOPPED.findings[1:],
    goals=STOPPED.goals[:2],
    matches=(Match("state", 2, 1, 3),),
    measures=(Measure("progress", 1, 2),),
    rules=(RuleVerdict("dry", False, 1, ("wet(sink)",), "it is wet"),),
    formula="on(lamp)",
    formula_holds=False,
    reason="it is off",
    notes=("a code fence was removed",),
)
DATA: dict[str, Any] = json.loads(record_to_json(record(FULL)))

Path = tuple[str | int, ...]


def leaves(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, (*path, at))
    else:
        yield path, value


def changed(path: Path, value: object) -> str:
    """The record with another value at a place."""
    data = json.loads(json.dumps(DATA))
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(data)


LEAVES = list(leaves(DATA))
MAY_BE_NEGATIVE = {"fn", "amount"}


def is_refused(path: Path, value: object) -> bool:
    try:
        record_from_json(changed(path, value))
    except InputError:
        return True
    return False


def test_the_record_has_fields_of_every_kind() -> None:
    assert record_from_json(json.dumps(DATA)).result == FULL
    kinds = {type(value) for _, value in LEAVES}
    assert {str, int, bool} <= kinds


@pytest.mark.parametrize(("path", "value"), LEAVES, ids=lambda each: str(each)[:60])
def test_a_field_takes_values_of_its_type_only(path: Path, value: object) -> None:
    assert not is_refused(path, value)
    others: list[object] = [[], {}, [value]]
    if isinstance(value, bool):
        others += [0, 1, "true"]
    elif isinstance(value, int):
        others += [True, "1", 1.5]
        if path[-1] not in MAY_BE_NEGATIVE:
            others += [-1]
        if path[-1] == "base":
            others += [0]
        else:
            assert not is_refused(path, 0)
    elif isinstance(value, str):
        others += [0, True]
    for other in others:
        assert is_refused(path, other), other
    if isinstance(value, int) and path[-1] in MAY_BE_NEGATIVE:
        assert not is_refused(path, -1)


@pytest.mark.parametrize("path", sorted({path[:-1] for path, _ in LEAVES}, key=str))
def test_an_object_has_no_other_fields(path: Path) -> None:
    data = json.loads(json.dumps(DATA))
    inner = data
    for key in path:
        inner = inner[key]
    if isinstance(inner, dict):
        assert is_refused((*path, "colour"), "red")
    else:
        assert isinstance(inner, list)
