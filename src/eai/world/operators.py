"""Operators, compiled: their preconditions as tests, their effects as changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from eai.logic.formula import Formula, conjuncts
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    Operator,
    literal_effects,
)
from eai.world.compiler import Compiler, Updates

__all__ = ["CompiledOperator"]


class CompiledOperator:
    """One operator, compiled.

    Its precondition is a list of *tests*: its conjuncts in the order of the text.

    Args:
        operator: The action schema.
        compiler: Compiler of its domain.
    """

    def __init__(self, operator: Operator, compiler: Compiler) -> None:
        self.operator = operator
        self.tests: tuple[Formula, ...] = conjuncts(operator.precondition)
        self.typed = tuple(
            (at, parameter)
            for at, parameter in enumerate(operator.parameters)
            if "object" not in parameter.types
        )
        self._compiler = compiler

    @cached_property
    def first_failure(self) -> Callable[..., int]:
        """Function of a state and object numbers: number of the first failing test, or -1."""
        return self._compiler.first_failure(self.tests, self.operator.parameters)

    @cached_property
    def effect(self) -> Callable[..., tuple[Updates, Updates]]:
        """Function of a state and object numbers: additions and deletions."""
        return self._compiler.effect(self.operator.effect, self.operator.parameters)

    @cached_property
    def test_functions(self) -> tuple[Callable[..., bool], ...]:
        """The tests, one function each."""
        parameters = self.operator.parameters
        return tuple(self._compiler.condition(test, parameters) for test in self.tests)

    @cached_property
    def takes_back(self) -> bool:
        """Whether some predicate is deleted and added: then adding may win over deleting."""
        literals = list(literal_effects(self.operator.effect))
        added = {each.atom.predicate for each in literals if isinstance(each, AddEffect)}
        return any(
            isinstance(each, DeleteEffect) and each.atom.predicate in added for each in literals
        )

    @cached_property
    def always_acts(self) -> bool:
        """Whether some effect of the operator depends on no condition."""
        return _acts_always(self.operator.effect)


def _acts_always(effect: Effect) -> bool:
    if isinstance(effect, AndEffect):
        return any(_acts_always(part) for part in effect.parts)
    if isinstance(effect, ForallEffect):
        return _acts_always(effect.effect)
    return isinstance(effect, (AddEffect, DeleteEffect))
