"""Transitions of an automaton as readable guards.

A guard is a disjunction of *cubes*, each a conjunction of propositions and negated propositions.
The cubes are an irredundant cover of the letters that lead from one state to another (Minato
1993, computed on decision diagrams): none can be left out, and no literal can be dropped from the
first one found without covering too much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eai.errors import InputError
from eai.logic.formula import Proposition
from eai.logic.printer import format_formula
from eai.logic.progression.diagrams import FALSE, TRUE, Diagrams
from eai.logic.tree import And, Formula, Not, Or

Cube = tuple[tuple[Proposition, bool], ...]
"""Propositions and the truth that each must have."""

_Numbered = tuple[tuple[int, bool], ...]

_MOST_CUBES = 10_000
_WORK = 2_000_000


@dataclass(frozen=True, slots=True)
class Transition:
    """All letters that lead from one state to another.

    Args:
        source: The state that is left.
        target: The state that is entered.
        cubes: One of them must fit the letter; an empty cube fits every letter.
    """

    source: int
    target: int
    cubes: tuple[Cube, ...]

    @property
    def guard(self) -> Formula:
        """The cubes as a state formula."""
        conjunctions = [_one(And, [a if w else Not(a) for a, w in cube]) for cube in self.cubes]
        return _one(Or, conjunctions)

    def __str__(self) -> str:
        def text(cube: Cube) -> str:
            return " and ".join(f"{'' if w else 'not '}{spelled(a)}" for a, w in cube) or "true"

        return " or ".join(map(text, self.cubes))


def spelled(proposition: Proposition) -> str:
    """Return a proposition as text, without empty parentheses."""
    return format_formula(proposition).removesuffix("()")


def guards(
    letters: Sequence[Proposition], choices: Sequence[tuple[int, int, int]], roots: Sequence[int]
) -> Iterator[Transition]:
    """Yield the transitions of an automaton, by source and by target.

    Args:
        letters: The propositions.
        choices: Its diagrams, innermost first: number of a letter, and where a false and a
            true one lead: to a choice if not negative, else to the state ``~number``.
        roots: For each state, where its diagram begins.

    Raises:
        InputError: If the guards have more than 10,000 cubes, too many to be read.
    """
    cover = _Cover(choices)
    count = 0
    for source, root in enumerate(roots):
        for target in sorted(cover.targets(root)):
            cubes = cover.cubes(root, target, _MOST_CUBES - count)
            count += len(cubes)
            named = [tuple((letters[i], wanted) for i, wanted in cube) for cube in cubes]
            yield Transition(source, target, tuple(named))


class _Cover:
    """Irredundant covers of the letters that lead to a state."""

    def __init__(self, choices: Sequence[tuple[int, int, int]]) -> None:
        self._diagrams = Diagrams(_WORK)
        self._nodes: list[int] = []
        for letter, low, high in choices:
            self._nodes.append(self._diagrams.node(letter, self._node(low), self._node(high)))
        self._memo: dict[tuple[int, int], tuple[list[_Numbered], int]] = {}
        self._most = 0

    def _node(self, place: int) -> int:
        return self._nodes[place] if place >= 0 else self._diagrams.leaf(~place)

    def targets(self, root: int) -> set[int]:
        """Return the states that a diagram leads to."""
        found = self._diagrams.leaves(self._node(root))
        return {each for each in found if isinstance(each, int)}

    def cubes(self, root: int, target: int, most: int) -> list[_Numbered]:
        """Return cubes that fit exactly the letters that lead to a state, at most so many."""
        leaf = self._diagrams.leaf(target)
        wanted = self._diagrams.convert(self._node(root), lambda each: int(each == leaf), {})
        self._most = most
        return self._cover(wanted, wanted)[0]

    def _cover(self, least: int, most: int) -> tuple[list[_Numbered], int]:
        """Return cubes, and their union, that cover one function and stay inside another."""
        if least == FALSE:
            return [], FALSE
        if most == TRUE:
            return [()], TRUE
        key = (least, most)
        known = self._memo.get(key)
        if known is not None:
            return known
        diagrams = self._diagrams
        letter = min(diagrams.level[least], diagrams.level[most])
        least_1, least_0 = diagrams.cofactors(least, letter)
        most_1, most_0 = diagrams.cofactors(most, letter)
        # Only what the other side must not cover needs a literal of this letter.
        cubes_0, union_0 = self._cover(self._minus(least_0, most_1), most_0)
        cubes_1, union_1 = self._cover(self._minus(least_1, most_0), most_1)
        left = diagrams.either(self._minus(least_0, union_0), self._minus(least_1, union_1))
        cubes, union = self._cover(left, diagrams.both(most_0, most_1))
        found = [((letter, False), *each) for each in cubes_0]
        found += [((letter, True), *each) for each in cubes_1]
        found += cubes
        if len(found) > self._most:
            raise InputError(
                f"the guards have more than {_MOST_CUBES} cubes",
                mend="use step, which needs no guards",
            )
        side = diagrams.choose(diagrams.variable(letter), union_1, union_0)
        self._memo[key] = found, diagrams.either(side, union)
        return self._memo[key]

    def _minus(self, left: int, right: int) -> int:
        return self._diagrams.both(left, self._diagrams.negation(right))


def _one(kind: type[And | Or], operands: list[Formula]) -> Formula:
    return operands[0] if len(operands) == 1 else kind(tuple(operands))
