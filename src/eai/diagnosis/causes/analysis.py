"""What the verdict on a goal rests on: literals at the end, at moments on the way, and actions.

A goal that speaks of time is taken apart if it holds and is built of ``then``, conjunction,
disjunction and quantifiers over conditions of one moment: every link of ``then`` has a moment at
which it holds, and the moments keep their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from eai.diagnosis.causes.result import Causes, Failure, GoalCause, Link, Need, StepCause
from eai.diagnosis.goals import action_conditions, condition_of
from eai.diagnosis.result import Condition, Finding
from eai.diagnosis.runtime import DomainRules, Run
from eai.diagnosis.taxonomy import GRAMMAR, ErrorKind
from eai.diagnosis.words import in_words
from eai.errors import InputError
from eai.logic.evaluation import Evaluation
from eai.logic.formula import ActionAtom, And, Atom, Exists, Forall, Formula, Not, Or, Then, atoms
from eai.logic.printer import format_formula
from eai.planning.achievers import Literal
from eai.planning.ordering.links import Demand, Links, Taken
from eai.planning.ordering.orders import PartialOrder
from eai.planning.ordering.support import Support
from eai.planning.reasons import Env, Reads
from eai.task import ActionGoal, Goal, Task
from eai.world.action import Action
from eai.world.trajectory import Trajectory
from eai.world.transition import world_of

__all__ = ["Claim", "Claims", "causes", "claims"]

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
        instances = support.ranges.bindings(variables, parts[0], env, want=possible)
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


def causes(task: Task, plan: Sequence[Action]) -> Causes:
    """Say what in a plan was caused by what.

    The plan is run from the task's initial state under the rules that follow from the domain
    (semantics ``strict``), up to the first step that fails.

    Args:
        task: The task.
        plan: The steps.

    Raises:
        UnknownNameError: If the agent, or something in the goal, is not in the task.
        InputError: If the domain cannot be run (it says why).
    """
    return _Account(task, plan).causes()


class _Account:
    """Runs a plan and traces what happens."""

    def __init__(self, task: Task, plan: Sequence[Action]) -> None:
        self._task = task
        self._plan = tuple(plan)
        task.start.universe.number(task.agent)  # a task without its agent is no mistake of the plan
        self._world = world_of(task.start.layout.domain)
        demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
        self._run = Run(self._world, task.start, task.agent, demanded=demanded)
        self._taken: list[Taken] = []
        self._stop: Finding | None = None
        self._execute()
        self._links = Links(self._world, task.start, self._taken)
        self._known: dict[Claim, frozenset[int]] = {}

    def _execute(self) -> None:
        rules = DomainRules()
        for number, action in enumerate(self._plan, start=1):
            try:
                outcome, finding = rules.take(self._run, action, number)
            except InputError as error:
                message = f"{action}: {error.what}"
                self._stop = Finding(self._misnomer(action), message, number, str(action))
                return
            if outcome == "failed":
                self._stop = finding
                return
            changes = self._run.steps[-1].changes if outcome == "done" else None
            self._taken.append(Taken(action, self._run.numbers(action), changes))

    def _misnomer(self, action: Action) -> ErrorKind:
        """What is wrong with an action that the world does not know."""
        if action.name not in self._world.domain.operators:
            return ErrorKind.ACTION_HALLUCINATION
        if not self._task.start.universe.index.keys() >= {*action.arguments}:
            return ErrorKind.OBJECT_HALLUCINATION
        return ErrorKind.ARGUMENT_NUMBER

    def causes(self) -> Causes:
        """Put everything together."""
        links, end = self._links, self._links.end
        found = claims(self._task.goal, self._run.trajectory, links)
        goals = tuple([self._goal(claim) for claim in found.claims])
        failure, stop = self._failure()
        roots: list[Demand] = [d for claim in found.claims for d in claim.demands]
        roots += [*found.others, (stop, end)]
        kept = {*links.rests_on(roots), *(k for claim in found.claims for k in claim.places)}
        users = self._users()
        steps = tuple([self._step(i, found, users) for i in range(len(self._plan))])
        before = links.order(roots) | self._chains(found)
        return Causes(
            self._plan,
            steps,
            goals,
            failure,
            () if found.fixed else tuple([i + 1 for i in range(end) if i not in kept]),
            PartialOrder(range(1, end + 1), [(a + 1, b + 1) for a, b in sorted(before)]),
            found.fixed,
        )

    def _chains(self, found: Claims) -> set[tuple[int, int]]:
        if found.fixed:
            return {(i, i + 1) for i in range(self._links.end - 1)}
        return {pair for claim in found.claims for pair in claim.chain}

    def _users(self) -> dict[int, set[int]]:
        """For every step, those that cannot be done without it."""
        links = self._links
        found: dict[int, set[int]] = {place: set() for place in range(links.end)}
        for place in range(links.end):
            for other in links.rests_on([(links.needs(place), place)]):
                found[other].add(place)
        return found

    def _step(self, place: int, found: Claims, users: dict[int, set[int]]) -> StepCause:
        number, action = place + 1, str(self._plan[place])
        if place >= self._links.end:
            failed = self._stop is not None and self._stop.step == number
            return StepCause(number, action, "failed" if failed else "not reached")
        outcome = "skipped" if self._taken[place].changes is None else "done"
        serves = tuple([c.text for c in found.claims if c.met and place in self._behind(c)])
        using = tuple([each + 1 for each in sorted(users[place])])
        uses = self._told(self._links.needs(place), place)
        return StepCause(number, action, outcome, uses, using, serves)

    def _behind(self, claim: Claim) -> frozenset[int]:
        """The places of the steps on which a condition of the goal rests."""
        known = self._known.get(claim)
        if known is None:
            rests = self._links.rests_on(claim.demands)
            known = self._known[claim] = rests | frozenset(claim.places)
        return known

    def _goal(self, claim: Claim) -> GoalCause:
        told = [link for reads, place in claim.demands for link in self._told(reads, place)]
        return GoalCause(
            claim.kind,
            claim.text,
            claim.met,
            claim.since,
            claim.lost_by,
            tuple(dict.fromkeys(told)),
            tuple([place + 1 for place in sorted(self._behind(claim))]),
        )

    def _told(self, reads: Reads, place: int) -> tuple[Link, ...]:
        """Literals that hold at a place, in the order in which they came about."""
        made = []
        for literal in reads:
            maker = self._links.maker(literal, place)
            made.append((-1 if maker is None else maker, literal))
        return tuple([Link(self._text(literal), maker + 1) for maker, literal in sorted(made)])

    def _text(self, literal: tuple[int, tuple[int, ...], bool]) -> str:
        p, numbers, value = literal
        start = self._task.start
        terms = tuple([start.universe.names[number] for number in numbers])
        atom = Atom(start.layout.names[p], terms)
        return format_formula(atom if value else Not(atom))

    # ------------------------------------------------------------------ failure
    def _failure(self) -> tuple[Failure | None, Reads]:
        """The failure, and what it rests on; it rests on nothing if a name is unknown."""
        stop, links = self._stop, self._links
        if stop is None or stop.step is None:
            return None, frozenset()
        action = self._plan[stop.step - 1]
        if stop.kind in GRAMMAR:
            return Failure(stop.step, stop.action, stop.kind, stop.message), frozenset()
        numbers = self._run.numbers(action)
        reads = links.failed(action.name, numbers)
        failing = self._world.failures(self._run.state, action.name, numbers)
        arguments = self._run.arguments(action)
        needs = [self._need(self._world.test(action.name, i, arguments)) for i in failing]
        rests = tuple([i + 1 for i in sorted(links.rests_on([(reads, links.end)]))])
        return (
            Failure(stop.step, stop.action, stop.kind, stop.message, tuple(needs), rests),
            reads,
        )

    def _need(self, test: Formula) -> Need:
        links, trajectory = self._links, self._run.trajectory
        reads = links.support(links.end).of(test, {}, False) or frozenset()
        because, text = self._told(reads, links.end), format_formula(test)
        words = in_words(self._world, self._run.state, test)
        truth = trajectory.condition(test)
        if not truth:
            return Need(text, because, words=words)
        last = truth.bit_length() - 1
        steps = trajectory.steps
        until = steps[last - 1].number if last else 0
        return Need(text, because, until, steps[last].number, words)
