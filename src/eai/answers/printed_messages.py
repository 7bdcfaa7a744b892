"""Messages as Python prints them: ``AIMessage(content="...")``, ``ChatCompletion(choices=[...])``.

Interfaces of models and frameworks of agents print a message as a call. What the agent said stays,
and each call of a tool becomes an object of JSON; what others said to it is left out.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from eai.answers.brackets import closing_bracket
from eai.nesting import load_program
from eai.text import lazy_pattern

MAX_MESSAGE = 100_000
"""Maximum number of characters of a message."""

_PRINTED = lazy_pattern(
    r"(?:\b[a-z_]\w*\.){0,5}\b(?:[A-Z]\w{0,60})?"
    r"(?:Message|Completion|Response|Choice|Chat|Call)\((?=[a-z_]+=)"
)
"""The begin of a message, a response with messages in it, or a call of a tool."""
_ENUM = lazy_pattern(r"<([A-Z]\w{0,40})\.\w{1,40}: [^<>\n]{1,60}>")
"""A constant as Python prints it, which is no expression: ``<FinishReason.STOP: 'STOP'>``."""
_KEYS = ("content", "text", "output_text")
_OTHERS = frozenset(["user", "system", "developer", "tool"])
"""Roles of those whose messages are no answer."""
_MESSAGES_OF_OTHERS = re.compile(r"Human|System|Tool|User|Function")
"""The begin of the name of a message that the agent does not say."""


def extract_printed_messages(text: str) -> str:
    """Return an answer with the words and calls of the messages that are printed in it.

    Only literals are looked at; nothing is evaluated.

    Example:
        >>> extract_printed_messages("Choice(index=0, message=Message(content='walk(hall)'))")
        'walk(hall)'
    """
    if "(" not in text or "=" not in text:
        return text
    text_pieces: list[str] = []
    last_end = 0
    while call := _PRINTED.search(text, last_end):
        limit = call.end() + MAX_MESSAGE
        end = closing_bracket(text, call.end(), ")", limit, is_program=True) + 1
        if not end:
            break
        printed = text[call.start() : end]
        text_pieces += [text[last_end : call.start()], _said_in_printed(printed)]
        last_end = end
    return "".join([*text_pieces, text[last_end:]])


def _said_in_printed(printed: str) -> str:
    """Return what a printed message says; the message itself if it is no such call."""
    try:
        tree = load_program(_ENUM.sub(r'"\1"', printed))
    except ValueError:
        return printed
    # Interfaces may print a text twice: as a part, and as all that was said.
    said = list(dict.fromkeys(_texts_in(tree)))
    return "\n".join(filter(None, said)) if said else printed


def _texts_in(node: ast.AST) -> Iterator[str]:
    """Yield the texts and the calls of tools in a message; an empty text for one of others."""
    if isinstance(node, ast.Call):
        fields = {keyword.arg: keyword.value for keyword in node.keywords}
        texts = {name: _text_of(value) for name, value in fields.items()}
        name = ast.unparse(node.func).rpartition(".")[2]
        is_message = "content" in fields and _MESSAGES_OF_OTHERS.match(name) is not None
        if is_message or texts.get("role") in _OTHERS:
            # What a user asked, or a tool replied, may hold steps as well.
            yield ""
            return
        arguments = texts.get("arguments")
        if texts.get("name") and arguments and arguments.lstrip().startswith("{"):
            yield f'{{"name": {json.dumps(texts["name"])}, "arguments": {arguments}}}'
            return
        yield from filter(None, map(texts.get, _KEYS))
    for child in ast.iter_child_nodes(node):
        yield from _texts_in(child)


def _text_of(node: ast.expr) -> str | None:
    """Return the string that a literal of Python is; None if it is another value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None
