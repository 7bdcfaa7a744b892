"""Minimal repair of a plan: the search, the choice among several repairs, and the call.

Idea: iterative deepening over the number of edits. Layer *n* holds the plans with *n* edits that
get at least as far as before; from each of them the edits are tried that can mend it
(:mod:`eai.planning.repair.candidates`), and edits that let another edit be of use.

Invariant: :attr:`RepairSearch.bound` is proved. One edit is searched exhaustively, because a single
edit has to bring about the landmark at its position; two are if the world is small enough. From
three on only the plans that get farthest are kept (a beam), and the bound stays.

Cost: each plan that is tried is run from the first edit on; ``RepairBounds.actions`` limits that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from eai.budget import BeyondBudgetError, Budget
from eai.display import preformatted
from eai.errors import InputError
from eai.logic import compares_numbers, objects_of
from eai.planning.repair.candidates import SingleEdits, first_edits
from eai.planning.repair.exhaustive import ExhaustiveSearch
from eai.planning.repair.task import (
    ACTION,
    Edit,
    EditKind,
    PlanRun,
    RepairTask,
    Slot,
    Slots,
    Target,
    align,
    edits_of,
)
from eai.text import counted
from eai.world import Action, State, World

# ---------------------------------------------------------------------- the best of several repairs
_MAX_RUN_AGAIN = 40
"""Maximum number of repairs that are run again to see what can be done where they insert."""


@dataclass(frozen=True)
class _Script:
    """A repaired plan with its edits.

    Args:
        slots: The repaired plan.
        edits: Its edits.
        cost: See :func:`_cost_of_edits`.
    """

    slots: Slots
    edits: tuple[Edit, ...]
    cost: tuple[int, int, int]

    @property
    def texts(self) -> list[str]:
        """The edits with their positions, as texts by which equally good repairs are sorted."""
        return [f"{edit.place:06} {edit.kind} {edit.new}" for edit in self.edits]

    @property
    def kinds(self) -> list[tuple[str, int]]:
        """The kinds of the edits and the steps taken out, without what is put in, and where."""
        return sorted((str(edit.kind), edit.step or 0) for edit in self.edits)

    @property
    def changes(self) -> set[int | Action]:
        """The steps (numbers) that its edits remove, and the actions that they insert."""
        changes: set[int | Action] = set()
        for edit in self.edits:
            changes.update(edit.changes)
        return changes


def best_repair(
    repairs: Collection[Slots], task: RepairTask, familiar: Collection[str], *, complete: bool
) -> tuple[Slots, tuple[Edit, ...]]:
    """Return the best of several repairs with its edits.

    The repair with the fewest unfamiliar objects (neither in the plan nor in the goal) is chosen.
    Ties are broken by the number of edited positions, and then by the similarity of replacements.
    Of repairs that delete the same steps, the one with the best places for insertions is chosen
    (see :func:`_index_of_best_placed`), and then the earliest.

    Args:
        repairs: The repairs.
        task: The repair task.
        familiar: Objects of the plan and of the goal.
        complete: Whether these are all repairs with as few edits.

    Returns:
        The repair, and its edits, each marked with whether all repairs have it.
    """
    scripts: list[_Script] = []
    for slots in repairs:
        edits = edits_of(slots, task.plan)
        scripts.append(_Script(slots, edits, _cost_of_edits(edits, familiar)))
    # The texts make the order the same in every process.
    scripts.sort(key=lambda script: (script.cost, script.texts))
    best_script = scripts[0]
    equally_good: list[_Script] = []
    for script in scripts:
        if script.cost == best_script.cost and script.kinds == best_script.kinds:
            equally_good.append(script)
    if len(equally_good) > 1:
        index = _index_of_best_placed([script.slots for script in equally_good], task)
        best_script = equally_good[index]
    return best_script.slots, _marked_edits(best_script, scripts, complete=complete)


def _marked_edits(
    script: _Script, all_scripts: Sequence[_Script], *, complete: bool
) -> tuple[Edit, ...]:
    """Return the edits of a repair, each marked with whether it is necessary.

    An edit that some repair lacks is not necessary. An edit of all repairs is necessary if all
    repairs are known; otherwise that is unknown (None).

    Args:
        script: The repair.
        all_scripts: All repairs that were found.
        complete: Whether these are all repairs with as few edits.
    """
    # The changes that every repair makes, wherever it makes them.
    common = set.intersection(*[repair.changes for repair in all_scripts])
    marked: list[Edit] = []
    for edit in script.edits:
        is_necessary: bool | None = False
        if common.issuperset(edit.changes):
            is_necessary = True if complete else None
        marked.append(replace(edit, necessary=is_necessary))
    return tuple(marked)


def _cost_of_edits(edits: Sequence[Edit], familiar: Collection[str]) -> tuple[int, int, int]:
    """Return a sort key of edits by which repairs near to the plan come first.

    Args:
        edits: The edits.
        familiar: The objects that the plan or the task mentions.

    Returns:
        The numbers of unfamiliar arguments, of edited positions, and of changed words.
    """
    unfamiliar_arguments = 0
    changed_words = 0
    positions = set()
    for edit in edits:
        positions.add(edit.before if edit.step is None else edit.step)
        if edit.new is None:
            continue  # a deletion adds no words
        if edit.kind is not EditKind.MOVE:
            unfamiliar_arguments += sum(argument not in familiar for argument in edit.new.arguments)
        if edit.old is not None:
            old_words = (edit.old.name, *edit.old.arguments)
            new_words = (edit.new.name, *edit.new.arguments)
            changed_words += sum(old != new for old, new in zip_longest(old_words, new_words))
    return unfamiliar_arguments, len(positions), changed_words


def _index_of_best_placed(repairs: Sequence[Slots], task: RepairTask) -> int:
    """Return the index of the repair whose edits are at the best positions.

    The criteria are tried in this order:

    1. The inserted step is next to steps with the same objects.
    2. The plan uses its action elsewhere, too.
    3. No other position permits more actions on its objects. A closed container permits few.
    4. It is near to the failure of the plan.
    """
    # The search may have used up its budget, but these repairs are only compared.
    task.meter = Budget.unlimited().meter()
    used_actions = {slot.action.name for slot in task.slots}
    costs = [_placement_cost(slots, used_actions) for slots in repairs]
    cheapest = min(costs)
    indices = [index for index, cost in enumerate(costs) if cost == cheapest][:_MAX_RUN_AGAIN]
    possible_actions = {index: _applicable_at_insertions(repairs[index], task) for index in indices}
    # For sets, "<" means "proper subset of".
    best_indices = []
    for index in indices:
        if not any(
            possible_actions[index] < other_actions for other_actions in possible_actions.values()
        ):
            best_indices.append(index)
    failure_position = task.run(task.slots).at

    def distance(index: int) -> int:
        """Return how far the insertions of a repair are from the step that fails."""
        return sum(abs(position - failure_position) for position, _ in _insertions(repairs[index]))

    return min(best_indices, key=distance)


def _placement_cost(slots: Slots, used: Collection[str]) -> tuple[int, int]:
    """Return a sort key of how badly inserted actions fit their positions.

    Args:
        slots: The repaired plan.
        used: Names of the actions that the plan or its references use.

    Returns:
        The negative number of neighbours with a common object, and of actions not used elsewhere.
    """
    related = unused = 0
    for position, slot in _insertions(slots):
        neighbours = (*slots[max(position - 1, 0) : position], *slots[position + 1 : position + 2])
        for neighbour in neighbours:
            related += not set(slot.action.arguments).isdisjoint(neighbour.action.arguments)
        unused += slot.action.name not in used
    return -related, unused


def _insertions(slots: Slots) -> list[tuple[int, Slot]]:
    """Return the actions that were put in or moved, with their positions."""
    kinds = (EditKind.INSERT, EditKind.MOVE)
    return [(position, slot) for position, slot in enumerate(slots) if slot.edit in kinds]


def _applicable_at_insertions(slots: Slots, task: RepairTask) -> frozenset[tuple[int, str, int]]:
    """Return the actions that apply at each insertion and share an object with it.

    Only actions on one object are tried, because there are too many actions on several objects.

    Args:
        slots: The edited plan.
        task: The repair task.

    Returns:
        Number of the insertion, name of the action, and number of the object.
    """
    states = task.run(slots).states
    objects_by_operator = _objects_of_unary_operators(task)
    applicable: set[tuple[int, str, int]] = set()
    for insertion_index, (position, slot) in enumerate(_insertions(slots)):
        # The inserted action acts on these objects, and so do the actions that are tried.
        object_numbers = [task.universe.number(name) for name in slot.action.arguments]
        for name, objects in objects_by_operator.items():
            for object_number in object_numbers:
                if not objects >> object_number & 1:
                    continue
                arguments = (*task.actor, object_number)
                if task.is_applicable(states[position], name, arguments):
                    applicable.add((insertion_index, name, object_number))
    return frozenset(applicable)


def _objects_of_unary_operators(task: RepairTask) -> dict[str, int]:
    """Return for each operator with one parameter beside the agent its objects, as a mask."""
    objects: dict[str, int] = {}
    for name in task.operators:
        parameters = task.world.domain.operators[name].parameters[len(task.actor) :]
        if len(parameters) == 1:
            objects[name] = task.universe.mask(parameters[0].types)
    return objects


# ---------------------------------------------------------------------- the search
_MAX_PAIRS = 800
"""With no more first edits than this, all repairs with two edits are found."""

_MAX_KEPT = 1000
"""Maximum number of plans kept while others with the same number of edits are made."""

_BEAM_WIDTH = 40
"""Maximum number of plans with the same number of edits that are edited further."""

_NOT_ALL = (
    "of what can be done with {tried} not all was tried: only the "
    f"{_BEAM_WIDTH} plans that got farthest were edited further, and only actions put in that "
    "change something that is missing where a plan fails"
)


class RepairSearch:
    """A search for the repairs with the fewest edits, and its results so far.

    Args:
        task: The repair task.
    """

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._single = SingleEdits(task)
        self.repairs: dict[Slots, None] = {}
        self.bound = 0  # no repair has fewer edits than this
        self.complete = False  # whether these are all repairs with as few edits
        self.untried = ""  # what was not tried, in words

    def run(self, edits: int, reference_edits: int | None) -> None:
        """Search until repairs are found or a limit is reached.

        Args:
            edits: Maximum number of edits.
            reference_edits: Number of edits of a repair that is known already. With none that has
                fewer, a third of the budget is enough to look for others like it.
        """
        actions = (self._task.meter.budget.instances or 0) // ACTION
        try:
            self._deepen(edits, reference_edits)
        except BeyondBudgetError:
            self.untried = (
                f"the search ended at its limit of {actions:,} actions, of which those with large "
                "conditions count as several"
            )

    def _deepen(self, edits: int, reference_edits: int | None) -> None:
        """Search for repairs with one edit, then with two, and so on.

        A layer holds the most promising plans with some number of edits. This number is proved to
        be too small only if all plans with it were tried. That is possible for one edit, and for
        two edits in small tasks.

        Args:
            edits: Maximum number of edits.
            reference_edits: Number of edits of the best known repair, if there is one.
        """
        unedited_run = self._task.run(self._task.slots)
        if unedited_run.reached:
            self.repairs[self._task.slots] = None
            self.complete = True
            return
        self.bound = 1
        layer = [unedited_run]
        for number_of_edits in range(1, edits + 1):
            # The search can only find another repair as good as the known one from here on.
            if 1 < number_of_edits == self.bound == reference_edits:
                self._task.meter.budget /= 3
            candidates: list[PlanRun] = []
            for run in layer:
                self._keep_promising(self._single.of(run), candidates, run)
            is_complete = number_of_edits == 1 or (
                number_of_edits == 2 and self._try_all_pairs(unedited_run)
            )
            if self.repairs:
                needed_repairs = [slots for slots in self.repairs if self._is_needed(slots)]
                self.repairs = dict.fromkeys(needed_repairs)
                self.complete = is_complete
                return
            if is_complete:
                self.bound = number_of_edits + 1
            if number_of_edits < edits:
                for run in layer:
                    self._keep_promising(self._single.enabling(run), candidates, run)
            layer = self._next_layer(candidates)
        if self.bound <= edits:
            self.untried = _NOT_ALL.format(tried=counted(edits, "edit"))

    def _next_layer(self, runs: Sequence[PlanRun]) -> list[PlanRun]:
        """Return those of the plans with the same number of edits that are edited further."""
        if self._task.is_path:
            return _farthest_on_path(runs, steps=len(self._task.slots))
        return _farthest(runs)

    def _keep_promising(
        self, runs: Iterable[PlanRun], layer: list[PlanRun], previous_run: PlanRun
    ) -> None:
        """Keep the plans that work, and those that get as far as before the edit."""
        for run in runs:
            if run.reached:
                self.repairs[run.slots] = None
            elif not self.repairs and run.steps_left <= previous_run.steps_left:
                layer.append(run)
                if len(layer) > _MAX_KEPT:
                    # Half of them go at once, so that sorting is rare.
                    layer[:] = sorted(layer, key=lambda run: run.steps_left)[: _MAX_KEPT // 2]

    def _try_all_pairs(self, start: PlanRun) -> bool:
        """Find all repairs with two edits, or return False if the world is too large."""
        firsts = list(islice(first_edits(self._task, start), _MAX_PAIRS + 1))
        if len(firsts) > _MAX_PAIRS:
            return False
        for slots in firsts:
            # The repairs of one first edit are added together: if the budget ends among them, none.
            runs = self._single.of(self._task.run(slots))
            reached = [run.slots for run in runs if run.reached]
            self.repairs.update(dict.fromkeys(reached))
        return True

    def _is_needed(self, slots: Slots) -> bool:
        """Return whether the plan has no insertion where deleting a step would suffice."""
        for position, slot in enumerate(slots):
            if slot.edit not in (EditKind.REPLACE, EditKind.MOVE):
                continue
            shorter_plan = (*slots[:position], *slots[position + 1 :])
            # The shorter plan is run, since the search may not have tried it. It skips insertions
            # that would have no effect, such as closing a closed door.
            if shorter_plan in self.repairs or self._task.run(shorter_plan).reached:
                return False
        return True


def _farthest(runs: Iterable[PlanRun]) -> list[PlanRun]:
    """Choose the plans that get farthest; of plans between which nothing differs any more, one."""
    ordered = sorted(runs, key=lambda run: run.steps_left)
    return _take_distinct(ordered, lambda run: run.differing)


def _farthest_on_path(runs: Iterable[PlanRun], *, steps: int) -> list[PlanRun]:
    """Return the plans that fail last, for a target that is about the path.

    Plans that keep all steps and only insert actions are chosen separately. They may fail earlier
    than plans in which the failing steps were deleted, but they may achieve more.

    Args:
        runs: The plans.
        steps: Length of the original plan.
    """
    farthest_first = sorted(runs, key=lambda run: run.steps_left)
    runs_with_detour = []
    for run in farthest_first:
        unedited = [slot for slot in run.slots if slot.edit is None]
        if len(unedited) == steps:
            runs_with_detour.append(run)
    farthest: dict[Slots, PlanRun] = {}
    for candidates in (farthest_first, runs_with_detour):
        for run in _take_distinct(candidates, lambda run: run.passed):
            farthest[run.slots] = run
    return list(farthest.values())


def _take_distinct(runs: Iterable[PlanRun], states: Callable[[PlanRun], object]) -> list[PlanRun]:
    """Return the first plans that differ in their remaining steps, progress or states.

    Args:
        runs: The plans, the best first.
        states: Returns what is compared of the states of a plan.
    """
    distinct: dict[object, PlanRun] = {}
    for run in runs:
        remaining_steps = tuple((slot.action, slot.edit) for slot in run.slots[run.at :])
        distinct.setdefault((remaining_steps, run.progress[-1], states(run)), run)
        if len(distinct) == _BEAM_WIDTH:
            break
    return list(distinct.values())


# ---------------------------------------------------------------------- results
@dataclass(frozen=True, slots=True)
class Repair:
    """The repair of a plan.

    Args:
        plan: The plan as it was.
        edits: The edits, in the order of the plan; None if no repair was found.
        repaired: The plan after the edits; None if no repair was found.
        bound: No repair has fewer edits than this: that was proved.
        irredundant: Number of plans that work, have as few edits, and put in nothing where
            taking a step out would be enough; 0 if they were not all found. Plans that also put
            in what is not needed (another action in the place of a step that only has to go) are
            as near, and not counted.
        untried: Where no repair was found, what the search did not try, in words; empty if
            everything with fewer edits than ``bound`` was tried.
        notes: Rules that were left out, and why.
    """

    plan: tuple[Action, ...]
    edits: tuple[Edit, ...] | None
    repaired: tuple[Action, ...] | None
    bound: int
    irredundant: int = 0
    untried: str = ""
    notes: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether there is a repair."""
        return self.edits is not None

    @property
    def distance(self) -> int | None:
        """Number of edits: how far the plan was from working; None if no repair was found."""
        if self.edits is None:
            return None
        return len(self.edits)

    @property
    def optimal(self) -> bool:
        """Whether it was proved that no repair has fewer edits."""
        return self.edits is not None and len(self.edits) <= self.bound

    @property
    def score(self) -> float:
        """Share of the plan that is right, from 0 to 1, or 0 without a repair.

        1 less the number of edits by the length of the longer plan: a plan that works has 1,
        a plan of which nothing can stay has 0.
        """
        if self.edits is None or self.repaired is None:
            return 0.0
        longer = max(len(self.plan), len(self.repaired), 1)
        return max(0.0, 1 - len(self.edits) / longer)

    def __str__(self) -> str:
        return "\n".join([self._edits_in_words(), *(f"  note: {note}" for note in self.notes)])

    def _edits_in_words(self) -> str:
        """Return the edits in words, and what is proved about their number.

        "2 edits would make the plan work, no fewer:" and a line for each edit with the mistake that
        it mends.
        """
        if self.edits is None:
            text = f"no repair found; it takes at least {counted(self.bound, 'edit')}"
            if self.untried:
                text += f"; {self.untried}"
            return text
        if not self.edits:
            return "the plan works"
        count = counted(len(self.edits), "edit")
        lines = [f"{count} would make the plan work{self._proof(self.edits)}:"]
        # By ``Edit.necessary``, which is None if it is unknown.
        necessity = {
            None: "",
            True: ", cannot be done without",
            False: ", another edit would do too",
        }
        for edit in self.edits:
            mistake = edit.mistake.replace("_", " ")
            lines.append(f"  {edit} ({mistake}{necessity[edit.necessary]})")
        return "\n".join(lines)

    def _proof(self, edits: Sequence[Edit]) -> str:
        """Return which smaller numbers of edits are proved to be insufficient.

        Args:
            edits: The edits of the repair.
        """
        if self.optimal and self.irredundant > 1:
            explanation = "plans with that few edits insert only what is needed"
            return f", no fewer; {self.irredundant} {explanation}"
        if self.optimal:
            return ", no fewer"
        # Between these two numbers nothing is proved.
        fewest = self.bound
        greatest = len(edits) - 1
        text = "; "
        if fewest > 1:
            text += f"fewer than {fewest} are proved not to be enough, and "
        undecided_numbers = f"{fewest}"
        if fewest < greatest:
            undecided_numbers += f" to {greatest}"
        return f"{text}whether {undecided_numbers} are enough is not known"

    def _repr_html_(self) -> str:
        return preformatted(str(self))


@dataclass(frozen=True, slots=True)
class RepairBounds:
    """Bounds of the search for a repair.

    Args:
        edits: Maximum number of edits that are searched for; a repair with more may come from a
            reference plan.
        actions: Maximum number of actions tried in the world; the default takes a few seconds.
    """

    edits: int = 3
    actions: int = 300_000


def least_repair(
    world: World,
    start: State,
    plan: Sequence[Action],
    target: Target,
    *,
    agent: str,
    skip: bool = True,
    references: Iterable[Sequence[Action]] = (),
    bounds: RepairBounds | None = None,
) -> Repair:
    """Find the fewest edits that make a plan executable and reach its goal.

    An edit inserts, deletes, replaces or moves one step.

    Args:
        world: The world.
        start: The initial state; it is not changed.
        plan: The plan. A step that the world does not know can only be deleted or replaced.
        target: The target of the plan.
        agent: The object that acts: the first argument of every action; empty if nobody does.
        skip: Whether a step that is not applicable is skipped if its effects hold already. Such a
            step needs no edit. In PDDL no step is skipped.
        references: Plans that are known to work. If the search finds no repair within its bounds,
            the edits that lead to the nearest of these plans are returned.
        bounds: Bounds of the search.

    Raises:
        InputError: If the target has free or unknown names, or a bound is negative.
        UnknownNameError: If the agent is unknown.
    """
    bounds_of_search = bounds or RepairBounds()
    for name, bound in (("edits", bounds_of_search.edits), ("actions", bounds_of_search.actions)):
        if bound < 0:
            raise InputError(f"the bound {name} is {bound}", expected="a whole number from 0")
    if target.formula is not None and compares_numbers(target.formula):
        untried = "goals on the way that compare numbers are not repaired"
        return Repair(tuple(plan), None, None, 0, untried=untried)
    budget = replace(Budget.unlimited(), instances=max(1, ACTION * bounds_of_search.actions))
    task = RepairTask(world, start, plan, target, agent=agent, skip=skip, meter=budget.meter())
    nearest_reference = _nearest_reference(task, references)
    reference_edits = None
    max_edits = bounds_of_search.edits
    if nearest_reference is not None:
        reference_edits = len(edits_of(nearest_reference, task.plan))
        max_edits = min(max_edits, reference_edits)
    search = _search_repairs(task, max_edits, reference_edits)
    repairs = list(search.repairs)
    # A repair that the search found has at most as many edits as the reference.
    if not repairs:
        if nearest_reference is None:
            return Repair(task.plan, None, None, search.bound, untried=search.untried)
        repairs = [nearest_reference]
    familiar = _familiar_objects(task.plan, target)
    best_slots, edits = best_repair(repairs, task, familiar, complete=search.complete)
    number_of_repairs = 0
    if search.complete:
        number_of_repairs = len({_actions_of(slots) for slots in repairs})
    return Repair(task.plan, edits, _actions_of(best_slots), search.bound, number_of_repairs)


def _familiar_objects(plan: Sequence[Action], target: Target) -> set[str]:
    """Return the objects in the plan or in the final conditions.

    A repair without other objects is closer to the intention of the plan.
    """
    familiar = set[str]()
    for step in plan:
        familiar.update(step.arguments)
    for conditions in target.final:
        familiar.update(*map(objects_of, conditions))
    return familiar


_MAX_ROUNDS = 20
"""Maximum number of searches, each of which follows more instances of rules."""


def _search_repairs(
    task: RepairTask, edits: int, reference_edits: int | None
) -> RepairSearch | ExhaustiveSearch:
    """Return the finished search for repairs that keep all rules.

    Landmarks are only defined for facts, so in tasks with numbers an exhaustive search is used.

    Args:
        task: The repair task.
        edits: Maximum number of edits.
        reference_edits: Number of edits that lead to a known plan; None if there is none.

    Raises:
        InputError: If the task has numbers and rules.
    """
    if task.start.numbers is None:
        return _search_in_rounds(task, edits, reference_edits)
    if task.target.rules:
        raise InputError(
            "the task has numbers, and repairs of such tasks do not follow rules",
            expected="a task without numbers, or no rules",
        )
    exhaustive_search = ExhaustiveSearch(task)
    exhaustive_search.run(edits)
    return exhaustive_search


def _search_in_rounds(task: RepairTask, edits: int, reference_edits: int | None) -> RepairSearch:
    """Search repairs until no plan breaks a rule that the search did not track.

    A search tracks only some instances of rules. If it meets a plan that breaks another instance,
    it may have skipped repairs in favour of this plan. It is then repeated with the broken
    instances tracked as well.
    """
    best_bound = 0
    last_repairs: dict[Slots, None] = {}  # of the last round that found any
    for _ in range(_MAX_ROUNDS):
        # Each round notes only the rules that break although it tracked those before.
        task.missed.clear()
        search = RepairSearch(task)
        search.run(edits, reference_edits)
        edit_counts = [len(edits_of(slots, task.plan)) for slots in search.repairs]
        # Every single edit is tried in any round, so a repair with one edit is final.
        if min(edit_counts, default=2) < 2:
            return search
        bound = search.bound
        if task.missed:
            # Pairs of edits may have been skipped, so only single edits are proved not to suffice.
            bound = min(bound, 1)
        best_bound = search.bound = max(best_bound, bound)
        last_repairs = search.repairs = search.repairs or last_repairs
        if not task.missed:
            return search
        task.follow(task.missed)
    search.complete = False
    return search


def _actions_of(slots: Slots) -> tuple[Action, ...]:
    """Return the steps of an edited plan."""
    return tuple([slot.action for slot in slots])


def _nearest_reference(task: RepairTask, references: Iterable[Sequence[Action]]) -> Slots | None:
    """Return the working reference plan that takes the fewest edits, as slots."""
    aligned = []
    for reference in references:
        slots = task.slots_of(reference)
        if task.run(slots).reached:
            aligned.append(align(task.slots, slots))
    return min(aligned, key=lambda slots: len(edits_of(slots, task.plan)), default=None)
