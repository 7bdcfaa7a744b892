"""Episodes that were recorded elsewhere: their form, and their evaluation.

A record has the actions and, as far as the recorder knew them, their outcomes. It is evaluated
like an episode that is acted in here:

* If a record has the facts at the start and after every step, the goal is evaluated on these:
  nothing is simulated.
* Otherwise its actions are taken again in the environment of the task. An action that failed
  according to the record fails here, too; one that succeeded there, and is refused here, stays
  refused. A note names the steps with another outcome.

The goal counts as reached when it is reached for the first time, as in an episode that is acted in
here, which would end there; later steps are kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from eai.acting.episode import End, Episode, Turn
from eai.acting.replies import Reply
from eai.acting.tasks import PlanGoal
from eai.acting.turns import EpisodeRules, evaluate_episode, missing_answer
from eai.diagnosis import GoalStatus, Result, goal_status
from eai.errors import InputError, SchemaError, did_you_mean, nearest
from eai.logic import Atom
from eai.nesting import load_json
from eai.simulators import Environment, Execution, Observation, StepResult
from eai.task import Task
from eai.text import field_path
from eai.world import Action, State, Step, Trajectory

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One step of a recorded episode.

    Args:
        action: The action as the suite's agents write it, ``"PICKUP Mug"``; empty if none could be
            read out of the answer.
        success: Whether it succeeded; None if the record does not say it.
        feedback: Feedback that the agent was given.
        code: Reason why it failed, as a code of the recorder.
        facts: All atoms that are true after it, each as ``"inside(milk.41, fridge.40)"``; None if
            they were not recorded.
        source: Source of the action, in the recorder's words (``"model"``, ``"random"``).
        answered: 1-based number of the answer that it came from; 0 if that is not known.
        text: The answer as the model wrote it.
        time: Time of its end, in seconds since the start; None if that is not known.
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
        end: Reason why it ended, in the recorder's words.
        model: Name of the model that acted.
        recorder: Name of the recorder, with its version.
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
        """Return the record as one line of ASCII JSON, without empty fields."""
        value = _without_defaults(asdict(self), RecordedEpisode)
        value["steps"] = [_without_defaults(asdict(step), RecordedStep) for step in self.steps]
        return json.dumps(value)

    @classmethod
    def from_json(cls, text: str) -> RecordedEpisode:
        """Return the record in a JSON text, or in states of a simulator (:func:`read_states`).

        Raises:
            SchemaError: If the text is none; the message names the field.
        """
        from pydantic import ValidationError

        # Only a text that may be the states of a simulator is decoded twice: records are large.
        value = None
        if '"states"' in text:
            with suppress(ValueError):
                value = load_json(text)
        # A record may have metadata called "states": its steps say that it is one.
        if isinstance(value, dict) and "states" in value and "steps" not in value:
            return read_states(text)
        try:
            record: RecordedEpisode = _adapter().validate_json(text)
        except ValidationError as error:
            raise _schema_error(error) from None
        return record

    @classmethod
    def of(cls, episode: Episode, *, model: str = "", recorder: str = "") -> RecordedEpisode:
        """Return the record of an episode."""
        steps = []
        for turn in episode.turns:
            # Of an empty answer nothing was written, whatever the suite's reader made of it.
            action = ""
            if turn.answer.strip():
                action = turn.reply.written
            step = RecordedStep(
                action,
                turn.success,
                turn.result.message,
                turn.code,
                answered=turn.answered,
                text=turn.answer,
            )
            steps.append(step)
        return cls(
            episode.task,
            tuple(steps),
            success=episode.success,
            end=str(episode.end),
            model=model,
            recorder=recorder,
        )


def read_states(text: str) -> RecordedEpisode:
    """Return the record in a simulator's predicate states.

    Args:
        text: JSON: ``{"task": ..., "states": [{"time": 0.0, "true": [...], "action": ...}, ...]}``.
            The first state is the start. Every other state may have the action that led to it.
            An atom is ``"inside(milk, fridge)"``, ``"(inside milk fridge)"`` or ``["inside",
            "milk", "fridge"]``. If objects have other names than in the task, ``"names"`` maps them
            to those of the task (``{"milk.n.01_1": "milk.41"}``).

    Raises:
        SchemaError: If the text has another form; the message names the error.
    """
    try:
        value = load_json(text)
        task_names = value.get("names", {})
        # The first state is the start: no action led to it.
        first_state, *later_states = value["states"]
        start = tuple(_normalise_fact(atom, task_names) for atom in first_state["true"])
        steps = []
        for state in later_states:
            facts = tuple(_normalise_fact(atom, task_names) for atom in state["true"])
            action = str(state.get("action") or "")
            steps.append(RecordedStep(action, facts=facts, time=state.get("time")))
        task = str(value.get("task", ""))
        model = str(value.get("model", ""))
        recorder = str(value.get("recorder", ""))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SchemaError(
            f"these are not recorded states: {type(error).__name__}: {error}",
            expected='{"task": ..., "states": [{"true": ["inside(milk, fridge)"]}, ...]}, at least '
            "one state",
        ) from None
    return RecordedEpisode(task, tuple(steps), start, model=model, recorder=recorder)


def _normalise_fact(atom: object, names: Mapping[str, str]) -> str:
    """Return an atom in any accepted form as text with the task's names.

    Args:
        atom: ``"inside(milk, fridge)"``, ``"(inside milk fridge)"`` or a list of words.
        names: Name of an object in the record to its name in the task.
    """
    if isinstance(atom, str) and atom.startswith("("):
        predicate, *objects = atom.strip("() ").split()
    elif isinstance(atom, str):
        fact = read_fact(atom)
        predicate = fact.predicate
        objects = [str(term) for term in fact.terms]
    elif isinstance(atom, list) and atom and all(isinstance(word, str) for word in atom):
        predicate, *objects = atom
    else:
        raise TypeError(f"{atom!r:.60} is not an atom")
    renamed = [names.get(name, name) for name in objects]
    return f"{predicate}({', '.join(renamed)})"


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema of :class:`RecordedEpisode`."""
    return _adapter().json_schema()


@cache
def _adapter() -> TypeAdapter[RecordedEpisode]:
    """Return pydantic's adapter of records, which is imported late."""
    from pydantic import TypeAdapter

    return TypeAdapter(RecordedEpisode)


def _without_defaults(value: dict[str, Any], record_class: type[Any]) -> dict[str, Any]:
    """Return the fields of a dataclass without empty and default values."""
    defaults = {entry.name: entry.default for entry in fields(record_class)}

    shorter = {}
    for name, content in value.items():
        if content != defaults[name] and content not in ({}, []):
            shorter[name] = content
    return shorter


def _schema_error(error: Any) -> SchemaError:  # noqa: ANN401  # pydantic is imported late
    """Return the error for one mistake in a record, preferably an unknown name."""
    unknown = "unexpected_keyword_argument"
    # An unknown name explains best that another one is missing.
    first, *_ = sorted(error.errors(include_url=False), key=lambda entry: entry["type"] != unknown)
    hint = "eai.acting.record_schema() is the schema of a record"
    if first["type"] == unknown:
        names = [entry.name for entry in (*fields(RecordedEpisode), *fields(RecordedStep))]
        close = nearest(str(first["loc"][-1]), names)
        if close:
            hint = did_you_mean(close)
    subject = "the record"
    if first["loc"]:
        subject = f"the field {field_path(first['loc'])!r}"
    problem = first["msg"]
    return SchemaError(
        f"{subject}: {problem[:1].lower()}{problem[1:]}",
        expected='a recorded episode: {"task": ..., "steps": [{"action": ...}, ...]}',
        mend=hint,
    )


def evaluate_recorded(
    environment: Environment,
    answer: str | None,
    follow: Callable[[RecordedEpisode], Episode],
    *,
    rules: EpisodeRules,
    task: Task,
) -> Result:
    """Return the result of a recorded episode.

    A record that cannot be read is no failure of the agent: the task is excluded from all counts,
    and a note says why.

    Args:
        environment: The environment of the task; it is reset.
        answer: The record as JSON (see :class:`RecordedEpisode`); None if there is none.
        follow: Returns the episode of a record.
        rules: The suite's rules for episodes of the task.
        task: The task.
    """
    if answer is None or rules.excluded:
        return missing_answer(environment, rules=rules, task=task.id)
    try:
        episode = follow(RecordedEpisode.from_json(answer))
    except InputError as error:
        message = " ".join(str(error).split())
        return Result("excluded", notes=(f"not a record: {message}",), groups=rules.groups)
    return evaluate_episode(episode, rules)


def recorded_episode(
    environment: Environment, record: RecordedEpisode, *, rules: EpisodeRules, task: Task
) -> Episode:
    """Return a recorded episode with its goal status at each turn.

    Args:
        environment: The environment of the task; it is reset.
        record: The record.
        rules: The suite's rules for episodes of the task.
        task: The task.

    Raises:
        UnknownNameError: If a fact names a predicate or an object that the task does not have.
        InputError: If a fact is not an atom, or some steps have facts and others have none.
    """
    follower = _follower_of(environment, record, rules, task)
    first_observation, goal_at_start = follower.begin()
    statuses = [goal_at_start]
    turns: list[Turn] = []
    differing_steps: list[int] = []
    for step_number, step in enumerate(record.steps, 1):
        text, reply = _read_step(step, rules)
        result, goal_status = follower.take(step, reply, step_number)
        # The record and the world here disagree about the step. A note reports it.
        if step.success not in (None, result.success) or follower.differed:
            differing_steps.append(step_number)
        turns.append(
            Turn(step_number, text, reply, result, step.answered or step_number, goal_status)
        )
        statuses.append(goal_status)
    # The goal counts as reached even if it is undone later.
    first_reached_status = next((status for status in statuses if status.reached), None)
    is_solved = first_reached_status is not None
    end = _end_of_record(record, is_solved=is_solved)
    notes = _notes(record, differing_steps, [*follower.unknown], is_solved=is_solved)
    return Episode(
        record.task or task.id,
        first_observation,
        tuple(turns),
        end,
        first_reached_status or statuses[-1],
        "; ".join(notes),
        goal_at_start,
    )


def _read_step(step: RecordedStep, rules: EpisodeRules) -> tuple[str, Reply]:
    """Return the text of a recorded step, and the text as the suite reads it.

    The recorded action counts, read as the suite reads actions. Only a step without one is read
    from the whole answer.
    """
    if not step.action:
        return step.text, rules.read(step.text)
    action_line = f"Action: {step.action}"
    return step.text or action_line, rules.read(action_line)


def _end_of_record(record: RecordedEpisode, *, is_solved: bool) -> str:
    """Return the recorded reason of an episode's end, corrected by the evaluated goal."""
    if is_solved:
        return str(End.SUCCESS)
    # Without a success here, the episode continued until its recorded answers were used up.
    if record.end in ("", str(End.SUCCESS)):
        return str(End.NO_MORE_ANSWERS)
    return record.end


def _follower_of(
    environment: Environment, record: RecordedEpisode, rules: EpisodeRules, task: Task
) -> _Replayed | _FactsFollower:
    """Return an object that follows a record, by its facts if complete, or by its actions.

    Args:
        environment: The environment of the task.
        record: The record.
        rules: The suite's rules for episodes of the task.
        task: The task.

    Raises:
        InputError: If some steps have facts and others have none.
    """
    facts = [record.start, *(step.facts for step in record.steps)]
    if None not in facts:
        return _FactsFollower(task, record, rules)
    if any(at_position is not None for at_position in facts):
        raise InputError(
            "facts are recorded at some positions only",
            expected="all facts at the start and after every step, or none",
        )
    return _Replayed(environment, rules)


def _notes(
    record: RecordedEpisode,
    differing: Sequence[int],
    unknown: Sequence[str],
    *,
    is_solved: bool,
) -> Iterator[str]:
    """Yield notes on differences between a record and its evaluation.

    Args:
        record: The record.
        differing: Numbers of steps with another outcome.
        unknown: Names of objects that the task does not have.
        is_solved: Whether the task is solved according to the evaluation.
    """
    if differing:
        step_numbers = _listed(list(map(str, differing)), 10)
        yield f"steps with another outcome here than in the record: {step_numbers}"
    if unknown:
        names = _listed(unknown, 5)
        yield f"facts about objects that the task does not have were left out: {names}"
    if record.success not in (None, is_solved):
        recorded = "solved" if record.success else "not solved"
        evaluated = "solved" if is_solved else "not solved"
        yield (
            f"the record says that the task was {recorded}; "
            f"its steps, evaluated here, say that it was {evaluated}"
        )


def _listed(names: Sequence[str], limit: int) -> str:
    """Return the first names, and whether there are others."""
    text = ", ".join(names[:limit])
    return f"{text} and others" if len(names) > limit else text


_NOT_DONE = Action("(not done)")
"""An action that no environment knows: it fails, and is counted as a step."""


class _Replayed:
    """Follows a record by repeating its actions in the task's environment.

    Attributes:
        differed: Whether the last step had another outcome than the record says. Its result is as
            recorded nevertheless.
        unknown: Names of unknown objects: there are none without facts.
    """

    differed = False
    unknown: Mapping[str, None] = {}

    def __init__(self, environment: Environment, rules: EpisodeRules) -> None:
        self._environment = environment
        self._rules = rules
        self._taken: list[Action] = []

    def begin(self) -> tuple[Observation, GoalStatus]:
        """Reset the environment; return the observation and the status of the goal."""
        self._now = self._environment.reset()
        self._monitor = self._rules.goal()
        return self._now, self._monitor.update(self._environment, None, None)

    def take(self, step: RecordedStep, reply: Reply, number: int) -> tuple[StepResult, GoalStatus]:
        """Repeat a step, and return its result and the status of the goal.

        Args:
            step: The recorded step.
            reply: The action that it names, as the suite reads it.
            number: 1-based number of the step; not used.
        """
        del number
        self.differed = False
        if reply.action is None:
            result = StepResult(False, self._now, reply.code, reply.message)
        else:
            result = self._environment.step(reply.action)
            self._taken.append(reply.action)
            # The simulator refused the step for a reason that is not in the world here. The steps
            # that follow were recorded without its effects.
            if step.success is False and result.success:
                self.differed = True
                result = self._undo_last(step)
            self._now = result.observation
        return result, self._monitor.update(self._environment, reply.action, result)

    def _undo_last(self, step: RecordedStep) -> StepResult:
        """Undo the last action, which failed in the record, and return the failed result.

        Environments cannot go back, so everything before it is done again: undoing costs as much
        as the whole episode so far.
        """
        self._taken[-1] = _NOT_DONE
        self._environment.reset()
        for action in self._taken:
            last = self._environment.step(action)
        message = step.feedback or "the record says that it was not done"
        return StepResult(False, last.observation, step.code or "not_done", message)


class _FactsFollower:
    """Follows a record by the facts in it.

    Args:
        task: The task.
        record: The record, all of whose steps have facts.
        rules: The suite's rules for episodes of the task.

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
        """Reset to the start, and return an empty observation and the goal status."""
        self._state = self._start = self._state_with(self._record.start or ())
        monitor = self._rules.goal()
        self._plan_goal = monitor if isinstance(monitor, PlanGoal) else None
        return Observation(), self._status()

    def take(self, step: RecordedStep, reply: Reply, number: int) -> tuple[StepResult, GoalStatus]:
        """Take a step whose outcome is given by its recorded facts.

        Args:
            step: The recorded step.
            reply: The action that it names, as the suite reads it.
            number: 1-based number of the step.

        Returns:
            The result of the step, and the status of the goal after it.
        """
        state = self._state_with(step.facts or ())
        changes = self._state.changes_to(state)
        self._state = state
        is_done = step.success is not False  # None: the record does not say that it failed
        # Even a failed step may have effects. It is then a part of the trajectory.
        if is_done or changes:
            action = reply.action or Action(step.action or "(nothing)")
            self._steps.append(Step(action, number, changes))
        self._executed.append("done" if is_done else "failed")
        if is_done:
            result = StepResult(True, Observation(), "", "")
        else:
            code = step.code or reply.code or "not_done"
            result = StepResult(False, Observation(), code, step.feedback)
        return result, self._status()

    def _status(self) -> GoalStatus:
        """Return the goal status after the steps so far."""
        trajectory = Trajectory(self._task.world, self._start, tuple(self._steps))
        if self._plan_goal is None:
            return goal_status(self._task.goal, trajectory)
        return self._plan_goal.status(Execution(trajectory, tuple(self._executed), ()))

    def _state_with(self, facts: Sequence[str]) -> State:
        """Return the state with some facts, and with the task's static facts."""
        # Simulators also record derived facts. These are left out below, because the world derives
        # them itself.
        start = self._task.start
        domain = start.layout.domain
        # Simulators do not record static facts, such as which objects can be opened.
        candidate_atoms = [atom for atom in start.atoms() if atom.predicate not in domain.fluents]
        candidate_atoms += [read_fact(fact) for fact in facts]
        state_atoms: list[Atom] = []
        for atom in candidate_atoms:
            if atom.predicate in domain.derived:
                continue
            # A simulator also has walls and lamps, which are not in the task.
            object_names = [str(term) for term in atom.terms]
            unknown_names = [name for name in object_names if name not in start.universe.index]
            if unknown_names:
                self.unknown.update(dict.fromkeys(unknown_names))
            else:
                state_atoms.append(atom)
        return State.of(start.layout, start.universe, state_atoms)


_FACT = re.compile(r"\s*([^\s(),]+)\s*(?:\(([^()]*)\))?\s*")
"""A fact as text: ``inside(milk.41, fridge.40)``; without arguments also ``night``."""


def read_fact(text: str) -> Atom:
    """Return the atom of a text.

    Raises:
        SchemaError: If the text is not an atom.

    >>> print(read_fact("inside(milk.41, fridge.40)").terms)
    ('milk.41', 'fridge.40')
    """
    match = _FACT.fullmatch(text)
    if match is None:
        raise SchemaError(
            f"the fact {text!r:.80} is not an atom", expected="predicate(object, ...), as it holds"
        )
    terms = [term.strip() for term in (match[2] or "").split(",")]
    return Atom(match[1], tuple(filter(None, terms)))
