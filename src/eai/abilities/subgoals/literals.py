"""Subgoals as one formula that is flattened to literals, as the published evaluators read them.

The entries of an answer are joined by ``then`` and parsed in the published grammar. Of the
formula only its literals count, in reading order. The first thing that is wrong is the only one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from eai.abilities.subgoals.notation import parse_subgoals
from eai.answers.plan import shorten
from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import ParseError, nearest
from eai.logic import format_formula
from eai.logic.formula import And, Atom, Formula, Not, Or, Then, atoms

__all__ = ["Names", "flattened", "listed_entries", "parsed", "unparseable"]

_BLOCK = re.compile(r"\{[^{}]*\}", re.DOTALL)


@dataclass(frozen=True)
class Names:
    """The names that subgoals may use.

    Args:
        arities: Predicate or action, as it has to be written, to its number of objects; None
            for a name that is known and stops the published evaluator.
        object_of: Name of an object as written to the object; None if there is no such object.
        fold: Whether letter case does not matter; then all names are in lower case.
        later: Names whose number of objects is looked at after that of all others.
    """

    arities: Mapping[str, int | None]
    object_of: Callable[[str], str | None]
    fold: bool = False
    later: Collection[str] = ()

    def key(self, name: str) -> str:
        """How a primitive's name is looked up."""
        return name.lower() if self.fold else name

    def check(self, formula: Formula) -> Finding | None:
        """The first unknown primitive, else mixed ``and``, else number of objects, else object."""
        primitives = list(_primitives(formula))
        primitives.sort(key=lambda atom: self.key(atom.predicate) in self.later)
        first = next(filter(None, map(self._unknown, primitives)), None) or _mixed(formula)
        if first is not None:
            return first
        for look in (self._unfit, self._absent):
            found = next(filter(None, map(look, primitives)), None)
            if found is not None:
                return found
        return None

    def _unknown(self, atom: Atom) -> Finding | None:
        if self.key(atom.predicate) in self.arities:
            return None
        near = nearest(atom.predicate, self.arities)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        message = f"{shorten(atom.predicate)} is not a predicate or action of subgoals{hint}"
        return _of(atom, ErrorKind.ACTION_HALLUCINATION, message)

    def _unfit(self, atom: Atom) -> Finding | None:
        arity, given = self.arities[self.key(atom.predicate)], len(atom.terms)
        if arity is None:
            return unparseable(f"the published evaluator stops at {format_formula(atom)}")
        if arity == given:
            return None
        message = f"{atom.predicate} takes {arity} objects, not {given}"
        return _of(atom, ErrorKind.ARGUMENT_NUMBER, message)

    def _absent(self, atom: Atom) -> Finding | None:
        for term in atom.terms:
            if isinstance(term, str) and self.object_of(term) is None:
                message = f"{shorten(term)} is not an object of the scene"
                return _of(atom, ErrorKind.OBJECT_HALLUCINATION, message)
        return None


def listed_entries(answer: str) -> list[str] | Finding:
    """Take the list ``output`` out of the first pair of braces without braces in it."""
    block = _BLOCK.search(answer.strip().replace("}}", "}"))
    try:
        entries = json.loads(block.group())["output"] if block else None
    except (ValueError, KeyError, RecursionError) as error:
        return unparseable(f"the first pair of braces is no JSON object with 'output': {error}")
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        return unparseable("there is no list of texts called 'output'")
    return [entry.strip() for entry in entries]


def parsed(entries: Iterable[str]) -> Formula | Finding:
    """Parse entries, joined by ``then``, in the published grammar."""
    try:
        return parse_subgoals(" then ".join(entries))
    except ParseError as error:
        place = error.position + 1
        return unparseable(f"the subgoals are no formula: {error.what}, at character {place}")


def flattened(formula: Formula) -> tuple[Formula, ...] | Finding:
    """The literals of a formula in reading order; of a disjunction those of the first operand.

    The published evaluator draws an operand at random.
    """
    literals = tuple(_literals(formula))
    odd = next((literal for literal in literals if not _is_literal(literal)), None)
    if odd is not None:
        return unparseable(f"{format_formula(odd)} has no literals")
    return literals


def unparseable(message: str) -> Finding:
    """What the published evaluator calls not parseable."""
    return Finding(ErrorKind.PARSING, message)


def _mixed(formula: Formula) -> Finding | None:
    """What the published parser refuses, but behind the primitives, which it looks up first."""
    for part in formula.walk():
        if isinstance(part, And) and len({operand.has_then for operand in part.operands}) > 1:
            return unparseable("'and' joins what is a sequence with what is none")
    return None


def _literals(formula: Formula) -> Iterator[Formula]:
    pending = [formula]
    while pending:
        part = pending.pop()
        if isinstance(part, (And, Then)):
            pending += reversed(part.operands)
        elif isinstance(part, Or):
            pending.append(part.operands[0])
        elif (inner := _denied_twice(part)) is not None:
            pending.append(inner)
        else:
            yield part


def _denied_twice(formula: Formula) -> Formula | None:
    """``not p`` of ``not not not p``; of an even number of negations there are no literals."""
    denied = formula.operand if isinstance(formula, Not) else None
    inner = denied.operand if isinstance(denied, Not) else None
    return inner if isinstance(inner, Not) else None


def _is_literal(formula: Formula) -> bool:
    atom = formula.operand if isinstance(formula, Not) else formula
    return isinstance(atom, Atom)


def _primitives(formula: Formula) -> Iterator[Atom]:
    return (atom for atom in atoms(formula) if isinstance(atom, Atom))


def _of(atom: Atom, kind: ErrorKind, message: str) -> Finding:
    return Finding(kind, message, action=shorten(format_formula(atom)))
