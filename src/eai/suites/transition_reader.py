"""Reading operators out of an answer as the published evaluator does (``eai-eval`` 1.0.5)."""

from __future__ import annotations

import json
import re

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
