"""The eleven kinds of mistakes in plans (project page), from alignment and ledger."""

from __future__ import annotations

from collections.abc import Collection, Set as AbstractSet
from dataclasses import dataclass

from eai.suites.robobench.answers import OBJECT
from eai.suites.robobench.names import table
from eai.suites.robobench.plans import AnswerPlan, Step
from eai.suites.robobench.score import PlanScore
from eai.suites.robobench.world import TAKING

MISTAKES = {
    "missing_steps": "execution",
    "impossible_actions": "execution",
    "redundant_steps": "execution",
    "wrong_function": "execution",
    "aliasing": "identification",
    "parameter_mismatch": "identification",
    "wrong_object": "identification",
    "physics_violations": "common sense",
    "spatial_reasoning": "common sense",
    "css_reference": "mode",
    "dual_arm_assignment": "mode",
}
"""Each kind with its family."""
_PHYSICS = ("gripper busy", "closed", "not there", "shut in", "not ahead")
_MOST_STEPS = 20_000
"""Maximum number of steps run to find redundant ones: in plans of over 140 steps not all are."""
_MOTION = ("move_to", "hold", "no_ops", "observation", "mobile")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake at a step of a plan (from 1; None if a step is missing), and what was expected."""

    kind: str
    step: int | None
    text: str
    expected: str

    def __str__(self) -> str:
        at = f"step {self.step}, {self.text}" if self.step else "no step"
        return f"{self.kind}: {at}; expected: {self.expected}"


def mistakes_of(
    score: PlanScore, confusions: Collection[frozenset[str]] = ()
) -> tuple[Mistake, ...]:
    """Return the mistakes in a plan.

    Args:
        score: The score of the plan.
        confusions: Pairs of similar objects; without any, no object is taken for an alias.
    """
    if None not in score.matched and len(score.plan) == len(score.matched) and not score.failures:
        return ()
    return tuple(_MistakeSearch(score, confusions).mistakes())


class _MistakeSearch:
    """Aligns unmatched steps of a plan with unmatched gold steps and classifies the differences."""

    def __init__(self, score: PlanScore, confusions: Collection[frozenset[str]]) -> None:
        self.score = score
        self.meaning = score.gold.meaning
        self._alike = confusions
        # Gold steps that make a milestone, and those whose milestone was reached.
        self._made = {result.milestone.step for result in score.milestones}
        self._reached = {result.milestone.step for result in score.milestones if result.reached}
        self._matched = {index for index in score.matched if index is not None}
        # Gold steps that no step of the plan stands for yet.
        self._open = [gold for gold, index in enumerate(score.matched) if index is None]
        self._steps_left = _MOST_STEPS

    def mistakes(self) -> list[Mistake]:
        """Return the mistakes of all steps in order, followed by the missing steps."""
        mistakes: list[Mistake] = []
        for index, step in enumerate(self.score.plan):
            mistake = self._mistake_of(index, step)
            if mistake is not None:
                kind, expected = mistake
                mistakes.append(Mistake(kind, index + 1, str(step), expected))
        # The gold steps that are still open now are those that no step of the plan stands for.
        for index in self._open:
            gold = self.score.gold.steps[index]
            is_missing = index not in self._reached
            if index not in self._made:
                is_missing = self._explains_failure(gold)
            if is_missing:
                mistakes.append(Mistake("missing_steps", None, "", str(gold)))
        return mistakes

    def _mistake_of(self, index: int, step: Step) -> tuple[str, str] | None:
        """Return the kind of a step's mistake and the expected step, or None if it is right."""
        reason = self.score.failures.get(index, "")
        if not step.is_possible:
            self._align(step, loosely=True)
            return "impossible_actions", reason
        is_matched = index in self._matched
        # A step that matches a gold step may still fail, because of the steps before it.
        if not is_matched:
            mistake = self._compare_with_gold(step)
            if mistake is not None:
                return mistake
        if reason in _PHYSICS:
            return "physics_violations", f"another state: {reason}"
        if reason == "wrong direction":
            return "spatial_reasoning", "the other direction"
        if not is_matched and not reason and self._is_redundant(index):
            return "redundant_steps", "nothing"
        return None

    def _align(self, step: Step, *, loosely: bool = False) -> int | None:
        """Return the unmatched gold step most similar to a step, and mark it as matched.

        Greedy: steps choose in the order of the plan, and the first of equally like gold steps is
        taken. Each gold step explains one step of the plan at most.
        """
        best = None
        best_likeness = 0
        for index in self._open:
            likeness = self._likeness(step, self.score.gold.steps[index], loosely=loosely)
            if likeness > best_likeness:
                best = index
                best_likeness = likeness
        if best is not None:
            self._open.remove(best)
        return best

    def _likeness(self, step: Step, gold: Step, *, loosely: bool) -> int:
        """Return the similarity of two steps. An equal skill counts most, then the object.

        4 for the skill, 1 for each argument in common, and 2 more for the same first argument.
        """
        _, _, *arguments_of_step = self.meaning.node(step)
        _, _, *expected = self.meaning.node(gold)
        likeness = len({*arguments_of_step} & {*expected} - {"none"})
        if arguments_of_step[:1] == expected[:1] != ["none"]:
            likeness += 2
        if step.skill == gold.skill:
            likeness += 4
        elif (gold.skill in TAKING) is not (step.skill in TAKING):
            # To take something is never a slip for another skill, whatever the arguments.
            likeness = 0
        if not likeness and loosely and {*step.arguments} & {*gold.arguments}:
            return 1
        return likeness

    def _compare_with_gold(self, step: Step) -> tuple[str, str] | None:
        """Return how an unmatched step differs from its gold step, or None if it does not.

        Args:
            step: A step of the plan that matches no gold step.

        Returns:
            The kind of the mistake and the expected step; None if the step is not in the place of
            a gold step, or if the milestone of that gold step was reached in another way.
        """
        is_motion = step.skill in _MOTION
        # Motions are many and alike: without an open gold motion one more is no mistake.
        if is_motion:
            open_skills = {self.score.gold.steps[index].skill for index in self._open}
            if step.skill not in open_skills:
                return None
        best = self._align(step)
        if best is None or best in self._reached:
            return None
        gold = self.score.gold.steps[best]
        if is_motion and gold.skill != step.skill:
            return None
        return self._difference(step, gold), str(gold)

    def _look_alike(self, names: AbstractSet[str]) -> bool:
        """Return whether two names are those of things that are easily taken for each other."""
        return any(names == {self._key(name) for name in pair} for pair in self._alike)

    def _difference(self, step: Step, gold: Step) -> str:
        """Return the kind of mistake that a step in place of a gold step is.

        The skill is compared first, then the objects, then the remaining arguments.
        """
        if step.skill != gold.skill:
            return "wrong_function"
        _, _, *arguments = self.meaning.node(step)
        _, _, *expected_arguments = self.meaning.node(gold)
        pairs = zip(arguments, expected_arguments, strict=True)
        differing = [(argument, expected) for argument, expected in pairs if argument != expected]
        if not differing:
            return "dual_arm_assignment"  # skill and arguments are right, so that the arm is not
        # A number stands for an object of the picture: the answer has to name it so, too.
        if any(expected.isdigit() and not argument.isdigit() for argument, expected in differing):
            return "css_reference"
        first_difference = frozenset(differing[0])
        object_index = OBJECT.get(step.skill, 0)
        if arguments[object_index] != expected_arguments[object_index]:
            return "aliasing" if self._look_alike(first_difference) else "wrong_object"
        directions = {*table()["directions"], "yes", "no"}
        if step.skill in ("turn", "push", "pull") and first_difference <= directions:
            return "spatial_reasoning"
        return "parameter_mismatch"

    def _key(self, text: str) -> str:
        return str(self.meaning.names(text))

    def _is_redundant(self, index: int) -> bool:
        """Return whether a plan reaches just as much without a step.

        Each question is a rollout of the whole plan, so that only so many of them are asked; steps
        that are not asked about do not count as redundant.
        """
        plan = self.score.plan
        self._steps_left -= len(plan)
        if plan[index].skill in _MOTION or self._steps_left < 0:
            return False
        without = self.score.gold.evaluate(AnswerPlan((*plan[:index], *plan[index + 1 :])))
        reached_with = [result.reached for result in self.score.milestones]
        reached_without = [result.reached for result in without.milestones]
        return reached_without == reached_with

    def _explains_failure(self, gold: Step) -> bool:
        """Return whether a step of the plan failed because a gold step is missing.

        Args:
            gold: A gold step that brings an object, such as a grasp, and that the plan lacks.
        """
        if gold.skill not in (*TAKING, "scoop", "transfer"):
            return False
        objects = {self._key(name) for name in gold.arguments}
        for index, reason in self.score.failures.items():
            # Other failures do not come from an object that was not prepared.
            if reason not in ("not held", "not there"):
                continue
            arguments_of_failed = map(self._key, self.score.plan[index].arguments)
            if not objects.isdisjoint(arguments_of_failed):
                return True
        return False
