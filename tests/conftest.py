"""How much is tried: a fifth of the examples by default, all of them with ``--thorough``."""

from __future__ import annotations

import pytest
from hypothesis import settings

_KEPT = "_hypothesis_internal_use_settings"
"""Where Hypothesis keeps the settings of a test."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="try all examples of the property tests"
    )


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
