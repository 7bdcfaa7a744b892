"""EB-Habitat: tasks, goals, nearness, and the world that is acted in.

Sources: EmbodiedBench (arXiv 2502.09560), section 3 and appendix; its published task files. Names
of receptacles are the words of its skills; an object is named after its category.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, permutations, product
from typing import Any

from eai.answers import squeezed
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
from eai.simulators import ObservationModel, ShownProperty, StepResult, Symbolic
from eai.simulators.variations import redefined, shipped_domain
from eai.suites.embodiedbench.acting import SkillEnvironment, Steps
from eai.suites.embodiedbench.failures import EpisodeFailure
from eai.suites.embodiedbench.skills import (
    HABITAT,
    Skill,
    by_verb_and_target,
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
_PICK = "pick_"
"""Beginning of the names of actions that pick something up; its category stands behind."""
_BY_NEARNESS = ("near", "possible", "far")
CLUSTERS = (
    frozenset({"left_counter", "right_counter", "sink", "left_drawer", "right_drawer"}),
    frozenset({"left_counter", "left_drawer", "refrigerator", "refrigerator_push_point", "sink"}),
)
"""From each of these places in the kitchen the others may be in reach (stored oracle states)."""


def locations() -> Mapping[str, str]:
    """Name of a receptacle in the benchmark's files to its name here."""
    receptacles: Mapping[str, str] = shipped("skills.json")["habitat receptacles"]
    return receptacles


@cache
def domain(*, definite: bool = False) -> Domain:
    """Return the domain. If ``definite``, only the receptacle that the robot went to is near."""
    published = shipped_domain("eb_habitat")
    if definite:
        return redefined(published, {"robot_at": "(robot_at_closest ?l)"})
    return published


@cache
def world(*, definite: bool = False) -> World:
    """Return the world (see :func:`domain`)."""
    if definite:
        return World(domain(definite=True))
    return world_of(domain())  # shared with whoever else runs the published domain


@dataclass(frozen=True)
class HabitatRecord:
    """One published task of EB-Habitat.

    Args:
        sha256: SHA-256 of its instruction.
        start: The facts at the start, without the places of the objects.
        objects: Object, category and receptacle, as the files name them, in their order.
        oracle: The facts after each skill of the reference execution; None if that is not known.
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
        """Name of each object here, as ``category.number``, by its name in the files."""
        names: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for name, category, _ in self.objects:
            counts[category] += 1
            names[name] = f"{category}.{counts[category]}"
        return names

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
        """States of the reference execution, as conjunctions; published progress counts them."""
        return tuple(self._subgoal(written) for written in self.oracle or ())

    def _subgoal(self, written: Iterable[str]) -> Formula:
        """Return a state of the reference execution as a conjunction.

        Atoms about the place of a held object are left out: the recorded geometry puts it wherever
        the hand is.

        Args:
            written: The atoms of the state, as the benchmark writes them.
        """
        atoms = [self.atom(text) for text in written]
        held_objects = {atom.terms[0] for atom in atoms if atom.predicate == "holding"}
        conditions: list[Formula] = []
        for atom in atoms:
            subject = atom.terms[0] if atom.terms else ""
            condition = atom
            if atom.predicate == "robot_at" and subject in self.named.values():
                condition = Atom("robot_at_obj", atom.terms)
            if condition.predicate == "holding" or subject not in held_objects:
                conditions.append(condition)
        return And(conditions)

    def state(self) -> State:
        """Return a copy of the initial state."""
        return self.initial_state.copy()

    @cached_property
    def initial_state(self) -> State:
        """The initial state, made once."""
        objects = {AGENT: "robot"}
        atoms = []
        for name, category, receptacle in self.objects:
            objects[self.named[name]] = category
            atoms.append(self.atom(f"on_top({name},{receptacle})"))
        for receptacle in locations().values():
            objects[receptacle] = _receptacle_type(receptacle)
        for cluster in CLUSTERS:
            for first, second in permutations(sorted(cluster), 2):
                atoms.append(Atom("one_stop", (first, second)))
        # Everything else of the published start follows from where the objects are.
        atoms += [self.atom(text) for text in self.start if text.startswith("opened")]
        return State.of(world().layout, Universe(domain(), objects), atoms)

    def atom(self, text: str) -> Atom:
        """Read a predicate of the files."""
        return _atom(text, self.named)


def _receptacle_type(name: str) -> str:
    """Return the domain's type of a receptacle."""
    if name.startswith("cabinet"):
        return "cabinet"
    if name.endswith("push_point"):
        return "fridge"
    return "surface"


def _atom(text: str, scope: Mapping[str, Term]) -> Atom:
    """Read an atom such as ``on_top(apple_1, table_2)``.

    Args:
        text: The atom.
        scope: Variables and objects by their names in the text; other words are receptacles, or
            stay as they are.
    """
    predicate, _, arguments = text.rstrip(")").partition("(")
    terms: list[Term] = []
    for argument in arguments.split(","):
        word = argument.strip()
        if word:
            terms.append(scope.get(word) or locations().get(word, word))
    return Atom(predicate, tuple(terms))


def read_records(data: Mapping[str, Any]) -> dict[str, HabitatRecord]:
    """Return tasks by identifier, as they are stored (see the ``columns`` of the file)."""
    receptacles = data["receptacles"]
    objects = data["objects"]
    categories = [category.replace(" ", "_") for category in data["categories"]]
    tasks = {}
    for subset, index, digest, scene, goal, start, placed, oracle, *plan in data["tasks"]:
        # Objects, categories and receptacles are stored as numbers in these lists.
        placements: list[tuple[str, str, str]] = []
        for number, receptacle in placed:
            placements.append((objects[number], categories[number], receptacles[receptacle]))
        states = None if oracle is None else tuple(map(tuple, oracle))
        tasks[f"{subset}/{index}"] = HabitatRecord(
            subset, index, digest, scene, goal, tuple(start), tuple(placements), states, *plan
        )
    return tasks


@cache
def records() -> Mapping[str, HabitatRecord]:
    """Return the 300 published tasks by identifier."""
    return read_records(shipped("habitat.json.gz"))


# ------------------------------------------------------------------ goals


def goal_formula(written: Any, scope: Mapping[str, Term]) -> Formula:  # noqa: ANN401
    """Read a goal of the benchmark: a predicate, or an expression with a quantifier.

    Several variables of one quantifier stand for different objects.

    Args:
        written: The goal as the benchmark has it.
        scope: The variables of the quantifiers around it, by name.

    Example:
        >>> print(goal_formula({"expr_type": "NOR", "sub_exprs": ["holding(apple_1)"]}, {}))
        not holding(apple_1)
    """
    if isinstance(written, str):
        return _atom(written, scope)
    variables: dict[str, Variable] = {}
    for entry in written.get("inputs", ()):
        category = entry["expr_type"].replace(" ", "_")
        variables[entry["name"]] = Variable(entry["name"].lower(), (category,))
    inner_scope = {**scope, **variables}
    operands = [goal_formula(operand, inner_scope) for operand in written["sub_exprs"]]
    body = _join_parts(written["expr_type"], operands)
    if not variables:
        return body
    # exists x, y (x != y and body); forall x, y (x != y implies body)
    is_existential = written.get("quantifier") == "EXISTS"
    for first, second in combinations(variables.values(), 2):
        if first.types != second.types:
            continue  # objects of different types differ anyway
        are_different = Not(Equal(first, second))
        if is_existential:
            body = And((are_different, body))
        else:
            body = Implies(are_different, body)
    if is_existential:
        return Exists(tuple(variables.values()), body)
    return Forall(tuple(variables.values()), body)


def _join_parts(connective: str, parts: Sequence[Formula]) -> Formula:
    """Return the parts of an expression joined by AND, NAND, OR or NOR."""
    joined: Formula
    if len(parts) == 1:
        (joined,) = parts
    elif connective in ("AND", "NAND"):
        joined = And(parts)
    else:
        joined = Or(parts)
    if connective in ("NAND", "NOR"):
        return Not(joined)
    return joined


def written_out(formula: Formula, universe: Universe) -> Formula:
    """Return a goal with its quantifiers expanded over the objects of a universe.

    ``forall`` becomes a conjunction and ``exists`` a disjunction, with a part for each combination
    of objects. With n objects and k variables there are n ** k parts; k is at most 3 here.
    """
    if isinstance(formula, Equal):
        left, right = map(str, formula.terms)
        if left == right:
            return And(())  # true
        return Or(())  # false
    if not formula.variables:
        return formula.rebuild(written_out(operand, universe) for operand in formula.operands)
    names = [variable.name for variable in formula.variables]
    ranges = [universe.of_types(variable.types) for variable in formula.variables]
    instances = []
    for objects in product(*ranges):
        binding = dict(zip(names, objects, strict=True))
        body = formula.operands[0].substitute(binding)
        instances.append(written_out(body, universe))
    if isinstance(formula, Exists):
        return Or(instances)
    return And(instances)


def load_task(record: HabitatRecord, instruction: str) -> Task:
    """Return a task of the suite."""
    start = record.state()
    universe = start.universe
    classes = by_class(universe.objects.items())
    vocabulary = Vocabulary.of(domain(), set(universe.names) - {AGENT})
    # The goal is shown with its quantifiers; its options need them expanded.
    options = goal_from_formula(written_out(record.goal, universe)).final
    steps = (step.split() for step in record.plan)
    return Task(
        id=f"{record.subset}/{record.index}",
        name=record.subset,
        instruction=instruction,
        start=start,
        agent=AGENT,
        goal=replace(goal_from_formula(record.goal), final=options),
        vocabulary=replace(vocabulary, classes=classes),
        plans=(tuple(Action(name, tuple(words)) for name, *words in steps),),
        metadata={"record": record},
    )


# ------------------------------------------------------------------ nearness and choice


def place_of(state: State, name: str) -> str:
    """Return the receptacle that an object lies on; empty if it lies on none."""
    return next(iter(state.related("on_top", name)), "")


def nearness(state: State, receptacle: str) -> str:
    """Return how near the robot is to a receptacle: ``"near"``, ``"possible"`` or ``"far"``.

    It is near the receptacle to which it went, and possibly near the others of a cluster in the
    kitchen.
    """
    # A mask of objects with one bit at most.
    position_mask = state.unary[state.layout.index["robot_at_closest"]]
    names = [state.universe.names[number] for number in bits(position_mask)]
    robot_position = names[0] if names else ""
    if robot_position == receptacle:
        return "near" if receptacle else "far"
    for cluster in CLUSTERS:
        if robot_position in cluster and receptacle in cluster:
            return "possible"
    return "far"


def choose_target(state: State, action: Action) -> tuple[Action, str]:
    """Return an action with its object, and how near the robot is to it.

    A pick names a category only: ``pick_apple()`` becomes ``pick_apple(apple.2)``, the nearest.
    A pick of a category that has no objects stays as it is, and is ``"absent"``.
    """
    is_open_pick = action.name.startswith(_PICK) and not action.arguments
    if not is_open_pick:
        return action, _nearness_to_target(state, action)
    target = _nearest_of_category(state, action.name.removeprefix(_PICK))
    if target is None:
        return action, "absent"
    pick = Action(action.name, (target,))
    return pick, _nearness_to_target(state, pick)


def _nearest_of_category(state: State, category: str) -> str | None:
    """Return the object of a category that is nearest to the robot; None if there is none."""

    # Of equally near ones the first counts, as "min" keeps it.
    def rank(name: str) -> int:
        return _BY_NEARNESS.index(nearness(state, place_of(state, name)))

    mask = state.universe.type_masks.get(category, 0)
    candidates = [state.universe.names[number] for number in bits(mask)]
    return min(candidates, key=rank, default=None)


def _nearness_to_target(state: State, action: Action) -> str:
    """Return how near the robot is to the target of an action; see :func:`nearness`."""
    # To go somewhere one need not be near it yet.
    if action.name == "nav" or not action.arguments:
        return "near"
    target = action.arguments[0]
    if action.name.startswith(_PICK) and target in state.universe.index:
        # The robot has to be near whatever the object lies on.
        return nearness(state, place_of(state, target))
    return nearness(state, target)


def replay_states(task_id: str, steps: Steps) -> Iterator[State]:
    """Yield the initial state, and the state after each step that succeeded in a record.

    The same state object is yielded each time, and changed from step to step.

    Args:
        task_id: Identifier of the task.
        steps: The words of each step, and whether it succeeded.
    """
    state = records()[task_id].state()
    yield state
    for words, is_done in steps:
        skill = skill_named(HABITAT, words) if is_done else None
        if skill is None:
            continue
        action, nearness = choose_target(state, HabitatEnvironment.action_of(skill))
        # A skill on an absent object changes nothing.
        if nearness != "absent":
            numbers = world().numbers(state, action.name, (AGENT, *action.arguments))
            world().apply(state, action.name, numbers)
            yield state


def solves(task_id: str, steps: Sequence[tuple[str, bool]]) -> bool:
    """Return whether the recorded steps reach the goal of a task as it is published.

    The conditions of the last pick count for the goal (``cached_predicates``).
    """
    *_, state = replay_states(task_id, steps)
    goal = records()[task_id].goal
    if world().holds(state, goal):
        return True
    if not steps or not steps[-1][0].startswith("pick up"):
        return False
    # The published environment asks whether the hand is free before it picks, and keeps the answer.
    for held in HabitatEnvironment.observed_as.holding(state, AGENT):
        state.remove("holding", (held,))
    return world().holds(state, goal)


# ------------------------------------------------------------------ acting


class HabitatEnvironment(SkillEnvironment):
    """A home in which an agent acts by skills, with the benchmark's own feedback."""

    name = HABITAT
    observed_as = ObservationModel(
        properties={"open": ShownProperty("opened_fridge"), "opened": ShownProperty("opened_cab")},
        locations={"on_top": "on", "in": "in"},
        held=("holding",),
    )
    always = frozenset({"surface", "cabinet", "fridge"})
    placing = "place"

    @staticmethod
    def simulator_of(semantics: Semantics) -> Symbolic:
        """Return the simulator in which plans are run."""
        return Symbolic(world(definite="definite_nearness" in semantics))

    @staticmethod
    @cache
    def action_of(skill: Skill) -> Action:
        """Return the action that a skill means; of a pick without its object."""
        if skill.verb == "pick":
            return Action(f"{_PICK}{skill.target}")
        return Action(skill.verb, (skill.target,))

    @staticmethod
    def placement_at(place: str, all_skills: tuple[Skill, ...]) -> Action | None:
        """See :meth:`SkillEnvironment.placement_at`."""
        skill = by_verb_and_target(all_skills).get(("place", squeezed(place)))
        return skill and HabitatEnvironment.action_of(skill)

    @staticmethod
    def skill_of(action: Action) -> Skill:
        """Return the skill that an action is."""
        named_action = Action(action.name) if action.name.startswith(_PICK) else action
        return next(s for s in skills(HABITAT) if HabitatEnvironment.action_of(s) == named_action)

    @staticmethod
    def progress(task: Task, semantics: Semantics, steps: Steps, *, solved: bool) -> float | None:
        """Return the share of the reference execution's states that were reached, if published.

        Args:
            task: The task.
            semantics: Decides whether the progress is that of the published evaluator.
            steps: The steps of the episode.
            solved: Whether the episode is solved.
        """
        subgoals = records()[task.id].subgoals
        if "whole_state_subgoals" not in semantics or not subgoals:
            return None
        if solved:
            return 1.0
        unreached = list(subgoals)
        for state in replay_states(task.id, steps):
            unreached = [subgoal for subgoal in unreached if not world().holds(state, subgoal)]
        return 1 - len(unreached) / len(subgoals)

    def choose_target(self, action: Action) -> tuple[Action, str]:
        """See :meth:`SkillEnvironment.choose_target`."""
        return choose_target(self._run.state, action)

    def met(self, formulas: Iterable[Formula]) -> dict[Formula, bool]:
        """Return whether each condition holds.

        The benchmark tests whether the hand is free before a pick, not after it
        (``cached_predicates``).
        """
        truth = super().met(formulas)
        if "cached_predicates" not in self.semantics or self._executed[-1:] != ["done"]:
            return truth
        hand_is_free = Atom("not_holding", ())
        if hand_is_free in truth and _PICK in self._run.steps[-1].action.name:
            truth[hand_is_free] = True
        return truth

    def failures(self, *, solved: bool) -> Iterator[EpisodeFailure]:
        """Yield the failures that the actions of the episode show with regard to the goal."""
        # Conditions may be nested, so names are searched for in the text of the whole goal:
        # "on_top(apple.1, table_1)" asks for an apple.
        conditions = [str(condition) for option in self.task.goal.final for _, condition in option]
        goal_text = " ".join(conditions)
        goal_categories = set(re.findall(r"on_top\((\w+)\.", goal_text))
        if goal_categories and not solved:
            yield from self._exploration_failures(goal_categories)
        # Category of the object that was picked last; a placement puts that object down.
        held_category = ""
        for step in self._run.steps:
            if _PICK in step.action.name:
                held_category = step.action.name.removeprefix(_PICK)
            if step.action.name != "place":
                continue
            receptacle = step.action.arguments[0]
            is_goal_receptacle = receptacle and receptacle in goal_text
            if is_goal_receptacle and held_category not in goal_categories:
                text = f"a {held_category} is put there"
                yield EpisodeFailure("wrong_recognition", text, step.number)

    def _exploration_failures(self, goal_categories: AbstractSet[str]) -> Iterator[EpisodeFailure]:
        """Yield a failure if no object of the goal was picked up and some surfaces not visited.

        Args:
            goal_categories: Categories of the objects in the goal.
        """
        actions = [step.action for step in self._run.steps]
        picked_categories = {action.name.removeprefix(_PICK) for action in actions}
        if goal_categories & picked_categories:
            return
        visited = {action.arguments[0] for action in actions if action.name == "nav"}
        surfaces = {place_of(self.task.start, name) for name in self.task.vocabulary.objects} - {""}
        if not surfaces <= visited:
            text = f"{len(surfaces & visited)} of {len(surfaces)} surfaces were looked at"
            yield EpisodeFailure("insufficient_exploration", text)

    def _sentence(self, finding: Finding, action: Action) -> str:
        """Say nothing of skills for which the environment has words of its own."""
        has_words = action.name in self.actions and action.name != "nav"
        return "" if has_words else super()._sentence(finding, action)

    def step(self, action: Action) -> StepResult:
        """Execute one skill. If a pick names no object, the nearest one is picked."""
        held_before = bool(self.observed.holding(self._run.state, AGENT))
        result = super().step(action)
        executed = result.resolved or action
        is_failed_navigation = executed.name == "nav" and not result.success
        if executed.name not in self.actions or is_failed_navigation:
            return result  # the environment has no words for it
        verb = executed.name.partition("_")[0]
        if result.success:
            message = word_feedback(HABITAT, f"done.{verb}", x=self._name_in_feedback(executed))
        else:
            reason = _failure_reason(verb, held_before=held_before)
            message = word_feedback(HABITAT, f"{verb}.{reason}")
        return replace(result, message=message)

    def _name_in_feedback(self, action: Action) -> str:
        """Return the name that feedback gives the target of an action, or ""."""
        verb, _, target = action.name.partition("_")
        if target == "cab":
            # The published words end before the number (quirk cabinet_number_lost).
            if "cabinet_number_lost" in self.semantics:
                return "cabinet push"
            return action.arguments[0].replace("_", " ")
        if verb == "pick":
            return target.replace("_", " ")
        if verb in ("open", "close"):
            return "refrigerator"
        return ""


def _failure_reason(verb: str, *, held_before: bool) -> str:
    """Return the reason for which a skill was not done, as feedback states it."""
    if verb in ("open", "close"):
        return "state"
    if verb == "pick" and held_before:
        return "full"
    if verb == "place" and not held_before:
        return "empty"
    return "far"
