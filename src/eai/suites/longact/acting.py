"""What an episode of LongAct is: its task, its goal, its end, and what an agent is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from eai.diagnosis import ErrorKind, GoalStatus, since_and_lost
from eai.errors import InputError
from eai.logic import format_formula
from eai.simulators import Environment, Failure, StepResult
from eai.simulators.thor.houses import ACTIONS, HouseEnvironment, HouseStep
from eai.simulators.thor.world import AGENT
from eai.suites.longact.episodes import Checklist, LongActEpisode
from eai.suites.longact.metrics import CAP, ItemStatus, atomic_steps, measures
from eai.suites.shared.templates import filled
from eai.task import ActedTask, Goal, Task, Vocabulary
from eai.world import Action

CODES = {
    **dict.fromkeys((failure.value for failure in Failure), ErrorKind.MISSING_STEP),
    **dict.fromkeys(("TOO_FAR", "NO_KNIFE", "NO_SURFACE"), ErrorKind.MISSING_STEP),
    **dict.fromkeys(("ALREADY_OPEN", "ALREADY_CLOSED"), ErrorKind.ADDITIONAL_STEP),
    "ROOM": ErrorKind.AFFORDANCE,
    "NOT_SEEN": ErrorKind.OBJECT_HALLUCINATION,
}
"""Code of a failed turn to the kind of error that it is."""

_SHOWN = 20
"""So many of the last actions are told."""


class LongActTask(ActedTask):
    """A task whose agent has a place; its domain alone does not say what its actions do."""

    __slots__ = ()
    suite = "longact"
    reason = "what is near changes with every move"


def load_task(episode: LongActEpisode, wording: str) -> LongActTask:
    """Return an episode as a task."""
    checklist = Checklist(episode)
    formula, start = checklist.goal(), checklist.house.start
    predicates = {name: p.arity for name, p in start.layout.domain.predicates.items()}
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
    """Evaluates a checklist; it is reached only when the episode is over: by Stop, or the cap."""

    def __init__(self, checklist: Checklist) -> None:
        self._checklist = checklist
        self._atomic = self._number = 0
        self._last = GoalStatus(False)

    def update(
        self, environment: Environment, _action: Action | None, result: StepResult | None
    ) -> GoalStatus:
        """See :class:`eai.acting.GoalMonitor`."""
        if not isinstance(environment, HouseEnvironment):
            raise InputError(
                f"a checklist is evaluated in a house, not in a {type(environment).__name__}",
                expected="the environment of the suite",
            )
        if result is not None:
            self._number += 1
            self._atomic += result.atomic if isinstance(result, HouseStep) else 1
        changed = result is None or (
            isinstance(result, HouseStep) and result.success and result.interactions
        )
        if changed:
            holds, found = environment.holds, []
            for n, bound in enumerate(self._checklist.items):
                met = holds(bound.whole)
                before = self._last.conditions[n] if self._last.conditions else None
                since, lost = since_and_lost(met, before, self._number)
                since = since if met else None
                kind = "relation" if "position" in bound.tests else "state"
                text = format_formula(bound.whole)
                kinds = tuple((each, holds(formula)) for each, formula in bound.by_kind.items())
                found.append(ItemStatus(kind, text, met, since, lost, bound.whole, kinds))
            self._last = GoalStatus(False, tuple(found))
        if environment.stopped or self._atomic >= CAP:
            met = all(each.met for each in self._last.conditions)
            return GoalStatus(met, self._last.conditions)
        return self._last


@dataclass(frozen=True, slots=True)
class StepCap:
    """Ends an episode at ``Stop``, or with so many atomic steps."""

    most: int = CAP

    def begin(self) -> Callable[[Sequence[Turn]], str]:
        """See :meth:`eai.acting.Limit.begin`."""
        taken = 0

        def check(turns: Sequence[Turn]) -> str:
            nonlocal taken
            last = turns[-1]
            taken += atomic_steps(last)
            if last.success and last.reply.action is not None and last.reply.action.name == "Stop":
                return "stopped"
            return "max_steps" if taken >= self.most else ""

        return check


def episode_rules(
    checklist: Checklist, wording: str, *, instruction: str = "", briefed: bool = True
) -> EpisodeRules:
    """Say what an episode is."""
    names = (*checklist.house.rooms, *checklist.house.types)

    def brief(situation: Situation) -> Sequence[Message]:
        """Tell the task, the actions, what was done last, and what is seen, as text."""
        turns = history(situation.turns[-_SHOWN:], situation.feedback)
        seen = describe(situation.observation)
        text = filled("longact/brief", instruction=instruction, turns=turns, seen=seen)
        return [{"role": "user", "content": text}]

    return EpisodeRules(
        goal=lambda: ChecklistGoal(checklist),
        read=reply_reader(ACTIONS, names),
        brief=brief if briefed else lambda _: (),
        limits=(StepCap(),),
        objects=names,
        codes=CODES,
        views={
            "memory": lambda: (Memory(),),
            "blind": lambda: (Blind(),),
            "looked": lambda: (HiddenUntilLooked(frozenset({"filled", "cooked", "liquid"})),),
        },
        groups=tuple(filter(None, (checklist.episode.scenario, wording))),
        measures=measures,
    )
