"""PDDL text to models and findings: nothing that a text contains is an exception.

The readers take what models and published files contain (markdown fences, prose and JSON around
the definition, escaped line breaks, brackets missing or extra, misspelt keywords, missing
dashes) and say everything that is wrong with it, in the order of the text.
"""

from __future__ import annotations

import re
from typing import Literal

from eai.pddl.brackets import Frame, nest
from eai.pddl.check import check_domain, check_problem
from eai.pddl.domains import domain_of
from eai.pddl.issues import Issue
from eai.pddl.model import Domain, Problem
from eai.pddl.problems import problem_of
from eai.pddl.reading import Reading
from eai.pddl.sources import Form
from eai.pddl.wrapping import plain_source

__all__ = ["begin", "find_kind", "outermost", "read_domain", "read_problem"]


def read_domain(text: str, *, source: str = "domain") -> tuple[Domain, list[Issue]]:
    """Read a domain as far as it can be read.

    Args:
        text: ``(define (domain NAME) ...)``, whatever stands around it.
        source: Name of the text for messages.

    Returns:
        The domain, and everything that is wrong (``"error"``) or doubtful (``"warning"``), with
        its place. What cannot be read is left out of the domain: a condition or effect that is
        one part of several, a declaration that repeats a name. Without any definition the domain
        is empty and has no name.
    """
    reading = begin(text, source)
    form = outermost(reading, "define", "(define (domain NAME) ...)")
    domain = Domain("") if form is None else domain_of(reading, form)
    return domain, reading.found(check_domain(domain))


def read_problem(
    text: str, *, domain: Domain | None = None, source: str = "problem"
) -> tuple[Problem, list[Issue]]:
    """Read a problem as far as it can be read.

    Args:
        text: ``(define (problem NAME) ...)``, whatever stands around it.
        domain: The domain; without it, predicates, types and arities are not checked.
        source: Name of the text for messages.

    Returns:
        The problem and the findings, as for :func:`read_domain`. Facts about objects that are
        not declared, or not of the declared types, stay in the problem.
    """
    reading = begin(text, source)
    form = outermost(reading, "define", "(define (problem NAME) ...)")
    problem = Problem("", "", objects={}) if form is None else problem_of(reading, form)
    return problem, reading.found(check_problem(problem, domain))


def find_kind(text: str) -> Literal["domain", "problem"] | None:
    """Say what a text defines, by its first ``(define (domain`` or ``(define (problem``."""
    found = _DEFINITION.search(text)
    if found is None:
        return None
    return "domain" if found[1].lower() == "domain" else "problem"


_DEFINITION = re.compile(r"define\s*\(\s*(domain|problem)\b", re.IGNORECASE)


def begin(text: str, source: str) -> Reading:
    """Begin to read a text, without the escapes of a JSON string."""
    reading = Reading(plain_source(text, source))
    if reading.source.text is not text:
        reading.note(
            "escaped-text",
            "the text contains escapes, as if it was cut out of a JSON string",
            text.index("\\"),
            expected="PDDL only",
        )
    return reading


def outermost(reading: Reading, frame: Frame, expected: str) -> Form | None:
    """Take the only outermost form of a text; None if there is none."""
    forms = nest(reading, frame)
    if not forms and not reading.issues:
        reading.note("no-definition", "the text is empty", 0, expected=expected)
    return forms[0] if forms else None
