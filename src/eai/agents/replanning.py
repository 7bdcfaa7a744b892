"""Actions that fail by chance (paper, section H.4).

Every action that is executed has no effect with a fixed probability, independently of the
others. The agent sees that it failed, and the plan ends there: what was planned behind it was
planned for another state. The episode is evaluated like the plan up to that step.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Literal, TypedDict, get_args

from eai.acting import checked_answer, usage_of
from eai.agents.agents import FORMS, Agent, Form, Message, agent_of, chat_messages, paper_messages
from eai.agents.oracle import ABILITY, Assignment
from eai.agents.prompts import prompt_for
from eai.contract import Suite, refuse_without, version_of, without_trivial
from eai.diagnosis import GOAL_KINDS, GRAMMAR, UNMET, Finding, Result
from eai.display import preformatted
from eai.errors import InputError, check_name, names_checked
from eai.report import Record, record_to_json
from eai.semantics import Semantics
from eai.task import Task
from eai.text import counted
from eai.world import Trajectory

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Chance:
    """Random failures of actions.

    Args:
        probability: Probability that an action has no effect, from 0 to 1.
        seed: Seed of the failures.

    Raises:
        InputError: If the probability is out of its range.
    """

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
        """Return the result of an answer whose actions fail with some probability.

        Returns:
            The result, and the number of the step that failed by chance; None if none did. Such
            a failure is no finding, because the agent made no mistake; a note reports it.
        """
        result = assignment.evaluate(answer)
        if not self.probability or result.status != "evaluated":
            return result, None
        execution = assignment.execution(answer)
        if execution is None:
            return result, None
        steps = execution.trajectory.steps
        # A text as seed means the same on every platform.
        dice = random.Random(f"{self.seed}/{assignment.task.id}/{attempt}")  # noqa: S311
        executed_steps = list(takewhile(lambda _: dice.random() >= self.probability, steps))
        if len(executed_steps) == len(steps):
            return result, None
        failed = steps[len(executed_steps)].number
        trajectory = Trajectory(
            execution.trajectory.world, execution.trajectory.start, executed_steps
        )
        return _result_of_cut_plan(assignment, result, trajectory, failed), failed


def _result_of_cut_plan(
    assignment: Assignment, result: Result, trajectory: Trajectory, failed_step: int
) -> Result:
    """Return the result of a plan that ended at a step which failed at random.

    Args:
        assignment: The task.
        result: The result of the whole plan.
        trajectory: The executed part of the plan.
        failed_step: 1-based number of the step that failed.
    """
    plans = assignment.suite.plans(assignment.semantics)
    assert plans is not None  # noqa: S101 - there was an execution
    executed_actions = [step.action for step in trajectory.steps]
    result_of_executed = plans.evaluate_actions(assignment.task, executed_actions)
    number_not_reached = len(result.plan) - failed_step
    findings = []
    for finding in result.findings:
        if finding.step is not None and finding.step < failed_step:
            findings.append(finding)
    # Findings without a step are about the goal, so they come from the executed steps.
    for finding in result_of_executed.findings:
        if finding.step is None:
            findings.append(finding)
    return replace(
        result_of_executed,
        success=result_of_executed.success and not plans.must_execute,
        rules=assignment.rules.verdicts(trajectory),
        executable=False,
        plan=result.plan,
        executed=(
            *result.executed[: failed_step - 1],
            "failed",
            *["not reached"] * number_not_reached,
        ),
        findings=tuple(findings),
        notes=(
            *result.notes,
            f"step {failed_step}, {result.plan[failed_step - 1]}, failed by chance",
        ),
    )


Level = Literal["verdict", "kind", "reason"]
"""Detail of the feedback."""

LEVELS: tuple[Level, ...] = get_args(Level)
"""All levels, the least detailed first."""

_MAX_LISTED = 12
"""Maximum number of mistakes or goals listed; the others are counted."""

_PAPER_WORDS = {"state": "node", "relation": "edge", "action": "action"}
"""Kind of goal condition to its word in the paper's messages."""


def give_feedback(
    result: Result, level: Level = "reason", *, form: Form = "chat", mishap: str = ""
) -> str:
    """Return the feedback on an answer.

    Args:
        result: The result.
        level: Detail of the feedback.
        form: Form of the messages.
        mishap: The step that failed by chance, as text; empty if none did.

    Raises:
        UnknownNameError: If there is no such level or form.
    """
    check_name("level of feedback", level, LEVELS)
    check_name("form of feedback", form, FORMS)
    if result.is_safe_success:
        return "The plan solves the task."
    broken_rules: list[str] = []
    if level != "verdict":
        broken_rules = list(_broken_rules(result, level))
    if form == "chat":
        return "\n".join([*_chat_lines(result, level, mishap), *broken_rules, _AGAIN])
    lines: list[str] = []
    if not result.success:
        lines = list(_paper_lines(result, level, mishap))
    elif not broken_rules:
        # A rule is broken, but feedback of this level does not say which.
        lines = ["This attempt failed."]
    return "\n".join([*lines, *broken_rules])


def _broken_rules(result: Result, level: Level) -> Iterator[str]:
    """Yield the lines of the feedback on rules that were broken."""
    broken = [rule for rule in result.rules if not rule.kept]
    if level == "kind":
        if broken:
            yield f"Rules that are broken: {len(broken)}."
        return
    for rule in broken:
        yield f"The rule {rule.name!r} is {rule.outcome}."


_AGAIN = "Write the whole plan again, from the start, in the same form."
"""Ends the feedback on a plan."""


# ---- in our words


def _chat_lines(result: Result, level: Level, mishap: str) -> Iterator[str]:
    """Yield the feedback in this package's own words.

    Args:
        result: The result of the attempt.
        level: Detail of the feedback.
        mishap: The step that failed by chance, as text; empty if none did.
    """
    if result.success:
        yield "The plan solves the task, but breaks a rule."
        return
    yield "The plan does not solve the task."
    if level == "verdict":
        return
    if mishap:
        yield f"{mishap} had no effect: the action failed by chance, and the plan ended there."
    mistakes = [finding for finding in result.findings if finding.kind not in UNMET]
    yield from _first_lines([_mistake_sentence(finding, level) for finding in mistakes], "mistakes")
    unmet = [finding for finding in result.findings if finding.kind in UNMET]
    # A plan that cannot be read was not executed, so nothing is known about its goals.
    if not unmet or any(finding.kind in GRAMMAR for finding in mistakes):
        return
    if level == "kind":
        yield f"At the end not all goals are met; unmet: {_unmet_counts(unmet)}."
        return
    yield "At the end not all goals are met:"
    yield from _first_lines([f"- {finding.message}" for finding in unmet], "goals")


def _unmet_counts(unmet: Sequence[Finding]) -> str:
    """Return the number of unmet goals of each kind (``"1 state, 2 relation"``)."""
    texts = []
    for goal_kind in GOAL_KINDS:
        number = sum(finding.kind.value == f"{goal_kind}_goal" for finding in unmet)
        if number:
            texts.append(f"{number} {goal_kind}")
    return ", ".join(texts)


def _mistake_sentence(finding: Finding, level: Level) -> str:
    """Return a sentence about one mistake."""
    word = finding.kind.value.replace("_", " ")
    if level == "kind":
        subject = "Error"
        if finding.step is not None:
            subject = f"Step {finding.step}, {finding.action}"
        return f"{subject}: {word}; {finding.kind.meaning}."
    if finding.step is None:
        return f"{finding.message} ({word})."
    # Its message begins with the action.
    return f"Step {finding.step}, {finding.message} ({word})."


def _first_lines(lines: Sequence[str], noun: str) -> Iterator[str]:
    """Yield the first lines, and one that says how many more there are."""
    yield from lines[:_MAX_LISTED]
    if len(lines) > _MAX_LISTED:
        yield f"... and {len(lines) - _MAX_LISTED} more {noun}."


# ---- with the parts of the paper's messages


def _paper_lines(result: Result, level: Level, mishap: str) -> Iterator[str]:
    """Yield the feedback in the words of the paper (section H.2).

    Args:
        result: The result of the attempt.
        level: Detail of the feedback.
        mishap: The step that failed by chance, as text; empty if none did.
    """
    if level == "verdict":
        yield "This attempt failed."
        return
    if mishap:
        yield f"{mishap} was tried and failed, so the sequence was not executed any further."
        return
    # The paper's message names one error, the one that stopped the plan.
    error = _stopping_error(result)
    if error is None:
        yield "The sequence can be executed, but does not reach all goals."
        if level == "kind":
            return
        unmet = [goal for goal in result.goals if not goal.met]
        for goal_kind, group in _PAPER_WORDS.items():
            texts = [goal.text for goal in unmet if goal.kind == goal_kind]
            yield f"{group.capitalize()} goals that are not reached: [{'; '.join(texts)}]"
        return
    subject = "The sequence"
    if error.action:
        subject = f"The action {error.action}"
    error_name = error.kind.value.replace("_", " ").upper()
    yield f"{subject} cannot be executed as part of this sequence; the error is {error_name}."
    if level == "reason":
        yield f"{error_name} means: {error.kind.meaning}."


def _stopping_error(result: Result) -> Finding | None:
    """Return the error at which a plan stopped, or None if it was fully executed."""
    if result.executable:
        return None
    for finding in result.findings:
        if finding.kind not in UNMET and not finding.kind.is_harmless:
            return finding
    return None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a task.

    Args:
        answer: Text of the agent.
        feedback: Feedback for the next attempt; empty if the task is solved.
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
        suite: Name of the suite.
        version: Version of its tasks.
        task: Identifier of the task.
        name: Name of the task.
        semantics: The semantics of the evaluation, as reports print it.
        level: Detail of the feedback.
        form: Words of the feedback.
        max_attempts: Maximum number of attempts.
        failure_probability: Probability with which an action fails by chance.
        seed: Seed of these failures.
        attempts: The attempts, in order.
        messages: All messages and answers; the last message is the last answer.
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
        """Whether the last attempt solves the task, and breaks no rule."""
        return self.attempts[-1].result.is_safe_success

    def record(self, model: str = "agent", *, attempt: int | None = None) -> Record:
        """Return one attempt as a record, for the tables of a report.

        Its usage is that of all attempts up to it.

        Args:
            model: Name of the agent in the report.
            attempt: 1-based number of the attempt; if there were fewer, or if it is None, the last.

        Raises:
            InputError: If the number is not positive.
        """
        if attempt is not None and attempt < 1:
            raise InputError(f"there is no attempt {attempt}", expected="numbers from 1")
        # [:None] are all; past the end, the last attempt stands for those that were not needed.
        attempts = self.attempts[:attempt]
        setting = (self.suite, self.version, ABILITY, self.semantics)
        answer, result = attempts[-1].answer, attempts[-1].result
        usage = usage_of(attempt.answer for attempt in attempts)
        return Record(*setting, model, self.task, self.name, str(answer), result, usage=usage)

    def to_json(self, sampling: Mapping[str, object] | None = None) -> str:
        """Return everything as one line of ASCII JSON, without a line break.

        Args:
            sampling: Sampling parameters of a model (``{"temperature": 0.7}``).
        """
        content = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        attempts = []
        for attempt in self.attempts:
            values = {entry.name: getattr(attempt, entry.name) for entry in fields(attempt)}
            # As in a record, so that one reader understands both.
            record = json.loads(record_to_json(self.record(attempt=attempt.number)))
            values["result"] = record["result"]
            attempts.append(values)
        content["attempts"] = attempts
        if sampling:
            content["sampling"] = dict(sampling)
        return json.dumps(content)

    def __str__(self) -> str:
        """Return a line for each attempt, with the feedback on it below."""
        lines = [f"{self.suite} {self.task}: {self.name} ({self.semantics})"]
        for attempt in self.attempts:
            verdict = "solved" if attempt.result.success else "not solved"
            if attempt.result.keeps_rules is False:
                verdict += ", rules broken"
            lines.append(f"Attempt {attempt.number}: {verdict}")
            lines += [f"  {line}" for line in attempt.feedback.split("\n") if line]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return preformatted(str(self))


class ReplanningOptions(TypedDict, total=False):
    """Options for replanning: the number of attempts and the kind of feedback."""

    semantics: str | Semantics | None
    """``"official"``, ``"strict"`` or a ready one; by default what the suite prefers."""
    max_attempts: int
    """Maximum number of attempts, the first included (the paper's "at most 3 times again" is 4);
    by default 3."""
    level: Level
    """Detail of the feedback: ``"verdict"``, ``"kind"`` or ``"reason"`` (the default)."""
    form: Form
    """``"chat"`` (the default), or ``"paper"``: everything in one message, as in section H.2."""
    rules: object
    """Rules that a plan has to keep on the way: a file of rules, or a list. An attempt that breaks
    one is followed by another; the feedback names the rule. Our own prompt lists the rules in
    words; a ``prompt`` that is given stays as it is."""
    prompt: str | None
    """The first message; by default the prompt that :mod:`eai.agents.prompts` builds."""


class Dialogue:
    """Replanning step by step, for callers with a loop of their own.

    Send :attr:`messages`, give the answer to :meth:`submit`, until it is :attr:`finished`.

    Args:
        chance: Chance failures of actions; by default there are none.
        **options: How often the agent may plan, and what it is told (:class:`ReplanningOptions`).

    Raises:
        UnknownNameError: If a name is unknown, or the suite does not evaluate plans.
        InputError: If the suite is invalid or has no prompts, or ``max_attempts`` is not positive.
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
        """Prepare the prompt of the first attempt."""
        max_attempts = options.get("max_attempts", 3)
        level: Level = options.get("level", "reason")
        form: Form = options.get("form", "chat")
        if max_attempts < 1:
            raise InputError(f"{max_attempts} attempts", expected="a whole number from 1")
        self.assignment = Assignment.of(suite, task, options.get("semantics"), options.get("rules"))
        refuse_without(self.assignment.suite, ABILITY)
        self.attempts: list[Attempt] = []
        self._max_attempts = max_attempts
        self._level = level
        self._form = form
        self._chance = chance or Chance()
        give_feedback(Result("evaluated"), level, form=form)  # refuses unknown names now
        prompt = options.get("prompt")
        if prompt is None:
            prompt = prompt_for(self.assignment.suite, self.assignment.task, ability=ABILITY).prompt
            rules = self.assignment.rules
            if rules.words:
                prompt += f"\n\nThe plan has to keep these rules on the way:\n{rules.listed}"
        self._prompt = prompt

    @property
    def messages(self) -> list[Message]:
        """Messages to send to the agent next."""
        return self._messages_after(self.attempts)

    def _messages_after(self, attempts: Sequence[Attempt]) -> list[Message]:
        """Return the messages to send after some attempts."""
        if self._form == "chat":
            return chat_messages(
                self._prompt, [(attempt.answer, attempt.feedback) for attempt in attempts]
            )
        exchanges = []
        for attempt in attempts:
            # The paper repeats the plan that was read, not the answer.
            text = attempt.answer
            if attempt.result.plan:
                text = f"[{', '.join(attempt.result.plan)}]"
            exchanges.append((text, attempt.feedback))
        return paper_messages(self._prompt, exchanges)

    @property
    def finished(self) -> bool:
        """Whether the task is solved, does not count, or no attempt is left."""
        if not self.attempts:
            return False
        last = self.attempts[-1].result
        # A task that is left out of the count cannot be solved by trying again.
        if last.is_safe_success or last.status == "excluded":
            return True
        return len(self.attempts) >= self._max_attempts

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
        # Chance depends on the number of the attempt: the same plan may fail the second time only.
        result, failed_step = self._chance.evaluate(self.assignment, answer, number)
        own = self.assignment
        result = without_trivial(result, own.suite, ABILITY, own.task, own.semantics)
        mishap = ""
        if failed_step is not None and result.status != "excluded":
            mishap = f"Step {failed_step}, {result.plan[failed_step - 1]},"
        feedback = ""
        if not result.is_safe_success:
            feedback = give_feedback(result, self._level, form=self._form, mishap=mishap)
        attempt = Attempt(number, answer, result, feedback, failed_step)
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
        suite = self.assignment.suite
        task = self.assignment.task
        # The messages that the agent was sent last, and its last answer, which nobody answered.
        last = {"role": "assistant", "content": self.attempts[-1].answer}
        messages = (*self._messages_after(self.attempts[:-1]), last)
        return Replanning(
            suite.name,
            version_of(suite, ABILITY),
            task.id,
            task.name,
            str(self.assignment.semantics),
            self._level,
            self._form,
            self._max_attempts,
            self._chance.probability,
            self._chance.seed,
            tuple(self.attempts),
            messages,
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
    """Let an agent plan until the task is solved, with feedback after every failed attempt.

    Args:
        suite: The suite that evaluates the task, or its name.
        task: The task, or its identifier.
        agent: Anything that can be called with a list of messages (``role`` and ``content``)
            and returns the answer as text, or a list of answers. Its errors are passed on.
        failure_probability: Probability that an action has no effect (section H.4).
        seed: Seed of these failures.
        **options: How often the agent may plan, and what it is told (:class:`ReplanningOptions`).

    Raises:
        UnknownNameError: If a name is unknown.
        InputError: If the suite, task or agent is invalid, the suite has no prompts, an answer is
            no text, or a number is out of its range.
        DataMissingError: If the suite's data was not fetched.
    """
    answers = agent_of(agent)
    chance = Chance(failure_probability, seed)
    dialogue = Dialogue(suite, task, chance=chance, **options)
    while not dialogue.finished:
        dialogue.submit(answers(dialogue.messages))
    return dialogue.result
