"""Only suites and simulators know benchmarks by name, and only agents themselves know agents."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import eai
from eai.contract.registry import suite, suites
from eai.plugins import shipped

SOURCE = Path(eai.__file__).parent
BENCHMARK = re.compile(
    r"virtualhome|(?<!no)behavior(?!al)|asgard|household|alfred|\bthor\b|ai2thor"
    r"|embodiedbench|robobench|longact|planbench",
    re.IGNORECASE,
)


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


def words_by_module(
    pattern: re.Pattern[str], *, homes: tuple[str, ...] = ("suites", "simulators", "data")
) -> dict[str, set[str]]:
    """Return the words of modules outside of some rooms in whose text the pattern is found."""
    texts = {
        str(path.relative_to(SOURCE)): path.read_text("utf-8")
        for path in SOURCE.rglob("*.py")
        if not path.relative_to(SOURCE).as_posix().startswith(homes)
    }
    assert len(texts) > 100
    return {path: {*words(ast.parse(text))} for path, text in texts.items() if pattern.search(text)}


@pytest.mark.heavy
def test_no_benchmark_is_named_outside_of_its_suite() -> None:
    found = words_by_module(BENCHMARK).items()
    assert {path for path, used in found if any(map(BENCHMARK.search, used))} == set()


@pytest.mark.heavy
def test_no_agent_is_named_outside_of_its_package() -> None:
    packages = {
        origin.name: origin.target.partition(":")[0].replace(".", "/").removeprefix("eai/")
        for origin in shipped("eai.agents").values()
        if (SOURCE.parent / origin.target.partition(":")[0].replace(".", "/")).is_dir()
    }
    assert packages
    for name, package in packages.items():
        pattern = re.compile(name, re.IGNORECASE)
        found = words_by_module(pattern, homes=(f"{package}/", "data/"))
        assert {path for path, used in found.items() if any(map(pattern.search, used))} == set()


@pytest.mark.heavy
def test_nobody_else_asks_for_a_quirk() -> None:
    quirks = {name for origin in suites().origins() for name in suite(origin.name).quirks}
    found = words_by_module(re.compile("|".join(map(re.escape, quirks)))).items()
    assert {path: used & quirks for path, used in found if used & quirks} == {}
