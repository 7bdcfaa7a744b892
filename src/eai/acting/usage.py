"""Answers of models with what they used: tokens, and the cost where an endpoint states it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping


class Answer(str):
    """The text of a model's answer, with details from its endpoint.

    Attributes:
        usage: Tokens, and the cost if it is stated, by the endpoint's names
            (``{"prompt_tokens": 812, ..., "cost": 0.0021}``).
        finish_reason: Reason why the model stopped (``"stop"``, ``"length"``); empty if it is not
            given.
    """

    __slots__ = ("finish_reason", "usage")

    def __new__(  # noqa: PYI034
        cls, text: str, usage: Mapping[str, float] | None = None, finish_reason: str = ""
    ) -> Answer:
        """Return a string with the usage and the finish reason as attributes."""
        new = super().__new__(cls, text)
        new.usage = dict(usage or {})
        new.finish_reason = finish_reason
        return new

    def __getnewargs__(self) -> tuple[str, dict[str, float], str]:  # type: ignore[override]
        """Return the arguments by which it is pickled."""
        return str(self), self.usage, self.finish_reason

    usage: dict[str, float]
    finish_reason: str


_MAX_AMOUNT = 1e15
"""Greater numbers are no amounts of tokens or of money."""

_MAX_AMOUNTS = 20
"""Maximum number of amounts of one answer; endpoints state three to six."""


def usage_amounts(usage: Mapping[object, object]) -> dict[str, float]:
    """Return the amounts in the usage that an endpoint states, by its names.

    Everything else is left out: objects with details, nulls, truth values, and numbers that can be
    no amount.

    Examples:
        >>> usage_amounts({"prompt_tokens": 812, "cost": 0.0021, "details": {"cached_tokens": 0}})
        {'prompt_tokens': 812, 'cost': 0.0021}
    """
    amounts: dict[str, float] = {}
    for name, amount in usage.items():
        if not isinstance(amount, (int, float)) or isinstance(amount, bool):
            continue
        # NaN is not between any bounds.
        if 0 <= amount <= _MAX_AMOUNT and len(amounts) < _MAX_AMOUNTS:
            amounts[str(name)] = amount
    return amounts


def usage_of(answers: Iterable[str | None]) -> dict[str, float]:
    """Return the sum of what some answers used.

    An amount that one of them does not state is left out: its sum would be too small.
    """
    total: dict[str, float] = {}
    stated: Counter[str] = Counter()
    answer_count = 0
    for answer in answers:
        answer_count += 1
        if isinstance(answer, Answer):
            add_usage(total, answer.usage)
            stated.update(answer.usage.keys())
    return {name: amount for name, amount in total.items() if stated[name] == answer_count}


def add_usage(total: dict[str, float], usage: Mapping[str, float]) -> None:
    """Add the usage of an answer to a sum, by the endpoint's names."""
    for name, amount in usage.items():
        total[name] = total.get(name, 0) + amount
