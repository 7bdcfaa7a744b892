"""What an agent is told before a turn: the task, the rules of the world, and what it sees.

The words are this package's own; what they say follows the rules that the benchmark tells its
agents (AsgardBench, appendix, prompt). Its baseline leaves the rules of common sense out, which
the paper does not mention; here that is a choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from eai.interaction.briefs import carried_over
from eai.interaction.feedback import history
from eai.interaction.messages import Message
from eai.interaction.protocol import Observation, SeenObject
from eai.interaction.rules import Situation

__all__ = ["ACTIONS", "COMMON_SENSE", "RULES", "AsgardBrief", "seen_lines"]

ACTIONS = {
    "FIND": "go to where it can be seen, and look at it",
    "PICKUP": "take it into the hand",
    "PUT": "put what the hand holds into or onto it",
    "OPEN": "open it",
    "CLOSE": "close it",
    "TOGGLE_ON": "switch it on",
    "TOGGLE_OFF": "switch it off",
    "SLICE": "cut it into slices; crack it, if it is an Egg",
    "CLEAN": "clean it",
    "SPRAY": "spray it with what the hand holds",
    "DRINK": "drink what is in it",
    "EMPTY": "pour out what is in it",
}
"""The actions, and what each does with the object that it names."""

RULES = (
    "Washing: the thing is in the SinkBasin, the DishSponge in the hand, the Faucet on; then "
    "CLEAN, and switch the Faucet off.",
    "The Faucet can be switched on only if there is nothing in the SinkBasin but dishes, cookware "
    "and the DishSponge.",
    "CoffeeMachine: put a clean, empty Mug into it, switch it on and off again.",
    "Toaster, Microwave and StoveBurner have done their work as soon as they were switched on; "
    "switch them off again.",
    "What is fried lies in a Pan on a StoveBurner. A whole Potato is cooked in the Microwave.",
    "Food is sliced with the Knife in the hand, while it lies on a counter or a table and not on "
    "a low shelf. The slices are new objects and may lie out of sight.",
    "An Egg is put into a Pan and cracked there, without a knife.",
    "The Mirror is sprayed with the SprayBottle, then cleaned with the Cloth.",
    "The Television is switched with the RemoteControl in the hand.",
    "A slice of bread, potato, tomato or apple, and a fried egg, are served on a Plate; a whole "
    "Potato and slices of lettuce in a Bowl.",
    "Food belongs into the Fridge, silverware into a Drawer, dishes into a Cabinet, pans and pots "
    "onto the CounterTop.",
    "What was drunk from is dirty. What is put away is clean.",
)
"""Rules that nobody can guess."""

COMMON_SENSE = (
    "The hand holds one thing at a time.",
    "Only what is in sight can be acted on; what is in something closed is not in sight.",
    "Cabinets, drawers, the Fridge and the Microwave have to be open before something is put into "
    "them or taken out, and the Microwave closed before it is switched on.",
    "Nothing is put into or onto something dirty.",
    "In the end everything that was switched on is off, and the Fridge and the Microwave are "
    "closed.",
)
"""Rules of common sense."""

_WORDS = {
    "open": ("open", "closed"),
    "on": ("on", "off"),
    "dirty": ("dirty", "clean"),
    "cooked": ("cooked", "raw"),
}

_FORM = """Think first, if you like. End with these lines; only the last one is done now:
Plan: all steps that are left after it
Memory: what you want to be told again; the action may fail, so do not write as if it were done
Action: ACTION OBJECT"""


@dataclass(frozen=True, slots=True)
class AsgardBrief:
    """Tells an agent its task, the rules, what it did, and what it sees.

    What stays the same in an episode comes first, so that it need not be read anew every time.

    Args:
        instruction: What to do.
        objects: The types of objects that an action may name.
        common_sense: Whether the rules of common sense are told too.
    """

    instruction: str
    objects: tuple[str, ...]
    common_sense: bool = True

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """See :class:`eai.interaction.rules.Brief`."""
        parts = [*self._opening(), *self._now(situation)]
        return [{"role": "user", "content": "\n\n".join(parts)}]

    def _opening(self) -> Iterable[str]:
        rules = (*RULES, *(COMMON_SENSE if self.common_sense else ()))
        yield "You act in a home, one action at a time."
        yield f"## Task\n{self.instruction}"
        yield _listed(
            "Actions",
            "An action is two words: its name and a type of object.",
            *(f"- {name}: {meaning}" for name, meaning in ACTIONS.items()),
        )
        yield _listed("Types of objects", ", ".join(self.objects))
        yield _listed("Rules", *(f"- {rule}" for rule in rules))
        yield _listed("Answer", _FORM)

    def _now(self, situation: Situation) -> Iterable[str]:
        if situation.turns:
            yield _listed("Actions so far", *history(situation.turns, situation.feedback))
        yield from carried_over(situation)
        yield _listed("What you see now", *seen_lines(situation.observation, self.objects))


def seen_lines(observation: Observation, kinds: Container[str]) -> list[str]:
    """Write an observation by types, because actions name types: one line for each.

    Args:
        observation: What is seen.
        kinds: The types that are told.

    Returns:
        Lines such as ``- Mug, in SinkBasin: dirty, empty`` and ``- Cabinet: closed (3 of
        them)``; below them what the hand holds, and what the agent looks at.
    """
    types = {thing.name: thing.type for thing in observation.objects}
    lines = Counter(_seen(thing, types) for thing in observation.objects if thing.type in kinds)
    shown = [f"- {line} ({n} of them)" if n > 1 else f"- {line}" for line, n in lines.items()]
    held = ", ".join(types.get(name, name) for name in observation.held)
    focus = types.get(observation.focus)
    looked = [f"You look at: {focus}"] if focus else []
    return [*(shown or ["(nothing)"]), f"In the hand: {held or 'nothing'}", *looked]


def _seen(thing: SeenObject, types: Mapping[str, str]) -> str:
    place = types.get(thing.inside)
    where = f", {thing.relation or 'at'} {place}" if place else ""
    words = ", ".join(_word(name, value) for name, value in thing.properties.items())
    return f"{thing.type}{where}: {words}" if words else f"{thing.type}{where}"


def _word(name: str, value: object) -> str:
    if name == "liquid":
        return f"with {value} in it" if value else "empty"
    yes, no = _WORDS.get(name, (name, f"not {name}"))
    return yes if value else no


def _listed(title: str, *lines: str) -> str:
    return "\n".join([f"## {title}", *lines])
