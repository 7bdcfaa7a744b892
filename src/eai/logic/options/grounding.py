"""From a goal to its family of options: quantifiers written out, negations pushed to the atoms.

Idea: the value of a formula is a function that gives its options if it is to be true, or false;
only the side that is asked for is made. As operators are defined over any algebra, options need no
rule for each of them.

Cost: one step for each ground subformula, at most :data:`GROUND_LIMIT`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import cast

from eai.errors import InputError, SchemaError
from eai.logic.algebra import Algebra, Counting
from eai.logic.expansion import Binding, Expansion, Range, bindings
from eai.logic.formula import ActionAtom, Atom, Exists, Proposition, Then, atoms
from eai.logic.options.choices import ObjectChoice, Pairing
from eai.logic.options.families import EMPTY, Actions, Family, Fixed, Product, Sum
from eai.logic.tree import TRUE, Formula, Not, Signed

GROUND_LIMIT = 200_000
"""Maximum number of subformulas of a goal once its quantifiers are resolved."""

Known = Callable[[Atom], "bool | None"]
"""The truth value of a ground atom that is settled beforehand; None if it is not."""

Sides = Callable[[bool], Family]
"""The options of a formula, given the value that it is to have."""

_NONE = Sum(())
"""The family without any option."""
_SETTLED = Fixed(frozenset())
"""Options of a formula whose value is known beforehand: nothing is asked, and alternatives to it
do not matter. It is told from :data:`EMPTY`, which is equal, by identity."""


def family_of(goal: Formula, extension: Range, *, known: Known | None = None) -> Family:
    """Return the options of a goal as a family.

    Args:
        goal: A state formula; or action formulas and last a state formula, joined by ``then``
            (paper, section 2.3).
        extension: Function from types to their objects, in a fixed order.
        known: Function to truth values that are known beforehand, which are not asked for.

    Raises:
        SchemaError: If a variable is not bound.
        InputError: If the goal is another formula, or too large.
    """
    unbound = sorted(goal.free, key=str)
    if unbound:
        raise SchemaError(
            f"no quantifier binds the variable {unbound[0].name!r}", expected="a closed goal"
        )
    grounding = _Grounding(extension, known)
    links: tuple[Formula, ...] = (goal,)
    if isinstance(goal, Then):
        links = goal.operands
    # Links are about actions, apart from a last one about the final state (paper, section 2.3). If
    # that is missing, the final state is unconstrained.
    if not links or any(isinstance(atom, ActionAtom) for atom in atoms(links[-1])):
        links = (*links, TRUE)
    *action_links, final_state_link = links
    alternatives = [list(grounding.actions(action, {})) for action in action_links]
    if not all(alternatives):
        return _NONE
    final_state_family = grounding.family(final_state_link)
    if not alternatives:
        return final_state_family
    return Product([Actions(alternatives), final_state_family])


class _Grounding(Expansion[Sides]):
    """Expands quantifiers over objects.

    Args:
        extension: Function from types to their objects.
        known: Function to truth values that are known beforehand.
    """

    def __init__(self, extension: Range, known: Known | None) -> None:
        self._settled = known
        self._made = 0
        super().__init__(_Options(self._spend), extension, self._options_of_atom, self._spend)

    def _spend(self, formulas: int = 1) -> None:
        """Count created subformulas, and raise an error beyond the limit."""
        self._made += formulas
        if self._made > GROUND_LIMIT:
            raise InputError(
                f"the goal has more than {GROUND_LIMIT:,} ground subformulas",
                mend="bind the quantifiers to narrower types",
            )

    def family(self, formula: Formula) -> Family:
        """Return the options of a state formula."""
        for node in formula.walk():
            if node.is_linear or isinstance(node, Then):
                raise _no_simple_goals_error(node)
        return self.value(formula, {})(True)

    def actions(self, formula: Formula, binding: Binding) -> Iterator[ActionAtom]:
        """Yield the ground actions that satisfy an action formula.

        The formula is an action, a disjunction of such formulas, or one for some object.

        Args:
            formula: The formula.
            binding: Objects of the variables that are bound around it.

        Raises:
            InputError: If the formula asks for several actions at once, or forbids one.
        """
        if isinstance(formula, ActionAtom):
            yield ActionAtom(formula.action, self.grounded(formula, binding).terms)
            return
        if isinstance(formula, Exists):
            for inner_binding in bindings(formula.variables, self.objects, binding):
                yield from self.actions(formula.body, inner_binding)
            return
        # A conjunction would ask for two actions in one step, a negation would forbid one.
        split = formula.split(True)
        if split is None or not _is_disjunction(split):
            raise InputError(
                f"{type(formula).__name__} before 'then' has no simple goals here",
                expected="an action, a disjunction of actions, or one for some object",
            )
        for operand, _ in split.parts:
            yield from self.actions(operand, binding)

    def _options_of_atom(self, atom: Proposition) -> Sides:
        """Return a function with the options that make a ground atom true, or false.

        The only option is the literal itself. If the atom's value is known beforehand, the function
        returns the empty option for this value, and no option for the other one.
        """
        if isinstance(atom, ActionAtom):
            raise _no_simple_goals_error(atom)
        settled_value: bool | None = None
        if self._settled is not None:
            settled_value = self._settled(cast("Atom", atom))
        if settled_value is not None:
            return lambda wanted: _SETTLED if settled_value == wanted else _NONE
        return lambda wanted: Fixed(frozenset([atom if wanted else Not(atom)]))


class _Options(Algebra[Sides]):
    """The algebra of options. A value has the options for true and those for false.

    Args:
        spend: Function that counts the formulas that are made.
    """

    def __init__(self, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self.true: Sides = lambda wanted: EMPTY if wanted else _NONE
        self.false: Sides = lambda wanted: _NONE if wanted else EMPTY

    def negation(self, value: Sides) -> Sides:
        return lambda wanted: value(not wanted)

    def all_of(self, values: Iterable[Sides]) -> Sides:
        """Return the options of a conjunction: of each operand together, or of any against it."""
        # Cached: "xor" and counts ask each operand for both of its sides, some several times.
        operands = list(values)
        return cache(
            lambda wanted: _all_or_any([p(wanted) for p in operands], is_every_needed=wanted)
        )

    def any_of(self, values: Iterable[Sides]) -> Sides:
        """Return the options of a disjunction: of any operand, or of each together against it."""
        operands = list(values)
        return cache(
            lambda wanted: _all_or_any([p(wanted) for p in operands], is_every_needed=not wanted)
        )

    def differ(self, left: Sides, right: Sides) -> Sides:
        """Return the options of an exclusive disjunction.

        ``a xor b`` is wanted: (a and not b) or (not a and b). It is not wanted: (a and b) or (not a
        and not b).
        """

        @cache
        def family(wanted: bool) -> Family:
            left_true = Product([left(True), right(not wanted)])
            left_false = Product([left(False), right(wanted)])
            return Sum([left_true, left_false])

        return family

    def count(self, threshold: int, comparison: Counting, values: Sequence[Sides]) -> Sides:
        """Return the options of a count, such as "at least 3 objects are clean".

        For exactly n objects, the others are denied. For at least or at most n, the others are
        unconstrained: at most n are true if all others are false.

        Args:
            threshold: The number n.
            comparison: Whether exactly, at least or at most n are wanted.
            values: For each object the options of its being counted, and of its not being counted.
        """
        object_count = len(values)

        @cache
        def family(wanted: bool) -> Family:
            """Return the options of which objects make the body true, and which make it false."""
            # For each object: the options if it is counted, and if it is not.
            if_true = [value(True) for value in values]
            if_false = [value(False) for value in values]
            if comparison == "exactly":
                numbers = {threshold}
                if not wanted:
                    numbers = set(range(object_count + 1)) - {threshold}
                return ObjectChoice(numbers, if_true, if_false)
            # "At most n" is "not at least n + 1", so all that is left is "at least" or "fewer".
            minimum = threshold
            asks_for_least = wanted
            if comparison == "at most":
                minimum = threshold + 1
                asks_for_least = not wanted
            if asks_for_least:
                return ObjectChoice({max(0, minimum)}, if_true)
            return ObjectChoice({max(0, object_count - minimum + 1)}, if_false)

        return family

    def paired(self, values: Mapping[tuple[str, str], Sides], pair_count: int) -> Sides:
        """Return the options of a pairing.

        Args:
            values: For each pair of objects the options of its being true, and of its being false.
            pair_count: How many pairs without a common object are asked for.
        """
        firsts = dict.fromkeys(first for first, _ in values)
        seconds = dict.fromkeys(second for _, second in values)

        @cache
        def family(wanted: bool) -> Family:
            """Return the options of ``pair_count`` pairs, or of there being fewer."""
            if pair_count > min(len(firsts), len(seconds)):
                return _NONE if wanted else EMPTY  # there never are so many pairs
            rows: list[list[Family | None]] = []
            for first in firsts:
                row: list[Family | None] = []
                for second in seconds:
                    sides = values.get((first, second))
                    row.append(None if sides is None else sides(wanted))
                rows.append(row)
            if wanted:
                return Pairing(pair_count, rows)
            return self._options_for_fewer_pairs(rows, pair_count)

        return family

    def _options_for_fewer_pairs(self, rows: list[list[Family | None]], pair_count: int) -> Family:
        """Return the options under which fewer than ``pair_count`` disjoint pairs exist.

        By König's theorem there are fewer disjoint pairs if and only if fewer than ``pair_count``
        objects (a vertex cover) take part in all pairs. So for each choice of such objects, all
        pairs without them are denied.

        Args:
            rows: The options of each pair, by the objects of both sides.
            pair_count: The number of pairs.
        """
        if not pair_count:
            return Sum(())
        height = len(rows)
        width = len(rows[0]) if rows else 0
        alternatives: list[Family] = []
        # Objects of the first side have the numbers from 0 on, those of the second come after.
        for cover in combinations(range(height + width), pair_count - 1):
            denied = _pairs_without(cover, rows)
            self._spend(len(denied) + 1)
            alternatives.append(Product(denied))
        return Sum(alternatives)


def _is_disjunction(split: Signed) -> bool:
    """Return whether a formula holds if any of its operands holds."""
    is_any = not split.every or len(split.parts) == 1
    return is_any and all(wanted for _, wanted in split.parts)


def _no_simple_goals_error(formula: Formula) -> InputError:
    """Return the error for a formula without simple goals."""
    return InputError(
        f"a goal with {type(formula).__name__} has no simple goals here",
        expected="a state formula, or actions then a state formula",
    )


def _pairs_without(
    covered_objects: Collection[int], rows: list[list[Family | None]]
) -> list[Family]:
    """Return the pairs that have no object in a vertex cover.

    Args:
        covered_objects: Numbers of objects: those of the rows first, then those of the columns.
        rows: The pairs, by the objects of both sides.
    """
    pairs: list[Family] = []
    for row_index, row in enumerate(rows):
        if row_index in covered_objects:
            continue
        for column_index, pair in enumerate(row):
            if pair is not None and len(rows) + column_index not in covered_objects:
                pairs.append(pair)
    return pairs


def _all_or_any(families: Sequence[Family], *, is_every_needed: bool) -> Family:
    """Return the product of families, or else their sum.

    Args:
        families: The families. A settled family belongs to a formula with a known value, and asks
            for nothing.
        is_every_needed: Whether an option of each family is needed.
    """
    open_families = [family for family in families if family is not _SETTLED]
    has_settled = len(open_families) < len(families)
    # One settled family is enough for a disjunction; for a conjunction all have to be.
    if has_settled and (not is_every_needed or not open_families):
        return _SETTLED
    if len(open_families) == 1:
        return open_families[0]
    if is_every_needed:
        return Product(open_families)
    return Sum(open_families)
