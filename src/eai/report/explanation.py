"""The explanation of one item: what every step did, what went wrong, and why.

A record keeps the verdict. The explanation runs the answer again in the same world under the same
semantics, so that it can show what changed at every step; sentences are made here, when somebody
looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from eai.contract import INTERACTION, PLANS, RECORDED, Suite, episode_of, execution_of, version_of
from eai.contract.registry import given_suite, suite as find_suite, suites
from eai.diagnosis import PATH_GOAL, UNMET, Behaviour, Condition, ErrorKind, Finding
from eai.display import folded, preformatted, stacked, table
from eai.errors import InputError, UnknownNameError, names_checked, reported
from eai.logic import ActionAtom, Atom, TruthPicture, atoms, format_formula, truth_table
from eai.report.metrics import VIEWS
from eai.report.record import Record
from eai.semantics import Semantics, worded
from eai.task import Task
from eai.text import printable
from eai.world import Trajectory

_CROWD = 4
"""A step that changes more atoms of one predicate than this has them counted, not listed."""
_STEP = ("Step", "Action", "Outcome", "Became true", "Became false", "What is wrong")
_GOAL = ("Goal", "", "Since step", "Lost by step", "What is the case")
_RULE = ("Rule", "", "What is the case")

_FEW_PARTS = 8
"""Goal formulas with more parts than this are not drawn."""
_FEW_POSITIONS = 24
"""Nor are they on longer trajectories."""


@dataclass(frozen=True, slots=True)
class StepChange:
    """One step of the plan.

    Args:
        outcome: ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``.
        added: What became true, as text; many atoms of one predicate are counted.
        deleted: What became false.
    """

    number: int
    action: str
    outcome: str
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one evaluated answer.

    Args:
        instruction: What the agent was told.
        remarks: What to keep in mind, such as a suite that changed since.
        picture: Truth of the goal formula and its parts over time, if it is short.
        asked: Demanded actions, each with what the formula asks for.
        behaviours: What the agent does wrong over several turns of an episode, with their numbers.
    """

    record: Record
    instruction: str
    steps: tuple[StepChange, ...]
    remarks: tuple[str, ...] = ()
    picture: TruthPicture | None = None
    asked: Mapping[str, str] = field(default_factory=dict)
    behaviours: Mapping[Behaviour, tuple[int, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        # Names come from answers, which may hold anything: nothing may steer the terminal.
        lines = map(printable, (*self._head(), *self._middle(), *self._end()))
        return "\n".join(line.replace("\n", " ").replace("\t", " ") for line in lines)

    def _head(self) -> Iterator[str]:
        record, result = self.record, self.record.result
        semantics = worded(record.semantics)
        yield f"{record.suite} {record.task}: {record.name} ({record.model}, {semantics})"
        if self.instruction:
            yield f"  {self.instruction}"
        yield f"Verdict: {_verdict(record)}"
        for note in (*self.remarks, *result.notes):
            yield f"  note: {note}"
        if any(finding.kind == ErrorKind.OBJECT_HALLUCINATION for finding in result.findings):
            yield f"  note: eai tasks {record.suite} {record.task} lists the objects of the task"

    def _middle(self) -> Iterator[str]:
        """What was done and what is wrong with it."""
        for finding in self.record.result.findings:
            # Findings about steps and goals have their places.
            placed = finding.step is not None and finding.step <= len(self.steps)
            if not placed and finding.kind not in UNMET:
                yield f"  {finding.kind}: {finding.message}"
        for step in self.steps:
            yield f"{step.number:3} {step.action}  [{step.outcome}]"
            for mark, texts in (("+", step.added), ("-", step.deleted)):
                if texts:
                    yield f"      {mark} {', '.join(texts)}"
            for finding in step.findings:
                yield f"      {_word(finding)}: {finding.message}"
        if self.behaviours:
            yield "Behaviours"
            yield from (f"  {line}" for line in behaviour_lines(self.behaviours))

    def _end(self) -> Iterator[str]:
        """What was compared, and what became of the goal."""
        result = self.record.result
        for match in result.matches:
            yield f"  {match.kind}: {match.tp} right, {match.fp} wrong, {match.fn} missed"
        if result.tried and result.goals:
            yield "Goal"
            for goal in result.goals:
                yield f"  {'met  ' if goal.met else 'unmet'} {goal.text}{_since(goal)}"
                why = self._why_unmet(goal)
                if why:
                    yield f"        {why}"
            for measure in result.measures:
                if measure.kind == PATH_GOAL:
                    yield f"  {'met  ' if measure.amount else 'unmet'} path condition"
        yield from self._rules()
        if result.formula:
            holds = {True: "true", False: "false", None: "not evaluated"}[result.formula_holds]
            yield f"Formula: {result.formula}"
            yield f"  {holds}{': ' if result.formula_reason else ''}{result.formula_reason}"
        if self.picture is not None:
            yield from (f"    {line}" for line in str(self.picture).split("\n"))

    def _rules(self) -> Iterator[str]:
        """What became of the rules beside the goal."""
        if self.record.result.rules:
            yield "Rules"
        for rule in self.record.result.rules:
            yield f"  {rule.name}: {rule.outcome}"
            if rule.reason:
                yield f"        {rule.reason}"

    def _why_unmet(self, goal: Condition) -> str:
        """Why a condition is not met, and of an action what the formula asks for."""
        if goal.met:
            return ""
        findings = (f for f in self.record.result.findings if f.conditions == (goal.text,))
        reason = next((found.reason for found in findings if not found.step), "")
        asked = self.asked.get(goal.text, "") if goal.kind == "action" else ""
        return "; ".join(filter(None, (reason, asked)))

    def _repr_html_(self) -> str:
        record, result = self.record, self.record.result
        steps = (
            (
                step.number,
                step.action,
                step.outcome,
                ", ".join(step.added),
                ", ".join(step.deleted),
                "; ".join(f"{_word(finding)}: {finding.message}" for finding in step.findings),
            )
            for step in self.steps
        )
        goals = (
            (g.text, "met" if g.met else "unmet", g.since, g.lost_by, self._why_unmet(g))
            for g in result.goals
            if result.tried
        )
        rules = ((rule.name, rule.outcome, rule.reason) for rule in result.rules)
        loose = ((f.kind, f.message) for f in result.findings if f.step is None)
        about = [("Instruction", self.instruction)] if self.instruction else []
        about += [
            ("Model", f"{record.model} ({worded(record.semantics)})"),
            ("Verdict", result.verdict),
        ]
        about += [("Note", remark) for remark in (*self.remarks, *result.notes)]
        about += [("Behaviour", line) for line in behaviour_lines(self.behaviours)]
        return stacked(
            table((), about, caption=f"{record.suite} {record.task}: {record.name}"),
            table(_STEP, steps),
            table(("Error", "What is wrong"), loose),
            table(_GOAL, goals),
            table(_RULE, rules),
            preformatted(result.formula_reason) if result.formula_reason else "",
            Markup(self.picture.html()) if self.picture is not None else "",  # noqa: S704  # escaped
            folded("The answer as it was given", preformatted(record.output)),
        )


@names_checked
def explain(
    record: Record, *, suite: str | Suite | None = None, semantics: str | Semantics | None = None
) -> Explanation:
    """Run a record's answer again and say what happened, and why.

    Args:
        record: The record.
        suite: The suite that it is from, or its name (``module:attribute`` too); by default
            the announced suite that the record names.
        semantics: The semantics that was used; resolved from the record if not given.

    Raises:
        InputError: If it is no record, or not of the suite that is given, or if it names none that
            is announced.
        UnknownNameError: If the task is not known (any more), or the semantics.
        DataMissingError: If the suite's data was not fetched.
    """
    if not isinstance(record, Record):
        raise InputError(
            f"{reported(record)} is not a record",
            expected="one record of a report: what became of one answer",
            mend="eai.explain(report.failures()[0]), or one of report.records, by record.task",
        )
    chosen = suite_of(record, suite)
    meaning = (
        Semantics.spelled(record.semantics, chosen.quirks, version=chosen.official_version)
        if semantics is None
        else chosen.semantics(semantics)
    )
    task = chosen.task(record.task)
    record = with_evidence(record, task, chosen, meaning)
    trajectory = trajectory_of(record, task, chosen, meaning)
    formula, picture = task.goal.formula, None
    if (
        formula is not None
        and trajectory is not None
        and trajectory.length <= _FEW_POSITIONS
        and sum(1 for _ in formula.walk()) <= _FEW_PARTS
    ):
        numbers = [step.number for step in trajectory.steps]
        picture = truth_table(formula, trajectory, numbers=numbers)
    remarks: tuple[str, ...] = ()
    version = version_of(chosen, record.ability)
    if record.version != version:
        remarks = (
            f"evaluated with version {record.version} of the suite, explained with "
            f"{version}: steps and verdict may not fit together",
        )
    return Explanation(
        record,
        task.instruction,
        tuple(steps_of(record, trajectory, turn_changes(record, task, chosen, meaning))),
        remarks,
        picture,
        _asked(task),
        behaviours_of(record, task, chosen, meaning),
    )


def suite_of(record: Record, given: str | Suite | None = None) -> Suite:
    """Return the suite of a record.

    Args:
        record: The record.
        given: The suite, or its name; by default the announced suite that the record names.

    Raises:
        InputError: If the record is not of the suite that is given, or names none that is
            announced.
    """
    if given is not None:
        chosen = given_suite(given)
        scheme, colon, _ = record.suite.partition(":")
        # A folder has another path from elsewhere.
        if chosen.name != record.suite and not (colon and chosen.name.startswith(f"{scheme}:")):
            raise InputError(
                f"the record is of the suite {record.suite!r}, not of {chosen.name!r}",
                expected=f"the suite {record.suite!r}",
            )
        return chosen
    # A record is data, from anywhere: it must not choose what is imported.
    if not suites().announces(record.suite):
        known = [origin.name for origin in suites().origins()]
        error = UnknownNameError("suite", record.suite, known)
        error.what = (
            f"the record is of the suite {record.suite!r}, which no installed package registers"
        )
        error.mend = "say where the suite is (suite=..., --suite module:attribute)"
        raise error
    try:
        return find_suite(record.suite)
    except InputError as error:
        scheme, colon, _ = record.suite.partition(":")
        if colon:
            error.mend = (
                f"{record.suite!r} is named by a path from another folder: call this there, or "
                f"give the path from here: --suite {scheme}:PATH (in Python suite='{scheme}:PATH')"
            )
        raise


def with_evidence(record: Record, task: Task, suite: Suite, semantics: Semantics) -> Record:
    """Return a record whose findings say in words what is the case.

    A record that was stored holds kinds, steps and conditions; its answer is evaluated again for
    the words. If the verdict is another one now, the record stays as it is.
    """
    result = record.result
    if record.ability != PLANS or result.status != "evaluated":
        return record
    if any(goal.formula is not None for goal in result.goals):
        return record
    again = suite.evaluate(record.ability, task, record.output, semantics)
    again = replace(again, rules=result.rules)
    return replace(record, result=again) if again == result else record


def behaviours_of(
    record: Record, task: Task, suite: Suite, semantics: Semantics
) -> Mapping[Behaviour, tuple[int, ...]]:
    """Return the behaviours that an episode shows, with the numbers of the turns that show them.

    The answers of an episode are given again for that; of other answers there are none.
    """
    shown = {each.kind for each in record.result.measures if each.amount}
    if shown.isdisjoint(kind.measure for kind in Behaviour):
        return {}
    from eai.acting.behaviours import behaviours

    episode = episode_of(suite, task, record.output, ability=record.ability, semantics=semantics)
    return {} if episode is None else behaviours(episode)


def behaviour_lines(shown: Mapping[Behaviour, tuple[int, ...]]) -> list[str]:
    """Say each behaviour in a line with the numbers of its turns."""
    return [
        f"{kind.label}: turn{'s' * (len(turns) > 1)} {', '.join(map(str, turns))}"
        for kind, turns in shown.items()
    ]


def trajectory_of(
    record: Record, task: Task, suite: Suite, semantics: Semantics
) -> Trajectory | None:
    """Return what was done, if the answer is a plan and any step of it was done; else None.

    An answer that was evaluated just now need not be run again.
    """
    result = record.result
    if record.ability != PLANS or result.status != "evaluated" or "done" not in result.executed:
        return None
    if result.evidence is not None:
        return result.evidence.trajectory
    execution = execution_of(suite, task, record.output, semantics)
    return None if execution is None else execution.trajectory


Changes = Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]
"""Number of a step to what it made true and what it made false."""


def turn_changes(record: Record, task: Task, suite: Suite, semantics: Semantics) -> Changes:
    """Return what each turn of an episode changed, by taking its actions again; else nothing."""
    if record.ability not in (INTERACTION, RECORDED) or "done" not in record.result.executed:
        return {}
    episode = episode_of(suite, task, record.output, ability=record.ability, semantics=semantics)
    if episode is None or INTERACTION not in suite.abilities:
        return {}
    environment, found = suite.environment(task, semantics), {}
    environment.reset()
    before = set(environment.state().atoms())
    for turn in episode.turns:
        if turn.success and turn.reply.action is not None:
            environment.step(turn.reply.action)
            after = set(environment.state().atoms())
            made, ended = sorted(after - before, key=str), sorted(before - after, key=str)
            found[turn.number], before = (_summary(made), _summary(ended)), after
    return found


def steps_of(
    record: Record, trajectory: Trajectory | None, turns: Changes | None = None
) -> list[StepChange]:
    """Return the steps of a record's plan, each with what it changed and what is wrong with it."""
    result = record.result
    by_step: dict[int, list[Finding]] = {}
    for finding in result.findings:
        if finding.step is not None:
            by_step.setdefault(finding.step, []).append(finding)
    changes = dict(turns or {})
    if trajectory is not None:
        for position, step in enumerate(trajectory.steps, start=1):
            added, deleted = trajectory.changed(position)
            changes[step.number] = _summary(added), _summary(deleted)
    return [
        StepChange(
            number,
            action,
            outcome,
            *changes.get(number, ((), ())),
            findings=tuple(by_step.get(number, ())),
        )
        for number, (action, outcome) in enumerate(
            zip(result.plan, result.executed, strict=False), start=1
        )
    ]


def _asked(task: Task) -> dict[str, str]:
    """Each demanded action, which any object satisfies, with the objects that the formula names."""
    formula = task.goal.formula
    ground = [
        each
        for each in (() if formula is None else atoms(formula))
        if isinstance(each, ActionAtom)
        and each.terms
        and all(isinstance(term, str) for term in each.terms)
    ]
    found = {
        str(goal): [
            f"{action.action.upper()}({', '.join(map(str, action.terms))})"
            for action in dict.fromkeys(ground)
            if action.action in goal.names
        ]
        for goal in task.goal.actions
    }
    return {goal: f"the formula asks for {' or '.join(of)}" for goal, of in found.items() if of}


def _summary(atoms: Iterable[Atom]) -> tuple[str, ...]:
    by_predicate: dict[str, list[Atom]] = {}
    for atom in atoms:
        by_predicate.setdefault(atom.predicate, []).append(atom)
    texts: list[str] = []
    for predicate, group in by_predicate.items():
        if len(group) > _CROWD:
            texts.append(f"{predicate} ({len(group)} facts)")
        else:
            texts += map(format_formula, group)
    return tuple(texts)


def _word(finding: Finding) -> str:
    """The kind of error; of a step that a world refused for no reason of ours, the world's word."""
    word = next(iter(finding.conditions), "")
    theirs = finding.kind is ErrorKind.UNSCORABLE and word.isidentifier()
    return word if theirs else finding.kind.value


def _since(goal: Condition) -> str:
    since = goal.since
    if goal.lost_by is not None:
        return f" (lost by step {goal.lost_by})"
    if since is None:
        return ""
    if goal.kind == "action":
        return f" (in step {since})"
    return f" (since step {since})" if since else " (from the start)"


def _verdict(record: Record) -> str:
    result = record.result
    if result.status != "evaluated":
        return result.status
    if result.outcome and not result.plan:
        return f"{'solved' if result.success else 'not solved'} (search: {result.outcome})"
    if record.ability not in VIEWS and not (result.plan or result.goals):
        return "right" if result.success else "wrong"
    if result.matches:
        return "right" if result.success else "not all correct"
    solved = "solved" if result.success else "not solved"
    runs = "executable" if result.executable else "not executable"
    return f"{solved}, {runs}"
