"""For which objects a condition can be true at all, whatever the volatile atoms are.

Quantifiers range over hundreds of objects, of which the atoms of the condition leave a few. A
*span* is a mask that contains every object for which a condition may be as wanted, and perhaps
more of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import and_, or_

from eai.logic.algebra import Bits
from eai.logic.formula import (
    ActionAtom,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    Xor,
)
from eai.planning.repair.problem import Literal
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.conditions import places
from eai.world.state import State
from eai.world.transition import World

__all__ = ["Env", "Reads", "Spans", "Support"]

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


Reads = frozenset[Literal]
"""Literals that hold in a state."""

_NOTHING: Reads = frozenset()
_Part = tuple[Formula, Env, bool]


class Support:
    """Finds what conditions rest on.

    Args:
        world: The world.
        start: The initial state; what holds from the start is preferred to what steps made so.
        volatile: A state in which exactly the volatile atoms hold.
    """

    def __init__(self, world: World, start: State, volatile: State) -> None:
        self.world = world
        self.start = start
        self.spans = Spans(world, start, volatile)
        self._volatile = volatile
        self._index = world.layout.index
        self._state = start
        self._action: Action | None = None
        self._known: dict[tuple[str, tuple[int, ...], bool], Reads | None] = {}
        self._open: set[tuple[str, tuple[int, ...], bool]] = set()
        self._cut = False

    def move(self, state: State, action: Action | None = None) -> None:
        """Go to a position: its state, and the action that is taken from it."""
        self._state, self._action = state, action
        self.spans.state = state
        self._known = {}

    def is_volatile(self, literal: Literal) -> bool:
        """Whether the atom of a literal changes."""
        return self._volatile.test(*literal[:2])

    def is_true(self, literal: Literal) -> bool:
        """Whether a literal holds here."""
        p, numbers, value = literal
        return self._state.test(p, numbers) is value

    def cheaper(self, one: Reads | None, other: Reads | None) -> Reads | None:
        """Return the support that rests on fewer changes; the first if there is no difference."""
        if one is None or other is None:
            return other if one is None else one
        return other if self._weight(other) < self._weight(one) else one

    def _weight(self, reads: Reads) -> tuple[int, int]:
        made = sum(self.start.test(p, numbers) is not value for p, numbers, value in reads)
        return made, len(reads)

    def of(self, formula: Formula, env: Env, want: bool = True) -> Reads | None:
        """Return what the truth of a condition rests on.

        Args:
            formula: The condition. Actions in it are compared with the one that is taken here.
            env: Numbers of the objects of its free variables.
            want: Whether its truth or its falsity is asked for.

        Returns:
            Literals that hold here and suffice; None if the condition is not as wanted.
        """
        if isinstance(formula, Atom):
            return self._atom(formula, env, want)
        if isinstance(formula, Not):
            return self.of(formula.operand, env, not want)
        if isinstance(formula, (Truth, Equal, ActionAtom)):
            return _NOTHING if self._is_so(formula, env) is want else None
        if isinstance(formula, (And, Or)):
            parts = ((part, env, want) for part in formula.operands)
            return self._joint(parts, every=isinstance(formula, And) is want)
        if isinstance(formula, Implies):
            sides = ((formula.left, env, not want), (formula.right, env, want))
            return self._joint(sides, every=not want)
        if isinstance(formula, (Exists, Forall)):
            instances = self._instances(formula, env, isinstance(formula, Exists))
            each = ((formula.body, inner, want) for inner in instances)
            return self._joint(each, every=isinstance(formula, Forall) is want)
        return self._counted(formula, env, want)

    def _is_so(self, formula: Truth | Equal | ActionAtom, env: Env) -> bool:
        if isinstance(formula, Truth):
            return formula.value
        if isinstance(formula, Equal):
            return self._number(formula.left, env) == self._number(formula.right, env)
        number = self.start.universe.number
        return (
            self._action is not None
            and formula.action == self._action.name
            and [self._number(term, env) for term in formula.terms]
            == [number(name) for name in self._action.arguments]
        )

    def _number(self, term: Term, env: Env) -> int:
        return env[term.name] if isinstance(term, Variable) else self.start.universe.number(term)

    def _joint(self, parts: Iterable[_Part], *, every: bool) -> Reads | None:
        """What all parts rest on together, or the part that rests on least."""
        joined, best = _NOTHING, None
        for part in parts:
            found = self.of(*part)
            if every:
                if found is None:
                    return None
                joined |= found
            else:
                best = self.cheaper(best, found)
                if best is not None and not best:
                    return best
        return joined if every else best

    def _instances(
        self, formula: Exists | Forall | Count | ForPairs, env: Env, possible: bool
    ) -> Iterator[Env]:
        """The bindings of a quantifier, without those whose instances never are as ``possible``."""
        return self.spans.bindings(formula.variables, formula.operands[0], env, want=possible)

    # ------------------------------------------------------------ propositions
    def _atom(self, atom: Atom, env: Env, want: bool) -> Reads | None:
        numbers = tuple([self._number(term, env) for term in atom.terms])
        if atom.predicate in self.world.derived:
            return self._derived(atom.predicate, numbers, want)
        literal = (self._index[atom.predicate], numbers, want)
        if not self.is_true(literal):
            return None
        return frozenset((literal,)) if self.is_volatile(literal) else _NOTHING

    def _derived(self, predicate: str, numbers: tuple[int, ...], want: bool) -> Reads | None:
        key = (predicate, numbers, want)
        if key in self._known:
            return self._known[key]
        if key in self._open:
            # A derivation does not use what it derives; what denies all of them may be circular.
            self._cut = True
            return None if want else _NOTHING
        before, self._cut = self._cut, False
        self._open.add(key)
        found = self._joint(self._bodies(predicate, numbers, want), every=not want)
        self._open.discard(key)
        # What was cut short inside a circle holds only where the circle was entered.
        if not self._cut or not self._open:
            self._known[key] = found
        self._cut = before or (self._cut and bool(self._open))
        return found

    def _bodies(self, predicate: str, numbers: tuple[int, ...], want: bool) -> Iterator[_Part]:
        universe = self.start.universe
        for head, body in self.spans.rules.get(predicate, ()):
            if all(universe.mask(v.types) >> n & 1 for v, n in zip(head, numbers, strict=True)):
                yield body, dict(zip((v.name for v in head), numbers, strict=True)), want

    # ------------------------------------------------------------ comparing and counting
    def _counted(self, formula: Formula, env: Env, want: bool) -> Reads | None:
        if isinstance(formula, (Iff, Xor)):
            return self._compared(formula, env, want)
        assert isinstance(formula, (Count, ForPairs))  # noqa: S101 - a state formula has no others
        body = formula.operands[0]
        evaluated = [
            (inner, self.of(body, inner, True))
            for inner in self._instances(formula, env, possible=True)
        ]
        true = [reads for _, reads in evaluated if reads is not None]
        false = [
            self.of(body, inner, False) or _NOTHING for inner, reads in evaluated if reads is None
        ]
        if isinstance(formula, Count):
            return self._number_of(formula, true, false, want)
        holds = self._is_paired(formula, [inner for inner, reads in evaluated if reads is not None])
        # Which pairs are formed is left open: all stay as they are.
        return _union([*true, *false]) if holds is want else None

    def _is_paired(self, formula: ForPairs, instances: Iterable[Env]) -> bool:
        universe, variables = self.start.universe, (formula.first, formula.second)
        first, second = (universe.of_types(variable.types) for variable in variables)
        edges = {}
        for env in instances:
            left, right = (universe.names[env[variable.name]] for variable in variables)
            if left != right:
                edges[left, right] = 1
        return bool(formula.paired(Bits(1), edges, (first, second)))

    def _number_of(
        self, formula: Count, true: Sequence[Reads], false: Sequence[Reads], want: bool
    ) -> Reads | None:
        count, number = len(true), formula.number
        least, most = formula.comparison != "at most", formula.comparison != "at least"
        holds = (count >= number or not least) and (count <= number or not most)
        if holds is not want:
            return None
        cheapest = sorted(true, key=self._weight)
        if not want:
            enough = cheapest[: number + 1]
            return _union(enough) if most and count > number else _union(false)
        return _union([*(cheapest[:number] if least else ()), *(false if most else ())])

    def _compared(self, formula: Iff | Xor, env: Env, want: bool) -> Reads | None:
        left, right = (
            next(
                (sign, reads)
                for sign in (True, False)
                if (reads := self.of(each, env, sign)) is not None
            )
            for each in formula.operands
        )
        same = left[0] is right[0]
        return left[1] | right[1] if (same is isinstance(formula, Iff)) is want else None


def _union(reads: Iterable[Reads]) -> Reads:
    return _NOTHING.union(*reads)
