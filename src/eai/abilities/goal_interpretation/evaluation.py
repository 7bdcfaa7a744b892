"""Goal interpretation: the goals of an answer are compared with the task's (paper, section 2.3).

A simple goal is a set: the literals of the final state, and the sequence of actions as one
element. The answer is compared with the simple goal, of all that entail the task's goal, that
gives the greatest F1. An element of the answer that is no goal of the task is a false positive,
whether it is a wrong goal, an unknown name or nothing readable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from eai.abilities.goal_interpretation.names import GoalNames, GoalReading, PredictedGoal
from eai.diagnosis import GOAL_KINDS, UNMET_KINDS, Condition, ErrorKind, Finding, Match, Result
from eai.logic import (
    TRUE,
    ActionAtom,
    And,
    Atom,
    Formula,
    GoalOptions,
    Not,
    Or,
    Then,
    format_formula,
    largest_matching,
)
from eai.task import ActionGoal, Goal, Task, literal_kind


@dataclass(frozen=True)
class Fit:
    """The goals of an answer beside the simple goal that fits them best."""

    option: tuple[Formula, ...]  # the literals of that simple goal, in order
    elements: Mapping[Formula, int]  # the literals of the answer, and how often each counts
    kinds: Mapping[Formula, str]  # the kind of each
    shown: Mapping[Formula, str]  # each as the answer has it

    @classmethod
    def best(
        cls,
        predicted: Sequence[PredictedGoal],
        sequence: Sequence[Formula],
        options: GoalOptions,
        *,
        copies_count: bool = False,
    ) -> Fit:
        """Take the simple goal with the greatest F1 (paper, section 2.3).

        Of the answer there are the goals about the final state, and its actions, as one element.
        """
        everything = [literal for goal in predicted for literal in goal.literals()]
        option = _best(options, [*everything, *sequence])
        meant = settled(predicted, option)
        if not all(goal.certain for goal in predicted):
            option = _best(options, [*(literal for literal, _ in meant), *sequence])
        return cls.of(meant, sorted(option, key=format_formula), copies_count=copies_count)

    @classmethod
    def of(
        cls,
        predicted: Iterable[tuple[Formula, PredictedGoal]],
        option: Iterable[Formula],
        *,
        copies_count: bool = False,
    ) -> Fit:
        """Compare goals whose meaning is settled with a simple goal."""
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
        """What the answer says and the simple goal does not, as the answer has it."""
        return [self.shown[literal] for literal in self.elements if literal not in self.option]

    def condition(self, literal: Formula) -> Condition:
        """Whether a literal of the simple goal is in the answer."""
        return Condition(literal_kind(literal), format_formula(literal), literal in self.elements)

    def match(self, kind: str) -> Match:
        """The counts for one kind of goal."""
        asked = sum(literal_kind(literal) == kind for literal in self.option)
        right = wrong = 0
        for literal, times in self.elements.items():
            if literal not in self.option:
                wrong += times * (self.kinds[literal] == kind)
            elif literal_kind(literal) == kind:
                right += times
        return Match(kind, right, wrong, asked - right)


def _best(options: GoalOptions, predicted: Iterable[Formula]) -> frozenset[Formula]:
    found = options.best_f1(predicted)
    literals = found.option if found is not None else frozenset[Formula]()
    return frozenset(each for each in literals if isinstance(each, (Atom, Not)))


def settled(
    predicted: Sequence[PredictedGoal], option: frozenset[Formula]
) -> list[tuple[Formula, PredictedGoal]]:
    """Settle what goals with several meanings mean.

    They mean as many different literals of a simple goal as possible. What is left over, and
    says the same as a goal before it, is a repetition and dropped.
    """
    found = [(next(goal.literals()), goal) for goal in predicted if goal.certain]
    open_goals = [goal for goal in predicted if not goal.certain]
    taken = {literal for literal, _ in found}
    wishes = ((option - taken).intersection(goal.literals()) for goal in open_goals)
    meant = _matched([sorted(wish, key=format_formula) for wish in wishes])
    found += [(literal, open_goals[index]) for index, literal in meant.items()]
    said = {open_goals[index] for index in meant}
    taken |= {*meant.values(), *option}
    for index, goal in enumerate(open_goals):
        if index not in meant and goal not in said:
            free = (literal for literal in goal.literals() if literal not in taken)
            literal = next(free, next(goal.literals()))
            found.append((literal, goal))
            taken.add(literal)
            said.add(goal)
    return found


def _matched(wishes: Sequence[Sequence[Formula]]) -> dict[int, Formula]:
    """Return a largest matching: number of a wish to the literal that it gets."""
    literals = list(dict.fromkeys(literal for wish in wishes for literal in wish))
    number = {literal: index for index, literal in enumerate(literals)}
    rows = [[number[literal] for literal in wish] for wish in wishes]
    columns = largest_matching(rows, len(literals))
    return {index: literals[column] for index, column in enumerate(columns) if column >= 0}


@dataclass(frozen=True, slots=True)
class ActionVerdict:
    """What the action goals of an answer are worth."""

    match: Match
    goals: tuple[Condition, ...] = ()  # the demanded actions, and whether they were found
    wrong: tuple[str, ...] = ()  # those of the answer that are not demanded


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
        evaluate_actions: How actions are compared; by default the sequence as one element.
        unusable_count: Whether goals that mean nothing in the task are false positives.
        copies_count: Whether a goal that is there several times counts several times.

    Raises:
        InputError: If the task's goal is too large to be compared with.
    """
    predicted, actions, findings = look_up(reading, names)
    if not unusable_count:
        predicted = [goal for goal in predicted if goal.usable]
        actions = [action for action in actions if action]
    literals = _only_option(task.goal) if options is None else None
    if literals is not None:
        meant = settled(predicted, frozenset(literals))
        fit = Fit.of(meant, literals, copies_count=copies_count)
    else:
        steps = tuple(map(ActionAtom, actions)) if evaluate_actions is None else ()
        sequence = (Then(steps),) if len(steps) > 1 else steps
        options = options or options_of(task)
        fit = Fit.best(predicted, sequence, options, copies_count=copies_count)
    verdict = (evaluate_actions or _sequence_verdict)(task.goal.actions, actions)
    return evaluate_fit(fit, task, verdict, findings=findings, notes=reading.notes)


def has_goal(task: Task) -> bool:
    """Whether the task demands anything of which an answer could speak."""
    return bool(task.goal.actions) or any(task.goal.final)


def options_of(task: Task) -> GoalOptions:
    """The simple goals of a task: its actions, then what its final state shall be.

    Atoms that no action changes are not asked for where they are part of a larger condition;
    they are as they are at the start. The options of the last tasks are kept, since finding them
    can take a second.
    """
    return _options(_Same(task))


class _Same:
    """A task that equals only itself: comparing what is in it takes longer than finding options."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.task is other.task

    def __hash__(self) -> int:
        return id(self.task)


@lru_cache(maxsize=128)
def _options(same: _Same) -> GoalOptions:
    start, goal = same.task.start, same.task.goal
    asked = {literal for option in goal.final for _, literal in option}
    fluents = start.layout.domain.fluents

    def known(atom: Atom) -> bool | None:
        static = atom.predicate in start.layout.index and atom.predicate not in fluents
        if not static or atom in asked:
            return None
        return start.holds(atom.predicate, [*map(str, atom.terms)])

    # The goal without what no simple goal can say (a state on the way).
    final = [And(tuple(literal for _, literal in option)) for option in goal.final]
    state = final[0] if len(final) == 1 else Or(tuple(final)) if final else TRUE
    steps = [Or(tuple(ActionAtom(name) for name in action.names)) for action in goal.actions]
    simple = Then((*steps, state)) if steps else state
    return GoalOptions(simple, start.universe.of_types, known=known)


def unanswered(result: Result) -> Result:
    """The result on a task without an answer, from that on an answer without goals."""
    finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    return replace(result, status="missing", findings=(finding, *result.findings))


def _only_option(goal: Goal) -> tuple[Formula, ...] | None:
    """The literals of the final state if the goal is a simple goal already."""
    if len(goal.final) != 1:
        return None
    literals = tuple(dict.fromkeys(literal for _, literal in goal.final[0]))
    atoms = (each.operand if isinstance(each, Not) else each for each in literals)
    return literals if all(isinstance(atom, Atom) for atom in atoms) else None


def look_up(
    reading: GoalReading, names: GoalNames
) -> tuple[list[PredictedGoal], list[str], list[Finding]]:
    """Look up the names in all goals: those about the final state, the actions, what is wrong."""
    predicted: list[PredictedGoal] = []
    actions: list[str] = []
    findings = [] if reading.problem is None else [reading.problem]
    known = lru_cache(maxsize=1024)(names.look_up)
    for goal in reading.goals:
        if goal.kind == "action":
            action, wrong = names.action(goal)
            actions.append(action)
        else:
            meant, wrong = known(goal)
            predicted.append(meant)
        findings += wrong
    return predicted, actions, findings


def _sequence_verdict(goals: tuple[ActionGoal, ...], actions: Sequence[str]) -> ActionVerdict:
    """Compare whole sequences: they are one element each (section 2.3)."""
    right = len(goals) == len(actions) and all(
        action in goal.names for goal, action in zip(goals, actions, strict=True)
    )
    wrong, missing = bool(actions) and not right, bool(goals) and not right
    match = Match("action", int(right and bool(goals)), int(wrong), int(missing))
    demanded = " then ".join(map(str, goals))
    conditions = (Condition("action", demanded, right),) if goals else ()
    written = " then ".join(name.upper() for name in actions)
    return ActionVerdict(match, conditions, (written,) if wrong else ())


def evaluate_fit(
    fit: Fit,
    task: Task,
    actions: ActionVerdict,
    *,
    findings: Iterable[Finding] = (),
    notes: Iterable[str] = (),
) -> Result:
    """The result on an answer that was compared with a task's goal."""
    goals = (*map(fit.condition, fit.option), *actions.goals)
    kinds = [*GOAL_KINDS[:2], *sorted({*fit.kinds.values()} - {*GOAL_KINDS})]
    matches = (*map(fit.match, kinds), actions.match)
    lacking = ((UNMET_KINDS[goal.kind], goal.text) for goal in goals if not goal.met)
    unmet = [Finding(kind, f"{t} is not in the answer", conditions=(t,)) for kind, t in lacking]
    return Result(
        "evaluated",
        success=not unmet and not any(match.fp for match in matches),
        findings=(*findings, *unmet),
        goals=goals,
        formula=task.goal.text,
        notes=(*notes, *(f"not asked for: {text}" for text in (*fit.wrong, *actions.wrong))),
        matches=matches,
    )
