"""Whether a plan file works, and if not why: the verdict of the suite for one problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from eai.abilities import Plans
from eai.answers import BoundPlan, Phrases, PlanReading, ReadStep, bind
from eai.diagnosis import GRAMMAR, DomainRules, ErrorKind, Finding, Run
from eai.pddl import Domain, Problem, format_condition, parse_domain, parse_problem
from eai.planning import cost_of, missing_term
from eai.semantics import Semantics
from eai.suites.pddl.plans import QUIRKS, PddlPlans, step_text
from eai.suites.pddl.suite import made_task
from eai.text import counted
from eai.world import Action

_Reason = tuple[str, tuple[str, ...]]
"""A sentence, and the conditions that do not hold."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Whether a plan works, and if not, why.

    Args:
        valid: Whether every step can be done and the goal holds at the end.
        steps: How many steps it has.
        cost: Cost of a valid plan: its length if the problem does not minimise costs.
        failed_step: 1-based number of the first step that fails; None if all can be done.
        line: 1-based line of that step, or of what cannot be read.
        kind: The kind of error (:class:`eai.diagnosis.ErrorKind`); empty if the plan is valid.
        reasons: What is wrong, one sentence for each step that fails; the first is that of
            ``failed_step``, others are looked for only if that was asked.
        action: The step that fails.
        unmet: The conditions of that step that do not hold.
        destroyed_by: 1-based step that made the first of them false; None if none did.
        met: How many conditions of the goal hold at the end of what could be done.
        unmet_goal: Those that do not.
        notes: How the plan was read.
        repair: The fewest edits that make it work, where they were asked for and found.
        proved: Whether it is proved that no repair has fewer.
        repair_reason: Why there is no repair, where one was asked for; else empty.
    """

    valid: bool
    steps: int
    cost: float | None = None
    failed_step: int | None = None
    line: int | None = None
    kind: str = ""
    reasons: tuple[str, ...] = ()
    action: str = ""
    unmet: tuple[str, ...] = ()
    destroyed_by: int | None = None
    met: int = 0
    unmet_goal: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    repair: tuple[str, ...] | None = None
    proved: bool = False
    repair_reason: str = ""

    def document(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        goal = {"met": self.met, "of": self.met + len(self.unmet_goal), "unmet": self.unmet_goal}
        kept = ("valid", "steps", "cost", "failed_step", "line", "kind", "reasons", "unmet")
        found = {name: getattr(self, name) for name in kept}
        last = {"destroyed_by": self.destroyed_by, "goal": goal, "notes": self.notes}
        repair = {"repair": self.repair, "repair_reason": self.repair_reason or None}
        return {**found, **last, **repair}

    def __str__(self) -> str:
        plural = "" if self.steps == 1 else "s"
        if self.valid:
            return f"valid, {self.steps} step{plural}, cost {self.cost:g}"
        where = "the goal does not hold at the end"
        if self.failed_step is not None:
            where = f"step {self.failed_step} of {self.steps}, {self.action}"
        elif self.kind == ErrorKind.PARSING:
            where = "it cannot be read"
        line = "" if self.line is None else f", line {self.line}"
        lines = [f"not valid: {where}{line}", *self.reasons]
        if self.unmet_goal:
            what = "could be done" if self.failed_step is not None else "were done"
            unmet = ", ".join(self.unmet_goal)
            lines.append(
                f"goal: {self.met} of {self.met + len(self.unmet_goal)} conditions hold "
                f"after the steps that {what}; unmet: {unmet}"
            )
        if self.repair is not None:
            count = counted(len(self.repair), "edit")
            proof = ", no repair has fewer" if self.proved else ""
            lines.append(f"repair ({count}{proof}): {'; '.join(self.repair)}")
        if self.repair_reason:
            lines.append(f"repair: {self.repair_reason}")
        return "\n  ".join(lines)


class Validator:
    """Says of plans whether they work; domain and problem are read once.

    Args:
        domain: The domain, or its text.
        problem: The problem, or its text.
        phrases: What actions and objects are called in words.
        official: Whether plans are read as VAL 4 reads them.

    Raises:
        ParseError: If a text is not what it should be.
        InputError: If the domain cannot be run.
    """

    def __init__(
        self,
        domain: Domain | str,
        problem: Problem | str,
        *,
        phrases: Phrases | None = None,
        official: bool = False,
    ) -> None:
        read = parse_domain(domain) if isinstance(domain, str) else domain
        if isinstance(problem, str):
            problem = parse_problem(problem, domain=read, named=False)
        self.task = made_task(read, problem, phrases=phrases)
        chosen = Semantics.of("official" if official else "strict", QUIRKS, version="VAL 4")
        self.plans = PddlPlans(chosen)

    def diagnose(
        self, plan: str | Sequence[Action], *, every: bool = False, repair: bool = False
    ) -> Diagnosis:
        """Run a plan.

        Args:
            plan: The text of a plan, or its steps.
            every: Whether to go on behind a step that fails, as if it was not there.
            repair: Whether to look for the fewest edits that make it work.
        """
        text = plan if isinstance(plan, str) else None
        bound = BoundPlan()  # what an empty file has
        if not isinstance(plan, str):
            steps = tuple(ReadStep(each.name, each.arguments) for each in plan)
            bound = bind(PlanReading(steps), self.task.vocabulary)
        elif plan.strip("\ufeff \t\r\n"):
            bound = self.plans.read(self.task, plan)
        result = Plans.evaluate_plan(self.plans, self.task, bound)
        about = self.task.metadata.get("note")
        notes = (*result.notes, str(about)) if about else result.notes
        count, met = len(result.plan), sum(goal.met for goal in result.goals)
        if result.success:
            cost = cost_of(self.task.start.layout.domain, self.task.problem, bound.actions)
            return Diagnosis(True, count, cost, met=met, notes=notes)
        unread = [finding for finding in result.findings if finding.kind in GRAMMAR]
        failed = (f for f in result.findings if f.step and result.executed[f.step - 1] == "failed")
        first = unread[0] if unread else next(failed, None)
        reasons: tuple[_Reason, ...] = tuple(
            (f"{finding.kind}: {finding.message}", ()) for finding in unread
        )
        if first is not None and not unread:
            reasons = tuple(self._failures(bound.actions, every=every))
        goals = [each.formula for each in result.goals if each.formula and not each.met]
        edits, proved, repair_reason = None, False, ""
        if repair and unread:
            repair_reason = "none is looked for in a plan with grammar errors"
        elif repair:
            edits, proved, repair_reason = self._repair(bound)
        number = None if first is None else first.step
        written = bound.written or bound.actions
        return Diagnosis(
            False,
            count,
            failed_step=number,
            line=self._line(text, first, number),
            kind=str(first.kind if first else result.findings[-1].kind),
            reasons=tuple(reason for reason, _ in reasons),
            action="" if number is None else step_text(written[number - 1]),
            unmet=reasons[0][1] if reasons else (),
            destroyed_by=None if first is None else first.destroyed_by,
            met=met,
            unmet_goal=() if unread else tuple(map(format_condition, goals)),
            notes=notes,
            repair=edits,
            proved=proved,
            repair_reason=repair_reason,
        )

    def _failures(self, plan: Sequence[Action], *, every: bool) -> Iterator[_Reason]:
        """Why each step fails, the first one or every one, and which conditions do not hold."""
        run = Run(self.task.world, self.task.start, "")
        rules = DomainRules(skip=False)
        for number, action in enumerate(plan, start=1):
            outcome, finding = rules.take(run, action, number)
            if outcome != "failed" or finding is None:
                continue
            failing = run.world.failures(run.state, action.name, run.numbers(action))
            tests = [run.world.test(action.name, i, run.arguments(action)) for i in failing]
            unmet = tuple(map(format_condition, tests))
            formula = finding.evidence.formula if finding.evidence else None
            text = unmet[0] if formula is None else format_condition(formula)
            said = f"{text} does not hold{_history(finding, plan)}"
            if formula is not None and (term := missing_term(run.world, run.state, formula)):
                said = f"the cost of the step is undefined: {term} has no value in :init"
            where = f"step {number}, " if every else ""
            yield f"{where}{finding.kind}: {said}", unmet
            if not every:
                return

    def _line(self, text: str | None, finding: Finding | None, number: int | None) -> int | None:
        """The line in which what is wrong stands."""
        if text is None or finding is None or self.task.vocabulary.reader is None:
            return None
        at = finding.position
        if at is None and number is not None:
            steps = self.task.vocabulary.reader(text).steps
            at = steps[number - 1].position if number <= len(steps) else None
        return None if at is None else text.count("\n", 0, at) + 1

    def _repair(self, bound: BoundPlan) -> tuple[tuple[str, ...] | None, bool, str]:
        """The fewest edits, whether it is proved that they are, and why there are none."""
        from eai.abilities.plans import repair  # verdicts do without it
        from eai.planning import RepairBounds

        bounds = RepairBounds()
        found = repair(self.task, bound.actions, bounds=bounds)
        if not found.edits:
            least = counted(found.bound, "edit")
            if found.bound > bounds.edits:
                return None, False, f"no repair with fewer than {least} exists"
            return None, False, f"no repair with fewer than {least} exists; {found.untried}"
        edits = []
        for edit in found.edits:
            old, new = f"step {edit.step}, {step_text(edit.old or '')}", step_text(edit.new or "")
            ends = edit.before is not None and edit.before > len(bound.actions)
            words = {
                "insert": f"{'at the end' if ends else f'before step {edit.before}'} insert {new}",
                "delete": f"delete {old}",
                "replace": f"replace {old} by {new}",
                "move": f"move {old}, before step {edit.before}",
            }
            edits.append(words[edit.kind.value])
        return tuple(edits), found.optimal, ""


def _history(finding: Finding, plan: Sequence[Action]) -> str:
    """Say when a condition last held, or that it never did."""
    if finding.kind is ErrorKind.AFFORDANCE:
        return ", and no action changes that"
    if finding.kind is ErrorKind.ADDITIONAL_STEP:
        return "; the effects of the step hold already"
    if finding.destroyed_by is not None:
        done = plan[finding.destroyed_by - 1]
        return f"; it did until step {finding.destroyed_by}, {step_text(done)}"
    return "; it never did"


def diagnose(
    domain: Domain | str,
    problem: Problem | str,
    plan: str | Sequence[Action],
    *,
    phrases: Phrases | None = None,
    repair: bool = False,
) -> Diagnosis:
    """Say whether a plan works, and if not why; for several plans keep a :class:`Validator`.

    Args:
        domain: The domain, or its text.
        problem: The problem, or its text.
        plan: The text of a plan, or its steps.
        phrases: What actions and objects are called in words.
        repair: Whether to look for the fewest edits that make it work.

    Raises:
        ParseError: If a text is not what it should be.
        InputError: If the domain cannot be run.
    """
    return Validator(domain, problem, phrases=phrases).diagnose(plan, repair=repair)


def published_lines(name: str, found: Diagnosis) -> str:
    """Return what VAL 4 prints of a plan, as far as scripts look for it."""
    lines = [f"Checking plan: {name}"]
    if found.valid:
        value = f"{found.cost:g}"
        lines += ["Plan executed successfully - checking goal", "Plan valid"]
        lines += [f"Final value: {value} ", "", "Successful plans:", f"Value: {value}", f" {name} "]
        return "\n".join([*lines, value])
    if found.kind in (ErrorKind.PARSING, ErrorKind.NO_ANSWER):
        lines.append("Bad plan description!")
    elif found.failed_step is None:
        lines += ["Plan executed successfully - checking goal", "Goal not satisfied"]
        lines += ["Plan invalid", "", "Plan Repair Advice:", "", "The goal is not satisfied"]
        lines += [f"(Set {each} to true)" for each in found.unmet_goal]
    elif not found.unmet:
        lines += ["Error: Bad operator in plan!", found.action]
    else:
        lines += ["Plan failed to execute", "Plan failed because of unsatisfied precondition in:"]
        lines += [found.action, "", "Plan Repair Advice:", ""]
        lines.append(f"{found.action} has an unsatisfied precondition at time {found.failed_step}")
        lines += [f"(Set {each} to true)" for each in found.unmet]
    return "\n".join([*lines, "", "Failed plans:", f" {name} "])
