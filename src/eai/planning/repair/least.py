"""Minimal repair of a plan: its result, and the call that finds it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from eai.budget import Budget
from eai.display import preformatted
from eai.errors import InputError
from eai.logic import objects_of
from eai.planning.repair.choice import best_repair
from eai.planning.repair.edits import Edit, align, edits_of
from eai.planning.repair.search import Search
from eai.planning.repair.task import ACTION, RepairTask, Target
from eai.world import Action, State, World


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
    """

    plan: tuple[Action, ...]
    edits: tuple[Edit, ...] | None
    repaired: tuple[Action, ...] | None
    bound: int
    irredundant: int = 0

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
            return f"no repair found; fewer than {_counted(self.bound)} would not do"
        if not self.edits:
            return "the plan works"
        lines = [f"{_counted(len(self.edits))} would make the plan work{self._proof()}:"]
        shares = {None: "", True: ", cannot be done without", False: ", or another edit"}
        lines += [
            f"  {edit} ({edit.mistake.replace('_', ' ')}{shares[edit.necessary]})"
            for edit in self.edits
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return preformatted(str(self))

    def _proof(self) -> str:
        if self.optimal:
            several = "; {} plans that are so near put in only what is needed"
            many = several.format(self.irredundant) if self.irredundant > 1 else ""
            return f", no fewer{many}"
        # Which numbers of edits are proved not to be enough, and of which that is not known.
        least, most = self.bound, len(self.edits or ()) - 1
        proved = f"fewer than {least} are proved not to, and " if least > 1 else ""
        numbers = f"{least}" if least == most else f"{least} to {most}"
        return f"; {proved}whether {numbers} would was not found out"


def _counted(edits: int) -> str:
    return f"{edits} edit{'' if edits == 1 else 's'}"


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
        agent: The object that acts: the first argument of every action.
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
    task = RepairTask(world, start, plan, target, agent=agent, meter=budget.meter())
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
        return Repair(task.plan, None, None, search.bound)
    familiar = {name for step in task.plan for name in step.arguments}
    for option in target.final:
        familiar.update(*map(objects_of, option))
    best, edits = best_repair(repairs, task, familiar, complete=search.complete)
    plans = {tuple([slot.action for slot in each]) for each in repairs if search.complete}
    repaired = tuple([slot.action for slot in best])
    return Repair(task.plan, edits, repaired, search.bound, len(plans))
