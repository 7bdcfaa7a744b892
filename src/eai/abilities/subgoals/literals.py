"""The published notation of subgoals (``eai-eval`` 1.0.5), as one formula flattened to literals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from eai.answers.plan import shorten
from eai.diagnosis.result import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import ParseError, nearest
from eai.logic import format_formula, parse_formula
from eai.logic.formula import And, Atom, Formula, Not, Or, Then, atoms

__all__ = ["Names", "flattened", "listed_entries", "parse_subgoals", "parsed", "unparseable"]

_QUANTIFIER = re.compile(r"\b(?:forall|exists|forn)\b(?!\s*\()")
_BLANK = re.compile(r"[ \t\f\r\n]*")
_OBJECT = re.compile(r"[a-zA-Z_-]\w*(?:\.[0-9]+)?")
_OBJECTS = rf"{_OBJECT.pattern}(?:~,~{_OBJECT.pattern})*~"
_PRIMITIVE = re.compile(rf"([a-zA-Z_-]\w*)~\(~((?:{_OBJECTS})?)\)".replace("~", _BLANK.pattern))

_Read = tuple[Formula, int]
"""A formula and the offset of what stands behind it."""


def parse_subgoals(text: str) -> Formula:
    """Parse subgoals that are joined by ``then``.

    Args:
        text: The subgoals.

    Raises:
        ParseError: If the published evaluator cannot parse the text.
    """
    if _QUANTIFIER.search(text):
        return parse_formula(text, dialect="eai", source="subgoals")
    reader = _Reader(text)
    try:
        found = reader.sequence(0)
    except RecursionError:
        raise reader.error("the formula is nested too deeply") from None
    if found is None or reader.behind(found[1]) < len(text):
        raise reader.error("this does not belong here")
    return found[0]


class _Reader:
    """Reads a text from left to right; what is read comes with where to go on, or is None."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._furthest = 0

    def error(self, what: str) -> ParseError:
        """The error at the furthest place that was reached."""
        return ParseError(what, text=self._text, position=self._furthest, source="subgoals")

    def behind(self, at: int) -> int:
        """Where to go on behind blanks."""
        blank = _BLANK.match(self._text, at)
        at = blank.end() if blank else at
        self._furthest = max(self._furthest, at)
        return at

    def sequence(self, at: int) -> _Read | None:
        """Read ``a then b``."""
        return self._joined(at, "then", self._disjunction, Then)

    def _disjunction(self, at: int) -> _Read | None:
        return self._joined(at, "or", self._conjunction, Or)

    def _conjunction(self, at: int) -> _Read | None:
        return self._joined(at, "and", self._unary, And)

    def _joined(
        self,
        at: int,
        word: str,
        part: Callable[[int], _Read | None],
        join: Callable[[tuple[Formula, ...]], Formula],
    ) -> _Read | None:
        parts: list[Formula] = []
        begin: int | None = at
        while begin is not None:
            found = part(begin)
            if found is None:
                return None
            parts.append(found[0])
            at = found[1]
            begin = self._past(word, at)
        return (parts[0] if len(parts) == 1 else join(tuple(parts))), at

    def _unary(self, at: int) -> _Read | None:
        for way in (self._negation, self._enclosed, self._primitive):
            found = way(at)
            if found is not None:
                return found
        return None

    def _negation(self, at: int) -> _Read | None:
        begin = self._past("not", at)
        found = None if begin is None else self._unary(begin)
        return None if found is None else (Not(found[0]), found[1])

    def _enclosed(self, at: int) -> _Read | None:
        begin = self._past("(", at)
        found = None if begin is None else self.sequence(begin)
        end = None if found is None else self._past(")", found[1])
        return None if found is None or end is None else (found[0], end)

    def _primitive(self, at: int) -> _Read | None:
        found = _PRIMITIVE.match(self._text, self.behind(at))
        if found is None:
            return None
        return Atom(found[1], tuple(_OBJECT.findall(found[2]))), found.end()

    def _past(self, word: str, at: int) -> int | None:
        at = self.behind(at)
        return at + len(word) if self._text.startswith(word, at) else None


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
