"""The objects of a scene as the official prompt for action sequencing lists them.

The prompt is the only place in the release that says what an object is called in the simulator.
Behind ``Your task:`` and ``interactable objects:`` there is a line for each object::

    {'name': 'fridge_20', 'category': 'electric_refrigerator.n.01'}
"""

from __future__ import annotations

import re

__all__ = ["prompt_objects"]

_TASK = "Your task:"
_LIST = "interactable objects:"
_LINE = re.compile(r"\{'name': '([^']+)', 'category': '([^']+)'\}")


def prompt_objects(prompt: str) -> list[tuple[str, str]]:
    """Return name and category of every object, in the order of the prompt.

    Args:
        prompt: The whole prompt; the worked example before the task lists objects of its own.

    Raises:
        ValueError: If the prompt has no such list, or the list is empty.
    """
    _, found, task = prompt.rpartition(_TASK)
    _, listed, lines = task.partition(_LIST)
    objects = _LINE.findall(lines)
    if not (found and listed and objects):
        raise ValueError(f"no objects behind {_LIST!r}")
    return [(str(name), str(category)) for name, category in objects]
