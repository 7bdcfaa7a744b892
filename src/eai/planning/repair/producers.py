"""What makes a literal true: the effects of operators, taken apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from eai.logic.formula import TRUE, Formula, Term, Variable
from eai.pddl.model import clauses
from eai.world.bits import bits
from eai.world.transition import World
from eai.world.universe import Universe

__all__ = ["Literal", "Producer", "producers"]

Literal = tuple[int, tuple[int, ...], bool]
"""Number of a predicate, numbers of its arguments, and whether it is to be true or false."""


@dataclass(frozen=True, slots=True)
class Producer:
    """One effect of an operator.

    Args:
        operator: Name of the operator.
        sign: Number of the predicate, and whether the effect makes it true.
        terms: Arguments of the atom.
        arity: How many of the variables are parameters of the operator.
        variables: The operator's parameters, then what quantifiers of the effect range over.
        condition: When the effect happens.
        test: The condition as a function of a state and of numbers for the variables; None if
            the effect always happens.
        typed: The variables that not every object can stand for.
        last: The last argument of the atom, with its type; None if it has none.
    """

    operator: str
    sign: tuple[int, bool]
    terms: tuple[Term, ...]
    arity: int
    variables: tuple[Variable, ...]
    condition: Formula
    test: Callable[..., bool] | None
    typed: tuple[Variable, ...]
    last: Term | None

    @property
    def parameters(self) -> tuple[Variable, ...]:
        """The operator's parameters."""
        return self.variables[: self.arity]

    def binding(
        self, numbers: tuple[int, ...], universe: Universe, given: tuple[int, ...]
    ) -> dict[str, int] | None:
        """Bind the variables so that the effect is about certain objects.

        Args:
            numbers: The objects; fewer than there are arguments: the first ones.
            universe: Where they are from.
            given: Numbers of the first variables.

        Returns:
            Variable to number, for those that are bound; None if the effect cannot be about
            these objects.
        """
        found = {v.name: number for v, number in zip(self.variables, given, strict=False)}
        for term, number in zip(self.terms, numbers, strict=False):
            if isinstance(term, Variable):
                if found.setdefault(term.name, number) != number:
                    return None
            elif universe.number(term) != number:
                return None
        for variable in self.typed:
            at = found.get(variable.name)
            if at is not None and not universe.mask(variable.types) >> at & 1:
                return None
        return found

    def completed(
        self, env: dict[str, int], mask: int, universe: Universe
    ) -> Iterator[dict[str, int]]:
        """Bind the last argument of the atom, too.

        Args:
            env: What the other arguments are bound to.
            mask: The objects that it may be.
            universe: Where they are from.
        """
        last = self.last
        if isinstance(last, Variable) and last.name not in env:
            for number in bits(mask & universe.mask(last.types)):
                yield {**env, last.name: number}
            return
        if last is not None:
            number = env[last.name] if isinstance(last, Variable) else universe.number(last)
            if not mask >> number & 1:
                return
        yield env


def producers(world: World, names: Iterable[str]) -> list[Producer]:
    """Take the effects of operators apart.

    Args:
        world: The world.
        names: Names of the operators.
    """
    found = []
    for name in names:
        operator = world.operator(name).operator
        parameters = operator.parameters
        own = [variable.name for variable in parameters]
        for quantified, condition, added, atom in clauses(operator.effect, own):
            variables = (*parameters, *quantified)
            test = None if condition == TRUE else world.function_of(condition, variables)
            sign = world.layout.index[atom.predicate], added
            arity = len(parameters)
            typed = tuple(v for v in variables if "object" not in v.types)
            types = {v.name: v for v in variables}
            last = atom.terms[-1] if atom.terms else None
            if isinstance(last, Variable):
                last = types[last.name]
            found.append(
                Producer(name, sign, atom.terms, arity, variables, condition, test, typed, last)
            )
    return found
