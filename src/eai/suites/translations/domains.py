"""Domains that models write, compared by names, by clauses and by what they do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eai.abilities import match_operators, unmatched
from eai.answers import read_definition
from eai.budget import Budget
from eai.diagnosis import ErrorKind, Finding, Result
from eai.diagnosis.result import CHOSEN_BY, Measure
from eai.errors import EaiError, InputError
from eai.pddl import Domain, Problem, parse_domain
from eai.planning import DomainComparison, equivalent_domains, in_names_of, plan, validate
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
    """Ask for the domain of a task, given its problem and the names of its actions."""
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
    return evaluate_domain(task.start.layout.domain, (task.problem,), answer)


def evaluate_domain(reference: Domain, problems: Sequence[Problem], answer: str | None) -> Result:
    """Evaluate a domain; None stands for a missing answer.

    Args:
        reference: The right domain.
        problems: Problems in whose reachable states domains are compared, and whose plans of each
            domain are validated in the other; perhaps none.
        answer: What the model wrote.
    """
    keys = [*_F1]
    if problems:
        keys += _PLANS
    no_measures = tuple([Measure(key, 0, 1) for key in keys])
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,), measures=no_measures)
    reading = read_definition(answer, "domain")
    try:
        domain = parse_domain(reading.text, source="the answer")
        comparison = equivalent_domains(reference, domain, problems)
        # Names are matched first, so that a domain in other words is not all wrong.
        renamed = in_names_of(reference, domain, comparison.names)
        measures = [*_f1(reference, renamed, comparison), *_plans(reference, renamed, problems)]
    except InputError as error:
        finding = Finding(ErrorKind.PARSING, str(error))
        return Result("evaluated", findings=(finding,), measures=no_measures)
    notes = []
    if reading.rule:
        notes.append(f"{reading.count} domains{CHOSEN_BY}{reading.rule}")
    findings: tuple[Finding, ...] = ()
    if comparison.verdict == "undecided":
        findings = (Finding(ErrorKind.BEYOND_BUDGET, comparison.reason),)
    return Result(
        "evaluated",
        success=bool(comparison),
        executable=True,
        findings=findings,
        notes=(*notes, *str(comparison).splitlines()),
        measures=tuple(measures),
    )


def _f1(reference: Domain, renamed: Domain, comparison: DomainComparison) -> list[Measure]:
    """Return F1 of names and of clauses, after the names of the answer were matched."""
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


def _plans(reference: Domain, renamed: Domain, problems: Sequence[Problem]) -> list[Measure]:
    """Return for how many problems a plan of each domain is valid in the other."""
    if not problems:
        return []
    works = dict.fromkeys(_PLANS, 0)
    for problem in problems:
        works["sound"] += _plan_works(renamed, reference, problem)
        works["complete"] += _plan_works(reference, renamed, problem)
    return [Measure(key, number, len(problems)) for key, number in works.items()]


def _plan_works(first: Domain, second: Domain, problem: Problem) -> bool:
    """Return whether a plan of one domain was found, and is valid in the other."""
    try:
        steps = plan(first, problem, budget=SEARCH).plan
        return steps is not None and validate(second, problem, steps).valid
    except EaiError:
        return False  # the problem names something that one of them does not have


DOMAIN_VIEW = translation_view(
    "Domains",
    {"f1": ("F1 after matching names", _F1), "plans": ("Plans of one in the other", _PLANS)},
    basis="F1: mean over answers",
)
"""How reports show domains: right ones, F1, and plans of one that are valid in the other."""
