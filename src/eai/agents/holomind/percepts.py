"""What an agent reads out of the messages that it is sent: the task, what it sees, what it did."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from eai.acting import Message

_SECTION = re.compile(r"^#+ (.+)$", re.MULTILINE)
_SEEN = re.compile(
    r"- (?P<name>[^\s,:(]+)(?: \((?!\d+ of them)(?P<type>[^)]*)\))?"
    r"(?:, (?P<relation>in|on|at) (?P<place>[^\s:,(]+))?(?:: (?P<words>.*?))?"
    r"(?: \((?P<count>\d+) of them\))?"
)
_HELD = re.compile(r"^In (?:your hands|the hand): (.+)$", re.MULTILINE)
_FOCUS = re.compile(r"^You look at: (.+)$", re.MULTILINE)
_DONE = re.compile(r"^(\d+)\. (.+?)(?:: (Success|Failure)(?:: (.*))?)?$", re.MULTILINE)
_ACTION = re.compile(r"\b[A-Z][A-Z_]+\b")
_OPPOSITES = {"closed": "open", "off": "on", "clean": "dirty", "empty": "filled"}
_MOST = 200_000  # characters of a message that are read


@cache
def knowledge() -> Mapping[str, Any]:
    """What the agent knows of homes: words of actions and predicates, recipes, sorts of things."""
    text = resources.files(__package__).joinpath("knowledge.json").read_text("utf-8")
    tables: Mapping[str, Any] = json.loads(text)
    return tables


@cache
def plain(name: str) -> str:
    """A name without case, blanks and marks, to compare names by: ``"armchair"``."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


@cache
def stem(name: str) -> str:
    """A name without the number of the object: ``"fridge"`` of ``"fridge.40"``."""
    return plain(re.sub(r"[._]?\d+$", "", name))


@dataclass(frozen=True, slots=True)
class Seen:
    """One object as it is seen; ``words`` are what is said of it (``{"open": False}``)."""

    name: str
    type: str
    place: str = ""
    relation: str = ""
    words: Mapping[str, bool] = field(default_factory=dict)
    count: int = 1


@dataclass(frozen=True, slots=True)
class Percept:
    """What a message says.

    Args:
        names: Names or types that are told before anything is seen.
        actions: Names of actions that are told, each with its number of arguments.
        last: The last action as text.
        number: Number of the last action; -1 before the first.
        done: Whether the last action was done; None if nothing says it.
        reason: Why not, if it is said.
    """

    task: str = ""
    rules: str = ""
    names: tuple[str, ...] = ()
    actions: Mapping[str, int] = field(default_factory=dict)
    objects: tuple[Seen, ...] = ()
    held: tuple[str, ...] = ()
    focus: str = ""
    last: str = ""
    number: int = -1
    done: bool | None = None
    reason: str = ""


def read_percept(messages: Sequence[Message]) -> Percept:
    """Read the last message; what cannot be read is left out."""
    text = messages[-1]["content"][-_MOST:] if messages else ""
    parts = _SECTION.split(text)
    sections = [(h.strip(), b.strip()) for h, b in zip(parts[1::2], parts[2::2], strict=True)]
    view = _section(sections, "see now")
    *_, last = [None, *_DONE.finditer(_section(sections, "did", "so far"))]
    held, focus = _HELD.search(view), _FOCUS.search(view)
    actions: dict[str, int] = {}
    # Each line is like "- PUTIN: two arguments", or "- PICK X, PLACE X: take it".
    for line in _section(sections, "Actions").splitlines():
        head, _, said = line.partition(":")
        for name in _ACTION.findall(head):
            lone = "no arg" in said or (name == head.strip("- ") and "you are" in said)
            actions[name] = 0 if lone else 2 if "two arg" in said else 1
    return Percept(
        task=_section(sections, "Task"),
        rules=_section(sections, "Rules"),
        names=tuple(filter(None, _section(sections, "objects").split(", "))),
        actions=actions,
        objects=tuple(filter(None, map(_seen, view.splitlines()))),
        held=tuple(held[1].split(", ")) if held and held[1] != "nothing" else (),
        focus=focus[1] if focus else "",
        last=last[2] if last else "",
        number=int(last[1]) if last else -1,
        done=last[3] == "Success" if last and last[3] else None,
        reason=(last[4] or "") if last else "",
    )


def _section(sections: Sequence[tuple[str, str]], *heads: str) -> str:
    """What stands under the last head that holds one of some words."""
    found = (body for head, body in reversed(sections) if any(word in head for word in heads))
    return next(found, "")


def _seen(line: str) -> Seen | None:
    found = _SEEN.fullmatch(line.strip())
    if found is None:
        return None
    words: dict[str, bool] = {}
    for word in (found["words"] or "").split(", "):
        bare = word.removeprefix("not ")
        if bare:
            words[_OPPOSITES.get(bare, bare)] = (bare == word) != (bare in _OPPOSITES)
    return Seen(
        found["name"],
        found["type"] or found["name"],
        found["place"] or "",
        found["relation"] or "",
        words,
        int(found["count"] or 1),
    )
