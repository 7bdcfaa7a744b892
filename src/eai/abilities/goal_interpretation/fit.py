"""Comparing two sets of literals: what an answer says, and the simple goal that it fits best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from eai.abilities.goal_interpretation.names import PredictedGoal
from eai.diagnosis import Condition, Match
from eai.logic import Atom, Formula, GoalOptions, Not, format_formula
from eai.task import literal_kind


@dataclass(frozen=True)
class Fit:
    """The goals of an answer beside the simple goal that fits them best.

    Args:
        option: The literals of that simple goal, in order.
        elements: The literals of the answer, and how often each counts.
        kinds: The kind of each.
        shown: Each as the answer has it.
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
        """Take the simple goal with the greatest F1 (paper, section 2.3).

        Args:
            predicted: The goals of the answer about the final state.
            sequence: Its actions, as one element, or nothing.
            options: The simple goals of the task.
            copies_count: Whether a goal that is there several times counts several times.
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

    Args:
        predicted: The goals of an answer.
        option: The simple goal.
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
    """A largest matching: number of a wish to the literal that it gets (Kuhn's algorithm)."""
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
    return {index: literal for literal, index in owner.items()}
