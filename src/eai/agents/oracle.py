"""Agents that know the task: plans found by search in the suite's own world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, product
from typing import TypeVar

from eai.abilities import Way, demands_action, enabling, last_action, ways_of
from eai.abilities.plans import checked_task
from eai.acting import format_action, write_answers
from eai.agents.agents import Message, ScriptedAgent
from eai.budget import Budget, Meter
from eai.contract import INTERACTION, PLANS, Suite, execution_of, plan_ability, write_plan
from eai.contract.registry import given_suite
from eai.diagnosis import DomainRules, Result, Run
from eai.errors import InputError, ModelError
from eai.logic import And, Atom, Formula, Variable, atoms, objects_of
from eai.pddl import Problem
from eai.planning import plan, related
from eai.semantics import Semantics
from eai.simulators import Execution
from eai.task import Goal, Task
from eai.world import Action, World, mask_of
from eai.world.bits import bits

ABILITY = PLANS
"""The ability that replanning is about."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task to be planned for.

    Args:
        semantics: Under which semantics it is evaluated.
    """

    task: Task
    suite: Suite
    semantics: Semantics

    @classmethod
    def of(
        cls, suite: str | Suite, task: str | Task, semantics: str | Semantics | None = None
    ) -> Assignment:
        """Look up what is given by name.

        Raises:
            UnknownNameError: If a name is not known.
            InputError: If the suite or the task is none.
            DataMissingError: If the suite's data was not fetched.
        """
        chosen = given_suite(suite)
        found = chosen.task(chosen.canonical_id(task)) if isinstance(task, str) else task
        found = checked_task(found)
        return cls(found, chosen, chosen.semantics(semantics or chosen.default_semantics))

    def evaluate(self, answer: str, semantics: Semantics | None = None) -> Result:
        """Evaluate an answer, under another semantics if one is given.

        Raises:
            InputError: If the answer is not text.
        """
        ability = plan_ability(self.suite)
        return self.suite.evaluate(ability, self.task, answer, semantics or self.semantics)

    @property
    def world(self) -> World | None:
        """The world of its suite; None if the suite has no symbolic one."""
        plans = self.suite.plans(self.semantics)
        return None if plans is None else plans.simulator(self.task).world

    def execution(self, answer: str) -> Execution | None:
        """Run an answer; None if it has grammar errors."""
        return execution_of(self.suite, self.task, answer, self.semantics)


def format_plan(suite: str | Suite, plan: Iterable[Action]) -> str:
    """Write a plan in the form that the prompts of a suite ask for.

    Raises:
        UnknownNameError: If there is no such suite, or it has no plans.
    """
    return write_plan(given_suite(suite), plan)


_WAYS = 3
"""So many ways to a goal with alternatives are tried."""

_OBJECTS = 40
"""A vocabulary of no more objects is taken whole; planning is not tried over more."""

_BUDGET = Budget(states=100_000, actions=400_000, instances=200_000_000)
"""What planning for one task may use: counted, so that the oracle is the same on every machine."""

_Written = TypeVar("_Written")

_ACTOR = "(actor)"
"""The type of the agent while planning, so that nobody else acts; no PDDL has such a type."""


def search_plans(assignment: Assignment) -> Iterator[tuple[Action, ...]]:
    """Yield plans that should solve a task, found without its annotated plans.

    They were not evaluated: what the suite counts may be something else than the goal says.
    """
    world, task = assignment.world, assignment.task
    if world is None:
        return
    meter = _BUDGET.meter()
    for rounds, way in product((1, 2), islice(_ways(task.goal), _WAYS)):
        mask = _about(world, task, rounds)
        if mask.bit_count() <= _OBJECTS:
            found = _along(world, task, way, mask, meter)
            if found is not None:
                yield found


def _ways(goal: Goal) -> Iterator[Way]:
    """Sequences of conditions: the links of the goal, then what has to hold at the end."""
    links: tuple[Way, ...] = ((),)
    if goal.formula is not None:
        with suppress(InputError):
            links = ways_of(goal.formula)
    for way in links:
        for option in goal.final:
            end = And(tuple(formula for _, formula in option))
            yield (*way, end)


def _about(world: World, task: Task, rounds: int) -> int:
    """The objects to plan over, as a mask of their numbers."""
    state, formed = task.start, {*world.domain.fluents, *world.derived}
    names = {task.agent} - {""}
    if len(task.vocabulary.objects) <= _OBJECTS:
        names |= task.vocabulary.objects
    final = (formula for option in task.goal.final for _, formula in option)
    for condition in (*final, *((task.goal.formula,) if task.goal.formula else ())):
        names |= objects_of(condition)
        for atom in atoms(condition):
            # A quantifier is about the objects that have the properties it asks for.
            if isinstance(atom, Atom) and len(atom.terms) == 1 and atom.predicate not in formed:
                known = state.universe.names
                names |= {name for name in known if state.holds(atom.predicate, (name,))}
    mask = mask_of(map(state.universe.number, names))
    for _ in range(rounds):
        mask |= related(state, mask)
    return mask


def _along(
    world: World, task: Task, way: Way, mask: int, meter: Meter
) -> tuple[Action, ...] | None:
    """A plan that reaches one condition after the other; None if one was not reached."""
    run, rules = Run(world, task.start, task.agent), DomainRules()
    names = frozenset(task.start.universe.names[i] for i in bits(mask))
    for condition in way:
        try:
            steps = _reach(run, condition, names, meter)
            if steps is None:
                return None
            for step in steps:
                rules.take(run, step, len(run.steps) + 1)
            last = last_action(condition, run) if demands_action(condition) else None
        except InputError:
            return None  # a condition that no single action makes true
        if last is not None:
            rules.take(run, last, len(run.steps) + 1)
    return tuple(step.action for step in run.steps)


def _reach(
    run: Run, condition: Formula, names: frozenset[str], meter: Meter
) -> list[Action] | None:
    """Actions of the agent that lead to a condition, or to where one action makes it true."""
    universe = run.state.universe
    objects = {
        name: kind
        for name, kind in zip(universe.names, universe.types, strict=True)
        if name in names
    }
    domain = run.world.domain
    if run.agent:
        # The domain with a type of its own for the agent, which all actions ask for first. What
        # happens by itself has no parameters, and is nothing that the agent can do.
        operators = {
            name: replace(
                operator,
                parameters=(
                    Variable(operator.parameters[0].name, (_ACTOR,)),
                    *operator.parameters[1:],
                ),
            )
            for name, operator in domain.operators.items()
            if operator.parameters
        }
        domain = replace(
            domain, types={**universe.domain.types, _ACTOR: objects[run.agent]}, operators=operators
        )
        objects[run.agent] = _ACTOR
    problem = Problem(
        "link",
        domain.name,
        objects,
        tuple(atom for atom in run.state.atoms() if names.issuperset(map(str, atom.terms))),
        enabling(condition, run),
    )
    found = plan(domain, problem, budget=meter)
    if found.plan is None:
        return None
    return [Action(step.name, step.arguments[bool(run.agent) :]) for step in found.plan]


def _solution(
    assignment: Assignment,
    *,
    known: bool,
    write: Callable[[Iterable[Action]], _Written],
    solves: Callable[[_Written], bool],
) -> _Written:
    """The first plan that solves a task: annotated ones, if they are known, then those found.

    For a task that no plan solves it is the annotated one; without it there is no answer at all.
    """
    task, suite = assignment.task, assignment.suite
    # A suite that says why there is no plan has looked for one; doing nothing may still do.
    candidates: Iterable[tuple[Action, ...]] = ((),) if task.no_plan else search_plans(assignment)
    for steps in chain(task.plans if known else (), candidates):
        written = write(steps)
        if solves(written):
            return written
    if known and task.plans and task.plans[0]:
        return write(task.plans[0])
    if assignment.world is None:
        raise InputError(
            f"the oracle has no plan for the task {task.id!r}, and cannot search for one",
            expected=f"a suite with a symbolic world; {suite.name!r} has none",
            mend="give the task a reference plan, or the suite an oracle (eai.Ability.oracle)",
        )
    reason = f": {task.no_plan}" if task.no_plan else ""
    raise ModelError(f"the oracle found no plan for the task {task.id!r}{reason}")


class OracleAgent:
    """Solves a task as well as we can, whatever it is told.

    The first plan that solves the task counts: the annotated ones, then those that the planner
    finds in the suite's world (:mod:`eai.agents.oracle`). If none does, it gives the annotated
    plan; without one it cannot be asked (:class:`~eai.errors.ModelError`).

    Args:
        annotated: Whether it knows the annotated plans.

    Raises:
        UnknownNameError: If a name is not known.
        InputError: If the suite is none.
        DataMissingError: If the suite's data was not fetched.
    """

    def __init__(
        self,
        suite: str | Suite,
        task: str | Task,
        *,
        semantics: str | Semantics | None = None,
        annotated: bool = True,
    ) -> None:
        self._assignment = Assignment.of(suite, task, semantics)
        self._annotated = annotated

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at."""
        return self.answer

    @cached_property
    def answer(self) -> str:
        """Its answer, found when it is first asked for."""
        of = self._assignment
        return _solution(
            of,
            known=self._annotated,
            write=lambda plan: write_plan(of.suite, plan),
            solves=lambda answer: of.evaluate(answer).success,
        )


class ActingOracle:
    """Solves a task like :class:`OracleAgent`, action by action; the last one is repeated."""

    def __init__(self, assignment: Assignment, *, annotated: bool = True) -> None:
        self._assignment = assignment
        self._annotated = annotated

    def __call__(self, messages: Sequence[Message]) -> str:
        """Answer; the messages are not looked at."""
        return self._script(messages)

    @cached_property
    def _script(self) -> ScriptedAgent:
        return ScriptedAgent(self.answers)

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """All its answers, found when the first is asked for."""
        of = self._assignment

        def solves(answers: tuple[str, ...]) -> bool:
            text = write_answers(answers)
            return of.suite.evaluate(INTERACTION, of.task, text, of.semantics).success

        return _solution(
            of,
            known=self._annotated,
            write=lambda steps: tuple(map(format_action, steps)),
            solves=solves,
        )
