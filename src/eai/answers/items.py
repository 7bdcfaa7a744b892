"""Parts of a plan: its steps, and the reading of a line or a value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from eai.answers.plan import EXPLAINING, PARTICLES, STATES, WORDS, ReadStep, words_of
from eai.answers.surfaces import squeezed
from eai.answers.values import Text

LONGEST_LINE = 600
"""Maximum number of characters of a line that holds a step."""


@dataclass(slots=True)
class Step:
    """A step that was read.

    Args:
        name: Name of the action: the task's, or as it is written if the task has none like it.
        arguments: Names of objects, ids, or names with ids, as they are written or in the task.
        at: Offset of the step.
        max_objects: Maximum number of objects of the action; -1 if it is not known.
        form: How it is written; the steps of one plan mostly have the same form.
        number: The number that stands before it; of ``2.1`` the last part.
        section: The first part of a number such as ``2.1``; 0 if there is none.
        is_known: Whether the task has the action.
        is_cut: Whether the answer ends inside it.
        is_weak: Whether it may as well be code or talk: an unknown name without any object.
        written: The name as the answer writes it, if it differs.
        time: The time that stands before it.
        actor: Who takes it, if the answer says so: an arm of a robot.
        style: Whether a call is in capitals, and what stands before its name: ``robot.``.
        place: Indentation and bullet of its line; steps of one list have the same.
        keys: The labels of the lines below it that name its objects: "Object: cup".
        pronoun_place: Place among its objects of a pronoun for one of a step before; -1 if none.
        is_loose: Whether more is said than the step takes, as in a sentence about several.
        is_failed: Whether the answer says that it was tried and failed.
        is_correction: Whether its line says that it replaces another step: ``(corrected)``.
        is_narrated: Whether a sentence says who takes it: "The robot walks to the hall".
        is_unordered: Whether nothing says which object has which role: "unstack b and c".
    """

    name: str
    arguments: list[str]
    at: int
    max_objects: int = -1
    form: str = "words"
    number: int | None = None
    is_known: bool = True
    is_cut: bool = False
    is_weak: bool = False
    written: str = ""
    time: float | None = None
    actor: str = ""
    style: str = ""
    place: str = ""
    is_loose: bool = False
    is_failed: bool = False
    is_correction: bool = False
    is_narrated: bool = False
    is_unordered: bool = False
    pronoun_place: int = -1
    section: int = 0
    keys: list[str] = field(default_factory=list)

    @property
    def lacks_objects(self) -> bool:
        """Whether fewer objects were named than the action takes."""
        return len(self.arguments) < self.max_objects

    @property
    def is_whole(self) -> bool:
        """Whether the task has the action, and all its objects were named."""
        return self.is_known and not self.lacks_objects

    def moved(self, characters: int) -> Step:
        """Return an equal step so many characters further on; it shares no list."""
        return replace(
            self,
            at=self.at + characters,
            arguments=list(self.arguments),
            keys=list(self.keys),
        )

    @property
    def is_bare(self) -> bool:
        """Whether it is in words that name none of the objects that it takes."""
        return self.form in ("words", "heading") and self.max_objects > 0 and not self.arguments

    def only_names(self, other: Step) -> bool:
        """Whether it has the action of another step, and none of its objects.

        A whole skill in words, "find a cup", begins with the name of its action.
        """
        if not self.is_bare or self.pronoun_place >= 0:
            return False
        name = squeezed(self.name)
        if other.arguments:
            return name == squeezed(other.name)
        return other.is_whole and squeezed(other.name).startswith(name)

    def as_read(self) -> ReadStep:
        """Return the step as part of a plan, with its name as written if that is the same word."""
        is_same_word = self.written and squeezed(self.written) == squeezed(self.name)
        # A verb that was put in the present is filled up with blanks.
        name = " ".join(self.written.split()) if is_same_word else self.name
        return ReadStep(name, tuple(self.arguments), self.at, self.actor, self.number)

    def says_same(self, other: Step) -> bool:
        """Whether another step has the same action, actor and objects."""
        if self.actor != other.actor or squeezed(self.name) != squeezed(other.name):
            return False
        return _joined_arguments(self.arguments) == _joined_arguments(other.arguments)


def _joined_arguments(arguments: Iterable[str]) -> str:
    """Return the objects of a step as one text, by which steps are compared."""
    return "".join(map(squeezed, arguments))


def are_same(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Whether two lists have the same steps, in the same order."""
    return len(steps) == len(others) and all(map(Step.says_same, steps, others))


@dataclass(slots=True)
class LineReading:
    """The steps of a line, or what else it is.

    Args:
        steps: The steps in it, in order.
        number: The number before it; of ``2.1`` the last part.
        section: The first part of a number such as ``2.1``; 0 if there is none.
        is_aside: Whether it only explains: a reason, a state, a comment.
        looks_listed: Whether it is an item of a list that could not be read.
        completion: Objects that complete the step before it.
        label: The label before these: "Object", "to".
        notes: What was understood that is not written.
        time: The time before it, in the unit of the answer.
        is_negated: Whether it says that a step is not to be done.
        is_like_step: Whether it may have been meant as a step, though it could not be read.
        is_command: Whether it begins with a verb and names an object, though it could not be read.
        is_told: Whether it is a sentence about a step whose verb the task does not have.
        heads_command: Whether it is a heading with a number and begins like a step.
        leaves_out: Whether it stands for steps that are left out: ``...``, ``repeat this``.
        unread: Part of a line with steps that may be one as well.
        steps_beside: Steps that it names beside its own, perhaps only to explain them.
        replaced_at: Offset of a step whose place its own step takes; -1 if there is none.
    """

    steps: list[Step] = field(default_factory=list)
    steps_beside: list[Step] = field(default_factory=list)
    number: int | None = None
    is_aside: bool = False
    looks_listed: bool = False
    completion: list[str] = field(default_factory=list)
    label: str = ""
    notes: list[str] = field(default_factory=list)
    time: float | None = None
    is_negated: bool = False
    is_like_step: bool = False
    is_command: bool = False
    is_told: bool = False
    heads_command: bool = False
    leaves_out: bool = False
    unread: str = ""
    section: int = 0
    replaced_at: int = -1

    def moved(self, characters: int) -> LineReading:
        """Return the reading of an equal line so many characters further on; it shares no list."""
        return replace(
            self,
            steps=[step.moved(characters) for step in self.steps],
            steps_beside=[step.moved(characters) for step in self.steps_beside],
            completion=list(self.completion),
            notes=list(self.notes),
            replaced_at=self.replaced_at + characters if self.replaced_at >= 0 else -1,
        )

    def take_over(self, other: LineReading) -> None:
        """Take over the steps, the notes and the unread part of another reading."""
        self.steps = other.steps
        self.steps_beside = other.steps_beside
        self.notes += other.notes
        self.unread = other.unread


@dataclass(slots=True)
class ValueReading:
    """Steps of a value under one key; a value with several plans has several.

    Args:
        key: The key that frames them; empty if there is none.
        at: Offset of the value.
        steps: The steps, in order.
        unread: Texts that stand where a step is expected.
        left_out: Keys whose values were not read.
        notes: What was understood or left out.
        decision: A sentence that decides between several, from a key such as ``choice``.
        is_empty: Whether it is a plan without steps.
        is_cut: Whether the answer ends inside it.
    """

    key: str = ""
    at: int = 0
    steps: list[Step] = field(default_factory=list)
    unread: list[Text] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    decision: str = ""
    is_empty: bool = False
    is_cut: bool = False

    @property
    def is_only_empty(self) -> bool:
        """Whether it says that nothing has to be done, and nothing else."""
        return self.is_empty and not self.unread


CODE_WORDS = WORDS["code_words"]
TALKING = EXPLAINING | STATES | WORDS["talking"]
SIGNALS = WORDS["signals"]
"""Calls without objects that begin or end a plan and are no step, unless the task has them."""


def is_same_step(step: Step | ReadStep, plan_step: Step | ReadStep) -> bool:
    """Whether a step is the same as a step of a plan: ``WALK(cup)`` is the same as ``WALK(cup.2)``.

    The objects are named alike, or by their classes. A whole skill, "find a cup", is the same as
    ``find(cup)``.
    """
    if squeezed(step.name) != squeezed(plan_step.name):
        return is_skill_in_parts(step, plan_step) or is_skill_in_parts(plan_step, step)
    if len(step.arguments) != len(plan_step.arguments):
        return False
    for name, plan_name in zip(step.arguments, plan_step.arguments, strict=True):
        plan_object = squeezed(plan_name)
        if squeezed(name) not in (plan_object, plan_object.rstrip("0123456789")):
            return False
    return True


def is_same_action(name: str, other: str) -> bool:
    """Whether two names are those of one action; of whole skills in words the verb decides.

    "Pick" and "pick up the cup" have the same verb, and "turn on" and "turn off" have not.
    """
    if name == other:
        return True
    if " " not in name + other:
        return False
    words, other_words = (words_of(each.replace("_", " "))[:2] for each in (name, other))
    particles = PARTICLES.intersection(words[1:] + other_words[1:])
    return words[:1] == other_words[:1] and len(particles) < 2


def are_alike(step: Step, other: Step) -> bool:
    """Whether two steps are the same, of which either may name the class of an object."""
    return is_same_step(step, other) or is_same_step(other, step)


def tells_same_step(step: Step, other: Step) -> bool:
    """Whether two steps have the same verb and object, of which either may say less.

    Examples are ``pick_apple(apple.1)`` and "pick up the apple", or "take it".
    """
    if are_alike(step, other):
        return True
    if not is_same_action(step.name, other.name):
        return False
    objects, other_objects = _words_of_objects(step), _words_of_objects(other)
    return objects <= other_objects or other_objects <= objects


def _words_of_objects(step: Step) -> frozenset[str]:
    """Return the words of a step behind its verb, in its name and its objects."""
    words = words_of(" ".join((step.name, *step.arguments)).replace("_", " "))
    return frozenset(words[1:]) - PARTICLES - {"a", "an", "the"}


def is_skill_in_parts(skill: Step | ReadStep, step: Step | ReadStep) -> bool:
    """Whether a step has the verb and the object of a whole skill: "pick up the cup"."""
    if skill.arguments or len(step.arguments) != 1:
        return False
    words = skill.name.lower()
    return words.startswith(f"{step.name.lower()} ") and names_again(step.arguments[0], words)


def names_again(name: str, skill: str) -> bool:
    """Whether a skill in words already names an object: "pick up the Mug" and "Mug_2"."""
    squeezed_name = squeezed(name)
    squeezed_skill = squeezed(skill)
    return squeezed_name in squeezed_skill or squeezed_skill.endswith(
        squeezed_name.rstrip("0123456789") or squeezed_name
    )
