"""Steps that are the nodes of a diagram: Graphviz and Mermaid.

The nodes of a diagram become lines in the order of its arrows, wherever they stand in the text. A
diagram that branches does not say which step comes next.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

_HEAD = re.compile(
    r"(?P<dot>\bdigraph\b[^\n{\"]{0,80}\{)"
    r"|^[ \t]*(?:graph|flowchart)[ \t]+(?:TD|TB|LR|RL|BT)\b[ \t]*;?"
    r"|^[ \t]*stateDiagram(?:-v2)?\b",
    re.MULTILINE,
)
_ARROW = re.compile(
    r"\s*(?:--[^\n>|\[\]()\"]{1,60}-->|-{1,3}>|-\.+->|={2,3}>)(?:\s*\|[^|\n]*\|)?\s*"
)
_NAME = re.compile(r"\s*(?:\"(?P<quoted>[^\"\n]+)\"|(?P<id>[A-Za-z_]\w*))\s*")
_LABEL = re.compile(r"\[[^\]\n]*?\blabel\s*=\s*\"(?P<label>[^\"\n]*)\"[^\n]*?\]\s*")
_SHAPES = {
    "([": "])", "[[": "]]", "[(": ")]", "((": "))", "{{": "}}", "[": "]", "(": ")", "{": "}",
}  # fmt: skip
"""Brackets around the label of a node of Mermaid."""
_BEHIND_NODE = r"(?:::\w+)?(?=\s*(?:--|-\.|==|->|&|$))\s*"
_END = re.compile(r"\n[ \t]*(?:```|~~~|\})|\}\s*\Z|\n[ \t]*\n(?=[^\n]*\n?)")


@dataclass(slots=True)
class Diagram:
    """A diagram in a text.

    Args:
        start: Offset of its first character.
        end: Offset behind its last character.
        nodes: Offset and words of each node, in the order of the arrows.
        is_chain: Whether the arrows put all nodes in one order.
    """

    start: int
    end: int
    nodes: list[tuple[int, str]] = field(default_factory=list)
    is_chain: bool = True


class _Label(NamedTuple):
    """The label of a node: its place, its words, and where what stands behind it begins."""

    at: int
    text: str
    behind: int


def diagrams_of(text: str) -> Iterator[Diagram]:
    """Yield the diagrams of a text that have arrows between nodes."""
    place = 0
    while head := _HEAD.search(text, place):
        end = _END.search(text, head.end())
        place = end.start() if end else len(text)
        diagram = _diagram(text, head.start(), head.end(), place)
        if diagram is not None:
            yield diagram


class _Graph:
    """The nodes and arrows of a diagram, as its statements give them."""

    def __init__(self) -> None:
        self.labels: dict[str, tuple[int, str]] = {}
        self.following: dict[str, str] = {}
        self.is_path = True

    def add(self, at: int, statement: str) -> bool:
        """Add a statement; return False if it is not understood."""
        names: list[str] = []
        place = 0
        while node := _NAME.match(statement, place):
            name = node["id"] or node["quoted"]
            label = _label_of(statement, node.end())
            place = node.end() if label is None else label.behind
            if label is not None:
                self.labels[name] = at + label.at, label.text
            else:
                self.labels.setdefault(name, (at + node.start(), name))
            names.append(name)
            arrow = _ARROW.match(statement, place)
            if arrow is None:
                break
            place = arrow.end()
        for first, second in pairwise(names):
            self.is_path = self.is_path and self.following.setdefault(first, second) == second
        return not statement[place:].strip()

    def in_order(self) -> list[str] | None:
        """Return the names of the nodes in the order of the arrows; None if there are several."""
        behind = set(self.following.values())
        firsts = [name for name in self.labels if name not in behind]
        if not self.is_path or len(firsts) != 1 or len(behind) < len(self.following):
            return None
        order = firsts
        while order[-1] in self.following:
            order.append(self.following[order[-1]])
        return order if len(order) == len(self.labels) else None


def _diagram(text: str, start: int, begin: int, stop: int) -> Diagram | None:
    """Return a diagram; None if it has no arrow, or anything that is not understood."""
    graph = _Graph()
    for at, statement in _statements(text, begin, stop):
        if not graph.add(at, statement):
            return None
    if not graph.following:
        return None
    order = graph.in_order()
    nodes = [graph.labels[name] for name in order or graph.labels]
    return Diagram(start, stop, nodes, order is not None)


def _label_of(statement: str, place: int) -> _Label | None:
    """Return the label behind the name of a node, as Graphviz or Mermaid writes it."""
    found = _LABEL.match(statement, place)
    if found is not None:
        return _Label(found.start("label"), found["label"], found.end())
    for opener, closer in _SHAPES.items():
        if statement.startswith(opener, place):
            begin = place + len(opener)
            end = re.compile(re.escape(closer) + _BEHIND_NODE).search(statement, begin)
            if end is not None:
                return _Label(begin, statement[begin : end.start()].strip(' "'), end.end())
    return None


_SETTING = re.compile(
    r"\s*(?:(?:node|edge|graph)\s*\[[^\n]*\]|\w+\s*=\s*[^\n;]+|direction\s+\w+|%%[^\n]*|//[^\n]*"
    r"|(?:style|classDef|class|linkStyle)\b[^\n]*)\s*"
)


def _statements(text: str, begin: int, stop: int) -> Iterator[tuple[int, str]]:
    """Yield the statements of a diagram that are nodes and arrows, each with its offset."""
    for found in re.compile(r"(?:\"[^\"\n]*\"|[^;\n\"])+").finditer(text, begin, stop):
        if found[0].strip(" \t}") and not _SETTING.fullmatch(found[0]):
            yield found.start(), found[0].rstrip().removesuffix("}")
