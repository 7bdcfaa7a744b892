"""Effects taken apart: every literal by itself, with what stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from eai.logic.formula import TRUE, And, Atom, Formula, Term, Variable
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Effect,
    ForallEffect,
    WhenEffect,
)

__all__ = ["Clause", "apart", "clauses"]


class Clause(NamedTuple):
    """One literal of an effect: for all objects for which the condition holds, it becomes true.

    Args:
        variables: What quantifiers around it bind, the outermost first.
        condition: All conditions around it.
        added: Whether the atom becomes true, or false.
        atom: The atom.
    """

    variables: tuple[Variable, ...]
    condition: Formula
    added: bool
    atom: Atom


def clauses(effect: Effect, names: Iterable[str] = ()) -> Iterator[Clause]:
    """Yield the literals of an effect, in reading order; costs are left out.

    Args:
        effect: The effect.
        names: Names of the variables that are bound outside of it: the parameters. Where one of
            them is hidden, the variable that hides it gets a new name (:func:`apart`).
    """
    return _literals(apart(effect, names), (), TRUE)


def _literals(
    effect: Effect, variables: tuple[Variable, ...], condition: Formula
) -> Iterator[Clause]:
    if isinstance(effect, (AddEffect, DeleteEffect)):
        yield Clause(variables, condition, isinstance(effect, AddEffect), effect.atom)
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _literals(part, variables, condition)
    elif isinstance(effect, WhenEffect):
        both = effect.condition if condition == TRUE else And((condition, effect.condition))
        yield from _literals(effect.effect, variables, both)
    elif isinstance(effect, ForallEffect):
        yield from _literals(effect.effect, (*variables, *effect.variables), condition)


def apart(effect: Effect, names: Iterable[str] = ()) -> Effect:
    """Return an effect in which no variable hides another one.

    Where one does, it gets a new name, so that conditions from outside of its quantifier can be
    put inside. The name has a ``#``, as none in a text has.

    Args:
        effect: The effect.
        names: Names of the variables that are bound outside of it: the parameters.
    """
    return _apart(effect, {}, frozenset(names))


def _apart(effect: Effect, renamed: Mapping[str, Term], taken: frozenset[str]) -> Effect:
    if isinstance(effect, (AddEffect, DeleteEffect)):
        atom = effect.atom.substitute(renamed)
        assert isinstance(atom, Atom)  # noqa: S101 - an atom stays one
        return effect if atom is effect.atom else type(effect)(atom)
    if isinstance(effect, AndEffect):
        return AndEffect(tuple([_apart(part, renamed, taken) for part in effect.parts]))
    if isinstance(effect, WhenEffect):
        condition = effect.condition.substitute(renamed)
        return WhenEffect(condition, _apart(effect.effect, renamed, taken))
    if isinstance(effect, ForallEffect):
        own, within, known = list[Variable](), dict(renamed), set(taken)
        for each in effect.variables:
            hides = each.name in known
            own.append(Variable(f"{each.name}#{len(known)}", each.types) if hides else each)
            within[each.name] = own[-1]
            known.add(own[-1].name)
        return ForallEffect(tuple(own), _apart(effect.effect, within, frozenset(known)))
    return effect
