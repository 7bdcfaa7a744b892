"""Episodes of AsgardBench: the task, its briefs, views and limits.

A brief tells the agent the task, the rules of the world, and the view. Its words are this package's
own (``tasks/asgardbench/brief.jinja``); they say what the benchmark tells its agents (AsgardBench,
appendix, prompt). The baseline of the benchmark (``C0``) leaves the rules of common sense out,
which the paper does not mention; here that is a choice.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from eai.acting import (
    Blind,
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
    answer_form,
    carried_over,
    history,
    read_reply,
    reply_reader,
)
from eai.diagnosis import ErrorKind
from eai.logic import format_formula
from eai.semantics import Semantics
from eai.simulators import Observation, SeenObject, ThorFailure
from eai.simulators.thor.scenes import Scene, SceneObject
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.goals import AsgardGoal, goal_formula, refuse_unknown
from eai.suites.asgardbench.instances import Instance, rules
from eai.suites.asgardbench.published import published_text, section_of, templates
from eai.suites.asgardbench.quirks import QUIRKS
from eai.suites.asgardbench.room import Refusal
from eai.suites.shared.templates import filled
from eai.task import ActedTask, Goal, Task, Vocabulary
from eai.world import Action

# Name of a state to its words if it is true, and if it is false.
_WORDS = {
    "open": ("open", "closed"),
    "on": ("on", "off"),
    "dirty": ("dirty", "clean"),
    "cooked": ("cooked", "raw"),
}


@dataclass(frozen=True, slots=True)
class AsgardBrief:
    """The brief in our own words: the task, the rules, the actions so far, and the view.

    The constant part comes first, so that models with a prompt cache read it once.

    Args:
        objects: The types of objects that an action may name.
        common_sense: Whether the rules of common sense are told, too.
        plan: Whether the agent is asked for the remaining steps, and told them again.
        semantics: The quirks ``unread_not_told`` and ``plan_is_kept`` count here.
    """

    instruction: str
    objects: tuple[str, ...]
    common_sense: bool = True
    plan: bool = True
    semantics: Semantics = field(default_factory=lambda: Semantics.of("strict", QUIRKS))

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """Return the message of a turn (see :class:`eai.acting.turns.Brief`)."""
        opening = filled(
            "asgardbench/brief",
            instruction=self.instruction,
            objects=self.objects,
            common_sense=self.common_sense,
            plan=self.plan,
            several=answer_form("", situation.actions),
        )
        content = [opening]
        turns = situation.turns
        if turns:
            listed_turns: Iterable[Turn] = turns
            if "unread_not_told" in self.semantics:
                listed_turns = _written_turns(turns)
            content.append(_section("Actions so far", *history(listed_turns, situation.feedback)))
        if turns and not self.plan:
            # If no plan was asked for, a plan in the last answer is not repeated to the agent.
            last = replace(turns[-1], reply=replace(turns[-1].reply, plan=""))
            situation = replace(situation, turns=(*turns[:-1], last))
        content += carried_over(situation, plan="plan_is_kept" in self.semantics)
        if situation.observation != Observation():  # else the view hides everything
            seen = seen_lines(situation.observation, self.objects)
            content.append(_section("What you see now", *seen))
        return [{"role": "user", "content": "\n\n".join(content)}]


@dataclass(frozen=True, slots=True)
class PublishedBrief:
    """The brief of the published benchmark in its text-only conditions, followed by the view.

    Args:
        common_sense: Whether the rules of common sense are told (condition ``C1``).
        plan: Whether all remaining steps are asked for (condition ``S1``).
        version: Beginning of the SHA-256 of the templates.
    """

    instruction: str
    objects: tuple[str, ...]
    common_sense: bool
    plan: bool
    version: str = field(default_factory=lambda: templates()[0][:8])

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """Return the message of a turn (see :class:`eai.acting.turns.Brief`)."""
        turns = situation.turns
        lines = history(_written_turns(turns), situation.feedback)
        # The agent gets back the notes that it wrote for itself.
        last = turns[-1].answer if turns else ""
        # The published templates have these names, and two blanks after the action:
        # "0. FIND Mug  Success".
        values = {
            "task_description": self.instruction,
            "objects_in_scene": ", ".join(self.objects),
            "img_ref": "the image",
            "action_history": "".join(f"{line.replace(': ', '  ', 1)}\n" for line in lines),
            "memories": section_of(last, "things to remember"),
            "suggested_plan_sequence": section_of(last, "suggested plan sequence"),
        }
        text = published_text(values, self._flags(situation))
        if situation.observation != Observation():
            seen = seen_lines(situation.observation, self.objects)
            text = f"{text}\n\n{_section('What you see now', *seen)}"
        return [{"role": "user", "content": text}]

    def _flags(self, situation: Situation) -> dict[str, str]:
        """Return the letters of the published configuration that apply to a turn.

        ``T``, ``H`` and ``I`` are those of text without pictures.
        """
        is_first_turn = not situation.turns
        return {
            "T": "1",
            "H": "0",
            "I": "0",
            "F": situation.feedback[0],  # how much an agent is told of its failures
            "C": str(int(self.common_sense)),
            "S": str(int(self.plan)),
            "R": str(int(bool(situation.carried))),  # whether the agent remembers
            "A": str(int(is_first_turn)),
        }


def _written_turns(turns: Iterable[Turn]) -> Iterator[Turn]:
    """Yield the turns in which the agent wrote an action, renumbered from 0."""
    number = 0
    for turn in turns:
        if turn.reply.written:
            yield replace(turn, number=number)
            number += 1


def seen_lines(observation: Observation, kinds: Container[str]) -> list[str]:
    """Return the visible objects as lines of text, one line for all objects that look the same.

    Lines are ``- Mug, in SinkBasin: dirty, empty`` or ``- Cabinet: closed (3 of them)``; the last
    ones say what the hand holds, and what the agent looks at.

    Args:
        observation: The view.
        kinds: Types that are shown.
    """
    types = {item.name: item.type for item in observation.objects}
    counts = Counter[str]()
    for item in observation.objects:
        if item.type in kinds:
            # Objects that look alike have one line: their names would say which they are.
            container = types.get(item.inside, "")
            counts[_line_of(item, container)] += 1
    lines: list[str] = []
    for line, count in counts.items():
        lines.append(f"- {line} ({count} of them)" if count > 1 else f"- {line}")
    if not lines:
        lines.append("(nothing)")
    held = ", ".join(types.get(name, name) for name in observation.held)
    lines.append(f"In the hand: {held or 'nothing'}")
    focus = types.get(observation.focus)
    if focus:
        lines.append(f"You look at: {focus}")
    return lines


def _line_of(item: SeenObject, container: str) -> str:
    """Return the line for an object: its type, the type that it is in or on, and its states."""
    line = item.type
    if container:
        line += f", {item.relation or 'at'} {container}"
    states = [_word(name, value) for name, value in item.properties.items()]
    if states:
        line += f": {', '.join(states)}"
    return line


def _word(name: str, value: object) -> str:
    """Return the word for the value of a state, such as "open" for ``is_open``."""
    if name == "liquid":
        return f"with {value} in it" if value else "empty"
    yes, no = _WORDS.get(name, (name, f"not {name}"))
    return yes if value else no


def _section(title: str, *lines: str) -> str:
    """Return a section of a brief."""
    return "\n".join([f"## {title}", *lines])


# ------------------------------------------------------------------ the view of a camera

_ANGLE_DEG = 60.0
"""Angle of the field of view."""

_SIGHT_M = 1.5
"""Distance that the camera sees."""

_DISTANCE_M = 1.25
"""Distance between the agent and the object that it looks at."""


_Point = tuple[float, float]
"""Coordinates x and z in the plane of the room, in metres."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A view of the objects in front of the agent, in the plane, and of those that it holds.

    The position of the agent is not recorded. It is assumed to stand in front of the object that it
    looks at, on the side of the middle of the room, and to look straight at it. No object hides
    another, so the angle is less than that of the simulator's camera (90 degrees).

    Args:
        scene: The room at its start; an object that was moved is where its receptacle is.
    """

    scene: Scene

    def begin(self) -> None:
        """Begin an episode; nothing is remembered."""

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """Return the part of an observation in the frame (see :meth:`eai.acting.View.see`)."""
        # The observation has the receptacle of each object, and the scene has coordinates.
        shown = {item.name: item for item in whole.objects}
        known = self.scene.by_name()
        target = _position(whole.focus, shown, known)
        if target is None:
            return seen
        camera = self._camera(target)

        def is_framed(item: SeenObject) -> bool:
            """Whether an object is in the frame, in the hand, or what the agent looks at."""
            if item.name == whole.focus or {item.name, item.inside} & set(whole.held):
                return True
            position = _position(item.name, shown, known)
            return position is not None and camera.sees(position)

        return replace(seen, objects=tuple(filter(is_framed, seen.objects)))

    def _camera(self, target: _Point) -> _Camera:
        """Return a camera that looks at a point from the side of the room's middle."""
        to_middle_x = self._middle(axis=0) - target[0]
        to_middle_z = self._middle(axis=2) - target[1]
        distance = math.hypot(to_middle_x, to_middle_z) or 1.0
        # Not beyond the middle: the room may be small.
        share = min(_DISTANCE_M / distance, 1.0)
        position = target[0] + to_middle_x * share, target[1] + to_middle_z * share
        return _Camera(position, (-to_middle_x / distance, -to_middle_z / distance))

    def _middle(self, *, axis: int) -> float:
        """Return the middle of the room along an axis: that between its outermost objects."""
        coordinates = [item.position[axis] for item in self.scene.objects]
        return (min(coordinates) + max(coordinates)) / 2


@dataclass(frozen=True, slots=True)
class _Camera:
    """A camera in the plane.

    Args:
        position: Its position.
        ahead: Unit vector of the direction that it looks in.
    """

    position: _Point
    ahead: _Point

    def sees(self, point: _Point) -> bool:
        """Return whether a point is near enough and within the field of view."""
        # The vector from the camera to the point, in metres.
        x = point[0] - self.position[0]
        z = point[1] - self.position[1]
        # The angle between two vectors has the tangent cross / dot; atan2 has no division by 0.
        cross = x * self.ahead[1] - z * self.ahead[0]
        dot = x * self.ahead[0] + z * self.ahead[1]
        angle_deg = abs(math.degrees(math.atan2(cross, dot)))
        is_near = math.hypot(x, z) <= _SIGHT_M
        return is_near and angle_deg <= _ANGLE_DEG / 2


def _position(
    name: str, shown: Mapping[str, SeenObject], known: Mapping[str, SceneObject]
) -> _Point | None:
    """Return the position of an object, or None if it is unknown.

    An object that was moved is at the position of its receptacle.

    Args:
        name: The object.
        shown: Name of a visible object to what is seen of it.
        known: Name of an object of the scene to its data.
    """
    # Containers are nested, so this ends after at most as many steps as there are objects.
    for _ in range(len(shown) + 1):
        receptacle = shown[name].inside if name in shown else ""
        at_start = known.get(name)
        if at_start is not None:
            is_moved = bool(receptacle) and receptacle != at_start.place and receptacle in known
            if not is_moved:
                # AI2-THOR has y upwards: x and z span the plane of the room.
                return at_start.position[0], at_start.position[2]
        name = receptacle
    return None


# ------------------------------------------------------------------ answers and limits

REASONS: Mapping[str, str] = {
    code: reason for reason, codes in rules().reasons.items() for code in codes
}
"""Code of a failed turn to the reason under which it is counted."""


def _kinds_of_codes() -> dict[str, ErrorKind]:
    """Return the kind of error of each failure code.

    A later, more specific rule overrides an earlier one.
    """
    kinds: dict[str, ErrorKind] = {}
    # Most actions fail because another one has to come before.
    for code in (*ThorFailure, *Refusal):
        kinds[str(code.value)] = ErrorKind.MISSING_STEP
    for name, reason in REASONS.items():
        if reason == "affordance":
            kinds[name] = ErrorKind.AFFORDANCE
        if name.startswith("ALREADY_"):
            kinds[name] = ErrorKind.ADDITIONAL_STEP
    kinds[Refusal.INVALID_RESPONSE.value] = ErrorKind.PARSING
    kinds[Refusal.INVALID_ACTION.value] = ErrorKind.ACTION_HALLUCINATION
    kinds[Refusal.INVALID_OBJECT.value] = ErrorKind.OBJECT_HALLUCINATION
    return kinds


KINDS: Mapping[str, ErrorKind] = _kinds_of_codes()
"""Code of a failed turn to its kind of error (see :mod:`eai.diagnosis.taxonomy`)."""


# Such as "Action: TOGGLE_ON Faucet"; the name of the action is in capitals.
_MATCH = re.compile(r"Action:\s*([A-Z_]+\s+\w+)")


def published_reader(
    actions: Mapping[str, int], objects: Iterable[str], *, tried: bool
) -> Callable[[str], Reply]:
    """Return a reader that finds the action where the published code finds it.

    Unknown names stay as they are written: the environment refuses them.

    Args:
        actions: Name of an action to the number of its arguments.
        objects: Types of objects.
        tried: Whether an answer without an action is tried as an unknown action.
    """
    spellings = {name.lower(): name for name in (*objects, *actions)}

    def read(text: str) -> Reply:
        """Return the action of an answer: the last ``Action: PUT Plate`` in it."""
        reply = replace(read_reply(text), action=None, written="")
        # From the first "<answer>" on, or from the start if there is none (find returns -1).
        start = max(text.find("<answer>"), 0)
        matches = _MATCH.findall(text, start)
        if not matches and not tried:
            return reply.refused(ErrorKind.PARSING, "there is no 'Action: ACTION OBJECT'")
        if matches:
            # An answer may consider several actions, and the last one counts.
            name, object_type = [spellings.get(word.lower(), word) for word in matches[-1].split()]
            action, written = Action(name, (object_type,)), f"{name} {object_type}"
        else:
            action, written = _action_tried_without_match(text)
        return replace(reply, written=written, action=action, code="", message="")

    return read


def _action_tried_without_match(text: str) -> tuple[Action, str]:
    """Return the action that the published code tries for an answer without one, and its text.

    The environment refuses both names.
    """
    if text:
        return Action("None", ("None",)), ""
    return Action("empty_response", ("",)), "empty_response"


MILESTONES = ("SLICE", "CLEAN", "SPRAY", "DRINK")
"""Actions that complete a part of a task, after which the agent may go on for a while."""

_EXTENSION = 10
"""Steps by which the soft limit is raised. The paper gives no number; this is the evaluator's."""
_WINDOW = 10
"""Last actions of which one has to name a new object for the soft limit to be raised."""
_FAILURES = 10
"""Failed actions in a row that end an episode."""
_REPEATS = 8
"""Repetitions of an action that end an episode under ``repeats_at_eight``, else one more."""


def soft_limit(reference_steps: int) -> int:
    """Return the soft limit on the number of steps: ``max(floor(1.5 n), 15)`` (section 3.3)."""
    return max(3 * reference_steps // 2, 15)


def hard_limit(reference_steps: int) -> int:
    """Return the hard limit on the number of steps: ``max(2 n, 20)`` (section 3.3)."""
    return max(2 * reference_steps, 20)


def episode_limits(reference_steps: int, semantics: Semantics) -> tuple[Limit, ...]:
    """Return the limits of an episode, in the order in which the evaluator checks them."""
    max_repeats = _REPEATS if "repeats_at_eight" in semantics else _REPEATS + 1
    # The published evaluator ends an episode one step late: when a limit is exceeded.
    extra_steps = 1 if "one_step_too_many" in semantics else 0
    codes_of_tried = frozenset[str]()
    if "tried_is_milestone" in semantics:
        # An action that the simulator refused was tried; one that the gate refused was not.
        codes_of_gate = {refusal.value for refusal in Refusal}
        codes_of_tried = frozenset(failure.value for failure in ThorFailure) - codes_of_gate
    milestones = Milestones(MILESTONES, codes_of_tried)
    max_steps_soft = soft_limit(reference_steps) + extra_steps
    max_steps_hard = hard_limit(reference_steps) + extra_steps
    return (
        Repeats(max_repeats),
        ConsecutiveFailures(_FAILURES),
        HardLimit(max_steps_hard),
        SoftLimit(max_steps_soft, _EXTENSION, (milestones, NewObjects(_WINDOW))),
    )


class AsgardTask(ActedTask):
    """A task whose actions name types of objects instead of single objects.

    The domain alone does not say what such actions require and do.
    """

    __slots__ = ()
    suite = "asgardbench"
    reason = "its domain does not say what its actions need and do"


def load_task(instance: Instance) -> AsgardTask:
    """Return an instance as a task; its goal is what the definitions say (``strict``)."""
    refuse_unknown(instance)
    acting = AsgardEnvironment(instance, Semantics.of("strict", QUIRKS))
    formula = goal_formula(instance, acting.semantics, first=acting.room.first)
    start = acting.state().copy()
    # Goals are formulas over the predicates of the symbolic world.
    predicates = {}
    for name, predicate in start.layout.domain.predicates.items():
        predicates[name] = predicate.arity
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
    """Return the instance that a task was made of."""
    return task.about("instance", Instance)


def environment(task: Task, semantics: Semantics) -> AsgardEnvironment:
    """Set up the environment of a task."""
    scene = task.metadata.get("scene")
    known = scene if isinstance(scene, Scene) else None
    return AsgardEnvironment(instance_of(task), semantics, scene=known)


def _published_brief(brief: AsgardBrief | PublishedBrief) -> PublishedBrief:
    """Return the brief that says the same in the published words."""
    return PublishedBrief(brief.instruction, brief.objects, brief.common_sense, brief.plan)


def episode_rules(task: Task, semantics: Semantics) -> EpisodeRules:
    """Return the rules of an episode of a task."""
    instance = instance_of(task)
    actions = task.vocabulary.actions
    words = tuple(sorted(task.vocabulary.objects))
    read = reply_reader(actions, words)
    if "last_match_read" in semantics:
        read = published_reader(actions, words, tried="unread_is_tried" in semantics)
    # Functions, so that every episode gets a monitor and views with a fresh state.
    return EpisodeRules(
        goal=partial(AsgardGoal, instance, semantics),
        read=read,
        brief=AsgardBrief(instance.instruction, words, semantics=semantics),
        limits=episode_limits(instance.reference_steps, semantics),
        objects=words,
        codes=KINDS,
        views={
            "memory": lambda: (Memory(),),
            "frame": lambda: (Frame(environment(task, semantics).scene),),
            "blind": lambda: (Blind(),),
        },
        prompts={
            "published": _published_brief,
            "no-common-sense": partial(replace, common_sense=False),
            "no-plan": partial(replace, plan=False),
        },
        groups=(instance.family,),
        reference_steps=instance.reference_steps,
        refusals=REASONS,
    )
