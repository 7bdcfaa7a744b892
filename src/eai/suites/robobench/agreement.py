"""How far the symbolic scores of plans agree with those of a language model, or of people."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import kendalltau, pearsonr, spearmanr

from eai.errors import InputError
from eai.nesting import load_json
from eai.report import id_of, kappa_rows, score_records
from eai.suites.robobench.items import RoboBenchQuestion, plain_id
from eai.suites.robobench.mistakes import mistakes_of
from eai.suites.robobench.score import PlanScore, prepared
from eai.table import Table

# Resamples of the bootstrap.
_DRAWS = 1000
CLASSES = ("empty goal", "name", "implicit step", "surrogate", "geometry", "obstacle")
"""Why two scores differ, as far as the ledger says."""


class RatedPair(NamedTuple):
    """Two scores of the same plan, each from 0 to 20."""

    manifest: str
    ours: int
    theirs: float
    why: str


def read_scores(path: Path) -> tuple[dict[str, float], int]:
    """Read the scores of other judges.

    A score is the sum of ``node_correctness`` and ``task_completion``, or ``score`` (0 to 20).

    Returned by id, with how many records have none that can be read.
    """
    scores: dict[str, float] = {}
    broken = 0
    for record in score_records(path):
        name = id_of(record)
        value = _score(record)
        # Two scores of 0 to 10 each.
        if name and value is not None and 0 <= value <= 20:
            scores[plain_id(name)] = value
        else:
            broken += 1
    if not scores:
        raise InputError(
            f"there are no scores in {path}",
            expected="records with an id, and node_correctness and task_completion, or score",
        )
    return scores, broken


def _score(record: Mapping[str, Any]) -> float | None:
    """Return the score in a record, in a nested record, or in the text of an answer.

    None if none of these has numbers.
    """
    objects: list[object] = [record, *record.values()]
    for text in record.values():
        if isinstance(text, str):
            # No bracket and broken JSON are ValueErrors alike: then the text has no object.
            with contextlib.suppress(ValueError):
                objects.append(load_json(text[text.index("{") : text.rindex("}") + 1]))
    for value in objects:
        if isinstance(value, dict):
            with contextlib.suppress(ValueError):
                return _sum_of_scores(value)
    return None


def _sum_of_scores(values: Mapping[str, Any]) -> float:
    """Return the sum of the two scores in an object, or its single ``score``.

    Raises:
        ValueError: If they are no numbers.
    """
    scores = []
    for key in ("node_correctness", "task_completion"):
        score = values.get(key)
        if isinstance(score, dict):
            score = score.get("score")  # {"score": 7, "reason": "..."}
        scores.append(score)
    if None in scores:
        scores = [values.get("score")]
    return sum(float(str(score)) for score in scores)


def pair_scores(
    items: Mapping[str, RoboBenchQuestion],
    answers: Mapping[str, str],
    theirs: Mapping[str, float],
    quirks: frozenset[str],
) -> list[RatedPair]:
    """Return a pair of scores for each plan that both judges scored.

    Args:
        items: Identifier to question.
        answers: Identifier to answer.
        theirs: Identifier to the score of the published judge.
        quirks: The quirks of our score.
    """
    pairs = []
    for task_id, answer in answers.items():
        question = items.get(task_id)
        if question is None or task_id not in theirs or question.ability != "multi_step_plan":
            continue
        gold = prepared(question.gold, question.dag, question.scene, quirks=quirks)
        score = gold.evaluate(answer)
        # A gold plan without milestones counts as completed, as in the published prompts.
        completion = 10 if score.completion is None else score.completion
        our_points = 0 if score.problem else score.node + completion
        judge_points = theirs[task_id]
        disagreement = _disagreement_class(score, judge_points - our_points)
        pairs.append(RatedPair(question.manifest, our_points, judge_points, disagreement))
    return pairs


def _disagreement_class(score: PlanScore, difference: float) -> str:
    """Return the class of a disagreement. ``difference`` is the other judge's score minus ours."""
    if difference == 0:
        return ""
    if not score.milestones:
        return "empty goal"
    if difference < 0:
        return _why_ours_is_higher(score)
    # The other score is higher: something here was stricter than the other judge.
    kinds = {mistake.kind for mistake in mistakes_of(score)}
    if kinds & {"wrong_object", "parameter_mismatch", "aliasing", "css_reference"}:
        return "name"
    for reason in score.failures.values():
        if reason in ("not held", "not there", "shut in"):
            return "implicit step"
    if None in score.matched:
        return "surrogate"
    return "geometry"


def _why_ours_is_higher(score: PlanScore) -> str:
    """Return why the other judge is stricter: another skill, or an obstacle in the picture."""
    for result in score.milestones:
        if result.reached and score.matched[result.milestone.step] is None:
            return "surrogate"
    return "obstacle"


def tables(pairs: Sequence[RatedPair], source: str, broken: int = 0) -> list[Table]:
    """Return tables that compare two scores item by item.

    Args:
        pairs: The pairs of scores.
        source: Name of the file with the other scores.
        broken: Number of its records without a score.
    """
    if not pairs:
        raise InputError("no plan was scored by both", expected="records of the same questions")
    counts = Counter(pair.why for pair in pairs)
    rows = _agreement_rows(pairs, broken)
    return [
        Table(f"symbolic-q1 and {source}", [{"what": row, "value": value} for row, value in rows]),
        Table("Difference by manifest", _manifest_rows(pairs)),
        Table("Disagreements by class", [{"class": why, "plans": counts[why]} for why in CLASSES]),
    ]


def _agreement_rows(pairs: Sequence[RatedPair], broken: int) -> list[tuple[str, str | int | float]]:
    """Return measures of agreement: equality, mean difference, correlation and kappa."""
    ours = [float(pair.ours) for pair in pairs]
    theirs = [pair.theirs for pair in pairs]
    differences = np.array(theirs) - np.array(ours)
    # Bootstrap: means of samples of equally many pairs, which are drawn with replacement.
    samples = np.random.default_rng(0).integers(0, len(pairs), (_DRAWS, len(pairs)))
    low, high = np.percentile(differences[samples].mean(axis=1), (2.5, 97.5))
    n_equal = sum(difference == 0 for difference in differences.tolist())
    n_close = sum(abs(difference) <= 1 for difference in differences.tolist())
    rows: list[tuple[str, str | int | float]] = [
        ("Plans that both scored", len(pairs)),
        ("Their records without a score", broken),
        ("Equal (%)", round(100 * n_equal / len(pairs), 1)),
        ("Within 1 of 20 (%)", round(100 * n_close / len(pairs), 1)),
        (
            "Mean difference, theirs less ours (0..20)",
            round(sum(differences.tolist()) / len(pairs), 2),
        ),
        ("95 % interval (bootstrap)", f"{low:.2f} to {high:.2f}"),
    ]
    # A correlation with constant scores is undefined.
    if len(set(ours)) > 1 and len(set(theirs)) > 1:
        correlations = (("Pearson", pearsonr), ("Spearman", spearmanr), ("Kendall", kendalltau))
        for name, correlate in correlations:
            rows.append((name, round(float(correlate(ours, theirs)[0]), 3)))
    rows += kappa_rows(ours, theirs)
    return rows


def _manifest_rows(pairs: Sequence[RatedPair]) -> list[dict[str, str | int | float]]:
    """Return the mean difference of scores for each manifest."""
    by_manifest: dict[str, list[float]] = {}
    for pair in pairs:
        by_manifest.setdefault(pair.manifest, []).append(pair.theirs - pair.ours)
    rows: list[dict[str, str | int | float]] = []
    for name, differences in sorted(by_manifest.items()):
        mean = round(sum(differences) / len(differences), 2)
        rows.append({"manifest": name, "plans": len(differences), "theirs less ours": mean})
    return rows
