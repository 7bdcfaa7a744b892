"""Count how often this library and the published evaluator say the same, by hand.

    python benchmarks/agreement/agreement.py --facts DIR [--at-least 99]
        [--sample 20] [--without QUIRK]

`DIR` has what was collected about `eai-eval` 1.0.5: `peer_verdicts/*vh_as_*.jsonl.gz` (its
verdicts on answers), `model_outputs/` (answers of models) and
`published_runs/virtualhome_subgoal_decomposition_error_info/` (executed actions with verdicts).
The official data must have been fetched (`eai data fetch eai`). Everything is evaluated under the
semantics `official`, without the quirk that a file was made without; `--without` switches
another one off, which shows on how many items it can be seen at all.

Printed are, for each source, the number of items, how many agree in every part (status,
executable, success, kinds of error with their actions, goals met and present), and every
disagreement with its explanation. `by seed` counts the items whose verdict depends on the hash
seed of the published evaluator's process: with one order of the task's action goals, the same for
every such item of the source, we say what it said. `agree*` is the percentage without these.
The exit status is 1 if that is below `--at-least` anywhere, 2 if something needed is missing.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from agreement_items import Source
from agreement_replay import replay_sources
from agreement_verdicts import verdict_sources

from eai.errors import EaiError
from eai.suites.virtualhome import VirtualHome

LINE = "{:42} {:>6} {:>6} {:>7} {:>7} {:>11} {:>7} {:>8}"

HEADER = ("source", "items", "agree", "%", "by seed", "unexplained", "agree*", "left out")


def measured(facts: Path, sample: int | None, without: Sequence[str]) -> Iterator[Source]:
    """Compare everything that a folder has.

    Args:
        facts: The folder.
        sample: Number of items of each source; None for all.
        without: Quirks to switch off everywhere.
    """
    suite = VirtualHome()
    tasks = cache(suite.task)
    for sources in (verdict_sources, replay_sources):
        yield from sources(facts, suite, tasks, sample=sample, without=without)


def line_of(source: Source) -> str:
    """Return a source's line of the table."""
    found = len(source.disagreements)
    exact = 100 * source.agreeing / source.items if source.items else 100.0
    return LINE.format(
        source.name,
        source.items,
        source.agreeing,
        f"{exact:.2f}",
        source.by_order,
        found - source.by_order,
        f"{source.share:.2f}",
        sum(source.left_out.values()),
    )


def total_of(sources: Sequence[Source]) -> Source:
    """Return all sources as one."""
    return Source(
        "all",
        sum(source.items for source in sources),
        [found for source in sources for found in source.disagreements],
        {
            f"{source.name}: {reason}": number
            for source in sources
            for reason, number in source.left_out.items()
        },
    )


def report(sources: Sequence[Source]) -> None:
    """Print the table, then what differs and what was left out."""
    total = total_of(sources)
    print(LINE.format(*HEADER))
    for source in (*sources, total):
        print(line_of(source))
    if total.disagreements:
        print("\ndisagreements")
    for found in total.disagreements:
        print(f"  {found}")
    if total.left_out:
        print("\nleft out")
    for reason, number in total.left_out.items():
        print(f"  {number} of {reason}")


def main() -> int:
    """Read the arguments, compare, print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", required=True, type=Path, help="the folder described above")
    parser.add_argument("--at-least", type=float, default=99.0, help="lowest agree* allowed (99)")
    parser.add_argument("--sample", type=int, help="items of each source (all when left out)")
    parser.add_argument(
        "--without", action="append", default=[], metavar="QUIRK", help="switch a quirk off"
    )
    arguments = parser.parse_args()
    if arguments.sample is not None and arguments.sample < 1:
        parser.error("--sample must be 1 or more")
    try:
        sources = list(measured(arguments.facts, arguments.sample, arguments.without))
    except (EaiError, OSError, EOFError, ValueError, zlib.error) as error:
        parser.error(str(error))
    if not any(source.items for source in sources):
        parser.error(f"{arguments.facts} has nothing that could be compared")
    report(sources)
    return int(any(source.share < arguments.at_least for source in sources))


if __name__ == "__main__":
    sys.exit(main())
