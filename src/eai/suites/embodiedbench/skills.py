"""The skills that an agent names, how a planner's text is read, and what environments say.

Source: EmbodiedBench (arXiv 2502.09560), section 3 and appendix; its evaluator at b247936, which
is the ``official`` one. The shipped parts of the benchmark are read here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from eai.answers import clean, squeezed
from eai.data import read_json
from eai.nesting import load_json
from eai.suites.shared.quirks import optional, shipped_quirks

ALFRED, HABITAT = "eb-alfred", "eb-habitat"
NAVIGATION, MANIPULATION = "eb-navigation", "eb-manipulation"

STEPS = {ALFRED: 30, HABITAT: 30, NAVIGATION: 20, MANIPULATION: 15}
"""At most so many environment steps."""

OFFICIAL_VERSION = "EmbodiedBench b247936"
QUIRKS = shipped_quirks("embodiedbench")["official"]
CHOICES = optional(shipped_quirks("embodiedbench")["choices"])
"""Where the published evaluator and its definitions part, each a switch; no evaluation has the
choices unless they are asked for, because they depend on model and version."""


# The separator between the verb and the object of a skill: "pick up the Mug".
_ARTICLE = re.compile(r" (?:an?|the) ")


class Skill(NamedTuple):
    """One skill: its number (-1 if it depends on the episode), its verb and its target.

    The verb is ``"pick"`` or ``"turn on"``, the target a type, a category, a receptacle or empty.
    """

    id: int
    verb: str
    target: str
    words: str

    @property
    def verb_and_target(self) -> tuple[str, str]:
        """Its words in two: the verb (``"pick up"``), and what it is about (``"Mug"``)."""
        verb, _, target = _ARTICLE.sub("|", self.words, count=1).partition("|")
        return (verb, target) if self.target else (self.verb, "")

    @property
    def short(self) -> str:
        """Its verb and its target: ``"pick plate"``."""
        return f"{self.verb} {self.target}"


def shipped(name: str) -> Any:  # noqa: ANN401
    """Return one of the files of data."""
    return read_json(f"tasks/embodiedbench/{name}")


@cache
def types(pool: str) -> tuple[str, ...]:
    """Return the types of EB-ALFRED of one sort (``"pickable"``)."""
    return tuple(shipped("skills.json")["alfred types"][pool])


# Verb of a skill to its words, where these are not the verb, "the" and the object.
_WORDS = {
    "find": "find a {}",
    "put down": "put down the object in hand",
    "drop": "drop the object in hand",
}


def worded(verb: str, target: str) -> str:
    """Return how a skill of EB-ALFRED is named."""
    return _WORDS.get(verb, f"{verb} the {{}}").format(target)


@cache
def skills(environment: str) -> tuple[Skill, ...]:
    """Return the skills that every episode of an environment has, by number."""
    rows = shipped("skills.json").get(environment.removeprefix("eb-"), ())
    # Rows are verb, target and words; those of EB-ALFRED have no words, which follow from the rest.
    all_skills = []
    for number, row in enumerate(rows):
        fields = (*row, worded(*row)) if environment == ALFRED else row
        all_skills.append(Skill(number, *fields))
    return tuple(all_skills)


# A skill of one instance: "find a Cabinet_2".
_INSTANCE = re.compile(
    r"(find|pick up|put down|drop|open|close|turn on|turn off|slice) (?:an? |the )?"
    r"([A-Za-z]+_\d{1,4})"
)


@lru_cache(maxsize=1 << 12)
def skill_named(environment: str, words: str) -> Skill | None:
    """Return the skill with a name, including those that only some episodes of EB-ALFRED have."""
    words = " ".join(words.rstrip(".").split())
    skill = _by_words(environment).get(words.lower())
    if skill is not None or environment != ALFRED:
        return skill
    match = _INSTANCE.fullmatch(words)
    if match is None:
        return None
    # The number of such a skill differs between episodes.
    return Skill(-1, match[1], match[2], worded(match[1], match[2]))


@cache
def _by_words(environment: str) -> Mapping[str, Skill]:
    """Return the skills of an environment by their words in small letters, without a dot."""
    return {skill.words.lower().rstrip("."): skill for skill in skills(environment)}


@lru_cache(maxsize=1 << 8)
def by_verb_and_target(all_skills: tuple[Skill, ...]) -> Mapping[tuple[str, str], Skill]:
    """Return skills by verb and target, as letters and digits: ``("pickup", "mug")``.

    A skill as a whole, ``"pick plate"``, stands without a target. Of skills that share a key the
    first one has it.
    """
    keyed: dict[tuple[str, str], Skill] = {}
    for skill in all_skills:
        verb, target = skill.verb_and_target
        keyed.setdefault((squeezed(skill.short), ""), skill)
        for verb_form in (verb, skill.verb):
            for target_form in (target, skill.target):
                keyed.setdefault((squeezed(verb_form), squeezed(target_form)), skill)
    return keyed


# ------------------------------------------------------------------ the text of a planner


EMPTY_PLAN = "empty_plan"
"""Status and code of an answer whose plan has no steps."""


class Output(NamedTuple):
    """The plan in a planner's text, and whether the text needed repair.

    The plan is the number and words of each action (numbers of seven integers for EB-Manipulation);
    the status ``"ok"``, ``"json_decode_error"``, ``"missing_key"`` or ``"empty_plan"``.
    """

    plan: tuple[tuple[object, str], ...] = ()
    status: str = "ok"
    repaired: bool = False


def repair_2025_02(text: str) -> str:
    """Mend a text as the evaluator did in February 2025, which breaks some valid JSON."""
    return _without_fences(text.replace("'", '"').replace('"s ', "'s "))


def repair_2025_03(text: str) -> str:
    """Repair a text as the evaluator does since March 2025, which breaks less valid JSON."""
    text = text.replace("'", '"')
    # Contractions get their apostrophe back, and quotes inside of the reasoning are escaped.
    text = _without_fences(re.sub(r'"(s|re|ll|t|d|m|ve) ', r"'\1 ", text))
    parts: list[str] = []
    position = 0
    while True:
        begin = _REASONING.search(text, position)
        end = _REASONING_END.search(text, begin.end()) if begin else None
        if begin is None or end is None:
            return "".join(parts) + text[position:]
        reasoning = text[begin.end() : end.start()]
        parts.append(text[position : begin.end()])
        parts.append(re.sub(r'(?<!\\)"', r"\"", reasoning))
        position = end.start()


# Where the reasoning of a planner's answer begins, and where it ends.
_REASONING = re.compile(r'"reasoning_and_reflection"\s*:\s*"')
_REASONING_END = re.compile(r'",\s*"language_plan"')


REPAIRS = {"repair_2025_02": repair_2025_02, "repair_2025_03": repair_2025_03}
"""The mendings of the published evaluator, by the quirk that switches them on."""
_MOST_ACTIONS = 1000
"""Maximum number of actions that are read: a model that repeats itself writes many more."""


def _without_fences(text: str) -> str:
    """Return a text without the marks around blocks of code."""
    return text.replace("```json", "").replace("```", "")


@lru_cache(maxsize=1 << 8)
def read_output(text: str, repair: Callable[[str], str] | None = None) -> Output:
    """Read the plan from a planner's text. Only the first 1000 actions of a long plan are read.

    Args:
        text: The text: JSON, or a text with a JSON object in it, which may need usual repairs.
        repair: The repair of a published evaluator. If it is given, the repaired text has to be
            JSON, and nothing else is tried.

    Example:
        >>> read_output('{"executable_plan": [{"action_id": 3, "action_name": "find a Mug"}]}').plan
        ((3, 'find a Mug'),)
    """
    value, repaired = _decode(text, repair)
    if value is None:
        return Output(status="json_decode_error")
    plan = None
    if isinstance(value, dict):
        plan = value.get("executable_plan")
    if isinstance(plan, str):  # a list in quotes
        plan, _ = _decode(plan, repair)
        repaired = True
    if not isinstance(plan, list):
        return Output(status="missing_key", repaired=repaired)
    steps: list[tuple[object, str]] = []
    for entry in plan[:_MOST_ACTIONS]:
        step = _numbered_action(entry)
        if step is None:
            return Output(status="missing_key", repaired=repaired)
        steps.append(step)
    return Output(tuple(steps), "ok" if steps else EMPTY_PLAN, repaired)


def _numbered_action(entry: object) -> tuple[object, str] | None:
    """Return number and words of an action in a plan; None if it has no number.

    The number is that of the skill, or the seven numbers of a pose of EB-Manipulation.
    """
    if isinstance(entry, dict):
        number: Any = entry.get("action_id")
        if isinstance(number, (int, float)) and abs(number) < math.inf:
            return int(number), str(entry.get("action_name", ""))
        return None
    if isinstance(entry, list) and entry and all(isinstance(number, int) for number in entry):
        return tuple(entry), ""
    return None


def _decode(text: str, repair: Callable[[str], str] | None) -> tuple[Any, bool]:
    """Return the JSON value of a text (None if it has none), and whether it needed repair."""
    if repair is not None:
        return _load_json(repair(text)), True
    value = _load_json(text)
    if value is not None:
        return value, False
    # Without code fences and remarks around the object.
    body = clean(text).text
    object_text = body[body.find("{") : body.rfind("}") + 1] if "{" in body else ""
    for candidate in (object_text, repair_2025_03(object_text)):
        value = _load_json(candidate)
        if value is not None:
            return value, True
    return None, False


def _load_json(text: str) -> Any:  # noqa: ANN401
    """Return the value of a JSON text, whose strings may have line breaks, or None."""
    try:
        return load_json(text, strict=False)
    except ValueError:
        return None


def mismatches(environment: str, plan: Sequence[tuple[object, str]]) -> list[int]:
    """Return the positions (from 1) of actions whose number and words disagree."""
    all_skills = skills(environment)
    positions: list[int] = []
    for position, (number, words) in enumerate(plan, start=1):
        if not isinstance(number, int) or not 0 <= number < len(all_skills):
            continue
        named_skill = skill_named(environment, words)
        if named_skill is not None and named_skill.words != all_skills[number].words:
            positions.append(position)
    return positions


# ------------------------------------------------------------------ what environments say


UNKNOWN = "unknown"
"""The key of a text that no template fits: it is counted, and its meaning is not guessed."""


class Feedback(NamedTuple):
    """The meaning of a feedback text: its template (``"pick.far"``) and the outcome.

    Success is None if nothing is known of that; the fault is the kind of error that it was.
    """

    key: str
    success: bool | None = None
    fault: str = ""


def word_feedback(environment: str, key: str, **slots: str) -> str:
    """Return a template of an environment in words."""
    text = next(text for name, text, _ in shipped("feedback.json")[environment] if name == key)
    return str(text).format(**slots)


@lru_cache(maxsize=1 << 12)
def read_feedback(environment: str, text: str) -> Feedback:
    """Return the meaning of an environment's feedback, by the templates of its sentences."""
    for key, pattern, fault in _patterns(environment):
        if pattern.fullmatch(text.strip()):
            return Feedback(key, key.startswith("done"), fault)
    return Feedback(UNKNOWN)


@cache
def _patterns(environment: str) -> list[tuple[str, re.Pattern[str], str]]:
    """Return the templates of an environment as (key, pattern, kind of fault).

    A slot ``{x}`` stands for any text.
    """
    patterns: list[tuple[str, re.Pattern[str], str]] = []
    for key, template, fault in shipped("feedback.json").get(environment, ()):
        # "{x} is not visible." -> ".*? is not visible\.?"
        texts_between_slots = re.split(r"\{\w+\}", template.rstrip("."))
        pattern = ".*?".join(map(re.escape, texts_between_slots)) + r"\.?"
        patterns.append((key, re.compile(pattern, re.DOTALL), fault))
    return patterns
