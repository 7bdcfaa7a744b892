"""The values that are scanned out of an answer, with their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

__all__ = ["Block", "Group", "Item", "Node", "Pair", "Text"]


@dataclass(slots=True)
class Text:
    """A string, number or bare word.

    Args:
        value: Its characters, quotes and escapes resolved.
        at: 0-based offset of its first character (of the quote, if it has one).
        end: Offset behind its last character.
        quoted: Whether it stood in quotes.
        cut: Whether its closing quote is missing.
    """

    value: str
    at: int
    end: int
    quoted: bool = False
    cut: bool = False


@dataclass(slots=True)
class Group:
    """A list, an object, or a call such as ``WALK(light)``.

    Args:
        kind: ``"list"``, ``"object"`` (all items are pairs) or ``"call"``.
        at: Offset of its first character.
        end: Offset behind its last character.
        items: What is inside, in order; repeated keys are kept.
        name: The name of a call.
        cut: Whether the text ended before it was closed.
    """

    kind: str
    at: int
    end: int
    items: list[Item]
    name: Text | None = None
    cut: bool = False


@dataclass(slots=True)
class Pair:
    """A key and its value; the value is None if it is missing."""

    key: Text
    value: Node | None


Node = Union[Text, Group]
"""A value."""
Item = Union[Text, Group, Pair]
"""What can stand inside a group."""


@dataclass(slots=True)
class Block:
    """One outermost bracketed value of a text.

    Args:
        group: The value.
        repairs: What had to be repaired to read it, one phrase each, in order.
        tokens: How many tokens were read, to keep the work bounded.
        too_deep: Offset of the first bracket that is nested too deeply, or None.
    """

    group: Group
    repairs: list[str]
    tokens: int
    too_deep: int | None = None
