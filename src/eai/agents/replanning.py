"""Actions that fail by chance (paper, section H.4).

Every action that is executed has no effect with a fixed probability, independently of the
others. The agent sees that it failed, and the plan ends there: what was planned behind it was
planned for another state. What was reached until then is evaluated like the plan up to that step.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from eai.acting import checked_answer
from eai.agents.agents import FORMS, Agent, Form, Message, agent_of, chat_messages, paper_messages
from eai.agents.oracle import ABILITY, Assignment
from eai.agents.prompts import prompt_for
from eai.contract import Suite, refuse_without, version_of
from eai.diagnosis import GOAL_KINDS, GRAMMAR, UNMET, Finding, Result
from eai.display import preformatted
from eai.errors import InputError, check_name, names_checked
from eai.report import Record, record_to_json
from eai.semantics import Semantics
from eai.task import Task
from eai.text import counted

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Chance:
    """Lets actions fail."""

    def __init__(self, probability: float = 0.0, seed: int = 0) -> None:
        if not 0 <= probability <= 1:
            raise InputError(
                f"a failure probability of {probability}", expected="a number from 0 to 1"
            )
        self.probability = probability
        self.seed = seed

    def evaluate(
        self, assignment: Assignment, answer: str, attempt: int
    ) -> tuple[Result, int | None]:
        """Evaluate an answer whose actions may fail.

        Returns:
            The result, and the number of the step that failed by chance, if one did. That is
            nobody's mistake: it is no finding, and the result's notes say it.
        """
        result = assignment.evaluate(answer)
        if not self.probability or result.status != "evaluated":
            return result, None
        execution = assignment.execution(answer)
        steps = () if execution is None else execution.trajectory.steps
        # A text as seed means the same on every platform.
        dice = random.Random(f"{self.seed}/{assignment.task.id}/{attempt}")  # noqa: S311
        done = list(takewhile(lambda _: dice.random() >= self.probability, steps))
        if len(done) == len(steps):
            return result, None
        # The plan ended before the step that failed.
        failed = steps[len(done)].number
        plans = assignment.suite.plans(assignment.semantics)
        assert plans is not None  # noqa: S101 - there was an execution
        before = plans.evaluate_actions(assignment.task, [step.action for step in done])
        left = len(result.plan) - failed
        cut = replace(
            before,
            success=before.success and not plans.must_execute,
            executable=False,
            plan=result.plan,
            executed=(*result.executed[: failed - 1], "failed", *["not reached"] * left),
            findings=(
                *(f for f in result.findings if f.step is not None and f.step < failed),
                *(f for f in before.findings if f.step is None),
            ),
            notes=(*result.notes, f"step {failed}, {result.plan[failed - 1]}, failed by chance"),
        )
        return cut, failed


Level = Literal["verdict", "kind", "reason"]
"""How much an agent is told."""

LEVELS: tuple[Level, ...] = get_args(Level)
"""All levels, the least telling first."""

_MOST = 12
"""So many findings or conditions are listed; more are counted."""

_GROUPS = {"state": "node", "relation": "edge", "action": "action"}
"""Kind of goal condition to the word that the paper's messages have for it."""


def give_feedback(
    result: Result, level: Level = "reason", *, form: Form = "chat", mishap: str = ""
) -> str:
    """Say what came of an answer.

    Args:
        result: The result.
        level: How much is told.
        form: In which form.
        mishap: The step that failed by chance, as text; empty if none did.

    Raises:
        UnknownNameError: If there is no such level or form.
    """
    check_name("level of feedback", level, LEVELS)
    check_name("form of feedback", form, FORMS)
    if result.success:
        return "The plan solves the task."
    if form == "paper":
        return "\n".join(_paper(result, level, mishap))
    return "\n".join([*_chat(result, level, mishap), _AGAIN])


_AGAIN = "Write the whole plan again, from the start, in the same form."


# ---- in our words


def _chat(result: Result, level: Level, mishap: str) -> Iterator[str]:
    yield "The plan does not solve the task."
    if level == "verdict":
        return
    if mishap:
        yield f"{mishap} had no effect: the action failed by chance, and the plan ended there."
    findings = [each for each in result.findings if each.kind not in UNMET]
    yield from _several([_mistake(each, level) for each in findings], "mistakes")
    unmet = [each for each in result.findings if each.kind in UNMET]
    if not unmet or any(each.kind in GRAMMAR for each in findings):
        return
    if level == "kind":
        numbers = {kind: sum(f.kind.value == f"{kind}_goal" for f in unmet) for kind in GOAL_KINDS}
        counted = ", ".join(f"{number} {kind}" for kind, number in numbers.items() if number)
        yield f"At the end not all goals are met; unmet: {counted}."
        return
    yield "At the end not all goals are met:"
    yield from _several([f"- {each.message}" for each in unmet], "goals")


def _mistake(finding: Finding, level: Level) -> str:
    word = finding.kind.value.replace("_", " ")
    if level == "kind":
        place = "Error" if finding.step is None else f"Step {finding.step}, {finding.action}"
        return f"{place}: {word}; {finding.kind.meaning}."
    # Its message begins with the action where there is one.
    step = "" if finding.step is None else f"Step {finding.step}, "
    return f"{step}{finding.message} ({word})."


def _several(lines: Sequence[str], what: str) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"... and {len(lines) - _MOST} more {what}."


# ---- with the parts of the paper's messages


def _paper(result: Result, level: Level, mishap: str) -> Iterator[str]:
    if level == "verdict":
        yield "This attempt failed."
        return
    if mishap:
        yield f"{mishap} was tried and failed, so the sequence was not executed any further."
        return
    blocking = (
        each for each in result.findings if each.kind not in UNMET and not each.kind.is_harmless
    )
    stopping = None if result.executable else next(blocking, None)
    if stopping is None:
        yield "The sequence can be executed, but does not reach all goals."
        unmet = [goal for goal in result.goals if not goal.met]
        for kind, group in _GROUPS.items() if level != "kind" else ():
            texts = [goal.text for goal in unmet if goal.kind == kind]
            yield f"{group.capitalize()} goals that are not reached: [{'; '.join(texts)}]"
        return
    action = f"The action {stopping.action}" if stopping.action else "The sequence"
    name = stopping.kind.value.replace("_", " ").upper()
    yield f"{action} cannot be executed as part of this sequence; the error is {name}."
    if level == "reason":
        yield f"{name} means: {stopping.kind.meaning}."


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a task.

    Args:
        answer: What the agent wrote.
        feedback: What the agent is told if it may try again; empty if the task is solved.
        failed_by_chance: Number of the step that failed by chance, or None.
    """

    number: int
    answer: str
    result: Result
    feedback: str = ""
    failed_by_chance: int | None = None


@dataclass(frozen=True, slots=True)
class Replanning:
    """All attempts at one task.

    Args:
        semantics: Under which semantics it was evaluated, as reports print it.
        level: How much the agent was told.
        messages: All that was sent and answered; the last message is the last answer.
    """

    suite: str
    version: str
    task: str
    name: str
    semantics: str
    level: Level
    form: Form
    max_attempts: int
    failure_probability: float
    seed: int
    attempts: tuple[Attempt, ...]
    messages: tuple[Message, ...]

    @property
    def success(self) -> bool:
        """Whether the last attempt solves the task."""
        return self.attempts[-1].result.success

    def record(self, model: str = "agent", *, attempt: int | None = None) -> Record:
        """One attempt as a record, for the tables of a report.

        Args:
            model: Whose attempt it was.
            attempt: The last one up to this 1-based number; the last one if None.

        Raises:
            InputError: If the number is not positive.
        """
        if attempt is not None and attempt < 1:
            raise InputError(f"there is no attempt {attempt}", expected="numbers from 1")
        chosen = self.attempts[:attempt][-1]
        setting = (self.suite, self.version, ABILITY, self.semantics)
        return Record(*setting, model, self.task, self.name, chosen.answer, chosen.result)

    def to_json(self, sampling: Mapping[str, object] | None = None) -> str:
        """Return everything as one line of ASCII JSON, without a line break.

        Args:
            sampling: How a model sampled (``{"temperature": 0.7}``).
        """
        kept = {each.name: getattr(self, each.name) for each in fields(self)}
        attempts = []
        for attempt in self.attempts:
            record = json.loads(record_to_json(self.record(attempt=attempt.number)))
            own = {each.name: getattr(attempt, each.name) for each in fields(attempt)}
            attempts.append({**own, "result": record["result"]})
        kept |= {"sampling": dict(sampling)} if sampling else {}
        return json.dumps({**kept, "attempts": attempts})

    def __str__(self) -> str:
        lines = [f"{self.suite} {self.task}: {self.name} ({self.semantics})"]
        for attempt in self.attempts:
            solved = "solved" if attempt.result.success else "not solved"
            lines.append(f"Attempt {attempt.number}: {solved}")
            lines += [f"  {line}" for line in attempt.feedback.split("\n") if line]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return preformatted(str(self))


class ReplanningOptions(TypedDict, total=False):
    """How often an agent may plan, and what it is told; each may be left out."""

    semantics: str | Semantics | None
    """``"official"``, ``"strict"`` or a ready one; by default what the suite prefers."""
    max_attempts: int
    """How many attempts there are, the first included (the paper's "at most 3 times again" is 4);
    by default 3."""
    level: Level
    """How much the agent is told: ``"verdict"``, ``"kind"`` or ``"reason"`` (the default)."""
    form: Form
    """``"chat"`` (the default), or ``"paper"``: everything in one message, as in section H.2."""
    prompt: str | None
    """The first message; by default the prompt that :mod:`eai.agents.prompts` builds."""


class Dialogue:
    """Replanning step by step, for callers that have their own loop.

    Send :attr:`messages`, give the answer to :meth:`submit`, until it is :attr:`finished`.

    Args:
        chance: How actions fail by chance; by default they do not.
        **options: How often the agent may plan, and what it is told.

    Raises:
        UnknownNameError: If a name is not known, or the suite does not evaluate plans.
        InputError: If the suite is none or has no prompts, or ``max_attempts`` is not positive.
        DataMissingError: If the suite's data was not fetched.
    """

    def __init__(
        self,
        suite: str | Suite,
        task: str | Task,
        *,
        chance: Chance | None = None,
        **options: Unpack[ReplanningOptions],
    ) -> None:
        max_attempts = options.get("max_attempts", 3)
        level: Level = options.get("level", "reason")
        form: Form = options.get("form", "chat")
        if max_attempts < 1:
            raise InputError(f"{max_attempts} attempts", expected="a whole number from 1")
        self.assignment = Assignment.of(suite, task, options.get("semantics"))
        refuse_without(self.assignment.suite, ABILITY)
        self.attempts: list[Attempt] = []
        self._most = max_attempts
        self._level = level
        self._form = form
        self._chance = chance or Chance()
        give_feedback(Result("evaluated"), level, form=form)  # refuses unknown names now
        prompt = options.get("prompt")
        if prompt is None:
            prompt = prompt_for(self.assignment.suite, self.assignment.task, ability=ABILITY).prompt
        self._prompt = prompt

    @property
    def messages(self) -> list[Message]:
        """What the agent has to be sent now."""
        return self._sent(self.attempts)

    def _sent(self, attempts: Sequence[Attempt]) -> list[Message]:
        if self._form == "paper":
            plans = (a.result.plan for a in attempts)
            texts = (f"[{', '.join(plan)}]" if plan else "" for plan in plans)
            exchanges = [
                (text or a.answer, a.feedback) for a, text in zip(attempts, texts, strict=True)
            ]
            return paper_messages(self._prompt, exchanges)
        return chat_messages(self._prompt, [(a.answer, a.feedback) for a in attempts])

    @property
    def finished(self) -> bool:
        """Whether the task is solved, does not count, or all attempts are used up."""
        if not self.attempts:
            return False
        last = self.attempts[-1].result
        return last.success or last.status == "excluded" or len(self.attempts) >= self._most

    def submit(self, answer: str) -> Attempt:
        """Evaluate the next answer.

        Raises:
            InputError: If it is not text, or the dialogue is finished.
        """
        if self.finished:
            raise InputError(
                f"the dialogue is finished after {counted(len(self.attempts), 'attempt')}",
                expected="no further answer",
            )
        checked_answer(answer)
        number = len(self.attempts) + 1
        result, failed = self._chance.evaluate(self.assignment, answer, number)
        feedback = ""
        if not result.success:
            mishap = "" if failed is None else f"Step {failed}, {result.plan[failed - 1]},"
            feedback = give_feedback(result, self._level, form=self._form, mishap=mishap)
        attempt = Attempt(number, answer, result, feedback, failed)
        self.attempts.append(attempt)
        return attempt

    @property
    def result(self) -> Replanning:
        """All attempts so far.

        Raises:
            InputError: If there is none.
        """
        if not self.attempts:
            raise InputError("there are no attempts yet", expected="at least one answer")
        last = {"role": "assistant", "content": self.attempts[-1].answer}
        suite, task = self.assignment.suite, self.assignment.task
        return Replanning(
            suite.name,
            version_of(suite, ABILITY),
            task.id,
            task.name,
            str(self.assignment.semantics),
            self._level,
            self._form,
            self._most,
            self._chance.probability,
            self._chance.seed,
            tuple(self.attempts),
            (*self._sent(self.attempts[:-1]), last),
        )


@names_checked
def replan(
    suite: str | Suite,
    task: str | Task,
    agent: Agent | Sequence[str],
    *,
    failure_probability: float = 0.0,
    seed: int = 0,
    **options: Unpack[ReplanningOptions],
) -> Replanning:
    """Let an agent plan until the task is solved, with feedback after every failure.

    Args:
        suite: The suite that evaluates the task, or its name.
        task: The task, or its identifier.
        agent: Anything that can be called with a list of messages (``role`` and ``content``)
            and returns the answer as text, or a list of answers. What it raises is passed on.
        failure_probability: With which probability each action has no effect (section H.4).
        seed: Seed of these failures.
        **options: How often the agent may plan, and what it is told (:class:`ReplanningOptions`).

    Raises:
        UnknownNameError: If a name is not known.
        InputError: If the suite, task or agent is none, the suite has no prompts, an answer is
            no text, or a number is out of its range.
        DataMissingError: If the suite's data was not fetched.
    """
    answers = agent_of(agent)
    chance = Chance(failure_probability, seed)
    dialogue = Dialogue(suite, task, chance=chance, **options)
    while not dialogue.finished:
        dialogue.submit(answers(dialogue.messages))
    return dialogue.result
