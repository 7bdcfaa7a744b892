"""The text of a completion, in the forms in which trainers pass it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from eai.errors import InputError

__all__ = ["listed", "text_of"]


def text_of(completion: object) -> str | None:
    """Return what a model wrote.

    Args:
        completion: A string; a chat message (``{"role": "assistant", "content": ...}``), or a
            list of messages, of which the last one of the assistant counts. The content is a
            string or a list of parts with a ``"text"``. None stands for no answer.

    Raises:
        InputError: If it is none of these.
    """
    if completion is None or isinstance(completion, str):
        return completion
    if isinstance(completion, Mapping):
        return _content(completion.get("content"))
    if isinstance(completion, Sequence) and all(isinstance(m, Mapping) for m in completion):
        own = [message for message in completion if message.get("role", "assistant") == "assistant"]
        return text_of(own[-1]) if own else None
    raise InputError(
        f"a completion is {type(completion).__name__}, not text",
        expected="what the model wrote, as str, or a list of chat messages",
    )


def _content(content: object) -> str | None:
    if isinstance(content, Sequence) and not isinstance(content, str):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    if content is None or isinstance(content, str):
        return content
    raise InputError(
        f"the content of a message is {type(content).__name__}, not text",
        expected="a string, or a list of parts with a 'text'",
    )


def listed(tasks: object, completions: object) -> tuple[list[str], list[object]]:
    """Return tasks and completions as lists of the same length.

    Args:
        tasks: One identifier for all, or one for each completion (any iterable).
        completions: The completions (any iterable but a string or a mapping).

    Raises:
        InputError: If they are not, or if their numbers differ.
    """
    if isinstance(completions, (str, Mapping)) or not isinstance(completions, Iterable):
        raise InputError(
            f"completions are {type(completions).__name__}", expected="a list with an item for each"
        )
    texts = list(completions)
    if isinstance(tasks, str) or not isinstance(tasks, Iterable):
        tasks = [tasks] * len(texts)
    names = list(tasks)
    for name in names:
        if not isinstance(name, str):
            raise InputError(
                f"a task is {type(name).__name__}", expected="the identifier of a task, as str"
            )
    if len(names) != len(texts):
        raise InputError(
            f"there are {len(names)} tasks for {len(texts)} completions",
            expected="one task for all, or one for each completion",
        )
    return names, texts
