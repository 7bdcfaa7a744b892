"""Operators in every shape, right and damaged ones, as they were read and matched before.

Run as a script, it reads and matches all of them anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

from answer_operators import OPERATOR_SHAPES, OperatorText
from recorded_cases import read_cases, renew_cases

from eai.abilities import OperatorReading, Overlap, match_operators, read_operators, unmatched
from eai.errors import SchemaError
from eai.logic import Formula, format_formula
from eai.pddl import Operator, clauses, parse_domain
from eai.pddl.text import Place

__all__ = ["answer_of", "recorded", "result_of"]

FILE = Path(__file__).parents[1] / "fixtures" / "operators_in_shapes.jsonl"

DOMAIN = parse_domain("""(define (domain d) (:requirements :adl) (:types thing robot - object)
  (:predicates (on ?x - thing) (next_to ?r - robot ?x - thing) (held ?x) (lit) (in ?x ?y - thing))
  (:action switch_on :parameters (?r - robot ?x - thing)
    :precondition (and (next_to ?r ?x) (not (on ?x)))
    :effect (and (on ?x) (when (held ?x) (lit))))
  (:action walk_towards :parameters (?r - robot ?x - thing) :precondition ()
    :effect (and (next_to ?r ?x) (forall (?y - thing) (when (in ?x ?y) (not (next_to ?r ?y))))))
  (:action put :parameters (?r - robot ?x ?y - thing)
    :precondition (or (held ?x) (exists (?z - thing) (in ?x ?z)))
    :effect (and (in ?x ?y) (not (held ?x)))))""")
NAMES: tuple[str, ...] = (
    "switch_on",
    "walk_towards",
    "put",
    "Switch_On",
    "fly",
    "walk towards",
    "switch-on",
)
PARAMETERS: tuple[str, ...] = (
    "(?r - robot ?x - thing)",
    "(?r - robot ?x ?y - thing)",
    "(?x ?r)",
    "(?x - thing)",
    "()",
)
PARAMETERS += ("(?r ?x - thing)", "(?x - ghost)", "?r ?x", "[?r, ?x]", "(r x)", "")
TERMS: tuple[str, ...] = (
    "(on ?x)",
    "(next_to ?r ?x)",
    "(held ?x)",
    "(lit)",
    "(in ?x ?y)",
    "(on ?z)",
    "(shiny ?x)",
)
TERMS += ("(on ?x ?y)", "(= ?x ?y)", "(held cup)", "on(?x)", "(on x)")
CONDITIONS: tuple[str, ...] = (
    "{}",
    "{}",
    "(and {} {})",
    "(not {})",
    "(or {} (not {}))",
    "(imply {} {})",
    "()",
)
CONDITIONS += (
    "(exists (?z - thing) {})",
    "(forall (?y - thing) (not {}))",
    "(and {} (not {}))",
    "",
)
CONDITIONS += ("(and (and {} {}) {})", "(not (not {}))", "{} {}", "(when {} {})", "(and)")
EFFECTS: tuple[str, ...] = (
    "{}",
    "(and {} {})",
    "(and {} (not {}))",
    "(not {})",
    "(when {} {})",
    "(and)",
    "()",
    "{} {}",
)
EFFECTS += (
    "(forall (?y - thing) (when {} (not {})))",
    "(and {} (when (and {} {}) {}))",
    "(or {} {})",
)
DAMAGE: tuple[str, ...] = (
    "(",
    ")",
    ":effect",
    ";",
    "-",
    "?",
    " ",
    "\n",
    "and",
    '"',
    "\\n",
    "}",
    "not ",
    ",",
    "<!-- -->",
)


def _term_in(random: Random, form: str) -> str:
    """Return a form with random terms in it; those that the domain knows are more likely."""
    count = form.count("{}")
    return form.format(*(random.choice(TERMS[:5] * 2 + TERMS) for _ in range(count)))


def _operator(random: Random) -> OperatorText:
    """Return a random operator, which may be one of the domain with a part exchanged."""
    return OperatorText(
        random.choice(NAMES[:3] * 3 + NAMES),
        random.choice(PARAMETERS[:2] * 4 + PARAMETERS),
        _term_in(random, random.choice(CONDITIONS)),
        _term_in(random, random.choice(EFFECTS)),
    )


def answer_of(number: int) -> str:
    """Return a random answer to transition modeling."""
    random = Random(f"operators {number}")
    operators = [_operator(random) for _ in range(random.choice((1, 1, 2, 3)))]
    text = random.choice(list(OPERATOR_SHAPES.values()))(operators)
    if random.random() < 0.35:
        begin = random.randrange(len(text) + 1)
        end = begin + random.choice((0, 0, 1, 2, 8))
        text = text[:begin] + random.choice((*DAMAGE, "")) + text[end:]
    return text


def told(text: str) -> list[str]:
    """Return the names and numbers that a text tells, in order, without its words."""
    return re.findall(r"'[^']*'|[\w.?-]*[_?][\w?-]+|\d+", text)


def _shown(formula: Formula) -> str:
    """Return a formula as text; only its kind if a name in it has no notation."""
    try:
        return format_formula(formula)
    except SchemaError:
        return type(formula).__name__


def _parts(operator: Operator) -> list[Any]:
    """Return an operator in its parts, as texts."""
    effects = [
        [[str(variable) for variable in variables], _shown(condition), added, _shown(atom)]
        for variables, condition, added, atom in clauses(operator.effect)
    ]
    parameters = [[each.name, *each.types] for each in operator.parameters]
    return [operator.name, parameters, _shown(operator.precondition), effects]


def _place(place: Place | None) -> list[int] | None:
    """Return an offset with its line and column."""
    return None if place is None else [place.position, place.line, place.column]


def _read(reading: OperatorReading) -> list[Any]:
    """Return what was read, with the places of all that is wrong."""
    operators = []
    for each in reading.operators:
        issues = [
            [str(issue.kind), _place(issue.place), told(issue.message)] for issue in each.issues
        ]
        operators.append([*_parts(each.operator), _place(each.place), issues])
    outside = [[str(issue.kind), _place(issue.place)] for issue in reading.outside]
    problems = [position for _, position in reading.problems]
    return [operators, outside, [told(note) for note in reading.notes], problems]


def _overlap(overlap: Overlap) -> list[Any]:
    """Return an overlap as it is kept."""
    return [overlap.part, dict(overlap.shared), dict(overlap.extra), dict(overlap.missing)]


def result_of(number: int) -> list[Any]:
    """Return what is read out of an answer, and how it matches the operators of the domain."""
    reading = read_operators(answer_of(number), DOMAIN, tuple(DOMAIN.operators))
    found: list[Any] = [_read(reading)]
    for each in reading.operators:
        annotated = DOMAIN.operators.get(each.operator.name)
        if annotated is not None:
            found.append(list(map(_overlap, match_operators(each.operator, annotated))))
        else:
            found.append(list(map(_overlap, unmatched(each.operator, predicted=number % 2 == 0))))
    kept: list[Any] = json.loads(json.dumps(found))
    return kept


def recorded() -> list[tuple[int, list[Any]]]:
    """Return the numbers of answers, each with its result."""
    return read_cases(FILE)


if __name__ == "__main__":
    renew_cases(FILE, result_of)
