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

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from eai.contract import Suite, TaskWorld, given_world
from eai.errors import InputError, UnknownNameError
from eai.suites.generated.moves import Fact
from eai.suites.generated.structure import Structures
from eai.suites.generated.walks import Scene, Walk
from eai.suites.generated.words import in_words
from eai.task import Task
from eai.world import Action, State, World

SPLITS = ("train", "validation", "test")
"""Splits: eight, one and one tenth of all structures."""
MAX_GOALS = 6
"""Maximum number of literals of a goal."""
_GOALS_OF_WALK = 16
"""Number of goals that are drawn for a walk, which takes as long as five of their plans."""
_MAX_WALKS = 200
"""Maximum number of walks for each scene without a new task, after which there are no more."""


def generate(
    source: str | Suite,
    *,
    n: int,
    steps: tuple[int, int] = (3, 40),
    seed: int = 0,
    split: str | None = None,
) -> Iterator[Task]:
    """Yield tasks in the worlds of a suite, each with a plan that solves it.

    The same arguments give the same tasks. There are fewer than ``n`` where no new ones are found.

    Args:
        source: Name of a world (``"household"``, ``"virtualhome"``, ``"behavior"``, ``"thor"``,
            ``"pddl:FOLDER"``), or a suite.
        n: Number of tasks.
        steps: Minimum and maximum length of the reference plan.
        seed: Seed of the draw.
        split: ``"train"``, ``"validation"`` or ``"test"``; by default tasks of all splits.

    Raises:
        UnknownNameError: If there is no such suite or split, or its answers are no plans.
        InputError: If the lengths or the number cannot be used.
        DataMissingError: If the suite's data was not fetched.

    Example:
        >>> task = next(generate("household", n=1, seed=1))
        >>> 3 <= len(task.plans[0]) <= 40
        True
    """
    suite, world = given_world(source)
    least, most = steps
    if not 1 <= least <= most:
        raise InputError(f"steps are {steps!r}", expected="a minimum from 1 and a maximum")
    if n < 1:
        raise InputError(f"{n} tasks are asked for", expected="a number from 1")
    if split is not None and split not in SPLITS:
        raise UnknownNameError("split", split, SPLITS)
    return _generated(_Scenes(suite, world), n, steps, seed, split)


def _generated(
    scenes: _Scenes, n: int, steps: tuple[int, int], seed: int, split: str | None
) -> Iterator[Task]:
    """Yield tasks as :func:`generate` does, without checking the arguments.

    Args:
        scenes: The initial states of the suite.
        n: Number of tasks.
        steps: Minimum and maximum length of a plan.
        seed: Seed of the draw.
        split: The split of all tasks; None for tasks of any.
    """
    # Of the suite as well, so that two suites with one seed do not walk alike.
    random = Random(f"{scenes.suite.name} {seed}")  # noqa: S311 - nothing is secret
    seen: set[str] = set()  # structures of the tasks so far
    failures = 0  # walks since the last new task
    while failures < _MAX_WALKS * len(scenes.ids):
        failures += 1
        scene, structures = scenes.draw(random)
        walk = scene.walk(random, random.randint(*steps))
        if len(walk.steps) < steps[0] or not walk.changed:
            continue
        for goal in _new_goals(walk, structures, random, steps=steps, split=split, seen=seen):
            failures = 0
            yield _make_task(scenes, scene, goal, f"{seed}-{len(seen)}", random)
            if len(seen) == n:
                return


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


def _new_goals(
    walk: Walk,
    structures: Structures,
    random: Random,
    *,
    steps: tuple[int, int],
    split: str | None,
    seen: set[str],
) -> Iterator[_NewGoal]:
    """Yield goals that a walk reaches and whose structure is new.

    Args:
        walk: The walk.
        structures: The structures of goals in the walk's scene.
        random: Source of randomness.
        steps: Minimum and maximum length of a plan.
        split: The split that the structure has to belong to; None for any.
        seen: Structures of earlier goals; those of the yielded goals are added.
    """
    plans: set[tuple[Action, ...]] = set()
    for _ in range(_GOALS_OF_WALK):
        most_goals = min(MAX_GOALS, len(walk.changed))
        facts = random.sample(walk.changed, random.randint(1, most_goals))
        # Before the plan, which takes far longer: most draws end here.
        structure = structures.of(facts)
        if structure in seen or split not in (None, split_of(structure)):
            continue
        plan = walk.plan(facts, steps[0])
        # Two goals of one walk with the same plan are too much alike.
        if plan in plans or not steps[0] <= len(plan) <= steps[1]:
            continue
        plans.add(plan)
        seen.add(structure)
        yield _NewGoal(facts, structure, plan)


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
        self.suite = suite
        self.world = world
        self.ids: Sequence[str] = list(suite.task_ids())
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
        # Many tasks are about one scene, whose preparation takes longest.
        key = _contents(task.start), task.start.universe.names, task.vocabulary.objects
        if key not in self._by_start:
            assert self._plans is not None  # noqa: S101 - given_world refuses other suites
            world: World = self._plans.simulator(task).world
            self._by_start[key] = Scene(task, world, self.world), Structures(task.start)
        return self._by_start[key]


def _contents(state: State) -> tuple[object, ...]:
    """Return what two states have in common if they are equal; to list their facts takes longer."""
    wide = tuple([tuple(sorted(table.items())) for table in state.wide])
    return tuple(state.unary), tuple(map(tuple, state.rows)), wide, tuple(state.numeric_facts())
