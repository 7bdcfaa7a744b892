"""Suites that other packages announce: found by name, and harmless if they are broken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import eai
from eai.agents import named_agent
from eai.contract import extension, needed_extension
from eai.contract.registry import suites
from eai.errors import InputError, UnknownNameError
from eai.plugins import shipped

MODULE = """
from eai.suites.household import Household
from eai.table import Table


class Mine(Household):
    def __init__(self):
        super().__init__()
        self.name = "mine"


class Lazy(Mine):
    def task_ids(self):
        raise RuntimeError("not today")


class Hollow:
    name = "hollow"


def leaves():
    raise SystemExit(7)


def tables(suite, report, logs):
    return [Table(suite.name, [{"records": len(report.records)}])]


class Sitter:
    def __call__(self, messages):
        return "Action: SIT"
"""
OURS = tuple(shipped("eai.suites"))
ENTRIES = {
    "mine": "their_suites:Mine",
    "household": "their_suites:Mine",
    "absent": "no_such_module:Suite",
    "nameless": "their_suites:Nothing",
    "hollow": "their_suites:Hollow",
    "leaves": "their_suites:leaves",
    "lazy": "their_suites:Lazy",
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with an installed distribution that announces suites."""
    (tmp_path / "their_suites.py").write_text(MODULE)
    about = tmp_path / "their_suites-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: their-suites\nVersion: 1\n")
    lines = [f"{name} = {target}" for name, target in ENTRIES.items()]
    lines += ["[eai.analyses]", "mine = their_suites:tables"]
    lines += ["[eai.agents]", "sitter = their_suites:Sitter", "oracle = their_suites:Sitter"]
    (about / "entry_points.txt").write_text("\n".join(["[eai.suites]", *lines]))
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("installed")
def test_an_announced_suite_has_a_name() -> None:
    report = eai.evaluate("mine", {"studio-01": "SWITCHON(light.34)"})
    assert report.setting.suite == "mine"
    assert str(eai.explain(report.records[0])).startswith("mine studio-01")


@pytest.mark.usefixtures("installed")
def test_what_others_announce_for_their_suite_is_found() -> None:
    mine = eai.suite("mine")
    report = eai.evaluate(mine, {"studio-01": "SWITCHON(light.34)"}, tasks=["studio-01"])
    [table] = needed_extension("eai.analyses", mine)(mine, report, {})
    assert list(table.rows) == [{"records": 1}]
    assert extension("eai.analyses", eai.suite("household")) is None


@pytest.mark.usefixtures("installed")
def test_agents_of_others_have_names_and_ours_cannot_be_taken() -> None:
    assert named_agent("sitter")([]) == "Action: SIT"
    assert eai.interact("household", "studio-01", "oracle").success
    acted = eai.interact("household", "studio-01", "sitter", actions=1).episode
    assert {turn.reply.written for turn in acted.turns} == {"SIT"}
    with pytest.raises(UnknownNameError):
        named_agent("oracle")


@pytest.mark.usefixtures("installed")
def test_names_of_ours_cannot_be_taken() -> None:
    assert {origin.name: origin.package for origin in suites().origins()} == {
        **dict.fromkeys(ENTRIES, "their-suites"),
        **dict.fromkeys(OURS, "eai"),
    }
    assert eai.suite("household").name == "household"


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("absent", "there is no module 'no_such_module'"),
        ("nameless", "has no attribute 'Nothing'"),
        ("hollow", "a value of type Hollow is not a suite"),
        ("leaves", "SystemExit: 7"),
    ],
)
def test_a_broken_suite_is_an_error_that_names_it(name: str, told: str) -> None:
    with pytest.raises(InputError, match=told) as caught:
        eai.suite(name)
    assert name in str(caught.value)


@pytest.mark.heavy
def test_the_list_names_what_is_broken_and_goes_on(installed: Path) -> None:
    path = os.pathsep.join([str(installed), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "eai", "suites"],
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "400"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    others = sorted(set(ENTRIES) - {"household"})
    assert [line.split()[0] for line in lines[1:]] == [*OURS, *others]
    assert all("[their-suites]" in line for line in lines[1 + len(OURS) :])
    assert any("RuntimeError: not today" in line for line in lines)
