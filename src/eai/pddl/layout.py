"""Nested lists of words laid out as indented text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

__all__ = ["Tree", "lay_out"]

Tree = Union[str, Sequence["Tree"]]
"""A word, or what stands between two brackets."""

_WIDTH = 96
_TWO_HEADS = {"forall", "exists"}


def lay_out(tree: Tree, indent: int = 0) -> str:
    """Write a tree: on one line if it fits, else one part per line below its head.

    Args:
        tree: What to write.
        indent: Column at which the text will stand.
    """
    flat = _flat(tree)
    if isinstance(tree, str) or indent + len(flat) <= _WIDTH:
        return flat
    heads = 2 if tree[0] in _TWO_HEADS else 1
    first = " ".join(_flat(part) for part in tree[:heads])
    margin = "\n" + " " * (indent + 2)
    parts = [first, *(lay_out(part, indent + 2) for part in tree[heads:])]
    return f"({margin.join(parts)})"


def _flat(tree: Tree) -> str:
    return tree if isinstance(tree, str) else f"({' '.join(_flat(part) for part in tree)})"
