"""Percepts: the task, the visible objects and the last action, read from a message."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
"""Line of the view: ``- mug.3 (Mug), on table.1: dirty``, ``- Apple, in Fridge (2 of them)``."""
_HELD = re.compile(r"^In (?:your hands|the hand): (.+)$", re.MULTILINE)
"""Line about held objects: ``In your hands: mug.3, plate.1``."""
_FOCUS = re.compile(r"^You look at: (.+)$", re.MULTILINE)
"""Line about the object that the agent looks at: ``You look at: fridge.4``."""
_DONE = re.compile(r"^(\d+)\. (.+?)(?:: (Success|Failure)(?:: (.*))?)?$", re.MULTILINE)
"""Line about an earlier action: ``3. OPEN fridge.4: Failure: it is open already``."""
_ACTION = re.compile(r"\b[A-Z][A-Z_]+\b")
"""Name of an action in the text that lists them: ``PICK_UP``."""
_OPPOSITES = {"closed": "open", "off": "on", "clean": "dirty", "empty": "filled"}
"""Word of a state to the word of its opposite, by which it is stored."""

_MAX_CHARACTERS = 200_000
"""Maximum number of characters of a message that are read: the last ones."""


@cache
def knowledge() -> Mapping[str, Any]:
    """Return the agent's knowledge of homes: words for actions and predicates, recipes, sorts."""
    text = resources.files(__package__).joinpath("knowledge.json").read_text("utf-8")
    tables: Mapping[str, Any] = json.loads(text)
    return tables


@cache
def plain(name: str) -> str:
    """Return a name in lower case without blanks and marks, for comparison.

    >>> plain("Arm_Chair")
    'armchair'
    """
    return re.sub(r"[^a-z0-9]", "", name.lower())


@cache
def stem(name: str) -> str:
    """Return a name in plain letters without the object's number.

    >>> stem("fridge.40")
    'fridge'
    """
    return plain(re.sub(r"[._]?\d+$", "", name))


@dataclass(frozen=True, slots=True)
class Seen:
    """One visible object.

    Args:
        name: Its name.
        type: Its type.
        place: Name of what it is in or on.
        relation: ``"in"``, ``"on"`` or ``"at"``, if it is said.
        words: State to whether the object is in it (``{"open": False}``).
        count: Number of such objects, where names are types.
    """

    name: str
    type: str
    place: str = ""
    relation: str = ""
    words: Mapping[str, bool] = field(default_factory=dict)
    count: int = 1


@dataclass(frozen=True, slots=True)
class Percept:
    """The information that the agent extracts from a message.

    Args:
        task: The task in words.
        rules: The rules of the game in words.
        names: Names or types of objects that are told before anything is seen.
        actions: Name of an action to the number of its arguments.
        objects: The visible objects.
        held: Names of the held objects.
        focus: Name of the object that the agent looks at.
        last: The last action as text.
        number: Number of the last action; -1 before the first.
        done: Whether the last action succeeded; None if nothing says it.
        reason: Reason why it failed, if it is said.
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
    """Return the information in the last message.

    A message has sections with headings such as ``Task``, ``Actions`` and ``You see now``. Sections
    and lines that cannot be read are left out.
    """
    text = ""
    if messages:
        # The last message repeats everything: task, history and view.
        text = messages[-1]["content"][-_MAX_CHARACTERS:]
    sections = _split_sections(text)
    view = _text_under(sections, "see now")
    objects = [_read_object(line) for line in view.splitlines()]
    names = _text_under(sections, "objects").split(", ")
    percept = Percept(
        task=_text_under(sections, "Task"),
        rules=_text_under(sections, "Rules"),
        names=tuple(name for name in names if name),
        actions=_read_actions(_text_under(sections, "Actions")),
        objects=tuple(seen for seen in objects if seen is not None),
    )
    held = _HELD.search(view)
    if held and held[1] != "nothing":
        percept = replace(percept, held=tuple(held[1].split(", ")))
    focus = _FOCUS.search(view)
    if focus:
        percept = replace(percept, focus=focus[1])
    return _add_last_action(percept, _text_under(sections, "did", "so far"))


def _add_last_action(percept: Percept, history: str) -> Percept:
    """Return a percept with the last action and its outcome, from the history."""
    entries = list(_DONE.finditer(history))
    if not entries:
        return percept
    # The list ends with the last action.
    number, action, outcome, reason = entries[-1].groups()
    is_done: bool | None = None
    if outcome:
        is_done = outcome == "Success"
    return replace(
        percept, number=int(number), last=action or "", done=is_done, reason=reason or ""
    )


def _split_sections(text: str) -> list[tuple[str, str]]:
    """Return the sections of a message, each with its heading and its text."""
    # The pattern has a group, so split() returns headings and texts in turn after the first text.
    _, *parts = _SECTION.split(text)
    sections = []
    for heading, body in zip(parts[::2], parts[1::2], strict=True):
        sections.append((heading.strip(), body.strip()))
    return sections


def _read_actions(text: str) -> dict[str, int]:
    """Return the actions listed in a message, each with its number of arguments.

    Lines are like "- PUTIN: two arguments", or "- PICK X, PLACE X: take it".
    """
    actions: dict[str, int] = {}
    for line in text.splitlines():
        action_part, _, meaning = line.partition(":")
        for name in _ACTION.findall(action_part):
            stands_alone = name == action_part.strip("- ")
            if "no arg" in meaning or (stands_alone and "you are" in meaning):
                actions[name] = 0
            elif "two arg" in meaning:
                actions[name] = 2
            else:
                actions[name] = 1
    return actions


def _text_under(sections: Sequence[tuple[str, str]], *words: str) -> str:
    """Return the text under the last heading with one of some words, or ""."""
    for head, body in reversed(sections):
        if any(word in head for word in words):
            return body
    return ""


def _read_object(line: str) -> Seen | None:
    """Return the object on a line of the view, or None."""
    match = _SEEN.fullmatch(line.strip())
    if match is None:
        return None
    states: dict[str, bool] = {}
    for state_word in (match["words"] or "").split(", "):
        state = state_word.removeprefix("not ")
        # "closed" -> {"open": False}; "not closed" -> {"open": True}
        if state in _OPPOSITES:
            states[_OPPOSITES[state]] = state != state_word
        elif state:
            states[state] = state == state_word
    return Seen(
        match["name"],
        match["type"] or match["name"],
        match["place"] or "",
        match["relation"] or "",
        states,
        int(match["count"] or 1),
    )
