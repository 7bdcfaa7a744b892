"""A plan that an answer may mean, as it is put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from eai.answers.choice import Candidate
from eai.answers.items import Step
from eai.answers.values import Text

MAX_LOOKED_BACK = 300
"""So many steps of a plan are compared with one that is told once more."""


@dataclass(slots=True)
class Plan(Candidate[Step]):
    """A plan that an answer may mean, while it is put together.

    Args:
        unread: Texts where a step is expected that could not be read.
        notes: What was understood or left out, one phrase each.
        steps_beside: Steps that are named beside its own, perhaps only to explain them.
        unclear_lines: Lines that may be steps, each behind the number of steps before it.
        regions: Number of its steps that stand in a value or a fence of their own. Steps of
            several arms at the same time share one.
        indent: Indentation of its last line.
        ends_with_value: Whether its last step is a value, not a line.
        is_empty: Whether it is a plan without steps.
        numbers: The numbers of its steps.
        numbered: How many of its steps have a number.
        last_number: The highest number; -1 if there is none.
        heading: The last heading above its steps.
        replaces: The number of the step that its only step replaces in the plan before; or 0.
    """

    unread: list[Text] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    steps_beside: list[Step] = field(default_factory=list)
    unclear_lines: list[tuple[int, Text]] = field(default_factory=list)
    regions: int = 0
    indent: int = 0
    ends_with_value: bool = False
    is_empty: bool = False
    numbers: set[int] = field(default_factory=set)
    numbered: int = 0
    last_number: int = -1
    heading: str = ""
    replaces: int = 0

    def forget_numbers(self) -> None:
        """Let the numbers of the steps begin anew, in the next part of the plan."""
        self.numbers = set()
        self.last_number = 0

    def add_steps(self, steps: Sequence[Step]) -> None:
        """Add steps, and remember their numbers."""
        self.items += steps
        for step in steps:
            if step.number is not None:
                self.numbers.add(step.number)
                self.numbered += 1
                self.last_number = max(self.last_number, step.number)

    @property
    def has_known_step(self) -> bool:
        """Whether the task has the action of one of its steps."""
        return any(step.is_known for step in self.items)

    def has_step(self, step: Step) -> bool:
        """Whether one of its last steps says the same as a step."""
        return any(map(step.says_same, self.items[-MAX_LOOKED_BACK:]))
