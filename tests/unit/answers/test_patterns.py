"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module
from typing import Any

import pytest

import eai.answers
from eai.text import lazy_pattern

MODULES = [
    "eai.abilities.goal_interpretation.grammar",
    *(f"eai.answers.{module.name}" for module in pkgutil.iter_modules(eai.answers.__path__)),
]


def lazy_patterns(module: str) -> dict[str, Any]:
    lazy = type(lazy_pattern(""))
    return {
        name: value for name, value in vars(import_module(module)).items() if type(value) is lazy
    }


def test_lazy_pattern_finds_what_a_compiled_one_finds() -> None:
    lazy = lazy_pattern(r"(?P<verb>open|close)d?\b", re.IGNORECASE)
    compiled = re.compile(r"(?P<verb>open|close)d?\b", re.IGNORECASE)
    text = "Open it, then it is closed; an opener is no verb."
    for _ in range(2):  # when it is compiled, and afterwards
        assert lazy.findall(text) == compiled.findall(text) == ["Open", "close"]
        assert lazy.sub("-", text) == compiled.sub("-", text)
        assert (lazy.pattern, lazy.flags) == (compiled.pattern, compiled.flags)


def test_lazy_pattern_that_is_wrong_is_an_error_at_its_first_use() -> None:
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.search("")


@pytest.mark.parametrize("module", MODULES)
def test_every_pattern_of_the_readers_is_right(module: str) -> None:
    for pattern in lazy_patterns(module).values():
        assert pattern.flags == re.compile(pattern.pattern, pattern.flags).flags


def test_readers_have_lazy_patterns() -> None:
    assert sum(len(lazy_patterns(module)) for module in MODULES) > 100
