"""A record: one evaluated prediction."""

from __future__ import annotations

from dataclasses import dataclass

from eai.diagnosis.result import Result

__all__ = ["Record"]


@dataclass(frozen=True, slots=True)
class Record:
    """One evaluated prediction.

    Args:
        suite: Name of the suite.
        version: Version of the suite's tasks.
        ability: Which ability was evaluated.
        semantics: Which semantics was used, spelled as reports print it.
        model: Whose prediction it is.
        task: Identifier of the task.
        name: Category of the task (``"Wash clothes"``).
        output: The answer, as it was given.
        result: What was found.
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
        from eai.display import folded, preformatted, stacked, table

        about = [("Model", self.model), ("Ability", self.ability), ("Semantics", self.semantics)]
        return stacked(
            table((), about, caption=f"{self.suite} {self.task}: {self.name}"),
            self.result.to_html(),
            folded("The answer as it was given", preformatted(self.output)),
        )
