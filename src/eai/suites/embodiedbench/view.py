"""How episodes of EmbodiedBench are reported: its metrics, and kinds of failure.

Source: EmbodiedBench (arXiv 2502.09560), section 5.1, Tables 2 and 3, and the appendix on errors.
"""

from __future__ import annotations

from typing import NamedTuple

from eai.report import PARTS, Score, Tally, View, by_group
from eai.suites.embodiedbench.skills import shipped
from eai.table import Column, Table


class Kind(NamedTuple):
    """A kind of failure.

    Args:
        group: Its class in the paper, or ``"beside"`` them.
        decided: Whether a log decides it: ``"certain"``, ``"partly"`` or ``"no"``.
        where: The environments in which it is looked for.
    """

    group: str
    decided: str
    where: tuple[str, ...]


SUBSETS: dict[str, str] = shipped("view.json")["subsets"]
"""The subsets, in the order of the paper's tables, with their headings."""
MEANS: dict[str, tuple[str, str]] = shipped("view.json")["means"]
"""Means over episodes: shares in percent, but steps, actions and errors as they are."""
ERRORS = {name: Kind(*row) for name, row in shipped("view.json")["errors"].items()}
"""The kinds of failure; ``spatial_understanding`` needs pictures and is never claimed."""


def _mean(counts: Tally, group: str, key: str, label: str) -> Score:
    base = PARTS * counts.measured.get(key, 0)
    return Score(group, key, label, counts.amounts.get(key, 0), base, "means")


def _metrics(counts: Tally) -> list[Score]:
    solved, sizes = counts.grouped_success, counts.grouped
    known = [name for name in SUBSETS if sizes.get(name)]
    overall = sum(PARTS * solved.get(name, 0) // sizes[name] for name in known)
    found = [
        Score("goal", "task_success_rate", "Task SR", counts.success, counts.tasks, "tasks"),
        Score("goal", "overall", "Mean of subsets", overall, PARTS * len(known), "means"),
    ]
    for name, heading in SUBSETS.items():
        key, label = f"subset_{name}", heading.replace("\n", " ")
        found.append(Score("subset", key, label, solved.get(name, 0), sizes.get(name, 0), "tasks"))
    found += [_mean(counts, "means", key, label) for key, (label, _) in MEANS.items()]
    errors = ((f"error_{key}", key.replace("_", " ")) for key in ERRORS)
    return found + [_mean(counts, "errors", key, label) for key, label in errors]


def _basis(counts: Tally) -> str:
    ends = ", ".join(f"{name} {number}" for name, number in counts.outcomes.items())
    return f"the means over episodes; ends: {ends or 'none'}"


def _table(title: str, columns: list[Column]) -> Table:
    return Table(title, caption=title.partition(" (")[0], columns=tuple(columns))


VIEW = View(
    metrics=_metrics,
    tables=(
        _table(
            "Success by subset (%, counts below)",
            [
                Column("task_success_rate", short="Task SR", ranged=True),
                Column("overall", short="Mean of\nsubsets"),
                *(Column(f"subset_{k}", short=head, ranged=True) for k, head in SUBSETS.items()),
            ],
        ),
        _table(
            "Episodes (shares in %, numbers in the mean)",
            [Column(key, short=head) for key, (_, head) in MEANS.items()],
        ),
        _table(
            "Kinds of failure (% of episodes)",
            [
                Column(f"error_{key}", short=key.replace("_", "\n"), span=kind.group)
                for key, kind in ERRORS.items()
            ],
        ),
    ),
    groups={"goal": "Goal", "subset": "Subsets", "means": "Means", "errors": "Kinds of failure"},
    errors=("errors",),
    basis=_basis,
    summary=lambda counts: by_group(_metrics(counts)),
)
"""How acting and recorded episodes are reported."""
