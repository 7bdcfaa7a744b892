"""Transcripts: episodes as JSON, one a line, that can be read and judged again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields

from eai.interaction.episode import Episode, Turn
from eai.interaction.protocol import Observation

__all__ = ["episode_value"]


def episode_value(episode: Episode) -> object:
    """Return an episode as a JSON value.

    What is empty (a code, a message, a list) is left out. The start has all objects that are
    seen; a turn has those that are seen anew or otherwise than before (``objects``), and the
    names of those that are seen no more (``gone``).

    Args:
        episode: The episode.
    """
    value = {
        "end": str(episode.end),
        "note": episode.note,
        "solved": episode.success,
        "conditions": [
            {each.name: getattr(condition, each.name) for each in fields(condition) if each.compare}
            for condition in episode.goal.conditions
        ],
        "start": asdict(episode.start),
        "turns": list(_turns(episode)),
    }
    return _filled(value)


def _turns(episode: Episode) -> Iterator[dict[str, object]]:
    before = episode.start
    for turn in episode.turns:
        yield _turn(turn, before)
        before = turn.result.observation


def _turn(turn: Turn, before: Observation) -> dict[str, object]:
    reply, result = turn.reply, turn.result
    return {
        "number": turn.number,
        "answer": turn.answer,
        "action": "" if reply.action is None else str(reply.action),
        "plan": reply.plan,
        "memory": reply.memory,
        "success": result.success,
        "code": result.code,
        "message": result.message,
        "resolved": "" if result.resolved is None else str(result.resolved),
        "observation": _seen(result.observation, before),
    }


def _seen(now: Observation, before: Observation) -> dict[str, object]:
    known = {thing.name: thing for thing in before.objects}
    names = {thing.name for thing in now.objects}
    return {
        "objects": [asdict(thing) for thing in now.objects if known.get(thing.name) != thing],
        "gone": [name for name in known if name not in names],
        "held": list(now.held),
        "focus": now.focus,
    }


def _filled(value: object) -> object:
    """A JSON value without its empty parts; False and 0 are none."""
    if isinstance(value, dict):
        filled = {name: _filled(part) for name, part in value.items()}
        return {name: part for name, part in filled.items() if part not in ("", None, {}, [])}
    return list(map(_filled, value)) if isinstance(value, (list, tuple)) else value
