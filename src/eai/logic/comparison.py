"""Equivalence, entailment, satisfiability and validity of formulas, with proof by example.

Each question is whether some trajectory satisfies one formula; it is answered by a breadth-first
search through that formula's progression, so the trajectory that is found is a shortest one.

Trajectories are those of :class:`~eai.logic.Trajectory`: at least one position, at most one
action at a position, none at the last. Nothing else is known of the world: a state in which a cup
is both clean and dirty, and an action without its effects, count as possible.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Literal, cast

from eai.display import shown, stacked, table
from eai.logic.automata import LIMIT, spelled
from eai.logic.expansion import Objects
from eai.logic.formula import ActionAtom, Proposition
from eai.logic.progression import Meaning, Progression
from eai.logic.progression.diagrams import FALSE, LEAF
from eai.logic.progression.machine import check_states
from eai.logic.progression.obligations import Obligations, State
from eai.logic.tree import Formula, Reading
from eai.nesting import on_own_stack

Word = tuple[frozenset[Proposition], ...]
"""The true propositions at each position."""

Relation = Literal["equivalent", "entails", "satisfiable", "valid"]
"""The question about two formulas."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer to a question about formulas; true or false itself.

    Args:
        relation: The question.
        holds: The answer.
        word: A shortest trajectory that proves it, as the set of true propositions at each
            position: one that satisfies the formula (``satisfiable``), that does not
            (``valid``), or on which the formulas have different verdicts; None if there is none.
        verdicts: What the formulas say of the word; empty without a word.
    """

    relation: Relation
    holds: bool
    word: Word | None = None
    verdicts: tuple[bool, ...] = ()

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return "\n".join([self._headline, *(f"  {i}: {line}" for i, line in self._lines)])

    def _repr_html_(self) -> str:
        return stacked(shown(self._headline), table((), self._lines))

    @property
    def _headline(self) -> str:
        answer = f"{_ANSWERS[self.relation][self.holds]} on finite trajectories"
        if self.word is None:
            return f"{answer}."
        if len(self.verdicts) == 1:
            return f"{answer}; the formula {_verb(self.verdicts[0])} on this trajectory:"
        left, right = map(_verb, self.verdicts)
        return f"{answer}; on this trajectory the first {left} and the second {right}:"

    @property
    def _lines(self) -> Iterator[tuple[int, str]]:
        for position, true in enumerate(self.word or ()):
            atoms = sorted(spelled(each) for each in true if not isinstance(each, ActionAtom))
            actions = [f"then {spelled(each)}" for each in true if isinstance(each, ActionAtom)]
            yield position, "; ".join([", ".join(atoms) or "nothing", *actions])


_ANSWERS: dict[Relation, tuple[str, str]] = {
    "equivalent": ("not equivalent", "equivalent"),
    "entails": ("not entailed", "entailed"),
    "satisfiable": ("not satisfiable", "satisfiable"),
    "valid": ("not valid", "valid"),
}


def _verb(verdict: bool) -> str:
    return "holds" if verdict else "fails"


def equivalent(
    left: Formula,
    right: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
) -> Comparison:
    """Say whether two formulas hold on the same trajectories.

    Args:
        left: A closed formula.
        right: A closed formula.
        objects: What quantifiers range over (see :func:`~eai.logic.automata.automaton`).
        limit: Largest number of states to look at.
        reading: How the formulas are read (see :func:`~eai.logic.automata.automaton`).

    Returns:
        The answer; if it is no, with a shortest trajectory that satisfies one of them only.

    Raises:
        InputError: As :func:`~eai.logic.automata.automaton` raises it.
    """
    return _answered("equivalent", (left, right), objects, limit, reading)


def entails(
    left: Formula,
    right: Formula,
    *,
    objects: Objects = None,
    limit: int = LIMIT,
    reading: Reading | None = None,
) -> Comparison:
    """Say whether the second formula holds on every trajectory on which the first does.

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is no, with a shortest trajectory that satisfies the first only.
    """
    return _answered("entails", (left, right), objects, limit, reading)


def satisfiable(
    formula: Formula, *, objects: Objects = None, limit: int = LIMIT, reading: Reading | None = None
) -> Comparison:
    """Say whether a formula holds on some trajectory.

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is yes, with a shortest trajectory on which the formula holds.
    """
    return _answered("satisfiable", (formula,), objects, limit, reading)


def valid(
    formula: Formula, *, objects: Objects = None, limit: int = LIMIT, reading: Reading | None = None
) -> Comparison:
    """Say whether a formula holds on every trajectory.

    Args and raises: as for :func:`equivalent`.

    Returns:
        The answer; if it is no, with a shortest trajectory on which the formula fails.
    """
    return _answered("valid", (formula,), objects, limit, reading)


@on_own_stack
def _answered(
    relation: Relation,
    formulas: tuple[Formula, ...],
    objects: Objects,
    limit: int,
    reading: Reading | None,
) -> Comparison:
    """Every question is decided by one trajectory: for ``satisfiable``, or against the others."""
    progression = Progression(objects, limit=limit)
    functions = progression.obligations
    meanings = [progression.meaning(formula, reading=reading) for formula in formulas]
    first, last = meanings[0].now, meanings[-1].now
    demand = first
    if relation == "equivalent":
        demand = functions.differ(first, last)
    elif relation == "entails":
        demand = functions.both(first, functions.negation(last))
    elif relation == "valid":
        demand = functions.negation(first)
    word = _shortest(progression, demand, limit)
    positive = relation == "satisfiable"
    if word is None:
        return Comparison(relation, not positive)
    verdicts = []
    for meaning in meanings:
        state = progression.start(meaning)
        for true in word:
            numbers = {i for i, each in enumerate(progression.letters) if each in true}
            state = functions.read(state, numbers.__contains__)
        verdicts.append(functions.accepts(state))
    return Comparison(relation, positive, word, tuple(verdicts))


def _shortest(progression: Progression, demand: int, limit: int) -> Word | None:
    """The true propositions at each position of a shortest trajectory that meets a demand."""
    functions, letters = progression.obligations, progression.letters
    actions = {i for i, each in enumerate(letters) if isinstance(each, ActionAtom)}
    start = progression.start(Meaning(demand, FALSE))
    trail: dict[State, tuple[State, int] | None] = {start: None}
    queue = [start]
    for state in queue:
        step = functions.step(state)
        # The last position has no action, another has one at most.
        for after, letter in _successors(functions, step, actions, acted=True):
            if functions.accepts(after):
                word = [letter]
                before = trail[state]
                while before is not None:
                    word.append(before[1])
                    before = trail[before[0]]
                return tuple(
                    frozenset(each for i, each in enumerate(letters) if true >> i & 1)
                    for true in reversed(word)
                )
        for after, letter in _successors(functions, step, actions, acted=False):
            if after not in trail and after[0] != FALSE:
                check_states(len(trail), limit)
                trail[after] = (state, letter)
                queue.append(after)
    return None


def _successors(
    functions: Obligations, step: int, actions: Container[int], *, acted: bool
) -> Iterator[tuple[State, int]]:
    """Yield the next states, each with a letter of few true propositions that leads there.

    Some letters are actions; ``acted`` says that no (other) action can be taken.
    """
    seen: set[tuple[int, bool]] = set()
    pending = [(step, acted, 0)]
    while pending:
        functions.spend()
        diagram, acted, letter = pending.pop()
        if (diagram, acted) in seen:
            continue
        seen.add((diagram, acted))
        level = functions.level[diagram]
        if level == LEAF:
            yield cast("State", functions.value(diagram)), letter
            continue
        high, low = functions.cofactors(diagram, level)
        acts = level in actions
        if not (acts and acted):
            pending.append((high, acted or acts, letter | 1 << level))
        pending.append((low, acted, letter))
