"""Minimal repair of a plan: the search, the choice among several repairs, and the call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from eai.budget import BeyondBudgetError, Budget
from eai.display import preformatted
from eai.errors import InputError
from eai.logic import objects_of
from eai.planning.repair.candidates import SingleEdits, first_edits
from eai.planning.repair.task import (
    ACTION,
    Edit,
    EditKind,
    Execution,
    RepairTask,
    Slot,
    Slots,
    Target,
    align,
    edits_of,
)
from eai.text import counted
from eai.world import Action, State, World

_MOST = 40
"""So many repairs are run again to see what is at hand where something is put in."""


def best_repair(
    repairs: Collection[Slots], task: RepairTask, familiar: Collection[str], *, complete: bool
) -> tuple[Slots, tuple[Edit, ...]]:
    """Choose one of the repairs that were found.

    The one with the fewest objects that are neither in the plan nor in the goal is chosen; of
    several the one whose edits are in the fewest places, then the one whose replacements are most
    like what they replace. Of those that take the same steps out in the same way, the one is taken
    that puts in what it puts in where it belongs, the earliest first. Beside it stand the edits,
    which say whether all repairs have them.
    """
    scripts = {slots: edits_of(slots, task.plan) for slots in repairs}
    costs = {slots: _cost(edits, familiar) for slots, edits in scripts.items()}
    texts = {s: [f"{e.place:06} {e.kind} {e.new}" for e in edits] for s, edits in scripts.items()}
    # What is done, but for what is put in, and where.
    kinds = {s: sorted((str(e.kind), e.step or 0) for e in edits) for s, edits in scripts.items()}
    ordered = sorted(scripts, key=lambda slots: (costs[slots], texts[slots]))
    first = ordered[0]
    alike = [s for s in ordered if costs[s] == costs[first] and kinds[s] == kinds[first]]
    best = alike[0] if len(alike) == 1 else _best_placed(alike, task)
    changes = [{change for edit in edits for change in edit.changes} for edits in scripts.values()]
    common = set.intersection(*changes)
    # What is not in all that were found is not necessary; what is may be, if these are all.
    known = True if complete else None
    return best, tuple(
        replace(edit, necessary=known if common.issuperset(edit.changes) else False)
        for edit in scripts[best]
    )


def _cost(edits: Sequence[Edit], familiar: Collection[str]) -> tuple[int, int, int]:
    strange = changed = 0
    for edit in edits:
        if edit.new is not None and edit.kind is not EditKind.MOVE:
            strange += sum(argument not in familiar for argument in edit.new.arguments)
        if edit.old is not None and edit.new is not None:  # in how many words they differ
            words = zip_longest(edit.old.arguments, edit.new.arguments)
            changed += (edit.old.name != edit.new.name) + sum(one != two for one, two in words)
    locations = {edit.before if edit.step is None else edit.step for edit in edits}
    return strange, len(locations), changed


def _best_placed(repairs: Sequence[Slots], task: RepairTask) -> Slots:
    """The repair with the best places, of several with the same kinds of edits.

    1. What is put in stands beside steps with the same objects;
    2. it is an action that the plan uses elsewhere;
    3. nowhere else can the same be done with its objects and more (as where what they are in
       is not closed);
    4. it is near to where the plan fails.
    """
    # The search may have used up what it was allowed; what it found is only looked at here.
    task.meter = Budget.unlimited().meter()
    used = {slot.action.name for slot in task.slots}
    costs = []
    for slots in repairs:
        beside = unused = 0
        for at, slot in _put_in(slots):
            for other in (*slots[max(at - 1, 0) : at], *slots[at + 1 : at + 2]):
                beside += not set(slot.action.arguments).isdisjoint(other.action.arguments)
            unused += slot.action.name not in used
        costs.append((-beside, unused))
    left = [each for each, cost in zip(repairs, costs, strict=True) if cost == min(costs)][:_MOST]
    at_hand = [_at_hand(each, task) for each in left]
    pairs = zip(left, at_hand, strict=True)
    most = [slots for slots, here in pairs if not any(here < there for there in at_hand)]
    fails = task.run(task.slots).at
    return min(most, key=lambda slots: sum(abs(at - fails) for at, _ in _put_in(slots)))


def _put_in(slots: Slots) -> list[tuple[int, Slot]]:
    return [(at, s) for at, s in enumerate(slots) if s.edit in (EditKind.INSERT, EditKind.MOVE)]


def _at_hand(slots: Slots, task: RepairTask) -> frozenset[tuple[int, str, int]]:
    """What can be done with the objects of what is put in, one at a time, where it is done."""
    states, universe = task.run(slots).states, task.universe
    found = set()
    for which, (at, slot) in enumerate(_put_in(slots)):
        for name in task.operators:
            others = task.world.domain.operators[name].parameters[len(task.actor) :]
            fitting = universe.mask(others[0].types) if len(others) == 1 else 0
            for number in map(universe.number, slot.action.arguments):
                numbers = (*task.actor, number)
                if fitting >> number & 1 and task.is_applicable(states[at], name, numbers):
                    found.add((which, name, number))
    return frozenset(found)


_PAIRS = 800
"""If there are no more first edits than this, all repairs with two edits are found."""

_KEPT = 1000
"""So many plans are kept while others with the same number of edits are made."""

_WIDTH = 40
"""So many plans with the same number of edits are edited further."""

_NOT_ALL = (
    "of what can be done with {tried} not all was tried: only the "
    f"{_WIDTH} plans that got farthest were edited further, and only actions put in that change "
    "something that is missing where a plan fails"
)


class Search:
    """A search for the repairs with the fewest edits, and what it has found so far."""

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._single = SingleEdits(task)
        self.repairs: dict[Slots, None] = {}
        self.bound = 0  # no repair has fewer edits than this
        self.complete = False  # whether these are all repairs with so few edits
        self.untried = ""  # what was not tried, in words

    def run(self, edits: int, known: int | None) -> None:
        """Search until repairs are found, there are too many edits, or the budget is used up.

        If there is a repair with a known number of edits, and none with fewer, a third of the
        budget is enough to look for others like it.
        """
        actions = (self._task.meter.budget.instances or 0) // ACTION
        try:
            self._run(edits, known)
        except BeyondBudgetError:
            self.untried = f"the search ended when it had tried {actions:,} actions"

    def _run(self, edits: int, known: int | None) -> None:
        start = self._task.run(self._task.slots)
        if start.reached:
            self.repairs[self._task.slots] = None
            self.complete = True
            return
        self.bound = 1
        layer = [start]
        for number in range(1, edits + 1):
            if 1 < number == self.bound == known:
                self._task.meter.budget /= 3
            after: list[Execution] = []
            for each in layer:
                self._sort(self._single.of(each), after, each)
            complete = number == 1 or (number == 2 and self._all_pairs(start))
            if self.repairs:
                self.repairs = {each: None for each in self.repairs if self._is_needed(each)}
                self.complete = complete
                return
            if complete:
                self.bound = number + 1
            for each in layer if number < edits else ():
                self._sort(self._single.enabling(each), after, each)
            is_path = self._task.target.formula is not None
            layer = _farthest(after, len(self._task.slots) if is_path else None)
        if self.bound <= edits:
            self.untried = _NOT_ALL.format(tried=counted(edits, "edit"))

    def _sort(self, found: Iterable[Execution], layer: list[Execution], before: Execution) -> None:
        """Keep plans that work, and those that get as far as the one before."""
        for each in found:
            if each.reached:
                self.repairs[each.slots] = None
            elif not self.repairs and each.left <= before.left:
                layer.append(each)
                if len(layer) > _KEPT:
                    layer[:] = sorted(layer, key=lambda each: each.left)[: _KEPT // 2]

    def _all_pairs(self, start: Execution) -> bool:
        """Find all repairs with two edits, if the world is small enough."""
        firsts = list(islice(first_edits(self._task, start), _PAIRS + 1))
        if len(firsts) > _PAIRS:
            return False
        for slots in firsts:
            found = self._single.of(self._task.run(slots))
            self.repairs.update(dict.fromkeys([each.slots for each in found if each.reached]))
        return True

    def _is_needed(self, slots: Slots) -> bool:
        """Return whether nothing was put in where taking a step out is enough."""
        for at, slot in enumerate(slots):
            if slot.edit not in (EditKind.REPLACE, EditKind.MOVE):
                continue
            without = (*slots[:at], *slots[at + 1 :])
            # It is run, because the search need not have tried it: it puts in no step that would
            # only be passed over, such as closing a door that is closed.
            if without in self.repairs or self._task.run(without).reached:
                return False
        return True


def _farthest(executions: Iterable[Execution], steps: int | None = None) -> list[Execution]:
    """Choose the plans that get farthest.

    Of plans between which nothing differs any more one is taken. Where the target is about the
    way (``steps`` is the length of the plan as it was), it matters as well through which states
    they led, and where they do no more than make a detour they are chosen for themselves: they
    get less far than plans without the steps that fail, but may do what those left undone.
    """
    ordered = sorted(executions, key=lambda each: each.left)
    if steps is None:
        return _different(ordered, lambda each: each.differing)
    found = _different(ordered, lambda each: each.passed)
    detours = [each for each in ordered if sum(slot.edit is None for slot in each.slots) == steps]
    found += _different(detours, lambda each: each.passed)
    return list({each.slots: each for each in found}.values())


def _different(
    executions: Iterable[Execution], states: Callable[[Execution], object]
) -> list[Execution]:
    """The first plans that differ in what is left of them, how far they are, and in states."""
    found: dict[object, Execution] = {}
    for each in executions:
        rest = tuple((slot.action, slot.edit) for slot in each.slots[each.at :])
        found.setdefault((rest, each.progress[-1], states(each)), each)
        if len(found) == _WIDTH:
            break
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Repair:
    """What a plan needs to work.

    Args:
        plan: The plan as it was.
        edits: The edits, in the order of the plan; None if no repair was found.
        repaired: The plan after the edits; None if no repair was found.
        bound: No repair has fewer edits than this: that was proved.
        irredundant: How many plans that work can be had with so few edits and put in nothing where
            taking a step out would be enough; 0 if they were not all found. Plans that also put
            in what is not needed (another action in the place of a step that only has to go) are
            as near, and not counted.
        untried: Where no repair was found, what the search did not try, in words; empty if
            everything with fewer edits than ``bound`` was tried.
    """

    plan: tuple[Action, ...]
    edits: tuple[Edit, ...] | None
    repaired: tuple[Action, ...] | None
    bound: int
    irredundant: int = 0
    untried: str = ""

    @property
    def found(self) -> bool:
        """Whether there is a repair."""
        return self.edits is not None

    @property
    def distance(self) -> int | None:
        """Number of edits: how far the plan was from working; None if no repair was found."""
        return None if self.edits is None else len(self.edits)

    @property
    def optimal(self) -> bool:
        """Whether it was proved that no repair has fewer edits."""
        return self.edits is not None and len(self.edits) <= self.bound

    @property
    def score(self) -> float:
        """How much of the plan is right, from 0 to 1; 0 if no repair was found.

        1 less the number of edits by the length of the longer plan: a plan that works has 1,
        one of which nothing can stay has 0.
        """
        if self.edits is None or self.repaired is None:
            return 0.0
        longer = max(len(self.plan), len(self.repaired), 1)
        return max(0.0, 1 - len(self.edits) / longer)

    def __str__(self) -> str:
        if self.edits is None:
            untried = f"; {self.untried}" if self.untried else ""
            return f"no repair found; it takes at least {counted(self.bound, 'edit')}{untried}"
        if not self.edits:
            return "the plan works"
        # Which numbers of edits are proved not to be enough, and of which that is not known.
        least, most = self.bound, len(self.edits) - 1
        if self.optimal:
            several = f"; {self.irredundant} plans with that few edits insert only what is needed"
            proof = f", no fewer{several if self.irredundant > 1 else ''}"
        else:
            proved = f"fewer than {least} are proved not to be enough, and " if least > 1 else ""
            numbers = f"{least}" if least == most else f"{least} to {most}"
            proof = f"; {proved}whether {numbers} are enough is not known"
        lines = [f"{counted(len(self.edits), 'edit')} would make the plan work{proof}:"]
        shares = {None: "", True: ", cannot be done without", False: ", another edit would do too"}
        lines += [
            f"  {edit} ({edit.mistake.replace('_', ' ')}{shares[edit.necessary]})"
            for edit in self.edits
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return preformatted(str(self))


@dataclass(frozen=True, slots=True)
class RepairBounds:
    """How far to search for a repair.

    Args:
        edits: Most edits that are searched for; a repair with more may come from a reference
            plan.
        actions: How many actions may be tried in the world; the default takes a few seconds.
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
    """Find the fewest edits that make a plan executable and its goal true.

    An edit puts an action in, takes a step out, puts an action in the place of a step, or moves
    a step. A step that cannot be done but whose effects hold already is passed over and needs no
    edit, as in the rules that follow from the domain.

    Args:
        world: The world.
        start: The initial state; it is not changed.
        plan: The plan. What the world does not know can only be taken out or replaced.
        target: What has to be reached.
        agent: The object that acts: the first argument of every action; empty if nobody does.
        skip: Whether such a step is passed over; in PDDL it is not.
        references: Plans that are known to work. The edits that lead to the nearest one are
            taken where the search finds no repair within its bounds.
        bounds: How far to search.

    Raises:
        InputError: If the target has free or unknown names, or a bound is negative.
        UnknownNameError: If the agent is not known.
    """
    limits = bounds or RepairBounds()
    for name in ("edits", "actions"):
        if getattr(limits, name) < 0:
            raise InputError(
                f"the bound {name} is {getattr(limits, name)}", expected="a whole number from 0"
            )
    budget = replace(Budget.unlimited(), instances=max(1, ACTION * limits.actions))
    task = RepairTask(world, start, plan, target, agent=agent, skip=skip, meter=budget.meter())
    # What becomes of the plan when it is turned into the nearest reference plan that works.
    working = [
        align(task.slots, slots)
        for slots in map(task.slots_of, references)
        if task.run(slots).reached
    ]
    known = min(working, key=lambda slots: len(edits_of(slots, task.plan)), default=None)
    far = None if known is None else len(edits_of(known, task.plan))
    search = Search(task)
    search.run(limits.edits if far is None else min(limits.edits, far), far)
    repairs = list(search.repairs) or ([] if known is None else [known])
    if not repairs:
        return Repair(task.plan, None, None, search.bound, untried=search.untried)
    familiar = {name for step in task.plan for name in step.arguments}
    for option in target.final:
        familiar.update(*map(objects_of, option))
    best, edits = best_repair(repairs, task, familiar, complete=search.complete)
    plans = {tuple([slot.action for slot in each]) for each in repairs if search.complete}
    repaired = tuple([slot.action for slot in best])
    return Repair(task.plan, edits, repaired, search.bound, len(plans))
