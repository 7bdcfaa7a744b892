"""PDDL text to domains, problems and conditions that are in order.

The first mistake is a :class:`~eai.errors.ParseError` with its line and column, what was expected
there, and, for a name that is not declared, the nearest declared ones. To get all of them, and
what can be read in spite of them, see :mod:`eai.pddl.readers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Union

from eai.logic.formula import TRUE, Formula, Variable
from eai.pddl.brackets import nest
from eai.pddl.check import check_axioms, check_condition
from eai.pddl.conditions import ConditionReader
from eai.pddl.domains import axiom_of
from eai.pddl.files import read_file
from eai.pddl.issues import Issue
from eai.pddl.model import Axiom, Domain, Problem
from eai.pddl.readers import begin, outermost, read_domain, read_problem

__all__ = [
    "load_domain",
    "load_problem",
    "parse_axioms",
    "parse_condition",
    "parse_domain",
    "parse_problem",
]

_Path = Union[str, Path]


def parse_domain(text: str, *, source: str = "domain") -> Domain:
    """Read a domain.

    Args:
        text: ``(define (domain NAME) ...)``.
        source: Name of the text for messages.

    Raises:
        ParseError: The text is not a domain, or it uses what it does not declare.
    """
    domain, issues = read_domain(text, source=source)
    _refuse(issues)
    return domain


def parse_problem(text: str, *, domain: Domain | None = None, source: str = "problem") -> Problem:
    """Read a problem.

    Args:
        text: ``(define (problem NAME) ...)``.
        domain: The domain; without it, predicates, types and arities are not checked.
        source: Name of the text for messages.

    Raises:
        ParseError: The text is not a problem, or it uses what is not declared.
    """
    problem, issues = read_problem(text, domain=domain, source=source)
    _refuse(issues)
    return problem


def parse_condition(
    text: str,
    *,
    domain: Domain | None = None,
    objects: Mapping[str, str] | None = None,
    variables: Sequence[Variable] = (),
    source: str = "condition",
) -> Formula:
    """Read one condition.

    Args:
        text: ``(and (on a b) ...)``.
        domain: What the condition may mention; without it, only its variables are checked.
        objects: Objects besides the domain's constants, with their types.
        variables: Variables that are bound outside of the condition.
        source: Name of the text for messages.

    Raises:
        ParseError: The text is not a condition, or it uses what is not declared.
    """
    reading = begin(text, source)
    form = outermost(reading, "condition", "a condition in brackets")
    scope = {variable.name: variable for variable in variables}
    formula = ConditionReader(reading).condition(form, scope) if form else None
    formula = TRUE if formula is None else formula
    _refuse(reading.found(check_condition(formula, domain, objects=objects, variables=variables)))
    return formula


def parse_axioms(text: str, domain: Domain, *, source: str = "axioms") -> tuple[Axiom, ...]:
    """Read rules for derived predicates that stand alone.

    Args:
        text: ``(:derived (HEAD ?x ...) CONDITION)``, any number of times.
        domain: What the rules may mention; it declares the derived predicates, too.
        source: Name of the text for messages.

    Raises:
        ParseError: The text is something else, or it uses what is not declared.
    """
    reading = begin(text, source)
    forms = nest(reading, "sections")
    found = [axiom_of(reading, form, domain.predicates) for form in forms]
    axioms = tuple([axiom for axiom in found if axiom is not None])
    _refuse(reading.found(check_axioms(axioms, domain)))
    return axioms


def load_domain(path: _Path) -> Domain:
    """Read a domain file (UTF-8).

    Raises:
        InputError: The file cannot be read; a ParseError if it is not a domain.
    """
    return parse_domain(read_file(path), source=str(path))


def load_problem(path: _Path, *, domain: Domain | None = None) -> Problem:
    """Read a problem file (UTF-8).

    Raises:
        InputError: The file cannot be read; a ParseError if it is not a problem.
    """
    return parse_problem(read_file(path), domain=domain, source=str(path))


def _refuse(issues: Iterable[Issue]) -> None:
    """Raise the first error among issues that are in the order of the text."""
    for issue in issues:
        if issue.severity == "error":
            raise issue.error()
