"""How many episodes of the oracle show a behaviour that they should not, by hand.

    python benchmarks/agreement/behaviours.py [SUITE ...]

The oracle acts in all tasks under both semantics. Printed for each: episodes, and every behaviour
that is found in one of them: a false alarm.
"""

from __future__ import annotations

import sys

import eai
from eai.acting import behaviours


def main(names: list[str]) -> None:
    """Print the counts."""
    for name in names or ["household", "asgardbench"]:
        suite = eai.suite(name)
        for semantics in ("strict", "official"):
            alarms, tasks = 0, suite.task_ids()
            for task in tasks:
                found = eai.interact(suite, task, "oracle", semantics=semantics)
                shown = behaviours(found.episode) if found.result.status == "evaluated" else {}
                alarms += bool(shown)
                for kind, turns in shown.items():
                    print(f"  {task}: {kind.label}, turns {turns} ({found.episode.end})")
            print(f"{name} {semantics}: {len(tasks)} episodes, {alarms} with a behaviour")


if __name__ == "__main__":
    main(sys.argv[1:])
