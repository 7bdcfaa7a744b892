"""Tasks by random walks: some of what a walk changed is the goal, and the walk is its plan.

1. A task of the source gives a world and an initial state.
2. A random walk takes actions that can be done and change something.
3. Of the literals that differ at the end, some are the goal; a walk gives several such goals.
4. Steps that the goal does not need are left out. The remaining steps are the reference plan; its
   length is an upper bound on the length of a shortest plan.

No two tasks of one call have the same structure (:mod:`eai.suites.generated.structure`), and the
structure alone decides on the split, so no task of one split is a renamed task of another.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import NamedTuple

from eai.contract import Suite, TaskWorld, given_world
from eai.errors import InputError, UnknownNameError
from eai.suites.generated.moves import Fact
from eai.suites.generated.structure import Structures
from eai.suites.generated.walks import Scene, Walk
from eai.suites.generated.words import in_words
from eai.task import Task
from eai.text import counted
from eai.world import Action, State, World
from eai.world.garbage import without_collecting_garbage

SPLITS = ("train", "validation", "test")
"""Splits: eight, one and one tenth of all structures."""
MAX_GOALS = 6
"""Maximum number of literals of a goal."""
_GOALS_OF_WALK = 16
"""Number of goals that are drawn for a walk, which takes as long as five of their plans."""
_MAX_WALKS = 200
"""Maximum number of walks in a row for each scene without a new task."""
_MAX_STEPS_IN_VAIN = 40_000
"""Maximum number of steps of all walks in a row without a new task."""
_WALKS_BEFORE_LONGER = 50
"""Number of walks in a row without a new task, after which walks get twice as long."""
_MAX_STRETCH = 4
"""Maximum length of a walk, in lengths of the longest plan that is asked for."""


class FewerTasksWarning(UserWarning):
    """Fewer tasks were generated than asked for."""


def generate(
    source: str | Suite,
    *,
    n: int,
    steps: tuple[int, int] = (3, 40),
    seed: int = 0,
    split: str | None = None,
) -> Iterator[Task]:
    """Yield tasks in the worlds of a suite, each with a plan that solves it.

    The same arguments give the same tasks. If no new ones are found, there are fewer than ``n``,
    and a warning says so at the end.

    Args:
        source: Name of a world (``"household"``, ``"virtualhome"``, ``"behavior"``, ``"thor"``,
            ``"pddl:FOLDER"``), or a suite.
        n: Number of tasks.
        steps: Minimum and maximum length of the reference plan.
        seed: Seed of the draw.
        split: ``"train"``, ``"validation"`` or ``"test"``; by default tasks of all splits.

    Raises:
        UnknownNameError: If there is no such suite or split, or its answers are no plans.
        InputError: If the lengths or the number cannot be used, or if no such task is found.
        DataMissingError: If the suite's data was not fetched.

    Warns:
        FewerTasksWarning: If fewer than ``n`` tasks are found.

    Example:
        >>> task = next(generate("household", n=1, seed=1))
        >>> 3 <= len(task.plans[0]) <= 40
        True
    """
    suite, world = given_world(source)
    min_steps, max_steps = steps
    if not 1 <= min_steps <= max_steps:
        raise InputError(f"steps are {steps!r}", expected="a minimum from 1 and a maximum")
    if n < 1:
        raise InputError(f"{n} tasks are asked for", expected="a number from 1")
    if split is not None and split not in SPLITS:
        raise UnknownNameError("split", split, SPLITS)
    return _generate_tasks(_Scenes(suite, world), n, steps, seed, split)


def _generate_tasks(
    scenes: _Scenes, n: int, steps: tuple[int, int], seed: int, split: str | None
) -> Iterator[Task]:
    """Yield tasks as :func:`generate` does, without checking the arguments."""
    # The name of the suite is part of the seed, so that no two suites walk alike.
    random = Random(f"{scenes.suite.name} {seed}")  # noqa: S311 - nothing is secret
    wanted = _Wanted(n, steps, split, str(seed))
    search = _Search()
    max_walks = _MAX_WALKS * len(scenes.ids)
    while len(search.structures) < n and not search.is_given_up(max_walks):
        with without_collecting_garbage():
            tasks = list(_tasks_of_walk(scenes, random, wanted, search))
        search.count_walk(has_tasks=bool(tasks))
        yield from tasks
    if not search.structures:
        raise InputError(
            f"no tasks {wanted.described} are found in {scenes.suite.name!r}: {search.described()}",
            mend="ask for plans of other lengths",
        )
    if len(search.structures) < n:
        found = f"{len(search.structures)} of {n} tasks {wanted.described}"
        message = f"only {found} are found in {scenes.suite.name!r}: {search.described()}"
        warnings.warn(message, FewerTasksWarning, stacklevel=2)


@dataclass(slots=True)
class _Search:
    """The state of a search for tasks.

    Attributes:
        structures: The structures of the tasks so far.
        walks: Number of walks so far.
        walks_in_vain: Number of walks since the last task.
        steps_in_vain: Number of their steps.
        stretch: Maximum length of a walk, in lengths of the longest plan that is asked for.
        longest_walk: Number of steps of the longest walk so far.
        shortest_plan: Number of steps of the shortest plan so far, of any length; 0 if none.
        longest_plan: That of the longest one.
    """

    structures: set[str] = field(default_factory=set)
    walks: int = 0
    walks_in_vain: int = 0
    steps_in_vain: int = 0
    stretch: int = 1
    longest_walk: int = 0
    shortest_plan: int = 0
    longest_plan: int = 0

    def is_given_up(self, max_walks: int) -> bool:
        """Return whether there were too many walks or steps in a row without a new task."""
        return self.walks_in_vain >= max_walks or self.steps_in_vain >= _MAX_STEPS_IN_VAIN

    def count_walk(self, *, has_tasks: bool) -> None:
        """Count a walk whose steps are counted, and decide on the length of the next one."""
        self.walks += 1
        if has_tasks:
            self.walks_in_vain = self.steps_in_vain = 0
            return
        self.walks_in_vain += 1
        # Most plans are much shorter than their walks, so a long one may need a longer walk.
        if self.walks_in_vain % _WALKS_BEFORE_LONGER == 0 and self.stretch < _MAX_STRETCH:
            self.stretch *= 2

    def count_plans(self, walk: Walk) -> None:
        """Count the steps of a walk and the lengths of the plans for its goals."""
        self.steps_in_vain += len(walk.steps)
        self.longest_walk = max(self.longest_walk, len(walk.steps))
        if walk.plan_lengths:
            shortest, longest = min(walk.plan_lengths), max(walk.plan_lengths)
            self.shortest_plan = min(self.shortest_plan or shortest, shortest)
            self.longest_plan = max(self.longest_plan, longest)

    def described(self) -> str:
        """Return what was found, in words."""
        walks = counted(self.walks, "random walk")
        if not self.longest_plan:
            return f"{walks} gave no goal and have at most {counted(self.longest_walk, 'step')}"
        return f"goals of {walks} need {self.shortest_plan} to {self.longest_plan} steps"


class _Wanted(NamedTuple):
    """The tasks that are asked for.

    Args:
        n: Number of tasks.
        steps: Minimum and maximum length of a plan.
        split: The only split; None for all.
        name: First part of the identifier of each task.
    """

    n: int
    steps: tuple[int, int]
    split: str | None
    name: str

    @property
    def described(self) -> str:
        """The length of plans and the split, in words."""
        min_steps, max_steps = self.steps
        length = f"{min_steps} to {max_steps} steps"
        if min_steps == max_steps:
            length = counted(min_steps, "step")
        split = f" in the split {self.split!r}" if self.split else ""
        return f"with plans of {length}{split}"


def _tasks_of_walk(
    scenes: _Scenes, random: Random, wanted: _Wanted, search: _Search
) -> Iterator[Task]:
    """Yield the new tasks of one random walk.

    Several goals are drawn for the walk. A goal is skipped if an earlier task has the same
    structure, if it belongs to another split, or if its plan has a wrong length or is the plan of
    another goal of the walk.

    Args:
        scenes: The initial states of the suite.
        random: Source of randomness.
        wanted: The tasks that are asked for.
        search: The search, to which the walk and the new structures are added.
    """
    min_steps, max_steps = wanted.steps
    scene, structures = scenes.draw(random)
    walk = scene.walk(random, random.randint(min_steps, search.stretch * max_steps))
    plans_of_walk: set[tuple[Action, ...]] = set()
    goals: Iterable[list[Fact]] = ()
    if len(walk.steps) >= min_steps:
        goals = _draw_goals(walk, random)
    for facts in goals:
        # The sketch comes first: it is the quickest test, and most goals fail it.
        sketch = walk.sketch(facts, min_steps)
        if sketch is None:
            continue
        structure = structures.of(facts)
        if structure in search.structures or wanted.split not in (None, split_of(structure)):
            continue
        # Two goals with one plan are one task in two wordings.
        plan = walk.plan(sketch, min_steps)
        if plan in plans_of_walk or not min_steps <= len(plan) <= max_steps:
            continue
        plans_of_walk.add(plan)
        search.structures.add(structure)
        goal = _NewGoal(facts, structure, plan)
        yield _make_task(scenes, scene, goal, f"{wanted.name}-{len(search.structures)}", random)
        if len(search.structures) == wanted.n:
            break
    search.count_plans(walk)
    walk.release()


def _draw_goals(walk: Walk, random: Random) -> Iterator[list[Fact]]:
    """Yield random sets of facts that a walk changed, no set twice."""
    if not walk.changed:
        return
    max_facts = min(MAX_GOALS, len(walk.changed))
    drawn_goals: set[frozenset[Fact]] = set()
    for _ in range(_GOALS_OF_WALK):
        facts = random.sample(walk.changed, random.randint(1, max_facts))
        if frozenset(facts) not in drawn_goals:
            drawn_goals.add(frozenset(facts))
            yield facts


class _NewGoal(NamedTuple):
    """A goal for a new task.

    Args:
        facts: The facts that have to hold.
        structure: Hash of its structure, which no earlier task has.
        plan: A plan that reaches it.
    """

    facts: Sequence[Fact]
    structure: str
    plan: tuple[Action, ...]


def _make_task(scenes: _Scenes, scene: Scene, goal: _NewGoal, name: str, random: Random) -> Task:
    """Return a task with a new goal in a scene.

    Args:
        scenes: The initial states of the suite.
        scene: The initial state.
        goal: The goal.
        name: The last part of the task's identifier.
        random: Source of randomness for the instruction.
    """
    literals = tuple(scene.literal(fact) for fact in goal.facts)
    task = scenes.world.pose(scene.task, name, literals)
    metadata = {
        **task.metadata,
        "source": scene.task.id,
        "split": split_of(goal.structure),
        "structure": goal.structure,
        "steps": len(goal.plan),
    }
    return replace(
        task,
        name="generated",
        instruction=in_words(literals, scenes.world.wordings, random),
        # A copy, as all tasks of a scene would otherwise share one state.
        start=scene.task.start.copy(),
        plans=(goal.plan,),
        no_plan="",
        metadata=metadata,
    )


def split_of(structure: str) -> str:
    """Return the split of a structure."""
    tenth = int(structure[:8], 16) % 10
    # The tenths 0 to 7 are the training split, 8 and 9 the two others.
    return SPLITS[max(tenth - 7, 0)]


class _Scenes:
    """The initial states of a suite, each prepared when it is drawn for the first time."""

    def __init__(self, suite: Suite, world: TaskWorld) -> None:
        """List the tasks of the suite; their initial states are prepared later."""
        self.suite = suite
        self.world = world
        self.ids: Sequence[str] = list(suite.task_ids())
        # Prepared scenes by task, and by the contents of the initial state.
        self._prepared: dict[str, tuple[Scene, Structures]] = {}
        self._by_start: dict[object, tuple[Scene, Structures]] = {}
        self._plans = suite.plans(suite.semantics("strict"))

    def draw(self, random: Random) -> tuple[Scene, Structures]:
        """Return a random initial state with its goal structures."""
        name = random.choice(self.ids)
        prepared = self._prepared.get(name)
        if prepared is None:
            prepared = self._prepared[name] = self._prepare(name)
        return prepared

    def _prepare(self, name: str) -> tuple[Scene, Structures]:
        """Return the initial state of a task. Tasks with equal initial states share one object."""
        task = self.suite.task(name)
        # To prepare a scene takes longest, and many tasks share one.
        key = _state_key(task.start), task.start.universe.names, task.vocabulary.objects
        if key not in self._by_start:
            assert self._plans is not None  # noqa: S101 - given_world refuses other suites
            world: World = self._plans.simulator(task).world
            self._by_start[key] = Scene(task, world, self.world), Structures(task.start)
        return self._by_start[key]


def _state_key(state: State) -> tuple[object, ...]:
    """Return a hashable value that is equal for equal states, from the masks of a state.

    It is quicker to compute than the list of all facts.
    """
    wide_tables = tuple([tuple(sorted(table.items())) for table in state.wide])
    rows = tuple(map(tuple, state.rows))
    return tuple(state.unary), rows, wide_tables, tuple(state.numeric_facts())
