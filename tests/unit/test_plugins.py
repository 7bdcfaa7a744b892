"""What others wrote: how it is found, and where it is said to have gone wrong."""

from __future__ import annotations

import json
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from eai.contract.registry import Registry
from eai.errors import InputError
from eai.plugins import announced, find_object, place_of, said_by

MODULE = """
import json
from pathlib import Path

class Agent:
    def act(self):
        return json.loads("{")

def answer(messages):
    raise KeyError("mine")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules, some of which cannot be imported."""
    (tmp_path / "plugin_works.py").write_text(MODULE)
    (tmp_path / "plugin_unclosed.py").write_text("import json\n\ndef f(:\n")
    (tmp_path / "plugin_lacks.py").write_text("\nimport nowhere_to_be_found\n")
    (tmp_path / "plugin_leaves.py").write_text("raise SystemExit(7)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "plugin_works", raising=False)
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_what_is_there_is_found() -> None:
    found = find_object("plugin_works:Agent.act", what="the agent")
    assert getattr(found, "__name__", "") == "act"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("target", "what", "expected", "mend"),
    [
        ("plugin_works:anser", "has no attribute 'anser'", "Agent, answer", "mean 'answer'?"),
        ("plugin_works:Agent.acts", "a type has no attribute 'acts'", "act", "mean 'act'?"),
        ("plugin_work:answer", "no module 'plugin_work'", "module:attribute", "'plugin_works'"),
        ("plugin_works.py:answer", "is a file", "module:attribute", "name plugin_works:answer"),
        ("./plugin_works:answer", "is a file", "module:attribute", "name plugin_works:answer"),
        ("plugin_works.deeper:answer", "no module 'plugin_works.deeper'", "", "install its"),
        ("zzqqxx:answer", "no module 'zzqqxx'", "installed", "the folder of zzqqxx.py"),
        ("plugin_works:", "name an attribute", "module:attribute", ""),
        (":answer", "name an attribute", "module:attribute", ""),
    ],
)
def test_what_is_not_there_is_told_with_what_is(
    target: str, what: str, expected: str, mend: str
) -> None:
    with pytest.raises(InputError) as caught:
        find_object(target, what=f"the agent {target!r}")
    error = caught.value
    assert what in error.what
    assert expected in (error.expected or "")
    assert mend in (error.mend or "")
    assert target in str(error)


@pytest.mark.parametrize(
    ("module", "line", "told"),
    [
        ("plugin_unclosed", 3, "SyntaxError: "),
        ("plugin_lacks", 2, "ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("plugin_leaves", 1, "SystemExit: 7"),
    ],
)
def test_a_module_that_fails_is_told_with_its_line(
    module: str, line: int, told: str, folder: Path
) -> None:
    with pytest.raises(InputError, match=told) as caught:
        Registry("agent", "eai.agents").load(f"{module}:f")
    assert caught.value.where == f"{folder / module}.py:{line}"


def test_the_place_is_where_the_caller_of_libraries_stands(folder: Path) -> None:
    agent = find_object("plugin_works:Agent", what="the agent")
    with pytest.raises(ValueError, match="Expecting") as caught:
        agent().act()  # type: ignore[operator]
    assert place_of(caught.value) == f"{folder / 'plugin_works.py'}:7"
    assert said_by(caught.value).startswith("JSONDecodeError: Expecting property name")


def test_what_eai_raises_has_no_place_elsewhere() -> None:
    with pytest.raises(InputError) as caught:
        find_object("nothing", what="the agent")
    assert place_of(caught.value) is None
    assert said_by(caught.value) == "InputError: 'nothing' does not name an attribute of a module"
    assert said_by(AssertionError()) == "AssertionError"


@pytest.mark.parametrize(("top", "theirs"), [("announced_suites", True), ("only_used", False)])
def test_an_installed_package_is_theirs_if_it_announces_something(
    top: str, theirs: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = tmp_path / "plugin-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[eai.suites]\nx = announced_suites.deep:Suite\n")
    monkeypatch.syspath_prepend(tmp_path)
    place = str(tmp_path / "site-packages" / top / "suite.py")
    with pytest.raises(ZeroDivisionError) as caught:
        eval(compile("1 / 0", place, "eval"))
    here = place_of(caught.value)
    assert here is not None
    assert here.startswith(place if theirs else __file__)


def test_the_standard_library_is_nobodys() -> None:
    assert Path(json.__file__).is_relative_to(sysconfig.get_path("stdlib"))
    with pytest.raises(ValueError, match="Expecting") as caught:
        json.loads("{")
    assert str(place_of(caught.value)).startswith(__file__)


def test_what_was_compiled_elsewhere_is_nobodys() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        eval(compile("1 / 0", "numpy/random/generator.pyx", "eval"))
    assert str(place_of(caught.value)).startswith(__file__)


@pytest.mark.parametrize("folder", ["plugin-1.dist-info", "plugin.egg-info", "zip"])
def test_a_package_on_the_path_announces_its_suites(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = "Metadata-Version: 2.1\nName: plugin\nVersion: 1\n"
    entries = "[other]\nx = y\n[eai.suites]\ntheirs = plugin:Suite\n"
    place = tmp_path / folder
    if folder == "zip":
        place = tmp_path / "plugin.zip"
        with zipfile.ZipFile(place, "w") as archive:
            archive.writestr("plugin-1.dist-info/METADATA", metadata)
            archive.writestr("plugin-1.dist-info/entry_points.txt", entries)
        monkeypatch.syspath_prepend(place)
    else:
        place.mkdir()
        name = "PKG-INFO" if folder.endswith(".egg-info") else "METADATA"
        (place / name).write_text(metadata)
        (place / "entry_points.txt").write_text(entries)
        monkeypatch.syspath_prepend(tmp_path)
    assert announced("eai.suites")["theirs"] == ("theirs", "plugin:Suite", "plugin")


def test_a_package_that_announces_nothing_to_eai_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = announced("eai.suites")
    about = tmp_path / "plugin-1.dist-info"
    about.mkdir()
    (about / "entry_points.txt").write_text("[console_scripts]\ntheirs = plugin:main\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert announced("eai.suites") == before
