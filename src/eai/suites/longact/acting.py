"""Acting in episodes of LongAct: the task, the goal, the end, and the brief of the agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from eai.acting import (
    Blind,
    EpisodeRules,
    HiddenUntilLooked,
    Memory,
    Message,
    Situation,
    Turn,
    describe,
    history,
    reply_reader,
)
from eai.diagnosis import Condition, ErrorKind, GoalStatus, since_and_lost
from eai.errors import InputError
from eai.logic import format_formula
from eai.simulators import Environment, StepResult, ThorFailure
from eai.simulators.thor.houses import ACTIONS, HouseEnvironment, HouseStep
from eai.simulators.thor.world import AGENT
from eai.suites.longact.episodes import Bound, Checklist, LongActEpisode
from eai.suites.longact.metrics import CAP, ItemStatus, atomic_steps, measures
from eai.suites.shared.templates import filled
from eai.task import ActedTask, Goal, Task, Vocabulary
from eai.world import Action

CODES = {
    **{failure.value: ErrorKind.MISSING_STEP for failure in ThorFailure},
    "TOO_FAR": ErrorKind.MISSING_STEP,
    "NO_KNIFE": ErrorKind.MISSING_STEP,
    "NO_SURFACE": ErrorKind.MISSING_STEP,
    "ALREADY_OPEN": ErrorKind.ADDITIONAL_STEP,
    "ALREADY_CLOSED": ErrorKind.ADDITIONAL_STEP,
    "ROOM": ErrorKind.AFFORDANCE,
    "NOT_SEEN": ErrorKind.OBJECT_HALLUCINATION,
}
"""Code of a failed turn to its kind of error."""

_MAX_TOLD = 20
"""Maximum number of past actions in a brief."""


class LongActTask(ActedTask):
    """A task in a house. Its actions depend on positions, which its domain does not model."""

    __slots__ = ()
    suite = "longact"
    reason = "what is near changes with every move"


def load_task(episode: LongActEpisode, wording: str) -> LongActTask:
    """Return an episode as a task."""
    checklist = Checklist(episode)
    formula = checklist.goal()
    start = checklist.house.start
    predicates = {}
    for name, predicate in start.layout.domain.predicates.items():
        predicates[name] = predicate.arity
    # Rooms are named as objects are, as agents go to both: "Mug_1", "kitchen_1".
    names = frozenset((*checklist.house.types, *checklist.house.rooms))
    return LongActTask(
        id=f"{episode.id}/{wording}",
        name=episode.scenario,
        instruction=episode.detailed if wording == "detailed" else episode.concise,
        start=start,
        agent=AGENT,
        goal=Goal(format_formula(formula), formula),
        vocabulary=Vocabulary(ACTIONS, predicates, names),
        metadata={"checklist": checklist},
    )


def checklist_of(task: Task) -> Checklist:
    """Return the checklist of a task."""
    return task.about("checklist", Checklist)


class ChecklistGoal:
    """Tracks a checklist, which counts as reached only at the end of an episode.

    It is over after ``Stop``, or when the cap of atomic steps is reached.
    """

    def __init__(self, checklist: Checklist) -> None:
        self._checklist = checklist
        self._atomic_steps = 0
        self._turns = 0
        self._last = GoalStatus(False)

    def update(
        self, environment: Environment, _action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """Return the status after an action (see :class:`eai.acting.GoalMonitor`)."""
        if not isinstance(environment, HouseEnvironment):
            raise InputError(
                f"a checklist is evaluated in a house, not in a {type(environment).__name__}",
                expected="the environment of the suite",
            )
        if result is not None:
            self._turns += 1
            self._atomic_steps += result.atomic if isinstance(result, HouseStep) else 1
        if _may_change_items(result):
            self._last = GoalStatus(False, self._statuses(environment))
        # The checklist is judged at the end alone: by the agent's own stop, or by the cap.
        if environment.stopped or self._atomic_steps >= CAP:
            is_reached = all(status.met for status in self._last.conditions)
            return GoalStatus(is_reached, self._last.conditions)
        return self._last

    def _statuses(self, environment: HouseEnvironment) -> tuple[ItemStatus, ...]:
        """Return the current status of each item."""
        items = self._checklist.items
        # At the start, no item has an earlier status.
        before = self._last.conditions or (None,) * len(items)
        pairs = zip(items, before, strict=True)
        return tuple([self._status(bound, status, environment) for bound, status in pairs])

    def _status(
        self, bound: Bound, before: Condition | None, environment: HouseEnvironment
    ) -> ItemStatus:
        """Return the status of one item.

        Args:
            bound: The item.
            before: Its status before the last action.
            environment: The house.
        """
        is_met = environment.holds(bound.whole)
        since, lost_by = since_and_lost(is_met, before, self._turns)
        # Reports also show which kinds of conditions of an item are met.
        met_by_kind: list[tuple[str, bool]] = []
        for kind, formula in bound.by_kind.items():
            met_by_kind.append((kind, environment.holds(formula)))
        condition_kind = "relation" if "position" in bound.tests else "state"
        return ItemStatus(
            condition_kind,
            format_formula(bound.whole),
            is_met,
            since if is_met else None,
            lost_by,
            bound.whole,
            tuple(met_by_kind),
        )


def _may_change_items(result: StepResult | None) -> bool:
    """Return whether items have to be evaluated: at the start and after successful interactions.

    To evaluate a checklist takes far longer than a step, and most steps only move the agent.
    """
    if result is None:
        return True
    return isinstance(result, HouseStep) and result.success and result.interactions > 0


@dataclass(frozen=True, slots=True)
class StepCap:
    """A limit that ends an episode at ``Stop`` or after a number of atomic steps."""

    max_steps: int = CAP

    def begin(self) -> Callable[[Sequence[Turn]], str]:
        """Return the check of a new episode (see :meth:`eai.acting.Limit.begin`)."""
        n_steps = 0

        def check(turns: Sequence[Turn]) -> str:
            """Return the reason why the episode ends with the last turn, or ""."""
            nonlocal n_steps
            last_turn = turns[-1]
            # The check is called once for every turn.
            n_steps += atomic_steps(last_turn)
            action = last_turn.reply.action
            if last_turn.success and action is not None and action.name == "Stop":
                return "stopped"
            if n_steps >= self.max_steps:
                return "max_steps"
            return ""

        return check


def episode_rules(
    checklist: Checklist, wording: str, *, instruction: str = "", briefed: bool = True
) -> EpisodeRules:
    """Return the rules of an episode.

    Args:
        checklist: The checklist.
        wording: Wording of the instruction.
        instruction: The instruction.
        briefed: Whether the agent is told anything; the oracle need not be.
    """
    names = (*checklist.house.rooms, *checklist.house.types)
    # Own checklists may have no scenario.
    groups = [group for group in (checklist.episode.scenario, wording) if group]
    return EpisodeRules(
        goal=partial(ChecklistGoal, checklist),
        read=reply_reader(ACTIONS, names),
        brief=_Brief(instruction, briefed),
        limits=(StepCap(),),
        objects=names,
        codes=CODES,
        views={
            "memory": lambda: (Memory(),),
            "blind": lambda: (Blind(),),
            "looked": lambda: (HiddenUntilLooked(frozenset({"filled", "cooked", "liquid"})),),
        },
        groups=tuple(groups),
        measures=measures,
    )


@dataclass(frozen=True)
class _Brief:
    """The message of a turn.

    Args:
        instruction: The instruction.
        briefed: Whether the agent is told anything.
    """

    instruction: str
    briefed: bool

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """Return a message with the task, the last actions and the view, or none if not briefed."""
        if not self.briefed:
            return ()
        turns = history(situation.turns[-_MAX_TOLD:], situation.feedback)
        seen = describe(situation.observation)
        text = filled("longact/brief", instruction=self.instruction, turns=turns, seen=seen)
        return [{"role": "user", "content": text}]
