"""Tasks in a room of AI2-THOR: their written form, their goals as formulas, and the suite.

The world is that of EB-ALFRED: the symbolic AI2-THOR with the skills find, pick, put, drop, open,
close, turn_on, turn_off and slice. As there, a receptacle takes whatever can be carried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from eai.abilities import Plans
from eai.contract import PLANS, Ability, Suite
from eai.errors import InputError, SchemaError, UnknownNameError, look_up
from eai.files import content_hash
from eai.logic import And, Atom, Equal, Exists, Formula, Not, Or, Term, Variable
from eai.semantics import Semantics
from eai.simulators import Environment, SymbolicEnvironment, ThorWorld, load_scene, pddl_type
from eai.simulators.thor.environment import OBSERVED
from eai.simulators.thor.scenes import Scene, object_types
from eai.simulators.thor.world import AGENT
from eai.suites.documents import Document, Text, read_document
from eai.suites.embodiedbench.alfred import domain, world
from eai.task import Goal, Task, Vocabulary, literal_kind

if TYPE_CHECKING:
    from eai.acting import EpisodeRules

STATES: Mapping[str, tuple[str, bool, str]] = {
    "open": ("open", True, "openable"),
    "closed": ("open", False, "openable"),
    "on": ("on", True, "toggleable"),
    "off": ("on", False, "toggleable"),
    "dirty": ("dirty", True, "dirtyable"),
    "clean": ("was_cleaned", True, "pickupable"),
    "hot": ("hot", True, "pickupable"),
    "cold": ("cold", True, "pickupable"),
    "sliced": ("present", True, "sliceable"),
    "cooked": ("cooked", True, "cookable"),
    "filled": ("filled", True, "fillable"),
    "empty": ("filled", False, "fillable"),
    "held": ("holds", True, "pickupable"),
}
"""Word to the predicate, whether it holds, and what an object has to be for it."""


class WantedDocument(Document):
    """Objects, and how they have to be at the end."""

    object: Text = Field(description="A type (Mug), or one object of the room (Mug_2).")
    states: list[str] = Field(default=[], alias="is", description=f"Of {', '.join(STATES)}.")
    inside: Union[Text, WantedDocument, None] = Field(
        default=None, alias="in", description="The receptacle: a type, an object, or both."
    )
    count: Annotated[int, Field(ge=1, le=9)] = Field(
        default=1, description="Number of objects, all in the same receptacle."
    )


class ChangeDocument(Document):
    """In what an object differs at the start."""

    object: Text
    states: list[str] = Field(default=[], alias="is")
    inside: Text | None = Field(default=None, alias="in", description="A type or an object.")


class ThorTaskDocument(Document):
    """One task."""

    id: Text
    scene: Text = Field(description="FloorPlan1-30, 201-230, 301-330 or 401-430.")
    instruction: Text
    name: str = Field(default="", description="Category.")
    start: list[ChangeDocument] = Field(default=[], description="What differs from the room.")
    goal: list[WantedDocument] = Field(min_length=1, description="All of it at the same time.")


class ThorTasksDocument(Document):
    """A file of tasks."""

    title: str = "Own tasks in AI2-THOR"
    version: str = "1"
    tasks: list[ThorTaskDocument] = Field(min_length=1)


@cache
def room(name: str) -> Scene:
    """Return a room whose objects are called by type, and number if there are several."""
    scene, names = load_scene(name), dict[str, str]()
    for kind in {one.type for one in scene.objects}:
        alike = scene.of_type(kind)
        for number, one in enumerate(alike, start=1):
            names[one.name] = f"{kind}_{number}" if len(alike) > 1 else kind
    return scene.renamed(names)


def objects_of(scene: Scene, word: str, where: str) -> list[str]:
    """Return the objects of a name or a type."""
    found = [one.name for one in scene.objects if word in (one.name, one.type)]
    if not found:
        known = dict.fromkeys(name for one in scene.objects for name in (one.type, one.name))
        raise UnknownNameError("object", word, known, where=f"{where}, {scene.name}")
    return found


def _checked(scene: Scene, word: str, states: Sequence[str], where: str) -> list[str]:
    """Objects that can be in all of some states."""
    found, known = objects_of(scene, word, where), scene.by_name()
    for state in states:
        needs = look_up("state", state, STATES, where=where)[2]
        switched = {name for one in scene.objects for name in one.controls}
        can = [n for n in found if needs in known[n].affordances or n in switched]
        if not can:
            raise InputError(
                f"{word} cannot be {state}", where=where, expected=f"an object that is {needs}"
            )
        found = can
    return found


class _Goals:
    """What is wanted, as formulas."""

    def __init__(self, scene: Scene, where: str) -> None:
        self._scene, self._where, self._used = scene, where, 0

    def formula(self, wanted: WantedDocument) -> Formula:
        """Return what has to hold at the end."""
        variables, _, parts = self._parts(wanted)
        if not parts:
            raise InputError(f"no state or place is required of {wanted.object}", where=self._where)
        whole = And(tuple(parts)) if len(parts) > 1 else parts[0]
        return Exists(tuple(variables), whole) if variables else whole

    def _parts(self, wanted: WantedDocument) -> tuple[list[Variable], list[Term], list[Formula]]:
        """Variables, the terms of the objects, and what holds of them."""
        found = _checked(self._scene, wanted.object, wanted.states, self._where)
        sliced = "sliced" in wanted.states
        if len(found) < wanted.count and not sliced:
            raise InputError(
                f"the number of {wanted.object} objects is {len(found)} in {self._scene.name}",
                where=self._where,
                expected=f"at least {wanted.count}",
            )
        kind = self._scene.by_name()[found[0]].type
        made = object_types()[kind].slices if sliced else None
        terms: list[Term] = [wanted.object] * (kind != wanted.object)
        if made or not terms:
            names = (f"x{self._used + n}" for n in range(1, wanted.count + 1))
            terms = [Variable(name, (pddl_type(made[0] if made else kind),)) for name in names]
        self._used += wanted.count
        variables = [term for term in terms if isinstance(term, Variable)]
        parts = [_state(term, state) for term in terms for state in wanted.states]
        parts += [Not(Equal(*pair)) for pair in combinations(terms, 2)]
        if wanted.inside is not None:
            inner = wanted.inside
            if isinstance(inner, str):
                inner = WantedDocument.model_validate({"object": inner})
            around, around_it, more = self._parts(inner)
            place = objects_of(self._scene, inner.object, self._where)[0]
            if "receptacle" not in self._scene.by_name()[place].affordances:
                raise InputError(f"nothing can be in or on {inner.object}", where=self._where)
            variables += around
            parts += [Atom("inside", (term, around_it[0])) for term in terms] + more
        return variables, terms, parts


def _state(term: Term, word: str) -> Formula:
    predicate, holds, _ = STATES[word]
    atom = Atom(predicate, (AGENT, term) if word == "held" else (term,))
    if word == "clean":
        return Or((atom, And((Atom("dirtyable", (term,)), Not(Atom("dirty", (term,)))))))
    return atom if holds else Not(atom)


class ThorTasks(Suite):
    """Tasks of one's own in the rooms of AI2-THOR, for plans and for agents.

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
        if isinstance(path, ThorTasksDocument):
            made, self.name = path, "thor"
        else:
            made, self.name = read_document(ThorTasksDocument, Path(path)), f"thor:{path}"
        self._document = made
        self.title, self.version = made.title, f"{made.version}, symbolic AI2-THOR"
        self._tasks = {each.id: each for each in made.tasks}
        if len(self._tasks) < len(made.tasks):
            raise SchemaError("two tasks have the same id", where=self.name, expected="one each")

    @property
    def content(self) -> str:
        """A hash of the tasks."""
        return content_hash([self._document.model_dump_json()])

    def task_ids(self) -> Sequence[str]:
        """Identifiers of all tasks, in the order of the file."""
        return tuple(self._tasks)

    def task(self, task_id: str) -> Task:
        """Load one task; its reference plan is that of the oracle, if that finds one."""
        from eai.suites.thor.tasks import solution

        document, where = look_up("task", task_id, self._tasks), f"{self.name}, {task_id}"
        scene, changes = room(document.scene), dict[Atom, bool]()
        for change in document.start:
            for word in change.states:
                if word in ("held", "sliced"):
                    raise InputError(f"nothing is {word} at the start", where=where)
                name = _checked(scene, change.object, [word], where)[0]
                predicate, holds, _ = ("dirty", False, "") if word == "clean" else STATES[word]
                changes[Atom(predicate, (name,))] = holds
            if change.inside is not None:
                moved = objects_of(scene, change.object, where)[0]
                scene = scene.placed({moved: objects_of(scene, change.inside, where)[0]})
        goals = _Goals(scene, where)
        wanted = tuple(map(goals.formula, document.goal))
        listed = tuple((literal_kind(each), each) for each in wanted)
        state = world().start(scene, changes=changes)
        names = frozenset(state.universe.names) - {AGENT}
        known = Vocabulary.of(domain(), names)
        actions = {name: count for name, count in known.actions.items() if name != "settle"}
        task = Task(
            id=task_id,
            name=document.name or document.scene,
            instruction=document.instruction,
            start=state,
            agent=AGENT,
            goal=Goal(" and ".join(map(str, wanted)), None, (listed,), whole=False),
            vocabulary=replace(known, actions=actions),
        )
        plan = solution(task, scene, document.goal)
        solved = self.plans(self.semantics("strict")).evaluate_actions(task, plan).success
        return replace(task, plans=(plan,)) if solved and plan else task

    def plans(self, semantics: Semantics) -> Plans:
        """How plans are read, run and scored."""
        return _ThorPlans(semantics)

    def environment(self, task: Task, semantics: Semantics) -> Environment:  # noqa: ARG002
        """Set up the room of a task."""
        return SymbolicEnvironment(task, world(knife=True), observed=OBSERVED, present="present")

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Say what an episode of a task is: limits, goal, how answers are read."""
        from eai.acting import ClosedHidden, Memory, Nearby, task_rules

        views = {
            "room": lambda: (ClosedHidden(), Memory()),
            "near": lambda: (ClosedHidden(), Nearby(), Memory()),
        }
        return task_rules(task, score=self.plans(semantics).conditions, views=views)


class _ThorPlans(Plans):
    def simulator(self, task: Task) -> ThorWorld:  # noqa: ARG002
        """Where plans of a task are run."""
        return world(knife=True)
