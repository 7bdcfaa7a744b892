"""What a step of a plan needs, what it changes, and what it would change in other circumstances.

Effects of PDDL have conditions. What an effect that happens rests on, and what the others rest on
that do not happen, is kept apart: in most plans nobody asks about most of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.logic.formula import And, Atom, Formula
from eai.planning.ordering.spans import Env
from eai.planning.ordering.support import Reads, Support
from eai.planning.repair.producers import Literal, Producer, producers

__all__ = ["Deed", "Deeds", "opposite"]

_NOTHING: Reads = frozenset()


def opposite(literal: Literal) -> Literal:
    """Return the negation of a literal."""
    p, numbers, value = literal
    return p, numbers, not value


@dataclass(frozen=True, slots=True)
class Deed:
    """One step that was done (or passed over), and what it rests on.

    Args:
        needs: What lets it be done, and keeps it from changing what no step changes.
        writes: What it makes so, with what that rests on.
        risks: What it would make so in other circumstances, with what keeps it from that.
    """

    needs: Reads
    writes: Mapping[Literal, Reads]
    risks: Mapping[Literal, Reads]


class Deeds:
    """Takes the steps of one trajectory apart; the support stands where the step is taken.

    Args:
        support: Finds what conditions rest on.
    """

    def __init__(self, support: Support) -> None:
        self._support = support
        self._world = support.world
        self._producers: dict[str, list[tuple[Producer, Formula]]] = {}

    def done(self, name: str, numbers: Sequence[int]) -> Deed:
        """Take a step apart that is done here.

        Args:
            name: The operator.
            numbers: Numbers of its arguments.
        """
        needs = self._tests(name, numbers)
        writes, risks = self._effects(name, numbers)
        volatile = {each: reads for each, reads in risks.items() if self._support.is_volatile(each)}
        return Deed(needs.union(*self._outside(risks)), writes, volatile)

    def passed_over(self, name: str, numbers: Sequence[int]) -> Deed:
        """Take a step apart that cannot be done here, but whose effects hold already."""
        needs = self._tests(name, numbers)
        writes, risks = self._effects(name, numbers)
        kept = frozenset(each for each in writes if self._support.is_volatile(each))
        volatile = (reads for each, reads in risks.items() if self._support.is_volatile(each))
        return Deed(needs.union(kept, *volatile, *self._outside(risks)), {}, {})

    def _outside(self, risks: Mapping[Literal, Reads]) -> list[Reads]:
        """What keeps a step from changing what no step changes."""
        support = self._support
        return [
            reads
            for each, reads in risks.items()
            if not support.is_volatile(each) and not support.is_true(each)
        ]

    def failed(self, name: str, numbers: Sequence[int]) -> Reads:
        """Return what keeps a step from being done or passed over here."""
        needs = self._tests(name, numbers)
        writes, _ = self._effects(name, numbers)
        for literal, reads in writes.items():
            if not self._support.is_true(literal):
                still = opposite(literal)
                own = frozenset((still,)) if self._support.is_volatile(still) else _NOTHING
                return needs | reads | own
        return needs

    def _tests(self, name: str, numbers: Sequence[int]) -> Reads:
        """What the tests of a precondition rest on, up to the first that fails."""
        compiled = self._world.operator(name)
        env = _env(compiled.operator.parameters, numbers)
        needs = _NOTHING
        for test in compiled.tests:
            found = self._support.of(test, env)
            if found is None:
                return needs | (self._support.of(test, env, False) or _NOTHING)
            needs |= found
        return needs

    def _effects(
        self, name: str, numbers: Sequence[int]
    ) -> tuple[dict[Literal, Reads], dict[Literal, Reads]]:
        """What happens, and what does not; adding wins over deleting."""
        happens: dict[Literal, Reads] = {}
        idle: dict[Literal, Reads] = {}
        for literal, condition, env in self._instances(name, numbers):
            found = self._support.cheaper(happens.get(literal), self._support.of(condition, env))
            if found is not None:
                happens[literal] = found
            else:
                why_not = self._support.of(condition, env, False) or _NOTHING
                idle[literal] = idle.get(literal, _NOTHING) | why_not
        risks = {each: reads for each, reads in idle.items() if each not in happens}
        return _net(happens, risks), risks

    def _instances(
        self, name: str, numbers: Sequence[int]
    ) -> Iterator[tuple[Literal, Formula, Env]]:
        """The literals that a step could make so, each with its condition."""
        support = self._support
        for producer, either in self._of(name):
            given, own = producer.variables[: producer.arity], producer.variables[producer.arity :]
            env = _env(given, numbers)
            for inner in support.spans.bindings(own, either, env, want=True):
                full = {**env, **inner}
                literal = (producer.sign[0], _places(producer, full, support), producer.sign[1])
                yield literal, producer.condition, full

    def _of(self, name: str) -> list[tuple[Producer, Formula]]:
        """The effects of an operator, each with a condition without which it does not matter.

        Deleting what does not hold is no matter; adding what holds may overrule a deletion.
        """
        found = self._producers.get(name)
        if found is None:
            found = self._producers[name] = []
            for each in producers(self._world, [name]):
                p, value = each.sign
                atom = Atom(self._world.layout.names[p], each.terms)
                found.append((each, each.condition if value else And((each.condition, atom))))
        return found


def _net(happens: dict[Literal, Reads], risks: dict[Literal, Reads]) -> dict[Literal, Reads]:
    """What is so after all effects; what is overruled becomes a risk."""
    writes: dict[Literal, Reads] = {}
    for literal, reads in happens.items():
        p, numbers, value = literal
        added = (p, numbers, True)
        if value:
            writes[literal] = reads
        elif added not in happens:
            writes[literal] = reads | risks.get(added, _NOTHING)
        elif happens[added]:
            risks[literal] = happens[added]
    return writes


def _env(variables: Sequence[object], numbers: Sequence[int]) -> dict[str, int]:
    return {str(v): number for v, number in zip(variables, numbers, strict=True)}


def _places(producer: Producer, env: Env, support: Support) -> tuple[int, ...]:
    number = support.start.universe.number
    return tuple([env[str(t)] if not isinstance(t, str) else number(t) for t in producer.terms])
