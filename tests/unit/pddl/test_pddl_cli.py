"""``eai check``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eai.cli import main
from eai.errors import InputError
from eai.pddl import check_files

DOMAIN = "(define (domain d)\n  (:requirements :strips)\n  (:predicates (p ?x))\n)\n"
PROBLEM = "(define (problem x) (:domain d) (:objects a)\n  (:init (q a)) (:goal (p b)))\n"
ACTIONS = "(:action go :parameters (?x) :effect (pp ?x))"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("d.pddl").write_text(DOMAIN, encoding="utf-8")
    Path("x.pddl").write_text(PROBLEM, encoding="utf-8")
    Path("go.txt").write_text(ACTIONS, encoding="utf-8")
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["eai", "check", *arguments])
    try:
        main()
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


@pytest.mark.usefixtures("folder")
def test_all_files_are_checked_together(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "x.pddl", "d.pddl", "go.txt") == 1
    assert capsys.readouterr().out == (
        "x.pddl:2:11: error: there is no predicate 'q'\n"
        "      (:init (q a)) (:goal (p b)))\n"
        "              ^\n"
        "  expected: a predicate from :predicates\n"
        "  hint: declare it: add (q ...) to :predicates\n"
        "x.pddl:2:27: error: there is no object 'b'\n"
        "      (:init (q a)) (:goal (p b)))\n"
        "                              ^\n"
        "  expected: a declared object or constant, or a ?variable\n"
        "  hint: declare it: b - TYPE\n"
        "go.txt:1:39: error: there is no predicate 'pp'\n"
        "    (:action go :parameters (?x) :effect (pp ?x))\n"
        "                                          ^\n"
        "  expected: a predicate from :predicates\n"
        "  hint: did you mean 'p'?\n"
        "3 errors and 0 warnings in 3 files\n"
    )


@pytest.mark.usefixtures("folder")
def test_files_in_order_end_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "d.pddl") == 0
    assert capsys.readouterr().out == "0 errors and 0 warnings in 1 file\n"


@pytest.mark.usefixtures("folder")
def test_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "d.pddl", "x.pddl", "--json") == 1
    issues = json.loads(capsys.readouterr().out)["issues"]
    assert [(issue["file"], issue["line"], issue["kind"]) for issue in issues] == [
        ("x.pddl", 2, "undeclared-predicate"),
        ("x.pddl", 2, "undeclared-object"),
    ]


@pytest.mark.usefixtures("folder")
def test_a_problem_goes_with_the_domain_that_it_names() -> None:
    Path("e.pddl").write_text(DOMAIN.replace("domain d", "domain e"), encoding="utf-8")
    assert len(check_files(["d.pddl", "e.pddl", "x.pddl"])["x.pddl"]) == 2
    first, *_ = check_files(["e.pddl", "x.pddl"])["x.pddl"]
    assert first.kind == "other-domain"
    assert check_files(["x.pddl"])["x.pddl"] == []


@pytest.mark.usefixtures("folder")
def test_a_file_with_nothing_in_it() -> None:
    Path("none.pddl").write_text("; nothing\n", encoding="utf-8")
    assert [issue.kind for issue in check_files(["none.pddl"])["none.pddl"]] == ["no-definition"]


def test_a_file_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "absent.pddl") == 3
    with pytest.raises(InputError, match="cannot be read"):
        check_files(["absent.pddl"])
