"""The published success rates of AsgardBench, and why ours do not stand beside them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

from eai.errors import UnknownNameError

__all__ = ["CONDITION", "CONDITIONS", "NOT_COMPARABLE", "PublishedResult", "published_results"]

CONDITION = "textual observation"
"""Under which condition agents act here: they read what is seen."""

NOT_COMPARABLE = (
    f"Condition: {CONDITION}, in a symbolic world. The published rates are of agents that look at "
    "pictures, or at nothing (text only): they are not comparable."
)
"""What has to stand beside every score."""

CONDITIONS = {
    "baseline": "pictures, whether each action worked, the hand, memory, the picture before",
    "detailed_feedback": "baseline, and why an action failed",
    "no_feedback": "baseline without what came of the actions",
    "no_hand": "baseline without the hand in the picture",
    "no_memory": "baseline without notes",
    "no_previous_image": "baseline without the picture before",
    "text_only_simple": "nothing is seen; whether each action worked",
    "text_only_detailed": "nothing is seen; also why an action failed",
    "text_only_none": "nothing is seen; nothing is said of what came of the actions",
}
"""The published conditions and what agents get under them (AsgardBench, section 4, Table 6)."""


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """One published success rate.

    Args:
        model: The model.
        condition: Under which condition, a key of :data:`CONDITIONS`.
        success_rate: In percent of 108 instances; the median over runs, of which there may be
            one.
    """

    model: str
    condition: str
    success_rate: float


def published_results(condition: str | None = None) -> tuple[PublishedResult, ...]:
    """Return the published success rates (AsgardBench, Table 6), in the order of the paper.

    None of them is of the condition under which agents act here; see :data:`NOT_COMPARABLE`.

    Args:
        condition: One of :data:`CONDITIONS`; all if None.

    Raises:
        UnknownNameError: If there is no such condition.
    """
    if condition is not None and condition not in CONDITIONS:
        raise UnknownNameError("condition", condition, CONDITIONS)
    wanted = CONDITIONS if condition is None else (condition,)
    return tuple(each for each in _table() if each.condition in wanted)


@cache
def _table() -> tuple[PublishedResult, ...]:
    folder = resources.files("eai.data.tasks.asgardbench")
    data = json.loads(folder.joinpath("published.json").read_text("utf-8"))
    return tuple(
        PublishedResult(model, condition, rate)
        for model, rates in data["success_rates"].items()
        for condition, rate in rates.items()
    )
