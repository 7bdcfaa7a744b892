"""Tasks in a room of AI2-THOR: their written form, their goals as formulas, and the suite.

The world is that of EB-ALFRED: the symbolic AI2-THOR with the skills find, pick, put, drop, open,
close, turn_on, turn_off and slice. As there, a receptacle takes whatever can be carried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from eai.abilities import Plans
from eai.contract import PLANS, Ability, Suite, suite_rules
from eai.errors import InputError, SchemaError, look_up
from eai.files import content_hash
from eai.logic import And, Atom, Equal, Exists, Formula, Not, Or, Term, Variable
from eai.semantics import Semantics
from eai.simulators import Environment, SymbolicEnvironment, ThorWorld, pddl_type
from eai.simulators.thor.environment import OBSERVED
from eai.simulators.thor.scenes import Scene, object_types
from eai.simulators.thor.skills import skill_domain, skill_world
from eai.simulators.thor.world import AGENT
from eai.suites.shared.documents import read_document
from eai.suites.thor.bindings import opposite_states, pieces_of
from eai.suites.thor.document import (
    STATES,
    ChangeDocument,
    ThorTaskDocument,
    ThorTasksDocument,
    WantedDocument,
    able_objects,
    objects_of,
    room,
)
from eai.task import Goal, Task, Vocabulary, literal_kind
from eai.world import State

if TYPE_CHECKING:
    from eai.acting import EpisodeRules


class _Goals:
    """Translates the goals of a task file into formulas."""

    def __init__(self, scene: Scene, where: str) -> None:
        self._scene, self._where, self._used = scene, where, 0

    def formula(self, wanted: WantedDocument) -> Formula:
        """Return the formula that must hold at the end.

        Objects that are named by their type are variables of one ``exists``.
        """
        terms, conditions = self._conditions(wanted)
        if not conditions:
            raise InputError(f"no state or place is required of {wanted.object}", where=self._where)
        body = conditions[0]
        if len(conditions) > 1:
            body = And(tuple(conditions))
        variables = tuple(term for term in terms if isinstance(term, Variable))
        if not variables:  # all objects are called by their names
            return body
        return Exists(variables, body)

    def _conditions(self, wanted: WantedDocument) -> tuple[list[Term], list[Formula]]:
        """Return the terms of the wanted objects and their receptacles, and the conditions.

        All wanted objects are different, and in the same receptacle: "two Mugs in one Sink".

        Raises:
            InputError: If nothing can be in or on what is wanted as a receptacle.
        """
        terms = self._terms(wanted)
        conditions: list[Formula] = []
        for term in terms:
            conditions += [_state(term, word) for word in wanted.states]
        for first, second in combinations(terms, 2):
            conditions.append(Not(Equal(first, second)))
        if wanted.inside is None:
            return terms, conditions
        # A receptacle is wanted like an object, and may be in another receptacle itself.
        outer = wanted.inside
        if isinstance(outer, str):
            outer = WantedDocument.model_validate({"object": outer})
        outer_terms, outer_conditions = self._conditions(outer)
        self._require_receptacle(outer.object)
        conditions += [Atom("inside", (term, outer_terms[0])) for term in terms]
        return [*terms, *outer_terms], [*conditions, *outer_conditions]

    def _require_receptacle(self, word: str) -> None:
        """Refuse a name or type that matches no receptacle.

        Raises:
            InputError: If nothing can be in or on it.
        """
        by_name = self._scene.by_name()
        containers = objects_of(self._scene, word, self._where)
        if all("receptacle" not in by_name[name].affordances for name in containers):
            raise InputError(f"nothing can be in or on {word}", where=self._where)

    def _terms(self, wanted: WantedDocument) -> list[Term]:
        """Return the terms for wanted objects: the name of one object, or variables.

        A goal "two Mugs" has two variables. A goal of sliced bread is about the slices, which are
        objects of their own.

        Raises:
            InputError: If the room has too few objects.
        """
        candidates = able_objects(self._scene, wanted.object, wanted.states, self._where)
        object_type = self._scene.by_name()[candidates[0]].type
        n_available = len(candidates)
        pieces = None
        if "sliced" in wanted.states:
            pieces = object_types()[object_type].slices
            n_available = len(pieces_of(self._scene, candidates))
        if n_available < wanted.count:
            noun = f"{pieces[0]} pieces" if pieces else f"{wanted.object} objects"
            raise InputError(
                f"the number of {noun} is {n_available} in {self._scene.name}",
                where=self._where,
                expected=f"at least {wanted.count}",
            )
        # Variables are numbered through the whole goal, so that no name is used twice.
        first_number = self._used + 1
        self._used += wanted.count
        is_object_name = wanted.object != object_type
        if is_object_name and not pieces:
            return [wanted.object]
        variable_type = pddl_type(pieces[0] if pieces else object_type)
        numbers = range(first_number, first_number + wanted.count)
        return [Variable(f"x{number}", (variable_type,)) for number in numbers]


def _changed_room(document: ThorTaskDocument, where: str) -> tuple[Scene, dict[Atom, bool]]:
    """Return a task's room with all objects in place, and the states that differ."""
    scene = room(document.scene)
    changes: dict[Atom, bool] = {}
    for change in document.start:
        changes |= _changed_states(scene, change, where)
        if change.inside is not None:
            # Of several objects the first is meant.
            moved = objects_of(scene, change.object, where)[0]
            receptacle = objects_of(scene, change.inside, where)[0]
            _check_place(scene, moved, receptacle, where)
            scene = scene.placed({moved: receptacle})
    return scene, changes


def _changed_states(scene: Scene, change: ChangeDocument, where: str) -> dict[Atom, bool]:
    """Return the facts that a change of a room makes true or false.

    Args:
        scene: The room.
        change: The change of one object.
        where: Place of the change, for messages.

    Raises:
        InputError: If the states exclude each other, or no object can have one at the start.
    """
    opposites = opposite_states(change.states)
    if opposites:
        raise InputError(f"{change.object} cannot be {opposites} at the start", where=where)
    facts: dict[Atom, bool] = {}
    for word in change.states:
        if word in ("held", "sliced"):
            raise InputError(f"nothing is {word} at the start", where=where)
        # Of several objects the first is meant.
        name = able_objects(scene, change.object, [word], where)[0]
        if word == "clean":
            facts[Atom("dirty", (name,))] = False
        else:
            predicate, holds, _ = STATES[word]
            facts[Atom(predicate, (name,))] = holds
    return facts


def _check_place(scene: Scene, name: str, receptacle: str, where: str) -> None:
    """Refuse an object that cannot start in or on a receptacle.

    Raises:
        InputError: With the reason.
    """
    problem = _problem_of_place(scene, name, receptacle)
    if problem:
        raise InputError(problem, where=where, expected="a place that it can have at the start")


def _problem_of_place(scene: Scene, name: str, receptacle: str) -> str:
    """Return why an object cannot start in or on a receptacle, or "" if it can.

    Args:
        scene: The room.
        name: The object.
        receptacle: The receptacle.
    """
    objects = scene.by_name()
    if "receptacle" not in objects[receptacle].affordances:
        return f"nothing can be in or on {receptacle}"
    # A fixed object may be in or on another one, as a basin is in a sink.
    can_carry = "pickupable" in objects[name].affordances
    if not can_carry and "pickupable" in objects[receptacle].affordances:
        return f"{name} cannot be carried, so it cannot be in or on {receptacle}"
    outer = receptacle
    while outer:
        if outer == name:
            return f"{name} cannot be in or on itself"
        outer = objects[outer].place
    return ""


def _state(term: Term, word: str) -> Formula:
    """Return the formula for a word that names a state."""
    if word == "clean":
        # An object that can get dirty and is not dirty counts as clean.
        predicate, _, _ = STATES[word]
        is_not_dirty = And((Atom("dirtyable", (term,)), Not(Atom("dirty", (term,)))))
        return Or((Atom(predicate, (term,)), is_not_dirty))
    predicate, holds, _ = STATES[word]
    terms: tuple[Term, ...] = (term,)
    if word == "held":
        terms = (AGENT, term)
    atom = Atom(predicate, terms)
    return atom if holds else Not(atom)


def room_task(
    name: str, start: State, goal: Goal, *, category: str = "", instruction: str = ""
) -> Task:
    """Return a task in a room, without a plan.

    Args:
        name: Its identifier.
        start: The state that it starts in.
        goal: Its goal.
        category: Its category.
        instruction: The instruction in words.
    """
    vocabulary = Vocabulary.of(skill_domain(), frozenset(start.universe.names) - {AGENT})
    actions = dict(vocabulary.actions)
    actions.pop("settle", None)  # the world takes it by itself; it is no skill
    vocabulary = replace(vocabulary, actions=actions)
    return Task(name, category, instruction, start, AGENT, goal, vocabulary)


class ThorSuite(Suite):
    """Base of suites in rooms of AI2-THOR: plans and episodes of the skills."""

    def plans(self, semantics: Semantics) -> Plans:
        """Return how plans are read, run and scored."""
        return ThorPlans(semantics)

    def environment(self, task: Task, semantics: Semantics) -> Environment:  # noqa: ARG002
        """Set up the room of a task."""
        return SymbolicEnvironment(
            task, skill_world(knife=True), observed=OBSERVED, present="present"
        )

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Return the rules of an episode of a task: limits, goal and reader of answers."""
        from eai.acting import ClosedHidden, Memory, Nearby, task_rules

        views = {
            "room": lambda: (ClosedHidden(), Memory()),
            "near": lambda: (ClosedHidden(), Nearby(), Memory()),
        }
        return task_rules(task, score=self.plans(semantics).conditions, views=views)


class ThorTasks(ThorSuite):
    """Tasks written by the user in the rooms of AI2-THOR, for plans and agents.

    Args:
        path: A file of tasks (:class:`ThorTasksDocument`), or the document.

    Raises:
        InputError: If the file cannot be read.
        SchemaError: If it has another form, or two tasks have the same identifier.
    """

    abilities: Mapping[str, Ability] = {
        PLANS: Ability(prompt="eai.abilities.prompts:plan_prompt"),
        "interaction": Ability(),
        "recorded": Ability(),
    }

    def __init__(self, path: str | Path | ThorTasksDocument) -> None:
        """Read the tasks of a file or of a document."""
        folder = Path()  # where files that the document names are searched
        if isinstance(path, ThorTasksDocument):
            self.name = "thor"
            document = path
        else:
            self.name = f"thor:{path}"
            document = read_document(ThorTasksDocument, Path(path))
            folder = Path(path).parent
        self._document = document
        self.title = document.title
        self.version = f"{document.version}, symbolic AI2-THOR"
        self._tasks = {task.id: task for task in document.tasks}
        if len(self._tasks) < len(document.tasks):
            raise SchemaError("two tasks have the same id", where=self.name, expected="one each")
        self._rules = suite_rules(document.rules, folder, self._tasks)

    @property
    def content(self) -> str:
        """A hash of the tasks and the rules."""
        if not self._rules:
            # As it was before a file could name rules: runs are still resumed.
            return content_hash([self._document.model_dump_json(exclude={"rules"})])
        rules = [rule.as_record() for rule in self._rules]
        return content_hash([self._document.model_dump_json(), *rules])

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all tasks, in the order of the file."""
        return tuple(self._tasks)

    def task(self, task_id: str) -> Task:
        """Load one task. Its reference plan is the oracle's, if the oracle finds one."""
        from eai.suites.thor.solver import solution

        document = look_up("task", task_id, self._tasks)
        where = f"{self.name}, {task_id}"
        scene, changes = _changed_room(document, where)
        goals = _Goals(scene, where)
        formulas = [goals.formula(condition) for condition in document.goal]
        text = " and ".join(str(formula) for formula in formulas)
        conditions = tuple((literal_kind(formula), formula) for formula in formulas)
        task = room_task(
            task_id,
            skill_world().start(scene, changes=changes),
            Goal(text, None, (conditions,), whole=False),
            category=document.name or document.scene,
            instruction=document.instruction,
        )
        if self._rules:
            task = task.with_rules(self._rules)
        solved = solution(task, scene, document.goal, where)
        if not solved.plan:
            return replace(task, no_plan=solved.reason)
        # The solver only satisfies the needs of the goal: the evaluation has to confirm the goal.
        result = self.plans(self.semantics("strict")).evaluate_actions(task, solved.plan)
        if not result.success:
            return replace(task, no_plan="the plan that was tried does not reach the goal")
        return replace(task, plans=(solved.plan,))


class ThorPlans(Plans):
    """Reads, runs and scores plans of skills in a room."""

    def simulator(self, task: Task) -> ThorWorld:  # noqa: ARG002
        """Return the simulator in which plans of a task are run."""
        return skill_world(knife=True)
