"""What an agent is told before a turn: the task, the rules of the world, and what it sees.

The words are this package's own; what they say follows the rules that the benchmark tells its
agents (AsgardBench, appendix, prompt): ``tasks/asgardbench/brief.jinja``. Its baseline (``C0``)
leaves the rules of common sense out, which the paper does not mention; here that is a choice.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

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
from eai.simulators import Failure, Observation, SeenObject
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

_WORDS = {
    "open": ("open", "closed"),
    "on": ("on", "off"),
    "dirty": ("dirty", "clean"),
    "cooked": ("cooked", "raw"),
}


@dataclass(frozen=True, slots=True)
class AsgardBrief:
    """Tells an agent its task, the rules, what it did, and what it sees.

    What stays the same in an episode comes first, so that it need not be read anew every time.

    Args:
        objects: The types of objects that an action may name.
        common_sense: Whether the rules of common sense are told too.
        plan: Whether it is asked for the steps that are left, and told them again.
        semantics: The quirks ``unread_not_told`` and ``plan_is_kept`` count here.
    """

    instruction: str
    objects: tuple[str, ...]
    common_sense: bool = True
    plan: bool = True
    semantics: Semantics = field(default_factory=lambda: Semantics.of("strict", QUIRKS))

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """See :class:`eai.acting.turns.Brief`."""
        opening = filled(
            "asgardbench/brief",
            instruction=self.instruction,
            objects=self.objects,
            common_sense=self.common_sense,
            plan=self.plan,
            several=answer_form("", situation.actions),
        )
        content, turns = [opening], situation.turns
        if turns:
            listed: Iterable[Turn] = turns
            if "unread_not_told" in self.semantics:
                written = (turn for turn in turns if turn.reply.written)
                listed = (replace(turn, number=number) for number, turn in enumerate(written))
            content.append(_listed("Actions so far", *history(listed, situation.feedback)))
        if turns and not self.plan:
            last = replace(turns[-1], reply=replace(turns[-1].reply, plan=""))
            situation = replace(situation, turns=(*turns[:-1], last))
        content += carried_over(situation, plan="plan_is_kept" in self.semantics)
        if situation.observation != Observation():  # else the view hides everything
            seen = seen_lines(situation.observation, self.objects)
            content.append(_listed("What you see now", *seen))
        return [{"role": "user", "content": "\n\n".join(content)}]


@dataclass(frozen=True, slots=True)
class PublishedBrief:
    """Tells an agent what the published benchmark tells it in its text-only conditions.

    What is seen stands behind that, unless the view is blind. The conditions are ``C1`` (rules of
    common sense are told) and ``S1`` (all remaining steps are asked for).
    """

    instruction: str
    objects: tuple[str, ...]
    common_sense: bool
    plan: bool
    version: str = field(default_factory=lambda: templates()[0][:8])

    def __call__(self, situation: Situation) -> Sequence[Message]:
        """See :class:`eai.acting.turns.Brief`."""
        turns, feedback = situation.turns, situation.feedback
        chosen = {"C": self.common_sense, "S": self.plan, "R": situation.carried, "A": not turns}
        flags = {"T": "1", "H": "0", "I": "0", "F": feedback[0]}
        flags |= {letter: "01"[value] for letter, value in chosen.items()}
        written = enumerate(turn for turn in turns if turn.reply.written)
        lines = history((replace(turn, number=number) for number, turn in written), feedback)
        last = turns[-1].answer if turns else ""
        values = {
            "task_description": self.instruction,
            "objects_in_scene": ", ".join(self.objects),
            "img_ref": "the image",
            "action_history": "".join(f"{line.replace(': ', '  ', 1)}\n" for line in lines),
            "memories": section_of(last, "things to remember"),
            "suggested_plan_sequence": section_of(last, "suggested plan sequence"),
        }
        text = published_text(values, flags)
        if situation.observation != Observation():
            seen = seen_lines(situation.observation, self.objects)
            text = f"{text}\n\n{_listed('What you see now', *seen)}"
        return [{"role": "user", "content": text}]


def seen_lines(observation: Observation, kinds: Container[str]) -> list[str]:
    """Write an observation by types, because actions name types: one line for each.

    Lines are ``- Mug, in SinkBasin: dirty, empty`` or ``- Cabinet: closed (3 of them)``; below them
    stands what the hand holds, and what the agent looks at.
    """
    types = {thing.name: thing.type for thing in observation.objects}
    lines = Counter[str]()
    for thing in observation.objects:
        if thing.type in kinds:
            place = types.get(thing.inside)
            where = f", {thing.relation or 'at'} {place}" if place else ""
            words = ", ".join(_word(name, value) for name, value in thing.properties.items())
            lines[f"{thing.type}{where}: {words}" if words else f"{thing.type}{where}"] += 1
    shown = [f"- {line} ({n} of them)" if n > 1 else f"- {line}" for line, n in lines.items()]
    held = ", ".join(types.get(name, name) for name in observation.held)
    focus = types.get(observation.focus)
    looked = [f"You look at: {focus}"] if focus else []
    return [*(shown or ["(nothing)"]), f"In the hand: {held or 'nothing'}", *looked]


def _word(name: str, value: object) -> str:
    if name == "liquid":
        return f"with {value} in it" if value else "empty"
    yes, no = _WORDS.get(name, (name, f"not {name}"))
    return yes if value else no


def _listed(title: str, *lines: str) -> str:
    return "\n".join([f"## {title}", *lines])


# ------------------------------------------------------------------ what is in the frame

_ANGLE = 60.0  # degrees of the field of view
_FARTHEST = 1.5  # metres; how far is seen
_APART = 1.25  # metres between the agent and what it looks at


@dataclass(frozen=True, slots=True)
class Frame:
    """Only what lies in front of the agent, seen from above, and what is held.

    Where the agent stands is not recorded. It is taken to stand in front of what it looks at, on
    the side of the middle of the room, and to look straight at it. Nothing is hidden by what
    stands before it, so the angle is less than that of the simulator's camera (90 degrees).
    The scene is the room at its start; what was moved is where the thing is that it is in or on.
    """

    scene: Scene

    def begin(self) -> None:
        """Nothing is remembered."""

    def see(self, whole: Observation, seen: Observation) -> Observation:
        """See :meth:`eai.acting.View.see`."""
        shown = {one.name: one for one in whole.objects}
        known = self.scene.by_name()
        at = _position(whole.focus, shown, known)
        if at is None:
            return seen
        ends = [[one.position[axis] for one in self.scene.objects] for axis in (0, 2)]
        aside = [(min(each) + max(each)) / 2 - here for each, here in zip(ends, at, strict=True)]
        far = math.hypot(*aside) or 1.0
        step = min(_APART / far, 1.0)
        ahead = -aside[0] / far, -aside[1] / far
        camera = at[0] + aside[0] * step, at[1] + aside[1] * step

        def framed(thing: SeenObject) -> bool:
            if thing.name == whole.focus or {thing.name, thing.inside} & set(whole.held):
                return True
            there = _position(thing.name, shown, known)
            if there is None:
                return False
            x, z = there[0] - camera[0], there[1] - camera[1]
            cross, dot = x * ahead[1] - z * ahead[0], x * ahead[0] + z * ahead[1]
            turned = abs(math.degrees(math.atan2(cross, dot)))
            return math.hypot(x, z) <= _FARTHEST and turned <= _ANGLE / 2

        return replace(seen, objects=tuple(filter(framed, seen.objects)))


def _position(
    name: str, shown: Mapping[str, SeenObject], known: Mapping[str, SceneObject]
) -> tuple[float, float] | None:
    """Where an object is: its own place if it is still there, else that of what it is in or on."""
    for _ in range(len(shown) + 1):
        place = shown[name].inside if name in shown else ""
        here = known.get(name)
        if here is not None and (not place or here.place == place or place not in known):
            return here.position[0], here.position[2]
        name = place
    return None


# ------------------------------------------------------------------ answers and limits

REASONS: Mapping[str, str] = {
    code: reason for reason, codes in rules().reasons.items() for code in codes
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

    With ``tried``, an answer without an action is an action that nobody knows.

    Names that are not known stay as they are written: the environment says what comes of them.
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
    """Return what ends an episode, in the order in which the evaluator asks."""
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


class AsgardTask(ActedTask):
    """A task whose actions name types; what they ask and do, its domain alone does not say."""

    __slots__ = ()
    suite = "asgardbench"
    reason = "its domain does not say what its actions need and do"


def load_task(instance: Instance) -> AsgardTask:
    """Return an instance as a task; its goal is what the definitions say (``strict``)."""
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
    """Return the instance that a task was made of."""
    return task.about("instance", Instance)


def environment(task: Task, semantics: Semantics) -> AsgardEnvironment:
    """Set up the environment of a task."""
    scene = task.metadata.get("scene")
    known = scene if isinstance(scene, Scene) else None
    return AsgardEnvironment(instance_of(task), semantics, scene=known)


def episode_rules(task: Task, semantics: Semantics) -> EpisodeRules:
    """Say what an episode of a task is."""
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
        views={
            "memory": lambda: (Memory(),),
            "frame": lambda: (Frame(environment(task, semantics).scene),),
            "blind": lambda: (Blind(),),
        },
        prompts={
            "published": lambda brief: PublishedBrief(
                brief.instruction, brief.objects, brief.common_sense, brief.plan
            ),
            "no-common-sense": lambda brief: replace(brief, common_sense=False),
            "no-plan": lambda brief: replace(brief, plan=False),
        },
        groups=(instance.family,),
        reference_steps=instance.reference_steps,
        refusals=REASONS,
    )
