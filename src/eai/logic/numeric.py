"""Numeric conditions: comparisons of expressions over the numbers that a state keeps.

A *function term* is an :class:`~eai.logic.formula.Atom` whose value is a number: ``fuel(truck)``.
Numbers are exact: integers, or fractions where they have decimals. So ``0.1 + 0.2 = 0.3`` holds,
which it does not in floating point.

Examples:
    >>> condition = NumericCondition(">=", Atom("fuel", ("truck",)), Fraction(1, 2))
    >>> print(condition)
    fuel(truck) >= 0.5
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeVar, Union

from eai.errors import InputError
from eai.logic.algebra import Algebra
from eai.logic.formula import Atom
from eai.logic.nodes import Binding, Term, Variable, unique_node
from eai.logic.printer import Printer
from eai.logic.tree import Formula, TruthContext

if TYPE_CHECKING:
    from typing_extensions import Self

V = TypeVar("V")

Rational = Union[int, Fraction]
"""An exact number."""

ComparisonSign = Literal["<", "<=", "=", ">=", ">"]
ArithmeticSign = Literal["+", "-", "*", "/"]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A sum, difference, product or quotient; ``-`` with one operand changes the sign.

    Args:
        sign: The operation.
        operands: Its operands, from left to right.
    """

    sign: ArithmeticSign
    operands: tuple[Expression, ...]


Expression = Union[int, Fraction, Atom, Arithmetic]
"""A number, a function term, or arithmetic over expressions."""


class NumericCondition(Formula):
    """A comparison of two expressions, such as ``fuel(truck) >= 2``."""

    __slots__ = ("left", "right", "sign")
    __match_args__ = ("sign", "left", "right")
    is_derived = False
    sign: ComparisonSign
    left: Expression
    right: Expression

    def __new__(cls, sign: ComparisonSign, left: Expression, right: Expression) -> Self:
        return unique_node(cls, sign, left, right)

    @property
    def function_terms(self) -> tuple[Atom, ...]:
        """The function terms whose values are compared, in reading order."""
        return (*function_terms(self.left), *function_terms(self.right))

    @property
    def terms(self) -> tuple[Term, ...]:
        """The objects and variables in the function terms, in reading order."""
        terms: list[Term] = []
        for term in self.function_terms:
            terms += term.terms
        return tuple(terms)

    def with_terms(self, terms: Iterable[Term]) -> NumericCondition:
        # Both sides share one iterator, from which each takes as many terms as it has.
        remaining = iter(terms)
        left = _with_terms(self.left, remaining)
        return NumericCondition(self.sign, left, _with_terms(self.right, remaining))

    def combine(self, algebra: Algebra[V], values: Sequence[V]) -> V:
        raise InputError(
            f"{self} compares numbers, which only a trajectory with numbers can tell",
            expected="a formula over facts and actions",
        )

    def truth(self, at: TruthContext, binding: Binding) -> int:
        return at.numeric(self, binding)

    def text(self, to: Printer) -> str:
        left = format_expression(self.left, to)
        return f"{left} {self.sign} {format_expression(self.right, to)}"


def function_terms(expression: Expression) -> Iterator[Atom]:
    """Yield the function terms of an expression, in reading order."""
    if isinstance(expression, Atom):
        yield expression
    elif isinstance(expression, Arithmetic):
        for operand in expression.operands:
            yield from function_terms(operand)


def numeric_terms(formula: Formula) -> Iterator[Atom]:
    """Yield the function terms that a formula compares, in reading order."""
    for node in formula.walk():
        if isinstance(node, NumericCondition):
            yield from node.function_terms


def compares_numbers(formula: Formula) -> bool:
    """Return whether a formula compares numbers."""
    return any(isinstance(node, NumericCondition) for node in formula.walk())


def substituted(expression: Expression, binding: Mapping[str, Term]) -> Expression:
    """Return an expression with variables replaced by terms."""
    if isinstance(expression, Atom):
        return substituted_term(expression, binding)
    if isinstance(expression, Arithmetic):
        operands = [substituted(operand, binding) for operand in expression.operands]
        return Arithmetic(expression.sign, tuple(operands))
    return expression


def generalized(expression: Expression, names: Mapping[str, Variable]) -> Expression:
    """Return an expression with objects replaced by variables."""
    new_terms: list[Term] = []
    for function_term in function_terms(expression):
        for term in function_term.terms:
            if isinstance(term, str):
                new_terms.append(names.get(term, term))
            else:
                new_terms.append(term)
    return _with_terms(expression, iter(new_terms))


def substituted_term(term: Atom, binding: Mapping[str, Term]) -> Atom:
    """Return a function term, or another atom, with terms in the place of variables."""
    changed = term.substitute(binding)
    assert isinstance(changed, Atom)  # noqa: S101 - an atom stays one
    return changed


def _with_terms(expression: Expression, terms: Iterator[Term]) -> Expression:
    """Return an expression with other terms, equally many."""
    if isinstance(expression, Atom):
        return expression.with_terms([next(terms) for _ in expression.terms])
    if isinstance(expression, Arithmetic):
        operands = [_with_terms(operand, terms) for operand in expression.operands]
        return Arithmetic(expression.sign, tuple(operands))
    return expression


def format_expression(expression: Expression, to: Printer) -> str:
    """Return an expression as it stands in a formula, such as ``(fuel(truck1) - 2)``.

    Args:
        expression: A number, a function term, or a calculation.
        to: Knows how names are written in the notation at hand.
    """
    if isinstance(expression, Atom):
        if not expression.terms:
            return to.primitive(expression.predicate, ())
        return expression.text(to)
    if not isinstance(expression, Arithmetic):
        return format_number(expression)
    operands = [format_expression(operand, to) for operand in expression.operands]
    if len(operands) == 1:  # a negative value, "(-x)"
        return f"({expression.sign}{operands[0]})"
    return f"({f' {expression.sign} '.join(operands)})"


_MAX_SHOWN_BITS = 4_000
"""Maximum number of bits of a number that is written out: more than 1,000 digits say nothing."""


def exact(value: float | Rational) -> Rational:
    """Return a number exactly as it is written: ``0.1`` is one tenth."""
    if isinstance(value, float):
        return Fraction(repr(value))  # the digits as they are written, not the bits behind them
    return value


def format_number(value: Rational) -> str:
    """Return a number as a decimal if it has finitely many digits, else as a fraction.

    Examples:
        >>> format_number(Fraction(5, 2)), format_number(Fraction(1, 3)), format_number(-4)
        ('2.5', '1/3', '-4')
    """
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MAX_SHOWN_BITS:
        return "a number of very many digits"
    value = Fraction(value)
    places = decimal_places(value)
    if places is None:
        return str(value)
    # 5/2 with one place: 5 * 10 // 2 = 25, in which the point is put before the last digit.
    digits = str(abs(value.numerator) * 10**places // value.denominator)
    sign = "-" if value < 0 else ""
    if not places:
        return sign + digits
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def decimal_places(value: Fraction) -> int | None:
    """Return the number of decimal places, or None if there are infinitely many.

    3/8 is 0.375 and has three, 1/3 has no end.
    """
    # A fraction ends if its denominator has no factors but 2 and 5, those of 10.
    remaining_denominator = value.denominator
    powers = []
    for factor in (2, 5):
        power = 0
        while remaining_denominator % factor == 0:
            remaining_denominator //= factor
            power += 1
        powers.append(power)
    if remaining_denominator != 1:
        return None
    return max(powers)
