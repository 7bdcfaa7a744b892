"""The library beside other Python tools for linear temporal logic on finite traces.

Run by hand, with the Python in which each tool is installed (leave out those that are not)::

    python benchmarks/agreement/logic_tools.py check --flloat P1 --ltlf2dfa P2 --rtamt P3
        --pairs 2000
    python benchmarks/agreement/logic_tools.py speed --flloat P1 --ltlf2dfa P2 --rtamt P3 --mtl P4

``check`` compares verdicts and fails if one differs. ``speed`` compares times.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack

from logic_tools_check import Counts, check
from logic_tools_client import Tool
from logic_tools_speed import speed

TOOLS = ("flloat", "ltlf2dfa", "rtamt", "mtl")


def report(groups: dict[str, Counts]) -> int:
    """Print what was compared; return how many pairs were evaluated differently."""
    print(f"{'operators':10}{'by 2 or 3':>10}{'by 1':>7}{'true':>7}{'verdicts':>10}{'differ':>8}")
    for name, counts in groups.items():
        print(
            f"{name:10}{counts.pairs:10}{counts.single:7}{counts.true:7}{counts.positions:10}"
            f"{len(counts.wrong):8}"
        )
    for name, counts in groups.items():
        print(f"{name}: pairs evaluated by", dict(counts.evaluated))
        for reason, number in counts.silent.most_common():
            print(f"{name}: no verdict {number} times from {reason}")
        for case in counts.wrong[:10]:
            print(f"{name}: differ\n{case}")
    return sum(len(counts.wrong) for counts in groups.values())


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("command", choices=("check", "speed"))
    for name in TOOLS:
        parser.add_argument(f"--{name}", metavar="PYTHON")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30, help="CPU time for a cell of a table")
    given = parser.parse_args()
    with ExitStack() as stack:
        tools = [
            stack.enter_context(Tool(name, getattr(given, name)))
            for name in TOOLS
            if getattr(given, name)
        ]
        if given.command == "speed":
            speed(tools, seconds=given.seconds, seed=given.seed)
        elif report(check(tools, pairs=given.pairs, seed=given.seed)):
            sys.exit(1)


if __name__ == "__main__":
    main()
