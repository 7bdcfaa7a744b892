"""Numbers along a plan: the bounds that comparisons need, and the steps that keep these bounds.

Idea: a linear comparison holds as long as each of its function terms stays on its side of a bound
(:func:`comparison_bounds`). The value of a term at a position is that which the last step before it
set (assigned or scaled), and the sum of what steps have added since. A lower bound rests on the
step that set the value and on as few of the additions as reach the bound together with *all*
subtractions: whichever of the other steps are left out, it holds (:meth:`NumberHistory.source`).

Any other comparison, an equation, and what reads a term without a value at the start rest on exact
values: on all steps that changed the terms.

Cost: one walk over the updates of a term for each bound and position.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from eai.logic import (
    Arithmetic,
    Atom,
    ComparisonSign,
    Expression,
    Formula,
    NumericCondition,
    Rational,
    function_terms,
)
from eai.planning.reasons import NOTHING, Bound, Reads
from eai.world import Key, State, UndefinedError, divided, multiplied

_COMPARED: Mapping[ComparisonSign, Callable[[Rational, Rational], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
_NEGATED: Mapping[ComparisonSign, ComparisonSign] = {"<": ">=", "<=": ">", ">=": "<", ">": "<="}
_MIRRORED: Mapping[ComparisonSign, ComparisonSign] = {"<": ">", "<=": ">=", ">=": "<=", ">": "<"}
_LOWER = (">", ">=")


def is_within(value: Rational | None, bound: Bound) -> bool:
    """Return whether a value, or none, is within a bound."""
    if value is None or bound.value is None:
        return value is bound.value
    return _COMPARED[bound.sign](value, bound.value)


def divides(formula: Formula) -> bool:
    """Return whether a comparison in a formula divides by a non-constant expression."""
    for node in formula.walk():
        if isinstance(node, NumericCondition) and (_divides(node.left) or _divides(node.right)):
            return True
    return False


def _divides(expression: Expression) -> bool:
    """Return whether an expression divides by a non-constant expression."""
    if not isinstance(expression, Arithmetic):
        return False
    if expression.sign == "/":
        for divisor in expression.operands[1:]:
            if isinstance(divisor, (Atom, Arithmetic)):
                return True
    return any(map(_divides, expression.operands))


class _Sum(NamedTuple):
    """A linear expression: a constant, and a factor for each function term that may change."""

    constant: Rational
    factors: Mapping[Key, Rational]

    def plus(self, other: _Sum, sign: int) -> _Sum:
        """Return the sum with another expression, or the difference."""
        factors = dict(self.factors)
        for term, factor in other.factors.items():
            factors[term] = factors.get(term, 0) + sign * factor
        return _Sum(self.constant + sign * other.constant, factors)

    def times(self, factor: Rational) -> _Sum:
        """Return a multiple."""
        factors = {}
        for term, old_factor in self.factors.items():
            factors[term] = multiplied(old_factor, factor)
        return _Sum(multiplied(self.constant, factor), factors)


class _NonlinearError(Exception):
    """Raised for a product of, or a division by, terms that may change."""


KeyOf = Callable[[Atom], Key]
"""Function that returns the key of a function term whose variables are bound."""


class Comparisons:
    """Finds the bounds on which comparisons rest in one state.

    Args:
        state: The state.
        start: The initial state.
        changing: The function terms that steps of the plan change.
        key_of: Function that returns the key of a function term.
    """

    def __init__(self, state: State, start: State, changing: frozenset[Key], key_of: KeyOf) -> None:
        self._state = state
        self._start = start
        self._changing = changing
        self._key_of = key_of

    def exact(self, expressions: Sequence[Expression]) -> Reads:
        """Return the requirement that all terms in some expressions keep their values.

        Terms that no step changes are left out.
        """
        bounds = set()
        for expression in expressions:
            for term in function_terms(expression):
                key = self._key_of(term)
                if key in self._changing:
                    bounds.add(Bound(key, "=", value_of(self._state, key)))
        return frozenset(bounds)

    def bounds(self, condition: NumericCondition, value: bool) -> Reads:
        """Return bounds under which a comparison keeps its present truth value.

        Args:
            condition: The comparison; it can be evaluated.
            value: Its truth value.
        """
        sides = condition.left, condition.right
        exact_values = self.exact(sides)
        for bound in exact_values:
            if isinstance(bound, Bound) and value_of(self._start, bound.term) is None:
                return exact_values  # a step had to give the term a value at all
        try:
            difference = self._sum(condition.left).plus(self._sum(condition.right), -1)
        except _NonlinearError:
            return exact_values
        factors = {term: factor for term, factor in difference.factors.items() if factor}
        if not factors:
            return NOTHING  # the same on both sides: an effect that only asks for a value
        if condition.sign == "=" and value:
            return exact_values
        # "left SIGN right" is "difference SIGN 0".
        sign = self._sign_that_holds(condition.sign, difference, value=value)
        if len(factors) == 1:
            # 2 * fuel - 6 >= 0 is fuel >= 3; a negative factor turns the sign around.
            ((term, factor),) = factors.items()
            limit = divided(-difference.constant, factor)
            if factor < 0:
                sign = _MIRRORED[sign]
            return frozenset((Bound(term, sign, limit),))
        return frozenset(self._bounds_of_terms(factors, is_lower=sign in _LOWER))

    def _sign_that_holds(
        self, sign: ComparisonSign, difference: _Sum, *, value: bool
    ) -> ComparisonSign:
        """Return the comparison of a difference with 0 that must remain true.

        Args:
            sign: The other comparison with 0.
            difference: The difference of two sides.
            value: Whether that comparison holds.
        """
        if sign == "=":
            # A failing equation fails on one side, and continues to fail while the value stays
            # there.
            return self._side(difference)
        if value:
            return sign
        return _NEGATED[sign]

    def _bounds_of_terms(
        self, factors: Mapping[Key, Rational], *, is_lower: bool
    ) -> Iterator[Bound]:
        """Yield a bound on each term, so that the sum gets no closer to its limit.

        No term may become worse than it is, even if other terms have a margin.

        Args:
            factors: The terms with their factors.
            is_lower: Whether the limit is a lower one, so that the sum may not decrease.
        """
        for term, factor in factors.items():
            may_increase = is_lower is (factor > 0)
            sign: ComparisonSign = ">=" if may_increase else "<="
            yield Bound(term, sign, value_of(self._state, term))

    def _side(self, difference: _Sum) -> ComparisonSign:
        """Return the side of 0 on which a non-zero difference lies."""
        total = difference.constant
        for term, factor in difference.factors.items():
            total += factor * (value_of(self._state, term) or 0)
        return ">" if total > 0 else "<"

    def truth(self, condition: NumericCondition) -> bool | None:
        """Return whether a comparison holds, or None if it is undefined."""
        try:
            left = self.value(condition.left)
            right = self.value(condition.right)
        except UndefinedError:
            return None
        return _COMPARED[condition.sign](left, right)

    def value(self, expression: Expression) -> Rational:
        """Return the value of an expression.

        Raises:
            UndefinedError: If a function term in it has no value.
        """
        if isinstance(expression, Atom):
            value = value_of(self._state, self._key_of(expression))
            if value is None:
                raise UndefinedError("a function term has no value")
            return value
        if not isinstance(expression, Arithmetic):
            return expression
        result, *other_values = map(self.value, expression.operands)
        # An operation with one operand is a negation.
        if not other_values:
            return -result
        for operand in other_values:
            result = _calculated(expression.sign, result, operand)
        return result

    def _sum(self, expression: Expression) -> _Sum:
        """Return an expression as a constant and a factor for each term that may change.

        If the speed is 3 and never changes, ``2 * fuel(t1) + speed`` becomes 3 and {fuel(t1): 2}.
        """
        if isinstance(expression, Atom):
            key = self._key_of(expression)
            if key in self._changing:
                return _Sum(0, {key: 1})
            return _Sum(value_of(self._state, key) or 0, {})
        if not isinstance(expression, Arithmetic):
            return _Sum(expression, {})
        result, *other_sums = map(self._sum, expression.operands)
        # An operation with one operand is a negation.
        if not other_sums:
            return result.times(-1)
        for operand in other_sums:
            result = _combined(expression.sign, result, operand)
        return result


def _calculated(sign: str, left: Rational, right: Rational) -> Rational:
    """Return the result of an operation.

    Raises:
        UndefinedError: If it divides by zero.
    """
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return multiplied(left, right)
    return divided(left, right)


def _combined(sign: str, left: _Sum, right: _Sum) -> _Sum:
    """Return the result of an operation on two linear expressions.

    Raises:
        _NonlinearError: If both sides of a product change, or the divisor does.
    """
    if sign in "+-":
        return left.plus(right, 1 if sign == "+" else -1)
    if not right.factors:
        factor = right.constant if sign == "*" else divided(1, right.constant)
        return left.times(factor)
    if sign == "*" and not left.factors:
        return right.times(left.constant)
    raise _NonlinearError


def value_of(state: State, term: Key) -> Rational | None:
    """Return the value of a function term in a state; None if it has none."""
    return None if state.numbers is None else state.numbers.value(term)


class NumberUpdate(NamedTuple):
    """The effects of one step on a number.

    Args:
        amount: The amount that they add; None if they set it to a new value.
        reads: Requirements under which the effects are as they are.
        happens: Whether one of them happens at all.
    """

    amount: Rational | None = 0
    reads: Reads = NOTHING
    happens: bool = False

    def together(self, other: NumberUpdate) -> NumberUpdate:
        """Return the combination of this and another update of the same number."""
        amount = None
        if self.amount is not None and other.amount is not None:
            amount = self.amount + other.amount
        return NumberUpdate(amount, self.reads | other.reads, self.happens or other.happens)


class Source(NamedTuple):
    """The steps that keep a value within a bound.

    Args:
        setter: The last step that set the value; None if that is the initial state.
        adders: Steps that changed it since then and are needed for the bound.
        others: Steps since then that may change it and are not needed.
    """

    setter: int | None
    adders: tuple[int, ...]
    others: tuple[int, ...]

    @property
    def producers(self) -> tuple[int | None, ...]:
        """The steps that brought the value to the bound. None stands for the initial state.

        Without any, the step that set it.
        """
        return self.adders or (self.setter,)


class NumberHistory:
    """The updates of all function terms along a plan.

    Args:
        states: The states before each step, and the last one; more may be added.
    """

    def __init__(self, states: Sequence[State]) -> None:
        self._states = states
        self._updates: dict[Key, dict[int, NumberUpdate]] = {}

    def note(self, position: int, updates: Mapping[Key, NumberUpdate]) -> None:
        """Store the changes of numbers by the step at a position; positions come in order."""
        for term, update in updates.items():
            self._updates.setdefault(term, {})[position] = update

    def reads(self, position: int, term: Key) -> Reads:
        """Return the requirements under which a step's effects on a number are as they are."""
        return self._updates[term][position].reads

    def source(self, bound: Bound, position: int) -> Source:
        """Return the steps that keep a value within a bound at a position.

        The value results from the last assignment before the position and from later additions.
        ``fuel >= 3`` depends on the assignment and on as few additions as suffice, and ``fuel = 3``
        on all of them.

        Args:
            bound: Term, comparison and number.
            position: The position.
        """
        # The updates are in the order of the plan.
        updates = self._updates.get(bound.term, {})
        last_setter = None
        additions: list[int] = []
        for step, update in updates.items():
            if step >= position:
                break
            if update.amount is None:
                last_setter = step
                additions = []
            else:
                additions.append(step)
        # An exact value rests on every change since it was set, a bound on those that help.
        if bound.sign == "=":
            needed_additions = [step for step in additions if updates[step].happens]
        else:
            setter_position = 0 if last_setter is None else last_setter + 1
            value = value_of(self._states[setter_position], bound.term)
            needed_additions = _fewest_adders(bound, value, additions, updates)
        other_additions = [step for step in additions if step not in needed_additions]
        return Source(last_setter, tuple(needed_additions), tuple(other_additions))

    def order(self, bound: Bound, position: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of steps whose order keeps a bound true at a position.

        The value at the position comes from its setter, the last step before it that assigns the
        number, and from the steps in between that add to it.

        Args:
            bound: The bound.
            position: The position of a step, or the end; pairs with the end say nothing.
        """
        source = self.source(bound, position)
        setter = source.setter
        for step, update in self._updates.get(bound.term, {}).items():
            if step == setter:
                yield step, position
            elif step < position and (setter is None or step > setter):
                # Steps in between that are no adders are not needed for the bound. But it may break
                # if their effects change, so those with requirements keep their place, too.
                if step in source.adders or update.reads:
                    if setter is not None:
                        yield setter, step
                    yield step, position
            # A later or an earlier step would matter if it came between setter and position.
            elif _is_towards(bound, update):
                continue
            elif step > position:
                yield position, step
            elif setter is not None and step < setter:
                yield step, setter


def _fewest_adders(
    bound: Bound, value: Rational | None, steps: Sequence[int], updates: Mapping[int, NumberUpdate]
) -> list[int]:
    """Return the fewest steps that suffice for a bound, whatever the others do.

    Args:
        bound: A lower or upper bound.
        value: The value that was set before.
        steps: The steps that have changed it since then.
        updates: The updates that they made.
    """
    # All steps that lead away from the bound count, so that leaving one of them out does no harm.
    total: Rational = value or 0
    helpful_additions: list[tuple[Rational, int]] = []
    for step in steps:
        amount: Rational = updates[step].amount or 0
        if (amount > 0) is (bound.sign in _LOWER):
            helpful_additions.append((amount if amount > 0 else -amount, step))
        else:
            total += amount
    # The largest first: so the fewest are taken.
    needed_steps: list[int] = []
    for _, step in sorted(helpful_additions, reverse=True):
        if is_within(total, bound):
            break
        total += updates[step].amount or 0
        needed_steps.append(step)
    return sorted(needed_steps)


def _is_towards(bound: Bound, update: NumberUpdate) -> bool:
    """Return whether an update leads towards the allowed side of a bound, wherever it is done."""
    if bound.sign == "=" or update.amount is None or update.reads:
        return False
    return update.amount >= 0 if bound.sign in _LOWER else update.amount <= 0
