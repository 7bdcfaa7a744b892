"""``symbolic-q1``: a plan scored against a gold plan by nodes and by a rollout.

The two whole numbers of the benchmark (paper, section 4.2): ``(10 * matched) // nodes`` and
``(10 * reached) // milestones``. A milestone is a change of an object in the rollout of the gold
plan, as a formula of linear temporal logic: what lasts is to hold from some time on to the end
(``F G s``); what passes is to hold until what needs it is done (``F (s & (s W done))``); and
where a gold order was given, it is not to come before those that precede it (``(!v) W u``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from eai.diagnosis import condition_of
from eai.errors import InputError
from eai.logic import (
    Always,
    And,
    Atom,
    Evaluation,
    Eventually,
    Formula,
    Not,
    Once,
    Or,
    WeakUntil,
    format_formula,
    largest_matching,
)
from eai.planning import PartialOrder
from eai.simulators import Execution
from eai.suites.robobench.names import UNKNOWN, NameMap, Resolver
from eai.suites.robobench.plans import Reading, Step, read_answer, read_dag, read_gold
from eai.suites.robobench.world import (
    BUSY,
    SkippingRules,
    StepMeaning,
    Waived,
    adds_up,
    effect_of,
    initial_atoms,
    read_scene,
    roll_out,
    sign_of,
    start_state,
    universe_of,
    world,
)
from eai.world import State, Trajectory

VERSION = "symbolic-q1 2"
"""Name and version of the scores."""
_MOST_NAMES, _MOST_NOTES = 100, 3
"""Only so many names of an answer are looked at for notes, and so many notes are made."""
Node = tuple[str, ...]
"""A step as it is compared: skill, arm and arguments."""
DEFAULT = frozenset(("empty_goal_scores_all",))
"""Quirks that are on where none are named: a score is always a number."""


class Milestone(NamedTuple):
    """A change of an object that the gold plan is for.

    Args:
        step: 0-based number of the gold step that makes it.
        state: What becomes true.
        event: The same, and that it was false before, if it holds at the start already.
        formula: When a rollout reaches it.
        lasting: Whether it holds at the end of the gold plan.
        times: How often what makes it is to be done, at least.
    """

    step: int
    state: Formula
    event: Formula
    formula: Formula
    lasting: bool
    times: int = 1

    @property
    def text(self) -> str:
        """The state in the notation of goals."""
        text = format_formula(self.state).replace("@", "")
        return f"{text}, {self.times} times" if self.times > 1 else text


@dataclass(frozen=True, slots=True)
class MilestoneResult:
    """How far a milestone was reached.

    Args:
        since: 1-based number of the step that made it true last; None if none did.
        lost_by: Number of the step that made it false again, or None.
        early: Whether it came before what the gold order puts before it.
    """

    milestone: Milestone
    reached: bool
    since: int | None
    lost_by: int | None
    early: bool = False


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One action of the plan.

    Args:
        done: Whether it could be done.
        reason: Why not; empty if it was.
        changes: What it changed.
        node: 0-based number of the gold step that it matches; None if there is none.
    """

    step: Step
    done: bool
    reason: str
    changes: tuple[str, ...]
    node: int | None


@dataclass(frozen=True)
class PlanScore:
    """Scores of a plan, and the matches that they are made of.

    Args:
        node: Matched gold steps, in tenths, rounded down.
        completion: Reached milestones, in tenths, rounded down; None if there are none and that
            counts for nothing.
        matched: For each gold step the 0-based number of the step that it matches, or None.
        plan: The steps that were read.
        precedence: Broken pairs of the gold order, and all pairs of which both steps are matched.
        problem: Why the answer counts as unread; empty if it does not.
        names_asked: How often the resolver of names was asked.
    """

    gold: Gold
    node: int
    completion: int | None
    matched: tuple[int | None, ...]
    milestones: tuple[MilestoneResult, ...]
    plan: tuple[Step, ...]
    execution: Execution = field(repr=False)
    precedence: tuple[int, int] = (0, 0)
    notes: tuple[str, ...] = ()
    problem: str = ""
    names_asked: int = 0

    @property
    def score(self) -> float | None:
        """``(node + completion) / 20`` (paper, LongHorizon), or None without a completion."""
        return None if self.completion is None else (self.node + self.completion) / 20

    @property
    def recall(self) -> float:
        """Share of the gold steps that are matched."""
        return self._found / len(self.matched)

    @property
    def precision(self) -> float:
        """Share of the steps that match a gold step; 0 for the empty plan."""
        return self._found / len(self.plan) if self.plan else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall of steps."""
        return 2 * self._found / (len(self.plan) + len(self.matched))

    @property
    def _found(self) -> int:
        return sum(each is not None for each in self.matched)

    @property
    def executability(self) -> float:
        """Share of the steps that could be done; 1 for the empty plan."""
        failed = len(self.failures)
        return 1 - failed / len(self.plan) if self.plan else 1.0

    @cached_property
    def failures(self) -> Mapping[int, str]:
        """0-based numbers of the steps that could not be done, and why."""
        impossible = {i: step.mistake for i, step in enumerate(self.plan) if not step.is_possible}
        failed = {f.step - 1: f.text for f in self.execution.findings if f.step is not None}
        return {**failed, **impossible}

    @property
    def resource_conflicts(self) -> tuple[int, ...]:
        """1-based numbers of the steps that need a gripper that is busy."""
        return tuple(sorted(i + 1 for i, why in self.failures.items() if why == BUSY))

    @cached_property
    def is_linear_extension(self) -> bool:
        """Whether the matched steps keep to the gold order (alike ones: :func:`match_nodes`)."""
        order = PartialOrder(range(len(self.matched)), self.gold.order)
        found = [(i, at) for i, at in enumerate(self.matched) if at is not None]
        return not any(order.precedes(u, v) and a > b for u, a in found for v, b in found)

    @cached_property
    def ledger(self) -> tuple[PlanStep, ...]:
        """Outcome of every step."""
        trajectory, failures = self.execution.trajectory, self.failures
        nodes = {at: i for i, at in enumerate(self.matched) if at is not None}
        changes: dict[int, tuple[str, ...]] = {}
        for position, step in enumerate(trajectory.steps, start=1):
            made = (f"{atom}".replace("@", "") for atom in trajectory.added(position))
            lost = (f"not {atom}".replace("@", "") for atom in trajectory.deleted(position))
            changes[step.number - 1] = (*made, *lost)
        return tuple(
            PlanStep(s, i not in failures, failures.get(i, ""), changes.get(i, ()), nodes.get(i))
            for i, s in enumerate(self.plan)
        )


class Gold:
    """A gold plan, prepared: its nodes, its initial state and its milestones.

    Args:
        dag: The gold order (:func:`~eai.suites.robobench.plans.read_dag`); None if there is none.
        scene: What holds at the start (see :func:`~eai.suites.robobench.world.read_scene`); None
            to read it off the plan.
        quirks: Names of the quirks that are on.
        resolver: Decides what the table of names leaves open.
    """

    def __init__(
        self,
        text: str,
        dag: object = None,
        scene: str | Iterable[str | Atom] | None = None,
        *,
        quirks: frozenset[str] = DEFAULT,
        resolver: Resolver | None = None,
    ) -> None:
        self.steps = read_gold(text)
        self.quirks = quirks
        self.notes: tuple[str, ...] = ()
        self.names = NameMap(
            [argument for step in self.steps for argument in step.arguments],
            loose="first_release_names" in quirks,
            marked="marks_said_alike" in quirks,
            resolver=resolver,
        )
        self.meaning = StepMeaning(self.steps, self.names)
        self.nodes = [self.meaning.node(step) for step in self.steps]
        self._read_order(dag)
        actions = [self.meaning.action(step) for step in self.steps]
        atoms = None if scene is None else read_scene(scene, self.names)
        before = PartialOrder(range(len(self.steps)), self.order).precedes
        start = initial_atoms(actions, atoms, self.meaning, before)
        self.start = start_state(universe_of(actions), start)
        rules = SkippingRules(gold=True, assume=scene is None)
        trajectory = roll_out(self.start, actions, rules).trajectory
        self.start = trajectory.start
        self.waived: tuple[Waived, ...] = tuple(rules.waived)
        if self.waived:
            waived = ", ".join(sorted(map(str, self.waived)))
            self.notes += (f"the gold plan does not keep, so that it is not asked for: {waived}",)
        self.milestones = tuple(_milestones(trajectory, rules))
        self._before = self._edges() if self.ordered else {}

    def _read_order(self, dag: object) -> None:
        """Read the gold order; without one, each line of the plan comes behind the one before."""
        self.ordered, lines = dag is not None, [step.number for step in self.steps]
        if dag is not None:
            try:
                self.order = read_dag(dag, self.steps)
            except InputError as error:
                text = f"the gold order cannot be read ({error.what}): the plan's is used"
                self.notes += (text,)
                self.ordered = False
        if not self.ordered:
            self.order = tuple(
                (u, v)
                for v, line in enumerate(lines)
                for u in range(v - 1, -1, -1)
                if lines[u] < line and lines[u] == max(n for n in lines[:v] if n < line)
            )

    def _edges(self) -> Mapping[int, list[Formula]]:
        """For each milestone what may not come later: those of the steps before its step.

        What several steps make, such as a tool that is put back twice, has no place in the order.
        """
        order = PartialOrder(range(len(self.steps)), self.order)
        made = Counter(each.event for each in self.milestones)
        return {
            v: [
                _not_before(later, earlier)
                for earlier in self.milestones
                if order.precedes(earlier.step, later.step) and made[later.event] == 1
            ]
            for v, later in enumerate(self.milestones)
        }

    def evaluate(self, answer: str | Reading) -> PlanScore:
        """Evaluate one answer."""
        asked = self.names.asked
        reading = read_answer(answer) if isinstance(answer, str) else answer
        plan = reading.steps
        meant = [self.meaning.of(step) for step in plan]
        pairs = match_nodes(
            self.nodes, [node for node, _ in meant], greedy="greedy_matching" in self.quirks
        )
        matched = tuple([pairs.get(i) for i in range(len(self.nodes))])
        actions = [action for _, action in meant]
        execution = roll_out(self.start, actions, SkippingRules(self.waived))
        holds, milestones = Evaluation(execution.trajectory).verdict, list[MilestoneResult]()
        times = _times_done(execution.trajectory)
        for i, each in enumerate(self.milestones):
            verdict = bool(holds(each.formula, reading="ltlf"))
            early = not all(holds(edge, reading="ltlf") for edge in self._before.get(i, ()))
            state = condition_of("state", each.state, execution.trajectory)
            is_repeated = each.times == 1 or times.get(each.state, 0) >= each.times
            reached = verdict and not early and is_repeated
            milestones.append(MilestoneResult(each, reached, state.since, state.lost_by, early))
        completion: int | None = 10 if "empty_goal_scores_all" in self.quirks else None
        if milestones:
            completion = 10 * sum(each.reached for each in milestones) // len(milestones)
        both = [(pairs[u], pairs[v]) for u, v in self.order if u in pairs and v in pairs]
        return PlanScore(
            self,
            10 * len(pairs) // len(self.nodes),
            completion,
            matched,
            tuple(milestones),
            plan,
            execution,
            (sum(u > v for u, v in both), len(both)),
            (*self.notes, *reading.notes, *self._unlike(plan)),
            reading.problem,
            self.names.asked - asked,
        )

    def _unlike(self, plan: Sequence[Step]) -> list[str]:
        """Names in a plan that are near to one of the gold plan, and not taken for it."""
        texts = dict.fromkeys(text for step in plan for text in step.arguments)
        found: list[str] = []
        for text in islice(texts, _MOST_NAMES):
            near = self.names.related(text)
            if near is not None:
                found.append(f"{text!r:.80} is not taken for {str(near)!r}")
        return found[:_MOST_NOTES]


def _times_done(trajectory: Trajectory) -> Mapping[Formula, int]:
    """How often each change was made by the arm that made it most: two arms may do it together."""
    by_arm = Counter[tuple[Formula, str]]()
    for step in trajectory.steps:
        change = effect_of(step.action)
        if change is not None:
            by_arm[change, step.action.arguments[0]] += 1
    times: dict[Formula, int] = {}
    for (change, _arm), count in by_arm.items():
        times[change] = max(times.get(change, 0), count)
    return times


def _not_before(later: Milestone, earlier: Milestone) -> Formula:
    """A milestone does not come before another, or is lost and made again behind it."""
    again = And((Not(later.state), later.formula))
    return Or(
        (
            WeakUntil(Not(later.event), earlier.event),
            Eventually(And((earlier.event, Eventually(again)))),
        )
    )


def _milestones(trajectory: Trajectory, rules: SkippingRules) -> Iterable[Milestone]:
    """The changes of objects in the rollout of a gold plan, each once.

    What adds up, such as a fold, is a milestone each time.
    """
    states = [state.copy() for state in trajectory.states()]
    full, found = trajectory.length - 1, dict[tuple[Formula, int], Milestone]()
    done = Counter[object]()
    for at, step in enumerate(trajectory.steps):
        state = effect_of(step.action)
        if state is None:
            continue
        done[state, step.action.arguments[0]] += 1
        times = done[state, step.action.arguments[0]] if adds_up(step.action) else 1
        truth = trajectory.condition(state)
        if step.action.name == "press" and truth >> at & 1:
            state, truth = Not(state), trajectory.condition(Not(state))
        is_changed = not truth >> at & 1
        if not truth >> (at + 1) & 1 or not (is_changed or times > 1):
            continue
        # What holds at the start has to become true again.
        event = And((state, Once(Not(state)))) if truth & 1 else state
        rest = ~truth >> (at + 1) & ((1 << (full - at)) - 1)
        lasting = not rest
        if lasting:
            formula: Formula = Eventually(Always(event))
        else:
            end = at + (rest & -rest).bit_length()
            sign = _last_use(trajectory, states, rules, at, end)
            held = event if sign is None else And((event, WeakUntil(event, sign)))
            formula = Eventually(held)
        made = Milestone(step.number - 1, state, event, formula, lasting, times)
        found.setdefault((formula, times), made)
    return found.values()


def _last_use(
    trajectory: Trajectory, states: Sequence[State], rules: SkippingRules, made: int, end: int
) -> Formula | None:
    """Return the effect of the last step that needed an earlier step.

    The step ``made`` made something true, which the step ``end`` made false again.
    """
    for at in range(end - 2, made, -1):
        action = trajectory.steps[at].action
        without = states[at].copy()
        for p, column, key, mask, added in reversed(trajectory.steps[made].changes):
            without.write(p, column, key, mask, not added)
        numbers = world().numbers(without, action.name, ("@robot", *action.arguments))
        failed = world().failures(without, action.name, numbers)
        # A gripper that is free again is no use of what was put down.
        tests = [Waived(action.name, i) for i in failed]
        if any(test not in rules.waived and test.reason != BUSY for test in tests):
            return sign_of(action)
    return None


def match_nodes(
    gold: Sequence[Node], plan: Sequence[Node], *, greedy: bool = False
) -> dict[int, int]:
    """Match the nodes of a gold plan one to one with those of a plan.

    Nodes match if they are equal, or but for contents that the gold plan calls unknown. Of alike
    ones those match that keep most of the order, else those on the left.

    Returns:
        Number of the gold node to that of the node of the plan.
    """
    found = {} if greedy else _in_order(gold, plan)
    taken = set(found.values())
    slots: dict[Node, list[int]] = {}
    for i in range(len(plan) - 1, -1, -1):
        if i not in taken:
            slots.setdefault(plan[i], []).append(i)
    open_nodes: list[int] = []
    for i, node in enumerate(gold):
        if UNKNOWN in node:
            open_nodes.append(i)
        elif i not in found and slots.get(node):
            found[i] = slots[node].pop()
    if not open_nodes:
        return found
    taken = set(found.values())
    fits = [
        (i, j)
        for i in open_nodes
        for j, node in enumerate(plan)
        if j not in taken
        and len(gold[i]) == len(node)
        and gold[i][:2] == node[:2]
        and all(a in (UNKNOWN, b) for a, b in zip(gold[i][2:], node[2:], strict=True))
    ]
    if not greedy:
        rows = [[j for gold_node, j in fits if gold_node == i] for i in open_nodes]
        columns = largest_matching(rows, len(plan))
        pairs = zip(open_nodes, columns, strict=True)
        return {**found, **{i: j for i, j in pairs if j >= 0}}
    for i, j in fits:
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return found


def _in_order(gold: Sequence[Node], plan: Sequence[Node]) -> dict[int, int]:
    """A longest common subsequence, where one of the two has more of some alike nodes.

    Which of them match is open then, and those that do keep to the order as far as possible.
    """
    own, others = Counter(gold), Counter(plan)
    if all(own[node] == others[node] for node in own.keys() & others.keys()):
        return {}
    best = [[0] * (len(plan) + 1) for _ in range(len(gold) + 1)]
    for i in range(len(gold) - 1, -1, -1):
        for j in range(len(plan) - 1, -1, -1):
            same = gold[i] == plan[j] and UNKNOWN not in gold[i]
            best[i][j] = best[i + 1][j + 1] + 1 if same else max(best[i + 1][j], best[i][j + 1])
    found: dict[int, int] = {}
    i = j = 0
    while best[i][j]:
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            found[i] = j
            i, j = i + 1, j + 1
    return found


_prepared = lru_cache(maxsize=1 << 12)(Gold)


def prepared(
    gold: str,
    dag: object = None,
    scene: str | Iterable[str | Atom] | None = None,
    *,
    quirks: frozenset[str] = DEFAULT,
    resolver: Resolver | None = None,
) -> Gold:
    """Return a gold plan, prepared (see :class:`Gold`); the last few thousand are kept."""
    plain = isinstance(dag, (str, type(None))) and isinstance(scene, (str, type(None)))
    if plain and resolver is None:
        return _prepared(gold, dag, scene, quirks=quirks)  # type: ignore[arg-type]
    return Gold(gold, dag, scene, quirks=quirks, resolver=resolver)


def judge_plan(
    gold: str | Iterable[str],
    plan: str | Iterable[str],
    dag: object = None,
    scene: str | Iterable[str | Atom] | None = None,
    *,
    quirks: frozenset[str] = DEFAULT,
    resolver: Callable[[str, str], str] | None = None,
) -> PlanScore:
    """Score a plan against a gold plan, without any suite.

    Args:
        gold: The gold plan, ``"1-pick_up(cup), 2-place(cup, tray)"``, or its steps.
        plan: What the model wrote, or the steps.
        dag: The gold order: adjacency map, list of edges, nodes and edges, or texts ``"1 -> 2"``;
            an order that cannot be read is said in the notes, and the plan's own is used.
        scene: What holds at the start, as atoms of the domain (``"(closed drawer)"``); by
            default it is read off the gold plan.
        quirks: Names of the quirks that are on (``eai suites robobench`` lists them).
        resolver: Decides what the table of names leaves open: ``"no"``, ``"related"``, ``"same"``.

    Raises:
        InputError: If the gold plan or the scene cannot be read.

    Example:
        >>> score = judge_plan("1-pick_up(cup), 2-place(cup, tray)", "1-pick_up(mug)")
        >>> score.node, score.completion
        (5, 0)
    """
    texts = [each if isinstance(each, str) else ", ".join(each) for each in (gold, plan)]
    return prepared(texts[0], dag, scene, quirks=quirks, resolver=resolver).evaluate(texts[1])
