"""For which objects a condition can be true at all, whatever the volatile atoms are.

Quantifiers range over hundreds of objects, of which the atoms of the condition leave a few. A
*span* is a mask that contains every object for which a condition may be as wanted, and perhaps
more of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_, or_

from eai.logic.formula import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Variable,
)
from eai.world.bits import bits
from eai.world.conditions import places
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Env", "Spans"]

Env = Mapping[str, int]
"""Variable name to the number of an object."""

_ALL = -1


class Spans:
    """Finds the objects that matter.

    Args:
        world: The world.
        state: The state to begin with.
        volatile: A state in which exactly the volatile atoms hold.

    Attributes:
        state: The state that is looked at.
        rules: Derived predicate to the heads and bodies of its rules.
    """

    def __init__(self, world: World, state: State, volatile: State) -> None:
        self.state = state
        self._volatile = volatile
        self._world = world
        self._open: set[str] = set()
        self.rules: dict[str, list[tuple[tuple[Variable, ...], Formula]]] = {}
        for axiom in world.domain.axioms:
            head = tuple(term for term in axiom.head.terms if isinstance(term, Variable))
            self.rules.setdefault(axiom.head.predicate, []).append((head, axiom.body))

    def bindings(
        self, variables: Sequence[Variable], body: Formula, env: Env, *, want: bool
    ) -> Iterator[Env]:
        """Yield the bindings of variables for which a condition may be as wanted, and others.

        Args:
            variables: The variables; they hide those of the same name.
            body: The condition.
            env: Numbers of the other variables.
            want: Whether the condition is to be true or false.
        """
        names = {variable.name for variable in variables}
        yield from self._bind(
            list(variables), body, {k: v for k, v in env.items() if k not in names}, want
        )

    def _bind(
        self, variables: list[Variable], body: Formula, env: Env, want: bool
    ) -> Iterator[Env]:
        if not variables:
            yield env
            return
        first, *rest = variables
        span = self.of(body, first.name, env, want) & self.state.universe.mask(first.types)
        for number in bits(span):
            yield from self._bind(rest, body, {**env, first.name: number}, want)

    def of(self, formula: Formula, name: str, env: Env, want: bool) -> int:
        """Return the objects for which a condition may be as wanted, as a mask (-1: all).

        Args:
            formula: The condition.
            name: The variable that stands for the objects.
            env: Numbers of other variables; some may be open.
            want: Whether the condition is to be true or false.
        """
        if isinstance(formula, Atom):
            return self._atom(formula, name, env, want)
        if isinstance(formula, Not):
            return self.of(formula.operand, name, env, not want)
        if isinstance(formula, (And, Or)):
            parts = (self.of(part, name, env, want) for part in formula.operands)
            return _joined(parts, every=isinstance(formula, And) is want)
        if isinstance(formula, Implies):
            sides = (
                self.of(formula.left, name, env, not want),
                self.of(formula.right, name, env, want),
            )
            return _joined(sides, every=not want)
        if isinstance(formula, (Exists, Forall)):
            return self._quantified(formula, name, env, want)
        if isinstance(formula, Equal) and want:
            return self._equal(formula, name, env)
        return _ALL

    def _quantified(self, formula: Exists | Forall, name: str, env: Env, want: bool) -> int:
        names = {variable.name for variable in formula.variables}
        if name in names or isinstance(formula, Forall) is want:
            return _ALL
        return self.of(formula.body, name, {k: v for k, v in env.items() if k not in names}, want)

    def _equal(self, formula: Equal, name: str, env: Env) -> int:
        sides = (formula.left, formula.right)
        for this, other in (sides, sides[::-1]):
            if isinstance(this, Variable) and this.name == name:
                number = self._number(other, env)
                return _ALL if number is None else 1 << number
        return _ALL

    def _number(self, term: Term, env: Env) -> int | None:
        if isinstance(term, Variable):
            return env.get(term.name)
        return self.state.universe.number(term)

    def _atom(self, atom: Atom, name: str, env: Env, want: bool) -> int:
        at = places(atom, name)
        if len(at) != 1:
            return _ALL
        if atom.predicate in self._world.derived:
            return self._derived(atom, at[0], env, want)
        if len(atom.terms) > 2:
            return _ALL
        other = self._number(atom.terms[1 - at[0]], env) if len(atom.terms) == 2 else 0
        if other is None:
            return _ALL
        p = self._world.layout.index[atom.predicate]
        now, later = (
            _line(state, p, at[0] if len(atom.terms) == 2 else None, other)
            for state in (self.state, self._volatile)
        )
        return now | later if want else ~(now & ~later)

    def _derived(self, atom: Atom, at: int, env: Env, want: bool) -> int:
        rules = self.rules.get(atom.predicate)
        typed = rules and any("object" not in v.types for head, _ in rules for v in head)
        if not rules or atom.predicate in self._open or (typed and not want):
            return _ALL
        self._open.add(atom.predicate)
        numbers = [self._number(term, env) for term in atom.terms]
        spans = [
            self.of(
                body,
                head[at].name,
                {v.name: n for v, n in zip(head, numbers, strict=True) if n is not None},
                want,
            )
            for head, body in rules
        ]
        self._open.discard(atom.predicate)
        return _joined(spans, every=not want)


def _joined(masks: Iterable[int], *, every: bool) -> int:
    return reduce(and_, masks, _ALL) if every else reduce(or_, masks, 0)


def _line(state: State, p: int, at: int | None, other: int) -> int:
    if at is None:
        return state.unary[p]
    return (state.rows if at else state.cols)[p][other]
