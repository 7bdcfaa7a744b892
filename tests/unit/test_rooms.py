"""Only suites and simulators know benchmarks by name; everybody else asks the suite."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import eai
from eai.registry import suite, suites

SOURCE = Path(eai.__file__).parent
BENCHMARK = re.compile(
    r"virtualhome|(?<!no)behavior(?!al)|asgard|household|alfred|\bthor\b|ai2thor"
    r"|embodiedbench|robobench|longact|planbench",
    re.IGNORECASE,
)


def modules() -> Iterator[Path]:
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] not in ("suites", "simulators", "data"):
            yield path


def words(tree: ast.Module) -> Iterator[str]:
    """Names, imported modules and texts of a module, without docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.Name):
            yield node.id
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        ):
            yield node.value


@cache
def words_by_module() -> dict[str, frozenset[str]]:
    """The words of every module outside of suites and simulators."""
    return {
        str(path.relative_to(SOURCE)): frozenset(words(ast.parse(path.read_text("utf-8"))))
        for path in modules()
    }


def test_no_benchmark_is_named_outside_of_its_suite() -> None:
    named = {path for path, used in words_by_module().items() if any(map(BENCHMARK.search, used))}
    assert named == set()


@pytest.mark.parametrize("name", [origin.name for origin in suites().origins()])
def test_nobody_else_asks_for_a_quirk(name: str) -> None:
    quirks = suite(name).quirks.keys()
    assert {path: used & quirks for path, used in words_by_module().items() if used & quirks} == {}
