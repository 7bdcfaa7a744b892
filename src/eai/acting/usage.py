"""Answers of models with what they used: tokens, and the cost where an endpoint states it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from eai.acting.endings import Ending, endings_of


class Answer(str):
    """The text of a model's answer, with details from its endpoint.

    Attributes:
        usage: Tokens, and the cost if it is stated, by the endpoint's names
            (``{"prompt_tokens": 812, ..., "cost": 0.0021}``).
        finish_reason: Reason why the model stopped (``"stop"``, ``"length"``); empty if it is not
            given.
        details: What else the endpoint states, if it does: ``served_model`` (the server's own name
            of the model), ``reasoning_content`` (what the model thought before it answered) and
            ``refusal`` (true if the text is the model's refusal to answer).
    """

    __slots__ = ("details", "finish_reason", "usage")

    def __new__(  # noqa: PYI034
        cls,
        text: str,
        usage: Mapping[str, float] | None = None,
        finish_reason: str = "",
        details: Mapping[str, str | bool] | None = None,
    ) -> Answer:
        """Return a string with what the endpoint states as attributes."""
        new = super().__new__(cls, text)
        new.usage = dict(usage or {})
        new.finish_reason = finish_reason
        new.details = dict(details or {})
        return new

    def __getnewargs__(  # type: ignore[override]
        self,
    ) -> tuple[str, dict[str, float], str, dict[str, str | bool]]:
        """Return the arguments by which it is pickled."""
        return str(self), self.usage, self.finish_reason, self.details

    usage: dict[str, float]
    finish_reason: str
    details: dict[str, str | bool]

    @property
    def endings(self) -> tuple[Ending, ...]:
        """How it ended, if the model did not end it by itself."""
        return endings_of(self.finish_reason, is_refusal=self.details.get("refusal") is True)


_MAX_AMOUNT = 1e15
"""Greater numbers are no amounts of tokens or of money."""

_MAX_AMOUNTS = 20
"""Maximum number of amounts of one answer; endpoints state three to six."""

_REASONING = "reasoning_tokens"
_COMPLETION_DETAILS = ("completion_tokens_details", "output_tokens_details")
"""Where OpenAI's two protocols state the reasoning tokens, which the completion's include."""


def usage_amounts(usage: Mapping[object, object]) -> dict[str, float]:
    """Return the amounts in the usage that an endpoint states, by its names.

    Of the objects with details only the reasoning tokens are kept: they are often most of an
    answer. Everything else is left out: nulls, truth values, and numbers that can be no amount.

    Examples:
        >>> usage_amounts({"prompt_tokens": 812, "cost": 0.0021, "details": {"cached_tokens": 0}})
        {'prompt_tokens': 812, 'cost': 0.0021}
        >>> usage_amounts({"completion_tokens_details": {"reasoning_tokens": 64}})
        {'reasoning_tokens': 64}
    """
    amounts: dict[str, float] = {}
    stated = dict(usage)
    for details_name in _COMPLETION_DETAILS:
        details = usage.get(details_name)
        if isinstance(details, Mapping) and _REASONING in details:
            stated.setdefault(_REASONING, details[_REASONING])
    for name, amount in stated.items():
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
