"""Only suites and simulators know benchmarks by name; everybody else asks the suite."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import eai
from eai.registry import suite, suites

SOURCE = Path(eai.__file__).parent
BENCHMARK = re.compile(
    r"virtualhome|(?<!no)behavior(?!al)|asgard|household|alfred|\bthor\b|ai2thor", re.IGNORECASE
)


def modules() -> Iterator[Path]:
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] not in ("suites", "simulators", "data"):
            yield path


def words(tree: ast.Module) -> Iterator[str]:
    """Names, imported modules and texts of a module, without docstrings."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
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


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def test_no_benchmark_is_named_outside_of_its_suite() -> None:
    named = {
        str(path.relative_to(SOURCE))
        for path in modules()
        if any(BENCHMARK.search(word) for word in words(parsed(path)))
    }
    assert named == set()


@pytest.mark.parametrize("name", [origin.name for origin in suites().origins()])
def test_nobody_else_asks_for_a_quirk(name: str) -> None:
    quirks = suite(name).quirks.keys()
    asked = {
        (str(path.relative_to(SOURCE)), word)
        for path in modules()
        for word in words(parsed(path))
        if word in quirks
    }
    assert asked == set()
