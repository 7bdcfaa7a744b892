"""Counts of each rule beside the goals, in a table that is shown where there are rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from eai.report.aggregate import Tally
from eai.table import Cell, Column, Table
from eai.text import short

if TYPE_CHECKING:
    from eai.report.results import Results

_COLUMNS = (
    Column("model", "Model"),
    Column("rule", "Rule"),
    Column("triggered", "Triggered"),
    Column("kept", "Kept"),
    Column("broken", "Broken"),
    Column("never_at_stake", "Never at\nStake"),
)


class RuleCounts(NamedTuple):
    """The numbers of answers that kept and broke a rule.

    Args:
        triggered: Answers that the rule was at stake in: it was kept or broken.
        kept: Those that kept it.
        broken: Those that broke it.
        never_at_stake: Answers in which its trigger never happened; they kept it, too.
    """

    triggered: int
    kept: int
    broken: int
    never_at_stake: int


def rule_counts(tally: Tally) -> dict[str, RuleCounts]:
    """Return for each rule how many executed answers kept or broke it."""
    counts = {}
    for rule, judged_count in tally.rules.items():
        kept_count = tally.rules_kept.get(rule, 0)
        idle_count = tally.rules_idle.get(rule, 0)
        # The tally counts a rule as kept where its trigger never happened, too.
        counts[rule] = RuleCounts(
            triggered=judged_count - idle_count,
            kept=kept_count - idle_count,
            broken=judged_count - kept_count,
            never_at_stake=idle_count,
        )
    return counts


def rule_tables(report: Results) -> Iterator[Table]:
    """Yield a table of how many executed answers of each model kept each rule."""
    rows: list[dict[str, Cell]] = []
    for model in report.models:
        for rule, counts in rule_counts(report.tally(model)).items():
            row: dict[str, Cell] = {"model": short(model, 200), "rule": short(rule, 200)}
            rows.append({**row, **counts._asdict()})
    if not rows:
        return
    caption = "Rules (answers that were run)"
    yield Table(caption, rows=rows, columns=_COLUMNS, caption=caption)
