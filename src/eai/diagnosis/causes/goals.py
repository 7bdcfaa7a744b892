"""What the verdict on a goal rests on: literals at the end, at moments on the way, and actions.

A goal that speaks of time is taken apart if it holds and is built of ``then``, conjunction,
disjunction and quantifiers over conditions of one moment: every link of ``then`` has a moment at
which it holds, and the moments keep their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from eai.diagnosis.goals import action_conditions, condition_of
from eai.diagnosis.judgement import Condition
from eai.logic.evaluation import Evaluation
from eai.logic.formula import (
    ActionAtom,
    And,
    Exists,
    Forall,
    Formula,
    Or,
    Then,
    atoms,
)
from eai.planning.ordering.links import Demand, Links
from eai.planning.ordering.spans import Env
from eai.planning.ordering.support import Reads, Support
from eai.planning.repair.producers import Literal
from eai.task import ActionGoal, Goal
from eai.world.trajectory import Trajectory

__all__ = ["Claim", "Claims", "claims"]


_Option = Sequence[tuple[Condition, Formula]]


@dataclass(frozen=True, slots=True)
class Claim:
    """A condition of the goal and what its verdict rests on.

    Args:
        kind: Kind of the condition.
        text: The condition, as text.
        met: Whether it is met.
        since: Number of the step that made it true for the last time.
        lost_by: Number of the step that made it false.
        demands: The literals on which that rests.
        places: Steps that it needs for their own sake.
        chain: Pairs of such steps that keep their order.
    """

    kind: str
    text: str
    met: bool
    since: int | None
    lost_by: int | None
    demands: tuple[Demand, ...] = ()
    places: tuple[int, ...] = ()
    chain: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Claims:
    """The conditions of a goal.

    Args:
        claims: One for each condition of the best alternative, and one for the formula if it
            says more.
        others: What the other alternatives rest on, if none is met.
        fixed: Whether the formula says something that is not taken apart.
    """

    claims: tuple[Claim, ...]
    others: tuple[Demand, ...] = ()
    fixed: bool = False


def claims(goal: Goal, trajectory: Trajectory, links: Links) -> Claims:
    """Take the verdict on a goal apart.

    Args:
        goal: The goal.
        trajectory: What was done.
        links: The same, with the steps that were passed over.
    """
    truth = Evaluation(trajectory).truth
    options = [
        [(condition_of(kind, each, trajectory, truth=truth(each)), each) for kind, each in option]
        for option in goal.final
    ]
    best = max(options, key=_share, default=[])
    found = [
        *(_final(condition, formula, links) for condition, formula in best),
        *_actions(goal.actions, trajectory, links),
    ]
    others = () if _share(best) == 1 else _others(options, best, links)
    formula = goal.formula
    if formula is None or not _says_more(formula):
        return Claims(tuple(found), others)
    moments = _Moments(trajectory, links)
    whole = moments.claim(formula, goal.text)
    met = all(claim.met for claim in found)
    if whole is None:
        unknown = Claim("formula", goal.text, moments.holds(formula), None, None)
        return Claims((*found, unknown), others, met)
    return Claims((*found, whole), others)


def _share(option: _Option) -> float:
    return sum(condition.met for condition, _ in option) / len(option) if option else 1.0


def _final(condition: Condition, formula: Formula, links: Links) -> Claim:
    demands = (_demand(condition, formula, links),)
    met, since, lost_by = condition.met, condition.since, condition.lost_by
    return Claim(condition.kind, condition.text, met, since, lost_by, demands)


def _demand(condition: Condition, formula: Formula, links: Links) -> Demand:
    support = links.support(links.end)
    reads = support.of(formula, {}) if condition.met else _as_it_is(formula, {}, support)
    return reads or frozenset(), links.end


def _others(options: Sequence[_Option], best: _Option, links: Links) -> tuple[Demand, ...]:
    """What the conditions of the other alternatives rest on; many have them in common."""
    known = {formula for _, formula in best}
    rest = {formula: each for option in options for each, formula in option if formula not in known}
    return tuple([_demand(condition, formula, links) for formula, condition in rest.items()])


def _as_it_is(formula: Formula, env: Env, support: Support) -> Reads:
    """What the parts of a condition rest on that is not met: some of them are met all the same."""
    parts, variables = formula.operands, formula.variables
    if variables:
        possible = not isinstance(formula, Forall)
        instances = support.spans.bindings(variables, parts[0], env, want=possible)
        found = [_as_it_is(parts[0], each, support) for each in instances]
    elif parts:
        found = [_as_it_is(part, env, support) for part in parts]
    else:
        found = [reads for sign in (True, False) if (reads := support.of(formula, env, sign))]
    return frozenset[Literal]().union(*found)


def _actions(goals: Sequence[ActionGoal], trajectory: Trajectory, links: Links) -> Iterator[Claim]:
    """The demanded actions; each of them that was matched comes after the one before."""
    before: tuple[int, ...] = ()
    for condition in action_conditions(goals, trajectory):
        claim = Claim(condition.kind, condition.text, condition.met, condition.since, None)
        if condition.since is not None:
            place = condition.since - 1
            demand = (links.needs(place), place)
            chain = tuple((other, place) for other in before)
            claim = replace(claim, demands=(demand,), places=(place,), chain=chain)
            before = (place,)
        else:
            # In another order, the same actions might do.
            names = {name for goal in goals for name in goal.names}
            taken = [i for i, step in enumerate(links.steps) if step.action.name in names]
            claim = replace(claim, chain=tuple(pairwise(taken)))
        yield claim


def _says_more(formula: Formula) -> bool:
    """Whether a formula speaks of more than the final state."""
    return (
        formula.has_then
        or formula.has_linear
        or any(isinstance(atom, ActionAtom) for atom in atoms(formula))
    )


class _Moments:
    """Finds the moments that a formula needs."""

    def __init__(self, trajectory: Trajectory, links: Links) -> None:
        self._evaluation = Evaluation(trajectory)
        self._length = trajectory.length
        self._objects = trajectory.objects
        self._links = links
        self._places = [step.number - 1 for step in trajectory.steps]

    def claim(self, formula: Formula, text: str) -> Claim | None:
        """What a formula rests on; None if it does not hold or cannot be taken apart."""
        if formula.has_linear or not self.holds(formula):
            return None
        chains = self._chains(formula)
        if chains is None:
            return None
        demands: list[Demand] = []
        pairs: list[tuple[int, int]] = []
        places: list[int] = []
        for chain in chains:
            kept = [self._place(position) for position, _ in chain]
            for place, (_, link) in zip(kept, chain, strict=True):
                demands += self._demands(link, place)
            inside = [place for place in kept if place < self._links.end]
            pairs += pairwise(inside)
            places += inside
        return Claim("formula", text, True, None, None, tuple(demands), tuple(places), tuple(pairs))

    def _place(self, position: int) -> int:
        return self._places[position] if position < len(self._places) else self._links.end

    def _demands(self, link: Formula, place: int) -> Iterator[Demand]:
        reads = self._links.support(place).of(link, {}, True)
        yield reads or frozenset(), place
        if place < self._links.end:
            yield self._links.needs(place), place

    def _chains(self, formula: Formula) -> list[list[tuple[int, Formula]]] | None:
        """For each chain of ``then``, the moments of its links; None if there is something else."""
        if isinstance(formula, Or) and formula.has_then:
            found = (self._chains(part) for part in formula.operands if self.holds(part))
            return next((chains for chains in found if chains is not None), None)
        if isinstance(formula, And) and formula.has_then:
            return _together([self._chains(part) for part in formula.operands])
        if isinstance(formula, (Exists, Forall)) and formula.has_then:
            each = [formula.body] if not formula.variables else list(self._instances(formula))
            if isinstance(formula, Forall):
                return _together([self._chains(part) for part in each])
            return self._chains(Or(tuple(each)))
        links = _links(formula)
        if any(link.has_then for link in links):
            return None
        moments = self._moments(links)
        return None if moments is None else [moments]

    def _instances(self, formula: Exists | Forall) -> Iterator[Formula]:
        ranges = [self._objects(variable.types) for variable in formula.variables]
        for names in product(*ranges):
            binding: Mapping[str, str] = {
                variable.name: name for variable, name in zip(formula.variables, names, strict=True)
            }
            yield formula.body.substitute(binding)

    def holds(self, formula: Formula) -> bool:
        """Whether a formula holds on the whole trajectory."""
        return self._evaluation.verdict(formula).holds

    def _moments(self, links: Sequence[Formula]) -> list[tuple[int, Formula]] | None:
        """The last moments at which the links hold in order."""
        moments: list[tuple[int, Formula]] = []
        end = self._length
        for link in reversed(links):
            truth = self._evaluation.truth(link) & ((1 << end) - 1)
            if not truth:
                return None
            end = truth.bit_length() - 1
            moments.append((end, link))
        return moments[::-1]


def _links(formula: Formula) -> list[Formula]:
    """The links of a chain of ``then``, however it is bracketed."""
    if not isinstance(formula, Then):
        return [formula]
    return [link for operand in formula.operands for link in _links(operand)]


def _together(
    parts: Sequence[list[list[tuple[int, Formula]]] | None],
) -> list[list[tuple[int, Formula]]] | None:
    chains: list[list[tuple[int, Formula]]] = []
    for part in parts:
        if part is None:
            return None
        chains += part
    return chains
