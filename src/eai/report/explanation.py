"""The explanation of one item: what every step did, what went wrong, and why.

A record keeps the verdict. The explanation runs the answer again in the same world under the same
semantics, so that it can show what changed at every step; sentences are made here, when somebody
looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from eai.abilities.plans import repair_for
from eai.contract import (
    INTERACTION,
    PLANS,
    RECORDED,
    Suite,
    episode_of,
    execution_of,
    judged,
    refuse_rules,
    version_of,
)
from eai.contract.registry import given_suite, suite as find_suite, suites
from eai.diagnosis import (
    PATH_GOAL,
    UNMET,
    Behaviour,
    Condition,
    ErrorKind,
    Finding,
    TaskRules,
    task_rules,
)
from eai.display import folded, preformatted, stacked, table
from eai.errors import InputError, UnknownNameError, names_checked, reported
from eai.logic import (
    ActionAtom,
    Atom,
    Formula,
    TruthPicture,
    atoms,
    format_formula,
    format_number,
    truth_table,
)
from eai.planning import RepairBounds
from eai.report.metrics import VIEWS
from eai.report.record import Record
from eai.semantics import Semantics, worded
from eai.task import Goal, Task
from eai.text import counted, printable
from eai.world import State, Trajectory

_MAX_LISTED_ATOMS = 4
"""If a step changes more atoms of one predicate than this, they are counted, not listed."""

_STEP_HEADINGS = ("Step", "Action", "Outcome", "Became true", "Became false", "What is wrong")
_GOAL_HEADINGS = ("Goal", "", "Since step", "Lost by step", "What is the case")
_RULE_HEADINGS = ("Rule", "", "What is the case")

_MAX_DRAWN_NODES = 8
"""Goal formulas with more nodes than this are not drawn."""

_MAX_DRAWN_POSITIONS = 24
"""Goal formulas are not drawn over trajectories longer than this."""


@dataclass(frozen=True, slots=True)
class StepChange:
    """A step of a plan, with its effects and its errors.

    Args:
        outcome: ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``.
        added: Atoms that became true, as text; many atoms of one predicate are counted.
        deleted: Atoms that became false.
    """

    number: int
    action: str
    outcome: str
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield lines on the step: the action, its changes and its errors."""
        yield f"{self.number:3} {self.action}  [{self.outcome}]"
        if self.added:
            yield f"      + {', '.join(self.added)}"
        if self.deleted:
            yield f"      - {', '.join(self.deleted)}"
        for finding in self.findings:
            yield f"      {_kind_in_words(finding)}: {finding.message}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one evaluated answer.

    Args:
        instruction: Instruction that the agent was given.
        remarks: Caveats, such as a suite that changed since the record was made.
        picture: Truth of the goal formula and its parts over time, if it is short.
        asked: Demanded actions, each with a sentence that says which objects the formula names.
        behaviours: Faulty behaviours of an episode, with the numbers of the turns that show them.
        remedies: Broken rule to what would have kept it: the fewest edits of the plan.
    """

    record: Record
    instruction: str
    steps: tuple[StepChange, ...]
    remarks: tuple[str, ...] = ()
    picture: TruthPicture | None = None
    asked: Mapping[str, str] = field(default_factory=dict)
    behaviours: Mapping[Behaviour, tuple[int, ...]] = field(default_factory=dict)
    remedies: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        # Names come from answers, which may contain control characters for the terminal.
        lines = []
        for line in (*self._lines_of_record(), *self._lines_of_steps(), *self._lines_of_goal()):
            lines.append(printable(line).replace("\n", " ").replace("\t", " "))
        return "\n".join(lines)

    def _lines_of_record(self) -> Iterator[str]:
        """Yield the lines about the record as a whole."""
        record = self.record
        result = record.result
        semantics = worded(record.semantics)
        yield f"{record.suite} {record.task}: {record.name} ({record.model}, {semantics})"
        if self.instruction:
            yield f"  {self.instruction}"
        yield f"Verdict: {_verdict(record)}"
        for note in (*self.remarks, *result.notes):
            yield f"  note: {note}"
        # A wrong name raises the question which names are right.
        if any(finding.kind == ErrorKind.OBJECT_HALLUCINATION for finding in result.findings):
            yield f"  note: eai tasks {record.suite} {record.task} lists the objects of the task"

    def _lines_of_steps(self) -> Iterator[str]:
        """Yield the lines about steps and errors."""
        for finding in self.record.result.findings:
            # Errors of steps and unmet goals are listed with the step or goal.
            # A plan with a grammar error is not run, so no step of it has a line.
            has_step = finding.step is not None and finding.step <= len(self.steps)
            if not has_step and finding.kind not in UNMET:
                yield f"  {finding.kind}: {finding.message}"
        for step in self.steps:
            yield from step.lines()
        if self.behaviours:
            yield "Behaviours"
            for line in behaviour_lines(self.behaviours):
                yield f"  {line}"

    def _lines_of_goal(self) -> Iterator[str]:
        """Yield the lines about comparisons, the goal, and its formula."""
        result = self.record.result
        for match in result.matches:
            yield f"  {match.kind}: {match.tp} right, {match.fp} wrong, {match.fn} missed"
        if result.tried and result.goals:
            yield from self._condition_lines()
        yield from self._rule_lines()
        if result.formula:
            # None: the plan was not run, or the suite does not evaluate the formula.
            verdict = {True: "true", False: "false", None: "not evaluated"}[result.formula_holds]
            if result.formula_reason:
                verdict += f": {result.formula_reason}"
            yield f"Formula: {result.formula}"
            yield f"  {verdict}"
        if self.picture is not None:
            for line in str(self.picture).split("\n"):
                yield f"    {line}"

    def _condition_lines(self) -> Iterator[str]:
        """Yield lines on the goal's conditions and on its path condition."""
        result = self.record.result
        yield "Goal"
        for goal in result.goals:
            state = "met  " if goal.met else "unmet"
            yield f"  {state} {goal.text}{_since_when(goal)}"
            reason = self._why_unmet(goal)
            if reason:
                yield f"        {reason}"
        # A path goal is one measure beside the conditions of the final state.
        for measure in result.measures:
            if measure.kind == PATH_GOAL:
                state = "met  " if measure.amount else "unmet"
                yield f"  {state} path condition"

    def _rule_lines(self) -> Iterator[str]:
        """Yield lines on the rules and whether they were kept."""
        if self.record.result.rules:
            yield "Rules"
        for rule in self.record.result.rules:
            yield f"  {rule.name}: {rule.outcome}"
            if rule.reason:
                yield f"        {rule.reason}"
            if rule.name in self.remedies:
                yield f"        {self.remedies[rule.name]}"

    def _why_unmet(self, goal: Condition) -> str:
        """Return why a condition is not met; empty if it is.

        For a demanded action this includes the objects that the goal formula names.
        """
        if goal.met:
            return ""
        reasons = []
        for finding in self.record.result.findings:
            if finding.conditions == (goal.text,) and not finding.step:
                reasons.append(finding.reason)
                break
        if goal.kind == "action":
            reasons.append(self.asked.get(goal.text, ""))
        return "; ".join(filter(None, reasons))

    def _repr_html_(self) -> str:
        record = self.record
        reason = ""
        if record.result.formula_reason:
            reason = preformatted(record.result.formula_reason)
        picture = ""
        if self.picture is not None:
            picture = Markup(self.picture.html())  # noqa: S704  # escaped
        return stacked(
            table((), self._summary_rows(), caption=f"{record.suite} {record.task}: {record.name}"),
            table(_STEP_HEADINGS, map(_step_cells, self.steps)),
            table(("Error", "What is wrong"), self._error_rows()),
            table(_GOAL_HEADINGS, self._goal_rows()),
            table(_RULE_HEADINGS, self._rule_rows()),
            reason,
            picture,
            folded("The answer as it was given", preformatted(record.output)),
        )

    def _error_rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the errors that are not of a step; those of steps stand in the table of steps."""
        for finding in self.record.result.findings:
            if finding.step is None:
                yield finding.kind, finding.message

    def _goal_rows(self) -> Iterator[tuple[object, ...]]:
        """Yield table rows on the goal's conditions, if the answer was executed."""
        if not self.record.result.tried:
            return
        for goal in self.record.result.goals:
            state = "met" if goal.met else "unmet"
            yield goal.text, state, goal.since, goal.lost_by, self._why_unmet(goal)

    def _rule_rows(self) -> Iterator[tuple[object, ...]]:
        """Yield the verdicts on rules, each with its reason and with what would have kept it."""
        for rule in self.record.result.rules:
            reasons = filter(None, (rule.reason, self.remedies.get(rule.name)))
            yield rule.name, rule.outcome, "; ".join(reasons)

    def _summary_rows(self) -> list[tuple[str, str]]:
        """Return (heading, text) rows about the answer as a whole."""
        record = self.record
        about = []
        if self.instruction:
            about.append(("Instruction", self.instruction))
        about.append(("Model", f"{record.model} ({worded(record.semantics)})"))
        about.append(("Verdict", record.result.verdict))
        for remark in (*self.remarks, *record.result.notes):
            about.append(("Note", remark))
        for line in behaviour_lines(self.behaviours):
            about.append(("Behaviour", line))
        return about


def _step_cells(step: StepChange) -> tuple[object, ...]:
    """Return the cells of a step in the HTML table."""
    errors = [f"{_kind_in_words(finding)}: {finding.message}" for finding in step.findings]
    return (
        step.number,
        step.action,
        step.outcome,
        ", ".join(step.added),
        ", ".join(step.deleted),
        "; ".join(errors),
    )


@names_checked
def explain(
    record: Record,
    *,
    suite: str | Suite | None = None,
    semantics: str | Semantics | None = None,
    rules: object = None,
) -> Explanation:
    """Return the explanation of a record: its answer is run again, step by step.

    Args:
        record: The record.
        suite: The suite that it is from, or its name (``module:attribute`` too); by default
            the announced suite that the record names.
        semantics: The semantics that was used; resolved from the record if not given.
        rules: A file of rules, or a list of them, that are judged in the place of those that the
            record has verdicts on.

    Raises:
        InputError: If it is not a record, or not of the given suite, or if it names a suite that no
            package announces.
        UnknownNameError: If the task is unknown (any more), or the semantics.
        DataMissingError: If the suite's data was not fetched.
    """
    if not isinstance(record, Record):
        raise InputError(
            f"{reported(record)} is not a record",
            expected="one record of a report: what became of one answer",
            mend="eai.explain(report.failures()[0]), or one of report.records, by record.task",
        )
    own_suite = suite_of(record, suite)
    if semantics is None:
        version = own_suite.official_version
        profile = Semantics.spelled(record.semantics, own_suite.quirks, version=version)
    else:
        profile = own_suite.semantics(semantics)
    task = own_suite.task(record.task)
    # Evidence first: rules, pictures and steps below are made from it if it is there.
    record = with_evidence(record, task, own_suite, profile)
    rules_of_task = task_rules(task, rules)
    remarks = []
    installed = version_of(own_suite, record.ability)
    if record.version != installed:
        remarks.append(
            f"evaluated with version {record.version} of the suite, explained with "
            f"{installed}: steps and verdict may not fit together"
        )
    if rules is not None:
        record = _judge_rules(rules_of_task, record, task, own_suite, profile)
        remarks += rules_of_task.notes
        if not record.result.rules:
            remarks.append("no step was done, so the rules were not judged")
    trajectory = trajectory_of(record, task, own_suite, profile)
    picture = None
    if trajectory is not None:
        picture = _draw_truth(task, trajectory)
    steps = steps_of(record, trajectory, turn_changes(record, task, own_suite, profile))
    return Explanation(
        record=record,
        instruction=task.instruction,
        steps=tuple(steps),
        remarks=tuple(remarks),
        picture=picture,
        asked=_objects_in_formula(task),
        behaviours=behaviours_of(record, task, own_suite, profile),
        remedies=_find_remedies(record, task, rules_of_task),
    )


def _judge_rules(
    rules: TaskRules, record: Record, task: Task, suite: Suite, semantics: Semantics
) -> Record:
    """Return a record whose rule verdicts are replaced by verdicts on the given rules.

    Args:
        rules: The rules to judge.
        record: The record.
        task: Its task.
        suite: Its suite.
        semantics: The semantics that it was evaluated under.
    """
    refuse_rules(suite, record.ability)
    without_verdicts = replace(record.result, rules=())
    result = judged(
        without_verdicts, rules, suite, task, record.output, semantics, ability=record.ability
    )
    return replace(record, result=result)


_REMEDY_BOUNDS = RepairBounds(edits=2, actions=30_000)
"""Bounds of the search for what would have kept a rule: at most about half a second."""


def _find_remedies(record: Record, task: Task, rules: TaskRules) -> dict[str, str]:
    """Return for each broken rule a remedy, or the reason why none was searched.

    Args:
        record: The record.
        task: Its task.
        rules: The rules that were judged.
    """
    remedies = {}
    formulas = dict(rules.formulas)
    for verdict in record.result.rules:
        if verdict.kept:
            continue
        formula = formulas.get(verdict.name)
        # Only the edits of a whole plan are searched.
        if record.ability != PLANS:
            remedy = "what would have kept it: not searched in episodes"
        elif formula is None:
            remedy = "what would have kept it: not searched, as the rules were not given"
        else:
            remedy = _find_remedy(record, task, formula)
        remedies[verdict.name] = remedy
    return remedies


def _find_remedy(record: Record, task: Task, formula: Formula) -> str:
    """Return in words the fewest edits that make a plan keep a rule.

    If the plan reaches the goal, then so must the edited plan. Otherwise only the executed steps
    and the rule count.

    Args:
        record: The record of the plan.
        task: Its task.
        formula: The rule that the plan breaks.
    """
    goal = task.goal
    plan = list(record.result.plan)
    if not record.result.success:
        goal = Goal()  # without conditions, so that every plan reaches it
        outcomes = zip(plan, record.result.executed, strict=False)
        plan = [step for step, outcome in outcomes if outcome in ("done", "skipped")]
    # The rule is given as a formula of the goal: other rules do not count here.
    task_with_goal = replace(task, goal=goal, rules=(), plans=())
    try:
        repair = repair_for(task_with_goal, plan, [formula], bounds=_REMEDY_BOUNDS)
    except InputError as error:
        return f"what would have kept it: not searched ({error.what})"
    if repair.edits is None:
        limit = _REMEDY_BOUNDS.actions
        fewest = counted(max(repair.bound, 1), "edit")
        return (
            f"what would have kept it: not found within {limit:,} tried actions, at least {fewest}"
        )
    remedy = f"it would be kept by: {'; '.join(map(str, repair.edits))}"
    if not repair.optimal:
        remedy += " (perhaps by less)"
    return remedy


def _draw_truth(task: Task, trajectory: Trajectory) -> TruthPicture | None:
    """Return a picture of the goal formula's truth over time, or None if it is too large."""
    formula = task.goal.formula
    if formula is None or trajectory.length > _MAX_DRAWN_POSITIONS:
        return None
    if sum(1 for _ in formula.walk()) > _MAX_DRAWN_NODES:
        return None
    numbers = [step.number for step in trajectory.steps]
    return truth_table(formula, trajectory, numbers=numbers)


def suite_of(record: Record, given: str | Suite | None = None) -> Suite:
    """Return the suite of a record.

    Args:
        record: The record.
        given: The suite, or its name; by default the announced suite that the record names.

    Raises:
        InputError: If the record is not of the given suite, or names a suite that no package
            announces.
    """
    scheme, colon, _ = record.suite.partition(":")
    if given is not None:
        suite = given_suite(given)
        # The name of a folder is its path, which differs from where the record was made.
        is_folder = colon and suite.name.startswith(f"{scheme}:")
        if suite.name != record.suite and not is_folder:
            raise InputError(
                f"the record is of the suite {record.suite!r}, not of {suite.name!r}",
                expected=f"the suite {record.suite!r}",
            )
        return suite
    # Records may come from anywhere, so their values must not decide what is imported.
    if not suites().announces(record.suite):
        raise _unannounced(record.suite)
    try:
        return find_suite(record.suite)
    except InputError as error:
        if colon:
            error.mend = (
                f"{record.suite!r} is named by a path from another folder: call this there, or "
                f"give the path from here: --suite {scheme}:PATH (in Python suite='{scheme}:PATH')"
            )
        raise


def _unannounced(name: str) -> UnknownNameError:
    """Return the error for a record of a suite that no installed package registers."""
    error = UnknownNameError("suite", name, [origin.name for origin in suites().origins()])
    error.what = f"the record is of the suite {name!r}, which no installed package registers"
    error.mend = "say where the suite is (suite=..., --suite module:attribute)"
    return error


def with_evidence(record: Record, task: Task, suite: Suite, semantics: Semantics) -> Record:
    """Return the record with findings that can be explained in words.

    A stored record only has kinds, steps and conditions, so its answer is evaluated again. If the
    new result differs, the record is returned unchanged.

    Args:
        record: The record.
        task: Its task.
        suite: Its suite.
        semantics: The semantics that it was evaluated under.
    """
    result = record.result
    if record.ability != PLANS or result.status != "evaluated":
        return record
    # Formulas are not stored: the answer was evaluated in this process.
    if any(goal.formula is not None for goal in result.goals):
        return record
    result_now = suite.evaluate(record.ability, task, record.output, semantics)
    result_now = replace(result_now, rules=result.rules)
    # Equal results may have different evidence, which is not compared.
    if result_now == result:
        return replace(record, result=result_now)
    return record


_BEHAVIOUR_MEASURES = frozenset(behaviour.measure for behaviour in Behaviour)
"""The measures that count behaviours."""


def behaviours_of(
    record: Record, task: Task, suite: Suite, semantics: Semantics
) -> Mapping[Behaviour, tuple[int, ...]]:
    """Return the behaviours that an episode shows, each with the numbers of its turns.

    The answers of the episode are replayed for that; other answers have no behaviours.

    Args:
        record: The record.
        task: Its task.
        suite: Its suite.
        semantics: The semantics that it was evaluated under.
    """
    nonzero_measures = {measure.kind for measure in record.result.measures if measure.amount}
    # Replaying takes time, and an episode without counted behaviours shows none.
    if nonzero_measures.isdisjoint(_BEHAVIOUR_MEASURES):
        return {}
    from eai.acting.behaviours import behaviours

    episode = episode_of(suite, task, record.output, ability=record.ability, semantics=semantics)
    if episode is None:
        return {}
    return behaviours(episode)


def behaviour_lines(turns_by_behaviour: Mapping[Behaviour, tuple[int, ...]]) -> list[str]:
    """Return a line for each behaviour with the numbers of its turns."""
    lines = []
    for behaviour, turns in turns_by_behaviour.items():
        noun = "turn" if len(turns) == 1 else "turns"
        lines.append(f"{behaviour.label}: {noun} {', '.join(map(str, turns))}")
    return lines


def trajectory_of(
    record: Record, task: Task, suite: Suite, semantics: Semantics
) -> Trajectory | None:
    """Return the trajectory of a plan, or None if no step of it was executed.

    Args:
        record: The record of the plan.
        task: Its task.
        suite: Its suite.
        semantics: The semantics that it was evaluated under.
    """
    result = record.result
    if record.ability != PLANS or result.status != "evaluated" or "done" not in result.executed:
        return None
    # An answer that was evaluated just now need not be run again.
    if result.evidence is not None:
        return result.evidence.trajectory
    execution = execution_of(suite, task, record.output, semantics)
    if execution is None:
        return None
    return execution.trajectory


Changes = Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]
"""Number of a step to the atoms that it made true and those that it made false, as text."""


def turn_changes(record: Record, task: Task, suite: Suite, semantics: Semantics) -> Changes:
    """Return the changes by each turn of an episode, found by replaying its actions.

    Empty for other answers, and for recorded episodes of suites that have no environment.

    Args:
        record: The record of the episode.
        task: Its task.
        suite: Its suite.
        semantics: The semantics that it was evaluated under.
    """
    if record.ability not in (INTERACTION, RECORDED) or "done" not in record.result.executed:
        return {}
    episode = episode_of(suite, task, record.output, ability=record.ability, semantics=semantics)
    if episode is None or INTERACTION not in suite.abilities:
        return {}
    changes: dict[int, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    environment = suite.environment(task, semantics)
    environment.reset()
    facts = _facts_in(environment.state())
    for turn in episode.turns:
        # A turn that failed changed nothing, and need not be taken again.
        if not turn.success or turn.reply.action is None:
            continue
        environment.step(turn.reply.action)
        new_facts = _facts_in(environment.state())
        became_true = _facts_only_in_first(new_facts, facts)
        became_false = _facts_only_in_first(facts, new_facts)
        changes[turn.number] = became_true, became_false
        facts = new_facts
    return changes


class _Facts(NamedTuple):
    """The atoms that hold in a state, with number values as text: ``"battery(robot) = 3"``."""

    atoms: set[Atom]
    numbers: set[str]


def _facts_in(state: State) -> _Facts:
    """Return the facts and numbers of a state."""
    numbers = {f"{term} = {format_number(value)}" for term, value in state.numeric_facts()}
    return _Facts(set(state.atoms()), numbers)


def _facts_only_in_first(first: _Facts, second: _Facts) -> tuple[str, ...]:
    """Return as text the atoms and numbers of the first state that the second does not have."""
    atoms = sorted(first.atoms - second.atoms, key=str)
    numbers = sorted(first.numbers - second.numbers)
    return (*_summarise_atoms(atoms), *numbers)


def _changed_values(trajectory: Trajectory, position: int) -> tuple[list[str], list[str]]:
    """Return the numbers that a step changed, as texts with the new and with the old values."""
    new_values = []
    old_values = []
    for term, old, new in trajectory.changed_numbers(position):
        new_values.append(f"{term} = {format_number(new)}")
        if old is not None:
            old_values.append(f"{term} = {format_number(old)}")
    return new_values, old_values


def steps_of(
    record: Record, trajectory: Trajectory | None, turns: Changes | None = None
) -> list[StepChange]:
    """Return the steps of a record's plan, each with its effects and its errors.

    Args:
        record: The record.
        trajectory: The trajectory of the plan, if it was executed.
        turns: The effects of turns, if the record is of an episode.
    """
    result = record.result
    findings_by_step: dict[int, list[Finding]] = {}
    for finding in result.findings:
        if finding.step is not None:
            findings_by_step.setdefault(finding.step, []).append(finding)
    changes = dict(turns or {})
    if trajectory is not None:
        for position, step in enumerate(trajectory.steps, start=1):
            added, deleted = trajectory.changed(position)
            new_values, old_values = _changed_values(trajectory, position)
            became_true = (*_summarise_atoms(added), *new_values)
            became_false = (*_summarise_atoms(deleted), *old_values)
            changes[step.number] = became_true, became_false
    steps = []
    # Steps that were not reached have no outcome, so the shorter list counts.
    pairs = zip(result.plan, result.executed, strict=False)
    for step_number, (action, outcome) in enumerate(pairs, start=1):
        became_true, became_false = changes.get(step_number, ((), ()))
        findings = tuple(findings_by_step.get(step_number, ()))
        steps.append(StepChange(step_number, action, outcome, became_true, became_false, findings))
    return steps


def _objects_in_formula(task: Task) -> dict[str, str]:
    """Return for each demanded action a sentence on its objects in the goal formula.

    Any objects satisfy a demanded action, but the formula may ask for certain ones. If a goal
    demands ``open`` and its formula has ``OPEN(fridge.1)``, the sentence is "the formula asks for
    OPEN(fridge.1)".
    """
    formula = task.goal.formula
    if formula is None:
        return {}
    # Each action once, without those that have a variable.
    ground_actions: dict[ActionAtom, str] = {}
    for atom in atoms(formula):
        if not isinstance(atom, ActionAtom) or not atom.terms:
            continue
        if all(isinstance(term, str) for term in atom.terms):
            arguments = ", ".join(map(str, atom.terms))
            ground_actions[atom] = f"{atom.action.upper()}({arguments})"
    sentences = {}
    for goal in task.goal.actions:
        texts = [text for atom, text in ground_actions.items() if atom.action in goal.names]
        if texts:
            sentences[str(goal)] = f"the formula asks for {' or '.join(texts)}"
    return sentences


def _summarise_atoms(atoms: Iterable[Atom]) -> tuple[str, ...]:
    """Return atoms as text by predicate, abbreviated if there are many."""
    atoms_by_predicate: dict[str, list[Atom]] = {}
    for atom in atoms:
        atoms_by_predicate.setdefault(atom.predicate, []).append(atom)
    texts: list[str] = []
    for predicate, predicate_atoms in atoms_by_predicate.items():
        if len(predicate_atoms) > _MAX_LISTED_ATOMS:
            texts.append(f"{predicate} ({len(predicate_atoms)} facts)")
        else:
            texts += map(_atom_text, predicate_atoms)
    return tuple(texts)


_atom_text = lru_cache(maxsize=1 << 12)(format_formula)
"""The text of an atom. The steps of all answers to a task change the same few atoms."""


def _kind_in_words(finding: Finding) -> str:
    """Return the kind of an error.

    If a simulator refused a step for a reason that has no kind, it is the simulator's own word.
    """
    if finding.kind is ErrorKind.UNSCORABLE and finding.conditions:
        word = finding.conditions[0]
        if word.isidentifier():
            return word
    return finding.kind.value


def _since_when(goal: Condition) -> str:
    """Return in brackets since when a condition holds, or which step made it false."""
    since = goal.since
    if goal.lost_by is not None:
        return f" (lost by step {goal.lost_by})"
    if since is None:
        return ""
    if goal.kind == "action":
        return f" (in step {since})"
    if since == 0:
        return " (from the start)"
    return f" (since step {since})"


def _verdict(record: Record) -> str:
    """Return the verdict of a record in words for its ability."""
    result = record.result
    if result.status != "evaluated":
        return result.status
    solved = "solved" if result.success else "not solved"
    # For operators, the answer is not a plan; a planner searched for one with them.
    if result.outcome and not result.plan:
        return f"{solved} (search: {result.outcome})"
    # An ability of a suite's own is judged as a whole: it has no plan, no goal and no parts.
    if record.ability not in VIEWS and not result.plan and not result.goals:
        return "right" if result.success else "wrong"
    if result.matches:
        return "right" if result.success else "not all correct"
    if result.executable:
        return f"{solved}, executable"
    return f"{solved}, not executable"
