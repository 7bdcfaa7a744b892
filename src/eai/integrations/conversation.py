"""An episode as a conversation that grows: a trainer sends each turn's text to the model once.

The first message is that of :class:`eai.acting.Acting`. Later ones say how the action went and what
changed in view, for a whole view every turn fills the model's context. The reward of a turn is
potential-based, so the rewards of an episode add up to the share of the goal that was gained.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass

from eai.acting import Acting, Feedback, describe
from eai.contract import Suite, checked_interactive, given_suite
from eai.integrations.answer_text import last_answer
from eai.rewards import TurnReward, potential
from eai.semantics import Semantics

OVER = "The episode has ended."
_logger = logging.getLogger("eai.training")


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """The outcome of an answer.

    Args:
        text: The next message to the model.
        reward: The reward of the turn, in [-1, 1].
        done: Whether the episode has ended.
    """

    text: str
    reward: float
    done: bool


class Conversation:
    """An episode in which no text of a model raises an exception.

    Args:
        suite: The name of the suite, or the suite.
        task: The identifier of the task.
        view: How much is seen: the name of one of the suite's views.
        feedback: ``"none"``, ``"simple"`` or ``"detailed"``.
        semantics: When a task counts as solved.

    Attributes:
        opening: The first message to the model.
        total: The sum of the rewards so far.
        broken: Whether an action failed by a fault of ours; the episode ended there.

    Raises:
        UnknownNameError: If a name is unknown.
        InputError: If the suite cannot be acted in.
    """

    def __init__(
        self,
        suite: str | Suite,
        task: str,
        *,
        view: str = "",
        feedback: Feedback = "simple",
        semantics: str | Semantics = "strict",
    ) -> None:
        """Begin the episode and keep its first message."""
        chosen_suite = checked_interactive(given_suite(suite))
        profile = chosen_suite.semantics(semantics)
        loaded_task = chosen_suite.task(chosen_suite.canonical_id(task))
        rules = chosen_suite.episode_rules(loaded_task, profile)
        self._acting = Acting(
            chosen_suite.environment(loaded_task, profile),
            rules,
            feedback=feedback,
            views=rules.seen_by(view),
            task=loaded_task.id,
        )
        self._feedback = feedback
        self._seen_lines = self._view_lines()
        self._potential_at_start = potential(self._acting.goal)
        self.opening = "\n\n".join(message["content"] for message in self._acting.messages)
        self.total = 0.0
        self.broken = False

    @property
    def parts(self) -> dict[str, float]:
        """Return the values that trainers log of an episode, always under the same names."""
        turns = self._acting.turns
        return {
            "solved": float(self._acting.goal.reached),
            "gained": self.total,
            "turns": float(len(turns)),
            "failed": float(sum(not turn.success for turn in turns)),
            "broken": float(self.broken),
        }

    def take(self, answer: str) -> TurnOutcome:
        """Take the action in an answer, with or without the word ``Action:``."""
        if self._acting.finished or self.broken:
            return TurnOutcome(OVER, 0.0, True)
        text = last_answer(answer)
        # A single line such as "WALK light.34" is the action. In longer answers the reader looks
        # for the line of the action.
        if "Action:" not in text and "\n" not in text.strip():
            text = f"Action: {text.strip()}"
        status_before = self._acting.goal
        try:
            turn = self._acting.submit(text)
        except Exception as error:  # noqa: BLE001  # no episode may end days of training
            self.broken = True
            _logger.warning("an episode of %s broke: %s", self._acting.episode.task, error)
            return TurnOutcome(OVER, 0.0, True)
        reward = TurnReward()(status_before, self._acting.goal)
        # Rewards are differences of potentials, so their sum is that between the two ends.
        self.total = potential(self._acting.goal) - self._potential_at_start
        if self._acting.finished:
            return TurnOutcome(OVER, reward, True)
        return TurnOutcome(self._describe_changes(turn.success, turn.result.message), reward, False)

    def _view_lines(self) -> list[str]:
        """Return the current view, one line for each object."""
        return describe(self._acting.observation).splitlines()

    def _describe_changes(self, success: bool, message: str) -> str:
        """Return the outcome of an action, and the lines that it added to or removed from the view.

        Args:
            success: Whether the action succeeded.
            message: The environment's message about it.
        """
        old_lines = self._seen_lines
        new_lines = self._view_lines()
        self._seen_lines = new_lines
        reply = []
        if self._feedback != "none":
            reply.append("Success." if success else "Failed.")
        if self._feedback == "detailed" and message:
            reply.append(message)
        # A line has everything that is seen of an object, so a changed object has a new line.
        added_lines = [line for line in new_lines if line not in old_lines]
        if added_lines:
            reply += ["Now:", *added_lines]
        else:
            reply.append("Nothing you see has changed.")
        # An object with a changed line is still seen.
        seen_objects = {_object_in_line(line) for line in new_lines}
        removed_lines = [line for line in old_lines if _object_in_line(line) not in seen_objects]
        if removed_lines:
            reply += ["No longer:", *removed_lines]
        return "\n".join(reply)


def _object_in_line(line: str) -> str:
    """Return the object that a line of a view describes.

    For ``- mug.2 (Mug): dirty`` it is ``- mug.2``.
    """
    return line.partition(" (")[0].partition(":")[0]
