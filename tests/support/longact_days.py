"""Episodes of LongAct made for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eai.suites.longact.episodes import LongActEpisode


def item(select: dict[str, Any], **conditions: object) -> dict[str, Any]:
    """One entry of a checklist, as a file has it."""
    rows = [{"kind": kind, "value": value} for kind, value in conditions.items()]
    return {"select": select, "conditions": rows}


def row(
    *items: dict[str, Any],
    rooms: Sequence[str] = ("FloorPlan1", "FloorPlan201"),
    text: str = "Slice the apple.",
    name: str = "own-1",
) -> dict[str, Any]:
    """An episode, as a file has it."""
    texts = {"detailed": text, "concise": text}
    head = {"id": name, "scenario": "work", "rooms": list(rooms), **texts}
    return {**head, "checklist": list(items)}


def day(*items: dict[str, Any], **about: Any) -> LongActEpisode:
    """An episode (see :func:`row`)."""
    return LongActEpisode.model_validate(row(*items, **about))
