"""Tables, comparisons and statistics of random reports of every ability, as they were before.

Run as a script, it makes all of them anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from recorded_cases import read_cases, renew_cases
from recorded_reports import match_result, plan_result
from report_samples import record

from eai.diagnosis import Condition, ErrorKind, Finding, Measure, Result, RuleVerdict
from eai.errors import EaiError
from eai.report import (
    Leaderboard,
    PassAt,
    Record,
    Report,
    kappa_rows,
    length_bins,
    rate_interval,
    record_from_json,
    record_to_json,
    rule_counts,
    wilson,
)
from eai.report.comparison import Difference, conclusion, smallest_visible
from eai.report.intervals import interval_table
from eai.report.scoring import PathGoal, RulesKept, SafeSuccess
from eai.report.statistics import exchange_bounds, holm, mcnemar, newcombe, ratio_interval, student
from eai.report.tables import from_to, latex_text, markdown_text

__all__ = ["KINDS", "recorded", "result_of"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "tables"

MODELS = ("alpha", "beta & co", "gamma_2", "delta")
ABILITIES: tuple[str, ...] = (
    "action_sequencing",
    "goal_interpretation",
    "subgoal_decomposition",
    "interaction",
)
ABILITIES += ("transition_modeling", "something else")
SUITES = ("household", "virtualhome", "behavior", "")
MEASURES = ("steps", "turns", "invalid_actions", "distance")


def shown(text: object) -> str:
    """Return the numbers, marks and models of a text, in order."""
    return " ".join(re.findall(r"\d+(?:\.\d+)?|[<\u2020\u00b1*]|alpha|beta|gamma|delta", str(text)))


def episode_result(random: Random) -> Result:
    """Return a result of an episode, with measures and rules."""
    success = random.random() < 0.5
    measures = tuple(
        Measure(kind, random.randint(0, 5), random.randint(1, 5))
        for kind in random.sample(MEASURES, random.randint(0, 3))
    )
    rules = tuple(
        RuleVerdict(name, random.random() < 0.7, step=1, at_stake=random.random() < 0.8)
        for name in ("dry", "never spill")[: random.choice((0, 1, 2))]
    )
    kinds = random.sample(list(ErrorKind), random.choice((0, 0, 1, 2)))
    return Result(
        random.choice(("evaluated",) * 6 + ("missing", "excluded")),
        success=success,
        executable=success or random.random() < 0.3,
        findings=tuple(Finding(kind, "it is wrong", step=1, times=2) for kind in kinds),
        goals=(Condition("state", "on(lamp)", met=success),),
        formula_holds=random.choice((None, True, False)),
        measures=measures,
        rules=rules,
    )


def records_of(random: Random, ability: str) -> list[Record]:
    """Return records of some models on some tasks, with what they cost."""
    draw = {"goal_interpretation": match_result, "transition_modeling": match_result}.get(
        ability, random.choice((plan_result, episode_result))
    )
    repeated = random.choice((0, 0, 0, 2, 3))
    has_usage = random.random() < 0.5
    suite = random.choice(SUITES)
    records = []
    for model in MODELS[: random.randint(1, 4)]:
        for task in range(random.randint(1, 8)):
            for epoch in range(1, repeated + 1) if repeated else (0,):
                usage = {"input_tokens": random.randint(1, 900), "cost": random.random()}
                one = record(draw(random), task=f"t{task}", model=model, output=f"answer {epoch}")
                one = replace(
                    one, ability=ability, suite=suite, epoch=epoch, name=f"kind {task % 2}"
                )
                records.append(replace(one, usage=usage if has_usage else {}))
    return records


def _figures(value: object) -> Any:
    """Return numbers that differ in no more than their last digits as the same."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, tuple):
        return list(map(_figures, value))
    return value


def _difference(difference: Difference) -> list[Any]:
    """Return a difference of two models in all its figures."""
    figures = (
        *(difference.metric, difference.unit, difference.tasks, difference.values),
        *(difference.interval, difference.p_value, difference.adjusted, difference.effect),
        *(difference.pairs, difference.draws, difference.significant, difference.as_text(sign=-1)),
        *(smallest_visible(difference), shown(conclusion(difference, 3))),
    )
    return list(map(_figures, figures))


def reports(random: Random) -> list[Any]:
    """Return the figures of a random report in all renderings."""
    ability = random.choice(ABILITIES)
    records = records_of(random, ability)
    report = Report(records, ["2 notes", "alpha: 3 answers were cut"], package_version="0.1.0")
    if random.random() < 0.4:
        metrics = random.sample((PassAt(1), PassAt(2), PathGoal(), RulesKept(), SafeSuccess()), 2)
        report = report.with_metrics(metrics)
    boards = [Leaderboard([report]), Leaderboard([report], average=True)]
    found: list[Any] = [
        [ability, records[0].suite, len(records)],
        shown(markdown_text(report)),
        shown(latex_text(report, wide=random.random() < 0.5)),
        shown(interval_table(report)),
        [shown(board) for board in boards],
        shown(boards[1].fitting(60)),
    ]
    for model in report.models:
        scores = [
            [score.key, score.unit, score.numerator, score.denominator, score.counts]
            for score in report.metrics(model)
        ]
        tally = report.tally(model)
        found.append([model, report.samples(model), len(report.failures(model)), scores])
        found.append({name: list(counts) for name, counts in rule_counts(tally).items()})
    if len(report.models) > 1:
        compared = report.compare(draws=100, answered=random.random() < 0.3)
        found.append(list(map(_difference, compared.differences)))
        found.append([shown(matrix) for matrix in compared.matrices])
    return found


def statistics(random: Random) -> list[Any]:
    """Return statistics of random numbers."""
    pairs = [random.choice((0, 1, 2, 5, random.randint(0, 30))) for _ in range(4)]
    rows = [
        (random.randint(0, 6), random.choice((0, 1, 2, 6))) for _ in range(random.randint(1, 6))
    ]
    counts = {row: random.randint(1, 4) for row in rows}
    # Some task counts for both, so that both rates are defined.
    both = {(*row, random.randint(0, 6), random.choice((0, 1, 3))): 2 for row in rows}
    both[1, 2, 2, 3] = 1
    outcomes = [(f"t{random.randint(0, 4)}", random.random() < 0.6) for _ in range(9)]
    verdicts = [[random.choice((0.0, 1.0, 0.5)) for _ in range(6)] for _ in range(2)]
    chances = [random.choice((0.0, 0.01, 0.02, 0.2, 0.9)) for _ in range(random.randint(0, 5))]
    figures: tuple[Callable[[], object], ...] = (
        lambda: wilson(pairs[0], pairs[0] + pairs[1] + 1),
        lambda: student(random.randint(1, 200)),
        lambda: mcnemar((pairs[0] + 1, pairs[1], pairs[2], pairs[3])),
        lambda: newcombe((pairs[0] + 1, pairs[1], pairs[2], pairs[3])),
        lambda: ratio_interval(counts),
        lambda: exchange_bounds(both),
        lambda: tuple(holm(chances)),
        lambda: rate_interval(outcomes),
        lambda: tuple(map(str, kappa_rows(*verdicts))),
        lambda: tuple(length_bins([random.randint(0, 40) for _ in range(7)], random.randint(1, 6))),
        lambda: from_to(pairs),
    )
    return [_figures(figure()) for figure in figures]


def _damage(random: Random, place: Any) -> None:
    """Take a value out of nested lists and objects, or put another one in its place."""
    keys = list(place) if isinstance(place, dict) else list(range(len(place)))
    key = random.choice(keys)
    if isinstance(place[key], (dict, list)) and place[key] and random.random() < 0.7:
        _damage(random, place[key])
    elif random.random() < 0.3:
        del place[key]
    else:
        place[key] = random.choice((None, -1, "x", [1], {"a": 1}, 2.5, True))


def lines(random: Random) -> list[Any]:
    """Return what is said of a damaged line of a record file."""
    draw = random.choice((plan_result, match_result, episode_result))
    one = replace(record(draw(random)), epoch=random.randint(0, 2), usage={"cost": 0.25})
    data = json.loads(record_to_json(one))
    _damage(random, data)
    try:
        again = record_from_json(json.dumps(data), where="here")
    except EaiError as error:
        return [type(error).__name__, error.where, re.findall(r"[\w.]+", str(error.what))[:12]]
    return [again == one, again.result.verdict]


KINDS: dict[str, Callable[[Random], list[Any]]] = {
    "reports": reports,
    "statistics": statistics,
    "lines": lines,
}


def result_of(kind: str, number: int) -> list[Any]:
    """Return the figures of a random case, as they are kept."""
    kept: list[Any] = json.loads(json.dumps(KINDS[kind](Random(f"{kind} {number}"))))
    return kept


def recorded(kind: str) -> list[tuple[int, list[Any]]]:
    """Return the numbers of cases of a kind, each with its figures."""
    return read_cases(FOLDER / f"{kind}.jsonl")


if __name__ == "__main__":
    for each in KINDS:
        renew_cases(FOLDER / f"{each}.jsonl", partial(result_of, each))
