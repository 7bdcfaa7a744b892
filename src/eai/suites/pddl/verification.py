"""Answers to PlanBench's questions about a given plan: is it valid, and what holds after it.

The right answer is never read from a file: the plan of the question is run. Verification is right
if the answer says "valid" or "invalid" as the plan is, which is the share that PlanBench prints
first; whether the kind of the reason, and the reason, are right is counted beside it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from eai.diagnosis import ErrorKind, Finding, Measure, Result
from eai.logic import Atom, Formula, conjuncts
from eai.pddl import Domain
from eai.report import Score, Tally, View, by_group
from eai.semantics import Semantics
from eai.suites.pddl.planbench import VERIFICATION, PlanQuestion
from eai.suites.pddl.plans import state_after, step_text
from eai.suites.pddl.published import PublishedFacts, with_remarks
from eai.suites.pddl.tasks import PddlTask
from eai.table import Column, Table
from eai.task import Task
from eai.world import Action, State, World

GOAL, PRECONDITION = "goal", "precondition"
"""Kinds of reason why a plan is invalid."""
_SHARES = {"kind_of_reason": "Kind of reason", "reason": "Reason"}
"""Scores beside the verdict on a plan, with their headings."""

_NOT_DOABLE = "a step of the plan that is asked about cannot be done"
_NEXT_TASK = re.compile(r"\[STATEMENT\]")
"""Behind it a model goes on with a task of its own."""
# How an answer says whether the plan is valid: "the plan is not valid", "invalid".
_VERDICT = re.compile(
    r"\bplan\s+(?:itself\s+)?(?:is|was)\s+(?P<not>not\s+)?(?:a\s+|an\s+)?(?P<in>in-?)?valid\b"
    r"|^\W*(?P<bare_in>in)?valid\b",
    re.IGNORECASE | re.MULTILINE,
)
_UNMET_PRECONDITION = re.compile(r"unmet\s+preconditions?", re.IGNORECASE)
_UNMET_GOAL = re.compile(r"unmet\s+goal|goal\s+conditions?\s+(?:is|are)\s+unmet", re.IGNORECASE)
# The step that a reason names: "at step 3".
_AT_STEP = re.compile(r"(?:(?<!\s)\s+|\b)(?:at|in) step (\d+)[,:]?", re.IGNORECASE)
_RESULT = re.compile(r"\[RESULTING STATE\]", re.IGNORECASE)


class Verification(NamedTuple):
    """A claim about a plan: that it is valid, or why it is not.

    Args:
        valid: Whether it is valid.
        kind: Why it is not: :data:`GOAL` or :data:`PRECONDITION`; empty if nothing is said.
        action: The action whose preconditions do not hold.
        unmet: The preconditions that do not hold.
    """

    valid: bool
    kind: str = ""
    action: Action | None = None
    unmet: Collection[Atom] = ()

    def __str__(self) -> str:
        if self.valid:
            return "the plan is valid"
        unmet = " and ".join(map(_write_fact, self.unmet))
        if self.kind == GOAL:
            return f"the plan is invalid: at its end {unmet} does not hold"
        return f"the plan is invalid: {unmet} does not hold before {step_text(self.action or '')}"


@dataclass(frozen=True)
class AskedPlan:
    """A plan about which a question is asked.

    Args:
        task: The task that it is for.
        question: The plan, and how facts are worded.
    """

    task: PddlTask
    question: PlanQuestion

    @property
    def final(self) -> State | None:
        """The state after the plan; None if a step of it cannot be done."""
        return state_after(self.task.world, self.task.start, self.question.steps)

    def verification(self) -> Verification:
        """Execute the plan and return the correct claim about it.

        An invalid plan has one reason: the first step that fails, or else the missed goal.
        """
        world, state = self.task.world, self.task.start
        for step in self.question.steps:
            next_state = state_after(world, state, [step])
            if next_state is None:
                precondition = _precondition_of(step, world.domain)
                unmet = _unmet_literals(precondition, world, state)
                return Verification(False, PRECONDITION, step, _atoms(unmet))
            state = next_state
        unmet = _unmet_literals(self.task.problem.goal, world, state)
        if unmet:
            return Verification(False, GOAL, None, _atoms(unmet))
        return Verification(True)

    def read(self, answer: str) -> Verification | None:
        """Return the claim in an answer, or None if it does not say whether the plan is valid."""
        # Models that go on writing make up a next task and solve it: only the first part counts.
        text = _NEXT_TASK.split(answer, maxsplit=1)[0]
        verdict = _VERDICT.search(text)
        if verdict is None:
            return None
        # "is not valid", "is invalid", or "Invalid" at the beginning of a line.
        denied = verdict["not"] or verdict["in"] or verdict["bare_in"]
        if not denied:
            return Verification(True)
        return self._reason(text[verdict.end() :])

    def _reason(self, text: str) -> Verification:
        """Return the first reason that an answer gives, which is the one that counts."""
        goal, precondition = _UNMET_GOAL.search(text), _UNMET_PRECONDITION.search(text)
        if goal is not None and (precondition is None or goal.start() < precondition.start()):
            return Verification(False, GOAL, None, self._facts(text[goal.end() :]))
        if precondition is None:
            return Verification(False)  # invalid, without a reason
        # The text behind an unmet goal is not about the precondition.
        end = len(text) if goal is None else goal.start()
        return self._precondition(text[precondition.start() : end].splitlines()[1:])

    def _precondition(self, lines: Iterable[str]) -> Verification:
        """Return the claim about a step that is not applicable and its missing facts.

        Args:
            lines: The lines of an answer: a step, and behind it the facts that it lacks. If other
                steps follow with facts of their own, these are left out.
        """
        first_step: Action | None = None
        fact_lines: list[str] = []
        for line in lines:
            step = self._step(line)
            if step is None:
                fact_lines.append(line)
                continue
            begins_another_claim = first_step is not None and fact_lines
            if begins_another_claim:
                break
            # If several steps are named before any fact, the first one is meant.
            first_step = first_step or step
        facts = self._facts("\n".join(_about_first_step(fact_lines)))
        return Verification(False, PRECONDITION, first_step, facts)

    def _step(self, line: str) -> Action | None:
        """Return the step on a line, or None if there is none."""
        reader = self.task.vocabulary.reader
        # A line that states a fact names no step, even if it could be read as one.
        if reader is None or not line.strip() or self._facts(line):
            return None
        steps = reader(_AT_STEP.sub("", line)).steps
        if not steps:
            return None
        return Action(steps[0].name, tuple(steps[0].arguments))

    def _facts(self, text: str) -> tuple[Atom, ...]:
        """Read the facts that a text tells."""
        return self.question.words.read(text).facts

    def state(self, answer: str) -> tuple[Atom, ...]:
        """Read the facts that an answer says hold after the plan."""
        text = _NEXT_TASK.split(answer, maxsplit=1)[0]
        return self._facts(_RESULT.split(text)[-1])


def _precondition_of(step: Action, domain: Domain) -> Formula:
    """Return the precondition of a ground action."""
    operator = domain.operators[step.name]
    names = [parameter.name for parameter in operator.parameters]
    return operator.precondition.substitute(dict(zip(names, step.arguments, strict=True)))


def _unmet_literals(condition: Formula, world: World, state: State) -> list[Formula]:
    """Return the literals of a conjunction that do not hold in a state."""
    return [literal for literal in conjuncts(condition) if not world.holds(state, literal)]


def _about_first_step(lines: Iterable[str]) -> list[str]:
    """Return the lines about the first step named, without its number.

    Lines without a number are about it, too; lines with the number of another step are left out.
    """
    lines_of_step: list[str] = []
    first_number = ""
    for line in lines:
        numbers = _AT_STEP.findall(line)
        if numbers:
            first_number = first_number or numbers[0]
            if numbers[0] != first_number:
                continue
        lines_of_step.append(_AT_STEP.sub("", line))
    return lines_of_step


def _atoms(formulas: Iterable[Formula]) -> tuple[Atom, ...]:
    """Return those of some formulas that are atoms."""
    return tuple(formula for formula in formulas if isinstance(formula, Atom))


def _write_fact(fact: Atom) -> str:
    """Return a fact as PDDL writes it: ``(on a b)``."""
    return f"({' '.join((fact.predicate, *map(str, fact.terms)))})"


def _list_facts(facts: Iterable[Atom]) -> str:
    """Return facts as text, in a fixed order."""
    return " ".join(sorted(map(_write_fact, facts)))


def evaluate(ability: str, task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to a question about a plan. None stands for a missing answer.

    Args:
        ability: :data:`~eai.suites.pddl.planbench.VERIFICATION` or ``EXECUTION``.
        task: The task.
        answer: The model's answer.
        semantics: Which quirks are on.
    """
    assert isinstance(task, PddlTask)  # noqa: S101 - the suite has no others
    question = task.metadata.get("plan_question")
    if not isinstance(question, PlanQuestion) or question.ability != ability:
        return Result("excluded", notes=(f"the task asks no question of the ability {ability}",))
    shares = _SHARES if ability == VERIFICATION else {}
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,), measures=_measures(dict.fromkeys(shares, 0)))
    asked = AskedPlan(task, question)
    if ability == VERIFICATION:
        result = _evaluate_verification(asked, answer, semantics)
    elif "facts_by_parts" in semantics and question.published is not None:
        result = _evaluate_as_published(asked, question.published, answer)
    else:
        result = _evaluate_execution(asked, answer)
    return with_remarks(result, task.metadata, answer)


def prompt(task: Task) -> str | None:
    """Return the question as it was published; None if the task asks none."""
    return str(task.metadata["query"]) if "plan_question" in task.metadata else None


def _evaluate_verification(asked: AskedPlan, answer: str, semantics: Semantics) -> Result:
    """Compare the claimed verdict, kind of reason and full reason with the right ones.

    Args:
        asked: The plan that is asked about.
        answer: The answer.
        semantics: The semantics.
    """
    reading = asked.read(answer)
    if reading is None:
        problem = "the answer does not say whether the plan is valid"
        return _unread(problem, _measures(dict.fromkeys(_SHARES, 0)))
    expected = asked.verification()
    # The kind counts only with the right verdict, and the full reason only with the right kind.
    is_verdict_right = reading.valid is expected.valid
    is_kind_right = is_verdict_right and reading.kind == expected.kind
    is_action_right = is_kind_right and reading.action == expected.action
    is_reason_right = is_action_right and _same_facts(reading, expected, semantics)
    notes: tuple[str, ...] = ()
    if not is_reason_right:
        notes = (f"{expected}; said: {reading}",)
    shares = {"kind_of_reason": is_kind_right, "reason": is_reason_right}
    return _grade(is_verdict_right, notes, _measures(shares))


def _same_facts(reading: Verification, right: Verification, semantics: Semantics) -> bool:
    """Return whether the facts that are claimed to be unmet are exactly the unmet ones."""
    if right.valid:
        return True
    unmet = [fact for fact in reading.unmet if fact in right.unmet]
    # The published evaluator is content with one right fact (a quirk).
    if "one_right_fact_is_enough" in semantics:
        return bool(unmet)
    return bool(unmet) and len(unmet) == len(reading.unmet)


def _evaluate_execution(asked: AskedPlan, answer: str) -> Result:
    """Compare the claimed state after a plan with all facts that can be worded."""
    final = asked.final
    if final is None:
        return Result("excluded", notes=(_NOT_DOABLE,))
    claimed_facts = set(asked.state(answer))
    if not claimed_facts:
        return _unread("no fact of the task is in the answer")
    # Facts without words are not expected in an answer.
    words = asked.question.words.predicates
    expected_facts = {fact for fact in final.atoms() if words[fact.predicate]}
    notes: list[str] = []
    missing = expected_facts - claimed_facts
    if missing:
        notes.append(f"missing: {_list_facts(missing)}")
    wrong = claimed_facts - expected_facts
    if wrong:
        notes.append(f"wrong: {_list_facts(wrong)}")
    return _grade(not notes, tuple(notes))


def _evaluate_as_published(asked: AskedPlan, published: PublishedFacts, answer: str) -> Result:
    """Evaluate a claimed state after a plan as PlanBench's evaluator does.

    Facts are texts there: ``on_a_b``.
    """
    final = asked.final
    if final is None:
        return Result("excluded", notes=(_NOT_DOABLE,))
    expected_facts = ["_".join((fact.predicate, *map(str, fact.terms))) for fact in final.atoms()]
    claimed_facts = published.read(answer)
    notes = (f"read: {' '.join(claimed_facts)}",)
    return _grade(sorted(claimed_facts) == sorted(expected_facts), notes)


def _unread(problem: str, measures: tuple[Measure, ...] = ()) -> Result:
    """Return the result of an answer that could not be read, for the reason that is given."""
    finding = Finding(ErrorKind.PARSING, problem)
    return Result("evaluated", findings=(finding,), measures=measures)


def _grade(is_right: bool, notes: tuple[str, ...], measures: tuple[Measure, ...] = ()) -> Result:
    """Return the result of an answer that was read, with what was wrong in it as notes."""
    return Result("evaluated", success=is_right, executable=True, notes=notes, measures=measures)


def _measures(shares: Mapping[str, int]) -> tuple[Measure, ...]:
    """Return a measure of one item for each share: ``{"reason": 1}`` is 1 of 1."""
    return tuple(Measure(name, int(share), 1) for name, share in shares.items())


def _metrics(counts: Tally) -> list[Score]:
    """Return the scores of a report: verdicts, reasons and unreadable answers."""
    verdicts = Score("goal", "task_success_rate", "Valid?", counts.success, counts.tasks, "tasks")
    unread = Score(
        "errors", "parsing", "Not read", counts.affected.get("parsing", 0), counts.tasks, "tasks"
    )
    reasons = (Score.mean(counts, "reasons", key, label) for key, label in _SHARES.items())
    return [verdicts, *reasons, unread]


VERIFICATION_VIEW = View(
    metrics=_metrics,
    tables=(
        Table(
            "Verification (%, counts below)",
            caption="Verification",
            columns=(
                Column("task_success_rate", ranged=True),
                *(Column(key) for key in _SHARES),
                Column("parsing"),
            ),
        ),
    ),
    groups={"goal": "Verdicts", "reasons": "Reasons", "errors": "Errors"},
    errors=("errors",),
    basis=lambda counts: f"reasons: of {counts.tasks} answers; a valid plan needs none",
    summary=lambda counts: by_group(_metrics(counts)),
)
"""How verification is reported."""
