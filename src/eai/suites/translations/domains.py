"""Domains that models write, compared by names, by clauses and by what they do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from eai.abilities import Overlap, match_operators, unmatched
from eai.answers import read_definition
from eai.budget import Budget
from eai.diagnosis import ErrorKind, Finding, Result
from eai.diagnosis.parts import Measure
from eai.diagnosis.result import CHOSEN_BY
from eai.errors import EaiError, InputError
from eai.pddl import Domain, Problem, format_domain, format_problem, parse_domain
from eai.planning import (
    DomainComparison,
    PlanningResult,
    equivalent_domains,
    in_names_of,
    plan,
    validate,
)
from eai.semantics import Semantics
from eai.suites.pddl.tasks import PddlTask
from eai.suites.translations.views import translation_view
from eai.task import Task

# Measure to its heading: how well names and clauses agree.
_F1 = {
    "predicate_f1": "Predicate F1",
    "action_f1": "Action F1",
    "precondition_f1": "Precondition F1",
    "effect_f1": "Effect F1",
}
# Measure to its heading: whether plans of each domain work in the other.
_PLANS = {"sound": "Its plans work", "complete": "Reference plans work"}
SEARCH = Budget(states=20_000, instances=5_000_000)
"""Budget of a plan for a problem."""


def prompt(task: Task) -> str | None:
    """Return the prompt for a task's domain, with its problem and the names of its actions."""
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    domain = task.start.layout.domain
    actions = ", ".join(domain.operators)
    predicates = ", ".join(domain.predicates)
    return (
        f"The problem is\n\n{task.texts[1].strip()}\n\nWrite its domain in PDDL, with the "
        f"predicates {predicates} and the actions {actions}. Answer with the domain only."
    )


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:  # noqa: ARG001
    """Evaluate the domain that an answer writes for a task of a suite of problems."""
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    return evaluate_domain(task.start.layout.domain, task.problem, answer)


def evaluate_domain(reference: Domain, problem: Problem | None, answer: str | None) -> Result:
    """Evaluate a domain. None stands for a missing answer.

    Args:
        reference: The right domain.
        problem: A problem in whose reachable states domains are compared, and whose plans of each
            domain are validated in the other; None to compare them in all states.
        answer: The model's answer.
    """
    measure_keys = [*_F1]
    problems = []
    if problem is not None:
        measure_keys += _PLANS
        problems.append(problem)
    zero_measures = tuple([Measure(key, 0, 1) for key in measure_keys])
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,), measures=zero_measures)
    reading = read_definition(answer, "domain")
    notes: list[str] = []
    if reading.rule:
        notes.append(f"{reading.count} domains{CHOSEN_BY}{reading.rule}")
    try:
        domain = parse_domain(reading.text, source="the answer")
        comparison = equivalent_domains(reference, domain, problems)
        # Names are matched first, so that a domain with other names can be compared.
        renamed = in_names_of(reference, domain, comparison.names)
        notes += str(comparison).splitlines()
        measures = [
            *_f1_measures(reference, renamed, comparison),
            *_plans(reference, renamed, problem, notes),
        ]
    except InputError as error:
        finding = Finding(ErrorKind.PARSING, str(error))
        return Result("evaluated", findings=(finding,), measures=zero_measures)
    findings: tuple[Finding, ...] = ()
    if comparison.verdict == "undecided":
        findings = (Finding(ErrorKind.BEYOND_BUDGET, comparison.reason),)
    return Result(
        "evaluated",
        success=bool(comparison),
        executable=True,
        findings=findings,
        notes=tuple(notes),
        measures=tuple(measures),
    )


def _f1_measures(reference: Domain, renamed: Domain, comparison: DomainComparison) -> list[Measure]:
    """Return the F1 scores of names and of clauses after matching the answer's names.

    Args:
        reference: The domain of the task.
        renamed: The domain of the answer, with the names of the reference where they match.
        comparison: The comparison of both, with the matched names.
    """
    names = comparison.names
    measures = [
        _ratio(
            "predicate_f1",
            len(names.predicates),
            len(reference.predicates),
            len(renamed.predicates),
        ),
        _ratio("action_f1", len(names.actions), len(reference.operators), len(renamed.operators)),
    ]
    # Of each action the overlaps of its precondition and of its effect, in this order.
    overlaps_of_actions = []
    matched_actions = set(names.actions.values())
    for name in dict.fromkeys((*reference.operators, *renamed.operators)):
        overlaps_of_actions.append(
            _clause_overlaps(name, reference, renamed, is_matched=name in matched_actions)
        )
    # The clauses of all actions are counted together, so that longer actions count more.
    for part_index, key in enumerate(("precondition_f1", "effect_f1")):
        overlaps = [overlaps_of_parts[part_index] for overlaps_of_parts in overlaps_of_actions]
        n_shared = sum(_sum(overlap.shared) for overlap in overlaps)
        n_extra = sum(_sum(overlap.extra) for overlap in overlaps)
        n_missing = sum(_sum(overlap.missing) for overlap in overlaps)
        measures.append(_ratio(key, n_shared, n_shared + n_missing, n_shared + n_extra))
    return measures


def _sum(counts: Mapping[str, int]) -> int:
    return sum(counts.values())


def _clause_overlaps(
    name: str, reference: Domain, renamed: Domain, *, is_matched: bool
) -> tuple[Overlap, Overlap]:
    """Return the overlaps of the precondition and the effect of an action in two domains.

    An action without a partner counts with all its clauses: as missing if the reference has it, or
    as extra if the answer has it.

    Args:
        name: Name of the action.
        reference: The domain of the task.
        renamed: The domain of the answer, in names of the reference.
        is_matched: Whether the action has a partner in the other domain.
    """
    if is_matched:
        return match_operators(renamed.operators[name], reference.operators[name])
    if name in renamed.operators:
        return unmatched(renamed.operators[name], predicted=True)
    return unmatched(reference.operators[name], predicted=False)


def _ratio(key: str, shared: int, expected: int, predicted: int) -> Measure:
    """Return the F1 of two sets as a measure; two empty sets agree.

    Args:
        key: Name of the measure.
        shared: Number of elements that both sets have.
        expected: Size of the set of the reference.
        predicted: Size of the set of the answer.
    """
    if expected + predicted == 0:
        return Measure(key, 1, 1)
    return Measure(key, 2 * shared, expected + predicted)


def _plans(
    reference: Domain, renamed: Domain, problem: Problem | None, notes: list[str]
) -> list[Measure]:
    """Return for each domain whether one of its plans is valid in the other domain.

    Undecided directions are left out, with a note.

    Args:
        reference: The domain of the task.
        renamed: The domain of the answer, in names of the reference.
        problem: The problem; None for none.
        notes: Notes on undecided directions are added here.
    """
    if problem is None:
        return []
    works = {
        "sound": _its_plan_works(renamed, reference, problem, notes),
        "complete": _reference_plan_works(reference, renamed, problem, notes),
    }
    return [Measure(key, int(works), 1) for key, works in works.items() if works is not None]


def _its_plan_works(
    renamed: Domain, reference: Domain, problem: Problem, notes: list[str]
) -> bool | None:
    """Return whether a plan in the answer's domain is valid in the reference, or None.

    Args:
        renamed: The domain of the answer, in names of the reference.
        reference: The domain of the task.
        problem: The problem.
        notes: A note is added here if nothing is decided.
    """
    try:
        result = plan(renamed, problem, budget=SEARCH)
    except EaiError:
        return False  # the problem names something that the answer does not have
    if not result.settled:
        notes.append(f"not known whether its plans work: {result.reason}")
        return None
    return result.plan is not None and validate(reference, problem, result.plan).valid


def _reference_plan_works(
    reference: Domain, renamed: Domain, problem: Problem, notes: list[str]
) -> bool | None:
    """Return whether a plan in the reference domain is valid in the answer's, or None.

    Args:
        reference: The domain of the task.
        renamed: The domain of the answer, in names of the reference.
        problem: The problem.
        notes: A note is added here if nothing is decided.
    """
    searched = _solution(format_domain(reference), format_problem(problem))
    if searched.plan is None:
        notes.append(f"no plan of the reference is known: {searched.reason}")
        return None
    try:
        return validate(renamed, problem, searched.plan).valid
    except EaiError:
        return False  # the problem names something that the answer does not have


@lru_cache(maxsize=64)
def _solution(domain: str, problem: str) -> PlanningResult:
    """Return a plan in a reference domain. It is cached for all answers to a task.

    Texts are keys, since models of a domain have no hash.
    """
    return plan(domain, problem, budget=SEARCH)


DOMAIN_VIEW = translation_view(
    "Domains",
    {"f1": ("F1 after matching names", _F1), "plans": ("Plans of one in the other", _PLANS)},
    basis="F1: mean over answers",
)
"""How reports show domains: right ones, F1, and plans of one that are valid in the other."""
