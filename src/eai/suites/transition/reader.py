"""Reading operators out of an answer as the published evaluator does (``eai-eval`` 1.0.5)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache

from eai.abilities.transition_modeling.texts import OperatorText

__all__ = ["find_operators"]

_BEGIN = "(:action"
_FENCE = "```json"
_ACTION = re.compile(r"\(:action\s+(\w+)\b")
_COMMENT = re.compile(r";.*$", re.MULTILINE)
_BRACKET = re.compile(r"[()]")
_KEYS = (":parameters", ":precondition", ":effect")
_JSON = frozenset('{["-0123456789tfnNI')  # what JSON can begin with
_DECODER = json.JSONDecoder()


def _plain_operator() -> re.Pattern[str]:
    """The pattern of an operator whose parts come in their order, each closed before the next.

    No colon stands in them, so no key and no other operator begins inside of a part.
    """
    within = r"[^():]*"
    for _ in range(_DEPTH):
        within = rf"[^():]*(?:\({within}\)[^():]*)*"
    parts = (r"\([^():]*\)", *[rf"\((?!\(){within}\)"] * 2)
    keyed = (rf"[^():]*{key}[^():]*({part})" for key, part in zip(_KEYS, parts, strict=True))
    return re.compile(_ACTION.pattern + "".join(keyed))


_DEPTH = 8
_PLAIN = _plain_operator()


def find_operators(answer: str) -> Mapping[str, OperatorText] | None:
    """Find every ``(:action NAME`` and its parts in an answer.

    Args:
        answer: What the model wrote: PDDL, or JSON that is a text or has one under ``output``.

    Returns:
        Name to operator; of several with one name, the last. None if the
        evaluator calls the format wrong: the JSON has no text there, or a list of parameters does
        not end.
    """
    content = _content(answer)
    if not isinstance(content, str):
        return None
    text = _COMMENT.sub("", content) if ";" in content else content
    found: dict[str, OperatorText] = {}
    before, *pieces = text.split(_BEGIN)
    for place, piece in enumerate(pieces):
        operator = _plain(piece)
        if operator is None:
            read = _BEGIN.join((before, *pieces[:place], ""))
            return _read(_in_one_line(text), len(_in_one_line(read)) - len(_BEGIN), found)
        found[operator.name] = operator
    return found


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=1 << 12)
def _plain(piece: str) -> OperatorText | None:
    """The operator of what stands between two beginnings, if its parts are in their order.

    Answers repeat operators, to the letter.
    """
    # No part begins within ") )", so it is replaced in all of them at once.
    plain = _PLAIN.match(_in_one_line(_BEGIN + piece).replace(") )", "))"))
    return OperatorText._make(plain.groups()) if plain else None


def _operator(name: str, parameters: str, precondition: str, effect: str) -> OperatorText:
    return OperatorText(
        name,
        parameters.replace(") )", "))"),
        precondition.replace(") )", "))"),
        effect.replace(") )", "))"),
    )


def _read(text: str, at: int, found: dict[str, OperatorText]) -> dict[str, OperatorText] | None:
    """Read operators one after the other; each is sought behind the effect of the one before.

    Args:
        text: All of the answer in one line: a part without a bracket is sought from the very
            beginning.
        at: Where to go on.
        found: The operators that stand before.
    """
    while match := _ACTION.search(text, at):
        plain = _PLAIN.match(text, match.start())
        if plain is not None:
            found[match[1]] = _operator(*plain.groups())
            at = plain.end()
            continue
        starts = [text.find(key, match.end()) for key in _KEYS]
        if -1 in starts:
            break
        parameters, *parts = (_block(text, text.find("(", start) + 1) for start in starts)
        if parameters is None:
            return None
        precondition, effect = ("()" if part is None else part for part in parts)
        found[match[1]] = _operator(match[1], f"({parameters}", f"({precondition}", f"({effect}")
        at = effect.find(")") + starts[2] + 1
    return found


def _content(answer: str) -> object:
    if answer.startswith(_FENCE):
        answer = answer[len(_FENCE) :].strip("`")
    answer = answer.strip().replace("\n", "").replace("'", '"')
    if answer[:1] not in _JSON:
        return answer
    try:
        content, end = _DECODER.raw_decode(answer)
    except (ValueError, RecursionError):
        return answer
    if end < len(answer):
        return answer
    return content.get("output") if isinstance(content, dict) else content


def _block(text: str, start: int) -> str | None:
    """The text up to the bracket that closes what is open at an offset; None if none does."""
    if start >= len(text):
        return None
    if text[start] == ")":
        return ")"
    depth = 1
    for bracket in _BRACKET.finditer(text, start + 1):
        depth += 1 if bracket[0] == "(" else -1
        if not depth:
            return text[start : bracket.end()]
    return None
