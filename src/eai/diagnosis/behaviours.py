"""Behaviours: faults of an agent that show over several turns.

The kinds of error (:mod:`eai.diagnosis.taxonomy`) are about one step; these are about an episode.
They are looked for by :func:`eai.acting.behaviours` in the episodes of any suite.
"""

from __future__ import annotations

from enum import Enum


class Behaviour(str, Enum):
    """Behaviours of agents over an episode. The value is the word in records."""

    REPEATS_FAILURE = "repeats_failure"
    OSCILLATES = "oscillates"
    NEVER_LOOKS = "never_looks"
    IGNORES_FEEDBACK = "ignores_feedback"
    STOPS_EARLY = "stops_early"
    UNDOES_GOAL = "undoes_goal"
    ACTS_AFTER_SUCCESS = "acts_after_success"

    @property
    def label(self) -> str:
        """The behaviour in a few words."""
        label, _ = _WORDS[self]
        return label

    @property
    def meaning(self) -> str:
        """Its definition: when an episode shows it, and which turns are named."""
        _, meaning = _WORDS[self]
        return meaning

    @property
    def measure(self) -> str:
        """Under which kind of measure results count it."""
        return f"behaviour_{self.value}"

    def __str__(self) -> str:
        return self.value


_WORDS = {
    Behaviour.REPEATS_FAILURE: (
        "repeats a failed action",
        "An action that failed is tried again, or an answer that could not be read is given again, "
        "before any action was done in between. The turns that repeat are named.",
    ),
    Behaviour.OSCILLATES: (
        "oscillates",
        "A cycle of 2 to 4 actions, all of them done and not all the same, is taken twice in a "
        "row (three times where nothing is observed); after the last round no more of the goal is "
        "met and everything is seen as after the round before. The turns of that round are named.",
    ),
    Behaviour.NEVER_LOOKS: (
        "never looks",
        "An object is named in at least two actions that fail and in none that is done: the agent "
        "never goes to it, looks at it or finds it. These turns are named.",
    ),
    Behaviour.IGNORES_FEEDBACK: (
        "ignores feedback",
        "At least three turns in a row fail for the same reason, though with different actions. "
        "The turns from the third one on are named.",
    ),
    Behaviour.STOPS_EARLY: (
        "stops early",
        "The agent ends the episode, with or without saying so, before the goal is reached and "
        "before any limit is. The last turn is named (0 if there is none).",
    ),
    Behaviour.UNDOES_GOAL: (
        "undoes its own goal",
        "A condition of the goal that some turn made true is not met at the end. The turns named "
        "are those that ended it for the last time.",
    ),
    Behaviour.ACTS_AFTER_SUCCESS: (
        "acts after success",
        "Something is done after the goal was reached. The turns after that are named. It occurs "
        "in episodes that were recorded elsewhere; those that are acted in here end with the goal.",
    ),
}
"""Name and definition of each behaviour."""
