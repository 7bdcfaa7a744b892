"""How answers end that a model did not end by itself: cut off, filtered, or refused."""

from __future__ import annotations

from enum import Enum


class Ending(str, Enum):
    """Why the text of an answer is not the whole answer of a willing model."""

    CUT_OFF = "cut_off"
    FILTERED = "filtered"
    REFUSED = "refused"

    @property
    def words(self) -> str:
        """The ending in words, which follow the answers that have it."""
        return _WORDS[self]


_WORDS = {
    Ending.CUT_OFF: "cut off: the model had no tokens left (finish_reason: length)",
    Ending.FILTERED: "stopped by a filter of the endpoint (finish_reason: content_filter)",
    Ending.REFUSED: "refused: the output is the text of the refusal",
}

# Each producer has its own words: OpenAI, Anthropic, Gemini, Bedrock, Mistral.
_BY_REASON = {
    Ending.CUT_OFF: ("length", "max_tokens", "max_output_tokens", "model_length"),
    Ending.FILTERED: (
        *("content_filter", "content_filtered", "guardrail_intervened"),
        *("safety", "prohibited_content", "blocklist", "recitation", "spii"),
    ),
    Ending.REFUSED: ("refusal",),
}


def endings_of(finish_reason: str, *, is_refusal: bool = False) -> tuple[Ending, ...]:
    """Return how an answer ended; nothing if the model ended it by itself.

    Args:
        finish_reason: Why the model stopped, as its producer calls it; empty if it is not stated.
        is_refusal: Whether the answer is marked as a refusal, whatever the reason says.

    Examples:
        >>> [ending.value for ending in endings_of("content_filter", is_refusal=True)]
        ['filtered', 'refused']
    """
    endings = [ending for ending, names in _BY_REASON.items() if finish_reason.lower() in names]
    if is_refusal and Ending.REFUSED not in endings:
        endings.append(Ending.REFUSED)
    return tuple(endings)
