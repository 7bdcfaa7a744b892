"""Detection of behaviours in an episode: faults that show over several turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from eai.acting.episode import End, Episode, Turn
from eai.diagnosis import Behaviour, ErrorKind, GoalStatus

_MAX_CYCLE = 4
"""Maximum number of actions of an oscillation: a task may ask for a longer sequence twice."""


def behaviours(episode: Episode) -> Mapping[Behaviour, tuple[int, ...]]:
    """Return the behaviours that an episode shows, each with the numbers of its turns.

    Returns:
        Each behaviour that is shown, in their fixed order, with the numbers of the turns that
        show it.
    """
    turns_by_behaviour = {}
    for behaviour, find in _FINDERS.items():
        # Windows of an oscillation overlap, so turns may be found twice and out of order.
        turns = tuple(sorted(set(find(episode))))
        if turns:
            turns_by_behaviour[behaviour] = turns
    return turns_by_behaviour


def _repeats_failure(episode: Episode) -> Iterator[int]:
    """Yield turns with an action that failed before, without a success in between."""
    failed = set[str]()
    for turn in episode.turns:
        if turn.success:
            # After anything that was done, the same action may work: the state is another one.
            failed.clear()
            continue
        if turn.named in failed:
            yield turn.number
        failed.add(turn.named)


def _oscillates(episode: Episode) -> Iterator[int]:
    """Yield the turns of a cycle of actions that repeats the previous cycle."""
    turns = episode.turns
    for length in range(2, _MAX_CYCLE + 1):
        for end in range(2 * length, len(turns) + 1):
            if _is_end_of_cycle(turns, end, length):
                for turn in turns[end - length : end]:
                    yield turn.number


def _is_end_of_cycle(turns: Sequence[Turn], end: int, length: int) -> bool:
    """Return whether the turns before a position repeat the same actions as those before.

    Args:
        turns: All turns.
        end: The position.
        length: Number of turns of a cycle.
    """
    # Windows of the same length, one right after the other.
    last = turns[end - length : end]
    previous_cycle = turns[end - 2 * length : end - length]
    if not _is_repeated(last, previous_cycle):
        return False
    if last[-1].result.observation.objects:
        return True
    # Blind agents see no difference between states, so for them the third time counts.
    earlier = turns[max(0, end - 3 * length) : end - 2 * length]
    return _is_repeated(previous_cycle, earlier)


def _is_repeated(last_cycle: Sequence[Turn], previous_cycle: Sequence[Turn]) -> bool:
    """Return whether a cycle repeats the previous one without getting closer to the goal."""
    names = [turn.named for turn in last_cycle]
    if names != [turn.named for turn in previous_cycle] or len(set(names)) == 1:
        return False
    if not all(turn.success for turn in (*previous_cycle, *last_cycle)):
        return False
    if last_cycle[-1].result.observation != previous_cycle[-1].result.observation:
        return False
    return _share_reached(last_cycle[-1].goal) <= _share_reached(previous_cycle[-1].goal)


def _share_reached(goal: GoalStatus | None) -> float:
    """Return the share of the goal that is reached; 0 if the goal was not evaluated."""
    if goal is None:
        return 0.0
    return goal.share


def _never_looks(episode: Episode) -> Iterator[int]:
    """Yield the numbers of failed turns with an object that no successful action involves.

    Only objects in several failed turns count, since one failed turn is not yet a behaviour.
    """
    failed_turns: dict[str, list[int]] = {}
    used_objects = set[str]()
    for turn in episode.turns:
        action = turn.reply.action
        if action is None or turn.fault is ErrorKind.OBJECT_HALLUCINATION:
            continue  # no object, or an object that does not exist
        if turn.success:
            used_objects.update(action.arguments)
        else:
            for name in set(action.arguments):
                failed_turns.setdefault(name, []).append(turn.number)
    for name, turn_numbers in failed_turns.items():
        if len(turn_numbers) > 1 and name not in used_objects:
            yield from turn_numbers


def _ignores_feedback(episode: Episode) -> Iterator[int]:
    """Yield turns from the third failure in a row with the same code, if actions differ."""
    failed_actions = set[str]()
    failures = 0
    code = ""
    for turn in episode.turns:
        # A different code is different feedback, so the count starts again.
        if turn.success or turn.code != code:
            failed_actions = set()
            failures = 0
            code = turn.code
        if not turn.success:
            failed_actions.add(turn.named)
            failures += 1
        if failures > 2 and len(failed_actions) > 1:
            yield turn.number


def _stops_early(episode: Episode) -> Iterator[int]:
    """Yield the last turn of an episode that the agent ended before the goal was reached."""
    if episode.end == End.NO_MORE_ANSWERS and not episode.success:
        yield len(episode.turns)


def _undoes_goal(episode: Episode) -> Iterator[int]:
    """Yield the turns that permanently undo a goal condition reached before."""
    # Conditions that are met again at the end do not count, nor do those that held from the start.
    # If several turns undo a condition, the last one counts.
    unmet_at_end = {condition.text for condition in episode.goal.conditions if not condition.met}
    met_before = _met_conditions(episode.begun)
    reached = set[str]()
    last_undone: dict[str, int] = {}
    for turn in episode.turns:
        met_now = _met_conditions(turn.goal)
        reached |= met_now - met_before
        for text in (met_before - met_now) & reached & unmet_at_end:
            last_undone[text] = turn.number
        met_before = met_now
    yield from last_undone.values()


def _met_conditions(goal: GoalStatus | None) -> set[str]:
    """Return the texts of the conditions that are met."""
    if goal is None:
        return set()
    return {condition.text for condition in goal.conditions if condition.met}


def _acts_after_success(episode: Episode) -> Iterator[int]:
    """Yield turns after the goal was reached."""
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
