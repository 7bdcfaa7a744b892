"""Plans as answers: the text in which a suite's prompt asks for a plan."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from eai.world.action import Action

__all__ = ["format_plan"]


def format_plan(plan: Iterable[Action], suite: str) -> str:
    """Write a plan in the form that the prompts of a suite ask for.

    Args:
        plan: The steps.
        suite: Name of the suite; for one that is not known the form of the general prompt.
    """
    return f"[{', '.join(map(_FORMS.get(suite, _plain), plan))}]"


def _plain(step: Action) -> str:
    return json.dumps({step.name.upper(): list(step.arguments)})


def _with_ids(step: Action) -> str:
    """Each object as name and number; ``[ ]`` if there is none, which every reader sees."""
    entries = [part for name in step.arguments for part in _parted(name)]
    name = json.dumps(step.name.upper())
    return f"{{{name}: {json.dumps(entries) if entries else '[ ]'}}}"


def _parted(name: str) -> list[str]:
    head, _, number = name.rpartition(".")
    return [head, number] if head else [name]


def _with_keys(step: Action) -> str:
    return json.dumps({"action": step.name.upper(), "object": ", ".join(step.arguments)})


_FORMS: Mapping[str, Callable[[Action], str]] = {
    "behavior": _with_keys,
    "household": _with_ids,
    "virtualhome": _with_ids,
}
