"""Which literals an action that is put in has to bring about, if it is to be of any use.

A condition that fails can be mended only by changing a literal that it depends on, directly or
through a condition of an effect of a step that is kept. Going back from the condition like this
loses nothing. What could not become true with the edits that are left, even if nothing were ever
made false, is left out (the relaxation without deletions; Bonet & Geffner 2001, section 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from eai.logic.formula import (
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
    children,
    free_variables,
)
from eai.planning.repair.producers import Literal, Producer
from eai.planning.repair.stage import Stage
from eai.world.bits import bits
from eai.world.state import State

__all__ = ["Condition", "Support"]

_Env = Mapping[str, int]
_Rules = Sequence[tuple[tuple[str, ...], Formula]]
_Key = tuple[str, tuple[int, ...], bool, int, int]
_Timed = tuple[Literal, int]

Condition = tuple[Formula, _Env, bool]
"""A condition, the numbers of its variables, and whether it is to hold or to fail."""

_MOST = 300
"""More literals than this are not worth looking for in what an action changes."""


class Support:
    """Finds what is worth bringing about before a failure.

    Args:
        stage: The plan and its world.
        way: The states before the steps that are kept, by their 0-based numbers.
        edits: How many edits are left.
        until: The step, or the end, for which something is to be brought about: steps before it
            may make things true.
    """

    def __init__(self, stage: Stage, way: Mapping[int, State], *, edits: int, until: int) -> None:
        self._stage = stage
        self._universe = stage.start.universe
        self._index = stage.world.layout.index
        self._way = way
        self._until = until
        self._edits = edits
        self._rules = stage.rules
        self._known: dict[_Key, tuple[bool, frozenset[Literal]]] = {}
        self._truth: dict[tuple[Literal, int], bool] = {}
        self._open: set[tuple[Literal, int]] = set()
        self._cut = False
        self._by_predicate: dict[int, list[State]] = {}
        self._now: State | None = None

    def wishes(self, conditions: Sequence[Condition]) -> set[Literal]:
        """Return the literals that have to change if one of some conditions is to be mended.

        Only what is not as wanted at a step can make a difference to it: the literals of the
        conditions, and those on which the effects of steps on the way depend.

        Args:
            conditions: Conditions that are not as wanted, the numbers of their variables, and
                whether they are to hold or to fail.
        """
        at = self._until
        self._now = self._way[at]
        level = {wish for each in conditions for wish in self._wish(*each, self._edits)[1]}
        found = self._traced({(wish, at) for wish in level})
        self._now = None
        for left in range(self._edits - 1, 0, -1):
            level = self._before(level, left) - found
            found |= level
        return self._stored(found)

    def dependencies(self, conditions: Sequence[Condition], steps: range) -> set[Literal] | None:
        """Return all literals on which conditions depend, or None if these are too many.

        Args:
            conditions: As for :meth:`wishes`; nothing is known of the states.
            steps: 0-based numbers of the steps that are kept before.
        """
        found = {wish for each in conditions for wish in self._wish(*each, self._edits)[1]}
        pending = list(found)
        while pending:
            if len(found) > _MOST:
                return None
            literal = pending.pop()
            new = self._ruled(literal, self._edits)
            for _, producer, env in self._stage.influences(literal, steps):
                happens = producer.sign[1] is literal[2]
                new |= self._free_wish(producer.condition, env, self._edits, happens)
            pending += new - found
            found |= new
        return self._stored(found)

    def _stored(self, literals: set[Literal]) -> set[Literal]:
        names = self._stage.world.layout.names
        return {each for each in literals if names[each[0]] not in self._rules}

    def _ruled(self, literal: Literal, edits: int) -> set[Literal]:
        """What the rules of a recursive predicate make a literal of it depend on."""
        p, numbers, value = literal
        rules = self._rules.get(self._stage.world.layout.names[p])
        return set(self._by_rules(rules, numbers, value, edits)[1]) if rules else set()

    def _traced(self, wishes: set[_Timed]) -> set[Literal]:
        """Follow wishes back along the way."""
        done, pending = set(wishes), list(wishes)
        first = min(self._way)
        while pending:
            literal, at = pending.pop()
            self._now = self._way[at]
            new = {(each, at) for each in self._ruled(literal, self._edits)}
            for step, producer, env in self._stage.influences(literal, range(first, at)):
                self._now = self._way[step]
                happens = producer.sign[1] is literal[2]
                found = self._free_wish(producer.condition, env, self._edits, happens)
                new |= {(each, step) for each in found}
            pending += new - done
            done |= new
        return {literal for literal, _ in done}

    def _before(self, literals: Iterable[Literal], edits: int) -> set[Literal]:
        """What the actions that bring literals about ask for themselves."""
        found: set[Literal] = set()
        for literal in literals:
            for producer, env in self._stage.makers(literal):
                compiled = self._stage.world.operator(producer.operator)
                for condition in (*compiled.tests, producer.condition):
                    found |= self._free_wish(condition, env, edits, positive=True)
        return found

    def _free_wish(self, condition: Formula, env: _Env, edits: int, positive: bool) -> set[Literal]:
        """The wishes of a condition, for all values of the variables that are not bound."""
        free = [v for v in free_variables(condition) if v.name not in env]
        ranges = [list(bits(self._universe.mask(v.types))) for v in free]
        found: set[Literal] = set()
        for values in product(*ranges):
            more = dict(zip((v.name for v in free), values, strict=True))
            found |= self._wish(condition, {**env, **more}, positive, edits)[1]
        return found

    # ------------------------------------------------------------ conditions
    def _wish(
        self, formula: Formula, env: _Env, positive: bool, edits: int
    ) -> tuple[bool, frozenset[Literal]]:
        """Whether a condition can come to be as wanted, and the literals that it depends on."""
        if isinstance(formula, Atom):
            return self._atom(formula, env, positive, edits)
        if isinstance(formula, Not):
            return self._wish(formula.operand, env, not positive, edits)
        if isinstance(formula, Truth):
            return formula.value is positive, frozenset()
        if isinstance(formula, Equal):
            same = self._number(formula.left, env) == self._number(formula.right, env)
            return same is positive, frozenset()
        if isinstance(formula, (And, Or)):
            parts = [(part, env, positive) for part in formula.operands]
            return self._joint(parts, edits, every=isinstance(formula, And) is positive)
        if isinstance(formula, Implies):
            parts = [(formula.left, env, not positive), (formula.right, env, positive)]
            return self._joint(parts, edits, every=not positive)
        if isinstance(formula, (Exists, Forall)):
            return self._quantified(formula, env, positive, edits)
        return self._anything(formula, env, edits)

    def _joint(
        self, parts: Iterable[tuple[Formula, _Env, bool]], edits: int, *, every: bool
    ) -> tuple[bool, frozenset[Literal]]:
        found: set[Literal] = set()
        some = False
        for formula, env, positive in parts:
            possible, wishes = self._wish(formula, env, positive, edits)
            if possible:
                some = True
                found |= wishes
            elif every:
                return False, frozenset()
        return every or some, frozenset(found)

    def _quantified(
        self, formula: Exists | Forall, env: _Env, positive: bool, edits: int
    ) -> tuple[bool, frozenset[Literal]]:
        names = [variable.name for variable in formula.variables]
        ranges = [list(bits(self._universe.mask(v.types))) for v in formula.variables]
        parts = (
            (formula.body, {**env, **dict(zip(names, values, strict=True))}, positive)
            for values in product(*ranges)
        )
        return self._joint(parts, edits, every=isinstance(formula, Forall) is positive)

    def _anything(self, formula: Formula, env: _Env, edits: int) -> tuple[bool, frozenset[Literal]]:
        """What counts or compares depends on its parts in both directions."""
        if isinstance(formula, (Iff, Xor)):
            parts = [(each, env, sign) for each in children(formula) for sign in (True, False)]
            return True, self._joint(parts, edits, every=False)[1]
        assert isinstance(formula, (Count, ForPairs))  # noqa: S101 - a condition has no other nodes
        bound = [v for v in free_variables(children(formula)[0]) if v.name not in env]
        ranges = [list(bits(self._universe.mask(v.types))) for v in bound]
        both = [
            (each, {**env, **dict(zip((v.name for v in bound), values, strict=True))}, sign)
            for values in product(*ranges)
            for each in children(formula)
            for sign in (True, False)
        ]
        return True, self._joint(both, edits, every=False)[1]

    def _number(self, term: Term, env: _Env) -> int:
        return env[term.name] if isinstance(term, Variable) else self._universe.number(term)

    def _atom(
        self, atom: Atom, env: _Env, positive: bool, edits: int
    ) -> tuple[bool, frozenset[Literal]]:
        numbers = tuple([self._number(term, env) for term in atom.terms])
        rules = self._rules.get(atom.predicate)
        if rules is None:
            literal = (self._index[atom.predicate], numbers, positive)
            if self._now is not None and self._now.test(literal[0], numbers) is positive:
                return True, frozenset()
            return self._can(literal, edits), frozenset((literal,))
        if self._now is not None:
            test = self._stage.test_of(atom.predicate)
            if test(self._now, *numbers) is positive:
                return True, frozenset()
        if atom.predicate in self._stage.recursive:
            # Its rules are followed where the wish is taken up: circles have no end here.
            return True, frozenset(((self._index[atom.predicate], numbers, positive),))
        key = (atom.predicate, numbers, positive, edits, id(self._now))
        known = self._known.get(key)
        if known is None:
            before, self._cut = self._cut, False
            known = self._by_rules(rules, numbers, positive, edits)
            if not self._cut:
                self._known[key] = known
            self._cut = self._cut or before
        return known

    def _by_rules(
        self, rules: _Rules, numbers: tuple[int, ...], positive: bool, edits: int
    ) -> tuple[bool, frozenset[Literal]]:
        parts = [(body, dict(zip(names, numbers, strict=True)), positive) for names, body in rules]
        return self._joint(parts, edits, every=not positive)

    # -------------------------------------------------------------- literals
    def possible(self, formula: Formula, env: _Env, positive: bool, edits: int) -> bool:
        """Whether a condition can come to be as wanted if nothing were ever undone."""
        return self._wish(formula, env, positive, edits)[0]

    def _can(self, literal: Literal, edits: int) -> bool:
        """Whether a literal is true on the way, or could be made so with some edits."""
        key = (literal, edits)
        known = self._truth.get(key)
        if known is not None:
            return known
        if key in self._open:
            # A shortest derivation does not use what it derives.
            self._cut = True
            return False
        before, self._cut = self._cut, False
        now, self._now = self._now, None
        self._open.add(key)
        could = self._could(literal, edits)
        self._open.discard(key)
        self._now = now
        if could or not self._cut or not self._open:
            self._truth[key] = could
        self._cut = (self._cut and bool(self._open)) or before
        return could

    def _different(self, p: int) -> Sequence[State]:
        """The states on the way, one of those that share a relation."""
        found = self._by_predicate.get(p)
        if found is None:
            unique = {(id(s.rows[p]), id(s.wide[p]), s.unary[p]): s for s in self._way.values()}
            found = self._by_predicate[p] = list(unique.values())
        return found

    def _could(self, literal: Literal, edits: int) -> bool:
        p, numbers, value = literal
        if any(state.test(p, numbers) is value for state in self._different(p)):
            return True
        for producer, env in self._stage.of_plan(literal, self._until):
            if producer.test is None or self._may_happen(producer, env, edits):
                return True
        return edits > 0 and any(
            self._makes(producer, env, edits - 1) for producer, env in self._stage.makers(literal)
        )

    def _may_happen(self, producer: Producer, env: _Env, edits: int) -> bool:
        free = any(v.name not in env for v in free_variables(producer.condition))
        return free or self._wish(producer.condition, env, True, edits)[0]

    def _makes(self, producer: Producer, env: _Env, edits: int) -> bool:
        """Whether an action that has an effect could become applicable with some edits."""
        return all(
            self._wish(test, env, True, edits)[0]
            for test in self._stage.simple_tests(producer)
            if all(variable.name in env for variable in free_variables(test))
        )
