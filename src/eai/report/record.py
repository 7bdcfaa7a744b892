"""A record: one evaluated prediction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from eai.diagnosis import Finding, Result
from eai.display import folded, preformatted, stacked, table
from eai.text import sample_label, short

KEYS = {(Finding, "text"): "message", (Result, "reason"): "formula_reason"}
"""Fields that have another key in JSON, by dataclass and field."""


@dataclass(frozen=True, slots=True)
class Record:
    """One evaluated prediction.

    Args:
        version: Version of the suite's tasks.
        semantics: The semantics that was used, spelled as reports print it.
        name: Category of the task (``"Wash clothes"``).
        seconds: Duration of the evaluation; 0 when timing is off.
        epoch: Number of the sample, from 1, if the model has several; 0 if it is the only one.
        usage: Tokens, and perhaps the cost, by the endpoint's names; empty if they are not stated.
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
    usage: Mapping[str, float] = field(default_factory=dict, hash=False)

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer, be it one that counts in no rate."""
        return self.result.status == "evaluated" or bool(self.output)

    @property
    def label(self) -> str:
        """Name of the model, with the number of the sample."""
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


_MAX_SHOWN = 10
"""Maximum number of records shown in a notebook."""


class Records(tuple[Record, ...]):
    """A tuple of records with a short representation: their number, verdicts and models."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return a summary: ``<3 records of gpt: 2 solved, 1 not solved>``."""
        verdicts: Counter[str] = Counter()
        models = set()
        for record in self:
            verdicts[record.result.verdict] += 1
            models.add(record.model)
        names = f"{len(models)} models"
        # Names of models may be paths, so a long one is shortened.
        if len(models) == 1:
            names = short(models.pop(), 60)
        summary = f"{len(self):,} records of {names}"
        if verdicts:
            counts = [f"{count:,} {verdict}" for verdict, count in verdicts.most_common()]
            summary += f": {', '.join(counts)}"
        return f"<{summary}>"

    def _repr_html_(self) -> str:
        if not self:
            return preformatted(repr(self))
        rows = [(r.model, r.task, r.name, r.result.verdict) for r in self[:_MAX_SHOWN]]
        caption = f"{self!r:.300}"
        if len(self) > _MAX_SHOWN:
            caption += f", the first {_MAX_SHOWN}"
        return table(("Model", "Task", "Category", "Verdict"), rows, caption=caption)
