"""``symbolic-q1``: a plan scored against a gold plan by nodes and by a rollout.

The two whole numbers of the benchmark (paper, section 4.2): ``(10 * matched) // nodes`` and
``(10 * reached) // milestones``. A milestone is a change of an object in the rollout of the gold
plan, as a formula of linear temporal logic: what lasts is to hold from some time on to the end
(``F G s``); what passes is to hold until what needs it is done (``F (s & (s W done))``); and
where a gold order was given, it is not to come before those that precede it (``(!v) W u``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, islice
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
from eai.suites.robobench.plans import AnswerPlan, Step, read_answer, read_dag, read_gold
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
from eai.world import Action, State, Trajectory

VERSION = "symbolic-q1 2"
"""Name and version of the scores."""
_MAX_NAMES = 100
"""Maximum number of names of an answer that are looked at for notes."""
_MAX_NOTES = 3
"""Maximum number of notes on names."""
Node = tuple[str, ...]
"""A step as it is compared: skill, arm and arguments."""
DEFAULT = frozenset(("empty_goal_scores_all",))
"""Quirks that are on where none are named: a score is always a number."""


class Milestone(NamedTuple):
    """A change of an object that the gold plan has to achieve.

    Args:
        step: 0-based number of the gold step that makes it.
        state: The state that becomes true.
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
        if self.times > 1:
            return f"{text}, {self.times} times"
        return text


@dataclass(frozen=True, slots=True)
class MilestoneResult:
    """The degree to which a plan reached a milestone.

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
        changes: The changes that it made.
        node: 0-based number of the gold step that it matches; None if there is none.
    """

    step: Step
    done: bool
    reason: str
    changes: tuple[str, ...]
    node: int | None


@dataclass(frozen=True)
class PlanScore:
    """The scores of a plan, with the matches that they are computed from.

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
        if self.completion is None:
            return None
        return (self.node + self.completion) / 20

    @property
    def recall(self) -> float:
        """Share of the gold steps that are matched."""
        return self._match_count / len(self.matched)

    @property
    def precision(self) -> float:
        """Share of the steps that match a gold step; 0 for the empty plan."""
        return self._match_count / len(self.plan) if self.plan else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall of steps."""
        # 2 tp / (2 tp + fp + fn): the two lengths together are that denominator. The gold plan is
        # never empty.
        return 2 * self._match_count / (len(self.plan) + len(self.matched))

    @property
    def _match_count(self) -> int:
        """Number of matched gold steps, which is that of the plan's steps that match one."""
        return sum(index is not None for index in self.matched)

    @property
    def executability(self) -> float:
        """Share of the steps that could be done; 1 for the empty plan."""
        if not self.plan:
            return 1.0
        return 1 - len(self.failures) / len(self.plan)

    @cached_property
    def failures(self) -> Mapping[int, str]:
        """Reason why a step failed, by its index."""
        failures: dict[int, str] = {}
        for finding in self.execution.findings:
            if finding.step is not None:
                failures[finding.step - 1] = finding.text
        for index, step in enumerate(self.plan):
            if not step.is_possible:
                failures[index] = step.mistake
        return failures

    @property
    def resource_conflicts(self) -> tuple[int, ...]:
        """1-based numbers of the steps that need a gripper that is busy."""
        busy = [index + 1 for index, reason in self.failures.items() if reason == BUSY]
        return tuple(sorted(busy))

    @cached_property
    def is_linear_extension(self) -> bool:
        """Whether the matched steps respect the gold order (see :func:`match_nodes`)."""
        # The order is transitive: if b is missing in a < b < c, then a still has to precede c.
        order = PartialOrder(range(len(self.matched)), self.gold.order)
        matched_pairs = [
            (gold_index, plan_index)
            for gold_index, plan_index in enumerate(self.matched)
            if plan_index is not None
        ]
        for gold_index, plan_index in matched_pairs:
            for other_gold_index, other_plan_index in matched_pairs:
                is_later = plan_index > other_plan_index
                if is_later and order.precedes(gold_index, other_gold_index):
                    return False
        return True

    @cached_property
    def ledger(self) -> tuple[PlanStep, ...]:
        """The outcome of every step: whether it was executed, its changes, and its gold step."""
        trajectory = self.execution.trajectory
        gold_by_plan_index: dict[int, int] = {}
        for gold_index, plan_index in enumerate(self.matched):
            if plan_index is not None:
                gold_by_plan_index[plan_index] = gold_index
        changes_by_step: dict[int, tuple[str, ...]] = {}
        for position, step in enumerate(trajectory.steps, start=1):
            # Objects of the domain itself are marked with an "@", which is not shown.
            added = [f"{atom}".replace("@", "") for atom in trajectory.added(position)]
            deleted = [f"not {atom}".replace("@", "") for atom in trajectory.deleted(position)]
            changes_by_step[step.number - 1] = (*added, *deleted)
        ledger = []
        for step_index, plan_step in enumerate(self.plan):
            was_done = step_index not in self.failures
            reason = self.failures.get(step_index, "")
            changes = changes_by_step.get(step_index, ())
            gold = gold_by_plan_index.get(step_index)
            ledger.append(PlanStep(plan_step, was_done, reason, changes, gold))
        return tuple(ledger)


class Gold:
    """A gold plan with its graph nodes, initial state and milestones.

    Args:
        dag: The gold order (:func:`~eai.suites.robobench.plans.read_dag`); None if there is none.
        scene: The facts at the start (see :func:`~eai.suites.robobench.world.read_scene`); None to
            read it off the plan.
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
        """Read the gold plan and its order, and execute it to find its milestones."""
        self.steps = read_gold(text)
        self.quirks = quirks
        self.notes: tuple[str, ...] = ()
        self.names = NameMap(
            chain(*(step.arguments for step in self.steps)),
            loose="first_release_names" in quirks,
            marked="marks_said_alike" in quirks,
            resolver=resolver,
        )
        self.meaning = StepMeaning(self.steps, self.names)
        self.nodes = [self.meaning.node(step) for step in self.steps]
        self._read_order(dag)
        self._run(scene)
        # This comes last, because the edges depend on the order and on the execution.
        self._before = self._edges() if self.ordered else {}

    def _run(self, scene: str | Iterable[str | Atom] | None) -> None:
        """Execute the gold plan to find its initial state, waived tests and milestones.

        During the execution, facts that the plan needs are added to the initial state, unless a
        step or the scene has set them.
        """
        actions = [self.meaning.action(step) for step in self.steps]
        atoms = None if scene is None else read_scene(scene, self.names)
        precedes = PartialOrder(range(len(self.steps)), self.order).precedes
        # Without a scene the start is inferred: a drawer that the plan opens is closed before.
        inferred = initial_atoms(actions, atoms, self.meaning, precedes)
        start = start_state(universe_of(actions), inferred)
        rules = SkippingRules(gold=True, assume=scene is None)
        trajectory = roll_out(start, actions, rules).trajectory
        self.start = trajectory.start
        self.waived: tuple[Waived, ...] = tuple(rules.waived)
        if self.waived:
            waived = ", ".join(sorted(map(str, self.waived)))
            self.notes += (f"the gold plan does not keep, so that it is not asked for: {waived}",)
        self.milestones = tuple(_milestones(trajectory, rules))

    def _read_order(self, dag: object) -> None:
        """Read the gold order. Without one, each line of the plan follows the line before."""
        self.ordered = dag is not None
        if dag is not None:
            try:
                self.order = read_dag(dag, self.steps)
            except InputError as error:
                text = f"the gold order cannot be read ({error.what}): the plan's is used"
                # The questions of a release stay usable if one of their orders is broken.
                self.notes += (text,)
                self.ordered = False
        if not self.ordered:
            self.order = tuple(_order_of_lines([step.number for step in self.steps]))

    def _edges(self) -> Mapping[int, list[Formula]]:
        """Return for each milestone, by index, the conditions that others are reached before it.

        These follow from the gold order. A change that several steps make, such as a tool that is
        put back twice, is not ordered.
        """
        order = PartialOrder(range(len(self.steps)), self.order)
        n_milestones_of_event = Counter(milestone.event for milestone in self.milestones)
        edges: dict[int, list[Formula]] = {}
        for milestone_index, later in enumerate(self.milestones):
            edges[milestone_index] = []
            if n_milestones_of_event[later.event] > 1:
                continue
            for earlier in self.milestones:
                if order.precedes(earlier.step, later.step):
                    edges[milestone_index].append(_not_before(later, earlier))
        return edges

    def evaluate(self, answer: str | AnswerPlan) -> PlanScore:
        """Evaluate one answer."""
        asked_before = self.names.asked
        reading = read_answer(answer) if isinstance(answer, str) else answer
        plan = reading.steps
        # Each step has a node, which is compared with the gold plan, and an action to execute.
        nodes: list[Node] = []
        actions: list[Action | None] = []
        for step in plan:
            node, action = self.meaning.node_and_action(step)
            nodes.append(node)
            actions.append(action)
        matches = match_nodes(self.nodes, nodes, greedy="greedy_matching" in self.quirks)
        execution = roll_out(self.start, actions, SkippingRules(self.waived))
        milestones = self._milestone_results(execution.trajectory)
        return PlanScore(
            self,
            node=10 * len(matches) // len(self.nodes),
            completion=self._completion(milestones),
            matched=tuple([matches.get(index) for index in range(len(self.nodes))]),
            milestones=tuple(milestones),
            plan=plan,
            execution=execution,
            precedence=self._precedence(matches),
            notes=(*self.notes, *reading.notes, *self._near_names(plan)),
            problem=reading.problem,
            names_asked=self.names.asked - asked_before,
        )

    def _completion(self, milestones: Sequence[MilestoneResult]) -> int | None:
        """Return the share of reached milestones in tenths, or None if there are none to reach."""
        if milestones:
            reached = sum(result.reached for result in milestones)
            return 10 * reached // len(milestones)
        if "empty_goal_scores_all" in self.quirks:
            return 10
        return None

    def _precedence(self, matches: Mapping[int, int]) -> tuple[int, int]:
        """Return (broken pairs, matched pairs) of the gold order."""
        broken = 0
        pairs = 0
        for earlier, later in self.order:
            if earlier in matches and later in matches:
                pairs += 1
                broken += matches[earlier] > matches[later]
        return broken, pairs

    def _milestone_results(self, trajectory: Trajectory) -> list[MilestoneResult]:
        """Return how far an execution reached each milestone."""
        verdict = Evaluation(trajectory).verdict
        times_done = _times_done(trajectory)
        results = []
        for milestone_index, milestone in enumerate(self.milestones):
            order_conditions = self._before.get(milestone_index, ())
            is_early = not all(verdict(edge, reading="ltlf") for edge in order_conditions)
            is_reached = not is_early and bool(verdict(milestone.formula, reading="ltlf"))
            # A second fold leaves the state as it is, so repetitions are counted.
            if milestone.times > 1 and times_done.get(milestone.state, 0) < milestone.times:
                is_reached = False
            state = condition_of("state", milestone.state, trajectory)
            results.append(
                MilestoneResult(milestone, is_reached, state.since, state.lost_by, is_early)
            )
        return results

    def _near_names(self, plan: Sequence[Step]) -> list[str]:
        """Return notes on names in a plan that are similar but not equal to gold names."""
        names = dict.fromkeys(chain(*(step.arguments for step in plan)))
        notes: list[str] = []
        for name in islice(names, _MAX_NAMES):
            near = self.names.related_name(name)
            if near is not None:
                notes.append(f"{name!r:.80} is not taken for {str(near)!r}")
        return notes[:_MAX_NOTES]


def _order_of_lines(lines: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of steps whose lines follow each other.

    ``lines`` are the numbers of the lines of the steps; several steps may stand in one.
    """
    for later, line in enumerate(lines):
        # Only the previous line matters, as earlier lines follow transitively.
        earlier_lines = [number for number in lines[:later] if number < line]
        if not earlier_lines:
            continue
        line_before = max(earlier_lines)
        for earlier in range(later - 1, -1, -1):
            if lines[earlier] == line_before:
                yield earlier, later


def _times_done(trajectory: Trajectory) -> Mapping[Formula, int]:
    """Return how often each change was made by the arm that made it most often.

    The changes of two arms are not added up: they may do it together.
    """
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
    """Return a formula: one milestone is not reached before another, or is reached again."""
    # Either it is not made until the earlier one is (an order in which neither may come at all) ...
    in_order = WeakUntil(Not(later.event), earlier.event)
    # ... or, after the earlier one, it is lost and reached again.
    made_again = Eventually(And((Not(later.state), later.formula)))
    return Or((in_order, Eventually(And((earlier.event, made_again)))))


def _milestones(trajectory: Trajectory, rules: SkippingRules) -> Iterable[Milestone]:
    """Return the milestones of a gold plan: the distinct changes of objects in its execution.

    A change that adds up, such as a fold, is a milestone each time.

    Args:
        trajectory: The execution of the gold plan.
        rules: The rules of the execution; the conditions that they waive are no uses of an object.
    """
    states = [state.copy() for state in trajectory.states()]
    milestones: dict[tuple[Formula, int], Milestone] = {}
    repetitions_by_arm = Counter[object]()
    for step_index, step in enumerate(trajectory.steps):
        named_effect = effect_of(step.action)
        if named_effect is None:
            continue
        arm = step.action.arguments[0]
        repetitions_by_arm[named_effect, arm] += 1
        repetitions = 1
        if adds_up(step.action):
            repetitions = repetitions_by_arm[named_effect, arm]
        effect = _actual_effect(trajectory, step_index, named_effect)
        # A mask of positions: the step leads from position ``step_index`` to the next one.
        truth = trajectory.condition(effect)
        held_before = truth >> step_index & 1
        holds_after = truth >> (step_index + 1) & 1
        is_change = not held_before or repetitions > 1
        if not holds_after or not is_change:
            continue
        event = effect
        holds_at_start = truth & 1
        if holds_at_start:
            # It has to become false first, and then true again.
            event = And((effect, Once(Not(effect))))
        end = _first_false_position(truth, step_index + 1, trajectory.length)
        is_lasting = end is None
        formula: Formula = Eventually(Always(event))
        if end is not None:
            last_use = _last_use(trajectory, states, rules, step_index, end)
            formula = _passing_event(event, last_use)
        milestone = Milestone(step.number - 1, effect, event, formula, is_lasting, repetitions)
        milestones.setdefault((formula, repetitions), milestone)
    return milestones.values()


def _actual_effect(trajectory: Trajectory, index: int, effect: Formula) -> Formula:
    """Return the effect of a step in its state: to press a button that is on turns it off.

    ``effect`` is the effect that the name of the step's action tells.
    """
    held_before = trajectory.condition(effect) >> index & 1
    if trajectory.steps[index].action.name == "press" and held_before:
        return Not(effect)
    return effect


def _first_false_position(truth: int, start: int, length: int) -> int | None:
    """Return the first position from ``start`` on whose bit is 0, or None.

    Example:
        >>> _first_false_position(0b0110, 1, 4)
        3
    """
    for position in range(start, length):
        if not truth >> position & 1:
            return position
    return None


def _passing_event(event: Formula, use: Formula | None) -> Formula:
    """Return the formula of a change that passes: it lasts until the step that uses it is done."""
    if use is None:
        return Eventually(event)
    return Eventually(And((event, WeakUntil(event, use))))


def _last_use(
    trajectory: Trajectory, states: Sequence[State], rules: SkippingRules, achiever: int, end: int
) -> Formula | None:
    """Return the effect of the last step that depended on an earlier step, or None.

    A step depends on the earlier one if its precondition fails in a state without the changes of
    the earlier one.

    Args:
        trajectory: The execution of the gold plan.
        states: The state at each position.
        rules: Has the conditions that are waived, which do not count.
        achiever: Index of the earlier step, which made something true.
        end: The first position where that is false again.
    """
    # Backwards from the step before the one that undid it, so that the last use is found first.
    for step_index in range(end - 2, achiever, -1):
        action = trajectory.steps[step_index].action
        state_without = states[step_index].copy()
        # Backwards, because a step may write the same fact twice.
        for predicate, column, key, mask, added in reversed(trajectory.steps[achiever].changes):
            state_without.write(predicate, column, key, mask, not added)
        numbers = world().numbers(state_without, action.name, ("@robot", *action.arguments))
        for failed in world().failures(state_without, action.name, numbers):
            condition = Waived(action.name, failed)
            # A gripper that becomes free is not a use of the object that was put down.
            if condition not in rules.waived and condition.reason != BUSY:
                return sign_of(action)
    return None


def match_nodes(
    gold: Sequence[Node], plan: Sequence[Node], *, greedy: bool = False
) -> dict[int, int]:
    """Return a one-to-one matching of the nodes of a gold plan and a plan, by index.

    A node is a step with normalised names. Two nodes match if they are equal, or differ only in
    contents that the gold plan calls unknown. Where a plan repeats a node, the matching keeps as
    much of the order as possible, and then takes the nodes further to the left.

    Args:
        gold: The nodes of the gold plan.
        plan: The nodes of the plan.
        greedy: Whether to match each gold node with the first free node, whatever the order.

    Returns:
        Index of the gold node to index of the node of the plan.
    """
    matches = {} if greedy else _match_in_order(gold, plan)
    matched_indices = set(matches.values())
    # Free indices of each node in the plan, the leftmost one last.
    free_indices: dict[Node, list[int]] = {}
    for plan_index in range(len(plan) - 1, -1, -1):
        if plan_index not in matched_indices:
            free_indices.setdefault(plan[plan_index], []).append(plan_index)
    nodes_with_unknowns: list[int] = []
    for gold_index, node in enumerate(gold):
        if UNKNOWN in node:
            nodes_with_unknowns.append(gold_index)
        elif gold_index not in matches and free_indices.get(node):
            matches[gold_index] = free_indices[node].pop()
    if nodes_with_unknowns:
        # They come last, as they may fit any node that is left.
        _match_unknowns(gold, plan, nodes_with_unknowns, matches, greedy=greedy)
    return matches


def _match_unknowns(
    gold: Sequence[Node],
    plan: Sequence[Node],
    gold_indices: Sequence[int],
    matches: dict[int, int],
    *,
    greedy: bool,
) -> None:
    """Match the gold nodes with unknown contents, which may fit several nodes.

    Args:
        gold: The nodes of the gold plan.
        plan: The nodes of the plan.
        gold_indices: Indices of the gold nodes with unknown contents.
        matches: The matching so far, to which theirs are added.
        greedy: Whether each gold node takes the first free node that fits.
    """
    matched_indices = set(matches.values())
    free_indices = [index for index in range(len(plan)) if index not in matched_indices]
    candidates: list[list[int]] = []  # for each gold node, the free nodes that fit it
    for gold_index in gold_indices:
        gold_node = gold[gold_index]
        candidates.append([index for index in free_indices if _fits(gold_node, plan[index])])
    if greedy:
        _match_first_free(gold_indices, candidates, matches)
        return
    # Greedy choice may take the only node that fits a later gold node, so maximise the matching.
    matching = largest_matching(candidates, len(plan))
    for gold_index, plan_index in zip(gold_indices, matching, strict=True):
        if plan_index >= 0:  # -1 for a gold node that is left without a match
            matches[gold_index] = plan_index


def _match_first_free(
    gold_indices: Sequence[int], candidates: Sequence[Sequence[int]], matches: dict[int, int]
) -> None:
    """Match each gold node with the first of its candidates that is still free.

    Args:
        gold_indices: Indices of the gold nodes.
        candidates: For each of them the indices of the plan's nodes that fit.
        matches: The matching so far, to which the new pairs are added.
    """
    matched_indices: set[int] = set()
    for gold_index, own_candidates in zip(gold_indices, candidates, strict=True):
        for plan_index in own_candidates:
            if plan_index not in matched_indices:
                matches[gold_index] = plan_index
                matched_indices.add(plan_index)
                break


def _fits(gold: Node, node: Node) -> bool:
    """Return whether a node equals a gold node, apart from contents the gold plan leaves open."""
    if len(gold) != len(node) or gold[:2] != node[:2]:
        return False
    for expected, argument in zip(gold[2:], node[2:], strict=True):
        if expected not in (UNKNOWN, argument):
            return False
    return True


def _common_lengths(gold: Sequence[Node], plan: Sequence[Node]) -> list[list[int]]:
    """Return the lengths of longest common subsequences for all pairs of suffixes.

    Dynamic programming from the ends: ``length[i][j]`` belongs to ``gold[i:]`` and ``plan[j:]``;
    the last row and column are of empty suffixes. The time is proportional to the product of the
    two lengths.
    """
    length = [[0] * (len(plan) + 1) for _ in range(len(gold) + 1)]
    for i in range(len(gold) - 1, -1, -1):
        for j in range(len(plan) - 1, -1, -1):
            if gold[i] == plan[j] and UNKNOWN not in gold[i]:
                length[i][j] = length[i + 1][j + 1] + 1
            else:
                length[i][j] = max(length[i + 1][j], length[i][j + 1])
    return length


def _match_in_order(gold: Sequence[Node], plan: Sequence[Node]) -> dict[int, int]:
    """Return a matching of indices that keeps most of the order: a longest common subsequence.

    It is empty if both plans repeat each common node equally often: then every node has its
    partner, and the order does not decide.
    """
    gold_counts = Counter(gold)
    plan_counts = Counter(plan)
    common_nodes = gold_counts.keys() & plan_counts.keys()
    if all(gold_counts[node] == plan_counts[node] for node in common_nodes):
        return {}
    length = _common_lengths(gold, plan)
    # Walk from the whole sequences to the ends, leaving out a node where that loses nothing.
    matches: dict[int, int] = {}
    i = j = 0
    while length[i][j]:
        if length[i][j] == length[i + 1][j]:
            i += 1
        elif length[i][j] == length[i][j + 1]:
            j += 1
        else:
            matches[i] = j
            i += 1
            j += 1
    return matches


_prepared = lru_cache(maxsize=1 << 12)(Gold)


def prepared(
    gold: str,
    dag: object = None,
    scene: str | Iterable[str | Atom] | None = None,
    *,
    quirks: frozenset[str] = DEFAULT,
    resolver: Resolver | None = None,
) -> Gold:
    """Return a prepared gold plan (see :class:`Gold`). The last few thousand are cached.

    A plan is cached only if its arguments are texts, because lists cannot be keys of the cache.
    With a resolver it is not cached either: the resolver may answer otherwise the next time.

    Args:
        gold: The gold plan.
        dag: Its order.
        scene: Its initial state.
        quirks: The quirks of the score.
        resolver: Looks up names that are not in the table.
    """
    has_texts = isinstance(dag, (str, type(None))) and isinstance(scene, (str, type(None)))
    if has_texts and resolver is None:
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
    """Score a plan against a gold plan, independently of any suite.

    Args:
        gold: The gold plan, ``"1-pick_up(cup), 2-place(cup, tray)"``, or its steps.
        plan: The model's answer, or the steps.
        dag: The gold order: adjacency map, list of edges, nodes and edges, or texts ``"1 -> 2"``;
            an order that cannot be read is said in the notes, and the plan's own is used.
        scene: The facts at the start, as atoms of the domain (``"(closed drawer)"``); by default it
            is read off the gold plan.
        quirks: Names of the quirks that are on (``eai suites robobench`` lists them).
        resolver: Decides what the table of names leaves open: ``"no"``, ``"related"``, ``"same"``.

    Raises:
        InputError: If the gold plan or the scene cannot be read.

    Example:
        >>> score = judge_plan("1-pick_up(cup), 2-place(cup, tray)", "1-pick_up(mug)")
        >>> score.node, score.completion
        (5, 0)
    """
    gold_text = gold if isinstance(gold, str) else ", ".join(gold)
    plan_text = plan if isinstance(plan, str) else ", ".join(plan)
    return prepared(gold_text, dag, scene, quirks=quirks, resolver=resolver).evaluate(plan_text)
