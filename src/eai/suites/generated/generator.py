"""Tasks by random walks: some of what a walk changed is the goal, and the walk is its plan.

1. A task of the source gives a world and an initial state.
2. A random walk takes actions that can be done and change something. Actions whose static
   conditions fail are never tried: they are sorted out once for each initial state.
3. Of the literals that differ at the end, one to four are the goal.
4. Steps that the goal does not need are left out (action elimination, Nakhost & Müller 2010). What
   is left is the reference plan; its length is an upper bound on the length of a shortest plan.

The *structure* of a task is its goal with every object replaced by its colour in the initial state
(colour refinement, Weisfeiler & Leman 1968), and by which places name the same object. Tasks that
are equal up to names have equal structures. No two tasks of one call have the same structure, and
the structure alone decides on the split, so no task of one split is a renamed task of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import product
from random import Random

from eai.contract import PLANS, Suite, refuse_without
from eai.contract.registry import given_suite
from eai.errors import InputError, UnknownNameError
from eai.logic import And, Atom, Formula, Not, format_formula
from eai.pddl import Problem, format_condition, format_problem
from eai.suites.generated.words import in_words
from eai.suites.pddl import PddlTask
from eai.task import Goal, Task, literal_kind
from eai.task.goals import goal_from_formula
from eai.world import Action, State, World, changed_literals

SPLITS = ("train", "validation", "test")
"""Splits: eight, one and one tenth of all structures."""
MAX_GOALS = 4
"""Maximum number of literals of a goal."""
_MAX_INSTANCES = 20_000
"""Maximum number of instances of an action that are looked at for an initial state."""
_MAX_TRIES = 400
"""Maximum number of actions that are tried for a step of a walk."""
_MAX_WALKS = 200
"""Maximum number of walks without a new task, after which there are no more."""
_NEAR = 0.7
"""How often an action is drawn that names an object of the step before."""
_ROUNDS = 3
"""Rounds of colour refinement."""

_Move = tuple[Action, tuple[int, ...]]


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
        source: Name of a suite whose answers are plans (``"household"``, ``"pddl:FOLDER"``), or the
            suite.
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
    suite = given_suite(source)
    refuse_without(suite, PLANS)
    least, most = steps
    if not 1 <= least <= most:
        raise InputError(f"steps are {steps!r}", expected="a minimum from 1 and a maximum")
    if n < 1:
        raise InputError(f"{n} tasks are asked for", expected="a number from 1")
    if split is not None and split not in SPLITS:
        raise UnknownNameError("split", split, SPLITS)
    return _generated(suite, n, steps, seed, split)


def _generated(
    suite: Suite, n: int, steps: tuple[int, int], seed: int, split: str | None
) -> Iterator[Task]:
    random = Random(f"{suite.name} {seed}")  # noqa: S311 - nothing is secret
    worlds = _Worlds(suite)
    seen: set[str] = set()
    failures = 0
    while len(seen) < n and failures < _MAX_WALKS * len(worlds.ids):
        made = worlds.draw(random).task(random, steps)
        failures += 1
        if made is None or made.structure in seen or split not in (None, made.split):
            continue
        seen.add(made.structure)
        failures = 0
        yield made.finished(f"{seed}-{len(seen)}", random)


@dataclass(frozen=True, slots=True)
class _TaskDraft:
    """A task before it has a name.

    Args:
        base: The task of the source.
        goal: The literals.
        plan: The reference plan.
        structure: See the module.
    """

    base: Task
    goal: tuple[Formula, ...]
    plan: tuple[Action, ...]
    structure: str

    @property
    def split(self) -> str:
        """The split of the structure."""
        tenth = int(self.structure[:8], 16) % 10
        return SPLITS[max(tenth - 7, 0)]

    def finished(self, name: str, random: Random) -> Task:
        """Return the task with its name and its instruction."""
        condition: Formula = And(self.goal)
        metadata = {
            "source": self.base.id,
            "split": self.split,
            "structure": self.structure,
            "steps": len(self.plan),
        }
        base = self.base
        if isinstance(base, PddlTask):
            final = tuple((literal_kind(literal), literal) for literal in self.goal)
            old = base.problem
            facts = tuple(base.start.atoms())
            problem = Problem(name, old.domain, old.objects, facts, condition, old.values)
            base = replace(base, problem=problem, texts=(base.texts[0], format_problem(problem)))
            goal = Goal(format_condition(condition), final=(final,), whole=False)
        else:
            goal = goal_from_formula(condition, format_formula(condition))
        return replace(
            base,
            id=name,
            name="generated",
            instruction=in_words(self.goal, random),
            start=self.base.start.copy(),
            goal=goal,
            plans=(self.plan,),
            no_plan="",
            metadata=metadata,
        )


class _Worlds:
    """The initial states of a suite, each prepared when it is first drawn."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self.ids = list(suite.task_ids())
        self._prepared: dict[str, _Start] = {}
        self._by_state: dict[int, _Start] = {}

    def draw(self, random: Random) -> _Start:
        """Return one of them."""
        name = random.choice(self.ids)
        if name not in self._prepared:
            task = self._suite.task(name)
            # Many tasks begin in the same state.
            key = hash((frozenset(task.start.facts()), task.start.universe.names, task.agent))
            if key not in self._by_state:
                self._by_state[key] = _Start(task)
            self._prepared[name] = self._by_state[key]
        return self._prepared[name]


class _Start:
    """An initial state, with the actions that may be possible from there on."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._world: World = task.world
        self._start = task.start.begin()
        self._moves: list[list[_Move]] = []
        self._near: list[dict[int, list[_Move]]] = []
        for name in sorted(task.vocabulary.actions):
            if name in self._world.domain.operators:
                self._add(name)
        self._colours = _colours(task.start)

    def _add(self, name: str) -> None:
        """Add the instances of an action whose static conditions hold."""
        world, task = self._world, self._task
        universe = task.start.universe
        parameters = world.operator(name).operator.parameters
        ranges = [universe.of_types(parameter.types) for parameter in parameters]
        if task.agent:
            ranges = ranges[1:]
        number = 1
        for names in ranges:
            number *= len(names)
        if number > _MAX_INSTANCES:
            drawn = Random(name)  # noqa: S311 - nothing is secret
            instances = {tuple(map(drawn.choice, ranges)) for _ in range(_MAX_INSTANCES)}
            candidates: Sequence[tuple[str, ...]] = sorted(instances)
        else:
            candidates = list(product(*ranges))
        tests = world.operator(name).tests
        static = {i for i, test in enumerate(tests) if world.domain.is_static(test)}
        moves: list[_Move] = []
        for arguments in candidates:
            action = Action(name, arguments)
            numbers = world.numbers(self._start, name, action.by(task.agent))
            if static.isdisjoint(world.failures(self._start, name, numbers)):
                moves.append((action, numbers))
        if not moves:
            return
        near: dict[int, list[_Move]] = {}
        for move in moves:
            for number in move[1][bool(task.agent) :]:
                near.setdefault(number, []).append(move)
        self._moves.append(moves)
        self._near.append(near)

    def task(self, random: Random, steps: tuple[int, int]) -> _TaskDraft | None:
        """Return a task of a new walk; None if its plan has another length."""
        wanted = random.randint(*steps)
        walk, state = self._walk(random, wanted)
        changed = self._changed(state)
        if len(walk) < steps[0] or not changed:
            return None
        number = min(random.randint(1, MAX_GOALS), len(changed))
        goal = random.sample(changed, number)
        plan = self._without_idle(walk, goal)
        if not steps[0] <= len(plan) <= steps[1]:
            return None
        literals = []
        for predicate, numbers, value in goal:
            names = tuple(self._start.universe.names[i] for i in numbers)
            atom = Atom(self._start.layout.domain.predicates[predicate].name, names)
            literals.append(atom if value else Not(atom))
        structure = self._structure(goal)
        return _TaskDraft(self._task, tuple(literals), tuple(a for a, _ in plan), structure)

    def _walk(self, random: Random, length: int) -> tuple[list[_Move], State]:
        world, state = self._world, self._start.copy()
        walk: list[_Move] = []
        last: Sequence[int] = ()
        tries = 0
        while len(walk) < length and tries < _MAX_TRIES and self._moves:
            tries += 1
            kind = random.randrange(len(self._moves))
            moves = self._moves[kind]
            if last and random.random() < _NEAR:
                moves = self._near[kind].get(random.choice(last), moves)
            action, numbers = random.choice(moves)
            if world.first_failure(state, action.name, numbers) >= 0:
                continue
            if not world.apply(state, action.name, numbers):
                continue
            walk.append((action, numbers))
            last = numbers[bool(self._task.agent) :]
            tries = 0
        return walk, state

    def _changed(self, state: State) -> list[tuple[str, tuple[int, ...], bool]]:
        """Return the literals that hold now and did not at the start, in a fixed order."""
        known = self._task.vocabulary.predicates
        layout = self._start.layout
        names = list(layout.index)
        changed = []
        for p, numbers, value in changed_literals(self._start.changes_to(state), layout):
            if names[p] in known:
                changed.append((names[p], numbers, value))
        return sorted(set(changed))

    def _without_idle(
        self, walk: list[_Move], goal: Sequence[tuple[str, tuple[int, ...], bool]]
    ) -> list[_Move]:
        """Leave out the steps that a goal does not need, each with what only serves it."""
        world = self._world
        index = self._start.layout.index
        wanted = [(index[predicate], numbers, value) for predicate, numbers, value in goal]

        def reached(state: State) -> bool:
            return all(state.test(p, numbers) is value for p, numbers, value in wanted)

        # What follows the first state with the goal is not needed, and leaving out is quadratic.
        state = self._start.copy()
        for count, (action, numbers) in enumerate(walk, start=1):
            world.apply(state, action.name, numbers)
            if reached(state):
                walk = walk[:count]
                break
        state, place = self._start.copy(), 0
        while place < len(walk):
            after, left = state.copy(), walk[:place]
            for action, numbers in walk[place + 1 :]:
                if world.first_failure(after, action.name, numbers) < 0:
                    world.apply(after, action.name, numbers)
                    left.append((action, numbers))
            if reached(after):
                walk = left
            else:
                world.apply(state, walk[place][0].name, walk[place][1])
                place += 1
        return walk

    def _structure(self, goal: Sequence[tuple[str, tuple[int, ...], bool]]) -> str:
        """Return the structure of a task as a hash."""
        # Objects are numbered as they first occur, literals being sorted without their names.
        rows = []
        for predicate, numbers, value in goal:
            colours = tuple(self._colours[number] for number in numbers)
            rows.append((predicate, value, colours, numbers))
        rows.sort(key=lambda row: row[:3])
        counts: dict[int, list[tuple[int, int]]] = {}
        for place, row in enumerate(rows):
            # Literals that look alike stand at one place, so that their order says nothing.
            first = next(i for i, other in enumerate(rows[: place + 1]) if other[:3] == row[:3])
            for argument, number in enumerate(row[3]):
                counts.setdefault(number, []).append((first, argument))
        shared = sorted(sorted(places) for places in counts.values())
        text = repr((sorted(self._colours), [row[:3] for row in rows], shared))
        return sha256(text.encode()).hexdigest()[:32]


def _colours(start: State) -> list[str]:
    """Return the colour of every object by type and facts, whatever its name."""
    universe = start.universe
    facts = sorted(start.facts())
    colours = [_hash(kind) for kind in universe.types]
    for _ in range(_ROUNDS):
        around: list[list[str]] = [[] for _ in colours]
        for predicate, numbers in facts:
            row = ",".join(colours[number] for number in numbers)
            for argument, number in enumerate(numbers):
                around[number].append(f"{predicate} {argument} {row}")
        colours = [
            _hash(colour + ";".join(sorted(lines)))
            for colour, lines in zip(colours, around, strict=True)
        ]
    return colours


@lru_cache(maxsize=4096)
def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
