"""Which behaviours an episode shows, and in which turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from eai.acting.episode import End, Episode, Turn
from eai.diagnosis import Behaviour, ErrorKind, GoalStatus

_LONGEST = 4
"""Longer cycles of actions are no oscillation: a task may ask for the same row of actions twice."""


def behaviours(episode: Episode) -> Mapping[Behaviour, tuple[int, ...]]:
    """Return the behaviours that an episode shows (:class:`eai.diagnosis.Behaviour` defines them).

    Returns:
        Each behaviour that is shown, in their fixed order, with the numbers of the turns that
        show it.
    """
    found = ((kind, tuple(sorted(set(find(episode))))) for kind, find in _FINDERS.items())
    return {kind: turns for kind, turns in found if turns}


def _repeats_failure(episode: Episode) -> Iterator[int]:
    failed = set[str]()
    for turn in episode.turns:
        if turn.success:
            failed.clear()
        elif turn.named in failed:
            yield turn.number
        failed |= set() if turn.success else {turn.named}


def _oscillates(episode: Episode) -> Iterator[int]:
    turns = episode.turns
    for length in range(2, _LONGEST + 1):
        for end in range(2 * length, len(turns) + 1):
            last, before = turns[end - length : end], turns[end - 2 * length : end - length]
            if _same_round(last, before) and (
                last[-1].result.observation.objects
                or (end >= 3 * length and _same_round(before, turns[end - 3 * length :][:length]))
            ):
                yield from (turn.number for turn in last)


def _same_round(last: Sequence[Turn], before: Sequence[Turn]) -> bool:
    names = [turn.named for turn in last]
    return (
        names == [turn.named for turn in before]
        and len(set(names)) > 1
        and all(turn.success for turn in (*before, *last))
        and last[-1].result.observation == before[-1].result.observation
        and _share(last[-1].goal) <= _share(before[-1].goal)
    )


def _share(goal: GoalStatus | None) -> float:
    return 0.0 if goal is None else goal.share


def _never_looks(episode: Episode) -> Iterator[int]:
    failed: dict[str, list[int]] = {}
    done = set[str]()
    for turn in episode.turns:
        action = turn.reply.action
        if action is None or turn.fault is ErrorKind.OBJECT_HALLUCINATION:
            continue  # there is nothing to look at
        if turn.success:
            done.update(action.arguments)
        else:
            for name in set(action.arguments):
                failed.setdefault(name, []).append(turn.number)
    for name, numbers in failed.items():
        if len(numbers) > 1 and name not in done:
            yield from numbers


def _ignores_feedback(episode: Episode) -> Iterator[int]:
    tried, failed, code = set[str](), 0, ""
    for turn in episode.turns:
        if turn.success or turn.code != code:
            tried, failed, code = set(), 0, turn.code
        if not turn.success:
            tried.add(turn.named)
            failed += 1
        if failed > 2 and len(tried) > 1:
            yield turn.number


def _stops_early(episode: Episode) -> Iterator[int]:
    if episode.end == End.NO_MORE_ANSWERS and not episode.success:
        yield len(episode.turns)


def _undoes_goal(episode: Episode) -> Iterator[int]:
    unmet = {each.text for each in episode.goal.conditions if not each.met}
    before, made, ended = _met(episode.begun), set[str](), dict[str, int]()
    for turn in episode.turns:
        now = _met(turn.goal)
        made |= now - before
        ended |= dict.fromkeys((before - now) & made & unmet, turn.number)
        before = now
    yield from ended.values()


def _met(goal: GoalStatus | None) -> set[str]:
    return set() if goal is None else {each.text for each in goal.conditions if each.met}


def _acts_after_success(episode: Episode) -> Iterator[int]:
    reached = False
    for turn in episode.turns:
        if reached:
            yield turn.number
        reached = reached or (turn.goal is not None and turn.goal.reached)


_FINDERS: Mapping[Behaviour, Callable[[Episode], Iterator[int]]] = {
    Behaviour.REPEATS_FAILURE: _repeats_failure,
    Behaviour.OSCILLATES: _oscillates,
    Behaviour.NEVER_LOOKS: _never_looks,
    Behaviour.IGNORES_FEEDBACK: _ignores_feedback,
    Behaviour.STOPS_EARLY: _stops_early,
    Behaviour.UNDOES_GOAL: _undoes_goal,
    Behaviour.ACTS_AFTER_SUCCESS: _acts_after_success,
}
