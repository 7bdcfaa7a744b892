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
_MOST_STEPS = 10_000
"""Maximum number of steps run to find redundant ones: in plans of over 100 steps not all are."""
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
        """Collect the indices of matched and unmatched steps, of the plan and of the gold plan."""
        self.score = score
        self.meaning = score.gold.meaning
        self._confusions = confusions
        # Gold steps that reach a milestone, and those whose milestone the plan reached.
        self._milestone_steps: set[int] = set()
        self._reached_steps: set[int] = set()
        for result in score.milestones:
            self._milestone_steps.add(result.milestone.step)
            if result.reached:
                self._reached_steps.add(result.milestone.step)
        self._matched_steps = {index for index in score.matched if index is not None}
        # Gold steps that have not yet been aligned with a step of the plan.
        self._unmatched_gold = [gold for gold, index in enumerate(score.matched) if index is None]
        self._rollout_steps_left = _MOST_STEPS

    def mistakes(self) -> list[Mistake]:
        """Return the mistakes of all steps in order, followed by the missing steps."""
        mistakes: list[Mistake] = []
        for step_index, step in enumerate(self.score.plan):
            mistake = self._mistake_of(step_index, step)
            if mistake is not None:
                kind, expected = mistake
                mistakes.append(Mistake(kind, step_index + 1, str(step), expected))
        # By now steps of the plan have been aligned with gold steps: the others may be missing.
        for gold_index in self._unmatched_gold:
            gold_step = self.score.gold.steps[gold_index]
            if gold_index in self._milestone_steps:
                is_missing = gold_index not in self._reached_steps
            else:
                is_missing = self._explains_failure(gold_step)
            if is_missing:
                mistakes.append(Mistake("missing_steps", None, "", str(gold_step)))
        return mistakes

    def _mistake_of(self, index: int, step: Step) -> tuple[str, str] | None:
        """Return the kind of a step's mistake and the expected step, or None if it is right."""
        reason = self.score.failures.get(index, "")
        if not step.is_possible:
            self._align(step, loosely=True)
            return "impossible_actions", reason
        is_matched = index in self._matched_steps
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

        The alignment is greedy: steps choose in the order of the plan, and the first of equally
        similar gold steps is taken. Each gold step explains at most one step of the plan.

        Args:
            step: A step of the plan.
            loosely: Whether an argument in common, spelled alike, is enough.
        """
        best_index = None
        best_similarity = 0
        for gold_index in self._unmatched_gold:
            gold_step = self.score.gold.steps[gold_index]
            similarity = self._similarity(step, gold_step)
            has_common_argument = not {*step.arguments}.isdisjoint(gold_step.arguments)
            if loosely and not similarity and has_common_argument:
                similarity = 1
            if similarity > best_similarity:
                best_index = gold_index
                best_similarity = similarity
        if best_index is not None:
            self._unmatched_gold.remove(best_index)
        return best_index

    def _similarity(self, step: Step, gold_step: Step) -> int:
        """Return the similarity of two steps. An equal skill counts most, then the object.

        4 for the skill, 1 for each argument in common, and 2 more for the same first argument.
        """
        if (gold_step.skill in TAKING) != (step.skill in TAKING):
            # To take something is never a slip for another skill, whatever the arguments.
            return 0
        _, _, *arguments = self.meaning.node(step)
        _, _, *expected_arguments = self.meaning.node(gold_step)
        similarity = len({*arguments} & {*expected_arguments} - {"none"})
        if arguments[:1] == expected_arguments[:1] != ["none"]:
            similarity += 2
        if step.skill == gold_step.skill:
            similarity += 4
        return similarity

    def _compare_with_gold(self, step: Step) -> tuple[str, str] | None:
        """Return how an unmatched step differs from its gold step, or None if it does not.

        Args:
            step: A step of the plan that matches no gold step.

        Returns:
            The kind of the mistake and the expected step; None if the step is not in the place of
            a gold step, or if the milestone of that gold step was reached in another way.
        """
        is_motion = step.skill in _MOTION
        # Plans have many motions; an additional one is a mistake only if a gold motion is missing.
        if is_motion:
            gold_steps = self.score.gold.steps
            missing_skills = {gold_steps[index].skill for index in self._unmatched_gold}
            if step.skill not in missing_skills:
                return None
        gold_index = self._align(step)
        if gold_index is None or gold_index in self._reached_steps:
            return None
        gold_step = self.score.gold.steps[gold_index]
        if is_motion and gold_step.skill != step.skill:
            return None
        return self._mistake_kind(step, gold_step), str(gold_step)

    def _look_alike(self, names: AbstractSet[str]) -> bool:
        """Return whether two names are those of things that are easily taken for each other."""
        pairs = [{self._normal_name(name) for name in pair} for pair in self._confusions]
        return names in pairs

    def _mistake_kind(self, step: Step, gold_step: Step) -> str:
        """Return the kind of mistake that a step in place of a gold step is.

        The skill is compared first, then the objects, then the remaining arguments.
        """
        if step.skill != gold_step.skill:
            return "wrong_function"
        _, _, *arguments = self.meaning.node(step)
        _, _, *expected_arguments = self.meaning.node(gold_step)
        pairs = zip(arguments, expected_arguments, strict=True)
        differences = [(argument, expected) for argument, expected in pairs if argument != expected]
        if not differences:
            return "dual_arm_assignment"  # skill and arguments are right, so the arm is wrong
        # A number refers to an object in the picture, and the answer has to use it as well.
        for argument, expected in differences:
            if expected.isdigit() and not argument.isdigit():
                return "css_reference"
        first_difference = frozenset(differences[0])
        object_index = OBJECT.get(step.skill, 0)
        if arguments[object_index] != expected_arguments[object_index]:
            return "aliasing" if self._look_alike(first_difference) else "wrong_object"
        directions = {*table()["directions"], "yes", "no"}
        if step.skill in ("turn", "push", "pull") and first_difference <= directions:
            return "spatial_reasoning"
        return "parameter_mismatch"

    def _normal_name(self, text: str) -> str:
        """Return the normal form of a name, in the spelling of the gold plan."""
        return str(self.meaning.names(text))

    def _is_redundant(self, index: int) -> bool:
        """Return whether a plan reaches the same milestones without a step.

        The plan is executed again without the step. This is done until a limit of executed steps is
        reached; later steps do not count as redundant.
        """
        plan = self.score.plan
        self._rollout_steps_left -= len(plan)
        if plan[index].skill in _MOTION or self._rollout_steps_left < 0:
            return False
        shorter_plan = AnswerPlan((*plan[:index], *plan[index + 1 :]))
        score_without = self.score.gold.evaluate(shorter_plan)
        reached_with = [result.reached for result in self.score.milestones]
        reached_without = [result.reached for result in score_without.milestones]
        return reached_without == reached_with

    def _explains_failure(self, gold_step: Step) -> bool:
        """Return whether a step of the plan failed because a gold step is missing.

        Args:
            gold_step: A step of the gold plan that the plan lacks. Only steps that bring an object,
                such as a grasp, explain a failure.
        """
        if gold_step.skill not in (*TAKING, "scoop", "transfer"):
            return False
        objects = {self._normal_name(name) for name in gold_step.arguments}
        for step_index, reason in self.score.failures.items():
            is_object_missing = reason in ("not held", "not there")
            if not is_object_missing:
                continue
            failed_step = self.score.plan[step_index]
            if not objects.isdisjoint(map(self._normal_name, failed_step.arguments)):
                return True
        return False
