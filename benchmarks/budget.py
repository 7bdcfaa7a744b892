"""Measure what real answers to transition modeling use of the budget, by hand.

    python benchmarks/budget.py FOLDER [--semantics official]

`FOLDER` has answers of models, `SUITE/transition_modeling/MODEL.json` (also compressed). For each
limit of the budget the largest uses and the 99th percentile are printed, and the answers that are
beyond it. The official data must have been fetched (`eai data fetch eai`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from eai.budget import Budget
from eai.model_outputs import answers_in
from eai.planning import plan
from eai.semantics import Semantics
from eai.suites.transition.environment import Environment, environment
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.suites.transition.written import read_answer, usable_operators

ABILITY = "transition_modeling"


def uses(where: Environment, answers: dict[str, str], semantics: Semantics) -> Iterator[list[int]]:
    """Yield what each answer uses, limit by limit; what is beyond the budget is printed."""
    for name, answer in answers.items():
        task = name.removeprefix("scene_1_")
        written = read_answer(where, answer, semantics) if task in where.model.demands else None
        operators = "" if written is None else usable_operators(where, written, semantics)
        if isinstance(operators, str):
            continue
        meter = semantics.budget.meter()
        found = plan(where.domain_with(operators), where.problem(task), budget=meter)
        if found.outcome == "beyond the budget":
            print(f"  {task}: {found.reason}")
        else:
            yield [getattr(meter, each.name) for each in fields(Budget)]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--semantics", default="official")
    given = parser.parse_args()
    semantics = Semantics.of(given.semantics, TRANSITION_QUIRKS)
    found: list[list[int]] = []
    for suite in ("behavior", "virtualhome"):
        for model, answers in answers_in(given.folder / suite / ABILITY).items():
            print(suite, model, flush=True)
            found += uses(environment(suite), dict(answers.items), semantics)
    for place, each in enumerate(fields(Budget)):
        used = sorted((use[place] for use in found), reverse=True)
        print(f"{each.name}: largest {used[:5]}, 99 % up to {used[len(used) // 100]}")


if __name__ == "__main__":
    main()
