"""The eleven kinds of mistakes in plans (project page), from alignment and ledger."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from eai.suites.robobench.answers import OBJECT
from eai.suites.robobench.names import table
from eai.suites.robobench.plans import Reading, Step
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
"""So many steps are run to find redundant ones: in plans of more than 140 steps not all."""
_MOTION = ("move_to", "hold", "no_ops", "observation", "mobile")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in a plan, at a step (from 1; None if it is missing), and what was expected."""

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
    """Say what is wrong with a plan; without pairs of look-alikes no object is an alias."""
    if None not in score.matched and len(score.plan) == len(score.matched) and not score.failures:
        return ()
    return tuple(_MistakeSearch(score, confusions).found())


class _MistakeSearch:
    def __init__(self, score: PlanScore, confusions: Collection[frozenset[str]]) -> None:
        self.score, self.meaning = score, score.gold.meaning
        self._alike = confusions
        self._made = {each.milestone.step for each in score.milestones}
        self._reached = {each.milestone.step for each in score.milestones if each.reached}
        self._left = _MOST_STEPS
        self._open = [i for i, at in enumerate(score.matched) if at is None]

    def found(self) -> list[Mistake]:
        found, score = list[Mistake](), self.score
        taken = {at for at in score.matched if at is not None}
        for at, step in enumerate(score.plan):
            reason = score.failures.get(at, "")
            mistake = None
            if not step.is_possible:
                mistake = "impossible_actions", reason
                self._align(step, loosely=True)
            elif at not in taken:
                mistake = self._compared(step)
            if mistake is None and reason in _PHYSICS:
                mistake = "physics_violations", f"another state: {reason}"
            if mistake is None and reason == "wrong direction":
                mistake = "spatial_reasoning", "the other direction"
            if mistake is None and at not in taken and not reason and self._is_idle(at):
                mistake = "redundant_steps", "nothing"
            if mistake is not None:
                found.append(Mistake(mistake[0], at + 1, str(step), mistake[1]))
        for i in self._open:
            gold = score.gold.steps[i]
            if i in self._made - self._reached or (i not in self._made and self._lacked(gold)):
                found.append(Mistake("missing_steps", None, "", str(gold)))
        return found

    def _align(self, step: Step, *, loosely: bool = False) -> int | None:
        """The gold step that a step stands for, taken out of those that are open."""
        best, value = None, 0
        mine = self.meaning.node(step)
        for i in self._open:
            gold = self.score.gold.steps[i]
            yours = self.meaning.node(gold)
            same = step.skill == gold.skill
            shared = len({*mine[2:]} & {*yours[2:]} - {"none"})
            alike = 4 * same + 2 * (mine[2:3] == yours[2:3] != ("none",)) + shared
            alike = alike if (same or (gold.skill in TAKING) is (step.skill in TAKING)) else 0
            alike = alike or int(loosely and {*step.arguments} & {*gold.arguments} != set())
            if alike > value:
                best, value = i, alike
        if best is not None:
            self._open.remove(best)
        return best

    def _compared(self, step: Step) -> tuple[str, str] | None:
        """Describe how an unmatched step differs from the gold step that it stands for."""
        if step.skill in _MOTION and step.skill not in {
            self.score.gold.steps[i].skill for i in self._open
        }:
            return None
        best = self._align(step)
        if best is None:
            return None
        gold = self.score.gold.steps[best]
        if best in self._reached or (step.skill in _MOTION and gold.skill != step.skill):
            return None
        mine, yours = self.meaning.node(step), self.meaning.node(gold)
        if step.skill != gold.skill:
            return "wrong_function", str(gold)
        if mine[2:] == yours[2:]:
            return "dual_arm_assignment", str(gold)
        pairs = [(a, b) for a, b in zip(mine[2:], yours[2:], strict=True) if a != b]
        if any(b.isdigit() and not a.isdigit() for a, b in pairs):
            return "css_reference", str(gold)
        one, other = pairs[0]
        at = 2 + OBJECT.get(step.skill, 0)
        if mine[at] != yours[at]:
            alias = frozenset((one, other)) in {frozenset(map(self._key, c)) for c in self._alike}
            return "aliasing" if alias else "wrong_object", str(gold)
        ways = {*table()["directions"], "yes", "no"}
        if step.skill in ("turn", "push", "pull") and {one, other} <= ways:
            return "spatial_reasoning", str(gold)
        return "parameter_mismatch", str(gold)

    def _key(self, text: str) -> str:
        return str(self.meaning.names(text))

    def _is_idle(self, at: int) -> bool:
        """Whether a plan without a step reaches just as much."""
        plan = self.score.plan
        self._left -= len(plan)  # each step that is looked at is a rollout
        if plan[at].skill in _MOTION or self._left < 0:
            return False
        without = self.score.gold.evaluate(Reading((*plan[:at], *plan[at + 1 :])))
        before = [each.reached for each in self.score.milestones]
        return [each.reached for each in without.milestones] == before

    def _lacked(self, gold: Step) -> bool:
        """Whether a step fails because a gold step that only prepares it is not there."""
        things = {self._key(each) for each in gold.arguments}
        return gold.skill in (*TAKING, "scoop", "transfer") and any(
            reason in ("not held", "not there")
            and things & {self._key(each) for each in self.score.plan[at].arguments}
            for at, reason in self.score.failures.items()
        )
