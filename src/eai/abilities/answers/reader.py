"""Reading plans out of what models write.

:func:`read_plan` is tolerant and exact: it accepts the forms in which models write plans
(``docs/answers.md`` lists them), says what it repaired, and reports whatever it could not
read as a problem instead of guessing. :func:`bind` then looks the names up.
"""

from __future__ import annotations

import json
import re

from eai.abilities.answers.plan import PlanReading, ReadStep, shorten
from eai.abilities.answers.search import search_plan
from eai.abilities.answers.structure import MOST_KEYS
from eai.abilities.answers.tokens import tokens_of
from eai.abilities.answers.words import EXPLAINING, HEADINGS, NOTHING, RESERVED
from eai.errors import InputError

__all__ = ["read_plan"]

_DECODE = json.JSONDecoder(
    object_pairs_hook=tuple, parse_int=str, parse_float=str, parse_constant=str
).raw_decode
_KEY = re.compile(r'"[^"]*"\s*:')
_FENCE = re.compile(r"```\w*")
_APOSTROPHE = re.compile(r"\w'\w")
_QUOTE = re.compile("[\"'<(:]")
_BRACKET = re.compile(r"[\[{<(]")
_CAPITALS = re.compile("[A-Z][A-Z]")
_DIGIT = re.compile("[0-9]")
_WRAPPED = ("a wrapper around the plan",)
_LONGEST_CLEAN = 200_000


def read_plan(text: str) -> PlanReading:
    """Read the plan out of an answer.

    Nothing in an answer raises an error, and nothing is evaluated. The time is linear in the
    length of the text; of very long answers only the first part is read, which is a problem.

    Args:
        text: What the model wrote.

    Returns:
        The steps in order, what could not be read, and what was repaired. Offsets count the
        characters of ``text`` from 0. If there are problems, the steps are those that could be
        read; of a step into which the end of the answer cuts, nothing is given.

    Raises:
        InputError: If ``text`` is not a string.
    """
    if not isinstance(text, str):
        raise InputError(
            f"an answer is {type(text).__name__}, not text", expected="what the model wrote, as str"
        )
    return _read_clean(text) or search_plan(text)


def _read_clean(text: str) -> PlanReading | None:
    """Read the common forms with the standard scanner; None if anything is unusual.

    The answer has to hold exactly one bracketed value, which is a list of objects or an object
    with the action names as keys and flat argument lists.
    """
    if len(text) > _LONGEST_CLEAN or not text.isascii() or "\\" in text:
        return None
    notes: tuple[str, ...] = ()
    if "'" in text and '"' not in text and not _APOSTROPHE.search(text):
        text = text.replace("'", '"')
        notes = ("single quotes",)
    brace, bracket = text.find("{"), text.find("[")
    start = min(brace, bracket) if min(brace, bracket) >= 0 else max(brace, bracket)
    if start < 0:
        return None
    try:
        value, end = _DECODE(text, start)
    except (ValueError, RecursionError):
        return None
    if start or end < len(text):
        surroundings = _surroundings(text[:start], text[end:])
        if surroundings is None:
            return None
        notes += surroundings
    inside, wrapper = _unwrapped(value)
    notes += wrapper
    steps = _clean_steps(inside, text, start, end)
    return None if steps is None else PlanReading(tuple(steps), (), notes)


def _surroundings(before: str, behind: str) -> tuple[str, ...] | None:
    """Notes about the text around the value; None if that text needs a closer look."""
    if _QUOTE.search(before) or _BRACKET.search(behind):
        return None
    if not before.strip() and not behind.strip():
        return ()
    if before.count("```") > 1 or behind.count("```") > 1:
        return None
    bare = before + " " + behind
    bare = _FENCE.sub("", bare) if "```" in bare else bare
    fenced = ("code fence",) if "```" in before or "```" in behind else ()
    if _DIGIT.search(bare) or _CAPITALS.search(bare) or _goes_on(bare):
        return None
    return (*fenced, "text around the plan") if any(map(str.isalnum, bare)) else fenced


def _goes_on(text: str) -> bool:
    """Whether there may be "...", "etc.", "repeat" or "and so on" in a text."""
    return "..." in text or "etc" in text or "Etc" in text or "epeat" in text or "nd so" in text


def _clean_steps(value: object, text: str, start: int, end: int) -> list[ReadStep] | None:
    """Steps of a decoded value of a common shape, with the offsets of their keys."""
    pairs: list[tuple[str, object]] = []
    for item in value if type(value) is list else (value,):
        if type(item) is not tuple or not item:
            return None
        pairs += item
    keys = [match.start() for match in _KEY.finditer(text, start, end)][-len(pairs) :]
    if not pairs or len(keys) != len(pairs):
        return None
    steps: list[ReadStep] = []
    for (name, values), at in zip(pairs, keys, strict=True):
        arguments = _clean_arguments(values)
        if arguments is None or not name.isidentifier() or name.lower() in RESERVED:
            return None
        steps.append(ReadStep(name, arguments, at))
    return steps


def _unwrapped(value: object) -> tuple[object, tuple[str, ...]]:
    """The list under the last key of an object, if that key says so and texts explain it."""
    if type(value) is not tuple or not value or len(value) > MOST_KEYS:
        return value, ()
    name, inside = value[-1]
    if type(inside) is not list or name.lower() not in HEADINGS:
        return value, ()
    if len(value) == 1:
        return inside, _WRAPPED
    for key, text in value[:-1]:
        if key not in EXPLAINING or type(text) is not str:
            return value, ()
    left_out = ", ".join(dict.fromkeys(shorten(key) for key, _ in value[:-1]))
    return inside, (*_WRAPPED, f"not read: {left_out}")


def _clean_arguments(values: object) -> tuple[str, ...] | None:
    """Flat arguments of a decoded step; None if they are not flat."""
    if type(values) is str:
        values = [values]
    if type(values) is not list:
        return None
    tokens: list[str] = []
    for value in values:
        if type(value) is not str:
            return None
        if (value.isidentifier() and value not in NOTHING) or value.isdigit():
            tokens.append(value)
        else:
            tokens += tokens_of(value)
    return tuple(tokens)
