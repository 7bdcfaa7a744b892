"""The result of one answer: findings, goal conditions, verdicts.

A :class:`Result` is what an ability makes of one answer; a
:class:`~eai.report.record.Record` is a result with the names of the item and the model.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from eai.diagnosis.taxonomy import GRAMMAR, UNMET, ErrorKind
from eai.errors import InputError

if TYPE_CHECKING:
    # A result that was stored has no trajectory, and needs no world and no logic.
    from eai.logic import Formula
    from eai.world import Trajectory

GOAL_KINDS = ("state", "relation", "action")
"""Kinds of goal condition, in the order of the paper's tables."""

PATH_GOAL = "path_goal"
"""Kind of the measure of a path condition: 1 if it holds, else 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The evidence from which sentences about a verdict are made when somebody reads them.

    Evidence is no part of the verdict: it is not compared, stored or sent to another process.

    Args:
        trajectory: What was done.
        formula: The condition that does not hold at its end, or the goal that it does not fulfil.
        goals: The goal's conditions up to the one that is not met.
    """

    trajectory: Trajectory
    formula: Formula | None = None
    goals: tuple[Condition, ...] = ()

    @property
    def reason(self) -> str:
        """Why the formula is false on the trajectory, in one sentence."""
        if self.formula is None:
            return ""
        from eai.logic import explain

        steps = self.trajectory.steps
        plan, numbers = [step.action for step in steps], [step.number for step in steps]
        return explain(self.formula, self.trajectory, plan=plan, numbers=numbers).text


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

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
        evidence: What the sentence is made from; None for a finding that was stored.
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
        """One sentence that says what is wrong and why; it is made when it is asked for.

        With evidence it says what is the case instead; without, only which condition does not
        hold.
        """
        made = self.text
        if not made and self.kind in UNMET:
            [made], reason, lost_by = self.conditions, self.reason, self.destroyed_by
            end = " and never did" if lost_by is None else f": step {lost_by} made it false"
            if self.kind is ErrorKind.ACTION_GOAL:
                made = reason or f"{made} was not done"
            else:
                made = f"{reason} [{made}]" if reason else f"{made} does not hold at the end{end}"
        elif not made and self.kind is ErrorKind.ADDITIONAL_STEP:
            made = f"{self.action}: its effects hold already"
        elif not made:
            made = _failed_step(self)
        return f"{made} (for {self.subgoal})" if self.subgoal else made

    @property
    def reason(self) -> str:
        """The reason why a goal condition is unmet; empty if nothing more is known."""
        if self.text or self.kind not in UNMET:
            return ""
        return _no_action(self) if self.kind is ErrorKind.ACTION_GOAL else _no_state(self)

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
    """How much an answer and the ground truth have in common, for one kind of thing.

    Precision is ``tp / (tp + fp)``, recall ``tp / (tp + fn)``, F1 their harmonic mean
    ``2 tp / (2 tp + fp + fn)`` (paper, sections 2.3 and 2.6).

    Args:
        kind: What was compared: a kind of goal condition (``"state"``), or a category of
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
    """A ratio of one item, of which a report shows the mean: every item counts alike.

    Args:
        kind: What was measured (``"undoable"``).
        amount: The numerator: failed turns, for instance; a rate of change may be negative.
        base: The denominator, at least 1: all turns, for instance.
    """

    kind: str
    amount: int
    base: int


CHOSEN_BY = "; chosen by: "
"""What stands in the note of a reading before the rule that chose one of several candidates."""


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """Whether a rule beside the task's goal was kept by what was done.

    Args:
        name: The rule's name.
        kept: Whether it was kept up to the last step that was done.
        step: 1-based step with which it was broken: what it asks for at some time was still
            missing after the last one. It is 0 for the start, and None if it was kept.
        facts: What was the case then, as text; of many the first few.
        reason: One sentence that says why it was broken.
    """

    name: str
    kept: bool
    step: int | None = None
    facts: tuple[str, ...] = ()
    reason: str = ""

    @property
    def outcome(self) -> str:
        """The verdict in words: by which step it was broken, and what was the case then."""
        if self.kept:
            return "kept"
        when = f"by step {self.step}" if self.step else "from the start"
        facts = f" ({', '.join(self.facts)})" if self.facts else ""
        return f"broken {when}{facts}"


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
        evidence: What was done, which the reason is made from; None if nothing was run, or for a
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
        """Return the verdict as it comes back from a file or another process."""
        findings = tuple(replace(finding, evidence=None) for finding in self.findings)
        goals = tuple(replace(goal, formula=None) for goal in self.goals)
        return replace(self, findings=findings, goals=goals, evidence=None)

    @property
    def formula_reason(self) -> str:
        """One sentence that says why the formula is false, made when it is asked for.

        It is empty if the formula holds, and for a result that was stored.
        """
        return self.reason or ("" if self.evidence is None else self.evidence.reason)

    @property
    def keeps_rules(self) -> bool | None:
        """Whether no rule was broken; None if none was evaluated."""
        return all(rule.kept for rule in self.rules) if self.rules else None

    @property
    def tried(self) -> bool:
        """Whether the goal was put to the test: something was run, or compared.

        Of an answer that cannot be read, or that is missing, every condition counts as unmet
        without that saying anything about it.
        """
        unread = self.status != "evaluated" or any(each.kind in GRAMMAR for each in self.findings)
        ran = not {"done", "skipped", "failed"}.isdisjoint(self.executed)
        return ran or bool(self.matches) or not unread

    @property
    def reading(self) -> str:
        """How the answer was read.

        ``"clean"`` (it says one thing), ``"chosen"`` (a rule chose one of several things that it
        says; the note names the rule), ``"partial"`` (something that may belong to it was not
        read), ``"none"`` (nothing was read); empty if there was no answer.
        """
        if self.status == "missing":
            return ""
        if self.number_of(ErrorKind.PARSING):
            return "partial" if self.plan or self.matches else "none"
        return "chosen" if any(CHOSEN_BY in note for note in self.notes) else "clean"

    def count(self, kind: str) -> tuple[int, int]:
        """Number of met and of all goal conditions of a kind."""
        of_kind = [goal.met for goal in self.goals if goal.kind == kind]
        return sum(of_kind), len(of_kind)

    def number_of(self, kind: ErrorKind) -> int:
        """How many findings are of this kind."""
        return sum(finding.kind is kind for finding in self.findings)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.status != "evaluated":
            return self.status
        solved = "solved" if self.success else "not solved"
        return f"{solved} ({self.outcome})" if self.outcome else solved

    def to_html(self) -> str:
        """Return the verdict, the steps, what is wrong, the goal and what was compared."""
        from eai.display import preformatted, stacked, table

        about = [("Verdict", self.verdict), *(("Note", note) for note in self.notes)]
        if self.formula:
            holds = {True: "true", False: "false", None: "not evaluated"}[self.formula_holds]
            about.append(("Formula", f"{self.formula}: {holds}"))
        done = zip(self.plan, self.executed, strict=False)
        steps = ((number, *step) for number, step in enumerate(done, start=1))
        findings = ((f.kind, "" if f.step is None else f.step, f.message) for f in self.findings)
        goals = ((g.kind, g.text, "met" if g.met else "unmet") for g in self.goals if self.tried)
        rules = ((r.name, r.outcome, r.reason) for r in self.rules)
        matches = ((m.kind, m.tp, m.fp, m.fn) for m in self.matches)
        return stacked(
            table((), about),
            table(("Step", "Action", "Outcome"), steps),
            table(("Error", "Step", "What is wrong"), findings),
            table(("Goal", "Condition", ""), goals),
            table(("Rule", "", "Why"), rules),
            table(("Compared", "Right", "Wrong", "Missed"), matches),
            preformatted(self.formula_reason) if self.formula_reason else "",
        )

    def _repr_html_(self) -> str:
        return self.to_html()


def _without_evidence(value: Finding | Result) -> tuple[object, ...]:
    """How a finding or a result is pickled."""
    own = [getattr(value, each.name) for each in fields(value) if each.compare]
    return type(value), tuple(own)


def _failed_step(finding: Finding) -> str:
    """Why a step cannot be done: which condition does not hold, and what became of it."""
    action, kind = finding.action, finding.kind
    if not finding.conditions:
        return f"{action}: it cannot be executed"
    text, evidence = finding.conditions[0], finding.evidence
    destroyed_by = finding.destroyed_by
    destroyer, never, begun, words = f"step {destroyed_by}", False, True, ""
    if evidence is not None and evidence.formula is not None:
        trajectory, formula = evidence.trajectory, evidence.formula
        begun = bool(trajectory.steps)
        for step in trajectory.steps:
            if step.number == destroyed_by:
                destroyer = f"step {destroyed_by}, {step.action},"
        never = kind is ErrorKind.MISSING_STEP and not trajectory.condition(formula)
        words = _in_words(trajectory, formula)
    if words:
        since = "; no step before it changed that" if never and begun else ""
        if destroyed_by is not None:
            since = f"; {destroyer} made it so"
        return f"{action} cannot be done: {words}{since} [{text}]"
    since = "; it never held before" if never else ""
    if destroyed_by is not None:
        since = f"; it held until {destroyer} made it false"
    return f"{action}: {text} does not hold{since}"


def _no_state(finding: Finding) -> str:
    """Return the facts at the end that violate a condition, in words; empty if there are none."""
    lost_by, evidence = finding.destroyed_by, finding.evidence
    if evidence is None or evidence.formula is None:
        return ""
    formula, trajectory = evidence.formula, evidence.trajectory
    try:
        # An evaluator may not count what holds.
        holds = trajectory.world.holds(trajectory.final, formula)
        words = "" if holds else _in_words(trajectory, formula)
    except InputError:  # a goal may speak of kinds of objects that only its suite knows
        return ""
    if not words:
        return ""
    since = "; no step changed that" if lost_by is None else f"; step {lost_by} made it so"
    if formula.variables or formula.negated().variables:
        # The words are about one object or a number, the past is known of the condition only.
        since = "" if lost_by is None else f"; the condition held until step {lost_by}"
    return f"{words} at the end{since}"


def _in_words(trajectory: Trajectory, formula: Formula) -> str:
    from eai.diagnosis.words import in_words

    return in_words(trajectory.world, trajectory.final, formula)


def _no_action(finding: Finding) -> str:
    """Why an action does not count: it was not done, or not after what comes before it."""
    [name], evidence = finding.conditions, finding.evidence
    if evidence is None:
        return f"{name} was not done (in this order)"
    steps, names = evidence.trajectory.steps, name.split("|")
    done = [step.number for step in steps if step.action.name.upper() in names]
    before = [each for each in evidence.goals[:-1] if each.kind == "action"]
    if not done or not before:
        return ""
    last, since = done[-1], before[-1].since
    said = f"{name} was done in step {last}, but not after"
    missing = next((each for each in before if not each.met), None)
    if missing is not None:
        return f"{said} {missing.text}, which the goal asks for first"
    if last == since:
        return f"{name} was not done again after step {last}"
    return f"{said} {before[-1].text} (step {since})"
