"""What is said about a name that is not known."""

from __future__ import annotations

import pytest

from eai.errors import UnknownNameError


@pytest.mark.parametrize(
    ("name", "known", "expected", "mend"),
    [
        ("lenient", ["strict", "official"], "official, strict", "name one of them"),
        ("offical", ["strict", "official"], "official, strict", "did you mean 'official'?"),
        ("3", ["flat-03", "flat-04"], "flat-03, flat-04", "did you mean 'flat-03'?"),
        ("x", [], "no thing is known here", None),
    ],
)
def test_what_is_known_is_listed_and_there_is_a_next_step(
    name: str, known: list[str], expected: str, mend: str | None
) -> None:
    error = UnknownNameError("thing", name, known)
    assert (error.expected, error.mend) == (expected, mend)


def test_a_list_that_can_be_overlooked_is_whole_a_longer_one_says_how_much_is_left() -> None:
    metrics = [f"metric_{number:02}" for number in range(30)]
    assert UnknownNameError("metric", "?", metrics).expected == ", ".join(metrics)
    tasks = [f"task_{number:04}" for number in range(500)]
    told = UnknownNameError("task", "?", tasks).expected
    assert told is not None
    assert told.endswith("task_0011 and 488 more")
