"""The published notation of subgoals (``eai-eval`` 1.0.5), as one formula flattened to literals."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from eai.answers import LONGEST, near_hint, shorten
from eai.diagnosis import ErrorKind, Finding
from eai.errors import InputError, ParseError, nearest
from eai.logic import And, Atom, Formula, Not, Or, Then, atoms, format_formula, parse_formula
from eai.nesting import NESTING_LIMIT, load_json, on_own_stack
from eai.text import counted

_QUANTIFIER = re.compile(r"\b(?:forall|exists|forn)\b(?!\s*\()")
_BLANK = re.compile(r"[ \t\f\r\n]*")
_OBJECT = re.compile(r"[a-zA-Z_-]\w*(?:\.[0-9]+)?")
_OBJECTS = rf"{_OBJECT.pattern}(?:~,~{_OBJECT.pattern})*~"
_PRIMITIVE = re.compile(rf"([a-zA-Z_-]\w*)~\(~((?:{_OBJECTS})?)\)".replace("~", _BLANK.pattern))

BRACKETS = 140
"""Most brackets inside each other. The published parser, which recurses, ends at Python's limit on
recursion, and so somewhat earlier or later with every caller; here the limit is counted."""

_Read = tuple[Formula, int]
"""A formula and the offset after it."""


def parse_subgoals(text: str) -> Formula:
    """Parse subgoals that are joined by ``then``.

    Raises:
        ParseError: If the published evaluator cannot parse the text, or it is too long.
    """
    if len(text) > LONGEST:
        raise ParseError(
            f"the subgoals have {len(text):,} characters",
            text=text,
            position=LONGEST,
            expected=f"at most {LONGEST:,}",
            source="subgoals",
        )
    if _QUANTIFIER.search(text):
        return parse_formula(text, dialect="eai", source="subgoals")
    return _Reader(text).whole()


class _Reader:
    """Reads a text from left to right.

    Methods return the formula that begins at an offset and the offset after it, or None.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._furthest = 0
        self._brackets = 0
        self._negations = 0

    @on_own_stack
    def whole(self) -> Formula:
        """Return the formula that is the whole text."""
        try:
            result = self._sequence(0)
        except InputError as error:  # connectives and negations together are too deep
            raise self._error(error.what) from None
        if result is None or self._behind(result[1]) < len(self._text):
            raise self._error("this does not belong here")
        return result[0]

    def _error(self, what: str) -> ParseError:
        """Return the error at the furthest offset that was reached."""
        return ParseError(what, text=self._text, position=self._furthest, source="subgoals")

    def _behind(self, at: int) -> int:
        """Return the offset after blanks."""
        blank = _BLANK.match(self._text, at)
        at = blank.end() if blank else at
        self._furthest = max(self._furthest, at)
        return at

    def _sequence(self, offset: int) -> _Read | None:
        """Read operands that are joined by ``and``, ``or`` and ``then``, which bind in this order.

        One method reads all three, because every bracket needs its stack frames: a method for each
        connective would exhaust the stack of Python earlier.
        """
        then_operands: list[Formula] = []
        or_operands: list[Formula] = []
        and_operands: list[Formula] = []
        while True:
            result = self._unary(offset)
            if result is None:
                return None
            operand, offset = result
            # Each connective closes the levels that bind more tightly: "a and b or c then d" is
            # read as ((a and b) or c) then d.
            and_operands.append(operand)
            after_connective = self._past("and", offset)
            if after_connective is not None:
                offset = after_connective
                continue
            or_operands.append(_joined(And, and_operands))
            and_operands = []
            after_connective = self._past("or", offset)
            if after_connective is not None:
                offset = after_connective
                continue
            then_operands.append(_joined(Or, or_operands))
            or_operands = []
            after_connective = self._past("then", offset)
            if after_connective is None:
                return _joined(Then, then_operands), offset
            offset = after_connective

    def _unary(self, offset: int) -> _Read | None:
        """Read a negation, a formula in brackets, or a primitive.

        ``not`` needs no blank behind it: ``nota(x)`` is the negation of ``a(x)``. Where no formula
        follows, it begins the name of a primitive.
        """
        # The order and the backtracking are those of the published parser: a text that is no
        # negation may still be a primitive with a name that begins with "not".
        operand_offset = self._past("not", offset)
        if operand_offset is not None:
            self._negations += 1
            if self._negations > NESTING_LIMIT:
                raise self._error(f"more than {NESTING_LIMIT} negations are inside each other")
            result = self._unary(operand_offset)
            self._negations -= 1
            if result:
                return Not(result[0]), result[1]
        # Nesting is counted, so that deep input is refused before the stack is exhausted.
        operand_offset = self._past("(", offset)
        if operand_offset is not None:
            self._brackets += 1
            if self._brackets > BRACKETS:
                raise self._error(f"more than {BRACKETS} brackets are inside each other")
            result = self._sequence(operand_offset)
            self._brackets -= 1
            if result:
                formula, formula_end = result
                end = self._past(")", formula_end)
                if end is not None:
                    return formula, end
        match = _PRIMITIVE.match(self._text, self._behind(offset))
        return match and (Atom(match[1], tuple(_OBJECT.findall(match[2]))), match.end())

    def _past(self, word: str, at: int) -> int | None:
        """Return the offset after a word that stands behind blanks; None if it is not there."""
        at = self._behind(at)
        return at + len(word) if self._text.startswith(word, at) else None


def _joined(kind: type[And | Or | Then], operands: list[Formula]) -> Formula:
    """Return operands joined by a connective; a single one as it is."""
    return operands[0] if len(operands) == 1 else kind(tuple(operands))


_BLOCK = re.compile(r"\{[^{}]*\}", re.DOTALL)


@dataclass(frozen=True)
class Names:
    """The names that subgoals may use.

    Args:
        arities: Predicate or action, as it has to be written, to its number of objects; None
            for a name that is known and stops the published evaluator.
        object_of: Name of an object as written to the object; None if there is no such object.
        fold: Whether letter case does not matter; then all names are in lower case.
        later: Names whose number of objects is examined after that of all others.
    """

    arities: Mapping[str, int | None]
    object_of: Callable[[str], str | None]
    fold: bool = False
    later: Collection[str] = ()

    def key(self, name: str) -> str:
        """Return the key by which a primitive's name is looked up."""
        return name.lower() if self.fold else name

    def check(self, formula: Formula) -> Finding | None:
        """Return the first error that the published evaluator would find in a formula.

        Only the first error counts, so the tests are in the order of that evaluator: unknown
        primitives, an ``and`` that joins a sequence (``a then b``) with something else, wrong
        numbers of objects, unknown objects.

        Returns:
            The error; None if the formula has none.
        """
        primitives = [atom for atom in atoms(formula) if isinstance(atom, Atom)]
        primitives.sort(key=lambda atom: self.key(atom.predicate) in self.later)
        for atom in primitives:
            if self.key(atom.predicate) not in self.arities:
                hint = near_hint(nearest(atom.predicate, self.arities))
                name = shorten(atom.predicate)
                message = f"{name} is not a predicate or action of subgoals{hint}"
                return _of(atom, ErrorKind.ACTION_HALLUCINATION, message)
        # The published parser refuses this too, but it looks up the primitives first.
        if _has_mixed_and(formula):
            return unparseable("'and' joins a sequence with something that is not a sequence")
        for atom in primitives:
            error = self._wrong_arity(atom)
            if error is not None:
                return error
        for atom in primitives:
            unknown_objects = [
                term
                for term in atom.terms
                if isinstance(term, str) and self.object_of(term) is None
            ]
            if unknown_objects:
                message = f"{shorten(unknown_objects[0])} is not an object of the scene"
                return _of(atom, ErrorKind.OBJECT_HALLUCINATION, message)
        return None

    def _wrong_arity(self, atom: Atom) -> Finding | None:
        """Return the error of a primitive with a wrong number of objects, or None."""
        arity = self.arities[self.key(atom.predicate)]
        if arity is None:
            return unparseable(f"the published evaluator stops at {format_formula(atom)}")
        if arity == len(atom.terms):
            return None
        message = f"{atom.predicate} takes {counted(arity, 'object')}, not {len(atom.terms)}"
        return _of(atom, ErrorKind.ARGUMENT_NUMBER, message)


def _has_mixed_and(formula: Formula) -> bool:
    """Return whether an ``and`` joins sequences with other formulas: ``(a then b) and c``."""
    for part in formula.walk():
        if isinstance(part, And) and len({operand.has_then for operand in part.operands}) > 1:
            return True
    return False


def listed_entries(answer: str) -> list[str] | Finding:
    """Return the texts of the list ``output`` in an answer, or the finding that there is none.

    As the published evaluator does it: it searches for the first pair of braces without braces in
    it, so that words around the JSON object do no harm, but a nested object hides it.
    """
    # Prompts are templates with doubled braces, and models copy them: "{{...}}".
    block = _BLOCK.search(answer.strip().replace("}}", "}"))
    try:
        entries = load_json(block.group())["output"] if block else None
    except (ValueError, KeyError) as error:
        return unparseable(f"the first pair of braces is not a JSON object with 'output': {error}")
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        return unparseable("there is no list of texts called 'output'")
    return [entry.strip() for entry in entries]


def parsed(entries: Iterable[str]) -> Formula | Finding:
    """Parse entries, joined by ``then``, in the published grammar."""
    try:
        return parse_subgoals(" then ".join(entries))
    except ParseError as error:
        place = error.position + 1
        return unparseable(f"the subgoals are not a formula: {error.what}, at character {place}")


def flattened(formula: Formula) -> tuple[Formula, ...] | Finding:
    """Return the literals of a formula in reading order.

    Only the first operand of ``or`` counts. The published evaluator draws an operand at random.

    Returns:
        The literals, or an error if a part of the formula has none.
    """
    literals: list[Formula] = []
    pending = [formula]
    while pending:
        part = pending.pop()
        negated_part = part.operand if isinstance(part, Not) else None
        if isinstance(part, (And, Then)):
            # The stack is last in, first out.
            pending += reversed(part.operands)
        elif isinstance(part, Or):
            pending.append(part.operands[0])
        elif isinstance(negated_part, Not) and isinstance(negated_part.operand, Not):
            # "not not not p" is "not p". An even number of negations has no literal.
            pending.append(negated_part.operand)
        elif isinstance(part if negated_part is None else negated_part, Atom):
            literals.append(part)
        else:
            return unparseable(f"{format_formula(part)} has no literals")
    return tuple(literals)


def unparseable(message: str) -> Finding:
    """Return the finding about subgoals that the published evaluator cannot parse."""
    return Finding(ErrorKind.PARSING, message)


def _of(atom: Atom, kind: ErrorKind, message: str) -> Finding:
    """Return the finding about an atom of the subgoals."""
    return Finding(kind, message, action=shorten(format_formula(atom)))
