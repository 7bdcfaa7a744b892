"""Texts and PDDL: folders, rows and databases of references, and how answers differ."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pddl_blocks import DOMAIN, PROBLEM

from eai.diagnosis import ErrorKind, Result
from eai.errors import InputError
from eai.planning import PlanningResult, plan
from eai.suites.pddl import Pddl
from eai.suites.translations import PddlTranslations, domains

PROBLEMS = "problem_translation"
DOMAINS = "domain_translation"


def _folder(tmp_path: Path) -> PddlTranslations:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "one.pddl").write_text(PROBLEM)
    (tmp_path / "one.txt").write_text("Put the yellow block on the blue one.")
    return PddlTranslations(tmp_path)


def _result(suite: PddlTranslations, answer: str | None, task: str = "one") -> Result:
    ability = next(iter(suite.abilities))
    return suite.evaluate(ability, suite.task(task), answer, suite.semantics("strict"))


def _shares(result: Result) -> Mapping[str, float]:
    return {measure.kind: measure.amount / measure.base for measure in result.measures}


def test_problem_with_other_names_between_sentences_is_right(tmp_path: Path) -> None:
    suite = _folder(tmp_path)
    assert suite.task("one").instruction == "Put the yellow block on the blue one."
    written = PROBLEM.replace(" d", " yellow").replace("(on d", "(on yellow")
    result = _result(suite, f"Here is the problem:\n```pddl\n{written}```\nIt (surely) works.")
    assert result.success
    assert _shares(result)["solvable"] == _shares(result)["same_plan"] == 1


NUMERIC = """(define (domain road) (:requirements :strips :numeric-fluents)
  (:predicates (there)) (:functions (fuel))
  (:action go :parameters () :precondition (>= (fuel) 1)
    :effect (and (there) (decrease (fuel) 1))))"""


def test_what_no_search_tells_is_not_measured(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(NUMERIC)
    problem = "(define (problem a) (:domain road) (:init (= (fuel) 2)) (:goal (there)))"
    (tmp_path / "one.pddl").write_text(problem)
    (tmp_path / "one.txt").write_text("Go there.")
    result = _result(PddlTranslations(tmp_path), problem)
    assert result.success
    assert "solvable" not in _shares(result)
    assert "same_plan" not in _shares(result)
    assert len(result.notes) >= 2


def test_a_problem_that_is_proved_to_have_no_plan_is_not_solvable(tmp_path: Path) -> None:
    result = _result(_folder(tmp_path), PROBLEM.replace("(on d b)", "(and (on d b) (on b d))"))
    assert _shares(result)["solvable"] == _shares(result)["same_plan"] == 0


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("(on d b)", "(on b d)", "wrong_goal"),
        ("(ontable d)", "", "wrong_initial_fact"),
        ("(:objects a b d)", "(:objects a b d e)", "wrong_object"),
    ],
)
def test_wrong_problems_are_counted_by_what_differs(
    tmp_path: Path, old: str, new: str, kind: str
) -> None:
    result = _result(_folder(tmp_path), PROBLEM.replace(old, new))
    assert not result.success
    assert _shares(result)[kind] == 1


@pytest.mark.parametrize("answer", ["", "I cannot.", PROBLEM.replace("(on d b)", "(over d b)")])
def test_answers_that_are_no_problem_are_not_read(tmp_path: Path, answer: str) -> None:
    result = _result(_folder(tmp_path), answer)
    assert [finding.kind for finding in result.findings] == [ErrorKind.PARSING]


def test_final_problem_of_several_counts(tmp_path: Path) -> None:
    draft = PROBLEM.replace("(on d b)", "(on b d)")
    answer = f"Draft:\n```\n{draft}```\nThe final version:\n```\n{PROBLEM}```\n"
    assert _result(_folder(tmp_path), answer).success


def test_rows_name_their_domain_as_in_planetarium(tmp_path: Path) -> None:
    (tmp_path / "blocks.pddl").write_text(DOMAIN)
    file = tmp_path / "test.jsonl"
    row = {
        "id": 7,
        "domain": "blocks",
        "natural_language": "Stack them.",
        "problem_pddl": PROBLEM,
        "init": "tower",
        "is_placeholder": 0,
    }
    file.write_text(json.dumps(row))
    suite = PddlTranslations(file)
    assert suite.task_ids() == ("7",)
    assert _result(suite, PROBLEM, "7").success
    (tmp_path / "blocks.pddl").unlink()
    with pytest.raises(InputError, match="blocks"):
        PddlTranslations(file).task_ids()


def _database(path: Path, *, is_placeholder: bool) -> PddlTranslations:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE domains (name TEXT, domain_pddl TEXT)")
        database.execute(
            "CREATE TABLE problems (id INTEGER, domain TEXT, natural_language TEXT,"
            " problem_pddl TEXT, is_placeholder INTEGER)"
        )
        database.execute("INSERT INTO domains VALUES ('blocks', ?)", (DOMAIN,))
        row = (3, "blocks", "Stack them.", PROBLEM, int(is_placeholder))
        database.execute("INSERT INTO problems VALUES (?, ?, ?, ?, ?)", row)
    return PddlTranslations(path)


@pytest.mark.parametrize("is_placeholder", [False, True])
def test_goal_of_a_placeholder_has_a_renaming_of_its_own(
    tmp_path: Path, *, is_placeholder: bool
) -> None:
    suite = _database(tmp_path / "planetarium.db", is_placeholder=is_placeholder)
    assert _result(suite, PROBLEM, "3").success
    # Another block lies on another one: the same tower of other blocks.
    other = PROBLEM.replace("(on d b)", "(on b d)")
    assert _result(suite, other, "3").success is is_placeholder


def test_domains_are_tasks_where_there_are_no_problems(tmp_path: Path) -> None:
    (tmp_path / "blocks.pddl").write_text(DOMAIN)
    suite = PddlTranslations(tmp_path)
    assert list(suite.abilities) == [DOMAINS]
    right = _result(suite, DOMAIN.replace("clear", "free"), "blocks")
    assert right.success
    assert set(_shares(right).values()) == {1.0}
    wrong = _result(suite, DOMAIN.replace("(not (handempty))", ""), "blocks")
    assert not wrong.success
    assert _shares(wrong)["predicate_f1"] == 1
    assert _shares(wrong)["effect_f1"] < 1


def test_suite_of_problems_asks_for_its_domain(tmp_path: Path) -> None:
    _folder(tmp_path)
    suite = Pddl(str(tmp_path))
    task = suite.task("one")
    semantics = suite.semantics("strict")
    right = suite.evaluate("transition_modeling", task, DOMAIN, semantics)
    assert right.success
    assert _shares(right)["sound"] == _shares(right)["complete"] == 1
    never = DOMAIN.replace("(and (holding ?x) (clear ?y))", "(and (holding ?x) (on ?y ?y))")
    assert never != DOMAIN
    wrong = suite.evaluate("transition_modeling", task, never, semantics)
    assert not wrong.success
    assert _shares(wrong)["complete"] == 0


def test_folder_without_references_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        PddlTranslations(tmp_path).task_ids()


def test_plans_that_no_search_finds_are_not_measured(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(NUMERIC)
    problem = "(define (problem a) (:domain road) (:init (= (fuel) 2)) (:goal (there)))"
    (tmp_path / "one.pddl").write_text(problem)
    suite = Pddl(str(tmp_path))
    semantics = suite.semantics("strict")
    result = suite.evaluate("transition_modeling", suite.task("one"), NUMERIC, semantics)
    assert result.success
    assert _shares(result).keys().isdisjoint({"sound", "complete"})
    assert len(result.notes) >= 2
    assert set(_shares(result).values()) == {1}


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("(>= (fuel) 1)", "(>= (fuel) 2)", "precondition_f1"),
        ("(>= (fuel) 1)", "(> (fuel) 1)", "precondition_f1"),
        ("(decrease (fuel) 1)", "(increase (fuel) 1)", "effect_f1"),
        ("(decrease (fuel) 1)", "", "effect_f1"),
    ],
)
def test_comparisons_and_changes_of_numbers_count_as_clauses(
    tmp_path: Path, old: str, new: str, part: str
) -> None:
    (tmp_path / "road.pddl").write_text(NUMERIC)
    shares = _shares(_result(PddlTranslations(tmp_path), NUMERIC.replace(old, new), "road"))
    assert {key for key, share in shares.items() if share < 1} == {part}


def test_plan_of_a_reference_is_searched_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _folder(tmp_path)
    suite = Pddl(str(tmp_path))
    searched = []

    def counted(domain: object, problem: object, **options: Any) -> PlanningResult:
        searched.append(isinstance(domain, str))
        return plan(domain, problem, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(domains, "plan", counted)
    domains._solution.cache_clear()
    for answer in (DOMAIN, DOMAIN.replace("clear", "free"), DOMAIN.replace("handempty", "idle")):
        suite.evaluate("transition_modeling", suite.task("one"), answer, suite.semantics("strict"))
    assert searched.count(True) == 1
    assert len(searched) == 4
