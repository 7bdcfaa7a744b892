"""Causes: which step made or destroyed what was needed, and which steps served no goal.

Everything is read off an execution in the world: conditions of steps and of the goal are traced
to the literals that suffice for them, and those to the steps that made them so
(:mod:`eai.planning.ordering.links`).
"""

from __future__ import annotations

from collections.abc import Sequence

from eai.diagnosis.causes.goals import Claim, Claims, claims
from eai.diagnosis.causes.parts import Failure, GoalCause, Link, Need, StepCause
from eai.diagnosis.causes.result import Causes
from eai.diagnosis.judgement import Finding
from eai.diagnosis.runtime import DomainRules, Run
from eai.diagnosis.taxonomy import GRAMMAR, ErrorKind
from eai.diagnosis.words import in_words
from eai.errors import InputError
from eai.logic.formula import Atom, Formula, Not
from eai.logic.printer import format_formula
from eai.planning.ordering.links import Demand, Links, Taken
from eai.planning.ordering.orders import PartialOrder
from eai.planning.ordering.support import Reads
from eai.task import Task
from eai.world.action import Action
from eai.world.transition import world_of

__all__ = ["causes"]


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
        words = in_words(self._world, self._run.state, test)
        truth = trajectory.condition(test)
        if not truth:
            return Need(text, because, words=words)
        last = truth.bit_length() - 1
        steps = trajectory.steps
        until = steps[last - 1].number if last else 0
        return Need(text, because, until, steps[last].number, words)
