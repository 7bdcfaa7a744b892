"""Formulas over any algebra, with their quantifiers written out over the objects.

Idea: the value of a formula at a position follows from those of its operands, and that of a
quantifier from those of its body for every binding of its variables (grounding). So a class needs
only say what a ground proposition is worth in an algebra.

Invariant: values are remembered by formula and by the objects of its *free* variables, so a
subformula is worked out once for each binding that it can tell apart.

Cost: one value for every such pair. Their number is a product over nested quantifiers, and is
counted before it is paid (``spend``).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, Union

from eai.errors import InputError
from eai.logic.algebra import Algebra
from eai.logic.formula import ForPairs, Proposition, Then, not_at_a_position
from eai.logic.nodes import Term, Variable
from eai.logic.tree import Formula

V = TypeVar("V")
Binding = Mapping[str, str]
"""Variable name to object name."""

Range = Callable[[tuple[str, ...]], Sequence[str]]
"""From types to the names of the objects of any of them, such as a trajectory's ``objects``."""

Objects = Union[Mapping[str, Union[str, Collection[str]]], Iterable[str], Range, None]
"""Object names; names with their type, or with their type and all its supertypes; or what
answers for types."""


def ranges(objects: Objects) -> Range:
    """Return a function from type names to the names of the objects of these types.

    Every object has the type ``"object"``. Without objects the function raises InputError.

    Raises:
        InputError: If a text is given, whose letters would be taken for objects.

    Examples:
        >>> range_of = ranges({"cup1": "cup", "pan1": ["pan", "container"]})
        >>> range_of(("container",)), range_of(("object",))
        (['pan1'], ['cup1', 'pan1'])
    """
    if objects is None:
        return _refuse_missing_objects
    if isinstance(objects, str):
        raise InputError(f"objects is the string {objects!r}", expected="names of objects")
    if callable(objects):
        return objects
    types_of_object: dict[str, set[str]] = {name: {"object"} for name in objects}
    if isinstance(objects, Mapping):
        for name, types_of_name in objects.items():
            if isinstance(types_of_name, str):
                types_of_object[name].add(types_of_name)
            else:
                types_of_object[name].update(types_of_name)

    def objects_of_types(wanted: tuple[str, ...]) -> list[str]:
        """Return the objects of any of some types, in the order in which they were given."""
        return [name for name in types_of_object if not types_of_object[name].isdisjoint(wanted)]

    return objects_of_types


def _refuse_missing_objects(types: tuple[str, ...]) -> Sequence[str]:
    """Raise an error, because a quantifier needs objects and none were given."""
    raise InputError(
        f"the formula has a quantifier over {' or '.join(types)}, and no objects are given for it",
        mend="pass objects=, the names that the variables range over",
    )


def bindings(variables: Sequence[Variable], objects: Range, outer: Binding) -> Iterator[Binding]:
    """Yield every binding of some variables, those of the last variable changing fastest."""
    names = [variable.name for variable in variables]
    for choice in itertools.product(*_objects_of_variables(variables, objects)):
        yield {**outer, **dict(zip(names, choice, strict=True))}


def _objects_of_variables(variables: Sequence[Variable], objects: Range) -> list[Sequence[str]]:
    """Return the objects of each variable's types."""
    return [objects(variable.types) for variable in variables]


class Expansion(Generic[V]):
    """Computes values of formulas from values of ground propositions, in any algebra.

    Args:
        algebra: The algebra.
        objects: Function from types to their objects.
        letter: Function from a ground proposition to its value.
        spend: Function that counts the formulas and bindings that are looked at, and may refuse.
    """

    def __init__(
        self,
        algebra: Algebra[V],
        objects: Range,
        letter: Callable[[Proposition], V],
        spend: Callable[[int], None],
    ) -> None:
        """Store the algebra and what propositions mean in it; values are cached later."""
        self.algebra = algebra
        self.objects = objects
        self.letter = letter
        self.spend = spend
        # By formula and objects of its free variables (see ``Formula.under``).
        self._known: dict[tuple[object, ...], V] = {}

    def value(self, formula: Formula, binding: Binding) -> V:
        """Return the value of a formula in the algebra.

        The value is computed from those of the operands, or for a quantifier from those of its body
        for each choice of objects. Values are cached by formula and by the objects of its free
        variables.

        Args:
            formula: The formula.
            binding: Objects of its free variables.
        """
        key = formula.under(binding)
        cached_value = self._known.get(key)
        if cached_value is not None:
            return cached_value
        self.spend(1)
        if isinstance(formula, Then):
            value = self.then(formula, binding)
        elif isinstance(formula, Proposition):
            value = self.letter(self.grounded(formula, binding))
        elif formula.variables:
            value = self._value_of_quantifier(formula, binding)
        else:
            operands = []
            for operand in formula.operands:
                operands.append(self.value(operand, binding))
            # A node that compares terms needs the objects, and not only values of operands.
            ground_formula = formula
            if formula.terms:
                ground_formula = formula.substitute(binding)
            value = ground_formula.combine(self.algebra, operands)
        self._known[key] = value
        return value

    def _value_of_quantifier(self, formula: Formula, binding: Binding) -> V:
        """Return the value of a quantifier from those of its body for each choice of objects."""
        (body,) = formula.operands
        names = [variable.name for variable in formula.variables]
        values: dict[tuple[str, ...], V] = {}
        for inner_binding in self.bindings(formula, binding):
            values[tuple([inner_binding[name] for name in names])] = self.value(body, inner_binding)
        return self.quantified(formula, values)

    def bindings(self, formula: Formula, outer: Binding) -> Iterator[Binding]:
        """Yield the bindings of a quantifier; too many are refused before the first."""
        # Counted before they are made: three variables over 1,000 objects have a billion.
        self.spend(math.prod(map(len, _objects_of_variables(formula.variables, self.objects))))
        return bindings(formula.variables, self.objects, outer)

    def quantified(self, formula: Formula, values: Mapping[tuple[str, ...], V]) -> V:
        """Return the value of a quantifier, given the values of its instances."""
        if not isinstance(formula, ForPairs):
            return formula.combine(self.algebra, list(values.values()))
        # No object is paired off with itself.
        first_objects, second_objects = [
            self.objects(variable.types) for variable in formula.variables
        ]
        pairs = {
            (first_object, second_object): value
            for (first_object, second_object), value in values.items()
            if first_object != second_object
        }
        return formula.paired(self.algebra, pairs, (first_objects, second_objects))

    def then(self, formula: Then, binding: Binding) -> V:
        """Return the value of a ``then`` at a position."""
        raise not_at_a_position()

    def grounded(self, formula: Proposition, binding: Binding) -> Proposition:
        """Return a proposition with objects in the place of its variables."""
        terms: Sequence[Term] = formula.terms
        return formula.with_terms(
            [binding[term.name] if isinstance(term, Variable) else term for term in terms]
        )
