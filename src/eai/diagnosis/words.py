"""Conditions in words.

The words come from the phrases of a domain (:mod:`eai.pddl.phrases`). A condition that *does not
hold* is described by the facts that hold instead. Conditions that mention a predicate without a
phrase, or speak of time, have no words.

Idea: a formula is taken apart along the operands that decide its value in the state. Of a
conjunction that is false these are the operands that are false; of a quantifier it is one object
that decides it, or, if there is none to name, a sentence about all objects of a kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eai.logic import (
    And,
    Atom,
    Count,
    Equal,
    Formula,
    ForPairs,
    Not,
    Quantifier,
    Term,
    Variable,
    generalize,
    objects_of,
)
from eai.pddl import NamedPhrase
from eai.world import State, World
from eai.world.bits import bits

_MAX_CLAUSES = 6
"""Maximum number of clauses listed; of more the number is given."""

_WORD_FOR_OBJECTS = {
    (False, True): ("every", True),
    (False, False): ("some", False),
    (True, True): ("some", True),
    (True, False): ("no", True),
}
"""Deciding value of a quantifier, and its own, to the word for objects and their body's value."""

_BEGINNINGS_ABOUT_OBJECTS = ("there is no ", "the number of ")
"""Beginnings of clauses about the number of objects, which come last."""
_SUBJECT = re.compile(r"(?:(?:every|some|no) )?\S+")
"""Subject of a clause: ``cup.1``, ``every cup``."""


class _WordedClause(NamedTuple):
    """A clause of a sentence.

    Args:
        guard: Whether they are about a fact that no action changes.
    """

    text: str
    guard: bool = False


class _WordlessError(Exception):
    """Raised for a part of a condition that has no wording."""


def in_words(world: World, state: State, condition: Formula, *, holds: bool = False) -> str:
    """Return in words why a condition holds, or does not hold, in a state.

    Args:
        world: The world; its domain has the phrases.
        state: The state.
        condition: A closed condition.
        holds: Whether the condition holds in the state.

    Returns:
        ``"novel.15 is inside nightstand.13, which is closed"``; empty if there are no words.
    """
    if not world.domain.phrases:
        return ""
    try:
        clauses = _Teller(world, state).tell(condition, holds)
    except _WordlessError:
        return ""
    return _join_clauses(_informative(clauses))


class _Teller:
    """Words conditions that hold or fail in one state.

    Args:
        world: The world.
        state: The state.
    """

    def __init__(self, world: World, state: State) -> None:
        self._world = world
        self._state = state

    def tell(self, formula: Formula, value: bool) -> list[_WordedClause]:
        """Return clauses on why a formula has a truth value.

        Args:
            formula: The formula.
            value: The truth value that it has.

        Raises:
            _WordlessError: If there are no words for a part of it.
        """
        if isinstance(formula, Atom):
            return [self._tell_atom(formula, value)]
        if isinstance(formula, Equal):
            verb = "is" if value else "is not"
            left, right = map(_name_of_term, formula.terms)
            return [_WordedClause(f"{left} {verb} {right}", guard=value)]
        if isinstance(formula, Quantifier):
            return self._tell_quantifier(formula, value)
        if isinstance(formula, Count):
            return [self._tell_count(formula, value)]
        # Of pairs that are all there, nothing more is to be said than of other formulas.
        if isinstance(formula, ForPairs) and not value:
            return [self._tell_missing_pairs(formula)]
        return self._tell_operands(formula, value)

    def _tell_operands(self, formula: Formula, value: bool) -> list[_WordedClause]:
        """Return clauses on the operands that give a connective its truth value.

        These are all operands of a true conjunction, all false operands of a false one, and the
        first true operand of a true disjunction.

        Args:
            formula: The conjunction or disjunction.
            value: Its truth value.

        Raises:
            _WordlessError: If there are no words for one of them.
        """
        split = formula.split(value)
        if split is None or not split.parts:
            raise _WordlessError
        if not split.every and formula.free:
            # Which operand decides depends on the values of the variables, so all are named.
            alternatives = [
                _join_clauses(self.tell(operand, wanted)) for operand, wanted in split.parts
            ]
            return [_WordedClause(" or ".join(dict.fromkeys(alternatives)))]
        operands = list(split.parts)
        if not split.every:
            operands = self._operands_as_wanted(split.parts)
        if value and not split.every:
            # One true operand is enough to explain a true disjunction.
            operands = operands[:1]
        clauses: list[_WordedClause] = []
        for operand, wanted in operands:
            clauses += self.tell(operand, wanted)
        return clauses

    def _operands_as_wanted(
        self, operands: Iterable[tuple[Formula, bool]]
    ) -> list[tuple[Formula, bool]]:
        """Return the operands that have their wanted value in the state."""
        matching_operands: list[tuple[Formula, bool]] = []
        for operand, wanted in operands:
            if self._world.holds(self._state, operand) == wanted:
                matching_operands.append((operand, wanted))
        return matching_operands

    def _tell_atom(self, atom: Atom, value: bool) -> _WordedClause:
        """Return a clause on an atom, naming the responsible objects if its phrase does.

        For instance, "the hands are full" can name the objects in them: "the hands hold cup.1 and
        plate.2".

        Args:
            atom: The atom.
            value: The truth value that it has.
        """
        domain = self._world.domain
        phrase = domain.phrases.get(atom.predicate)
        if phrase is None:
            raise _WordlessError
        text = phrase.false
        if value:
            text = phrase.true
        names = list(map(_name_of_term, atom.terms))
        # An atom with a variable has no particular objects to blame.
        named_phrase = phrase.named.get(value)
        if named_phrase is not None and not atom.free:
            all_names = self._with_objects_to_blame(named_phrase, names)
            if all_names is not None:
                text = named_phrase.text
                names = all_names
        is_static = atom.predicate not in domain.fluents
        return _WordedClause(text.format(*names), guard=value and is_static)

    def _with_objects_to_blame(self, named: NamedPhrase, names: Sequence[str]) -> list[str] | None:
        """Return the names of an atom's and the responsible objects, or None.

        Args:
            named: The phrase, with the conditions by which the objects are found.
            names: The names of the atom's own objects.
        """
        all_names = list(names)
        for variable, condition in named.search:
            # Variables are named by their numbers, so each condition is about those before.
            binding = {str(index): name for index, name in enumerate(all_names)}
            responsible_object = self._first_satisfying(condition.substitute(binding), variable)
            if responsible_object is None:
                return None
            all_names.append(responsible_object)
        return all_names

    def _first_satisfying(self, condition: Formula, variable: Variable) -> str | None:
        """Return the first object that satisfies a condition, or None."""
        fitting = self._satisfying_mask(condition, variable)
        if not fitting:
            return None
        return self._state.universe.names[next(bits(fitting))]

    def _satisfying_mask(self, condition: Formula, variable: Variable) -> int:
        """Return the objects that satisfy a condition as a mask.

        Args:
            condition: The condition.
            variable: Its variable; all other terms are objects.
        """
        universe = self._state.universe
        constants = self._world.domain.constants
        objects = sorted(objects_of(condition).difference(constants))
        # Objects become parameters, so that one compiled function serves all of them.
        parameters = {name: Variable(f"?{index}") for index, name in enumerate(objects)}
        lifted = generalize(condition, parameters)
        members_function = self._world.members_of(lifted, variable, tuple(parameters.values()))
        return members_function(self._state, *[universe.number(name) for name in objects])

    def _tell_quantifier(self, formula: Quantifier, value: bool) -> list[_WordedClause]:
        """Return a quantified formula in words.

        If a single object decides, it is named: an example for ``exists``, or a counterexample for
        ``forall``. Otherwise the clause is about all objects: "there is no cup x for which x is
        clean".

        Args:
            formula: The quantifier.
            value: Its truth value.
        """
        if formula.free:
            return self._tell_all_of_kind(formula, value)
        if formula.wants is not value:
            # No object decides it: the sentence is about all of them.
            sentence = self._general_sentence(formula.body, formula.wants)
            objects = _type_and_name(*formula.variables)
            return [_WordedClause(f"there is no {objects} for which {sentence}")]
        # One variable at a time: the others stay quantified until the first has its object.
        first, *others = formula.variables
        body = formula.body
        if others:
            body = type(formula)(tuple(others), body)
        # An example of "exists", or a counterexample of "for all".
        example = self._first_satisfying(body if value else Not(body), first)
        if example is None:
            raise _WordlessError
        return self.tell(body.substitute({first.name: example}), value)

    def _tell_all_of_kind(self, formula: Quantifier, value: bool) -> list[_WordedClause]:
        """Return a general clause about all objects of a kind: "every cup is clean".

        Args:
            formula: The quantifier, in which other variables are free.
            value: Its truth value.

        Raises:
            _WordlessError: If the body says more than can be said of "every" or "some".
        """
        variable, *others = formula.variables
        word, body_value = _WORD_FOR_OBJECTS[formula.wants, value]
        body = formula.body
        operands: Sequence[Formula] = (body,)
        if isinstance(body, And) and word == "every":
            # "Every cup is clean and red" may be split in two clauses, "some cup ..." may not: the
            # clauses could be about different cups.
            operands = body.operands
        if others or not all(_is_literal(operand) for operand in operands):
            raise _WordlessError
        placeholder = Variable(f"{word} {_types_in_words(variable)}", variable.types)
        return self.tell(body.substitute({variable.name: placeholder}), body_value)

    def _general_sentence(self, body: Formula, value: bool) -> str:
        """Return a sentence about objects without names."""
        return _join_clauses(_informative(self.tell(body, value)))

    def _tell_count(self, formula: Count, value: bool) -> _WordedClause:
        """Return a clause on a count, with the required number if it is wrong.

        "the number of cup x for which x is clean is 2 instead of at least 3".

        Args:
            formula: The count.
            value: The truth value that it has.
        """
        if formula.free:
            raise _WordlessError
        actual_count = self._satisfying_mask(formula.body, formula.variable).bit_count()
        sentence = self._general_sentence(formula.body, True)
        objects = _type_and_name(formula.variable)
        text = f"the number of {objects} for which {sentence} is {actual_count}"
        if not value:
            text += " instead of "
            # "instead of 3" is "exactly 3" already.
            if formula.comparison != "exactly":
                text += f"{formula.comparison} "
            text += str(formula.number)
        return _WordedClause(text)

    def _tell_missing_pairs(self, formula: ForPairs) -> _WordedClause:
        """Return a clause that compares the number of pairs with the required number.

        "the number of pairs of plate x and cup y for which x is next to y is 2 instead of 4".

        Args:
            formula: A condition that requires disjoint pairs of objects, and does not hold.
        """
        if formula.free:
            raise _WordlessError
        sides = formula.first, formula.second
        required_count = formula.number
        if required_count is None:
            # As many as there are objects on the smaller side.
            required_count = min(len(self._state.universe.of_types(side.types)) for side in sides)
        # Fewer pairs are always possible if more are, so the first number that holds is the most.
        formed_count = required_count - 1
        while formed_count > 0:
            if self._world.holds(self._state, ForPairs(*sides, formula.body, formed_count)):
                break
            formed_count -= 1
        pairs = " and ".join(map(_type_and_name, sides))
        sentence = self._general_sentence(formula.body, True)
        return _WordedClause(
            f"the number of pairs of {pairs} for which {sentence} is {formed_count} "
            f"instead of {required_count}"
        )


def _is_literal(formula: Formula) -> bool:
    """Return whether a formula is an atom or the negation of one."""
    if isinstance(formula, Not):
        formula = formula.operand
    return isinstance(formula, Atom)


def _types_in_words(variable: Variable) -> str:
    """Return the types of a variable."""
    return " or ".join(variable.types)


def _type_and_name(variable: Variable, *others: Variable) -> str:
    """Return the types of variables, with their names where these add information."""
    kind = _types_in_words(variable)
    names = " and ".join(own.name for own in (variable, *others))
    if kind == names:
        return kind
    return f"{kind} {names}"


def _name_of_term(term: Term) -> str:
    """Return the name of a term."""
    if isinstance(term, Variable):
        return term.name
    return term


def _informative(clauses: Sequence[_WordedClause]) -> list[_WordedClause]:
    """Return the informative clauses without repetitions.

    Clauses such as "there is no cup for which ..." come last, since another clause behind them
    would seem to belong to their end.
    """
    distinct = list(dict.fromkeys(clauses))
    informative = [clause for clause in distinct if not clause.guard] or distinct
    return sorted(informative, key=lambda clause: clause.text.startswith(_BEGINNINGS_ABOUT_OBJECTS))


def _join_clauses(clauses: Sequence[_WordedClause]) -> str:
    """Return clauses joined to a sentence, without repeating a common subject.

    ``cup.1 is dirty`` and ``cup.1 is on table.2`` become ``cup.1 is dirty and is on table.2``.
    """
    texts: list[str] = []
    last_subject: str | None = None
    for clause in clauses[:_MAX_CLAUSES]:
        match = _SUBJECT.match(clause.text)
        # A clause without a recognizable subject has the empty one, and stays whole.
        subject = match[0] if match else ""
        if subject == last_subject:
            texts.append(clause.text[len(subject) :].lstrip())
        else:
            texts.append(clause.text)
        last_subject = subject
    words = " and ".join(texts)
    if len(clauses) > _MAX_CLAUSES:
        words += f", and {len(clauses) - _MAX_CLAUSES} more"
    return words
