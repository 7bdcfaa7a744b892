"""Steps of plans, and small helpers to write them in many shapes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """A step of a plan, in the notation of its suite and in words."""

    name: str  # "WALK"
    arguments: tuple[str, ...]  # ("light.34",)
    call: str  # "WALK(light.34)"
    words: str  # "walk to light.34"


Shape = Callable[[Sequence[Step]], str]

# Reasons name no object and no action, so that none of them can be taken for a step.
REASONS = (
    "this is needed for what comes next",
    "the goal asks for it",
    "otherwise the rest would fail",
    "it prepares the following step",
    "that brings us nearer to the result",
    "the task requires it",
    "nothing else has to happen before it",
)


def reason(number: int, steps: Sequence[Step]) -> str:
    """Return a reason for a step; it depends on the step and on the plan."""
    return REASONS[(seed_of(steps) + number) % len(REASONS)]


def seed_of(steps: Sequence[Step]) -> int:
    """Return a number that is the same for the same plan in every process."""
    return zlib.crc32("|".join(step.call for step in steps).encode())


def vary(steps: Sequence[Step], *wordings: str) -> str:
    """Choose one of several wordings by the plan, so that no single one can be learnt."""
    return wordings[seed_of(steps) % len(wordings)]


def identifier(step: Step) -> str:
    """Return the name of a step as a programming language can write it."""
    return step.name.lower().replace("-", "_")


def keyed(step: Step) -> dict[str, str]:
    """Return the arguments under the keys that a tool would give them, in their order."""
    return dict(zip(keys_for(len(step.arguments)), step.arguments, strict=False))


def keys_for(arity: int) -> tuple[str, ...]:
    """Return keys of arguments: what a third one is called, no general name could say."""
    if arity <= 2:
        return ("object", "target")[:arity]
    return tuple(f"arg{number}" for number in range(1, arity + 1))


def dumped(value: object, *, indent: int | None = None) -> str:
    """Return JSON with letters as they are."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def quoted(step: Step, quote: str = '"') -> str:
    """Return the arguments as strings of a programming language: ``"a", "b"``."""
    return ", ".join(f"{quote}{argument}{quote}" for argument in step.arguments)


def code_call(step: Step, owner: str = "", quote: str = '"') -> str:
    """Return a call as in Python: ``robot.walk("light.34")``."""
    return f"{owner}{identifier(step)}({quoted(step, quote)})"


def formal(step: Step) -> str:
    """Return a step as a call, even where its suite's own notation is words."""
    if step.call == step.words:
        return f"{step.name}({', '.join(step.arguments)})"
    return step.call


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """Return an XML element."""
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    if content:
        return f"<{name}{written}>{content}</{name}>"
    return f"<{name}{written}/>"


def fenced(text: str, language: str = "") -> str:
    """Return a Markdown fence around a text."""
    return f"```{language}\n{text}\n```"


def numbered(steps: Sequence[Step]) -> str:
    """Return the plan as a numbered list of calls."""
    return "\n".join(f"{number}. {step.call}" for number, step in enumerate(steps, start=1))


def each_line(steps: Sequence[Step], write: Callable[[int, Step], str]) -> str:
    """Return one line (or paragraph) for each step, which is given with its number from 1."""
    return "\n".join(write(number, step) for number, step in enumerate(steps, start=1))
