"""Pictures of an automaton, as texts for other programs."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Picture", "to_dot", "to_html", "to_mermaid", "to_text"]


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn.

    Args:
        states: Number of states; the initial one is 0.
        accepting: The states that accept.
        arrows: Source, target and label of every transition.
        title: A line above the picture.
    """

    states: int
    accepting: frozenset[int]
    arrows: Sequence[tuple[int, int, str]]
    title: str


def to_dot(picture: Picture) -> str:
    """Return a graph in the language of Graphviz."""
    lines = ["digraph {", "  rankdir=LR;", '  start [shape=point, label=""];']
    for state in range(picture.states):
        shape = "doublecircle" if state in picture.accepting else "circle"
        lines.append(f"  {state} [shape={shape}];")
    lines.append("  start -> 0;")
    for source, target, label in picture.arrows:
        escaped = label.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  {source} -> {target} [label="{escaped}"];')
    return "\n".join([*lines, "}"]) + "\n"


def to_mermaid(picture: Picture) -> str:
    """Return a state diagram in the language of Mermaid; accepting states lead to the end."""
    lines = ["stateDiagram-v2", "  direction LR", "  [*] --> s0"]
    # Mermaid takes these signs for its own, and reads numbered entities instead.
    signs = str.maketrans({sign: f"#{ord(sign)};" for sign in '"#;:<>&{}'})
    for source, target, label in picture.arrows:
        lines.append(f"  s{source} --> s{target}: {label.translate(signs)}")
    lines += [f"  s{state} --> [*]" for state in sorted(picture.accepting)]
    return "\n".join(lines) + "\n"


def to_text(picture: Picture) -> str:
    """Return one line for each transition; ``>`` marks the initial, ``*`` accepting states."""
    lines = [picture.title]
    for source, target, label in picture.arrows:
        start = ">" if source == 0 else " "
        accepts = "*" if source in picture.accepting else " "
        lines.append(f"{start}{accepts}{source} -> {target}  {label}")
    return "\n".join(lines)


def to_html(picture: Picture) -> str:
    """Return a table of the transitions for a notebook."""
    rows = [_row("th", ("from", "to", "if"))]
    for source, target, label in picture.arrows:
        rows.append(_row("td", (_name(picture, source), _name(picture, target), label)))
    title = html.escape(picture.title)
    return f"<table><caption>{title}</caption>{''.join(rows)}</table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _name(picture: Picture, state: int) -> str:
    marks = ["start"] * (state == 0) + ["accepts"] * (state in picture.accepting)
    return f"{state} ({', '.join(marks)})" if marks else str(state)
