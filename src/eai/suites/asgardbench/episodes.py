"""What an agent is told before a turn: the task, the rules of the world, and what it sees.

The words are this package's own; what they say follows the rules that the benchmark tells its
agents (AsgardBench, appendix, prompt). Its baseline leaves the rules of common sense out, which
the paper does not mention; here that is a choice.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from eai.acting import (
    ConsecutiveFailures,
    EpisodeRules,
    HardLimit,
    Limit,
    Memory,
    Message,
    Milestones,
    NewObjects,
    Repeats,
    Reply,
    Situation,
    SoftLimit,
    Turn,
    carried_over,
    evaluate_answers,
    history,
    read_reply,
    reply_reader,
)
from eai.diagnosis import ErrorKind, Result
from eai.errors import InputError
from eai.logic import format_formula
from eai.semantics import Semantics
from eai.simulators import Failure, Observation, SeenObject
from eai.simulators.thor.scenes import Scene
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.goals import AsgardGoal, goal_formula, refuse_unknown
from eai.suites.asgardbench.instances import Instance
from eai.suites.asgardbench.quirks import QUIRKS
from eai.suites.asgardbench.room import Refusal
from eai.task import Goal, Task, Vocabulary
from eai.world import Action, World

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
    "The hand holds one thing at a time.",
    "Nothing is put into or onto something dirty.",
    "A Cabinet or Drawer is closed after use, the Microwave after something was taken out.",
    "Food belongs into the Fridge, silverware into a Drawer, dishes into a Cabinet, pans and pots "
    "onto the CounterTop.",
    "What was drunk from is dirty. What is put away is clean.",
)
"""Rules that nobody can guess."""

COMMON_SENSE = (
    "Only what is in sight can be acted on; what is in something closed is not in sight.",
    "Cabinets, drawers, the Fridge and the Microwave have to be open before something is put into "
    "them or taken out, and the Microwave closed before it is switched on.",
    "In the end everything that was switched on is off, and the Fridge and the Microwave are "
    "closed.",
)
"""Rules of common sense, which the benchmark's baseline (``C0``) does not tell."""

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
        objects: The types of objects that an action may name.
        common_sense: Whether the rules of common sense are told too.
        semantics: The quirks ``unread_not_told`` and ``plan_is_kept`` count here.
    """

    instruction: str
    objects: tuple[str, ...]
    common_sense: bool = True
    semantics: Semantics = field(default_factory=lambda: Semantics.of("strict", QUIRKS))

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """See :class:`eai.acting.turns.Brief`."""
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
        turns: Iterable[Turn] = situation.turns
        if "unread_not_told" in self.semantics:
            written = (turn for turn in turns if turn.reply.written)
            turns = (replace(turn, number=number) for number, turn in enumerate(written))
        if situation.turns:
            yield _listed("Actions so far", *history(turns, situation.feedback))
        yield from carried_over(situation, plan="plan_is_kept" in self.semantics)
        yield _listed("What you see now", *seen_lines(situation.observation, self.objects))


def seen_lines(observation: Observation, kinds: Container[str]) -> list[str]:
    """Write an observation by types, because actions name types: one line for each.

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


_REASONS: Mapping[str, tuple[Refusal | Failure, ...]] = {
    "not_visible": (Refusal.NOT_VISIBLE, Refusal.NO_INSTANCE, Failure.NOT_INTERACTABLE),
    "hand": (
        *(Refusal.HAND_FULL, Refusal.NOTHING_HELD, Refusal.NOT_HELD, Refusal.NEEDS_KNIFE),
        *(Refusal.NEEDS_CLOTH, Refusal.NEEDS_SPONGE, Refusal.NEEDS_SPRAY_BOTTLE),
        *(Refusal.TV_NEEDS_REMOTE, Failure.HAND_EMPTY, Failure.IN_HAND),
    ),
    "openable": (
        *(Refusal.IN_CLOSED, Refusal.CONTAINER_CLOSED, Refusal.MICROWAVE_OPEN),
        *(Refusal.ALREADY_OPEN, Refusal.ALREADY_CLOSED, Failure.RECEPTACLE_CLOSED),
        *(Failure.MUST_BE_CLOSED, Failure.MUST_BE_OFF),
    ),
    "dirty": (Refusal.CONTAINER_DIRTY, Refusal.COFFEE_MUG_DIRTY),
    "sink": (Refusal.SINK_BLOCKED, Refusal.FAUCET_OFF, Refusal.NOT_IN_SINK),
    "state": (
        *(Refusal.ALREADY_ON, Refusal.ALREADY_OFF, Refusal.ALREADY_SLICED, Refusal.NOT_FILLED),
        *(Refusal.NOT_SPRAYED, Refusal.COFFEE_EMPTY, Refusal.COFFEE_WRONG_OBJECT),
        *(Refusal.COFFEE_MUG_FILLED, Refusal.BURNER_EMPTY, Failure.ALREADY_EMPTY),
    ),
    "placement": (
        *(Refusal.NOT_ON_SURFACE, Refusal.NOT_IN_PAN, Refusal.ALL_EMPLOYED, Failure.NO_POSITION),
        *(Failure.RECEPTACLE_FULL, Failure.BURNER_BLOCKED),
    ),
    "affordance": (
        *(Refusal.NOT_PICKUPABLE, Refusal.NOT_OPENABLE, Refusal.INCOMPATIBLE),
        *(Failure.NOT_SLICEABLE, Failure.NOT_TOGGLEABLE, Failure.NOT_RECEPTACLE),
        *(Failure.NOT_ACCEPTED, Failure.NOT_MADE_FOR_IT, Failure.NOT_DIRTYABLE),
        *(Failure.NOT_FILLABLE, Failure.CONTROLLED),
    ),
}

REASONS: Mapping[str, str] = {
    str(code.value): reason for reason, codes in _REASONS.items() for code in codes
}
"""Code of a failed turn to the reason under which it is counted."""

KINDS: Mapping[str, ErrorKind] = {
    **{str(code.value): ErrorKind.MISSING_STEP for code in (*Failure, *Refusal)},
    **{code: ErrorKind.AFFORDANCE for code, why in REASONS.items() if why == "affordance"},
    **{code: ErrorKind.ADDITIONAL_STEP for code in REASONS if code.startswith("ALREADY_")},
    Refusal.INVALID_RESPONSE.value: ErrorKind.PARSING,
    Refusal.INVALID_ACTION.value: ErrorKind.ACTION_HALLUCINATION,
    Refusal.INVALID_OBJECT.value: ErrorKind.OBJECT_HALLUCINATION,
}
"""Code of a failed turn to the kind of error that it is (see :mod:`eai.diagnosis.taxonomy`)."""


_MATCH = re.compile(r"Action:\s*([A-Z_]+\s+\w+)")


def published_reader(
    actions: Mapping[str, int], objects: Iterable[str], *, tried: bool
) -> Callable[[str], Reply]:
    """Make a reader that finds the action where the published code finds it.

    Names that are not known stay as they are written: the environment says what comes of them.

    Args:
        actions: The actions.
        objects: Names that an argument may be; upper and lower case are the same.
        tried: Whether an answer without an action counts as an action that nobody knows.
    """
    known = {name.lower(): name for name in (*objects, *actions)}

    def read(text: str) -> Reply:
        reply = replace(read_reply(text), action=None, written="")
        found = _MATCH.findall(text, max(text.find("<answer>"), 0))
        if found:
            words = [known.get(word.lower(), word) for word in found[-1].split()]
            reply = replace(reply, written=" ".join(words))
        elif tried:
            words = ["None", "None"] if text else ["empty_response", ""]
            reply = replace(reply, written="" if text else words[0])
        else:
            return reply.refused(ErrorKind.PARSING, "there is no 'Action: ACTION OBJECT'")
        return replace(reply, action=Action(words[0], (words[1],)), code="", message="")

    return read


MILESTONES = ("SLICE", "CLEAN", "SPRAY", "DRINK")
"""Actions that complete a part of a task, after which the agent may go on for a while."""

_EXTENSION = 10
"""By how much the soft limit is raised. The paper gives no number; the evaluator has this one."""
_WINDOW = 10
_FAILURES = 10
_REPEATS = 8


def soft_limit(reference_steps: int) -> int:
    """Return the soft limit on the number of steps: ``max(floor(1.5 n), 15)`` (section 3.3)."""
    return max(3 * reference_steps // 2, 15)


def hard_limit(reference_steps: int) -> int:
    """Return the hard limit on the number of steps: ``max(2 n, 20)`` (section 3.3)."""
    return max(2 * reference_steps, 20)


def episode_limits(reference_steps: int, semantics: Semantics) -> tuple[Limit, ...]:
    """Return what ends an episode, in the order in which the evaluator asks.

    Args:
        reference_steps: Number of steps of the reference execution.
        semantics: The quirks ``repeats_at_eight``, ``one_step_too_many`` and
            ``tried_is_milestone`` count here.
    """
    repeats = _REPEATS if "repeats_at_eight" in semantics else _REPEATS + 1
    late = int("one_step_too_many" in semantics)
    refused = frozenset[str]()
    if "tried_is_milestone" in semantics:
        refused = frozenset(e.value for e in Failure) - frozenset(e.value for e in Refusal)
    return (
        Repeats(repeats),
        ConsecutiveFailures(_FAILURES),
        HardLimit(hard_limit(reference_steps) + late),
        SoftLimit(
            soft_limit(reference_steps) + late,
            _EXTENSION,
            (Milestones(MILESTONES, refused), NewObjects(_WINDOW)),
        ),
    )


class AsgardTask(Task):
    """A task whose actions name types; what they ask and do, its domain alone does not say."""

    __slots__ = ()

    @property
    def world(self) -> World:
        """There is none that plans run in.

        Raises:
            InputError: Always.
        """
        raise InputError(
            f"{self.id!r} has no plans as a whole: what its actions ask and do, its domain does "
            "not say",
            expected="a task of a suite that evaluates plans",
            mend=f"act step by step: eai interact asgardbench {self.id!r}",
        )


def load_task(instance: Instance) -> AsgardTask:
    """Return an instance as a task; its goal is what the definitions say (``strict``).

    Raises:
        SchemaError: If it has no goal, or a step of its set-up has too few words.
        UnknownNameError: If a word in it is not known.
    """
    refuse_unknown(instance)
    acting = AsgardEnvironment(instance, Semantics.of("strict", QUIRKS))
    formula = goal_formula(instance, acting.semantics, first=acting.room.first)
    start = acting.state().copy()
    predicates = {name: p.arity for name, p in start.layout.domain.predicates.items()}
    return AsgardTask(
        id=instance.id,
        name=instance.family,
        instruction=instance.instruction,
        start=start,
        agent="agent",
        goal=Goal(format_formula(formula), formula),
        vocabulary=Vocabulary(acting.actions, predicates, frozenset(acting.vocabulary)),
        metadata={"instance": instance, "scene": acting.scene},
    )


def instance_of(task: Task) -> Instance:
    """Return the instance that a task was made of.

    Raises:
        InputError: If it is no task of AsgardBench.
    """
    found = task.metadata.get("instance")
    if not isinstance(found, Instance):
        raise InputError(
            f"{task.id!r} is no task of AsgardBench", expected="a task of the suite asgardbench"
        )
    return found


def environment(task: Task, semantics: Semantics) -> AsgardEnvironment:
    """Set up the environment of a task.

    Raises:
        InputError: If it is no task of AsgardBench.
    """
    scene = task.metadata.get("scene")
    known = scene if isinstance(scene, Scene) else None
    return AsgardEnvironment(instance_of(task), semantics, scene=known)


def episode_rules(task: Task, semantics: Semantics) -> EpisodeRules:
    """Say what an episode of a task is.

    Raises:
        InputError: If it is no task of AsgardBench.
    """
    instance = instance_of(task)
    actions, words = task.vocabulary.actions, tuple(sorted(task.vocabulary.objects))
    read = reply_reader(actions, words)
    if "last_match_read" in semantics:
        read = published_reader(actions, words, tried="unread_is_tried" in semantics)
    return EpisodeRules(
        goal=lambda: AsgardGoal(instance, semantics),
        read=read,
        brief=AsgardBrief(instance.instruction, words, semantics=semantics),
        limits=episode_limits(instance.reference_steps, semantics),
        objects=words,
        codes=KINDS,
        views={"memory": lambda: (Memory(),)},
        groups=(instance.family,),
        reference_steps=instance.reference_steps,
        refusals=REASONS,
    )


def evaluate(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate the answers of an episode (see :class:`eai.contract.Ability`)."""
    rules = episode_rules(task, semantics)
    return evaluate_answers(environment(task, semantics), answer, rules=rules, task=task.id)
