"""Observations as text."""

from __future__ import annotations

from collections.abc import Iterator

from eai.interaction.protocol import Observation, SeenObject

__all__ = ["describe"]


def describe(observation: Observation) -> str:
    """Write an observation, one line for each object.

    Args:
        observation: What is seen.

    Returns:
        Lines such as ``- milk.41 (thing), in fridge.40: open, not dirty``; below them what is
        held, and what the agent looks at.
    """
    lines = [_line(thing) for thing in observation.objects] or ["(nothing)"]
    lines.append(f"In your hands: {', '.join(observation.held) or 'nothing'}")
    if observation.focus:
        lines.append(f"You look at: {observation.focus}")
    return "\n".join(lines)


def _line(thing: SeenObject) -> str:
    kind = "" if thing.type == thing.name else f" ({thing.type})"
    place = f", {thing.relation or 'at'} {thing.inside}" if thing.inside else ""
    words = list(_words(thing))
    return f"- {thing.name}{kind}{place}{': ' if words else ''}{', '.join(words)}"


def _words(thing: SeenObject) -> Iterator[str]:
    for name, value in thing.properties.items():
        word = name.replace("_", " ")
        if value is True:
            yield word
        elif value is False:
            yield f"not {word}"
        elif isinstance(value, (tuple, list)):
            yield f"{word} {' and '.join(map(str, value))}"
        else:
            yield f"{word} {value}"
