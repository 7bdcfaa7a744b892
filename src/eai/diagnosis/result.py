"""The result of one answer: findings, goal conditions, verdicts.

A :class:`Result` is what an ability makes of one answer; a
:class:`~eai.report.record.Record` is a result with the names of the item and the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from eai.diagnosis.taxonomy import GRAMMAR, UNMET, ErrorKind

if TYPE_CHECKING:
    # A result that was stored has no evidence, and needs no world and no logic.
    from eai.diagnosis.evidence import Evidence
    from eai.logic import Formula

GOAL_KINDS = ("state", "relation", "action")
"""Kinds of goal condition, in the order of the paper's tables."""

PATH_GOAL = "path_goal"
"""Kind of the measure of a path condition: 1 if it holds, else 0."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake in an answer, or one unmet condition.

    Args:
        kind: Which kind of error.
        text: One sentence that says what and why, where it does not follow from the rest.
        step: 1-based step of the plan, or None if it is not about a step.
        action: The step as text.
        conditions: The unmet conditions, as text, most important first.
        held_until: Number of the last step after which the condition still held; 0 is the start.
        destroyed_by: 1-based step that made it false, or None.
        position: 0-based offset in the answer text, where one can be named.
        times: How often an answer with this error counts in the rate of its kind; 1 unless the
            semantics says otherwise.
        subgoal: The subgoal that the step was for, as text.
        evidence: The facts behind the sentence; None for a finding that was stored.
    """

    kind: ErrorKind
    text: str = ""
    step: int | None = None
    action: str = ""
    conditions: tuple[str, ...] = ()
    held_until: int | None = None
    destroyed_by: int | None = None
    position: int | None = None
    times: int = 1
    subgoal: str = ""
    evidence: Evidence | None = field(default=None, compare=False, repr=False)

    @property
    def message(self) -> str:
        """One sentence about the mistake and its cause, made on first use.

        With evidence it says which facts hold instead; without, only which condition does not
        hold.
        """
        # A text that was given says more than what can be made from the fields.
        if self.text:
            text = self.text
        elif self.kind in UNMET:
            text = self._unmet_message()
        elif self.kind.is_harmless:
            text = f"{self.action}: its effects hold already"
        else:
            from eai.diagnosis.evidence import message_of_failed_step

            text = message_of_failed_step(self)
        if self.subgoal:
            text += f" (for {self.subgoal})"
        return text

    def _unmet_message(self) -> str:
        """Return why a goal condition is not met.

        An action was not done, or too early; a state never held, or was destroyed by a step.
        """
        # A finding about a goal is about one condition of it.
        [condition] = self.conditions
        reason = self.reason
        if self.kind is ErrorKind.ACTION_GOAL:
            return reason or f"{condition} was not done"
        if reason:
            return f"{reason} [{condition}]"
        if self.destroyed_by is None:
            return f"{condition} does not hold at the end and never did"
        return f"{condition} does not hold at the end: step {self.destroyed_by} made it false"

    @property
    def reason(self) -> str:
        """Why a goal condition is unmet, or "" if nothing more is known."""
        if self.text or self.kind not in UNMET:
            return ""
        from eai.diagnosis.evidence import why_action_is_unmet, why_state_is_unmet

        if self.kind is ErrorKind.ACTION_GOAL:
            return why_action_is_unmet(self)
        return why_state_is_unmet(self)

    def __reduce__(self) -> tuple[object, ...]:
        return _without_evidence(self)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of the goal and whether it was met.

    Args:
        kind: ``"state"``, ``"relation"`` or ``"action"``.
        text: The condition in the notation of the goal.
        met: Whether it counts as met.
        since: 1-based step that made it true for the last time; 0 if it held from the start;
            None if it never held.
        lost_by: 1-based step that made it false after it had held, or None.
        formula: The condition itself; None if it is none of a state, or was stored.
    """

    kind: str
    text: str
    met: bool
    since: int | None = None
    lost_by: int | None = None
    formula: Formula | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Match:
    """True positives and totals of an answer, for one kind of item.

    Precision is ``tp / (tp + fp)``, recall ``tp / (tp + fn)``, F1 their harmonic mean
    ``2 tp / (2 tp + fp + fn)`` (paper, sections 2.3 and 2.6).

    Args:
        kind: Kind of the items compared: a kind of goal condition (``"state"``), or a category of
            predicates (``"spatial_relations"``).
        tp: True positives: in the answer and in the ground truth.
        fp: False positives: in the answer only.
        fn: False negatives: in the ground truth only. The published evaluator can make it
            negative (an alternative that is credited twice).
    """

    kind: str
    tp: int
    fp: int
    fn: int


@dataclass(frozen=True, slots=True)
class Measure:
    """A ratio for one item. Reports show the mean over items.

    Args:
        kind: What was measured (``"undoable"``).
        amount: The numerator: failed turns, for instance; a rate of change may be negative.
        base: The denominator, at least 1: all turns, for instance.
    """

    kind: str
    amount: int
    base: int


CHOSEN_BY = "; chosen by: "
"""Text in the note of a reading before the rule that chose one of several candidates."""


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """Whether an additional rule was kept.

    Args:
        name: The rule's name.
        kept: Whether it was kept up to the last step that was done.
        step: 1-based step with which it was broken: what it asks for at some time was still
            missing after the last one. It is 0 for the start, and None if it was kept.
        facts: The facts at that time, as text; of many the first few.
        reason: One sentence that says why it was broken.
        at_stake: Whether its trigger happened: that of ``G (a -> b)`` is ``a``. A rule whose
            trigger never happened is kept by plans that have nothing to do with it.
    """

    name: str
    kept: bool
    step: int | None = None
    facts: tuple[str, ...] = ()
    reason: str = ""
    at_stake: bool = True

    @property
    def outcome(self) -> str:
        """The verdict in words, with the step that broke the rule and the facts there.

        "kept", "never at stake", "broken from the start" or "broken by step 3 (open(door.1))".
        """
        if self.kept:
            return "kept" if self.at_stake else "never at stake"
        text = "broken from the start"
        if self.step:
            text = f"broken by step {self.step}"
        if self.facts:
            text += f" ({', '.join(self.facts)})"
        return text


@dataclass(frozen=True, slots=True)
class Result:
    """The verdict on one answer.

    Args:
        status: ``"evaluated"``; ``"missing"`` (no prediction, a scored failure); ``"excluded"``
            (the semantics leaves this task out of every denominator).
        success: Whether the task is solved.
        executable: Whether every step could be executed (additional steps do not stop a plan).
        plan: The plan that was read out of the answer, one text a step; empty if none.
        executed: For each step of the plan: ``"done"``, ``"skipped"`` (additional step),
            ``"failed"`` or ``"not reached"``.
        findings: Everything that is wrong, in the order in which it was found.
        goals: The goal's conditions; under ``official`` those the published evaluator counts.
        formula: The goal as a formula, or empty.
        formula_holds: Verdict of the logic on the trajectory; None if there is no trajectory.
        notes: Remarks on how the answer was read (repaired fences, bound names).
        matches: For abilities that compare: what answer and ground truth have in common.
        groups: Names of the groups in which the item counts, where a metric is broken down
            (an item may count in several).
        outcome: How the planner's search ended, or the episode, where there was one
            (``"solved"``, ``"max_steps"``); else empty.
        measures: Ratios of this item, of which a report shows the mean over items.
        reason: Why the formula is false, where that was stored.
        rules: Verdicts on rules beside the goal (:mod:`eai.logic.rules`); they are no part of
            success. None where there are no rules, or nothing was run.
        evidence: The execution, from which the reason is derived; None if nothing was run, or for a
            result that was stored.
    """

    status: str
    success: bool = False
    executable: bool = False
    plan: tuple[str, ...] = ()
    executed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    goals: tuple[Condition, ...] = ()
    formula: str = ""
    formula_holds: bool | None = None
    notes: tuple[str, ...] = ()
    matches: tuple[Match, ...] = ()
    groups: tuple[str, ...] = ()
    outcome: str = ""
    measures: tuple[Measure, ...] = ()
    reason: str = ""
    rules: tuple[RuleVerdict, ...] = ()
    evidence: Evidence | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        return _without_evidence(self)

    def without_evidence(self) -> Result:
        """Return the result in the form in which files and other processes return it.

        Evidence holds whole trajectories, which are large; sentences are worked out from it before.
        """
        has_findings = any(finding.evidence is not None for finding in self.findings)
        has_formulas = any(goal.formula is not None for goal in self.goals)
        if self.evidence is None and not has_findings and not has_formulas:
            return self
        findings: list[Finding] = []
        for finding in self.findings:
            # Most findings and conditions have nothing to lose: these are shared, not copied.
            if finding.evidence is not None:
                findings.append(replace(finding, evidence=None))
            else:
                findings.append(finding)
        goals: list[Condition] = []
        for goal in self.goals:
            if goal.formula is not None:
                goals.append(replace(goal, formula=None))
            else:
                goals.append(goal)
        return replace(self, findings=tuple(findings), goals=tuple(goals), evidence=None)

    @property
    def formula_reason(self) -> str:
        """Why the formula is false, as one sentence made on first use.

        It is empty if the formula holds, and for a result that was stored.
        """
        if self.reason or self.evidence is None:
            return self.reason
        return self.evidence.reason

    @property
    def keeps_rules(self) -> bool | None:
        """Whether no rule was broken; None if none was evaluated."""
        if not self.rules:
            return None
        return all(rule.kept for rule in self.rules)

    @property
    def is_safe_success(self) -> bool:
        """Whether the task is solved and no rule that was evaluated is broken."""
        return self.success and self.keeps_rules is not False

    @property
    def tried(self) -> bool:
        """Whether the goal was tested, because something was executed or compared.

        Of an answer that cannot be read, or that is missing, every condition counts as unmet
        without that saying anything about it.
        """
        # A step that failed was run, too; a plan of which no step was reached was not.
        was_run = not {"done", "skipped", "failed"}.isdisjoint(self.executed)
        if was_run or self.matches:
            return True
        if self.status != "evaluated":
            return False
        return not any(finding.kind in GRAMMAR for finding in self.findings)

    @property
    def reading(self) -> str:
        """How the answer was read: cleanly, partly, or not at all.

        ``"clean"`` (it says one thing), ``"chosen"`` (a rule chose one of several things that it
        says; the note names the rule), ``"partial"`` (something that may belong to it was not
        read), ``"none"`` (nothing was read); empty if there was no answer.
        """
        if self.status == "missing":
            return ""
        # Problems weigh more than choices: what was chosen may lack what was not read.
        if self.number_of(ErrorKind.PARSING):
            return "partial" if self.plan or self.matches else "none"
        if any(CHOSEN_BY in note for note in self.notes):
            return "chosen"
        return "clean"

    def count(self, kind: str) -> tuple[int, int]:
        """Return the number of met goal conditions of a kind, and of all of them."""
        of_kind = [goal.met for goal in self.goals if goal.kind == kind]
        return sum(of_kind), len(of_kind)

    def number_of(self, kind: ErrorKind) -> int:
        """Return the number of findings of a kind."""
        return sum(finding.kind is kind for finding in self.findings)

    @property
    def verdict(self) -> str:
        """The verdict in words: "solved", "not solved", or why it was not evaluated."""
        if self.status != "evaluated":
            return self.status
        verdict = "solved" if self.success else "not solved"
        if self.outcome:
            verdict += f" ({self.outcome})"
        return verdict

    def to_html(self) -> str:
        """Return the result as HTML: verdict, steps, errors, goal and comparison.

        Tables without rows are left out.
        """
        from eai.display import preformatted, stacked, table

        about = [("Verdict", self.verdict)]
        about += [("Note", note) for note in self.notes]
        if self.formula:
            holds = {True: "true", False: "false", None: "not evaluated"}[self.formula_holds]
            about.append(("Formula", f"{self.formula}: {holds}"))
        # A plan that was not run has no outcomes, and no rows.
        outcomes = zip(self.plan, self.executed, strict=False)
        steps = [(step_number, *step) for step_number, step in enumerate(outcomes, start=1)]
        rules = [(rule.name, rule.outcome, rule.reason) for rule in self.rules]
        matches = [(match.kind, match.tp, match.fp, match.fn) for match in self.matches]
        reason = self.formula_reason
        return stacked(
            table((), about),
            table(("Step", "Action", "Outcome"), steps),
            table(("Error", "Step", "What is wrong"), self._rows_of_findings()),
            table(("Goal", "Condition", ""), self._rows_of_goals()),
            table(("Rule", "", "Why"), rules),
            table(("Compared", "Right", "Wrong", "Missed"), matches),
            preformatted(reason) if reason else "",
        )

    def _rows_of_findings(self) -> list[tuple[object, ...]]:
        """Return kind, step and message of each error, for a table."""
        rows: list[tuple[object, ...]] = []
        for finding in self.findings:
            step = "" if finding.step is None else finding.step
            rows.append((finding.kind, step, finding.message))
        return rows

    def _rows_of_goals(self) -> list[tuple[str, str, str]]:
        """Return each condition of the goal and whether it is met, for a table."""
        # For an answer that was not executed, "unmet" would be misleading.
        if not self.tried:
            return []
        return [(goal.kind, goal.text, "met" if goal.met else "unmet") for goal in self.goals]

    def _repr_html_(self) -> str:
        return self.to_html()


def _without_evidence(value: Finding | Result) -> tuple[object, ...]:
    """Return the pickled form of a finding or result, without its evidence."""
    # The evidence is not among the compared fields, which are all that is kept.
    values: list[object] = []
    for dataclass_field in fields(value):
        if dataclass_field.compare:
            values.append(getattr(value, dataclass_field.name))
    return type(value), tuple(values)
