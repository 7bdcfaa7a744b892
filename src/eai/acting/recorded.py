"""Episodes that somebody else recorded: their form, and what they amount to.

A record says which actions were taken and, as far as the recorder knew it, what came of them. It is
scored like an episode that is acted in here:

* Where a record has the facts after every step (and at the start), the goal is evaluated on these:
  nothing is simulated.
* Else its actions are taken again in the environment of the task. What the record says was not
  done is not done here either; what it says was done, and the world here refuses, stays undone. In
  both cases the steps that came out otherwise are named in a note.

The goal counts as reached when it is reached for the first time, as in an episode that is acted in
here, which would end there; the steps behind are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from eai.acting.episode import End, Episode, Turn
from eai.acting.replies import Reply
from eai.acting.tasks import PlanGoal
from eai.acting.turns import EpisodeRules, evaluate_episode, missing_answer
from eai.diagnosis import GoalStatus, Result, goal_status
from eai.errors import InputError, SchemaError, nearest
from eai.logic import Atom
from eai.nesting import load_json
from eai.simulators import Environment, Execution, Observation, StepResult
from eai.task import Task
from eai.world import Action, State, Step, Trajectory

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One step of a recorded episode.

    Args:
        action: The action as the suite's agents write it, ``"PICKUP Mug"``; empty if none could be
            read out of the answer.
        success: Whether it was done; None if the record does not say it.
        feedback: What the agent was told of it.
        code: Why it was not done, as a code of the recorder.
        facts: All atoms that are true after it, each as ``"inside(milk.41, fridge.40)"``; None if
            they were not recorded.
        source: Who chose the action, in the recorder's words (``"model"``, ``"random"``).
        answered: 1-based number of the answer that it came from; 0 if that is not known.
        text: The answer as the model wrote it.
        time: When it ended, in seconds since the start; None if that is not known.
    """

    action: str
    success: bool | None = None
    feedback: str = ""
    code: str = ""
    facts: tuple[str, ...] | None = None
    source: str = ""
    answered: int = 0
    text: str = ""
    time: float | None = None

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class RecordedEpisode:
    """An episode that was recorded elsewhere.

    Args:
        task: Identifier of the task in its suite.
        start: All atoms that are true before the first step; None if they were not recorded.
        success: Whether the recorder says that the task was solved; None if it does not say it.
        end: Why it ended, in the recorder's words.
        model: Who acted.
        recorder: What recorded it, and which version of it.
        metadata: Anything else that the recorder says about it.
    """

    task: str
    steps: tuple[RecordedStep, ...]
    start: tuple[str, ...] | None = None
    success: bool | None = None
    end: str = ""
    model: str = ""
    recorder: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    def to_json(self) -> str:
        """Return the record as one line of ASCII JSON; what is empty is left out."""
        value = _brief(asdict(self), RecordedEpisode)
        value["steps"] = [_brief(asdict(step), RecordedStep) for step in self.steps]
        return json.dumps(value)

    @classmethod
    def from_json(cls, text: str) -> RecordedEpisode:
        """Read a record, or the states of a simulator (see :func:`read_states`).

        Raises:
            SchemaError: If the text is none; the message names the field.
        """
        from pydantic import ValidationError

        value = None
        if '"states"' in text:
            with suppress(ValueError):
                value = load_json(text)
        if isinstance(value, dict) and "states" in value and "steps" not in value:
            return read_states(text)
        try:
            found: RecordedEpisode = _adapter().validate_json(text)
        except ValidationError as error:
            raise _refused(error) from None
        return found

    @classmethod
    def of(cls, episode: Episode, *, model: str = "", recorder: str = "") -> RecordedEpisode:
        """Return the record of an episode that was acted in here."""
        steps = tuple(
            RecordedStep(
                turn.reply.written if turn.answer.strip() else "",
                turn.success,
                turn.result.message,
                turn.code,
                answered=turn.answered,
                text=turn.answer,
            )
            for turn in episode.turns
        )
        return cls(
            episode.task,
            steps,
            success=episode.success,
            end=str(episode.end),
            model=model,
            recorder=recorder,
        )


def read_states(text: str) -> RecordedEpisode:
    """Read the predicate states that a simulator recorded.

    Args:
        text: JSON: ``{"task": ..., "states": [{"time": 0.0, "true": [...], "action": ...}, ...]}``.
            The first state is the start; every other one says which action led to it, if any did.
            An atom is ``"inside(milk, fridge)"``, ``"(inside milk fridge)"`` or ``["inside",
            "milk", "fridge"]``. Objects may have other names than in the task: ``"names"`` says
            which (``{"milk.n.01_1": "milk.41"}``).

    Raises:
        SchemaError: If it is something else; the message says where.
    """
    try:
        value = load_json(text)
        names, states = value.get("names", {}), value["states"]
        facts = [tuple(_fact(atom, names) for atom in state["true"]) for state in states]
        start, *later = facts
        steps = [
            RecordedStep(str(state.get("action") or ""), facts=each, time=state.get("time"))
            for state, each in zip(states[1:], later, strict=True)
        ]
        task, model = str(value.get("task", "")), str(value.get("model", ""))
        recorder = str(value.get("recorder", ""))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SchemaError(
            f"these are not recorded states: {type(error).__name__}: {error}",
            expected='{"task": ..., "states": [{"true": ["inside(milk, fridge)"]}, ...]}, at least '
            "one state",
        ) from None
    return RecordedEpisode(task, tuple(steps), start, model=model, recorder=recorder)


def _fact(atom: object, names: Mapping[str, str]) -> str:
    """An atom in any of its forms, with the names of the task, as text."""
    if isinstance(atom, str):
        words = atom.strip("() ").split() if atom.startswith("(") else None
        if words is None:
            read = read_fact(atom)
            words = [read.predicate, *map(str, read.terms)]
    elif isinstance(atom, list) and atom and all(isinstance(each, str) for each in atom):
        words = atom
    else:
        raise TypeError(f"{atom!r:.60} is not an atom")
    predicate, *objects = words
    return f"{predicate}({', '.join(names.get(each, each) for each in objects)})"


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema of :class:`RecordedEpisode`."""
    return _adapter().json_schema()


@cache
def _adapter() -> TypeAdapter[RecordedEpisode]:
    from pydantic import TypeAdapter

    return TypeAdapter(RecordedEpisode)


def _brief(value: dict[str, Any], kind: type[Any]) -> dict[str, Any]:
    """The fields that are not as they are by default."""
    usual = {each.name: each.default for each in fields(kind)}
    return {
        name: each for name, each in value.items() if each != usual[name] and each not in ({}, [])
    }


def _refused(error: Any) -> SchemaError:  # noqa: ANN401  # pydantic is imported late
    # A name that is not known explains best that another one is missing.
    unknown = "unexpected_keyword_argument"
    first, *_ = sorted(error.errors(include_url=False), key=lambda each: each["type"] != unknown)
    where = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    known = [each.name for kind in (RecordedEpisode, RecordedStep) for each in fields(kind)]
    mend = "eai.acting.record_schema() is the schema of a record"
    if first["type"] == unknown:
        near = nearest(str(first["loc"][-1]), known)
        mend = f"did you mean {' or '.join(map(repr, near))}?" if near else mend
    place = f"the field {where.lstrip('.')!r}" if where else "the record"
    return SchemaError(
        f"{place}: {first['msg'][:1].lower()}{first['msg'][1:]}",
        expected='a recorded episode: {"task": ..., "steps": [{"action": ...}, ...]}',
        mend=mend,
    )


def evaluate_recorded(
    environment: Environment,
    answer: str | None,
    follow: Callable[[RecordedEpisode], Episode],
    *,
    rules: EpisodeRules,
    task: Task,
) -> Result:
    """Evaluate an episode that was recorded.

    A record that cannot be read is nobody's failure: the task is left out of every count, and a
    note says why.

    Args:
        environment: The environment of the task; it is reset.
        answer: The record as JSON (see :class:`RecordedEpisode`); None if there is none.
        follow: Returns what happened in a record, as an episode.
        rules: What the suite says about episodes of the task.
        task: The task.
    """
    if answer is None or rules.excluded:
        return missing_answer(environment, rules=rules, task=task.id)
    try:
        episode = follow(RecordedEpisode.from_json(answer))
    except InputError as error:
        said = " ".join(str(error).split())
        return Result("excluded", notes=(f"not a record: {said}",), groups=rules.groups)
    return evaluate_episode(episode, rules)


def recorded_episode(
    environment: Environment, record: RecordedEpisode, *, rules: EpisodeRules, task: Task
) -> Episode:
    """Return what happened in a record, as an episode.

    Args:
        environment: The environment of the task; it is reset.
        record: The record.
        rules: What the suite says about episodes of the task.
        task: The task.

    Raises:
        UnknownNameError: If a fact names a predicate or an object that the task does not have.
        InputError: If a fact is no atom, or some steps have facts and others have none.
    """
    recorded = [step.facts for step in record.steps]
    if record.start is not None and None not in recorded:
        followed: _Replayed | _Seen = _Seen(task, record, rules)
    else:
        if any(facts is not None for facts in (record.start, *recorded)):
            raise InputError(
                "facts are recorded at some positions only",
                expected="all facts at the start and after every step, or none",
            )
        followed = _Replayed(environment, rules)
    start, begun = followed.begin()
    turns, goal, reached = list[Turn](), begun, begun if begun.reached else None
    differing: list[int] = []
    for number, step in enumerate(record.steps, 1):
        # What was written is read again; of an answer without an action, the answer.
        text = step.text or (f"Action: {step.action}" if step.action else "")
        reply = rules.read(f"Action: {step.action}" if step.action else text)
        result, goal = followed.take(step, reply, number)
        if step.success not in (None, result.success) or followed.differed:
            differing.append(number)
        turns.append(Turn(number, text, reply, result, step.answered or number, goal))
        reached = reached or (goal if goal.reached else None)
    end = str(End.SUCCESS) if reached else record.end
    if reached is None and end in ("", str(End.SUCCESS)):
        end = str(End.NO_MORE_ANSWERS)
    solved = reached is not None
    notes = []
    if differing:
        shown = ", ".join(map(str, differing[:10])) + (" and others" * (len(differing) > 10))
        notes.append(f"steps with another outcome here than in the record: {shown}")
    if followed.unknown:
        shown = ", ".join([*followed.unknown][:5]) + (" and others" * (len(followed.unknown) > 5))
        notes.append(f"facts about objects that the task does not have were left out: {shown}")
    if record.success not in (None, solved):
        notes.append(
            f"the record says that the task was {'' if record.success else 'not '}solved; "
            f"its steps, evaluated here, say that it was {'' if solved else 'not '}solved"
        )
    return Episode(
        record.task or task.id, start, tuple(turns), end, reached or goal, "; ".join(notes), begun
    )


_NOT_DONE = Action("(not done)")
"""An action that no environment knows: it fails, and is counted as a step."""


class _Replayed:
    """The environment of the task, in which the recorded actions are taken again.

    Attributes:
        differed: Whether the last step came out otherwise than the record says, though its result
            is as recorded.
    """

    differed = False
    unknown: Mapping[str, None] = {}  # there are none

    def __init__(self, environment: Environment, rules: EpisodeRules) -> None:
        self._environment = environment
        self._rules = rules
        self._taken: list[Action] = []

    def begin(self) -> tuple[Observation, GoalStatus]:
        """Go to the start, and say how far the goal is reached there."""
        self._now = self._environment.reset()
        self._monitor = self._rules.goal()
        return self._now, self._monitor.update(self._environment, None, None)

    def take(self, step: RecordedStep, reply: Reply, number: int) -> tuple[StepResult, GoalStatus]:
        """Take a step, and say how far the goal is reached after it."""
        del number
        self.differed = False
        if reply.action is None:
            result = StepResult(False, self._now, reply.code, reply.message)
        else:
            result = self._environment.step(reply.action)
            self._taken.append(reply.action)
            if step.success is False and result.success:
                self.differed = True
                # go back to before the last action, which the record says was not done
                self._taken[-1] = _NOT_DONE
                self._environment.reset()
                for action in self._taken:
                    last = self._environment.step(action)
                said = step.feedback or "the record says that it was not done"
                result = StepResult(False, last.observation, step.code or "not_done", said)
            self._now = result.observation
        return result, self._monitor.update(self._environment, reply.action, result)


class _Seen:
    """The facts of the record itself.

    Attributes:
        unknown: Names of objects in the facts that the task does not have.
    """

    differed = False

    def __init__(self, task: Task, record: RecordedEpisode, rules: EpisodeRules) -> None:
        self._task = task
        self._record = record
        self._rules = rules
        self._steps: list[Step] = []
        self._executed: list[str] = []
        self.unknown: dict[str, None] = {}

    def begin(self) -> tuple[Observation, GoalStatus]:
        """Go to the start, and say how far the goal is reached there."""
        self._state = self._start = self._of(self._record.start or ())
        monitor = self._rules.goal()
        self._scored = (
            monitor.status
            if isinstance(monitor, PlanGoal)
            else lambda execution: goal_status(self._task.goal, execution.trajectory)
        )
        return Observation(), self._scored(self._execution)

    def take(self, step: RecordedStep, reply: Reply, number: int) -> tuple[StepResult, GoalStatus]:
        """Take a step, and say how far the goal is reached after it."""
        state = self._of(step.facts or ())
        changes = self._state.changes_to(state)
        self._state = state
        if step.success is not False or changes:
            action = reply.action or Action(step.action or "(nothing)")
            self._steps.append(Step(action, number, changes))
        done = step.success is not False
        self._executed.append("done" if done else "failed")
        code = "" if done else step.code or reply.code or "not_done"
        result = StepResult(done, Observation(), code, "" if done else step.feedback)
        return result, self._scored(self._execution)

    @property
    def _execution(self) -> Execution:
        trajectory = Trajectory(self._task.world, self._start, tuple(self._steps))
        return Execution(trajectory, tuple(self._executed), ())

    def _of(self, facts: Sequence[str]) -> State:
        """The state with some facts; what no action changes is as at the start of the task."""
        start = self._task.start
        domain, stored = start.layout.domain, list[Atom]()
        kept = (atom for atom in start.atoms() if atom.predicate not in domain.fluents)
        for atom in (*kept, *map(read_fact, facts)):
            if atom.predicate not in domain.derived:
                # A simulator has walls and lamps, too.
                strange = [n for n in map(str, atom.terms) if n not in start.universe.index]
                self.unknown |= dict.fromkeys(strange)
                stored += [] if strange else [atom]
        return State.of(start.layout, start.universe, stored)


_FACT = re.compile(r"\s*([^\s(),]+)\s*(?:\(([^()]*)\))?\s*")


def read_fact(text: str) -> Atom:
    """Read an atom that is true, ``"inside(milk.41, fridge.40)"``.

    Raises:
        SchemaError: If the text is none.
    """
    match = _FACT.fullmatch(text)
    if match is None:
        raise SchemaError(
            f"the fact {text!r:.80} is not an atom", expected="predicate(object, ...), as it holds"
        )
    return Atom(match[1], tuple(filter(None, map(str.strip, (match[2] or "").split(",")))))
