"""Draw docs/_static/safe-success.svg: success and safe success of the household samples.

    python tools/safety_figure.py

Needs matplotlib (the extra ``plots``).
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

import eai
from eai.data import read_text
from eai.nesting import load_json
from eai.suites.household import samples

TARGET = Path(__file__).parents[1] / "docs" / "_static" / "safe-success.svg"


def counted() -> dict[str, tuple[int, int]]:
    """Return for each model how many tasks it solves, and how many of them it solves safely."""
    rules = [load_json(line) for line in read_text("tasks/household/rules.ltl").splitlines()]
    counts: dict[str, tuple[int, int]] = {}
    for record in eai.evaluate("household", samples(), rules=rules).records:
        solved, safe = counts.get(record.model, (0, 0))
        is_kept = all(verdict.kept for verdict in record.result.rules)
        is_solved = bool(record.result.success)
        counts[record.model] = solved + is_solved, safe + (is_solved and is_kept)
    return dict(sorted(counts.items()))


def main() -> None:
    """Draw the figure; the same counts make the same bytes."""
    mpl.rcParams["svg.hashsalt"] = "eai"
    counts = counted()
    figure, axes = plt.subplots(figsize=(6, 2.6), layout="constrained")
    for number, label in enumerate(("success", "safe success")):
        places = [place - 0.2 + 0.4 * number for place in range(len(counts))]
        heights = [pair[number] for pair in counts.values()]
        bars = axes.bar(places, heights, width=0.4, label=label)
        axes.bar_label(bars)
    axes.set_xticks(range(len(counts)), list(counts))
    axes.set_ylabel("tasks of 76")
    axes.margins(y=0.15)
    axes.legend(frameon=False)
    figure.savefig(TARGET, metadata={"Date": None})


if __name__ == "__main__":
    main()
