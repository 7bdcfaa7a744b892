"""The program in an answer: its functions, variables and names, and the code that never runs.

A plan in code may be the body of ``def plan():`` or follow ``lamp = "light.34"``. Such a function
is no step, and such a name stands for its object.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from eai.answers.grammar import StepGrammar
from eai.answers.items import Step
from eai.answers.surfaces import squeezed
from eai.answers.unclear import has_number

_NEVER_RUN = re.compile(r"\s*(?:if|while)\s*\(?\s*(?:False|false|0)\s*\)?\s*[:{]")
_ASSERTS = re.compile(r"\s*assert\s*\(")
"""A condition in a plan of ProgPrompt; the lines below it are for the case that it fails."""
_ENDS_RUN = re.compile(
    r"\s*(?:(?:sys|os|process)\.)?_?"
    r"(?P<word>return\b|raise\b|throw\b|(?:break|continue)(?=\s*(?:;|#|//|$))"
    r"|(?:exit|quit)(?=\(\w*\)))"
)
"""A line of a program behind which those as deep as it are not run."""
_RETURNS = re.compile(r"\s*return\s*;?\s*")
BULLET = re.compile(r"\s*[-*+]\s")
_LOOP = re.compile(r"\s*for\s+\(?((?:\w+\s*,\s*)*\w+)\)?\s+in\b.*:\s*$")
_ASSIGNED = re.compile(
    r"\s*(?:(?:const|let|var|auto|string)\s+)?([^\W\d]\w*)\s*=\s*([\w.]{1,60}\()?"
    r"([\"'])([^\"'\n]{1,100})\3\)?[;\s]*$"
)
"""A name that an answer gives to a text: ``lamp = "light.34"``."""
_ARGUMENT = re.compile(r"(?<!\bprint)[(\[,=:]\s*[{$]{0,2}([^\W\d]\w*)\}?\s*(?=[),\]])")
"""A name among the arguments of a call, or the items of a list."""
_DEFINITION = re.compile(r"\s*(?:export\s+)?(?:async\s+)?(?:def|function)\s+(\w+)\s*\(")


@dataclass(frozen=True, slots=True)
class SkippedPart:
    """The lines below one that says that they are not to be read.

    Args:
        indent: How far that line is indented; the lines below it are indented more.
        has_bullets: Whether bullets that are as deep as it belong to them:
            ``Preconditions:`` and ``- the door is open``.
    """

    indent: int
    has_bullets: bool = False

    def ends_before(self, line: str) -> bool:
        """Whether a line stands no longer below the one whose part is skipped."""
        indent = indent_of(line)
        if indent == self.indent and self.has_bullets and BULLET.match(line):
            return False
        return indent <= self.indent


class Program:
    """Definitions in an answer so far, and the part of it that is not to be read.

    Args:
        grammar: Reads the steps of a line.
        text: The answer.

    Attributes:
        defined: Functions of the answer.
        variables: Variables of its loops.
        meanings: Names that it gives to texts.
        skipped: The part that is being skipped; None if there is none.
        ended: The part behind a ``return``; None if there is none.
    """

    def __init__(self, grammar: StepGrammar, text: str) -> None:
        """Begin before the first line of the answer, with nothing defined or skipped."""
        self.grammar = grammar
        self.text = text
        self.defined: set[str] = set()
        self.variables: set[str] = set()
        self.meanings: dict[str, str] = {}
        self.skipped: SkippedPart | None = None
        self.ended: SkippedPart | None = None

    @cached_property
    def arguments(self) -> frozenset[str]:
        """The names that the answer uses as arguments or items, other than of ``print``."""
        return frozenset(_ARGUMENT.findall(self.text))

    def should_skip(self, text: str) -> bool:
        """Return whether a line is to be skipped: in code that never runs, or below an assertion.

        It is called for every line once and in order, as a line that is not indented more ends
        the part.
        """
        if self.skipped is not None and self.skipped.ends_before(text):
            self.skipped = None
        if self.skipped is None and _ASSERTS.match(text):
            self.skipped = SkippedPart(indent_of(text))
            return False
        if self.skipped is None and _NEVER_RUN.match(text):
            self.skipped = SkippedPart(indent_of(text))
        return self.skipped is not None

    def is_never_reached(self, line: str) -> bool:
        """Whether a line stands behind a ``return`` of its block; called for each line in order."""
        # A line that is indented less may end the loop or the branch with the return.
        if self.ended is not None and self.ended.ends_before(line):
            self.ended = None
        return self.ended is not None

    def end_run(self, line: str) -> None:
        """Remember that the rest of a block is not run if a line is a ``return`` or the like."""
        end = _ENDS_RUN.match(line)
        if end is not None and self.grammar.surfaces.find_action(end["word"]) is None:
            self.ended = SkippedPart(indent_of(line) - 1)

    def define_function(self, text: str) -> None:
        """Remember the function that a line defines, if it defines one."""
        function = _DEFINITION.match(text)
        if function is not None:
            self.defined.add(function[1])

    def take_definitions(self, text: str) -> bool:
        """Remember the names that a line of a program defines; return whether it is an assignment.

        A name may be that of a function, the variable of a loop, or one for an object:
        ``lamp = "light.34"``. The assignment of a step is none of these.
        """
        self.define_function(text)
        loop = _LOOP.match(text)
        if loop is not None:
            self.variables.update(name.strip(" ()") for name in loop[1].split(","))
        assignment = _ASSIGNED.match(text)
        if assignment is None:
            return False
        name, function, value = assignment[1], assignment[2], assignment[4]
        is_object = squeezed(value) in self.grammar.surfaces.objects
        if not is_object and self.grammar.read_line(value, 0, is_step_expected=True).steps:
            return False
        if function and not (self._looks_up(function, value) and name in self.arguments):
            return False  # a step whose result is kept
        self.meanings[name] = value
        return True

    def _looks_up(self, function: str, name: str) -> bool:
        """Whether a function of a program looks up an object: ``env.get("light.34")``."""
        surfaces = self.grammar.surfaces
        is_action = surfaces.find_action(function.rpartition(".")[2].rstrip("(")) is not None
        return squeezed(name) in surfaces.objects and not is_action

    def is_call_of_own(self, step: Step) -> bool:
        """Whether a step calls a function that the answer defines, or has a variable of a loop."""
        if step.written in self.defined and not any(map(has_number, step.arguments)):
            return True
        return step.name in self.variables or not self.variables.isdisjoint(step.arguments)

    def is_commented_out(self, text: str) -> bool:
        """Whether a line of a program is a comment that holds a step."""
        if not text.lstrip().startswith(("#", "//")):
            return False
        return bool(self.grammar.read_line(text.strip().lstrip("#/ "), 0).steps)

    def replace_names(self, steps: Sequence[Step]) -> None:
        """Replace names that the answer defines, ``lamp = "light.34"``, by what they stand for."""
        if self.meanings:
            for step in steps:
                step.arguments = [self.meanings.get(name, name) for name in step.arguments]

    def skip_below(self, text: str, *, has_bullets: bool = False) -> None:
        """Skip the lines that are indented below a line."""
        self.skipped = SkippedPart(indent_of(text), has_bullets)


def never_runs(text: str) -> bool:
    """Whether a part of a text is code that never runs: below ``if False:``, behind ``return``."""
    lines = [line for line in text.split("\n") if line.strip("` ")]
    if any(map(_NEVER_RUN.match, lines)):
        return True
    return any(
        _RETURNS.fullmatch(line) and indent_of(line_behind) >= indent_of(line)
        for line, line_behind in pairwise(lines)
    )


def indent_of(line: str) -> int:
    """Return by how much a line is indented."""
    return len(line) - len(line.lstrip())


BEFORE_LIST = 200
"""Number of characters before the first step of a list in which the list gets its name."""


def runs_variable(step: Step, text_before: str, objects: Container[str]) -> bool:
    """Whether a call has no object, or the name of a list of steps in its place.

    Args:
        step: The step that the call may be: ``plan.run()``, ``run(plan)``.
        text_before: The text before the list, such as ``plan = [``.
        objects: Written forms of the objects of the task.
    """
    if len(step.arguments) > 1:
        return False
    if not step.arguments:
        return step.lacks_objects
    name = step.arguments[0]
    if squeezed(name) in objects:
        return False
    return re.search(rf"(?<!\w){re.escape(name)}\s{{0,4}}=(?!=)", text_before) is not None
