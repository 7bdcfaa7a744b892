"""Domains that models write, compared by names, by clauses and by what they do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from eai.abilities import match_operators, unmatched
from eai.answers import read_definition
from eai.budget import Budget
from eai.diagnosis import ErrorKind, Finding, Result
from eai.diagnosis.result import CHOSEN_BY, Measure
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
        answer: What the model wrote.
    """
    keys = [*_F1]
    problems = []
    if problem is not None:
        keys += _PLANS
        problems.append(problem)
    no_measures = tuple([Measure(key, 0, 1) for key in keys])
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,), measures=no_measures)
    reading = read_definition(answer, "domain")
    notes: list[str] = []
    if reading.rule:
        notes.append(f"{reading.count} domains{CHOSEN_BY}{reading.rule}")
    try:
        domain = parse_domain(reading.text, source="the answer")
        comparison = equivalent_domains(reference, domain, problems)
        # Names are matched first, so that a domain in other words is not all wrong.
        renamed = in_names_of(reference, domain, comparison.names)
        notes += str(comparison).splitlines()
        measures = [
            *_f1(reference, renamed, comparison),
            *_plans(reference, renamed, problem, notes),
        ]
    except InputError as error:
        finding = Finding(ErrorKind.PARSING, str(error))
        return Result("evaluated", findings=(finding,), measures=no_measures)
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


def _f1(reference: Domain, renamed: Domain, comparison: DomainComparison) -> list[Measure]:
    """Return the F1 of names and of clauses after matching the answer's names."""
    sizes = {
        "predicate_f1": (reference.predicates, renamed.predicates, comparison.names.predicates),
        "action_f1": (reference.operators, renamed.operators, comparison.names.actions),
    }
    measures = []
    for key, (own, others, matched) in sizes.items():
        measures.append(_ratio(key, len(matched), len(own), len(others)))
    shared = [0, 0]
    extra = [0, 0]
    missing = [0, 0]
    matched_actions = set(comparison.names.actions.values())
    for name in dict.fromkeys((*reference.operators, *renamed.operators)):
        # Actions without a partner count with all their clauses, as missing or as extra.
        if name in matched_actions:
            overlaps = match_operators(renamed.operators[name], reference.operators[name])
        else:
            is_predicted = name in renamed.operators
            domain = renamed if is_predicted else reference
            overlaps = unmatched(domain.operators[name], predicted=is_predicted)
        for part, overlap in enumerate(overlaps):
            shared[part] += _sum(overlap.shared)
            extra[part] += _sum(overlap.extra)
            missing[part] += _sum(overlap.missing)
    for part, key in enumerate(("precondition_f1", "effect_f1")):
        both = shared[part]
        measures.append(_ratio(key, both, both + missing[part], both + extra[part]))
    return measures


def _sum(counts: Mapping[str, int]) -> int:
    return sum(counts.values())


def _ratio(key: str, shared: int, own: int, others: int) -> Measure:
    """Return F1 as a measure; nothing on both sides is all right."""
    return Measure(key, 2 * shared, own + others) if own + others else Measure(key, 1, 1)


def _plans(
    reference: Domain, renamed: Domain, problem: Problem | None, notes: list[str]
) -> list[Measure]:
    """Return for each domain whether one of its plans is valid in the other domain.

    What is not known is left out, with a note.
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
    """Return whether a plan in the answer's domain is valid in the reference, or None."""
    try:
        found = plan(renamed, problem, budget=SEARCH)
    except EaiError:
        return False  # the problem names something that the answer does not have
    if not found.settled:
        notes.append(f"not known whether its plans work: {found.reason}")
        return None
    return found.plan is not None and validate(reference, problem, found.plan).valid


def _reference_plan_works(
    reference: Domain, renamed: Domain, problem: Problem, notes: list[str]
) -> bool | None:
    """Return whether a plan in the reference domain is valid in the answer's, or None."""
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
