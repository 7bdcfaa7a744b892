"""Planning again after a failure, with feedback (paper, appendix H).

Every attempt is a whole plan and starts from the task's initial state.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields

from eai.agents.assignment import ABILITY, Assignment
from eai.agents.chance import Chance
from eai.agents.feedback import Level, give_feedback
from eai.agents.messages import Agent, Form, Message, chat_messages, paper_messages
from eai.agents.scripted import agent_of
from eai.contract import Suite, refuse_without
from eai.diagnosis.judgement import Judgement
from eai.errors import InputError
from eai.interaction.messages import checked_answer
from eai.prompts import prompt_for
from eai.report.record import Record
from eai.report.records import record_to_json
from eai.semantics import Semantics
from eai.task import Task

__all__ = ["Attempt", "Dialogue", "Replanning", "replan"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a task.

    Args:
        number: 1-based number.
        answer: What the agent wrote.
        judgement: What came of it.
        feedback: What the agent is told if it may try again; empty if the task is solved.
        failed_by_chance: Number of the step that failed by chance, or None.
    """

    number: int
    answer: str
    judgement: Judgement
    feedback: str = ""
    failed_by_chance: int | None = None


@dataclass(frozen=True, slots=True)
class Replanning:
    """All attempts at one task.

    Args:
        suite: Name of the suite.
        version: Version of its tasks.
        task: Identifier of the task.
        name: Category of the task.
        semantics: Under which semantics it was judged, as reports print it.
        level: How much the agent was told.
        form: In which form.
        max_attempts: How many attempts it had.
        failure_probability: With which probability an action failed.
        seed: Seed of the failures.
        attempts: The attempts, in order.
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
        return self.attempts[-1].judgement.success

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
        return Record(
            self.suite,
            self.version,
            ABILITY,
            self.semantics,
            model,
            self.task,
            self.name,
            chosen.answer,
            chosen.judgement,
        )

    def to_json(self) -> str:
        """Return everything as one line of ASCII JSON, without a line break."""
        kept = {each.name: getattr(self, each.name) for each in fields(self)}
        return json.dumps({**kept, "attempts": [self._attempt(each) for each in self.attempts]})

    def _attempt(self, attempt: Attempt) -> dict[str, object]:
        """An attempt, its judgement as in records."""
        kept = {each.name: getattr(attempt, each.name) for each in fields(attempt)}
        record = json.loads(record_to_json(self.record(attempt=attempt.number)))
        return {**kept, "judgement": record["judgement"]}

    def __str__(self) -> str:
        lines = [f"{self.suite} {self.task}: {self.name} ({self.semantics})"]
        for attempt in self.attempts:
            solved = "solved" if attempt.judgement.success else "not solved"
            lines.append(f"Attempt {attempt.number}: {solved}")
            lines += [f"  {line}" for line in attempt.feedback.split("\n") if line]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from eai.display import preformatted

        return preformatted(str(self))


class Dialogue:
    """Replanning step by step, for callers that have their own loop.

    Send :attr:`messages`, give the answer to :meth:`submit`, until it is :attr:`finished`.

    Args:
        task: The task, or its identifier.
        suite: The suite that judges it, or its name.
        semantics: ``"official"``, ``"strict"`` or a ready one; by default what the suite prefers.
        max_attempts: How many attempts there are, the first included.
        level: How much the agent is told (see :mod:`eai.agents.feedback`).
        form: In which form (see :mod:`eai.agents.messages`).
        chance: How actions fail by chance; by default they do not.
        prompt: The first message; by default the prompt that :mod:`eai.prompts` builds.

    Raises:
        UnknownNameError: If a name is not known, or the suite does not judge plans.
        InputError: If the suite is none or has no prompts, or ``max_attempts`` is not positive.
        DataMissingError: If the suite's data was not fetched.
    """

    def __init__(
        self,
        task: str | Task,
        *,
        suite: str | Suite,
        semantics: str | Semantics | None = None,
        max_attempts: int = 3,
        level: Level = "reason",
        form: Form = "chat",
        chance: Chance | None = None,
        prompt: str | None = None,
    ) -> None:
        if max_attempts < 1:
            raise InputError(f"{max_attempts} attempts", expected="a whole number from 1")
        self.assignment = Assignment.of(task, suite, semantics)
        refuse_without(self.assignment.suite, ABILITY)
        self.attempts: list[Attempt] = []
        self._most = max_attempts
        self._level: Level = level
        self._form: Form = form
        self._chance = chance or Chance()
        give_feedback(Judgement("judged"), level, form=form)  # refuses unknown names now
        self._prompt = _prompt(self.assignment) if prompt is None else prompt

    @property
    def messages(self) -> list[Message]:
        """What the agent has to be sent now."""
        return self._sent(self.attempts)

    def _sent(self, attempts: Sequence[Attempt]) -> list[Message]:
        if self._form == "paper":
            return paper_messages(self._prompt, [(_plan(a), a.feedback) for a in attempts])
        return chat_messages(self._prompt, [(a.answer, a.feedback) for a in attempts])

    @property
    def finished(self) -> bool:
        """Whether the task is solved, does not count, or all attempts are used up."""
        if not self.attempts:
            return False
        last = self.attempts[-1].judgement
        return last.success or last.status == "excluded" or len(self.attempts) >= self._most

    def submit(self, answer: str) -> Attempt:
        """Judge the next answer.

        Raises:
            InputError: If it is not text, or the dialogue is finished.
        """
        if self.finished:
            raise InputError(
                f"the dialogue is finished after {len(self.attempts)} attempts",
                expected="no answer any more",
            )
        checked_answer(answer)
        number = len(self.attempts) + 1
        judgement, failed = self._chance.judge(self.assignment, answer, number)
        feedback = ""
        if not judgement.success:
            mishap = "" if failed is None else f"Step {failed}, {judgement.plan[failed - 1]},"
            feedback = give_feedback(judgement, self._level, form=self._form, mishap=mishap)
        attempt = Attempt(number, answer, judgement, feedback, failed)
        self.attempts.append(attempt)
        return attempt

    @property
    def result(self) -> Replanning:
        """All attempts so far.

        Raises:
            InputError: If there is none.
        """
        if not self.attempts:
            raise InputError("there is no attempt yet", expected="at least one answer")
        last = {"role": "assistant", "content": self.attempts[-1].answer}
        suite, task = self.assignment.suite, self.assignment.task
        return Replanning(
            suite.name,
            suite.version,
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


def _prompt(assignment: Assignment) -> str:
    return prompt_for(assignment.suite, assignment.task, ability=ABILITY).prompt


def _plan(attempt: Attempt) -> str:
    plan = attempt.judgement.plan
    return f"[{', '.join(plan)}]" if plan else attempt.answer


def replan(
    task: str | Task,
    agent: Agent | Sequence[str],
    *,
    suite: str | Suite,
    semantics: str | Semantics | None = None,
    max_attempts: int = 3,
    level: Level = "reason",
    form: Form = "chat",
    failure_probability: float = 0.0,
    seed: int = 0,
    prompt: str | None = None,
) -> Replanning:
    """Let an agent plan until the task is solved, with feedback after every failure.

    Args:
        task: The task, or its identifier.
        agent: Anything that can be called with a list of messages (``role`` and ``content``)
            and returns the answer as text, or a list of answers. What it raises is passed on.
        suite: The suite that judges the task, or its name.
        semantics: ``"official"``, ``"strict"`` or a ready one; by default what the suite prefers.
        max_attempts: How many attempts there are, the first included (the paper's "at most 3
            times again" is 4).
        level: How much the agent is told: ``"verdict"``, ``"kind"`` or ``"reason"``.
        form: ``"chat"``, or ``"paper"``: everything in one message, as in section H.2.
        failure_probability: With which probability each action has no effect (section H.4).
        seed: Seed of these failures.
        prompt: The first message; by default the prompt that :mod:`eai.prompts` builds.

    Raises:
        UnknownNameError: If a name is not known.
        InputError: If the suite, task or agent is none, the suite has no prompts, an answer is
            no text, or a number is out of its range.
        DataMissingError: If the suite's data was not fetched.
    """
    answers = agent_of(agent)
    dialogue = Dialogue(
        task,
        suite=suite,
        semantics=semantics,
        max_attempts=max_attempts,
        level=level,
        form=form,
        chance=Chance(failure_probability, seed),
        prompt=prompt,
    )
    while not dialogue.finished:
        dialogue.submit(answers(dialogue.messages))
    return dialogue.result
