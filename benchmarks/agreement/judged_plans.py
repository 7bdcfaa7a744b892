"""Compare verdicts on plans with numbers, preferences and times with those of VAL and Kairos.

    python benchmarks/agreement/judged_plans.py [--facts DIR] [--kind numeric ...] [--show N]

`DIR` (by default `EAI_FACTS`) holds `pddl21/plans.jsonl` (plans with the verdict, the failing step
and the metric of each tool, and which tool is right where they differ) and `pddl21/domains.zip`.
Neither ships with the package.

A plan on which VAL and Kairos agree has to get their verdict, its failing step that of one of them,
and a valid one the value of its metric. Of the others, the verdict of the tool that is right counts
as the same. The exit code is 1 if a verdict differs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eai.errors import InputError
from eai.suites.pddl import Diagnosis, Validator

Row = dict[str, Any]

KINDS = ("numeric", "preferences", "durative")


class Tasks:
    """Reads the tasks of an archive once.

    Args:
        archive: Path of the archive, with ``DOMAIN/PROBLEM/domain.pddl`` and ``problem.pddl``.
    """

    def __init__(self, archive: Path) -> None:
        self._archive = zipfile.ZipFile(archive)
        self._validators: dict[tuple[str, str], Validator | InputError] = {}

    def validator(self, row: Row) -> Validator | InputError:
        """Return the validator of a plan's task, or why the task is not read."""
        key = row["domain"], row["problem"]
        if key not in self._validators:
            folder = "/".join(key)
            try:
                validator = Validator(
                    self._archive.read(f"{folder}/domain.pddl").decode(),
                    self._archive.read(f"{folder}/problem.pddl").decode(),
                )
            except InputError as error:
                self._validators[key] = error
            else:
                self._validators[key] = validator
        return self._validators[key]


def right_verdict(row: Row) -> str:
    """Return the verdict on a plan that VAL and Kairos share, or that of the one that is right."""
    if row["val"] == row["kairos"]:
        return str(row["val"])
    if str(row["right"]).startswith("by the letter VAL"):
        return str(row["val"])
    return str(row["kairos"])


def outcomes(row: Row, found: Diagnosis) -> Iterator[str]:
    """Yield what is counted of one plan."""
    verdict = "valid" if found.valid else "invalid"
    expected = right_verdict(row)
    both = "both agree" if row["val"] == row["kairos"] else "they differ"
    if verdict != expected:
        yield f"{both}: verdict DIFFERS"
        return
    yield f"{both}: same verdict"
    if both == "they differ":
        return
    if found.valid:
        yield _metric(row, found)
        return
    if found.failed_step in (row["kairos_step"], row["exact_step"]):
        yield "same failing step as Kairos"
    else:
        yield "failing step not as Kairos"


def _metric(row: Row, found: Diagnosis) -> str:
    """Return whether the value of a valid plan is that of Kairos."""
    expected = row["kairos_metric"] if row["exact_metric"] is None else row["exact_metric"]
    if expected is None:
        return "no metric"
    if found.cost is None or abs(found.cost - float(expected)) > 1e-4 * (1 + abs(float(expected))):
        return "metric DIFFERS"
    return "same metric as Kairos"


def main() -> None:
    """Print how many plans of each kind are judged alike, and those that are not."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--facts", type=Path, default=os.environ.get("EAI_FACTS"))
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--show", type=int, default=0, help="plans to print that differ")
    options = parser.parse_args()
    if options.facts is None:
        parser.error("say where the plans are: --facts DIR, or EAI_FACTS")
    folder = Path(options.facts) / "pddl21"
    rows = [json.loads(line) for line in (folder / "plans.jsonl").read_text().splitlines()]
    tasks = Tasks(folder / "domains.zip")
    is_different = False
    for kind in options.kind:
        counts: Counter[str] = Counter()
        seconds = 0.0
        shown = 0
        for row in (row for row in rows if row["class"] == kind):
            counts["plans"] += 1
            validator = tasks.validator(row)
            if isinstance(validator, InputError):
                counts[f"task not read: {validator.what}"] += 1
                continue
            started = time.process_time()
            found = validator.diagnose(row["plan"])
            seconds += time.process_time() - started
            for outcome in outcomes(row, found):
                counts[outcome] += 1
                if outcome.endswith(("DIFFERS", "not as Kairos")) and shown < options.show:
                    shown += 1
                    print(f"{outcome}: {row['domain']} {row['problem']}, {row['change']}: {found}")
        is_different = is_different or any(what.endswith("DIFFERS") for what in counts)
        print(f"{kind}: {counts.pop('plans'):,} plans, {seconds:.1f} s")
        for what, number in sorted(counts.items()):
            print(f"{number:7,} {what}")
    sys.exit(is_different)


if __name__ == "__main__":
    main()
