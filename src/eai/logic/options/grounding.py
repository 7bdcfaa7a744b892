"""From a goal to its family of options: quantifiers written out, negations pushed to the atoms.

A value of a formula is a function that gives its options if it is to be true, or false; only the
side that is asked for is made. As operators are defined over any algebra, options need no rule
for each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import cast

from eai.errors import InputError, SchemaError
from eai.logic.algebra import Algebra, Counting
from eai.logic.expansion import Binding, Expansion, Range, bindings
from eai.logic.formula import ActionAtom, Atom, Exists, Proposition, Then, atoms
from eai.logic.options.choices import Choice, Pairing
from eai.logic.options.families import EMPTY, Actions, Family, Fixed, Product, Sum
from eai.logic.tree import TRUE, Formula, Not

GROUND_LIMIT = 200_000
"""Most subformulas that a goal may have once its quantifiers are resolved."""

Known = Callable[[Atom], "bool | None"]
"""The truth value of a ground atom that is settled beforehand; None if it is not."""

Sides = Callable[[bool], Family]
"""The options of a formula, given the value that it is to have."""

_NONE = Sum(())
_SETTLED = Fixed(frozenset())
"""Nothing is asked: what is settled satisfies the formula, and its alternatives do not matter."""


def family_of(goal: Formula, extension: Range, *, known: Known | None = None) -> Family:
    """Return the options of a goal.

    It is a state formula; or action formulas and last a state formula, joined by ``then`` (paper,
    section 2.3). The extension has the objects of any of some types in a fixed order; what is known
    is not asked for.
    """
    for variable in sorted(goal.free, key=str):
        raise SchemaError(
            f"no quantifier binds the variable {variable.name!r}", expected="a closed goal"
        )
    grounding = _Grounding(extension, known)
    # Actions in order, then a condition on the final state.
    chain = goal.operands if isinstance(goal, Then) else (goal,)
    acts = not chain or any(isinstance(atom, ActionAtom) for atom in atoms(chain[-1]))
    *actions, last = (*chain, TRUE) if acts else chain
    parts = [list(grounding.actions(action, {})) for action in actions]
    if not all(parts):
        return _NONE
    state = grounding.family(last)
    return Product([Actions(parts), state]) if parts else state


class _Grounding(Expansion[Sides]):
    """Writes quantifiers out."""

    def __init__(self, extension: Range, known: Known | None) -> None:
        self._settled = known
        self._made = 0
        super().__init__(_Options(self._spend), extension, self._letter, self._spend)

    def _spend(self, formulas: int = 1) -> None:
        self._made += formulas
        if self._made > GROUND_LIMIT:
            raise InputError(
                f"the goal has more than {GROUND_LIMIT:,} ground subformulas",
                mend="bind the quantifiers to narrower types",
            )

    def family(self, formula: Formula) -> Family:
        """The options of a state formula."""
        for node in formula.walk():
            if node.is_linear or isinstance(node, Then):
                raise _refusal(node)
        return self.value(formula, {})(True)

    def actions(self, formula: Formula, binding: Binding) -> Iterator[ActionAtom]:
        """The ground actions any of which will do."""
        split = formula.split(True)
        if isinstance(formula, ActionAtom):
            yield ActionAtom(formula.action, self.grounded(formula, binding).terms)
        elif isinstance(formula, Exists):
            for inner in bindings(formula.variables, self.objects, binding):
                yield from self.actions(formula.body, inner)
        elif (
            split
            and (not split.every or len(split.parts) == 1)
            and all(wanted for _, wanted in split.parts)
        ):
            for operand, _ in split.parts:
                yield from self.actions(operand, binding)
        else:
            raise InputError(
                f"{type(formula).__name__} before 'then' has no simple goals here",
                expected="an action, a disjunction of actions, or one for some object",
            )

    def _letter(self, atom: Proposition) -> Sides:
        if isinstance(atom, ActionAtom):
            raise _refusal(atom)
        settled = self._settled(cast("Atom", atom)) if self._settled else None
        if settled is not None:
            return lambda wanted: _SETTLED if settled == wanted else _NONE
        return lambda wanted: Fixed(frozenset([atom if wanted else Not(atom)]))


class _Options(Algebra[Sides]):
    """The algebra of options; new formulas are counted."""

    def __init__(self, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self.true: Sides = lambda wanted: EMPTY if wanted else _NONE
        self.false: Sides = lambda wanted: _NONE if wanted else EMPTY

    def negation(self, value: Sides) -> Sides:
        return lambda wanted: value(not wanted)

    def all_of(self, values: Iterable[Sides]) -> Sides:
        """One option of each together, or one of any against it."""
        parts = list(values)
        return cache(lambda wanted: _all_or_any([p(wanted) for p in parts], every=wanted))

    def any_of(self, values: Iterable[Sides]) -> Sides:
        """An option of any, or one of each together against it."""
        parts = list(values)
        return cache(lambda wanted: _all_or_any([p(wanted) for p in parts], every=not wanted))

    def differ(self, left: Sides, right: Sides) -> Sides:
        """The one is true, or the other."""
        return cache(
            lambda wanted: Sum(
                Product([left(value), right(value != wanted)]) for value in (True, False)
            )
        )

    def count(self, number: int, comparison: Counting, values: Sequence[Sides]) -> Sides:
        """Exactly n: the others are denied. At least or at most: nothing is said of them."""
        total = len(values)

        @cache
        def family(wanted: bool) -> Family:
            body, other = [part(True) for part in values], [part(False) for part in values]
            if comparison == "exactly":
                numbers = {number} if wanted else set(range(total + 1)) - {number}
                return Choice(numbers, body, other)
            least = number if comparison == "at least" else number + 1
            if (comparison == "at least") is wanted:
                return Choice({max(0, least)}, body)
            return Choice({max(0, total - least + 1)}, other)

        return family

    def paired(self, values: Mapping[tuple[str, str], Sides], number: int) -> Sides:
        """An option for each pair; or none for so many pairs."""
        firsts = dict.fromkeys(first for first, _ in values)
        seconds = dict.fromkeys(second for _, second in values)

        @cache
        def family(wanted: bool) -> Family:
            if number > min(len(firsts), len(seconds)):
                return _NONE if wanted else EMPTY
            sides = [[values.get((first, second)) for second in seconds] for first in firsts]
            rows = [[side and side(wanted) for side in row] for row in sides]
            return Pairing(number, rows) if wanted else self._unpaired(rows, number)

        return family

    def _unpaired(self, rows: list[list[Family | None]], number: int) -> Family:
        """No ``number`` pairs can be formed.

        By König's theorem fewer objects than that take part in all pairs that satisfy the body;
        so every pair without one of them does not.
        """
        width = len(rows[0]) if rows else 0
        parts: list[Family] = []
        objects = range(len(rows) + width)
        for cover in map(set, combinations(objects, number - 1) if number else ()):
            denied = [
                pair
                for i, row in enumerate(rows)
                for j, pair in enumerate(row)
                if pair is not None and i not in cover and len(rows) + j not in cover
            ]
            self._spend(len(denied) + 1)
            parts.append(Product(denied))
        return Sum(parts)


def _refusal(formula: Formula) -> InputError:
    return InputError(
        f"a goal with {type(formula).__name__} has no simple goals here",
        expected="a state formula, or actions then a state formula",
    )


def _all_or_any(parts: Sequence[Family], *, every: bool) -> Family:
    if any(part is _SETTLED for part in parts):
        parts = [part for part in parts if part is not _SETTLED] if every else []
        if not parts:
            return _SETTLED
    if len(parts) == 1:
        return parts[0]
    return Product(parts) if every else Sum(parts)
