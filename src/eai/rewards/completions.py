"""The text of a completion, in the forms in which trainers pass it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from eai.errors import InputError
from eai.nesting import check_value
from eai.text import counted


def text_of(completion: object) -> str | None:
    """Return what a model wrote.

    Args:
        completion: A string; a chat message (``{"role": "assistant", "content": ...}``), or a
            list of messages, of which the last one of the assistant counts. The content is a
            string or a list of parts with a ``"text"``; calls of tools are not read. An object
            that is no message (it has neither ``"role"`` nor ``"content"``), and a list with such
            an object, or a number is an answer that was parsed, and is written as JSON again;
            bytes are read as UTF-8. None stands for no answer, as does a list without a message of
            the assistant.

    Raises:
        InputError: If it is none of these.
    """
    if completion is None or isinstance(completion, str):
        return completion
    if isinstance(completion, (bytes, bytearray)):
        return completion.decode("utf-8", "replace")
    if isinstance(completion, (int, float)):  # what a parser makes of an answer "3"
        return json.dumps(completion)
    if isinstance(completion, Mapping):
        return _content(completion.get("content")) if _is_message(completion) else _json(completion)
    if isinstance(completion, Sequence) and all(isinstance(m, Mapping) for m in completion):
        if not all(map(_is_message, completion)):
            return _json(completion)
        own = [message for message in completion if message.get("role", "assistant") == "assistant"]
        return text_of(own[-1]) if own else None
    raise InputError(
        f"a completion is {type(completion).__name__}, not text",
        expected="what the model wrote, as str, a list of chat messages, or a list of steps, each"
        " an object; None if there is no answer",
        mend="give one completion for each task; an answer that was parsed can be written as JSON:"
        " json.dumps(...)",
    )


def _is_message(value: Mapping[object, object]) -> bool:
    return "content" in value or "role" in value


def _json(parsed: object) -> str:
    """Write an answer that was parsed as the text that it was."""
    try:
        check_value(parsed)
        return json.dumps(parsed, default=_plain)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"a completion cannot be written as JSON: {error}",
            expected="a list of steps such as {'WALK': ['light.34']}, or the text itself",
        ) from None


def _plain(value: object) -> object:
    """Mappings that are no dictionaries."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a value of type {type(value).__name__} stands in it")


def _content(content: object) -> str | None:
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, Sequence) and all(
        isinstance(part, str) or (isinstance(part, Mapping) and ("text" in part or "type" in part))
        for part in content
    ):
        texts = (part if isinstance(part, str) else part.get("text") for part in content)
        return "".join(text for text in texts if isinstance(text, str))
    parsed = isinstance(content, Sequence) and any(isinstance(part, Mapping) for part in content)
    shown = "a list without texts" if parsed else f"{type(content).__name__}, not text"
    raise InputError(
        f"the content of a message is {shown}",
        expected="a string, or a list of parts with a 'text'",
        mend="write an answer that was parsed as JSON again: json.dumps(...)",
    )


def listed(tasks: object, completions: object) -> tuple[list[str], list[object]]:
    """Return tasks (one for all, or one for each) and completions as lists of the same length."""
    if isinstance(completions, (str, Mapping)) or not isinstance(completions, Iterable):
        raise InputError(
            f"completions are {type(completions).__name__}, not a list",
            expected="a list with a completion for each task, or with several for one task",
            mend="give the keys as tasks and the values as completions"
            if isinstance(completions, Mapping)
            else "put a single one into a list: [completion]",
        )
    texts = list(completions)
    if isinstance(tasks, str) or not isinstance(tasks, Iterable):
        tasks = [tasks] * len(texts)
    names = list(tasks)
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                f"a task is {type(name).__name__}",
                expected="the identifier of a task, as str; Reward(...).tasks() lists them",
            )
    if len(names) != len(texts):
        raise InputError(
            f"{counted(len(names), 'task')} for {counted(len(texts), 'completion')}",
            expected="one task for all, as str, or a list with one for each completion",
            mend=f"give it as a string, without a list: {names[0]!r}"
            if len(names) == 1
            else "repeat the task of each completion",
        )
    return names, texts
