"""What is counted of an episode: valid and failed turns, goals reached, steps (AsgardBench, 4.1).

Every number is a ratio of one episode; a report shows the mean over episodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from eai.diagnosis.judgement import Measure
from eai.diagnosis.taxonomy import ErrorKind
from eai.interaction.episode import Episode, Turn

__all__ = ["episode_measures", "turn_kind"]

_UNREAD = {
    ErrorKind.ACTION_HALLUCINATION: "invalid_action",
    ErrorKind.OBJECT_HALLUCINATION: "invalid_object",
}
_KINDS = ("valid", "undoable", "invalid_object", "invalid_action", "unparsable")


def turn_kind(turn: Turn) -> str:
    """Return what became of a turn, in the words of AsgardBench (section 4.1.1).

    ``"valid"``; ``"unparsable"`` (no action could be read), ``"invalid_action"`` and
    ``"invalid_object"`` (there is none of that name); ``"undoable"`` (it was tried in vain).
    """
    if turn.success:
        return "valid"
    unread = "unparsable" if turn.reply.action is None else "undoable"
    return unread if turn.fault is None else _UNREAD.get(turn.fault, unread)


def episode_measures(
    episode: Episode, *, reference_steps: int | None = None, refusals: Mapping[str, str]
) -> tuple[Measure, ...]:
    """Measure an episode.

    Args:
        episode: The episode.
        reference_steps: How many steps the task takes; None if nobody knows.
        refusals: Code of a failed turn to the reason under which it is counted; those that are
            not there are counted as ``"other"``.

    Returns:
        For each kind of turn (see :func:`turn_kind`) its share of the turns; the same for each
        reason why turns are undoable (``"undoable_hand"``); ``"goals_reached"``: the share of
        the goal's conditions that are met; ``"step_ratio"``: turns to reference steps, if the
        task is solved.
    """
    return tuple(_measures(episode, reference_steps, refusals))


def _measures(
    episode: Episode, reference_steps: int | None, refusals: Mapping[str, str]
) -> Iterator[Measure]:
    turns, conditions = episode.turns, episode.goal.conditions
    if conditions:
        yield Measure("goals_reached", sum(c.met for c in conditions), len(conditions))
    if episode.success and reference_steps:
        yield Measure("step_ratio", len(turns), reference_steps)
    if not turns:
        return
    kinds = Counter(map(turn_kind, turns))
    reasons = Counter(
        refusals.get(turn.code, "other") for turn in turns if turn_kind(turn) == "undoable"
    )
    for kind in _KINDS:
        yield Measure(kind, kinds[kind], len(turns))
    for reason in dict.fromkeys((*refusals.values(), "other")):
        yield Measure(f"undoable_{reason}", reasons[reason], len(turns))
