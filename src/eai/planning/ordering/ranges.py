"""For which objects a condition can be as wanted at all, whatever the volatile atoms are.

Quantifiers range over hundreds of objects, of which the atoms of the condition leave a few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_

from eai.logic import Atom, Equal, Formula, Term, Variable
from eai.planning.reasons import Env, rules_of
from eai.world import State, World, locations
from eai.world.bits import bits

_ALL = -1


class Ranges:
    """Finds the objects that matter; what it returns contains all of them, and perhaps more.

    Args:
        world: The world.
        state: The state that is looked at.
        volatile: A state in which exactly the volatile atoms hold.
    """

    def __init__(self, world: World, state: State, volatile: State) -> None:
        self.state = state
        self._volatile = volatile
        self._world = world
        self._rules = rules_of(world)
        self._open: set[str] = set()

    def bindings(
        self, variables: Sequence[Variable], body: Formula, env: Env, *, want: bool
    ) -> Iterator[Env]:
        """Yield the bindings of variables for which a condition may be as wanted, and others."""
        if not variables:
            yield env
            return
        hidden = {variable.name for variable in variables}
        outer = {name: number for name, number in env.items() if name not in hidden}
        first, *rest = variables
        found = self.of(body, first.name, outer, want) & self.state.universe.mask(first.types)
        for number in bits(found):
            yield from self.bindings(rest, body, {**outer, first.name: number}, want=want)

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
        if isinstance(formula, Equal) and want:
            for this, other in (formula.terms, formula.terms[::-1]):
                number = self._number(other, env)
                if isinstance(this, Variable) and this.name == name and number is not None:
                    return 1 << number
            return _ALL
        needed = formula.needs(want)
        hidden = {variable.name for variable in formula.variables}
        if needed is None or name in hidden:
            return _ALL
        inner = {key: number for key, number in env.items() if key not in hidden}
        masks = (self.of(part, name, inner, wish) for part, wish in needed.parts)
        return _joined(masks, every=needed.every)

    def _number(self, term: Term, env: Env) -> int | None:
        if isinstance(term, Variable):
            return env.get(term.name)
        return self.state.universe.number(term)

    def _atom(self, atom: Atom, name: str, env: Env, want: bool) -> int:
        at = locations(atom, name)
        if len(at) != 1:
            return _ALL
        numbers = [self._number(term, env) for term in atom.terms]
        if atom.predicate in self._world.derived:
            return self._derived(atom.predicate, at[0], numbers, want)
        p = self._world.layout.index[atom.predicate]
        if len(numbers) == 1:
            now, later = self.state.unary[p], self._volatile.unary[p]
        else:
            other = numbers[1 - at[0]] if len(numbers) == 2 else None
            if other is None:
                return _ALL
            now, later = (
                (each.rows if at[0] else each.cols)[p][other]
                for each in (self.state, self._volatile)
            )
        return now | later if want else ~(now & ~later)

    def _derived(self, predicate: str, at: int, numbers: Sequence[int | None], want: bool) -> int:
        rules = self._rules.get(predicate)
        typed = rules and any("object" not in v.types for head, _ in rules for v in head)
        if not rules or predicate in self._open or (typed and not want):
            return _ALL
        self._open.add(predicate)
        masks = []
        for head, body in rules:
            env = {v.name: n for v, n in zip(head, numbers, strict=True) if n is not None}
            masks.append(self.of(body, head[at].name, env, want))
        self._open.discard(predicate)
        return _joined(masks, every=not want)


def _joined(masks: Iterable[int], *, every: bool) -> int:
    return reduce(and_, masks, _ALL) if every else reduce(or_, masks, 0)
