"""EB-Habitat: tasks, goals, nearness, and the world that is acted in.

Sources: EmbodiedBench (arXiv 2502.09560), section 3 and appendix; its published task files. Names
of receptacles are the words of its skills; an object is named after its category.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, product
from typing import Any

from eai.diagnosis import Finding
from eai.logic import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Variable,
    format_formula,
)
from eai.pddl import Domain
from eai.semantics import Semantics
from eai.simulators import ObservationModel, Shown, StepResult, Symbolic
from eai.simulators.variations import redefined, shipped_domain
from eai.suites.embodiedbench.acting import SkillEnvironment, Steps
from eai.suites.embodiedbench.failures import EpisodeFailure
from eai.suites.embodiedbench.skills import (
    HABITAT,
    Skill,
    shipped,
    skill_named,
    skills,
    word_feedback,
)
from eai.suites.shared.store import by_class
from eai.task import Task, Vocabulary
from eai.task.goals import goal_from_formula
from eai.world import Action, State, Universe, World, world_of
from eai.world.bits import bits

AGENT = "robot_0"
CLUSTERS = (
    frozenset({"left_counter", "right_counter", "sink", "left_drawer", "right_drawer"}),
    frozenset({"left_counter", "left_drawer", "refrigerator", "refrigerator_push_point", "sink"}),
)
"""From each of these places in the kitchen the others may be in reach (stored oracle states)."""


def locations() -> Mapping[str, str]:
    """Name of a receptacle in the benchmark's files to its name here."""
    found: Mapping[str, str] = shipped("skills.json")["habitat receptacles"]
    return found


@cache
def domain(*, definite: bool = False) -> Domain:
    """Return the domain; ``definite``: near is only what the robot went to."""
    whole = shipped_domain("eb_habitat")
    return redefined(whole, {"robot_at": "(robot_at_closest ?l)"}) if definite else whole


@cache
def world(*, definite: bool = False) -> World:
    """Return the world (see :func:`domain`)."""
    return World(domain(definite=definite)) if definite else world_of(domain())


@dataclass(frozen=True)
class HabitatRecord:
    """One task as it is published.

    Args:
        sha256: SHA-256 of its instruction.
        start: What holds at the start beside where the objects are.
        objects: Object, category and receptacle, as the files name them, in their order.
        oracle: What holds after each skill of the reference execution; None if that is not known.
        plan: A plan that reaches the goal (``benchmarks/agreement/embodiedbench_plans.py``).
    """

    subset: str
    index: int
    sha256: str
    scene: str
    written: Any
    start: tuple[str, ...]
    objects: tuple[tuple[str, str, str], ...]
    oracle: tuple[tuple[str, ...], ...] | None = None
    plan: Sequence[str] = ()

    @cached_property
    def named(self) -> Mapping[str, str]:
        """Name of an object in the files to its name here, as ``category.number``."""
        found, counts = dict[str, str](), Counter[str]()
        for name, category, _ in self.objects:
            counts[category] += 1
            found[name] = f"{category}.{counts[category]}"
        return found

    @cached_property
    def goal(self) -> Formula:
        """The goal as a formula."""
        return goal_formula(self.written, {})

    @property
    def aim(self) -> str:
        """The goal as text, for a task whose instruction is not available."""
        return format_formula(self.goal)

    @cached_property
    def subgoals(self) -> tuple[Formula, ...]:
        """States of the reference execution, which the published progress counts, as conjunctions.

        What is held is near the robot, and lies nowhere, whatever the geometry of the state says.
        """
        subgoals: list[Formula] = []
        for written in self.oracle or ():
            atoms = [self.atom(text) for text in written]
            held = {atom.terms[0] for atom in atoms if atom.predicate == "holding"}
            conditions: list[Formula] = []
            for atom in atoms:
                subject = atom.terms[0] if atom.terms else ""
                if atom.predicate == "robot_at" and subject in self.named.values():
                    atom = Atom("robot_at_obj", atom.terms)  # noqa: PLW2901
                if atom.predicate == "holding" or subject not in held:
                    conditions.append(atom)
            subgoals.append(And(conditions))
        return tuple(subgoals)

    def state(self) -> State:
        """A copy of the initial state."""
        return self.initial_state.copy()

    @cached_property
    def initial_state(self) -> State:
        """The initial state, made once."""
        objects = {AGENT: "robot"}
        objects |= {self.named[name]: category for name, category, _ in self.objects}
        for place in locations().values():
            door = "fridge" if place.endswith("push_point") else "surface"
            objects[place] = "cabinet" if place.startswith("cabinet") else door
        atoms = [self.atom(f"on_top({name},{place})") for name, _, place in self.objects]
        atoms += [
            Atom("one_stop", (x, y)) for c in CLUSTERS for x in sorted(c) for y in sorted(c - {x})
        ]
        atoms += [self.atom(each) for each in self.start if each.startswith("opened")]
        return State.of(world().layout, Universe(domain(), objects), atoms)

    def atom(self, text: str) -> Atom:
        """Read a predicate of the files."""
        return _atom(text, self.named)


def _atom(text: str, named: Mapping[str, Term]) -> Atom:
    name, _, inside = text.rstrip(")").partition("(")
    words = [each.strip() for each in inside.split(",") if each.strip()]
    return Atom(name, tuple(named.get(each) or locations().get(each, each) for each in words))


def read_records(data: Mapping[str, Any]) -> dict[str, HabitatRecord]:
    """Return tasks by identifier, as they are stored (see the ``columns`` of the file)."""
    where, objects = data["receptacles"], data["objects"]
    categories = [category.replace(" ", "_") for category in data["categories"]]
    found = {}
    for subset, index, digest, scene, goal, start, placed, oracle, *plan in data["tasks"]:
        things = tuple((objects[o], categories[o], where[r]) for o, r in placed)
        states = None if oracle is None else tuple(map(tuple, oracle))
        found[f"{subset}/{index}"] = HabitatRecord(
            subset, index, digest, scene, goal, tuple(start), things, states, *plan
        )
    return found


@cache
def records() -> Mapping[str, HabitatRecord]:
    """Return the 300 published tasks by identifier."""
    return read_records(shipped("habitat.json.gz"))


# ------------------------------------------------------------------ goals


def goal_formula(written: Any, scope: Mapping[str, Term]) -> Formula:  # noqa: ANN401
    """Read a goal of the benchmark: a predicate, or an expression with a quantifier.

    Several variables of a quantifier stand for different things; those around it are its scope.
    """
    if isinstance(written, str):
        return _atom(written, scope)
    variables: dict[str, Variable] = {}
    for entry in written.get("inputs", ()):
        kind = entry["expr_type"].replace(" ", "_")
        variables[entry["name"]] = Variable(entry["name"].lower(), (kind,))
    parts = [goal_formula(part, {**scope, **variables}) for part in written["sub_exprs"]]
    connective = written["expr_type"]
    if len(parts) == 1:
        joined = parts[0]
    elif connective in ("AND", "NAND"):
        joined = And(parts)
    else:
        joined = Or(parts)
    if connective in ("NAND", "NOR"):
        joined = Not(joined)
    is_some = written.get("quantifier") == "EXISTS"
    for x, y in combinations(variables.values(), 2):
        if x.types == y.types:
            apart = Not(Equal(x, y))
            joined = And((apart, joined)) if is_some else Implies(apart, joined)
    if not variables:
        return joined
    quantifier = Exists if is_some else Forall
    return quantifier(tuple(variables.values()), joined)


def written_out(formula: Formula, universe: Universe) -> Formula:
    """Write the quantifiers of a goal out over the objects, so that it has simple options."""
    if isinstance(formula, Equal):
        left, right = map(str, formula.terms)
        return And(()) if left == right else Or(())
    if not formula.variables:
        return formula.rebuild(written_out(operand, universe) for operand in formula.operands)
    names = [variable.name for variable in formula.variables]
    ranges = [universe.of_types(variable.types) for variable in formula.variables]
    instances = []
    for objects in product(*ranges):
        body = formula.operands[0].substitute(dict(zip(names, objects, strict=True)))
        instances.append(written_out(body, universe))
    return Or(instances) if isinstance(formula, Exists) else And(instances)


def load_task(record: HabitatRecord, instruction: str) -> Task:
    """Return a task of the suite."""
    start = record.state()
    universe = start.universe
    classes = by_class(zip(universe.names, universe.types, strict=True))
    known = Vocabulary.of(domain(), set(universe.names) - {AGENT})
    options = goal_from_formula(written_out(record.goal, universe)).final
    steps = (step.split() for step in record.plan)
    return Task(
        id=f"{record.subset}/{record.index}",
        name=record.subset,
        instruction=instruction,
        start=start,
        agent=AGENT,
        goal=replace(goal_from_formula(record.goal), final=options),
        vocabulary=replace(known, classes=classes),
        plans=(tuple(Action(name, tuple(words)) for name, *words in steps),),
        metadata={"record": record},
    )


# ------------------------------------------------------------------ nearness and choice


def place_of(state: State, name: str) -> str:
    """Return the receptacle that an object lies on; empty if it lies on none."""
    return next(iter(state.related("on_top", name)), "")


def nearness(state: State, place: str) -> str:
    """Say whether the robot is near a receptacle: ``"near"``, ``"possible"`` or ``"far"``.

    It is near what it went to; within a cluster of the kitchen that is possible.
    """
    at = state.unary[state.layout.index["robot_at_closest"]]
    stop = next((state.universe.names[i] for i in bits(at)), "")
    if stop == place:
        return "near" if place else "far"
    return "possible" if any({stop, place} <= cluster for cluster in CLUSTERS) else "far"


def chosen(state: State, action: Action) -> tuple[Action, str]:
    """Choose the object of a pick, the nearest of its category, and say how near it all is.

    Of a category without objects the action stays as it stands, and is ``"absent"``.
    """
    if action.name.startswith("pick_") and not action.arguments:
        mask = state.universe.type_masks.get(action.name.removeprefix("pick_"), 0)
        things = [state.universe.names[i] for i in bits(mask)]
        if not things:
            return action, "absent"
        order = ("near", "possible", "far")
        best = min(things, key=lambda name: order.index(nearness(state, place_of(state, name))))
        action = Action(action.name, (best,))
    if action.name == "nav" or not action.arguments:
        return action, "near"
    target = action.arguments[0]
    known = target in state.universe.index
    picks = action.name.startswith("pick_")
    return action, nearness(state, place_of(state, target) if picks and known else target)


def walked(task_id: str, steps: Steps) -> Iterator[State]:
    """Yield the state after each step that a record says was done: one state, which changes."""
    state = records()[task_id].state()
    yield state
    for words, done in steps:
        skill = skill_named(HABITAT, words) if done else None
        made, near = chosen(state, HabitatEnvironment.action_of(skill)) if skill else (None, "")
        if made is not None and near != "absent":
            numbers = world().numbers(state, made.name, (AGENT, *made.arguments))
            world().apply(state, made.name, numbers)
            yield state


def solves(task_id: str, steps: Sequence[tuple[str, bool]]) -> bool:
    """Whether what a record says was done reaches the goal of a task, as it is published.

    What the last pick asked for counts for the goal (``cached_predicates``).
    """
    *_, state = walked(task_id, steps)
    goal = records()[task_id].goal
    if not world().holds(state, goal) and steps and steps[-1][0].startswith("pick up"):
        for held in HabitatEnvironment.observed_as.holding(state, AGENT):
            state.remove("holding", (held,))
    return world().holds(state, goal)


# ------------------------------------------------------------------ acting


class HabitatEnvironment(SkillEnvironment):
    """A home acted in by skills; its feedback is worded as in the benchmark."""

    name = HABITAT
    observed_as = ObservationModel(
        properties={"open": Shown("opened_fridge"), "opened": Shown("opened_cab")},
        locations={"on_top": "on", "in": "in"},
        held=("holding",),
    )
    always = frozenset({"surface", "cabinet", "fridge"})

    @staticmethod
    def simulator_of(semantics: Semantics) -> Symbolic:
        """Where plans are run."""
        return Symbolic(world(definite="definite_nearness" in semantics))

    @staticmethod
    @cache
    def action_of(skill: Skill) -> Action:
        """Return the action that a skill means; of a pick without its object."""
        picks = skill.verb == "pick"
        return Action(f"pick_{skill.target}") if picks else Action(skill.verb, (skill.target,))

    @staticmethod
    def skill_of(action: Action) -> Skill:
        """Return the skill that an action is."""
        meant = Action(action.name) if action.name.startswith("pick_") else action
        return next(s for s in skills(HABITAT) if HabitatEnvironment.action_of(s) == meant)

    @staticmethod
    def progress(task: Task, semantics: Semantics, steps: Steps, *, solved: bool) -> float | None:
        """Share of the reference execution's states that were reached, where that is published."""
        subgoals = records()[task.id].subgoals
        if "whole_state_subgoals" not in semantics or not subgoals:
            return None
        left = [] if solved else list(subgoals)
        for state in walked(task.id, steps):
            left = [each for each in left if not world().holds(state, each)]
        return 1 - len(left) / len(subgoals)

    def chosen(self, action: Action) -> tuple[Action, str]:
        """See :meth:`SkillEnvironment.chosen`."""
        return chosen(self._run.state, action)

    def met(self, formulas: Iterable[Formula]) -> dict[Formula, bool]:
        """Test conditions; what a pick asks for was looked up before it (``cached_predicates``)."""
        truth = super().met(formulas)
        if "cached_predicates" not in self.semantics or self._executed[-1:] != ["done"]:
            return truth
        hand_is_free = Atom("not_holding", ())
        if hand_is_free in truth and "pick_" in self._run.steps[-1].action.name:
            truth[hand_is_free] = True
        return truth

    def failures(self, *, solved: bool) -> Iterator[EpisodeFailure]:
        """Yield the failures that what was done shows, in the light of the goal."""
        named = " ".join(str(each) for option in self.task.goal.final for _, each in option)
        wanted = set(re.findall(r"on_top\((\w+)\.", named))
        steps = self._run.steps
        taken = {step.action.name.removeprefix("pick_") for step in steps}
        visited = {step.action.arguments[0] for step in steps if step.action.name == "nav"}
        surfaces = {place_of(self.task.start, name) for name in self.task.vocabulary.objects} - {""}
        if not solved and wanted and not wanted & taken and not surfaces <= visited:
            text = f"{len(surfaces & visited)} of {len(surfaces)} surfaces were looked at"
            yield EpisodeFailure("insufficient_exploration", text)
        held = ""
        for step in steps:
            if "pick_" in step.action.name:
                held = step.action.name.removeprefix("pick_")
            if step.action.name != "place":
                continue
            receptacle = step.action.arguments[0]
            if receptacle and receptacle in named and held not in wanted:
                yield EpisodeFailure("wrong_recognition", f"a {held} is put there", step.number)

    def _sentence(self, finding: Finding, action: Action) -> str:
        """Say nothing of skills for which the environment has words of its own."""
        has_words = action.name in self.actions and action.name != "nav"
        return "" if has_words else super()._sentence(finding, action)

    def step(self, action: Action) -> StepResult:
        """Take one skill: a pick may leave its object open."""
        holds = bool(self.observed.holding(self._run.state, AGENT))
        result = super().step(action)
        made = result.resolved or action
        if made.name not in self.actions or (made.name == "nav" and not result.success):
            return result  # the environment has no words for it
        verb, _, of = made.name.partition("_")
        if result.success:
            things = {"pick": of.replace("_", " "), "open": "refrigerator", "close": "refrigerator"}
            if of == "cab":
                lost = "cabinet_number_lost" in self.semantics
                things[verb] = "cabinet push" if lost else made.arguments[0].replace("_", " ")
            said = word_feedback(HABITAT, f"done.{verb}", x=things.get(verb, ""))
        else:
            reason = "state" if verb in ("open", "close") else "far"
            if (verb, holds) in (("pick", True), ("place", False)):
                reason = "full" if holds else "empty"
            said = word_feedback(HABITAT, f"{verb}.{reason}")
        return replace(result, message=said)
