"""The fixed lists of actions that ``eai-eval`` 1.0.5 puts in place of a BEHAVIOR subgoal.

What is to be placed is grasped first, by the right hand if it is free, else by the left; if both
are full, the right one is emptied. Two subgoals that put one thing on another and next to a
third are one action.
"""

from __future__ import annotations

from dataclasses import dataclass

from eai.logic.formula import Atom, Formula, Not
from eai.world.action import Action

__all__ = ["Hands", "actions_for", "joint_actions"]

_PLACES = {
    "inside": "place_inside",
    "ontop": "place_ontop",
    "onfloor": "place_ontop",
    "nextto": "place_nextto",
    "touching": "place_nextto",
    "under": "place_under",
}
_MAKERS = {
    "cooked": "cook",
    "burnt": "cook",
    "frozen": "freeze",
    "open": "open",
    "sliced": "slice",
    "soaked": "soak",
    "toggledon": "toggle_on",
}
_ENDERS = {
    "dusty": "clean",
    "stained": "clean",
    "frozen": "unfreeze",
    "open": "close",
    "toggledon": "toggle_off",
}
_ON = ("ontop", "onfloor")
_BY = ("nextto", "touching")
_HANDS = {"holds_rh": "right", "holds_lh": "left"}


@dataclass(frozen=True)
class Hands:
    """What the robot holds.

    Args:
        right: What the right hand holds; empty if nothing.
        left: What the left hand holds; empty if nothing.
    """

    right: str = ""
    left: str = ""

    def holding(self, name: str) -> str:
        """The hand that holds something; a name that begins or contains it will do."""
        if name in self.left:
            return "left"
        return "right" if name in self.right else ""

    def freed(self, hand: str) -> list[Action]:
        """Empty a hand."""
        held = self.right if hand == "right" else self.left
        return [Action(f"{hand}_release", (held,))] if held else []

    def with_one_free(self) -> list[Action]:
        """Empty the right hand if both are full."""
        return self.freed("right") if self.left else []

    def with_grasped(self, name: str) -> tuple[str, list[Action]]:
        """The hand that holds something, and how it comes to hold it."""
        hand = self.holding(name)
        if hand:
            return hand, []
        hand = "left" if self.right and not self.left else "right"
        release = self.freed("right") if hand == "right" else []
        return hand, [*release, Action(f"{hand}_grasp", (name,))]


def joint_actions(first: Formula, second: Formula, hands: Hands) -> list[Action]:
    """The actions for two subgoals that are one; none if they are not."""
    if not (isinstance(first, Atom) and isinstance(second, Atom)):
        return []
    on, by = (first, second) if first.predicate in _ON else (second, first)
    if on.predicate not in _ON or by.predicate not in _BY or on.terms[0] not in by.terms:
        return []
    name, target = map(str, on.terms)
    neighbour = by.terms[0] if name == by.terms[1] else by.terms[1]
    hand, begin = hands.with_grasped(name)
    return [*begin, Action(f"{hand}_place_nextto_ontop", (str(neighbour), target))]


def actions_for(literal: Formula, hands: Hands) -> list[Action]:
    """The actions for a subgoal; none where the published evaluator has none.

    Args:
        literal: A ground literal.
        hands: What the robot holds now.
    """
    if isinstance(literal, Not):
        return _negative(literal.operand, hands)
    assert isinstance(literal, Atom)  # noqa: S101 - nothing else is a literal
    name = str(literal.terms[0])
    if literal.predicate in _PLACES:
        hand, begin = hands.with_grasped(name)
        act = f"{hand}_{_PLACES[literal.predicate]}"
        return [*begin, Action(act, (str(literal.terms[1]),))]
    if literal.predicate in _HANDS:
        hand = _HANDS[literal.predicate]
        return [*hands.freed(hand), Action(f"{hand}_grasp", (name,))]
    return _changed(_MAKERS, literal, hands)


def _negative(atom: Formula, hands: Hands) -> list[Action]:
    assert isinstance(atom, Atom)  # noqa: S101 - nothing else is negated in a literal
    name = str(atom.terms[0])
    if atom.predicate == "inside":
        return [*hands.with_grasped(name)[1], Action("right_release", (name,))]
    if atom.predicate in _HANDS:
        hand = _HANDS[atom.predicate]
        return hands.freed(hand) if hands.holding(name) == hand else []
    return _changed(_ENDERS, atom, hands)


def _changed(table: dict[str, str], atom: Atom, hands: Hands) -> list[Action]:
    act = table.get(atom.predicate)
    return [*hands.with_one_free(), Action(act, (str(atom.terms[0]),))] if act else []
