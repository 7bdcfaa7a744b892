"""Responses of a model's interface as Python prints them: ``ChatCompletion(choices=[...])``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from eai.nesting import load_program
from eai.text import lazy_pattern

_MAX_LENGTH = 100_000
"""Maximum number of characters of a response that is read."""
_BEGIN = re.compile(r"\s*(?:[a-z_]\w*\.){0,5}[A-Z]\w{2,60}\((?=[a-z_]+=)")
_SAYS_MESSAGE = lazy_pattern(r"\b(?:content|text|output_text)=[\[\"'A-Z]")
_ENUM = lazy_pattern(r"<([A-Z]\w{0,40})\.\w{1,40}: [^<>\n]{1,60}>")
"""A constant as Python prints it, which is no expression: ``<FinishReason.STOP: 'STOP'>``."""
_KEYS = ("content", "text", "output_text")
_OTHERS = ("user", "system", "developer", "tool")
"""Roles of those whose messages are no answer."""


def extract_printed_message(text: str) -> str:
    """Return what the model says in a printed response; any other text stays as it is.

    A response that calls tools stays, too: the calls are read where they stand.

    Example:
        >>> extract_printed_message("Choice(index=0, message=Message(content='walk(hall)'))")
        'walk(hall)'
    """
    if len(text) > _MAX_LENGTH or _BEGIN.match(text) is None or not _SAYS_MESSAGE.search(text):
        return text
    try:
        tree = load_program(_ENUM.sub(r'"\1"', text.strip()))
    except ValueError:
        return text
    # Interfaces may print a text twice: as a part, and as all that was said.
    said = list(dict.fromkeys(_messages_in(tree)))
    return "\n".join(said) if said else text


def _messages_in(node: ast.AST) -> Iterator[str]:
    """Yield the texts that the calls of a response hold, without those of other roles."""
    if isinstance(node, ast.Call):
        values = {keyword.arg: keyword.value for keyword in node.keywords}
        role = values.get("role")
        # What a user asked, or a tool replied, may hold steps as well.
        if isinstance(role, ast.Constant) and role.value in _OTHERS:
            return
        for key in _KEYS:
            value = values.get(key)
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
                yield value.value
    for child in ast.iter_child_nodes(node):
        yield from _messages_in(child)
