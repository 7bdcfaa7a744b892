"""Compare verdicts on translations with Spot's as Lang2LTL published them; print counts, by hand.

    python benchmarks/agreement/translations.py RESULTS [--pairs 6000] [--seed 1]

RESULTS is the folder ``results`` of a checkout of Lang2LTL (arXiv 2302.11649). Its CSV files have a
reference and an output in each row, and whether Spot found them equivalent; equal pairs are taken
once. Of them so many are drawn at random and compared on infinite traces. Every pair on which Spot
and this library part is printed, except where Spot's run ended in a syntax error.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from eai.errors import EaiError, LimitError
from eai.suites.translations.formulas import compare_formulas, read_formula

Pair = tuple[str, str]


def main() -> None:
    """Print how often the verdicts agree, and the rate."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--pairs", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    said = dict(_published(options.results))
    pairs = sorted(said)
    random.Random(options.seed).shuffle(pairs)  # noqa: S311 - a sample, no secret
    chosen = pairs[: options.pairs]
    counts: Counter[tuple[str, str]] = Counter()
    started = time.process_time()
    for reference, output in chosen:
        theirs, ours = said[reference, output], _verdict(reference, output)
        counts[theirs, ours] += 1
        if theirs not in (ours, "Syntax Error"):
            print(f"{theirs} by Spot, {ours} here: {reference} | {output}")
    seconds = time.process_time() - started
    for (theirs, ours), number in sorted(counts.items()):
        print(f"{theirs:>12} by Spot, {ours:>10} here: {number}")
    print(f"{len(chosen)} of {len(pairs)} pairs, {len(chosen) / seconds:.0f} a CPU second")


def _published(results: Path) -> Iterator[tuple[Pair, str]]:
    """Yield the pairs of all files, each with Spot's verdict."""
    csv.field_size_limit(sys.maxsize)
    for file in sorted(results.rglob("*.csv")):
        with file.open(newline="", encoding="utf-8", errors="replace") as lines:
            for row in csv.DictReader(lines):
                reference, output = row.get("true_ltl"), row.get("output_ltl")
                if reference and output and row.get("is_correct"):
                    yield (reference, output), row["is_correct"]


def _verdict(reference: str, output: str) -> str:
    """Return the verdict of this library, in Spot's words."""
    try:
        relation = compare_formulas(
            read_formula(output), read_formula(reference), "infinite"
        ).relation
    except LimitError:
        return "undecided"
    except EaiError:
        return "not read"
    return "True" if relation == "equivalent" else "False"


if __name__ == "__main__":
    main()
