"""Causes: which step made or destroyed what was needed, and which steps served no goal.

Everything is read off an execution in the world: conditions of steps and of the goal are traced
to the literals that suffice for them, and those to the steps that made them so
(:mod:`eai.planning.ordering_links`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from eai.diagnosis.causes_goals import Claim, Claims, claims
from eai.diagnosis.judgement import Finding
from eai.diagnosis.runtime import DomainRules, Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import InputError
from eai.logic.formula import Atom, Formula, Not
from eai.logic.printer import format_formula
from eai.pddl.model import Domain
from eai.planning.ordering import PartialOrder
from eai.planning.ordering_links import Demand, Links, Taken
from eai.planning.ordering_support import Reads
from eai.task import Task
from eai.world.action import Action
from eai.world.transition import World

__all__ = ["Causes", "Failure", "GoalCause", "Link", "Need", "StepCause", "causes"]


@dataclass(frozen=True, slots=True)
class Link:
    """Something that holds, and who made it so.

    Args:
        fact: A literal, as text.
        maker: 1-based number of the step that made it so; 0 if it holds from the start.
    """

    fact: str
    maker: int


@dataclass(frozen=True, slots=True)
class Need:
    """A condition of a step that failed.

    Args:
        condition: The condition, as text.
        because: What keeps it from holding, as far as that changes at all while the plan runs.
            It is empty if no step of the plan has anything to do with the condition.
        held_until: Number of the last step after which it held; 0 is the start, None never.
        destroyed_by: Number of the step that made it false, or None.
    """

    condition: str
    because: tuple[Link, ...] = ()
    held_until: int | None = None
    destroyed_by: int | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """The step at which the plan stopped.

    Args:
        step: Its 1-based number.
        action: The step, as text.
        kind: The kind of error.
        message: One sentence that says what is wrong.
        needs: Its conditions that do not hold.
        rests_on: Numbers of the steps that brought the failure about.
    """

    step: int
    action: str
    kind: ErrorKind
    message: str
    needs: tuple[Need, ...] = ()
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class StepCause:
    """One step.

    Args:
        number: Its 1-based number.
        action: The step, as text.
        outcome: ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``.
        uses: What it needs to be done, as far as that changes while the plan runs.
        users: Numbers of the steps that could not be done without it.
        serves: The conditions of the goal that rest on it, as text.
    """

    number: int
    action: str
    outcome: str
    uses: tuple[Link, ...] = ()
    users: tuple[int, ...] = ()
    serves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoalCause:
    """One condition of the goal.

    Args:
        kind: ``"state"``, ``"relation"``, ``"action"`` or ``"formula"`` (the goal as a whole, if
            it says more than its conditions).
        condition: The condition, as text.
        met: Whether it is met.
        since: Number of the step that made it true for the last time; 0 is the start.
        lost_by: Number of the step that made it false after it had held, or None.
        because: The literals on which its truth, or its falsity, rests.
        rests_on: Numbers of the steps on which that rests, directly and through other steps.
    """

    kind: str
    condition: str
    met: bool
    since: int | None = None
    lost_by: int | None = None
    because: tuple[Link, ...] = ()
    rests_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Causes:
    """What was caused by what.

    Args:
        plan: The plan.
        steps: Every step.
        goals: The conditions of the goal.
        failure: The step at which the plan stopped, if it did.
        idle: Numbers of the steps that were done (or passed over) and on which neither a
            condition of the goal nor a failure rests.
        order: The order that the other steps leave to each step that was done or passed over.
        fixed: Whether the goal speaks of time in a way that is not taken apart: then no step
            counts as idle, and the order stays as it is.
    """

    plan: tuple[Action, ...]
    steps: tuple[StepCause, ...]
    goals: tuple[GoalCause, ...]
    failure: Failure | None
    idle: tuple[int, ...]
    order: PartialOrder
    fixed: bool = False

    def without(self, step: int) -> tuple[Action, ...]:
        """Return the plan without an idle step and without what cannot be done without it.

        Args:
            step: Number of an idle step.

        Raises:
            InputError: If the step is not idle.
        """
        if step not in self.idle:
            raise InputError(
                f"step {step} cannot be left out",
                expected=f"an idle step: {', '.join(map(str, self.idle)) or 'there is none'}",
            )
        gone = {step, *self.steps[step - 1].users}
        return self._only(number for number in range(1, len(self.plan) + 1) if number not in gone)

    def needed(self) -> tuple[Action, ...]:
        """Return the plan without all idle steps."""
        return self._only(n for n in range(1, len(self.plan) + 1) if n not in self.idle)

    def reordered(self, seed: int = 0) -> tuple[Action, ...]:
        """Return the steps that were done in a random order in which they can be done.

        It leads to the same verdict on the goal. Steps that were passed over stay in; what comes
        from the failure on is left out.

        Args:
            seed: With the same seed, the same order.
        """
        return self._only(self.order.sample(seed))

    def _only(self, numbers: Any) -> tuple[Action, ...]:  # noqa: ANN401
        return tuple([self.plan[number - 1] for number in numbers])

    def as_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON."""
        failure = None if self.failure is None else asdict(self.failure)
        if failure is not None:
            failure["kind"] = str(failure["kind"])
        return {
            "plan": [str(action) for action in self.plan],
            "steps": [asdict(step) for step in self.steps],
            "goals": [asdict(goal) for goal in self.goals],
            "failure": failure,
            "idle": list(self.idle),
            "order": self.order.as_dict(),
            "orders": self.order.count(),
            "fixed": self.fixed,
        }

    def __str__(self) -> str:
        from eai.diagnosis.causes_text import describe

        return describe(self)


def causes(task: Task, plan: Sequence[Action]) -> Causes:
    """Say what in a plan was caused by what.

    The plan is run from the task's initial state under the rules that follow from the domain
    (semantics ``strict``), up to the first step that fails.

    Args:
        task: The task.
        plan: The steps.

    Raises:
        UnknownNameError: If the goal mentions something that the task does not have.
        InputError: If the domain cannot be run (it says why).
    """
    return _Account(task, plan).causes()


class _Account:
    """Runs a plan and traces what happens."""

    def __init__(self, task: Task, plan: Sequence[Action]) -> None:
        self._task = task
        self._plan = tuple(plan)
        self._world = _world(task.start.layout.domain)
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
                kind = ErrorKind.ARGUMENT_NUMBER
                self._stop = Finding(kind, f"{action}: {error.what}", number, str(action))
                return
            if outcome == "failed":
                self._stop = finding
                return
            changes = self._run.steps[-1].changes if outcome == "done" else None
            self._taken.append(Taken(action, self._run.numbers(action), changes))

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
        if stop.kind is ErrorKind.ARGUMENT_NUMBER:
            return Failure(stop.step, stop.action, stop.kind, stop.message), frozenset()
        numbers = self._run.numbers(action)
        links.support(links.end)
        reads = links.deeds.failed(action.name, numbers)
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
        truth = trajectory.condition(test)
        if not truth:
            return Need(text, because)
        last = truth.bit_length() - 1
        steps = trajectory.steps
        until = steps[last - 1].number if last else 0
        return Need(text, because, until, steps[last].number)


_WORLDS: list[tuple[Domain, World]] = []


def _world(domain: Domain) -> World:
    """The world of a domain, without computed predicates; the last few are kept."""
    for known, world in _WORLDS:
        if known is domain:
            return world
    world = World(domain)
    _WORLDS.insert(0, (domain, world))
    del _WORLDS[8:]
    return world
