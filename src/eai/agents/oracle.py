"""Oracle agents: they know the task, and search for plans in the suite's own world.

A goal is a sequence of conditions: the links of its formula, then what has to hold at the end. The
planner reaches one after the other, each from where the last plan ended, over the objects that the
goal names and what is related to them. That is not complete: a plan for one condition may spoil a
later one. So every plan is evaluated as an answer before it counts.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice
from typing import TypeVar

from eai.abilities import Way, demands_action, enabling, last_action, ways_of
from eai.abilities.plans import checked_task, repair_for
from eai.acting import format_action, write_answers
from eai.agents.agents import Message, ScriptedAgent
from eai.budget import Budget, Meter
from eai.contract import (
    INTERACTION,
    PLANS,
    Suite,
    execution_of,
    judged,
    plan_ability,
    refuse_rules,
    write_plan,
)
from eai.contract.registry import given_suite
from eai.diagnosis import DomainRules, Result, Run, TaskRules, task_rules
from eai.errors import EaiError, InputError, ModelError
from eai.logic import TRUE, And, Atom, Formula, Or, Variable, atoms, objects_of
from eai.pddl import Domain, Problem
from eai.planning import RepairBounds, plan, related, safe_plan
from eai.semantics import Semantics
from eai.simulators import Execution
from eai.task import Goal, Task
from eai.world import Action, State, World, mask_of
from eai.world.bits import bits

ABILITY = PLANS
"""The ability that replanning is about."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A task with its suite, semantics and rules.

    Args:
        semantics: The semantics of the evaluation.
        rules: The rules that plans have to keep.
    """

    task: Task
    suite: Suite
    semantics: Semantics
    rules: TaskRules = field(default_factory=TaskRules)

    @classmethod
    def of(
        cls,
        suite: str | Suite,
        task: str | Task,
        semantics: str | Semantics | None = None,
        rules: object = None,
    ) -> Assignment:
        """Return an assignment. Suite, task and semantics can be given by name.

        Args:
            suite: The suite.
            task: The task.
            semantics: The semantics; by default what the suite prefers.
            rules: A file of rules, or a list, beside the task's own.

        Raises:
            UnknownNameError: If a name is unknown.
            InputError: If the suite or the task is invalid, or the rules cannot be read or none
                applies.
            DataMissingError: If the suite's data was not fetched.
        """
        chosen_suite = given_suite(suite)
        if isinstance(task, str):
            task = chosen_suite.task(chosen_suite.canonical_id(task))
        profile = chosen_suite.semantics(semantics or chosen_suite.default_semantics)
        task_object = checked_task(task)
        if rules is not None:
            refuse_rules(chosen_suite, PLANS)
        return cls(task_object, chosen_suite, profile, task_rules(task_object, rules))

    def evaluate(self, answer: str, semantics: Semantics | None = None) -> Result:
        """Evaluate an answer, under another semantics if one is given.

        Raises:
            InputError: If the answer is not text.
        """
        ability = plan_ability(self.suite)
        profile = semantics or self.semantics
        result = self.suite.evaluate(ability, self.task, answer, profile)
        return judged(result, self.rules, self.suite, self.task, answer, profile)

    @property
    def world(self) -> World | None:
        """The world of the suite, or None if the suite has no symbolic one."""
        plans = self.suite.plans(self.semantics)
        if plans is None:
            return None
        return plans.simulator(self.task).world

    def execution(self, answer: str) -> Execution | None:
        """Run an answer; None if it has grammar errors."""
        return execution_of(self.suite, self.task, answer, self.semantics)


def format_plan(suite: str | Suite, plan: Iterable[Action]) -> str:
    """Return a plan in the notation that the prompts of a suite ask for.

    Raises:
        UnknownNameError: If there is no such suite, or it has no plans.
    """
    return write_plan(given_suite(suite), plan)


_MAX_SEQUENCES = 3
"""Maximum number of sequences tried for a goal with alternatives."""

_MAX_OBJECTS = 40
"""Maximum number of objects to plan over; a smaller vocabulary is taken whole."""

_BUDGET = Budget(states=100_000, actions=400_000, instances=200_000_000)
"""Budget of planning for one task: counted, so that the oracle is the same on every machine."""

_MAX_REPAIRED = 3
"""Maximum number of plans that are repaired so that they keep rules."""

_SAFE_BOUNDS = RepairBounds(edits=3, actions=150_000)
"""Bounds of each of these repairs."""

_SAFE_BUDGET = Budget(states=20_000, actions=100_000, instances=20_000_000)
"""Budget of each search in the product of the world and the automata of rules."""

_Written = TypeVar("_Written")

_ACTOR = "(actor)"
"""The type of the agent while planning, so that nobody else acts; no PDDL has such a type."""


def search_plans(assignment: Assignment) -> Iterator[tuple[Action, ...]]:
    """Yield candidate plans for a task, found without its annotated plans.

    They are not evaluated yet, because a suite may evaluate more than the goal.
    """
    world, task = assignment.world, assignment.task
    if world is None:
        return
    meter = _BUDGET.meter()
    condition_sequences = list(islice(_condition_sequences(task.goal), _MAX_SEQUENCES))
    # The search begins with few objects, because more of them take longer.
    for distance in (1, 2):
        mask = _objects_to_plan_over(world, task, distance)
        if mask.bit_count() > _MAX_OBJECTS:
            continue
        for conditions in condition_sequences:
            steps = _plan_through(world, task, conditions, mask, meter)
            if steps is not None:
                yield steps


def _condition_sequences(goal: Goal) -> Iterator[Way]:
    """Yield sequences of intermediate conditions, each ending with the final conditions."""
    sequences: tuple[Way, ...] = ((),)
    if goal.formula is not None:
        with suppress(InputError):
            sequences = ways_of(goal.formula)
    # Goal "open(x) then on(x)" with the final condition "closed(y)": open(x), on(x), closed(y).
    for conditions in sequences:
        for alternative in goal.final:
            final_condition = And(tuple(formula for _, formula in alternative))
            yield (*conditions, final_condition)


def _objects_to_plan_over(world: World, task: Task, distance: int) -> int:
    """Return the objects that a search should consider, as a mask.

    Args:
        world: The world.
        task: The task.
        distance: Number of times that related objects are added to those of the goal.
    """
    state = task.start
    names = set[str]()
    if task.agent:
        names.add(task.agent)
    # In a small scene all objects are used, so that tools are found which no condition names.
    if len(task.vocabulary.objects) <= _MAX_OBJECTS:
        names |= task.vocabulary.objects
    conditions: list[Formula] = []
    for alternative in task.goal.final:
        conditions += [formula for _, formula in alternative]
    if task.goal.formula:
        conditions.append(task.goal.formula)
    changing = frozenset((*world.domain.fluents, *world.derived))
    for condition in conditions:
        names |= objects_of(condition)
        names.update(_objects_with_properties(condition, state, changing))
    mask = mask_of(map(state.universe.number, names))
    for _ in range(distance):
        mask |= related(state, mask)
    return mask


def _objects_with_properties(
    condition: Formula, state: State, changing: Container[str]
) -> Iterator[str]:
    """Yield the objects that have a fixed property in a condition.

    A quantifier is about them: "every toy is in a basket" names no toy.

    Args:
        condition: The condition.
        state: The state at the start.
        changing: Predicates that actions change.
    """
    for atom in atoms(condition):
        if not isinstance(atom, Atom) or len(atom.terms) != 1 or atom.predicate in changing:
            continue
        for name in state.universe.names:
            if state.holds(atom.predicate, (name,)):
                yield name


def _plan_through(
    world: World, task: Task, conditions: Way, object_mask: int, meter: Meter
) -> tuple[Action, ...] | None:
    """Return a plan that reaches conditions one after another, or None.

    Args:
        world: The world.
        task: The task.
        conditions: The conditions.
        object_mask: Objects to plan over.
        meter: Counts the work of all searches for the task.
    """
    run = Run(world, task.start, task.agent)
    rules = DomainRules()
    object_names = frozenset(
        task.start.universe.names[object_number] for object_number in bits(object_mask)
    )
    for condition in conditions:
        try:
            steps = _plan_to_condition(run, condition, object_names, meter)
            if steps is None:
                return None
            # The outcome of a step is decided by the world's own rules, not by the planner's model.
            for step in steps:
                rules.take(run, step, len(run.steps) + 1)
            demanded_action: Action | None = None
            if demands_action(condition):
                demanded_action = last_action(condition, run)
        except InputError:
            return None  # a condition that no single action makes true
        if demanded_action is not None:
            rules.take(run, demanded_action, len(run.steps) + 1)
    return tuple(step.action for step in run.steps)


def _plan_to_condition(
    run: Run, condition: Formula, names: frozenset[str], meter: Meter
) -> list[Action] | None:
    """Return actions that reach a condition, or a state one action before it, or None.

    Args:
        run: The plan so far.
        condition: The condition.
        names: Objects to plan over.
        meter: Counts the work.
    """
    domain, problem = _problem_over(run, names, enabling(condition, run))
    result = plan(domain, problem, budget=meter)
    if result.plan is None:
        return None
    return list(_without_agent(result.plan, run.agent))


def _problem_over(run: Run, object_names: frozenset[str], goal: Formula) -> tuple[Domain, Problem]:
    """Return a planning task from a state to a goal, restricted to some objects."""
    universe = run.state.universe
    objects = {
        name: type_name for name, type_name in universe.objects.items() if name in object_names
    }
    domain = run.world.domain
    # The agent gets a type of its own, so that no other character can act.
    if run.agent:
        domain = _domain_of_agent(domain, {**universe.domain.types, _ACTOR: objects[run.agent]})
        objects[run.agent] = _ACTOR
    initial = [atom for atom in run.state.atoms() if object_names.issuperset(map(str, atom.terms))]
    return domain, Problem("link", domain.name, objects, tuple(initial), goal)


def _without_agent(steps: Iterable[Action], agent: str) -> tuple[Action, ...]:
    """Return the steps of a planner's plan; in a world with an agent they do not name it."""
    if not agent:
        return tuple(steps)
    return tuple([Action(step.name, step.arguments[1:]) for step in steps])


def _domain_of_agent(domain: Domain, types: Mapping[str, str]) -> Domain:
    """Return the domain with a type for the agent, required of the first argument.

    Operators without parameters are left out: they happen by themselves, so the agent cannot
    choose them.
    """
    operators = {}
    for name, operator in domain.operators.items():
        if operator.parameters:
            agent, *other_parameters = operator.parameters
            parameters = (Variable(agent.name, (_ACTOR,)), *other_parameters)
            operators[name] = replace(operator, parameters=parameters)
    return replace(domain, types=types, operators=operators)


def safe_plans(
    assignment: Assignment, unsafe_plans: Sequence[tuple[Action, ...]]
) -> Iterator[tuple[Action, ...]]:
    """Yield candidate plans for a task that keep its rules.

    First come safe plans that are close to unsafe ones. Then come plans found by a search in the
    product of the world and the rules' automata, restricted to few objects.

    Args:
        assignment: The task, and its rules.
        unsafe_plans: Plans that do not do.
    """
    world, task = assignment.world, assignment.task
    if world is None:
        return
    formulas = [formula for _, formula in assignment.rules.formulas]
    # A repair changes only a few steps of a plan that reaches the goal, so it is a short search.
    for steps in unsafe_plans[:_MAX_REPAIRED]:
        with suppress(InputError):
            repair = repair_for(task, steps, formulas, world=world, bounds=_SAFE_BOUNDS)
            if repair.repaired is not None:
                yield repair.repaired
    # Distance 0 is enough if the goal names all objects that are needed. Each more is far slower.
    for distance in (0, 1, 2):
        object_mask = _objects_to_plan_over(world, task, distance)
        if object_mask.bit_count() > _MAX_OBJECTS:
            return
        with suppress(InputError):
            plan = _safe_plan(world, task, formulas, object_mask)
            if plan is not None:
                yield plan


def _safe_plan(
    world: World, task: Task, rules: Sequence[Formula], object_mask: int
) -> tuple[Action, ...] | None:
    """Return a plan that keeps the rules, using only some objects, or None.

    Args:
        world: The world.
        task: The task.
        rules: The rules.
        object_mask: Numbers of the objects to plan over, as a mask.
    """
    object_names = frozenset(
        task.start.universe.names[object_number] for object_number in bits(object_mask)
    )
    # Rules may name more objects. Others are ignored, so the plan is evaluated again by the caller.
    for rule in rules:
        object_names |= objects_of(rule)
    if task.goal.whole and task.goal.formula is not None and task.goal.is_extended:
        # A goal in linear temporal logic constrains the whole plan, so it becomes a rule, and the
        # final state is free.
        goal: Formula = TRUE
        rules = [*rules, task.goal.formula]
    else:
        # The search finds the nearest alternative that the rules allow.
        alternatives = []
        for alternative in task.goal.final:
            alternatives.append(And.of([formula for _, formula in alternative]))
        goal = Or.of(alternatives)
    run = Run(world, task.start, task.agent)
    domain, problem = _problem_over(run, object_names, goal)
    result = safe_plan(domain, problem, rules, agent=task.agent, budget=_SAFE_BUDGET)
    if result.plan is None:
        return None
    return _without_agent(result.plan, task.agent)


def _first_solution(
    assignment: Assignment,
    *,
    uses_annotated_plans: bool,
    write: Callable[[Iterable[Action]], _Written],
    solves: Callable[[_Written], bool],
) -> _Written:
    """Return the first plan that solves a task, annotated ones before searched ones.

    If none solves the task, the annotated plan is returned.

    Args:
        assignment: The task.
        uses_annotated_plans: Whether annotated plans are tried.
        write: Writes a plan as an answer.
        solves: Returns whether an answer solves the task.

    Raises:
        InputError: If there is no plan, and no world to search for one.
        ModelError: If no plan is found.
    """
    task = assignment.task
    annotated_plans = task.plans if uses_annotated_plans else ()
    searched_plans: Iterable[tuple[Action, ...]] = search_plans(assignment)
    if task.no_plan:
        # The suite has found that no plan exists, but the empty plan may still be accepted.
        searched_plans = ((),)
    failed_plans: list[tuple[Action, ...]] = []
    for steps in chain(annotated_plans, searched_plans):
        answer = write(steps)
        if solves(answer):
            return answer
        failed_plans.append(steps)
    if assignment.rules.formulas:
        # Most of the failed plans break a rule, and are material for a repair.
        for steps in safe_plans(assignment, failed_plans):
            answer = write(steps)
            if solves(answer):
                return answer
        raise ModelError(f"the oracle found no plan for the task {task.id!r} that keeps all rules")
    if annotated_plans and annotated_plans[0]:
        return write(annotated_plans[0])
    raise _no_plan(assignment)


def _no_plan(assignment: Assignment) -> EaiError:
    """Return the error for a task without a plan."""
    task = assignment.task
    if assignment.world is None:
        return InputError(
            f"the oracle has no plan for the task {task.id!r}, and cannot search for one",
            expected=f"a suite with a symbolic world; {assignment.suite.name!r} has none",
            mend="give the task a reference plan, or the suite an oracle (eai.Ability.oracle)",
        )
    message = f"the oracle found no plan for the task {task.id!r}"
    if task.no_plan:
        message += f": {task.no_plan}"
    return ModelError(message)


class OracleAgent:
    """A reference agent that solves a task if possible, without reading the messages.

    Its answer is the first plan that solves the task: of the annotated ones, then of those that
    the planner finds in the suite's world (:mod:`eai.agents.oracle`). If none does, it is the
    annotated plan; without one it cannot be asked (:class:`~eai.errors.ModelError`).

    Args:
        annotated: Whether it knows the annotated plans.
        rules: Rules that its plan has to keep: a file of rules, or a list. A plan that breaks one
            is never an answer: it is repaired, or another one is searched for.

    Raises:
        UnknownNameError: If a name is unknown.
        InputError: If the suite is invalid, or the rules cannot be read or none applies.
        DataMissingError: If the suite's data was not fetched.
    """

    def __init__(
        self,
        suite: str | Suite,
        task: str | Task,
        *,
        semantics: str | Semantics | None = None,
        annotated: bool = True,
        rules: object = None,
    ) -> None:
        self._assignment = Assignment.of(suite, task, semantics, rules)
        self._annotated = annotated

    def __call__(self, _messages: Sequence[Message]) -> str:
        """Return the answer, without reading the messages."""
        return self.answer

    @cached_property
    def answer(self) -> str:
        """The answer, computed on first use."""
        assignment = self._assignment
        return _first_solution(
            assignment,
            uses_annotated_plans=self._annotated,
            write=lambda plan: write_plan(assignment.suite, plan),
            solves=lambda answer: assignment.evaluate(answer).is_safe_success,
        )


class ActingOracle:
    """A reference agent like :class:`OracleAgent` that acts step by step.

    It repeats the last action if it is asked again.
    """

    def __init__(self, assignment: Assignment, *, annotated: bool = True) -> None:
        self._assignment = assignment
        self._annotated = annotated

    def __call__(self, messages: Sequence[Message]) -> str:
        """Return the next action, without reading the messages."""
        return self._script(messages)

    @cached_property
    def _script(self) -> ScriptedAgent:
        return ScriptedAgent(self.answers)

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """All answers, computed on first use."""
        return _first_solution(
            self._assignment,
            uses_annotated_plans=self._annotated,
            write=lambda steps: tuple(format_action(step) for step in steps),
            solves=self._solves,
        )

    def _solves(self, answers: tuple[str, ...]) -> bool:
        """Return whether an episode of some answers reaches the goal and keeps the rules."""
        suite = self._assignment.suite
        task = self._assignment.task
        profile = self._assignment.semantics
        answer = write_answers(answers)
        result = suite.evaluate(INTERACTION, task, answer, profile)
        rules = self._assignment.rules
        result = judged(result, rules, suite, task, answer, profile, ability=INTERACTION)
        return result.is_safe_success
