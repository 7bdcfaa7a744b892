"""Causes of the verdict on a plan: literals at the end and at earlier positions, and actions.

A goal that speaks of time is taken apart if it holds and is built of ``then``, conjunction,
disjunction and quantifiers over conditions of one position: every link of ``then`` has a position
at which it holds, and the positions keep their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from eai.diagnosis.causes.result import Causes, FailedCondition, Failure, GoalCause, Link, StepCause
from eai.diagnosis.goals import action_conditions, condition_of, last_held
from eai.diagnosis.result import Condition, Finding
from eai.diagnosis.runtime import DomainRules, Run
from eai.diagnosis.taxonomy import GRAMMAR, ErrorKind
from eai.diagnosis.words import in_words
from eai.errors import InputError
from eai.logic import (
    And,
    Atom,
    Evaluation,
    Formula,
    Not,
    Or,
    Quantifier,
    Then,
    bindings,
    format_formula,
)
from eai.planning import NOTHING, Demand, Env, Links, PartialOrder, Reads, Support, Taken
from eai.task import ActionGoal, Goal, Task
from eai.world import Action, Trajectory


def causes(task: Task, plan: Sequence[Action]) -> Causes:
    """Say what in a plan was caused by what: see :func:`eai.causes`.

    Args:
        task: The task.
        plan: The steps.

    Raises:
        UnknownNameError: If the agent, or something in the goal, is not in the task.
        InputError: If the domain cannot be run (it says why).
    """
    return _Analysis(task, plan).causes()


_Option = Sequence[tuple[Condition, Formula]]
_Chain = list[tuple[int, Formula]]
"""The links of a chain of ``then``, each with a position at which it holds."""


class _Rest(NamedTuple):
    """A condition of the goal and the literals on which its verdict rests.

    Beside them stand the steps that it needs for their own sake, and which keep their order.
    """

    condition: Condition
    demands: tuple[Demand, ...] = ()
    locations: tuple[int, ...] = ()
    chain: tuple[tuple[int, int], ...] = ()


class _GoalAnalysis:
    """Takes the verdict on a goal apart.

    There is one of ``found`` for each condition of the best alternative, and one for the formula
    if it says more. The links know the steps that were passed over, the trajectory does not.
    """

    def __init__(self, goal: Goal, trajectory: Trajectory, links: Links) -> None:
        self._trajectory = trajectory
        self._links = links
        self._evaluation = Evaluation(trajectory)
        truth = self._evaluation.truth
        options = [
            [(condition_of(kind, f, trajectory, truth=truth(f)), f) for kind, f in option]
            for option in goal.final
        ]
        best = max(options, key=_share, default=[])
        self.found = [_Rest(condition, (self._demand(condition, f),)) for condition, f in best]
        self.found += self._actions(goal.actions)
        self.others: list[Demand] = []  # what the other alternatives rest on, if none is met
        if _share(best) < 1:  # many alternatives have conditions in common
            known = {f for _, f in best}
            rest = {f: each for option in options for each, f in option if f not in known}
            self.others = [self._demand(condition, f) for f, condition in rest.items()]
        self.fixed = False  # whether the formula says something that is not taken apart
        formula = goal.formula
        if formula is not None and goal.is_extended:
            whole = self._whole(formula, goal.text)
            # Whether it is met says nothing of what it rests on.
            self.fixed = whole is None and all(rest.condition.met for rest in self.found)
            met = self._holds(formula)
            self.found.append(whole or _Rest(Condition("formula", goal.text, met)))

    def _demand(self, condition: Condition, formula: Formula) -> Demand:
        support = self._links.support(self._links.end)
        met = condition.met
        reads = support.of(formula, {}) if met else _as_it_is(formula, {}, support)
        return reads or NOTHING, self._links.end

    def _actions(self, goals: Sequence[ActionGoal]) -> Iterator[_Rest]:
        """The demanded actions; each of them that was matched comes after the one before."""
        before: tuple[int, ...] = ()
        names = {name for goal in goals for name in goal.names}
        taken = [i for i, step in enumerate(self._links.steps) if step.action.name in names]
        for condition in action_conditions(goals, self._trajectory):
            if condition.since is None:
                # In another order, the same actions might do.
                yield _Rest(condition, chain=tuple(pairwise(taken)))
                continue
            place = condition.since - 1
            chain = tuple((other, place) for other in before)
            before = (place,)
            yield _Rest(condition, ((self._links.needs(place), place),), before, chain)

    # ------------------------------------------------------------------ formulas about time
    def _whole(self, formula: Formula, text: str) -> _Rest | None:
        """Return what a formula rests on; None if it does not hold or cannot be taken apart."""
        if formula.has_linear or not self._holds(formula):
            return None
        chains = self._chains(formula)
        if chains is None:
            return None
        end, steps = self._links.end, self._trajectory.steps
        demands: list[Demand] = []
        pairs: list[tuple[int, int]] = []
        locations: list[int] = []
        for chain in chains:
            inside = []
            for position, link in chain:
                place = steps[position].number - 1 if position < len(steps) else end
                demands.append((self._links.support(place).of(link, {}) or NOTHING, place))
                if place < end:
                    demands.append((self._links.needs(place), place))
                    inside.append(place)
            pairs += pairwise(inside)
            locations += inside
        met = Condition("formula", text, True)
        return _Rest(met, tuple(demands), tuple(locations), tuple(pairs))

    def _holds(self, formula: Formula) -> bool:
        return self._evaluation.verdict(formula).holds

    def _chains(self, formula: Formula) -> list[_Chain] | None:
        """The chains of ``then`` that make a formula true; None if there is something else."""
        if isinstance(formula, Then) or not formula.has_then:
            links = formula.links if isinstance(formula, Then) else (formula,)
            # the last positions at which the links hold in order
            chain: _Chain = []
            end = self._trajectory.length
            for link in reversed(links):
                truth = 0 if link.has_then else self._evaluation.truth(link) & ((1 << end) - 1)
                if not truth:
                    return None
                end = truth.bit_length() - 1
                chain.append((end, link))
            return [chain[::-1]]
        if isinstance(formula, Quantifier):
            each = bindings(formula.variables, self._trajectory.objects, {})
            instances = tuple(formula.body.substitute(binding) for binding in each)
            formula = Or(instances) if formula.wants else And(instances)
        signed = formula.split(True)
        if signed is None or not all(wish for _, wish in signed.parts):
            return None
        if not signed.every:
            found = (self._chains(part) for part, _ in signed.parts if self._holds(part))
            return next((chains for chains in found if chains is not None), None)
        joined: list[_Chain] = []
        for part, _ in signed.parts:
            chains = self._chains(part)
            if chains is None:
                return None
            joined += chains
        return joined


def _share(option: _Option) -> float:
    return sum(condition.met for condition, _ in option) / len(option) if option else 1.0


def _as_it_is(formula: Formula, env: Env, support: Support) -> Reads:
    """Return what the met and unmet parts of an unmet condition rest on."""
    parts = formula.operands
    if not parts:
        return support.of(formula, env) or support.of(formula, env, False) or NOTHING
    inner = support.instances(formula, env) if formula.variables else (env,)
    return NOTHING.union(*(_as_it_is(part, each, support) for each in inner for part in parts))


class _Analysis:
    """Runs a plan and traces what happens."""

    def __init__(self, task: Task, plan: Sequence[Action]) -> None:
        self._task = task
        self._plan = tuple(plan)
        task.check_agent()  # a task without its agent is no mistake of the plan
        self._world = task.world
        demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
        self._run = Run(self._world, task.start, task.agent, demanded=demanded)
        self._taken: list[Taken] = []
        self._stop = self._execute()
        self._links = Links(self._world, task.start, self._taken)

    def _execute(self) -> Finding | None:
        """Do the steps; returns what is wrong with the first that fails."""
        rules = DomainRules(skip=self._task.skips)
        for number, action in enumerate(self._plan, start=1):
            try:
                outcome, finding = rules.take(self._run, action, number)
            except InputError as error:
                # The world does not know it.
                kind = ErrorKind.ARGUMENT_NUMBER
                if action.name not in self._world.domain.operators:
                    kind = ErrorKind.ACTION_HALLUCINATION
                elif not self._task.start.universe.index.keys() >= {*action.arguments}:
                    kind = ErrorKind.OBJECT_HALLUCINATION
                return Finding(kind, f"{action}: {error.what}", number, str(action))
            if outcome == "failed":
                return finding
            changes = self._run.steps[-1].changes if outcome == "done" else None
            self._taken.append(Taken(action, self._run.numbers(action), changes))
        return None

    def causes(self) -> Causes:
        """Put everything together."""
        links, end = self._links, self._links.end
        goal = _GoalAnalysis(self._task.goal, self._run.trajectory, links)
        failure, stop = self._failure()
        roots = [*(demand for rest in goal.found for demand in rest.demands), *goal.others]
        roots.append((stop, end))
        kept = links.rests_on(roots).union(*(rest.locations for rest in goal.found))
        before = links.order(roots).union(*(rest.chain for rest in goal.found))
        if goal.fixed:
            before |= {(i, i + 1) for i in range(end - 1)}
        behind = [(rest, links.rests_on(rest.demands).union(rest.locations)) for rest in goal.found]
        return Causes(
            self._plan,
            self._steps(behind),
            tuple(
                GoalCause(
                    (one := rest.condition).kind,
                    one.text,
                    one.met,
                    one.since,
                    one.lost_by,
                    self._facts(rest.demands),
                    tuple([place + 1 for place in sorted(locations)]),
                )
                for rest, locations in behind
            ),
            failure,
            () if goal.fixed else tuple([i + 1 for i in range(end) if i not in kept]),
            PartialOrder(range(1, end + 1), [(a + 1, b + 1) for a, b in sorted(before)]),
            goal.fixed,
        )

    def _steps(self, behind: Sequence[tuple[_Rest, frozenset[int]]]) -> tuple[StepCause, ...]:
        """Return for every step what it needs, and which steps and conditions rest on it."""
        links, found = self._links, list[StepCause]()
        users: list[list[int]] = [[] for _ in range(links.end)]
        for place in range(links.end):
            for other in links.rests_on([(links.needs(place), place)]):
                users[other].append(place + 1)
        for place, action in enumerate(map(str, self._plan)):
            if place >= links.end:
                stopped = self._stop is not None and self._stop.step == place + 1
                found.append(StepCause(place + 1, action, "failed" if stopped else "not reached"))
                continue
            outcome = "skipped" if self._taken[place].changes is None else "done"
            serves = [
                rest.condition.text
                for rest, locations in behind
                if rest.condition.met and place in locations
            ]
            uses, using = self._facts([(links.needs(place), place)]), tuple(users[place])
            found.append(StepCause(place + 1, action, outcome, uses, using, tuple(serves)))
        return tuple(found)

    def _facts(self, demands: Iterable[Demand]) -> tuple[Link, ...]:
        """Literals that hold at places, in the order in which they came about."""
        found: dict[Link, None] = {}
        for reads, place in demands:
            makers = {literal: self._links.maker(literal, place) for literal in reads}
            made = [(0 if at is None else at + 1, literal) for literal, at in makers.items()]
            start = self._task.start
            for maker, (p, numbers, value) in sorted(made):
                terms = tuple([start.universe.names[number] for number in numbers])
                atom = Atom(start.layout.names[p], terms)
                found[Link(format_formula(atom if value else Not(atom)), maker)] = None
        return tuple(found)

    # ------------------------------------------------------------------ failure
    def _failure(self) -> tuple[Failure | None, Reads]:
        """The failure, and what it rests on; it rests on nothing if a name is unknown."""
        stop, links = self._stop, self._links
        if stop is None or stop.step is None:
            return None, NOTHING
        action = self._plan[stop.step - 1]
        known = stop.step, stop.action, stop.kind, stop.message
        if stop.kind in GRAMMAR:
            return Failure(*known), NOTHING
        numbers, arguments = self._run.numbers(action), self._run.arguments(action)
        reads = links.failed(action.name, numbers)
        failing = self._world.failures(self._run.state, action.name, numbers)
        rests = tuple([i + 1 for i in sorted(links.rests_on([(reads, links.end)]))])
        conditions, trajectory = [], self._run.trajectory
        for test in (self._world.test(action.name, i, arguments) for i in failing):
            against = links.support(links.end).of(test, {}, False) or NOTHING
            because, text = self._facts([(against, links.end)]), format_formula(test)
            words = in_words(self._world, self._run.state, test)
            history = last_held(trajectory.condition(test), trajectory.steps)
            conditions.append(FailedCondition(text, because, *history, words))
        return Failure(*known, tuple(conditions), rests), reads
