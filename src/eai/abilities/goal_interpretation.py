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

from eai.abilities.goal_interpretation_answers import GoalReading, ReadGoal
from eai.abilities.goal_interpretation_names import GoalNames, PredictedGoal
from eai.diagnosis.judgement import GOAL_KINDS, Condition, Finding, Judgement, Match
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic.formula import (
    TRUE,
    ActionAtom,
    And,
    Atom,
    Formula,
    Not,
    Or,
    Then,
)
from eai.logic.options import GoalOptions
from eai.logic.printer import format_formula
from eai.task import ActionGoal, Goal, Task, literal_kind
from eai.world.bits import bits

__all__ = [
    "ActionJudge",
    "ActionVerdict",
    "has_goal",
    "judge_goals",
    "missed",
    "options_of",
    "unanswered",
]

_UNMET = {
    "state": ErrorKind.STATE_GOAL,
    "relation": ErrorKind.RELATION_GOAL,
    "action": ErrorKind.ACTION_GOAL,
}


@dataclass(frozen=True, slots=True)
class ActionVerdict:
    """What the action goals of an answer are worth.

    Args:
        match: The counts.
        goals: The demanded actions, and whether they were found.
        wrong: Those of the answer that are not demanded.
    """

    match: Match
    goals: tuple[Condition, ...]
    wrong: tuple[str, ...] = ()


ActionJudge = Callable[[tuple[ActionGoal, ...], Sequence[str]], ActionVerdict]
"""Compares the demanded actions with the names of those in an answer."""


def judge_goals(
    reading: GoalReading,
    task: Task,
    names: GoalNames,
    *,
    judge_actions: ActionJudge | None = None,
    unusable_count: bool = True,
    copies_count: bool = False,
) -> Judgement:
    """Judge the goals that were read out of an answer.

    Args:
        reading: The goals.
        task: The task, which has a goal.
        names: Looks up names of the task.
        judge_actions: How actions are compared; by default the sequence as one element.
        unusable_count: Whether goals that mean nothing in the task are false positives.
        copies_count: Whether a goal that is there several times counts several times.

    Raises:
        InputError: If the task's goal is too large to be compared with.
    """
    if reading.problem is not None:
        return missed(task, (reading.problem,), notes=reading.notes)
    predicted, actions, findings = _looked_up(reading.goals, names)
    if not unusable_count:
        predicted = [goal for goal in predicted if goal.usable]
        actions = [action for action in actions if action]
    sequence = actions if judge_actions is None else []
    best = _Fit.of(predicted, sequence, options_of(task), copies_count=copies_count)
    verdict = (judge_actions or _sequence_verdict)(task.goal.actions, actions)
    return _judgement(best, verdict, task, findings=findings, notes=reading.notes)


def has_goal(task: Task) -> bool:
    """Whether the task demands anything of which an answer could speak."""
    return bool(task.goal.actions) or any(task.goal.final)


def options_of(task: Task) -> GoalOptions:
    """The simple goals of a task: its actions, then what its final state shall be.

    Atoms that no action changes are not asked for where they are part of a larger condition;
    they are as they are at the start.
    """
    start, universe = task.start, task.start.universe
    asked = {literal for option in task.goal.final for _, literal in option}
    fluents = start.layout.domain.fluents

    def known(atom: Atom) -> bool | None:
        stored = atom.predicate in start.layout.index and atom.predicate not in fluents
        return start.holds(atom.predicate, [*map(str, atom.terms)]) if stored else None

    def extension(types: tuple[str, ...]) -> list[str]:
        return [universe.names[i] for i in bits(universe.mask(types))]

    plain = all(isinstance(literal, (Atom, Not)) for literal in asked)
    return GoalOptions(_simple(task.goal), extension, known=None if plain else known)


def missed(task: Task, findings: Iterable[Finding], *, notes: Iterable[str] = ()) -> Judgement:
    """The judgement on an answer in which no goal is found."""
    best = _Fit.of([], [], options_of(task))
    verdict = _sequence_verdict(task.goal.actions, [])
    return _judgement(best, verdict, task, findings=list(findings), notes=tuple(notes))


def unanswered(task: Task) -> Judgement:
    """The judgement on a task without an answer."""
    finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
    return replace(missed(task, (finding,)), status="missing")


def _simple(goal: Goal) -> Formula:
    """The goal without what no simple goal can say (a state on the way)."""
    options = [And(tuple(literal for _, literal in option)) for option in goal.final]
    state = options[0] if len(options) == 1 else Or(tuple(options)) if options else TRUE
    steps = [Or(tuple(ActionAtom(name) for name in action.names)) for action in goal.actions]
    return Then((*steps, state)) if steps else state


def _looked_up(
    goals: Iterable[ReadGoal], names: GoalNames
) -> tuple[list[PredictedGoal], list[str], list[Finding]]:
    predicted: list[PredictedGoal] = []
    actions: list[str] = []
    findings: list[Finding] = []
    for goal in goals:
        if goal.kind == "action":
            action, finding = names.action(goal)
            actions.append(action)
        else:
            meant, finding = names.look_up(goal)
            predicted.append(meant)
        if finding is not None:
            findings.append(finding)
    return predicted, actions, findings


@dataclass(frozen=True)
class _Fit:
    """The goals of an answer beside the simple goal that fits them best.

    Args:
        option: The literals of that simple goal.
        elements: The literals of the answer, and how often each counts.
        kinds: The kind of each.
        shown: Each as the answer has it.
    """

    option: frozenset[Formula]
    elements: Counter[Formula]
    kinds: Mapping[Formula, str]
    shown: Mapping[Formula, str]

    @classmethod
    def of(
        cls,
        predicted: Sequence[PredictedGoal],
        actions: Sequence[str],
        options: GoalOptions,
        *,
        copies_count: bool = False,
    ) -> _Fit:
        sequence = [_sequence(actions)] if actions else []
        everything = [literal for goal in predicted for literal in goal.literals()]
        option = _best(options, [*everything, *sequence])
        chosen = _chosen(predicted, option)
        if not all(goal.certain for goal in predicted):
            option = _best(options, [*(literal for literal, _ in chosen), *sequence])
        elements = Counter(literal for literal, _ in chosen)
        return cls(
            option,
            elements if copies_count else Counter(dict.fromkeys(elements, 1)),
            {literal: goal.kind for literal, goal in chosen},
            {literal: goal.text for literal, goal in chosen},
        )

    def match(self, kind: str) -> Match:
        asked = sum(literal_kind(literal) == kind for literal in self.option)
        right = sum(
            times
            for literal, times in self.elements.items()
            if literal in self.option and literal_kind(literal) == kind
        )
        wrong = sum(
            times
            for literal, times in self.elements.items()
            if literal not in self.option and self.kinds[literal] == kind
        )
        return Match(kind, right, wrong, asked - right)


def _best(options: GoalOptions, predicted: Iterable[Formula]) -> frozenset[Formula]:
    found = options.best_f1(predicted)
    literals = found.option if found is not None else frozenset[Formula]()
    return frozenset(each for each in literals if isinstance(each, (Atom, Not)))


def _sequence(actions: Sequence[str]) -> Formula:
    steps = tuple(map(ActionAtom, actions))
    return steps[0] if len(steps) == 1 else Then(steps)


def _chosen(
    predicted: Sequence[PredictedGoal], option: frozenset[Formula]
) -> list[tuple[Formula, PredictedGoal]]:
    """Settle what goals with several meanings mean: as many different wanted literals as can be.

    What is left over, and says the same as a goal before it, is a repetition and dropped.
    """
    found = [(next(goal.literals()), goal) for goal in predicted if goal.certain]
    taken = {literal for literal, _ in found}
    open_goals = [goal for goal in predicted if not goal.certain]
    owner = _matched([_wanted(goal, option - taken) for goal in open_goals])
    meant = {index: literal for literal, index in owner.items()}
    said = {goal for index, goal in enumerate(open_goals) if index in meant}
    taken |= set(owner)
    found += [(literal, open_goals[index]) for index, literal in meant.items()]
    for index, goal in enumerate(open_goals):
        if index not in meant and goal not in said:
            free = (literal for literal in goal.literals() if literal not in taken | option)
            literal = next(free, next(goal.literals()))
            found.append((literal, goal))
            taken.add(literal)
            said.add(goal)
    return found


def _wanted(goal: PredictedGoal, wanted: Iterable[Formula]) -> list[Formula]:
    meanings = set(goal.literals())
    return sorted((literal for literal in wanted if literal in meanings), key=format_formula)


def _matched(wishes: Sequence[Sequence[Formula]]) -> dict[Formula, int]:
    """A largest matching: literal to the number of the wish that gets it (Kuhn's algorithm)."""
    owner: dict[Formula, int] = {}

    def place(index: int, seen: set[Formula]) -> bool:
        for literal in wishes[index]:
            if literal not in seen:
                seen.add(literal)
                if literal not in owner or place(owner[literal], seen):
                    owner[literal] = index
                    return True
        return False

    for index in range(len(wishes)):
        place(index, set())
    return owner


def _sequence_verdict(goals: tuple[ActionGoal, ...], actions: Sequence[str]) -> ActionVerdict:
    """Compare whole sequences: they are one element each (section 2.3)."""
    right = len(goals) == len(actions) and all(
        action in goal.names for goal, action in zip(goals, actions, strict=True)
    )
    match = Match(
        "action",
        int(right and bool(goals)),
        *(int(bool(each) and not right) for each in (actions, goals)),
    )
    demanded = " then ".join(map(str, goals))
    conditions = (Condition("action", demanded, right),) if goals else ()
    written = " then ".join(name.upper() for name in actions)
    return ActionVerdict(match, conditions, (written,) if match.fp else ())


def _judgement(
    best: _Fit,
    verdict: ActionVerdict,
    task: Task,
    *,
    findings: list[Finding],
    notes: tuple[str, ...],
) -> Judgement:
    goals = (*_conditions(best, task.goal), *verdict.goals)
    kinds = [*GOAL_KINDS[:2], *sorted({*best.kinds.values()} - {*GOAL_KINDS})]
    matches = (*(best.match(kind) for kind in kinds), verdict.match)
    wrong = [best.shown[literal] for literal in best.elements if literal not in best.option]
    return Judgement(
        "judged",
        success=all(goal.met for goal in goals) and not any(match.fp for match in matches),
        findings=(*findings, *map(_missed_goal, (goal for goal in goals if not goal.met))),
        goals=goals,
        formula=task.goal.text,
        notes=(*notes, *(f"not asked for: {text}" for text in (*wrong, *verdict.wrong))),
        matches=matches,
    )


def _missed_goal(goal: Condition) -> Finding:
    message = f"{goal.text} is not in the answer"
    return Finding(_UNMET[goal.kind], message, conditions=(goal.text,))


def _conditions(best: _Fit, goal: Goal) -> tuple[Condition, ...]:
    """The literals of the simple goal, in the order in which the goal has their atoms."""
    written = [literal for option in goal.final for _, literal in option]
    order = {literal: place for place, literal in enumerate(reversed(written))}
    ranked = sorted(best.option, key=lambda each: (-order.get(each, -1), format_formula(each)))
    return tuple(
        Condition(literal_kind(each), format_formula(each), each in best.elements)
        for each in ranked
    )
