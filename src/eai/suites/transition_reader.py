"""Reading operators out of an answer as the published evaluator does (``eai-eval`` 1.0.5)."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import pairwise

from eai.abilities.operator_texts import OperatorText

__all__ = ["find_operators"]

_FENCE = "```json"
_ACTION = re.compile(r"\(:action\s+(\w+)")
_COMMENT = re.compile(r";.*$", re.MULTILINE)
_BRACKET = re.compile(r"[()]")
_KEYS = (":parameters", ":precondition", ":effect")


def find_operators(answer: str) -> dict[str, OperatorText] | None:
    """Find every ``(:action NAME`` and its parts in an answer.

    Args:
        answer: What the model wrote: PDDL, or JSON with PDDL under ``output``.

    Returns:
        Name to operator; of several with one name, the last. None if the evaluator calls the
        format wrong: the JSON has no text there, or a list of parameters does not end.
    """
    content = _content(answer)
    if not isinstance(content, str):
        return None
    text = " ".join(_COMMENT.sub("", content).split())
    starts = [match.start() for match in _ACTION.finditer(text)]
    found: dict[str, OperatorText] = {}
    for start, end in pairwise([*starts, len(text)]):
        whole = _whole(text[start:end])
        if whole is None:  # what belongs to it depends on what comes after
            return _read(text)
        found[whole.name] = whole
    return found


@lru_cache(maxsize=1 << 12)
def _whole(text: str) -> OperatorText | None:
    """The operator that a text begins with, if it ends there, too: answers repeat operators."""
    match = _ACTION.match(text)
    keys = [] if match is None else [text.find(key, match.end()) for key in _KEYS]
    openings = [text.find("(", key) for key in keys]
    blocks = [_block(text, opening + 1) for opening in openings]
    if match is None or -1 in keys or -1 in openings or None in blocks:
        return None
    return OperatorText(match[1], *(_tidy(block) for block in blocks if block is not None))


def _read(text: str) -> dict[str, OperatorText] | None:
    """Read operators one after the other; each is sought behind the effect of the one before."""
    found: dict[str, OperatorText] = {}
    at = 0
    while match := _ACTION.search(text, at):
        starts = [text.find(key, match.end()) for key in _KEYS]
        if -1 in starts:
            break
        parameters, *parts = (_block(text, text.find("(", start) + 1) for start in starts)
        if parameters is None:
            return None
        precondition, effect = ("()" if part is None else part for part in parts)
        found[match[1]] = OperatorText(
            match[1], *(_tidy(part) for part in (parameters, precondition, effect))
        )
        at = effect.find(")") + starts[2] + 1
    return found


def _content(answer: str) -> object:
    if answer.startswith(_FENCE):
        answer = answer[len(_FENCE) :].strip("`")
    answer = answer.strip().replace("\n", "").replace("'", '"')
    try:
        content = json.loads(answer)
    except (ValueError, RecursionError):
        return answer
    return content.get("output") if isinstance(content, dict) else None


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


def _tidy(block: str) -> str:
    return f"({block}".replace(") )", "))")
