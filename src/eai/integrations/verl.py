"""The reward function that verl loads by its path (written for 0.9.1).

verl calls it for one answer at a time, in the threads of many Ray actors, without the prompt. Rows
of other data sources go to verl's own function, since a row without a reward stops training there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eai.integrations.answer_text import answer_behind_turns
from eai.integrations.training import PARTS, scorer

_TURNS = 2
"""Number of turns of a conversation with one question and one answer, as verl counts them."""


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: object,
    extra_info: Mapping[str, Any] | None = None,
    *,
    suite: str,
    ability: str | None = None,
    kind: str = "graded",
    semantics: str = "strict",
    rules: str | None = None,
    **others: object,
) -> dict[str, float]:
    """Return the score of an answer and its parts, always under the same names.

    Args:
        data_source: The source of the row; only verl's own function needs it.
        solution_str: What the model wrote, without special tokens. After several turns it holds
            the words of tools and users as well, and then the last turn of the model counts.
        ground_truth: The identifier of the task.
        extra_info: What else verl knows of the row, such as ``num_turns``.
        suite: The name of the suite, from ``reward_kwargs`` as are those that follow.
        ability: The ability that is trained; by default plans.
        kind: ``"graded"``, ``"repair"`` or ``"binary"``.
        semantics: When a task counts as solved.
        rules: A file of rules, as for :class:`eai.Reward`.
        **others: What verl adds for reward models; it goes to verl's own function.
    """
    turns = int((extra_info or {}).get("num_turns") or _TURNS)

    def answer() -> str:
        if turns <= _TURNS:
            return solution_str
        return answer_behind_turns(solution_str)

    own_scorer = scorer(suite, ability, kind=kind, semantics=semantics, rules=rules)
    score = own_scorer.score_by(ground_truth, answer)
    if score is not None:
        return {"score": score.value, **score.parts}
    from verl.utils.reward_score import default_compute_score  # it loads much, and is seldom needed

    result: Any = default_compute_score(
        data_source, solution_str, ground_truth, extra_info, **others
    )
    if not isinstance(result, dict):
        result = {"score": float(result)}
    # verl stacks the scores of a batch: all rows need the same names.
    return {**dict.fromkeys(PARTS, 0.0), **result}
