"""A plan that an answer may mean, as it is put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from eai.answers.choice import Candidate
from eai.answers.items import Step
from eai.answers.values import Text


@dataclass(slots=True)
class Plan(Candidate[Step]):
    """A plan that an answer may mean.

    Args:
        unread: What stands where a step is expected and is none.
        notes: What was understood or left out.
        unclear_lines: Lines that may have been meant as steps, each with the steps before it.
        regions: Number of its steps that stand alone, or with other arms', in a value or fence.
        indent: How far its last line is indented.
        ends_with_value: Whether its last step is a value, not a line.
        is_empty: Whether it is a plan without steps.
        numbers: The numbers of its steps, which ``numbered`` of them have.
        last_number: The highest of them; -1 if there is none.
        heading: The last heading above its steps.
        replaces: The number of the step of the plan before that its only step replaces, or 0.
    """

    unread: list[Text] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
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

    def head_with(self, heading: str) -> None:
        """Remember the heading of the steps that follow."""
        if heading:
            self.heading = heading

    def forget_numbers(self) -> None:
        """Let the numbers of its steps begin anew, in its next part."""
        self.numbers = set()
        self.last_number = 0

    def take(self, steps: Sequence[Step]) -> None:
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
