"""The text of a completion, in the forms in which trainers pass it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from eai.errors import InputError
from eai.nesting import check_value
from eai.text import counted


def text_of(completion: object) -> str | None:
    """Return the text of a completion; None if there is no answer.

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
    if isinstance(completion, (int, float)):  # a parser makes this of the answer "3"
        return json.dumps(completion)
    if isinstance(completion, Mapping):
        if _is_message(completion):
            return _text_of_content(completion.get("content"))
        return _format_json(completion)
    if isinstance(completion, Sequence) and all(isinstance(m, Mapping) for m in completion):
        if all(_is_message(message) for message in completion):
            return _last_assistant_text(completion)
        return _format_json(completion)
    raise InputError(
        f"a completion is {type(completion).__name__}, not text",
        expected="what the model wrote, as str, a list of chat messages, or a list of steps, each"
        " an object; None if there is no answer",
        mend="give one completion for each task; an answer that was parsed can be written as JSON:"
        " json.dumps(...)",
    )


def _is_message(value: Mapping[object, object]) -> bool:
    """Return whether an object is a chat message."""
    return "content" in value or "role" in value


def _format_json(parsed: object) -> str:
    """Return a parsed answer as JSON text."""
    try:
        check_value(parsed)
        return json.dumps(parsed, default=_dict_of_mapping)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"a completion cannot be written as JSON: {error}",
            expected="a list of steps such as {'WALK': ['light.34']}, or the text itself",
        ) from None


def _dict_of_mapping(value: object) -> object:
    """Return another mapping as a dictionary, which the JSON encoder can write."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a value of type {type(value).__name__} stands in it")


def _last_assistant_text(messages: Sequence[Mapping[str, object]]) -> str | None:
    """Return the text of the last message of the assistant; None if there is none."""
    for message in reversed(messages):
        if message.get("role", "assistant") == "assistant":
            return text_of(message)
    return None


def _text_of_content(content: object) -> str | None:
    """Return the text of the content of a message.

    Raises:
        InputError: If it is neither text nor a list of parts.
    """
    if content is None or isinstance(content, str):
        return content
    problem = f"{type(content).__name__}, not text"
    if isinstance(content, Sequence):
        if all(_is_part(part) for part in content):
            return "".join(_text_of_part(part) for part in content)
        if any(isinstance(part, Mapping) for part in content):
            problem = "a list without texts"
    raise InputError(
        f"the content of a message is {problem}",
        expected="a string, or a list of parts with a 'text'",
        mend="write an answer that was parsed as JSON again: json.dumps(...)",
    )


def _is_part(value: object) -> bool:
    """Return whether a value is a part of the content of a message, such as a text or a picture."""
    if isinstance(value, str):
        return True
    return isinstance(value, Mapping) and ("text" in value or "type" in value)


def _text_of_part(part: object) -> str:
    """Return the text of a part of the content of a message; empty if it has none."""
    text = part
    if isinstance(part, Mapping):
        text = part.get("text")
    if isinstance(text, str):
        return text
    return ""


def listed(tasks: object, completions: object) -> tuple[list[str], list[object]]:
    """Return tasks (one for all, or one for each) and completions as lists of the same length.

    Args:
        tasks: The identifier of a task, or a list of identifiers.
        completions: A list with a completion for each task, or with several for one task.

    Raises:
        InputError: If one of them has another form, or the lists differ in length.
    """
    texts = _completion_list(completions)
    # Trainers sample several completions of one task, and pass the task once or with each.
    if isinstance(tasks, str) or not isinstance(tasks, Iterable):
        tasks = [tasks] * len(texts)
    names = list(tasks)
    for name_type in set(map(type, names)):
        if not issubclass(name_type, str):
            raise InputError(
                f"a task is {name_type.__name__}",
                expected="the identifier of a task, as str; Reward(...).tasks() lists them",
            )
    if len(names) != len(texts):
        hint = "repeat the task of each completion"
        if len(names) == 1:
            hint = f"give it as a string, without a list: {names[0]!r}"
        raise InputError(
            f"{counted(len(names), 'task')} for {counted(len(texts), 'completion')}",
            expected="one task for all, as str, or a list with one for each completion",
            mend=hint,
        )
    return names, texts


def _completion_list(completions: object) -> list[object]:
    """Return completions as a list.

    Raises:
        InputError: If they are a text, a mapping, or nothing that can be iterated.
    """
    if isinstance(completions, Iterable) and not isinstance(completions, (str, Mapping)):
        return list(completions)
    hint = "put a single one into a list: [completion]"
    if isinstance(completions, Mapping):
        hint = "give the keys as tasks and the values as completions"
    raise InputError(
        f"completions are {type(completions).__name__}, not a list",
        expected="a list with a completion for each task, or with several for one task",
        mend=hint,
    )
