"""A record: one evaluated prediction."""

from __future__ import annotations

from dataclasses import dataclass

from eai.diagnosis import Finding, Result
from eai.display import folded, preformatted, stacked, table

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

    def _repr_html_(self) -> str:
        about = [("Model", self.model), ("Ability", self.ability), ("Semantics", self.semantics)]
        return stacked(
            table((), about, caption=f"{self.suite} {self.task}: {self.name}"),
            self.result.to_html(),
            folded("The answer as it was given", preformatted(self.output)),
        )
