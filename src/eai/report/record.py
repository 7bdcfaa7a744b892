"""A record: one evaluated prediction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from eai.diagnosis import Finding, Result
from eai.display import folded, preformatted, stacked, table
from eai.text import sample_label, short

KEYS = {(Finding, "text"): "message", (Result, "reason"): "formula_reason"}
"""Fields whose keys in JSON have other names."""


@dataclass(frozen=True, slots=True)
class Record:
    """One evaluated prediction.

    Args:
        version: Version of the suite's tasks.
        semantics: Which semantics was used, spelled as reports print it.
        name: Category of the task (``"Wash clothes"``).
        seconds: How long evaluating took, by the clock; 0 when timing is off.
        epoch: Which of several samples of the model it is; 0 if it is the only one.
    """

    suite: str
    version: str
    ability: str
    semantics: str
    model: str
    task: str
    name: str
    output: str
    result: Result
    seconds: float = 0.0
    epoch: int = 0

    @property
    def label(self) -> str:
        """The model, and which of its samples."""
        return sample_label(self.model, self.epoch)

    def __repr__(self) -> str:
        where = f"{self.suite} {self.task} ({self.ability})"
        return f"<Record: {short(where, 80)} of {short(self.label, 80)}, {self.result.verdict}>"

    def _repr_html_(self) -> str:
        about = [("Model", self.label), ("Ability", self.ability), ("Semantics", self.semantics)]
        return stacked(
            table((), about, caption=f"{self.suite} {self.task}: {self.name}"),
            self.result.to_html(),
            folded("The answer as it was given", preformatted(self.output)),
        )


_SHOWN = 10


class Records(tuple[Record, ...]):
    """Records that are shown in short: how many there are, and the first."""

    __slots__ = ()

    def __repr__(self) -> str:
        found = Counter(record.result.verdict for record in self)
        models = sorted({record.model for record in self})
        counts = ", ".join(f"{number:,} {verdict}" for verdict, number in found.most_common())
        of = short(models[0], 60) if len(models) == 1 else f"{len(models)} models"
        return f"<{len(self):,} records of {of}{': ' * bool(counts)}{counts}>"

    def _repr_html_(self) -> str:
        rows = [(r.model, r.task, r.name, r.result.verdict) for r in self[:_SHOWN]]
        more = f", the first {_SHOWN}" if len(self) > _SHOWN else ""
        head = ("Model", "Task", "Category", "Verdict")
        return table(head, rows, caption=f"{self!r:.300}{more}") or preformatted(repr(self))
