"""EB-ALFRED: its skills in the symbolic AI2-THOR, its goals, and plans converted from ALFRED's.

Sources: EmbodiedBench (arXiv 2502.09560), section 3 and appendix; ALFRED's set-ups and gold plans.
Containment at the start is reconstructed, by geometry
(``benchmarks/agreement/embodiedbench_rooms.py``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from typing import Any, NamedTuple, cast

from eai.acting import unobserved
from eai.answers import squeezed
from eai.diagnosis import Finding
from eai.logic import Atom, Formula, Variable
from eai.pddl import parse_condition
from eai.semantics import Semantics
from eai.simulators import ObservationModel, ShownProperty, StepResult, ThorWorld, pddl_type
from eai.simulators.thor.scenes import Scene, SceneObject, object_types
from eai.simulators.thor.skills import skill_domain, skill_world
from eai.simulators.thor.world import AGENT, work_out_containment
from eai.suites.embodiedbench.acting import SkillEnvironment
from eai.suites.embodiedbench.failures import EpisodeFailure
from eai.suites.embodiedbench.skills import (
    ALFRED,
    QUIRKS,
    Skill,
    by_verb_and_target,
    shipped,
    skill_named,
    skills,
    types,
    word_feedback,
    worded,
)
from eai.task import Goal, Task, Vocabulary, literal_kind
from eai.world import Action, State
from eai.world.bits import bits

# Verb of a skill to the name of its action in the domain.
_ACTIONS = {"pick up": "pick", "put down": "put", "turn on": "turn_on", "turn off": "turn_off"}
_ACTIONS |= {verb: verb for verb in ("find", "drop", "open", "close", "slice")}
_BASINS = {"Sink": "SinkBasin", "Bathtub": "BathtubBasin"}
"""Furniture to the basin in it, which a skill acts on when an agent names the furniture."""


@dataclass(frozen=True)
class AlfredRecord:
    """One published task, derived from an instruction of a record of ALFRED.

    Args:
        sha256: SHA-256 of its instruction.
        kind: One of ALFRED's seven types of tasks.
        object: Type of the target, as ``parent`` (the receptacle it is to be in), ``movable`` (the
            one it is carried in) and ``toggle`` (the lamp) are types; empty if there is none.
        setup: Number of the set-up.
        gold: ALFRED's own plan: rows of action, object, type and position of the receptacle that
            it was recorded in, and the receptacle of a placement.
        plan: The same as skills, as ``benchmarks/agreement/embodiedbench_plans.py`` converts it.
    """

    subset: str
    index: int
    sha256: str
    source: str
    wording: int
    kind: str
    object: str
    parent: str
    movable: str
    toggle: str
    sliced: int
    setup: int
    gold: list[list[Any]]
    plan: list[str]

    @property
    def aim(self) -> str:
        """The goal in words, for a task whose instruction is not available."""
        return f"{self.kind.replace('_', ' ')}: {self.object} {self.parent or self.toggle}"

    @property
    def collisions(self) -> tuple[str, ...]:
        """Other types that the published check mistakes for those of the goal.

        It searches the letters of a type in names, and "Mug" is also found in "CoffeeMug".
        """
        collisions = []
        # The types of the goal, each with the list of types that could be mistaken for it.
        goal_types = (
            (self.object, "pickable"),
            (self.parent, "receptacle_types"),
            (self.movable, "pickable"),
        )
        for goal_type, type_list in goal_types:
            for other_type in types(type_list):
                if goal_type and goal_type != other_type and goal_type in other_type:
                    collisions.append(f"{goal_type} also matches {other_type}")
        return tuple(collisions)


@cache
def records() -> Mapping[str, AlfredRecord]:
    """Return the 300 published tasks by identifier."""
    rows = [AlfredRecord(*row) for row in shipped("alfred.json.gz")["tasks"]]
    return {f"{record.subset}/{record.index}": record for record in rows}


# ------------------------------------------------------------------ goals


def conditions_of(record: AlfredRecord, semantics: Semantics) -> tuple[Formula, ...]:
    """Return the goal conditions that the benchmark counts, as formulas.

    Under the quirk ``substring_types`` a type also means types whose names contain it; under
    ``closed_at_end`` everything that can be closed has to be closed.
    """
    goals = shipped("skills.json")["alfred goals"]
    templates = list(goals[record.kind])
    if record.sliced:
        # A goal with two objects also has the second condition: that both are sliced.
        n_sliced_conditions = 2 if record.kind.startswith("pick_two") else 1
        templates += goals["sliced"][:n_sliced_conditions]
    if "closed_at_end" in semantics:
        templates += goals["closed"]
    has_substrings = "substring_types" in semantics
    target = f"{record.object}Sliced" if record.sliced else record.object
    # The letters stand in the templates.
    slots = {
        "o": _either_type(target, "pickable", has_substrings),
        "p": _either_type(record.parent, "receptacle_types", has_substrings),
        "m": _either_type(record.movable, "pickable", has_substrings),
        "l": record.toggle,
    }
    return tuple(_read(template.format(**slots)) for template in templates)


def _either_type(kind: str, pool: str, has_substrings: bool) -> str:
    """Return the types that count as one type, as a PDDL choice: ``(either Mug CoffeeMug)``."""
    kinds = [kind]
    if has_substrings:
        kinds += [other for other in types(pool) if kind in other]
    return f"(either {' '.join(kinds)})"


@cache
def _read(condition: str) -> Formula:
    """Read a condition in PDDL; records share conditions, so that each is read once."""
    return parse_condition(condition, domain=skill_domain())


class _SceneRow(NamedTuple):
    """An object of a room that does not have a name yet.

    Args:
        kind: Its type.
        simulator_id: Its identifier in the simulator.
        position: Its position.
        container: Number of the row of what it lies in; None if it lies in nothing.
    """

    kind: str
    simulator_id: str
    position: tuple[float, float, float]
    container: int | None


@cache
def room(setup: int) -> Scene:
    """Return the room of a set-up, with objects named as skills name them (``Mug``, ``Mug_2``)."""
    data = shipped("alfred.json.gz")
    scene, poses, *_, containers = data["setups"][setup]
    rows: list[_SceneRow] = []
    for object_type, simulator_id, *position in data["layouts"][scene]["fixed"]:
        rows.append(_SceneRow(object_type, simulator_id, tuple(position), None))
    for (pose_name, *position), container in zip(poses, containers, strict=True):
        object_type = pose_name.partition("_")[0]
        simulator_id = _simulator_id(object_type, position)
        rows.append(_SceneRow(object_type, simulator_id, tuple(position), container))
    # A container may be a later row, so all rows get their names before objects are made of them.
    names = _number_names([row.kind for row in rows])
    objects = []
    for name, row in zip(names, rows, strict=True):
        receptacle = "" if row.container is None else names[row.container]
        scene_object = SceneObject(
            name,
            row.simulator_id,
            row.kind,
            place=receptacle,
            affordances=_affordances(row.kind),
            position=row.position,
        )
        objects.append(scene_object)
    return Scene(scene, tuple(objects))


def _simulator_id(kind: str, position: Iterable[float]) -> str:
    """Return an identifier as AI2-THOR writes it: ``"Mug|+01.20|+00.90|-00.35"``."""
    return "|".join((kind, *(f"{coordinate:+06.2f}" for coordinate in position)))


def _number_names(kinds: Iterable[str]) -> list[str]:
    """Return a name for each object: its type, numbered from the second object on.

    Example:
        >>> _number_names(["Mug", "Apple", "Mug"])
        ['Mug', 'Apple', 'Mug_2']
    """
    counts = Counter[str]()
    names: list[str] = []
    for object_type in kinds:
        counts[object_type] += 1
        names.append(
            object_type if counts[object_type] == 1 else f"{object_type}_{counts[object_type]}"
        )
    return names


def _affordances(object_type: str) -> tuple[str, ...]:
    """Return the affordances of a type, including those that only the benchmark adds."""
    published_type = object_types().get(object_type)
    # A type that the simulator does not list is taken for a portable object.
    affordances = {"pickupable"} if published_type is None else set(published_type.affordances)
    if object_type in types("receptacle_types"):
        affordances.add("receptacle")
    if object_type in types("taps"):
        affordances.add("toggleable")
    return tuple(sorted(affordances))


@cache
def _begin(setup: int) -> State:
    """Return the state at the start of a set-up; who changes it takes a copy."""
    return skill_world().start(room(setup))


def load_task(record: AlfredRecord, instruction: str, goal: Goal | None = None) -> Task:
    """Return a task of the suite; its goal is by default that of exact types.

    Args:
        record: The task as the release has it.
        instruction: Its instruction.
        goal: Its goal; by default the goal in which types have to match exactly.
    """
    state = _begin(record.setup).copy()
    vocabulary = Vocabulary.of(skill_domain(), {*state.universe.names} - {AGENT})
    actions = dict(vocabulary.actions)
    actions.pop("settle", None)  # an action of the world itself, and not a skill
    if goal is None:
        goal = _goal(record, Semantics("strict"))
    plan = []
    for step in record.plan:
        name, *words = step.split()  # "pick Mug_2" -> pick(Mug_2)
        plan.append(Action(name, tuple(words)))
    return Task(
        id=f"{record.subset}/{record.index}",
        name=record.subset,
        instruction=instruction,
        start=state,
        agent=AGENT,
        goal=goal,
        vocabulary=replace(vocabulary, actions=actions),
        plans=(tuple(plan),),
        metadata={"record": record},
    )


def _record(task: Task) -> AlfredRecord:
    """Return the published record that a task was made of."""
    return cast("AlfredRecord", task.metadata["record"])


def _goal(record: AlfredRecord, semantics: Semantics) -> Goal:
    """Return the goal of a task, made of all counted conditions."""
    conditions = conditions_of(record, semantics)
    listed = tuple((literal_kind(condition), condition) for condition in conditions)
    # The conditions are all there is to it: nothing has to be evaluated a second time.
    return Goal(" and ".join(map(str, conditions)), None, (listed,), whole=False)


# ------------------------------------------------------------------ acting


def has_words(name: str) -> bool:
    """Whether a skill names this very instance: a second or further one that holds or is held."""
    kind = name.partition("_")[0]
    holds_or_held = kind in types("receptacle_types") or kind in types("pickable")
    return "_" in name and "Sliced" not in name and holds_or_held


def _has_skill_of_its_own(verb: str, target: str, kind: str) -> bool:
    """Whether a skill names this instance: to find it, or to open or close it if it has a door."""
    if not has_words(target) or "Basin" in target:
        return False
    return verb == "find" or (verb in ("open", "close") and kind in types("openable"))


@cache
def _types_meant(kind: str) -> tuple[str, str]:
    """Return the types of the domain that are meant by a type that an agent names (``Mug*``)."""
    kind = kind.removesuffix("*")
    kind = _BASINS.get(kind, kind)
    return pddl_type(f"{kind}Sliced"), pddl_type(kind)


_X = Variable("?x")
_PRESENT = Atom("present", (_X,))


@cache
def _instance_skills(setup: int) -> tuple[Skill, ...]:
    """Return the skills for second and further instances of a type, in the benchmark's order.

    Skills are numbered by this order: find a receptacle, open or close one, find another object.
    """
    objects = room(setup).objects
    receptacles: list[str] = []
    openable_receptacles: list[str] = []
    other_objects: list[str] = []
    for name in sorted(item.name for item in objects if has_words(item.name)):
        object_type = name.partition("_")[0]
        if object_type not in types("receptacle_types"):
            other_objects.append(name)
            continue
        receptacles.append(name)
        if object_type in types("openable"):
            openable_receptacles.append(name)
    # The order of this list gives the numbers of the skills.
    verbs_and_names = [("find", name) for name in receptacles]
    for name in openable_receptacles:
        verbs_and_names += [("open", name), ("close", name)]
    verbs_and_names += [("find", name) for name in other_objects]
    instance_skills: list[Skill] = []
    for number, (verb, name) in enumerate(verbs_and_names, start=len(skills(ALFRED))):
        instance_skills.append(Skill(number, verb, name, worded(verb, name)))
    return tuple(instance_skills)


class AlfredEnvironment(SkillEnvironment):
    """A room in which an agent acts by the skills of EB-ALFRED."""

    name = ALFRED
    observed_as = ObservationModel(
        properties={
            "open": ShownProperty("open", having="openable"),
            "on": ShownProperty("on", having="toggleable"),
            "sliced": ShownProperty("sliced"),
        },
        locations={"in": "in"},
        held=("holds",),
    )
    always = frozenset(map(pddl_type, types("receptacle_types")))
    placing = "put"
    present = "present"
    _at = ""
    """The object that was found last, which is where the robot is; empty at the start."""
    _target = ""
    """The receptacle that was found last, for placements without one; empty if none counts."""

    @staticmethod
    def simulator_of(semantics: Semantics) -> ThorWorld:
        """Return the simulator in which plans are run."""
        return skill_world(knife="knife_to_slice" in semantics)

    @staticmethod
    @lru_cache(maxsize=1 << 12)
    def action_of(skill: Skill) -> Action:
        """Return the action of a skill. A type (``Mug*``) leaves the instance open."""
        name = _ACTIONS[skill.verb]
        if not skill.target:
            return Action(name)
        is_instance = "_" in skill.target
        return Action(name, (skill.target if is_instance else f"{skill.target}*",))

    @staticmethod
    def placement_at(place: str, all_skills: tuple[Skill, ...]) -> Action | None:
        """See :meth:`SkillEnvironment.placement_at`; what can be found may be a place."""
        skill = by_verb_and_target(all_skills).get(("find", squeezed(place)))
        return skill and Action("put", AlfredEnvironment.action_of(skill).arguments)

    @staticmethod
    def skill_of(action: Action) -> Skill:
        """Return the skill of an action. Only "find" skills name an instance."""
        verb = next(verb for verb, name in _ACTIONS.items() if name == action.name)
        target = ""
        # "put down" and "drop" are about the held object, which the published words do not name.
        if verb not in ("put down", "drop"):
            target = "".join(action.arguments).rstrip("*")
        # "Mug_2" and "Mug*" have the type "Mug", and "SinkBasin" the type "Sink".
        object_type = target.partition("_")[0].removesuffix("Basin")
        named = target if _has_skill_of_its_own(verb, target, object_type) else object_type
        words = worded(verb, named)
        return skill_named(ALFRED, words) or Skill(-1, verb, object_type, words)

    @staticmethod
    def goal_of(task: Task, semantics: Semantics) -> Goal:
        """Return the conditions that are counted."""
        return _goal(_record(task), semantics)

    @staticmethod
    def episode_skills(task: Task) -> tuple[Skill, ...]:
        """Return the skills of second and further instances, in the order of the benchmark."""
        return _instance_skills(_record(task).setup)

    def met(self, formulas: Iterable[Formula]) -> dict[Formula, bool]:
        """Test conditions in the state that is now."""
        work_out_containment(self._run.state)
        return super().met(formulas)

    def _begin(self) -> None:
        """Begin an episode with the containers that the task's start state tells."""
        super()._begin()
        # Worked out once for all episodes of a task: each begins in the same state.
        work_out_containment(self.task.start)
        self._run.state.memo |= self.task.start.memo
        self._target = self._at = ""

    def holds(self, predicate: str, name: str) -> bool:
        """Whether an atom of one object holds now."""
        test = self.simulator.world.function_of(Atom(predicate, (_X,)), (_X,))
        return test(self._run.state, self._run.state.universe.index[name])

    def place(self, name: str) -> str:
        """Return the receptacle of an object; empty if it is in none."""
        return next(iter(self._run.state.related("in", name)), "")

    def choose_target(self, action: Action) -> tuple[Action, str]:
        """Return an action with its object, and whether the object is ``near`` or ``absent``.

        An action names one instance (``Mug_2``), or leaves the choice among a type (``Mug*``). A
        placement without a receptacle is ``"unset"``.
        """
        work_out_containment(self._run.state)
        names_type = bool(action.arguments) and action.arguments[0].endswith("*")
        if action.name == "put" and not names_type:
            return self._choose_receptacle(action)
        if not action.arguments:
            return action, "near"
        name = action.arguments[0]
        universe = self._run.state.universe
        if not names_type:
            return action, "near" if name in universe.index else "absent"
        # The pieces of an object are present only after it was sliced.
        present_mask = self.simulator.world.members_of(_PRESENT, _X, ())(self._run.state)
        candidates: list[str] = []
        for object_type in _types_meant(name):
            object_mask = universe.type_masks.get(object_type, 0) & present_mask
            candidates += [universe.names[number] for number in bits(object_mask)]
        if not candidates:
            return action, "absent"
        return Action(action.name, (self._best(action.name, candidates),)), "near"

    def _choose_receptacle(self, action: Action) -> tuple[Action, str]:
        """Return a placement with the named receptacle, or the one found last."""
        receptacle = action.arguments[0] if action.arguments else self._target
        if receptacle:
            return Action("put", (receptacle,)), "near"
        # Without a receptacle the published environment drops the object (quirk put_drops).
        if "put_drops" in self.semantics and self.held:
            return Action("drop"), "unset"
        return Action("put"), "unset"

    def _best(self, verb: str, names: list[str]) -> str:
        """Return the candidate that a skill takes first: the one with the weakest objections.

        Args:
            verb: Name of the skill.
            names: The candidates, at least one.
        """
        if len(names) == 1:
            return names[0]
        return min(names, key=partial(self._reasons_against, verb))

    def _reasons_against(self, verb: str, name: str) -> tuple[float, ...]:
        """Return a sort key of objections to a candidate, the weightiest first, then its distance.

        False comes before True, so of two candidates the one is less to which the first reason
        that tells them apart does not apply.
        """
        is_far = not self.holds("close_by", name)
        is_shut_in = self.holds("shut_in", name)
        # An object that already has the state which the skill achieves is an unlikely target.
        state_of_skill = {"open": "open", "turn_on": "on"}.get(verb)
        is_done = state_of_skill is not None and self.holds(state_of_skill, name)
        is_whole = "Sliced" not in name
        distance = self._distance(name)
        if verb == "find":
            # The robot walks to an object that it finds, so its present place hardly matters.
            return is_shut_in, is_whole, is_far, distance
        is_other = name != self._at
        return is_far, is_shut_in, is_done, is_other, is_whole, distance

    def _distance(self, name: str) -> float:
        """Return the horizontal distance to the object found last, in metres on the grid."""
        start, end = self._position(self._at), self._position(name)
        if start is None or end is None:
            return 0.0
        # The robot moves in steps of a quarter of a metre.
        return round(4 * math.dist(start, end)) / 4

    def _position(self, name: str) -> Sequence[float] | None:
        """Return the position of an object seen from above, or None if it is unknown."""
        item = self._known.get(name)
        receptacle = self.place(name) if name else ""
        is_moved = item is None or receptacle != item.place
        if is_moved:
            # A moved object has the position of its receptacle.
            item = self._known.get(receptacle)
        # The second coordinate is the height.
        return None if item is None else item.position[::2]

    @cached_property
    def _known(self) -> Mapping[str, SceneObject]:
        """Objects of the room by name, as they were at the start."""
        return room(_record(self.task).setup).by_name()

    def step(self, action: Action) -> StepResult:
        """Take one skill."""
        # Chosen before the step, which changes what is near. The step makes the same choice.
        chosen_action, nearness = self.choose_target(action)
        result = super().step(action)
        if nearness == "unset" and result.success:
            result = replace(result, code="silent_drop")
        if chosen_action.name not in self.actions:
            return result  # the environment has no words for it
        if nearness != "absent" and (result.success or chosen_action.name != "find"):
            self._note_position(chosen_action)
        message = self._feedback(chosen_action, nearness, done=result.success)
        return replace(result, message=message)

    def _sentence(self, finding: Finding, action: Action) -> str:
        """Return the text of a finding, or "" for skills that have feedback of their own."""
        # The sentence is made from the whole trajectory, so that of every step takes long.
        if action.name in self.actions:
            return ""
        return super()._sentence(finding, action)

    def _note_position(self, action: Action) -> None:
        """Remember where the robot is, and what it may put objects on, after an action."""
        if action.name == "find":
            self._at = action.arguments[0]
            self._target = self._at if self.holds("receptacle", self._at) else ""
        elif action.name not in ("open", "put"):
            self._target = ""

    def replay_skill(self, action: Action, *, done: bool) -> bool:
        """Run a recorded skill without feedback; return whether its outcome is as recorded."""
        chosen_action, nearness = self.choose_target(action)
        numbers, succeeds_here = self.outcome(chosen_action, nearness)
        if succeeds_here and done and numbers is not None:
            state = self._run.state
            inside = state.layout.index["inside"]
            containment = state.memo[inside]
            self.simulator.world.apply(state, chosen_action.name, numbers)
            if chosen_action.name not in ("pick", "put", "drop", "slice"):
                # Nothing was moved, so the containment, which takes long to compute, is reused.
                state.memo[inside] = containment
        if succeeds_here or chosen_action.name != "find":
            self._note_position(chosen_action)
        return succeeds_here is done

    def _feedback(self, action: Action, nearness: str, *, done: bool) -> str:
        """Return the published environment's feedback for the outcome of a skill.

        Args:
            action: The action of the skill.
            nearness: Whether its object is ``near`` or ``absent``.
            done: Whether the skill succeeded.
        """
        verb = action.name.partition("_")[0].replace("turn", "toggle")
        name = "".join(action.arguments)
        target = {"x": self.skill_of(action).target}
        if done:
            return word_feedback(ALFRED, "done", **target)
        # The reasons in the order in which the published environment gives them.
        if nearness == "absent" and verb != "put":
            return word_feedback(ALFRED, f"{verb}.absent", **target)
        if verb == "find":
            return word_feedback(ALFRED, "find.blocked", **target)
        if verb == "put":
            if not self.held:
                return word_feedback(ALFRED, "empty")
            return word_feedback(ALFRED, "put.failed", r=self._target)
        if verb == "pick":
            return self._pick_feedback(name, target)
        if verb in ("open", "close") and self.holds("open", name) is (verb == "open"):
            return word_feedback(ALFRED, f"{verb}.already", **target)
        return word_feedback(ALFRED, f"{verb}.failed", **target)

    def _pick_feedback(self, name: str, target: Mapping[str, str]) -> str:
        """Return the published feedback for a failed pick."""
        if self.held:
            return word_feedback(ALFRED, "pick.full", x=self.held.partition("_")[0])
        place = self.place(name)
        if place and self.holds("shut_in", name):
            tail = f"Go there to open the {place} first."
            return word_feedback(ALFRED, "pick.hidden", **target, r=place, tail=tail)
        return word_feedback(ALFRED, "empty", **target)

    def failures(self, *, solved: bool) -> Iterator[EpisodeFailure]:
        """Yield the failures that the actions of the episode show with regard to the goal."""
        record = _record(self.task)
        goal_conditions = [condition for _, condition in self.task.goal.final[0]]
        if solved and not all(self.met(goal_conditions).values()):
            yield EpisodeFailure("name_collision", "; ".join(record.collisions))
        # A knife may be put down anywhere after it was used.
        expected_types = (record.object, record.movable, "Knife", "ButterKnife")
        held = ""
        for step in self._run.steps:
            name = "".join(step.action.arguments[:1])
            object_type = name.partition("_")[0]
            if step.action.name == "pick":
                held = name
            is_put_at_goal = step.action.name == "put" and object_type == record.parent
            if is_put_at_goal and held.partition("_")[0] not in expected_types:
                yield EpisodeFailure("wrong_recognition", f"{held} is put there", step.number)


_OFFICIAL = Semantics.of("official", QUIRKS)


@cache
def counted_conditions(task_id: str) -> tuple[Formula, ...]:
    """Return the conditions that the published evaluator counts."""
    return conditions_of(records()[task_id], _OFFICIAL)


@lru_cache(maxsize=1 << 7)
def _room(setup: int) -> AlfredEnvironment:
    """Return the environment of a set-up, which all tasks with that set-up share.

    To make one takes far longer than to reset it, and thousands of records are checked.
    """
    record = next(record for record in records().values() if record.setup == setup)
    environment = AlfredEnvironment(load_task(record, "", Goal()), _OFFICIAL)
    unobserved(environment)
    return environment


@lru_cache(maxsize=1 << 9)
def _begun(task_id: str) -> Mapping[Formula, bool]:
    """Return the conditions of a task, and whether they are met at its start."""
    environment = _room(records()[task_id].setup)
    environment.reset()
    return environment.met(counted_conditions(task_id))


@lru_cache(maxsize=1)
def progress(task_id: str, steps: tuple[tuple[str, bool], ...]) -> tuple[float, float] | None:
    """Return the share of counted conditions that the actions of a record satisfy.

    Args:
        task_id: Identifier of the task.
        steps: The words of each step, and whether it succeeded.

    Returns:
        The share of conditions that became true since the (reconstructed) start, and the share of
        all that hold; None if a step has another outcome here than in the record.
    """
    environment = _room(records()[task_id].setup)
    # The environment is shared, so its start is read before this episode begins.
    met_at_start = _begun(task_id)
    environment.reset()
    for words, done in steps:
        skill = skill_named(ALFRED, words)
        if skill and not environment.replay_skill(environment.action_of(skill), done=done):
            return None
    met = environment.met(met_at_start)
    n_achieved = 0
    for condition, holds in met.items():
        if holds and not met_at_start[condition]:
            n_achieved += 1
    return n_achieved / len(met), sum(met.values()) / len(met)
