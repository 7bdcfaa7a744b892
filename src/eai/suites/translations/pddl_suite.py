"""The suite ``translate:PATH``: texts, each to be written as a problem or a domain in PDDL.

A problem is right if it is equivalent to the reference (:func:`eai.planning.equivalent_problems`),
a domain likewise (:func:`eai.planning.equivalent_domains`). Differences are listed with the
verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from eai.answers import read_definition
from eai.contract import Ability, Suite
from eai.diagnosis import ErrorKind, Finding, Result
from eai.diagnosis.result import CHOSEN_BY
from eai.errors import EaiError, InputError, UnknownNameError
from eai.files import content_hash
from eai.pddl import Domain, Problem, parse_domain, parse_problem
from eai.planning import (
    PlanningResult,
    ProblemComparison,
    equivalent_problems,
    plan,
    validate,
)
from eai.semantics import Semantics
from eai.suites.translations.domains import DOMAIN_VIEW, SEARCH, evaluate_domain
from eai.suites.translations.pddl_rows import PddlRow, read_pddl_rows
from eai.suites.translations.views import measures_of, translation_view
from eai.task import Task
from eai.world import Action

PROBLEMS = "problem_translation"
"""The ability: a problem for a text."""
DOMAINS = "domain_translation"
"""The ability: a domain for a text."""

_DIFFERENCES = {
    "object": "Objects",
    "type": "Types",
    "initial fact": "Initial facts",
    "goal": "Goal",
}
_SHARES = {
    "solvable": "Solvable",
    "same_plan": "Reference plan works",
    # "initial fact" -> "wrong_initial_fact": "Initial facts differ"
    **{f"wrong_{kind.replace(' ', '_')}": f"{said} differ" for kind, said in _DIFFERENCES.items()},
}


@dataclass(frozen=True)
class PddlReference:
    """The reference solution of a task.

    Args:
        row: The row that it comes from.
        domain: The domain.
        problem: The problem; None if the domain is what is asked for.
    """

    row: PddlRow
    domain: Domain
    problem: Problem | None

    @cached_property
    def solution(self) -> PlanningResult:
        """A plan for the problem, for which all answers to the task are tried."""
        assert self.problem is not None  # noqa: S101 - only problems are solved
        return plan(self.domain, self.problem, budget=SEARCH)


class PddlTranslations(Suite):
    """Tasks to translate texts into PDDL problems or domains.

    Args:
        path: A folder or file (:mod:`~eai.suites.translations.pddl_rows` says of which kind).
    """

    title = "Texts translated to PDDL"
    version = "1"

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self.name = f"translate:{path}"

    @cached_property
    def _rows(self) -> Mapping[str, PddlRow]:
        return read_pddl_rows(self._path)

    @property
    def abilities(self) -> Mapping[str, Ability]:
        """Problems, domains or both, depending on the rows."""
        abilities = {}
        if any(row.problem for row in self._rows.values()):
            abilities[PROBLEMS] = Ability(_evaluate_problem, _prompt_problem, view=PROBLEM_VIEW)
        if any(not row.problem for row in self._rows.values()):
            abilities[DOMAINS] = Ability(_evaluate_domain, _prompt_domain, view=DOMAIN_VIEW)
        return abilities

    @property
    def content(self) -> str:
        """A hash of the files."""
        if self._path.is_dir():
            return content_hash(sorted(self._path.rglob("*.*")))
        return content_hash([self._path])

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of the rows."""
        return tuple(self._rows)

    def task(self, task_id: str) -> Task:
        """Return the task of a row.

        Raises:
            UnknownNameError: If there is no such row.
            InputError: If its domain or its problem cannot be read.
        """
        row = self._rows.get(task_id)
        if row is None:
            raise UnknownNameError("task", task_id, self._rows, where=self.name)
        domain = parse_domain(row.domain, source=f"{row.where}: domain")
        problem = None
        if row.problem:
            problem = parse_problem(row.problem, domain=domain, source=row.where)
        return Task.question(
            task_id,
            row.text,
            name=PROBLEMS if problem else DOMAINS,
            goal=row.problem or row.domain,
            metadata={"reference": PddlReference(row, domain, problem)},
        )


def _prompt_problem(task: Task) -> str | None:
    """Return the prompt for a problem, or None if the task has a domain or no text."""
    reference = task.about("reference", PddlReference)
    if reference.problem is None or not task.instruction:
        return None
    return (
        f"{task.instruction}\n\nThe domain is\n\n{reference.row.domain}\n\n"
        "Write the problem in PDDL. Answer with the problem only."
    )


def _prompt_domain(task: Task) -> str | None:
    """Return the prompt for a domain, or None if the task has a problem or no text."""
    reference = task.about("reference", PddlReference)
    if reference.problem is not None or not task.instruction:
        return None
    return f"{task.instruction}\n\nWrite the domain in PDDL. Answer with the domain only."


# A folder may have rows of both kinds, so that each ability meets tasks of the other.
_NOT_ASKED = Result("excluded", notes=("the task asks for something else",))


def _evaluate_domain(task: Task, answer: str | None, semantics: Semantics) -> Result:  # noqa: ARG001
    """Evaluate a domain. None stands for a missing answer."""
    reference = task.about("reference", PddlReference)
    if reference.problem is not None:
        return _NOT_ASKED
    return evaluate_domain(reference.domain, None, answer)


def _evaluate_problem(task: Task, answer: str | None, semantics: Semantics) -> Result:  # noqa: ARG001
    """Evaluate a problem. None stands for a missing answer."""
    reference = task.about("reference", PddlReference)
    if reference.problem is None:
        return _NOT_ASKED
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,), measures=measures_of(set(), _SHARES))
    reading = read_definition(answer, "problem")
    try:
        # Names of the domain are given, so that only the problem is the model's.
        problem = parse_problem(reading.text, domain=reference.domain, source="the answer")
    except InputError as error:
        finding = Finding(ErrorKind.PARSING, str(error))
        return Result("evaluated", findings=(finding,), measures=measures_of(set(), _SHARES))
    notes = []
    if reading.rule:
        notes.append(f"{reading.count} problems{CHOSEN_BY}{reading.rule}")
    try:
        return _compare(reference, reference.problem, problem, notes)
    except EaiError as error:
        finding = Finding(ErrorKind.PARSING, f"the problem cannot be run: {error.what}")
        return Result("evaluated", findings=(finding,), measures=measures_of(set(), _SHARES))


def _compare(
    reference: PddlReference, right: Problem, problem: Problem, notes: list[str]
) -> Result:
    """Compare a problem with the reference, and append observations to ``notes``."""
    domain = reference.domain
    comparison = equivalent_problems(domain, right, problem, is_joint=reference.row.is_joint)
    notes += str(comparison).splitlines()
    # True, False, or None if the budget ended before it was known.
    test_results = {
        "solvable": _is_solvable(domain, problem, notes),
        "same_plan": _reference_plan_works(reference, problem, comparison, notes),
    }
    shares = {key for key, passes in test_results.items() if passes}
    for difference in comparison.differences:
        shares.add(f"wrong_{difference.kind.replace(' ', '_')}")
    # Undecided tests are left out of the means, where a 0 would count as a failure.
    measured: list[str] = []
    for key in _SHARES:
        if key not in test_results or test_results[key] is not None:
            measured.append(key)
    findings: tuple[Finding, ...] = ()
    if comparison.verdict == "undecided":
        findings = (Finding(ErrorKind.BEYOND_BUDGET, comparison.reason),)
    return Result(
        "evaluated",
        success=bool(comparison),
        executable=True,
        findings=findings,
        notes=tuple(notes),
        measures=measures_of(shares, measured),
    )


def _is_solvable(domain: Domain, problem: Problem, notes: list[str]) -> bool | None:
    """Return whether an answer's problem has a plan, or None, with a note, if it is unknown."""
    searched = plan(domain, problem, budget=SEARCH)
    if not searched.settled:
        notes.append(f"not known whether it is solvable: {searched.reason}")
        return None
    return searched.solved


def _reference_plan_works(
    reference: PddlReference, problem: Problem, comparison: ProblemComparison, notes: list[str]
) -> bool | None:
    """Return whether the reference's plan, renamed, solves an answer's problem, or None.

    None, and a note, if no plan of the reference is known.
    """
    searched = reference.solution
    if searched.plan is None:
        notes.append(f"no plan of the reference is known: {searched.reason}")
        return None
    renamed = []
    for step in searched.plan:
        arguments = tuple([comparison.renaming.get(name, name) for name in step.arguments])
        renamed.append(Action(step.name, arguments))
    return validate(reference.domain, problem, tuple(renamed)).valid


PROBLEM_VIEW = translation_view(
    "Problems",
    {"relation": ("Relation to the reference", _SHARES)},
    basis="what differs: of all answers",
    caption="Problems written for texts",
)
"""How reports show problems: right ones, and in what others differ."""
