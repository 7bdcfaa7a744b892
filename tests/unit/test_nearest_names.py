"""Which known names are offered for one that is not known."""

from __future__ import annotations

import pytest

import eai
from eai.errors import UnknownNameError, nearest

IDS = ["studio-01", "studio-10", "studio-11", "flat-01", "switchon", "kitchen_counter.48"]


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("studio-1", "studio-01"),
        ("studio_01", "studio-01"),
        ("STUDIO 001", "studio-01"),
        ("studio10", "studio-10"),
        ("Switch-On", "switchon"),
        ("kitchen counter 48", "kitchen_counter.48"),
    ],
)
def test_what_differs_in_case_separators_or_zeros_is_meant(name: str, known: str) -> None:
    assert nearest(name, IDS) == [known]


def test_of_several_such_names_the_one_in_other_letters_comes_first() -> None:
    assert nearest("OPEN_DOOR", ["open-door", "open_door", "opened"]) == ["open_door", "open-door"]


def test_other_names_are_compared_by_their_letters() -> None:
    assert nearest("studio-12", IDS)[0] in {"studio-10", "studio-11", "studio-01"}
    assert nearest("swichon", IDS) == ["switchon"]
    # Numbers are not run together, and nothing but separators is like nothing.
    assert nearest("1-1", ["11"], most=1) != nearest("1-1", ["1.1"], most=1)
    assert nearest("---", IDS) == []


def test_a_task_is_offered_without_its_zero() -> None:
    with pytest.raises(UnknownNameError) as caught:
        eai.suite("household").task("studio-1")
    assert caught.value.suggestions == ["studio-01"]
    assert "did you mean 'studio-01'?" in str(caught.value)
