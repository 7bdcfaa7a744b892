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

from eai.text import lazy_pattern

_HEAD = lazy_pattern(
    r"(?P<dot>\b(?:di)?graph\b[^\n{\"]{0,80}\{)"
    r"|^[ \t]*(?:graph|flowchart)[ \t]+(?:TD|TB|LR|RL|BT)\b[ \t]*;?"
    r"|^[ \t]*stateDiagram(?:-v2)?\b",
    re.MULTILINE,
)
_ARROW = lazy_pattern(
    r"\s*(?:--[^\n>|\[\]()\"]{1,60}-->|-{1,3}>|-\.+->|={2,3}>|--(?![->]))(?:\s*\|[^|\n]*\|)?\s*"
)
_NAME = lazy_pattern(r"\s*(?:\"(?P<quoted>[^\"\n]+)\"|(?P<id>[A-Za-z_]\w*|\d{1,4}))\s*")
_LABEL = lazy_pattern(r"\[[^\]\n]*?\blabel\s*=\s*\"(?P<label>[^\"\n]*)\"[^\n]*?\]\s*")
_SHAPES = {
    "([": "])", "[[": "]]", "[(": ")]", "((": "))", "{{": "}}", "[": "]", "(": ")", "{": "}",
}  # fmt: skip
"""Brackets around the label of a node of Mermaid."""
_CALL = lazy_pattern(
    r"\s*(?!(?:node|step|action|state|task|start|begin|end|stop|finish|done|goal)_?\d*\()"
    r"(?=[\w-]*[A-Za-z]{3})(?!\w+\d\()[A-Za-z_][\w-]*\((?:[^\s(),]+(?:\s*,\s*[^\s(),]+)*)?\)"
)
"""A node whose name and label are one call: ``grab(cup_1)``, but not ``A(walk)``."""
_BEHIND_NODE = r"(?:::\w+)?(?=\s*(?:--|-\.|==|->|&|$))\s*"
_CLOSING = lazy_pattern(r"\n[ \t]*(?:```|~~~|\})|\}\s*\Z")
_END = lazy_pattern(rf"{_CLOSING.pattern}|\n[ \t]*\n(?=[^\n]*\n?)")
"""The end of a diagram; a blank line ends one that stands in no fence and no brackets."""


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
    """The label of a node.

    Args:
        at: Offset of its words in their statement.
        text: Its words.
        behind: Offset of what stands behind it.
        is_of_statement: Whether it is an attribute of the whole statement, as in Graphviz. Behind
            an arrow it is the label of the arrow.
    """

    at: int
    text: str
    behind: int
    is_of_statement: bool = False


def find_diagrams(text: str) -> Iterator[Diagram]:
    """Yield the diagrams in a text that have arrows between nodes."""
    begin = 0
    while head := _HEAD.search(text, begin):
        is_enclosed = head["dot"] is not None or _is_in_fence(text, head.start())
        closing = (_CLOSING if is_enclosed else _END).search(text, head.end())
        end = len(text) if closing is None else closing.start()
        diagram = _read_diagram(text, head, end)
        if diagram is not None:
            yield diagram
        begin = end


def _is_in_fence(text: str, offset: int) -> bool:
    """Whether the line above an offset opens a code fence."""
    above = text[max(offset - 200, 0) : offset].rstrip()
    return above[above.rfind("\n") + 1 :].lstrip().startswith(("```", "~~~"))


class _Graph:
    """The nodes and arrows of a diagram.

    Attributes:
        labels: Name of a node to the offset and the words of its label.
        following: Name of a node to that of the node behind its arrow.
        has_words_of_nodes: Whether a node has words: a label, or a name in quotes.
        has_words_of_arrows: Whether an arrow has a label.
        is_path: Whether no node has arrows to two others.
        has_calls: Whether a node is a call, which a plan may have twice.
        walk: Names of the nodes as the statements lead from one to the next.
        is_walk: Whether each statement begins at the node at which the one before it ends.
    """

    def __init__(self) -> None:
        """Begin without nodes; :meth:`add_statement` adds them."""
        self.labels: dict[str, tuple[int, str]] = {}
        self.following: dict[str, str] = {}
        self.has_words_of_nodes = False
        self.has_words_of_arrows = False
        self.is_path = True
        self.has_calls = False
        self.walk: list[str] = []
        self.is_walk = True

    def add_statement(self, offset: int, statement: str) -> bool:
        """Add a statement such as ``A[walk] --> B[open]``; return False if it is something else.

        Args:
            offset: Offset of the statement in the text.
            statement: The statement.
        """
        node_names: list[str] = []
        position = 0
        while node := _NAME.match(statement, position):
            # A call is a node without a label, named by the whole call.
            call = _CALL.match(statement, position)
            name = call[0].strip() if call is not None else node["id"] or node["quoted"]
            position = (call or node).end()
            node_names.append(name)
            self.has_calls = self.has_calls or call is not None
            self.has_words_of_nodes |= call is not None or node["quoted"] is not None
            self.labels.setdefault(name, (offset + node.start(), name))
            label = _label_at(statement, position) if call is None else None
            if label is not None:
                position = label.behind
                if label.is_of_statement and len(node_names) > 1:
                    self.has_words_of_arrows = True
                else:
                    self.labels[name] = offset + label.at, label.text
                    self.has_words_of_nodes = True
            arrow = _ARROW.match(statement, position)
            if arrow is None:
                break
            position = arrow.end()
        for first, second in pairwise(node_names):
            if self.following.setdefault(first, second) != second:
                self.is_path = False
        self.is_walk = self.is_walk and (not self.walk or self.walk[-1:] == node_names[:1])
        self.walk += node_names[1:] if self.walk else node_names
        return not statement[position:].strip()

    def in_order(self) -> list[str] | None:
        """Return the names of the nodes in the order of the arrows; None if there are several."""
        if self.has_calls and self.is_walk:
            return self.walk
        behind = set(self.following.values())
        firsts = [name for name in self.labels if name not in behind]
        if not self.is_path or len(firsts) != 1 or len(behind) < len(self.following):
            return None
        order = firsts
        while order[-1] in self.following:
            order.append(self.following[order[-1]])
        return order if len(order) == len(self.labels) else None


def _read_diagram(text: str, head: re.Match[str], end: int) -> Diagram | None:
    """Return a diagram; None if it has no arrow, or a statement that is not understood.

    Args:
        text: The text.
        head: The first words of the diagram, behind which its statements stand.
        end: Offset at which it ends.
    """
    graph = _Graph()
    for offset, statement in _find_statements(text, head.end(), end):
        if not graph.add_statement(offset, statement):
            return None
    if not graph.following:
        return None
    order = graph.in_order()
    nodes = [graph.labels[name] for name in order or graph.labels]
    # Words on the arrows alone may be the steps, and the nodes the states between them.
    has_steps = graph.has_words_of_nodes or not graph.has_words_of_arrows
    return Diagram(head.start(), end, nodes, is_chain=order is not None and has_steps)


def _label_at(statement: str, begin: int) -> _Label | None:
    """Return the label of a node behind its name, in the notation of Graphviz or Mermaid.

    None if it has none: then its name is its label.
    """
    graphviz = _LABEL.match(statement, begin)
    if graphviz is not None:
        return _Label(graphviz.start("label"), graphviz["label"], graphviz.end(), True)
    for opener, closer in _SHAPES.items():
        if not statement.startswith(opener, begin):
            continue
        offset = begin + len(opener)
        closing = re.compile(re.escape(closer) + _BEHIND_NODE).search(statement, offset)
        if closing is not None:
            return _Label(offset, statement[offset : closing.start()].strip(' "'), closing.end())
    return None


_SETTING = lazy_pattern(
    r"\s*(?:(?:node|edge|graph)\s*\[[^\n]*\]|\w+\s*=\s*[^\n;]+|direction\s+\w+|%%[^\n]*|//[^\n]*"
    r"|(?:style|classDef|class|linkStyle)\b[^\n]*)\s*"
)


_STATEMENT = lazy_pattern(r"(?:\"[^\"\n]*\"|[^;\n\"])+")


def _find_statements(text: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield the statements of a diagram about nodes and arrows, each with its offset."""
    for statement in _STATEMENT.finditer(text, begin, end):
        text_of_statement = statement[0].rstrip()
        if not text_of_statement.strip(" \t}") or _SETTING.fullmatch(statement[0]):
            continue
        # The last bracket closes the diagram, unless it closes the label of a node: ``B{Ready?}``.
        if "{" not in text_of_statement:
            text_of_statement = text_of_statement.removesuffix("}")
        yield statement.start(), text_of_statement
