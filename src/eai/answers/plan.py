"""Plans that were read, before and after their names are looked up; words of any answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from eai.data import read_text, sections
from eai.diagnosis import Finding
from eai.world import Action

_SECTIONS = sections(read_text("grammars/answers.ini"))


def answer_words(section: str) -> Mapping[str, str]:
    """Return a section of ``grammars/answers.ini``: name, or words, to words."""
    return _SECTIONS[section]


def word_sets(section: str) -> Mapping[str, frozenset[str]]:
    """Return the lists of words of a section of ``grammars/answers.ini``, by their names."""
    return {name: frozenset(words.split()) for name, words in _SECTIONS[section].items()}


WORDS = word_sets("words")
"""Words of answers and keys of values, by the names of their lists."""
HEADINGS = WORDS["headings"]
"""They stand before a plan or are the key of a wrapper around it."""
ACTION_KEYS = WORDS["action_keys"]
"""Keys of an action's name in an object that is one step."""
OBJECT_KEYS = WORDS["object_keys"]
"""Keys of an action's objects in an object that is one step."""
CALLING = WORDS["calling"]
"""Keys of an action's objects in a call: ``args``."""
EXPLAINING = WORDS["explaining"]
"""Keys, and words in keys, of explanations; nothing under them is a step to take."""
STATES = WORDS["states"]
"""Words in the keys of states; under them ``OPEN(door)`` is no step."""
ASIDE_KEYS = EXPLAINING | WORDS["aside_keys"]
"""Keys of explanations between the steps, and of their numbers."""
FILLERS = WORDS["fillers"]
"""A few words with one of these among them are a sentence, not a step."""
PARTICLES = WORDS["particles"]
"""Behind a verb they belong to the name of an action: ``switch on``, ``go to``."""
VERBS = WORDS["verbs"] | frozenset(
    verb for verbs in _SECTIONS["meanings"] for verb in verbs.split()
)
"""Verbs with which a step in words begins, whatever the task has."""
HANDS = ("left", "right")
"""The hand that is used may stand before the name of an action."""
STATING = WORDS["stating"]
"""A line with one of these among its words states something; a step tells what to do."""
REJECTING_SIGNS = "\u274c\u2718\u2717\u2716\u26d4\U0001f6ab\U0001f44e"
"""Signs at what failed, is crossed out, or is not meant."""
CONNECTIVES = WORDS["connectives"]
"""They stand before a step and do not belong to it."""
NOTHING = frozenset(
    (
        *("", "None", "NONE", "none", "null", "NULL", "nil", "undefined", "unknown", "Unknown"),
        *("N/A", "n/a", "-", "\u2013", "\u2014"),
    )
)
"""Words for "no object"."""
LONGEST = 400
"""A line with more characters is not a step, nor are they a name with its id."""

_NAMED_PART = re.compile(r"\s*[A-Za-z_]\w*\s*=\s*")
# No blank can be matched in two ways, else long runs of them take the cube of their length.
_NAME_AND_ID = re.compile(
    r"([^\d\s<(](?:[^<>()]*[^<>()\s])?|<[^<>()]*>)(?:\s+|\s*\(\s*)(\d+)\s*\)?"
)
_WITH_ID = re.compile(r"[^\WA-Za-z]*[A-Za-z]\w*[._]\d+(?:\.\d+)?")


def has_id(word: str) -> bool:
    """Whether a word is a name with its id: ``light.411``, ``light_411``."""
    return _WITH_ID.fullmatch(word) is not None


_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without any signs."""
    return _WORD.findall(text.lower())


def tokens_of(text: str) -> list[str]:
    """Split the arguments of one step, written as one text, into names and ids.

    ``"light, 411"``, ``"<light> (411)"``, ``"light 411"`` and ``"light.411"`` are one object
    each; the last stays one token, because only the task's names tell where its id begins.
    """
    if text in NOTHING:
        return []
    if text.isidentifier() or text.isdigit():
        return [text]
    tokens: list[str] = []
    for part in text.split(","):
        keyword = _NAMED_PART.match(part)
        value = part[keyword.end() :] if keyword else part
        stripped_value = value.strip().strip("\"'`[]").strip()
        name_and_id = (
            _NAME_AND_ID.fullmatch(stripped_value) if len(stripped_value) <= LONGEST else None
        )
        pieces = name_and_id.groups() if name_and_id else (stripped_value,)
        for piece in pieces:
            token = piece.strip("<>() \t")
            if token:
                tokens.append(token)
    return tokens


NO_PLAN = "there is no plan in the answer; a JSON list of steps is expected"
"""Message about an answer without a plan."""
EMPTY = "the answer is empty"
"""Message about an empty answer."""


def shorten(text: str) -> str:
    """Quote a piece of an answer: control characters escaped, its end cut off if it is long."""
    return repr(text) if len(text) <= 60 else repr(text[:60])[:-1] + "...'"


@dataclass(frozen=True, slots=True)
class ReadStep:
    """One step of a plan, as the model wrote it.

    Args:
        name: The action's name.
        arguments: What the action is applied to, flat: names, ids, or names with ids.
        position: 0-based offset of the step in the answer.
        actor: Who takes it, if the answer says so and the task has several.
        number: The number that stands before it.
    """

    name: str
    arguments: tuple[str, ...] = ()
    position: int = 0
    actor: str = ""
    number: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True, slots=True)
class AnswerProblem:
    """One reason why an answer, or a part of it, is not a plan.

    Args:
        message: One sentence that says what is wrong.
        position: 0-based offset of the place in the answer.
        written: What stands there instead of a step, if that is known.
    """

    message: str
    position: int = 0
    written: str = field(default="", compare=False)


def no_step(text: str, position: int) -> AnswerProblem:
    """The problem that something stands where a step is expected, and is none."""
    return AnswerProblem(f"{shorten(text)} is not a step", position, text)


@dataclass(frozen=True, slots=True)
class PlanReading:
    """A plan as it was read out of an answer.

    Args:
        steps: The steps, in order. If there are problems, the steps that could be read.
        problems: What could not be read; empty if the answer is a plan.
        notes: What was repaired or ignored on the way, one phrase each.
        status: ``"clean"`` (one candidate), ``"chosen"`` (several; ``rule`` says why this one),
            ``"partial"`` (something was not read) or ``"none"``.
        rule: The rule of :data:`eai.answers.choice.RULES` that chose the plan; empty if there was
            nothing to choose.
    """

    steps: tuple[ReadStep, ...] = ()
    problems: tuple[AnswerProblem, ...] = ()
    notes: tuple[str, ...] = ()
    status: str = "clean"
    rule: str = ""

    def moved(self, new_position: Callable[[int], int]) -> PlanReading:
        """The same reading in another text, where its places are these."""

        def moved(step: ReadStep) -> ReadStep:
            return replace(step, position=new_position(step.position))

        return PlanReading(
            tuple(map(moved, self.steps)),
            tuple(
                replace(problem, position=new_position(problem.position))
                for problem in self.problems
            ),
            self.notes,
            self.status,
            self.rule,
        )


@dataclass(frozen=True, slots=True)
class BoundPlan:
    """A plan whose names were looked up.

    Args:
        actions: The steps, ready to be executed. If there are findings, only the steps about
            which there is none.
        findings: Everything that is wrong: ``PARSING``, ``ACTION_HALLUCINATION``,
            ``OBJECT_HALLUCINATION``, ``ARGUMENT_NUMBER``; by step, 1-based.
        notes: How the answer was read and how names were understood.
        written: If there are findings, all steps as the answer writes them.
    """

    actions: tuple[Action, ...] = ()
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
