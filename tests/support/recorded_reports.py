"""The numbers of reports, comparisons and leaderboards as they were printed before.

Of every rendering only the numbers are kept, in order: sentences may be written otherwise. Run as
a script, it makes all of them anew.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from report_samples import EXCLUDED, GARBLED, GOALS, MISSING, SOLVED, STOPPED, record

from eai.diagnosis import Condition, Match, Result
from eai.report import Leaderboard, Record, Report, kappa, kappa_interval, length_bins

__all__ = ["COUNT", "recorded", "result_of"]

FILE = Path(__file__).parents[1] / "fixtures" / "reports.jsonl"
COUNT = 24

TEXTS = ("on(lamp)", "inside(cup, sink)", "TOUCH")


def plan_result(random: Random) -> Result:
    """Return a result of a plan, with conditions of its own."""
    result = random.choice((SOLVED, SOLVED, STOPPED, STOPPED, GARBLED, MISSING, EXCLUDED))
    if result is EXCLUDED or random.random() < 0.3:
        return result
    goals = tuple(
        Condition(goal.kind, goal.text, met=result is SOLVED or random.random() < 0.5)
        for goal in random.sample(GOALS, random.randint(1, 3))
    )
    return replace(result, goals=goals)


def match_result(random: Random) -> Result:
    """Return a result of goal interpretation: counts for each kind of goal."""
    kinds = ("state", "relation", "action")
    matches = tuple(Match(kind, *(random.randint(0, 4) for _ in range(3))) for kind in kinds)
    goals = tuple(Condition("state", text, met=random.random() < 0.6) for text in TEXTS)
    return Result("scored", matches=matches, goals=goals)


def records_of(random: Random, ability: str) -> list[Record]:
    """Return records of some models on some tasks, sometimes several for a task."""
    models = ("alpha", "beta & co", "gamma", "delta", "epsilon")[: random.randint(1, 5)]
    tasks = random.randint(3, 14)
    repeated = random.random() < 0.3
    found = []
    for model in models:
        for task in range(tasks):
            if random.random() < 0.08:
                continue
            draw = plan_result if ability == "action_sequencing" else match_result
            for sample in range(random.randint(1, 3) if repeated else 1):
                one = record(draw(random), task=f"t{task}", model=model, output=str(sample))
                epoch = sample + repeated
                found.append(replace(one, ability=ability, name=f"kind {task % 3}", epoch=epoch))
    return found


def numbers(text: object) -> str:
    """Return the numbers in a text, in order."""
    return " ".join(re.findall(r"\d+(?:\.\d+)?|[<\u2020*]", str(text)))


def result_of(number: int) -> list[Any]:
    """Return the numbers of all renderings of a random report."""
    random = Random(f"report {number}")
    ability = random.choice(("action_sequencing", "action_sequencing", "goal_interpretation"))
    records = records_of(random, ability)
    report = Report(records, ["1 note"], package_version="0.1.0")
    board = Leaderboard([report], average=random.random() < 0.5)
    found: list[Any] = [
        numbers(report),
        numbers(report.intervals()),
        numbers(board),
        numbers(board.latex(wide=random.random() < 0.5)),
        numbers(board.counts),
    ]
    if len(report.models) > 1:
        compared = report.compare(draws=200, answered=random.random() < 0.3)
        found += [numbers(compared), *map(numbers, compared.conclusions)]
    first, second = ([random.randint(0, 1) for _ in range(9)] for _ in range(2))
    agreement = (kappa(first, second), *(kappa_interval(first, second) or ()))
    found.append([None if value is None else round(value, 9) for value in agreement])
    found.append(numbers(length_bins([random.randint(1, 40) for _ in range(random.randint(1, 9))])))
    kept: list[Any] = json.loads(json.dumps(found))
    return kept


def recorded() -> list[list[Any]]:
    """Return the results by number."""
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


if __name__ == "__main__":
    rows = [json.dumps(result_of(number), separators=(",", ":")) for number in range(COUNT)]
    FILE.write_text("\n".join(rows) + "\n", "utf-8")
