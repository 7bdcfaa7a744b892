"""The forms of a step: a line of text (``[WALK] <light> (411)``), or a value with parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from eai.answers.plan import (
    ACTION_KEYS,
    ASIDE_KEYS,
    CONNECTIVES,
    FILLERS,
    HEADINGS,
    LONGEST,
    OBJECT_KEYS,
    PARTICLES,
    STATING,
    ReadStep,
    has_id,
    tokens_of,
    words_of,
)
from eai.answers.values import Group, Item, Node, Pair, Text, scan_block

MOST_WORDS = 8
"""A step of bare words has at most this many."""

Lead = tuple[str, int | None, int]
"""What stands before a step: a bullet, a number, and the offset behind them."""

_LEAD = re.compile(
    r"\s*(?:([-*+>\u2022\u2023\u25aa\u25cf\u25e6\u00b7\u2013\u2014\u2192])\s+)?"
    r"(?:\**(?:(?:step|action)\s*)?\(?(\d{1,18})\**\s*[.):\-]\**\s*|[a-z][.)]\s+)?"
    r"(?:<char\d>\s*)?",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"<(\w+)>(.*)</\1>|\|(?:\s*\d{1,4}\s*\|)?([^|]*)\|")
_CONNECTIVES = re.compile(
    rf"(?:(?:{'|'.join(sorted(CONNECTIVES))})\b,?\s+|\[[ xX]\]\s+"
    rf"|(?:{'|'.join(sorted(HEADINGS))})\**:\**\s+)+",
    re.IGNORECASE,
)
_IN_PARENTHESES = re.compile(r"\(([^()]+)\)")
_SCRIPT = re.compile(
    r"\[\s*([A-Za-z][\w\-]*(?: [\w\-]+)?)\s*\]"
    r"((?:\s*(?:<[^<>]*>|\(\s*(?:[\w.]+\s*)?\)))*)(?:\s*\[\d+\])?"
)
_SCRIPT_PART = re.compile(r"<([^<>]*)>|\(\s*(?:([\w.]+)\s*)?\)")
_CALL = re.compile(r"([A-Za-z][\w\-]*(?:[ \t][\w\-]+){0,5})(\s?)\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_BETWEEN = re.compile(
    r"(?:\s|[,;`]|\.(?!\.)|->|\u2192|\bthen\b|\band\b|\b(?:(?:step|action)\s)?\d{1,4}[.):](?=\s))*",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s*(?:[-\u2013\u2014:#]|//)")
_PARTICLES = "|".join(sorted(PARTICLES))
_LABELLED = re.compile(
    rf"([\"']?)([A-Za-z][\w\-]*(?: (?:{_PARTICLES}))?)\1\s*:\s*(\S.*)", re.IGNORECASE
)
_WORD = re.compile(r"<[^<>]*>|\([\w.]+\)|[\w.\-]+")
_NAME = re.compile(r"[A-Za-z][\w\-]*")
_NUMBER = re.compile(r"\(?[\d.]+\)?")
_PLURAL = re.compile(r"\s*e?s\s*")

_MARKS = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|[*`]+")
_ATTACHED_CALL = re.compile(r"(?<!\w)[^\W\d][\w\-]{0,60}\((?!e?s\))[^()\n]*\)")

_Parts = tuple[str, list[str]]
"""The name of a step and its arguments."""


def calls_in(line: str) -> list[str]:
    """The calls in a line, whatever is around them, that are not about the plan."""
    if "(" not in line:
        return []
    calls = _ATTACHED_CALL.findall(_MARKS.sub("", line))
    return [call for call in calls if (HEADINGS | ASIDE_KEYS).isdisjoint(words_of(call))]


def lead_of(line: str) -> Lead:
    """What stands before a step of a list: its bullet, its number, and where the step begins."""
    match = _LEAD.match(line)
    if match is None:
        return "", None, 0
    return match[1] or "", int(match[2]) if match[2] else None, match.end()


def _script_parts(match: re.Match[str]) -> _Parts:
    parts = ((name or number).strip() for name, number in _SCRIPT_PART.findall(match[2]))
    return match[1].strip(), [part for part in parts if part]


def _call_parts(match: re.Match[str]) -> _Parts | None:
    """Several words before a parenthesis have to be the name of an action."""
    name, blank, inside = match.groups()
    words = name.lower().split()
    if len(words) == 1:
        is_step = not (blank and words[0] in HEADINGS)
    else:
        is_step = (
            _begins_like_a_step(words, inside)
            and (FILLERS - PARTICLES).isdisjoint(words)
            and "_".join(words) not in HEADINGS
            and (not blank or PARTICLES.issuperset(words[1:]))
        )
    return (name, tokens_of(inside)) if is_step else None


def _likely_call_parts(match: re.Match[str]) -> _Parts | None:
    """The same amid the steps of a plan, where more is taken for a name."""
    name, blank, inside = match.groups()
    words = name.lower().split()
    others = (STATING | HEADINGS | ASIDE_KEYS) if blank else STATING
    is_step = _begins_like_a_step(words, inside) and others.isdisjoint(words)
    return (name, tokens_of(inside)) if is_step else None


def _begins_like_a_step(words: list[str], inside: str) -> bool:
    """Whether no sentence begins, and the parenthesis is no remark, nor the end of a plural."""
    within = re.findall(r"\w+", inside.lower())
    plain = FILLERS.isdisjoint(within) and _PLURAL.fullmatch(inside) is None
    return plain and words[0] not in FILLERS and words[0] not in CONNECTIVES


def _sequence(
    pattern: re.Pattern[str], parts: Callable[[re.Match[str]], _Parts | None], text: str, at: int
) -> list[ReadStep]:
    """Steps that all follow one pattern, up to the end or a remark; else none."""
    steps: list[ReadStep] = []
    place = end = 0
    while place < len(text):
        match = pattern.match(text, place)
        found = parts(match) if match is not None else None
        if match is None or found is None:
            return steps if steps and _is_remark(text[end:]) else []
        end = match.end()
        steps.append(ReadStep(found[0], tuple(found[1]), at + place))
        between = _BETWEEN.match(text, end)
        place = between.end() if between else end
    return steps


def _is_remark(text: str) -> bool:
    """Whether what follows a step is a comment on it; behind a dash or a colon no step is one."""
    mark = _REMARK.match(text)
    if mark is None:
        return False
    return mark.group().strip() in ("#", "//") or not (calls_in(text) or shouts(text[mark.end() :]))


def shouts(text: str) -> bool:
    """Whether a few words are a step by their first one, in capitals, and by an id."""
    words = text.split()
    rest = "".join(words[1:])
    return (
        1 < len(words) <= MOST_WORDS
        and in_capitals(words[0].strip("*`:"))
        and any(map(str.isdigit, rest))
        and any(map(str.islower, rest))
    )


def _labelled(text: str, at: int, *, meant: bool) -> list[ReadStep]:
    """A step such as ``WALK: light, 411``."""
    match = _LABELLED.fullmatch(text.rstrip(" \t\r,;"))
    if match is None or len(match[3].split()) > MOST_WORDS:
        return []
    name = match[2]
    if not (meant or match[1] or in_capitals(name)) or name.lower() in HEADINGS | FILLERS:
        return []
    return [ReadStep(name, tuple(tokens_of(match[3])), at)]


def in_capitals(name: str) -> bool:
    """Whether a name is written in capitals, and is no heading."""
    return len(name) > 1 and name.isupper() and name.lower() not in HEADINGS


def _words(text: str, at: int, *, meant: bool, amid: bool) -> list[ReadStep]:
    """A step such as ``WALK light 411`` or ``switch on light_411``."""
    words = _WORD.findall(text.replace(",", " "))
    if not 0 < len(words) <= MOST_WORDS or text.endswith("."):
        return []
    if "".join(words) != "".join(text.replace(",", " ").split()):
        return []
    several = len(words) > 2 and words[1].lower() in PARTICLES
    name, rest = " ".join(words[: 1 + several]), words[1 + several :]
    if not _NAME.fullmatch(words[0]) or words[0].lower() in FILLERS:
        return []
    if not (FILLERS | STATING).isdisjoint(word.lower() for word in rest):
        return []
    meant = meant and (amid or not several)
    numbered = len(rest) > 1 and any(map(_NUMBER.fullmatch, rest))
    if not (meant or in_capitals(name) or numbered or any(map(has_id, rest))):
        return []
    return [ReadStep(name, tuple(word.strip("<>()") for word in rest), at)]


def read_line(text: str, at: int, *, meant: bool = False, amid: bool = False) -> list[ReadStep]:
    """Read the steps of one line; none if the line is something else.

    Args:
        text: The line, without its line end.
        at: Offset of its first character in the answer.
        meant: Whether the line is known to be meant as a step (it stood in a list of steps).
        amid: Whether it stands amid lines that are steps, so that words before parentheses are
            a step even if they may be part of a sentence elsewhere.
    """
    if len(text) > LONGEST:
        return []
    start = lead_of(text)[2]
    listed = meant or amid
    meant = meant or bool(text[:start].strip())
    bare = text[start:].replace("**", "").strip(" \t\r`*")
    wrapped = _WRAPPED.fullmatch(bare)
    if wrapped is not None:
        return read_line((wrapped[2] or wrapped[3] or "").strip(), at, meant=meant, amid=listed)
    pddl = _IN_PARENTHESES.fullmatch(bare)
    bare = pddl[1].strip() if pddl else bare
    at += start
    found = (
        _certain(bare, at, meant=meant)
        or _labelled(bare, at, meant=meant)
        or _words(bare, at, meant=meant, amid=listed)
    )
    # What would be a sentence elsewhere: "turn on the light (411)".
    sentence = bare.endswith(".") and " (" in bare
    if amid and not found and not sentence:
        return _sequence(_CALL, _likely_call_parts, bare, at)
    return found


def is_call(line: str) -> bool:
    """Whether a whole line is a step in the form of a call or a script, whatever is around it.

    A call that is about a plan (``print(plan)``) is code, and ``Note(s)`` is a plural.
    """
    if len(line) > LONGEST:
        return False
    bare = line[lead_of(line)[2] :].strip(" \t\r`*,;.")
    if not bare.endswith((")", "]")) or "(s)" in bare:
        return False
    steps = _certain(bare, 0, meant=False)
    parts = [part.lower() for step in steps for part in (step.name, *step.arguments)]
    plain = (HEADINGS | ASIDE_KEYS).isdisjoint(parts) and not any("(" in part for part in parts)
    return plain and any(step.arguments for step in steps)


def _certain(bare: str, at: int, *, meant: bool) -> list[ReadStep]:
    """Steps in a form that nothing else has; "then" or "Plan:" may stand before them."""
    script = _sequence(_SCRIPT, _script_parts, bare, at)
    if not meant:
        script = [step for step in script if step.arguments or in_capitals(step.name)]
    found = script or _sequence(_CALL, _call_parts, bare, at)
    lead = None if found else _CONNECTIVES.match(bare)
    return _certain(bare[lead.end() :], at + lead.end(), meant=meant) if lead else found


MOST_TOKENS = 10_000
"""A value in a string with more words and brackets is not read."""
DEEPEST = 8
"""Nor is one with brackets that are nested deeper."""

_SUBMITTING = HEADINGS | {"submit"}
_BRACKET = re.compile(r"[\[{(\])}]")


def plain_key(key: str) -> str:
    """A key in small letters, with underscores between its words."""
    return key.strip().lower().replace(" ", "_").replace("-", "_")


def object_key(key: str) -> bool:
    """Whether a key names the objects of a step: ``object``, ``target_location``, ``arg1``."""
    words = plain_key(key).rstrip("0123456789_").split("_")
    return all(word in OBJECT_KEYS for word in words)


def named_at(keys: Sequence[str]) -> int | None:
    """Which of the keys of an object names its action; None if it is no step with named parts."""
    named = next((i for i, key in enumerate(keys) if key in ACTION_KEYS), None)
    if named is None and "name" in keys and any(map(object_key, keys[1:])):
        return keys.index("name")
    return named


def names_objects(pair: Pair, *, calling: bool) -> bool:
    """Whether a part of a step names its objects; in a call, ``id`` may be that of the call."""
    if calling and plain_key(pair.key.value) == "id" and isinstance(pair.value, Text):
        return pair.value.value.isdigit()
    return object_key(pair.key.value)


def pairs_of(group: Group) -> list[Pair]:
    """The pairs of a key and a value in a group."""
    return [item for item in group.items if isinstance(item, Pair)]


def submitted(action: Pair, values: list[Pair]) -> Group | None:
    """The plan in a call of a tool such as ``submit_plan``, whose argument is the plan."""
    name = action.value.value if isinstance(action.value, Text) else ""
    if len(values) != 1 or _SUBMITTING.isdisjoint(words_of(name.replace("_", " "))):
        return None
    inside = values[0].value
    if not isinstance(inside, Group) or inside.kind != "object":
        return None
    keys = (plain_key(pair.key.value) for pair in pairs_of(inside) if isinstance(pair.value, Group))
    return None if HEADINGS.isdisjoint(keys) else inside


def is_cut(item: Item | None) -> bool:
    """Whether the end of the text cut into a value."""
    node = item.value if isinstance(item, Pair) else item
    if isinstance(node, Group):
        return node.cut or any(map(is_cut, node.items))
    return node is not None and node.cut


def arguments_of(node: Node | None) -> Iterator[str]:
    """The names and ids in the value of a step, flat and in order."""
    if isinstance(node, Text):
        inside = encoded(node)
        yield from tokens_of(node.value) if inside is None else arguments_of(inside)
    elif node is not None:
        if node.name is not None:
            yield node.name.value
        for item in node.items:
            if isinstance(item, Pair):
                if not object_key(item.key.value):
                    yield from tokens_of(item.key.value)
                yield from arguments_of(item.value)
            else:
                yield from arguments_of(item)


def encoded(text: Text) -> Group | None:
    """The value that stands in a string, as in tool calls: ``"{'object': 'light'}"``."""
    value = text.value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = f"[{value}]"  # a string that was encoded twice
    if not text.quoted or value[:1] + value[-1:] not in ("{}", "[]"):
        return None
    steps = (1 if bracket in "[{(" else -1 for bracket in _BRACKET.findall(value))
    if max(accumulate(steps)) > DEEPEST:
        return None
    group = scan_block(value, 0, end=len(value), most=MOST_TOKENS).group
    return None if group.cut or group.end < len(value) else group
