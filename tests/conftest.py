"""How much is tried: a fifth of the examples by default, all of them with ``--thorough``."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

_KEPT = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps the settings of a test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="try all examples of the property tests"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is collected stays to the end: no garbage is looked for, which takes a quarter of it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--thorough"):
        return
    seen: set[int] = set()
    for item in items:
        test = getattr(item, "obj", None)
        chosen = getattr(test, _KEPT, None)
        if chosen is not None and id(test) not in seen:  # a parametrized test occurs often
            seen.add(id(test))
            all_ = chosen.max_examples
            setattr(test, _KEPT, settings(chosen, max_examples=min(all_, max(5, all_ // 5))))
