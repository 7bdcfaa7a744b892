"""Numbers in states: values of function terms, what changes them, and what has no value.

The values of the functions that no action changes (distances, prices) are in one table that all
states of a task share. Those of the others are in a small table of each state, which is replaced
when a step changes it. Values are exact: an integer, or a fraction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from eai.errors import InputError
from eai.logic import Rational

if TYPE_CHECKING:
    from typing_extensions import Self

    from eai.world.state import Change

Key = tuple[int, ...]
"""The number of a function, and those of the objects that it is applied to."""

MAX_BITS = 10_000
"""Maximum number of bits of a product or quotient, in numerator and denominator: squaring a number
again and again doubles its digits with every step. Sums grow by a few bits only."""


class UndefinedError(InputError):
    """Raised if a condition or effect needs an undefined number.

    Args:
        what: Why, in words, if it is not that a function term has no value.
        key: The function term that has no value.
    """

    def __init__(self, what: str, key: Key | None = None) -> None:
        super().__init__(what)
        self.key = key


class NumberChange(NamedTuple):
    """One change of a number.

    Args:
        key: The function term.
        old: Its value before; None if it had none.
        new: Its value after.
    """

    key: Key
    old: Rational | None
    new: Rational


class Values(dict[Key, Rational]):
    """The values of changeable functions. A term without a value is undefined.

    Attributes:
        fixed: The values of the functions that no action changes.
    """

    __slots__ = ("fixed",)
    fixed: Values

    @classmethod
    def of(cls, values: Mapping[Key, Rational], changing: Collection[int] = ()) -> Self:
        """Return a table of values, in which those of unchanging functions are kept apart.

        Args:
            values: Function term to value.
            changing: Indices of the functions that actions change.
        """
        # The fixed table is the fixed part of itself, so that it is a table like any other.
        fixed = cls()
        fixed.fixed = fixed
        values_that_change = cls()
        values_that_change.fixed = fixed
        for key, value in values.items():
            table = values_that_change if key[0] in changing else fixed
            table[key] = value
        return values_that_change

    def __missing__(self, key: Key) -> Rational:
        raise UndefinedError("a function term has no value", key)

    def value(self, key: Key) -> Rational | None:
        """Return the value of a function term; None if it has none."""
        # Not ``or``: 0 is a value, too.
        value = self.get(key)
        return self.fixed.get(key) if value is None else value

    def changed(self, changes: Iterable[NumberChange]) -> Self:
        """Return a table after some changes."""
        # A new table, since states that were copied from each other share theirs.
        new_table = type(self)(self)
        new_table.fixed = self.fixed
        for key, _, value in changes:
            new_table[key] = value
        return new_table

    def changes_to(self, other: Values) -> list[NumberChange]:
        """Return the changes that lead to another table with equally many values."""
        changes = []
        for key, new_value in other.items():
            old_value = self.get(key)
            if old_value != new_value:
                changes.append(NumberChange(key, old_value, new_value))
        return changes


class NumericChanges(list["Change"]):
    """The changes of atoms by a step, together with its changes of numbers.

    Args:
        changes: The changes of atoms.
        numbers: The changes of numbers.
    """

    __slots__ = ("numbers",)

    def __init__(self, changes: Iterable[Change], numbers: Sequence[NumberChange]) -> None:
        super().__init__(changes)
        self.numbers = numbers

    def __bool__(self) -> bool:
        # As a list it would be false where a step changes numbers only.
        return bool(len(self) or self.numbers)

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        return same and list(self.numbers) == list(numbers_of(other))

    __hash__ = None

    def __reduce__(self) -> tuple[Any, ...]:
        # Lists are pickled by their items, and created without arguments.
        return NumericChanges, (list(self), self.numbers)


def numbers_of(changes: object) -> Sequence[NumberChange]:
    """Return the changes of numbers among the changes of a step."""
    return changes.numbers if isinstance(changes, NumericChanges) else ()


def divided(left: Rational, right: Rational) -> Rational:
    """Return a quotient.

    Raises:
        UndefinedError: If the divisor is 0, or the quotient has too many digits.
    """
    if right == 0:
        raise UndefinedError("a division by zero")
    return bounded(Fraction(left) / right)


def multiplied(left: Rational, right: Rational) -> Rational:
    """Return a product.

    Raises:
        UndefinedError: If it has too many digits.
    """
    return bounded(left * right)


def bounded(value: Rational) -> Rational:
    """Return a number, or raise an error if it has too many digits.

    Raises:
        UndefinedError: If the numerator or denominator has more than :data:`MAX_BITS` bits.
    """
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise UndefinedError(f"a number of more than {MAX_BITS:,} binary digits")
    return value


def simplified(value: Rational) -> Rational:
    """Return a whole fraction as an integer, which is faster; any other number as it is."""
    return value.numerator if value.denominator == 1 else value


def updated(update: str, old: Rational, amount: Rational) -> Rational:
    """Return the value of a number after an update.

    Args:
        update: ``"increase"``, ``"decrease"``, ``"scale-up"`` or ``"scale-down"``.
        old: The value before it.
        amount: The amount of the update.

    Raises:
        UndefinedError: If the amount divides by zero, or the result has too many digits.
    """
    if update == "increase":
        return simplified(old + amount)
    if update == "decrease":
        return simplified(old - amount)
    if update == "scale-up":
        return simplified(multiplied(old, amount))
    return simplified(divided(old, amount))
