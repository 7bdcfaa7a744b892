"""Choosing a semantics: what cannot be meant is an error, not a silent nothing."""

from __future__ import annotations

import pytest

from eai.errors import InputError, UnknownNameError
from eai.semantics import Quirk, Semantics

KNOWN = {name: Quirk(name, "does this", "does that") for name in ("first", "second")}


def test_quirks_are_switched_off_from_official_and_on_over_strict() -> None:
    assert Semantics.of("official", KNOWN, without=["first"]).quirks == {"second"}
    assert Semantics.of("strict", KNOWN, only=["first"]).quirks == {"first"}


@pytest.mark.parametrize("name", ["official", "strict"])
def test_the_name_in_a_report_means_the_same_semantics(name: str) -> None:
    switch = "without" if name == "official" else "only"
    chosen = Semantics.of(name, KNOWN, version="x 1", **{switch: ["first"]})
    assert Semantics.spelled(str(chosen), KNOWN, version="x 1") == chosen


@pytest.mark.parametrize(
    ("name", "without", "only"),
    [("strict", ["first"], []), ("official", [], ["first"]), ("official", ["first"], ["first"])],
)
def test_a_quirk_that_is_so_already(name: str, without: list[str], only: list[str]) -> None:
    with pytest.raises(InputError, match=r"'first' is (on|off) already") as caught:
        Semantics.of(name, KNOWN, without=without, only=only)
    assert caught.value.mend


def test_a_ready_semantics_is_not_changed() -> None:
    ready = Semantics("mine", frozenset({"first"}))
    assert Semantics.of(ready, KNOWN) is ready
    with pytest.raises(InputError, match="is fixed"):
        Semantics.of(ready, KNOWN, without=["first"])


@pytest.mark.parametrize("name", ["lenient", "", None, 5])
def test_other_names(name: str) -> None:
    with pytest.raises(UnknownNameError):
        Semantics.of(name, KNOWN)
