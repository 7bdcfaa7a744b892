"""Every quirk says what it changes, and is asked for by its own suite only."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import eai
from eai.contract import Suite
from eai.suites.behavior import Behavior
from eai.suites.virtualhome import VirtualHome

SOURCES = Path(eai.__file__).parent


def names_in(*modules: Path) -> set[str]:
    return {name for module in modules for name in re.findall(r'"(\w+)"', module.read_text())}


@pytest.mark.parametrize("suite", [VirtualHome(), Behavior()], ids=lambda suite: suite.name)
def test_every_quirk_has_a_hook_and_acts_in_its_suite(suite: Suite) -> None:
    folders = [SOURCES / "suites" / name for name in (suite.name, "transition")]
    shared = (SOURCES / "suites" / "shared").glob("*.py")
    modules = [*shared, *(f for d in folders for f in d.rglob("*.py"))]
    asked = names_in(*(module for module in modules if module.name != "quirks.py"))
    for name, quirk in suite.quirks.items():
        assert quirk.hook
        assert quirk.hook == "world" or name in asked


@pytest.mark.parametrize("suite", [VirtualHome(), Behavior()], ids=lambda suite: suite.name)
def test_every_quirk_is_asked_for_at_one_place(suite: Suite) -> None:
    shared = (SOURCES / "suites" / "shared").glob("*.py")
    modules = [*shared, *(SOURCES / "suites" / suite.name).rglob("*.py")]
    text = "".join(module.read_text() for module in modules if module.name != "quirks.py")
    assert not [name for name in suite.quirks if text.count(f'"{name}"') > 1]


@pytest.mark.parametrize("suite", [VirtualHome(), Behavior()], ids=lambda suite: suite.name)
def test_nobody_else_asks_for_a_quirk(suite: Suite) -> None:
    rooms = [room for room in SOURCES.iterdir() if room.is_dir() and room.name != "suites"]
    modules = [f for room in rooms if room.name != "simulators" for f in room.rglob("*.py")]
    assert names_in(*modules, *SOURCES.glob("*.py")).isdisjoint(suite.quirks)
