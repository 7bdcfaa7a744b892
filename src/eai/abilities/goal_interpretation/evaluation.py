"""Goal interpretation: the goals of an answer are compared with the task's (paper, section 2.3).

A simple goal is a set: the literals of the final state, and the sequence of actions as one
element. The answer is compared with the simple goal, of all that entail the task's goal, that
gives the greatest F1. An element of the answer that is no goal of the task is a false positive,
whether it is a wrong goal, an unknown name or nothing readable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from eai.abilities.goal_interpretation.names import (
    GoalNames,
    GoalReading,
    PredictedGoal,
    ReadGoal,
)
from eai.diagnosis import GOAL_KINDS, UNMET_KINDS, Condition, ErrorKind, Finding, Match, Result
from eai.logic import (
    TRUE,
    ActionAtom,
    And,
    Atom,
    Formula,
    Not,
    Or,
    Then,
    format_formula,
)
from eai.task import ActionGoal, Goal, Task, literal_kind

if TYPE_CHECKING:
    from eai.logic import GoalOptions
    from eai.world import State


@dataclass(frozen=True)
class Fit:
    """The goals of an answer compared with the simple goal that fits them best.

    Args:
        option: The literals of that simple goal, in order.
        elements: The literals of the answer, and how often each counts.
        kinds: Literal of the answer to its kind of goal.
        shown: Literal of the answer to its text there.
    """

    option: tuple[Formula, ...]
    elements: Mapping[Formula, int]
    kinds: Mapping[Formula, str]
    shown: Mapping[Formula, str]

    @classmethod
    def best(
        cls,
        predicted: Sequence[PredictedGoal],
        sequence: Sequence[Formula],
        options: GoalOptions,
        *,
        copies_count: bool = False,
    ) -> Fit:
        """Compare an answer with the simple goal that has the greatest F1 (paper, section 2.3).

        Args:
            predicted: The goals of the answer about the final state.
            sequence: Its actions, as one element.
            options: The simple goals.
            copies_count: Whether a goal that is there several times counts several times.
        """
        literals: list[Formula] = []
        for goal in predicted:
            literals += goal.literals()
        option = _best(options, [*literals, *sequence])
        settled_goals = settled(predicted, option)
        if not all(goal.certain for goal in predicted):
            # Of a goal with several meanings all literals were offered; now it has one meaning,
            # and another simple goal may fit better.
            option = _best(options, [*(literal for literal, _ in settled_goals), *sequence])
        return cls.of(settled_goals, sorted(option, key=format_formula), copies_count=copies_count)

    @classmethod
    def of(
        cls,
        predicted: Iterable[tuple[Formula, PredictedGoal]],
        option: Iterable[Formula],
        *,
        copies_count: bool = False,
    ) -> Fit:
        """Compare goals whose meaning is settled with a simple goal.

        Args:
            predicted: The predicted goals, each with the literal that it stands for.
            option: The literals of the simple goal.
            copies_count: Whether a literal that is predicted twice counts twice.
        """
        pairs = list(predicted)
        elements = Counter(literal for literal, _ in pairs)
        return cls(
            tuple(option),
            elements if copies_count else dict.fromkeys(elements, 1),
            {literal: goal.kind for literal, goal in pairs},
            {literal: goal.text for literal, goal in pairs},
        )

    @property
    def wrong(self) -> list[str]:
        """The goals of the answer that are not in the simple goal, in the words of the answer."""
        return [self.shown[literal] for literal in self.elements if literal not in self.option]

    def condition(self, literal: Formula) -> Condition:
        """Return a literal of the simple goal, and whether the answer has it."""
        return Condition(literal_kind(literal), format_formula(literal), literal in self.elements)

    def match(self, kind: str) -> Match:
        """Return the counts for one kind of goal: right, wrong and missing literals."""
        demanded = sum(literal_kind(literal) == kind for literal in self.option)
        right = 0
        wrong = 0
        for literal, times in self.elements.items():
            # A right literal has the kind of the task's goal, a wrong one that of the answer.
            if literal in self.option:
                if literal_kind(literal) == kind:
                    right += times
            elif self.kinds[literal] == kind:
                wrong += times
        return Match(kind, right, wrong, demanded - right)


def _best(options: GoalOptions, predicted: Iterable[Formula]) -> frozenset[Formula]:
    """Return the literals of the simple goal with the greatest F1."""
    best = options.best_f1(predicted)
    if best is None:
        return frozenset()
    return frozenset(literal for literal in best.option if isinstance(literal, (Atom, Not)))


def settled(
    predicted: Sequence[PredictedGoal], option: frozenset[Formula]
) -> list[tuple[Formula, PredictedGoal]]:
    """Return one literal for each goal of an answer, those with several meanings included.

    Goals with several meanings are matched with as many different literals of a simple goal as
    possible (a largest bipartite matching). A goal that is left over and has the same meanings as
    one before it is a repetition and dropped.

    Args:
        predicted: The goals of the answer.
        option: The literals of the simple goal.
    """
    # Goals with one meaning first: what they mean is no candidate for the others.
    pairs: list[tuple[Formula, PredictedGoal]] = []
    open_goals: list[PredictedGoal] = []
    for goal in predicted:
        if goal.certain:
            pairs.append((next(goal.literals()), goal))
        else:
            open_goals.append(goal)
    # Two goals of an answer must not stand for the same literal.
    used_literals = {literal for literal, _ in pairs}
    matched = _match_with_option(open_goals, option - used_literals)
    pairs += matched
    # Goals that are left over are wrong: they must not mean a literal of the simple goal.
    used_literals |= option.union(literal for literal, _ in matched)
    done = {goal for _, goal in matched}
    for goal in open_goals:
        if goal not in done:
            literal = _free_meaning(goal, used_literals)
            pairs.append((literal, goal))
            used_literals.add(literal)
            done.add(goal)
    return pairs


def _match_with_option(
    goals: Sequence[PredictedGoal], literals: frozenset[Formula]
) -> list[tuple[Formula, PredictedGoal]]:
    """Return goals with different literals that they may mean, as many as possible."""
    candidates = []
    for goal in goals:
        candidates.append(sorted(literals.intersection(goal.literals()), key=format_formula))
    matched = _largest_matching(candidates)
    return [(literal, goals[index]) for index, literal in matched.items()]


def _free_meaning(goal: PredictedGoal, used_literals: set[Formula]) -> Formula:
    """Return a meaning of a wrong goal, one that no other goal has if there is such a one.

    Any meaning is as wrong as another; a free one makes two wrong goals count twice.
    """
    for literal in goal.literals():
        if literal not in used_literals:
            return literal
    return next(goal.literals())


def _largest_matching(candidates: Sequence[Sequence[Formula]]) -> dict[int, Formula]:
    """Return a largest matching between goals and the literals that they can stand for.

    "The cup is on the table" can stand for ``on(cup.1, table.3)`` or ``on(cup.2, table.3)``; no
    literal may be taken by two goals.

    Args:
        candidates: For each goal the literals that it can stand for.

    Returns:
        Index of a goal to its literal; goals without a literal are left out.
    """
    if not any(candidates):
        return {}
    from eai.logic import largest_matching  # most goals have one meaning

    # The matching works on numbers: rows are goals, columns literals.
    numbers: dict[Formula, int] = {}
    rows = []
    for literals in candidates:
        row = [numbers.setdefault(literal, len(numbers)) for literal in literals]
        rows.append(row)
    by_number = list(numbers)
    columns = largest_matching(rows, len(by_number))
    return {index: by_number[column] for index, column in enumerate(columns) if column >= 0}


@dataclass(frozen=True, slots=True)
class ActionVerdict:
    """The comparison of an answer's action goals with the demanded ones.

    Args:
        match: The counts.
        goals: The demanded actions, and whether the answer has them.
        wrong: Actions of the answer that are not demanded.
    """

    match: Match
    goals: tuple[Condition, ...] = ()
    wrong: tuple[str, ...] = ()


ActionEvaluator = Callable[[tuple[ActionGoal, ...], Sequence[str]], ActionVerdict]
"""Compares the demanded actions with the names of those in an answer."""


def evaluate_goals(
    reading: GoalReading,
    task: Task,
    names: GoalNames,
    *,
    options: GoalOptions | None = None,
    evaluate_actions: ActionEvaluator | None = None,
    unusable_count: bool = True,
    copies_count: bool = False,
) -> Result:
    """Evaluate the goals that were read out of an answer to a task, which has a goal.

    Args:
        reading: The goals.
        task: The task.
        names: Looks up its names.
        options: The simple goals of the task; by default those of its goal.
        evaluate_actions: Compares actions; by default the sequence is one element.
        unusable_count: Whether goals that mean nothing in the task are false positives.
        copies_count: Whether a goal that is there several times counts several times.

    Raises:
        InputError: If the task's goal is too large to be compared with.
    """
    predicted, actions, findings = look_up(reading, names)
    if not unusable_count:
        predicted = [goal for goal in predicted if goal.usable]
        actions = [action for action in actions if action]
    only_option = _only_option(task.goal) if options is None else None
    if only_option is not None:  # there is one simple goal: nothing has to be searched
        settled_goals = settled(predicted, frozenset(only_option))
        fit = Fit.of(settled_goals, only_option, copies_count=copies_count)
    else:
        # A suite that compares actions in its own way leaves them out of the choice of the option.
        sequence = _as_sequence(actions) if evaluate_actions is None else ()
        options = options or options_of(task)
        fit = Fit.best(predicted, sequence, options, copies_count=copies_count)
    evaluate_actions = evaluate_actions or _sequence_verdict
    verdict = evaluate_actions(task.goal.actions, actions)
    return evaluate_fit(fit, task, verdict, findings=findings, notes=reading.notes)


def _as_sequence(actions: Sequence[str]) -> tuple[Formula, ...]:
    """Return actions as the one element that they are in a simple goal; none without actions."""
    atoms = tuple(map(ActionAtom, actions))
    return (Then(atoms),) if len(atoms) > 1 else atoms


def has_goal(task: Task) -> bool:
    """Return whether a task demands anything that an answer could name."""
    return bool(task.goal.actions) or any(task.goal.final)


def options_of(task: Task) -> GoalOptions:
    """Return the simple goals of a task: its actions, then the literals of its final state.

    Atoms that no action changes are not asked for where they are part of a larger condition;
    they have their value of the start. The options of the last tasks are kept, since finding them
    can take a second.
    """
    return _cached_options(_TaskByIdentity(task))


class _TaskByIdentity:
    """A task as the key of a cache, equal to itself only.

    To compare the fields of two tasks takes longer than to find their options.
    """

    def __init__(self, task: Task) -> None:
        self.task = task

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _TaskByIdentity) and self.task is other.task

    def __hash__(self) -> int:
        return id(self.task)


@lru_cache(maxsize=128)
def _cached_options(key: _TaskByIdentity) -> GoalOptions:
    """Return the simple goals that satisfy the goal of a task, as :func:`options_of` does.

    Literals that no action changes are decided beforehand, unless the goal contains them.
    """
    from eai.logic import GoalOptions  # most goals have a single option

    start = key.task.start
    goal = key.task.goal
    goal_literals: set[Formula] = set()
    for option in goal.final:
        goal_literals.update(literal for _, literal in option)
    known = _StaticAtoms(start, goal_literals).value
    return GoalOptions(_simple_formula(goal), start.universe.of_types, known=known)


def _simple_formula(goal: Goal) -> Formula:
    """Return the demanded actions in order, then the condition on the final state.

    Conditions on states on the way are left out, since no simple goal can name them.
    """
    final: Formula = TRUE
    if goal.final:
        final = Or(tuple(And(tuple(literal for _, literal in option)) for option in goal.final))
    if not goal.actions:
        return final
    steps = [Or(tuple(map(ActionAtom, action.names))) for action in goal.actions]
    return Then((*steps, final))


class _StaticAtoms:
    """The values of atoms that no action changes.

    Args:
        start: A state; static atoms have the same values in all states.
        left_open: Atoms whose values are not looked up.
    """

    def __init__(self, start: State, left_open: Container[Formula]) -> None:
        self._start = start
        self._left_open = left_open

    def value(self, atom: Atom) -> bool | None:
        """Return the value of a static atom; None if the atom is not static or left open."""
        layout = self._start.layout
        if atom in self._left_open or atom.predicate not in layout.index:
            return None
        if atom.predicate in layout.domain.fluents:
            return None
        return self._start.holds(atom.predicate, [*map(str, atom.terms)])


def unanswered(result: Result) -> Result:
    """Return the result of a missing answer, from that of an answer without goals.

    It is a failure even where the task has no goals, which an answer without goals would match.
    """
    finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    findings = (finding, *result.findings)
    return replace(result, status="missing", success=False, findings=findings)


def _only_option(goal: Goal) -> tuple[Formula, ...] | None:
    """Return the literals of the final state if the goal is a simple goal already.

    Most goals are a conjunction of literals; for these no options have to be enumerated. None if
    the goal has alternatives, or a condition that is no literal.
    """
    if len(goal.final) != 1:
        return None
    literals = tuple(dict.fromkeys(literal for _, literal in goal.final[0]))
    for literal in literals:
        atom = literal.operand if isinstance(literal, Not) else literal
        if not isinstance(atom, Atom):
            return None
    return literals


def look_up(
    reading: GoalReading, names: GoalNames
) -> tuple[list[PredictedGoal], list[str], list[Finding]]:
    """Look up the names in all goals.

    Returns:
        The goals about the final state, the actions, and the findings about names.
    """
    predicted: list[PredictedGoal] = []
    actions: list[str] = []
    findings = [] if reading.problem is None else [reading.problem]
    meanings: dict[ReadGoal, tuple[PredictedGoal, tuple[Finding, ...]]] = {}
    for goal in reading.goals:
        if goal.kind == "action":
            action, wrong = names.action(goal)
            actions.append(action)
        else:
            if goal not in meanings:  # answers repeat goals
                meanings[goal] = names.look_up(goal)
            meaning, wrong = meanings[goal]
            predicted.append(meaning)
        findings += wrong
    return predicted, actions, findings


def _sequence_verdict(goals: tuple[ActionGoal, ...], actions: Sequence[str]) -> ActionVerdict:
    """Compare the demanded sequence of actions with the predicted one, each as a single element.

    Paper, section 2.3: a sequence is right as a whole or not at all, so a wrong one counts as one
    wrong and one missing element, however many of its actions are right.

    Args:
        goals: The demanded actions in order, each with the names that meet it.
        actions: The predicted actions in order.
    """
    is_right = False
    if len(goals) == len(actions):
        pairs = zip(goals, actions, strict=True)
        is_right = all(action in goal.names for goal, action in pairs)
    has_goals = bool(goals)
    has_actions = bool(actions)
    is_wrong = has_actions and not is_right
    is_missing = has_goals and not is_right
    match = Match("action", int(is_right and has_goals), int(is_wrong), int(is_missing))
    conditions: tuple[Condition, ...] = ()
    if has_goals:
        conditions = (Condition("action", " then ".join(map(str, goals)), is_right),)
    wrong: tuple[str, ...] = ()
    if is_wrong:
        wrong = (" then ".join(name.upper() for name in actions),)
    return ActionVerdict(match, conditions, wrong)


def evaluate_fit(
    fit: Fit,
    task: Task,
    actions: ActionVerdict,
    *,
    findings: Iterable[Finding] = (),
    notes: Iterable[str] = (),
) -> Result:
    """Return the result of an answer that was compared with a task's goal.

    Args:
        fit: The predicted goals about the final state, compared with the best option of the goal.
        task: The task.
        actions: The verdict on the predicted actions.
        findings: Errors in the answer.
        notes: Notes of the reading.
    """
    # Goals of the best option: of several alternatives the answer need not name all.
    goals = (*map(fit.condition, fit.option), *actions.goals)
    # Kinds of the suite come after those of the paper; actions are counted apart.
    kinds_of_suite = sorted(set(fit.kinds.values()).difference(GOAL_KINDS))
    matches = [fit.match(kind) for kind in (*GOAL_KINDS[:2], *kinds_of_suite)]
    matches.append(actions.match)
    unmet: list[Finding] = []
    for goal in goals:
        if not goal.met:
            message = f"{goal.text} is not in the answer"
            unmet.append(Finding(UNMET_KINDS[goal.kind], message, conditions=(goal.text,)))
    not_asked = [f"not asked for: {text}" for text in (*fit.wrong, *actions.wrong)]
    has_wrong_goals = any(match.fp for match in matches)
    return Result(
        "evaluated",
        success=not unmet and not has_wrong_goals,
        findings=(*findings, *unmet),
        goals=goals,
        formula=task.goal.text,
        notes=(*notes, *not_asked),
        matches=tuple(matches),
    )
