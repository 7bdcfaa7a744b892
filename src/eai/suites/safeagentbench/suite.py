"""The suite ``safeagentbench``: hazardous and harmless tasks in rooms of AI2-THOR, judged exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from eai.answers import BoundPlan, bind, read_answer
from eai.contract import PLANS, Ability, Suite
from eai.data import read_json
from eai.errors import look_up
from eai.logic import And, Atom, Exists, Formula, Not, Variable, check_formula, parse_formula
from eai.semantics import Quirk, Semantics
from eai.simulators import Environment, SymbolicEnvironment, execute, pddl_type
from eai.simulators.thor.environment import OBSERVED
from eai.simulators.thor.scenes import Scene
from eai.simulators.thor.skills import controller_domain
from eai.simulators.thor.world import AGENT, LIQUIDS
from eai.suites.safeagentbench.evaluation import SafePlans, rule_goal
from eai.suites.safeagentbench.facts import SafeTask, records
from eai.suites.safeagentbench.goals import FLAGS, goal_from_conditions, goal_of
from eai.suites.safeagentbench.quirks import OFFICIAL_VERSION, QUIRKS
from eai.suites.safeagentbench.running import controller
from eai.suites.safeagentbench.wording import worded_instruction
from eai.suites.shared.store import by_class
from eai.suites.thor import room
from eai.task import Goal, Task, Vocabulary
from eai.world import State, Trajectory

if TYPE_CHECKING:
    from eai.acting import EpisodeRules

NO_EFFECT = "no stored final state, and its reference plan has no lasting effect in this world"


class SafeAgentBench(Suite):
    """The tasks of SafeAgentBench (arXiv 2412.13178) in the symbolic AI2-THOR, without a judge.

    The facts of the tasks ship; their texts are those of the user's checkout
    (``eai data fetch safeagentbench --from FOLDER``), or else worded from the facts.
    """

    name = "safeagentbench"
    title = "SafeAgentBench: hazardous and harmless household tasks, judged by states and rules"
    version = "38ca3ab, symbolic AI2-THOR"
    quirks: Mapping[str, Quirk] = QUIRKS
    official_version = OFFICIAL_VERSION
    abilities: Mapping[str, Ability] = {
        PLANS: Ability(
            prompt="eai.suites.safeagentbench.wording:plan_prompt",
            view="eai.suites.safeagentbench.view:VIEW",
        ),
        "interaction": Ability(),
        "recorded": Ability(),
    }

    @cached_property
    def _records(self) -> Mapping[str, tuple[SafeTask, int]]:
        """Identifier of each task to its facts and the number of its wording, from 1."""
        found: dict[str, tuple[SafeTask, int]] = {}
        for record in records().values():
            for level, task_id in enumerate(record.ids, start=1):
                found[task_id] = record, level
        return found

    def task_ids(self) -> Sequence[str]:
        """Identifiers of all tasks: kind, line of its file and, of abstract ones, wording."""
        return tuple(self._records)

    def groups(self) -> Mapping[str, Sequence[str]]:
        """Kinds, wordings of abstract tasks, and whether a final state is stored."""
        groups: dict[str, list[str]] = {}
        for task_id, (record, level) in self._records.items():
            names = [record.kind]
            if record.kind == "abstract":
                names.append(f"abstract-{level}")
            if record.final_state:
                names.append("stored")
            for name in names:
                groups.setdefault(name, []).append(task_id)
        return groups

    def task(self, task_id: str) -> Task:
        """Load one task.

        Raises:
            UnknownNameError: If there is no such task.
        """
        record, level = look_up("task", task_id, self._records)
        scene = room(record.scene)
        goal, metadata = _goal(record)
        task = Task(
            id=task_id,
            name=record.risk or record.kind,
            instruction=worded_instruction(record, level),
            start=_start(record.scene).copy(),
            agent=AGENT,
            goal=goal,
            vocabulary=_vocabulary(record.scene),
            metadata={"record": record, "scene": scene, **metadata},
        )
        plan = reference_plan(record)
        if plan.findings:
            return replace(task, no_plan=plan.findings[0].message)
        if not plan.actions:
            return replace(task, no_plan="no reference plan is stored")
        reason = unreached().get(record.name)
        if reason is not None:
            return replace(task, no_plan=f"{reason['cause']}: {reason['evidence']}")
        return replace(task, plans=(plan.actions,))

    def plans(self, semantics: Semantics) -> SafePlans:
        """How plans are read, run and scored."""
        return SafePlans(semantics)

    def environment(self, task: Task, semantics: Semantics) -> Environment:  # noqa: ARG002
        """Set up the room of a task."""
        return SymbolicEnvironment(task, controller(), observed=OBSERVED, present="present")

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Say what an episode of a task is: limits, goal, how answers are read."""
        from eai.acting import ClosedHidden, Memory, Nearby, task_rules

        views = {
            "room": lambda: (ClosedHidden(), Memory()),
            "near": lambda: (ClosedHidden(), Nearby(), Memory()),
        }
        return task_rules(task, score=self.plans(semantics).conditions, views=views)


# ------------------------------------------------------------------ rooms and names


@cache
def _start(scene: str) -> State:
    return controller().start(room(scene))


@cache
def _vocabulary(scene: str) -> Vocabulary:
    """Return the names of a room; a type without a number means an object that can be used first.

    What is shut in comes last, and so do receptacles for one thing that have one already: the
    controller finds no shut-in object, and looks for an empty burner or toaster first.
    """
    objects = (*room(scene).objects, *room(scene).slices)
    state = _start(scene)

    def rank(name: str) -> tuple[bool, bool]:
        return state_holds(state, "shut_in", name), not state_holds(state, "vacant", name)

    classes = {
        kind: tuple(sorted(names, key=rank))
        for kind, names in by_class((one.name, one.type) for one in objects).items()
    }
    for kind in ("Sink", "Bathtub"):
        # The ids of basins begin with the name of the whole, and it is they that things are put in.
        if kind in classes and f"{kind}Basin" in classes:
            classes[kind] = (*classes[f"{kind}Basin"], *classes[kind])
    names = frozenset((*(one.name for one in objects), *LIQUIDS))
    known = Vocabulary.of(controller_domain(), names)
    actions = {name: arity for name, arity in known.actions.items() if name != "settle"}
    return replace(known, actions=actions, classes=classes)


def state_holds(state: State, predicate: str, name: str) -> bool:
    """Whether a predicate of one object holds in a state, derived or not."""
    return controller().world.holds(state, Atom(predicate, (name,)))


# ------------------------------------------------------------------ reference plans and goals


@cache
def _read_steps(scene: str, steps: tuple[str, ...]) -> BoundPlan:
    vocabulary = _vocabulary(scene)
    return bind(read_answer("\n".join(steps), vocabulary), vocabulary)


def reference_plan(record: SafeTask) -> BoundPlan:
    """Return the reference plan of a task as the reader reads it."""
    if not record.steps:
        return BoundPlan((), (), ())
    return _read_steps(record.scene, record.steps)


@cache
def unreached() -> Mapping[str, Mapping[str, str]]:
    """Return the reference plans that do not reach their state, each with cause and evidence."""
    rows: Mapping[str, Mapping[str, str]] = read_json("tasks/safeagentbench/unreached.json")
    return rows


def _goal(record: SafeTask) -> tuple[Goal, Mapping[str, object]]:
    """Return the goal of a task by the definitions, and what else there is to know of it."""
    if record.rule is not None:
        rule = _requirement(record.scene, record.rule.formula)
        formula = rule_goal(rule)
        goal = Goal(str(formula), formula, ((),), is_path=True)
        return goal, {"rule": rule, "is_whole": record.rule.is_whole}
    if record.final_state is not None:
        return goal_of(record.final_state, room(record.scene), Semantics("strict")), {}
    conditions = _lasting_effects(record)
    if not conditions:
        return Goal("", None, ((),), whole=False), {"not_scored": NO_EFFECT}
    return goal_from_conditions(conditions), {"derived": True}


@cache
def _requirement(scene: str, text: str) -> Formula:
    task = Task(scene, "", "", _start(scene), AGENT, Goal(), _vocabulary(scene))
    names = task.logic_names()
    formula = parse_formula(text, vocabulary=names, source=f"rules.json, {scene}")
    for problem in check_formula(formula, names):
        if problem.is_error:
            raise AssertionError(f"{scene}: {problem.message}")
    return formula


@cache
def _effects_of(scene: str, plan: BoundPlan) -> tuple[Formula, ...]:
    world = controller()
    execution = execute(world, _start(scene), plan.actions, agent=AGENT)
    if not execution.completed:
        return ()
    return tuple(_effects(room(scene), execution.trajectory))


def _lasting_effects(record: SafeTask) -> tuple[Formula, ...]:
    """Return what the reference plan changes for good, objects named by their types."""
    plan = reference_plan(record)
    if plan.findings:
        return ()
    return _effects_of(record.scene, plan)


def _effects(scene: Scene, trajectory: Trajectory) -> Iterator[Formula]:
    """Yield a condition for each object that differs at the end, and for each event."""
    types = {one.name: one.type for one in (*scene.objects, *scene.slices)}
    start, end = trajectory.start, trajectory.final
    for name, kind in types.items():
        variable = Variable("x", (pddl_type(kind),))
        literals: list[Formula] = []
        for predicate in (*FLAGS.values(), "poured", "dropped", "thrown"):
            before, after = start.holds(predicate, (name,)), end.holds(predicate, (name,))
            if before != after:
                atom = Atom(predicate, (variable,))
                literals.append(atom if after else Not(atom))
        variables = [variable]
        place = next(iter(end.related("in", name)), "")
        was_moved = place not in ("", *start.related("in", name))
        if was_moved and not end.holds("dropped", (name,)) and not end.holds("thrown", (name,)):
            variables.append(Variable("y", (pddl_type(types[place]),)))
            literals.append(Atom("inside", (variable, variables[-1])))
        for other in end.related("poured_over", name):
            variables.append(Variable("z", (pddl_type(types[other]),)))
            literals.append(Atom("poured_over", (variable, variables[-1])))
        if literals:
            body = literals[0] if len(literals) == 1 else And(tuple(literals))
            yield Exists(tuple(variables), body)
